#!/usr/bin/env python3
"""The proof of equivalent.txt for `released_we_o` of the path engine in every cycle (README.md here):
one step of `paths`, by induction as in prove.py, with facts about the state that are proved along and
with what the other units are known to do. Run as prove.py.

Usage: tests/mutants/prove_released.py FOLDER NUMBER...

Prints `equal`, or what differs. Other mutants of `paths` and `path_engine` that matter must differ: a
contradiction among what is assumed would show there.

Assumed (docs/microarchitecture.md 7: in a cycle one unit at most changes a warp's path): the warp that
is served, or taken in this cycle, asks for nothing; a launch starts only warps that are not served and
ask for nothing. Proved, for each warp w, W being the one that the engine has or had, `flag` the rel_any
of w's flags once it has walked, R its released word:
- flag and w = W: rel_any_q; flag: R is not 0; rel_any_q, w = W and the engine serves or is asked: R is
  not 0;
- R of original and mutant are equal where w = W ? rel_any_q : flag; everything else always.
"""
import os
import re
import sys
import tempfile
from pathlib import Path

from prove import Miter, Pair, Signal, field, name_of, new_name, ys

WARPS = 8
ASKED = ('req_split', 'req_walk')


class Paths(Pair):
    def open(self, design):
        for memory in ('released_e_q', 'flags_e_q'):
            ys.run_pass(f'memory_map {self.top}/m:\\{memory}', design)
        ys.run_pass('opt_clean', design)
        module = design.module(name_of(self.top))
        for asked in ASKED:
            module.wire(name_of(asked + '_d')).port_output = True
        module.fixup_ports()
        super().open(design)


class Facts:
    """Clauses of literals (inverted, register, bit)."""

    def __init__(self, pair):
        registers = sorted({s.state for s in pair.signals if s.state})

        def find(pattern):
            found = [r for r in registers if re.search(pattern, r)]
            if len(found) != 1:
                sys.exit(f'prove_released.py: {pattern}: {found}')
            return found[0]

        self.words = [find(rf'\\released_e_q\[{w}\]') for w in range(WARPS)]
        flags = [find(rf'\\flags_e_q\[{w}\]') for w in range(WARPS)]
        self.warp = find(r'u_engine\.\$driver\$warp_q$')
        self.busy = find(r'u_engine\.\$driver\$busy_q$')
        self.asked = {a: find(rf'\$driver\${a}_q$') for a in ASKED}
        any_q, walked = find(r'\$rel_any_q$'), find(r'^\$driver\$walked_q$')
        self.any_asked = [(False, r, w) for r in self.asked.values() for w in range(WARPS)]
        self.invariants, self.conditions = [], {}
        for w in range(WARPS):
            no_flag = [(True, walked, w), (True, flags[w], 0)]
            some = [(False, self.words[w], bit) for bit in range(32)]
            self.invariants += [self.other(w) + no_flag + [(False, any_q, 0)], no_flag + some]
            for _, register, bit in [(False, self.busy, 0)] + self.any_asked:
                self.invariants.append([(True, register, bit), (True, any_q, 0)] + self.other(w) + some)
            self.conditions[self.words[w]] = [self.other(w) + [(False, any_q, 0)]] + [
                [(not inverted, register, bit), (False, *flag)] for inverted, register, bit
                in self.other(w) for flag in ((walked, w), (flags[w], 0))]

    def other(self, w):
        """The engine's warp is another: one of these holds."""
        return [(w >> k & 1 == 1, self.warp, k) for k in range(3)]


class Step(Miter):
    facts = None

    def clause(self, literals, port, *more):
        wires = {s.state: s.wire for s in self.pair.signals if s.port == port}
        out = ys.SigSpec()
        for inverted, register, bit in literals:
            value = self.gold[wires[register]].extract(bit, 1)
            out.append(self.invert(value) if inverted else value)
        for signal in more:
            out.append(signal)
        return self.module.ReduceOr(new_name(), out)

    def invert(self, signal):
        return self.module.Not(new_name(), signal)

    def bit(self, port, number=0):
        return self.gold[port].extract(number, 1)

    def assumed(self):
        f, terms = self.facts, ys.SigSpec()
        for clause in f.invariants:
            terms.append(self.clause(clause, 'Q'))
        nothing_asked = self.invert(self.clause(f.any_asked, 'Q'))
        for w in range(WARPS):
            start = self.invert(self.bit('warp_start_i', w))
            terms.append(self.clause(f.other(w) + [(True, f.busy, 0)], 'Q', start))
            for asked, register in f.asked.items():
                terms.append(self.clause([(True, register, w)], 'Q', start))
                quiet = self.invert(self.bit(asked + '_d', w))
                terms.append(self.clause(f.other(w) + [(True, f.busy, 0)], 'Q', quiet))
                terms.append(self.clause(f.other(w) + [(False, f.busy, 0)], 'Q', quiet, nothing_asked,
                                         self.bit('trap_pending_i'), self.bit('stall_i')))
        return self.module.ReduceAnd(new_name(), terms)

    def solve(self, timeout):
        """What differs counts only where the assumptions hold; invariants must hold afterwards."""
        holds = self.assumed()
        for number in list(self.keys):
            old = self.module.wire(name_of(f'diff_{number}'))
            old.port_output = False
            self.module.rename(old, name_of(f'raw_{number}'))
            both = ys.SigSpec()
            for bit in range(old.width):
                both.append(self.module.And(new_name(), ys.SigSpec(old).extract(bit, 1), holds))
            self.tell(number, both)
        for clause in self.facts.invariants:
            number = len(self.keys)
            self.keys[number] = (Signal(f'invariant {clause[:4]}', 1, False), 0)
            broken = self.invert(self.clause(clause, 'D'))
            self.tell(number, self.module.And(new_name(), broken, holds))
        self.module.fixup_ports()
        return super().solve(timeout)

    def tell(self, number, signal):
        wire = self.wire(f'diff_{number}', signal.size())
        wire.port_output = True
        self.module.connect(ys.SigSpec(wire), signal)


def main():
    folder = Path(sys.argv[1]).resolve()
    said = os.dup(1)
    os.dup2(os.open(folder / 'prove.log', os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
    commands = (folder / 'mutants.ys').read_text().splitlines()
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        for number in map(int, sys.argv[2:]):
            command = commands[number - 1]
            level = 0 if field(command, 'module').startswith('paths') else 1
            pair = Paths(folder / 'clean.il', command, level)
            Step.facts = Facts(pair)
            apart = {(word, bit) for word in Step.facts.words for bit in range(32)}
            found = Step(pair, apart, Step.facts.conditions).solve(300)
            text = found if isinstance(found, str) else 'differs: ' + ' '.join(
                f'{s.state or s.wire}[{bit}]' for s, bit in found[:8])
            os.write(said, f'{number} {text}\n'.encode())
        os.chdir('/')


if __name__ == '__main__':
    main()
