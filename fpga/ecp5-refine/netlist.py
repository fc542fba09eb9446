"""Netlists of nextpnr as JSON: reading, places of cells, pins of nets."""
import collections
import json
import re

EBR = ('DP16KD', 'PDPW16KD')
CLOCKS = ('CLK', 'CLKA', 'CLKB', 'WCK', 'CLK0')  # pins on wires of their own


def load(path):
    """(whole netlist, its one top module)."""
    with open(path, encoding='utf-8') as f:
        netlist = json.load(f)
    tops = [m for m in netlist['modules'].values() if 'top' in m.get('attributes', {})
            and int(m['attributes']['top'], 2)]
    return netlist, tops[0]


def names(module):
    """{bit: 'net[i]'}: of the names that a bit has the shortest."""
    found = {}
    for key, wires in sorted(module['netnames'].items(), key=lambda item: (len(item[0]), item[0])):
        for i, bit in enumerate(wires['bits']):
            if isinstance(bit, int):
                found.setdefault(bit, f'{key}[{i}]')
    return found


def placed(module):
    """Of a netlist that nextpnr has placed ({cell: (x, y)}, {bit: [(cell, port)]}), without clocks."""
    at, pins, clocks = {}, collections.defaultdict(list), set()
    for name, cell in module['cells'].items():
        place = re.match(r'X(\d+)/Y(\d+)/', cell.get('attributes', {}).get('NEXTPNR_BEL', ''))
        if place is None:
            continue
        at[name] = (int(place[1]), int(place[2]))
        for port, bits in cell['connections'].items():
            for bit in bits:
                if isinstance(bit, int):
                    pins[bit].append((name, port))
                    if port in CLOCKS:
                        clocks.add(bit)
    for bit in clocks:
        del pins[bit]
    return at, pins


def box(at, pins):
    """(x0, x1, y0, y1) of some pins."""
    xs, ys = zip(*(at[cell] for cell, _ in pins))
    return min(xs), max(xs), min(ys), max(ys)


def store(path, netlist):
    with open(path, 'w', encoding='utf-8') as f:
        json.dump(netlist, f, separators=(',', ':'))


def last_bit(module):
    bits = [b for p in module['ports'].values() for b in p['bits'] if isinstance(b, int)]
    for cell in module['cells'].values():
        for wires in cell['connections'].values():
            bits += [b for b in wires if isinstance(b, int)]
    for net in module['netnames'].values():
        bits += [b for b in net['bits'] if isinstance(b, int)]
    return max(bits, default=1)


def clocks(module):
    """Clock bits and how many flip-flops hang on each, most first."""
    load_of = {}
    for cell in module['cells'].values():
        if cell['type'] == 'TRELLIS_FF':
            bit = cell['connections']['CLK'][0]
            load_of[bit] = load_of.get(bit, 0) + 1
    return sorted(load_of, key=lambda bit: -load_of[bit])
