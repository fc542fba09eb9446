/* Host side of kernel scan: a running sum. */
#include "tests/kernels/common/kernel_case.h"

static void fill(uint32_t *in, uint32_t *out, uint32_t n) {
  wl_rng_t rng = {n + 4};
  uint32_t sum = 0;
  for (uint32_t i = 0; i < n; i++) {
    in[i] = wl_rng_u32(&rng) & 0xfffffu;
    sum += in[i];
    out[i] = sum;
  }
}

static void prepare_one(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t n = kcase->size[0];
  uint32_t *in = wl_arg_in(launch, n * sizeof *in);
  uint32_t *out = wl_arg_out(launch, n * sizeof *out);
  wl_arg_u32(launch, n);
  if (!launch->failed) {
    fill(in, out, n);
  }
}

static void prepare_chained(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t n = kcase->size[0];
  uint32_t ctas = kcase->grid[0];
  uint32_t *in = wl_arg_in(launch, n * sizeof *in);
  uint32_t *out = wl_arg_out(launch, n * sizeof *out);
  uint32_t *ticket = wl_arg_out(launch, sizeof *ticket);
  uint32_t *prefix = wl_arg_out(launch, ctas * sizeof *prefix);
  uint32_t *ready = wl_arg_out(launch, ctas * sizeof *ready);
  wl_arg_u32(launch, n);
  if (launch->failed) {
    return;
  }
  fill(in, out, n);
  *ticket = ctas;
  for (uint32_t i = 0; i < ctas; i++) {
    uint32_t last = (i + 1) * kcase->block[0] - 1;
    prefix[i] = out[last < n ? last : n - 1];
    ready[i] = 1;
  }
}

static const wl_kernel_case_t cases[] = {
    {.name = "one1031",
     .entry = "scan_one_cta",
     .tier = WL_TIER_SMOKE,
     .grid = {1, 1, 1},
     .block = {96, 1, 1},
     .size = {1031},
     .prepare = prepare_one},
    {.name = "chained1031",
     .entry = "scan_chained",
     .tier = WL_TIER_SMOKE,
     .grid = {9, 1, 1},
     .block = {128, 1, 1},
     .size = {1031},
     .prepare = prepare_chained},
    {.name = "one65537",
     .entry = "scan_one_cta",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {1, 1, 1},
     .block = {256, 1, 1},
     .size = {65537},
     .prepare = prepare_one},
    {.name = "chained65537",
     .entry = "scan_chained",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {257, 1, 1},
     .block = {256, 1, 1},
     .size = {65537},
     .prepare = prepare_chained},
};

const wl_kernel_t wl_kernel_scan = {
    .name = "scan",
    .variants = WL_PTX_COMPILED,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .requires_shared = 40,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
