"""One shard: runs the command of a shard's folder (shard.json) and writes what became of it
(status.json, last and at once, so that a shard without it is one that has not ended).
   shard.py DIR                  one folder
   shard.py --list FILE NUMBER   the folder in line NUMBER (from 0) of a file: a task of a job array
Stopped by SIGTERM or SIGINT it ends its processes and writes nothing."""
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import time


class Stopped(Exception):
    """By a signal."""


def write_json(path, value):
    """All of it or nothing."""
    with open(path + ".new", "w", encoding="utf-8") as f:
        json.dump(value, f, indent=1)
        f.write("\n")
    os.replace(path + ".new", path)


def session(leader):
    """Its processes, in whatever groups they are (timeout makes one of its own)."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="latin-1") as f:
                field = f.read().rpartition(")")[2].split()  # state, parent, group, session
        except OSError:
            continue
        if field[3] == str(leader) and field[0] != "Z":
            found.append(int(name))
    return found


def end(process):
    """All it has started: politely, since scripts put things back, then not."""
    for sign, seconds in ((signal.SIGTERM, 10), (signal.SIGKILL, 10)):
        for pid in session(process.pid):
            try:
                os.kill(pid, sign)
            except ProcessLookupError:
                pass
        until = time.monotonic() + seconds
        while session(process.pid) and time.monotonic() < until:
            process.poll()
            time.sleep(0.05)
    process.wait()


def wait(process, limit):
    """Exit code, negative a signal; None: the time was over."""
    try:
        return process.wait(limit)
    except subprocess.TimeoutExpired:
        end(process)
        return None


def outcome_of(folder, shard, code, error):
    result = os.path.join(folder, "result")
    good = code in shard["codes"]
    if good and shard["read"] and not os.path.exists(result):
        error = "it ended well but wrote no result"
    return "timeout" if code is None else "passed" if good and not error else "failed", error


def run(folder):
    with open(os.path.join(folder, "shard.json"), encoding="utf-8") as f:
        shard = json.load(f)
    process, told = None, False

    # Only raises: what the signal interrupts may hold the lock that ending the process takes.
    def stopped(_number, _frame):
        nonlocal told
        first, told = not told, True
        if first and process is not None:
            raise Stopped

    signal.signal(signal.SIGTERM, stopped)
    signal.signal(signal.SIGINT, stopped)
    result = os.path.join(folder, "result")
    if os.path.exists(result):
        os.remove(result)
    began, start = time.time(), time.monotonic()
    error = None
    try:
        with open(os.path.join(folder, "output.txt"), "wb") as output:
            try:
                process = subprocess.Popen(shard["command"], cwd=folder, stdin=subprocess.DEVNULL,
                                           stdout=output, stderr=subprocess.STDOUT,
                                           start_new_session=True)
                if told:  # before it had a name
                    raise Stopped
                code = wait(process, shard["limit"])
            except OSError as e:
                code, error = 127, f"cannot start: {e}"
        seconds = time.monotonic() - start
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        outcome, error = outcome_of(folder, shard, code, error)
        job = os.environ.get("SLURM_ARRAY_JOB_ID")
        write_json(os.path.join(folder, "status.json"), {
            "name": shard["name"], "outcome": outcome, "code": code, "error": error, "ran": {
                "began": began, "seconds": round(seconds, 3),
                "cpu_seconds": round(used.ru_utime + used.ru_stime, 3),
                "peak_mib": used.ru_maxrss // 1024, "host": socket.gethostname(),
                "job": f"{job}_{os.environ.get('SLURM_ARRAY_TASK_ID')}" if job else None}})
    except Stopped:
        end(process)
        return 143
    return 0 if outcome == "passed" else 1


def main(arguments):
    if len(arguments) == 3 and arguments[0] == "--list":
        with open(arguments[1], encoding="utf-8") as f:
            return run(f.read().splitlines()[int(arguments[2])])
    if len(arguments) == 1:
        return run(arguments[0])
    print("usage: shard.py DIR | --list FILE NUMBER", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
