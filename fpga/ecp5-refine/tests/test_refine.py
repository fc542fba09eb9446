#!/usr/bin/env python3
"""Usage: test_refine.py PROGRAM WORK. Placements of random small designs, scattered over the device, through
the program: what comes back holds the rules of a tile (told here once more, from nextpnr's), keeps groups
whole and fixed cells where they are, and has less wire and shorter paths by this file's own counts."""
import random
import re
import subprocess
import sys
from pathlib import Path

PROGRAM, WORK = sys.argv[1], Path(sys.argv[2])
LUT, FF, RAM_WRITE, FIXED = range(4)
MUX2, MUX4, MUX4_OF_MUX2, CARRY, RAM, RAM_WRITE_PLACE, RAM_CLK, RAM_WRE, EMPTY = (1 << n for n in range(9))
FROM_M, CONSTANT, CE_INV, GSR, CLK_INV, LSR_INV, ASYNC = (1 << n for n in range(7))
COLUMNS, ROWS = 12, 12  # of the device, the tiles that are used
failed = []


def check(what, good):
    if not good:
        failed.append(what)
        print(f'FAILED: {what}')


class Cell:
    def __init__(self, kind, flags=0, signals=(-1, -1, -1), domain=0):
        self.kind, self.flags, self.signals, self.domain = kind, flags, signals, domain
        self.x = self.y = 0
        self.place, self.group = -1, -1


def legal(cells):
    """The first tile that holds what it cannot, in words, or None."""
    tiles = {}
    for c in cells:
        if c.kind != FIXED:
            at = tiles.setdefault((c.x, c.y), {})
            if (c.kind, c.place) in at:
                return f'two cells in one place of {c.x} {c.y}'
            at[c.kind, c.place] = c
    for where, at in tiles.items():
        ffs = [c for (kind, _), c in at.items() if kind == FF]
        luts = {place: c for (kind, place), c in at.items() if kind == LUT}
        if len({(c.signals[0], c.signals[1], c.flags & (CLK_INV | LSR_INV | ASYNC)) for c in ffs}) > 1:
            return f'two clocks or resets in {where}'
        for c in luts.values():
            if c.flags & RAM and ffs and (bool(c.flags & RAM_CLK) != bool(ffs[0].flags & CLK_INV) or
                                          bool(c.flags & RAM_WRE) != bool(ffs[0].flags & LSR_INV)):
                return f'RAM and flip-flops of other polarity in {where}'
        for first in (0, 2, 4, 6):
            some = [at[FF, p] for p in (first, first + 1) if (FF, p) in at]
            if len({(c.signals[2], c.flags & (GSR | CONSTANT | CE_INV)) for c in some}) > 1:
                return f'two enables in a slice of {where}'
            pair = [luts.get(first), luts.get(first + 1)]
            if all(pair) and bool(pair[0].flags & CARRY) != bool(pair[1].flags & CARRY):
                return f'carry beside logic in {where}'
        for place, c in luts.items():
            if c.flags & MUX2 and place % 2 or c.flags & MUX4 and not place % 2:
                return f'a multiplexer in the wrong half in {where}'
            if c.flags & MUX4_OF_MUX2 and place not in (1, 5):
                return f'a multiplexer of four in the wrong slice in {where}'
            if c.flags & RAM and place > 3:
                return f'RAM in the upper slices of {where}'
            if c.flags & (MUX2 | MUX4) and (FF, place) in at and at[FF, place].flags & FROM_M:
                return f'M for two in {where}'
            if (RAM_WRITE, 4) in at and place in (4, 5) and not c.flags & RAM_WRITE_PLACE:
                return f'logic in the write port of {where}'
    return None


