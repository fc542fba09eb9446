"""warplock compare on logs of a known kernel with one mistake each, with fields left out, split by
thread, truncated and broken. test_planted.py WARPLOCK DIR"""
import copy
import json
import os
import random
import subprocess
import sys

import mutate

HERE = os.path.dirname(os.path.abspath(__file__))
WARPLOCK, DIR = sys.argv[1], sys.argv[2]
PTX = os.path.join(HERE, "small.ptx")
failures = 0


def line_of(text):
    return mutate.line_of(PTX, text)


def launch(kernel):
    if kernel == "small":
        return ["--kernel", "small", "--grid", "1", "--block", "64", "--arg", "in:in.bin",
                "--arg", "out:1024:o.bin", "--arg", "zero:4"]
    return ["--kernel", "tickets", "--grid", "1", "--block", "64", "--arg", "zero:4",
            "--arg", "zero:256"]


def run(*args):
    p = subprocess.run([WARPLOCK, *args], cwd=DIR, capture_output=True, text=True, check=False)
    return p.returncode, p.stdout + p.stderr


def compare(name, log, code, *texts, options=(), kernel="small"):
    """log: records, or bytes as they are."""
    global failures
    path = os.path.join(DIR, "log.jsonl")
    if isinstance(log, bytes):
        with open(path, "wb") as f:
            f.write(log)
    else:
        mutate.save(path, log)
    rc, out = run("compare", "log.jsonl", PTX, *launch(kernel), *options)
    missing = [t for t in texts if t not in out]
    if rc != code or missing:
        failures += 1
        print("FAIL %s: exit code %d, expected %d; missing %s\n%s" % (name, rc, code, missing, out))
    else:
        print("ok   %s" % name)
    return out


def find(log, key, n=0, **want):
    """The n-th record that has the member (not empty) and these values."""
    at = [i for i, r in enumerate(log) if r.get(key) and all(r.get(k) == v for k, v in want.items())]
    return at[n]


def changed(log, at, change):
    log = copy.deepcopy(log)
    change(log[at])
    return log


def set_lane(record, kind, name, lane, value):
    record[kind][name][mutate.lanes(record["exec"]).index(lane)] = value


def planted(log):
    """One mistake each, with the place and the kind that the report must name."""
    add = find(log, "regs", n=10)
    while log[add]["exec"] != log[add]["mask"] or log[add]["mask"] != 0xFFFFFFFF:
        add += 1
    reg = next(iter(log[add]["regs"]))
    value = log[add]["regs"][reg][5]
    pc = "instruction %d" % log[add]["pc"]
    thread = "thread %d,0,0" % (32 * log[add]["warp"] + 5)
    bad = changed(log, add, lambda r: set_lane(r, "regs", reg, 5, value ^ 1))
    compare("a register value", bad, 3, thread, pc, "register %s: expected 0x%08x, the log has 0x%08x"
            % (reg, value, value ^ 1), "lane 5", "log.jsonl:%d" % (add + 1))
    compare("a register that is missing", changed(log, add, lambda r: r["regs"].pop(reg)), 3, pc,
            "register %s: expected" % reg, "the log has nothing")
    compare("a register too many", changed(log, add, lambda r: r["regs"].update(R77=[0] * 32)), 3,
            "R77", "does not write")
    pred = find(log, "preds")
    name = next(iter(log[pred]["preds"]))
    bad = changed(log, pred, lambda r: r["preds"].update({name: r["preds"][name] ^ 1 << 9}))
    compare("a predicate", bad, 3, "lane 9", "predicate %s" % name, "small.ptx:%d" %
            line_of("setp.eq.u32"))
    memory(log)
    control(log)


