"""Usage: test_netlist.py ROOT NETLIST WORK. What fpga/flow/netlist.py makes of a small netlist: a part
added, ports scanned, budget files. Prints what is wrong; exit 1."""
import copy
import sys
from pathlib import Path

sys.path.insert(0, sys.argv[1] + '/fpga/flow')
import design  # noqa: E402
import estimate  # noqa: E402
import legal  # noqa: E402
import netlist  # noqa: E402
import pnr  # noqa: E402
import report  # noqa: E402

BAD = []


def same(what, got, expected):
    if got != expected:
        BAD.append(f'{what}: got {got}, expected {expected}')


def drivers(module):
    """Bits with more or less than one driver that a cell or an output reads."""
    drive, read = {}, set()
    for port in module['ports'].values():
        for b in port['bits']:
            if port['direction'] == 'input':
                drive[b] = drive.get(b, 0) + 1
            else:
                read.add(b)
    for cell in module['cells'].values():
        for name, bits in cell['connections'].items():
            for b in bits:
                if isinstance(b, str):
                    continue
                if cell['port_directions'][name] == 'output':
                    drive[b] = drive.get(b, 0) + 1
                else:
                    read.add(b)
    return sorted([b for b in drive if drive[b] != 1] + [b for b in read if isinstance(b, int) and b not in drive])


_, top = netlist.load(sys.argv[2])
same('drivers before', drivers(top), [])
part = copy.deepcopy(top)
alone = netlist.count(top)
# The part without its inputs: they would hang in the air, as the reservation has none.
for key in [k for k, p in part['ports'].items() if p['direction'] == 'input' and k != 'clk_25mhz']:
    for bit in part['ports'][key]['bits']:
        for cell in part['cells'].values():
            for name, bits in cell['connections'].items():
                cell['connections'][name] = ['0' if b == bit else b for b in bits]
clock = top['ports']['clk_25mhz']['bits'][0]
netlist.add(top, part, 'part', 'clk_25mhz', clock)
same('twice the cells', netlist.count(top), {k: 2 * n for k, n in alone.items()})
same('drivers behind add', drivers(top), [])
netlist.scan_ports(top, 'clk_25mhz')
same('drivers behind scan', drivers(top), [])
same('ports behind scan', sorted(top['ports']), ['clk_25mhz', 'scan_i', 'scan_o'])

def multiplexer(alut, blut, select, z):
    return {'type': 'PFUMX', 'parameters': {}, 'attributes': {},
            'port_directions': {'ALUT': 'input', 'BLUT': 'input', 'C0': 'input', 'Z': 'output'},
            'connections': {'ALUT': [alut], 'BLUT': [blut], 'C0': [select], 'Z': [z]}}


# A port and a PFUMX before a PFUMX, one LUT4 before two of them, one before a PFUMX and an output, a
# constant: each gets a LUT4 of its own, that drives nothing else. A LUT4 of its own stays.
named = {'ports': {'i': {'direction': 'input', 'bits': [2, 3]}, 'o': {'direction': 'output', 'bits': [10, 11, 5]}},
         'netnames': {}, 'cells': {
             'l1': legal.passing(2, 4), 'l2': legal.passing(3, 5), 'l3': legal.passing(3, 8),
             'u0': multiplexer(4, 5, 2, 6), 'u1': multiplexer(6, 3, 2, 10), 'u2': multiplexer(4, '0', 3, 11),
             'u3': multiplexer(8, '1', 3, 9)}}
same('added', legal.mend(named), 6)
same('drivers behind mend', drivers(named), [])
lut_of = {c['connections']['Z'][0]: n for n, c in named['cells'].items() if c['type'] == 'LUT4'}
inputs = [named['cells'][u]['connections'][p][0] for u in ('u0', 'u1', 'u2', 'u3') for p in ('ALUT', 'BLUT')]
fed = [lut_of.get(bit) for bit in inputs]
same('a LUT4 before each input, none before two', (None in fed, len(set(fed))), (False, 8))
same('their only reader', [legal.drivers(named)[1][bit] for bit in inputs], [1] * 8)
same('as they were', (fed[4], fed[6]), ('l1', 'l3'))
same('what they make', [named['cells'][n]['connections']['A'][0] for n in fed], [2, 3, 6, 3, 2, '0', 3, '1'])
same('again', legal.mend(named), 0)
named['cells']['bad'] = {'type': 'L6MUX21', 'port_directions': {'D0': 'input', 'D1': 'input', 'SD': 'input', 'Z': 'output'},
                         'connections': {'D0': [4], 'D1': [10], 'SD': [2], 'Z': [12]}}
try:
    legal.mend(named)
    BAD.append('an L6MUX21 behind a LUT4 was taken')
except ValueError:
    pass


def memory(read, write, initial='x' * 64):
    return {'type': 'TRELLIS_DPR16X4', 'parameters': {'INITVAL': initial}, 'attributes': {},
            'connections': {'RAD': read, 'WAD': write}}


