"""Place and route of one design with one seed, with nextpnr's own placement and routing (docs/fpga.md, Flow)."""
import json
import re

import child
import netlist
from stages import meta_of

PASS = r'iter=(\d+) wires=(\d+) overused=(\d+)'  # of router2
PROGRESS = [
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

LARGE = 30000  # LUT4 from which a design is large
# For large designs. nextpnr's default placer gathers a large design in one place, and its first router does not come
# to an end on one. With alternative weights alone the price of sharing a wire stays as it is, and the last hundreds of
# shared wires move about without end; with default weights it rises before the nets have spread, and tens of thousands
# stay. A net may go a little farther around than nextpnr allows by itself.
OPTIONS = [['--placer', 'static'], ['--router', 'router2'], ['--router2-alt-weights']]
SETTINGS = {'router2/currCongWeightMult': '0.5', 'router2/bbMargin/x': '6', 'router2/bbMargin/y': '6'}
PATIENCE = 60  # passes of the router without progress
FEW, PATIENCE_FEW = 20, 300  # with so few wires used twice: such passes take a second each
MANY, RISEN = 500, 2  # so many, and so many times the least: no run that rose like this was seen to end


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


def options(large, given):
    """Options for nextpnr: those of large designs where `given` do not name others."""
    named = named_in(given)
    if '--router' in named:
        named.add('--router2-alt-weights')
    return [word for option in OPTIONS if large and option[0] not in named for word in option] + given


def find_clock(top, name):
    """(full name, bit) of the net, or of one that ends in .name."""
    for key, net in top['netnames'].items():
        if key == name or key.endswith('.' + name):
            return key, net['bits'][0]
    raise child.ToolFailed(f'the netlist has no net {name}, a clock of the design file')


def phases(log):
    """Seconds of the placer and of the router as nextpnr tells them."""
    text = log.read_text(errors='replace')
    place = re.findall(r'(?:HeAP|Static) Placer Time: ([\d.]+)s|SA placement time ([\d.]+)s', text)
    router = re.findall(r'(?:Routing|Router\d?) time ([\d.]+)s', text)
    return {'place': round(sum(float(a or b) for a, b in place), 1),
            'route': round(sum(map(float, router)), 1)}


class Job:
    """A design that is synthesised, one seed. `folders`: of its stages, by name."""

    def __init__(self, flow, design, folders, seed, label):
        self.flow, self.design, self.folders, self.seed, self.label = flow, design, folders, seed, label
        self.synthesised, self.reserved = folders['synth'], folders.get('reservation')
        self.pins = (flow.root / design.constraints).read_text() if design.constraints else ''
        self.lut4 = sum(meta_of(f)['counts']['lut4'] for f in (self.synthesised, self.reserved) if f)
        self.large = self.lut4 >= LARGE
        self.given = flow.options.nextpnr.split()
        self.mhz = flow.options.frequency or design.frequency

    def arguments(self, seed):
        size, package, speed = self.design.device
        return ([f'--{size}', '--package', package, '--speed', speed, '--seed', str(seed),
                 '--freq', f'{self.mhz:g}', '--timing-allow-fail', '--json', 'merged.json', '--lpf', 'pins.lpf'] +
                ([] if self.pins else ['--lpf-allow-unconstrained']) + options(self.large, self.given))

    def key(self, seed):
        design = self.design
        return [self.synthesised.name, self.reserved.name if self.reserved else None, design.scan,
                design.reservation if self.reserved else None, design.clocks, self.arguments(seed), self.pins,
                SETTINGS if self.large else {}, self.flow.tools['nextpnr']['version']]

    def merge(self, folder):
        """Writes what is placed: the design with its reservation, with scanned ports, nextpnr's settings; its pins
        and clocks. Counts of cells."""
        design = self.design
        whole, top = netlist.load(self.synthesised / 'netlist.json')
        if design.scan:
            if design.scan not in top['ports']:
                raise child.ToolFailed(f'{design.top} has no port {design.scan} (scan)')
            netlist.scan_ports(top, design.scan)
        if self.reserved:
            _, part = netlist.load(self.reserved / 'netlist.json')
            netlist.add(top, part, 'reservation', 'clk_i', find_clock(top, design.reservation or design.scan)[1])
        top.setdefault('settings', {}).update(SETTINGS if self.large else {})
        netlist.store(folder / 'merged.json', whole)
        clocks = ''.join(f'FREQUENCY NET "{find_clock(top, name)[0]}" {mhz:g} MHZ;\n'
                         for name, mhz in design.clocks.items())
        (folder / 'pins.lpf').write_text(self.pins + clocks)
        return netlist.count(top)

    def nextpnr(self, folder, seed, more, what, prepare=lambda folder: None):
        """One run from the synthesised netlist on. `prepare` may change merged.json."""
        counts = self.merge(folder)
        prepare(folder)
        meta = self.flow.tool('nextpnr', self.arguments(seed) + more, folder, PROGRESS, f'{self.label}: {what}',
                              watch=Routing())
        (folder / 'merged.json').unlink()
        return meta | {'counts': counts, 'phases': phases(folder / 'log.txt')}

    def route(self):
        """Adds to `folders`: route, with routed.config and pnr.json (nextpnr's report)."""
        what = 'place and route'
        self.folders['route'] = self.flow.stage('route', f'{self.label}: {what}', self.key(self.seed), lambda folder:
                                                self.nextpnr(folder, self.seed, ['--textcfg', 'routed.config',
                                                                                 '--report', 'pnr.json'], what))
