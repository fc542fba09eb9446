/* fpu_reference.c: see fpu_reference.h. Flushing is judged by a second computation: the exact value
 * rounded to odd in a double, then to 24 bits with room in the exponent. Conversions go through long
 * double, whose 64-bit significand has every operand exactly. No default in a switch over operations,
 * so that one without its meaning here does not build. */
#include "tests/common/fpu_reference.h"
#include "tests/common/format_reference.h"
#include "tests/common/half_reference.h"
#include "tests/common/narrow_reference.h"
#include "tests/common/special_reference.h"
#include "tests/common/sum_odd.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

#pragma GCC diagnostic error "-Wswitch"

enum { CANONICAL = 0x7fffffff };

static float as_float(uint32_t bits) {
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}

static uint32_t as_bits(float f) {
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return bits;
}

static const int host_mode[4] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

static bool is_subnormal(uint32_t a) { return (a & 0x7f800000) == 0; }

static uint32_t flush_input(uint32_t a, bool ftz) {
  return ftz && is_subnormal(a) ? a & 0x80000000 : a;
}

/* x * y + z as a double whose last bit is one whenever the value was not exact (product exact). */
static double fma_odd(float x, float y, float z) {
  fesetround(FE_TONEAREST);
  const volatile double product = (double)x * (double)y;
  return wl_sum_odd(product, z);
}

/* Would the value, rounded to 24 bits without a lower limit, lie below 2^-126? */
static bool flushes(double exact, unsigned rnd) {
  if (exact == 0 || !isfinite(exact)) return false;
  int exponent;
  const volatile double fraction = frexp(exact, &exponent);
  fesetround(host_mode[rnd]);
  const volatile float rounded = (float)fraction;
  fesetround(FE_TONEAREST);
  int carry;
  frexp(rounded, &carry);
  return exponent + carry <= -126;
}

static uint32_t host_saturate(uint32_t r, bool sat) {
  const float f = as_float(r);
  if (!sat) return r;
  if (isnan(f) || f <= 0) return 0;
  return f > 1 ? as_bits(1.0f) : r;
}

static uint32_t negated(uint32_t a, bool neg) { return neg ? a ^ 0x80000000 : a; }

static uint32_t arithmetic(wl_fpu_op_t op, const wl_fpu_lane_t *l) {
  const volatile float x = as_float(flush_input(negated(l->a, l->neg_a), l->ftz));
  const volatile float y = as_float(flush_input(negated(l->b, l->neg_b), l->ftz));
  const volatile float z = as_float(flush_input(negated(l->c, l->neg_c), l->ftz));
  fesetround(host_mode[l->rnd]);
  const volatile float r = op == WL_FPU_FADD ? x + y : op == WL_FPU_FMUL ? x * y : fmaf(x, y, z);
  fesetround(FE_TONEAREST);
  uint32_t bits = isnan(r) ? CANONICAL : as_bits(r);
  if (l->ftz && isfinite(r)) {
    const double exact = op == WL_FPU_FADD   ? fma_odd(x, 1, y)
                         : op == WL_FPU_FMUL ? fma_odd(x, y, 0)
                                             : fma_odd(x, y, z);
    if (flushes(exact, l->rnd)) bits = signbit(exact) ? 0x80000000 : 0;
  }
  return host_saturate(bits, l->sat);
}

/* The stated order of values: by number, -0 below +0. */
static uint32_t min_max(const wl_fpu_lane_t *l, bool max) {
  const uint32_t a = flush_input(l->a, l->ftz), b = flush_input(l->b, l->ftz);
  const float x = as_float(a), y = as_float(b);
  if (isnan(x) && isnan(y)) return CANONICAL;
  if (isnan(x) || isnan(y)) return l->nan ? CANONICAL : isnan(x) ? b : a;
  if (x == 0 && y == 0) return max ? a & b : a | b;
  return (x < y) != max ? a : b;
}

static uint32_t from_integer(long double value, unsigned rnd) {
  const volatile long double exact = value;
  fesetround(host_mode[rnd]);
  const volatile float r = (float)exact;
  fesetround(FE_TONEAREST);
  return as_bits(r);
}

static uint64_t to_integer(const wl_fpu_lane_t *l, unsigned bits, bool is_signed) {
  const volatile long double exact = as_float(flush_input(l->a, l->ftz));
  if (isnan(exact)) return bits == 64 ? UINT64_C(1) << 63 : 0;
  fesetround(host_mode[l->rnd]);
  const volatile long double r = rintl(exact);
  fesetround(FE_TONEAREST);
  const long double span = ldexpl(1, (int)bits - is_signed);
  const uint64_t all = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
  const uint64_t top = UINT64_C(1) << (bits - 1);
  if (r >= span) return is_signed ? top - 1 : all;
  if (is_signed && r < -span) return top;
  if (!is_signed) return r <= 0 ? 0 : (uint64_t)r;
  return (uint64_t)(int64_t)r & all;
}

