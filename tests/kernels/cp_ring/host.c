/* Host side of kernel cp_ring: each consumer's hash of all tiles in their order. */
#include "tests/kernels/common/kernel_case.h"

enum { WORDS = 64 };

/* size: tiles, warps of producers, every third word is ignored. */
static void prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  const uint32_t tiles = kcase->size[0], producers = kcase->size[1];
  const uint32_t threads = kcase->block[0] - 32 * producers;
  wl_rng_t rng = {tiles + 97};
  uint32_t *in = wl_arg_in(launch, (size_t)tiles * WORDS * sizeof *in);
  uint32_t *out = wl_arg_out(launch, threads * sizeof *out);
  wl_arg_u32(launch, tiles);
  wl_arg_u32(launch, producers);
  if (launch->failed) {
    return;
  }
  for (uint32_t i = 0; i < tiles * WORDS; i++) {
    in[i] = wl_rng_u32(&rng);
  }
  for (uint32_t t = 0; t < threads; t++) {
    uint32_t lane = t % 32, warp = producers + t / 32, hash = t / 32;
    for (uint32_t i = 0; i < tiles * 2; i++) {
      const uint32_t at = (i % 2 == 0 ? lane * 5 + hash % 2 : lane * 7 + warp) % WORDS;
      const bool ignored = kcase->size[2] != 0 && at % 3 == 2;
      hash = hash * 31 + (ignored ? 0 : in[i / 2 * WORDS + at]);
    }
    out[t] = hash;
  }
}

#define RING(case_name, entry_name, case_tier, threads, ...)                                       \
  {.name = case_name,                                                                              \
   .entry = entry_name,                                                                            \
   .tier = case_tier,                                                                              \
   .grid = {1, 1, 1},                                                                              \
   .block = {threads, 1, 1},                                                                       \
   .size = {__VA_ARGS__},                                                                          \
   .prepare = prepare}

static const wl_kernel_case_t cases[] = {
    RING("noinc_1to2", "ring_noinc", WL_TIER_SMOKE, 96, 10, 1, 0),
    RING("inc_2to1", "ring_inc", WL_TIER_SMOKE, 96, 11, 2, 1),
    RING("noinc_3to4", "ring_noinc", WL_TIER_CAMPAIGN, 224, 91, 3, 0),
    RING("inc_1to7", "ring_inc", WL_TIER_CAMPAIGN, 256, 40, 1, 1),
};

const wl_kernel_t wl_kernel_cp_ring = {
    .name = "cp_ring",
    .variants = WL_PTX_COMPILED | WL_PTX_NVCC_NEWER,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .requires_shared = 1088,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