def design(dice):
    """Cells in groups, scattered but legal, one group a tile; nets that join neighbours of a chain."""
    cells, groups = [], []

    def group(*parts):
        """parts: (kind, place, column, flags, signals)."""
        some = []
        for kind, place, column, flags, signals in parts:
            c = Cell(kind, flags, signals)
            c.place, c.original, c.column, c.group = place, place, column, len(groups)
            cells.append(c)
            some.append(c)
        groups.append(some)

    none = (-1, -1, -1)
    for i in range(60):
        reset, enable = dice.choice((-1, 7)), dice.choice((-1, 8, 9))
        what = i % 6
        if what == 0:
            group((LUT, 3, 0, 0, none))
        elif what == 1:
            group((FF, 2, 0, FROM_M, (5, reset, enable)))
        elif what == 2:
            group((LUT, 5, 0, 0, none), (FF, 5, 0, dice.choice((0, CLK_INV)), (5, reset, enable)))
        elif what == 3:
            group((LUT, 2, 0, MUX2, none), (LUT, 3, 0, 0, none))
        elif what == 4 and i < 30:
            group((LUT, 0, 0, MUX2, none), (LUT, 1, 0, MUX4 | MUX4_OF_MUX2, none), (LUT, 2, 0, MUX2, none),
                  (LUT, 3, 0, 0, none))
        elif what == 4:
            group(*[(LUT, p, 0, RAM, none) for p in range(4)], (LUT, 4, 0, RAM_WRITE_PLACE, none),
                  (LUT, 5, 0, RAM_WRITE_PLACE, none), (RAM_WRITE, 4, 0, 0, none))
        else:
            group(*[(LUT, p, x, CARRY, none) for x in (0, 1) for p in range(8)])
    free = [(x, y) for y in range(ROWS) for x in range(0, COLUMNS, 2)]
    dice.shuffle(free)
    for some in groups:
        x, y = free.pop()
        for c in some:
            c.x, c.y = x + c.column, y
    # What the device has besides: places kept empty, which tell where slices are, and pins.
    for y in range(ROWS):
        for x in range(COLUMNS):
            taken = {c.place for c in cells if (c.x, c.y) == (x, y) and c.kind == LUT}
            if 6 not in taken and 7 not in taken:
                c = Cell(LUT, EMPTY)
                c.x, c.y, c.place = x, y, 6
                cells.append(c)
    for corner in ((0, 0), (COLUMNS - 1, ROWS - 1)):
        c = Cell(FIXED)
        c.x, c.y = corner
        cells.append(c)
    first = [cells.index(some[0]) for some in groups]
    nets = [[len(cells) - 2, first[0]]] + [[a, b] for a, b in zip(first, first[1:])] + [[first[-1], len(cells) - 1]]
    nets += [[dice.choice(first)] + dice.sample(range(len(cells) - 2), 3) for _ in range(20)]
    nets = [[n[0]] + sorted(set(n[1:]) - {n[0]}) for n in nets]
    # One long path through the first of the chain, and its end.
    length = 12
    edges = [(i, first[i], i + 1, 200) for i in range(length)] + [(length, first[length], -1, 0)]
    return cells, groups, nets, edges, [(0, 500, 0)]


def text(cells, groups, nets, edges, launches, sites=(((), ()), ((), ()))):
    """sites: of each kind the places and the cells that may take them."""
    lines = [f'{len(cells)} {len(nets)} {len(groups)}']
    for c in cells:
        lines.append(' '.join(map(str, (c.kind, c.x, c.y, c.place, c.flags, *c.signals, c.group, c.domain))))
    lines += [' '.join(map(str, [len(n)] + n)) for n in nets]
    for rows in (edges, launches):
        lines.append(str(len(rows)))
        lines += [' '.join(map(str, row)) for row in rows]
    for places, some in sites:
        lines.append(' '.join(map(str, [len(places)] + [n for place in places for n in place])))
        lines.append(' '.join(map(str, [len(some), *some])))
    return '\n'.join(lines) + '\n'


def wire(cells, nets):
    return sum(max(cells[i].x for i in n) - min(cells[i].x for i in n) +
               max(cells[i].y for i in n) - min(cells[i].y for i in n) for n in nets)


def longest(cells, nets, edges):
    """Tiles that the path goes."""
    return sum(abs(cells[nets[n][0]].x - cells[c].x) + abs(cells[nets[n][0]].y - cells[c].y) for n, c, _, _ in edges)


