#!/usr/bin/env python3
"""Proves mutants equivalent (README.md here): mutant and original, side by side, by SAT.
Run with the Python of <build>/tools/venv (pyosys), in the folder that make_mutants.py has written.

Usage: tests/mutants/prove.py FOLDER [--timeout 60] [--levels 9] NUMBER...

In order, until one succeeds (level -1, 0, then with those above):
- the mutated cell: what it puts out is the same, whatever comes in;
- the mutated module, then with the module above, flattened, and so on up to the top (before the
  first of these: whether anybody at all reads what depends on the mutant, reach.py), as a step in
  time. What registers, memories and instances put out is any value, the same for both; what goes
  into them and out of the module must be equal. Where only what goes into some register or memory
  bits differs, these may differ from then on: they are any value, not the same for both, and need
  not be equal after the step; and so on until nothing else differs, which proves by induction that
  the rest is always equal, or something that cannot be allowed to does. Never allowed: ports of the
  module, instances (so the journal's records) and the memories that lockstep compares in place.
conditions.txt may say of a register when its bits must be equal nevertheless. It proves nothing by
itself: the step must keep it.
A proof holds for all states, also those that are never reached; no proof says nothing.
Appends lines `NUMBER equivalent, MODULE[, N bits of state]` and `NUMBER not proved, MODULE` to
FOLDER/prove.txt. --verbose: which bits of state, and what else differs.
"""
import argparse
import itertools
import os
import re
import sys
import tempfile
from pathlib import Path

from pyosys import libyosys as ys

from make_mutants import PLACES, field
from reach import Netlist, Reach

STEPS = 24  # at most, of one induction


NEW = itertools.count()


def name_of(text):
    return ys.IdString('\\' + text)


def new_name():
    return name_of(f'prove_{next(NEW)}')


def is_logic(kind):
    return kind.startswith('$') and not re.match(r'\$((a|s|al)?(dff|sr|dlatch|mem)|any)', kind)


class Signal:
    """A port of what is compared: of the module, or of a register, memory or instance cut out."""

    def __init__(self, wire, width, drives, state=None, port=''):
        self.wire, self.width, self.drives, self.port = wire, width, drives, port
        self.state = state  # name of the register or memory, None: nothing that may differ


def cut_state(module):
    """Registers, memories and instances become ports; only functions are left."""
    signals = []
    for cell in list(module.cells_.values()):
        kind = cell.type.str()
        if is_logic(kind):
            continue
        if kind.startswith('$memwr'):
            mask_data(module, cell)
        for port, signal in list(cell.connections_.items()):
            if kind.startswith('$mem') and port.str() == '\\ADDR':
                signal = address(module, cell, signal)
            if signal.size() == 0 or (port.str() == '\\CLK' and unclocked(cell, kind)):
                continue
            wire = module.addWire(name_of(f'cut_{len(signals)}'), signal.size())
            out = drives(cell, kind, port.str())
            if out:
                wire.port_input = True
                module.connect(signal, ys.SigSpec(wire))
            else:
                wire.port_output = True
                module.connect(ys.SigSpec(wire), signal)
            signals.append(Signal(wire.name.str()[1:], signal.size(), out,
                                  state_of(cell, kind), port.str()[1:]))
        module.remove(cell)
    module.fixup_ports()
    return signals


def unclocked(cell, kind):
    """A port that reads a memory at once; nobody looks at its clock."""
    return kind.startswith('$memrd') and not cell.getParam(ys.IdString('\\CLK_ENABLE')).as_bool()


def state_of(cell, kind):
    """The name under which its bits may be allowed to differ. Memories named like those that are
    compared in place never are."""
    if kind.startswith('$mem'):
        memory = cell.getParam(ys.IdString('\\MEMID')).decode_string()
        compared = '|'.join(pattern for _, pattern in PLACES)
        return None if re.search(rf'(^|[\\.])({compared})$', memory) else 'memory ' + memory
    return cell.name.str() if 'dff' in kind else None


def mask_data(module, cell):
    """Of what is written to a memory only the enabled bits matter."""
    enable, data = (cell.getPort(ys.IdString('\\' + port)) for port in ('EN', 'DATA'))
    masked = module.addWire(new_name(), data.size())
    module.addAnd(new_name(), data, enable, ys.SigSpec(masked))
    cell.setPort(ys.IdString('\\DATA'), ys.SigSpec(masked))


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
        return port == ('\\Y' if kind.startswith('$any') else '\\Q')
    return cell.output(ys.IdString(port))


def parents(design):
    above = {}
    for name, module in design.modules_.items():
        for cell in module.cells_.values():
            above.setdefault(cell.type.str().lstrip('\\'), name.str().lstrip('\\'))
    return above


