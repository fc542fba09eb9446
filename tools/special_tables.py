#!/usr/bin/env python3
"""Tables of the special functions (docs/microarchitecture.md 6.4), with a proof of their error.

Writes isa/def/special.def to standard output, or with --check FILE compares it. Each segment of a
function is a quadratic with integer coefficients: y = c0 + (p * d >> 18), p = c1 + (c2 * d >> 18), in
units of 2^-26; d is the place in the segment, 18 bits. The printed bounds hold for every operand of a
segment: the remainder of the interpolation, the quantised coefficients, the two shifts.
Decimal arithmetic of 60 digits: the same tables on every machine.
"""
import argparse
import sys
from decimal import Decimal as D, getcontext

getcontext().prec = 60
UNIT = 26       # y in units of 2^-26
PLACE = 18      # bits of d
PI = D("3.14159265358979323846264338327950288419716939937510582097494")
LN2 = D(2).ln()


def cosine(x):
    """cos x for |x| <= pi, by its series."""
    term, total, n = D(1), D(1), 0
    while abs(term) > D(10) ** -55:
        n += 2
        term *= -x * x / (n * (n - 1))
        total += term
    return total


NODES = [(1 - cosine(PI * (2 * k + 1) / 6)) / 2 for k in range(3)]  # of Chebyshev, in [0, 1]


def ex2(x):
    return (x * LN2).exp()


def lg2(x):
    return x.ln() / LN2


def tanh(x):
    e = (2 * x).exp()
    return (e - 1) / (e + 1)


def tanh3(start, end):
    """Bound of the third derivative of tanh: (1 - t^2)(6 t^2 - 2), t in [tanh start, tanh end]."""
    low, high = tanh(start), tanh(end)
    return (1 - low * low) * max(abs(6 * low * low - 2), abs(6 * high * high - 2))


def segments():
    """(function, index, start, length, function of x, bound of the third derivative)"""
    for i in range(64):
        start = D(i) / 64
        yield "EX2", i, start, D(1) / 64, ex2, LN2 ** 3 * ex2(start + D(1) / 64)
    for i in range(64):
        start = 1 + D(i) / 64
        yield "LG2", i, start, D(1) / 64, lg2, 2 / (LN2 * start ** 3)
    for i in range(72):  # from 2^-6, eight to each power of two, up to 8
        power = D(2) ** (i // 8 - 6)
        start = power * (1 + D(i % 8) / 8)
        yield "TANH", i, start, power / 8, tanh, tanh3(start, start + power / 8)


def interpolate(f, start, length):
    """Coefficients of 1, t, t^2 through the nodes, t in [0, 1]."""
    t, y = NODES, [f(start + length * t) for t in NODES]
    s01 = (y[1] - y[0]) / (t[1] - t[0])
    s12 = (y[2] - y[1]) / (t[2] - t[1])
    q2 = (s12 - s01) / (t[2] - t[0])
    q1 = s01 - q2 * (t[0] + t[1])
    return y[0] - q1 * t[0] - q2 * t[0] ** 2, q1, q2


def largest(q0, q1, q2):
    """Range of q0 + q1 t + q2 t^2 over [0, 1]."""
    values = [q0, q0 + q1 + q2]
    if q2 != 0 and 0 < -q1 / (2 * q2) < 1:
        values.append(q0 - q1 * q1 / (4 * q2))
    return min(values), max(values)


def segment(name, start, length, f, third):
    """Integer coefficients, and the range of (result - right value) in units of 2^-26."""
    scale = D(2) ** UNIT
    real = [q * scale for q in interpolate(f, start, length)]
    c2 = int(real[2].to_integral_value())
    c1 = int((real[1] + (real[2] - c2)).to_integral_value())
    # Both shifts cut: up to 1 + 1 below. c0 is in the middle of what is left.
    low, high = largest(-real[0], c1 - real[1], c2 - real[2])
    c0 = int((1 - (low + high) / 2).to_integral_value())
    if name == "EX2":
        c0 += 1 << (UNIT - 24)  # the result is cut after 23 bits: so that it is rounded
        assert 1 << UNIT <= c0 and value(c0, c1, c2, (1 << PLACE) - 1) < 2 << UNIT
    if name == "LG2" and start == 1:
        # lg2 1 is zero. The other coefficients that leave the smallest error then.
        c0 = 0

        def error(c):
            down, up = largest(-real[0], c[0] - real[1], c[1] - real[2])
            return max(2 - down, up)

        near = [(c1 + i, c2 + k) for i in range(-40, 41) for k in range(-40, 41)]
        c1, c2 = min(near, key=error)
        low, high = largest(-real[0], c1 - real[1], c2 - real[2])
    if name == "TANH":
        assert 0 < c0 and value(c0, c1, c2, (1 << PLACE) - 1) <= 1 << UNIT
    # What the machine's fields hold (rtl/exec/special_lane.sv).
    slopes = c1, c1 + (c2 * ((1 << PLACE) - 1) >> PLACE)
    assert 0 <= c0 and 0 <= min(slopes) and max(slopes) < 1 << 22 and c2 < 1 << 18
    if name == "LG2" and (start == 1 or start + length == 2):  # beside 1 no magnitude is 1
        above = 0 if start == 1 else 1 << UNIT
        assert all(abs(value(c0, c1, c2, d) - above) != 1 for d in range(0, 1 << PLACE, 2))
    rest = third * length ** 3 / 192 * scale
    return (c0, c1, c2), (c0 + low - 2 - rest, c0 + high + rest)


def value(c0, c1, c2, d):
    """y as the machine computes it."""
    return c0 + ((c1 + (c2 * d >> PLACE)) * d >> PLACE)


def table():
    lines = ["// Special functions: quadratics (docs/microarchitecture.md 6.4). Written by tools/special_tables.py.",
             "// SPECIAL(function, segment, c0, c1, c2)"]
    worst = {}
    for name, i, start, length, f, third in segments():
        (c0, c1, c2), (low, high) = segment(name, start, length, f, third)
        lines.append(f"SPECIAL({name}, {i}, {c0}, {c1}, {c2})")
        scale = D(2) ** UNIT if name == "EX2" else D(2) ** UNIT * (1 if name == "LG2" else f(start))
        e = max(-low, high) / scale
        if e > worst.get(name, (0, 0))[0]:
            worst[name] = (e, i)
    return lines, worst


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", metavar="FILE")
    args = parser.parse_args()
    lines, worst = table()
    text = "\n".join(lines) + "\n"
    for name, (e, i) in worst.items():
        print(f"{name}: within 2^{float(e.ln() / LN2):.2f} (segment {i})", file=sys.stderr)
    if args.check:
        with open(args.check, encoding="utf-8") as file:
            if file.read() != text:
                sys.exit(f"{args.check} is not what {sys.argv[0]} writes")
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