def run(name, content, *options):
    source, out = WORK / f'{name}.in', WORK / f'{name}.out'
    source.write_text(content)
    out.unlink(missing_ok=True)
    done = subprocess.run([PROGRAM, str(source), str(out), *options], capture_output=True, text=True, check=False)
    return done, out


def one(seed):
    dice = random.Random(seed)
    cells, groups, nets, edges, launches = design(dice)
    check(f'{seed}: the test\'s own placement: {legal(cells)}', legal(cells) is None)
    before, path = wire(cells, nets), longest(cells, nets, edges)
    content = text(cells, groups, nets, edges, launches)
    done, out = run(f'design{seed}', content, 'effort=2000', 'crowded=10000')
    check(f'{seed}: exit {done.returncode}: {done.stderr}', done.returncode == 0)
    if done.returncode:
        return
    first = out.read_text()
    again, out = run(f'design{seed}', content, 'effort=2000', 'crowded=10000')
    check(f'{seed}: another result the second time', out.read_text() == first)
    rows = [tuple(map(int, line.split())) for line in first.splitlines()]
    check(f'{seed}: not every cell once', [r[0] for r in rows] == [i for i, c in enumerate(cells) if c.kind != FIXED])
    for i, x, y, place in rows:
        cells[i].x, cells[i].y, cells[i].place = x, y, place
        if cells[i].kind == RAM_WRITE:
            check(f'{seed}: write port in place {place}', place == 4)
    check(f'{seed}: {legal(cells)}', legal(cells) is None)
    check(f'{seed}: outside of the slices', all(c.x < COLUMNS and c.y < ROWS for c in cells))
    for some in groups:
        base = some[0]
        check(f'{seed}: a group was torn', all(
            c.x - base.x == c.column - base.column and c.y == base.y and
            (c.place - base.place) == (c.original - base.original) for c in some))
    check(f'{seed}: wire {before} -> {wire(cells, nets)}', wire(cells, nets) < 0.6 * before)
    check(f'{seed}: path {path} -> {longest(cells, nets, edges)} tiles', longest(cells, nets, edges) < 0.5 * path)
    told = [line for line in done.stdout.splitlines() if line.startswith('after: ')]
    check(f'{seed}: what it says: {told}', bool(told) and told[0].startswith(f'after: {wire(cells, nets)} tiles'))


def together():
    """Three tables in a row, far from the pins where their path begins and ends, each of the outer two with a
    pin that is a little nearer: only all together gain by going."""
    cells = []
    for x, y in [(1, 1), (2, 1), (7, 6)]:
        cells.append(Cell(FIXED))
        cells[-1].x, cells[-1].y = x, y
    for place in range(3):
        cells.append(Cell(LUT))
        cells[-1].x, cells[-1].y, cells[-1].place, cells[-1].group = 11, 11, place, place
    for y in range(ROWS):
        for x in range(COLUMNS):
            cells.append(Cell(LUT, EMPTY))
            cells[-1].x, cells[-1].y, cells[-1].place = x, y, 6
    begin, end, beside, a, b, c = range(6)
    nets = [[begin, a], [a, b], [b, c], [c, end], [beside, a, c]]
    edges = [(0, a, 1, 200), (1, b, 2, 200), (2, c, 3, 200), (3, end, -1, 0)]
    content = text(cells, [0, 1, 2], nets, edges, [(0, 500, 0)])
    done, out = run('together', content, 'effort=0', 'polish=0', 'crowded=10000')
    aim = float(re.search(r'^after: .*; longest path ([\d.]+) ns', done.stdout, re.M)[1]) + 0.1
    done, out = run('together', content, 'effort=0', 'polish=20', 'crowded=10000', f'aim={aim}')
    check('together: polished though short enough', out.read_text() == ''.join(
        f'{i} {c.x} {c.y} {c.place}\n' for i, c in enumerate(cells) if c.kind != FIXED))
    done, out = run('together', content, 'effort=0', 'polish=20', 'crowded=10000')
    for i, x, y, place in (map(int, line.split()) for line in out.read_text().splitlines()):
        cells[i].x, cells[i].y, cells[i].place = x, y, place
    check(f'together: exit {done.returncode}, {legal(cells)}', done.returncode == 0 and legal(cells) is None)
    check(f'together: {longest(cells, nets, edges)} tiles', longest(cells, nets, edges) < 12)


