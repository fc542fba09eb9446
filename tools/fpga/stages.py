"""The stages of the FPGA flow and their cache (docs/fpga.md, Flow).

A stage's result is a folder BUILD/fpga/cache/STAGE-KEY, KEY a hash of everything it depends on: content
of sources, options, version of the tool. It is made as BUILD/fpga/tmp/... and renamed when complete, so
that a result is there whole or not at all; a run that was stopped goes on with the first stage that
has no result.
"""
import collections
import gzip
import hashlib
import json
import os
import platform
import re
import shutil
import sys
import threading
import time
from pathlib import Path

import child
import legal
import mapping
import netlist
import refined
import sites
import spread
import toolset

LOGS = ('log.txt', 'learn.txt', 'refine.txt', 'wires.txt', 'route.txt')
KEPT = 12  # results kept of each stage, the latest used ones
# Part of every key: raised when a stage's own work changes.
REVISION = 2

SYNTH_PROGRESS = [
    (r'^\d[\d.]*\. Executing (.*?)[.\s]*$', r'\1'),
    (r'^ABC: \+ (&?\w+)', r'ABC: \1'),
    (r'^Running ABC command', r'ABC'),
]
LEARN_PROGRESS = [(r'^reading', 'reading the placement'),
                  (r'^phase (\d+ of \d+): (\d+)', r'sites of block RAM and multipliers: \1, wire length \2')]
REFINE_PROGRESS = [(r'^reading', 'reading the placement'), (r'^(before|(?:phase|round) [\d ]+of \d+): (.*)', r'\1: \2')]
ROUTE_PROGRESS = [(r'^reading', 'reading the placement'),
                  (r'^pass (\d+): (\d+) of (\d+) nets', r'pass \1: net \2 of \3'),
                  (r'^pass (\d+): (.*?), \d+ wires, .*', r'pass \1: \2')]
ASKED = r"Max frequency for clock +'(.*)': .*at ([\d.]+) MHz"  # name, MHz
PASS = r'iter=(\d+) wires=(\d+) overused=(\d+)'  # of router2
PNR_PROGRESS = [
    (r'Packing (\w.*?)\.\.', r'packing \1'),
    (r'Promoting globals', r'promoting clocks'),
    (r'Creating initial analytic placement', r'placing: start'),
    (r'at initial placer iter (\d+), wirelen = (\d+)', r'placing: start \1, wire length \2'),
    (r'iter=(\d+) steplen', r'placing: step \1'),
    (r'Strict legalising', r'placing: into slices'),
    (r'at iteration #(\d+), type ([\w ]+): .*legal = (\d+)', r'placing: iteration \1 (\2), wire length \3'),
    (r'Running simulated annealing placer', r'placing: refinement'),
    (r'at iteration #(\d+): temp.*wirelen = (\d+)', r'placing: refinement \1, wire length \2'),
    (r'Routing globals', r'routing clocks'),
    (r'Routing (\d+) arcs', r'routing: \1 connections'),
    # Columns of the first router: tried | with rip-up of others, without | those since | left | ...
    (r'^Info:\s+(\d+) \|\s+(\d+)\s+\d+ \|[^|]*\|\s+(\d+)\|',
     r'routing: \3 connections left, \2 of \1 attempts ripped up others'),
    (PASS, r'routing: pass \1, \3 wires used twice'),
    (r'Setting up routing queue', r'routing: queue'),
    (r'Critical path report', r'timing'),
    (r'Program finished', r'done'),
]


def digest(*things):
    return hashlib.sha256(json.dumps(things, sort_keys=True).encode()).hexdigest()