class Pair:
    """The module with and without the mutant, cut open, in the file pair.il."""

    def __init__(self, clean, command, level):
        """level -1: the mutated cell alone."""
        design = ys.Design()
        ys.run_pass(f'read_rtlil {clean}', design)
        above = parents(design)
        self.top = field(command, 'module')
        self.exists = True
        ys.run_pass(command.replace('mutate ', 'mutate -ctrl mutant_number 1 1 ', 1), design)
        for _ in range(level):
            if self.top not in above:
                self.exists = False
                return
            self.top = above[self.top]
        if level < 0:
            self.exists = self.expose(design, command)
        ys.run_pass(f'hierarchy -top {self.top}', design)
        ys.run_pass('flatten', design)
        ys.run_pass('opt_clean', design)
        self.open(design)

    def expose(self, design, command):
        """Only what the mutated cell puts out is looked at."""
        module = design.module(name_of(self.top))
        cell = [c for n, c in module.cells_.items()
                if n.str().lstrip('\\') == field(command, 'cell').lstrip('\\')][0]
        out = {p: s for p, s in cell.connections_.items() if cell.output(p)}
        if not is_logic(cell.type.str()) or '\\' + field(command, 'port') in [p.str() for p in out]:
            return False
        for wire in list(module.wires_.values()):
            wire.port_output = False
        for port, signal in out.items():
            wire = module.addWire(name_of('out_' + port.str()[1:]), signal.size())
            wire.port_output = True
            module.connect(ys.SigSpec(wire), signal)
        module.fixup_ports()
        self.only = 'out_'
        return True

    only = None

    def open(self, design):
        module = design.module(name_of(self.top))
        ports = [Signal(w.name.str()[1:], w.width, w.port_input) for w in module.wires_.values()
                 if (w.port_input or w.port_output) and w.name.str() != '\\mutant_number']
        # What is undefined is some value, the same for both: Yosys would choose it to its liking.
        ys.run_pass('setundef -undriven -anyseq', design)
        self.signals = cut_state(module) + ports
        if self.only:
            self.signals = [s for s in self.signals if s.drives or s.wire.startswith(self.only)]
        ys.run_pass(f'rename {self.top} gold', design)
        ys.run_pass('copy gold gate', design)
        for which, value in (('gold', 0), ('gate', 1)):
            m = design.module(name_of(which))
            wire = m.wire(name_of('mutant_number'))
            wire.port_input = False
            wire.port_id = 0
            m.fixup_ports()
            m.connect(ys.SigSpec(wire), ys.SigSpec(ys.Const(value, 1)))
        ys.run_pass('write_rtlil pair.il', design)


