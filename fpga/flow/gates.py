#!/usr/bin/env python3
"""A netlist of the FPGA flow (Yosys' JSON, what place and route reads) as Verilog for Verilator, with
the cells of fpga/sim (docs/fpga.md, Netlist). Needs no tool.

Usage: gates.py NETLIST.json TOP OUT.v [--name NAME] [--sets OUT.txt]

One wire of one bit per net, so that no vector makes a loop where the gates have none. Look-up tables
are written as expressions, all other cells as instances. Nobody drives what is undefined in the
netlist: it becomes x in connections and 0 in initial contents, as in a bitstream.
--name: the module's name (default TOP).
--sets: every set of parameters of the cells that Yosys has no model of, with its count.
"""
import argparse
import functools
import json
import re
import sys
from collections import Counter
from pathlib import Path

VARIABLES = 'ABCD'
# Of cells of which a set of parameters is a mode; contents are none.
CONTENTS = re.compile(r'INIT(VAL.*|\d)?$')


def string_of(value):
    """A parameter as Yosys' JSON has it: bits, or a string; one that looks like bits has a space."""
    if re.fullmatch(r'[01xz]*', value):
        return None
    return value[:-1] if re.fullmatch(r'[01xz]* +', value) else value


def literal(value):
    """Verilog of a parameter."""
    text = string_of(value)
    if text is not None:
        return f'"{text}"'
    bits = re.sub('[xz]', '0', value)
    return f"{len(bits)}'h{int(bits, 2):x}"


def readable(value):
    text = string_of(value)
    return text if text is not None else str(int(re.sub('[xz]', '0', value), 2))


@functools.cache
def table(init, n):
    """Expression of a look-up table of n inputs: cost and text, inputs named A to D. Each input is
    tried as the one that chooses."""
    rows = 1 << n
    whole = (1 << rows) - 1
    if init == 0:
        return 0, "1'b0"
    if init == whole:
        return 0, "1'b1"
    best = None
    for v in range(n):
        low = high = 0
        at = 0
        for row in range(rows):
            if row >> v & 1:
                continue
            low |= (init >> row & 1) << at
            high |= (init >> (row | 1 << v) & 1) << at
            at += 1
        found = choice(v, low, high, n - 1)
        if best is None or found[0] < best[0]:
            best = found
    return best


def renamed(text, v):
    """After the input that was taken out, inputs from number v on are one further."""
    return re.sub('[A-D]', lambda m: VARIABLES[VARIABLES.index(m[0]) + (m[0] >= VARIABLES[v])], text)


def choice(v, low, high, n):
    """v ? high : low, both of the other n inputs."""
    name = VARIABLES[v]
    whole = (1 << (1 << n)) - 1
    if low == high:
        cost, text = table(low, n)
        return cost, renamed(text, v)
    if low == whole ^ high:
        cost, text = table(low, n)
        if cost == 0:
            return (1, name) if low == 0 else (2, f'~{name}')
        return cost + 2, f'({name} ^ {renamed(text, v)})'
    (cost_l, text_l), (cost_h, text_h) = table(low, n), table(high, n)
    text_l, text_h = renamed(text_l, v), renamed(text_h, v)
    if low == 0:
        return cost_h + 2, f'({name} & {text_h})'
    if high == 0:
        return cost_l + 3, f'(~{name} & {text_l})'
    if low == whole:
        return cost_h + 3, f'(~{name} | {text_h})'
    if high == whole:
        return cost_l + 2, f'({name} | {text_l})'
    return cost_l + cost_h + 6, f'(({name} & {text_h}) | (~{name} & {text_l}))'


class Writer:
    def __init__(self, module, name):
        self.module, self.name = module, name
        self.lines, self.used, self.number = [], set(), 0

    def net(self, bit):
        if isinstance(bit, str):
            return f"1'b{bit}"
        self.used.add(bit)
        return f'n{bit}'

    def nets(self, bits):
        names = [self.net(b) for b in reversed(bits)]
        return names[0] if len(names) == 1 else '{' + ', '.join(names) + '}'

    def look_up(self, cell):
        pins = {k: self.net(v[0]) for k, v in cell['connections'].items() if v}
        text = table(int(re.sub('[xz]', '0', cell['parameters']['INIT']), 2), 4)[1]
        text = re.sub(r"[A-D]", lambda m: pins[m[0]], text)
        self.lines.append(f'  assign {pins["Z"]} = {text};')

    def instance(self, cell):
        # Contents that are all 0 are what the cells have anyway.
        given = {k: v for k, v in cell['parameters'].items()
                 if not (k.startswith('INITVAL') and '1' not in v)}
        parameters = ', '.join(f'.{k}({literal(v)})' for k, v in given.items())
        pins = ', '.join(f'.{k}({self.nets(v)})' for k, v in cell['connections'].items() if v)
        self.number += 1
        given = f'#({parameters}) ' if parameters else ''
        self.lines.append(f'  {cell["type"]} {given}c{self.number} ({pins});')

    def write(self, out):
        ports, ties = [], []
        for name, port in self.module['ports'].items():
            width = f'[{len(port["bits"]) - 1}:0] ' if len(port['bits']) > 1 else ''
            if port['direction'] == 'inout':
                sys.exit(f'gates: port {name} is inout: not done')
            ports.append(f'  {port["direction"]} {width}{name}')
            for i, bit in enumerate(port['bits']):
                one = f'{name}[{i}]' if width else name
                if port['direction'] == 'output':
                    ties.append(f'  assign {one} = {self.net(bit)};')
                else:
                    ties.append(f'  assign {self.net(bit)} = {one};')
        for cell in self.module['cells'].values():
            if cell['type'] == '$scopeinfo':
                continue
            if cell['type'].startswith('$'):
                sys.exit(f'gates: the netlist has a cell {cell["type"]}: not mapped')
            if cell['type'] == 'LUT4':
                self.look_up(cell)
            else:
                self.instance(cell)
        with open(out, 'w', encoding='utf-8') as f:
            f.write(f'module {self.name} (\n' + ',\n'.join(ports) + '\n);\n')
            for bit in sorted(self.used):
                f.write(f'  wire n{bit};\n')
            f.write('\n'.join(ties + self.lines) + '\nendmodule\n')


def parameter_sets(module):
    """'TYPE PARAMETER=VALUE ...' of each mode in use, with its count."""
    count = Counter()
    for cell in module['cells'].values():
        if cell['type'] in ('LUT4', '$scopeinfo'):
            continue
        given = ' '.join(f'{k}={readable(v)}' for k, v in sorted(cell['parameters'].items())
                         if not CONTENTS.fullmatch(k))
        signs = ''.join(f' {p}={cell["connections"][p][0]}' for p in ('SIGNEDA', 'SIGNEDB')
                        if p in cell['connections'])
        count[f'{cell["type"]} {given}{signs}'.replace('  ', ' ').rstrip()] += 1
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('netlist', type=Path)
    parser.add_argument('top')
    parser.add_argument('out', type=Path)
    parser.add_argument('--name')
    parser.add_argument('--sets', type=Path)
    args = parser.parse_args()
    design = json.loads(args.netlist.read_text())
    if args.top not in design['modules']:
        sys.exit(f'gates: {args.netlist} has no module {args.top}')
    module = design['modules'][args.top]
    Writer(module, args.name or args.top).write(args.out)
    if args.sets:
        rows = [f'{n} {text}' for text, n in sorted(parameter_sets(module).items())]
        args.sets.write_text('\n'.join(rows) + '\n')


if __name__ == '__main__':
    main()
