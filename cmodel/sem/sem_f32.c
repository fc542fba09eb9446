/* f32: the format-generic arithmetic of fp.h for the row f32 of format.def. */
#include "cmodel/sem/sem.h"

uint32_t wl_f32_add(uint32_t a, uint32_t b, wl_fp_mode_t mode) {
  return (uint32_t)wl_fp_add(wl_fmt_f32(), a, b, mode);
}

uint32_t wl_f32_mul(uint32_t a, uint32_t b, wl_fp_mode_t mode) {
  return (uint32_t)wl_fp_mul(wl_fmt_f32(), a, b, mode);
}

uint32_t wl_f32_fma(uint32_t a, uint32_t b, uint32_t c, wl_fp_mode_t mode) {
  return (uint32_t)wl_fp_fma(wl_fmt_f32(), a, b, c, mode);
}

uint32_t wl_f32_min(uint32_t a, uint32_t b, bool ftz, bool nan) {
  return (uint32_t)wl_fp_min_max(wl_fmt_f32(), a, b, ftz, nan, false);
}

uint32_t wl_f32_max(uint32_t a, uint32_t b, bool ftz, bool nan) {
  return (uint32_t)wl_fp_min_max(wl_fmt_f32(), a, b, ftz, nan, true);
}

unsigned wl_f32_relation(uint32_t a, uint32_t b, bool ftz) {
  return wl_fp_relation(wl_fmt_f32(), a, b, ftz);
}

uint32_t wl_f32_from_u64(uint64_t a, unsigned rnd) {
  return (uint32_t)wl_fp_from_magnitude(wl_fmt_f32(), false, a, rnd);
}

uint32_t wl_f32_from_s64(int64_t a, unsigned rnd) {
  const uint64_t magnitude = a < 0 ? 0 - (uint64_t)a : (uint64_t)a;
  return (uint32_t)wl_fp_from_magnitude(wl_fmt_f32(), a < 0, magnitude, rnd);
}

uint64_t wl_f32_to_int(uint32_t a, wl_fp_mode_t mode, unsigned bits, bool is_signed) {
  return wl_fp_to_int(wl_fmt_f32(), a, mode, bits, is_signed);
}

uint32_t wl_f32_round(uint32_t a, wl_fp_mode_t mode) {
  return (uint32_t)wl_fp_round(wl_fmt_f32(), a, mode);
}
