#!/usr/bin/env python3
"""A foreign core that executes PTX: interprets one kernel of a PTX file as compilers write it (no
instruction over several lines), one thread after the other, and writes PTX lines and PTX registers as a log
for `warplock compare` (docs/compare.md, level ptx).

  warplock compare --start start.json k.ptx --grid 1 --block 32 --arg ...
  ptx_core.py start.json k.ptx log.jsonl [--bug fma|setp|store]
  warplock compare log.jsonl k.ptx --grid 1 --block 32 --arg ...

The start file gives the launch, the parameters, and where buffers and variables lie. Integers, f32,
global, constant and shared memory, branches and bar.sync are there; other instructions end the
program with their name. --bug plants a mistake.
"""
import argparse
import json
import re
import sys

import f32


class Unknown(Exception):
    pass


class Trap(Exception):
    pass


def signed(v, bits):
    return v - (1 << bits) if v >> (bits - 1) else v


def width(kind):
    return 1 if kind == "pred" else int(kind[1:])


class Kernel:
    """Instructions, labels and the kinds of registers of one .entry."""

    def __init__(self, path, name):
        self.code, self.labels, self.kinds = [], {}, {}
        inside = False
        with open(path, encoding="utf-8") as f:
            for number, line in enumerate(f, 1):
                line = line.split("//")[0].strip()
                if line.startswith((".visible .entry", ".entry")):
                    inside = re.search(r"\.entry\s+(\S+?)\(", line + "(")[1] == name
                elif inside and line == "}":
                    break
                elif inside:
                    self.take(number, line)

    def take(self, number, line):
        label = re.match(r"([$\w]+):\s*(.*)", line)
        if label:
            self.labels[label[1]] = len(self.code)
            line = label[2]
        regs = re.fullmatch(r"\.reg\s+\.(\w+)\s+(.*);", line)
        for reg in regs[2].split(",") if regs else []:
            self.kinds[reg.split("<")[0].strip()] = regs[1]
        for text in line.split(";")[:-1]:
            m = re.fullmatch(r"(?:@(!?)(%\w+)\s+)?([a-z][\w.:]*)\s*(.*)", text.strip())
            if m:
                ops = re.findall(r"\{[^}]*\}|\[[^\]]*\]|[^,\s]+", m[4])
                self.code.append((number, m[1], m[2], m[3].split("."), ops))

    def kind(self, reg):
        kind = self.kinds.get(reg) or self.kinds.get(re.sub(r"\d+$", "", reg))
        if kind is None:
            raise Unknown("register %s" % reg)
        return kind


class Thread:
    def __init__(self, core, cta, tid, linear):
        self.core, self.cta, self.tid, self.linear = core, cta, tid, linear
        self.pc, self.regs, self.state = 0, {}, "runs"
        self.record = {}

    def get(self, op, kind):
        """An operand as a pattern of the kind's width."""
        bits = width(kind)
        if re.fullmatch(r"%(tid|ntid|ctaid|nctaid)\.[xyz]", op):
            values = {"%tid": self.tid, "%ntid": self.core.start["block"], "%ctaid": self.cta,
                      "%nctaid": self.core.start["grid"]}
            return values[op[:-2]]["xyz".index(op[-1])]
        if op == "%laneid":
            return self.linear % 32
        if op.startswith("%"):
            self.core.kernel.kind(op)
            return self.regs.get(op, 0) & ((1 << bits) - 1)
        if op.startswith("0f"):
            return int(op[2:], 16)
        if re.fullmatch(r"-?\d+|-?0x[0-9a-fA-F]+", op):
            return int(op, 0) & ((1 << bits) - 1)
        return self.core.address(op)

    def put(self, reg, v):
        if reg == "_":
            return
        kind = self.core.kernel.kind(reg)
        self.regs[reg] = v & ((1 << width(kind)) - 1)
        self.record.setdefault("regs", {})[reg] = bool(v) if kind == "pred" else self.regs[reg]

    def pred(self, op):
        if not op.lstrip("!").startswith("%"):
            return int(op, 0) != 0
        return bool(self.regs.get(op.lstrip("!"), 0)) != op.startswith("!")


