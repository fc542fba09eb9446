"""Keeps the cells of a large design apart. nextpnr fills slices as densely as wire
length asks for, and then lacks wires around them. Empty LUT4 with a place of their own take two of the
eight look-up tables of a tile, four where a placement shows that wires will be crowded, in three of four
rows; the fourth row stays whole for long carry chains."""
import netlist

# Rows and columns of slices; the other rows are block RAM, multipliers and pins.
SLICES = {'85k': ([y for y in range(2, 94) if y not in (10, 22, 34, 46, 58, 70, 82)], range(2, 125))}
PLACES = ('SLICED.K0', 'SLICED.K1')
CROWDED = ('SLICEC.K0', 'SLICEC.K1')  # besides
FREE_ROW = 4
SHARE = 0.2  # of the tiles, that are taken for crowded
NEAR = 6     # tiles to each side over which demand counts as one, twice

# LUT4 from which a design is large, and up to which a large one is spread: with more, too little is left
# for what is kept empty.
LARGE, MOST = 30000, 52000


def wanted(lut4, device):
    return device in SLICES and LARGE <= lut4 <= MOST


def block(module, device, crowded=()):
    """Adds the empty LUT4; their number. `crowded`: tiles (x, y) that get more of them."""
    rows, columns = SLICES[device]
    crowded, added = set(map(tuple, crowded)), 0
    for number, y in enumerate(rows):
        if number % FREE_ROW == 0:
            continue
        for x in columns:
            for place in PLACES + (CROWDED if (x, y) in crowded else ()):
                module['cells'][f'empty.X{x}.Y{y}.{place}'] = {
                    'hide_name': 1, 'type': 'LUT4', 'parameters': {'INIT': '0' * 16},
                    'attributes': {'BEL': f'X{x}/Y{y}/{place}', 'keep': '1'},
                    'port_directions': {}, 'connections': {}}
                added += 1
    return added


def boxes(module):
    """(x0, x1, y0, y1) of the pins of each net of a placed netlist, without clocks."""
    at, pins = netlist.placed(module)
    return [netlist.box(at, some) for some in pins.values()]


def sums(table):
    """Of a table of rows the sums over all rows above and columns before, one row and column larger."""
    total = [[0.0] * (len(table[0]) + 1)]
    for row in table:
        line, above = [0.0], total[-1]
        for i, value in enumerate(row):
            line.append(line[-1] + value + above[i + 1] - above[i])
        total.append(line)
    return total


def smooth(table):
    """Means over squares of NEAR tiles to each side, or as much as there is of them."""
    total, height, width = sums(table), len(table), len(table[0])
    means = []
    for y in range(height):
        y0, y1 = max(0, y - NEAR), min(height, y + NEAR + 1)
        line = []
        for x in range(width):
            x0, x1 = max(0, x - NEAR), min(width, x + NEAR + 1)
            line.append((total[y1][x1] - total[y0][x1] - total[y1][x0] + total[y0][x0]) / ((y1 - y0) * (x1 - x0)))
        means.append(line)
    return means


def crowded(module, device):
    """Tiles of slices where a placed design needs most wire: half the circumference of each net's box, laid
    evenly over it. On tiny4 this and the wires that the router then uses twice have a correlation of 0.9."""
    rows, columns = SLICES[device]
    nets = boxes(module)
    width = max([b[1] for b in nets] + [columns[-1]]) + 1
    height = max([b[3] for b in nets] + [rows[-1]]) + 1
    edges = [[0.0] * (width + 1) for _ in range(height + 1)]
    for x0, x1, y0, y1 in nets:
        each = (x1 - x0 + y1 - y0) / ((x1 - x0 + 1) * (y1 - y0 + 1))
        edges[y0][x0] += each
        edges[y0][x1 + 1] -= each
        edges[y1 + 1][x0] -= each
        edges[y1 + 1][x1 + 1] += each
    demand = smooth(smooth([row[1:width + 1] for row in sums(edges)[1:height + 1]]))
    tiles = sorted(((x, y) for y in rows for x in columns), key=lambda t: -demand[t[1]][t[0]])
    return tiles[:int(SHARE * len(tiles))]
