/*
 * Host side of kernel convert: exact integer algorithms on the bits of the float, no conversion of
 * the host's. NaN to integer: 0 for 32-bit results, 2^63 for 64-bit ones [PTX cvt, "Floating point
 * notes"]; out of range: clamped.
 */
#include <math.h>

#include "tests/kernels/common/kernel_case.h"

typedef enum { ROUND_NEAREST, ROUND_ZERO, ROUND_DOWN, ROUND_UP } rounding_t;

/* Does a magnitude with last kept bit `odd`, next bit and sticky below round away from zero? */
static bool away(rounding_t rounding, bool negative, bool odd, bool next, bool sticky) {
  switch (rounding) {
  case ROUND_NEAREST:
    return next && (sticky || odd);
  case ROUND_DOWN:
    return negative && (next || sticky);
  case ROUND_UP:
    return !negative && (next || sticky);
  default:
    return false;
  }
}

typedef struct {
  uint64_t value;
  bool huge;
} magnitude_t;

/* |v| rounded to an integer; huge: does not fit 64 bits. */
static magnitude_t round_magnitude(uint32_t bits, rounding_t rounding) {
  magnitude_t m = {0, false};
  bool negative = bits >> 31 != 0;
  uint32_t biased = bits >> 23 & 0xffu;
  uint64_t significand = (bits & 0x7fffffu) | (biased != 0 ? 0x800000u : 0);
  int shift = (int)(biased != 0 ? biased : 1) - 150; /* value = significand * 2^shift */
  if (shift >= 0) {
    m.huge = shift > 40;
    m.value = m.huge ? 0 : significand << shift;
    return m;
  }
  int right = shift < -40 ? 40 : -shift;
  bool next = (significand >> (right - 1) & 1u) != 0;
  bool sticky = (significand & ((UINT64_C(1) << (right - 1)) - 1)) != 0;
  m.value = significand >> right;
  m.value += away(rounding, negative, (m.value & 1u) != 0, next, sticky) ? 1 : 0;
  return m;
}

static uint64_t float_to_int(float v, rounding_t rounding, uint32_t width, bool is_signed) {
  uint32_t bits = wl_kernel_float_bits(v);
  bool negative = bits >> 31 != 0;
  uint64_t max = UINT64_MAX >> (64 - width + (is_signed ? 1u : 0u));
  if ((bits & 0x7fffffffu) > 0x7f800000u) {
    return width == 64 ? UINT64_C(1) << 63 : 0;
  }
  magnitude_t m = round_magnitude(bits, rounding);
  uint64_t limit = !negative ? max : is_signed ? max + 1 : 0;
  uint64_t clamped = m.huge || m.value > limit ? limit : m.value;
  return negative ? 0 - clamped : clamped;
}

static float int_to_float(bool negative, uint64_t magnitude, rounding_t rounding) {
  int top = 63;
  if (magnitude == 0) {
    return 0.0f;
  }
  while ((magnitude >> top & 1u) == 0) {
    top--;
  }
  uint64_t significand = magnitude;
  int right = top - 23;
  if (right > 0) {
    bool next = (magnitude >> (right - 1) & 1u) != 0;
    bool sticky = (magnitude & ((UINT64_C(1) << (right - 1)) - 1)) != 0;
    significand = magnitude >> right;
    significand += away(rounding, negative, (significand & 1u) != 0, next, sticky) ? 1 : 0;
  } else {
    significand <<= -right;
  }
  /* A carry out of the significand moves into the exponent by the addition itself. */
  uint32_t bits = ((uint32_t)(top + 126) << 23) + (uint32_t)significand;
  return wl_kernel_bits_float(bits | (negative ? 0x80000000u : 0));
}

static float signed_to_float(int64_t v, rounding_t rounding) {
  return int_to_float(v < 0, v < 0 ? 0 - (uint64_t)v : (uint64_t)v, rounding);
}