# Constant address bits follow one that moves, in reading and writing alike, so that no two addresses meet;
# not where the two differ, nor where contents are given, nor without a bit that moves.
rams = {'cells': {'eight': memory([2, 3, 4, '0'], [5, 6, 7, '0']), 'four': memory([2, 3, '0', '1'], [5, 6, '0', '1']),
                  'half': memory([2, 3, 4, '0'], [5, 6, 7, 8]), 'full': memory([2, 3, 4, 9], [5, 6, 7, 8]),
                  'given': memory([2, 3, 4, '0'], [5, 6, 7, '0'], '0' * 64), 'one': memory(['0'] * 4, ['0'] * 4)}}
same('tied', legal.tie_addresses(rams), 3)
same('addresses', [c['connections']['RAD'] + c['connections']['WAD'] for c in rams['cells'].values()],
     [[2, 3, 4, 4, 5, 6, 7, 7], [2, 3, 3, 3, 5, 6, 6, 6], [2, 3, 4, '0', 5, 6, 7, 8], [2, 3, 4, 9, 5, 6, 7, 8],
      [2, 3, 4, '0', 5, 6, 7, '0'], ['0'] * 8])

# What nextpnr is told for a large design, and that the caller's options precede.
same('small', pnr.options(False, ['--freq', '3']), ['--freq', '3'])
same('large', pnr.options(True, []),
     ['--placer', 'static', '--router', 'router2', '--router2-alt-weights'])
same('other router', pnr.options(True, ['--router', 'router1']),
     ['--placer', 'static', '--router', 'router1'])

# Clocks that are too slow, and paths from one clock to another, which have the slower one's period.
told = {'fmax': {'$glbnet$fast': {'achieved': 50.5, 'constraint': 50}, 'slow': {'achieved': 11.9, 'constraint': 12.5}},
        'critical_paths': [{'from': f'posedge {a}', 'to': f'posedge {b}', 'path': [{'delay': d / 2}, {'delay': d / 2}]}
                           for a, b, d in (('$glbnet$fast', 'slow', 79.0), ('slow', '$glbnet$fast', 81.0),
                                           ('slow', 'slow', 84.0), ('<async>', 'slow', 99.0))]}
same('unmet', report.unmet(told), ['slow reaches 11.9 MHz of 12.5', 'slow to fast takes 81.0 ns of 80'])

# Longest paths: a register, two LUT4, the multiplexer between LUT4 and their select, a register; a
# shorter way beside it; a loop of LUT4, which must not hang.
timed = {'ports': {'c': {'direction': 'input', 'bits': [2]}}, 'netnames': {}, 'cells': {
    'q': netlist.flip_flop(2, 9, 3), 'l1': legal.passing(3, 4), 'l2': legal.passing(4, 5), 'l3': legal.passing(3, 6),
    'm': multiplexer(5, 6, 3, 7), 'e': netlist.flip_flop(2, 7, 8), 'x': legal.passing(11, 10), 'y': legal.passing(10, 11)}}
found = estimate.Paths(timed, 0.8)
same('arrival', round(found.at(7), 3), round(0.5 + 2 * (0.24 + 0.8) + 0.15, 3))
same('where it begins', found.first(7), (3, 3))
same('ends', sorted(name for b, _, name in found.ends if b == 7), ['e'])

# Budgets: one right one, then a row that is missing and one that is no row.
path = Path(sys.argv[3]) / 'budget.txt'
ROWS = ('device 1000 1000 10 10\ncore 400 300 4 4\nboard 100 100 1 1\nreservation 200 100 2 2\n'
        'limit 70% 50% 80% 80%\nfloor tiny 50\n')
path.write_text(ROWS)
budget = netlist.Budget(path)
fits = {'lut4': 500, 'ff': 400, 'ebr': 5, 'mult18': 5}
more = {'lut4': 200, 'ff': 100, 'ebr': 2, 'mult18': 2}
same('within', budget.check(fits, more)[2], [])
same('over its row', budget.check(fits | {'ff': 401}, None)[2], ['core and board: ff 401 > 400'])
same('over the limit', budget.check(fits | {'lut4': 499}, more | {'lut4': 202})[2],
     ['reservation: lut4 202 > 200', 'whole: lut4 701 > 700'])
for text, message in ((ROWS.replace('board', 'bored'), 'no row board'),
                      (ROWS + 'core 1 2\n', 'budget.txt:7: not a row of the budget: core 1 2')):
    path.write_text(text)
    try:
        netlist.Budget(path)
        BAD.append(f'no error for a budget with {message}')
    except ValueError as e:
        if message not in str(e):
            BAD.append(f'{e}: expected {message}')

# Design files: what belongs to a row is for that row only.
path = Path(sys.argv[3]) / 'rows.txt'
path.write_text('top t\nreservation c tiny\nset N 3\n')
for row, reserved in (('tiny', 'c'), ('tiny4', None)):
    made = design.Design(path.parent, path.parent, path, row)
    same(f'reservation of {row}', made.reservation, reserved)
    same(f'parameters of {row}', made.parameters['N'], '3')
path.write_text('top t\nset N\n')
try:
    design.Design(path.parent, path.parent, path, 'tiny')
    BAD.append('no error for a directive without its words')
except design.DesignError as e:
    same('directive', 'rows.txt:2: not a directive: set N' in str(e), True)
for line in BAD:
    print('FAILED:', line)
sys.exit(1 if BAD else 0)
