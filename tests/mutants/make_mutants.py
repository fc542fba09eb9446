#!/usr/bin/env python3
"""One netlist of the whole tiny core with all mutants in it, chosen by a number (README.md here).
Run with the Python of <build>/tools/venv (pyosys): tools/setup_tools.sh BUILD yosys.

Usage: tests/mutants/make_mutants.py BUILD OUT [--count 50] [--seed 20261128]

The RTL of rtl/files.txt is read as it is simulated: with the generic cells and with the journal
(WL_JOURNAL, which only rtl/dpi asks for). The modules of the journal (gen/journal_records.svh) are
kept and not looked into. Hierarchy and names of memories stay. The folder OUT gets: netlist.v
(mutants_select gives the number), mutants.txt (number, mode, module, cell, port, bit, source lines),
clean.il, core.il and mutants.ys (the design, the same without records, and the commands), for
prove.py.
Not mutated: what the records alone read (rtl/dpi, the units' rest_o). Contents of memories at time 0
(rtl/dpi/memory_seeds.sv) are written again, by the netlist's names.
"""
import argparse
import os
import re
import sys
import tempfile
from pathlib import Path

from pyosys import libyosys as ys

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / 'tools'))
import yosys_rtl
from reach import Netlist

# Arrays that lockstep compares in place and that section 15 of docs/microarchitecture.md seeds:
# module, memory. The rest is seeded nowhere.
PLACES = (('register_banks', r'gen_bank\[\d+\]\.mem_q'), ('pred_ram', 'mem_q'), ('smem_bank', 'mem_q'),
          ('lane_ram', r'gen_lane\[\d+\]\.mem_q'), ('tmem_ram', 'mem_q'))
NUMBER_BITS = 16
SPARE = 20  # more are chosen than are asked for: some are in outputs for the records alone


def journal_modules():
    text = Path('gen/journal_records.svh').read_text()
    return re.findall(r'^module (\w+)', text, re.M)


def places(source):
    """'rtl/x/y.sv:line.col' of a src attribute, each once; the shortest ranges first."""
    return re.findall(r'(rtl/[\w/]+\.sv):(\d+)', source)


def read(design, top, sources):
    boxes = ' '.join(f'--blackboxed-module {m}' for m in journal_modules())
    ys.run_pass(f'read_slang --no-synthesis-define -D WL_JOURNAL --keep-hierarchy --top {top} '
                f'--ignore-assertions --ignore-initial {boxes} -I src/rtl -I gen '
                f'{" ".join(sources)}', design)
    ys.run_pass(f'hierarchy -check -top {top}', design)
    ys.run_pass('setattr -set keep 1 t:journal_*', design)
    simplify(design)


def simplify(design):
    """Cells that can be mutated, without those that are constant or unused anyway."""
    ys.run_pass('proc -noopt -norom', design)
    ys.run_pass('bwmuxmap', design)  # the Verilog writer has no form for that cell
    # opt_reduce: the enables of a memory's bits become one again.
    for _ in range(3):
        for command in ('opt_expr', 'opt_merge', 'opt_reduce', 'opt_clean', 'opt_hier'):
            ys.run_pass(command, design)
    ys.run_pass('opt_clean', design)


def field(command, name):
    return re.search(rf'-{name} (\S+)', command).group(1)


def internal(name):
    return name if name.startswith('$') else '\\' + name


def cells_of(design):
    return {(m.str(), c.str()) for m, module in design.modules_.items() for c in module.cells_}


def mark_journal(design):
    """Attribute `journal` for the records' cells and for those that nothing else reads: they are gone
    when the records are taken out. Writes that core, core.il."""
    ys.run_pass('write_rtlil clean.il', design)
    core = ys.Design()
    for command in ('read_rtlil clean.il', 'delete t:journal_*'):
        ys.run_pass(command, core)
    before = None
    while before != (before := cells_of(core)):
        for command in ('opt_clean -purge', 'opt_hier'):
            ys.run_pass(command, core)
    marked = cells_of(design) - before
    for name, module in design.modules_.items():
        for cell, what in module.cells_.items():
            if (name.str(), cell.str()) in marked:
                what.set_bool_attribute(ys.IdString('\\journal'))
    ys.run_pass('write_rtlil core.il', core)
    return len(marked)


