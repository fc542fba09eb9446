/* Host side of kernel lane_pipe: the hash of the sequence that each producer sends. */
#include "tests/kernels/common/kernel_case.h"

static void prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t pairs = kcase->grid[0] * kcase->block[0] / 2;
  uint32_t count = kcase->size[0];
  uint32_t *full = wl_arg_out(launch, pairs * sizeof *full);
  uint32_t *mail = wl_arg_out(launch, pairs * sizeof *mail);
  uint32_t *out = wl_arg_out(launch, pairs * sizeof *out);
  wl_arg_u32(launch, count);
  if (launch->failed) {
    return;
  }
  for (uint32_t pair = 0; pair < pairs; pair++) {
    for (uint32_t i = 1; i <= count; i++) {
      out[pair] = out[pair] * 31 + i * (pair + 3);
    }
    mail[pair] = count * (pair + 3);
  }
}

static const wl_kernel_case_t cases[] = {
    {.name = "producer_first",
     .entry = "pipe_producer_first",
     .tier = WL_TIER_SMOKE,
     .grid = {1, 1, 1},
     .block = {32, 1, 1},
     .size = {5},
     .prepare = prepare},
    {.name = "consumer_first",
     .entry = "pipe_consumer_first",
     .tier = WL_TIER_SMOKE,
     .grid = {1, 1, 1},
     .block = {32, 1, 1},
     .size = {5},
     .prepare = prepare},
    {.name = "producer_first_2x70",
     .entry = "pipe_producer_first",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {2, 1, 1},
     .block = {70, 1, 1},
     .size = {23},
     .prepare = prepare},
    {.name = "consumer_first_2x70",
     .entry = "pipe_consumer_first",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {2, 1, 1},
     .block = {70, 1, 1},
     .size = {23},
     .prepare = prepare},
};

const wl_kernel_t wl_kernel_lane_pipe = {
    .name = "lane_pipe",
    .variants = WL_PTX_COMPILED | WL_PTX_NVCC_NEWER | WL_PTX_HAND,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
