#!/usr/bin/env python3
"""Where the long paths of a netlist are, without place and route (docs/fpga.md, Timing).

Usage: fpga/flow/estimate.py NETLIST.json [--net NS] [--above NS] [--rows N]

NETLIST: what synth_ecp5 wrote, for instance BUILD/fpga/cache/synth-*/netlist.json. Each connection counts
--net (default 0.8 ns), each cell about what an ECP5 of speed grade 6 takes. Prints the longest path between
each pair of units that is longer than --above, with the number of ends. An estimate: place and route
decides, and it has other figures for each connection; what it is for is which units to change.
"""
import argparse
import re

import netlist

FF_OUT, RAM_OUT, LUT, MUX, CARRY, CARRY_IN, RAM_READ = 0.5, 5.6, 0.24, 0.15, 0.07, 0.45, 0.3
MULT, MULT_IN, MULT_OUT = 3.6, 3.0, 0.8


class Paths:
    """Arrival times in ns; edges[z] = [(input, ns)]."""

    def __init__(self, module, net):
        self.module, self.net = module, net
        self.edges, self.arrival, self.ends = {}, {}, []
        for name, cell in module['cells'].items():
            self.cell(name, cell['type'], cell['connections'], cell.get('parameters', {}))
        for port in module['ports'].values():
            for bit in port['bits']:
                if port['direction'] == 'input':
                    self.arrival.setdefault(bit, (0.0, None))
        self.times()

    def edge(self, output, inputs, ns):
        for z in output:
            if isinstance(z, int):
                self.edges.setdefault(z, []).extend((b, ns) for b in inputs if isinstance(b, int))

    def start(self, bits, ns):
        for b in bits:
            if isinstance(b, int):
                self.arrival[b] = (ns, None)

    def end(self, bits, ns, name):
        self.ends.extend((b, ns, name) for b in bits if isinstance(b, int))

    def cell(self, name, kind, pins, parameters):
        def of(*ports):
            return [b for p in ports for b in pins.get(p, [])]
        if kind == 'LUT4':
            self.edge(of('Z'), of('A', 'B', 'C', 'D'), LUT + self.net)
        elif kind in ('PFUMX', 'L6MUX21'):
            self.edge(of('Z'), of('ALUT', 'BLUT', 'D0', 'D1'), MUX)
            self.edge(of('Z'), of('C0', 'SD'), MUX + self.net)
        elif kind == 'CCU2C':
            low, high = of('A0', 'B0', 'C0', 'D0'), of('A1', 'B1', 'C1', 'D1')
            self.edge(of('COUT'), of('CIN'), CARRY)
            self.edge(of('COUT'), low + high, CARRY_IN + self.net)
            self.edge(of('S0', 'S1'), of('CIN'), CARRY_IN)
            self.edge(of('S0'), low, CARRY_IN + self.net)
            self.edge(of('S1'), low + high, CARRY_IN + self.net)
        elif kind == 'TRELLIS_FF':
            self.start(of('Q'), FF_OUT)
            self.end(of('DI', 'CE', 'LSR', 'M'), self.net / 2, name)
        elif kind == 'TRELLIS_DPR16X4':
            self.edge(of('DO'), of('RAD'), RAM_READ + self.net)
            self.end(of('DI', 'WAD', 'WRE'), self.net, name)
        elif kind in netlist.EBR:
            out = [p for p in pins if p.startswith('DO')]
            for p in out:
                late = parameters.get(f'REGMODE_{p[2]}', 'NOREG') == 'NOREG'
                self.start(pins[p], RAM_OUT if late else FF_OUT)
            self.end(of(*(p for p in pins if p not in out)), self.net, name)
        elif kind == 'MULT18X18D':
            out = [p for p in pins if re.fullmatch(r'P\d+', p)]
            into = [p for p in pins if re.fullmatch(r'[AB]\d+', p)]
            registered = [parameters.get(f'REG_{r}_CLK', 'NONE') != 'NONE' for r in ('INPUTA', 'OUTPUT')]
            if registered[1]:
                self.start(of(*out), MULT_OUT)
            elif registered[0]:
                self.start(of(*out), MULT)
            else:
                middle = ('multiplier', name)  # one node for all bits
                self.edges[middle] = [(b, MULT + self.net) for b in of(*into) if isinstance(b, int)]
                for z in of(*out):
                    self.edges.setdefault(z, []).append((middle, 0.0))
            if any(registered):
                self.end(of(*into), self.net if registered[0] else MULT_IN + self.net, name)

    def times(self):
        """Longest arrivals, depth first without recursion; a loop is cut where it closes."""
        under_way = set()
        for root in list(self.edges):
            stack = [root]
            while stack:
                x = stack[-1]
                if x in self.arrival:
                    stack.pop()
                    continue
                if x not in under_way:
                    under_way.add(x)
                    stack += [i for i, _ in self.edges[x] if i in self.edges and i not in self.arrival
                              and i not in under_way]
                    continue
                self.arrival[x] = max(((self.arrival.get(i, (0.0, None))[0] + ns, i)
                                       for i, ns in self.edges[x]), default=(0.0, None))
                stack.pop()

    def at(self, bit):
        return self.arrival.get(bit, (0.0, None))[0]

    def first(self, bit):
        hops = 0
        while self.arrival.get(bit, (0.0, None))[1] is not None:
            bit = self.arrival[bit][1]
            hops += 1
        return bit, hops


def unit(name):
    """Instances of a hierarchical name, the two innermost, without generate blocks."""
    found = re.findall(r'\bu_\w+', name)
    return '.'.join(found[-2:]) if found else name.split('[')[0]


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split('Usage: ')[1].split('\n')[0])
    parser.add_argument('netlist', help='JSON that synth_ecp5 wrote: BUILD/fpga/cache/synth-*/netlist.json')
    parser.add_argument('--net', type=float, default=0.8, metavar='NS', help='of each connection (default: 0.8)')
    parser.add_argument('--above', type=float, default=20.0, metavar='NS', help='only longer paths (default: 20)')
    parser.add_argument('--rows', type=int, default=40, metavar='N', help='most rows (default: 40)')
    arguments = parser.parse_args()
    try:
        _, top = netlist.load(arguments.netlist)
    except (OSError, ValueError) as e:
        parser.error(f'{arguments.netlist}: {getattr(e, "strerror", None) or "not a netlist"}')
    names = netlist.names(top)
    paths = Paths(top, arguments.net)

    def name_of(bit):
        return bit[1] if isinstance(bit, tuple) else names.get(bit, f'net {bit}')
    worst = {}
    for bit, ns, cell in paths.ends:
        time = paths.at(bit) + ns
        if time < arguments.above:
            continue
        begin, hops = paths.first(bit)
        pins = top['cells'][cell]
        end = name_of(pins['connections']['Q'][0]) if pins['type'] == 'TRELLIS_FF' else cell
        key = (unit(name_of(begin)), unit(end))
        count = worst.get(key, (0, 0))[1] + 1
        best = max(worst.get(key, (0,)), (time, 0, hops, name_of(begin), end), key=lambda w: w[0])
        worst[key] = (best[0], count, *best[2:])
    print('ns     ends  cells  from -> to')
    for time, count, hops, begin, end in sorted(worst.values(), reverse=True)[:arguments.rows]:
        print(f'{time:5.1f} {count:6} {hops:6}  {begin} -> {end}')


if __name__ == '__main__':
    main()
