"""Runs one tool as a child process: its output into a log, a progress line at least every 10 s, its
peak memory, a clean end on Ctrl-C, and what kind of failure it was (docs/fpga.md, Flow)."""
import ctypes
import os
import queue
import re
import signal
import subprocess
import threading
import time

PROGRESS_S = 10
# Messages of nextpnr for a design that this device cannot hold.
NO_ROOM = (r'no BELs remaining|Unable to find legal placement|failed to place chain|'
           r'failed to place cell|too many distinct signals in block|unplaced cell')
NO_MEMORY = r'bad_alloc|[Oo]ut of memory|Cannot allocate memory|MemoryError|memory allocation of'
WASM_LIMIT = 3.5e9  # a WebAssembly program traps when its 4 GB are used up


class ToolFailed(Exception):
    """A tool ended badly; `code` is the flow's exit code."""

    def __init__(self, text, code=1):
        super().__init__(text)
        self.code = code


class Stopped(Exception):
    """The flow is to end: Ctrl-C, or another run failed."""


def die_with_parent():
    """In the child: the kernel kills it when the flow is gone."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def group_memory(group):
    """Resident bytes of all processes of a process group."""
    total = 0
    for name in os.listdir('/proc'):
        if not name.isdigit():
            continue
        try:
            with open(f'/proc/{name}/stat', encoding='ascii', errors='replace') as f:
                fields = f.read().rpartition(')')[2].split()
            if int(fields[2]) == group:
                total += int(fields[21]) * os.sysconf('SC_PAGE_SIZE')
        except OSError:
            pass  # it has ended meanwhile
    return total


def kill_group(process):
    """Ends the child and its children: politely, then not."""
    for number, patience in ((signal.SIGTERM, 2.0), (signal.SIGKILL, 10.0)):
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            return
        try:
            process.wait(patience)
        except subprocess.TimeoutExpired:
            continue
        if number == signal.SIGTERM:
            continue  # the group may hold more than the child itself
        return


def clock(seconds):
    return f'{int(seconds) // 60}:{int(seconds) % 60:02}'


class Progress:
    """What a tool says it is doing: the last line of its output that a row of `rules` matches."""

    def __init__(self, rules):
        self.rules = [(re.compile(pattern), text) for pattern, text in rules]
        self.doing = 'starting'

    def line(self, line):
        for pattern, text in self.rules:
            found = pattern.search(line)
            if found:
                self.doing = found.expand(text)
                return


def read_lines(stream, lines):
    for line in stream:
        lines.put(line)
    lines.put(None)


def why(rc, tail, peak, limit, name):
    """The failure of a tool as one ToolFailed."""
    text = '\n'.join(tail)
    if limit and peak > limit:
        return ToolFailed(f'out of memory: {name} needed more than {limit / 1e9:.1f} GB '
                          f'(--memory); give it more, or close other programs', 4)
    if rc == -signal.SIGKILL or re.search(NO_MEMORY, text) or ('wasm trap' in text and peak > WASM_LIMIT):
        return ToolFailed(f'out of memory: {name} was at {peak / 1e9:.1f} GB when it ended; the machine '
                          'has too little memory free (this is not about the size of the device)', 4)
    errors = [line for line in tail if re.match(r'ERROR|.*error:|Traceback', line)]
    said = errors[0] if errors else (tail[-1] if tail else 'nothing')
    if re.search(NO_ROOM, text):
        room = [line for line in errors if re.search(NO_ROOM, line)]
        return ToolFailed(f'does not fit: {(room or [said])[0].strip()} (the device is too small for '
                          'this design; this is not about memory)', 3)
    return ToolFailed(f'{name} failed (exit {rc}): {said.strip()}', 1)


def run(name, command, folder, log, rules, label, say, stop, limit=0, env=None, watch=None):
    """Runs command in folder. Returns (seconds, peak bytes). Raises ToolFailed or Stopped. `watch` is
    called with each line of output and may raise ToolFailed, which ends the tool."""
    began = told = time.monotonic()
    progress, peak, lines, tail = Progress(rules), 0, queue.Queue(), []
    with open(log, 'w', encoding='utf-8', errors='replace') as out:
        process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                   errors='replace', start_new_session=True,
                                   preexec_fn=die_with_parent, env=os.environ | (env or {}))
        threading.Thread(target=read_lines, args=(process.stdout, lines), daemon=True).start()
        try:
            looked = 0.0
            while True:
                try:
                    line = lines.get(timeout=0.2)
                    if line is None:
                        break
                    out.write(line)
                    progress.line(line)
                    if watch:
                        watch(line)
                    tail = (tail + [line.rstrip()])[-200:]
                except queue.Empty:
                    pass
                now = time.monotonic()
                if stop.is_set():
                    raise Stopped
                if now - looked < 0.5:
                    continue
                looked = now
                peak = max(peak, group_memory(process.pid))
                if limit and peak > limit:
                    break
                if now - told >= PROGRESS_S - 1:
                    told = now
                    say(f'{label} {clock(now - began)}, {peak / 1e9:.1f} GB: {progress.doing}')
            if limit and peak > limit:
                raise why(None, tail, peak, limit, name)
            rc = process.wait()
        finally:
            kill_group(process)
            process.stdout.close()
    if rc:
        raise why(rc, tail, peak, limit, name)
    return time.monotonic() - began, peak
