/* half_reference.c: see half_reference.h. */
#include "tests/common/half_reference.h"

#include <math.h>

#include "tests/common/sum_odd.h"

enum { NOT_A_NUMBER = 0x7fff, SIGN = 0x8000 };

/* With the host's infinities and NaN. */
static double number(const wl_ref_format_t *f, uint32_t h) {
  if (wl_ref_is_nan(f, h)) return NAN;
  if ((h & 0x7fff) == wl_ref_infinity(f)) return h & SIGN ? -INFINITY : INFINITY;
  return wl_ref_value(f, h);
}

static double smallest_normal(const wl_ref_format_t *f) {
  return wl_ref_value(f, UINT32_C(1) << f->fraction);
}

static uint32_t flushed(const wl_ref_format_t *f, uint32_t h, bool ftz) {
  return ftz && fabs(number(f, h)) < smallest_normal(f) ? h & SIGN : h;
}

/* Does the value, rounded to the significand without a lower limit, stay below the normal numbers? */
static bool flushes(const wl_ref_format_t *f, double odd) {
  int exponent;
  const double significand = ldexp(frexp(fabs(odd), &exponent), f->fraction + 1);
  const volatile double copy = significand;
  return ldexp(rint(copy), exponent - f->fraction - 1) < smallest_normal(f);
}

static uint32_t rounded(const wl_ref_format_t *f, double odd, bool ftz) {
  if (isnan(odd)) return NOT_A_NUMBER;
  const uint32_t sign = signbit(odd) ? SIGN : 0;
  if (isinf(odd)) return sign | wl_ref_infinity(f);
  if (odd == 0 || (ftz && flushes(f, odd))) return sign;
  return sign | wl_ref_nearest(f, odd);
}

static uint32_t fused(const wl_fpu_lane_t *l, const wl_ref_format_t *f, uint32_t a, uint32_t b,
                      uint32_t c) {
  if (l->oob && ((a & 0x7fff) == 0x7ff7 || (b & 0x7fff) == 0x7ff7)) return 0;
  const double x = number(f, flushed(f, l->neg_a ? a ^ SIGN : a, l->ftz));
  const double y = number(f, flushed(f, b, l->ftz));
  const double z = number(f, flushed(f, l->neg_c ? c ^ SIGN : c, l->ftz));
  const double product = x * y;
  const double odd = isfinite(product) && isfinite(z) ? wl_sum_odd(product, z) : product + z;
  uint32_t r = rounded(f, odd, l->ftz);
  if (l->sat) {
    const double v = number(f, r);
    r = !(v > 0) ? 0 : v > 1 ? wl_ref_nearest(f, 1) : r;
  }
  return l->relu && (r & SIGN) != 0 ? 0 : r;
}

static uint32_t lesser_or_larger(const wl_fpu_lane_t *l, const wl_ref_format_t *f, bool larger,
                                 uint32_t a, uint32_t b) {
  const uint32_t sign = (a ^ b) & SIGN, cut = l->xorsign ? 0x7fff : 0xffff;
  a = flushed(f, a, l->ftz) & cut;
  b = flushed(f, b, l->ftz) & cut;
  const double x = number(f, a), y = number(f, b);
  if ((isnan(x) && isnan(y)) || (l->nan && (isnan(x) || isnan(y)))) return NOT_A_NUMBER;
  uint32_t r;
  if (isnan(x) || isnan(y))
    r = isnan(x) ? b : a;
  else if (x == y)
    r = signbit(x) != larger ? a : b; /* differ only as zeros */
  else
    r = (x < y) != larger ? a : b;
  return l->xorsign ? r | sign : r;
}

static uint32_t related(const wl_fpu_lane_t *l, const wl_ref_format_t *f, uint32_t a, uint32_t b) {
  const double x = number(f, flushed(f, a, l->ftz)), y = number(f, flushed(f, b, l->ftz));
  const int relation = x < y ? 0 : x == y ? 1 : x > y ? 2 : 3;
  return l->cmp >> relation & 1 ? 0xffff : 0;
}

static uint32_t one_half(wl_fpu_op_t op, const wl_fpu_lane_t *l, const wl_ref_format_t *f,
                         unsigned low) {
  const uint32_t a = l->a >> low & 0xffff, b = l->b >> low & 0xffff, c = l->c >> low & 0xffff;
  if (op == WL_FPU_HFMA) return fused(l, f, a, b, c);
  if (op == WL_FPU_HSET) return related(l, f, a, b);
  return lesser_or_larger(l, f, op == WL_FPU_HMAX, a, b);
}

uint32_t wl_ref_halves(wl_fpu_op_t op, const wl_fpu_lane_t *l, const wl_ref_format_t *f) {
  return one_half(op, l, f, 16) << 16 | one_half(op, l, f, 0);
}
