/*
 * Arithmetic of f16 and bf16 in pairs: CUDA's functions under nvcc, inline assembly under clang, in plain C++
 * on the host. A pair is a word, its first number in the low half.
 */
#ifndef WL_HALF_H
#define WL_HALF_H
#include "wl_formats.h"

#if defined(__NVCC__)
WL_FORMAT_FN unsigned wl_bits(__half2 h) {
  unsigned bits;
  memcpy(&bits, &h, sizeof bits);
  return bits;
}
WL_FORMAT_FN unsigned wl_bits(__nv_bfloat162 h) {
  unsigned bits;
  memcpy(&bits, &h, sizeof bits);
  return bits;
}
WL_FORMAT_FN __half2 wl_pair_f16(unsigned bits) {
  __half2 h;
  memcpy(&h, &bits, sizeof h);
  return h;
}
WL_FORMAT_FN __nv_bfloat162 wl_pair_bf16(unsigned bits) {
  __nv_bfloat162 h;
  memcpy(&h, &bits, sizeof h);
  return h;
}
#define WL_F16  wl_pair_f16
#define WL_BF16 wl_pair_bf16
WL_FORMAT_FN unsigned wl_fma2(unsigned a, unsigned b, unsigned c) {
  return wl_bits(__hfma2(WL_F16(a), WL_F16(b), WL_F16(c)));
}
WL_FORMAT_FN unsigned wl_add2(unsigned a, unsigned b) {
  return wl_bits(__hadd2(WL_F16(a), WL_F16(b)));
}
WL_FORMAT_FN unsigned wl_sub2(unsigned a, unsigned b) {
  return wl_bits(__hsub2(WL_F16(a), WL_F16(b)));
}
WL_FORMAT_FN unsigned wl_mul2(unsigned a, unsigned b) {
  return wl_bits(__hmul2(WL_F16(a), WL_F16(b)));
}
WL_FORMAT_FN unsigned wl_neg2(unsigned a) { return wl_bits(__hneg2(WL_F16(a))); }
WL_FORMAT_FN unsigned wl_abs2(unsigned a) { return wl_bits(__habs2(WL_F16(a))); }
WL_FORMAT_FN unsigned wl_max2_nan(unsigned a, unsigned b) {
  return wl_bits(__hmax2_nan(WL_F16(a), WL_F16(b)));
}
WL_FORMAT_FN unsigned wl_min2(unsigned a, unsigned b) {
  return wl_bits(__hmin2(WL_F16(a), WL_F16(b)));
}
WL_FORMAT_FN unsigned wl_lt2(unsigned a, unsigned b) { return __hlt2_mask(WL_F16(a), WL_F16(b)); }
WL_FORMAT_FN bool wl_all_geu2(unsigned a, unsigned b) { return __hbgeu2(WL_F16(a), WL_F16(b)); }
WL_FORMAT_FN unsigned wl_fma1(unsigned a, unsigned b, unsigned c) {
  return __half_as_ushort(__hfma(__ushort_as_half((unsigned short)a),
                                 __ushort_as_half((unsigned short)b),
                                 __ushort_as_half((unsigned short)c)));
}
WL_FORMAT_FN unsigned wl_bf16_fma2_relu(unsigned a, unsigned b, unsigned c) {
  return wl_bits(__hfma2_relu(WL_BF16(a), WL_BF16(b), WL_BF16(c)));
}
WL_FORMAT_FN unsigned wl_bf16_fma2(unsigned a, unsigned b, unsigned c) {
  return wl_bits(__hfma2(WL_BF16(a), WL_BF16(b), WL_BF16(c)));
}
WL_FORMAT_FN unsigned wl_bf16_max2(unsigned a, unsigned b) {
  return wl_bits(__hmax2(WL_BF16(a), WL_BF16(b)));
}

