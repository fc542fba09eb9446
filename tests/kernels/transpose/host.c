/* Host side of kernel transpose. */
#include "tests/kernels/common/kernel_case.h"

static void prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t width = kcase->size[0];
  uint32_t height = kcase->size[1];
  wl_rng_t rng = {width + 5};
  uint32_t *in = wl_arg_in(launch, width * height * sizeof *in);
  uint32_t *out = wl_arg_out(launch, width * height * sizeof *out);
  wl_arg_u32(launch, width);
  wl_arg_u32(launch, height);
  if (launch->failed) {
    return;
  }
  for (uint32_t y = 0; y < height; y++) {
    for (uint32_t x = 0; x < width; x++) {
      in[y * width + x] = wl_rng_u32(&rng);
      out[x * height + y] = in[y * width + x];
    }
  }
}

static const wl_kernel_case_t cases[] = {
    {.name = "conflict35x33",
     .entry = "transpose_conflict",
     .tier = WL_TIER_SMOKE,
     .grid = {2, 2, 1},
     .block = {32, 8, 1},
     .size = {35, 33},
     .prepare = prepare},
    {.name = "padded35x33",
     .entry = "transpose_padded",
     .tier = WL_TIER_SMOKE,
     .grid = {2, 2, 1},
     .block = {32, 8, 1},
     .size = {35, 33},
     .prepare = prepare},
    {.name = "conflict130x67",
     .entry = "transpose_conflict",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {5, 3, 1},
     .block = {32, 8, 1},
     .size = {130, 67},
     .prepare = prepare},
    {.name = "padded130x67",
     .entry = "transpose_padded",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {5, 3, 1},
     .block = {32, 8, 1},
     .size = {130, 67},
     .prepare = prepare},
};

const wl_kernel_t wl_kernel_transpose = {
    .name = "transpose",
    .variants = WL_PTX_COMPILED,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .requires_shared = 4224,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
