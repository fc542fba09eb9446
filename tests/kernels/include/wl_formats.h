/*
 * Numbers of 16 and 8 bits: conversions of CUDA's headers under nvcc, as inline assembly under clang,
 * in plain C++ on the host. Pairs are packed, the first argument in the low half.
 */
#ifndef WL_FORMATS_H
#define WL_FORMATS_H

#if defined(__NVCC__)
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <mma.h>
#include <string.h>

#define WL_FORMAT_FN static __device__ __forceinline__

WL_FORMAT_FN unsigned wl_pack_f16(float low, float high) {
  __half2 h = __floats2half2_rn(low, high);
  unsigned bits;
  memcpy(&bits, &h, sizeof bits);
  return bits;
}
WL_FORMAT_FN unsigned wl_pack_bf16(float low, float high) {
  __nv_bfloat162 h = __floats2bfloat162_rn(low, high);
  unsigned bits;
  memcpy(&bits, &h, sizeof bits);
  return bits;
}
WL_FORMAT_FN unsigned wl_f16_rn(float v) { return __half_as_ushort(__float2half_rn(v)); }
WL_FORMAT_FN unsigned wl_f16_rz(float v) { return __half_as_ushort(__float2half_rz(v)); }
WL_FORMAT_FN unsigned wl_f16_rm(float v) { return __half_as_ushort(__float2half_rd(v)); }
WL_FORMAT_FN unsigned wl_f16_rp(float v) { return __half_as_ushort(__float2half_ru(v)); }
WL_FORMAT_FN float wl_tf32(float v) { return nvcuda::wmma::__float_to_tf32(v); }
WL_FORMAT_FN float wl_from_f16(unsigned bits) {
  return __half2float(__ushort_as_half((unsigned short)bits));
}
WL_FORMAT_FN float wl_from_bf16(unsigned bits) {
  return __bfloat162float(__ushort_as_bfloat16((unsigned short)bits));
}
WL_FORMAT_FN unsigned wl_from_fp8(unsigned bits, bool e4m3) {
  __half2_raw h =
      __nv_cvt_fp8x2_to_halfraw2((__nv_fp8x2_storage_t)bits, e4m3 ? __NV_E4M3 : __NV_E5M2);
  return (unsigned)h.y << 16 | h.x;
}

#elif defined(__CUDA__)
WL_ASM_FN unsigned wl_pack_f16(float low, float high) {
  unsigned d;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(d) : "f"(high), "f"(low));
  return d;
}
WL_ASM_FN unsigned wl_pack_bf16(float low, float high) {
  unsigned d;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(d) : "f"(high), "f"(low));
  return d;
}
WL_ASM1(wl_f16_rn, "cvt.rn.f16.f32", unsigned short, "h", float, "f")
WL_ASM1(wl_f16_rz, "cvt.rz.f16.f32", unsigned short, "h", float, "f")
WL_ASM1(wl_f16_rm, "cvt.rm.f16.f32", unsigned short, "h", float, "f")
WL_ASM1(wl_f16_rp, "cvt.rp.f16.f32", unsigned short, "h", float, "f")
WL_ASM1(wl_from_f16, "cvt.f32.f16", float, "f", unsigned short, "h")
WL_ASM1(wl_from_bf16, "cvt.f32.bf16", float, "f", unsigned short, "h")
WL_ASM1(wl_tf32_bits, "cvt.rna.tf32.f32", unsigned, "r", float, "f")
WL_ASM_FN float wl_tf32(float v) {
  union {
    unsigned bits;
    float f;
  } u = {wl_tf32_bits(v)};
  return u.f;
}
/* sm_80 has no instruction for these. */
WL_ASM_FN unsigned wl_from_byte(unsigned bits, bool e4m3) {
  unsigned sign = (bits & 0x80) << 8, m = bits & 0x7f;
  if (!e4m3) {
    return m > 0x7c ? 0x7fff : sign | m << 8;
  }
  if (m == 0x7f) {
    return 0x7fff;
  }
  if (m >= 8) {
    return sign | ((m << 7) + (8 << 10));
  }
  unsigned top = m >= 4 ? 2 : m >= 2 ? 1 : 0;
  return m == 0 ? sign : sign | ((top + 6) << 10) | ((m << (10 - top)) & 0x3ff);
}
WL_ASM_FN unsigned wl_from_fp8(unsigned bits, bool e4m3) {
  return wl_from_byte(bits >> 8 & 0xff, e4m3) << 16 | wl_from_byte(bits & 0xff, e4m3);
}

