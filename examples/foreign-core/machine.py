"""What one machine instruction does to one thread (docs/isa.md), from its text.

A thread-at-a-time core: there are no warps here, only threads that stop where they need others.
Instructions that are not in the tables below end the program with their name.
"""
import re

import f32

M32, M64 = 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF


class Unknown(Exception):
    pass


class Trap(Exception):
    pass


def signed(v, bits=32):
    return v - (1 << bits) if v >> (bits - 1) else v


class Insn:
    """`@!P0 add.f32.rr R4, R5, R6 {rnd=rz ftz}` taken apart."""

    def __init__(self, pc, text, line):
        self.pc, self.text, self.line = pc, text, line
        m = re.fullmatch(r"(?:@(!?)P([0-6]) )?(\S+)(?: ([^{]*?))?(?: \{(.*)\})?", text)
        if m is None:
            raise Unknown(text)
        self.negated, self.guard = m[1] == "!", int(m[2]) if m[2] else None
        self.name = m[3]
        self.ops = m[4].split(", ") if m[4] else []
        self.mods = {}
        for word in (m[5] or "").split():
            key, _, val = word.partition("=")
            self.mods[key] = val or "1"
        self.mods.setdefault("cmp", "never")
        self.mods.setdefault("bop", "and")
        self.stem = self.name.split(".")


class Thread:
    def __init__(self, core, cta, tid, linear):
        self.core, self.cta, self.tid, self.linear = core, cta, tid, linear
        self.lane, self.warp = linear % 32, linear // 32
        self.pc = core.start["entry_pc"]
        self.regs, self.preds = [0] * 256, [False] * 8
        self.preds[7] = True
        self.local = bytearray(core.start["local_bytes"])
        self.state = "runs"  # waits: at a barrier or an exchange; ended
        self.effects = {}

    # ---- operands
    def get(self, op):
        """RZ, R4, R4:R5 (the low word first), 0x10."""
        if op.startswith("0x"):
            return int(op, 16)
        if op == "RZ":
            return 0
        names = [int(r[1:]) for r in op.split(":")]
        first, last = names[0], names[-1]
        return sum(self.regs[r] << 32 * (r - first) for r in range(first, last + 1))

    def put(self, op, v):
        if op == "RZ":
            return
        names = [int(r[1:]) for r in op.split(":")]
        for k, r in enumerate(range(names[0], names[-1] + 1)):
            self.regs[r] = v >> 32 * k & M32
            self.effects.setdefault("regs", {})["R%d" % r] = self.regs[r]

    def pred(self, op):
        v = True if op.lstrip("!") == "PT" else self.preds[int(op.lstrip("!")[1:])]
        return v != op.startswith("!")

    def put_pred(self, op, v):
        if op != "PT":
            self.preds[int(op[1:])] = bool(v)
            self.effects.setdefault("preds", {})[op] = bool(v)

    def address(self, op):
        """[R0:R1+0x10]: 64 bits; [R4-0x4]: 32 bits; the same for c0[...]."""
        m = re.fullmatch(r"\[(\w+(?::\w+)?)(?:([+-])0x([0-9a-f]+))?\]", op)
        offset = int(m[3], 16) * (1 if m[2] == "+" else -1) if m[3] else 0
        return (self.get(m[1]) + offset) & (M64 if ":" in m[1] else M32)

    def enabled(self, insn):
        return insn.guard is None or self.preds[insn.guard] != insn.negated


def lop3(a, b, c, lut):
    d = 0
    for i in range(8):
        if lut >> i & 1:
            d |= (a if i & 4 else ~a) & (b if i & 2 else ~b) & (c if i & 1 else ~c)
    return d & M32


def shift(a, b, c, left, wrap):
    """Funnel shift of {b, a}."""
    n = c & 31 if wrap else min(c, 32)
    both = b << 32 | a
    return (both << n >> 32 if left else both >> n) & M32


def prmt(a, b, c):
    d = 0
    for i in range(4):
        n = c >> 4 * i & 15
        byte = (b << 32 | a) >> 8 * (n & 7) & 255
        if n & 8:
            byte = 255 if byte & 128 else 0
        d |= byte << 8 * i
    return d


def bfe(a, pos, length, is_signed):
    sign = a >> 31 if pos + length > 32 else a >> min(pos + length - 1, 31) & 1
    low = a >> pos if pos < 32 else 0
    field = low & ((1 << length) - 1) if length < 32 else low
    if is_signed and length and sign:
        have = min(length, max(32 - pos, 0))
        field |= M32 & ~((1 << have) - 1)
    return field & M32 if length else 0


def bfi(a, b, pos, length):
    mask = ((1 << min(length, 32)) - 1) << pos & M32 if pos < 32 else 0
    return (a << pos & mask | b & ~mask) & M32 if pos < 32 else b


def poslen(op):
    pos, length = op.split(":")
    return int(pos), int(length)


def find(a, is_signed):
    a = ~a & M32 if is_signed and a >> 31 else a
    return a.bit_length() - 1 & M32


