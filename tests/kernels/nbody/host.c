/* Host side of kernel nbody: sqrtf() and / are correctly rounded, as sqrt.rn and div.rn. */
#include <math.h>

#include "tests/kernels/common/kernel_case.h"

static void force_on(const float *body, uint32_t n, uint32_t i, float softening, float *force) {
  const float *me = &body[4 * i];
  float f[3] = {0.0f, 0.0f, 0.0f};
  for (uint32_t j = 0; j < n; j++) {
    const float *other = &body[4 * j];
    float d[3] = {other[0] - me[0], other[1] - me[1], other[2] - me[2]};
    float r2 = fmaf(d[0], d[0], fmaf(d[1], d[1], fmaf(d[2], d[2], softening)));
    float pull = other[3] / (r2 * sqrtf(r2));
    for (int axis = 0; axis < 3; axis++) {
      f[axis] = fmaf(pull, d[axis], f[axis]);
    }
  }
  force[0] = f[0];
  force[1] = f[1];
  force[2] = f[2];
  force[3] = me[3];
}

static void prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t n = kcase->size[0];
  float softening = 0.01f;
  wl_rng_t rng = {n + 10};
  float *body = wl_arg_in(launch, n * 4 * sizeof *body);
  float *force = wl_arg_out(launch, n * 4 * sizeof *force);
  wl_arg_s32(launch, (int32_t)n);
  wl_arg_f32(launch, softening);
  if (launch->failed) {
    return;
  }
  for (uint32_t i = 0; i < 4 * n; i++) {
    body[i] = i % 4 == 3 ? wl_rng_float(&rng, 0.5f, 2.0f) : wl_rng_float(&rng, -1.0f, 1.0f);
  }
  for (uint32_t i = 0; i < n; i++) {
    force_on(body, n, i, softening, &force[4 * i]);
  }
}

/* Newton's third law: mass-weighted forces cancel (loosely, in float). */
static const char *self_check(void) {
  float body[4 * 9];
  double sum[3] = {0, 0, 0};
  wl_rng_t rng = {11};
  for (int i = 0; i < 36; i++) {
    body[i] = wl_rng_float(&rng, 0.5f, 2.0f);
  }
  for (uint32_t i = 0; i < 9; i++) {
    float force[4];
    force_on(body, 9, i, 0.01f, force);
    for (int axis = 0; axis < 3; axis++) {
      sum[axis] += (double)force[axis] * (double)body[4 * i + 3];
    }
  }
  bool cancels = fabs(sum[0]) < 1e-3 && fabs(sum[1]) < 1e-3 && fabs(sum[2]) < 1e-3;
  return cancels ? NULL : "forces do not cancel";
}

static const wl_kernel_case_t cases[] = {
    {.name = "n13",
     .entry = "nbody",
     .tier = WL_TIER_SMOKE,
     .grid = {1, 1, 1},
     .block = {13, 1, 1},
     .size = {13},
     .prepare = prepare},
    {.name = "n131",
     .entry = "nbody",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {3, 1, 1},
     .block = {50, 1, 1},
     .size = {131},
     .prepare = prepare},
};

const wl_kernel_t wl_kernel_nbody = {
    .name = "nbody",
    .variants = WL_PTX_COMPILED,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .cases = cases,
    .case_count = WL_COUNT(cases),
    .self_check = self_check,
};
