#!/usr/bin/env python3
"""Proves mutants of a pipelined unit equivalent (README.md here): the result of one operation.
Run with the Python of <build>/tools/venv (pyosys), in the folder that make_bench_mutants.py has written.

Usage: tests/mutants/prove_pipe.py FOLDER [--timeout 60] [--verbose] NUMBER...

The unit (UNITS), with and without the mutant, gets the same inputs: an operation in the first step, with
the operands and modifiers that instructions have, then whatever follows. Its control goes along from stage
to stage as in slow_lane. Registers start with any value, those that the mutant reaches with any two values:
so the proof holds for an operation at any time, after any others. The result must be equal when it is
due, by SAT. What a register holds while its stage is empty may differ: nobody reads it.
Appends lines `NUMBER equivalent, UNIT, one operation` and `NUMBER not proved, UNIT` to
FOLDER/prove.txt. --verbose: the operation that tells the two apart.
"""
import argparse
import os
import re
import sys
import tempfile
from pathlib import Path

from pyosys import libyosys as ys

ROOT = Path(__file__).resolve().parent.parent.parent
# Output; the step in which it is due; what an operation is, by the control of its first step
# (exec_pkg.sv; fmt: format_e of isa/def/format.def, in its order).
UNITS = {
    'half_part': ('r5_o', 5, '(grp == 16) == en1 && (!en1 || fmt < 2 && (op == 0 ? !nan && !xorsign :'
                             ' !sat && !relu && !oob && !neg_c) && (op != 3 || !nan && !xorsign))'),
    'packed_lane': ('r4_o', 4, '(grp == 17) == en1 && (!en1 ||'
                               ' op != 3 && (op == 0 ? !relu : !sat && !neg_b))'),
    'format_lane': ('r4_o', 4, '(grp == 15) == en1 && (!en1 || (!random || op == 0 && rnd == 0) && (op == 0 ?'
                               ' (bytes ? rnd == 0 && fmt > 4 && fmt < 10 : fmt < 2) :'
                               ' op == 1 ? fmt == 2 : op == 2 ? fmt == 0 : fmt > 4 && fmt < 10))'),
    'special_lane': ('r4_o', 4, '(grp == 18) == en1 && (!en1 || op != 3)'),
}
# Every register is written by each operation, in its stage, and read in the next: so what it holds
# without one does not reach a result, and stages may be taken as full always, but for the one that
# clears the result of others. That leaves logic alone.
FULL = ('special_lane',)
# Of a parallel multiplexer with two selects the lower one counts, as in the netlist that runs.
PMUX = '''(* techmap_celltype = "$pmux" *)
module first_of(A, B, S, Y);
parameter WIDTH = 1, S_WIDTH = 1;
input [WIDTH-1:0] A;
input [WIDTH*S_WIDTH-1:0] B;
input [S_WIDTH-1:0] S;
output reg [WIDTH-1:0] Y;
integer i;
always @* begin
  Y = A;
  for (i = S_WIDTH - 1; i >= 0; i = i - 1) if (S[i]) Y = B[WIDTH*i +: WIDTH];
end
endmodule
'''
WIDTHS = {'grp_e': 5, 'wl_pkg::format_e': 4, 'logic': 1}


def fields():
    """Field of ctl_t: (lowest bit, width)."""
    text = (ROOT / 'rtl/exec/exec_pkg.sv').read_text()
    body = re.search(r'typedef struct packed \{(.*?)\} ctl_t;', text, re.S).group(1)
    body = body[body.rfind('{') + 1:]
    rows = re.findall(r'^ *([\w:]+)(?: \[(\d+):0\])? +(\w+);', body, re.M)
    found, low = {}, 0
    for kind, high, name in reversed(rows):
        width = int(high) + 1 if high else WIDTHS[kind]
        found[name] = (low, width)
        low += width
    return found, low


def wrapper(ports, output, due, legal, full):
    """Both, side by side; control and enables of a stage are those of the stage before."""
    at, width = fields()
    if (('c1_i', width, True)) not in ports:
        sys.exit('prove_pipe.py: ctl_t is not understood')
    lines = ['module pair(input clk_i, input en1, input busy, input [%d:0] c1, ' % (width - 1),
             ', '.join(f'input [{w - 1}:0] {n}' for n, w, i in ports if i and not control(n)),
             ', output differ, output legal);']
    for n in range(2, due + 1):
        lines += [f'reg en{n}; reg [{width - 1}:0] c{n};',
                  f'always @(posedge clk_i) begin en{n} <= en{n - 1}; c{n} <= c{n - 1}; end']
    values = {'clk_i': 'clk_i', 'rst_ni': "1'b1", 'busy_i': 'busy'}
    for which, number in (('gold', 0), ('gate', 1)):
        row = []
        for n, w, i in ports:
            stage = re.fullmatch(r'(en|c)(\d)_i', n)
            if full and stage and stage[1] == 'en' and int(stage[2]) < due - 1:
                values[n] = "1'b1"
            if not i:
                lines.append(f'wire [{w - 1}:0] {which}_{n};')
            row.append(f'.{n}({f"{which}_{n}" if not i else values.get(n) or (stage[1] + stage[2] if stage else n)})')
        lines.append(f"{which} u_{which}({', '.join(row)}, .mutant_number(1'd{number}));")
    said = re.sub(r'\b([a-z_]+)\b', lambda m: f'c1[{at[m[1]][0]}+:{at[m[1]][1]}]' if m[1] in at else m[1], legal)
    lines += [f'assign legal = {said};', f'assign differ = gold_{output} != gate_{output};', 'endmodule']
    return '\n'.join(lines) + '\n'


