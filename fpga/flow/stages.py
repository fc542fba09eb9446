"""The stages of the FPGA flow and their cache (docs/fpga.md, Flow).

A stage's result is a folder BUILD/fpga/cache/STAGE-KEY, KEY a hash of everything it depends on: content
of sources, options, version of the tool. It is made as BUILD/fpga/tmp/... and renamed when complete, so
that a result is there whole or not at all; a run that was stopped goes on with the first stage that
has no result.
"""
import collections
import hashlib
import json
import os
import shutil
import threading
import time
from pathlib import Path

import child
import legal
import mapping
import netlist

LOGS = ('log.txt', 'prepare.txt', 'learn.txt', 'refine.txt', 'wires.txt', 'route.txt', 'tie.txt')
KEPT = 12  # results kept of each stage, the latest used ones
# Part of every key: raised when a stage's own work changes.
REVISION = 2

SYNTH_PROGRESS = [
    (r'^\d[\d.]*\. Executing (.*?)[.\s]*$', r'\1'),
    (r'^ABC: \+ (&?\w+)', r'ABC: \1'),
    (r'^Running ABC command', r'ABC'),
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
        returns what is to be noted in its meta.json next to key and seconds."""
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
        """Runs a tool in `folder`; {'memory', 'tool_seconds', 'tool'}."""
        tool = self.tools[name]
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
        # Place and route does not need these attributes. They make the file several times as large.
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
