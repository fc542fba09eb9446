/* Host side of kernel bulk_reduce: the same tiles, one after the other. The sums of f32 are integers below 2^24. */
#include "tests/kernels/common/kernel_case.h"

enum { THREADS = 96, TILE = 40 };

/* size: tiles. */
static void prepare_add(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  const uint32_t tiles = kcase->size[0];
  wl_rng_t rng = {tiles + 71};
  uint32_t *in = wl_arg_in(launch, (size_t)tiles * THREADS * sizeof *in);
  void *sum_after = NULL, *sum_f_after = NULL;
  uint32_t *sum = wl_arg_inout(launch, THREADS * sizeof *sum, &sum_after);
  float *sum_f = wl_arg_inout(launch, THREADS * sizeof *sum_f, &sum_f_after);
  wl_arg_u32(launch, tiles);
  if (launch->failed) {
    return;
  }
  uint32_t *want = sum_after;
  float *want_f = sum_f_after;
  for (uint32_t t = 0; t < THREADS; t++) {
    want[t] = sum[t] = wl_rng_u32(&rng);
    want_f[t] = sum_f[t] = (float)(wl_rng_u32(&rng) % 2000) - 1000.0f;
  }
  for (uint32_t i = 0; i < tiles * THREADS; i++) {
    in[i] = wl_rng_u32(&rng);
    want[i % THREADS] += (in[i] * 3) ^ (i / THREADS);
    want_f[i % THREADS] += (float)(in[i] % 1024);
  }
}

/* size: rounds. */
static void prepare_warps(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  const uint32_t rounds = kcase->size[0], warps = kcase->grid[0] * (kcase->block[0] / 32);
  wl_rng_t rng = {rounds + 72};
  void *most_after = NULL, *differs_after = NULL;
  int32_t *in = wl_arg_in(launch, (size_t)warps * rounds * TILE * sizeof *in);
  int32_t *most = wl_arg_inout(launch, (size_t)warps * TILE * sizeof *most, &most_after);
  uint32_t *differs = wl_arg_inout(launch, TILE * sizeof *differs, &differs_after);
  int32_t *sum = wl_arg_out(launch, warps * sizeof *sum);
  wl_arg_u32(launch, rounds);
  if (launch->failed) {
    return;
  }
  int32_t *want = most_after;
  uint32_t *want_differs = differs_after;
  for (uint32_t k = 0; k < TILE; k++) {
    want_differs[k] = differs[k] = wl_rng_u32(&rng);
  }
  for (uint32_t w = 0; w < warps; w++) {
    uint32_t total = 0;
    for (uint32_t k = 0; k < TILE; k++) {
      want[w * TILE + k] = most[w * TILE + k] = (int32_t)wl_rng_u32(&rng) / 2;
    }
    for (uint32_t i = 0; i < rounds * TILE; i++) {
      int32_t *v = &in[w * rounds * TILE + i];
      *v = (int32_t)wl_rng_u32(&rng) / 2;
      const int32_t made = *v - (int32_t)(i / TILE), old = want[w * TILE + i % TILE];
      want[w * TILE + i % TILE] = made > old ? made : old;
      want_differs[i % TILE] ^= (uint32_t)made;
    }
    for (uint32_t k = 0; k < TILE; k++) {
      total += (uint32_t)want[w * TILE + k];
    }
    sum[w] = (int32_t)total;
  }
}

#define REDUCE(case_name, entry_name, case_tier, ctas, threads, n, prepare_case)                   \
  {.name = case_name,                                                                              \
   .entry = entry_name,                                                                            \
   .tier = case_tier,                                                                              \
   .grid = {ctas, 1, 1},                                                                           \
   .block = {threads, 1, 1},                                                                       \
   .size = {n},                                                                                    \
   .prepare = prepare_case}

static const wl_kernel_case_t cases[] = {
    REDUCE("add_3x7", "reduce_add", WL_TIER_SMOKE, 3, THREADS, 7, prepare_add),
    REDUCE("warps_2x64", "reduce_warps", WL_TIER_SMOKE, 2, 64, 3, prepare_warps),
    REDUCE("add_5x61", "reduce_add", WL_TIER_CAMPAIGN, 5, THREADS, 61, prepare_add),
    REDUCE("warps_3x128", "reduce_warps", WL_TIER_CAMPAIGN, 3, 128, 20, prepare_warps),
};

const wl_kernel_t wl_kernel_bulk_reduce = {
    .name = "bulk_reduce",
    .variants = WL_PTX_NVCC_NEWER,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .requires_shared = 1536,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