static float round_integral(float v, rounding_t rounding) {
  uint32_t bits = wl_kernel_float_bits(v);
  if ((bits & 0x7fffffffu) >= 0x4b000000u) { /* 2^23 and more: integral already; no NaN here */
    return v;
  }
  magnitude_t m = round_magnitude(bits, rounding);
  return wl_kernel_bits_float(wl_kernel_float_bits(int_to_float(false, m.value, ROUND_ZERO)) |
                              (bits & 0x80000000u));
}

static int64_t clamp(int64_t v, int64_t low, int64_t high) {
  return v < low ? low : v > high ? high : v;
}

static float random_float(wl_rng_t *rng, uint32_t i, bool nan_too) {
  static const uint32_t edge[24] = {0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x3effffff,
                                    0x3f000000, 0x3f000001, 0xbf000000, 0x3fc00000, 0x40200000,
                                    0x4effffff, 0x4f000000, 0xcf000000, 0xcf000001, 0x4f7fffff,
                                    0x4f800000, 0x5effffff, 0x5f000000, 0xdf000000, 0x5f7fffff,
                                    0x5f800000, 0x7f800000, 0xff800000, 0x7fc00001};
  uint32_t bits = wl_rng_u32(rng);
  if (i < 24) {
    return wl_kernel_bits_float(!nan_too && i == 23 ? 0x4b7fffffu : edge[i]);
  }
  /* Exponents from 2^-6 to 2^70. */
  return wl_kernel_bits_float((bits & 0x807fffffu) | (121 + wl_rng_below(rng, 76)) << 23);
}

static uint64_t random_int(wl_rng_t *rng, uint32_t i) {
  static const uint64_t edge[8] = {0,
                                   1,
                                   UINT64_MAX,
                                   UINT64_C(1) << 63,
                                   0x7fffffff,
                                   0x80000000,
                                   UINT64_C(0x7fffffffffffffff),
                                   0x1000001};
  if (i < 8) return edge[i];
  uint64_t v = wl_rng_u64(rng);
  return v >> wl_rng_below(rng, 62);
}

static void prepare_float_to_int(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t n = kcase->size[0];
  wl_rng_t rng = {n + 22};
  float *in = wl_arg_in(launch, n * sizeof *in);
  uint64_t *out = wl_arg_out(launch, n * 16 * sizeof *out);
  wl_arg_u32(launch, n);
  if (launch->failed) {
    return;
  }
  for (uint32_t i = 0; i < n; i++) {
    in[i] = random_float(&rng, i, true);
    for (uint32_t r = 0; r < 16; r++) {
      out[i * 16 + r] = float_to_int(in[i], (rounding_t)(r % 4), r < 8 ? 32 : 64, (r / 4) % 2 == 0);
    }
  }
}

static void prepare_int_to_float(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t n = kcase->size[0];
  wl_rng_t rng = {n + 23};
  uint64_t *in = wl_arg_in(launch, n * sizeof *in);
  float *out = wl_arg_out(launch, n * 16 * sizeof *out);
  wl_arg_u32(launch, n);
  if (launch->failed) {
    return;
  }
  for (uint32_t i = 0; i < n; i++) {
    in[i] = random_int(&rng, i);
    for (uint32_t r = 0; r < 4; r++) {
      float *to = &out[i * 16 + r];
      to[0] = signed_to_float((int32_t)in[i], (rounding_t)r);
      to[4] = int_to_float(false, (uint32_t)in[i], (rounding_t)r);
      to[8] = signed_to_float((int64_t)in[i], (rounding_t)r);
      to[12] = int_to_float(false, in[i], (rounding_t)r);
    }
  }
}