#else /* on the host: by doubles, which hold all these numbers */
WL_FN unsigned wl_round_format(double v, int exponent_bits, int fraction, int rounding) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const unsigned sign = signbit(v) ? 1u << (exponent_bits + fraction) : 0;
  const unsigned infinity = ((1u << exponent_bits) - 1) << fraction;
  int exponent;
  if (isnan(v)) return (1u << (exponent_bits + fraction)) - 1;
  if (isinf(v)) return sign | infinity;
  if (v == 0) return sign;
  (void)frexp(v, &exponent);
  exponent = exponent - 1 < 1 - bias ? 1 - bias : exponent - 1;
  double units = ldexp(v, fraction - exponent);
  units = rounding == 0   ? nearbyint(units)
          : rounding == 1 ? trunc(units)
          : rounding == 2 ? floor(units)
                          : ceil(units);
  if (exponent > bias) units = rounding == 0 || rounding == (v < 0 ? 2 : 3) ? 4 << fraction : 0;
  const double magnitude = fabs(units);
  if (exponent > bias && magnitude == 0) return sign | (infinity - 1);
  const unsigned bits = ((unsigned)(exponent + bias - 1) << fraction) + (unsigned)magnitude;
  if (bits < infinity) return sign | bits;
  return sign | (rounding == 0 || rounding == (v < 0 ? 2 : 3) ? infinity : infinity - 1);
}
WL_FN double wl_format_value(unsigned bits, int exponent_bits, int fraction) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const unsigned exponent = bits >> fraction & ((1u << exponent_bits) - 1);
  const unsigned rest = bits & ((1u << fraction) - 1);
  const double m = exponent != 0 ? rest + ldexp(1, fraction) : rest;
  const double v = ldexp(m, (exponent != 0 ? (int)exponent : 1) - bias - fraction);
  return bits >> (exponent_bits + fraction) & 1 ? -v : v;
}
WL_FN float wl_float_of(unsigned bits) {
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}
WL_FN unsigned wl_f16_rn(float v) { return wl_round_format(v, 5, 10, 0); }
WL_FN unsigned wl_f16_rz(float v) { return wl_round_format(v, 5, 10, 1); }
WL_FN unsigned wl_f16_rm(float v) { return wl_round_format(v, 5, 10, 2); }
WL_FN unsigned wl_f16_rp(float v) { return wl_round_format(v, 5, 10, 3); }
WL_FN unsigned wl_pack_f16(float low, float high) { return wl_f16_rn(high) << 16 | wl_f16_rn(low); }
WL_FN unsigned wl_pack_bf16(float low, float high) {
  return wl_round_format(high, 8, 7, 0) << 16 | wl_round_format(low, 8, 7, 0);
}
WL_FN float wl_tf32(float v) {
  uint32_t bits;
  memcpy(&bits, &v, sizeof bits);
  return wl_float_of((isfinite(v) ? bits + 0x1000 : bits) & ~0x1fffu);
}
WL_FN float wl_from_f16(unsigned bits) {
  if ((bits & 0x7c00) != 0x7c00) return (float)wl_format_value(bits & 0xffff, 5, 10);
  return (bits & 0x3ff) != 0 ? wl_float_of(0x7fffffff) : bits & 0x8000 ? -INFINITY : INFINITY;
}
WL_FN float wl_from_bf16(unsigned bits) { return wl_float_of(bits << 16); }
WL_FN unsigned wl_from_byte(unsigned bits, bool e4m3) {
  const unsigned nan = e4m3 ? 0x7f : 0x7d;
  if ((bits & 0x7f) >= nan) return 0x7fff;
  if (!e4m3 && (bits & 0x7f) == 0x7c) return (bits & 0x80) << 8 | 0x7c00;
  return wl_round_format(e4m3 ? wl_format_value(bits, 4, 3) : wl_format_value(bits, 5, 2), 5, 10,
                         0);
}
WL_FN unsigned wl_from_fp8(unsigned bits, bool e4m3) {
  return wl_from_byte(bits >> 8 & 0xff, e4m3) << 16 | wl_from_byte(bits & 0xff, e4m3);
}
#endif
#endif