def only_recorded(design, command):
    """Whether the mutant is in an output of an instance that the records alone read (mark_journal)."""
    name, cell, port, bit = (field(command, f) for f in ('module', 'cell', 'port', 'portbit'))
    one = design.module(ys.IdString(internal(name))).cell(ys.IdString(internal(cell)))
    if one.type.str().startswith('$') or not one.output(ys.IdString(internal(port))):
        return False
    core = Netlist('core.il', name)
    one = [c for c in core.cells if c.name.lstrip('\\') == cell]
    bits = core.bits(one[0].ports[port]) if one and port in one[0].ports else []
    if int(bit) >= len(bits):
        return True
    at = bits[int(bit)]
    readers = core.readers.get(at[0], []) if at else []
    return at is None or not (at[0] in core.outputs or any(
        n < 0 or (core.cells[n] is not one[0] and at in core.bits(core.cells[n].ports[p]))
        for n, p in readers))


def insert(design, number, command):
    """One mutant, and mutants_active where its value and the original's meet."""
    module = design.module(ys.IdString(internal(field(command, 'module'))))
    before = {name.str() for name in module.cells_}
    ys.run_pass(command.replace('mutate ', f'mutate -ctrl mutant_number {NUMBER_BITS} {number} ', 1),
                design)
    added = [c for n, c in module.cells_.items() if n.str() not in before]
    muxes = [c for c in added if c.type.str() == '$mux']
    choice = muxes[-1]
    if len(muxes) > 1:  # cnot: the other multiplexer does not hang on the number
        equal = [c for c in added if c.type.str() == '$eq'][0].getPort(ys.IdString('\\Y'))
        choice = [c for c in muxes if c.getPort(ys.IdString('\\S')) == equal][0]
    a, b, s = (choice.getPort(ys.IdString('\\' + port)) for port in 'ABS')
    wires = [module.addWire(ys.IdString(f'\\mutant_{number}_{name}'), 1)
             for name in ('differs', 'active')]
    differs, active = map(ys.SigSpec, wires)
    module.addXor(ys.IdString(f'\\mutant_{number}_xor'), a, b, differs)
    module.addAnd(ys.IdString(f'\\mutant_{number}_and'), differs, s, active)
    cell = module.addCell(ys.IdString(f'\\u_mutant_{number}'), ys.IdString('\\mutants_active'))
    cell.setPort(ys.IdString('\\active_i'), active)
    cell.set_bool_attribute(ys.IdString('\\keep'))


def add_number(design, top):
    """The port that the mutants have added at the top becomes an instance's output."""
    module = design.module(ys.IdString('\\' + top))
    wire = module.wire(ys.IdString('\\mutant_number'))
    wire.port_input = False
    wire.port_id = 0
    module.fixup_ports()
    cell = module.addCell(ys.IdString('\\u_mutants_select'), ys.IdString('\\mutants_select'))
    cell.setPort(ys.IdString('\\number_o'), ys.SigSpec(wire))
    cell.set_bool_attribute(ys.IdString('\\keep'))


def seed_text(found):
    """Initial blocks for gpu_top of the netlist: those of the RTL, by the netlist's names."""
    rows = []

    def fill(memory, kind, count, index, lanes=1):
        rows.append(f'  initial for (int unsigned r = 0; r < {count}; r++)\n'
                    f'    for (int unsigned l = 0; l < {lanes}; l++)\n'
                    f'      {memory}[r][32*l+:32] = journal_pkg::seed_word('
                    f'journal_pkg::wl_j_seed(), wl_pkg::{kind}, {index});')

    for (module, instance), memories in sorted(found.items()):
        for memory, count in memories:
            path = hierarchical(f'{instance}.') + in_block(memory)[1]
            numbers = [int(n) for n in re.findall(r'\[(\d+)\]', instance + memory)]
            if module == 'register_banks':  # sub-core 0, bank; all lanes in a row
                fill(path, 'SeedRf', count, f'({numbers[-1]} * {count} + r) * config_pkg::Lanes + l',
                     lanes='config_pkg::Lanes')
            elif module == 'pred_ram':
                fill(path, 'SeedPred', count, 'r')
            elif module == 'smem_bank':
                fill(path, 'SeedSmem', count, f'r * config_pkg::SmemBanks + {numbers[-1]}')
            elif module == 'tmem_ram':  # quarter; all lanes in a row
                fill(path, 'SeedTmem', count,
                     f'({numbers[-1]} * config_pkg::TmemColumns + r / config_pkg::Beats) * 32 + '
                     'r % config_pkg::Beats * config_pkg::Lanes + l', lanes='config_pkg::Lanes')
            else:
                fill(path, 'SeedXbuf', count, f'r * 32 + {numbers[-1]}')
    return '\n'.join(rows) + '\n'


def escaped(name):
    return name if re.fullmatch(r'\w+', name) else f'\\{name} '


