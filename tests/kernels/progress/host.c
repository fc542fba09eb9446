/* Host side of kernel progress. */
#include "tests/kernels/common/kernel_case.h"

static void prepare_pollers(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t groups = kcase->grid[0] * kcase->block[0] / 3;
  uint32_t steps = kcase->size[0];
  uint32_t *flag = wl_arg_out(launch, groups * 2 * sizeof *flag);
  uint32_t *mail = wl_arg_out(launch, groups * 2 * sizeof *mail);
  uint32_t *out = wl_arg_out(launch, groups * 2 * sizeof *out);
  wl_arg_u32(launch, steps);
  if (launch->failed) {
    return;
  }
  for (uint32_t g = 0; g < groups; g++) {
    uint32_t x = g + 1;
    for (uint32_t i = 0; i < steps; i++) {
      x = x * 1664525u + 1013904223u;
    }
    mail[2 * g] = x;
    for (uint32_t i = 0; i < steps; i++) {
      x = x * 22695477u + 1;
    }
    mail[2 * g + 1] = x;
    out[2 * g] = mail[2 * g] + 1;
    out[2 * g + 1] = mail[2 * g + 1] ^ 0x5555u;
    flag[2 * g] = 1;
    flag[2 * g + 1] = 1;
  }
}

static void prepare_sleepers(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t threads = kcase->block[0];
  uint32_t total = kcase->grid[0] * threads;
  uint32_t *word = wl_arg_out(launch, total * sizeof *word);
  uint32_t *out = wl_arg_out(launch, total * sizeof *out);
  if (launch->failed) {
    return;
  }
  for (uint32_t i = total; i-- > 0;) {
    uint32_t t = i % threads;
    out[i] = t + 1 < threads ? word[i + 1] * 3 + t : 1;
    word[i] = out[i] | 1u;
  }
}

static void prepare_both_arms(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t total = kcase->grid[0] * kcase->block[0];
  uint32_t rounds = kcase->size[0];
  wl_rng_t rng = {total + 32};
  uint32_t *in = wl_arg_in(launch, total * sizeof *in);
  uint32_t *out = wl_arg_out(launch, total * sizeof *out);
  wl_arg_u32(launch, rounds);
  for (uint32_t base = 0; !launch->failed && base < total; base += 32) {
    uint32_t *v = out + base;
    for (uint32_t lane = 0; lane < 32; lane++) {
      v[lane] = in[base + lane] = wl_rng_u32(&rng);
    }
    for (uint32_t r = 0; r < rounds; r++) {
      uint32_t stage[32];
      for (uint32_t lane = 0; lane < 32; lane++) {
        stage[lane] = v[lane];
      }
      for (uint32_t lane = 0; lane < 32; lane++) {
        bool first = (lane + r) % 3 == 0;
        v[lane] = first ? v[lane] * 5 + 1 + stage[31 - lane]
                        : (v[lane] ^ v[lane] >> 7) - stage[31 - lane];
      }
    }
  }
}

static uint32_t soup(uint32_t x, uint32_t limit) {
  char state = (x & 1u) != 0 ? 'b' : (x & 2u) != 0 ? 'c' : 'a';
  for (uint32_t count = 0; count < limit; count++) {
    switch (state) {
    case 'a':
      x = x * 3 + 1;
      state = (x & 4u) != 0 ? 'c' : 'b';
      break;
    case 'b':
      x ^= x >> 3;
      state = (x & 2u) != 0 ? 'a' : (x & 16u) != 0 ? 'd' : 'c';
      break;
    case 'c':
      x += 0x9e3779b9u;
      state = (x & 8u) != 0 ? 'b' : 'd';
      break;
    default:
      x = x << 5 | x >> 27;
      state = (x & 1u) != 0 ? 'a' : (x & 64u) != 0 ? 'c' : 'b';
      break;
    }
  }
  return x;
}

static void prepare_soup(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t n = kcase->size[0];
  uint32_t limit = kcase->size[1];
  wl_rng_t rng = {n + 33};
  uint32_t *in = wl_arg_in(launch, n * sizeof *in);
  uint32_t *out = wl_arg_out(launch, n * sizeof *out);
  wl_arg_u32(launch, n);
  wl_arg_u32(launch, limit);
  if (launch->failed) {
    return;
  }
  for (uint32_t i = 0; i < n; i++) {
    in[i] = wl_rng_u32(&rng);
    out[i] = soup(in[i], limit);
  }
}

/* The hand-written PTX has goto_soup and both_arms only. */
#define WITHOUT_HAND (WL_PTX_COMPILED | WL_PTX_NVCC_NEWER)

static const wl_kernel_case_t cases[] = {
    {.name = "pollers27",
     .entry = "pollers_worker",
     .tier = WL_TIER_SMOKE,
     .grid = {1, 1, 1},
     .block = {27, 1, 1},
     .size = {41},
     .prepare = prepare_pollers,
     .variants = WITHOUT_HAND},
    {.name = "sleepers31",
     .entry = "sleepers",
     .tier = WL_TIER_SMOKE,
     .grid = {1, 1, 1},
     .block = {31, 1, 1},
     .prepare = prepare_sleepers,
     .variants = WITHOUT_HAND},
    {.name = "both_arms64",
     .entry = "both_arms",
     .tier = WL_TIER_SMOKE,
     .grid = {1, 1, 1},
     .block = {64, 1, 1},
     .size = {7},
     .prepare = prepare_both_arms},
    {.name = "soup37",
     .entry = "goto_soup",
     .tier = WL_TIER_SMOKE,
     .grid = {1, 1, 1},
     .block = {40, 1, 1},
     .size = {37, 50},
     .prepare = prepare_soup},
    {.name = "pollers4x99",
     .entry = "pollers_worker",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {4, 1, 1},
     .block = {99, 1, 1},
     .size = {200},
     .prepare = prepare_pollers,
     .variants = WITHOUT_HAND},
    {.name = "sleepers3x101",
     .entry = "sleepers",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {3, 1, 1},
     .block = {101, 1, 1},
     .prepare = prepare_sleepers,
     .variants = WITHOUT_HAND},
    {.name = "both_arms7x192",
     .entry = "both_arms",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {7, 1, 1},
     .block = {192, 1, 1},
     .size = {23},
     .prepare = prepare_both_arms},
    {.name = "soup777",
     .entry = "goto_soup",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {4, 1, 1},
     .block = {200, 1, 1},
     .size = {777, 300},
     .prepare = prepare_soup},
};

const wl_kernel_t wl_kernel_progress = {
    .name = "progress",
    .variants = WITHOUT_HAND | WL_PTX_HAND,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .requires_shared = 1024,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