class Flow:
    """What all stages share."""

    def __init__(self, root, build, tools, options):
        self.root, self.build, self.tools, self.options = root, build, tools, options
        self.out = build / 'fpga'
        self.stop = threading.Event()
        self.lock = threading.Lock()
        self.busy = collections.defaultdict(threading.Lock)  # of each result that seeds share, while it is made
        self.made = set()  # keys of this run's results

    def say(self, text):
        with self.lock:
            print(f'fpga: {text}', flush=True)

    def clean(self):
        """Leftovers of runs that were killed, and results that are too many."""
        shutil.rmtree(self.out / 'tmp', ignore_errors=True)
        (self.out / 'cache').mkdir(parents=True, exist_ok=True)
        groups = {}
        for folder in (self.out / 'cache').iterdir():
            groups.setdefault(folder.name.rsplit('-', 1)[0], []).append(folder)
        for folders in groups.values():
            folders.sort(key=lambda f: f.stat().st_mtime, reverse=True)
            for folder in folders[KEPT:]:
                shutil.rmtree(folder, ignore_errors=True)

    def stage(self, name, label, inputs, work):
        """The folder with the stage's result: from the cache, or made by work(folder), which
        returns what is to be noted in its meta.json beside key and seconds."""
        key = digest(REVISION, name, inputs)[:20]
        with self.lock:
            busy = self.busy[key]
        with busy:
            return self.make(name, label, key, work)

    def make(self, name, label, key, work):
        done = self.out / 'cache' / f'{name}-{key}'
        if self.stop.is_set():
            raise child.Stopped
        if (done / 'meta.json').exists() and not (self.options.force and key not in self.made):
            os.utime(done)
            self.say(f'{label}: as before ({done.name})')
            return done
        folder = self.out / 'tmp' / f'{name}-{key}'
        shutil.rmtree(folder, ignore_errors=True)
        (folder / 'tmp').mkdir(parents=True)
        self.say(f'{label}: started')
        began = time.monotonic()
        try:
            meta = work(folder) | {'seconds': round(time.monotonic() - began, 1)}
        except child.ToolFailed:
            self.keep_log(folder, name)
            raise
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        shutil.rmtree(folder / 'tmp')
        (folder / 'meta.json').write_text(json.dumps(meta, indent=1) + '\n')
        shutil.rmtree(done, ignore_errors=True)
        folder.rename(done)
        self.made.add(key)
        self.say(f'{label}: done in {child.clock(meta["seconds"])}, {meta["memory"] / 1e9:.1f} GB')
        return done

    def keep_log(self, folder, name):
        logs = [folder / log for log in LOGS if (folder / log).exists()]
        if logs:
            log = max(logs, key=lambda file: file.stat().st_mtime)
            os.replace(log, self.out / f'{name}.failed.log')
            self.say(f'log: {self.out / f"{name}.failed.log"}')
        shutil.rmtree(folder, ignore_errors=True)

    def tool(self, name, arguments, folder, rules, label, log='log.txt', watch=None):
        """Runs a tool, or a Python program of this folder, in `folder`; {'memory', 'tool'}."""
        tool = self.tools.get(name, {'command': [sys.executable, str(Path(__file__).parent / name)],
                                     'version': platform.python_version()})
        seconds, peak = child.run(
            name, tool['command'] + arguments, folder, folder / log, rules, label, self.say, self.stop,
            limit=self.options.memory * 1e9, watch=watch,
            env={'TMPDIR': str(folder / 'tmp'), 'YOWASP_CACHE_DIR': str(self.build / 'tools/yowasp')})
        return {'memory': peak, 'tool_seconds': round(seconds, 1), 'tool': f'{name} {tool["version"]}'}


# Of the area tool's structures (tools/yosys_rtl.py) the first: the second takes as long again and was
# 0.05 % smaller on the board.
MAP = f'+&scorr;&sweep;{mapping.STRUCTURE}'


def script(design, source_hash, options):
    """Yosys' script."""
    return '\n'.join([
        design.read_command(source_hash),
        # Left alone, abc9 maps for least delay and duplicates logic.
        f'scratchpad -set abc9.D {options.map_ps}',
        f'scratchpad -set abc9.script {MAP}',
        'scratchpad -set abc9.verify false',
        f'synth_ecp5 -top {design.top} -abc9',
        'check -mapped',
        # What is not needed behind this and makes the file several times as large.
        'setattr -unset src -unset keep_hierarchy w:* c:*',
        'write_json netlist.json',
        ''])


