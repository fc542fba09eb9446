#!/usr/bin/env python3
"""Results of the package mmasim for products with block scales: the table of tests/unit/model/umma_scaled.def.
usage: mmasim_scaled.py > tests/unit/model/umma_scaled.def
needs: python3 -m pip install mmasim==2.1.1   (with torch; no GPU)
Operands are those of tests/unit/model/test_umma_scale_values.c, drawn from the same generator. A case has 128
rows of A, 8 columns of B, and scales of B that differ between the quarters of D."""
import torch
from mmasim.arithmetic import fdpa, helper

ROWS, COLUMNS, QUARTERS, KINDS = 128, 8, 4, 3
FORMATS = {"E4M3": (4, 3, 7), "E5M2": (5, 2, 15), "E2M3": (2, 3, 1), "E3M2": (3, 2, 3), "E2M1": (2, 1, 1)}
NAN = float("nan")
MASK = (1 << 64) - 1


class Random:  # splitmix64
    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state + 0x9e3779b97f4a7c15) & MASK
        z = self.state
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9 & MASK
        z = (z ^ z >> 27) * 0x94d049bb133111eb & MASK
        return z ^ z >> 31


def value(name, bits):
    e_bits, f_bits, bias = FORMATS[name]
    e, f = bits >> f_bits & (1 << e_bits) - 1, bits & (1 << f_bits) - 1
    if name == "E4M3" and e == 15 and f == 7:
        return NAN
    if name == "E5M2" and e == 31:
        return NAN if f else (float("-inf") if bits >> 7 else float("inf"))
    v = (f + (1 << f_bits if e else 0)) * 2.0 ** (max(e, 1) - bias - f_bits)
    return -v if bits >> e_bits + f_bits & 1 else v


def is_special(name, bits):
    return name == "E4M3" and bits & 0x7f == 0x7f or name == "E5M2" and bits & 0x7c == 0x7c


def element(r, name, kind):
    w, bits = r.next(), 1 + sum(FORMATS[name][:2])
    x, top = w & (1 << bits) - 1, 1 << bits - 2
    if kind == 2 and w >> 48 & 3 == 0:
        return 0
    if kind == 0 or is_special(name, x) and (kind == 2 or w >> 32 & 63):
        x &= ~top
    return x


def vector(r, name, kind, count, opposite):
    """kind 2: of each two elements the second is the first, or its opposite."""
    x = [element(r, name, kind) for _ in range(count)]
    if kind == 2:
        sign = 1 << sum(FORMATS[name][:2])
        for k in range(1, count, 2):
            if not opposite or r.next() & 3:
                x[k] = x[k - 1] ^ (sign if opposite else 0)
    return x


def scale(r, e4m3, kind):
    w = r.next()
    if e4m3:
        x = w & (0xff, 0x80, 0x8f, 0x8f)[(w >> 16 & 3) if kind == 2 else 0]
        return 0x38 if x & 0x7f == 0x7f and kind != 1 else x
    return w & 0xff if kind == 1 else 120 + w % 16 if kind == 0 else 100 + w % 56


def addend(r, kind):
    w = r.next()
    if kind == 1:
        return w & 0xffffffff
    if kind == 2 and w >> 40 & 3 == 0:
        return w & 0x80000000
    return w & 0x807fffff | (120 + (w >> 32) % 16 if kind == 0 else 100 + (w >> 32) % 56) << 23


def scale_value(e4m3, x):
    if e4m3:
        return value("E4M3", x & 0x7f)
    return NAN if x == 255 else 2.0 ** (x - 127)


def results(seed, four, block16, e4m3, of_a, of_b, kind):
    r = Random(seed)
    k, groups = (64, 4 if block16 else 2) if four else (32, 1)
    a = [vector(r, of_a, kind, k, True) for _ in range(ROWS)]
    b = [vector(r, of_b, kind, k, False) for _ in range(COLUMNS)]
    sa = [[scale(r, e4m3, kind) for _ in range(groups)] for _ in range(ROWS)]
    sb = [[[scale(r, e4m3, kind) for _ in range(groups)] for _ in range(COLUMNS)] for _ in range(QUARTERS)]
    c = [[addend(r, kind) for _ in range(COLUMNS)] for _ in range(ROWS)]
    places = [(row, n) for row in range(ROWS) for n in range(COLUMNS)]
    f64, f32 = torch.float64, torch.float32
    va = torch.tensor([[value(of_a, x) for x in a[row]] for row, _ in places], dtype=f32)
    vb = torch.tensor([[value(of_b, x) for x in b[n]] for _, n in places], dtype=f32)
    vc = torch.tensor([c[row][n] - (c[row][n] >> 31 << 32) for row, n in places], dtype=torch.int32).view(f32)
    alpha = torch.tensor([[scale_value(e4m3, x) for x in sa[row]] for row, _ in places], dtype=f64)
    beta = torch.tensor([[scale_value(e4m3, x) for x in sb[row // 32][n]] for row, n in places], dtype=f64)
    # Exponent of the subnormal numbers of the scales' type: they are values of float64 here.
    helper.dtype_subnormal_exponent[f64] = -6 if e4m3 else -127 if four else -1022
    if four:
        d = fdpa.gst_fdpa(va, vb, vc, alpha, beta, 16, 35, "RZ-FP32", -139)
    else:
        low = {name: 1 - FORMATS[name][2] for name in FORMATS}
        d = fdpa.st_fdpa(va, vb, vc, alpha, beta, 25, "RZ-FP32", -133, low[of_a], low[of_b])
    words = [int(x) & 0xffffffff for x in d.view(torch.int32)]
    return [0x7fffffff if w & 0x7fffffff > 0x7f800000 else w for w in words]


def digest(words):
    h = 0x811c9dc5
    for w in words:
        for i in range(4):
            h = (h ^ (w >> 8 * i & 0xff)) * 0x01000193 & 0xffffffff
    return h


def main():
    print("/* D of mmasim 2.1.1 (tests/tensor/outside/mmasim_scaled.py): seed, MXF4, b16, ue4m3, types, kind of operands,\n"
          " * hash of the 1,024 elements by rows, elements 0, 150, 300 and so on. */")
    cases = [(0, 0, 0, a, b) for a in FORMATS for b in FORMATS]
    cases += [(1, 0, 0, "E2M1", "E2M1"), (1, 1, 0, "E2M1", "E2M1"), (1, 1, 1, "E2M1", "E2M1")]
    seed = 0
    for case in cases:
        for kind in range(KINDS):
            seed += 1
            d = results(seed, *case, kind)
            some = ", ".join("0x%08x" % x for x in d[::150])
            print("CASE(%d, %d, %d, %d, %s, %s, %d, 0x%08x, %s)" % (seed, *case, kind, digest(d), some))


main()
