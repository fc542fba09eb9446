"""Makes a netlist routable whose RTL names the slices' own multiplexers (rtl/core/mux4.sv): an input of
a PFUMX is the output of a LUT4 of the same slice, an input of an L6MUX21 that of a PFUMX. Where the mapper
found another structure for what stands before a named PFUMX, or gave one LUT4 to two of them, a LUT4
that passes its input on is put between (docs/fpga.md, Flow)."""
import netlist

PASS_A = '1010101010101010'


def passing(a, z):
    return {'hide_name': 1, 'type': 'LUT4', 'attributes': {}, 'parameters': {'INIT': PASS_A},
            'port_directions': {'A': 'input', 'B': 'input', 'C': 'input', 'D': 'input', 'Z': 'output'},
            'connections': {'A': [a], 'B': ['0'], 'C': ['0'], 'D': ['0'], 'Z': [z]}}


def drivers(module):
    found = {}
    for name, cell in module['cells'].items():
        for port, direction in cell.get('port_directions', {}).items():
            if direction == 'output':
                for bit in cell['connections'][port]:
                    found[bit] = name
    return found


def mend(module):
    """The number of LUT4 that were added."""
    cells, driver, free, used, added = module['cells'], drivers(module), netlist.last_bit(module) + 1, set(), 0
    for name in [n for n, c in cells.items() if c['type'] == 'PFUMX']:
        connections = cells[name]['connections']
        for port in ('ALUT', 'BLUT'):
            bit = connections[port][0]
            source = driver.get(bit)
            if source is not None and cells[source]['type'] == 'LUT4' and source not in used:
                used.add(source)
                continue
            buffer = f'{name}.{port}.pass'
            cells[buffer] = passing(bit, free)
            used.add(buffer)
            connections[port] = [free]
            free, added = free + 1, added + 1
    for name, cell in cells.items():
        if cell['type'] == 'L6MUX21':
            for port in ('D0', 'D1'):
                source = driver.get(cell['connections'][port][0])
                if source is None or cells[source]['type'] not in ('PFUMX', 'L6MUX21'):
                    raise ValueError(f'{name}.{port} is no output of a PFUMX')
    return added
