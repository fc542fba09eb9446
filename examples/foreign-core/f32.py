"""f32 arithmetic on bit patterns, by exact fractions and one rounding."""
from fractions import Fraction

NAN = 0x7FFFFFFF
INF = 0x7F800000


def is_nan(a):
    return a & 0x7FFFFFFF > INF


def is_inf(a):
    return a & 0x7FFFFFFF == INF


def value(a):
    """The fraction that a finite pattern stands for."""
    exponent, mantissa = a >> 23 & 255, a & 0x7FFFFF
    if exponent == 0:
        v = Fraction(mantissa, 1 << 149)
    else:
        v = Fraction(mantissa | 1 << 23) * Fraction(2) ** (exponent - 150)
    return -v if a >> 31 else v


def to_int(v, mode):
    """A fraction to an integer: rn, rz, rm, rp."""
    low = v.numerator // v.denominator
    rest = v - low
    if rest == 0:
        return low
    if mode == "rn":
        up = rest > Fraction(1, 2) or (rest == Fraction(1, 2) and low & 1)
    elif mode == "rz":
        up = v < 0
    else:
        up = mode == "rp"
    return low + 1 if up else low


def pack(v, mode="rn", sign_of_zero=0):
    """The pattern nearest to a fraction."""
    if v == 0:
        return sign_of_zero << 31
    sign, size = (1, -v) if v < 0 else (0, v)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    if Fraction(2) ** exponent > size:
        exponent -= 1
    exponent = max(exponent, -126)
    turned = {"rm": "rp", "rp": "rm"}.get(mode, mode) if sign else mode
    units = to_int(size / Fraction(2) ** (exponent - 23), turned)
    if units == 1 << 24:
        units, exponent = 1 << 23, exponent + 1
    if exponent > 127:
        stays = mode == "rz" or (mode == "rm" and not sign) or (mode == "rp" and sign)
        return sign << 31 | (0x7F7FFFFF if stays else INF)
    field = units if units < 1 << 23 else (exponent + 127) << 23 | units & 0x7FFFFF
    return sign << 31 | field


def flush(a):
    return a & 0x80000000 if a >> 23 & 255 == 0 else a


def finish(bits, mods):
    """Behind the rounding: ftz, sat."""
    if "ftz" in mods:
        bits = flush(bits)
    if "sat" in mods:
        if is_nan(bits) or bits >> 31:
            return 0
        return min(bits, 0x3F800000)
    return bits


def fma(a, b, c, mods):
    """a * b + c with one rounding; add is fma with b = 1."""
    mode = mods.get("rnd", "rn")
    if "ftz" in mods:
        a, b, c = flush(a), flush(b), flush(c)
    a ^= 0x80000000 if "neg_a" in mods else 0
    b ^= 0x80000000 if "neg_b" in mods else 0
    c ^= 0x80000000 if "neg_c" in mods else 0
    sign = (a ^ b) >> 31
    if is_nan(a) or is_nan(b) or is_nan(c):
        return finish(NAN, mods)
    if is_inf(a) or is_inf(b):
        zero = a & 0x7FFFFFFF == 0 or b & 0x7FFFFFFF == 0
        if zero or (is_inf(c) and c >> 31 != sign):
            return finish(NAN, mods)
        return finish(sign << 31 | INF, mods)
    if is_inf(c):
        return finish(c, mods)
    exact = value(a) * value(b) + value(c)
    negative_zero = sign and c >> 31 if sign == c >> 31 else mode == "rm"
    return finish(pack(exact, mode, 1 if negative_zero else 0), mods)


def mul(a, b, mods):
    """The zero of a product keeps the product's sign: nothing is added."""
    sign = (a ^ b ^ (0x80000000 if "neg_a" in mods else 0)) & 0x80000000
    return fma(a, b, sign, {k: v for k, v in mods.items() if k != "neg_c"})


def compare(a, b, relations, ftz):
    """relations: lt eq le gt ne ge num nan, with u at the end also true for NaN."""
    if ftz:
        a, b = flush(a), flush(b)
    if is_nan(a) or is_nan(b):
        return relations in ("nan", "ltu", "equ", "leu", "gtu", "neu", "geu", "always")
    def order(x):
        return (-1 if x >> 31 else 1) * (x & 0x7FFFFFFF)
    return relation(order(a), order(b), relations.rstrip("u"))


def relation(a, b, name):
    return {"never": False, "lt": a < b, "eq": a == b, "le": a <= b, "gt": a > b, "ne": a != b,
            "ge": a >= b, "num": True, "nan": False, "always": True}[name]
