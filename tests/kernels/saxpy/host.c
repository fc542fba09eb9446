/* Host side of kernel saxpy: fmaf() is the same single rounding as fma.rn.f32. */
#include <math.h>

#include "tests/kernels/common/kernel_case.h"

static void prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t n = kcase->size[0];
  wl_rng_t rng = {n + 1};
  float a = -1.7f;
  void *expected = NULL;
  wl_arg_f32(launch, a);
  float *x = wl_arg_in(launch, n * sizeof *x);
  float *y = wl_arg_inout(launch, n * sizeof *y, &expected);
  float *want = expected;
  wl_arg_u32(launch, n);
  if (launch->failed) {
    return;
  }
  for (uint32_t i = 0; i < n; i++) {
    x[i] = wl_rng_float(&rng, -100.0f, 100.0f);
    y[i] = wl_rng_float(&rng, -1.0f, 1.0f);
    want[i] = fmaf(a, x[i], y[i]);
  }
}

static const wl_kernel_case_t cases[] = {
    {.name = "n1003",
     .entry = "saxpy",
     .tier = WL_TIER_SMOKE,
     .grid = {11, 1, 1},
     .block = {96, 1, 1},
     .size = {1003},
     .prepare = prepare},
    {.name = "n50021",
     .entry = "saxpy",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {196, 1, 1},
     .block = {256, 1, 1},
     .size = {50021},
     .prepare = prepare},
};

const wl_kernel_t wl_kernel_saxpy = {
    .name = "saxpy",
    .variants = WL_PTX_COMPILED | WL_PTX_NVCC_NEWER,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