# d = f(sources), one word or two; the destination is the first operand
SIMPLE = {
    "mov.r": lambda a: a, "mov.i": lambda a: a,
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "rsub": lambda a, b: b - a,
    "add64.rr": lambda a, b: a + b, "add64.ri": lambda a, b: a + signed(b),
    "sub64.rr": lambda a, b: a - b,
    "abs.s32": lambda a: abs(signed(a)),
    "min.s32": lambda a, b: min(signed(a), signed(b)), "min.u32": min,
    "max.s32": lambda a, b: max(signed(a), signed(b)), "max.u32": max,
    "shf.l.clamp": lambda a, b, c: shift(a, b, c, True, False),
    "shf.l.wrap": lambda a, b, c: shift(a, b, c, True, True),
    "shf.r.clamp": lambda a, b, c: shift(a, b, c, False, False),
    "shf.r.wrap": lambda a, b, c: shift(a, b, c, False, True),
    "shr.s32": lambda a, b: signed(a) >> min(b, 32), "prmt": prmt,
    "popc": lambda a: bin(a).count("1"), "clz": lambda a: 32 - a.bit_length(),
    "brev": lambda a: int("{:032b}".format(a)[::-1], 2),
    "bfind.u32": lambda a: find(a, False), "bfind.s32": lambda a: find(a, True),
    "bfe.u32.r": lambda a, b, c: bfe(a, b & 255, c & 255, False),
    "bfe.s32.r": lambda a, b, c: bfe(a, b & 255, c & 255, True),
    "bfi.r": lambda a, b, c: bfi(a, b, c & 255, c >> 8 & 255),
    "mad.lo": lambda a, b, c: a * b + c,
    "mad.hi.u32": lambda a, b, c: (a * b >> 32) + c,
    "mad.hi.s32": lambda a, b, c: (signed(a) * signed(b) >> 32) + c,
    "mad.wide.u32": lambda a, b, c: a * b + c,
    "mad.wide.s32": lambda a, b, c: signed(a) * signed(b) + c,
}


def convert(name, a, mods):
    """cvt.DEST.SOURCE."""
    to, source = name.split(".")[1:3]
    mode = mods.get("rnd", "rn")
    if source != "f32":
        bits = int(source[1:])
        return f32.pack(f32.Fraction(signed(a, bits) if source[0] == "s" else a), mode)
    a = f32.flush(a) if "ftz" in mods else a
    if to == "rnd":
        if f32.is_nan(a):
            return f32.NAN
        return a if f32.is_inf(a) else f32.pack(f32.Fraction(f32.to_int(f32.value(a), mode)), "rn", a >> 31)
    bits = int(to[1:])
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if to[0] == "s" else (0, (1 << bits) - 1)
    if f32.is_nan(a):
        return 0 if bits == 32 else 1 << 63
    if f32.is_inf(a):
        return (low if a >> 31 else high) & ((1 << bits) - 1)
    return min(max(f32.to_int(f32.value(a), mode), low), high) & ((1 << bits) - 1)


def compare(t, insn):
    """setp: p = r bop s, q = !r bop s."""
    o, mods = insn.ops, insn.mods
    kind = insn.stem[1]
    a, b = t.get(o[2]), t.get(o[3])
    if kind in ("s64", "u64") and o[3].startswith("0x"):
        b = signed(b) & M64
    if kind == "f32":
        r = f32.compare(a, b, mods["cmp"], "ftz" in mods)
    else:
        bits = int(kind[1:])
        if kind[0] == "s":
            a, b = signed(a, bits), signed(b, bits)
        r = f32.relation(a, b, mods["cmp"])
    s = t.pred(o[4])
    bop = {"and": lambda x: x and s, "or": lambda x: x or s, "xor": lambda x: x != s,
           "none": lambda x: x}[mods["bop"]]
    p, q = bop(r), bop(not r)
    t.put_pred(o[0], p)
    t.put_pred(o[1], q)


def simple(t, insn):
    """False where the instruction is no function of its sources alone."""
    o, name, mods = insn.ops, insn.name, insn.mods
    f = SIMPLE.get(name) or SIMPLE.get(name.rsplit(".", 1)[0])
    if f is not None:
        t.put(o[0], f(*[t.get(x) for x in o[1:]]) & M64)
    elif insn.stem[0] == "lop3":
        t.put(o[0], lop3(*[t.get(x) for x in o[1:4]], int(mods.get("lut", "0"), 16)))
    elif name in ("bfe.u32.i", "bfe.s32.i"):
        t.put(o[0], bfe(t.get(o[1]), *poslen(o[2]), name[4] == "s"))
    elif name == "bfi.i":
        t.put(o[0], bfi(t.get(o[1]), t.get(o[2]), *poslen(o[3])))
    elif insn.stem[0] == "selp":
        t.put(o[0], t.get(o[1]) if t.pred(o[3]) else t.get(o[2]))
    elif insn.stem[0] == "setp":
        compare(t, insn)
    elif insn.stem[0] == "plop":
        s, u = t.pred(o[1]), t.pred(o[2])
        t.put_pred(o[0], {"and": s and u, "or": s or u, "xor": s != u, "none": u}[mods["bop"]])
    elif insn.stem[0] == "cvt":
        t.put(o[0], convert(name, t.get(o[1]), mods))
    elif insn.stem[:2] == ["add", "f32"]: # neg_b is of the second addend here
        turned = {("neg_c" if k == "neg_b" else k): v for k, v in mods.items()}
        t.put(o[0], f32.fma(t.get(o[1]), 0x3F800000, t.get(o[2]), turned))
    elif insn.stem[:2] == ["mul", "f32"]:
        t.put(o[0], f32.mul(t.get(o[1]), t.get(o[2]), mods))
    elif insn.stem[:2] == ["fma", "f32"]:
        a, b, c = (t.get(x) for x in o[1:])
        if t.core.bug == "fma": # planted: rounds the product too
            a, b = f32.mul(a, b, {k: v for k, v in mods.items() if k != "sat"}), 0x3F800000
            mods = {k: v for k, v in mods.items() if k != "neg_a"}
        t.put(o[0], f32.fma(a, b, c, mods))
    else:
        return False
    return True
