/* Host side of kernel umma_gemm: the same sequence of blocks of 16 products, an element at a time. */
#include <stdlib.h>
#include <string.h>

#include "tests/kernels/common/kernel_case.h"
#include "tests/kernels/common/mma_rule.h"

enum { BLOCK = 16, TILE = 64, STORES, BULK };

/* Halves with exponents -4 to 3, a few zeros. */
static void fill(wl_rng_t *rng, uint16_t *data, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t bits = wl_rng_u32(rng);
    data[i] = (uint16_t)((bits & 0x83ff) | (11 + (bits >> 16 & 7)) << 10);
    if (bits >> 24 == 0) {
      data[i] = 0;
    }
  }
}

static float element(const uint16_t *a, const uint16_t *b, uint32_t count) {
  float sum = 0;
  for (uint32_t at = 0; at < count; at += BLOCK) {
    float x[BLOCK], y[BLOCK];
    for (uint32_t k = 0; k < BLOCK; k++) {
      x[k] = wl_rule_half(a[at + k]);
      y[k] = wl_rule_half(b[at + k]);
    }
    sum = wl_rule_block(x, y, BLOCK, sum);
  }
  return sum;
}

/* As the bulk copies want it: tiles of so many rows, all of K after each other, chunks of eight elements
 * exchanged within a row. */
static void pack(uint16_t *to, const uint16_t *from, uint32_t rows, uint32_t k,
                 uint32_t tile_rows) {
  for (uint32_t r = 0; r < rows; r++) {
    for (uint32_t i = 0; i < k; i++) {
      const uint32_t tile = r / tile_rows * (k / TILE) + i / TILE, row = r % tile_rows;
      const uint32_t chunk = i % TILE / 8 ^ row % 8;
      to[(tile * tile_rows + row) * TILE + chunk * 8 + i % 8] = from[r * k + i];
    }
  }
}

static void operand(wl_kernel_launch_t *launch, wl_rng_t *rng, uint16_t *plain, uint32_t rows,
                    uint32_t k, uint32_t tile_rows) {
  uint16_t *data = wl_arg_in(launch, (size_t)rows * k * sizeof *data);
  if (launch->failed) {
    return;
  }
  fill(rng, plain, rows * k);
  if (tile_rows == 0) {
    memcpy(data, plain, (size_t)rows * k * sizeof *data);
  } else {
    pack(data, plain, rows, k, tile_rows);
  }
}

/* size: kind, columns of a CTA, tiles of K. */
static void prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  const bool bulk = kcase->size[0] == BULK;
  const uint32_t m = kcase->grid[1] * (bulk ? 64 : 128), n = kcase->grid[0] * kcase->size[1];
  const uint32_t k = kcase->size[2] * TILE;
  wl_rng_t rng = {m + n + k + kcase->size[0]};
  uint16_t *a = malloc((size_t)m * k * sizeof *a), *b = malloc((size_t)n * k * sizeof *b);
  launch->failed = launch->failed || a == NULL || b == NULL;
  operand(launch, &rng, a, m, k, bulk ? 64 : 0);
  operand(launch, &rng, b, n, k, bulk ? 32 : 0);
  float *c = wl_arg_out(launch, (size_t)m * n * sizeof *c);
  if (!bulk) {
    wl_arg_u32(launch, kcase->size[1]);
  }
  wl_arg_u32(launch, kcase->size[2]);
  for (uint32_t i = 0; i < m * n && !launch->failed; i++) {
    c[i] = element(a + i / n * k, b + i % n * k, k);
  }
  free(a);
  free(b);
}

#define CASE(case_name, entry_name, case_tier, kind, n, tiles, x, y)                               \
  {.name = case_name,                                                                              \
   .entry = entry_name,                                                                            \
   .tier = case_tier,                                                                              \
   .grid = {x, y, 1},                                                                              \
   .block = {128, 1, 1},                                                                           \
   .size = {kind, n, tiles},                                                                       \
   .prepare = prepare}

static const wl_kernel_case_t cases[] = {
    CASE("stores_n16", "gemm_stores", WL_TIER_SMOKE, STORES, 16, 2, 1, 1),
    CASE("bulk", "gemm_bulk", WL_TIER_SMOKE, BULK, 32, 3, 1, 1),
    CASE("stores_n64", "gemm_stores", WL_TIER_CAMPAIGN, STORES, 64, 4, 2, 1),
    CASE("stores_n40", "gemm_stores", WL_TIER_CAMPAIGN, STORES, 40, 1, 1, 2),
    CASE("bulk_k512", "gemm_bulk", WL_TIER_CAMPAIGN, BULK, 32, 8, 2, 2),
};

const wl_kernel_t wl_kernel_umma_gemm = {
    .name = "umma_gemm",
    .variants = WL_PTX_NVCC_SM100,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .requires_shared = 25600,
    .requires_option = "products in tensor memory; needs Tensor and Tmem",
    .no_oracle = true,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
