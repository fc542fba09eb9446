/* Host side of kernel mma_tile: the same sequence of products, an element at a time. */
#include "tests/kernels/common/kernel_case.h"
#include "tests/kernels/common/mma_rule.h"

enum { K = 16 }; /* of a product */

/* Halves with exponents -4 to 3; a few zeros. */
static void fill(wl_rng_t *rng, uint16_t *data, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t bits = wl_rng_u32(rng);
    data[i] = bits >> 27 == 0 ? 0 : (uint16_t)((bits & 0x83ff) + ((11 + (bits >> 10 & 7)) << 10));
  }
}

static float product(const uint16_t *a, const uint16_t *b, float c) {
  float x[K], y[K];
  for (uint32_t k = 0; k < K; k++) {
    x[k] = wl_rule_half(a[k]);
    y[k] = wl_rule_half(b[k]);
  }
  return wl_rule_block(x, y, K, c);
}

/* size: k. */
static void prepare_tile(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  const uint32_t m = kcase->grid[1] * 128, n = kcase->grid[0] * 128, k = kcase->size[0];
  wl_rng_t rng = {m + n + k};
  uint16_t *a = wl_arg_in(launch, (size_t)m * k * sizeof *a);
  uint16_t *b = wl_arg_in(launch, (size_t)n * k * sizeof *b);
  float *c = wl_arg_out(launch, (size_t)m * n * sizeof *c);
  wl_arg_u32(launch, n);
  wl_arg_u32(launch, k / 2);
  if (launch->failed) {
    return;
  }
  fill(&rng, a, m * k);
  fill(&rng, b, n * k);
  for (uint32_t i = 0; i < m * n; i++) {
    for (uint32_t at = 0; at < k; at += K) {
      c[i] = product(a + (size_t)(i / n) * k + at, b + (size_t)(i % n) * k + at, c[i]);
    }
  }
}

/* size: rounds. Each warp has the same operands. Word r of lane 4g + q of A: row g + 8 * (r % 2), k from
 * 2q + 8 * (r / 2) on; of B: column g, k from 2q + 8 * r on; sum e: row g + 8 * (e / 2), column 2q + e % 2. */
static void prepare_loop(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  const uint32_t rounds = kcase->size[0], threads = kcase->block[0];
  wl_rng_t rng = {rounds};
  uint16_t *a = wl_arg_in(launch, 4 * 32 * sizeof(uint32_t));
  uint16_t *b = wl_arg_in(launch, 2 * 32 * sizeof(uint32_t));
  float *c = wl_arg_out(launch, (size_t)threads * 16 * sizeof *c);
  wl_arg_u32(launch, rounds);
  if (launch->failed) {
    return;
  }
  fill(&rng, a, 256);
  fill(&rng, b, 128);
  for (uint32_t i = 0; i < threads * 16; i++) {
    const uint32_t lane = i % threads % 32, e = i / threads % 4;
    const uint32_t row = lane / 4 + e / 2 * 8, column = lane % 4 * 2 + e % 2;
    uint16_t x[K], y[K];
    for (uint32_t k = 0; k < K; k++) {
      const uint32_t q = k % 8 / 2, r = k / 8;
      x[k] = a[2 * (32 * (row / 8 + 2 * r) + row % 8 * 4 + q) + k % 2];
      y[k] = b[2 * (32 * r + column * 4 + q) + k % 2];
    }
    for (uint32_t n = 0; n < rounds * 4; n++) {
      c[i] = product(x, y, c[i]);
    }
  }
}

#define TILE(case_name, case_tier, m, n, k)                                                        \
  {.name = case_name,                                                                              \
   .entry = "mma_tile",                                                                            \
   .tier = case_tier,                                                                              \
   .grid = {n, m, 1},                                                                              \
   .block = {128, 1, 1},                                                                           \
   .size = {k},                                                                                    \
   .prepare = prepare_tile}

static const wl_kernel_case_t cases[] = {
    TILE("tile", WL_TIER_SMOKE, 1, 1, 32),
    {.name = "loop",
     .entry = "mma_loop",
     .tier = WL_TIER_SMOKE,
     .grid = {1, 1, 1},
     .block = {256, 1, 1},
     .size = {1},
     .prepare = prepare_loop},
    TILE("tile_k512", WL_TIER_CAMPAIGN, 1, 1, 512),
};

const wl_kernel_t wl_kernel_mma_tile = {
    .name = "mma_tile",
    .variants = WL_PTX_NVCC,
    .result = WL_RESULT_EXACT,
    .requires_registers = 255,
    .requires_shared = 24576,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
