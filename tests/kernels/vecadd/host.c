/* Host side of kernel vecadd: random integers, wrapping sums. */
#include "tests/kernels/common/kernel_case.h"

static void prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t n = kcase->size[0];
  wl_rng_t rng = {n};
  uint32_t *a = wl_arg_in(launch, n * sizeof *a);
  uint32_t *b = wl_arg_in(launch, n * sizeof *b);
  uint32_t *c = wl_arg_out(launch, n * sizeof *c);
  wl_arg_s32(launch, (int32_t)n);
  if (launch->failed) {
    return;
  }
  for (uint32_t i = 0; i < n; i++) {
    a[i] = wl_rng_u32(&rng);
    b[i] = wl_rng_u32(&rng);
    c[i] = a[i] + b[i];
  }
}

static const wl_kernel_case_t cases[] = {
    {.name = "n1003",
     .entry = "vecadd",
     .tier = WL_TIER_SMOKE,
     .grid = {8, 1, 1},
     .block = {128, 1, 1},
     .size = {1003},
     .prepare = prepare},
    {.name = "n77",
     .entry = "vecadd",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {3, 1, 1},
     .block = {37, 1, 1},
     .size = {77},
     .prepare = prepare},
    {.name = "n100003",
     .entry = "vecadd",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {391, 1, 1},
     .block = {256, 1, 1},
     .size = {100003},
     .prepare = prepare},
};

const wl_kernel_t wl_kernel_vecadd = {
    .name = "vecadd",
    .variants = WL_PTX_COMPILED | WL_PTX_NVCC_NEWER | WL_PTX_HAND,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
