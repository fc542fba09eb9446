#!/usr/bin/env python3
"""The FPGA flow: synthesis, place and route, bitstream, report (docs/fpga.md, Flow). Called by
tools/fpga.sh, which lists the exit codes. Needs BUILD/gen (target wl_gen); installs nothing."""
import fcntl
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import child
import improve
import netlist
import pnr
import report
import stages
import toolset
from arguments import BOARD, ROWS, SEEDS, SWEEP, arguments
from design import Design, DesignError

ROOT = toolset.ROOT


class Fail(Exception):
    """An end with a message and an exit code."""

    def __init__(self, text, code):
        super().__init__(text)
        self.code = code


def make_design(options, config):
    design = Design(ROOT, options.build, options.design, config, options.top, options.set)
    if options.device:
        design.device = options.device
    if options.reservation:
        design.reservation = options.reservation
    if options.no_reservation:
        design.reservation = None
    return design


def reservation_design(options):
    design = Design.__new__(Design)
    design.root, design.build, design.path, design.config = ROOT, options.build, None, None
    design.top = 'reservation'
    design.hash_name = design.constraints = design.reservation = design.scan = None
    design.includes, design.defines = [], ['SYNTHESIS']
    design.clocks = design.parameters = design.changed = {}
    design.files = [('src', 'fpga/rtl/reservation.sv')]
    design.device = ['any']
    return design


class Runner:
    """Designs through the stages; keeps what was made for the report."""

    def __init__(self, flow, options):
        self.flow, self.options = flow, options
        self.budget = netlist.Budget(ROOT / 'fpga/budget.txt')
        self.without = []  # texts of the sweep's runs that have no place or no way

    def synth(self, config):
        """(design, folders of what is placed) after synthesis and the budget check."""
        design = make_design(self.options, config)
        label = config or design.top
        folders = {'synth': stages.synth(self.flow, design, label)}
        if self.options.netlist:
            shutil.copyfile(folders['synth'] / 'netlist.json', self.options.netlist)
        reserved, counted = {}, not self.options.no_budget
        if design.reservation and (counted or self.options.place_reservation):
            reserved['reservation'] = stages.synth(self.flow, reservation_design(self.options), 'reservation')
        if counted:
            self.check(design, folders | reserved, label)
        return design, folders | (reserved if self.options.place_reservation else {})

    def check(self, design, folders, label):
        counts = {n: stages.meta_of(f)['counts'] for n, f in folders.items()}
        rows, whole, over = self.budget.check(counts['synth'], counts.get('reservation'))
        print(f'\n{label}\n{report.budget_table(self.budget, rows)}\n', flush=True)
        too_large = [f'{report.NAMES[r]} {whole[r]} > {n}' for r, n in self.budget.rows['device'].items()
                     if whole[r] > n]
        if too_large:
            raise Fail(f'does not fit: {label} needs more than the device has: {", ".join(too_large)}', 3)
        if over:
            raise Fail(f'over the budget of fpga/budget.txt: {label}: {"; ".join(over)} '
                       '(--no-budget goes on)', 3)
        self.flow.say(f'{label}: within the budget')

    def finish(self, design, folders, seed):
        """Place and route and bitstream of one seed; a row of the report."""
        label = f'{design.config or design.top} seed {seed}'
        folders = dict(folders)
        job = pnr.Job(self.flow, design, folders, seed, label)
        if improve.wanted(job):
            improve.Improved(job).route()
        elif self.options.placements or self.options.spread == 'yes':
            raise Fail('--placements and --spread need --route own', 2)
        else:
            job.route()
        folders['bitstream'] = stages.pack(self.flow, design, folders['route'], label)
        row = report.row(self.flow, design, seed, folders)
        board = self.options.design == BOARD and not self.options.top
        name = design.config if board else '.'.join(filter(None, [design.top, design.config]))
        return row, folders['bitstream'] / 'design.bit', name

    def first(self, design, folders, seeds):
        """`finish` with the first of `seeds` that routes."""
        for seed, after in zip(seeds, seeds[1:]):
            try:
                return self.finish(design, folders, seed)
            except pnr.DoesNotRoute as e:
                self.flow.say(f'{design.config or design.top} seed {seed}: {e}')
                self.flow.say(f'going on with seed {after} (--seed {after} begins there)')
        return self.finish(design, folders, seeds[-1])

    def all(self, configs, seeds, one=False):
        """Every configuration with every seed, or with the first that routes (`one`); rows, best bitstream of
        each configuration copied."""
        rows, bits = [], {}
        with ThreadPoolExecutor(max(1, self.options.jobs)) as pool:
            try:
                jobs = []
                for config in configs:
                    made = self.wait(pool.submit(self.synth, config))
                    top = config or made[0].top
                    jobs += ([(top, pool.submit(self.first, *made, seeds))] if one else
                             [(f'{top} seed {seed}', pool.submit(self.finish, *made, seed)) for seed in seeds])
                for label, job in jobs:
                    try:
                        row, bit, name = self.wait(job)
                    except child.ToolFailed as e:
                        if self.options.mode != 'sweep' or e.code != 3:
                            raise
                        self.without.append(f'{label}: {e}')
                        self.flow.say(self.without[-1])
                        continue
                    rows.append(row)
                    worth = (not row['unmet'], row['fmax_least'])
                    if name not in bits or worth > bits[name][0]:
                        bits[name] = (worth, bit, row)
                    report.save(self.flow, [row])
            except BaseException:
                self.flow.stop.set()
                pool.shutdown(wait=True, cancel_futures=True)
                raise
        for name, (_, bit, row) in bits.items():
            target = self.flow.out / f'{name}.bit'
            part = target.with_name(target.name + '.new')
            shutil.copyfile(bit, part)
            part.replace(target)
            # What the board tells of itself; the driver compares it (docs/fpga.md 7).
            report.write(target.with_suffix('.hash'), row['source_hash'][:16] + '\n')
            self.flow.say(f'{target} (seed {row["seed"]})')
        return rows

    @staticmethod
    def wait(job):
        """The result; sleeps in short steps, so that Ctrl-C is taken at once."""
        while not job.done():
            time.sleep(0.1)
        return job.result()

    @staticmethod
    def unmet(rows):
        """Texts of the configurations of which no seed meets what the design's clocks need."""
        texts = []
        for config in dict.fromkeys(r['config'] for r in rows):
            some = [r['unmet'] for r in rows if r['config'] == config]
            if all(some):
                name = config or rows[0]['design']
                texts.append(f'{name}: {"; ".join(min(some, key=len))}')
        return texts


