"""The farm: campaigns in shards, run here or as Slurm job arrays, with one report. docs/farm.md"""
import fcntl
import hashlib
import json
import os
import shutil
import signal
import sys
import time

import junit_report
import report
import runners
from plan import Places, Wrong, number, read_table, select
from readers import READERS
from shard import write_json

HERE = os.path.dirname(os.path.abspath(__file__))
USAGE = """\
Usage: tools/farm.sh BUILD [OPTION...] [--slurm [SBATCH-OPTION...]]
  runs campaigns in shards and writes BUILD/farm/report.json and report.html; finished shards are
  not run again (docs/farm.md)
  --kinds NAME,...  kinds or parts of the table (default: all that this build has)
  --minutes N       begin no new shard after N minutes
  -j N              N shards at a time (default: the processors; with --slurm: no limit)
  --shards N        the first N shards of each kind (more than the table says where they are endless)
  --work N          units per shard instead of the table's
  --retry           also those again that failed or took too long
  --list            print the kinds, what is missing and what is done, and end
  --report          only write the report again, also while the farm runs
  --junit FILE      the report also as JUnit XML: each shard a test case
  --dir DIR         instead of BUILD/farm;  --table FILE  instead of tools/farm/kinds.ini
  --slurm ...       as job arrays of Slurm; the rest of the line goes to sbatch. BUILD and the source
                    tree must be in a folder that all nodes have at the same place
Exit code 0: nothing failed; 1: something did; 2: wrong arguments; 130: stopped.
"""


class Farm:
    grace = 15  # seconds that a shared folder may take to show a file

    def __init__(self, places):
        self.places, self.dir = places, places.farm

    def job_name(self):
        return "farm-" + hashlib.sha256(self.dir.encode()).hexdigest()[:10]

    @staticmethod
    def status(shard):
        try:
            with open(os.path.join(shard.dir, "status.json"), encoding="utf-8") as f:
                return json.load(f)
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as e:
            return {"name": shard.name, "outcome": "lost", "code": None, "ran": None,
                    "error": f"status.json cannot be read: {e}"}

    def done(self, shard, retry):
        status = self.status(shard)
        good = ("passed",) if retry else ("passed", "failed", "timeout")
        return status is not None and status["outcome"] in good

    def make_folder(self, shard):
        """New, in the place of what an earlier state of programs or inputs left of this shard."""
        parent, stem = os.path.split(os.path.join(self.dir, "shards", shard.stem))
        if os.path.isdir(parent):
            for name in os.listdir(parent):
                if name.startswith(stem) and len(name) == len(stem) + 12:
                    shutil.rmtree(os.path.join(parent, name), ignore_errors=True)
        os.makedirs(shard.dir)
        write_json(os.path.join(shard.dir, "shard.json"), {
            "name": shard.name, "command": shard.command(shard.dir), "limit": shard.kind.limit,
            "read": shard.kind.read, "codes": shard.kind.codes})

    @staticmethod
    def lose(shard, why):
        """It ended without a word; the next call runs it again."""
        write_json(os.path.join(shard.dir, "status.json"),
                   {"name": shard.name, "outcome": "lost", "code": None, "error": why, "ran": None})

    @staticmethod
    def complaint(shard, status):
        what = {"timeout": f"stopped after {shard.kind.limit} s",
                "lost": "lost"}.get(status["outcome"], f"failed with exit code {status['code']}")
        why = f" ({status['error']})" if status["error"] else ""
        return (f"FAILED {shard.name}: {what}{why}\n  output: {shard.dir}/output.txt\n"
                f"  again:  {shard.repeat()}")


def parse(arguments):
    """Options of the line; those behind --slurm are sbatch's."""
    o = {"build": None, "kinds": None, "minutes": None, "j": None, "shards": None, "work": None,
         "dir": None, "table": os.path.join(HERE, "kinds.ini"), "retry": False, "list": False, "junit": None,
         "report": False, "slurm": None}
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        name = word[2:] if word.startswith("--") else word[1:]
        if word == "--slurm":
            o["slurm"], rest = rest, []
        elif word in ("--help", "-h"):
            print(USAGE, end="")
            sys.exit(0)
        elif word in ("--retry", "--list", "--report"):
            o[name] = True
        elif word in ("--kinds", "--dir", "--table", "--junit", "--minutes", "--shards", "--work", "-j"):
            if not rest:
                raise Wrong(f"{word} needs a value")
            value = rest.pop(0)
            if word == "--minutes":
                try:
                    value = float(value)
                except ValueError:
                    raise Wrong(f"{word}: '{value}' is not a number") from None
                if not 0 < value < 1e6:
                    raise Wrong(f"{word}: more than 0")
            elif word == "--junit" and (why := junit_report.writable(value)):
                raise Wrong(f"{word}: {why}")
            elif word in ("--shards", "--work", "-j"):
                value = number(value, word)
                if value == 0:
                    raise Wrong(f"{word}: at least 1")
            o[name] = value
        elif word.startswith("-"):
            raise Wrong(f"unknown option {word}")
        elif o["build"] is not None:
            raise Wrong(f"one build folder, not also '{word}'")
        else:
            o["build"] = word
    if o["build"] is None:
        raise Wrong("which build folder? (--help)")
    if not os.path.isdir(o["build"]):
        raise Wrong(f"no build folder {o['build']}")
    return o


