"""What the matrix instructions of sm_90's machine code give (machine_code.py), as the records of
mma.sync settle it (README.md), and f32 arithmetic. Arrays have a row for each item and a column for
each lane."""
import ctypes
import ctypes.util

import numpy as np

LIBM = ctypes.CDLL(ctypes.util.find_library('m'))
LIBM.fma.argtypes, LIBM.fma.restype = [ctypes.c_double] * 3, ctypes.c_double
FUSED = np.vectorize(LIBM.fma, otypes=[np.float64])
FLOOR = -133


def f32(bits):
    return bits.view(np.float32)


def bits_of(value):
    """Of f32; a NaN is 7fffffff."""
    bits = value.astype(np.float32).view(np.uint32).copy()
    bits[np.isnan(value)] = 0x7fffffff
    return bits


def fused(a, b, c):
    """Products of two f16 are exact in f64; the sum is made odd where it is not, then rounded."""
    product = f32(a).astype(np.float64) * f32(b)
    addend = f32(c).astype(np.float64)
    total = product + addend
    part = total - product
    rest = (product - (total - part)) + (addend - part)
    inexact = np.isfinite(total) & (rest != 0) & ((total.view(np.uint64) & np.uint64(1)) == 0)
    toward = np.where(rest > 0, np.inf, -np.inf)
    return bits_of(np.where(inexact, np.nextafter(total, toward), total).astype(np.float32))


def half_of(bits):
    value = f32(bits)
    half = value.astype(np.float16).view(np.uint16).copy()
    half[np.isnan(value)] = 0x7fff
    return half.astype(np.uint32)


def transposed(word):
    """MOVM: an 8 x 8 matrix of 16 bits, two neighbours of a row in each lane."""
    whole = np.stack([word & 0xffff, word >> 16], 2).reshape(-1, 8, 8).transpose(0, 2, 1)
    pairs = whole.reshape(-1, 32, 2)
    return pairs[:, :, 0] | pairs[:, :, 1] << np.uint32(16)


def chained(a, b, c):
    """f64: a NaN is the first one of b, c, a, made quiet."""
    result = FUSED(a, b, c)
    result = np.where(np.isnan(result), np.uint64(0xfff8 << 48).view(np.float64), result)
    for value in (a, c, b):
        quiet = (np.broadcast_to(value, result.shape).copy().view(np.uint64)
                 | np.uint64(1 << 51)).view(np.float64)
        result = np.where(np.isnan(value), quiet, result)
    return result


class Parts:
    """Sign, exponent and significand of floats with `fraction` bits of fraction, and their class."""

    def __init__(self, bits, width, exponent, fraction):
        bits = bits.astype(np.int64)
        top, field = (1 << exponent) - 1, bits >> fraction & (1 << exponent) - 1
        low = bits & (1 << fraction) - 1
        self.negative = (bits >> width - 1 & 1) != 0
        self.exponent = np.where(field == 0, 1, field) - top // 2
        self.significand = np.where(field == 0, low, low | 1 << fraction)
        self.nan = (field == top) & (low != 0)
        self.infinite = (field == top) & (low == 0)
        self.zero = (field == 0) & (low == 0)
        self.fraction = fraction


FLOATS = {'F16': (16, 5, 10), 'BF16': (16, 8, 7), 'TF32': (19, 8, 10), 'F32': (32, 8, 23)}


def encode(total, unit, to):
    """total * 2^unit, cut to f32 or rounded to nearest even to f16."""
    width, exponent_bits, fraction = FLOATS[to]
    bias, size = (1 << exponent_bits - 1) - 1, np.abs(total)
    length = np.frexp(size.astype(np.float64))[1]  # exact: below 2^53
    exponent = np.maximum(unit + length - 1, 1 - bias)
    cut = np.clip(exponent - fraction - unit, -40, 62)
    kept = np.where(cut >= 0, size >> np.maximum(cut, 0), size << np.maximum(-cut, 0))
    if to == 'F16':
        rest, half = size - (kept << np.maximum(cut, 0)), np.where(cut > 0, 1 << np.maximum(
            cut - 1, 0), 0)
        kept += (cut > 0) & ((rest > half) | ((rest == half) & (kept & 1 != 0)))
    bits = np.where(size == 0, 0, kept + (exponent + bias - 1 << fraction))
    bits = np.minimum(bits, (1 << exponent_bits) - 1 << fraction)
    return np.where(bits == 0, 0, bits | (total < 0).astype(np.int64) << width - 1)


def block(a, b, c, kind, to):
    """One sum: a and b (item, row, column, k), c (item, row, column)."""
    x, y, z = Parts(a, *FLOATS[kind]), Parts(b, *FLOATS[kind]), Parts(c, *FLOATS[to])
    zero = x.zero | y.zero
    invalid = (x.nan | y.nan | (x.infinite & y.zero) | (x.zero & y.infinite)).any(3) | z.nan
    infinite, negative = x.infinite | y.infinite, x.negative != y.negative
    plus = (infinite & ~negative).any(3) | (z.infinite & ~z.negative)
    minus = (infinite & negative).any(3) | (z.infinite & z.negative)
    exponent = np.where(zero, FLOOR, x.exponent + y.exponent)
    largest = np.maximum(np.maximum(exponent.max(3), np.where(z.zero, FLOOR, z.exponent)), FLOOR)

    def aligned(significand, fraction, of, sign, top):
        shift = 25 - fraction - (top - of)
        value = np.where(shift >= 0, significand << np.clip(shift, 0, 30),
                         significand >> np.clip(-shift, 0, 62))
        return np.where(sign, -value, value)

    terms = aligned(np.where(zero, 0, x.significand * y.significand), 2 * x.fraction,
                    exponent, negative, largest[..., None])
    total = terms.sum(3) + aligned(z.significand, z.fraction, z.exponent, z.negative, largest)
    bits = encode(total, largest - 25, to)
    width, exponent_bits, fraction = FLOATS[to]
    infinity = (1 << exponent_bits) - 1 << fraction
    bits = np.where(plus | minus, infinity | minus.astype(np.int64) << width - 1, bits)
    return np.where(invalid | (plus & minus), (1 << width - 1) - 1, bits)


