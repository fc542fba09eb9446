/* Host side of kernel barriers. */
#include "tests/kernels/common/kernel_case.h"

static void prepare_reduce(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t threads = kcase->block[0];
  uint32_t total = kcase->grid[0] * threads;
  wl_rng_t rng = {total + 27};
  int32_t *in = wl_arg_in(launch, total * sizeof *in);
  int32_t *out = wl_arg_out(launch, total * sizeof *out);
  for (uint32_t cta = 0; !launch->failed && cta < kcase->grid[0]; cta++) {
    int32_t count = 0;
    bool all = true;
    bool any = false;
    for (uint32_t i = cta * threads; i < (cta + 1) * threads; i++) {
      in[i] = (int32_t)wl_rng_below(&rng, 190) - 101 + (cta % 2 != 0 ? 10 : 0);
      count += in[i] > 0 ? 1 : 0;
      all = all && in[i] > -100;
      any = any || in[i] == 77;
    }
    for (uint32_t i = cta * threads; i < (cta + 1) * threads; i++) {
      out[i] = count * 4 + (all ? 2 : 0) + (any ? 1 : 0);
    }
  }
}

static void prepare_named(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t rounds = kcase->size[0];
  wl_rng_t rng = {rounds + 28};
  uint32_t *in = wl_arg_in(launch, rounds * 64 * sizeof *in);
  uint32_t *out = wl_arg_out(launch, 64 * sizeof *out);
  wl_arg_u32(launch, rounds);
  if (launch->failed) {
    return;
  }
  for (uint32_t i = 0; i < rounds * 64; i++) {
    in[i] = wl_rng_u32(&rng);
  }
  for (uint32_t t = 0; t < 64; t++) {
    for (uint32_t r = 0; r < rounds; r++) {
      out[t] = out[t] * 7 + in[r * 64 + 63 - t] * 3;
    }
  }
}

static void prepare_divergent(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t threads = kcase->block[0];
  wl_rng_t rng = {threads + 29};
  uint32_t stage[128] = {0};
  uint32_t *in = wl_arg_in(launch, threads * sizeof *in);
  uint32_t *out = wl_arg_out(launch, threads * sizeof *out);
  if (launch->failed) {
    return;
  }
  for (uint32_t t = 0; t < threads; t++) {
    in[t] = wl_rng_u32(&rng);
    stage[t] = (in[t] & 1u) != 0 ? in[t] * 5 : in[t] ^ 0xffffu;
  }
  for (uint32_t t = 0; t < threads; t++) {
    out[t] = (in[t] & 1u) != 0 ? stage[(t + 17) % threads] + 1 : stage[(t + 40) % threads] * 2;
  }
}

static const wl_kernel_case_t cases[] = {
    {.name = "reduce2x77",
     .entry = "barrier_reduce",
     .tier = WL_TIER_SMOKE,
     .grid = {2, 1, 1},
     .block = {77, 1, 1},
     .prepare = prepare_reduce},
    {.name = "named7",
     .entry = "barrier_named",
     .tier = WL_TIER_SMOKE,
     .grid = {1, 1, 1},
     .block = {128, 1, 1},
     .size = {7},
     .prepare = prepare_named},
    {.name = "divergent96",
     .entry = "barrier_divergent",
     .tier = WL_TIER_SMOKE,
     .grid = {1, 1, 1},
     .block = {96, 1, 1},
     .prepare = prepare_divergent},
    {.name = "reduce13x256",
     .entry = "barrier_reduce",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {13, 1, 1},
     .block = {256, 1, 1},
     .prepare = prepare_reduce},
    {.name = "named101",
     .entry = "barrier_named",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {1, 1, 1},
     .block = {128, 1, 1},
     .size = {101},
     .prepare = prepare_named},
};

const wl_kernel_t wl_kernel_barriers = {
    .name = "barriers",
    .variants = WL_PTX_COMPILED | WL_PTX_NVCC_NEWER,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .requires_shared = 512,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
