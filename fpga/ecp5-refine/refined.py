"""Moves the cells of a netlist that nextpnr has placed, so that wire and long paths become shorter, and makes one of
it that nextpnr takes as placed; after routing, the constants on inputs that nextpnr forgets. The program er_refine
(refine/) moves; between it and this stand two text files."""
import collections
import json
import os
import re
import subprocess

import netlist
import sites

# As in refine/refine.h.
LUT, FF, RAM_WRITE, FIXED = range(4)
(MUX2, MUX4, MUX4_OF_MUX2, CARRY, RAM, RAM_WRITE_PLACE, RAM_CLOCK_INVERTED, RAM_WRITE_INVERTED,
 EMPTY) = (1 << n for n in range(9))
(FROM_M, ENABLE_CONSTANT, ENABLE_INVERTED, GLOBAL_RESET, CLOCK_INVERTED, RESET_INVERTED,
 RESET_ASYNCHRONOUS) = (1 << n for n in range(7))

# Delays in ps, speed grade 6, as nextpnr reports them. A wire inside a slice takes no time, to these ports:
# NEAR is what the program counts for one to the same tile.
NEAR = 450
INSIDE = ('FCI', 'F1', 'FXA', 'FXB', 'DI')
THROUGH = {('A', 'F'): 236, ('A', 'OFX'): 400, ('A', 'FCO'): 450, ('FCI', 'F'): 440, ('FCI', 'FCO'): 70,
           ('F1', 'OFX'): 170, ('M', 'OFX'): 260, ('FXA', 'OFX'): 240, ('FXB', 'OFX'): 240}
CARRY_SUM = 450
INTO_FF = {'DI': 0, 'M': 0, 'CE': 0, 'LSR': 420}
FROM_FF, FROM_RAM, INTO_RAM, MULTIPLY = 520, 5610, 200, 3930
# Kinds of cells that go from site to site, in the program's order; how their wires' names end.
MOVING = {'DP16KD': 'EBR', 'MULT18X18D': 'MULT18'}
SITE_TILES = 'EBR|DSP'  # in the names of the tiles that lead to them
CLOCKS = netlist.CLOCKS + ('CLK1', 'CLK2', 'CLK3', 'CLKI', 'CLKFB')


def site(cell):
    """(column, row, name there) of a cell that is placed, or that a constraint places."""
    x, y, where = re.fullmatch(r'X(\d+)/Y(\d+)/(\S+)', cell['attributes'].get('NEXTPNR_BEL') or
                               cell['attributes']['BEL']).groups()
    return int(x), int(y), where


