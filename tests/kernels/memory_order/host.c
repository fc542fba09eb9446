/* Host side of kernel memory_order. */
#include "tests/kernels/common/kernel_case.h"

static void prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t ctas = kcase->grid[0];
  uint32_t *ticket = wl_arg_out(launch, sizeof *ticket);
  uint32_t *flag = wl_arg_out(launch, ctas * sizeof *flag);
  uint32_t *plain = wl_arg_out(launch, ctas * sizeof *plain);
  uint32_t *out = wl_arg_out(launch, ctas * sizeof *out);
  uint32_t *arrivals = wl_arg_out(launch, ctas * sizeof *arrivals);
  if (launch->failed) {
    return;
  }
  *ticket = ctas;
  for (uint32_t i = 0; i < ctas; i++) {
    flag[i] = 1;
    out[i] = i == 0 ? 1 : plain[i - 1];
    plain[i] = out[i] * 3 + i;
    arrivals[i] = kcase->block[0];
  }
}

static const wl_kernel_case_t cases[] = {
    {.name = "ctas11",
     .entry = "hand_over",
     .tier = WL_TIER_SMOKE,
     .grid = {11, 1, 1},
     .block = {33, 1, 1},
     .prepare = prepare},
    {.name = "ctas307",
     .entry = "hand_over",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {307, 1, 1},
     .block = {33, 1, 1},
     .prepare = prepare},
};

const wl_kernel_t wl_kernel_memory_order = {
    .name = "memory_order",
    .variants = WL_PTX_COMPILED | WL_PTX_NVCC_NEWER,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