def memory(log):
    store = find(log, "stores", n=2)
    stored = log[store]["stores"][3]
    where = "small.ptx:%d" % line_of("st.global.v4")
    bad = changed(log, store, lambda r: r["stores"][3].update(address=stored["address"] + 16))
    compare("the address of a store", bad, 3, "store: expected 16 bytes", where, "lane 3")
    turned = hex(int(stored["value"], 16) ^ 1 << 100)
    compare("the value of a store", changed(log, store, lambda r: r["stores"][3].update(value=turned)),
            3, "value of a store", where, "lane 3")
    compare("a store that is missing", changed(log, store, lambda r: r["stores"].pop(3)), 3,
            "store: expected 16 bytes", "the log has nothing", where, "lane 3")
    compare("a store twice", changed(log, store, lambda r: r["stores"].append(stored)), 3, where)
    compare("the space of a store", changed(log, store, lambda r: r["stores"][3].update(space="shared")),
            3, "store", where)
    shared = find(log, "stores")
    compare("a shared store as generic", changed(log, shared, lambda r: r["stores"][0].update(
        space="generic", address=0x10000 << 32 | r["stores"][0]["address"])), 0, "equal")
    atomic = find(log, "atomics")
    where = "small.ptx:%d" % line_of("red.global.add")
    first = log[atomic]["atomics"][0]
    compare("the operand of an atomic", changed(log, atomic, lambda r: r["atomics"][0].update(
        value=hex(int(first["value"], 16) ^ 1))), 3, "operand of an atomic", where, "lane 0")
    compare("the operation of an atomic", changed(log, atomic, lambda r: r["atomics"][0].update(
        op="xor")), 3, "operation of an atomic: expected add, the log has xor", where)
    compare("an atomic that is missing", changed(log, atomic, lambda r: r["atomics"].pop(0)), 3,
            "atomic: expected 4 bytes", where)
    split = changed(log, store, lambda r: r.update(stores=[
        {"lane": s["lane"], "space": "global", "address": s["address"] + k, "bytes": 1,
         "value": int(s["value"], 16) >> 8 * k & 255} for s in r["stores"] for k in range(16)]))
    compare("a vector store by bytes", split, 0, "equal")
    constant = changed(log, 1, lambda r: r.update(loads=[
        {"lane": 3, "space": "const", "address": 512, "bytes": 8}]))
    compare("a load of a constant", constant, 0, "1 accesses to constants")
    compare("a store to a constant", changed(log, store, lambda r: r["stores"][0].update(
        space="const")), 2, "\"space\" of a store is const or param")
    outside(log, store)


def outside(log, store):
    compare("a store at an instruction that is none", changed(log, store - 1, lambda r: r.update(
        stores=[{"lane": 0, "space": "global", "address": 4096, "bytes": 4, "value": 1}])), 3,
        "store that is not the program's")
    compare("an exit too early", changed(log, store, lambda r: r.update(exit=1)), 3,
            "exit: expected the thread goes on, the log has it ends", "lane 0")


def control(log):
    at = find(log, "pc", n=20)
    pc = log[at]["pc"]
    compare("a wrong pc", changed(log, at, lambda r: r.update(pc=pc + 1)), 3,
            "pc: expected %d, the log has %d" % (pc, pc + 1), "instruction %d" % pc)
    compare("a record that is missing", log[:at] + log[at + 1:], 3, "pc: expected")
    compare("a record twice", log[:at] + [log[at]] + log[at:], 3, "pc: expected")
    half = [i for i, r in enumerate(log) if "pc" in r and r["mask"] != 0xFFFFFFFF][0]
    lane = mutate.lanes(log[half]["mask"])[-1]
    lost = changed(log, half, lambda r: (r.update(mask=r["mask"] & ~(1 << lane),
                                                  exec=r["exec"] & ~(1 << lane)),
                                         [v.pop() for v in r.get("regs", {}).values()]))
    compare("a lane that is missing", lost, 3, "lane %d" % lane, "pc: expected %d" % log[half]["pc"])
    guarded = [i for i, r in enumerate(log) if "pc" in r and r["exec"] == 0 and r["mask"]][0]
    compare("a guard", changed(log, guarded, lambda r: r.update(exec=r["mask"], regs={
        n: [0] * len(mutate.lanes(r["mask"])) for n in r.get("regs", {})})), 3,
        "guard: expected guarded off, the log has executes")
    last = find(log, "exit", n=1)
    compare("an exit that is missing", log[:last] + [{"end": True}], 3, "the thread has not ended",
            "warp 1, lane 0")
    compare("an exit as false", changed(log, last, lambda r: r.update(exit=0)), 3,
            "exit: expected the thread ends")
    compare("an instruction behind the exit", log[:last + 1] + [log[last]] + [{"end": True}], 3,
            "the thread has ended")
    compare("a thread that is none", changed(log, 5, lambda r: r.update(warp=2)), 3,
            "no thread of the launch")
    compare("a CTA that is none", changed(log, 5, lambda r: r.update(cta=[1, 0, 0])), 3,
            "not in the grid")