class Miter:
    """A step of both, the bits in `apart` being different from each other."""

    ignored = ()  # outputs of the module that are not compared, (name, bit)

    def __init__(self, pair, apart, conditions):
        self.pair, self.apart, self.conditions = pair, apart, conditions
        self.design = ys.Design()
        ys.run_pass('read_rtlil pair.il', self.design)
        self.module = self.design.addModule(name_of('miter'))
        self.cells = [self.module.addCell(name_of('u_' + n), name_of(n)) for n in ('gold', 'gate')]
        self.gold = {}
        self.keys = {}
        outs = []
        for s in pair.signals:
            a = self.wire('gold_' + s.wire, s.width)
            self.gold[s.wire] = ys.SigSpec(a)
            self.cells[0].setPort(name_of(s.wire), ys.SigSpec(a))
            if s.drives:
                a.port_input = True
            else:
                outs.append((s, a, self.wire('gate_' + s.wire, s.width)))
                self.cells[1].setPort(name_of(s.wire), ys.SigSpec(outs[-1][2]))
        for s in pair.signals:
            if s.drives:
                self.cells[1].setPort(name_of(s.wire), self.gate_input(s))
        for s, a, b in outs:
            self.compare(s, a, b)
        self.module.fixup_ports()

    def wire(self, name, width=1):
        return self.module.addWire(name_of(name), width)

    def may_differ(self, s, bit):
        return s.state is not None and s.port in ('D', 'Q', 'DATA') and (s.state, bit) in self.apart

    def gate_input(self, s):
        if not any(self.may_differ(s, bit) for bit in range(s.width)):
            return self.gold[s.wire]
        free = self.wire('free_' + s.wire, s.width)
        free.port_input = True
        mixed = ys.SigSpec()
        for bit in range(s.width):
            mixed.append((ys.SigSpec(free) if self.may_differ(s, bit) else
                          self.gold[s.wire]).extract(bit, 1))
        when = self.condition(s.state, 'Q')
        return mixed if when is None else self.module.Mux(name_of('hold_' + s.wire), mixed,
                                                         self.gold[s.wire], when)

    def condition(self, state, port):
        """When its bits must be equal: before the step (Q), after it (D); None: never."""
        clauses = self.conditions.get(state)
        if clauses is None:
            return None
        bits = {s.state: s for s in self.pair.signals if s.port == port}
        terms = ys.SigSpec()
        for clause in clauses:
            literals = ys.SigSpec()
            for invert, register, bit in clause:
                if (register, bit) in self.apart:
                    sys.exit(f'prove.py: {register} is in a condition and differs')
                value = self.gold[bits[register].wire].extract(bit, 1)
                literals.append(self.module.Not(new_name(), value) if invert else value)
            terms.append(self.module.ReduceOr(new_name(), literals))
        return self.module.ReduceAnd(new_name(), terms)

    def compare(self, s, a, b):
        """Whole, or where some bits may differ, bit by bit."""
        if not any(self.may_differ(s, n) or (s.wire, n) in self.ignored for n in range(s.width)):
            self.differ(s, 0, s.width, a, b, None)
            return
        for bit in range(s.width):
            when = self.condition(s.state, 'D') if self.may_differ(s, bit) else None
            if when is not None or not (self.may_differ(s, bit) or (s.wire, bit) in self.ignored):
                self.differ(s, bit, 1, a, b, when)

    def differ(self, s, low, width, a, b, when):
        """An output that tells which bits differ; `when`: only then."""
        number = len(self.keys)
        self.keys[number] = (s, low)
        out = self.wire(f'diff_{number}', width)
        out.port_output = True
        values = [ys.SigSpec(x).extract(low, width) for x in (a, b)]
        if when is None:
            self.module.addXor(name_of(f'xor_{number}'), *values, ys.SigSpec(out))
        else:
            differs = ys.SigSpec(self.wire(f'unless_{number}', width))
            self.module.addXor(name_of(f'xor_{number}'), *values, differs)
            self.module.addAnd(name_of(f'and_{number}'), differs, when, ys.SigSpec(out))

    def solve(self, timeout):
        """'equal', 'time', or the bits that differ in a counterexample."""
        ys.run_pass('flatten miter', self.design)
        ys.run_pass('hierarchy -top miter', self.design)
        # What the mutant does not reach becomes one and the same logic, and nothing is left to prove.
        for _ in range(3):
            for step in ('opt_expr', 'opt_merge', 'opt_clean'):
                ys.run_pass(step, self.design)
        ys.run_pass('write_rtlil miter.il', self.design)
        zero = re.findall(r"^  connect \\diff_(\d+) (?:\d+'0+|0)$", Path('miter.il').read_text(), re.M)
        left = sorted(set(self.keys) - {int(n) for n in zero})
        if not left:
            return 'equal'
        module = self.design.module(name_of('miter'))
        for number in self.keys:
            module.wire(name_of(f'diff_{number}')).port_output = number in left
        several = ys.SigSpec()
        for number in left:
            several.append(ys.SigSpec(module.wire(name_of(f'diff_{number}'))))
        trigger = module.addWire(name_of('trigger'), 1)
        trigger.port_output = True
        module.addReduceOr(name_of('or_trigger'), several, ys.SigSpec(trigger))
        module.fixup_ports()
        ys.run_pass('opt_clean', self.design)
        show = ' '.join(f'-show diff_{n}' for n in left)
        ys.run_pass(f'tee -q -o sat.txt sat -prove trigger 0 -timeout {timeout} {show} miter',
                    self.design)
        said = Path('sat.txt').read_text()
        if 'SUCCESS!' in said:
            return 'equal'
        if 'FAIL!' not in said:
            return 'time'
        rows = re.findall(r'^ *\\diff_(\d+) .* ([01]+) *$', said, re.M)
        return [(self.keys[int(n)][0], self.keys[int(n)][1] + bit) for n, value in rows
                for bit, one in enumerate(reversed(value)) if one == '1']


def unread(clean, command, tell):
    """Whether nothing that is looked at depends on the mutant, in the whole core."""
    design = ys.Design()
    ys.run_pass(f'read_rtlil {clean}', design)
    above = parents(design)
    top = field(command, 'module')
    while top in above:
        top = above[top]
    ys.run_pass(command.replace('mutate ', 'mutate -ctrl mutant_number 1 1 ', 1), design)
    for step in (f'hierarchy -top {top}', 'flatten', 'opt_clean', 'write_rtlil whole.il'):
        ys.run_pass(step, design)
    reach = Reach(Netlist('whole.il', top), '|'.join(pattern for _, pattern in PLACES))
    found = reach.run('\\mutant_number')
    tell(f'{top}: reaches {len(reach.reached)} bits, {sorted(reach.state)}, '
         f'{sorted(reach.columns)}; {reach.seen}')
    return ('equivalent', f'{top}, nobody reads it') if found else ('not proved', top)


