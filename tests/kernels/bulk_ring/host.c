/* Host side of kernel bulk_ring: each consumer's hash of all tiles in their order. */
#include "tests/kernels/common/kernel_case.h"

enum { WORDS_A = 64, WORDS_B = 20, ROWS = 32, PITCH = 20 };

/* size: tiles. */
static void prepare_elect(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  const uint32_t tiles = kcase->size[0], threads = kcase->block[0] - 32;
  wl_rng_t rng = {tiles + 91};
  uint32_t *a = wl_arg_in(launch, (size_t)tiles * WORDS_A * sizeof *a);
  uint32_t *b = wl_arg_in(launch, (size_t)tiles * WORDS_B * sizeof *b);
  uint32_t *out = wl_arg_out(launch, threads * sizeof *out);
  wl_arg_u32(launch, tiles);
  if (launch->failed) {
    return;
  }
  for (uint32_t i = 0; i < tiles * WORDS_A; i++) {
    a[i] = wl_rng_u32(&rng);
  }
  for (uint32_t i = 0; i < tiles * WORDS_B; i++) {
    b[i] = wl_rng_u32(&rng);
  }
  for (uint32_t t = 0; t < threads; t++) {
    uint32_t lane = t % 32, warp = t / 32 + 1, hash = warp;
    for (uint32_t i = 0; i < tiles; i++) {
      hash = hash * 31 + a[i * WORDS_A + (lane * 5 + hash % 2) % WORDS_A];
      hash = hash * 31 + b[i * WORDS_B + (lane * 7 + warp) % WORDS_B];
    }
    out[t] = hash;
  }
}

static void prepare_lanes(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  const uint32_t tiles = kcase->size[0], threads = kcase->block[0] - 32;
  wl_rng_t rng = {tiles + 92};
  uint32_t *in = wl_arg_in(launch, (size_t)tiles * ROWS * PITCH * sizeof *in);
  uint32_t *out = wl_arg_out(launch, threads * sizeof *out);
  wl_arg_u32(launch, tiles);
  wl_arg_u32(launch, PITCH);
  if (launch->failed) {
    return;
  }
  for (uint32_t i = 0; i < tiles * ROWS * PITCH; i++) {
    in[i] = wl_rng_u32(&rng);
  }
  for (uint32_t t = 0; t < threads; t++) {
    uint32_t lane = t % 32, hash = t / 32 + 1;
    for (uint32_t i = 0; i < tiles; i++) {
      const uint32_t row = (lane * 5 + hash % 32) % ROWS;
      const uint32_t words = 4 * (1 + (row + i) % 3);
      hash = hash * 31 + in[(i * ROWS + row) * PITCH + (hash / 32 + lane) % words];
    }
    out[t] = hash;
  }
}

#define RING(case_name, entry_name, case_tier, threads, tiles, prepare_case)                       \
  {.name = case_name,                                                                              \
   .entry = entry_name,                                                                            \
   .tier = case_tier,                                                                              \
   .grid = {1, 1, 1},                                                                              \
   .block = {threads, 1, 1},                                                                       \
   .size = {tiles},                                                                                \
   .prepare = prepare_case}

static const wl_kernel_case_t cases[] = {
    RING("elect_1to2", "ring_elect", WL_TIER_SMOKE, 96, 11, prepare_elect),
    RING("lanes_1to3", "ring_lanes", WL_TIER_SMOKE, 128, 7, prepare_lanes),
    RING("elect_1to7", "ring_elect", WL_TIER_CAMPAIGN, 256, 100, prepare_elect),
    RING("lanes_1to1", "ring_lanes", WL_TIER_CAMPAIGN, 64, 40, prepare_lanes),
};

const wl_kernel_t wl_kernel_bulk_ring = {
    .name = "bulk_ring",
    .variants = WL_PTX_NVCC_NEWER,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .requires_shared = 3120,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
