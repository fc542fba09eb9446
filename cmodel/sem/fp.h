/* Floating-point arithmetic on bit patterns, for every format of format.def whose significand has at
 * most 31 bits (rules: sem.h; PTX 6.5.2, 9.7.3). A value is in bits 0 up of a uint64_t. The functions
 * are inlined: with a constant format (wl_fmt_f32()) its widths and patterns fold.
 *
 * A finite non-zero value is {sign, exponent of the leading bit, significand with the leading bit at
 * bit 62}. Bits shifted out are kept as a sticky bit in bit 0, which is enough: operands, a product
 * too, have at least one zero bit below their last significant bit, and a sum can lose its leading
 * bits only when at most one bit was shifted out (exponents differ by at most one). No exception
 * flags: PTX has none. f64 takes the same steps on a significand of 128 bits (sem_f64.c).
 *
 * A format without infinity overflows to its largest number. */
#ifndef WL_CMODEL_SEM_FP_H
#define WL_CMODEL_SEM_FP_H

#include <stdbool.h>
#include <stdint.h>

#include "gen/wl_format.h"

/* rnd: 0 rn, 1 rz, 2 rm, 3 rp */
typedef struct wl_fp_mode {
  uint8_t rnd, ftz, sat;
} wl_fp_mode_t;

enum { WL_FP_RN, WL_FP_RZ, WL_FP_RM, WL_FP_RP };

typedef struct wl_fp_part {
  bool sign;
  int exp;      /* of the leading bit */
  uint64_t sig; /* bit 62 set */
} wl_fp_part_t;

#define WL_FP static inline __attribute__((always_inline))

/* ---- patterns */
WL_FP uint64_t wl_fp_sign_bit(wl_fmt_t f) { return UINT64_C(1) << (f.bits - 1); }
WL_FP uint64_t wl_fp_infinity(wl_fmt_t f) {
  return ((UINT64_C(1) << f.exp_bits) - 1) << f.fraction_bits;
}
WL_FP uint64_t wl_fp_one(wl_fmt_t f) { return (uint64_t)f.bias << f.fraction_bits; }
WL_FP uint64_t wl_fp_magnitude(wl_fmt_t f, uint64_t a) { return a & ~wl_fp_sign_bit(f); }
WL_FP bool wl_fp_negative(wl_fmt_t f, uint64_t a) { return (a & wl_fp_sign_bit(f)) != 0; }
WL_FP bool wl_fp_is_zero(wl_fmt_t f, uint64_t a) { return wl_fp_magnitude(f, a) == 0; }
WL_FP bool wl_fp_is_nan(wl_fmt_t f, uint64_t a) {
  if (f.has_infinity) return wl_fp_magnitude(f, a) > wl_fp_infinity(f);
  return f.has_nan && wl_fp_magnitude(f, a) == f.nan;
}
WL_FP bool wl_fp_is_inf(wl_fmt_t f, uint64_t a) {
  return f.has_infinity && wl_fp_magnitude(f, a) == wl_fp_infinity(f);
}
WL_FP int wl_fp_biased(wl_fmt_t f, uint64_t a) {
  return (int)(wl_fp_magnitude(f, a) >> f.fraction_bits);
}
WL_FP uint64_t wl_fp_signed(wl_fmt_t f, bool sign, uint64_t magnitude) {
  return (sign ? wl_fp_sign_bit(f) : 0) | magnitude;
}
WL_FP uint64_t wl_fp_flush(wl_fmt_t f, uint64_t a, bool ftz) {
  return ftz && wl_fp_biased(f, a) == 0 ? a & wl_fp_sign_bit(f) : a;
}

/* ---- parts of a value. Bit of a significand that is the last place of the format. */
WL_FP int wl_fp_unit(wl_fmt_t f) { return 62 - f.fraction_bits; }
WL_FP int wl_fp_least_exp(wl_fmt_t f) { return 1 - f.bias; }
WL_FP int wl_fp_most_exp(wl_fmt_t f) { return (1 << f.exp_bits) - 1 - f.has_infinity - f.bias; }

