"""Runs shards: as local processes, or as tasks of Slurm job arrays. Both start shard.py on a folder
and look at nothing but the status.json it writes."""
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time

from plan import Wrong

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRESS_SECONDS = 8


class Stop(Exception):
    """The user wants it to end."""


def say(line, last=False):
    """On a terminal in the place of the line before."""
    if sys.stdout.isatty():
        print(f"\r\033[K{line}", end="\n" if last else "", flush=True)
    else:
        print(line, flush=True)


class Progress:
    """A line now and then, and one for each shard that did not pass."""

    def __init__(self, farm, todo, minutes):
        self.farm, self.total = farm, len(todo)
        self.start = self.last = time.monotonic()
        self.deadline = self.start + 60 * minutes if minutes is not None else None
        self.passed = self.bad = 0

    def over(self):
        return self.deadline is not None and time.monotonic() >= self.deadline

    def ended(self, shard):
        status = self.farm.status(shard)
        if status["outcome"] == "passed":
            self.passed += 1
            return
        self.bad += 1
        say(self.farm.complaint(shard, status), True)

    def show(self, running, force=False):
        now = time.monotonic()
        if not force and now - self.last < PROGRESS_SECONDS:
            return
        self.last = now
        left = self.total - self.passed - self.bad - running
        say(f"farm: {now - self.start:.0f} s: {self.passed} passed, {self.bad} not, {running} running, "
            f"{left} left", force)


def start(folder):
    """A session of its own: the terminal's Ctrl-C is ours to pass on."""
    return subprocess.Popen([sys.executable, os.path.join(HERE, "shard.py"), folder],
                            stdin=subprocess.DEVNULL, start_new_session=True)


def run_local(farm, todo, jobs, minutes):
    """False: stopped by the user. Shards that run when time is over run to their end."""
    progress = Progress(farm, todo, minutes)
    waiting, running = list(todo), {}
    try:
        while running or (waiting and not progress.over()):
            busy = {s.kind.alone for s in running.values() if s.kind.alone}
            shard = next((s for s in waiting if s.kind.alone not in busy), None)
            if shard and len(running) < jobs and not progress.over():
                waiting.remove(shard)
                farm.make_folder(shard)
                running[start(shard.dir)] = shard
                continue
            time.sleep(0.05)
            for process in [p for p in running if p.poll() is not None]:
                shard = running.pop(process)
                if farm.status(shard) is None:
                    farm.lose(shard, f"its process ended with exit code {process.returncode}")
                progress.ended(shard)
            progress.show(len(running))
    except Stop:
        for process in running:
            process.terminate()
        for process in running:
            process.wait()
        progress.show(0, force=True)
        return False
    progress.show(0, force=True)
    return True


# ---- Slurm

