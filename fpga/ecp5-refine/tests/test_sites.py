"""Usage: test_sites.py WORK. What is chosen between two placements (sites, tiles that are kept empty), and the wire that
wires.py counts. Writes WORK/sites-DEVICE.json: a block RAM or multiplier on every site. Prints what is wrong; exit 1."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import netlist  # noqa: E402
import sites  # noqa: E402
import spread  # noqa: E402
import wires  # noqa: E402

BAD = []


def same(what, got, expected):
    if got != expected:
        BAD.append(f'{what}: got {got}, expected {expected}')


same('spread', [spread.wanted(n, d) for n, d in ((45000, '85k'), (45000, '25k'), (65000, '85k'), (900, '85k'))],
     [True, False, False, False])


# Where wires will be crowded: many nets over one corner, a few over all of the device; clocks do not count.
def placed(x, y, bits, port='A'):
    return {'attributes': {'NEXTPNR_BEL': f'X{x}/Y{y}/SLICEA.K0'}, 'connections': {port: bits}}


cells = {'c': placed(2, 2, [1], 'CLK'), 'd': placed(120, 90, [1], 'CLK'), 'n': {'connections': {'A': [7]}}}
for number in range(300):
    cells[f'a{number}'] = placed(100 + number % 20, 70, [10 + number])
    cells[f'b{number}'] = placed(104, 75 + number % 15, [10 + number])
tiles = spread.crowded({'cells': cells}, '85k')
same('crowded tiles', (len(tiles), (104, 78) in tiles[:500], (10, 10) in tiles[:500]), (2091, True, False))
same('boxes', sorted(spread.boxes({'cells': {k: cells[k] for k in ('c', 'd', 'n', 'a3', 'b3')}})), [(103, 104, 70, 78)])
roomy = {'cells': {}}
same('room', [spread.block(roomy, '85k', t) for t in ((), [(2, 3)], [(2, 2), (3, 3)])], [15498, 15500, 15500])

# Sites: each of two multipliers is on the other's best one, two block RAMs share a net far from theirs, a
# third cell keeps what is best already. Of the table in the file: nextpnr
# takes all of them, which the flow's tests show with the netlists that are written here.
def hard(kind, place, **pins):
    return {'type': kind, 'attributes': {'NEXTPNR_BEL': place}, 'connections': {p: [b] for p, b in pins.items()}}


chip = {'cells': {
    'm0': hard('MULT18X18D', 'X118/Y58/MULT18_4', A0=2, CLK=9), 'm1': hard('MULT18X18D', 'X4/Y10/MULT18_0', A0=3),
    'r0': hard('DP16KD', 'X4/Y22/EBR0', AD=4, CLKA=9), 'r1': hard('DP16KD', 'X120/Y82/EBR3', AD=4),
    'r2': hard('DP16KD', 'X60/Y46/EBR1', AD=5),
    'a': hard('TRELLIS_COMB', 'X4/Y9/SLICEA.LUT0', F=2, A=4, CLK=9), 'b': hard('TRELLIS_COMB', 'X118/Y60/SLICEA.LUT0', F=3),
    'c': hard('TRELLIS_COMB', 'X60/Y45/SLICEA.LUT0', F=5)}}
chosen, before, after = sites.choose(chip, '85k')
same('multipliers', (chosen['m0'], chosen['m1']), ('X4/Y10/MULT18_0', 'X118/Y58/MULT18_4'))
same('wire before', before, (118 - 4 + 58 - 9) + (118 - 4 + 60 - 10) + (120 - 4 + 82 - 9) + 1)
# Of the net of two block RAMs the cell stays: one RAM at the nearest site, the other beside it.
same('wire after', after, 1 + 2 + (22 - 9 + 2) + 1)
same('a good one', chosen['r2'], 'X60/Y46/EBR1')
same('sites are used once', len(set(chosen.values())), 5)
sites.fix(chip, chosen)
same('fixed', [c['attributes'].get('BEL') for c in chip['cells'].values()],
     [chosen[n] for n in ('m0', 'm1', 'r0', 'r1', 'r2')] + [None] * 3)
same('nothing to choose', sites.choose({'cells': {}}, '85k'), ({}, 0, 0))
for device in sites.ROWS:
    whole = {'cells': {f'{kind}{n}': {'hide_name': 0, 'type': kind, 'parameters': {}, 'attributes': {'BEL': s, 'keep': '1'},
                                      'port_directions': {}, 'connections': {}}
                       for kind, table in sites.every(device).items() for n, s in enumerate(table.values())},
             'attributes': {'top': '1'}, 'ports': {}, 'netnames': {}}
    netlist.store(Path(sys.argv[1]) / f'sites-{device}.json', {'modules': {'top': whole}})

# Wire of a placed design: half the circumference around a net's pins; clocks and cells without a
# place do not count; a net without a name belongs to the unit of its driver's other nets.


def placed_cell(kind, place, **pins):
    cell = {'type': kind, 'attributes': {'NEXTPNR_BEL': place} if place else {},
            'port_directions': {p: 'output' if p in 'FQ' else 'input' for p in pins},
            'connections': {p: [b] for p, b in pins.items()}}
    return cell


found = wires.Wires({'netnames': {'u_a.u_b.u_c.x': {'bits': [3, 4]}, 'u_d.y': {'bits': [6]}, '$1': {'bits': [5]}},
                      'cells': {'q': placed_cell('TRELLIS_FF', 'X4/Y9/SLICEA.FF0', CLK=2, DI=7, Q=3),
                                'l': placed_cell('TRELLIS_COMB', 'X6/Y2/SLICEA.LUT1', A=3, F=5),
                                'r': placed_cell('DP16KD', 'X1/Y3/EBR', CLKA=2, D=5, A=6),
                                'n': placed_cell('TRELLIS_COMB', '', A=3, F=6)}}, 2)
same('length', [found.length(b) for b in (3, 5)], [2 + 7, 5 + 1])
same('kind', [found.kind(b) for b in (3, 5)], ['other', 'block RAM'])
same('unit', [found.unit.get(b) for b in (3, 5, 6)], ['u_a.u_b', 'u_a.u_b', 'u_d'])
same('pins', sorted((b, len(p)) for b, p in found.pins.items()), [(3, 2), (5, 2), (6, 1), (7, 1)])

for line in BAD:
    print('FAILED:', line)
sys.exit(1 if BAD else 0)
