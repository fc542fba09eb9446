#!/usr/bin/env python3
"""Lists every flip-flop bit and memory bit of the RTL, from Yosys: the population of the fault
campaign (docs/faults.md). Run with the Python of <build>/tools/venv (pyosys).

Usage: tools/rtl_registers.py BUILD CONFIG OUT

The RTL is elaborated as it is simulated: SYNTHESIS is not defined. Left out are the journal's own
registers (WL_JOURNAL is not defined here) and flip-flops whose output drives nothing: temporary
variables of clocked processes, fields of structures that nobody reads. Nothing else is optimised.

Lines of OUT, names below the top: `ff NAME WIDTH MASK` (MASK: the bits that exist, hexadecimal) and
`mem NAME WIDTH ROWS`; an array that is no memory is one wide register with element 0 highest.
"""
import os
import sys
import tempfile
from pathlib import Path

from pyosys import libyosys as ys

sys.path.insert(0, str(Path(__file__).resolve().parent))
import yosys_rtl


def flip_flops(module):
    """Register and bit of each flip-flop, by cell."""
    found = {}
    for name, cell in module.cells_.items():
        kind = cell.type.str()
        if 'LATCH' in kind or kind == '$sr':
            sys.exit(f'rtl_registers: {cell.name.str()} is a latch')
        if 'DFF' in kind or 'dff' in kind:
            if kind != '$_DFF_P_':
                sys.exit(f'rtl_registers: unknown flip-flop {kind}')
            bit = cell.getPort(ys.IdString('\\Q')).as_bit()
            found[name.str()] = (bit.wire.name.str(), bit.offset)
    return found


def elaborate(design, top, sources):
    for command in (f'read_slang --no-synthesis-define --top {top} --ignore-assertions '
                    f'--ignore-initial -I src/rtl -I gen {" ".join(sources)}',
                    'proc -noopt -norom', 'flatten', 'simplemap t:$dff'):
        ys.run_pass(command, design)
    all_bits = flip_flops(design.top_module())
    ys.run_pass('opt_clean', design)
    return all_bits


def listing(module, all_bits):
    left = {name.str() for name in module.cells_}
    masks = {}
    for cell, (wire, offset) in all_bits.items():
        if cell in left:
            masks[wire] = masks.get(wire, 0) | 1 << offset
    widths = {name.str(): wire.width for name, wire in module.wires_.items()}
    lines = []
    for wire, mask in masks.items():
        lines.append(f'ff {wire.lstrip(chr(92))} {widths[wire]} {mask:x}')
    for name, memory in module.memories.items():
        name = name.str()
        if not name.startswith('$'):  # "$...": a table made of a case statement
            lines.append(f'mem {name.lstrip(chr(92))} {memory.width} {memory.size}')
    return sorted(lines, key=lambda line: line.split()[1])


def main():
    if len(sys.argv) != 4:
        sys.exit('usage: rtl_registers.py BUILD CONFIG OUT')
    build, config, out = Path(sys.argv[1]).resolve(), sys.argv[2], Path(sys.argv[3]).resolve()
    with tempfile.TemporaryDirectory() as work:
        top, sources = yosys_rtl.prepare(Path(work), build, config)
        os.chdir(work)
        design = ys.Design()
        all_bits = elaborate(design, top, sources)
        lines = listing(design.top_module(), all_bits)
        os.chdir('/')
    ffs = sum(bin(int(f[3], 16)).count('1') for f in map(str.split, lines) if f[0] == 'ff')
    memory = sum(int(f[2]) * int(f[3]) for f in map(str.split, lines) if f[0] == 'mem')
    out.write_text(f'# configuration {config}: {ffs} flip-flops, {memory} memory bits\n' +
                   '\n'.join(lines) + '\n')
    print(f'rtl_registers: {config}: {ffs} flip-flops, {memory} memory bits, '
          f'{ffs + memory} bits of {len(lines)} registers and memories; '
          f'{len(all_bits) - ffs} bits drive nothing')


if __name__ == '__main__':
    main()
