"""warplock compare on logs of PTX level: those of examples/foreign-core/ptx_core.py for a small
kernel, with one mistake each, with fields left out; and objects without, or with a damaged, table
of PTX registers. test_ptx.py WARPLOCK DIR"""
import copy
import os
import random
import struct
import subprocess
import sys

import mutate

HERE = os.path.dirname(os.path.abspath(__file__))
CORE = os.path.join(HERE, "..", "..", "examples", "foreign-core", "ptx_core.py")
WARPLOCK, DIR = sys.argv[1], sys.argv[2]
PTX = os.path.join(HERE, "lines.ptx")
LAUNCH = ["--grid", "1", "--block", "64", "--arg", "in:in.bin", "--arg", "out:256:o.bin"]
failures = 0


def line_of(text):
    return mutate.line_of(PTX, text)


def run(*args):
    p = subprocess.run(args, cwd=DIR, capture_output=True, text=True, check=False)
    return p.returncode, p.stdout + p.stderr


def compare(name, log, code, *texts, file=PTX):
    global failures
    mutate.save(os.path.join(DIR, "log.jsonl"), log)
    rc, out = run(WARPLOCK, "compare", "log.jsonl", file, *LAUNCH)
    missing = [t for t in texts if t not in out]
    if rc != code or missing:
        failures += 1
        print("FAIL %s: exit code %d, expected %d; missing %s\n%s" % (name, rc, code, missing, out))
    else:
        print("ok   %s" % name)


def at(log, text, thread=5):
    line = line_of(text)
    return next(i for i, r in enumerate(log) if r.get("line") == line and r["thread"][0] == thread)


def changed(log, index, change):
    log = copy.deepcopy(log)
    change(log[index])
    return log


def planted(log):
    where = "lines.ptx:%d"
    thread = "thread 5,0,0"
    i = at(log, "add.s64 %rd5")
    v = log[i]["regs"]["%rd5"]
    compare("a register of 64 bits", changed(log, i, lambda r: r["regs"].update(
        {"%rd5": v ^ 1 << 40})), 3, thread, where % line_of("add.s64 %rd5"),
        "PTX register %%rd5: expected 0x%x, the log has 0x%x" % (v, v ^ 1 << 40))
    i = at(log, "add.u16")
    compare("a register of 16 bits", changed(log, i, lambda r: r["regs"].update(
        {"%rs2": r["regs"]["%rs2"] ^ 0x8000})), 3, thread, where % line_of("add.u16"), "%rs2")
    i = at(log, "setp.eq")
    compare("a predicate", changed(log, i, lambda r: r["regs"].update({"%p1": True})), 3, thread,
            "PTX register %p1: expected 0x0, the log has 0x1", where % line_of("setp.eq"))
    compare("a register that is missing", changed(log, i, lambda r: r.update(regs={})), 3,
            "PTX register %p1: expected 0x0, the log has nothing")
    i = at(log, "@%p1 xor")
    compare("a guard that is false", changed(log, i, lambda r: r.update(regs={"%r4": 1})), 3, thread,
            "%r4: expected nothing: the guard is false", where % line_of("@%p1 xor"))
    i = at(log, "st.global.u32")
    compare("a store", changed(log, i, lambda r: r["stores"][0].update(value="0x0")), 3, thread,
            "value of a store", where % line_of("st.global.u32"))
    compare("a store that is missing", changed(log, i, lambda r: r.update(stores=[])), 3, thread,
            "store: expected 4 bytes")
    i = at(log, "add.u32 %r5, %r5")
    compare("a line that is missing", log[:i] + log[i + 1:-1] + [{"end": True}], 3, thread,
            "PTX line: expected %d, the log has %d" % (line_of("%r5, %r5"), line_of("%r4, %r5")))
    last = max(k for k, r in enumerate(log) if r.get("line") == line_of("%p2 bra")
               and r["thread"][0] == 5)
    compare("a loop left too early", log[:last] + [
        r for r in log[last:-1] if r["thread"][0] != 5] + [{"end": True}], 3, thread, "has not ended")
    compare("a line of another branch", changed(log, i, lambda r: r.update(
        line=line_of("st.global.u32"), regs={}, stores=[])), 3, "PTX line: expected")


