"""Place and route of one design with ecp5-refine (fpga/ecp5-refine): placements that learn from each other, the last
one refined, then routed by its router. nextpnr places, reads, checks and times what the router found, routes the
clocks, and writes the configuration (docs/fpga.md, Flow)."""
import gzip
import json
import re
import shutil
import subprocess

import child
import pnr
import toolset
from stages import meta_of

LEARN_PROGRESS = [(r'^reading', 'reading the placement'),
                  (r'^phase (\d+ of \d+): (\d+)', r'sites of block RAM and multipliers: \1, wire length \2')]
REFINE_PROGRESS = [(r'^reading', 'reading the placement'), (r'^(before|(?:phase|round) [\d ]+of \d+): (.*)', r'\1: \2')]
ROUTE_PROGRESS = [(r'^reading', 'reading the placement'),
                  (r'^pass (\d+): (\d+) of (\d+) nets', r'pass \1: net \2 of \3'),
                  (r'^pass (\d+): (.*?), \d+ wires, .*', r'pass \1: \2')]
ASKED = r"Max frequency for clock +'(.*)': .*at ([\d.]+) MHz"  # name, MHz
NO_WAY = r'^\d+ wires are used twice after'  # the router's last word
PACKED = ('refined.json', 'placed.config')  # by gzip: 140 MB of a large design become 12
TOOL = 'ecp5-refine'


def wanted(job):
    """Whether this job goes through ecp5-refine."""
    options = job.flow.options
    if options.route == 'auto':
        return job.large and '--router' not in pnr.named_in(job.given)
    return options.route == 'own'


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


def summary(text):
    """Of what the refinement says: before and after."""
    found = [re.search(f'^{when}: (.*)', text, re.M) for when in ('before', 'after')]
    return '; then '.join(f[1] for f in found if f)