#elif defined(__CUDA__)
#define WL_HALF3(NAME, TEXT)                                                                       \
  WL_ASM_FN unsigned NAME(unsigned a, unsigned b, unsigned c) {                                    \
    unsigned d;                                                                                    \
    asm(TEXT " %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));                               \
    return d;                                                                                      \
  }
#define WL_HALF2(NAME, TEXT)                                                                       \
  WL_ASM_FN unsigned NAME(unsigned a, unsigned b) {                                                \
    unsigned d;                                                                                    \
    asm(TEXT " %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));                                           \
    return d;                                                                                      \
  }
WL_HALF3(wl_fma2, "fma.rn.f16x2")
WL_HALF2(wl_add2, "add.f16x2")
WL_HALF2(wl_sub2, "sub.f16x2")
WL_HALF2(wl_mul2, "mul.f16x2")
WL_ASM1(wl_neg2, "neg.f16x2", unsigned, "r", unsigned, "r")
WL_ASM1(wl_abs2, "abs.f16x2", unsigned, "r", unsigned, "r")
WL_HALF2(wl_max2_nan, "max.NaN.f16x2")
WL_HALF2(wl_min2, "min.f16x2")
WL_HALF2(wl_lt2, "set.lt.u32.f16x2")
WL_HALF3(wl_bf16_fma2_relu, "fma.rn.relu.bf16x2")
WL_HALF3(wl_bf16_fma2, "fma.rn.bf16x2")
WL_HALF2(wl_bf16_max2, "max.bf16x2")
WL_ASM_FN bool wl_all_geu2(unsigned a, unsigned b) {
  unsigned d;
  asm("{ .reg .pred p, q; setp.geu.f16x2 p|q, %1, %2; and.pred p, p, q; selp.u32 %0, 1, 0, p; }"
      : "=r"(d)
      : "r"(a), "r"(b));
  return d != 0;
}
WL_ASM_FN unsigned wl_fma1(unsigned a, unsigned b, unsigned c) {
  unsigned short d;
  asm("fma.rn.f16 %0, %1, %2, %3;"
      : "=h"(d)
      : "h"((unsigned short)a), "h"((unsigned short)b), "h"((unsigned short)c));
  return d;
}

#else /* on the host: by doubles; a sum that is not exact becomes odd, so that it rounds but once */
typedef struct {
  int exponent, fraction;
} wl_half_format_t;
static const wl_half_format_t wl_half_f16 = {5, 10}, wl_half_bf16 = {8, 7};

WL_FN double wl_half_value(wl_half_format_t f, unsigned bits) {
  const unsigned magnitude = bits & 0x7fff, infinity = 0x7fffu >> f.fraction << f.fraction;
  if (magnitude > infinity) return NAN;
  if (magnitude == infinity) return bits & 0x8000 ? -INFINITY : INFINITY;
  return wl_format_value(bits & 0xffff, f.exponent, f.fraction);
}
WL_FN double wl_sum_odd(double p, double c) {
  const double s = p + c, b = s - p, rest = (p - (s - b)) + (c - b);
  uint64_t bits;
  memcpy(&bits, &s, sizeof bits);
  if (!isfinite(s) || rest == 0 || (bits & 1) != 0) return s;
  return nextafter(s, rest > 0 ? INFINITY : -INFINITY);
}
WL_FN unsigned wl_half_fma(wl_half_format_t f, unsigned a, unsigned b, unsigned c) {
  const double s = wl_sum_odd(wl_half_value(f, a) * wl_half_value(f, b), wl_half_value(f, c));
  return wl_round_format(s, f.exponent, f.fraction, 0);
}
WL_FN unsigned wl_half_pick(wl_half_format_t f, unsigned a, unsigned b, bool max, bool nan) {
  const double x = wl_half_value(f, a), y = wl_half_value(f, b);
  if (isnan(x) || isnan(y))
    return nan || (isnan(x) && isnan(y)) ? 0x7fff : (isnan(x) ? b : a) & 0xffff;
  const bool less = x < y || (x == y && signbit(x) && !signbit(y));
  return (less == max ? b : a) & 0xffff;
}
#define WL_BOTH(LOW, HIGH) ((LOW) | (HIGH) << 16)
#define WL_HOST3(NAME, F)                                                                          \
  WL_FN unsigned NAME(unsigned a, unsigned b, unsigned c) {                                        \
    return WL_BOTH(wl_half_fma(F, a, b, c), wl_half_fma(F, a >> 16, b >> 16, c >> 16));            \
  }
WL_HOST3(wl_fma2, wl_half_f16)
WL_HOST3(wl_bf16_fma2, wl_half_bf16)
WL_FN unsigned wl_fma1(unsigned a, unsigned b, unsigned c) {
  return wl_half_fma(wl_half_f16, a, b, c);
}
WL_FN unsigned wl_neg2(unsigned a) { return a ^ 0x80008000u; }
WL_FN unsigned wl_abs2(unsigned a) { return a & 0x7fff7fffu; }
WL_FN unsigned wl_add2(unsigned a, unsigned b) { return wl_fma2(a, 0x3c003c00u, b); }
WL_FN unsigned wl_sub2(unsigned a, unsigned b) { return wl_fma2(a, 0x3c003c00u, wl_neg2(b)); }
WL_FN unsigned wl_mul2(unsigned a, unsigned b) { return wl_fma2(a, b, 0x80008000u); }
#define WL_HOST2(NAME, F, MAX, NAN_WINS)                                                           \
  WL_FN unsigned NAME(unsigned a, unsigned b) {                                                    \
    return WL_BOTH(wl_half_pick(F, a, b, MAX, NAN_WINS),                                           \
                   wl_half_pick(F, a >> 16, b >> 16, MAX, NAN_WINS));                              \
  }
WL_HOST2(wl_max2_nan, wl_half_f16, true, true)
WL_HOST2(wl_min2, wl_half_f16, false, false)
WL_HOST2(wl_bf16_max2, wl_half_bf16, true, false)
WL_FN unsigned wl_bf16_fma2_relu(unsigned a, unsigned b, unsigned c) {
  const unsigned v = wl_bf16_fma2(a, b, c);
  return WL_BOTH(v & 0x8000u ? 0 : v & 0xffffu, v >> 31 ? 0 : v >> 16);
}
WL_FN unsigned wl_lt2(unsigned a, unsigned b) {
  const bool low = wl_half_value(wl_half_f16, a) < wl_half_value(wl_half_f16, b);
  const bool high = wl_half_value(wl_half_f16, a >> 16) < wl_half_value(wl_half_f16, b >> 16);
  return WL_BOTH(low ? 0xffffu : 0u, high ? 0xffffu : 0u);
}
WL_FN bool wl_all_geu2(unsigned a, unsigned b) { return wl_lt2(a, b) == 0; }
#endif
#endif
