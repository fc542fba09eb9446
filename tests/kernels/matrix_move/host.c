/* Host side of kernel matrix_move: the transposed matrix; what the lanes did before. */
#include "tests/kernels/common/kernel_case.h"

static uint32_t part(uint32_t split, uint32_t lane, uint32_t v) {
  if ((split >> lane & 1) != 0) {
    for (uint32_t k = 0; k <= lane % 7; k++) {
      v = v * 1664525u + 1013904223u;
    }
  }
  return v;
}

enum { LOAD, STORE, MOVE };

static uint32_t work_of(uint32_t which, uint32_t split, uint32_t lane, uint32_t v) {
  v = part(split, lane, v);
  if (which == STORE) {
    v = part(~split, lane, v);
  }
  for (uint32_t r = 0; which == MOVE && r < 4; r++) {
    v = part(split << r, lane, v);
  }
  return v;
}

/* size: which kernel, lanes that come apart, columns and rows of tiles. */
static void prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  const uint32_t which = kcase->size[0], split = kcase->size[1];
  const uint32_t width = kcase->size[2] * 16, height = kcase->size[3] * 16;
  wl_rng_t rng = {width + height + which};
  uint16_t *in = wl_arg_in(launch, width * height * sizeof *in);
  uint16_t *out = wl_arg_out(launch, width * height * sizeof *out);
  uint32_t *work = wl_arg_out(launch, width / 16 * (height / 16) * 32 * sizeof *work);
  wl_arg_u32(launch, width);
  wl_arg_u32(launch, height);
  wl_arg_u32(launch, split);
  if (launch->failed) {
    return;
  }
  for (uint32_t y = 0; y < height; y++) {
    for (uint32_t x = 0; x < width; x++) {
      in[y * width + x] = (uint16_t)wl_rng_u32(&rng);
      out[x * height + y] = in[y * width + x];
    }
  }
  for (uint32_t i = 0; i < width / 16 * (height / 16) * 32; i++) {
    const uint32_t x = i / 32 % (width / 16), y = i / 32 / (width / 16);
    work[i] = work_of(which, split, i % 32, x + 17 * y);
  }
}

#define CASE(case_name, entry_name, case_tier, which, split, x, y, warps)                          \
  {.name = case_name,                                                                              \
   .entry = entry_name,                                                                            \
   .tier = case_tier,                                                                              \
   .grid = {x / warps, y, 1},                                                                      \
   .block = {32 * warps, 1, 1},                                                                    \
   .size = {which, split, x, y},                                                                   \
   .prepare = prepare}

static const wl_kernel_case_t cases[] = {
    CASE("load2x1", "transpose_load", WL_TIER_SMOKE, LOAD, 0, 2, 1, 2),
    CASE("load2x1split", "transpose_load", WL_TIER_SMOKE, LOAD, 0xffff0f31u, 2, 1, 2),
    CASE("store2x1", "transpose_store", WL_TIER_SMOKE, STORE, 0x00ff12c0u, 2, 1, 2),
    CASE("move1x2", "transpose_move", WL_TIER_SMOKE, MOVE, 0x80f0a001u, 1, 2, 1),
    CASE("load8x5", "transpose_load", WL_TIER_CAMPAIGN, LOAD, 0x0f0f3355u, 8, 5, 4),
    CASE("store6x4", "transpose_store", WL_TIER_CAMPAIGN, STORE, 0x12345678u, 6, 4, 3),
    CASE("move4x6", "transpose_move", WL_TIER_CAMPAIGN, MOVE, 0xfffffffeu, 4, 6, 2),
};

const wl_kernel_t wl_kernel_matrix_move = {
    .name = "matrix_move",
    .variants = WL_PTX_NVCC_ALL | WL_PTX_NVCC_NEWER,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .requires_shared = 6144,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
