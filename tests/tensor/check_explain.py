#!/usr/bin/env python3
"""The text of `warplock explain-mma` against exact arithmetic of fractions, line by line.

Usage: check_explain.py WARPLOCK [RUNS]

Random elements of every kind and type of tcgen05.mma. The rule is written here from docs/microarchitecture.md
19.2, 25.7, 26.4 and 26.11: decoded numbers, exponents, what is kept of each term, its cut bits, the sum, the
result, and which cut bit changes it.
"""
import random
import re
import subprocess
import sys
from fractions import Fraction as F

# name: bits, exponent bits, fraction bits, low bit of the register, bias
FORMATS = {"f16": (16, 5, 10, 0), "bf16": (16, 8, 7, 0), "tf32": (19, 8, 10, 13), "f32": (32, 8, 23, 0),
           "e4m3": (8, 4, 3, 0), "e5m2": (8, 5, 2, 0), "e2m3": (6, 2, 3, 0), "e3m2": (6, 3, 2, 0),
           "e2m1": (4, 2, 1, 0)}
SMALL = ["e4m3", "e5m2", "e2m3", "e3m2", "e2m1"]
NUMBER = r"(-?[0-9.]+(?:e[-+][0-9]+)?)"
TERM = re.compile(r" +(C|\d+)  (.*?) +exponent +(-?\d+)  behind X by +(-?\d+)  kept ([+-])([0-9a-f]+)"
                  r"(?:  cut (\d+): (0\.\.)?([01]+))?$")
random.seed(26)


def power(n):
    return F(2) ** n


class Term:
    """A finite number with the exponent that the rule gives it; value None: an infinity or a NaN."""

    def __init__(self, value, exponent, zero=None):
        self.value, self.exponent = value, exponent
        self.zero = value == 0 if zero is None else zero


def decode(name, bits):
    size, exps, fraction, low = FORMATS[name]
    bits >>= low
    field, m = bits >> fraction & ((1 << exps) - 1), bits & ((1 << fraction) - 1)
    bias = (1 << exps - 1) - 1
    if (name == "e4m3" and bits & 0x7f == 0x7f) or (name[0] in "bft" or name == "e5m2") and field == (1 << exps) - 1:
        return Term(None, 0)
    x = max(field, 1) - bias
    value = F(m + ((field != 0) << fraction)) * power(x - fraction)
    return Term(-value if bits >> size - 1 & 1 else value, x)


def times(a, b):
    if a.value is None or b.value is None:
        return Term(None, 0)
    return Term(a.value * b.value, a.exponent + b.exponent)


def towards_zero(v):
    return int(abs(v)) * (-1 if v < 0 else 1)


def rounded(name, v):
    """To f32 toward zero, to f16 to nearest even; bits."""
    size, exps, fraction, _ = FORMATS[name]
    bias = (1 << exps - 1) - 1
    if v == 0:
        return 0
    x = 1 - bias
    while abs(v) >= power(x + 1):
        x += 1
    units = abs(v) / power(x - fraction)
    m = round(units) if name == "f16" else int(units)  # round() of a fraction is to nearest even
    bits = m + (x + bias - 1 << fraction)
    bits = min(bits, ((1 << exps) - 1) << fraction)
    return bits | (v < 0 and bits != 0) << size - 1


def want(condition, text, why):
    if not condition:
        print(why)
        print(text)
        sys.exit(1)


def shown(text, line):
    want(line in text.split("\n"), text, "no line '%s'" % line)


def check_block(text, rows, terms, kept, lowest, result, noun):
    """rows: matched lines of the terms, the addend first, as `terms`."""
    x = max([lowest] + [t.exponent for t in terms if not t.zero])
    unit = power(x - kept)
    shown(text, "  X = %d%s, unit 2^%d" % (x, " (the lowest)" if x == lowest else "", x - kept))
    total, cuts = 0, []
    for row, t in zip(rows, terms):
        if t.zero:
            want(row is None, text, "a zero has a line with an exponent")
            continue
        want(row is not None and int(row[3]) == t.exponent and int(row[4]) == x - t.exponent, text, "exponent of a term")
        units = t.value / unit
        whole = towards_zero(units)
        want(int(row[6], 16) * (-1 if row[5] == "-" else 1) == whole, text, "what is kept of a term")
        total += whole
        dropped = int(row[7] or 0)
        rest = abs(units - whole) * 2 ** dropped
        want(rest.denominator == 1 and rest < 2 ** dropped, text, "the number of cut bits")
        want(int(row[9] or "0", 2) == rest, text, "the cut bits of a term")
        want(bool(row[8]) == (dropped > 32), text, "leading cut bits")
        cuts.append((row[1], t, int(rest), dropped))
    digits = "%s%x" % ("-" if total < 0 else "+", abs(total))
    want(re.search(r"^  sum %s units = " % re.escape(digits), text, re.M), text, "the sum is %s" % digits)
    d = rounded(result, total * unit)
    check_changes(text, cuts, total, unit, x - kept, d, result, noun)
    return d


