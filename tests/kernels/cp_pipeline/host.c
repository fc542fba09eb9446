/* Host side of kernel cp_pipeline: each thread's hash of all tiles in their order. */
#include "tests/kernels/common/kernel_case.h"

enum { THREADS = 96 };

static uint32_t word_of(const uint32_t *in, uint32_t words, uint32_t at) {
  return at < words ? in[at] : 0;
}

/* size: tiles, words of the source (0: tiles of a word for each thread, all there). */
static void prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  const uint32_t tiles = kcase->size[0], words = kcase->size[1];
  const uint32_t tile = words != 0 ? 4 * THREADS : THREADS;
  const uint32_t all = words != 0 ? (words + 3) / 4 * 4 : tiles * tile;
  wl_rng_t rng = {tiles + words + 5};
  uint32_t *in = wl_arg_in(launch, all * sizeof *in);
  uint32_t *out = wl_arg_out(launch, THREADS * sizeof *out);
  if (words != 0) {
    wl_arg_u32(launch, words);
  }
  wl_arg_u32(launch, tiles);
  if (launch->failed) {
    return;
  }
  for (uint32_t i = 0; i < all; i++) {
    in[i] = wl_rng_u32(&rng);
  }
  for (uint32_t t = 0; t < THREADS; t++) {
    uint32_t hash = t;
    for (uint32_t i = 0; i < tiles; i++) {
      const uint32_t end = words != 0 ? words : all;
      hash = hash * 31 + word_of(in, end, i * tile + (t * 5 + hash % 2) % tile);
      if (words != 0) {
        hash = hash * 31 + word_of(in, end, i * tile + (t * 7 + i) % tile);
      }
    }
    out[t] = hash;
  }
}

#define CASE(case_name, entry_name, case_tier, ...)                                                \
  {.name = case_name,                                                                              \
   .entry = entry_name,                                                                            \
   .tier = case_tier,                                                                              \
   .grid = {1, 1, 1},                                                                              \
   .block = {THREADS, 1, 1},                                                                       \
   .size = {__VA_ARGS__},                                                                          \
   .prepare = prepare}

static const wl_kernel_case_t cases[] = {
    CASE("edge_5", "pipeline_edge", WL_TIER_SMOKE, 5, 1237),
    CASE("block_6", "pipeline_block", WL_TIER_SMOKE, 6, 0),
    CASE("edge_40", "pipeline_edge", WL_TIER_CAMPAIGN, 40, 15206),
    CASE("block_51", "pipeline_block", WL_TIER_CAMPAIGN, 51, 0),
};

const wl_kernel_t wl_kernel_cp_pipeline = {
    .name = "cp_pipeline",
    .variants = WL_PTX_NVCC | WL_PTX_NVCC_NEWER,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .requires_shared = 6144,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
