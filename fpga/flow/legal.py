"""Makes a netlist routable.

Its RTL names the slices' own multiplexers (rtl/cells/ecp5/mux4.sv): an input of a PFUMX is the output of a
LUT4 of the same slice, and of one that drives nothing else, since the slice puts the multiplexer on the
wire that leads the LUT4 out; an input of an L6MUX21 is that of a PFUMX. Where the mapper found another
structure for what stands before a named PFUMX, a LUT4 that passes its input on is put between; where it
gave a LUT4 to others too, the PFUMX gets a copy (docs/fpga.md, Flow).

Distributed RAM with eight rows or fewer has address bits that are constant. nextpnr leads the constant
to each of their pins through the device; here they get an address bit that is there anyway."""
import collections
import copy

import netlist

PASS_A = '1010101010101010'


def passing(a, z):
    return {'hide_name': 1, 'type': 'LUT4', 'attributes': {}, 'parameters': {'INIT': PASS_A},
            'port_directions': {'A': 'input', 'B': 'input', 'C': 'input', 'D': 'input', 'Z': 'output'},
            'connections': {'A': [a], 'B': ['0'], 'C': ['0'], 'D': ['0'], 'Z': [z]}}


def drivers(module):
    """The cell that drives a net, and the number of what reads it."""
    found, readers = {}, collections.Counter()
    for port in module['ports'].values():
        readers.update(port['bits'] if port['direction'] != 'input' else [])
    for name, cell in module['cells'].items():
        for port, direction in cell.get('port_directions', {}).items():
            if direction == 'output':
                found.update((bit, name) for bit in cell['connections'][port])
            else:
                readers.update(cell['connections'][port])
    return found, readers


def mend(module):
    """The number of LUT4 that were added."""
    cells, (driver, readers) = module['cells'], drivers(module)
    free, added = netlist.last_bit(module) + 1, 0
    for name in [n for n, c in cells.items() if c['type'] == 'PFUMX']:
        connections = cells[name]['connections']
        for port in ('ALUT', 'BLUT'):
            bit = connections[port][0]
            source = cells.get(driver.get(bit), {'type': None})
            if source['type'] == 'LUT4' and readers[bit] == 1:
                continue
            if source['type'] == 'LUT4':
                cell = copy.deepcopy(source)
                cell['connections']['Z'] = [free]
                readers[bit] -= 1
            else:
                cell = passing(bit, free)
            cells[f'{name}.{port}.own'] = cell
            connections[port] = [free]
            free, added = free + 1, added + 1
    for name, cell in cells.items():
        if cell['type'] == 'L6MUX21':
            for port in ('D0', 'D1'):
                source = driver.get(cell['connections'][port][0])
                if source is None or cells[source]['type'] not in ('PFUMX', 'L6MUX21'):
                    raise ValueError(f'{name}.{port} is no output of a PFUMX')
    return added


def tie_addresses(module):
    """The number of address bits (read and write as one) that were constant: they follow the highest bit
    that is not. So other rows than before are used, but each address still has one of its own; a RAM with
    initial contents stays as it is."""
    tied = 0
    for cell in module['cells'].values():
        if cell['type'] != 'TRELLIS_DPR16X4' or set(cell['parameters'].get('INITVAL', 'x')) - set('x'):
            continue
        read, write = cell['connections']['RAD'], cell['connections']['WAD']
        moving = [i for i in range(len(read)) if isinstance(read[i], int) and isinstance(write[i], int)]
        for i in range(len(read)):
            if moving and read[i] == write[i] and isinstance(read[i], str):
                read[i], write[i] = read[moving[-1]], write[moving[-1]]
                tied += 1
    return tied