def missing_fields(log):
    total = sum(len(v) for r in log for v in r.get("regs", {}).values())
    stores = sum(len(r.get("stores", [])) for r in log)
    bare = [{k: v for k, v in r.items() if k not in ("regs", "stores")} for r in log]
    bare[0] = {k: v for k, v in log[0].items() if k != "fields"}
    out = compare("no registers and stores", bare, 0, "%d register values: the record has no" % total,
                  "%d stores: the record has no" % stores)
    if "register values, " in out.split("not compared")[0]:
        print("FAIL: registers counted as compared")
    declared = [dict(r) for r in bare]
    declared[0]["fields"] = ["regs"]
    compare("a declared field that is missing", declared, 3, "register", "the log has nothing")
    no_pc = [{k: v for k, v in r.items() if k not in ("pc", "exec")} for r in log]
    for r, full in zip(no_pc, log): # without exec, lists are by mask: null where the guard is false
        for name, v in list(r.get("regs", {}).items()):
            given = dict(zip(mutate.lanes(full["exec"]), v))
            r["regs"][name] = [given.get(k) for k in mutate.lanes(full["mask"])]
    compare("no pcs", no_pc, 0, "program counters: the record has none")
    unguarded = [r for r in log if r.get("exec") != 0]
    unguarded[-1] = {"end": True}
    compare("no guarded-off instructions", unguarded, 0, "guarded-off instructions that the log leaves")
    null = changed(log, find(log, "regs"), lambda r: [v.__setitem__(0, None) for v in r["regs"].values()])
    compare("a value that is null", null, 0, "or null for the lane")


def other_orders(log):
    split = mutate.split(log, [64, 1, 1])
    compare("a record per thread", split, 0, "equal")
    compare("thread by thread", mutate.by_thread(split), 0, "equal")
    warps = log[:1] + [r for w in (1, 0) for r in log[1:-1] if r["warp"] == w] + log[-1:]
    compare("the second warp first", warps, 0, "equal")
    reg = find(split, "regs", n=300)
    bad = changed(split, reg, lambda r: r["regs"].update({next(iter(r["regs"])): 12345}))
    compare("a value, thread by thread", mutate.by_thread(bad), 3,
            "thread %d,0,0" % split[reg]["thread"][0], "register %s" % next(iter(split[reg]["regs"])))


