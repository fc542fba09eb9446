#!/usr/bin/env python3
"""Proves mutants equivalent, where that can be done without looking at time (README.md here).
Run with the Python of <build>/tools/venv (pyosys), in the folder that make_mutants.py has written.

Usage: tests/mutants/prove.py FOLDER [--timeout 60] [--levels 9] NUMBER...

The mutated module and its original are compared as functions: what registers, memories and instances
put out is any value, the same for both; what goes into them and out of the module must be equal (SAT).
Where that fails, the same with the module above, flattened, and so on up to the top. A proof holds for
all states, also those that are never reached; no proof says nothing.
Appends lines `NUMBER equivalent, MODULE` and `NUMBER not proved, MODULE` to FOLDER/prove.txt.
"""
import argparse
import os
import re
import sys
import tempfile
from pathlib import Path

from pyosys import libyosys as ys


def name_of(text):
    return ys.IdString('\\' + text)


def cut_state(module):
    """Registers, memories and instances become ports; only functions are left."""
    number = 0
    for cell in list(module.cells_.values()):
        kind = cell.type.str()
        logic = kind.startswith('$') and not re.match(r'\$(a|s|al)?(dff|sr|dlatch|mem)', kind)
        if logic:
            continue
        for port, signal in list(cell.connections_.items()):
            if kind.startswith('$mem') and port.str() == '\\ADDR':
                signal = address(module, cell, signal)
            number += 1
            wire = module.addWire(name_of(f'cut_{number}'), signal.size())
            if drives(cell, kind, port.str()):
                wire.port_input = True
                module.connect(signal, ys.SigSpec(wire))
            else:
                wire.port_output = True
                module.connect(ys.SigSpec(wire), signal)
        module.remove(cell)
    module.fixup_ports()


def address(module, cell, signal):
    """What a memory of 2^n words uses of an address."""
    memory = cell.getParam(ys.IdString('\\MEMID')).decode_string()
    size = module.memories[ys.IdString(memory)].size
    bits = (size - 1).bit_length()
    return signal.extract(0, bits) if size == 1 << bits and 0 < bits < signal.size() else signal


def drives(cell, kind, port):
    if kind.startswith('$mem'):
        return port in ('\\DATA', '\\RD_DATA') and not kind.startswith(('$memwr', '$meminit'))
    if kind.startswith('$'):
        return port == '\\Q'
    return cell.output(ys.IdString(port))


def parents(design):
    above = {}
    for name, module in design.modules_.items():
        for cell in module.cells_.values():
            above.setdefault(cell.type.str().lstrip('\\'), name.str().lstrip('\\'))
    return above


def compare(clean, command, level, timeout):
    """'equivalent', 'not proved' or 'time'; the module in which it was decided; the module above."""
    design = ys.Design()
    ys.run_pass(f'read_rtlil {clean}', design)
    above = parents(design)
    top = re.search(r'-module (\S+)', command).group(1)
    ys.run_pass(command.replace('mutate ', 'mutate -ctrl mutant_number 1 1 ', 1), design)
    for _ in range(level):
        if top not in above:
            return None, top
        top = above[top]
    ys.run_pass(f'hierarchy -top {top}', design)
    ys.run_pass('flatten', design)
    ys.run_pass('opt_clean', design)
    module = design.module(name_of(top))
    cut_state(module)
    ys.run_pass(f'rename {top} gold', design)
    ys.run_pass('copy gold gate', design)
    for which, value in (('gold', 0), ('gate', 1)):
        m = design.module(name_of(which))
        wire = m.wire(name_of('mutant_number'))
        wire.port_input = False
        wire.port_id = 0
        m.fixup_ports()
        m.connect(ys.SigSpec(wire), ys.SigSpec(ys.Const(value, 1)))
    ys.run_pass('miter -equiv -flatten gold gate miter', design)
    ys.run_pass('hierarchy -top miter', design)
    # What the mutant does not reach becomes one and the same logic, and nothing is left to prove.
    for _ in range(2):
        for step in ('opt_expr', 'opt_merge', 'opt_clean'):
            ys.run_pass(step, design)
    ys.run_pass(f'tee -q -o sat.txt sat -prove trigger 0 -timeout {timeout} miter', design)
    said = Path('sat.txt').read_text()
    if 'SUCCESS!' in said:
        return 'equivalent', top
    return ('not proved' if 'FAIL!' in said else 'time'), top


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('folder', type=Path)
    parser.add_argument('--timeout', type=int, default=60)
    parser.add_argument('--levels', type=int, default=9)
    parser.add_argument('numbers', type=int, nargs='+')
    args = parser.parse_args()
    folder = args.folder.resolve()
    said = os.dup(1)  # what Yosys says goes to a file
    os.dup2(os.open(folder / 'prove.log', os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
    commands = (folder / 'mutants.ys').read_text().splitlines()
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        for number in args.numbers:
            line = ''
            for level in range(args.levels):
                verdict, module = compare(folder / 'clean.il', commands[number - 1], level,
                                          args.timeout)
                if verdict is None:
                    break
                line = f'{number} {verdict}, {module.partition("$")[0]}'
                if verdict == 'equivalent':
                    break
            os.write(said, (line + '\n').encode())
            with open(folder / 'prove.txt', 'a', encoding='ascii') as out:
                out.write(line + '\n')
        os.chdir('/')
    return 0


if __name__ == '__main__':
    sys.exit(main())
