/* binary32 arithmetic on bit patterns with 64-bit integers (rules: sem.h; PTX 6.5.2, 9.7.3).
 * A finite non-zero value is {sign, exponent of the leading bit, significand with the leading bit
 * at bit 62}. Bits shifted out are kept as a sticky bit in bit 0, which is enough: operands have at
 * least 14 zero bits below their last significant bit, and a sum can lose its leading bits only
 * when nothing was shifted out (exponents differ by at most one). No exception flags: PTX has none.
 */
#include "cmodel/sem/sem.h"

enum { RN, RZ, RM, RP };

typedef struct {
  bool sign;
  int exp;      /* of the leading bit */
  uint64_t sig; /* bit 62 set */
} part_t;

static const uint32_t sign_bit = UINT32_C(1) << 31;
static const uint32_t infinity = UINT32_C(0x7f800000);
static const uint32_t one = UINT32_C(0x3f800000);

static inline bool is_nan(uint32_t a) { return (a & ~sign_bit) > infinity; }
static inline bool is_inf(uint32_t a) { return (a & ~sign_bit) == infinity; }
static inline bool is_zero(uint32_t a) { return (a & ~sign_bit) == 0; }
static inline bool negative(uint32_t a) { return a >> 31 != 0; }

static inline uint32_t flush(uint32_t a, bool ftz) {
  return ftz && (a & infinity) == 0 ? a & sign_bit : a;
}

/* Number of leading zeros, a != 0. A builtin of gcc and clang: this is the hot path of f32. */
static inline int leading_zeros(uint64_t a) { return __builtin_clzll(a); }

/* a is finite and not zero. */
static inline part_t unpack(uint32_t a) {
  const uint64_t fraction = a & 0x7fffff;
  const int biased = (int)(a >> 23 & 0xff);
  if (biased != 0) return (part_t){negative(a), biased - 127, (fraction | UINT64_C(1) << 23) << 39};
  const int zeros = leading_zeros(fraction);
  return (part_t){negative(a), -86 - zeros, fraction << (zeros - 1)}; /* fraction * 2^-149 */
}

/* x >> n, with a one in bit 0 if a one was shifted out. */
static inline uint64_t shift_sticky(uint64_t x, int n) {
  if (n >= 64) return x != 0;
  if (n == 0) return x;
  return x >> n | (x << (64 - n) != 0);
}

/* What is added before the bits below `unit` are cut off, so that the cut rounds. */
static inline uint64_t increment(unsigned rnd, bool sign, uint64_t sig, int unit) {
  const uint64_t below = (UINT64_C(1) << unit) - 1;
  switch (rnd) {
  case RN:
    return below / 2 + (sig >> unit & 1);
  case RZ:
    return 0;
  case RM:
    return sign ? below : 0;
  default:
    return sign ? 0 : below;
  }
}

static uint32_t overflow(bool sign, unsigned rnd) {
  const bool to_infinity = rnd == RN || (rnd == RM && sign) || (rnd == RP && !sign);
  return (sign ? sign_bit : 0) | (to_infinity ? infinity : infinity - 1);
}

/* Below 2^-126 the last place stays at 2^-149; flushing judges the rounding without that limit. */
static uint32_t pack_tiny(part_t x, wl_f32_mode_t mode) {
  const uint32_t signed_zero = x.sign ? sign_bit : 0;
  const int missing = -126 - x.exp;
  if (!mode.ftz) x.sig = shift_sticky(x.sig, missing);
  const uint32_t kept = (uint32_t)((x.sig + increment(mode.rnd, x.sign, x.sig, 39)) >> 39);
  if (!mode.ftz) return signed_zero | kept;
  return missing == 1 && kept == 1u << 24 ? signed_zero | 1u << 23 : signed_zero;
}

static inline uint32_t round_pack(part_t x, wl_f32_mode_t mode) {
  if (x.exp < -126) return pack_tiny(x, mode);
  if (x.exp > 127) return overflow(x.sign, mode.rnd);
  const uint32_t kept = (uint32_t)((x.sig + increment(mode.rnd, x.sign, x.sig, 39)) >> 39);
  /* kept's bit 23 carries into the exponent, and bit 24 where rounding carried: that may give
   * infinity, which is right in every mode that rounds up. */
  return (x.sign ? sign_bit : 0) | (((uint32_t)(x.exp + 126) << 23) + kept);
}

