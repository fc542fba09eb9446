/* Host side of kernel mbar_ring: each consumer's hash of all tiles in their order. */
#include "tests/kernels/common/kernel_case.h"

enum { WORDS = 64 };

static void prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t tiles = kcase->size[0], producers = kcase->size[1];
  uint32_t threads = kcase->block[0] - 32 * producers;
  wl_rng_t rng = {tiles + 61};
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
    for (uint32_t i = 0; i < tiles; i++) {
      const uint32_t *tile = &in[i * WORDS];
      for (uint32_t k = 0; k < 2; k++) {
        uint32_t at = (k == 0 ? lane * 5 + hash % 2 : lane * 7 + warp) % WORDS;
        hash = hash * 31 + (at < 32 ? tile[at] * 3 : tile[at] ^ i);
      }
    }
    out[t] = hash;
  }
}

#define RING(case_name, entry_name, case_tier, threads, bytes, ...)                                \
  {.name = case_name,                                                                              \
   .entry = entry_name,                                                                            \
   .tier = case_tier,                                                                              \
   .grid = {1, 1, 1},                                                                              \
   .block = {threads, 1, 1},                                                                       \
   .dynamic_shared = bytes,                                                                        \
   .size = {__VA_ARGS__},                                                                          \
   .prepare = prepare}

static const wl_kernel_case_t cases[] = {
    RING("two_1to2", "ring_two", WL_TIER_SMOKE, 96, 0, 9, 1),
    RING("five_2to1", "ring_five", WL_TIER_SMOKE, 96, 1360, 13, 2),
    RING("two_1to7", "ring_two", WL_TIER_CAMPAIGN, 256, 0, 40, 1),
    RING("five_3to4", "ring_five", WL_TIER_CAMPAIGN, 224, 1360, 91, 3),
};

const wl_kernel_t wl_kernel_mbar_ring = {
    .name = "mbar_ring",
    .variants = WL_PTX_COMPILED | WL_PTX_NVCC_NEWER,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .requires_shared = 544,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
