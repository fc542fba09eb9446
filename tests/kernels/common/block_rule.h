/*
 * Host side of kernels fp8_blocks and fp4_blocks: the format's numbers are listed, and the nearest one is looked
 * for. All values are exact in double.
 */
#ifndef WL_TESTS_KERNELS_COMMON_BLOCK_RULE_H
#define WL_TESTS_KERNELS_COMMON_BLOCK_RULE_H
#include <math.h>

#include "tests/kernels/common/kernel_case.h"

typedef struct {
  int exponent, fraction; /* bits */
  int largest;            /* pattern, without sign */
} block_format_t;

static inline double block_number(block_format_t f, int pattern) {
  int bias = (1 << (f.exponent - 1)) - 1, field = pattern >> f.fraction;
  int fraction = pattern & ((1 << f.fraction) - 1);
  return field == 0 ? ldexp(fraction, 1 - bias - f.fraction)
                    : ldexp(fraction + (1 << f.fraction), field - bias - f.fraction);
}

/* The pattern of the number nearest to v; of two the even one. */
static inline uint32_t block_nearest(block_format_t f, double v) {
  int best = 0;
  for (int p = 1; p <= f.largest; p++) {
    double now = fabs(block_number(f, p) - fabs(v)), before = fabs(block_number(f, best) - fabs(v));
    if (now < before || (now == before && p % 2 == 0)) {
      best = p;
    }
  }
  return (uint32_t)best | (signbit(v) ? 1u << (f.exponent + f.fraction) : 0);
}

/* Blocks of all magnitudes, one of zeros, and some with numbers far below their largest. */
static inline void block_fill(float *v, uint32_t blocks, uint64_t seed) {
  wl_rng_t rng = {seed};
  for (uint32_t i = 0; i < blocks * 32; i++) {
    uint32_t block = i / 32, bits = wl_rng_u32(&rng) & 0x807fffffu;
    uint32_t top = 1 + block * 37 % 252, below = wl_rng_below(&rng, block % 3 == 0 ? 24 : 6);
    uint32_t field = top > below ? top - below : 0;
    v[i] = wl_kernel_bits_float(block == 1 ? bits & 0x80000000u : bits | field << 23);
    if (i % 5 == 0 && block != 1) { /* short ones: ties */
      v[i] = wl_kernel_bits_float((bits & 0x80700000u) | field << 23);
    }
  }
}

/* Adds the arguments: numbers, scales, patterns in pairs of `bits` together, what comes back. */
static inline void block_prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch,
                                 block_format_t f, bool pair_in_byte) {
  uint32_t pairs = kcase->grid[0] * kcase->block[0];
  float *in = wl_arg_in(launch, (size_t)pairs * 8);
  uint8_t *scales = wl_arg_out(launch, pairs / 16);
  uint8_t *out = wl_arg_out(launch, (size_t)pairs * (pair_in_byte ? 1 : 2));
  float *back = wl_arg_out(launch, (size_t)pairs * 8);
  if (launch->failed) {
    return;
  }
  int bias = (1 << (f.exponent - 1)) - 1, most = (f.largest >> f.fraction) - bias;
  block_fill(in, pairs / 16, 51);
  for (uint32_t i = 0; i < pairs * 2; i++) {
    double largest = 0;
    for (uint32_t k = 0; k < 32; k++) {
      largest = fmax(largest, fabs((double)in[i / 32 * 32 + k]));
    }
    int place = -127;
    if (largest > 0) {
      (void)frexp(largest, &place);
      place = place - 1 - most < -127 ? -127 : place - 1 - most;
    }
    uint32_t p = block_nearest(f, ldexp(in[i], -place));
    double number = block_number(f, (int)p & ((1 << (f.exponent + f.fraction)) - 1));
    scales[i / 32] = (uint8_t)(place + 127);
    if (pair_in_byte) {
      out[i / 2] = (uint8_t)(out[i / 2] | p << (i % 2 * 4));
    } else {
      out[i] = (uint8_t)p;
    }
    back[i] = (float)ldexp(signbit(in[i]) ? -number : number, place);
  }
}

#define BLOCK_CASE(case_name, entry_name, case_tier, ctas, threads, prepare_case)                  \
  {.name = case_name,                                                                              \
   .entry = entry_name,                                                                            \
   .tier = case_tier,                                                                              \
   .grid = {ctas, 1, 1},                                                                           \
   .block = {threads, 1, 1},                                                                       \
   .prepare = prepare_case}

#endif
