#!/usr/bin/env python3
"""Every snippet of this folder against the recorded verdict of ptxas.
usage: verdict_test.py WARPLOCK [--list | --write-differences | --every N] [FILE.ptxt...]
  rejected by ptxas   `warplock as` must end with 2 and name a line at or behind the snippet's
  accepted by ptxas   it must end with 0, or with 6 and a PTX clause
  a version newer than the recorded ptxas   as `expect` of the snippet says
  a crash of ptxas    nothing is expected
A snippet that Warplock sees otherwise stands in differences.txt with its exit code and the reason;
an entry there that is not needed is an error too. --list prints the exit code and first message,
--every takes each N-th snippet."""
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
GROUP = 64 # snippets that one call of the program assembles
sys.path.insert(0, str(HERE))
import snippets


def run(warplock, group, folder):
    """Exit code and messages of each snippet of the group, by one call; None: the call did not tell."""
    names = [str(pathlib.Path(folder, "%d.ptx" % k)) for k in range(len(group))]
    for name, snippet in zip(names, group):
        pathlib.Path(name).write_text(snippet.source(), encoding="ascii")
    report = pathlib.Path(folder, "report.json")
    call = subprocess.run([warplock, "as", "--strict", "--json", str(report)] + names, capture_output=True, text=True)
    if not report.exists():
        return None if len(group) > 1 else [(call.returncode, call.stderr)]
    told = json.loads(report.read_text())
    first = next((entry["exit"] for entry in told if entry["exit"] != 0), 0)
    if [entry["file"] for entry in told] != names or call.returncode != first: # a sanitizer ended it
        return None if len(group) > 1 else [(call.returncode, call.stderr)]
    return [(entry["exit"], entry["log"].replace(entry["file"], "s.ptx")) for entry in told]


def assemble(warplock, group):
    """The same; if one makes the program crash, each of the group has a call of its own."""
    with tempfile.TemporaryDirectory() as folder:
        results = run(warplock, group, folder)
    return results or [assemble(warplock, [snippet])[0] for snippet in group]


def problem(snippet, verdict, code, text):
    """What is wrong with this exit code and message, or None."""
    error = re.search(r"s\.ptx:(\d+):\d+: error: .*", text)
    if code not in (0, 2, 6):
        return "exit %d" % code
    if code == 2 and (error is None or int(error.group(1)) < snippet.first_line()):
        return "exit 2 without a line of the snippet"
    if code == 6 and not re.search(r"\[PTX [\d.]+\]", text):
        return "exit 6 without a clause"
    if verdict == "reject" and code != 2:
        return "ptxas rejects, exit %d" % code
    if verdict == "accept" and code == 2:
        return "ptxas accepts, exit 2"
    return None


def read_differences():
    table = {}
    for line in (HERE / "differences.txt").read_text(encoding="ascii").splitlines():
        if line and not line.startswith("#"):
            name, code, reason = line.split(None, 2)
            table[name] = (int(code), reason)
    return table


def read_verdicts():
    lines = (HERE / "verdicts.txt").read_text(encoding="ascii").splitlines()
    return dict(line.split()[:2] for line in lines if line and not line.startswith("#"))


def main():
    warplock, *rest = sys.argv[1:]
    show, every = "--list" in rest, 1
    if "--every" in rest:
        at = rest.index("--every")
        every = int(rest.pop(at + 1))
    files = [f for f in rest if not f.startswith("--")] or sorted(HERE.glob("*.ptxt"))
    verdicts, differences = read_verdicts(), read_differences()
    all_of = [s for f in files for s in snippets.read(f)][::every]
    counts, failures, used = {}, 0, set()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        groups = [all_of[k:k + GROUP] for k in range(0, len(all_of), GROUP)]
        results = pool.map(lambda group: assemble(warplock, group), groups)
        for s, (code, text) in zip(all_of, (one for group in results for one in group)):
            verdict = verdicts.get(s.name)
            what = problem(s, s.expect if verdict == "older" else verdict, code, text)
            if s.name not in verdicts:
                what = "no verdict recorded; run ptxas_verdict.py --write"
            elif what is not None and differences.get(s.name, (None,))[0] == code:
                used.add(s.name)
                what = None
            counts[code] = counts.get(code, 0) + 1
            message = (re.findall(r"s\.ptx[^\n]*error: [^\n]*", text) or [text.split("\n")[0]])[0]
            if show:
                print("%-22s %-7s %d  %s | %s" % (s.name, verdicts.get(s.name), code, s.text.strip(),
                                                 message))
            if what is not None:
                failures += 1
                print("%s: %s: %s | %s" % (s.name, what, s.text.strip(), message))
    if len(rest) == 0:
        for name in sorted(set(differences) - used):
            failures += 1
            print("%s: differences.txt lists it, but it does not differ" % name)
    print("%d snippets: %s; %d differ as listed; %d failures" % (
        len(all_of), ", ".join("%d end with %d" % (n, c) for c, n in sorted(counts.items())),
        len(used), failures))
    return failures != 0


sys.exit(main())
