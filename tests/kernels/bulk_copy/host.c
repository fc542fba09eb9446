/* Host side of kernel bulk_copy. */
#include "tests/kernels/common/kernel_case.h"

/* size: bytes, bytes of a tile. */
static void prepare_copy(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  const uint32_t bytes = kcase->size[0];
  wl_rng_t rng = {bytes + 51};
  uint32_t *in = wl_arg_in(launch, bytes);
  uint32_t *out = wl_arg_out(launch, bytes);
  wl_arg_u32(launch, bytes);
  wl_arg_u32(launch, kcase->size[1]);
  if (launch->failed) {
    return;
  }
  for (uint32_t i = 0; i < bytes / 4; i++) {
    in[i] = out[i] = wl_rng_u32(&rng);
  }
}

/* size: bytes, bytes of a tile, seed, mask. */
static void prepare_fill(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  const uint32_t bytes = kcase->size[0], tile = kcase->size[1], mask = kcase->size[3];
  wl_rng_t rng = {bytes + 52};
  void *after = NULL;
  unsigned char *out = wl_arg_inout(launch, bytes, &after);
  wl_arg_u32(launch, bytes);
  wl_arg_u32(launch, tile);
  wl_arg_u32(launch, kcase->size[2]);
  wl_arg_u32(launch, mask);
  if (launch->failed) {
    return;
  }
  unsigned char *want = after;
  for (uint32_t i = 0; i < bytes; i++) {
    const uint32_t word = (i % tile / 4 + kcase->size[2]) * 2654435761u;
    out[i] = (unsigned char)wl_rng_u32(&rng);
    want[i] = (mask >> i % 16 & 1) != 0 ? (unsigned char)(word >> i % 4 * 8) : out[i];
  }
}

/* size: words, rounds. */
static void prepare_reuse(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  const uint32_t words = kcase->size[0], rounds = kcase->size[1];
  uint32_t *out = wl_arg_out(launch, (size_t)words * rounds * sizeof *out);
  uint32_t *back = wl_arg_out(launch, 32 * sizeof *back);
  wl_arg_u32(launch, words);
  wl_arg_u32(launch, rounds);
  if (launch->failed) {
    return;
  }
  for (uint32_t i = 0; i < rounds; i++) {
    for (uint32_t k = 0; k < words; k++) {
      const bool changed = k >= words - 32;
      out[i * words + k] =
          changed ? i * 40503 + k - (words - 32) : (i % 2 * words + k) * 2654435761u;
    }
  }
  for (uint32_t lane = 0; lane < 32; lane++) {
    back[lane] = (rounds - 1) * 40503 + lane;
  }
}

#define TILES(case_name, entry_name, case_tier, ctas, threads, shared, prepare_case, ...)          \
  {.name = case_name,                                                                              \
   .entry = entry_name,                                                                            \
   .tier = case_tier,                                                                              \
   .grid = {ctas, 1, 1},                                                                           \
   .block = {threads, 1, 1},                                                                       \
   .dynamic_shared = shared,                                                                       \
   .size = {__VA_ARGS__},                                                                          \
   .prepare = prepare_case}

static const wl_kernel_case_t cases[] = {
    TILES("copy_2x176", "copy_tiles", WL_TIER_SMOKE, 2, 32, 704, prepare_copy, 2512, 176),
    TILES("copy_1x1024", "copy_tiles", WL_TIER_SMOKE, 1, 32, 4096, prepare_copy, 7184, 1024),
    TILES("fill_2x96", "fill_tiles", WL_TIER_SMOKE, 2, 96, 240, prepare_fill, 2000, 240, 3, 0xffff),
    {.name = "mask_3x77",
     .entry = "fill_tiles",
     .tier = WL_TIER_SMOKE,
     .grid = {3, 1, 1},
     .block = {77, 1, 1},
     .dynamic_shared = 176,
     .size = {1616, 176, 5, 0xa5f3},
     .prepare = prepare_fill,
     .variants = WL_PTX_NVCC_SM100},
    TILES("reuse_7x2048", "reuse_tiles", WL_TIER_SMOKE, 1, 128, 16384, prepare_reuse, 2048, 7),
    TILES("copy_4x8192", "copy_tiles", WL_TIER_CAMPAIGN, 4, 32, 32768, prepare_copy, 500000, 8192),
    TILES("fill_7x256", "fill_tiles", WL_TIER_CAMPAIGN, 7, 256, 1008, prepare_fill, 90000, 1008, 1,
          0xffff),
};

const wl_kernel_t wl_kernel_bulk_copy = {
    .name = "bulk_copy",
    .variants = WL_PTX_NVCC_NEWER,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .requires_shared = 32,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
