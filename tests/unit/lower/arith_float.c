/* arith_float.c: f32 operations for test_arith, expected values by the host's IEEE arithmetic in
 * the rounding mode asked for, of division with .ftz by exact integers. Compiled with
 * -frounding-math -ffp-contract=off. PTX 9.7.3. */
#include <fenv.h>
#include <math.h>
#include <string.h>

#include "tests/common/format_reference.h"
#include "tests/unit/lower/arith_cases.h"

static float to_f(uint64_t x) {
  const uint32_t b = (uint32_t)x;
  float f;
  memcpy(&f, &b, 4);
  return f;
}
static uint64_t from_f(float f) {
  uint32_t b;
  memcpy(&b, &f, 4);
  return b;
}
static float flush(float x) { return fabsf(x) < 0x1p-126f ? copysignf(0, x) : x; }
static uint64_t divide(float a, float b, int mode) {
  fesetround(mode);
  const volatile float x = a, y = b;
  volatile float q = x / y;
  fesetround(FE_TONEAREST);
  return from_f(q);
}
/* keep, with `rest` != 0 out of `unit` dropped below it, in the rounding mode asked for. */
static uint64_t round_up(uint64_t keep, uint64_t rest, uint64_t unit, bool neg, int mode) {
  switch (mode) {
  case FE_TOWARDZERO:
    return keep;
  case FE_DOWNWARD:
    return keep + (neg && rest != 0);
  case FE_UPWARD:
    return keep + (!neg && rest != 0);
  default:
    return keep + (2 * rest > unit || (2 * rest == unit && keep % 2 != 0));
  }
}
/* a / b with .ftz, on integers because the host rounds subnormals at 2^-149: rounded to 24 bits
 * with unbounded exponent, then zero below 2^-126 (docs/microarchitecture.md 6.4). */
static uint64_t divide_ftz(float a, float b, int mode) {
  const volatile float x = flush(a), y = flush(b);
  if (!isnormal(x) || !isnormal(y)) return from_f(x / y); /* a special value, nothing to round */
  const uint64_t i = from_f(x), j = from_f(y), sign = (i ^ j) & 0x80000000u;
  const uint64_t mb = (j & 0x7fffff) | 0x800000, num = ((i & 0x7fffff) | 0x800000) << 39;
  uint64_t q = num / mb, unit = 2; /* 39 or 40 bits, and one for the remainder */
  int exp = (int)(i >> 23 & 255) - (int)(j >> 23 & 255) - 39; /* of q */
  q = 2 * q + (num % mb != 0);
  for (; q / unit >= 1 << 24; unit *= 2)
    exp++;
  uint64_t m = round_up(q / unit, q % unit, unit, sign != 0, mode); /* times 2^exp */
  if (m == 1 << 24) m /= 2, exp++;
  if (exp < -149) return sign;
  if (exp <= 104) return sign | (uint64_t)(exp + 150) << 23 | (m & 0x7fffff);
  return sign |
         (mode == FE_TONEAREST || mode == (sign != 0 ? FE_DOWNWARD : FE_UPWARD) ? 0x7f800000
                                                                                : 0x7f7fffff);
}
static uint64_t root(float a, int mode, bool ftz) {
  if (ftz) a = flush(a);
  fesetround(mode);
  const volatile float x = a;
  volatile float q = sqrtf(x);
  fesetround(FE_TONEAREST);
  return from_f(q);
}
#define H(name, expr)                                                                              \
  static uint64_t h_##name(uint64_t a, uint64_t b, uint64_t c) {                                   \
    (void)a, (void)b, (void)c;                                                                     \
    return (uint64_t)(expr);                                                                       \
  }