def control(name):
    return re.fullmatch(r'(en|c)\d_i|clk_i|rst_ni|busy_i', name)


def share_undefined(module):
    """A value that is not defined is any, the same for both: it becomes an input."""
    found = [cell for cell in module.cells_.values() if cell.type.str() == '$anyseq']
    for n, cell in enumerate(found):
        value = cell.getPort(ys.IdString('\\Y'))
        wire = module.addWire(ys.IdString(f'\\any_{n}'), value.size())
        wire.port_input = True
        module.remove(cell)
        module.connect(value, ys.SigSpec(wire))
    module.fixup_ports()


def ports_of(module):
    return [(w.name.str()[1:], w.width, w.port_input) for w in module.wires_.values()
            if (w.port_input or w.port_output) and w.name.str() != '\\mutant_number']


def prove(clean, command, timeout, tell):
    design = ys.Design()
    ys.run_pass(f'read_rtlil {clean}', design)
    module = re.search(r'-module (\S+)', command).group(1)
    above = {c.type.str()[1:]: m.str()[1:] for m, what in design.modules_.items() for c in what.cells_.values()}
    while module.partition('$')[0] not in UNITS:
        module = above[module]
    unit = module.partition('$')[0]
    output, due, legal = UNITS[unit]
    ys.run_pass(command.replace('mutate ', 'mutate -ctrl mutant_number 1 1 ', 1), design)
    # A table becomes logic; a register that keeps its value gets an enable: with its own value among its
    # inputs it could not be merged with the other one's.
    Path('pmux.v').write_text(PMUX)
    for step in (f'hierarchy -top {module}', 'flatten', 'opt_clean', 'memory_collect', 'memory_map',
                 'techmap -autoproc -map pmux.v', 'opt_clean', 'opt_dff -nosdff -keepdc', 'setundef -undriven -anyseq'):
        ys.run_pass(step, design)
    both = design.module(ys.IdString('\\' + module))
    share_undefined(both)
    ports = ports_of(both)
    for step in (f'rename {module} gate', 'copy gate gold'):
        ys.run_pass(step, design)
    Path('pair.v').write_text(wrapper(ports, output, due, legal, unit in FULL))
    for step in ('read_verilog pair.v', 'hierarchy -top pair', 'proc', 'flatten', 'opt_clean'):
        ys.run_pass(step, design)
    for _ in range(4):  # what the mutant does not reach becomes one and the same logic
        for step in ('opt_expr', 'opt_merge', 'opt_clean'):
            ys.run_pass(step, design)
    ys.run_pass('dffunmap -ce-only', design)
    show = '-show c1 -show en1 ' + ' '.join(
        f'-show {n}' for n, _, i in ports if i and not control(n) and not n.startswith('any_'))
    ys.run_pass(f'tee -q -o sat.txt sat -seq {due} -prove-skip {due - 1} -prove differ 0 -set busy 1 '
                f'-set-at 1 legal 1 -timeout {timeout} {show} pair', design)
    said = Path('sat.txt').read_text()
    if 'SUCCESS!' in said:
        return 'equivalent', unit
    if 'FAIL!' not in said:
        return 'time', unit
    values = dict(re.findall(r'^ +1 +\\(\w+) +\S+ +\S+ +([01]+)', said, re.M))
    at, width = fields()
    word = int(values.get('c1', '0'), 2)
    tell(' '.join(f'{n}={word >> low & ((1 << w) - 1)}' for n, (low, w) in at.items()
                  if word >> low & ((1 << w) - 1)) +
         ' ' + ' '.join(f'{n}={int(v, 2):x}' for n, v in values.items() if n != 'c1'))
    return 'not proved', unit


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('folder', type=Path)
    parser.add_argument('--timeout', type=int, default=60)
    parser.add_argument('--verbose', action='store_true')
    parser.add_argument('numbers', type=int, nargs='+')
    args = parser.parse_args()
    folder = args.folder.resolve()
    said = os.dup(1)  # what Yosys says goes to a file
    os.dup2(os.open(folder / 'prove.log', os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
    tell = (lambda text: os.write(said, (text + '\n').encode())) if args.verbose else lambda _: None
    commands = (folder / 'mutants.ys').read_text().splitlines()
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        for number in args.numbers:
            verdict, unit = prove(folder / 'clean.il', commands[number - 1], args.timeout, tell)
            line = f'{number} {verdict}, {unit}, one operation'
            os.write(said, (line + '\n').encode())
            with open(folder / 'prove.txt', 'a', encoding='ascii') as out:
                out.write(line + '\n')
        os.chdir('/')
    return 0


if __name__ == '__main__':
    sys.exit(main())
