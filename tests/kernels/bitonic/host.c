/* Host side of kernel bitonic: sorted by insertion, so by another algorithm. */
#include "tests/kernels/common/kernel_case.h"

static void prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t n = kcase->size[0];
  wl_rng_t rng = {n + 12};
  void *expected = NULL;
  uint32_t *key = wl_arg_inout(launch, n * sizeof *key, &expected);
  uint32_t *want = expected;
  wl_arg_u32(launch, n);
  wl_arg_u32(launch, kcase->size[1]);
  if (launch->failed) {
    return;
  }
  for (uint32_t i = 0; i < n; i++) {
    key[i] = i % 7 == 3 ? 5 : wl_rng_u32(&rng); /* with duplicates */
    uint32_t at = i;
    while (at > 0 && want[at - 1] > key[i]) {
      want[at] = want[at - 1];
      at--;
    }
    want[at] = key[i];
  }
}

static const wl_kernel_case_t cases[] = {
    {.name = "n61",
     .entry = "bitonic",
     .tier = WL_TIER_SMOKE,
     .grid = {1, 1, 1},
     .block = {31, 1, 1},
     .size = {61, 64},
     .prepare = prepare},
    {.name = "n1024",
     .entry = "bitonic",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {1, 1, 1},
     .block = {256, 1, 1},
     .size = {1024, 1024},
     .prepare = prepare},
    {.name = "n1001",
     .entry = "bitonic",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {1, 1, 1},
     .block = {117, 1, 1},
     .size = {1001, 1024},
     .prepare = prepare},
};

const wl_kernel_t wl_kernel_bitonic = {
    .name = "bitonic",
    .variants = WL_PTX_COMPILED,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .requires_shared = 4096,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