static uint32_t to_integral(const wl_fpu_lane_t *l) {
  const volatile float x = as_float(flush_input(l->a, l->ftz));
  fesetround(host_mode[l->rnd]);
  const volatile float r = rintf(x);
  fesetround(FE_TONEAREST);
  return isnan(r) ? CANONICAL : as_bits(r);
}

const wl_ref_format_t *wl_ref_format(uint8_t format) {
  switch (format) {
  case WL_FORMAT_F16:
    return &wl_ref_f16;
  case WL_FORMAT_BF16:
    return &wl_ref_bf16;
  case WL_FORMAT_E4M3:
    return &wl_ref_e4m3;
  case WL_FORMAT_E5M2:
    return &wl_ref_e5m2;
  case WL_FORMAT_E2M3:
    return &wl_ref_e2m3;
  case WL_FORMAT_E3M2:
    return &wl_ref_e3m2;
  case WL_FORMAT_E2M1:
    return &wl_ref_e2m1;
  default:
    __builtin_trap(); /* a format that is not here */
  }
}

static uint32_t narrowed(const wl_fpu_lane_t *l, uint32_t a) {
  return wl_ref_convert(wl_ref_format(l->format), &wl_ref_f32, a, l->rnd);
}

/* Two small numbers that stand `apart` bits from each other. */
static uint32_t both_widened(const wl_fpu_lane_t *l, unsigned apart) {
  const wl_ref_format_t *from = wl_ref_format(l->format);
  return wl_ref_convert(&wl_ref_f16, from, l->a >> apart, 0) << 16 |
         wl_ref_convert(&wl_ref_f16, from, l->a, 0);
}

uint64_t wl_ref_fpu(wl_fpu_op_t op, const wl_fpu_lane_t *l) {
  const uint64_t wide = (uint64_t)l->high << 32 | l->a;
  switch (op) {
  case WL_FPU_FADD:
  case WL_FPU_FMUL:
  case WL_FPU_FFMA:
    return arithmetic(op, l);
  case WL_FPU_FMIN:
    return min_max(l, false);
  case WL_FPU_FMAX:
    return min_max(l, true);
  case WL_FPU_I2FU:
    return from_integer((long double)l->a, l->rnd);
  case WL_FPU_I2FS:
    return from_integer((long double)(int32_t)l->a, l->rnd);
  case WL_FPU_I2FU64:
    return from_integer((long double)wide, l->rnd);
  case WL_FPU_I2FS64:
    return from_integer((long double)(int64_t)wide, l->rnd);
  case WL_FPU_F2IU:
    return to_integer(l, 32, false);
  case WL_FPU_F2IS:
    return to_integer(l, 32, true);
  case WL_FPU_F2IU64:
    return to_integer(l, 64, false);
  case WL_FPU_F2IS64:
    return to_integer(l, 64, true);
  case WL_FPU_FRND:
    return to_integral(l);
  case WL_FPU_FNARROW:
    return narrowed(l, l->a);
  case WL_FPU_FNARROW2:
    return narrowed(l, l->a) << 16 | narrowed(l, l->b);
  case WL_FPU_FTF32A:
    return wl_ref_tf32_away(l->a);
  case WL_FPU_FWIDEN:
    return wl_ref_convert(&wl_ref_f32, wl_ref_format(l->format), l->a, 0);
  case WL_FPU_FWIDEN8:
    return both_widened(l, l->format == WL_FORMAT_E2M1 ? 4 : 8);
  case WL_FPU_FNARROW8:
    return wl_ref_narrow_bytes(wl_ref_format(l->format), l->a, l->b);
  case WL_FPU_FSTOCH2:
    return wl_ref_stochastic_halves(wl_ref_format(l->format), l->a, l->b, l->c);
  case WL_FPU_FSTOCH8:
    return wl_ref_stochastic_bytes(wl_ref_format(l->format), l->a, l->b, l->c);
  case WL_FPU_HFMA:
  case WL_FPU_HMIN:
  case WL_FPU_HMAX:
  case WL_FPU_HSET:
    return wl_ref_halves(op, l, wl_ref_format(l->format));
  case WL_FPU_FEX2:
  case WL_FPU_FLG2:
  case WL_FPU_FTANH:
    return wl_ref_special(op, l->a);
  case WL_FPU_FSETP:
  case WL_NUM_FPU_OP:
    break; /* predicates only */
  }
  return 0;
}

unsigned wl_ref_relation(uint32_t a, uint32_t b, bool ftz) {
  const float x = as_float(flush_input(a, ftz)), y = as_float(flush_input(b, ftz));
  return x < y ? 0 : x == y ? 1 : x > y ? 2 : 3;
}

bool wl_ref_fpu_predicate(const wl_fpu_lane_t *l, bool complement) {
  const bool t = (l->cmp >> wl_ref_relation(l->a, l->b, l->ftz) & 1) != complement;
  switch (l->bop) {
  case 0:
    return t && l->s;
  case 1:
    return t || l->s;
  case 2:
    return t != l->s;
  default:
    return t;
  }
}
