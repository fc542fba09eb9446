/* f32.c: binary32 arithmetic of the oracle on exact integers (f32.h; PTX 9.7.3). A finite value is
 * mantissa * 2^exponent with an integer mantissa; results are computed exactly, or with one lowest
 * bit that stands for everything dropped, and rounded once. Deliberately uses no floating-point
 * type: the witness must not inherit what the host does. */
#include "tests/oracle/f32.h"

typedef unsigned __int128 u128_t;

enum { MIN_EXP = -149 }; /* of the least significant bit of a subnormal */
static const uint32_t k_sign = UINT32_C(0x80000000), k_inf = UINT32_C(0x7f800000);
static const uint32_t k_largest = UINT32_C(0x7f7fffff);

typedef struct exact {
  bool neg;
  u128_t m;
  int e;
} exact_t;

static bool is_inf(uint32_t a) { return (a & ~k_sign) == k_inf; }
static bool is_zero(uint32_t a) { return (a & ~k_sign) == 0; }
static bool negative(uint32_t a) { return (a & k_sign) != 0; }

static exact_t unpack(uint32_t a) {
  uint32_t field = a >> 23 & 0xff, fraction = a & 0x7fffff;
  if (field == 0) {
    return (exact_t){negative(a), fraction, MIN_EXP};
  }
  return (exact_t){negative(a), fraction | 0x800000u, (int)field - 150};
}

static int length(u128_t m) {
  uint64_t high = (uint64_t)(m >> 64), low = (uint64_t)m;
  if (high != 0) {
    return 128 - __builtin_clzll(high);
  }
  return low != 0 ? 64 - __builtin_clzll(low) : 0;
}

/* m * 2^-shift as an integer, rounded as `round` says for this sign. */
static u128_t shift_round(u128_t m, int shift, bool neg, wl_or_round_t round) {
  if (shift <= 0) {
    return m << -shift;
  }
  u128_t one = 1;
  u128_t keep = shift > 127 ? 0 : m >> shift;
  u128_t rest = shift > 127 ? m : m & ((one << shift) - 1);
  bool up;
  switch (round) {
  case WL_OR_RZ:
    up = false;
    break;
  case WL_OR_RM:
    up = neg && rest != 0;
    break;
  case WL_OR_RP:
    up = !neg && rest != 0;
    break;
  default: {
    u128_t half = shift > 127 ? ~(u128_t)0 : one << (shift - 1);
    up = rest > half || (rest == half && (keep & 1) != 0);
    break;
  }
  }
  return keep + (up ? 1 : 0);
}

static uint32_t overflow(bool neg, wl_or_round_t round) {
  bool to_inf = round == WL_OR_RN || (round == WL_OR_RM && neg) || (round == WL_OR_RP && !neg);
  return (neg ? k_sign : 0) | (to_inf ? k_inf : k_largest);
}

/* The value is tiny if it stays below 2^-126 after rounding to 24 bits with unbounded exponent. */
static bool tiny(exact_t x, int top, wl_or_round_t round) {
  if (top >= -126) {
    return false;
  }
  return top < -127 || shift_round(x.m, top - 23 - x.e, x.neg, round) != (u128_t)1 << 24;
}

static uint32_t saturate(uint32_t a) {
  if (wl_or_f32_is_nan(a) || negative(a)) {
    return 0;
  }
  return a > UINT32_C(0x3f800000) ? UINT32_C(0x3f800000) : a;
}

static uint32_t pack(exact_t x, wl_or_fmode_t m) {
  uint32_t sign = x.neg ? k_sign : 0, bits = 0;
  if (x.m != 0) {
    int top = x.e + length(x.m) - 1;
    int lowest = top - 23 > MIN_EXP ? top - 23 : MIN_EXP;
    if (m.ftz && tiny(x, top, m.round)) {
      bits = 0;
    } else if (top > 127) {
      return m.sat ? saturate(overflow(x.neg, m.round)) : overflow(x.neg, m.round);
    } else {
      /* the hidden bit adds one to the exponent field; a carry out of the mantissa another one */
      uint32_t keep = (uint32_t)shift_round(x.m, lowest - x.e, x.neg, m.round);
      bits = ((uint32_t)(lowest - MIN_EXP) << 23) + keep;
    }
    if (bits >= k_inf) {
      bits = overflow(x.neg, m.round) & ~k_sign;
    }
  }
  return m.sat ? saturate(sign | bits) : sign | bits;
}

static uint32_t special(uint32_t bits, wl_or_fmode_t m) { return m.sat ? saturate(bits) : bits; }