def missing(log):
    bare = [{k: v for k, v in r.items() if k != "regs"} for r in log]
    bare[0].pop("fields")
    compare("no registers", bare, 0, "register values: the record has no \"regs\"")
    off = [r for r in log if not (r.get("line") == line_of("@%p1 xor") and "regs" not in r)]
    off[-1] = {"end": True}
    compare("guarded-off lines left out", off, 0, "guarded-off instructions that the log leaves out")
    branches = [r for r in log if r.get("line") != line_of("%p2 bra")]
    branches[-1] = {"end": True}
    compare("branches left out", branches, 0, "128 branches, barriers and fences that the log leaves")
    waits = [r for r in log if r.get("line") not in (line_of("bar.sync"), line_of("membar"))]
    waits[-1] = {"end": True}
    compare("barriers and fences left out", waits, 0, "128 branches, barriers and fences that the log")
    other = changed(log, at(log, "cvta"), lambda r: r["regs"].update({"%rd99": 1}))
    compare("a line without code", other, 0, "records of PTX lines without a machine instruction")
    other = changed(log, at(log, "mul.wide"), lambda r: r["regs"].update({"%rd99": 1}))
    compare("a register without a place", other, 0, "1 values of PTX registers that have no place")
    frame = changed(log, at(log, "mul.wide"), lambda r: r.update(stores=[
        {"space": s, "address": a, "bytes": 4, "value": 1}
        for s, a in (("local", 0), ("param", 4), ("generic", 0x20000 << 32))]))
    compare("stores to a frame", frame, 0, "3 accesses to constants, parameters and frames")
    other = changed(log, at(log, "mul.wide"), lambda r: r.update(stores=[
        {"space": "shared", "address": 0, "bytes": 4, "value": 1}]))
    compare("a store to shared memory that is none", other, 3, "store that is not the program's")
    ordered = mutate.by_thread(log)
    compare("thread by thread", ordered, 0, "equal", "128 records of lines with several PTX")
    first = [r for r in ordered[1:-1] if r["line"] == line_of("mov.u32 %r1") and r["thread"][0] < 32]
    start = [i for i, r in enumerate(ordered) if r.get("line") == line_of("mov.u32 %r1")]
    warp = {"cta": [0, 0, 0], "warp": 0, "mask": 0xFFFFFFFF, "line": line_of("mov.u32 %r1"),
            "regs": {"%r1": [r["regs"]["%r1"] for r in first]}}
    before = [r for r in ordered[1:-1] if r["line"] < line_of("mov.u32 %r1")]
    after = [r for i, r in enumerate(ordered) if i not in start and r not in before][1:-1]
    rest = [ordered[i] for i in start if ordered[i]["thread"][0] >= 32]
    whole = ordered[:1] + before + [warp] + rest + after + [{"end": True}]
    compare("a record of a warp", whole, 0, "equal")
    warp["regs"]["%r1"][9] = 77
    compare("a wrong lane in a record of a warp", whole, 3, "lane 9", "%r1: expected 0x9")


def broken(log):
    compare("a pc", changed(log, 5, lambda r: r.update(pc=1)), 2, "level ptx has")
    compare("no line", changed(log, 5, lambda r: r.pop("line")), 2, "level ptx has")
    compare("a text", changed(log, at(log, "mul.wide"), lambda r: r["regs"].update({"%rd4": "x"})), 2,
            "not a value of 64 bits")


def objects(log):
    """The table may be missing; its version and its rows are checked."""
    run(WARPLOCK, "as", PTX, "-o", "k.wlo")
    with open(os.path.join(DIR, "k.wlo"), "rb") as f:
        good = f.read()
    count = struct.unpack_from("<H", good, 60)[0]
    table = struct.unpack_from("<Q", good, 40)[0]
    names = struct.unpack_from("<Q", good, table + 64 * 14 + 24)[0]
    index = next(i for i in range(count) if good[names + struct.unpack_from("<I", good, table + 64 * i)[0]:]
                 .startswith(b".warplock.ptxreg\0"))
    at_table = struct.unpack_from("<Q", good, table + 64 * index + 24)[0]
    head = struct.unpack_from("<III", good, at_table)

    def variant(name, change):
        b = bytearray(good)
        change(b)
        with open(os.path.join(DIR, name), "wb") as f:
            f.write(b)
        return name

    compare("an object", log, 0, "equal", file="k.wlo")
    if index == count - 1:
        old = variant("old.wlo", lambda b: struct.pack_into("<H", b, 60, count - 1))
        compare("an object without the table", log, 2, "no table of PTX registers", file=old)
    compare("a table of another version", log, 2, "version 2, this build reads 1", file=variant(
        "v2.wlo", lambda b: struct.pack_into("<I", b, at_table, 2)))
    compare("a table that is too short", log, 2, "damaged object: PTX register table", file=variant(
        "short.wlo", lambda b: struct.pack_into("<I", b, at_table + 8, head[2] + 1)))
    rows = at_table + 12 + 4 * head[1]
    for what, offset, value in (("range", 4, 1 << 20), ("name", 8, head[1]), ("kind", 12, 9),
                                ("place", 12, 0x2001FF00)):
        compare("a row with a wrong %s" % what, log, 2, "PTX register table row", file=variant(
            "row.wlo", lambda b, o=offset, v=value: struct.pack_into("<I", b, rows + o, v)))
    rc, out = run(WARPLOCK, "info", "--registers", "k.wlo")
    wanted = "line %d, " % line_of("add.s64 %rd5")
    if rc != 0 or not any(wanted in x and "%rd5 in R" in x for x in out.split("\n")):
        print("FAIL info --registers\n" + out)
        sys.exit(1)


def main():
    os.makedirs(DIR, exist_ok=True)
    random.seed(8)
    with open(os.path.join(DIR, "in.bin"), "wb") as f:
        f.write(bytes(random.randrange(256) for _ in range(256)))
    for command in ([WARPLOCK, "compare", "--start", "start.json", PTX, *LAUNCH],
                    [sys.executable, CORE, "start.json", PTX, "core.jsonl"]):
        rc, out = run(*command)
        if rc != 0:
            sys.exit(out)
    log = mutate.load(os.path.join(DIR, "core.jsonl"))
    for r in log: # the body ends without ret, so that no record says the end
        r.pop("exit", None)
    compare("the core's log", log, 0, "equal")
    planted(log)
    missing(log)
    broken(log)
    objects(log)
    print("%d failures" % failures)
    sys.exit(1 if failures else 0)


main()
