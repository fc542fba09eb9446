/* Host side of kernel warp_ops: whole warps only; a shuffle from out of range keeps the own value. */
#include "tests/kernels/common/kernel_case.h"

static void shuffle_warp(const int32_t *v, int32_t *out) {
  for (uint32_t lane = 0; lane < 32; lane++) {
    int32_t *r = out + lane * 10;
    int64_t wide = (int64_t)v[lane < 30 ? lane + 2 : lane] * 1000003;
    r[0] = v[(lane * 7 + 3) % 32];
    r[1] = v[(lane & ~7u) | ((uint32_t)v[lane] & 7u)];
    r[2] = v[lane >= 3 ? lane - 3 : lane];
    r[3] = v[lane % 16 >= 5 ? lane - 5 : lane];
    r[4] = v[lane + 4 < 32 ? lane + 4 : lane];
    r[5] = v[lane % 4 < 3 ? lane + 1 : lane];
    r[6] = v[lane ^ 21u];
    r[7] = v[lane ^ 9u];
    r[8] = lane % 3 == 0 ? v[lane / 3 * 6 % 33] : (int32_t)((uint32_t)v[lane] * 3u);
    r[9] = (int32_t)(uint32_t)wide ^ (int32_t)(wide >> 32);
  }
}

static uint32_t mask_of(const uint32_t *v, uint32_t among, uint32_t bits, uint32_t value) {
  uint32_t mask = 0;
  for (uint32_t lane = 0; lane < 32; lane++) {
    mask |= (among >> lane & 1u) != 0 && (v[lane] & bits) == value ? 1u << lane : 0;
  }
  return mask;
}

static uint32_t count_bits(uint32_t v) {
  uint32_t n = 0;
  for (; v != 0; v &= v - 1) {
    n++;
  }
  return n;
}

static void vote_warp(const uint32_t *v, uint32_t *out) {
  const uint32_t all = 0xffffffffu;
  uint32_t odd = mask_of(v, all, 1, 1);
  uint32_t small = 0;
  for (uint32_t lane = 0; lane < 32; lane++) {
    small |= v[lane] < 9 ? 1u << lane : 0;
  }
  bool same = mask_of(v, all, ~15u, v[0] & ~15u) == all;
  for (uint32_t lane = 0; lane < 32; lane++) {
    uint32_t *r = out + lane * 10;
    r[0] = odd;
    r[1] = (mask_of(v, all, all, 5) == 0 ? 1u : 0) | (mask_of(v, all, all, 3) != 0 ? 2u : 0) |
           (small == 0 || small == all ? 4u : 0);
    r[2] = mask_of(v, all, 7, v[lane] & 7u);
    r[3] = same ? all : 0;
    r[4] = same ? 1 : 0;
    r[5] = all;
    r[6] = all;
    if ((v[lane] & 1u) != 0) {
      r[7] = mask_of(v, odd, 2, 2);
      r[8] = count_bits(r[7] & ((1u << lane) - 1));
    } else {
      r[7] = mask_of(v, ~odd, 6, v[lane] & 6u);
      r[8] = mask_of(v, ~odd, all, 4) != 0 ? 1 : 0;
    }
    r[9] = lane;
  }
}

typedef struct {
  uint32_t add, umin, umax, and_all, or_all, xor_all;
  int32_t smin, smax;
} reduced_t;

static reduced_t reduce(const uint32_t *v, uint32_t from, uint32_t to, uint32_t set,
                        uint32_t keep) {
  reduced_t r = {0, UINT32_MAX, 0, UINT32_MAX, 0, 0, INT32_MAX, INT32_MIN};
  for (uint32_t lane = from; lane < to; lane++) {
    int32_t s = (int32_t)v[lane];
    r.add += v[lane];
    r.umin = v[lane] < r.umin ? v[lane] : r.umin;
    r.umax = v[lane] > r.umax ? v[lane] : r.umax;
    r.smin = s < r.smin ? s : r.smin;
    r.smax = s > r.smax ? s : r.smax;
    r.and_all &= v[lane] | set;
    r.or_all |= v[lane] & keep;
    r.xor_all ^= v[lane];
  }
  return r;
}

static void redux_warp(const uint32_t *v, uint32_t *out) {
  reduced_t all = reduce(v, 0, 32, 0x0f0f0000u, 0x00ff00f0u);
  reduced_t low = reduce(v, 0, 11, 0, 0);
  reduced_t high = reduce(v, 11, 32, 0, 0);
  for (uint32_t lane = 0; lane < 32; lane++) {
    uint32_t *r = out + lane * 9;
    r[0] = all.add;
    r[1] = all.umin;
    r[2] = all.umax;
    r[3] = (uint32_t)all.smin;
    r[4] = (uint32_t)all.smax;
    r[5] = all.and_all;
    r[6] = all.or_all;
    r[7] = all.xor_all;
    r[8] = lane < 11 ? low.add : (uint32_t)high.smax;
  }
}

/* size[0]: which of the three; size[1]: mask of the input values (0: all bits). */
static void prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  static const uint32_t words[3] = {10, 10, 9};
  uint32_t threads = kcase->grid[0] * kcase->block[0];
  uint32_t which = kcase->size[0];
  wl_rng_t rng = {threads + which + 26};
  uint32_t *in = wl_arg_in(launch, threads * sizeof *in);
  uint32_t *out = wl_arg_out(launch, threads * words[which] * sizeof *out);
  if (launch->failed) {
    return;
  }
  for (uint32_t base = 0; base < threads; base += 32) {
    uint32_t *v = in + base;
    for (uint32_t lane = 0; lane < 32; lane++) {
      v[lane] = wl_rng_u32(&rng);
      v[lane] = which == 1 ? v[lane] & (base % 64 == 0 ? 15u : 31u) : v[lane];
    }
    if (which == 0) {
      shuffle_warp((const int32_t *)v, (int32_t *)out + base * 10);
    } else if (which == 1) {
      vote_warp(v, out + base * 10);
    } else {
      redux_warp(v, out + base * 9);
    }
  }
}

static const wl_kernel_case_t cases[] = {
    {.name = "shuffles96",
     .entry = "shuffles",
     .tier = WL_TIER_SMOKE,
     .grid = {1, 1, 1},
     .block = {96, 1, 1},
     .size = {0},
     .prepare = prepare},
    {.name = "votes96",
     .entry = "votes",
     .tier = WL_TIER_SMOKE,
     .grid = {1, 1, 1},
     .block = {96, 1, 1},
     .size = {1},
     .prepare = prepare},
    {.name = "redux96",
     .entry = "redux",
     .tier = WL_TIER_SMOKE,
     .grid = {1, 1, 1},
     .block = {96, 1, 1},
     .size = {2},
     .prepare = prepare},
    {.name = "shuffles1760",
     .entry = "shuffles",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {11, 1, 1},
     .block = {160, 1, 1},
     .size = {0},
     .prepare = prepare},
    {.name = "votes1760",
     .entry = "votes",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {11, 1, 1},
     .block = {160, 1, 1},
     .size = {1},
     .prepare = prepare},
    {.name = "redux1760",
     .entry = "redux",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {11, 1, 1},
     .block = {160, 1, 1},
     .size = {2},
     .prepare = prepare},
};

const wl_kernel_t wl_kernel_warp_ops = {
    .name = "warp_ops",
    .variants = WL_PTX_COMPILED | WL_PTX_NVCC_NEWER,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
