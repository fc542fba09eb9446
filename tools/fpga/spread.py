"""Keeps the cells of a large design apart (docs/fpga.md, Flow). nextpnr fills slices as densely as wire
length asks for, and then lacks wires around them. Empty LUT4 with a place of their own take two of the
eight look-up tables of a tile, in three of four rows; the fourth row stays whole for long carry chains."""

# Rows and columns of slices; the other rows are block RAM, multipliers and pins.
SLICES = {'85k': ([y for y in range(2, 94) if y not in (10, 22, 34, 46, 58, 70, 82)], range(2, 125))}
PLACES = ('SLICED.K0', 'SLICED.K1')
FREE_ROW = 4

# LUT4 from which a design is large, and up to which a large one is spread: with more, too little is left
# for what is kept empty.
LARGE, MOST = 30000, 52000


def wanted(lut4, device):
    return device in SLICES and LARGE <= lut4 <= MOST


def block(module, device):
    """Adds the empty LUT4; their number."""
    rows, columns = SLICES[device]
    added = 0
    for number, y in enumerate(rows):
        if number % FREE_ROW == 0:
            continue
        for x in columns:
            for place in PLACES:
                module['cells'][f'empty.X{x}.Y{y}.{place}'] = {
                    'hide_name': 1, 'type': 'LUT4', 'parameters': {'INIT': '0' * 16},
                    'attributes': {'BEL': f'X{x}/Y{y}/{place}', 'keep': '1'},
                    'port_directions': {}, 'connections': {}}
                added += 1
    return added