def prepare(farm, kinds, prepared):
    """Runs what the kinds need and has not run in this state; names of what failed, with a reason."""
    bad = {}
    for name in dict.fromkeys(p for k in kinds for p in k.prepare):
        row = prepared[name]
        mark = os.path.join(farm.dir, "prepare", name)
        makes = row.makes.format(build=farm.places.build, root=farm.places.root, farm=farm.dir)
        try:
            with open(os.path.join(mark, "key"), encoding="utf-8") as f:
                ready = f.read() == row.key() and (not makes or os.path.exists(makes))
        except OSError:
            ready = False
        if ready:
            continue
        print(f"farm: preparing {row.about or name}", flush=True)
        shutil.rmtree(mark, ignore_errors=True)
        os.makedirs(mark)
        write_json(os.path.join(mark, "shard.json"),
                   {"name": name, "command": row.fill(), "limit": row.limit, "read": "", "codes": row.codes})
        process, start, said = runners.start(mark), time.monotonic(), 0
        try:
            while process.poll() is None:
                time.sleep(0.05)
                if time.monotonic() - start >= said + runners.PROGRESS_SECONDS:
                    said = time.monotonic() - start
                    runners.say(f"farm: {said:.0f} s: still preparing")
        except runners.Stop:
            process.terminate()
            process.wait()
            raise
        runners.say(f"farm: preparing took {time.monotonic() - start:.0f} s", True)
        if process.returncode != 0 or (makes and not os.path.exists(makes)):
            bad[name] = f"preparing '{name}' failed: see {mark}/output.txt"
            continue
        with open(os.path.join(mark, "key"), "w", encoding="utf-8") as f:
            f.write(row.key())
    farm.places.forget()
    return bad


def choose(farm, o, kinds, prepared):
    """Kinds to run, with their sizes; what this build does not have is left out and said."""
    chosen, left_out = [], {}
    for kind in select(kinds, o["kinds"]):
        kind.choose(o["shards"], o["work"])
        missing = kind.missing() or next(
            (m for m in (prepared[p].missing() for p in kind.prepare) if m), None)
        if missing:
            left_out[kind.name] = f"this build has no {missing}"
        else:
            chosen.append(kind)
    if not chosen:
        raise Wrong("nothing to run: " + "; ".join(f"{n}: {w}" for n, w in left_out.items()))
    return chosen, left_out


def interleave(lists):
    """One of each in turn, so that a short call touches every kind."""
    lists = [list(x) for x in lists]
    while any(lists):
        for x in lists:
            if x:
                yield x.pop(0)


def print_list(farm, kinds, o):
    for kind in select(kinds, o["kinds"]):
        kind.choose(o["shards"], o["work"])
        missing = kind.missing()
        size = f" of {kind.work}" if kind.scaled else ""
        state = f"not in this build: {missing}" if missing else (
            f"{sum(farm.done(s, False) for s in kind.shards())} done")
        print(f"{kind.name:<26} {kind.part:<8} {kind.count:>3} shards{size:<9} {state}\n"
              f"{'':<26} {kind.about}")


def run(o, farm):
    kinds, prepared = read_table(o["table"], farm.places)
    for kind in kinds.values():
        if kind.read not in READERS:
            raise Wrong(f"table: [{kind.name}] read: there is no reader '{kind.read}' ({' '.join(READERS)})")
    if o["list"]:
        print_list(farm, kinds, o)
        return 0
    os.makedirs(farm.dir, exist_ok=True)
    lock = open(os.path.join(farm.dir, "lock"), "w", encoding="utf-8")
    try:
        if not o["report"]:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise Wrong(f"another farm runs in {farm.dir}") from None
    finished, bad, names = True, {}, set()
    calls = report.Calls(farm, kinds)
    if not o["report"]:
        chosen, left_out = choose(farm, o, kinds, prepared)
        names = {k.name for k in chosen} | set(left_out)
        for name, why in left_out.items():
            print(f"farm: left out: {name}: {why}")
        signal.signal(signal.SIGINT, runners.raise_stop)
        signal.signal(signal.SIGTERM, runners.raise_stop)
        try:
            bad = prepare(farm, chosen, prepared)
            for why in bad.values():
                print(f"FAILED {why}")
            ready = [k for k in chosen if not any(p in bad for p in k.prepare)]
            shards = {k.name: list(k.shards()) for k in ready}
            calls.add(ready, {**left_out, **{k.name: bad[p] for k in chosen for p in k.prepare if p in bad}},
                      o["table"])
            todo = [s for s in interleave(shards.values()) if not farm.done(s, o["retry"])]
            had = sum(map(len, shards.values())) - len(todo)
            print(f"farm: {len(todo)} shards to run, {had} are done", flush=True)
            if todo and o["slurm"] is not None:
                finished = runners.run_slurm(farm, todo, o["j"], o["minutes"], o["slurm"])
            elif todo:
                finished = runners.run_local(farm, todo, o["j"] or os.cpu_count(), o["minutes"])
        except runners.Stop:
            finished = False
    result = report.write(farm, kinds, calls)
    asked = [k for k in result["kinds"] if o["report"] or k["name"] in names]
    total = report.sums(asked)
    if o["junit"]:
        junit_report.write(o["junit"], farm, kinds, asked, set(bad.values()))
    print(report.line(total) + f"\nfarm: report: {farm.dir}/report.html")
    if not finished:
        return 130
    return 1 if bad or total["shards"]["bad"] else 0


def main():
    try:
        o = parse(sys.argv[1:])
        build = os.path.realpath(o["build"])
        root = os.path.dirname(os.path.dirname(HERE))
        folder = os.path.realpath(o["dir"]) if o["dir"] else os.path.join(build, "farm")
        return run(o, Farm(Places(root, build, folder)))
    except Wrong as e:
        print(f"farm: {e}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