static inline uint32_t saturate(uint32_t a, wl_f32_mode_t mode) {
  if (!mode.sat) return a;
  if (is_nan(a) || negative(a)) return 0;
  return a > one ? one : a;
}

/* A sum that is exactly zero. */
static uint32_t zero_sum(bool sign_x, bool sign_y, unsigned rnd) {
  if (sign_x == sign_y) return sign_x ? sign_bit : 0;
  return rnd == RM ? sign_bit : 0;
}

static inline uint32_t add_parts(part_t x, part_t y, wl_f32_mode_t mode) {
  if (x.exp < y.exp || (x.exp == y.exp && x.sig < y.sig)) {
    const part_t swap = x;
    x = y;
    y = swap;
  }
  const uint64_t small = shift_sticky(y.sig, x.exp - y.exp);
  const uint64_t sum = x.sign == y.sign ? x.sig + small : x.sig - small;
  if (sum == 0) return zero_sum(x.sign, y.sign, mode.rnd);
  const part_t carried = {x.sign, x.exp + 1, shift_sticky(sum, 1)};
  if (sum >> 63) return round_pack(carried, mode);
  const int zeros = leading_zeros(sum);
  return round_pack((part_t){x.sign, x.exp + 1 - zeros, sum << (zeros - 1)}, mode);
}

uint32_t wl_f32_add(uint32_t a, uint32_t b, wl_f32_mode_t mode) {
  a = flush(a, mode.ftz);
  b = flush(b, mode.ftz);
  uint32_t d;
  if (is_nan(a) || is_nan(b) || (is_inf(a) && is_inf(b) && a != b))
    d = WL_F32_NAN;
  else if (is_inf(a))
    d = a;
  else if (is_inf(b))
    d = b;
  else if (is_zero(a) && is_zero(b))
    d = zero_sum(negative(a), negative(b), mode.rnd);
  else if (is_zero(a))
    d = b;
  else if (is_zero(b))
    d = a;
  else
    d = add_parts(unpack(a), unpack(b), mode);
  return saturate(d, mode);
}

/* Exact product of two finite non-zero values. */
static inline part_t multiply(uint32_t a, uint32_t b) {
  const part_t x = unpack(a);
  const part_t y = unpack(b);
  const uint64_t product = (x.sig >> 39) * (y.sig >> 39); /* 47 or 48 bits */
  const int zeros = leading_zeros(product);
  return (part_t){x.sign != y.sign, x.exp + y.exp + 17 - zeros, product << (zeros - 1)};
}

uint32_t wl_f32_mul(uint32_t a, uint32_t b, wl_f32_mode_t mode) {
  a = flush(a, mode.ftz);
  b = flush(b, mode.ftz);
  const uint32_t sign = (a ^ b) & sign_bit;
  uint32_t d;
  if (is_nan(a) || is_nan(b))
    d = WL_F32_NAN;
  else if (is_inf(a) || is_inf(b))
    d = is_zero(a) || is_zero(b) ? WL_F32_NAN : sign | infinity;
  else if (is_zero(a) || is_zero(b))
    d = sign;
  else
    d = round_pack(multiply(a, b), mode);
  return saturate(d, mode);
}

static uint32_t fma_special(uint32_t a, uint32_t b, uint32_t c, wl_f32_mode_t mode) {
  const uint32_t sign = (a ^ b) & sign_bit;
  if (is_nan(a) || is_nan(b) || is_nan(c)) return WL_F32_NAN;
  if (is_inf(a) || is_inf(b)) {
    const bool invalid = is_zero(a) || is_zero(b) || (is_inf(c) && (c & sign_bit) != sign);
    return invalid ? WL_F32_NAN : sign | infinity;
  }
  if (is_inf(c)) return c;
  if (!is_zero(c)) return c; /* zero product */
  if (is_zero(a) || is_zero(b)) return zero_sum(sign != 0, negative(c), mode.rnd);
  return round_pack(multiply(a, b), mode);
}