class Text:
    """What the program reads. `near`: ps that it counts for a wire inside a tile."""

    def __init__(self, top, near=NEAR):
        self.near = near
        self.cells = top['cells']
        self.names = sorted(self.cells)
        self.index = {name: i for i, name in enumerate(self.names)}
        self.driver, self.pins, self.clock_bits = {}, collections.defaultdict(list), set()
        for name in self.names:
            cell = self.cells[name]
            for port, bits in cell['connections'].items():
                for bit in bits:
                    if not isinstance(bit, int):
                        continue
                    if cell['port_directions'].get(port) == 'output':
                        self.driver[bit] = name
                    if port in CLOCKS:
                        self.clock_bits.add(bit)
                    else:
                        self.pins[bit].append(self.index[name])
        self.main_clock = netlist.clocks(top)[0]
        self.parent = list(range(len(self.names)))  # of each cell one of its group
        self.rows, self.edges, self.launches = [], [], []
        first_with = {}
        for i, name in enumerate(self.names):
            self.cell(i, name, self.cells[name])
            # What nextpnr made of one cell: distributed RAM, two look-up tables with carry.
            whole = re.match(r'(.*)\$(?:DPRAM_COMB|RAMW_SLICE|RAMW_BLOCK|CCU2_COMB)\d?$', name)
            if whole:
                self.join(i, first_with.setdefault(whole[1], i))

    def bit(self, cell, port):
        bits = cell['connections'].get(port, [])
        return bits[0] if bits and isinstance(bits[0], int) else None

    def root(self, i):
        while self.parent[i] != i:
            self.parent[i] = self.parent[self.parent[i]]
            i = self.parent[i]
        return i

    def join(self, i, j):
        self.parent[self.root(i)] = self.root(j)

    def join_driver(self, i, cell, port):
        """They are wired inside a slice. The driver's cell."""
        bit = self.bit(cell, port)
        if bit is None:
            return None
        self.join(i, self.index[self.driver[bit]])
        return self.cells[self.driver[bit]]

    def end(self, i, cell, port, delay):
        if self.bit(cell, port) is not None:
            self.edges.append((self.bit(cell, port), i, None, delay))

    def domain(self, clock):
        return 0 if clock == self.main_clock else 1

    def cell(self, i, name, cell):
        kind, place, signals, clock = FIXED, -1, (None, None, None), None
        x, y, where = site(cell)
        in_slice = re.fullmatch(r'SLICE([ABCD])\.(?:K|FF|RAMW)(\d?)', where)
        if in_slice:
            place = 2 * 'ABCD'.index(in_slice[1]) + int(in_slice[2] or 0)
        flags = 0

        def parameter(key, default):
            return cell['parameters'].get(key, default).strip()

        if cell['type'] == 'TRELLIS_COMB':
            kind, flags, clock = LUT, self.look_up_table(i, cell, parameter), self.bit(cell, 'WCK')
            if name.startswith('empty.'):
                flags |= EMPTY
        elif cell['type'] == 'TRELLIS_FF':
            kind, signals = FF, tuple(self.bit(cell, port) for port in ('CLK', 'LSR', 'CE'))
            clock = signals[0]
            flags = (FROM_M * (self.bit(cell, 'M') is not None) |
                     ENABLE_INVERTED * (parameter('CEMUX', 'CE') in ('INV', '0')) |
                     ENABLE_CONSTANT * (parameter('CEMUX', 'CE') in ('1', '0')) |
                     GLOBAL_RESET * (parameter('GSR', 'ENABLED') == 'ENABLED') |
                     CLOCK_INVERTED * (parameter('CLKMUX', 'CLK') in ('INV', '0')) |
                     RESET_INVERTED * (parameter('LSRMUX', 'LSR') == 'INV') |
                     RESET_ASYNCHRONOUS * (parameter('SRMODE', 'LSR_OVER_CE') == 'ASYNC'))
            self.join_driver(i, cell, 'DI')
            if self.bit(cell, 'Q') is not None:
                self.launches.append((self.bit(cell, 'Q'), FROM_FF, clock))
            for port, delay in INTO_FF.items():
                self.end(i, cell, port, delay - self.near * (port in INSIDE))
        elif cell['type'] == 'TRELLIS_RAMW':
            kind, clock = RAM_WRITE, self.main_clock
            for port, direction in cell['port_directions'].items():
                if direction == 'input':
                    self.end(i, cell, port, 0)
        elif cell['type'] in ('DP16KD', 'MULT18X18D'):
            clock = self.bit(cell, 'CLKA') or self.bit(cell, 'CLKB')
            self.special(i, cell, clock)
        else:
            for port, direction in cell['port_directions'].items():
                if direction == 'output' and self.bit(cell, port) is not None and cell['type'] == 'TRELLIS_IO':
                    self.launches.append((self.bit(cell, port), 0, None))
        self.rows.append([kind, int(x), int(y), place, flags, signals, clock])

    def look_up_table(self, i, cell, parameter):
        """Its flags; notes its paths and its slice's other cells."""
        mode, flags = parameter('MODE', 'LOGIC'), 0
        if mode == 'DPRAM':
            flags = (RAM | RAM_CLOCK_INVERTED * (parameter('WCKMUX', 'WCK') == 'INV') |
                     RAM_WRITE_INVERTED * (parameter('WREMUX', 'WRE') in ('INV', '0')))
            self.end(i, cell, 'WRE', 0)
        elif mode == 'RAMW_BLOCK':
            flags = RAM_WRITE_PLACE
        elif mode == 'CCU2':
            flags = CARRY
            self.join_driver(i, cell, 'FCI')
        if self.join_driver(i, cell, 'F1'):
            flags |= MUX2
        for port in ('FXA', 'FXB'):
            half = self.join_driver(i, cell, port)
            if half:
                flags |= MUX4
                if port == 'FXA' and self.bit(half, 'F1') is not None:
                    flags |= MUX4_OF_MUX2
        for port in ('A', 'B', 'C', 'D', 'FCI', 'F1', 'M', 'FXA', 'FXB'):
            bit = self.bit(cell, port)
            for out in ('F', 'OFX', 'FCO'):
                delay = THROUGH.get(('A' if port in 'ABCD' else port, out))
                if bit is None or delay is None or self.bit(cell, out) is None:
                    continue
                if out == 'OFX' and port in 'ABCD' and not flags & MUX2:
                    continue
                if out == 'F' and port in 'ABCD' and flags & CARRY:
                    delay = CARRY_SUM
                self.edges.append((bit, i, self.bit(cell, out), delay - self.near * (port in INSIDE)))
        return flags

    def special(self, i, cell, clock):
        """Block RAM, whose outputs come with its clock, or a multiplier, whose outputs come from its inputs."""
        ports = [(port, direction) for port, direction in cell['port_directions'].items()
                 if port not in CLOCKS and self.bit(cell, port) is not None]
        if cell['type'] == 'DP16KD':
            for port, direction in ports:
                if direction == 'input':
                    self.end(i, cell, port, INTO_RAM)
                else:
                    self.launches.append((self.bit(cell, port), FROM_RAM, clock))
            return
        into = [self.bit(cell, port) for port, _ in ports if re.fullmatch(r'[AB]\d+', port)]
        out = [self.bit(cell, port) for port, _ in ports if re.fullmatch(r'P\d+', port)]
        self.edges += [(a, i, p, MULTIPLY) for a in into for p in out]

    def groups(self):
        """Of each cell its group, or -1: pins, clocks, what is kept empty, groups with such, or in two rows."""
        members = collections.defaultdict(list)
        for i, row in enumerate(self.rows):
            members[self.root(i)].append(i)
        group, count = [-1] * len(self.rows), 0
        for some in members.values():
            if (any(self.rows[i][0] == FIXED or self.rows[i][4] & EMPTY and self.rows[i][0] == LUT for i in some)
                    or len({self.rows[i][2] for i in some}) > 1):
                continue
            for i in some:
                group[i] = count
            count += 1
        return group, count

    def write(self, path, size=None):
        """{bit: number of its net in the file}. size: of the device whose block RAM and multipliers may move."""
        group, groups = self.groups()
        nets = [bit for bit in sorted(self.pins) if bit in self.driver and bit not in self.clock_bits and
                len(set(self.pins[bit])) > 1]
        number = {bit: i for i, bit in enumerate(nets)}
        edges = [(number[bit], i, -1 if out is None else number[out], delay)
                 for bit, i, out, delay in self.edges if bit in number and (out is None or out in number)]
        launches = [(number[bit], delay, self.domain(clock)) for bit, delay, clock in self.launches
                    if bit in number]
        signal = {None: -1}
        with open(path, 'w', encoding='utf-8') as f:
            def line(*words):
                f.write(' '.join(map(str, words)) + '\n')

            line(len(self.names), len(nets), groups)
            for i, (kind, x, y, place, flags, signals, clock) in enumerate(self.rows):
                line(kind, x, y, place, flags, *(signal.setdefault(s, len(signal)) for s in signals), group[i],
                     self.domain(clock))
            for bit in nets:
                driver = self.index[self.driver[bit]]
                others = sorted(set(self.pins[bit]) - {driver})
                line(len(others) + 1, driver, *others)
            for rows in (edges, launches):
                line(len(rows))
                for row in rows:
                    line(*row)
            every = sites.every(size) if size else {}
            for kind in MOVING:
                places = sorted(every.get(kind, ()))
                cells = [i for i, name in enumerate(self.names) if size and self.cells[name]['type'] == kind]
                line(len(places), *(f'{x} {y}' for x, y in places))
                line(len(cells), *cells)
        return number

    def loose_inputs(self):
        """{(cell, input)} of block RAM and multipliers: without a net."""
        return {(name, port) for name in self.names if self.cells[name]['type'] in MOVING
                for port, direction in self.cells[name]['port_directions'].items()
                if direction == 'input' and self.bit(self.cells[name], port) is None}


