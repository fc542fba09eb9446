/* Host side of kernel grid3d. */
#include "tests/kernels/common/kernel_case.h"

static uint32_t pack(const uint32_t v[3]) { return v[0] | v[1] << 10 | v[2] << 20; }

/* Steps v through 0..limit-1 with x fastest; false after the last. */
static bool next(uint32_t v[3], const uint32_t limit[3]) {
  for (int axis = 0; axis < 3; axis++) {
    if (++v[axis] < limit[axis]) {
      return true;
    }
    v[axis] = 0;
  }
  return false;
}

static void prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t total = kcase->grid[0] * kcase->grid[1] * kcase->grid[2];
  total *= wl_kernel_threads_per_cta(kcase);
  uint32_t *out = wl_arg_out(launch, total * 4 * sizeof *out);
  if (launch->failed) {
    return;
  }
  uint32_t cta[3] = {0, 0, 0};
  do {
    uint32_t thread[3] = {0, 0, 0};
    do {
      *out++ = pack(thread);
      *out++ = pack(cta);
      *out++ = pack(kcase->block);
      *out++ = pack(kcase->grid);
    } while (next(thread, kcase->block));
  } while (next(cta, kcase->grid));
}

static const wl_kernel_case_t cases[] = {
    {.name = "3x2x5_5x3x2",
     .entry = "grid3d",
     .tier = WL_TIER_SMOKE,
     .grid = {3, 2, 5},
     .block = {5, 3, 2},
     .prepare = prepare},
    {.name = "1x7x3_1x5x51",
     .entry = "grid3d",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {1, 7, 3},
     .block = {1, 5, 51},
     .prepare = prepare},
};

const wl_kernel_t wl_kernel_grid3d = {
    .name = "grid3d",
    .variants = WL_PTX_COMPILED | WL_PTX_NVCC_NEWER,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