class Form:
    """A shape: `per` values of k in a register; a lane 4 g + q has row or column g and k q."""

    def __init__(self, rows, per, groups, kind, to, more=''):
        self.rows, self.per, self.groups, self.kind, self.to = rows, per, groups, kind, to
        self.more = more
        wide = 2 if kind == 'F64' else 1
        high = rows // 8
        self.registers = (high * groups * wide, groups * wide,
                          high * (1 if to == 'F16' else 2) * wide)

    def values(self, words):
        """The elements of a register (two of them, of f64): the last axis."""
        if self.kind == 'F64':
            both = words[0].astype(np.uint64) | words[1].astype(np.uint64) << np.uint64(32)
            return both.view(np.float64)[..., None]
        bits = 32 // self.per
        word = words[0].astype(np.int64) >> (13 if self.kind == 'TF32' else 0)
        value = np.stack([word >> bits * i & (1 << bits) - 1 for i in range(self.per)], 2)
        return np.where(value >> 7 != 0, value - 256, value) if self.kind == 'S8' else value

    def operand(self, words, high):
        """(item, row, k) of A, (item, column, k) of B."""
        wide = 2 if self.kind == 'F64' else 1
        parts = [self.values(words[i:i + wide]) for i in range(0, len(words), wide)]
        whole = np.zeros((len(words[0]), 8 * high, 4 * self.per * self.groups), parts[0].dtype)
        for r, part in enumerate(parts):
            rows, k = 8 * (r % high), 4 * self.per * (r // high)
            whole[:, rows:rows + 8, k:k + 4 * self.per] = part.reshape(-1, 8, 4 * self.per)
        return whole

    def result(self, a_words, b_words, c_words):
        high = self.rows // 8
        a, b = self.operand(a_words, high), self.operand(b_words, 1)
        if self.kind == 'F64':
            pairs = [self.values(c_words[i:i + 2])[..., 0] for i in (0, 2)]
        elif self.to == 'F16':
            pairs = [w.astype(np.int64) >> s & 0xffff for w in c_words for s in (0, 16)]
        else:
            pairs = [w.astype(np.int64) for w in c_words]
        c = np.zeros((len(a), self.rows, 8), pairs[0].dtype)
        for i, value in enumerate(pairs):
            c[:, 8 * (i // 2):8 * (i // 2) + 8, i % 2::2] = value.reshape(-1, 8, 4)
        with np.errstate(all='ignore'):
            d = self.compute(a, b, c)
        out = [d[:, 8 * (i // 2):8 * (i // 2) + 8, i % 2::2].reshape(-1, 32)
               for i in range(len(pairs))]
        if self.kind == 'F64':
            return [w for x in out for w in (x.view(np.uint64) & np.uint64(0xffffffff),
                                             x.view(np.uint64) >> np.uint64(32))]
        if self.to == 'F16':
            return [out[i] | out[i + 1] << 16 for i in range(0, len(out), 2)]
        return [x & 0xffffffff for x in out]

    def compute(self, a, b, c):
        left, right = a[:, :, None, :], b[:, None, :, :]
        if self.kind == 'F64':
            for k in range(a.shape[2]):
                c = chained(a[:, :, None, k], b[:, None, :, k], c)
            return c
        if self.kind in FLOATS:
            return block(left, right, c, self.kind, self.to)
        c = np.where(c >> 31 != 0, c - (1 << 32), c)
        total = (left * right).sum(3) + c
        return np.clip(total, -1 << 31, (1 << 31) - 1) if self.more == 'SAT' else total


FORMS = {'HMMA.16816.F32': Form(16, 2, 2, 'F16', 'F32'),
         'HMMA.16816.F16': Form(16, 2, 2, 'F16', 'F16'),
         'HMMA.16816.F32.BF16': Form(16, 2, 2, 'BF16', 'F32'),
         'HMMA.1684.F32.TF32': Form(16, 1, 1, 'TF32', 'F32'),
         'DMMA.8x8x4': Form(8, 1, 1, 'F64', 'F64'),
         'BMMA.88128.AND.POPC': Form(8, 32, 1, 'B1', 'S32'),
         'IMMA.8816.S8.S8': Form(8, 4, 1, 'S8', 'S32'),
         'IMMA.8816.U8.U8': Form(8, 4, 1, 'U8', 'S32'),
         'IMMA.16816.S8.S8': Form(16, 4, 1, 'S8', 'S32'),
         'IMMA.16816.U8.U8': Form(16, 4, 1, 'U8', 'S32'),
         'IMMA.16816.S8.S8.SAT': Form(16, 4, 1, 'S8', 'S32', 'SAT'),
         'IMMA.16816.U8.U8.SAT': Form(16, 4, 1, 'U8', 'S32', 'SAT')}