def apart():
    """Tables that are all wired to one place lie around it; where pins are dear, they go apart."""
    most = []
    for price in (0, 100):
        cells = [Cell(FIXED)]
        cells[0].x = cells[0].y = 6
        for n in range(80):
            cells.append(Cell(LUT))
            cells[-1].x, cells[-1].y, cells[-1].place, cells[-1].group = n % 12, n // 12, 0, n
        for y in range(ROWS):
            for x in range(COLUMNS):
                cells.append(Cell(LUT, EMPTY))
                cells[-1].x, cells[-1].y, cells[-1].place = x, y, 6
        nets = [[i, 0] for i in range(1, 81)]
        content = text(cells, list(range(1, 81)), nets, [], [])
        done, out = run('apart', content, 'effort=4000', 'polish=0', 'crowded=10000', f'pins={price}')
        check(f'apart: exit {done.returncode} {done.stderr}', done.returncode == 0)
        for i, x, y, place in (map(int, line.split()) for line in out.read_text().splitlines()):
            cells[i].x, cells[i].y, cells[i].place = x, y, place
        check(f'apart: {legal(cells)}', legal(cells) is None)
        most.append(max(sum(abs(c.x - x) <= 2 and abs(c.y - y) <= 2 for c in cells[1:81])
                        for x in range(COLUMNS) for y in range(ROWS)))
    check(f'apart: {most} tables in five by five tiles', 1.5 * most[1] < most[0])