uint32_t wl_f32_fma(uint32_t a, uint32_t b, uint32_t c, wl_f32_mode_t mode) {
  a = flush(a, mode.ftz);
  b = flush(b, mode.ftz);
  c = flush(c, mode.ftz);
  const bool finite =
      (a & infinity) != infinity && (b & infinity) != infinity && (c & infinity) != infinity;
  const bool plain = finite && !is_zero(a) && !is_zero(b) && !is_zero(c);
  const uint32_t d =
      plain ? add_parts(multiply(a, b), unpack(c), mode) : fma_special(a, b, c, mode);
  return saturate(d, mode);
}

/* Key that orders like the value, -0 below +0. */
static uint32_t order(uint32_t a) { return negative(a) ? ~a : a | sign_bit; }

static uint32_t min_max(uint32_t a, uint32_t b, bool ftz, bool nan, bool max) {
  a = flush(a, ftz);
  b = flush(b, ftz);
  if (is_nan(a) || is_nan(b)) {
    if (nan || (is_nan(a) && is_nan(b))) return WL_F32_NAN;
    return is_nan(a) ? b : a;
  }
  return (order(a) < order(b)) != max ? a : b;
}

uint32_t wl_f32_min(uint32_t a, uint32_t b, bool ftz, bool nan) {
  return min_max(a, b, ftz, nan, false);
}

uint32_t wl_f32_max(uint32_t a, uint32_t b, bool ftz, bool nan) {
  return min_max(a, b, ftz, nan, true);
}

unsigned wl_f32_relation(uint32_t a, uint32_t b, bool ftz) {
  a = flush(a, ftz);
  b = flush(b, ftz);
  if (is_nan(a) || is_nan(b)) return 3;
  if (a == b || (is_zero(a) && is_zero(b))) return 1;
  return order(a) < order(b) ? 0 : 2;
}

static uint32_t from_magnitude(bool sign, uint64_t a, unsigned rnd) {
  if (a == 0) return 0;
  const int zeros = leading_zeros(a);
  const uint64_t sig = zeros == 0 ? shift_sticky(a, 1) : a << (zeros - 1);
  return round_pack((part_t){sign, 63 - zeros, sig}, (wl_f32_mode_t){.rnd = (uint8_t)rnd});
}

uint32_t wl_f32_from_u64(uint64_t a, unsigned rnd) { return from_magnitude(false, a, rnd); }

uint32_t wl_f32_from_s64(int64_t a, unsigned rnd) {
  return from_magnitude(a < 0, a < 0 ? 0 - (uint64_t)a : (uint64_t)a, rnd);
}

/* |a| rounded to an integer; a is finite, not zero, below 2^64 in magnitude. */
static uint64_t round_magnitude(uint32_t a, unsigned rnd) {
  const part_t p = unpack(a);
  if (p.exp >= 62) return p.sig << (p.exp - 62);
  /* Below one half only stickiness matters. */
  const int unit = p.exp >= 0 ? 62 - p.exp : 63;
  const uint64_t sig = p.exp >= -1 ? p.sig : 1;
  return (sig + increment(rnd, p.sign, sig, unit)) >> unit;
}

uint64_t wl_f32_to_int(uint32_t a, wl_f32_mode_t mode, unsigned bits, bool is_signed) {
  a = flush(a, mode.ftz);
  const uint64_t top = UINT64_C(1) << (bits - 1);
  if (is_nan(a)) return bits == 64 ? top : 0;
  if (is_zero(a)) return 0;
  const bool huge = (a >> 23 & 0xff) >= 127 + 64; /* infinity included */
  const uint64_t all = top - 1 + top;
  if (negative(a) && !is_signed) return 0;
  const uint64_t most = !is_signed ? all : negative(a) ? top : top - 1;
  uint64_t magnitude = huge ? UINT64_MAX : round_magnitude(a, mode.rnd);
  if (magnitude > most) magnitude = most;
  return (negative(a) ? 0 - magnitude : magnitude) & all;
}

uint32_t wl_f32_round(uint32_t a, wl_f32_mode_t mode) {
  a = flush(a, mode.ftz);
  if (is_nan(a)) return WL_F32_NAN;
  if (is_zero(a) || (a >> 23 & 0xff) >= 127 + 23) return a; /* integral already */
  const uint64_t magnitude = round_magnitude(a, mode.rnd);
  return (a & sign_bit) | from_magnitude(false, magnitude, RZ); /* at most 24 bits: exact */
}
