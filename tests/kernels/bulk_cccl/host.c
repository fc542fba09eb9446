/* Host side of kernel bulk_cccl. */
#include "tests/kernels/common/kernel_case.h"

enum { WORDS = 192 };

/* size: tiles. */
static void prepare_memcpy(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  const uint32_t tiles = kcase->size[0], threads = kcase->block[0];
  wl_rng_t rng = {tiles + 31};
  uint32_t *in = wl_arg_in(launch, (size_t)tiles * WORDS * sizeof *in);
  uint32_t *out = wl_arg_out(launch, threads * sizeof *out);
  wl_arg_u32(launch, tiles);
  if (launch->failed) {
    return;
  }
  for (uint32_t i = 0; i < tiles * WORDS; i++) {
    in[i] = wl_rng_u32(&rng);
  }
  for (uint32_t t = 0; t < threads; t++) {
    uint32_t hash = t;
    for (uint32_t i = 0; i < tiles; i++) {
      hash = hash * 31 + in[i * WORDS + (t * 5 + hash % 2) % WORDS];
    }
    out[t] = hash;
  }
}

static void prepare_tx(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  const uint32_t tiles = kcase->size[0];
  wl_rng_t rng = {tiles + 32};
  void *after = NULL;
  uint32_t *data = wl_arg_inout(launch, (size_t)tiles * WORDS * sizeof *data, &after);
  wl_arg_u32(launch, tiles);
  if (launch->failed) {
    return;
  }
  uint32_t *want = after;
  for (uint32_t i = 0; i < tiles * WORDS; i++) {
    data[i] = wl_rng_u32(&rng);
    want[i] = data[i] + 1;
  }
}

/* The limits of the increments are the words of `in`: of a column the same in all tiles, so that their order does
 * not matter. */
static void prepare_reduce(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  const uint32_t tiles = kcase->size[0];
  wl_rng_t rng = {tiles + 33};
  void *sum_after = NULL, *wrap_after = NULL;
  uint32_t *in = wl_arg_in(launch, (size_t)tiles * WORDS * sizeof *in);
  uint32_t *sum = wl_arg_inout(launch, WORDS * sizeof *sum, &sum_after);
  uint32_t *wrap = wl_arg_inout(launch, WORDS * sizeof *wrap, &wrap_after);
  wl_arg_u32(launch, tiles);
  if (launch->failed) {
    return;
  }
  uint32_t *want = sum_after, *want_wrap = wrap_after;
  for (uint32_t k = 0; k < WORDS; k++) {
    const uint32_t limit = k % 2 != 0 ? wl_rng_u32(&rng) : wl_rng_u32(&rng) % 5;
    sum[k] = wl_rng_u32(&rng);
    wrap[k] = wl_rng_u32(&rng) % 8;
    want[k] = sum[k] + limit * tiles;
    want_wrap[k] = wrap[k];
    for (uint32_t i = 0; i < tiles; i++) {
      in[i * WORDS + k] = limit;
      want_wrap[k] = want_wrap[k] >= limit ? 0 : want_wrap[k] + 1;
    }
  }
}

#define CCCL(case_name, entry_name, case_tier, ctas, threads, tiles, prepare_case)                 \
  {.name = case_name,                                                                              \
   .entry = entry_name,                                                                            \
   .tier = case_tier,                                                                              \
   .grid = {ctas, 1, 1},                                                                           \
   .block = {threads, 1, 1},                                                                       \
   .size = {tiles},                                                                                \
   .prepare = prepare_case}

static const wl_kernel_case_t cases[] = {
    CCCL("memcpy_5", "cccl_memcpy", WL_TIER_SMOKE, 1, 77, 5, prepare_memcpy),
    CCCL("tx_2x3", "cccl_tx", WL_TIER_SMOKE, 2, 64, 3, prepare_tx),
    CCCL("reduce_2x5", "cccl_reduce", WL_TIER_SMOKE, 2, 32, 5, prepare_reduce),
    CCCL("memcpy_40", "cccl_memcpy", WL_TIER_CAMPAIGN, 1, 256, 40, prepare_memcpy),
    CCCL("tx_5x51", "cccl_tx", WL_TIER_CAMPAIGN, 5, 96, 51, prepare_tx),
    CCCL("reduce_7x40", "cccl_reduce", WL_TIER_CAMPAIGN, 7, 32, 40, prepare_reduce),
};

const wl_kernel_t wl_kernel_bulk_cccl = {
    .name = "bulk_cccl",
    .variants = WL_PTX_NVCC_NEWER,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .requires_shared = 1552,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
