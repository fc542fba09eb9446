/* Host side of kernel mbar_lanes. */
#include "tests/kernels/common/kernel_case.h"

static uint32_t *prepare_out(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch,
                             uint32_t words) {
  uint32_t *out = wl_arg_out(launch, words * sizeof *out);
  wl_arg_u32(launch, kcase->size[0]);
  return launch->failed ? NULL : out;
}

static void chain(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch, bool up) {
  uint32_t n = kcase->block[0], word = 1;
  uint32_t *out = prepare_out(kcase, launch, n);
  for (uint32_t i = 0; out != NULL && i < n * kcase->size[0]; i++) {
    uint32_t t = up ? i % n : (n - i % n) % n;
    word = word * 3 + t;
    out[t] = out[t] * 31 + word;
  }
}
static void prepare_up(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  chain(kcase, launch, true);
}
static void prepare_down(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  chain(kcase, launch, false);
}

static void prepare_groups(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t n = kcase->block[0];
  uint32_t *out = prepare_out(kcase, launch, n);
  for (uint32_t t = 0; out != NULL && t < n; t++) {
    out[t] = t + 5;
  }
  for (uint32_t step = 0; out != NULL && step < 4 * kcase->size[0]; step++) {
    for (uint32_t t = step % 4; t < n; t += 4) {
      out[t] = out[t % 4 == 0 ? t + 3 : t - 1] * 3 + t;
    }
  }
}

static void prepare_arms(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t n = kcase->block[0];
  uint32_t *out = prepare_out(kcase, launch, n);
  for (uint32_t t = 0; out != NULL && t < n; t += 2) {
    uint32_t even = t, odd = t + 1;
    for (uint32_t r = 0; r < kcase->size[0]; r++) {
      odd = odd * 7 + even * 5 + r;
      even = odd ^ 0x55;
    }
    out[t] = even;
    out[t + 1] = odd;
  }
}

static void prepare_pairs(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t pairs = kcase->block[0] / 2;
  uint32_t *out = prepare_out(kcase, launch, pairs);
  for (uint32_t i = 0; out != NULL && i < pairs * kcase->size[0]; i++) {
    uint32_t pair = i % pairs;
    out[pair] = out[pair] * 31 + (i / pairs + 1) * (pair + 3);
  }
}

static void prepare_timeouts(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t pairs = kcase->block[0] / 2;
  uint32_t *out = prepare_out(kcase, launch, pairs);
  for (uint32_t pair = 0; out != NULL && pair < pairs; pair++) {
    out[pair] = (pair * 9 + 4) * 2 + 1;
  }
}

static void prepare_counts(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t *out = wl_arg_out(launch, kcase->block[0] * 4 * sizeof *out);
  for (uint32_t t = 0; !launch->failed && t < kcase->block[0]; t++) {
    uint32_t n = 2 + t % 5, early = n >= 4 ? 2 : 0;
    out[t * 4] = n + (n >= 4 ? n - 1 : n) * 16 + (n - 1 - early) * 256;
    out[t * 4 + 1] = n - 1; /* one has dropped */
    out[t * 4 + 2] = (n - 2 - early) + (n - 2) * 16;
    out[t * 4 + 3] = 1 + 4;
  }
}

#define WHOLE 0u /* variants: those of the kernel */
#define LANES(case_name, entry_name, case_tier, threads, number, which, prepare_case)              \
  {.name = case_name,                                                                              \
   .entry = entry_name,                                                                            \
   .tier = case_tier,                                                                              \
   .grid = {1, 1, 1},                                                                              \
   .block = {threads, 1, 1},                                                                       \
   .size = {number},                                                                               \
   .variants = which,                                                                              \
   .prepare = prepare_case}
#define FROM_C (WL_PTX_COMPILED | WL_PTX_NVCC_NEWER)

static const wl_kernel_case_t cases[] = {
    LANES("chain_up32", "chain_up", WL_TIER_SMOKE, 32, 2, FROM_C, prepare_up),
    LANES("chain_down19", "chain_down", WL_TIER_SMOKE, 19, 3, FROM_C, prepare_down),
    LANES("groups32", "groups", WL_TIER_SMOKE, 32, 7, FROM_C, prepare_groups),
    LANES("arms32", "arms", WL_TIER_SMOKE, 32, 5, WHOLE, prepare_arms),
    LANES("arms_back32", "arms_back", WL_TIER_SMOKE, 32, 5, WL_PTX_HAND, prepare_arms),
    LANES("pairs32", "pairs", WL_TIER_SMOKE, 32, 5, WHOLE, prepare_pairs),
    LANES("timeouts16", "timeouts", WL_TIER_SMOKE, 16, 90, WHOLE, prepare_timeouts),
    LANES("counts32", "counts", WL_TIER_SMOKE, 32, 0, FROM_C, prepare_counts),
    LANES("chain_up64", "chain_up", WL_TIER_CAMPAIGN, 64, 5, FROM_C, prepare_up),
    LANES("chain_down50", "chain_down", WL_TIER_CAMPAIGN, 50, 8, FROM_C, prepare_down),
    LANES("groups52", "groups", WL_TIER_CAMPAIGN, 52, 33, FROM_C, prepare_groups),
    LANES("arms64", "arms", WL_TIER_CAMPAIGN, 64, 24, WHOLE, prepare_arms),
    LANES("arms_back64", "arms_back", WL_TIER_CAMPAIGN, 64, 24, WL_PTX_HAND, prepare_arms),
    LANES("pairs64", "pairs", WL_TIER_CAMPAIGN, 64, 23, WHOLE, prepare_pairs),
    LANES("timeouts64", "timeouts", WL_TIER_CAMPAIGN, 64, 200, WHOLE, prepare_timeouts),
};

const wl_kernel_t wl_kernel_mbar_lanes = {
    .name = "mbar_lanes",
    .variants = WL_PTX_COMPILED | WL_PTX_NVCC_NEWER | WL_PTX_HAND,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .requires_shared = 768,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
