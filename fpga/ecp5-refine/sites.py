"""Chooses the sites of block RAM and multipliers of a large design. These lie in a few
rows of the device, far from each other; nextpnr puts nearly all multipliers into one row, those of one lane
over its whole length, and never moves them from row to row. Here the wire of a placement is made less by
exchanging their sites while everything else stays (simulated annealing); the design is then placed again
around them."""
import math
import random

import netlist

# Columns at which a group of four sites begins; rows of block RAM and of multipliers.
GROUPS = {'12k': [4, 13, 22, 33, 42, 51, 60],
          '25k': [4, 13, 22, 33, 42, 51, 60],
          '45k': [4, 13, 22, 31, 42, 51, 60, 69, 78],
          '85k': [4, 13, 22, 31, 40, 49, 58, 69, 78, 87, 96, 105, 114]}
ROWS = {'12k': {'DP16KD': (25, 37), 'MULT18X18D': (13,)},
        '25k': {'DP16KD': (25, 37), 'MULT18X18D': (13,)},
        '45k': {'DP16KD': (10, 34, 58), 'MULT18X18D': (22, 46)},
        '85k': {'DP16KD': (22, 46, 70, 82), 'MULT18X18D': (10, 34, 58)}}
# Of a group: column behind its first, name.
PLACES = {'DP16KD': ((0, 'EBR0'), (2, 'EBR1'), (4, 'EBR2'), (6, 'EBR3')),
          'MULT18X18D': ((0, 'MULT18_0'), (1, 'MULT18_1'), (4, 'MULT18_4'), (5, 'MULT18_5'))}
TRIES = 1500         # exchanges tried for each cell
PHASES = 60          # of equal temperature and reach
HOT, COLD = 300, 0.01  # tiles of wire that an exchange may cost in the first and the last phase


def known(device):
    return device in ROWS


def every(device):
    """{type of cell: {(x, y): name of the site}}."""
    return {kind: {(x + more, y): f'X{x + more}/Y{y}/{name}'
                   for y in rows for x in GROUPS[device] for more, name in PLACES[kind]}
            for kind, rows in ROWS[device].items()}


class Choice:
    """Cells with their sites, and the nets that they touch."""

    def __init__(self, module, device):
        at, pins = netlist.placed(module)
        self.sites = every(device)
        self.kind = {name: cell['type'] for name, cell in module['cells'].items()
                     if name in at and cell['type'] in self.sites}
        self.cells = sorted(self.kind)
        self.at = {name: at[name] for name in self.cells}
        self.who = {(self.kind[name], place): name for name, place in self.at.items()}
        self.nets, self.of = [], {name: [] for name in self.cells}  # box of the other pins, cells
        for some in pins.values():
            moving = sorted({cell for cell, _ in some if cell in self.kind})
            if not moving or len(some) < 2:
                continue
            still = [(cell, port) for cell, port in some if cell not in self.kind]
            for name in moving:
                self.of[name].append(len(self.nets))
            self.nets.append((netlist.box(at, still) if still else None, moving))
        self.wire = [self.length(net) for net in range(len(self.nets))]

    def length(self, net):
        still, moving = self.nets[net]
        x, y = self.at[moving[0]]
        x0, x1, y0, y1 = still or (x, x, y, y)
        for name in moving:
            x, y = self.at[name]
            if x < x0:
                x0 = x
            if x > x1:
                x1 = x
            if y < y0:
                y0 = y
            if y > y1:
                y1 = y
        return x1 - x0 + y1 - y0

    def move(self, name, place):
        """Puts a cell on a site, and the cell that is there, if any, on the site of this one."""
        kind, old = self.kind[name], self.at[name]
        other = self.who.pop((kind, place), None)
        self.at[name], self.who[kind, place] = place, name
        if other is None:
            del self.who[kind, old]
        else:
            self.at[other], self.who[kind, old] = old, other
        return other

    def attempt(self, name, place, heat, chance):
        """Whether the cell stays there."""
        old = self.at[name]
        other = self.move(name, place)
        nets = set(self.of[name]) | set(self.of[other] if other else ())
        new = {net: self.length(net) for net in nets}
        more = sum(new.values()) - sum(self.wire[net] for net in nets)
        if more > 0 and chance >= math.exp(-more / heat):
            self.move(name, old)
            return False
        for net, length in new.items():
            self.wire[net] = length
        return True


def choose(module, device, tell=lambda phase, wire: None):
    """{cell: site} for block RAM and multipliers of a placed netlist, and the wire of their nets in tiles
    before and after. `tell` hears of each phase."""
    choice = Choice(module, device)
    before = sum(choice.wire)
    dice = random.Random(1)
    places = {kind: sorted(sites) for kind, sites in choice.sites.items()}

    def pick(among):
        return among[int(dice.random() * len(among))]

    # Exchanges reach less far as fewer of them are kept, but always to the next row.
    farthest = max(x + y for some in places.values() for x, y in some)
    reach, heat = farthest, HOT
    tries = TRIES * len(choice.cells) // PHASES
    for phase in range(PHASES if choice.cells else 0):
        tell(phase + 1, sum(choice.wire))
        kept = 0
        for _ in range(tries):
            name = pick(choice.cells)
            place, (x, y) = pick(places[choice.kind[name]]), choice.at[name]
            if place != (x, y) and abs(place[0] - x) + abs(place[1] - y) <= reach:
                kept += choice.attempt(name, place, heat, dice.random())
        reach = min(farthest, max(40, reach * (0.56 + kept / tries)))
        heat *= (COLD / HOT) ** (1 / (PHASES - 1))
    chosen = {name: choice.sites[choice.kind[name]][choice.at[name]] for name in choice.cells}
    return chosen, before, sum(choice.wire)


def fix(module, chosen):
    """Gives the cells of an unplaced netlist their sites."""
    for name, site in chosen.items():
        module['cells'][name].setdefault('attributes', {})['BEL'] = site