def check_rows(options, configs):
    """Whether each configuration has its generated package."""
    made = sorted(p.name[len('config_'):-len('_pkg.sv')] for p in (options.build / 'gen').glob('config_*_pkg.sv'))
    if not made:
        raise Fail(f'{options.build}/gen has no generated packages; run: make fpga-tools', 2)
    for config in configs:
        if config not in made:
            raise Fail(f'no configuration {config}; there are: {", ".join(made)} (isa/def/config.def)', 2)
        if config not in ROWS:
            print(f'fpga: {config} is not a row for a board ({", ".join(ROWS)}): its synthesis may take hours, and it '
                  'may not fit', flush=True)


def load(flow, options):
    config = (options.config or ROWS)[0]
    bit = flow.out / f'{config}.bit'
    if not bit.exists():
        raise Fail(f'no bitstream {bit}; run: make fpga' + (f' CONFIG={config}' if config != ROWS[0] else ''), 1)
    program = toolset.loader()
    flow.say(f'{program} --board ulx3s {bit}')
    done = subprocess.run([program, '--board', 'ulx3s', *options.loader.split(), str(bit)], check=False)
    if done.returncode:
        raise Fail(f'openFPGALoader ended with {done.returncode}: is the board plugged in, and may this '
                   'user open it (group plugdev or dialout)?', 1)


def run(options):
    flow = stages.Flow(ROOT, options.build, {}, options)
    flow.out.mkdir(parents=True, exist_ok=True)
    if options.mode == 'load':
        return load(flow, options)
    needed = ('yosys',) if options.mode == 'synth' else ('yosys', 'nextpnr', 'ecppack')
    for name in needed:
        flow.tools[name] = toolset.find(name, options.build)
        tool = flow.tools[name]
        flow.say(f'{name} {tool["version"]} ({tool["from"]}; {tool["note"]})')
    if options.mode == 'tools':
        return None
    flow.tools['ecp5-refine'] = toolset.refiner(options.build)
    lock = open(flow.out / 'lock', 'w', encoding='ascii')
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise Fail(f'another run is busy in {flow.out}; wait for it, or use another BUILD', 1) from None
    flow.clean()
    sweep = options.mode == 'sweep'
    configs = options.config or (ROWS if sweep else ROWS[:1])
    seeds = options.seed or (SWEEP if sweep else SEEDS)
    runner = Runner(flow, options)
    if options.no_gen:
        configs = [None]
    else:
        check_rows(options, configs)
    if options.mode == 'synth':
        for config in configs:
            runner.synth(config)
        return None
    rows = runner.all(configs, seeds, one=not sweep and not options.seed)
    print(f'\n{report.runs_table(rows)}\n', flush=True)
    if sweep:
        text = report.sweep_table(rows)
        tools = ', '.join(f'{n} {t["version"]} ({t["from"]})' for n, t in flow.tools.items())
        none = ''.join(f'- {line}\n' for line in runner.without)
        report.write(flow.out / 'sweep.md',
                     f'{text}\n\n{report.runs_table(rows)}\n\n{none}\nTools: {tools}.\n')
        print(f'{text}\n', flush=True)
    if runner.without:
        raise Fail('; '.join(runner.without), 3)
    late = runner.unmet(rows)
    if late:
        raise Fail(f'the bitstream will not work: {"; ".join(late)} (another seed, or a larger CoreDivide in '
                   f'the design file); critical paths: {flow.out}/report.json', 1)
    return None


def interrupt(_number, _frame):
    raise KeyboardInterrupt


def main():
    options = arguments()
    if not options.build.is_dir():
        print(f'fpga: error: no such folder: {options.build}; "make fpga-tools" makes the build tree "build"',
              file=sys.stderr)
        return 2
    options.build = options.build.resolve()
    options.design = options.design.resolve()
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupt)
    try:
        run(options)
        return 0
    except (Fail, child.ToolFailed) as e:
        code, text = e.code, e
    except toolset.ToolError as e:
        code, text = (77 if 'is missing' in str(e) else 2), e
    except (DesignError, ValueError) as e:
        code, text = 1, e
    except OSError as e:
        code, text = 1, f'{e.filename}: {e.strerror}'
    except (KeyboardInterrupt, child.Stopped):
        shutil.rmtree(options.build / 'fpga/tmp', ignore_errors=True)
        code, text = 130, 'stopped; the next run goes on with the stage that was not finished'
    print(f'fpga: error: {text}', file=sys.stderr, flush=True)
    return code


if __name__ == '__main__':
    sys.exit(main())
