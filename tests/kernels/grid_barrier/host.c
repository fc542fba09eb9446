/* Host side of kernel grid_barrier. */
#include "tests/kernels/common/kernel_case.h"

static void prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t n = kcase->grid[0] * kcase->block[0];
  uint32_t rounds = kcase->size[0];
  wl_rng_t rng = {n + 13};
  void *expected = NULL;
  uint32_t *cell = wl_arg_inout(launch, 2 * n * sizeof *cell, &expected);
  uint32_t *want = expected;
  uint32_t *arrived = wl_arg_out(launch, sizeof *arrived);
  wl_arg_u32(launch, rounds);
  if (launch->failed) {
    return;
  }
  for (uint32_t i = 0; i < 2 * n; i++) {
    cell[i] = wl_rng_u32(&rng);
    want[i] = cell[i];
  }
  for (uint32_t r = 0; r < rounds; r++) {
    const uint32_t *from = want + (r & 1u) * n;
    uint32_t *to = want + (~r & 1u) * n;
    for (uint32_t i = 0; i < n; i++) {
      to[i] = from[i] * 5 + from[(i + n / 2) % n] + r;
    }
  }
  *arrived = rounds * kcase->grid[0];
}

static const wl_kernel_case_t cases[] = {
    {.name = "3x33",
     .entry = "grid_barrier",
     .tier = WL_TIER_SMOKE,
     .grid = {3, 1, 1},
     .block = {33, 1, 1},
     .size = {5},
     .prepare = prepare},
    {.name = "4x64",
     .entry = "grid_barrier",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {4, 1, 1},
     .block = {64, 1, 1},
     .size = {41},
     .prepare = prepare},
};

const wl_kernel_t wl_kernel_grid_barrier = {
    .name = "grid_barrier",
    .variants = WL_PTX_COMPILED,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .requires_resident_ctas = 4,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