def synth(flow, design, label):
    """Folder with netlist.json and counts in meta.json."""
    source_hash = design.source_hash()
    text = script(design, source_hash, flow.options)

    def work(folder):
        (folder / 'src').symlink_to(flow.root)
        (folder / 'gen').symlink_to(flow.build / 'gen')
        (folder / 'synth.ys').write_text(text)
        yosys = flow.tools['yosys']
        arguments = ['synth.ys'] if yosys['from'] == 'wheel' else ['-s', 'synth.ys']
        meta = flow.tool('yosys', arguments, folder, SYNTH_PROGRESS, f'{label}: synthesis')
        whole, top = netlist.load(folder / 'netlist.json')
        legal.mend(top)
        legal.tie_addresses(top)
        netlist.store(folder / 'netlist.json', whole)
        (folder / 'src').unlink()
        (folder / 'gen').unlink()
        return meta | {'counts': netlist.count(top), 'source_hash': source_hash}

    return flow.stage('synth', f'{label}: synthesis', [text, source_hash, flow.tools['yosys']['version'],
                                                       Path(legal.__file__).read_text()], work)


def meta_of(folder):
    return json.loads((folder / 'meta.json').read_text())


def find_clock(top, name):
    """(full name, bit) of the net, or of one that ends in .name."""
    for key, net in top['netnames'].items():
        if key == name or key.endswith('.' + name):
            return key, net['bits'][0]
    raise child.ToolFailed(f'the netlist has no net {name}, a clock of the design file')


# For large designs. With alternative weights alone the price of sharing a wire stays as it is, and the last
# hundreds of shared wires move about without end; with default weights it rises before the nets have
# spread, and tens of thousands stay. A net may go a little farther around than nextpnr allows by itself.
ROUTER = {'router2/currCongWeightMult': '0.5', 'router2/bbMargin/x': '6', 'router2/bbMargin/y': '6'}
PATIENCE = 60  # passes of the router without progress
FEW, PATIENCE_FEW = 20, 300  # with so few wires used twice: such passes take a second each
MANY, RISEN = 500, 2  # so many, and so many times the least: of no run that rose like this it was seen to end


NO_WAY = r'^\d+ wires are used twice after'  # the router's last word


class DoesNotRoute(child.ToolFailed):
    """The router does not come to its end; with another seed it may."""

    def __init__(self, text):
        super().__init__(f'does not route: {text} (the device has too few wires where the cells are; another '
                         'seed may do)', 3)


class Routing:
    """Watches the router: ends it where it does not come nearer to its end."""

    def __init__(self):
        self.least, self.at = None, 0

    def __call__(self, line):
        found = re.search(PASS, line)
        if not found:
            return
        number, shared = int(found[1]), int(found[3])
        if self.least is None or shared < self.least:
            self.least, self.at = shared, number
        patience = PATIENCE if self.least > FEW else PATIENCE_FEW
        least = f'{self.least} wires used twice after {self.at} passes'
        if number - self.at >= patience:
            raise DoesNotRoute(f'{least}, and not fewer in the {patience} passes since')
        if self.least >= MANY and shared > RISEN * self.least:
            raise DoesNotRoute(f'{least}, and rising, {shared} after {number}')


def named_in(given):
    return {word.split('=')[0] for word in given}


def pnr_options(large, given):
    """Options for nextpnr: those of large designs where `given` do not name others. Its own placer gathers a
    large design in one place, and the first router does not come to an end on one."""
    wanted = [['--placer', 'static'], ['--router', 'router2'], ['--router2-alt-weights']]
    named = named_in(given)
    if '--router' in named:
        named.add('--router2-alt-weights')
    return [word for option in wanted if large and option[0] not in named for word in option] + given


# LUT4 from which on refinement and router have other options (docs/fpga.md, Flow).
FULL = [(spread.MOST, ['trees=1', 'crowded=60', 'price=24', 'polish=40', 'aim=18.5'],
         ['aim=19.6', 'other=19.6', 'growth=1.12', 'passes=400']),
        (48000, ['price=20'], [])]
PACKED = ('refined.json', 'placed.config')  # by gzip: 140 MB of a large design become 12
PLACEMENTS = 3  # of a large design
LEARN_SEED = 1  # of all but the last of them: what they tell serves every seed, and takes as long as the rest
REFINE = 'tools/fpga/refine/wl_refine'  # below the build tree
ROUTE = 'tools/fpga/route/wl_route'
CONSTANTS = 'tools/fpga/route/wl_constants'
ROUTE_SOURCES = ['tools/fpga/routed.py'] + [f'tools/fpga/route/{name}' for name in (
    'route.h', 'negotiate.h', 'chip.c', 'graph.c', 'look.c', 'nets.c', 'search.c', 'weigh.c', 'negotiate.c',
    'main.c', 'constants.c')]