def broken(log):
    text = "".join(json.dumps(r) + "\n" for r in log).encode()
    compare("an empty log", b"", 2, "the log is empty")
    compare("no header", text.split(b"\n", 1)[1], 2, "log.jsonl:1:", "not a header")
    compare("no end record", text[:text.rindex(b'{"end"')], 2, "truncated",
            "log.jsonl:%d" % (len(log) - 1))
    compare("half a line", text[:len(text) // 2], 2, "log.jsonl:")
    compare("another number of records", text.replace(b'"end": ', b'"end": 1'), 2, "number of records")
    compare("behind the end", text + b'{"end": true}\n', 2, "behind the end record")
    compare("an unknown member", changed(log, 4, lambda r: r.update(pedicates={})), 2,
            "log.jsonl:5: unknown member \"pedicates\"")
    compare("another kernel", changed(log, 0, lambda r: r.update(kernel="large")), 2, "another kernel")
    compare("another ISA", changed(log, 0, lambda r: r.update(isa="0x1")), 2, "machine ISA")
    compare("another version", changed(log, 0, lambda r: r.update(version=2)), 2, "version 1")
    compare("a list that is too short", changed(log, find(log, "regs"), lambda r: [
        v.pop() for v in r["regs"].values()]), 2, "not a value of 32 bits for each lane")
    compare("a register that is none", changed(log, 4, lambda r: r.update(regs={"%r1": 0})), 2,
            "is no register of the machine")
    compare("a negative number", changed(log, 4, lambda r: r.update(pc=-1)), 2, "\"pc\"")
    compare("a depth", text.split(b"\n")[0] + b"\n" + b'{"a":' * 20 + b"\n", 2, "nested too deep")
    compare("a member twice", text.split(b"\n")[0] + b'\n{"pc": 1, "pc": 2}\n', 2, "twice")
    fuzz(text)


def fuzz(text):
    """No byte changed or cut off makes anything but 0, 2 or 3."""
    global failures
    random.seed(20)
    lines = text.split(b"\n")
    few = b"\n".join(lines[:4] + lines[-2:])
    seen = {}
    cases = [few[:random.randrange(len(few))] for _ in range(40)]
    digits = [i for i, b in enumerate(text) if b in b"123456789"]
    for _ in range(40): # other values: another digit
        b = bytearray(text)
        b[random.choice(digits)] = random.choice(b"123456789")
        cases.append(bytes(b))
    for _ in range(60):
        b = bytearray(few)
        b[random.randrange(len(b))] = random.randrange(256)
        cases.append(bytes(b))
    for case in cases:
        with open(os.path.join(DIR, "log.jsonl"), "wb") as f:
            f.write(case)
        rc, out = run("compare", "log.jsonl", PTX, *launch("small"))
        seen[rc] = seen.get(rc, 0) + 1
        if rc not in (0, 2, 3) or (rc == 2 and "log.jsonl:" not in out):
            failures += 1
            print("FAIL fuzz: exit code %d for %r\n%s" % (rc, case[-80:], out))
    if seen.get(3, 0) < 10 or seen.get(2, 0) < 50:
        failures += 1
        print("FAIL fuzz: too few differences or refusals")
    print("ok   %d changed and cut logs: exit codes %s" % (len(cases), seen))


def tickets():
    rc, _ = run("run", PTX, *launch("tickets"), "--effects", "tickets.jsonl")
    log = mutate.split(mutate.load(os.path.join(DIR, "tickets.jsonl")), [64, 1, 1])
    compare("tickets in the order of the reference", log, 0, "equal", kernel="tickets")
    # another order of the threads: every one draws its own ticket in turn
    threads = {}
    for r in log[1:-1]:
        threads.setdefault(r["thread"][0], []).append(r)
    old = {t: next(r for r in rs if r.get("atomics")) for t, rs in threads.items()}
    order = sorted(threads, key=lambda t: (t * 37) % 64)
    other = log[:1]
    for ticket, t in enumerate(order):
        was = next(iter(old[t]["regs"].values()))
        for r in copy.deepcopy(threads[t]):
            if r.get("atomics"):
                r["regs"] = {n: ticket for n in r["regs"]}
            elif r.get("stores"):
                r["stores"][0]["address"] += 4 * (ticket - was)
            elif r.get("regs") and r["pc"] > old[t]["pc"]:
                retarget(r, was, ticket)
            other.append(r)
    other.append({"end": True})
    compare("tickets in another order", other, 3, "register", "small.ptx:%d" %
            line_of("atom.global.add"), kernel="tickets")
    compare("tickets in another order, followed", other, 0, "64 returned values of atomics",
            kernel="tickets", options=["--follow-loads"])
    bad = changed(other, find(other, "stores", n=7), lambda r: r["stores"][0].update(value="0x0"))
    compare("a wrong store, followed", bad, 3, "value of a store", kernel="tickets",
            options=["--follow-loads"])
    return rc


def reference_fails(log):
    """A launch in which the reference itself traps, and one that does not fit."""
    global failures
    mutate.save(os.path.join(DIR, "log.jsonl"), log)
    nowhere = [a.replace("out:1024:o.bin", "u64:16") for a in launch("small")]
    rc, out = run("compare", "log.jsonl", PTX, *nowhere)
    if rc != 4 or "trap in small" not in out:
        failures += 1
        print("FAIL a reference that traps: exit code %d\n%s" % (rc, out))
    rc, out = run("compare", "log.jsonl", PTX, *[a.replace("64", "4096") for a in launch("small")])
    if rc != 2:
        failures += 1
        print("FAIL a launch that is too large: exit code %d\n%s" % (rc, out))


def retarget(r, was, ticket):
    """What depends on the ticket: the address computed from it."""
    names = list(r["regs"])
    if len(names) != 2:
        return
    v = r["regs"][names[0]] | r["regs"][names[1]] << 32
    if v == 4 * was or v > 1 << 20:
        v += 4 * (ticket - was)
        r["regs"] = {names[0]: v & 0xFFFFFFFF, names[1]: v >> 32}


def main():
    global failures
    os.makedirs(DIR, exist_ok=True)
    random.seed(7)
    with open(os.path.join(DIR, "in.bin"), "wb") as f:
        f.write(bytes(random.randrange(256) for _ in range(256)))
    rc, out = run("run", PTX, *launch("small"), "--effects", "small.jsonl")
    if rc != 0:
        sys.exit(out)
    log = mutate.load(os.path.join(DIR, "small.jsonl"))
    compare("its own log", log, 0, "equal", "not compared: nothing")
    planted(log)
    missing_fields(log)
    other_orders(log)
    tickets()
    reference_fails(log)
    broken(log)
    print("%d failures" % failures)
    sys.exit(1 if failures else 0)


main()
