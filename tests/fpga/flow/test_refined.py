#!/usr/bin/env python3
"""Usage: test_refined.py ROOT ROUTE ROUTE. Two results of the stage route for one design, placement and seed, the
one refined, the other not: their configurations hold the same cells. Look-up tables are compared but for the
order of inputs, which the router may change: of all, in carry chains of A with B and C with D only."""
import collections
import itertools
import re
import sys
from pathlib import Path

sys.path.insert(0, f'{sys.argv[1]}/tools/fpga')
import refined

LOGIC = list(itertools.permutations(range(4)))
CARRY = [(a, b, c, d) for a, b in ((0, 1), (1, 0)) for c, d in ((2, 3), (3, 2))]
# What tells where a cell lies in its tile, or what tiles its neighbours share.
ELSEWHERE = re.compile(r'SLICE[A-D]\.[A-D][01]MUX|CLK[01]\.CLKMUX|LSR[01]\.(SRMODE|LSRMUX)')


def least(table, orders):
    """The table with the order of inputs that makes it the lowest number."""
    return min(sum((table >> sum((i >> k & 1) << order[k] for k in range(4)) & 1) << i for i in range(16))
               for order in orders)


def read(path):
    """Counter of settings, look-up tables among them."""
    found, tile, slices = collections.Counter(), None, {}
    for line in open(path, encoding='utf-8'):
        words = line.split()
        if line.startswith('.'):
            tile = words[1] if words[0] == '.tile' else None
        if not words or words[0] == 'arc:' or line.startswith(('.tile', '.bram_init')):
            continue
        if len(words) > 2 and words[1].startswith('SLICE'):
            one = slices.setdefault((tile, words[1][:6]), {})
            one[words[1][7:]] = words[2]
        if len(words) > 1 and (ELSEWHERE.fullmatch(words[1]) or words[1].endswith('.INIT')):
            continue
        name = re.sub(r'^(\w+: )SLICE[A-D]', r'\1SLICE', ' '.join(words))
        found[re.sub(r'(REG|INJECT1_)[01]', r'\1', name) if tile else line.strip()] += 1
    for one in slices.values():
        carry = one.get('MODE') == 'CCU2'
        for key in ('K0.INIT', 'K1.INIT'):
            if key in one:
                found['table', carry, least(int(one[key], 2), CARRY if carry else LOGIC)] += 1
    return found


def main():
    folders = sorted(map(Path, sys.argv[2:]), key=lambda f: (f / 'refine.txt').exists())
    usual, moved = (read(f / 'routed.config') for f in folders)
    good = len(folders) == 2 and (folders[1] / 'refine.txt').exists() and not (folders[0] / 'refine.txt').exists()
    for key in sorted(usual.keys() | moved.keys(), key=str):
        if usual[key] != moved[key]:
            good = False
            print(f'FAILED: {key}: {usual[key]} times, refined {moved[key]} times')
    ties = [refined.ties(f / 'routed.config') for f in folders]
    if not ties[0] or ties[0] != ties[1]:
        good = False
        print('FAILED: constants on inputs of block RAM and multipliers')
    if not any(key[0] == 'table' and key[1] for key in usual):
        good = False
        print('FAILED: no carry chain to compare')
    return 0 if good else 1


if __name__ == '__main__':
    sys.exit(main())