REFINE_SOURCES = ['tools/fpga/refined.py'] + [f'tools/fpga/refine/{name}' for name in (
    'refine.h', 'input.c', 'placement.c', 'tile.c', 'timing.c', 'wire.c', 'move.c', 'anneal.c',
    'chain.c', 'polish.c', 'main.c')]


def merged(folder, design, synthesised, reserved, hints, spaced, settings):
    """Writes the netlist that is placed: the design with its reservation, with scanned ports, the sites that
    `hints` name (learn.py), cells kept apart if `spaced`, nextpnr's settings. Counts of cells, constraints
    of the design's clocks."""
    whole, top = netlist.load(synthesised / 'netlist.json')
    if design.scan:
        if design.scan not in top['ports']:
            raise child.ToolFailed(f'{design.top} has no port {design.scan} (scan)')
        netlist.scan_ports(top, design.scan)
    if reserved:
        _, part = netlist.load(reserved / 'netlist.json')
        netlist.add(top, part, 'reservation', 'clk_i', find_clock(top, design.reservation or design.scan)[1])
    counts = netlist.count(top)
    sites.fix(top, hints['sites'])
    if spaced:
        spread.block(top, design.device[0], hints['crowded'])
    top.setdefault('settings', {}).update(settings)
    netlist.store(folder / 'merged.json', whole)
    return counts, ''.join(f'FREQUENCY NET "{find_clock(top, name)[0]}" {mhz:g} MHZ;\n'
                           for name, mhz in design.clocks.items())


