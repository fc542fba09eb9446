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

/* Where two numbers of a format stand in a word: 4 bits close together, else in bytes or halves. */
static unsigned distance(wl_fmt_t f) { return f.bits == 4 ? 4 : f.bits <= 8 ? 8 : 16; }

static uint32_t to_f16(wl_fmt_t from, uint32_t a) {
  const uint32_t number = a & ((UINT32_C(1) << from.bits) - 1);
  return (uint32_t)wl_fp_convert(wl_fmt_f16(), from, number, WL_FP_RZ);
}

uint32_t wl_f16x2_from_bytes(wl_format_t format, uint32_t a) {
  const wl_fmt_t from = wl_fmt_of(format);
  return to_f16(from, a >> distance(from)) << 16 | to_f16(from, a);
}

/* ---- rounding to 8 bits and less: no infinity, and a number in place of a NaN that is not there */
static uint32_t clamped(wl_fmt_t to, uint64_t a) {
  const bool large = wl_fp_magnitude(to, a) > to.largest;
  return (uint32_t)(large ? wl_fp_signed(to, wl_fp_negative(to, a), to.largest) : a);
}

static uint32_t nan_of(wl_fmt_t to) { return (uint32_t)(to.has_nan ? to.nan : to.largest); }

static uint32_t narrow8(wl_fmt_t to, uint32_t a) {
  if (wl_fp_is_nan(wl_fmt_f32(), a)) return nan_of(to);
  return clamped(to, wl_fp_convert(to, wl_fmt_f32(), a, WL_FP_RN));
}

uint32_t wl_narrow_pair(wl_format_t format, uint32_t a, uint32_t b) {
  const wl_fmt_t to = wl_fmt_of(format);
  return narrow8(to, a) << distance(to) | narrow8(to, b);
}

/* ---- stochastic rounding. Random bits that count: of f16 as many as f32 has more bits of fraction. */
static unsigned random_bits(wl_format_t format) {
  return format == WL_FORMAT_F16 ? 13 : format == WL_FORMAT_E2M1 ? 8 : 16;
}

/* sig >> n for any n, without a sticky bit. */
static uint64_t shift_right(uint64_t sig, int n) { return n >= 64 ? 0 : sig >> n; }

/* Magnitude of a finite number that is not zero; above the largest one anything above it. */
static uint64_t stochastic(wl_fmt_t to, wl_fp_part_t x, unsigned n, uint32_t random) {
  const int place = x.exp < wl_fp_least_exp(to) ? wl_fp_least_exp(to) : x.exp;
  if (place > wl_fp_most_exp(to)) return to.largest + 1;
  const int below = wl_fp_unit(to) + place - x.exp; /* bits of sig below the last place */
  const uint64_t q = shift_right(x.sig, below), all = (UINT64_C(1) << n) - 1;
  const uint64_t part = shift_right(x.sig, below - (int)n) & all;
  const uint64_t rounded = q + ((part + (random & all)) >> n);
  return ((uint64_t)(place + to.bias - 1) << to.fraction_bits) + rounded;
}

static uint32_t narrow_stochastic(wl_format_t format, uint32_t a, uint32_t random) {
  const wl_fmt_t to = wl_fmt_of(format), f32 = wl_fmt_f32();
  const bool sign = wl_fp_negative(f32, a), wide = to.bits == 16;
  const uint64_t above = wide ? wl_fp_infinity(to) : to.largest;
  uint64_t d = 0;
  if (wl_fp_is_nan(f32, a)) return nan_of(to);
  if (wl_fp_is_inf(f32, a))
    d = above;
  else if (!wl_fp_is_zero(f32, a))
    d = stochastic(to, wl_fp_unpack(f32, a), random_bits(format), random);
  return (uint32_t)wl_fp_signed(to, sign, d > to.largest ? above : d);
}

uint32_t wl_stochastic_pair(wl_format_t format, uint32_t a, uint32_t b, uint32_t random) {
  const unsigned up = distance(wl_fmt_of(format));
  return narrow_stochastic(format, a, random >> 16) << up | narrow_stochastic(format, b, random);
}
