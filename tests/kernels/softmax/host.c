/* Host side of kernel softmax: the same in double, and how far a result may be from it. Sums of `columns`
 * terms in f32, each function within its bound of PTX [9.7.3.20 to 22]. */
#include <math.h>

#include "tests/kernels/common/kernel_case.h"

enum { THREADS = 128 };

static float element(wl_rng_t *rng) { /* in (-8, 8) */
  return (float)((int32_t)wl_rng_u32(rng) >> 8) * 0x1p-20f;
}

static float *filled(wl_kernel_launch_t *launch, wl_rng_t *rng, uint32_t n) {
  float *x = wl_arg_in(launch, n * sizeof *x);
  for (uint32_t i = 0; x != NULL && i < n; i++) {
    x[i] = element(rng);
  }
  return x;
}

static void prepare_softmax(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  const uint32_t rows = kcase->grid[0], columns = kcase->size[0];
  wl_rng_t rng = {columns};
  (void)filled(launch, &rng, rows * columns);
  (void)wl_arg_scratch(launch, rows * columns * sizeof(float));
  (void)wl_arg_scratch(launch, rows * sizeof(float));
  wl_arg_u32(launch, columns);
}

static void prepare_layernorm(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  const uint32_t rows = kcase->grid[0], columns = kcase->size[0];
  wl_rng_t rng = {columns + 1};
  (void)filled(launch, &rng, rows * columns);
  (void)filled(launch, &rng, columns);
  (void)filled(launch, &rng, columns);
  (void)wl_arg_scratch(launch, rows * columns * sizeof(float));
  wl_arg_u32(launch, columns);
}

static void prepare_gelu(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  wl_rng_t rng = {kcase->size[0] + 2};
  (void)filled(launch, &rng, kcase->size[0]);
  (void)wl_arg_scratch(launch, kcase->size[0] * sizeof(float));
  wl_arg_u32(launch, kcase->size[0]);
}

static bool near(double got, double want, double relative, double absolute) {
  return fabs(got - want) <= fabs(want) * relative + absolute;
}

static const char *check_softmax(const wl_kernel_case_t *kcase, const wl_kernel_launch_t *launch,
                                 const unsigned char *const *result) {
  const uint32_t columns = kcase->size[0];
  for (uint32_t r = 0; r < kcase->grid[0]; r++) {
    const float *x = (const float *)(const void *)launch->arg[0].data + r * columns;
    const float *y = (const float *)(const void *)result[1] + r * columns;
    double most = -INFINITY, sum = 0;
    for (uint32_t i = 0; i < columns; i++) {
      most = fmax(most, (double)x[i]);
    }
    for (uint32_t i = 0; i < columns; i++) {
      sum += exp((double)x[i] - most);
    }
    for (uint32_t i = 0; i < columns; i++) {
      if (!near((double)y[i], exp((double)x[i] - most) / sum, 1e-5, 0)) {
        return "softmax";
      }
    }
    if (!near((double)((const float *)(const void *)result[2])[r], most + log(sum), 1e-6, 1e-6)) {
      return "logarithm of the sum";
    }
  }
  return NULL;
}

static const char *check_layernorm(const wl_kernel_case_t *kcase, const wl_kernel_launch_t *launch,
                                   const unsigned char *const *result) {
  const uint32_t columns = kcase->size[0];
  const float *gain = (const float *)(const void *)launch->arg[1].data;
  const float *bias = (const float *)(const void *)launch->arg[2].data;
  for (uint32_t r = 0; r < kcase->grid[0]; r++) {
    const float *x = (const float *)(const void *)launch->arg[0].data + r * columns;
    const float *y = (const float *)(const void *)result[3] + r * columns;
    double mean = 0, square = 0;
    for (uint32_t i = 0; i < columns; i++) {
      mean += (double)x[i] / columns;
    }
    for (uint32_t i = 0; i < columns; i++) {
      square += ((double)x[i] - mean) * ((double)x[i] - mean) / columns;
    }
    for (uint32_t i = 0; i < columns; i++) {
      const double want =
          ((double)x[i] - mean) / sqrt(square + 1e-5) * (double)gain[i] + (double)bias[i];
      if (!near((double)y[i], want, 1e-5, 1e-4)) {
        return "layer norm";
      }
    }
  }
  return NULL;
}

/* tanh is right within 2^-11 of itself. */
static const char *check_gelu(const wl_kernel_case_t *kcase, const wl_kernel_launch_t *launch,
                              const unsigned char *const *result) {
  for (uint32_t i = 0; i < kcase->size[0]; i++) {
    const double x = (double)((const float *)(const void *)launch->arg[0].data)[i];
    const double t = tanh(0.7978845608 * (x + 0.044715 * x * x * x));
    const double got = (double)((const float *)(const void *)result[1])[i];
    if (!near(got, 0.5 * x * (1 + t), 1e-6, 0.5 * fabs(x * t) * 0x1p-11 + 1e-6)) {
      return "GELU";
    }
  }
  return NULL;
}

#define CASE(case_name, entry_name, case_tier, ctas, n, function)                                  \
  {.name = case_name,                                                                              \
   .entry = entry_name,                                                                            \
   .tier = case_tier,                                                                              \
   .grid = {ctas, 1, 1},                                                                           \
   .block = {THREADS, 1, 1},                                                                       \
   .size = {n},                                                                                    \
   .prepare = prepare_##function,                                                                  \
   .check = check_##function}

static const wl_kernel_case_t cases[] = {
    CASE("softmax2x197", "softmax", WL_TIER_SMOKE, 2, 197, softmax),
    CASE("layernorm2x160", "layernorm", WL_TIER_SMOKE, 2, 160, layernorm),
    CASE("gelu301", "gelu", WL_TIER_SMOKE, 3, 301, gelu),
    CASE("softmax16x1024", "softmax", WL_TIER_CAMPAIGN, 16, 1024, softmax),
    CASE("layernorm16x768", "layernorm", WL_TIER_CAMPAIGN, 16, 768, layernorm),
    CASE("gelu10007", "gelu", WL_TIER_CAMPAIGN, 79, 10007, gelu),
};

const wl_kernel_t wl_kernel_softmax = {
    .name = "softmax",
    .variants = WL_PTX_NVCC_ALL | WL_PTX_NVCC_NEWER,
    .result = WL_RESULT_CHECKER,
    .approximate = true,
    .requires_registers = 64,
    .requires_shared = 16,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
