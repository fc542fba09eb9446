"""Placement and routing of large designs on an ECP5, around nextpnr. Usage: ecp5-refine COMMAND [ARGUMENT...]

  version
  plan DEVICE LUT4 [auto|yes|no]   JSON: how a design of this size is treated (plan.py)
  key place|refine|route           hash of what this step is made of, for caches; error where a program is missing
  prepare NETLIST DEVICE yes|no [HINTS]
                                   before a placement: sites that HINTS name; yes: LUT4 kept empty. In place
  learn PLACED DEVICE HINTS        what the next placement learns from this one
  refine PLACED DEVICE OUT OTHER BETWEEN [OPTION=NUMBER...]
                                   OUT: PLACED with cells moved; OUT.inputs, OUT.sites: for tie, and to look at
  route PLACED CHIPDB SPEED OUT OTHER BETWEEN [OPTION=NUMBER...]
                                   OUT: PLACED with routing
  tie INPUTS CHIPDB PLACED UNTIED OUT
                                   configuration OUT: UNTIED with the constants on inputs of PLACED

Netlists are JSON as nextpnr-ecp5 reads and writes it. DEVICE: 12k, 25k, 45k, 85k. OTHER, BETWEEN: ns that paths may
take that do not begin and end at the clock with most flip-flops: those of other clocks, those from one clock to the
other. OPTION: of er_refine or er_route (--help). CHIPDB: nextpnr's chip database of the device.
Exit code: 0; 1 bad input; 2 wrong call, unknown device, program missing; 3 not routed; 4 out of memory.
"""
import hashlib
import inspect
import json
import sys
from pathlib import Path

import learn
import netlist
import plan
import refined
import routed
import sites
import spread

VERSION = '1.0'
HERE = Path(__file__).parent
COMMON = ['netlist.py', 'sites.py', 'refine/*.[ch]']
SOURCES = {'place': ['netlist.py', 'sites.py', 'spread.py', 'learn.py'], 'refine': COMMON + ['refined.py'],
           'route': COMMON + ['refined.py', 'routed.py', 'route/*.[ch]']}
PROGRAMS = {'place': [], 'refine': ['er_refine'], 'route': ['er_route', 'er_constants']}


class Wrong(Exception):
    """A wrong call, or a program that is missing."""


class Commands:
    """Each returns the exit code. `folder`: of the programs."""

    def __init__(self, folder):
        self.folder = folder

    def program(self, name):
        if not (self.folder / name).exists():
            raise Wrong(f'no {self.folder / name} (build the target ecp5_refine)')
        return str(self.folder / name)

    def version(self):
        print(VERSION)
        return 0

    def plan(self, device, lut4, spreading='auto'):
        if not lut4.isdecimal():
            raise Wrong(f'not a number of LUT4: {lut4}')
        try:
            print(json.dumps(plan.plan(device, int(lut4), spreading)))
        except ValueError as e:
            raise Wrong(e) from None
        return 0

    def key(self, step):
        if step not in SOURCES:
            raise Wrong(f'no step {step} (--help)')
        for name in PROGRAMS[step]:
            self.program(name)
        files = sorted(file for pattern in SOURCES[step] for file in HERE.glob(pattern))
        print(hashlib.sha256(b'\0'.join(file.read_bytes() for file in files)).hexdigest()[:20])
        return 0

    def prepare(self, path, device, spreading, hints=None):
        told = json.loads(Path(hints).read_text()) if hints else {'sites': {}, 'crowded': []}
        whole, top = netlist.load(path)
        sites.fix(top, told['sites'])
        if spreading == 'yes':
            spread.block(top, device, told['crowded'])
        netlist.store(path, whole)
        return 0

    def learn(self, placed, device, hints):
        learn.learn(placed, device, hints)
        return 0

    def refine(self, placed, device, out, other, between, *options):
        return refined.refine(self.program('er_refine'), placed, device, out, other, between, options)

    def route(self, placed, chip, speed, out, other, between, *options):
        return routed.route(self.program('er_route'), placed, chip, speed, out, other, between, options)

    def tie(self, inputs, chip, placed, untied, out):
        refined.tie(placed, untied, out, refined.constants(inputs, chip, self.program('er_constants')))
        return 0


COMMANDS = ('version', 'plan', 'key', 'prepare', 'learn', 'refine', 'route', 'tie')


def main():
    folder, (name, *words) = Path(sys.argv[1]), sys.argv[2:] or ['--help']
    if name in ('--help', '-h'):
        print(__doc__)
        return 0
    try:
        if name not in COMMANDS:
            raise Wrong(f'no command {name} (--help)')
        run = getattr(Commands(folder), name)
        try:
            inspect.signature(run).bind(*words)
        except TypeError as e:
            raise Wrong(f'{name}: {e} (--help)') from None
        return run(*words)
    except OSError as e:
        print(f'ecp5-refine: error: {e.filename}: {e.strerror}', file=sys.stderr)
        return 1
    except (Wrong, ValueError) as e:
        print(f'ecp5-refine: error: {e}', file=sys.stderr)
        return 2 if isinstance(e, Wrong) else 1


if __name__ == '__main__':
    sys.exit(main())
