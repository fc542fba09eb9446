/* Conversions between floating-point formats (docs/microarchitecture.md 6.4): the format-generic
 * arithmetic of fp.h for the pairs of formats that the machine has. */
#include "cmodel/sem/sem.h"

uint32_t wl_f32_narrow(wl_format_t format, uint32_t a, unsigned rnd) {
  if (format == WL_FORMAT_F16) return (uint32_t)wl_fp_convert(wl_fmt_f16(), wl_fmt_f32(), a, rnd);
  if (format == WL_FORMAT_BF16) return (uint32_t)wl_fp_convert(wl_fmt_bf16(), wl_fmt_f32(), a, rnd);
  __builtin_trap();
}

/* The carry of the addition may reach the exponent, and infinity. */
uint32_t wl_f32_to_tf32_away(uint32_t a) {
  const wl_fmt_t f32 = wl_fmt_f32(), tf32 = wl_fmt_tf32();
  const uint32_t below = (UINT32_C(1) << tf32.low) - 1;
  const bool finite = !wl_fp_is_nan(f32, a) && !wl_fp_is_inf(f32, a);
  return (finite ? a + (below + 1) / 2 : a) & ~below;
}

uint32_t wl_f32_widen(wl_format_t format, uint32_t a) {
  if (format == WL_FORMAT_F16)
    return (uint32_t)wl_fp_convert(wl_fmt_f32(), wl_fmt_f16(), a & 0xffff, WL_FP_RZ);
  __builtin_trap();
}

static uint32_t byte_to_f16(wl_format_t format, uint32_t a) {
  if (format == WL_FORMAT_E4M3)
    return (uint32_t)wl_fp_convert(wl_fmt_f16(), wl_fmt_e4m3(), a & 0xff, WL_FP_RZ);
  if (format == WL_FORMAT_E5M2)
    return (uint32_t)wl_fp_convert(wl_fmt_f16(), wl_fmt_e5m2(), a & 0xff, WL_FP_RZ);
  __builtin_trap();
}

uint32_t wl_f16x2_from_bytes(wl_format_t format, uint32_t a) {
  return byte_to_f16(format, a >> 8) << 16 | byte_to_f16(format, a);
}