static void small(float v, uint64_t w, float *f, int32_t *r) {
  for (uint32_t i = 0; i < 4; i++) {
    f[i] = round_integral(v, (rounding_t)i);
  }
  f[4] = v > 1.0f ? 1.0f : v > 0.0f ? v : 0.0f; /* .sat: NaN and -0 to +0 */
  f[5] = (float)(int8_t)w + (float)(uint8_t)(w >> 8);
  f[6] = (float)(int16_t)w + (float)(uint16_t)(w >> 16);
  f[7] = signed_to_float((int32_t)w, ROUND_NEAREST);
  r[0] = (int32_t)clamp((int32_t)w, 0, 255);
  r[1] = (int32_t)clamp((int32_t)w, -32768, 32767);
  r[2] = (int32_t)(uint32_t)clamp((int64_t)w, 0, 0xffffffff);
  r[3] = (int32_t)clamp((int64_t)w, INT32_MIN, INT32_MAX);
  r[4] = (int8_t)w;
  r[5] = (int16_t)(w >> 3);
  r[6] = (uint8_t)(w >> 5);
  r[7] = (int8_t)(w >> 9);
}

static void prepare_small(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t n = kcase->size[0];
  wl_rng_t rng = {n + 24};
  float *in = wl_arg_in(launch, n * sizeof *in);
  uint64_t *bits = wl_arg_in(launch, n * sizeof *bits);
  float *fout = wl_arg_out(launch, n * 8 * sizeof *fout);
  int32_t *iout = wl_arg_out(launch, n * 8 * sizeof *iout);
  wl_arg_u32(launch, n);
  if (launch->failed) {
    return;
  }
  for (uint32_t i = 0; i < n; i++) {
    in[i] = random_float(&rng, i, false);
    bits[i] = random_int(&rng, i);
    small(in[i], bits[i], &fout[i * 8], &iout[i * 8]);
  }
}

/* The integer algorithms against the host's own conversions, where C defines those. */
static const char *self_check(void) {
  wl_rng_t rng = {25};
  for (uint32_t i = 0; i < 5000; i++) {
    uint64_t v = random_int(&rng, i);
    float f = random_float(&rng, i, false);
    if (signed_to_float((int64_t)v, ROUND_NEAREST) != (float)(int64_t)v ||
        int_to_float(false, v, ROUND_NEAREST) != (float)v) {
      return "integer to float";
    }
    if (round_integral(f, ROUND_NEAREST) != rintf(f) || round_integral(f, ROUND_UP) != ceilf(f) ||
        round_integral(f, ROUND_DOWN) != floorf(f) || round_integral(f, ROUND_ZERO) != truncf(f)) {
      return "rounding to an integral value";
    }
    if (fabsf(f) < 0x1p62f &&
        (int64_t)float_to_int(f, ROUND_DOWN, 64, true) != (int64_t)floorf(f)) {
      return "float to integer";
    }
  }
  return NULL;
}

static const wl_kernel_case_t cases[] = {
    {.name = "to_int83",
     .entry = "float_to_int",
     .tier = WL_TIER_SMOKE,
     .grid = {1, 1, 1},
     .block = {85, 1, 1},
     .size = {83},
     .prepare = prepare_float_to_int},
    {.name = "to_float83",
     .entry = "int_to_float",
     .tier = WL_TIER_SMOKE,
     .grid = {1, 1, 1},
     .block = {85, 1, 1},
     .size = {83},
     .prepare = prepare_int_to_float},
    {.name = "small83",
     .entry = "convert_small",
     .tier = WL_TIER_SMOKE,
     .grid = {1, 1, 1},
     .block = {85, 1, 1},
     .size = {83},
     .prepare = prepare_small},
    {.name = "to_int3001",
     .entry = "float_to_int",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {13, 1, 1},
     .block = {241, 1, 1},
     .size = {3001},
     .prepare = prepare_float_to_int},
    {.name = "to_float3001",
     .entry = "int_to_float",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {13, 1, 1},
     .block = {241, 1, 1},
     .size = {3001},
     .prepare = prepare_int_to_float},
    {.name = "small3001",
     .entry = "convert_small",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {13, 1, 1},
     .block = {241, 1, 1},
     .size = {3001},
     .prepare = prepare_small},
};

const wl_kernel_t wl_kernel_convert = {
    .name = "convert",
    .variants = WL_PTX_COMPILED | WL_PTX_NVCC_NEWER,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .cases = cases,
    .case_count = WL_COUNT(cases),
    .self_check = self_check,
};
