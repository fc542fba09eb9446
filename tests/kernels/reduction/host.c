/* Host side of kernel reduction. dot_f32 adds in the device's order, so its bits are exact. */
#include <math.h>

#include "tests/kernels/common/kernel_case.h"

static void prepare_sum(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t n = kcase->size[0];
  wl_rng_t rng = {n + 2};
  uint32_t *in = wl_arg_in(launch, n * sizeof *in);
  uint32_t *sum = wl_arg_out(launch, sizeof *sum);
  wl_arg_u32(launch, n);
  if (launch->failed) {
    return;
  }
  for (uint32_t i = 0; i < n; i++) {
    in[i] = wl_rng_u32(&rng);
    *sum += in[i];
  }
}

static float cta_dot(const wl_kernel_case_t *kcase, const float *a, const float *b, uint32_t cta) {
  float tree[256] = {0};
  uint32_t threads = kcase->block[0];
  for (uint32_t t = 0; t < threads; t++) {
    for (uint32_t i = cta * threads + t; i < kcase->size[0]; i += kcase->grid[0] * threads) {
      tree[t] = fmaf(a[i], b[i], tree[t]);
    }
  }
  for (uint32_t half = threads / 2; half > 0; half /= 2) {
    for (uint32_t t = 0; t < half; t++) {
      tree[t] = tree[t] + tree[t + half];
    }
  }
  return tree[0];
}

static void prepare_dot(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t n = kcase->size[0];
  wl_rng_t rng = {n + 3};
  float *a = wl_arg_in(launch, n * sizeof *a);
  float *b = wl_arg_in(launch, n * sizeof *b);
  float *partial = wl_arg_out(launch, kcase->grid[0] * sizeof *partial);
  wl_arg_u32(launch, n);
  if (launch->failed) {
    return;
  }
  for (uint32_t i = 0; i < n; i++) {
    a[i] = wl_rng_float(&rng, -2.0f, 2.0f);
    b[i] = wl_rng_float(&rng, -2.0f, 2.0f);
  }
  for (uint32_t cta = 0; cta < kcase->grid[0]; cta++) {
    partial[cta] = cta_dot(kcase, a, b, cta);
  }
}

/* The device's order against a double sum: right to the last digits that float can hold. */
static const char *self_check(void) {
  const wl_kernel_case_t kcase = {.grid = {3, 1, 1}, .block = {64, 1, 1}, .size = {1031}};
  static float a[1031];
  static float b[1031];
  wl_rng_t rng = {7};
  double sum = 0;
  double got = 0;
  for (uint32_t i = 0; i < 1031; i++) {
    a[i] = wl_rng_float(&rng, -2.0f, 2.0f);
    b[i] = wl_rng_float(&rng, -2.0f, 2.0f);
    sum += (double)a[i] * (double)b[i];
  }
  for (uint32_t cta = 0; cta < 3; cta++) {
    got += (double)cta_dot(&kcase, a, b, cta);
  }
  return fabs(got - sum) < 1e-3 ? NULL : "dot differs from a double sum";
}

static const wl_kernel_case_t cases[] = {
    {.name = "sum1031",
     .entry = "reduce_u32",
     .tier = WL_TIER_SMOKE,
     .grid = {3, 1, 1},
     .block = {128, 1, 1},
     .size = {1031},
     .prepare = prepare_sum},
    {.name = "dot1031",
     .entry = "dot_f32",
     .tier = WL_TIER_SMOKE,
     .grid = {3, 1, 1},
     .block = {128, 1, 1},
     .size = {1031},
     .prepare = prepare_dot},
    {.name = "sum65537",
     .entry = "reduce_u32",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {33, 1, 1},
     .block = {256, 1, 1},
     .size = {65537},
     .prepare = prepare_sum},
    {.name = "dot65537",
     .entry = "dot_f32",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {33, 1, 1},
     .block = {256, 1, 1},
     .size = {65537},
     .prepare = prepare_dot},
};

const wl_kernel_t wl_kernel_reduction = {
    .name = "reduction",
    .variants = WL_PTX_COMPILED | WL_PTX_NVCC_NEWER,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .requires_shared = 1024,
    .cases = cases,
    .case_count = WL_COUNT(cases),
    .self_check = self_check,
};