def hierarchical(path):
    """gen_sub[0].u_sub.u_x. : the netlist's instances have the names of generate blocks in them."""
    out, pending = '', ''
    for part in path.rstrip('.').split('.'):
        pending += part
        if part.endswith(']') or part.startswith('gen_'):
            pending += '.'
            continue
        out += escaped(pending) + '.'
        pending = ''
    return out


def in_block(memory):
    """\\gen_bank[0].mem_q as the block gen_bank[0] with mem_q in it."""
    block, _, name = memory.rpartition('.')
    return block, (escaped(block) + '.' if block else '') + name


def finish_text(text, top):
    """Compared arrays public, below their names in the RTL; memories seeded at time 0."""
    found, out = {}, []
    for body in re.split(r'(?<=\nendmodule\n)', text):
        head = re.search(r'^module \\?([\w$.\[\]]+)', body, re.M)
        kind, _, instance = (head.group(1) if head else '').partition('$')
        for want, pattern in PLACES:
            if kind != want:
                continue
            instance = instance.removeprefix(top + '.')
            for line, width, memory, last in re.findall(
                    rf'^(  reg (\[\d+:0\]) \\?({pattern})\s+\[(\d+):0\];)$', body, re.M):
                block, name = in_block(memory)
                declared = (f'  reg {width} {name.split(".")[-1]} [{last}:0] '
                            '/*verilator public_flat_rd*/;')
                if block:
                    declared = f'  if (1) begin : {escaped(block)}\n{declared}\n  end'
                body = body.replace(line, '@declared@')
                body = body.replace(escaped(memory), name + ' ') if block else body
                body = body.replace('@declared@', declared)
                found.setdefault((kind, instance), []).append((memory, int(last) + 1))
        out.append(body)
    if {kind for kind, _ in found} != {kind for kind, _ in PLACES}:
        sys.exit('make_mutants: some compared array is not there')
    text = ''.join(out)
    at = re.search(rf'^module {top}\(.*?(?=^endmodule$)', text, re.M | re.S).end()
    return text[:at] + seed_text(found) + text[at:]


def mutants(design, pool, wanted, count, seed, out):
    """Chooses the mutants, of a selection of cells, those of which `wanted` holds; their commands."""
    ys.run_pass(f'select -set pool {pool}', design)
    ys.run_pass(f'mutate -list {count + SPARE} -seed {seed} -o mutants.ys @pool', design)
    commands = [command for command in Path('mutants.ys').read_text().splitlines()
                if wanted(command)][:count]
    Path('mutants.ys').write_text('\n'.join(commands) + '\n')
    rows = ['# number mode module cell port bit control source lines']
    for number, command in enumerate(commands, 1):
        found = dict(re.findall(r'-(mode|module|cell|port|portbit|ctrlbit) (\S+)', command))
        lines = []
        for f, n in places(command):
            if f'{f}:{n}' not in lines:
                lines.append(f'{f}:{n}')
        rows.append(' '.join([str(number), found['mode'], found['module'], found['cell'],
                              found['port'], found['portbit'], found.get('ctrlbit', '-'),
                              ','.join(lines) or '-']))
    (out / 'mutants.txt').write_text('\n'.join(rows) + '\n')
    return commands


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('build', type=Path)
    parser.add_argument('out', type=Path)
    parser.add_argument('--count', type=int, default=50)
    parser.add_argument('--seed', type=int, default=20261128)
    args = parser.parse_args()
    build, out = args.build.resolve(), args.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    said = os.dup(1)  # what Yosys says goes to a file
    os.dup2(os.open(out / 'yosys.log', os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
    with tempfile.TemporaryDirectory() as work:
        top, sources = yosys_rtl.prepare(Path(work), build, 'tiny')
        sources.remove('src/rtl/dpi/memory_seeds.sv')
        os.chdir(work)
        design = ys.Design()
        read(design, top, sources)
        marked = mark_journal(design)
        commands = mutants(design, 'c:* a:journal %d t:$meminit* %d',
                           lambda command: not only_recorded(design, command), args.count, args.seed,
                           out)
        for number, command in enumerate(commands, 1):
            insert(design, number, command)
        add_number(design, top)
        ys.run_pass('write_verilog -noattr netlist.v', design)
        text = finish_text(Path('netlist.v').read_text(), top)
        for name in ('clean.il', 'core.il', 'mutants.ys'):
            (out / name).write_text(Path(name).read_text())
        os.chdir('/')
    (out / 'netlist.v').write_text(text)
    (out / 'prove.txt').unlink(missing_ok=True)  # of the netlist before
    os.write(said, f'make_mutants: {len(commands)} mutants, seed {args.seed}; {marked} cells of the '
             'journal left out\n'.encode())


if __name__ == '__main__':
    main()