/* Number of leading zeros, a != 0. A builtin of gcc and clang: this is the hot path of f32. */
WL_FP int wl_fp_leading_zeros(uint64_t a) { return __builtin_clzll(a); }

/* a is finite and not zero. */
WL_FP wl_fp_part_t wl_fp_unpack(wl_fmt_t f, uint64_t a) {
  const uint64_t leading = UINT64_C(1) << f.fraction_bits;
  const uint64_t fraction = a & (leading - 1);
  const int biased = wl_fp_biased(f, a);
  const bool sign = wl_fp_negative(f, a);
  if (biased != 0)
    return (wl_fp_part_t){sign, biased - f.bias, (fraction | leading) << wl_fp_unit(f)};
  const int zeros = wl_fp_leading_zeros(fraction);
  const int place = wl_fp_least_exp(f) - f.fraction_bits; /* fraction * 2^place */
  return (wl_fp_part_t){sign, place + 63 - zeros, fraction << (zeros - 1)};
}

/* x >> n, with a one in bit 0 if a one was shifted out. */
WL_FP uint64_t wl_fp_shift_sticky(uint64_t x, int n) {
  if (n >= 64) return x != 0;
  if (n == 0) return x;
  return x >> n | (x << (64 - n) != 0);
}

/* What is added before the bits below `unit` are cut off, so that the cut rounds. */
WL_FP uint64_t wl_fp_increment(unsigned rnd, bool sign, uint64_t sig, int unit) {
  const uint64_t below = (UINT64_C(1) << unit) - 1;
  switch (rnd) {
  case WL_FP_RN:
    return below / 2 + (sig >> unit & 1);
  case WL_FP_RZ:
    return 0;
  case WL_FP_RM:
    return sign ? below : 0;
  default:
    return sign ? 0 : below;
  }
}

/* ---- rounding */
WL_FP uint64_t wl_fp_overflow(wl_fmt_t f, bool sign, unsigned rnd) {
  const bool away = rnd == WL_FP_RN || (rnd == WL_FP_RM && sign) || (rnd == WL_FP_RP && !sign);
  return wl_fp_signed(f, sign, f.has_infinity && away ? wl_fp_infinity(f) : f.largest);
}

/* Below the least exponent the last place stays; flushing judges the rounding without that limit. */
static inline uint64_t wl_fp_pack_tiny(wl_fmt_t f, wl_fp_part_t x, wl_fp_mode_t mode) {
  const int missing = wl_fp_least_exp(f) - x.exp, unit = wl_fp_unit(f);
  const uint64_t least_normal = UINT64_C(1) << f.fraction_bits;
  if (!mode.ftz) x.sig = wl_fp_shift_sticky(x.sig, missing);
  const uint64_t kept = (x.sig + wl_fp_increment(mode.rnd, x.sign, x.sig, unit)) >> unit;
  if (!mode.ftz) return wl_fp_signed(f, x.sign, kept);
  return wl_fp_signed(f, x.sign, missing == 1 && kept == least_normal << 1 ? least_normal : 0);
}

WL_FP uint64_t wl_fp_round_pack(wl_fmt_t f, wl_fp_part_t x, wl_fp_mode_t mode) {
  const int unit = wl_fp_unit(f);
  if (x.exp < wl_fp_least_exp(f)) return wl_fp_pack_tiny(f, x, mode);
  if (x.exp > wl_fp_most_exp(f)) return wl_fp_overflow(f, x.sign, mode.rnd);
  const uint64_t kept = (x.sig + wl_fp_increment(mode.rnd, x.sign, x.sig, unit)) >> unit;
  /* The leading bit of kept carries into the exponent, and a second one where rounding carried:
   * that may give infinity, which is right in every mode that rounds up. */
  const uint64_t magnitude = ((uint64_t)(x.exp + f.bias - 1) << f.fraction_bits) + kept;
  if (!f.has_infinity && magnitude > f.largest) return wl_fp_signed(f, x.sign, f.largest);
  return wl_fp_signed(f, x.sign, magnitude);
}

