#!/usr/bin/env python3
"""Line coverage from gcov's data, against a list of lines that are allowed to be uncovered.

The list has lines "FILE | CODE | REASON", CODE as in the source without blanks around it, once for
every place. Every uncovered line must be in it, and every line of it must be uncovered. Exit 1
when that is not so or the coverage is below --least percent.
"""
import argparse
import collections
import glob
import gzip
import json
import os
import subprocess
import sys
import tempfile


def counts_of(gcov, objects, source):
    """{file name: {line: executions}} of the files in the folder `source`."""
    result = collections.defaultdict(lambda: collections.defaultdict(int))
    data = sorted(glob.glob(os.path.join(glob.escape(os.path.abspath(objects)), "*.gcda")))
    if not data:
        sys.exit(f"coverage: no data in {objects}")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([gcov, "--json-format", *data], cwd=folder, check=True,
                       stdout=subprocess.DEVNULL)
        for name in glob.glob(os.path.join(folder, "*.json.gz")):
            with gzip.open(name, "rt", encoding="utf-8") as file:
                report = json.load(file)
            for entry in report["files"]:
                path = os.path.join(report["current_working_directory"], entry["file"])
                if os.path.dirname(os.path.realpath(path)) != os.path.realpath(source):
                    continue
                for line in entry["lines"]:
                    result[os.path.basename(path)][line["line_number"]] += line["count"]
    return result


def read_list(path):
    """Counter of (file, code)."""
    allowed = collections.Counter()
    with open(path, encoding="utf-8") as file:
        for number, text in enumerate(file, 1):
            text = text.strip()
            if not text or text.startswith("#"):
                continue
            parts = text.split(" | ")
            if len(parts) != 3 or not parts[2].strip():
                sys.exit(f"{path}:{number}: not 'FILE | CODE | REASON'")
            allowed[(parts[0], parts[1])] += 1
    return allowed


def main():
    parser = argparse.ArgumentParser()
    for option in ("--gcov", "--objects", "--source", "--list"):
        parser.add_argument(option, required=True)
    parser.add_argument("--least", type=float, required=True)
    options = parser.parse_args()
    counts = counts_of(options.gcov, options.objects, options.source)
    allowed = read_list(options.list)
    wrong = all_lines = all_hit = 0
    for name in sorted(counts):
        with open(os.path.join(options.source, name), encoding="utf-8") as file:
            source = file.read().split("\n")
        lines = counts[name]
        hit = sum(1 for count in lines.values() if count)
        all_lines += len(lines)
        all_hit += hit
        print(f"{name:18} {hit:5} of {len(lines):5} lines {100 * hit / len(lines):6.2f} %")
        for number in sorted(lines):
            code = source[number - 1].strip()
            if lines[number]:
                continue
            if allowed[(name, code)]:
                allowed[(name, code)] -= 1
            else:
                print(f"isa/lower/{name}:{number}: not covered and not listed: {code}")
                wrong += 1
    for (name, code), left in sorted(allowed.items()):
        if left:
            print(f"{options.list}: {name}: listed and covered, or gone: {code}")
            wrong += 1
    percent = 100 * all_hit / max(all_lines, 1)
    print(f"isa/lower: {all_hit} of {all_lines} lines, {percent:.2f} %")
    sys.exit(1 if wrong or percent < options.least else 0)


if __name__ == "__main__":
    main()