#define A to_f(a)
#define B to_f(b)
H(div_rn, divide(A, B, FE_TONEAREST))
H(div_rz, divide(A, B, FE_TOWARDZERO))
H(div_rm, divide(A, B, FE_DOWNWARD))
H(div_rp, divide(A, B, FE_UPWARD))
H(div_ftz, divide_ftz(A, B, FE_TONEAREST))
H(div_rz_ftz, divide_ftz(A, B, FE_TOWARDZERO))
H(div_rm_ftz, divide_ftz(A, B, FE_DOWNWARD))
H(div_rp_ftz, divide_ftz(A, B, FE_UPWARD))
H(rcp_ftz, divide_ftz(1, A, FE_TONEAREST))
H(rcp_rm_ftz, divide_ftz(1, A, FE_DOWNWARD))
H(rcp_rp_ftz, divide_ftz(1, A, FE_UPWARD))
H(rcp_rn, divide(1, A, FE_TONEAREST))
H(rcp_rp, divide(1, A, FE_UPWARD))
H(sqrt_rn, root(A, FE_TONEAREST, false))
H(sqrt_rz, root(A, FE_TOWARDZERO, false))
H(sqrt_rm, root(A, FE_DOWNWARD, false))
H(sqrt_rp, root(A, FE_UPWARD, false))
H(sqrt_ftz, root(A, FE_TONEAREST, true))
H(neg, from_f(-A))
H(abs_ftz, from_f(fabsf(flush(A))))
H(copysign, from_f(copysignf(B, A)))
H(testp_normal, fpclassify(A) == FP_NORMAL || fpclassify(A) == FP_ZERO)
H(testp_sub, fpclassify(A) == FP_SUBNORMAL)
H(testp_num, !isnan(A))
static float min_mag(float a, float b) {
  const float x = fabsf(a), y = fabsf(b), m = isnan(x) ? y : isnan(y) ? x : x < y ? x : y;
  return isnan(m) ? m : copysignf(m, signbit(a) != signbit(b) ? -1.0f : 1.0f);
}
H(minxor, from_f(min_mag(A, B)))
static uint64_t to_int(float x, double lo, double hi, bool nan_low) {
  (void)nan_low;
  if (isnan(x)) return 0;
  const double r = rint((double)x);
  return (uint64_t)(int64_t)(r < lo ? lo : r > hi ? hi : r);
}
H(s8, to_int(A, -128, 127, false))
H(u16, to_int(A, 0, 65535, false))
static uint64_t sat(float x) { return from_f(isnan(x) || x <= 0 ? 0.0f : x > 1 ? 1.0f : x); }
H(sat, sat(A))
H(slct, A >= 0 ? (uint32_t)b : (uint32_t)c)
/* ---- formats of 16 and 8 bits: what the modifiers do, after the conversion */
static uint64_t half(uint64_t a, const wl_ref_format_t *f, unsigned rnd, bool satfinite,
                     bool relu) {
  uint32_t r = wl_ref_convert(f, &wl_ref_f32, (uint32_t)a, rnd);
  const uint32_t infinity = wl_ref_infinity(f);
  if (satfinite && (r & 0x7fff) == infinity) r--;
  return relu && (r & 0x8000) != 0 ? 0 : r;
}
static uint64_t halves(uint64_t a, uint64_t b, const wl_ref_format_t *f, unsigned rnd,
                       bool satfinite, bool relu) {
  return half(a, f, rnd, satfinite, relu) << 16 | half(b, f, rnd, satfinite, relu);
}
static uint64_t half_sat(uint64_t a, unsigned rnd) {
  const uint32_t r = wl_ref_convert(&wl_ref_f16, &wl_ref_f32, (uint32_t)a, rnd);
  return r > 0x7c00 ? 0 : r > 0x3c00 ? 0x3c00 : r;
}
static uint64_t flushed(uint64_t a) { return (a & 0x7f800000) == 0 ? a & 0x80000000 : a; }
static uint64_t tf32_finite(uint64_t a) {
  const uint32_t r = wl_ref_tf32_away((uint32_t)a);
  return (r & 0x7fffffff) >= 0x7f800000 ? r - 0x2000 : r;
}
static uint64_t relu_byte(uint64_t a) {
  const uint32_t r = wl_ref_convert(&wl_ref_f16, &wl_ref_e5m2, (uint32_t)a & 0xff, 0);
  return r & 0x8000 ? 0 : r;
}
H(f16_sat, half_sat(a, 0))
H(f16_rm_sat, half_sat(a, 2))
H(f16_relu, half(a, &wl_ref_f16, 1, false, true))
H(bf16_satfinite, half(a, &wl_ref_bf16, 0, true, false))
H(bf16_both, half(a, &wl_ref_bf16, 1, true, true))
H(bf16_ftz, half(flushed(a), &wl_ref_bf16, 3, false, false))
H(f16x2, halves(a, b, &wl_ref_f16, 0, false, false) << 32)
H(f16x2_satfinite, halves(a, b, &wl_ref_f16, 0, true, false) << 32)
H(bf16x2_relu, halves(a, b, &wl_ref_bf16, 1, false, true) << 32)
H(tf32_finite, tf32_finite(a) << 32)
H(f32_f16_sat, sat(to_f(wl_ref_convert(&wl_ref_f32, &wl_ref_f16, (uint32_t)a & 0xffff, 0))))
H(f32_bf16, (a & 0xffff) << 48)
H(f32_bf16_ftz, isnan(to_f(a << 16 & 0xffffffff)) ? 0x7fffffff : flushed(a << 16 & 0xffffffff))
H(e5m2_relu, (relu_byte(a >> 8) << 16 | relu_byte(a)) << 32)
#define C(name, body, many, fn) {name, body, 32, DATA_FLOAT, many, h_##fn}
#define C16(name, body, fn)     {name, body, 16, DATA_FLOAT, true, h_##fn}
#define EXACT(name, body, fn)   /* compared as bits: above a zero word, which is no NaN */         \
  {name, body " cvt.u64.u32 %dd, %rd; shl.b64 %dd, %dd, 32;", 64, DATA_FLOAT, true, h_##fn}
const arith_case_t arith_float_cases[] = {
    C("div.rn.f32", "div.rn.f32 %rd, %ra, %rb;", true, div_rn),
    C("div.rz.f32", "div.rz.f32 %rd, %ra, %rb;", true, div_rz),
    C("div.rm.f32", "div.rm.f32 %rd, %ra, %rb;", true, div_rm),
    C("div.rp.f32", "div.rp.f32 %rd, %ra, %rb;", true, div_rp),
    C("div.rn.ftz.f32", "div.rn.ftz.f32 %rd, %ra, %rb;", true, div_ftz),
    C("div.rz.ftz.f32", "div.rz.ftz.f32 %rd, %ra, %rb;", true, div_rz_ftz),
    C("div.rm.ftz.f32", "div.rm.ftz.f32 %rd, %ra, %rb;", true, div_rm_ftz),
    C("div.rp.ftz.f32", "div.rp.ftz.f32 %rd, %ra, %rb;", true, div_rp_ftz),
    C("div.full.ftz.f32", "div.full.ftz.f32 %rd, %ra, %rb;", false, div_ftz),
    C("rcp.rn.ftz.f32", "rcp.rn.ftz.f32 %rd, %ra;", true, rcp_ftz),
    C("rcp.rm.ftz.f32", "rcp.rm.ftz.f32 %rd, %ra;", true, rcp_rm_ftz),
    C("rcp.rp.ftz.f32", "rcp.rp.ftz.f32 %rd, %ra;", true, rcp_rp_ftz),
    C("div.full.f32", "div.full.f32 %rd, %ra, %rb;", false, div_rn),
    C("rcp.rn.f32", "rcp.rn.f32 %rd, %ra;", true, rcp_rn),
    C("rcp.rp.f32", "rcp.rp.f32 %rd, %ra;", true, rcp_rp),
    C("rcp.approx.f32", "rcp.approx.f32 %rd, %ra;", false, rcp_rn),
    C("sqrt.rn.f32", "sqrt.rn.f32 %rd, %ra;", true, sqrt_rn),
    C("sqrt.rz.f32", "sqrt.rz.f32 %rd, %ra;", true, sqrt_rz),
    C("sqrt.rm.f32", "sqrt.rm.f32 %rd, %ra;", true, sqrt_rm),
    C("sqrt.rp.f32", "sqrt.rp.f32 %rd, %ra;", true, sqrt_rp),
    C("sqrt.rn.ftz.f32", "sqrt.rn.ftz.f32 %rd, %ra;", true, sqrt_ftz),
    C("neg.f32", "neg.f32 %rd, %ra;", false, neg),
    C("abs.ftz.f32", "abs.ftz.f32 %rd, %ra;", false, abs_ftz),
    C("copysign.f32", "copysign.f32 %rd, %ra, %rb;", false, copysign),
    C("testp.normal", "testp.normal.f32 %p, %ra; selp.b32 %rd, 1, 0, %p;", false, testp_normal),
    C("testp.subnormal", "testp.subnormal.f32 %p, %ra; selp.b32 %rd, 1, 0, %p;", false, testp_sub),
    C("testp.number", "testp.number.f32 %p, %ra; selp.b32 %rd, 1, 0, %p;", false, testp_num),
    C("min.xorsign.abs", "min.xorsign.abs.f32 %rd, %ra, %rb;", false, minxor),
    C("cvt.rni.s8.f32", "cvt.rni.s8.f32 %rd, %ra;", false, s8),
    C("cvt.rni.u16.f32", "cvt.rni.u16.f32 %rd, %ra;", false, u16),
    C("cvt.sat.f32.f32", "cvt.sat.f32.f32 %rd, %ra;", false, sat),
    C("slct.f32", "slct.b32.f32 %rd, %rb, %rc, %ra;", false, slct),
    C16("cvt.rn.sat.f16.f32", "cvt.rn.sat.f16.f32 %hd, %ra;", f16_sat),
    C16("cvt.rm.sat.f16.f32", "cvt.rm.sat.f16.f32 %hd, %ra;", f16_rm_sat),
    C16("cvt.rz.relu.f16.f32", "cvt.rz.relu.f16.f32 %hd, %ra;", f16_relu),
    C16("cvt.rn.satfinite.bf16.f32", "cvt.rn.satfinite.bf16.f32 %hd, %ra;", bf16_satfinite),
    C16("cvt.rz.relu.satfinite.bf16.f32", "cvt.rz.relu.satfinite.bf16.f32 %hd, %ra;", bf16_both),
    C16("cvt.rp.ftz.bf16.f32", "cvt.rp.ftz.bf16.f32 %hd, %ra;", bf16_ftz),
    EXACT("cvt.rn.f16x2.f32", "cvt.rn.f16x2.f32 %rd, %ra, %rb;", f16x2),
    {"cvt.rn.f16x2.f32 to 64 bits",
     "mov.b64 %dd, -1; cvt.rn.f16x2.f32 %dd, %ra, %rb; mov.b64 {%ra, %rb}, %dd; mov.b64 %dd, {%rb, "
     "%ra};",
     64, DATA_FLOAT, true, h_f16x2},
    EXACT("cvt.rn.satfinite.f16x2.f32", "cvt.rn.satfinite.f16x2.f32 %rd, %ra, %rb;",
          f16x2_satfinite),
    EXACT("cvt.rz.relu.bf16x2.f32", "cvt.rz.relu.bf16x2.f32 %rd, %ra, %rb;", bf16x2_relu),
    EXACT("cvt.rna.satfinite.tf32.f32", "cvt.rna.satfinite.tf32.f32 %rd, %ra;", tf32_finite),
    C("cvt.sat.f32.f16", "cvt.sat.f32.f16 %rd, %ha;", false, f32_f16_sat),
    EXACT("cvt.f32.bf16", "cvt.f32.bf16 %rd, %ha;", f32_bf16),
    C("cvt.ftz.f32.bf16", "cvt.ftz.f32.bf16 %rd, %ha;", false, f32_bf16_ftz),
    EXACT("cvt.rn.relu.f16x2.e5m2x2", "cvt.rn.relu.f16x2.e5m2x2 %rd, %ha;", e5m2_relu),
};
const size_t arith_float_count = sizeof arith_float_cases / sizeof arith_float_cases[0];
