#!/usr/bin/env python3
"""Where the wire of a placed design is.

Usage: fpga/ecp5-refine/wires.py PLACED.json [--depth N] [--rows N] [--nets N]

PLACED: what nextpnr-ecp5 wrote with `--write` behind the placer (`--no-route --no-tmdriv` is enough: some
minutes). A net counts half the circumference of the rectangle around its pins, in tiles; clocks, which
have wires of their own, do not count. Prints the sum by kind of cell that a net touches, then by unit
(instances to --depth), then the longest nets. A net without a name of its own counts for the unit that
most of its driver's other nets belong to.
"""
import argparse
import collections
import re

import netlist

MANY = 64  # nets with more pins say nothing of a unit


class Wires:
    """pins[bit] = [(cell, port)]; length(bit) in tiles; unit[bit]: instance path, where one is known."""

    def __init__(self, module, depth):
        self.cells = module['cells']
        self.at, self.pins = netlist.placed(module)
        self.driver = {bit: cell for bit, pins in self.pins.items() for cell, port in pins
                       if self.cells[cell]['port_directions'].get(port) == 'output'}
        self.name, self.unit = netlist.names(module), {}
        for bit, name in self.name.items():
            path = '.'.join(re.findall(r'\bu_\w+', name)[:depth])
            if path and not name.startswith('$'):
                self.unit[bit] = path
        self.neighbours()

    def neighbours(self):
        """Units of nets without a name, from nets with one, some cells far."""
        for _ in range(6):
            votes = collections.defaultdict(collections.Counter)
            for bit, pins in self.pins.items():
                if bit in self.unit and len(pins) <= MANY:
                    for cell, _port in pins:
                        votes[cell][self.unit[bit]] += 1
            for bit, cell in self.driver.items():
                if bit not in self.unit and votes[cell]:
                    self.unit[bit] = votes[cell].most_common(1)[0][0]

    def length(self, bit):
        x0, x1, y0, y1 = netlist.box(self.at, self.pins[bit])
        return x1 - x0 + y1 - y0

    def kind(self, bit):
        """What is scarce or has a fixed place among the cells of a net."""
        kinds = {self.cells[cell]['type'] for cell, _ in self.pins[bit]}
        for found, word in (({'MULT18X18D'}, 'multiplier'), (set(netlist.EBR), 'block RAM'),
                            ({'TRELLIS_RAMW'}, 'distributed RAM')):
            if kinds & found:
                return word
        return 'other'


def table(title, lengths, whole, rows):
    print(f'{title:<56} {"tiles":>9} {"":>6} {"nets":>7} {"mean":>6}')
    order = sorted(lengths.items(), key=lambda kv: -sum(kv[1]))
    for key, parts in order[:rows]:
        print(f'{key[-56:]:<56} {sum(parts):9} {100 * sum(parts) / whole:5.1f}% {len(parts):7} '
              f'{sum(parts) / len(parts):6.1f}')
    print()


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split('Usage: ')[1].split('\n')[0])
    parser.add_argument('placed')
    parser.add_argument('--depth', type=int, default=5)
    parser.add_argument('--rows', type=int, default=30)
    parser.add_argument('--nets', type=int, default=20)
    arguments = parser.parse_args()
    _, top = netlist.load(arguments.placed)
    wires = Wires(top, arguments.depth)
    by_kind, by_unit = collections.defaultdict(list), collections.defaultdict(list)
    lengths = {bit: wires.length(bit) for bit, pins in wires.pins.items() if len(pins) > 1}
    for bit, tiles in lengths.items():
        by_kind[wires.kind(bit)].append(tiles)
        by_unit[wires.unit.get(bit, '(no unit)')].append(tiles)
    whole = sum(lengths.values())
    if whole == 0:
        parser.error(f'{arguments.placed}: no cell has a place (nextpnr-ecp5 --write)')
    print(f'{whole} tiles of wire, {len(lengths)} nets, {sum(map(len, wires.pins.values()))} pins\n')
    table('nets that touch', by_kind, whole, 9)
    table('unit', by_unit, whole, arguments.rows)
    print('longest nets: tiles, pins')
    for bit in sorted(lengths, key=lambda b: -lengths[b])[:arguments.nets]:
        print(f'{lengths[bit]:6} {len(wires.pins[bit]):6}  {wires.name.get(bit, f"net {bit}")[-90:]}')


if __name__ == '__main__':
    main()