class Core:
    def __init__(self, start, kernel, log, bug):
        self.start, self.kernel, self.log, self.bug, self.records = start, kernel, log, bug, 0
        self.pieces = [(m["address"], bytearray.fromhex(m["data"])) for m in start["memory"]]
        self.params = {p["name"]: bytes.fromhex(p["data"]) for p in start["parameters"]}
        self.variables = {v["name"]: v for v in start["variables"]}
        self.shared = bytearray()

    # ---- memory
    def address(self, name):
        if name not in self.variables:
            raise Unknown("variable or operand %s" % name)
        return self.variables[name]["address"]

    def bytes_at(self, space, at, size):
        if space == "shared":
            return self.shared, at
        if space == "const":
            at += self.start["constants"][2]["address"]
        for base, data in self.pieces:
            if base <= at and at + size <= base + len(data):
                return data, at - base
        raise Trap("no memory at 0x%x" % at)

    def place(self, t, op):
        """[%rd1+4], [name+4], [name]."""
        m = re.fullmatch(r"\[\s*([^+\s]+)(?:\+(-?\d+))?\s*\]", op)
        offset = int(m[2] or 0)
        base = t.get(m[1], self.kernel.kind(m[1])) if m[1].startswith("%") else self.address(m[1])
        return base + offset

    def move(self, t, words, ops, store):
        space = next((w for w in words if w in ("param", "global", "shared", "const")), None)
        kind, count = words[-1], next((int(w[1]) for w in words if w in ("v2", "v4")), 1)
        size = width(kind) // 8
        regs = re.findall(r"[%\w]+", ops[1 if store else 0])
        if space is None or len(regs) != count:
            raise Unknown(".".join(words))
        if space == "param":
            m = re.fullmatch(r"\[(\w+)(?:\+(\d+))?\]", ops[1])
            data, at = self.params[m[1]], int(m[2] or 0)
        else:
            address = self.place(t, ops[0 if store else 1])
            if self.bug == "store" and store and space == "global":
                address ^= size * count
            data, at = self.bytes_at(space, address, size * count)
        if store:
            v = b"".join(t.get(r, kind).to_bytes(size, "little") for r in regs)
            data[at:at + len(v)] = v
            t.record["stores"] = [{"space": space, "address": address, "bytes": len(v),
                                   "value": "0x" + v[::-1].hex()}]
            return
        for k, r in enumerate(regs):
            v = int.from_bytes(data[at + size * k:at + size * (k + 1)], "little")
            t.put(r, signed(v, 8 * size) if kind[0] == "s" else v)

    def atomic(self, t, words, ops):
        """atom and red on global and shared memory, without compare-and-swap."""
        space, op, kind = next(w for w in words if w in ("global", "shared")), words[-2], words[-1]
        size, first = width(kind) // 8, 1 if words[0] == "atom" else 0
        address = self.place(t, ops[first])
        data, at = self.bytes_at(space, address, size)
        old, b = int.from_bytes(data[at:at + size], "little"), t.get(ops[first + 1], kind)
        s = (lambda x: signed(x, 8 * size)) if kind[0] == "s" else lambda x: x
        new = {"add": old + b, "min": min(old, b, key=s), "max": max(old, b, key=s), "exch": b,
               "and": old & b, "or": old | b, "xor": old ^ b}[op]
        data[at:at + size] = (new & ((1 << 8 * size) - 1)).to_bytes(size, "little")
        t.record["atomics"] = [{"space": space, "address": address, "bytes": size, "op": op,
                                "value": hex(b)}]
        if first:
            t.put(ops[0], old)

    # ---- arithmetic
    def integer(self, t, words, ops):
        name, kind = words[0], words[-1]
        bits = width(kind)
        s = (lambda v: signed(v, bits)) if kind[0] == "s" else (lambda v: v)
        shift = name in ("shl", "shr")
        a = s(t.get(ops[1], kind))
        b = t.get(ops[2], "u32" if shift else kind) if len(ops) > 2 else 0
        b = b if shift else s(b)
        if name in ("mul", "mad"):
            c = 0
            if name == "mad":
                c = t.get(ops[3], "%s%d" % (kind[0], 2 * bits if "wide" in words else bits))
            v = a * b >> (bits if "hi" in words else 0)
            return v + c
        if name in ("div", "rem"):
            q = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
            return q if name == "div" else a - q * b
        return {"add": lambda: a + b, "sub": lambda: a - b, "min": lambda: min(a, b),
                "max": lambda: max(a, b), "and": lambda: a & b, "or": lambda: a | b,
                "xor": lambda: a ^ b, "not": lambda: ~a, "neg": lambda: -a, "abs": lambda: abs(a),
                "shl": lambda: a << min(b, bits), "shr": lambda: a >> min(b, bits)}[name]()

    def real(self, t, words, ops):
        mods = {w: "1" for w in words if w in ("ftz", "sat")}
        mods["rnd"] = next((w for w in words if w in ("rn", "rz", "rm", "rp")), "rn")
        v = [t.get(o, "f32") for o in ops[1:]]
        name = words[0]
        if name in ("add", "sub"):
            turned = dict(mods, neg_c="1") if name == "sub" else mods
            return f32.fma(v[0], 0x3F800000, v[1], turned)
        if name == "mul":
            return f32.mul(v[0], v[1], mods)
        if name in ("fma", "mad"):
            if self.bug == "fma": # planted: rounds the product too
                return f32.fma(f32.mul(v[0], v[1], mods), 0x3F800000, v[2], mods)
            return f32.fma(v[0], v[1], v[2], mods)
        return {"neg": lambda: v[0] ^ 0x80000000, "abs": lambda: v[0] & 0x7FFFFFFF}[name]()

    def setp(self, t, words, ops):
        relation, kind = words[1], words[-1]
        a, b = t.get(ops[1], kind), t.get(ops[2], kind)
        if kind == "f32":
            v = f32.compare(a, b, relation, "ftz" in words)
        else:
            if kind[0] == "s":
                a, b = signed(a, width(kind)), signed(b, width(kind))
            relation = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}.get(relation, relation)
            if self.bug == "setp" and relation == "ge":
                relation = "gt"
            v = f32.relation(a, b, relation)
        if len(ops) > 3:
            c = t.pred(ops[3])
            v = {"and": v and c, "or": v or c, "xor": v != c}[words[2]]
        t.put(ops[0], v)

    def convert(self, t, words, ops):
        to, source = words[-2:]
        v = t.get(ops[1], source)
        if "f32" in (to, source):
            if to != "f32" or "sat" in words:
                raise Unknown(".".join(words))
            return f32.pack(f32.Fraction(signed(v, width(source)) if source[0] == "s" else v))
        return signed(v, width(source)) if source[0] == "s" else v

    # ---- one instruction; False: it waits
    def step(self, t):
        if t.pc == len(self.kernel.code): # the body ends without ret
            t.state = "ended"
            return True
        line, negated, guard, words, ops = self.kernel.code[t.pc]
        t.record = {"cta": t.cta, "thread": t.tid, "line": line}
        after = t.pc + 1
        if guard is None or t.pred(negated + guard):
            name, kind = words[0], words[-1]
            if name in ("bar", "barrier"):
                t.state = "waits"
                return False
            if name == "bra":
                after = self.kernel.labels[ops[0]]
            elif name in ("ret", "exit"):
                t.state = "ended"
                t.record["exit"] = True
            elif name in ("ld", "st"):
                self.move(t, words, ops, name == "st")
            elif name in ("membar", "fence"):
                pass # memory here has one order
            elif name in ("atom", "red"):
                self.atomic(t, words, ops)
            elif name == "setp":
                self.setp(t, words, ops)
            elif name == "selp":
                t.put(ops[0], t.get(ops[1] if t.pred(ops[3]) else ops[2], kind))
            elif name in ("mov", "cvta"):
                t.put(ops[0], t.pred(ops[1]) if kind == "pred" else t.get(ops[1], kind))
            elif name == "cvt":
                t.put(ops[0], self.convert(t, words, ops))
            elif kind == "pred":
                a, b = t.pred(ops[1]), t.pred(ops[-1])
                t.put(ops[0], {"and": a and b, "or": a or b, "xor": a != b, "not": not a}[name])
            else:
                try:
                    t.put(ops[0], (self.real if kind == "f32" else self.integer)(t, words, ops))
                except (KeyError, ValueError, IndexError):
                    raise Unknown(".".join(words)) from None
        self.retire(t, after)
        return True

    def retire(self, t, after):
        self.log.write(json.dumps(t.record) + "\n")
        self.records += 1
        t.pc = after

    def run_cta(self, cta):
        bx, by, bz = self.start["block"]
        self.shared = bytearray(self.start["shared_bytes"])
        threads = [Thread(self, cta, [i % bx, i // bx % by, i // bx // by], i)
                   for i in range(bx * by * bz)]
        while any(t.state != "ended" for t in threads):
            for t in threads:
                while t.state == "runs" and self.step(t):
                    pass
            for t in threads: # all that are left wait at the barrier
                if t.state == "waits":
                    t.state = "runs"
                    self.retire(t, t.pc + 1)

    def run(self):
        self.log.write(json.dumps({
            "warplock": "effects", "version": 1, "level": "ptx", "kernel": self.start["kernel"],
            "fields": ["regs", "stores", "atomics", "exit"]}) + "\n")
        gx, gy, gz = self.start["grid"]
        for i in range(gx * gy * gz):
            self.run_cta([i % gx, i // gx % gy, i // gx // gy])
        self.log.write(json.dumps({"end": self.records}) + "\n")


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("start")
    p.add_argument("ptx")
    p.add_argument("log")
    p.add_argument("--bug", choices=["fma", "setp", "store"])
    a = p.parse_args()
    with open(a.start, encoding="utf-8") as f:
        start = json.load(f)
    kernel = Kernel(a.ptx, start["kernel"])
    with open(a.log, "w", encoding="utf-8") as log:
        try:
            Core(start, kernel, log, a.bug).run()
        except Unknown as e:
            sys.exit("ptx_core.py: this core has no %s" % e)
        except Trap as e:
            print("ptx_core.py: trap: %s" % e) # the log ends here, without an end record
    return 0


if __name__ == "__main__":
    sys.exit(main())