/* x + y, both finite. What y has below x's reach becomes one lowest bit. */
static uint32_t sum(exact_t x, exact_t y, wl_or_fmode_t m) {
  if (x.m == 0 && y.m == 0) {
    x.neg = x.neg == y.neg ? x.neg : m.round == WL_OR_RM;
    return pack(x, m);
  }
  if (x.m == 0 || y.m == 0) {
    return pack(x.m == 0 ? y : x, m);
  }
  if (x.e + length(x.m) < y.e + length(y.m)) {
    exact_t other = x;
    x = y;
    y = other;
  }
  int raise = 100 - length(x.m);
  x.m <<= raise;
  x.e -= raise + 1;
  x.m <<= 1; /* room for the bit of what was dropped */
  int down = x.e + 1 - y.e;
  if (down <= 0) {
    y.m = y.m << -down << 1;
  } else {
    u128_t kept = down > 127 ? 0 : y.m >> down;
    bool lost = down > 127 ? y.m != 0 : kept << down != y.m;
    y.m = kept << 1 | (lost ? 1 : 0);
  }
  if (x.neg == y.neg) {
    x.m += y.m;
  } else if (x.m >= y.m) {
    x.m -= y.m;
  } else {
    x.m = y.m - x.m;
    x.neg = y.neg;
  }
  if (x.m == 0) {
    x.neg = m.round == WL_OR_RM;
  }
  return pack(x, m);
}

uint32_t wl_or_f32_flush(uint32_t a, bool ftz) { return ftz && (a & k_inf) == 0 ? a & k_sign : a; }

uint32_t wl_or_f32_finish(uint32_t a, wl_or_fmode_t m) {
  return special(wl_or_f32_flush(a, m.ftz), m);
}

uint32_t wl_or_f32_add(uint32_t a, uint32_t b, wl_or_fmode_t m) {
  a = wl_or_f32_flush(a, m.ftz);
  b = wl_or_f32_flush(b, m.ftz);
  if (wl_or_f32_is_nan(a) || wl_or_f32_is_nan(b) ||
      (is_inf(a) && is_inf(b) && negative(a) != negative(b))) {
    return special(WL_OR_F32_NAN, m);
  }
  if (is_inf(a) || is_inf(b)) {
    return special(is_inf(a) ? a : b, m);
  }
  return sum(unpack(a), unpack(b), m);
}

static bool bad_product(uint32_t a, uint32_t b) {
  return wl_or_f32_is_nan(a) || wl_or_f32_is_nan(b) || (is_inf(a) && is_zero(b)) ||
         (is_zero(a) && is_inf(b));
}

static exact_t product(uint32_t a, uint32_t b) {
  exact_t x = unpack(a), y = unpack(b);
  return (exact_t){x.neg != y.neg, x.m * y.m, x.e + y.e};
}

uint32_t wl_or_f32_mul(uint32_t a, uint32_t b, wl_or_fmode_t m) {
  a = wl_or_f32_flush(a, m.ftz);
  b = wl_or_f32_flush(b, m.ftz);
  if (bad_product(a, b)) {
    return special(WL_OR_F32_NAN, m);
  }
  if (is_inf(a) || is_inf(b)) {
    return special(((a ^ b) & k_sign) | k_inf, m);
  }
  return pack(product(a, b), m);
}

uint32_t wl_or_f32_fma(uint32_t a, uint32_t b, uint32_t c, wl_or_fmode_t m) {
  a = wl_or_f32_flush(a, m.ftz);
  b = wl_or_f32_flush(b, m.ftz);
  c = wl_or_f32_flush(c, m.ftz);
  bool inf = is_inf(a) || is_inf(b);
  bool neg = negative(a) != negative(b);
  if (bad_product(a, b) || wl_or_f32_is_nan(c) || (inf && is_inf(c) && neg != negative(c))) {
    return special(WL_OR_F32_NAN, m);
  }
  if (inf) {
    return special((neg ? k_sign : 0) | k_inf, m);
  }
  return is_inf(c) ? special(c, m) : sum(product(a, b), unpack(c), m);
}

uint32_t wl_or_f32_div(uint32_t a, uint32_t b, wl_or_fmode_t m) {
  a = wl_or_f32_flush(a, m.ftz);
  b = wl_or_f32_flush(b, m.ftz);
  uint32_t sign = (a ^ b) & k_sign;
  if (wl_or_f32_is_nan(a) || wl_or_f32_is_nan(b) || (is_inf(a) && is_inf(b)) ||
      (is_zero(a) && is_zero(b))) {
    return special(WL_OR_F32_NAN, m);
  }
  if (is_inf(a) || is_zero(b)) {
    return special(sign | k_inf, m);
  }
  if (is_zero(a) || is_inf(b)) {
    return special(sign, m);
  }
  exact_t x = unpack(a), y = unpack(b);
  u128_t numerator = x.m << 64, quotient = numerator / y.m;
  bool rest = quotient * y.m != numerator;
  return pack((exact_t){sign != 0, quotient << 1 | (rest ? 1 : 0), x.e - y.e - 65}, m);
}