def induct(clean, command, level, timeout, conditions, tell):
    """Verdict, and the module in which it was found; None: there is no such level."""
    pair = Pair(clean, command, level)
    if not pair.exists:
        return None, pair.top
    known = {s.state for s in pair.signals}
    usable = {r: c for r, c in conditions.items()
              if r in known and all(x[1] in known for clause in c for x in clause)}
    apart = set()
    for _ in range(STEPS):
        found = Miter(pair, apart, usable).solve(timeout)
        if found == 'equal':
            tell(f'{pair.top}: state that may differ: {sorted(apart)}')
            return 'equivalent', pair.top + (f', {len(apart)} bits of state' if apart else '')
        if found == 'time':
            return found, pair.top
        more = {(s.state, bit) for s, bit in found}
        fixed = [f'{s.state or s.wire}.{s.port}[{bit}]' for s, bit in found if s.state is None or
                 s.port not in ('D', 'DATA') or (s.state, bit) in apart]
        if fixed or not found:
            tell(f'{pair.top}: differ: {fixed}, with {sorted(apart)}')
            return 'not proved', pair.top
        apart |= more
        # Of a register with a condition all bits: it is the same for each.
        apart |= {(s.state, bit) for s in pair.signals if s.state in usable and s.port == 'Q'
                  and any(state == s.state for state, _ in more) for bit in range(s.width)}
    return 'not proved', pair.top


def read_conditions(path, mutant):
    """`MODE MODULE CELL PORT BIT | REGISTER | CLAUSE & CLAUSE...` with literals [!]REGISTER:BIT."""
    found = {}
    for line in path.read_text().splitlines() if path.exists() else ():
        parts = [p.strip() for p in line.split(' | ')]
        if line.startswith('#') or len(parts) != 3 or parts[0] != mutant:
            continue
        clauses = []
        for clause in parts[2].split(' & '):
            literals = []
            for literal in clause.split(' or '):
                register, _, bit = literal.strip().lstrip('!').rpartition(':')
                literals.append((literal.strip().startswith('!'), register, int(bit)))
            clauses.append(literals)
        found[parts[1]] = clauses
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('folder', type=Path)
    parser.add_argument('--timeout', type=int, default=60)
    parser.add_argument('--levels', type=int, default=9)
    parser.add_argument('--from', type=int, default=-1, dest='first', help='level to begin with')
    parser.add_argument('--ignore', action='append', default=[], metavar='OUTPUT:BIT',
                        help='what may differ at the module; the verdict is then no proof')
    parser.add_argument('--verbose', action='store_true')
    parser.add_argument('numbers', type=int, nargs='+')
    args = parser.parse_args()
    folder = args.folder.resolve()
    conditions = Path(__file__).resolve().parent / 'conditions.txt'
    said = os.dup(1)  # what Yosys says goes to a file
    os.dup2(os.open(folder / 'prove.log', os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
    tell = (lambda text: os.write(said, (text + '\n').encode())) if args.verbose else lambda _: None
    commands = (folder / 'mutants.ys').read_text().splitlines()
    Miter.ignored = {(o.rpartition(':')[0], int(o.rpartition(':')[2])) for o in args.ignore}
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        for number in args.numbers:
            command = commands[number - 1]
            mutant = ' '.join(field(command, f) for f in ('mode', 'module', 'cell', 'port', 'portbit'))
            line = ''
            for level in range(args.first, args.levels):
                if level == 1 or level == args.first > 1:
                    verdict, module = unread(folder / 'clean.il', command, tell)
                    line = f'{number} {verdict}, {module}'
                    if verdict == 'equivalent':
                        break
                verdict, module = induct(folder / 'clean.il', command, level, args.timeout,
                                         read_conditions(conditions, mutant), tell)
                if verdict is None:
                    if level < 0:
                        continue
                    break
                line = f'{number} {verdict}, {re.sub(r"[$][^,]*", "", module)}'
                if args.ignore:
                    line += f', but for {" ".join(args.ignore)}'
                if verdict == 'equivalent':
                    break
            os.write(said, (line + '\n').encode())
            if not args.ignore:
                with open(folder / 'prove.txt', 'a', encoding='ascii') as out:
                    out.write(line + '\n')
        os.chdir('/')
    return 0


if __name__ == '__main__':
    sys.exit(main())