def route(flow, design, folders, seed, label):
    """Adds to `folders` (synth, reservation): route, with routed.config and pnr.json (nextpnr's report);
    place, with what earlier placements tell, where the design is placed more than once; refined, with the
    netlist that is routed, where it is refined."""
    options, synthesised, reserved = flow.options, folders['synth'], folders.get('reservation')
    text = (flow.root / design.constraints).read_text() if design.constraints else ''
    size, package, speed = design.device
    lut4 = sum(meta_of(f)['counts']['lut4'] for f in (synthesised, reserved) if f)
    spaced = options.spread == 'yes' or (options.spread == 'auto' and spread.wanted(lut4, size))
    if spaced and size not in spread.SLICES:
        raise child.ToolFailed(f'--spread: the slices of {size} are not known', 2)
    large = lut4 >= spread.LARGE
    given = options.nextpnr.split()
    placements = options.placements or (PLACEMENTS if sites.known(size) and (large or spaced) else 1)
    if placements > 1 and not sites.known(size):
        raise child.ToolFailed(f'--placements: the sites of {size} are not known', 2)
    refining = options.refine == 'yes' or (options.refine == 'auto' and large)
    if refining and not (flow.build / REFINE).exists():
        raise child.ToolFailed(f'no {flow.build / REFINE} (cmake --build {flow.build} --target wl_refine; or '
                               '--refine no)', 2)
    crowding, easing = full_options(lut4)
    own = options.route == 'own' or (options.route == 'auto' and refining and '--router' not in named_in(given))
    if own and not refining:
        raise child.ToolFailed('--route own needs a refined placement (--refine yes)', 2)
    for program in (ROUTE, CONSTANTS) if own else ():
        if not (flow.build / program).exists():
            raise child.ToolFailed(f'no {flow.build / program} (cmake --build {flow.build} --target '
                                   f'{program.rsplit("/", 1)[1]}; or --route nextpnr)', 2)
    chip = toolset.chip(size, flow.build) if own else None
    settings = ROUTER if large else {}
    # What is refined is placed for wire alone: by criticality the placer weighs nearly all connections alike.
    by_wire = ['--no-tmdriv'] if refining and '--no-tmdriv' not in given else []
    write = [] if '--write' in given else ['--write', 'placed.json']
    placed_json = (given + write)[(given + write).index('--write') + 1]

    def arguments(seed):
        return ([f'--{size}', '--package', package, '--speed', speed, '--seed', str(seed),
                 '--freq', f'{options.frequency or design.frequency:g}', '--timing-allow-fail',
                 '--json', 'merged.json', '--lpf', 'pins.lpf'] + ([] if text else ['--lpf-allow-unconstrained']) +
                pnr_options(large, given))

    def keys(seed):
        return [synthesised.name, reserved.name if reserved else None, design.scan,
                design.reservation if reserved else None, design.clocks, arguments(seed), by_wire, text, settings,
                flow.tools['nextpnr']['version'], placements,
                [Path(m.__file__).read_text() for m in (sites, spread)] if spaced or placements > 1 else None]

    def nextpnr(folder, seed, more, hints, what):
        counts, clocks = merged(folder, design, synthesised, reserved, hints, spaced, settings)
        (folder / 'pins.lpf').write_text(text + clocks)
        meta = flow.tool('nextpnr', arguments(seed) + more, folder, PNR_PROGRESS, f'{label}: {what}',
                         watch=Routing())
        (folder / 'merged.json').unlink()
        return meta | {'counts': counts, 'phases': phases(folder / 'log.txt')}

    def place(folder):
        placed = folder / placed_json
        hints, runs = {'sites': {}, 'crowded': []}, []
        for number in range(1, placements):
            what = f'placement {number} of {placements}'
            runs += [nextpnr(folder, LEARN_SEED, ['--no-route'] + by_wire + write, hints, what),
                     flow.tool('learn.py', [placed.name, size, 'hints.json'], folder, LEARN_PROGRESS,
                               f'{label}: {what}', log='learn.txt')]
            placed.unlink()
            hints = json.loads((folder / 'hints.json').read_text())
            if hints['sites']:
                flow.say('{}: {}: wire of block RAM and multipliers: {:,} tiles; {:,} with other sites'
                         .format(label, what, *hints['wire']))
        return together(runs)

    def refine(folder):
        runs = [nextpnr(folder, seed, ['--no-route', '--textcfg', 'placed.config'] + by_wire + write, hints,
                        f'placement {placements} of {placements}')]
        # With the constraints that nextpnr derived while it packed; not in a report before routing.
        asked = dict(re.findall(ASKED, (folder / 'log.txt').read_text(errors='replace')))
        clocks = ''.join(f'FREQUENCY NET "{name}" {mhz} MHZ;\n' for name, mhz in asked.items())
        mhz = sorted(map(float, asked.values())) or [flow.options.frequency or design.frequency]
        # A tenth less, which routing may take more.
        bounds = [f'{900 / mhz[-1]:.1f}', f'{900 / mhz[0]:.1f}']
        # Where constants of block RAM and multipliers go that moved, the chip database tells.
        moving = [size] if own and sites.known(size) else []
        words = [placed_json, *bounds, str(flow.build / REFINE), 'refined.json', *moving, *crowding]
        runs.append(flow.tool('refined.py', words, folder, REFINE_PROGRESS, f'{label}: refinement', log='refine.txt'))
        flow.say(f'{label}: refinement: {refined.summary((folder / "refine.txt").read_text())}')
        (folder / placed_json).unlink()
        if moving:
            (folder / 'refined.json.sites').rename(folder / 'sites.json')
        (folder / 'pins.lpf').write_text(text + clocks)
        for name in PACKED:
            pack_file(folder / name)
        return together(runs) | {'bounds': bounds}

    def connections(folder):
        """Routes what `refine` left."""
        source, last = folders['refined'], 'refined.json'
        told, moving = meta_of(source), (source / 'sites.json').exists()
        for name in PACKED:
            unpack_file(source / name, folder / name)
        for name in ['pins.lpf', 'refine.txt'] + (['sites.json', 'refined.json.inputs'] if moving else []):
            shutil.copyfile(source / name, folder / name)
        runs = []
        if own:
            runs.append(connect(folder, told['bounds']))
            (folder / last).unlink()
            last = 'wired.json'
        again = [last if word == 'merged.json' else word for word in arguments(seed)]
        runs.append(flow.tool('nextpnr', again + ['--no-pack', '--textcfg', 'untied.config', '--report', 'pnr.json'],
                              folder, PNR_PROGRESS, f'{label}: routing', log='route.txt', watch=Routing()))
        moved = refined.constants(str(folder / 'refined.json.inputs'), str(chip),
                                  str(flow.build / CONSTANTS)) if moving else None
        refined.tie(folder / 'placed.config', folder / 'untied.config', folder / 'routed.config', moved)
        for name in (last, 'untied.config', 'placed.config'):
            (folder / name).unlink()
        seconds = phases(folder / 'route.txt')['route'] + (runs[0]['tool_seconds'] if own else 0)
        return together(runs[::-1]) | {'counts': told['counts'], 'phases': told['phases'] | {'route': seconds}}

    def connect(folder, bounds):
        said = []
        try:
            run = flow.tool('routed.py', ['refined.json', str(chip), speed, *bounds, str(flow.build / ROUTE),
                                          'wired.json', *easing], folder, ROUTE_PROGRESS, f'{label}: routing',
                            log='wires.txt', watch=said.append)
        except child.ToolFailed:
            if said and re.match(NO_WAY, said[-1]):
                raise DoesNotRoute(said[-1].strip()) from None
            raise
        flow.say(f'{label}: routing: {said[-1].strip()}')
        for end in ('place', 'nets', 'routes'):
            (folder / f'wired.json.{end}').unlink()
        return run

    hints, last = {'sites': {}, 'crowded': []}, 'placement' if refining else 'place and route'
    if placements > 1:
        folders['place'] = flow.stage('place', f'{label}: placements to learn from', keys(LEARN_SEED), place)
        hints = json.loads((folders['place'] / 'hints.json').read_text())
        last = f'placement {placements} of {placements}' + ('' if refining else ' and routing')
    if not refining:
        folders['route'] = flow.stage('route', f'{label}: {last}', keys(seed), lambda folder: nextpnr(
            folder, seed, ['--textcfg', 'routed.config', '--report', 'pnr.json'], hints, last))
        return
    folders['refined'] = flow.stage('refined', f'{label}: {last} and refinement', [
        keys(seed), texts(flow, REFINE_SOURCES), crowding, own], refine)
    # The version is the chip database's.
    router = texts(flow, ROUTE_SOURCES) + [toolset.pinned_version('nextpnr')] if own else None
    folders['route'] = flow.stage('route', f'{label}: routing', [folders['refined'].name, router, easing], connections)


