/* Host side of kernel f64_dot: fma() is the same single rounding as fma.f64, in the host's rounding
 * direction, and sums run in the device's order, so all bits are exact. */
#include <fenv.h>
#include <math.h>

#include "tests/kernels/common/kernel_case.h"

enum { MOST_THREADS = 128 };

static double element(wl_rng_t *rng) { /* below 8 in magnitude, 53 bits */
  return ((double)(wl_rng_u64(rng) >> 11) - 0x1p52) * 0x1p-49;
}

/* One operation in a rounding direction; volatile, so that it stays between the changes of direction. */
static double fused(double a, double b, double c, int direction) {
  volatile double x = a, y = b, z = c, d;
  (void)fesetround(direction);
  d = fma(x, y, z);
  (void)fesetround(FE_TONEAREST);
  return d;
}

static double added(double a, double b, int direction) {
  volatile double x = a, y = b, d;
  (void)fesetround(direction);
  d = x + y;
  (void)fesetround(FE_TONEAREST);
  return d;
}

static void prepare_axpy(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t n = kcase->size[0];
  wl_rng_t rng = {n + 1};
  const double a = -0x1.b333333333333p0;
  void *expected = NULL;
  wl_arg_scalar(launch, "b64", &a, sizeof a);
  double *x = wl_arg_in(launch, n * sizeof *x);
  double *y = wl_arg_inout(launch, n * sizeof *y, &expected);
  double *want = expected;
  wl_arg_u32(launch, n);
  if (launch->failed) {
    return;
  }
  for (uint32_t i = 0; i < n; i++) {
    x[i] = element(&rng);
    y[i] = element(&rng);
    want[i] = fma(a, x[i], y[i]);
  }
}

static double cta_dot(const wl_kernel_case_t *kcase, const double *a, const double *b, uint32_t cta,
                      int direction) {
  double tree[MOST_THREADS] = {0};
  uint32_t threads = kcase->block[0];
  for (uint32_t t = 0; t < threads; t++) {
    for (uint32_t i = cta * threads + t; i < kcase->size[0]; i += kcase->grid[0] * threads) {
      tree[t] = fused(a[i], b[i], tree[t], direction);
    }
  }
  for (uint32_t half = threads / 2; half > 0; half /= 2) {
    for (uint32_t t = 0; t < half; t++) {
      tree[t] = added(tree[t], tree[t + half], direction);
    }
  }
  return tree[0];
}

static void prepare_dot(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t n = kcase->size[0];
  wl_rng_t rng = {n + 3};
  double *a = wl_arg_in(launch, n * sizeof *a);
  double *b = wl_arg_in(launch, n * sizeof *b);
  double *low = wl_arg_out(launch, kcase->grid[0] * sizeof *low);
  double *high = wl_arg_out(launch, kcase->grid[0] * sizeof *high);
  wl_arg_u32(launch, n);
  if (launch->failed) {
    return;
  }
  for (uint32_t i = 0; i < n; i++) {
    a[i] = element(&rng);
    b[i] = element(&rng);
  }
  for (uint32_t cta = 0; cta < kcase->grid[0]; cta++) {
    low[cta] = cta_dot(kcase, a, b, cta, FE_DOWNWARD);
    high[cta] = cta_dot(kcase, a, b, cta, FE_UPWARD);
  }
}

/* The exact sum lies between the two, which differ, but not by much. Products of 20 bits: long double has
 * their sum exactly. */
static const char *self_check(void) {
  const wl_kernel_case_t kcase = {.grid = {3, 1, 1}, .block = {64, 1, 1}, .size = {1031}};
  static double a[1031], b[1031];
  wl_rng_t rng = {7};
  long double low = 0, high = 0, sum = 0;
  for (uint32_t i = 0; i < 1031; i++) {
    a[i] = ldexp((double)(wl_rng_u32(&rng) >> 12) - 0x1p19, -(int)(i % 8));
    b[i] = ldexp((double)(wl_rng_u32(&rng) >> 12) - 0x1p19, -(int)(i % 5));
    sum += (long double)a[i] * (long double)b[i];
  }
  for (uint32_t cta = 0; cta < 3; cta++) {
    low += (long double)cta_dot(&kcase, a, b, cta, FE_DOWNWARD);
    high += (long double)cta_dot(&kcase, a, b, cta, FE_UPWARD);
  }
  return low <= sum && sum <= high && high - low < 1e-3L ? NULL : "bounds of a dot product";
}

#define CASE(case_name, entry_name, case_tier, ctas, threads, n, function)                         \
  {.name = case_name,                                                                              \
   .entry = entry_name,                                                                            \
   .tier = case_tier,                                                                              \
   .grid = {ctas, 1, 1},                                                                           \
   .block = {threads, 1, 1},                                                                       \
   .size = {n},                                                                                    \
   .prepare = function}

static const wl_kernel_case_t cases[] = {
    CASE("axpy515", "daxpy", WL_TIER_SMOKE, 6, 96, 515, prepare_axpy),
    CASE("dot1031", "dot_f64", WL_TIER_SMOKE, 3, 128, 1031, prepare_dot),
    CASE("axpy20011", "daxpy", WL_TIER_CAMPAIGN, 79, 256, 20011, prepare_axpy),
    CASE("dot32771", "dot_f64", WL_TIER_CAMPAIGN, 33, 128, 32771, prepare_dot),
};

const wl_kernel_t wl_kernel_f64_dot = {
    .name = "f64_dot",
    .variants = WL_PTX_COMPILED | WL_PTX_NVCC_NEWER,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .requires_shared = 2048,
    .requires_option = "64-bit floating point",
    .cases = cases,
    .case_count = WL_COUNT(cases),
    .self_check = self_check,
};