def command(arguments, text=None):
    """Output of a Slurm command; one sentence when it does not work."""
    try:
        done = subprocess.run(arguments, input=text, capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        raise Wrong(f"{arguments[0]} does not answer") from None
    if done.returncode != 0:
        raise Wrong(f"{arguments[0]}: {' '.join(done.stderr.split()) or done.returncode}")
    return done.stdout


class Arrays:
    """The job arrays of one call; task number n of an array runs line n of its list."""

    def __init__(self, farm, jobs, options):
        self.farm, self.jobs, self.options = farm, jobs, options
        self.name = farm.job_name()
        self.ids = []
        lacking = [p for p in ("sbatch", "squeue", "scancel", "scontrol") if not shutil.which(p)]
        if lacking:
            raise Wrong(f"no {lacking[0]}: this machine has no Slurm (apt install slurm-wlm munge)")
        others = command(["squeue", "-h", "-r", "-o", "%i", "--name", self.name]).split()
        if others:
            raise Wrong(f"{len(others)} jobs of an earlier call still run: wait, or scancel --name {self.name}")
        found = re.search(r"MaxArraySize\s*=\s*(\d+)", command(["scontrol", "show", "config"]))
        self.most = max(1, int(found.group(1)) if found else 1000)

    def submit(self, shards):
        """What must run one at a time is an array of its own, or several that wait for each other."""
        groups = {}
        for shard in shards:
            groups.setdefault(shard.kind.alone, []).append(shard)
        for alone, group in groups.items():
            before = None
            for at in range(0, len(group), self.most):
                before = self.submit_one(group[at:at + self.most], alone, before)

    def submit_one(self, shards, alone, before):
        most = 1 if alone else self.jobs
        after = [f"--dependency=afterany:{before}"] if alone and before else []
        for shard in shards:
            self.farm.make_folder(shard)
        folder = os.path.join(self.farm.dir, "slurm")
        os.makedirs(folder, exist_ok=True)
        lines = os.path.join(folder, f"list-{os.getpid()}-{len(self.ids)}.txt")
        with open(lines, "w", encoding="utf-8") as f:
            f.writelines(s.dir + "\n" for s in shards)
        minutes = max(s.kind.limit for s in shards) // 60 + 2
        script = ("#!/bin/sh\nexec python3 " + shlex.quote(os.path.join(HERE, "shard.py")) +
                  f" --list {shlex.quote(lines)} $SLURM_ARRAY_TASK_ID\n")
        out = command(["sbatch", "--parsable", f"--array=0-{len(shards) - 1}" + (f"%{most}" if most else ""),
                       f"--job-name={self.name}", f"--time={minutes}", "--nodes=1", "--ntasks=1",
                       "--no-requeue", f"--chdir={folder}", "--output=task-%A_%a.txt", *after,
                       *self.options], script)
        self.ids.append(out.strip().split(";")[0])
        return self.ids[-1]

    # By name, not by number: a call that is stopped while sbatch runs has no number.
    def scancel(self, *more):
        subprocess.run(["scancel", *more, "--name", self.name], stderr=subprocess.DEVNULL, timeout=120)

    def cancel(self):
        """Running tasks may put things back first; then whatever is left."""
        self.scancel("--state=PENDING")
        for how in (["--full", "--signal=TERM"], []):
            self.scancel(*how)
            end = time.monotonic() + 30
            while (self.queued() or (0, 1))[1] and time.monotonic() < end:
                time.sleep(0.5)

    def queued(self):
        """Tasks (running, all) that Slurm still has; None: it does not say."""
        try:
            states = command(["squeue", "-h", "-r", "-o", "%T", "--name", self.name]).split()
        except Wrong:
            return None
        return sum(s != "PENDING" for s in states), len(states)


def run_slurm(farm, todo, jobs, minutes, options):
    progress = Progress(farm, todo, minutes)
    arrays = Arrays(farm, jobs, options)
    waiting, gone, cut, running, silent = set(todo), None, False, 0, None
    try:
        arrays.submit(todo)
        print(f"farm: {len(todo)} shards as Slurm job{'s' if len(arrays.ids) > 1 else ''} "
              f"{' '.join(arrays.ids)} ({arrays.name})", flush=True)
        while waiting:
            time.sleep(1)
            state = arrays.queued()
            for shard in [s for s in todo if s in waiting and farm.status(s) is not None]:
                waiting.remove(shard)
                progress.ended(shard)
            running = state[0] if state else running
            if state is None:
                silent = silent or time.monotonic()
                if time.monotonic() - silent > 600:
                    raise Wrong("squeue has not answered for 10 minutes; the jobs may go on")
            else:
                silent = None
                # A shared folder may show a result later than Slurm forgets the job.
                gone = (gone or time.monotonic()) if state[1] == 0 else None
            if gone is not None and time.monotonic() - gone > farm.grace:
                break
            if progress.over() and not cut:
                cut = True
                arrays.scancel("--state=PENDING")
            progress.show(min(running, len(waiting)))
    except Stop:
        arrays.cancel()
        progress.show(0, force=True)
        return False
    except Wrong:
        arrays.cancel()
        raise
    for shard in [s for s in todo if s in waiting]:
        if os.path.exists(os.path.join(shard.dir, "output.txt")) or not cut:
            farm.lose(shard, "its Slurm task ended without a result: see "
                      f"{os.path.join(farm.dir, 'slurm')} and sacct")
            progress.ended(shard)
    progress.show(0, force=True)
    return True


def raise_stop(_number, _frame):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise Stop
