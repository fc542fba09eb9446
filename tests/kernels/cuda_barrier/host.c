/* Host side of kernel cuda_barrier. */
#include "tests/kernels/common/kernel_case.h"

static uint32_t *prepare_in(wl_kernel_launch_t *launch, uint32_t count) {
  wl_rng_t rng = {count + 63};
  uint32_t *in = wl_arg_in(launch, count * sizeof *in);
  for (uint32_t i = 0; !launch->failed && i < count; i++) {
    in[i] = wl_rng_u32(&rng);
  }
  return in;
}

static void prepare_phases(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t threads = kcase->block[0], rounds = kcase->size[0];
  const uint32_t *in = prepare_in(launch, rounds * threads);
  uint32_t *out = wl_arg_out(launch, threads * sizeof *out);
  wl_arg_u32(launch, rounds);
  for (uint32_t t = 0; !launch->failed && t < threads; t++) {
    for (uint32_t i = 0; i < rounds && i <= t % 8; i++) {
      uint32_t from = (t + 8 * i + 8) % threads;
      out[t] = out[t] * 3 + i;
      out[t] += in[(i <= from % 8 ? i : from % 8) * threads +
                   from]; /* the last round that it was there */
    }
  }
}

static void prepare_buffers(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t threads = kcase->block[0], rounds = kcase->size[0];
  const uint32_t *in = prepare_in(launch, rounds * 32);
  uint32_t *out = wl_arg_out(launch, (threads - 32) * sizeof *out);
  wl_arg_u32(launch, rounds);
  for (uint32_t t = 32; !launch->failed && t < threads; t++) {
    uint32_t hash = t;
    for (uint32_t i = 0; i < rounds; i++) {
      hash = hash * 31 + (in[i * 32 + (t * 3 + i) % 32] ^ i);
    }
    out[t - 32] = hash;
  }
}

#define BARRIER(case_name, entry_name, case_tier, threads, rounds, prepare_case)                   \
  {.name = case_name,                                                                              \
   .entry = entry_name,                                                                            \
   .tier = case_tier,                                                                              \
   .grid = {1, 1, 1},                                                                              \
   .block = {threads, 1, 1},                                                                       \
   .size = {rounds},                                                                               \
   .prepare = prepare_case}

static const wl_kernel_case_t cases[] = {
    BARRIER("phases77", "barrier_phases", WL_TIER_SMOKE, 77, 3, prepare_phases),
    BARRIER("buffers96", "barrier_buffers", WL_TIER_SMOKE, 96, 5, prepare_buffers),
    BARRIER("phases256", "barrier_phases", WL_TIER_CAMPAIGN, 256, 9, prepare_phases),
    BARRIER("buffers224", "barrier_buffers", WL_TIER_CAMPAIGN, 224, 22, prepare_buffers),
};

const wl_kernel_t wl_kernel_cuda_barrier = {
    .name = "cuda_barrier",
    .variants = WL_PTX_NVCC | WL_PTX_NVCC_NEWER,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .requires_shared = 1032,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
