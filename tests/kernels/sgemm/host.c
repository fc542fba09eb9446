/* Host side of kernel sgemm: sums over k in ascending order, as the device; padding adds +0. */
#include <math.h>

#include "tests/kernels/common/kernel_case.h"

static void fill(wl_rng_t *rng, float *data, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    data[i] = wl_rng_float(rng, -1.0f, 1.0f);
  }
}

static void prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t m = kcase->size[0];
  uint32_t n = kcase->size[1];
  uint32_t k = kcase->size[2];
  wl_rng_t rng = {m * n + k};
  float alpha = 1.25f;
  float beta = -0.3f;
  void *expected = NULL;
  float *a = wl_arg_in(launch, m * k * sizeof *a);
  float *b = wl_arg_in(launch, k * n * sizeof *b);
  float *c = wl_arg_inout(launch, m * n * sizeof *c, &expected);
  float *want = expected;
  wl_arg_s32(launch, (int32_t)m);
  wl_arg_s32(launch, (int32_t)n);
  wl_arg_s32(launch, (int32_t)k);
  wl_arg_f32(launch, alpha);
  wl_arg_f32(launch, beta);
  if (launch->failed) {
    return;
  }
  fill(&rng, a, m * k);
  fill(&rng, b, k * n);
  fill(&rng, c, m * n);
  for (uint32_t row = 0; row < m; row++) {
    for (uint32_t col = 0; col < n; col++) {
      float sum = 0.0f;
      for (uint32_t i = 0; i < k; i++) {
        sum = fmaf(a[row * k + i], b[i * n + col], sum);
      }
      want[row * n + col] = fmaf(alpha, sum, beta * c[row * n + col]);
    }
  }
}

static const wl_kernel_case_t cases[] = {
    {.name = "17x9x5",
     .entry = "sgemm",
     .tier = WL_TIER_SMOKE,
     .grid = {1, 2, 1},
     .block = {16, 16, 1},
     .size = {17, 9, 5},
     .prepare = prepare},
    {.name = "65x33x17",
     .entry = "sgemm",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {3, 5, 1},
     .block = {16, 16, 1},
     .size = {65, 33, 17},
     .prepare = prepare},
    {.name = "64x64x64",
     .entry = "sgemm",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {4, 4, 1},
     .block = {16, 16, 1},
     .size = {64, 64, 64},
     .prepare = prepare},
};

const wl_kernel_t wl_kernel_sgemm = {
    .name = "sgemm",
    .variants = WL_PTX_COMPILED | WL_PTX_NVCC_NEWER,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .requires_shared = 2048,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
