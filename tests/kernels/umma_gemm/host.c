/* Host side of kernel umma_gemm: the same sequence of blocks of 16 products, an element at a time. */
#include <stdlib.h>
#include <string.h>

#include "tests/kernels/common/umma_halves.h"
#include "tests/kernels/common/umma_tiles.h"

enum { TILE = 64, STORES, BULK };

static void operand(wl_kernel_launch_t *launch, wl_rng_t *rng, uint16_t *plain, uint32_t rows,
                    uint32_t k, uint32_t tile_rows) {
  uint16_t *data = wl_arg_in(launch, (size_t)rows * k * sizeof *data);
  if (launch->failed) {
    return;
  }
  wl_halves_fill(rng, plain, rows * k);
  if (tile_rows == 0) {
    memcpy(data, plain, (size_t)rows * k * sizeof *data);
  } else {
    wl_umma_pack((uint8_t *)data, (const uint8_t *)plain, rows, 2 * k, tile_rows, 2 * TILE);
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
    c[i] = wl_halves_element(a + i / n * k, b + i % n * k, k);
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
    CASE("stores_k128", "gemm_stores", WL_TIER_CAMPAIGN, STORES, 64, 2, 1,
         1), /* board of 128 KiB */
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
