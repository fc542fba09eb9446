"""Reads, changes and writes logs of warplock compare (docs/compare.md), for its tests.

mutate.py threads IN OUT: each record becomes one record per thread.
mutate.py sort IN OUT: so too, and each thread's records stand together, thread by thread.
mutate.py lines IN OUT BLOCK START REGISTERS: a log of PTX level: the lines that each thread runs
through and its stores and atomics, without registers. REGISTERS: what `warplock info --registers`
says, for which instructions belong to no PTX instruction.
"""
import json
import sys


def line_of(path, text):
    """The number of the one line of a file that holds the text."""
    with open(path, encoding="utf-8") as f:
        found = [n for n, line in enumerate(f, 1) if text in line]
    assert len(found) == 1, text
    return found[0]


def load(path):
    with open(path, encoding="utf-8") as f:
        return [json.loads(line) for line in f]


def save(path, log):
    with open(path, "w", encoding="utf-8") as f:
        for record in log:
            f.write(json.dumps(record) + "\n")


def lanes(mask):
    return [k for k in range(32) if mask >> k & 1]


def split(log, block):
    """One record per thread; block: threads of a CTA by x, y."""
    out = [log[0]]
    for r in log[1:]:
        if "warp" not in r:
            out.append(r)
            continue
        executed = lanes(r["exec"])
        for lane in lanes(r["mask"]):
            linear = 32 * r["warp"] + lane
            one = {"cta": r["cta"], "pc": r["pc"], "exec": int(lane in executed),
                   "thread": [linear % block[0], linear // block[0] % block[1],
                              linear // block[0] // block[1]]}
            if "regs" in r:
                one["regs"] = {n: v[executed.index(lane)] for n, v in r["regs"].items()
                               if lane in executed}
            if "preds" in r:
                one["preds"] = {n: v >> lane & 1 for n, v in r["preds"].items() if lane in executed}
            for kind in ("stores", "atomics"):
                if kind in r:
                    one[kind] = [{k: v for k, v in s.items() if k != "lane"}
                                 for s in r[kind] if s["lane"] == lane]
            if "exit" in r:
                one["exit"] = bool(r["exit"] >> lane & 1)
            out.append(one)
    out[-1] = {"end": True}
    return out


def by_thread(log):
    return log[:1] + sorted(log[1:-1], key=lambda r: (r["cta"], r["thread"])) + log[-1:]


def by_line(log, start, registers):
    """Instructions one behind the other of one line become one record of it."""
    with open(start, encoding="utf-8") as f:
        line = [c["line"] for c in json.load(f)["code"]]
    with open(registers, encoding="utf-8") as f:
        frames = [[int(x.strip(",:")) for x in text.split()[3:6:2]] for text in f
                  if text.endswith("no PTX instruction\n")]
    frame = {pc for low, high in frames for pc in range(low, high + 1)}
    first = {pc for pc in range(len(line)) if pc == 0 or line[pc] != line[pc - 1]}
    out = [{"warplock": "effects", "version": 1, "level": "ptx", "fields": ["stores", "atomics"]}]
    at = {}
    for r in log[1:-1]:
        thread, pc = (*r["cta"], *r["thread"]), r["pc"]
        before, record = at.get(thread, (None, None))
        if pc in frame or (pc not in first and before != line[pc]):
            at[thread] = (None, None) # of no line; the rest of a line behind a call
            continue
        if pc in first or record is None:
            record = {"cta": r["cta"], "thread": r["thread"], "line": line[pc]}
            out.append(record)
        at[thread] = (line[pc], record)
        for kind in ("stores", "atomics"):
            own = [x for x in r.get(kind, []) if x["space"] != "local"]
            if own:
                record[kind] = record.get(kind, []) + own
    return out + [{"end": len(out) - 1}]


def main():
    mode, source, to, block = sys.argv[1:5]
    log = split(load(source), [int(x) for x in block.split(",")])
    if mode == "lines":
        save(to, by_line(log, *sys.argv[5:7]))
        return
    save(to, by_thread(log) if mode == "sort" else log)


if __name__ == "__main__":
    main()