def check_changes(text, cuts, total, unit, scale, d, result, noun):
    """Which cut bit, put back with those above it, changes the result."""
    lines, every = [], F(0)
    for name, t, rest, dropped in cuts:
        sign = -1 if t.value < 0 else 1
        every += F(rest * sign, 2 ** dropped)
        for top in range(1, dropped + 1 if rest else 1):
            back = rest >> dropped - top << dropped - top
            bits = rounded(result, (total + F(back * sign, 2 ** dropped)) * unit)
            if bits != d:
                lines.append("  the cut bit 2^%d of %s changes the result: with it 0x%0*x (" % (
                    scale - top, "C" if name == "C" else "%s %s" % (noun, name), FORMATS[result][0] // 4, bits))
                break
    have = [l[:l.index("(") + 1] for l in text.split("\n") if l.startswith("  the cut bit")]
    want(have == lines, text, "cut bits that change the result: %s" % lines)
    exact = rounded(result, (total + every) * unit)
    want("  with nothing cut but the sum: 0x%0*x (" % (FORMATS[result][0] // 4, exact) in text, text,
         "with nothing cut: %x" % exact)
    want(("all of them together do" in text) == (not lines and exact != d), text, "all of them together")


def rows_of(text, head, names):
    """The lines of terms behind the line that starts with `head`; None: no exponent."""
    part = text[text.index(head):]
    rows = {m[1]: m for m in map(TERM.match, part.split("\n")) if m}
    return [rows.get(n) for n in names]


def number(name, near):
    size, exps, fraction, low = FORMATS[name]
    if random.random() < 0.1:
        return 0
    bits = random.getrandbits(size)
    if exps >= 4 and (near or name == "f32"):
        field = (1 << exps - 1) - 1 + random.randint(-6, 6 if exps > 4 else 3)
        bits = bits & ~(((1 << exps) - 1) << fraction) | field << fraction
    elif decode(name, bits << low).value is None:
        return 0
    return bits << low


def as_text(values):
    return ",".join("0x%x" % v for v in values)


def run(warplock, kind, a, b, c, *more):
    command = [warplock, "explain-mma", "--kind", kind, "--a", as_text(a), "--b", as_text(b), "--c", "0x%x" % c]
    got = subprocess.run(command + list(more), capture_output=True, text=True)
    want(got.returncode == 0, got.stdout + got.stderr, " ".join(command + list(more)))
    return " ".join(command + list(more)) + "\n" + got.stdout


def check_result(text, d, result):
    want(re.search(r"^D = 0x%0*x \(" % (FORMATS[result][0] // 4, d), text, re.M), text, "D is %x" % d)


def check_float(warplock, kind):
    if kind == "f16":
        at = bt = random.choice(["f16", "bf16"])
    else:
        at, bt = ("tf32", "tf32") if kind == "tf32" else (random.choice(SMALL), random.choice(SMALL))
    result = random.choice(["f32", "f16"]) if kind == "f8f6f4" or at == "f16" else "f32"
    count = random.randint(1, {"f16": 16, "tf32": 8}.get(kind, 32))
    near = random.random() < 0.7
    a, b = [number(at, near) for _ in range(count)], [number(bt, near) for _ in range(count)]
    c = number(result, True)
    options, raised, lowered = ["--atype", at, "--btype", bt, "--dtype", result], 0, 0
    if kind == "mxf8f6f4":
        sa, sb = (random.randint(117, 137) for _ in "ab")
        raised = sa + sb - 254
        result, options = "f32", options[:4] + ["--scale-a", hex(sa), "--scale-b", hex(sb)]
        c = number(result, True)
    elif kind != "f8f6f4":
        lowered = random.randint(0, 15)
        options += ["--scale-d", str(lowered)]
    text = run(warplock, kind, a, b, c, *options)
    addend = decode(result, c)
    terms = [Term(addend.value * power(-lowered), addend.exponent - lowered)]
    for x, y in zip(a, b):
        t = times(decode(at, x), decode(bt, y))
        terms.append(Term(t.value * power(raised), t.exponent + raised))
    rows = rows_of(text, "block 1: products 0 to %d" % (count - 1), ["C"] + [str(k) for k in range(count)])
    d = check_block(text, rows, terms, 25, -133, result, "product")
    check_result(text, d, result)
    if kind == "mxf8f6f4":
        want("of A 0x%02x (" % sa in text and "each product counts * 2^%d\n" % raised in text, text, "scales")


def scale_number(ue4m3, byte):
    """Exponent and significand, of which 8 is one."""
    if not ue4m3:
        return byte - 127, 8
    field = byte >> 3 & 15
    return max(field, 1) - 7, (byte & 7) + (8 if field else 0)


def check_groups(warplock, kind):
    scales = 2 if kind == "mxf4" else random.choice([2, 4])
    stype = "ue8m0" if scales == 2 else random.choice(["ue8m0", "ue4m3"])
    count = random.choice([64, 64, random.randint(1, 64)])
    a, b = ([number("e2m1", False) for _ in range(count)] for _ in "ab")
    if random.random() < 0.3:  # the first group cancels
        for k in range(1, min(count, 16), 2):
            a[k], b[k] = a[k - 1] ^ 8, b[k - 1]
    c = number("f32", True)
    low, high = (0, 0x7e) if stype == "ue4m3" else (110, 144)
    sa, sb = ([random.randint(low, high) for _ in range(scales)] for _ in "ab")
    text = run(warplock, kind, a, b, c, "--scale-a", as_text(sa), "--scale-b", as_text(sb), "--stype", stype)
    addend = decode("f32", c)
    terms = [addend]
    for g in range(4):
        products = [times(decode("e2m1", x), decode("e2m1", y)).value for x, y in zip(a[16 * g:16 * g + 16], b[16 * g:])]
        (xa, ma), (xb, mb) = (scale_number(stype == "ue4m3", s[g * scales // 4]) for s in (sa, sb))
        p = sum(products, F(0))
        terms.append(Term(p * F(ma * mb, 64) * power(xa + xb), xa + xb, not any(products) or ma * mb == 0))
        part = text[text.index("group %d: " % g):]
        lines = part[:part.index("  P = ")].split("\n")[1:-1]
        listed = {int(l.split()[0]): F(l.split()[-1]) for l in lines}
        want(listed == {16 * g + k: v for k, v in enumerate(products) if v}, text, "products of group %d" % g)
        want(re.search(r"  P = %s, scales of %s: of A 0x%02x \(" % (NUMBER, stype, sa[g * scales // 4]),
                       part), text, "P and scales of group %d" % g)
        want(F(re.search("  P = " + NUMBER, part)[1]) == p, text, "P of group %d" % g)
    rows = rows_of(text, "the groups and C", ["C", "0", "1", "2", "3"])
    check_result(text, check_block(text, rows, terms, 35, -139, "f32", "group"), "f32")


def check_integers(warplock):
    types = [random.choice(["s8", "u8"]) for _ in "ab"]
    count = random.randint(1, 32)
    a, b = ([random.getrandbits(8) for _ in range(count)] for _ in "ab")
    c = random.choice([random.getrandbits(32), 0x7fffffff - random.getrandbits(14), 0x80000000 + random.getrandbits(14)])
    clamp = random.random() < 0.5
    text = run(warplock, "i8", a, b, c, "--atype", types[0], "--btype", types[1], *(["--saturate"] if clamp else []))
    total = c - (c >> 31 << 32)
    shown(text, "    C  %d" % total)
    for k, (x, y) in enumerate(zip(a, b)):
        x, y = (v - 256 if t == "s8" and v > 127 else v for v, t in zip((x, y), types))
        shown(text, "%5d  %-14s = %d" % (k, "%d * %d" % (x, y), x * y))
        total += x * y
    shown(text, "  sum %d" % total)
    beyond = not -2 ** 31 <= total < 2 ** 31
    shown(text, "  it is beyond s32: %s" % ("clamped" if clamp else "modulo 2^32") if beyond else "  it is a number of s32")
    if clamp:
        total = min(max(total, -2 ** 31), 2 ** 31 - 1)
    total = (total + 2 ** 31) % 2 ** 32 - 2 ** 31
    shown(text, "D = 0x%08x (%d)" % (total % 2 ** 32, total))


def main():
    warplock, runs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 20
    for _ in range(runs):
        for kind in ("f16", "tf32", "f8f6f4", "mxf8f6f4"):
            check_float(warplock, kind)
        for kind in ("mxf4", "mxf4nvf4"):
            check_groups(warplock, kind)
        check_integers(warplock)
    print("%d elements of each of 7 kinds" % runs)


main()
