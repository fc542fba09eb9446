/* Host side of kernel mandelbrot: the same float operations one by one. */
#include <math.h>

#include "tests/kernels/common/kernel_case.h"

static uint32_t iterate(float cx, float cy, uint32_t limit) {
  float x = 0.0f;
  float y = 0.0f;
  uint32_t count = 0;
  while (count < limit && x * x + y * y <= 4.0f) {
    float next = x * x - y * y + cx;
    y = fmaf(2.0f * x, y, cy);
    x = next;
    count++;
  }
  return count;
}

static void prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t width = kcase->size[0];
  uint32_t height = kcase->size[1];
  uint32_t limit = kcase->size[2];
  float left = -2.1f;
  float top = -1.2f;
  float step = 2.6f / (float)width;
  uint32_t *out = wl_arg_out(launch, width * height * sizeof *out);
  wl_arg_s32(launch, (int32_t)width);
  wl_arg_s32(launch, (int32_t)height);
  wl_arg_f32(launch, left);
  wl_arg_f32(launch, top);
  wl_arg_f32(launch, step);
  wl_arg_u32(launch, limit);
  if (launch->failed) {
    return;
  }
  for (uint32_t y = 0; y < height; y++) {
    for (uint32_t x = 0; x < width; x++) {
      out[y * width + x] = iterate(fmaf((float)x, step, left), fmaf((float)y, step, top), limit);
    }
  }
}

/* 0 and -1 never leave; 1 leaves at once: 0, 1, 2, 5. */
static const char *self_check(void) {
  bool right = iterate(0.0f, 0.0f, 50) == 50 && iterate(-1.0f, 0.0f, 50) == 50 &&
               iterate(1.0f, 0.0f, 50) == 3;
  return right ? NULL : "known points";
}

static const wl_kernel_case_t cases[] = {
    {.name = "13x11",
     .entry = "mandelbrot",
     .tier = WL_TIER_SMOKE,
     .grid = {2, 2, 1},
     .block = {8, 8, 1},
     .size = {13, 11, 24},
     .prepare = prepare},
    {.name = "96x64",
     .entry = "mandelbrot",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {7, 8, 1},
     .block = {15, 9, 1},
     .size = {96, 64, 100},
     .prepare = prepare},
};

const wl_kernel_t wl_kernel_mandelbrot = {
    .name = "mandelbrot",
    .variants = WL_PTX_COMPILED,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .cases = cases,
    .case_count = WL_COUNT(cases),
    .self_check = self_check,
};