WL_FP uint64_t wl_fp_saturate(wl_fmt_t f, uint64_t a, wl_fp_mode_t mode) {
  if (!mode.sat) return a;
  if (wl_fp_is_nan(f, a) || wl_fp_negative(f, a)) return 0;
  return a > wl_fp_one(f) ? wl_fp_one(f) : a;
}

/* ---- add, mul, fma */
/* A sum that is exactly zero. */
WL_FP uint64_t wl_fp_zero_sum(wl_fmt_t f, bool sign_x, bool sign_y, unsigned rnd) {
  return wl_fp_signed(f, sign_x == sign_y ? sign_x : rnd == WL_FP_RM, 0);
}

WL_FP uint64_t wl_fp_add_parts(wl_fmt_t f, wl_fp_part_t x, wl_fp_part_t y, wl_fp_mode_t mode) {
  if (x.exp < y.exp || (x.exp == y.exp && x.sig < y.sig)) {
    const wl_fp_part_t swap = x;
    x = y;
    y = swap;
  }
  const uint64_t small = wl_fp_shift_sticky(y.sig, x.exp - y.exp);
  const uint64_t sum = x.sign == y.sign ? x.sig + small : x.sig - small;
  if (sum == 0) return wl_fp_zero_sum(f, x.sign, y.sign, mode.rnd);
  const wl_fp_part_t carried = {x.sign, x.exp + 1, wl_fp_shift_sticky(sum, 1)};
  if (sum >> 63) return wl_fp_round_pack(f, carried, mode);
  const int zeros = wl_fp_leading_zeros(sum);
  return wl_fp_round_pack(f, (wl_fp_part_t){x.sign, x.exp + 1 - zeros, sum << (zeros - 1)}, mode);
}

WL_FP uint64_t wl_fp_add(wl_fmt_t f, uint64_t a, uint64_t b, wl_fp_mode_t mode) {
  a = wl_fp_flush(f, a, mode.ftz);
  b = wl_fp_flush(f, b, mode.ftz);
  const bool inf_a = wl_fp_is_inf(f, a), inf_b = wl_fp_is_inf(f, b);
  uint64_t d;
  if (wl_fp_is_nan(f, a) || wl_fp_is_nan(f, b) || (inf_a && inf_b && a != b))
    d = f.nan;
  else if (inf_a)
    d = a;
  else if (inf_b)
    d = b;
  else if (wl_fp_is_zero(f, a) && wl_fp_is_zero(f, b))
    d = wl_fp_zero_sum(f, wl_fp_negative(f, a), wl_fp_negative(f, b), mode.rnd);
  else if (wl_fp_is_zero(f, a))
    d = b;
  else if (wl_fp_is_zero(f, b))
    d = a;
  else
    d = wl_fp_add_parts(f, wl_fp_unpack(f, a), wl_fp_unpack(f, b), mode);
  return wl_fp_saturate(f, d, mode);
}

/* Exact product of two finite non-zero values. */
WL_FP wl_fp_part_t wl_fp_multiply(wl_fmt_t f, uint64_t a, uint64_t b) {
  const wl_fp_part_t x = wl_fp_unpack(f, a);
  const wl_fp_part_t y = wl_fp_unpack(f, b);
  const uint64_t product = (x.sig >> wl_fp_unit(f)) * (y.sig >> wl_fp_unit(f));
  const int zeros = wl_fp_leading_zeros(product);
  return (wl_fp_part_t){x.sign != y.sign, x.exp + y.exp + 63 - 2 * f.fraction_bits - zeros,
                        product << (zeros - 1)};
}

