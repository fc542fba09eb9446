"""The command line of the FPGA flow (tools/fpga.sh)."""
import argparse
from pathlib import Path

import toolset

BOARD = toolset.ROOT / 'fpga/ulx3s.txt'
ROWS = ['tiny4', 'tiny']  # of a sweep; everything else takes the first
SEEDS = [1, 2, 3]  # of a bitstream: each where those before it do not route
SWEEP = [1, 2, 3, 4, 5]


def parameter(text):
    name, given, value = text.partition('=')
    if not name or not given or not value:
        raise argparse.ArgumentTypeError(f'not NAME=VALUE: {text}')
    return name, value


def seed(text):
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f'not a number from 1 on: {text}')
    return int(text)


EXAMPLES = '''examples:
  tools/fpga.sh build bit                           the bitstream of tiny4: build/fpga/tiny4.bit
  tools/fpga.sh build synth --config tiny tiny4     only what both rows take, against fpga/budget.txt
  tools/fpga.sh build bit --config tiny --seed 2    another row, another seed
Make has targets for the modes, with CONFIG=ROW and FPGA_ARGS='OPTIONS': make fpga, fpga-synth, fpga-sweep,
fpga-load. Exit codes and times: docs/fpga.md, 8.'''


def arguments():
    p = argparse.ArgumentParser(prog='tools/fpga.sh', description='FPGA flow; results in BUILD/fpga',
                                epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('build', type=Path, metavar='BUILD', help='build tree in which "make fpga-tools" was run')
    p.add_argument('mode', nargs='?', default='bit', choices=('bit', 'synth', 'sweep', 'load', 'tools'),
                   help='bit: up to the bitstream (default); synth: synthesis and budget; sweep: several '
                   'configurations and seeds; load: bitstream into the board; tools: what would be run')
    p.add_argument('--config', nargs='+', metavar='ROW', help='configurations; default: tiny4; sweep: tiny4 tiny')
    p.add_argument('--seed', nargs='+', type=seed, metavar='N', help='default: 1, or 2 or 3 where those before '
                   'do not route; sweep: 1 2 3 4 5')
    p.add_argument('--design', type=Path, default=BOARD, metavar='FILE', help='default: fpga/ulx3s.txt')
    p.add_argument('--top', metavar='MODULE', help='another top module than that of the design file')
    p.add_argument('--set', nargs='+', default=[], type=parameter, metavar='NAME=VALUE',
                   help='other values for parameters that the design file sets (CoreDivide=3)')
    p.add_argument('--device', nargs=3, metavar=('SIZE', 'PACKAGE', 'SPEED'), help='another device')
    p.add_argument('--frequency', type=float, metavar='MHZ', help='for clocks without a constraint')
    p.add_argument('--map-ps', type=int, default=5000, metavar='PS', help='delay that the mapper aims at (default: 5000)')
    p.add_argument('--no-reservation', action='store_true', help='do not count the reservation either')
    p.add_argument('--reservation', metavar='NET', help='count the reservation, clocked by this net')
    p.add_argument('--place-reservation', action='store_true',
                   help='place and route it too')
    p.add_argument('--no-budget', action='store_true', help='do not check fpga/budget.txt')
    p.add_argument('--no-gen', action='store_true', help='a design without the generated packages')
    p.add_argument('--route', choices=('auto', 'own', 'nextpnr'), default='auto',
                   help="nextpnr: nextpnr's own placement and routing; own: with ecp5-refine, which needs the target "
                   'ecp5_refine (auto: own for large designs)')
    p.add_argument('--spread', choices=('auto', 'yes', 'no'), default='auto',
                   help='with own: keep LUT4 empty, most where wires will be crowded (auto: where there is room)')
    p.add_argument('--placements', type=int, choices=range(1, 10), metavar='N',
                   help='with own: place N times, each time with sites of block RAM and multipliers chosen from the '
                   'placement before (default: 3 for large designs, else 1)')
    p.add_argument('--nextpnr', default='', metavar='OPTIONS', help='further options for nextpnr-ecp5')
    p.add_argument('--memory', type=float, default=0, metavar='GB', help='stop a tool that needs more')
    p.add_argument('--jobs', type=int, default=1, metavar='N', help='runs of place and route at a time (sweep)')
    p.add_argument('--force', action='store_true', help='run also what is in the cache')
    p.add_argument('--netlist', type=Path, metavar='FILE', help='synth: copy the netlist (JSON) to FILE')
    p.add_argument('--loader', default='', metavar='OPTIONS', help='further options for openFPGALoader')
    return p.parse_args()
