#!/usr/bin/env python3
"""What ptxas says to the snippets of this folder, recorded in verdicts.txt.
usage: ptxas_verdict.py [--ptxas PROGRAM] --write        renews verdicts.txt
       ptxas_verdict.py [--ptxas PROGRAM] --check        compares (exit 77 without ptxas, or with
                                                         one of another release)
       ptxas_verdict.py [--ptxas PROGRAM] FILE.ptxt...   prints verdict and message of each
--every N: with --check, ptxas is asked for each N-th snippet only"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))
import snippets

OLDEST = 75  # the oldest machine that present releases make code for


def release(ptxas):
    out = subprocess.run([ptxas, "--version"], capture_output=True, text=True, check=True).stdout
    return re.search(r"release (\S+?),", out).group(1)


def ask(ptxas, snippet):
    arch = snippets.architecture(snippet)
    if int(re.search(r"\d+", arch).group()) < OLDEST:
        arch = "sm_%d" % OLDEST
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "s.ptx")
        path.write_text(snippet.source(), encoding="ascii")
        run = subprocess.run([ptxas, "-c", "-O0", "-arch", arch, "-o", os.devnull, str(path)],
                             capture_output=True, text=True)
    message = (run.stdout + run.stderr).strip().replace(str(path), "s.ptx")
    if run.returncode < 0:  # a signal: ptxas crashed and said nothing
        return "crash", message
    newer = re.search(r"Unsupported \.version ([\d.]+); current version is '([\d.]+)'", message)
    if newer and float(newer.group(1)) > float(newer.group(2)):
        return "older", message
    return "accept" if run.returncode == 0 else "reject", message


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--ptxas", default="ptxas")
    ap.add_argument("--write", action="store_true")
    ap.add_argument("--check", action="store_true")
    ap.add_argument("--every", type=int, default=1)
    ap.add_argument("files", nargs="*")
    a = ap.parse_args()
    ptxas = shutil.which(a.ptxas)
    if ptxas is None:
        print("SKIP: no ptxas (apt install nvidia-cuda-toolkit)")
        return 77
    table, version = HERE / "verdicts.txt", release(ptxas)
    head = "# made by ptxas_verdict.py --write with ptxas release %s\n" % version
    if a.check and not table.read_text(encoding="ascii").startswith(head):
        print("SKIP: verdicts.txt is of another ptxas than release %s" % version)
        return 77
    files = a.files or sorted(HERE.glob("*.ptxt"))
    whole = [s for f in files for s in snippets.read(f)]
    all_of = whole[::a.every] if a.check else whole
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda s: ask(ptxas, s), all_of))
    if not a.write and not a.check:
        for s, (verdict, message) in zip(all_of, answers):
            print("%-22s %s  %s | %s" % (s.name, verdict, s.text.strip(), message.split("\n")[0]))
        return 0
    text = head + "".join("%s %s\n" % (s.name, v) for s, (v, _) in zip(all_of, answers))
    if a.write:
        table.write_text(text, encoding="ascii")
        return 0
    old, new = table.read_text(encoding="ascii").splitlines()[1:], text.splitlines()[1:]
    left = {s.name for s in whole} - {s.name for s in all_of}  # their verdicts are taken as recorded
    wrong = sorted(set(line for line in old if line.split()[0] not in left) ^ set(new))
    missing = left - {line.split()[0] for line in old}
    wrong += ["%s has no verdict" % name for name in sorted(missing)]
    print("\n".join(wrong) or "%d verdicts are as recorded" % len(all_of))
    return len(wrong) != 0


sys.exit(main())
