/* Host side of kernel stencil. */
#include <math.h>

#include "tests/kernels/common/kernel_case.h"

static const float coefficient[5] = {0.5f, 0.15f, 0.1f, 0.2f, 0.05f};

static void prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t width = kcase->size[0];
  uint32_t height = kcase->size[1];
  wl_rng_t rng = {width + 7};
  float *in = wl_arg_in(launch, width * height * sizeof *in);
  float *out = wl_arg_out(launch, width * height * sizeof *out);
  wl_arg_s32(launch, (int32_t)width);
  wl_arg_s32(launch, (int32_t)height);
  if (launch->failed) {
    return;
  }
  for (uint32_t i = 0; i < width * height; i++) {
    in[i] = wl_rng_float(&rng, -10.0f, 10.0f);
    out[i] = in[i];
  }
  for (uint32_t y = 1; y + 1 < height; y++) {
    for (uint32_t x = 1; x + 1 < width; x++) {
      const float *at = &in[y * width + x];
      float v = fmaf(coefficient[0], at[0], 0.0f);
      v = fmaf(coefficient[1], at[-1], v);
      v = fmaf(coefficient[2], at[1], v);
      v = fmaf(coefficient[3], *(at - width), v);
      out[y * width + x] = fmaf(coefficient[4], at[width], v);
    }
  }
}

static void prepare_lookup(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t n = kcase->size[0];
  wl_rng_t rng = {n + 8};
  uint32_t *index = wl_arg_in(launch, n * sizeof *index);
  float *out = wl_arg_out(launch, n * sizeof *out);
  wl_arg_u32(launch, n);
  if (launch->failed) {
    return;
  }
  for (uint32_t i = 0; i < n; i++) {
    index[i] = wl_rng_u32(&rng);
    out[i] = coefficient[index[i] % 5];
  }
}

static const wl_kernel_case_t cases[] = {
    {.name = "19x13",
     .entry = "stencil",
     .tier = WL_TIER_SMOKE,
     .grid = {2, 2, 1},
     .block = {16, 8, 1},
     .size = {19, 13},
     .prepare = prepare},
    {.name = "lookup203",
     .entry = "lookup",
     .tier = WL_TIER_SMOKE,
     .grid = {3, 1, 1},
     .block = {77, 1, 1},
     .size = {203},
     .prepare = prepare_lookup},
    {.name = "131x67",
     .entry = "stencil",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {9, 5, 1},
     .block = {16, 16, 1},
     .size = {131, 67},
     .prepare = prepare},
};

const wl_kernel_t wl_kernel_stencil = {
    .name = "stencil",
    .variants = WL_PTX_COMPILED,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