def wire(cell, port):
    """(column, row, name) of the wire at an input or output of a block RAM or multiplier."""
    x, y, _ = site(cell)
    return x, y, f'J{port}_{MOVING[cell["type"]]}'


def put_back(text, path, top, size=None):
    """Gives the cells the places that the program wrote, as constraints: nextpnr forgets what it packed when
    it reads a netlist, and would permute the inputs of distributed RAM and carry that have a place already."""
    every = sites.every(size) if size else {}
    with open(path, encoding='utf-8') as f:
        for row in f:
            i, x, y, place = map(int, row.split())
            cell = text.cells[text.names[i]]
            if cell['type'] in MOVING:
                bel = every[cell['type']][x, y]
            else:
                part = {'TRELLIS_COMB': f'K{place % 2}', 'TRELLIS_FF': f'FF{place % 2}', 'TRELLIS_RAMW': 'RAMW'}
                bel = f'X{x}/Y{y}/SLICE{"ABCD"[place // 2]}.{part[cell["type"]]}'
            cell['attributes']['BEL'] = bel
            del cell['attributes']['NEXTPNR_BEL'], cell['attributes']['BEL_STRENGTH']
    # Ports without a net are lost. nextpnr looks for these of multipliers, and only compares their nets.
    unused = netlist.last_bit(top) + 1
    top['netnames']['$unused_of_multipliers'] = {'hide_name': 1, 'bits': [unused], 'attributes': {}}
    for cell in text.cells.values():
        if cell['type'] == 'MULT18X18D':
            for port in cell['port_directions']:
                if port[:-1] in ('CLK', 'CE', 'RST') and not cell['connections'].get(port):
                    cell['connections'][port] = [unused]
    # The one placer that takes a netlist of which every cell has its place.
    top['settings']['placer'] = 'heap'