WL_FP uint64_t wl_fp_mul(wl_fmt_t f, uint64_t a, uint64_t b, wl_fp_mode_t mode) {
  a = wl_fp_flush(f, a, mode.ftz);
  b = wl_fp_flush(f, b, mode.ftz);
  const uint64_t sign = (a ^ b) & wl_fp_sign_bit(f);
  const bool zero = wl_fp_is_zero(f, a) || wl_fp_is_zero(f, b);
  uint64_t d;
  if (wl_fp_is_nan(f, a) || wl_fp_is_nan(f, b))
    d = f.nan;
  else if (wl_fp_is_inf(f, a) || wl_fp_is_inf(f, b))
    d = zero ? f.nan : sign | wl_fp_infinity(f);
  else if (zero)
    d = sign;
  else
    d = wl_fp_round_pack(f, wl_fp_multiply(f, a, b), mode);
  return wl_fp_saturate(f, d, mode);
}

static inline uint64_t wl_fp_fma_special(wl_fmt_t f, uint64_t a, uint64_t b, uint64_t c,
                                         wl_fp_mode_t mode) {
  const uint64_t sign = (a ^ b) & wl_fp_sign_bit(f);
  const bool zero = wl_fp_is_zero(f, a) || wl_fp_is_zero(f, b);
  if (wl_fp_is_nan(f, a) || wl_fp_is_nan(f, b) || wl_fp_is_nan(f, c)) return f.nan;
  if (wl_fp_is_inf(f, a) || wl_fp_is_inf(f, b)) {
    const bool invalid = zero || (wl_fp_is_inf(f, c) && (c & wl_fp_sign_bit(f)) != sign);
    return invalid ? f.nan : sign | wl_fp_infinity(f);
  }
  if (wl_fp_is_inf(f, c)) return c;
  if (!wl_fp_is_zero(f, c)) return c; /* zero product */
  if (zero) return wl_fp_zero_sum(f, sign != 0, wl_fp_negative(f, c), mode.rnd);
  return wl_fp_round_pack(f, wl_fp_multiply(f, a, b), mode);
}

WL_FP bool wl_fp_is_plain(wl_fmt_t f, uint64_t a) {
  return !wl_fp_is_nan(f, a) && !wl_fp_is_inf(f, a) && !wl_fp_is_zero(f, a);
}

WL_FP uint64_t wl_fp_fma(wl_fmt_t f, uint64_t a, uint64_t b, uint64_t c, wl_fp_mode_t mode) {
  a = wl_fp_flush(f, a, mode.ftz);
  b = wl_fp_flush(f, b, mode.ftz);
  c = wl_fp_flush(f, c, mode.ftz);
  const bool plain = wl_fp_is_plain(f, a) && wl_fp_is_plain(f, b) && wl_fp_is_plain(f, c);
  const uint64_t d = plain ? wl_fp_add_parts(f, wl_fp_multiply(f, a, b), wl_fp_unpack(f, c), mode)
                           : wl_fp_fma_special(f, a, b, c, mode);
  return wl_fp_saturate(f, d, mode);
}

/* ---- order */
/* Key that orders like the value, -0 below +0. */
WL_FP uint64_t wl_fp_order(wl_fmt_t f, uint64_t a) {
  const uint64_t sign = wl_fp_sign_bit(f);
  return wl_fp_negative(f, a) ? ~a & (sign - 1 + sign) : a | sign;
}

WL_FP uint64_t wl_fp_min_max(wl_fmt_t f, uint64_t a, uint64_t b, bool ftz, bool nan, bool max) {
  a = wl_fp_flush(f, a, ftz);
  b = wl_fp_flush(f, b, ftz);
  const bool nan_a = wl_fp_is_nan(f, a), nan_b = wl_fp_is_nan(f, b);
  if (nan_a || nan_b) return nan || (nan_a && nan_b) ? f.nan : nan_a ? b : a;
  return (wl_fp_order(f, a) < wl_fp_order(f, b)) != max ? a : b;
}

/* 0 less, 1 equal, 2 greater, 3 unordered: the bit number in the comparison mask. */
WL_FP unsigned wl_fp_relation(wl_fmt_t f, uint64_t a, uint64_t b, bool ftz) {
  a = wl_fp_flush(f, a, ftz);
  b = wl_fp_flush(f, b, ftz);
  if (wl_fp_is_nan(f, a) || wl_fp_is_nan(f, b)) return 3;
  if (a == b || (wl_fp_is_zero(f, a) && wl_fp_is_zero(f, b))) return 1;
  return wl_fp_order(f, a) < wl_fp_order(f, b) ? 0 : 2;
}