def texts(flow, sources):
    return [(flow.root / f).read_text() for f in sources]


def full_options(lut4):
    """For refinement and router, beside their defaults: the fuller the device, the dearer wire where it is crowded,
    and paths that are short enough give way."""
    return next((options for least, *options in FULL if lut4 > least), ([], []))


def pack_file(path):
    with open(path, 'rb') as source, gzip.open(f'{path}.gz', 'wb', 1) as out:
        shutil.copyfileobj(source, out)
    path.unlink()


def unpack_file(path, out):
    with gzip.open(f'{path}.gz') as source, open(out, 'wb') as f:
        shutil.copyfileobj(source, f)


def together(runs):
    """What several runs of tools take; else as the first."""
    return runs[0] | {k: fold(run[k] for run in runs) for k, fold in (('memory', max), ('tool_seconds', sum))}


def phases(log):
    """Seconds of the placer and of the router as nextpnr tells them."""
    text = log.read_text(errors='replace')
    place = re.findall(r'(?:HeAP|Static) Placer Time: ([\d.]+)s|SA placement time ([\d.]+)s', text)
    router = re.findall(r'(?:Routing|Router\d?) time ([\d.]+)s', text)
    return {'place': round(sum(float(a or b) for a, b in place), 1),
            'route': round(sum(map(float, router)), 1)}


def pack(flow, design, routed, label):
    """Folder with design.bit."""
    def work(folder):
        meta = flow.tool('ecppack', ['--compress', str(Path('..') / '..' / 'cache' / routed.name /
                                                       'routed.config'), 'design.bit'],
                         folder, [], f'{label}: bitstream')
        if (folder / 'design.bit').stat().st_size < 10000:
            raise child.ToolFailed('ecppack wrote an empty bitstream')
        return meta

    return flow.stage('bitstream', f'{label}: bitstream',
                      [routed.name, flow.tools['ecppack']['version']], work)
