"""Netlists of synth_ecp5 as JSON: counts what a design takes, adds the reservation to it, gives a
module without a board a few pins, checks the budget (docs/fpga.md, Flow)."""
import json

# What each ECP5 cell costs. CCU2C is two LUT4 with carry; a distributed-RAM cell occupies four LUT4
# and two more for its write port.
LUT4 = {'LUT4': 1, 'CCU2C': 2, 'TRELLIS_DPR16X4': 6}
EBR = ('DP16KD', 'PDPW16KD')
RESOURCES = ('lut4', 'ff', 'ebr', 'mult18')


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


def store(path, netlist):
    with open(path, 'w', encoding='utf-8') as f:
        json.dump(netlist, f, separators=(',', ':'))


def count(module):
    kinds = {}
    for cell in module['cells'].values():
        kinds[cell['type']] = kinds.get(cell['type'], 0) + 1
    return costs(kinds)


def costs(kinds):
    """What so many cells of each kind take."""
    return {'lut4': sum(LUT4.get(k, 0) * n for k, n in kinds.items()),
            'ff': kinds.get('TRELLIS_FF', 0),
            'ebr': sum(kinds.get(k, 0) for k in EBR),
            'mult18': kinds.get('MULT18X18D', 0)}


def last_bit(module):
    bits = [b for p in module['ports'].values() for b in p['bits'] if isinstance(b, int)]
    for cell in module['cells'].values():
        for wires in cell['connections'].values():
            bits += [b for b in wires if isinstance(b, int)]
    for net in module['netnames'].values():
        bits += [b for b in net['bits'] if isinstance(b, int)]
    return max(bits, default=1)


def add(module, part, name, clock_port, clock_bit):
    """Puts the cells of `part` into the module under NAME., its clock on clock_bit, nothing else
    connected with what was there."""
    shift = last_bit(module) + 1
    own_clock = part['ports'][clock_port]['bits'][0]

    def moved(bits):
        return [b if isinstance(b, str) else clock_bit if b == own_clock else b + shift for b in bits]

    for key, cell in part['cells'].items():
        connections = {p: moved(bits) for p, bits in cell['connections'].items()}
        module['cells'][f'{name}.{key}'] = cell | {'connections': connections}
    for key, net in part['netnames'].items():
        if own_clock not in net['bits']:
            module['netnames'][f'{name}.{key}'] = net | {'bits': moved(net['bits'])}


def flip_flop(clock, d, q):
    return {'hide_name': 0, 'type': 'TRELLIS_FF', 'attributes': {},
            # A text of binary digits only would be a number: hence the blank.
            'parameters': {'CEMUX': '1 ', 'CLKMUX': 'CLK', 'GSR': 'DISABLED', 'LSRMUX': 'LSR',
                           'REGSET': 'RESET', 'SRMODE': 'LSR_OVER_CE'},
            'port_directions': {'CLK': 'input', 'LSR': 'input', 'DI': 'input', 'Q': 'output'},
            'connections': {'CLK': [clock], 'LSR': ['0'], 'DI': [d], 'Q': [q]}}


def exclusive_or(a, b, z):
    return {'hide_name': 0, 'type': 'LUT4', 'attributes': {},
            'parameters': {'INIT': '0110011001100110'},
            'port_directions': {'A': 'input', 'B': 'input', 'C': 'input', 'D': 'input', 'Z': 'output'},
            'connections': {'A': [a], 'B': [b], 'C': ['0'], 'D': ['0'], 'Z': [z]}}


def scan_ports(module, clock):
    """A module without a board: its inputs become a shift register, its outputs are gathered in a
    second one, so that it has three pins (clock, scan_i, scan_o) and registered neighbours."""
    free = last_bit(module) + 1
    clock_bit = module['ports'][clock]['bits'][0]
    ports = module['ports']
    module['ports'] = {clock: ports[clock]}
    module['ports']['scan_i'] = {'direction': 'input', 'bits': [free]}
    before, free = free, free + 1
    for direction in ('input', 'output'):
        for name in sorted(ports):
            if name == clock or ports[name]['direction'] != direction:
                continue
            for i, bit in enumerate(ports[name]['bits']):
                cell = f'scan.{name}.{i}'
                if direction == 'input':
                    module['cells'][cell] = flip_flop(clock_bit, before, bit)
                    before = bit
                else:
                    module['cells'][f'{cell}.xor'] = exclusive_or(before, bit, free)
                    module['cells'][cell] = flip_flop(clock_bit, free, free + 1)
                    before, free = free + 1, free + 2
    module['ports']['scan_o'] = {'direction': 'output', 'bits': [before]}


class Budget:
    """fpga/budget.txt: rows of what each part may take, limits of the whole, floors of the clock."""

    def __init__(self, path):
        self.path, self.rows, self.floors, self.configs = path, {}, {}, {}
        self.limit = {}
        for number, line in enumerate(path.read_text().splitlines(), 1):
            words = line.split('#')[0].split()
            try:
                if not words:
                    continue
                if words[0] == 'floor':
                    self.floors[words[1]] = float(words[2])
                elif words[0] == 'limit':
                    self.limit = {r: float(w.rstrip('%')) for r, w in zip(RESOURCES, words[1:], strict=True)}
                else:
                    self.rows[words[0]] = {r: int(w) for r, w in zip(RESOURCES, words[1:], strict=True)}
            except (ValueError, IndexError):
                raise ValueError(f'{path}:{number}: not a row of the budget: {line.strip()}') from None
        for name in ('device', 'core', 'board', 'reservation'):
            if name not in self.rows:
                raise ValueError(f'{path}: no row {name}')

    def allowed(self, *parts):
        return {r: sum(self.rows[p][r] for p in parts) for r in RESOURCES}

    def of_device(self, resource, n):
        return 100.0 * n / self.rows['device'][resource]

    def check(self, design, reservation):
        """Table rows (name, counts, allowed) and what is over, in words."""
        rows = [('core and board', design, self.allowed('core', 'board'))]
        if reservation:
            rows.append(('reservation', reservation, self.rows['reservation']))
        whole = {r: design[r] + (reservation[r] if reservation else 0) for r in RESOURCES}
        rows.append(('whole', whole, {r: int(self.rows['device'][r] * self.limit[r] / 100)
                                      for r in RESOURCES}))
        over = [f'{name}: {r} {n[r]} > {most[r]}' for name, n, most in rows for r in RESOURCES
                if n[r] > most[r]]
        return rows, whole, over