def chained():
    """A long carry chain far from what it is wired to, where tables lie that would rather stay there and places
    are kept empty: it goes there, and the tables lie close by."""
    cells, nets, groups = [], [], 1
    target = Cell(FIXED)
    target.x, target.y = 8, 9
    cells.append(target)
    for x in range(4):
        for place in range(8):
            cells.append(Cell(LUT, CARRY))
            cells[-1].x, cells[-1].place, cells[-1].group = x, place, 0
            nets.append([len(cells) - 1, 0])
    chain, tables = cells[1:], []
    for y in range(ROWS):
        for x in range(COLUMNS):
            if y == 0 and x < 4:
                continue
            pin = Cell(FIXED)
            pin.x, pin.y = x, y
            cells.append(pin)
            pins = len(cells) - 1
            for place in range(4):
                cells.append(Cell(LUT))
                cells[-1].x, cells[-1].y, cells[-1].place, cells[-1].group = x, y, place, groups
                tables.append((cells[-1], pin))
                nets += [[len(cells) - 1, pins]] * 3
                groups += 1
            for place in (6, 7):
                cells.append(Cell(LUT, EMPTY))
                cells[-1].x, cells[-1].y, cells[-1].place = x, y, place
    done, out = run('chained', text(cells, range(groups), nets, [], []), 'effort=4000', 'polish=0', 'crowded=10000',
                    'pins=0')
    check(f'chained: exit {done.returncode} {done.stderr}', done.returncode == 0)
    for i, x, y, place in (map(int, line.split()) for line in out.read_text().splitlines()):
        cells[i].x, cells[i].y, cells[i].place = x, y, place
    check(f'chained: {legal(cells)}', legal(cells) is None)
    check('chained: not in a row', [(c.x - chain[0].x, c.y, c.place) for c in chain] ==
          [(k // 8, chain[0].y, k % 8) for k in range(32)])
    check(f'chained: lies at {chain[0].x} {chain[0].y}', abs(chain[0].x + 1.5 - target.x) + abs(chain[0].y - target.y) < 4)
    far = sorted(abs(c.x - pin.x) + abs(c.y - pin.y) for c, pin in tables)
    check(f'chained: tables {far[-40:]} tiles away', sum(far) < 64)


def blurred(table, reach):
    """Means over the tiles up to `reach` to each side, as far as there are any."""
    def line(of):
        return [sum(of[max(0, i - reach):i + reach + 1]) for i in range(len(of))]

    def tiles(size):
        return [min(size, i + reach + 1) - max(0, i - reach) for i in range(size)]

    rows = [line(row) for row in table]
    columns = [line(column) for column in zip(*rows)]
    return [[columns[x][y] / across / down for x, across in enumerate(tiles(128))] for y, down in enumerate(tiles(97))]


def demand(boxes, reach):
    """Most in one tile, by hand: boxes (x0, x1, y0, y1, weight), each half its circumference evenly over it."""
    table = [[0.0] * 128 for _ in range(97)]
    for x0, x1, y0, y1, weight in boxes:
        for y in range(y0, y1 + 1):
            for x in range(x0, x1 + 1):
                table[y][x] += weight * (x1 - x0 + y1 - y0) / ((x1 - x0 + 1) * (y1 - y0 + 1))
    return max(map(max, blurred(blurred(table, reach), reach)))


def laid():
    """Nets along two sides of a rectangle, of which there is one shortest tree only, with a few and with very many
    pins: what the program says is most in one tile, nets as boxes and as trees."""
    for pins, copies in ((3, 900), (6, 900), (40, 600), (300, 40)):
        cells = []
        corner, end = (20, 30), (80, 75)
        across = (pins - 1) // 2
        at = [(end[0] - (end[0] - corner[0]) * n // across, corner[1]) for n in range(across)] + [corner] + \
             [(corner[0], corner[1] + (end[1] - corner[1]) * n // (pins - 1 - across)) for n in range(1, pins - across)]
        for x, y in at:
            cells.append(Cell(FIXED))
            cells[-1].x, cells[-1].y = x, y
        weight = 1 if pins <= 3 else 1 + 0.0372 * (pins - 3) if pins < 50 else 2.79
        box = corner[0], end[0], corner[1], end[1]
        boxes = [(*box, copies)]
        edges = [(min(a[0], b[0]), max(a[0], b[0]), min(a[1], b[1]), max(a[1], b[1]), copies)
                 for a, b in zip(at, at[1:])]
        if pins <= 3 or pins > 256:
            edges = [(*box, copies * weight)]
        cells.append(Cell(LUT))
        cells[-1].x, cells[-1].y, cells[-1].place, cells[-1].group = 1, 1, 0, 0
        content = text(cells, [0], [list(range(pins))] * copies, [], [])
        for trees, most in ((0, demand(boxes, 4)), (1, demand(edges, 3))):
            done, _ = run('laid', content, 'effort=0', 'polish=0', f'trees={trees}')
            said = re.search(r'^before: .*, most in one tile (\d+);', done.stdout, re.M)
            check(f'laid: {pins} pins, trees={trees}: {said and said[1]}, not {most}',
                  said is not None and abs(int(said[1]) - most) <= 0.5 + 0.01 * most)


def aimed():
    """Paths that are short enough cost nothing: less wire, longer paths; nothing is polished."""
    sums = []
    for aim in (0, 1000):
        sums.append([0, 0])
        for seed in range(11, 15):
            cells, groups, nets, edges, launches = design(random.Random(seed))
            done, out = run('aimed', text(cells, groups, nets, edges, launches), 'effort=2000', 'crowded=10000',
                            'time=20', 'polish=0', f'aim={aim}')
            check(f'aimed: exit {done.returncode} {done.stderr}', done.returncode == 0)
            for i, x, y, _ in (map(int, line.split()) for line in out.read_text().splitlines()):
                cells[i].x, cells[i].y = x, y
            sums[-1][0] += wire(cells, nets)
            sums[-1][1] += longest(cells, nets, edges)
    print(f'aim 0: wire, path {sums[0]}; aim 1000: {sums[1]}')
    check(f'aimed: {sums}', sums[1][0] < sums[0][0] and sums[1][1] > sums[0][1])


SITES = [[(x, 3) for x in range(1, 11)], [(x, y) for y in (1, 9) for x in range(2, 10, 2)]]


def large():
    """Cells on sites of two kinds, each wired to a pin of its own; ([cells], nets, cells of each kind)."""
    cells, nets, some = [], [], [[], []]
    for kind, count in ((0, 10), (1, 3)):
        for n in range(count):
            pin, cell = Cell(FIXED), Cell(FIXED)
            cell.x, cell.y = SITES[kind][n]
            pin.x, pin.y = (9 - n + 1, 4) if kind == 0 else (9, 8)
            nets.append([len(cells), len(cells) + 1])
            some[kind].append(len(cells) + 1)
            cells += [pin, cell]
    cells.append(Cell(LUT))  # there is nothing to refine without one
    cells[-1].x, cells[-1].y, cells[-1].place, cells[-1].group = 1, 5, 0, 0
    return cells, nets, some


def on_sites():
    """Sites of one kind are all taken, so that cells change places; of the other kind some are free."""
    cells, nets, some = large()
    content = text(cells, [0], nets, [], [], list(zip(SITES, some)))
    before = wire(cells, nets)
    done, out = run('sites', content, 'effort=400000', 'polish=0', 'crowded=10000')
    check(f'sites: exit {done.returncode} {done.stderr}', done.returncode == 0)
    if done.returncode:
        return
    rows = [tuple(map(int, line.split())) for line in out.read_text().splitlines()]
    check('sites: not every cell that moves once', sorted(r[0] for r in rows) == sorted(some[0] + some[1] +
                                                                                       [len(cells) - 1]))
    for i, x, y, place in rows:
        cells[i].x, cells[i].y = x, y
        check(f'sites: {i} in place {place}', (place == -1) == (cells[i].kind == FIXED))
    for kind in (0, 1):
        at = [(cells[i].x, cells[i].y) for i in some[kind]]
        check(f'sites: {at} of kind {kind}', len(set(at)) == len(at) and set(at) <= set(SITES[kind]))
    # Those of kind 0 right above their pins, of kind 1 the three nearest sites.
    check(f'sites: wire {before} -> {wire(cells, nets)}', wire(cells, nets) == 10 + 2 + 4 + 6)


def refused():
    good = text(*design(random.Random(1)))
    cells, nets, some = large()
    for name, wrong in (('strange', [(SITES[0], some[1]), (SITES[1], some[0])]),
                        ('same', [(SITES[0], some[0][:1] * 2), (SITES[1], [])]),
                        ('slice', [([(1, 5)], [len(cells) - 1]), (SITES[1], [])]),
                        ('many', [(SITES[0][:1], some[0]), (SITES[1], [])])):
        done, out = run(name, text(cells, [0], nets, [], [], wrong))
        check(f'{name}: exit {done.returncode} {done.stderr}', done.returncode == 1 and
              done.stderr.startswith('refine: error: ') and not out.exists())
    for name, content in (('empty', ''), ('short', good[:len(good) // 2]), ('word', good.replace('\n', ' x ', 3)),
                          ('twice', double(good)), ('large', '99999999999 1 1\n')):
        done, out = run(name, content)
        check(f'{name}: exit {done.returncode} {done.stderr}', done.returncode == 1 and
              done.stderr.startswith('refine: error: ') and not out.exists())
    for word in ('effort', 'effort=', 'effort=-1', 'effort=2x', 'nothing=3', 'time=-1'):
        done, out = run('option', good, word)
        check(f'{word}: exit {done.returncode}', done.returncode == 2 and word in done.stderr and not out.exists())
    done = subprocess.run([PROGRAM], capture_output=True, check=False)
    check('no argument', done.returncode == 2)
    done = subprocess.run([PROGRAM, '--help'], capture_output=True, text=True, check=False)
    check('help', done.returncode == 0 and 'effort=' in done.stdout)
    done = subprocess.run([PROGRAM, str(WORK / 'none'), 'out'], capture_output=True, check=False)
    check('no file', done.returncode == 1)


def double(content):
    """Two cells in one place."""
    lines = content.splitlines()
    lines[2] = lines[1]
    return '\n'.join(lines) + '\n'


WORK.mkdir(parents=True, exist_ok=True)
for number in range(1, 7):
    one(number)
together()
apart()
chained()
laid()
aimed()
on_sites()
refused()
sys.exit(1 if failed else 0)
