// Numbers of narrow floating-point formats in host arithmetic: what docs/microarchitecture.md 6.4 says
// of halves, packed integers and conversions, written for this bench. Every number of these formats,
// every product of two of them, and every f32, is a double.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>

namespace narrow {

typedef uint32_t u32;

struct Format {
  unsigned exponent, fraction;
  int bias;
  bool infinity; // the top exponent is infinity and NaN
  u32 largest, nan;
};
// In the order of isa/def/format.def: f16, bf16, tf32 (by itself), f32, f64 (not here), e4m3, ...
constexpr Format kFormats[] = {{5, 10, 15, true, 0x7bff, 0x7fff},
                               {8, 7, 127, true, 0x7f7f, 0x7fff},
                               {},
                               {8, 23, 127, true, 0x7f7fffff, 0x7fffffff},
                               {},
                               {4, 3, 7, false, 0x7e, 0x7f},
                               {5, 2, 15, true, 0x7b, 0x7f},
                               {2, 1, 1, false, 0x7, 0x7},
                               {2, 3, 1, false, 0x1f, 0x1f},
                               {3, 2, 3, false, 0x1f, 0x1f}};
enum { F16, BF16, TF32, F32, F64, E4M3, E5M2, E2M1, E2M3, E3M2 };

inline u32 sign_of(const Format &f) { return 1u << (f.exponent + f.fraction); }
inline u32 infinity_of(const Format &f) { return f.largest + 1; }

inline double value(const Format &f, u32 bits) {
  const u32 magnitude = bits & (sign_of(f) - 1);
  const int e = static_cast<int>(magnitude >> f.fraction);
  const u32 m = magnitude & ((1u << f.fraction) - 1);
  double x;
  if (f.infinity && magnitude == infinity_of(f))
    x = INFINITY;
  else if (magnitude > f.largest)
    x = NAN;
  else if (e == 0)
    x = std::ldexp(m, 1 - f.bias - static_cast<int>(f.fraction));
  else
    x = std::ldexp(m + (1u << f.fraction), e - f.bias - static_cast<int>(f.fraction));
  return bits & sign_of(f) ? -x : x;
}

// Exponent of the last place at a finite x; bounded: not below that of the smallest subnormal number.
inline int last_place(const Format &f, double x, bool bounded) {
  int e = 0;
  std::frexp(x, &e);
  e--;
  if (bounded && (x == 0 || e < 1 - f.bias)) e = 1 - f.bias;
  return e - static_cast<int>(f.fraction);
}

// Pattern without sign of a magnitude that is a multiple of its last place; of one above the largest
// number any pattern above that.
inline u32 pattern(const Format &f, double magnitude) {
  const int place = last_place(f, magnitude, true);
  const double units = std::ldexp(magnitude, -place);
  const u32 e = static_cast<u32>(place + static_cast<int>(f.fraction) + f.bias); // 1 for subnormals
  return ((e - 1) << f.fraction) + static_cast<u32>(units);
}

inline double to_place(double x, int place, double (*whole)(double)) {
  return std::ldexp(whole(std::ldexp(x, -place)), place);
}

// The sum p + c, of which all bits count: the nearest double in the direction that keeps a last one.
inline double to_odd(double p, double c) {
  const double s = p + c, t = s - p, error = (p - (s - t)) + (c - t);
  uint64_t bits;
  std::memcpy(&bits, &s, sizeof bits);
  if (error == 0 || (bits & 1)) return s;
  return std::nextafter(s, error > 0 ? INFINITY : -INFINITY);
}

struct Mods {
  unsigned rnd, cmp;
  bool ftz, sat, relu, oob, xorsign, nan, neg_a, neg_b, neg_c, sgn, bytes, random, wide;
};

inline u32 flushed(const Format &f, u32 x, const Mods &m) {
  const bool low = (x & (sign_of(f) - 1)) >> f.fraction == 0;
  return m.ftz && low ? x & sign_of(f) : x;
}

inline u32 fma(const Format &f, u32 a, u32 b, u32 c, const Mods &m) {
  const u32 sign = sign_of(f);
  if (m.oob && ((a & 0x7fff) == 0x7ff7 || (b & 0x7fff) == 0x7ff7)) return 0;
  a = flushed(f, a ^ (m.neg_a ? sign : 0), m);
  b = flushed(f, b, m);
  c = flushed(f, c ^ (m.neg_c ? sign : 0), m);
  const double p = value(f, a) * value(f, b), z = value(f, c);
  double x = p + z; // a NaN, an infinity, an exact zero with its sign
  if (std::isfinite(p) && std::isfinite(z) && x != 0) x = to_odd(p, z);
  if (std::isnan(x)) return m.sat ? 0 : f.nan;
  const bool neg = std::signbit(x);
  u32 d = infinity_of(f);
  double r = std::fabs(x);
  if (std::isfinite(r)) {
    if (m.ftz && r != 0 &&
        to_place(r, last_place(f, r, false), std::nearbyint) < std::ldexp(1, 1 - f.bias))
      r = 0;
    r = to_place(r, last_place(f, r, true), std::nearbyint);
    d = r > value(f, f.largest) ? infinity_of(f) : pattern(f, r);
  }
  if ((m.sat || m.relu) && neg) return 0;
  if (m.sat && r > 1) d = pattern(f, 1);
  return d | (neg ? sign : 0);
}

inline u32 min_max(const Format &f, bool max, u32 a, u32 b, const Mods &m) {
  const u32 sign = sign_of(f), joined = (a ^ b) & sign;
  a = flushed(f, a, m);
  b = flushed(f, b, m);
  double x = value(f, a), y = value(f, b);
  const bool a_nan = std::isnan(x), b_nan = std::isnan(y);
  if ((a_nan && b_nan) || (m.nan && (a_nan || b_nan))) return f.nan;
  if (m.xorsign) {
    x = std::fabs(x);
    y = std::fabs(y);
  }
  bool less = x < y || (x == y && std::signbit(x) && !std::signbit(y));
  const u32 d = a_nan ? b : b_nan ? a : less != max ? a : b;
  return m.xorsign ? (d & ~sign) | joined : d;
}

inline u32 set(const Format &f, u32 a, u32 b, const Mods &m) {
  const double x = value(f, flushed(f, a, m)), y = value(f, flushed(f, b, m));
  const unsigned relation = x < y ? 1 : x == y ? 2 : x > y ? 4 : 8;
  return m.cmp & relation ? 0xffff : 0;
}

// A conversion of an f32. random: bits for this operand; clamp: to the largest number.
inline u32 convert(unsigned to, u32 bits, const Mods &m, u32 random, bool clamp) {
  const Format &f = kFormats[to];
  const double x = value(kFormats[F32], bits);
  const u32 sign = bits >> 31 ? sign_of(f) : 0;
  if (std::isnan(x)) return f.nan;
  const double magnitude = std::fabs(x);
  if (std::isinf(x)) return sign | (clamp ? f.largest : infinity_of(f));
  const int place = last_place(f, magnitude, true);
  double units = std::ldexp(magnitude, -place);
  bool outward = false; // a result beyond the largest number becomes infinity
  if (m.random) {
    const unsigned n = to == F16 ? 13 : to == E2M1 ? 8 : 16;
    const double q = std::floor(units),
                 rest = std::floor(std::ldexp(units - q, static_cast<int>(n)));
    units = rest + (random & ((1u << n) - 1)) >= std::ldexp(1, static_cast<int>(n)) ? q + 1 : q;
    outward = true;
  } else {
    const bool up = m.rnd == 3 ? !sign : m.rnd == 2 && sign;
    outward = m.rnd == 0 || up;
    units = m.rnd == 0 ? std::nearbyint(units) : up ? std::ceil(units) : std::floor(units);
  }
  const double r = std::ldexp(units, place);
  if (r > value(f, f.largest)) return sign | (clamp || !outward ? f.largest : infinity_of(f));
  return sign | pattern(f, r);
}

// A number in a format that has all numbers of its own.
inline u32 widen(const Format &to, const Format &from, u32 bits) {
  const double x = value(from, bits);
  if (std::isnan(x)) return to.nan;
  const u32 d = std::isinf(x) ? infinity_of(to) : pattern(to, std::fabs(x));
  return std::signbit(x) ? d | sign_of(to) : d;
}

// f32 to tf32, 10 bits of fraction, ties away from zero; of infinities and NaN the low bits are cut.
inline u32 tf32_away(u32 bits) {
  const Format &f = kFormats[F32];
  const double x = std::fabs(value(f, bits));
  if (!std::isfinite(x)) return bits & 0xffffe000;
  const int place = last_place(f, x, true) + 13;
  const double r = std::ldexp(std::floor(std::ldexp(x, -place) + 0.5), place);
  return (bits & 0x80000000) | (r > value(f, f.largest) ? infinity_of(f) : pattern(f, r));
}

// A part of `bits` bits of a packed integer; op: 0 add, 1 minimum, 2 maximum.
inline u32 packed(unsigned op, unsigned bits, u32 a, u32 b, const Mods &m) {
  const int64_t span = INT64_C(1) << bits;
  const int64_t least = m.sgn ? -span / 2 : 0, most = least + span - 1;
  int64_t x = a, y = b;
  if (m.sgn && x > most) x -= span;
  if (m.sgn && y > most) y -= span;
  int64_t d = op == 0 ? (m.neg_b ? x - y : x + y) : (op == 1) == (x < y) ? x : y;
  if (op == 0 && m.sat) d = d < least ? least : d > most ? most : d;
  if (op != 0 && m.relu && d < 0) d = 0;
  return static_cast<u32>(d & (span - 1));
}

} // namespace narrow
