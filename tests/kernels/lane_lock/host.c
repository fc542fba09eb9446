/* Host side of kernel lane_lock: the lock is free, all threads counted, each once in the log. */
#include <string.h>

#include "tests/kernels/common/kernel_case.h"

static uint32_t thread_count(const wl_kernel_case_t *kcase) {
  return kcase->grid[0] * kcase->block[0];
}

static void prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t *lock = wl_arg_out(launch, sizeof *lock);
  uint32_t *count = wl_arg_out(launch, sizeof *count);
  (void)wl_arg_scratch(launch, thread_count(kcase) * sizeof(uint32_t));
  if (!launch->failed) {
    *lock = 0;
    *count = thread_count(kcase);
  }
}

static const char *check(const wl_kernel_case_t *kcase, const wl_kernel_launch_t *launch,
                         const unsigned char *const *result) {
  unsigned char seen[1024] = {0};
  uint32_t threads = thread_count(kcase);
  (void)launch;
  for (uint32_t i = 0; i < threads; i++) {
    uint32_t who = 0;
    memcpy(&who, result[2] + 4 * i, sizeof who);
    if (who >= threads || seen[who] != 0) {
      return "order[] is no permutation of the threads";
    }
    seen[who] = 1;
  }
  return NULL;
}

static const wl_kernel_case_t cases[] = {
    {.name = "spin32",
     .entry = "lock_spin",
     .tier = WL_TIER_SMOKE,
     .grid = {1, 1, 1},
     .block = {32, 1, 1},
     .prepare = prepare,
     .check = check},
    {.name = "retry32",
     .entry = "lock_retry",
     .tier = WL_TIER_SMOKE,
     .grid = {1, 1, 1},
     .block = {32, 1, 1},
     .prepare = prepare,
     .check = check},
    {.name = "spin3x77",
     .entry = "lock_spin",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {3, 1, 1},
     .block = {77, 1, 1},
     .prepare = prepare,
     .check = check},
    {.name = "retry3x77",
     .entry = "lock_retry",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {3, 1, 1},
     .block = {77, 1, 1},
     .prepare = prepare,
     .check = check},
};

const wl_kernel_t wl_kernel_lane_lock = {
    .name = "lane_lock",
    .variants = WL_PTX_COMPILED | WL_PTX_NVCC_NEWER,
    .result = WL_RESULT_CHECKER,
    .requires_registers = 64,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