class Improved:
    """The stages of one job. Adds to `folders`: place, with what earlier placements tell, where there are any; refined,
    with the netlist that is routed; route, with routed.config and pnr.json (nextpnr's report)."""

    def __init__(self, job):
        self.job, self.flow, self.label, self.folders = job, job.flow, job.label, job.folders
        options, self.size = job.flow.options, job.design.device[0]
        self.plan = json.loads(self.ask('plan', self.size, str(job.lut4), options.spread))
        self.placements = options.placements or self.plan['placements']
        self.keys = {step: self.ask('key', step) for step in ('place', 'refine', 'route')}
        self.chip = toolset.chip(self.size, self.flow.build)
        # What is refined is placed for wire alone: by criticality the placer weighs nearly all connections alike.
        self.by_wire = [] if '--no-tmdriv' in job.given else ['--no-tmdriv']
        self.write = [] if '--write' in job.given else ['--write', 'placed.json']
        words = job.given + self.write
        self.placed = words[words.index('--write') + 1]

    def ask(self, *words):
        """What the tool prints."""
        try:
            done = subprocess.run(self.flow.tools[TOOL]['command'] + list(words), capture_output=True, text=True,
                                  check=False)
        except OSError as e:
            raise child.ToolFailed(f'no {e.filename} (cmake --build {self.flow.build} --target {toolset.REFINER_TARGET}; '
                                   'or --route nextpnr)', 2) from None
        if done.returncode:
            raise child.ToolFailed(f'{done.stderr.strip().removeprefix("ecp5-refine: error: ")} (or --route nextpnr)',
                                   done.returncode)
        return done.stdout.strip()

    def key(self, seed):
        return [self.job.key(seed), self.by_wire, self.placements, self.plan['spread'], self.keys['place']]

    def tool(self, words, folder, rules, what, log, watch=None):
        return self.flow.tool(TOOL, words, folder, rules, f'{self.label}: {what}', log=log, watch=watch)

    def prepare(self, hints):
        def change(folder):
            if hints or self.plan['spread']:
                words = ['prepare', 'merged.json', self.size, 'yes' if self.plan['spread'] else 'no']
                self.tool(words + ([str(hints)] if hints else []), folder, [], 'sites', 'prepare.txt')
        return change

    def place(self, folder):
        hints, runs, learn_seed = None, [], self.plan['learn_seed']
        for number in range(1, self.placements):
            what = f'placement {number} of {self.placements}'
            runs += [self.job.nextpnr(folder, learn_seed, ['--no-route'] + self.by_wire + self.write, what,
                                      self.prepare(hints)),
                     self.tool(['learn', self.placed, self.size, 'hints.json'], folder, LEARN_PROGRESS, what,
                               'learn.txt')]
            (folder / self.placed).unlink()
            hints = folder / 'hints.json'
            told = json.loads(hints.read_text())
            if told['sites']:
                self.flow.say('{}: {}: wire of block RAM and multipliers: {:,} tiles; {:,} with other sites'
                              .format(self.label, what, *told['wire']))
        return together(runs)

    def refine(self, folder):
        hints = self.folders['place'] / 'hints.json' if self.placements > 1 else None
        runs = [self.job.nextpnr(folder, self.job.seed, ['--no-route', '--textcfg', 'placed.config'] + self.by_wire +
                                 self.write, f'placement {self.placements} of {self.placements}', self.prepare(hints))]
        # With the constraints that nextpnr derived while it packed; not in a report before routing.
        asked = dict(re.findall(ASKED, (folder / 'log.txt').read_text(errors='replace')))
        clocks = ''.join(f'FREQUENCY NET "{name}" {mhz} MHZ;\n' for name, mhz in asked.items())
        mhz = sorted(map(float, asked.values())) or [self.job.mhz]
        # A tenth less, which routing may take more.
        bounds = [f'{900 / mhz[-1]:.1f}', f'{900 / mhz[0]:.1f}']
        runs.append(self.tool(['refine', self.placed, self.size, 'refined.json', *bounds, *self.plan['refine']], folder,
                              REFINE_PROGRESS, 'refinement', 'refine.txt'))
        self.flow.say(f'{self.label}: refinement: {summary((folder / "refine.txt").read_text())}')
        (folder / self.placed).unlink()
        (folder / 'pins.lpf').write_text(self.job.pins + clocks)
        for name in PACKED:
            pack_file(folder / name)
        return together(runs) | {'bounds': bounds}

    def wire(self, folder, bounds):
        said = []
        try:
            run = self.tool(['route', 'refined.json', str(self.chip), self.job.design.device[2], 'wired.json', *bounds,
                             *self.plan['route']], folder, ROUTE_PROGRESS, 'routing', 'wires.txt', said.append)
        except child.ToolFailed:
            if said and re.match(NO_WAY, said[-1]):
                raise pnr.DoesNotRoute(said[-1].strip()) from None
            raise
        self.flow.say(f'{self.label}: routing: {said[-1].strip()}')
        return run

    def connect(self, folder):
        """Routes what `refine` left."""
        source = self.folders['refined']
        told = meta_of(source)
        for name in PACKED:
            unpack_file(source / name, folder / name)
        for name in ('pins.lpf', 'refine.txt', 'refined.json.inputs', 'refined.json.sites'):
            shutil.copyfile(source / name, folder / name)
        runs = [self.wire(folder, told['bounds'])]
        again = ['wired.json' if word == 'merged.json' else word for word in self.job.arguments(self.job.seed)]
        runs.append(self.flow.tool('nextpnr', again + ['--no-pack', '--textcfg', 'untied.config', '--report',
                                                       'pnr.json'], folder, pnr.PROGRESS, f'{self.label}: routing',
                                   log='route.txt', watch=pnr.Routing()))
        self.tool(['tie', 'refined.json.inputs', str(self.chip), 'placed.config', 'untied.config', 'routed.config'],
                  folder, [], 'constants', 'tie.txt')
        for name in ('refined.json', 'wired.json', 'untied.config', 'placed.config', 'refined.json.inputs'):
            (folder / name).unlink()
        seconds = pnr.phases(folder / 'route.txt')['route'] + runs[0]['tool_seconds']
        return together(runs[::-1]) | {'counts': told['counts'], 'phases': told['phases'] | {'route': seconds}}

    def route(self):
        stage, last = self.flow.stage, f'placement {self.placements} of {self.placements}'
        if self.placements > 1:
            self.folders['place'] = stage('place', f'{self.label}: placements to learn from',
                                          self.key(self.plan['learn_seed']), self.place)
        else:
            last = 'placement'
        self.folders['refined'] = stage('refined', f'{self.label}: {last} and refinement', [
            self.key(self.job.seed), self.keys['refine'], self.plan['refine']], self.refine)
        # The version is the chip database's.
        self.folders['route'] = stage('route', f'{self.label}: routing', [
            self.folders['refined'].name, self.keys['route'], toolset.pinned_version('nextpnr'), self.plan['route']],
            self.connect)
