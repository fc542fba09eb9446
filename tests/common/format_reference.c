/* format_reference.c: see format_reference.h. */
#include "tests/common/format_reference.h"

#include <fenv.h>
#include <math.h>

const wl_ref_format_t wl_ref_f16 = {"f16", 5, 10, true, true},
                      wl_ref_bf16 = {"bf16", 8, 7, true, true},
                      wl_ref_f32 = {"f32", 8, 23, true, true},
                      wl_ref_e4m3 = {"e4m3", 4, 3, false, true},
                      wl_ref_e5m2 = {"e5m2", 5, 2, true, true},
                      wl_ref_e2m3 = {"e2m3", 2, 3, false, false},
                      wl_ref_e3m2 = {"e3m2", 3, 2, false, false},
                      wl_ref_e2m1 = {"e2m1", 2, 1, false, false};

static int bias(const wl_ref_format_t *f) { return (1 << (f->exponent - 1)) - 1; }
static uint32_t sign_of(const wl_ref_format_t *f) {
  return UINT32_C(1) << (f->exponent + f->fraction);
}

uint32_t wl_ref_infinity(const wl_ref_format_t *f) {
  return ((UINT32_C(1) << f->exponent) - 1) << f->fraction;
}

uint32_t wl_ref_largest(const wl_ref_format_t *f) {
  if (f->infinity) return wl_ref_infinity(f) - 1;
  return sign_of(f) - (f->nan ? 2 : 1);
}

bool wl_ref_is_nan(const wl_ref_format_t *f, uint32_t pattern) {
  const uint32_t magnitude = pattern & (sign_of(f) - 1);
  return f->infinity ? magnitude > wl_ref_infinity(f) : f->nan && magnitude == sign_of(f) - 1;
}

double wl_ref_value(const wl_ref_format_t *f, uint32_t pattern) {
  const uint32_t magnitude = pattern & (sign_of(f) - 1), leading = UINT32_C(1) << f->fraction;
  const int exponent = (int)(magnitude >> f->fraction);
  const uint32_t fraction = magnitude & (leading - 1);
  const double v = exponent == 0 ? ldexp(fraction, 1 - bias(f) - f->fraction)
                                 : ldexp(leading + fraction, exponent - bias(f) - f->fraction);
  return pattern & sign_of(f) ? -v : v;
}

double wl_ref_place(const wl_ref_format_t *f, uint32_t pattern) {
  const uint32_t largest = wl_ref_largest(f);
  if (pattern <= largest) return wl_ref_value(f, pattern);
  return 2 * wl_ref_value(f, largest) - wl_ref_value(f, largest - 1);
}

/* A finite number of the format, without sign; the place of infinity if it is beyond. */
static uint32_t pattern_of(const wl_ref_format_t *f, double v) {
  int exponent;
  if (v == 0) return 0;
  (void)frexp(v, &exponent);
  exponent--; /* of the leading bit */
  if (exponent > bias(f)) return wl_ref_infinity(f);
  if (exponent < 1 - bias(f)) return (uint32_t)ldexp(v, bias(f) - 1 + f->fraction);
  const uint32_t significand = (uint32_t)ldexp(v, f->fraction - exponent);
  return ((uint32_t)(exponent + bias(f)) << f->fraction) + significand -
         (UINT32_C(1) << f->fraction);
}

static uint32_t round_number(const wl_ref_format_t *f, double x, unsigned rnd) {
  static const int host[4] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  int exponent;
  (void)frexp(x, &exponent);
  const int least = 1 - bias(f), unit = (exponent - 1 > least ? exponent - 1 : least) - f->fraction;
  const volatile double scaled = ldexp(x, -unit);
  fesetround(host[rnd]);
  const volatile double whole = rint(scaled);
  fesetround(FE_TONEAREST);
  const uint32_t magnitude = pattern_of(f, fabs(ldexp(whole, unit)));
  const bool outward = rnd == 0 || rnd == (x < 0 ? 2 : 3);
  if (magnitude < wl_ref_infinity(f) || outward) return magnitude;
  return wl_ref_infinity(f) - 1;
}

uint32_t wl_ref_nearest(const wl_ref_format_t *f, double x) { return round_number(f, x, 0); }

uint32_t wl_ref_convert(const wl_ref_format_t *to, const wl_ref_format_t *from, uint32_t a,
                        unsigned rnd) {
  const uint32_t magnitude = a & (sign_of(from) - 1), infinity = wl_ref_infinity(from);
  const uint32_t sign = a & sign_of(from) ? sign_of(to) : 0;
  if (wl_ref_is_nan(from, a)) return sign_of(to) - 1;
  if (from->infinity && magnitude == infinity) return sign | wl_ref_infinity(to);
  const double x = wl_ref_value(from, a);
  return sign | (x == 0 ? 0 : round_number(to, x, rnd));
}

uint32_t wl_ref_tf32_away(uint32_t a) {
  const uint32_t magnitude = a & 0x7fffffff;
  if (magnitude >= 0x7f800000) return a & 0xffffe000;
  const double x = wl_ref_value(&wl_ref_f32, magnitude);
  int exponent;
  (void)frexp(x, &exponent);
  const int unit = (x == 0 || exponent < -125 ? -126 : exponent - 1) - 10;
  return (a & 0x80000000) | pattern_of(&wl_ref_f32, ldexp(floor(ldexp(x, -unit) + 0.5), unit));
}