def ties(path):
    """{tile: {signal: value}} of a configuration: constants on inputs of block RAM and multipliers."""
    found, tile = {}, None
    with open(path, encoding='utf-8') as f:
        for line in f:
            words = line.split()
            if line.startswith('.'):
                tile = words[1] if words[0] == '.tile' else None
            elif tile and words[:1] == ['enum:'] and words[1].startswith('CIB.'):
                found.setdefault(tile, {})[words[1]] = words[2]
    return found


def constants(inputs, chip, program):
    """Of inputs that OUT.inputs tells, {(tile, signal) where a constant was set: (tile, signal) where it has to
    be now}, without signals that several inputs share. chip: nextpnr's database; program:
    er_constants (route/constants.c); between it and this stand two files beside `inputs`."""
    with open(inputs, encoding='utf-8') as f:
        ends = json.load(f)
    with open(inputs + '.ask', 'w', encoding='utf-8') as f:
        f.write(f'{2 * len(ends)}\n')
        f.writelines('{} {} {}\n'.format(*end) for both in ends for end in both)
    subprocess.run([program, chip, inputs + '.ask', inputs + '.told'], check=True)
    with open(inputs + '.told', encoding='utf-8') as f:
        told = [tuple(row.split()) for row in f]
    for name in (inputs + '.ask', inputs + '.told'):
        os.unlink(name)
    moved = collections.defaultdict(list)
    for (tile, signal), (new, there) in zip(told[::2], told[1::2]):
        moved[tile, f'CIB.{signal}MUX'].append((new, f'CIB.{there}MUX'))
    return {old: new[0] for old, new in moved.items() if len(new) == 1 and '-' not in (old[0], new[0][0])}


