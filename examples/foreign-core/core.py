#!/usr/bin/env python3
"""A foreign core: runs a launch of Warplock's machine code, one thread after the other, and writes
what every instruction did as a log for `warplock compare` (docs/compare.md).

  warplock compare --start start.json k.wlo --grid 1 --block 32 --arg ...
  core.py start.json log.jsonl [--bug fma|branch|store|shfl]
  warplock compare log.jsonl k.wlo --grid 1 --block 32 --arg ...

It knows of Warplock only the instruction set (docs/isa.md) and the start file. --bug plants a
mistake. Only the Python standard library is needed.
"""
import argparse
import json
import sys

import f32
from machine import M32, Insn, Thread, Trap, Unknown, signed, simple

SIZES = {"u8": 1, "s8": 1, "b8": 1, "u16": 2, "s16": 2, "b16": 2, "b64": 8, "u64": 8, "s64": 8,
         "b128": 16}


class Core:
    def __init__(self, start, log, bug):
        self.start, self.log, self.bug, self.records = start, log, bug, 0
        self.code = [Insn(pc, c["text"], c["line"]) for pc, c in enumerate(start["code"])]
        self.pieces = [(m["address"], bytearray.fromhex(m["data"])) for m in start["memory"]]
        self.shared = bytearray()

    # ---- memory
    def place(self, t, space, at, size):
        """The bytes and the offset in them."""
        if at % size:
            raise Trap("misaligned address 0x%x" % at)
        if space == "shared":
            return self.shared, at
        if space == "local":
            return t.local, at
        for base, data in self.pieces:
            if base <= at and at + size <= base + len(data):
                return data, at - base
        raise Trap("no memory at 0x%x" % at)

    def space(self, name, at):
        """gen: the window says which."""
        if name != "gen":
            return name, at
        if at >> 32 == self.start["shared_window"] >> 32:
            return "shared", at & M32
        if at >> 32 == self.start["local_window"] >> 32:
            return "local", at & M32
        return "global", at

    def read(self, t, space, at, size):
        data, offset = self.place(t, space, at, size)
        return int.from_bytes(data[offset:offset + size], "little")

    def write(self, t, space, at, size, v):
        data, offset = self.place(t, space, at, size)
        data[offset:offset + size] = (v & ((1 << 8 * size) - 1)).to_bytes(size, "little")

    def constant(self, t, op):
        bank = self.start["constants"][int(op[1])]
        return bank["address"] + signed(t.address(op[2:]))

    def access(self, t, insn):
        kind, space, kind_of = insn.stem[0], insn.stem[1], insn.stem[-1]
        size = SIZES.get(kind_of, 4)
        if kind == "ldc":
            at, space = self.constant(t, insn.ops[1]), "global"
        else:
            space, at = self.space(space, t.address(insn.ops[0 if kind == "st" else 1]))
        if kind == "st":
            v = t.get(insn.ops[1]) & ((1 << 8 * size) - 1)
            if self.bug == "store" and space == "global":
                at += size
            self.write(t, space, at, size, v)
            t.effects["stores"] = [{"space": space, "address": at, "bytes": size, "value": hex(v)}]
        elif kind == "atom":
            self.atomic(t, insn, space, at, size)
        else:
            v = self.read(t, space, at, size)
            t.put(insn.ops[0], signed(v, 8 * size) & M32 if kind_of in ("s8", "s16") else v)

    def atomic(self, t, insn, space, at, size):
        op, kind = insn.stem[2], insn.stem[3]
        b = t.get(insn.ops[2])
        old = self.read(t, space, at, size)
        s = (lambda x: signed(x, 8 * size)) if kind[0] == "s" else lambda x: x
        if kind == "f32" and op == "add":
            new = f32.fma(old, 0x3F800000, b, {"ftz": "1"} if space == "global" else {})
        else:
            new = {"add": old + b, "min": min(old, b, key=s), "max": max(old, b, key=s),
                   "inc": 0 if old >= b else old + 1, "and": old & b, "or": old | b, "xor": old ^ b,
                   "dec": b if old == 0 or old > b else old - 1, "exch": b,
                   "cas": t.get(insn.ops[3]) if op == "cas" and old == b else old}[op]
        effect = {"space": space, "address": at, "bytes": size, "op": op, "value": hex(b)}
        if op == "cas":
            effect.update(value=hex(t.get(insn.ops[3])), compare=hex(b))
        t.effects["atomics"] = [effect]
        self.write(t, space, at, size, new)
        t.put(insn.ops[0], old)

    # ---- one instruction of one thread; False: it waits for others
    def step(self, t):
        if t.pc >= len(self.code):
            raise Trap("no instruction %d" % t.pc)
        insn = self.code[t.pc]
        t.effects = {}
        if not t.enabled(insn) and not (self.bug == "branch" and insn.stem[0] == "bra"):
            self.retire(t, insn, t.pc + 1, 0)
            return True
        kind = insn.stem[0]
        after = t.pc + 1
        if kind in ("bar", "warpsync", "shfl", "vote", "match", "redux", "elect"):
            t.state = "waits"
            return False
        if kind == "bra":
            after = int(insn.ops[0][1:])
        elif kind in ("brx", "callx", "ret", "call"):
            if kind in ("call", "callx"):
                to = insn.ops[1]
                after = int(to[1:]) if kind == "call" else t.get(to)
                t.put(insn.ops[0], t.pc + 1)
            else:
                after = t.get(insn.ops[0])
        elif kind == "exit":
            t.state = "ended"
            t.effects["exit"] = True
        elif kind == "s2r":
            t.put(insn.ops[0], self.special(t, insn.ops[1]))
        elif kind in ("ld", "st", "atom", "ldc"):
            self.access(t, insn)
        elif kind == "activemask":
            t.put(insn.ops[0], 1 << t.lane)
        elif kind not in ("nop", "fence", "nanosleep") and not simple(t, insn):
            raise Unknown(insn.text)
        self.retire(t, insn, after, 1)
        return True

    def special(self, t, op):
        number = int(op[2:].split("(")[0])
        grid, block = self.start["grid"], self.start["block"]
        values = list(t.tid) + block + list(t.cta) + grid + [t.lane, t.warp, 0, 0, 1, 0, 0]
        lane = 1 << t.lane
        values += [lane, lane * 2 - 1, lane - 1, M32 & -lane, M32 & -lane * 2]
        if number < len(values):
            return values[number]
        return {28: self.start["dynamic_shared"], 29: self.start["shared_bytes"],
                30: self.start["shared_bytes"], 32: 1}.get(number, 0)

    def retire(self, t, insn, after, executed):
        record = {"cta": t.cta, "thread": t.tid, "pc": t.pc, "exec": executed}
        record.update(t.effects)
        self.log.write(json.dumps(record) + "\n")
        self.records += 1
        t.pc = after

    # ---- threads that meet
    def exchange(self, group):
        """All threads of the mask are there, each with its own operands."""
        lanes = {t.lane: t for t in group}
        results = {t: self.result(t, self.code[t.pc], lanes) for t in group}
        for t in group:
            insn, (d, p) = self.code[t.pc], results[t]
            t.effects = {}
            if d is not None:
                t.put(insn.ops[0], d)
            if p is not None:
                t.put_pred(insn.ops[1], p)
            t.state = "runs"
            self.retire(t, insn, t.pc + 1, 1)

    def result(self, t, insn, lanes):
        kind, o = insn.stem[0], insn.ops
        if kind == "warpsync":
            return None, None
        if kind == "shfl":
            return self.shuffle(t, insn, lanes)
        if kind in ("vote", "elect"):
            votes = {k: x.pred(self.code[x.pc].ops[-1]) for k, x in lanes.items()}
            ballot = sum(1 << k for k, v in votes.items() if v)
            if kind == "elect":
                return min(lanes), t.lane == min(lanes)
            if insn.stem[1] == "ballot":
                return ballot, t.lane in lanes and votes[t.lane]
            yes = {"all": all, "any": any, "uni": lambda v: len(set(v)) == 1}[insn.stem[1]](
                list(votes.values()))
            return M32 if yes else 0, yes
        values = {k: x.get(self.code[x.pc].ops[2]) for k, x in lanes.items()}
        if kind == "match":
            same = sum(1 << k for k, v in values.items() if v == values[t.lane])
            every = same == sum(1 << k for k in lanes)
            return (same, None) if insn.stem[1] == "any" else (same if every else 0, every)
        if kind == "redux":
            return self.reduce(insn.stem[1], list(values.values())), None
        raise Unknown(insn.text)

    def reduce(self, op, values):
        d = values[0]
        for v in values[1:]:
            d = {"add": d + v, "and": d & v, "or": d | v, "xor": d ^ v, "minu": min(d, v),
                 "maxu": max(d, v), "mins": min(d, v, key=signed), "maxs": max(d, v, key=signed)}[op]
        return d & M32

    def shuffle(self, t, insn, lanes):
        b = t.get(insn.ops[3])
        distance, clamp, segment = b & 31, b >> 8 & 31, b >> 16 & 31
        most, least = t.lane & segment | clamp & ~segment, t.lane & segment
        mode = insn.mods.get("xmode", "up")
        j = {"up": t.lane - distance, "down": t.lane + distance, "bfly": t.lane ^ distance,
             "idx": least | distance & ~segment}[mode]
        inside = j >= most if mode == "up" else j <= most
        source = lanes.get(j if inside else t.lane, t)
        if self.bug == "shfl":
            source = t
        return source.get(self.code[source.pc].ops[2]), inside

    def members(self, t):
        insn = self.code[t.pc]
        if insn.name.endswith(".i"):
            return int([o for o in insn.ops if o.startswith("0x")][-1], 16)
        at = {"warpsync": 0, "shfl": 4, "match": 3, "redux": 3}.get(insn.stem[0], 2)
        return t.get(insn.ops[at])

    def meet(self, threads):
        """Lets those go on who are complete; true if any did."""
        moved = False
        live = [t for t in threads if t.state != "ended"]
        waiting = [t for t in live if t.state == "waits" and self.code[t.pc].stem[0] != "bar"]
        while waiting:
            mask, warp, kind = self.members(waiting[0]), waiting[0].warp, self.code[waiting[0].pc].stem
            group = [t for t in waiting if t.warp == warp and self.members(t) == mask
                     and self.code[t.pc].stem[:2] == kind[:2]]
            need = [t for t in live if t.warp == warp and mask >> t.lane & 1]
            if len(group) == len(need):
                self.exchange(group)
                moved = True
            waiting = [t for t in waiting if t not in group]
        at_bar = [t for t in live if t.state == "waits" and self.code[t.pc].stem[0] == "bar"]
        if at_bar and len(at_bar) == len(live):
            self.barrier(at_bar)
            moved = True
        return moved

    def barrier(self, threads):
        for t in threads:
            insn = self.code[t.pc]
            if insn.name != "bar.sync.i" or insn.ops != ["B0:0"]:
                raise Unknown(insn.text)
            t.effects, t.state = {}, "runs"
            self.retire(t, insn, t.pc + 1, 1)

    # ---- the launch
    def run_cta(self, cta):
        bx, by, bz = self.start["block"]
        self.shared = bytearray(self.start["shared_bytes"])
        threads = [Thread(self, cta, [i % bx, i // bx % by, i // bx // by], i)
                   for i in range(bx * by * bz)]
        while True:
            for t in threads: # one thread as far as it goes, then the next
                while t.state == "runs" and self.step(t):
                    pass
            if not self.meet(threads):
                break
        stuck = [t for t in threads if t.state != "ended"]
        if stuck:
            raise Trap("%d threads wait for each other" % len(stuck))

    def run(self):
        self.log.write(json.dumps({
            "warplock": "effects", "version": 1, "level": "machine", "kernel": self.start["kernel"],
            "isa": self.start["isa"],
            "fields": ["regs", "preds", "stores", "atomics", "exit"]}) + "\n")
        gx, gy, gz = self.start["grid"]
        for i in range(gx * gy * gz):
            self.run_cta([i % gx, i // gx % gy, i // gx // gy])
        self.log.write(json.dumps({"end": self.records}) + "\n")


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("start")
    p.add_argument("log")
    p.add_argument("--bug", choices=["fma", "branch", "store", "shfl"])
    a = p.parse_args()
    with open(a.start, encoding="utf-8") as f:
        start = json.load(f)
    with open(a.log, "w", encoding="utf-8") as log:
        try:
            Core(start, log, a.bug).run()
        except Unknown as e:
            sys.exit("core.py: this core has no instruction `%s`" % e)
        except Trap as e:
            print("core.py: trap: %s" % e) # the log ends here, without an end record
    return 0


if __name__ == "__main__":
    sys.exit(main())
