#!/usr/bin/env python3
"""One netlist of the bench of a unit with all mutants in it, chosen by a number (README.md here, "Units in
their benches"). Run with the Python of <build>/tools/venv (pyosys): tools/setup_tools.sh BUILD yosys.

Usage: tests/mutants/make_bench_mutants.py UNIT BUILD OUT [--count 100] [--seed 20261128]

UNIT: dot, the tensor unit's engine (tests/rtl/tensor/tb_dot.sv, a row with the products of `tiny`);
half, packed, format, what a slow lane has for these (tests/rtl/half/tb_half.sv); special
(tests/rtl/special/tb_special.sv).
Mutated are the cells of the modules below the bench, not those of the bench. OUT gets netlist.v,
mutants.txt, clean.il and mutants.ys, as from make_mutants.py.
"""
import argparse
import os
import sys
import tempfile
from pathlib import Path

from pyosys import libyosys as ys

from make_mutants import add_number, insert, mutants, simplify, yosys_rtl

NARROW = ('rtl/exec/exec_pkg.sv', 'rtl/cells/generic/normalise.sv', 'rtl/exec/half_part.sv',
          'rtl/exec/half_lane.sv', 'rtl/exec/packed_lane.sv', 'rtl/exec/format_narrow.sv',
          'rtl/exec/format_lane.sv', 'tests/rtl/half/tb_half.sv')
# Top, instance whose cells are mutated (empty: all below the top), files.
BENCHES = {
    'dot': ('tb_dot', '', ('rtl/cells/cells_pkg.sv', 'rtl/core/sm_pkg.sv', 'rtl/tensor/tensor_pkg.sv',
                           'rtl/cells/generic/shift_right.sv', 'rtl/tensor/dot_pkg.sv',
                           'rtl/tensor/dot_stage_pkg.sv', 'rtl/tensor/dot_align.sv',
                           'rtl/tensor/dot_groups.sv', 'rtl/tensor/dot.sv', 'tests/rtl/tensor/tb_dot.sv')),
    'half': ('tb_half', 'u_half', NARROW),
    'packed': ('tb_half', 'u_packed', NARROW),
    'format': ('tb_half', 'u_format', NARROW),
    'special': ('tb_special', '', ('rtl/exec/exec_pkg.sv', 'rtl/exec/special_lane.sv',
                                   'tests/rtl/special/tb_special.sv')),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('unit', choices=BENCHES)
    parser.add_argument('build', type=Path)
    parser.add_argument('out', type=Path)
    parser.add_argument('--count', type=int, default=100)
    parser.add_argument('--seed', type=int, default=20261128)
    args = parser.parse_args()
    top, instance, sources = BENCHES[args.unit]
    build, out = args.build.resolve(), args.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    said = os.dup(1)  # what Yosys says goes to a file
    os.dup2(os.open(out / 'yosys.log', os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
    with tempfile.TemporaryDirectory() as work:
        yosys_rtl.prepare(Path(work), build, 'tiny')
        os.chdir(work)
        design = ys.Design()
        files = ['gen/wl_pkg.sv', 'gen/config_tiny_pkg.sv'] + [f'src/{name}' for name in sources]
        ys.run_pass(f'read_slang --no-synthesis-define --keep-hierarchy --top {top} '
                    f'--ignore-assertions --ignore-initial -I src/rtl -I gen {" ".join(files)}',
                    design)
        ys.run_pass(f'hierarchy -check -top {top}', design)
        simplify(design)
        ys.run_pass('write_rtlil clean.il', design)
        pool = f'*{top}.{instance}*/c:*' if instance else f'c:* {top}/c:* %d'
        pool += ' t:$meminit* %d'  # a table with a choice in it cannot be written as Verilog
        commands = mutants(design, pool, lambda _: True, args.count, args.seed, out)
        for number, command in enumerate(commands, 1):
            insert(design, number, command)
        add_number(design, top)
        ys.run_pass('write_verilog -noattr netlist.v', design)
        for name in ('clean.il', 'mutants.ys', 'netlist.v'):
            (out / name).write_text(Path(name).read_text())
        os.chdir('/')
    (out / 'prove.txt').unlink(missing_ok=True)  # of the netlist before
    os.write(said, f'make_bench_mutants: {len(commands)} mutants, seed {args.seed}\n'.encode())


if __name__ == '__main__':
    sys.exit(main())
