/* Host side of kernel tmem_gemm: the same sequence of products of 16 elements of K, an element at a time. */
#include "tests/kernels/common/umma_halves.h"

enum { ROWS = 128, COLUMNS = 64 };

static const uint16_t *operand(wl_kernel_launch_t *launch, wl_rng_t *rng, uint32_t count) {
  uint16_t *data = wl_arg_in(launch, count * sizeof *data);
  if (!launch->failed) {
    wl_halves_fill(rng, data, count);
  }
  return data;
}

/* size: steps of K. */
static void prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  const uint32_t m = kcase->grid[1] * ROWS, n = kcase->grid[0] * COLUMNS;
  const uint32_t k = kcase->size[0] * WL_HALVES_BLOCK;
  wl_rng_t rng = {m + n + k};
  const uint16_t *a = operand(launch, &rng, m * k), *b = operand(launch, &rng, n * k);
  float *c = wl_arg_out(launch, m * n * sizeof *c);
  wl_arg_u32(launch, kcase->size[0]);
  for (uint32_t i = 0; i < m * n && !launch->failed; i++) {
    c[i] = wl_halves_element(a + i / n * k, b + i % n * k, k);
  }
}

#define CASE(case_name, case_tier, steps, x, y)                                                    \
  {.name = case_name,                                                                              \
   .entry = "gemm_tmem",                                                                           \
   .tier = case_tier,                                                                              \
   .grid = {x, y, 1},                                                                              \
   .block = {128, 1, 1},                                                                           \
   .size = {steps},                                                                                \
   .prepare = prepare}

static const wl_kernel_case_t cases[] = {
    CASE("k32", WL_TIER_SMOKE, 2, 1, 1),
    CASE("k48", WL_TIER_CAMPAIGN, 3, 1, 1), /* what a board with 64 KiB has room for */
    CASE("k16", WL_TIER_CAMPAIGN, 1, 1, 2),
    CASE("k256", WL_TIER_CAMPAIGN, 16, 2, 2),
};

const wl_kernel_t wl_kernel_tmem_gemm = {
    .name = "tmem_gemm",
    .variants = WL_PTX_NVCC_SM100,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .requires_shared = 9232,
    .requires_option = "tensor memory",
    .no_oracle = true,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