uint32_t wl_or_f32_sqrt(uint32_t a, wl_or_fmode_t m) {
  a = wl_or_f32_flush(a, m.ftz);
  if (wl_or_f32_is_nan(a) || (negative(a) && !is_zero(a))) {
    return special(WL_OR_F32_NAN, m);
  }
  if (is_zero(a) || is_inf(a)) {
    return special(a, m);
  }
  exact_t x = unpack(a);
  int raise = 76 - length(x.m);
  raise += (x.e - raise) & 1; /* an even exponent */
  u128_t n = x.m << raise;
  uint64_t root = 0;
  for (int bit = 38; bit >= 0; bit--) { /* the root has 38 or 39 bits */
    uint64_t next = root | UINT64_C(1) << bit;
    root = (u128_t)next * next <= n ? next : root;
  }
  bool rest = (u128_t)root * root != n;
  return pack((exact_t){false, (u128_t)root << 1 | (rest ? 1 : 0), (x.e - raise) / 2 - 1}, m);
}

/* Bit patterns of numbers order like sign and magnitude. */
static int64_t key(uint32_t a) {
  int64_t magnitude = (int64_t)(a & ~k_sign);
  return negative(a) ? -magnitude : magnitude;
}

wl_or_order_t wl_or_f32_compare(uint32_t a, uint32_t b, bool ftz) {
  if (wl_or_f32_is_nan(a) || wl_or_f32_is_nan(b)) {
    return WL_OR_UNORDERED;
  }
  int64_t x = key(wl_or_f32_flush(a, ftz)), y = key(wl_or_f32_flush(b, ftz));
  return x < y ? WL_OR_LESS : x > y ? WL_OR_GREATER : WL_OR_EQUAL;
}

uint32_t wl_or_f32_minmax(uint32_t a, uint32_t b, bool max, bool ftz, bool nan, bool xorsign_abs) {
  a = wl_or_f32_flush(a, ftz);
  b = wl_or_f32_flush(b, ftz);
  bool a_nan = wl_or_f32_is_nan(a), b_nan = wl_or_f32_is_nan(b);
  if ((a_nan && b_nan) || (nan && (a_nan || b_nan))) {
    return WL_OR_F32_NAN;
  }
  uint32_t sign = (a ^ b) & k_sign;
  if (xorsign_abs) {
    a &= ~k_sign;
    b &= ~k_sign;
  }
  uint32_t chosen;
  if (a_nan || b_nan) {
    chosen = a_nan ? b : a;
  } else {
    /* doubled, so that -0 lies below +0 */
    bool less = key(a) * 2 - negative(a) < key(b) * 2 - negative(b);
    chosen = less != max ? a : b;
  }
  return xorsign_abs ? chosen | sign : chosen;
}

uint32_t wl_or_f32_from_int(bool neg, uint64_t magnitude, wl_or_fmode_t m) {
  return pack((exact_t){neg && magnitude != 0, magnitude, 0}, m);
}

uint32_t wl_or_f32_scale(bool neg, uint64_t mantissa, int exponent, wl_or_fmode_t m) {
  return pack((exact_t){neg, mantissa, exponent}, m);
}

uint64_t wl_or_f32_to_int(uint32_t a, unsigned bits, bool is_signed, wl_or_round_t round,
                          bool ftz) {
  uint64_t largest = UINT64_MAX >> (64 - bits + (is_signed ? 1 : 0));
  a = wl_or_f32_flush(a, ftz);
  if (wl_or_f32_is_nan(a)) {
    return bits == 64 ? UINT64_C(1) << 63 : 0;
  }
  exact_t x = unpack(a);
  bool huge = is_inf(a) || x.e > 64;
  u128_t whole = huge ? (u128_t)1 << 100 : shift_round(x.m, -x.e, x.neg, round);
  if (!x.neg) {
    return whole > largest ? largest : (uint64_t)whole;
  }
  if (!is_signed) {
    return 0;
  }
  return whole > largest ? ~largest : 0 - (uint64_t)whole;
}

uint32_t wl_or_f32_integral(uint32_t a, wl_or_fmode_t m) {
  a = wl_or_f32_flush(a, m.ftz);
  if (wl_or_f32_is_nan(a)) {
    return special(WL_OR_F32_NAN, m);
  }
  exact_t x = unpack(a);
  if (is_inf(a) || x.e >= 0) {
    return special(a, m);
  }
  x.m = shift_round(x.m, -x.e, x.neg, m.round);
  x.e = 0;
  return pack(x, (wl_or_fmode_t){m.round, false, m.sat});
}
