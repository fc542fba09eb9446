/* Host side of kernel mbar_persist: each tile once, one number too many per CTA. */
#include "tests/kernels/common/kernel_case.h"

enum { TILE = 96 };

static void prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t tiles = kcase->size[0], count = tiles * TILE;
  wl_rng_t rng = {tiles + 62};
  uint32_t *in = wl_arg_in(launch, count * sizeof *in);
  uint32_t *out = wl_arg_out(launch, count * sizeof *out);
  uint32_t *counter = wl_arg_out(launch, sizeof *counter);
  uint32_t *finished = wl_arg_out(launch, sizeof *finished);
  wl_arg_u32(launch, tiles);
  if (launch->failed) {
    return;
  }
  for (uint32_t i = 0; i < count; i++) {
    in[i] = wl_rng_u32(&rng);
  }
  for (uint32_t i = 0; i < count; i++) {
    uint32_t tile = i / TILE;
    out[i] = in[i] * 2 + in[tile * TILE + (i + 1) % TILE] + tile;
  }
  *counter = tiles + kcase->grid[0];
  *finished = kcase->grid[0];
}

#define PERSIST(case_name, case_tier, ctas, threads, tiles)                                        \
  {.name = case_name,                                                                              \
   .entry = "persist",                                                                             \
   .tier = case_tier,                                                                              \
   .grid = {ctas, 1, 1},                                                                           \
   .block = {threads, 1, 1},                                                                       \
   .size = {tiles},                                                                                \
   .prepare = prepare}

static const wl_kernel_case_t cases[] = {
    PERSIST("one_cta", WL_TIER_SMOKE, 1, 128, 6),
    PERSIST("two_ctas", WL_TIER_SMOKE, 2, 96, 5),
    PERSIST("one_worker", WL_TIER_CAMPAIGN, 1, 64, 3),
    PERSIST("one_cta41", WL_TIER_CAMPAIGN, 1, 256, 41),
    PERSIST("three_ctas", WL_TIER_CAMPAIGN, 3, 160, 33),
};

const wl_kernel_t wl_kernel_mbar_persist = {
    .name = "mbar_persist",
    .variants = WL_PTX_COMPILED | WL_PTX_NVCC_NEWER,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .requires_shared = 40,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