# Constants on signals of these kinds can only be one, and a configuration tells that so.
ONES = {'CIB.JCE': '1', 'CIB.JCLK': '0', 'CIB.JLSR': '0'}


def written(signal, value, there):
    """What a configuration says of a constant on the signal `there`, that said `value` of it on `signal`. None:
    there is no such constant."""
    def told(name):
        return next((text for kind, text in ONES.items() if name.startswith(kind)), None)

    one = told(signal) == value if told(signal) else value == '1'
    if told(there):
        return told(there) if one else None
    return '1' if one else '0'


def moved_ties(path, moved=None):
    """Constants on inputs that the configuration `path` has, where they have to be now. moved: what constants()
    tells; without it block RAM and multipliers are where they were."""
    want = {}
    for tile, signals in ties(path).items():
        for signal, value in signals.items():
            if moved is not None and (tile, signal) not in moved and re.search(SITE_TILES, tile):
                raise ValueError(f'{path}: {tile} has {signal}, of no one input of block RAM or multipliers')
            new, there = (moved or {}).get((tile, signal), (tile, signal))
            value = written(signal, value, there)
            if value is None:
                raise ValueError(f'{path}: {tile} has {signal} 0, which {there} of {new} cannot be')
            if want.setdefault(new, {}).setdefault(there, value) != value:
                raise ValueError(f'{path}: two constants would be {there} of {new}')
    return want


def tie(placed, untied, out, moved=None):
    """`untied`, of a netlist that was read again, lacks the constants on inputs without a net, which `placed`
    has: moved_ties()."""
    want, have = moved_ties(placed, moved), ties(untied)
    left = dict(want)
    for tile, signals in have.items():
        for signal, value in signals.items():
            if want.get(tile, {}).get(signal) != value:
                raise ValueError(f'{untied}: {tile} has {signal} {value}, which was not so before the refinement')
    with open(untied, encoding='utf-8') as source, open(out, 'w', encoding='utf-8') as f:
        for line in source:
            f.write(line)
            if line.startswith('.tile '):
                tile = line.split()[1]
                for signal, value in left.pop(tile, {}).items():
                    if signal not in have.get(tile, {}):
                        f.write(f'enum: {signal} {value}\n')
        for tile, signals in left.items():
            f.write(f'\n.tile {tile}\n' + ''.join(f'enum: {s} {v}\n' for s, v in signals.items()))
    if ties(out) != want:
        raise ValueError(f'{out}: constants on inputs are not those before the refinement')


def refine(program, placed, size, out, other, between, options):
    """The netlist `placed` with its cells moved, as `out`; exit code of `program`. other, between: ns that paths may
    take that do not begin and end at the clock with most flip-flops: those of other clocks, those from one to the
    other. out + '.inputs': of the inputs without a net of block RAM and multipliers where they were and are.
    out + '.sites': {cell: site} of these cells."""
    print('reading', flush=True)
    whole, top = netlist.load(placed)
    text = Text(top)
    text.write(out + '.in', size)
    loose = sorted(text.loose_inputs())
    before = [wire(text.cells[name], port) for name, port in loose]
    done = subprocess.run([program, out + '.in', out + '.out', f'other={other}', f'between={between}',
                           *options], check=False)
    if done.returncode:
        return done.returncode
    put_back(text, out + '.out', top, size)
    after = [wire(text.cells[name], port) for name, port in loose]
    with open(out + '.inputs', 'w', encoding='utf-8') as f:
        json.dump(list(zip(before, after)), f)
    with open(out + '.sites', 'w', encoding='utf-8') as f:
        json.dump({name: cell['attributes']['BEL'] for name, cell in text.cells.items()
                   if cell['type'] in MOVING}, f)
    netlist.store(out, whole)
    for end in ('.in', '.out'):
        os.unlink(out + end)
    return 0