/* ---- integers */
WL_FP uint64_t wl_fp_from_magnitude(wl_fmt_t f, bool sign, uint64_t a, unsigned rnd) {
  if (a == 0) return 0;
  const int zeros = wl_fp_leading_zeros(a);
  const uint64_t sig = zeros == 0 ? wl_fp_shift_sticky(a, 1) : a << (zeros - 1);
  return wl_fp_round_pack(f, (wl_fp_part_t){sign, 63 - zeros, sig},
                          (wl_fp_mode_t){.rnd = (uint8_t)rnd});
}

/* |a| rounded to an integer; a is finite, not zero, below 2^64 in magnitude. */
WL_FP uint64_t wl_fp_round_magnitude(wl_fmt_t f, uint64_t a, unsigned rnd) {
  const wl_fp_part_t p = wl_fp_unpack(f, a);
  if (p.exp >= 62) return p.sig << (p.exp - 62);
  /* Below one half only stickiness matters. */
  const int unit = p.exp >= 0 ? 62 - p.exp : 63;
  const uint64_t sig = p.exp >= -1 ? p.sig : 1;
  return (sig + wl_fp_increment(rnd, p.sign, sig, unit)) >> unit;
}

/* Rounded to an integer, clamped to the bits of the type; NaN: below 64 bits 0, 64 bits 1 << 63. */
WL_FP uint64_t wl_fp_to_int(wl_fmt_t f, uint64_t a, wl_fp_mode_t mode, unsigned bits,
                            bool is_signed) {
  a = wl_fp_flush(f, a, mode.ftz);
  const uint64_t top = UINT64_C(1) << (bits - 1);
  if (wl_fp_is_nan(f, a)) return bits == 64 ? top : 0;
  if (wl_fp_is_zero(f, a)) return 0;
  const bool sign = wl_fp_negative(f, a);
  const bool huge = wl_fp_is_inf(f, a) || wl_fp_biased(f, a) >= f.bias + 64;
  const uint64_t all = top - 1 + top;
  if (sign && !is_signed) return 0;
  const uint64_t most = !is_signed ? all : sign ? top : top - 1;
  uint64_t magnitude = huge ? UINT64_MAX : wl_fp_round_magnitude(f, a, mode.rnd);
  if (magnitude > most) magnitude = most;
  return (sign ? 0 - magnitude : magnitude) & all;
}

/* ---- other formats */
/* A number of `from` in the format `to`, rounded once. Infinity of a format that has none is too large
 * a number. */
WL_FP uint64_t wl_fp_convert(wl_fmt_t to, wl_fmt_t from, uint64_t a, unsigned rnd) {
  const bool sign = wl_fp_negative(from, a);
  if (wl_fp_is_nan(from, a)) return to.nan;
  if (wl_fp_is_zero(from, a)) return wl_fp_signed(to, sign, 0);
  if (wl_fp_is_inf(from, a))
    return wl_fp_signed(to, sign, to.has_infinity ? wl_fp_infinity(to) : to.largest);
  return wl_fp_round_pack(to, wl_fp_unpack(from, a), (wl_fp_mode_t){.rnd = (uint8_t)rnd});
}

/* To an integral value. */
WL_FP uint64_t wl_fp_round(wl_fmt_t f, uint64_t a, wl_fp_mode_t mode) {
  a = wl_fp_flush(f, a, mode.ftz);
  if (wl_fp_is_nan(f, a)) return f.nan;
  if (wl_fp_is_zero(f, a) || wl_fp_biased(f, a) >= f.bias + f.fraction_bits) return a;
  const uint64_t magnitude = wl_fp_round_magnitude(f, a, mode.rnd);
  return (a & wl_fp_sign_bit(f)) | wl_fp_from_magnitude(f, false, magnitude, WL_FP_RZ); /* exact */
}

#endif
