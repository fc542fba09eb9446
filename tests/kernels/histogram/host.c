/* Host side of kernel histogram: skewed bytes, so that lanes of a warp often meet in a bin. */
#include "tests/kernels/common/kernel_case.h"

static void prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t n = kcase->size[0];
  wl_rng_t rng = {n + 6};
  uint8_t *in = wl_arg_in(launch, n);
  uint32_t *bins = wl_arg_out(launch, 64 * sizeof *bins);
  wl_arg_u32(launch, n);
  if (launch->failed) {
    return;
  }
  for (uint32_t i = 0; i < n; i++) {
    in[i] = (uint8_t)(wl_rng_u32(&rng) & wl_rng_u32(&rng));
    bins[in[i] / 4]++;
  }
}

static const wl_kernel_case_t cases[] = {
    {.name = "global1003",
     .entry = "histogram_global",
     .tier = WL_TIER_SMOKE,
     .grid = {3, 1, 1},
     .block = {96, 1, 1},
     .size = {1003},
     .prepare = prepare},
    {.name = "shared1003",
     .entry = "histogram_shared",
     .tier = WL_TIER_SMOKE,
     .grid = {3, 1, 1},
     .block = {96, 1, 1},
     .size = {1003},
     .prepare = prepare},
    {.name = "global20011",
     .entry = "histogram_global",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {13, 1, 1},
     .block = {256, 1, 1},
     .size = {20011},
     .prepare = prepare},
    {.name = "shared20011",
     .entry = "histogram_shared",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {13, 1, 1},
     .block = {256, 1, 1},
     .size = {20011},
     .prepare = prepare},
};

const wl_kernel_t wl_kernel_histogram = {
    .name = "histogram",
    .variants = WL_PTX_COMPILED,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .requires_shared = 256,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
