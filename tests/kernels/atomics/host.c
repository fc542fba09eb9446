/* Host side of kernel atomics: the same operations one after another. */
#include <string.h>

#include "tests/kernels/common/kernel_case.h"

#define GROUPS 3u
#define WORDS  11u
#define WIDES  8u

static uint32_t min_u(uint32_t a, uint32_t b) { return a < b ? a : b; }
static uint32_t max_u(uint32_t a, uint32_t b) { return a > b ? a : b; }
static uint32_t min_s(uint32_t a, uint32_t b) { return (int32_t)a < (int32_t)b ? a : b; }
static uint32_t max_s(uint32_t a, uint32_t b) { return (int32_t)a > (int32_t)b ? a : b; }

static uint32_t increment(uint32_t old, uint32_t limit) { return old >= limit ? 0 : old + 1; }

static uint32_t decrement(uint32_t old, uint32_t limit) {
  return old == 0 || old > limit ? limit : old - 1;
}

static void all_on(uint32_t *w, uint64_t *d, float *f, uint32_t v, uint64_t big) {
  w[0] += v;
  w[1] = min_u(w[1], v);
  w[2] = max_u(w[2], v);
  w[3] = min_s(w[3], v);
  w[4] = max_s(w[4], v);
  w[5] = increment(w[5], 12);
  w[6] = decrement(w[6], 17);
  w[7] &= v | 0xff00u;
  w[8] |= v & 0x00ff0ff0u;
  w[9] ^= v;
  w[10] = max_s(w[10], v * 3);
  d[0] += big;
  d[1] = big < d[1] ? big : d[1];
  d[2] = big > d[2] ? big : d[2];
  d[3] = (int64_t)big < (int64_t)d[3] ? big : d[3];
  d[4] = (int64_t)big > (int64_t)d[4] ? big : d[4];
  d[5] &= big | 0xffff0000u;
  d[6] |= big & UINT64_C(0xf0f0f0f000);
  d[7] ^= big;
  *f += (float)(v & 15u);
}

static void prepare_final(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t n = kcase->size[0];
  wl_rng_t rng = {n + 30};
  void *want_w = NULL;
  void *want_d = NULL;
  uint32_t *in = wl_arg_in(launch, n * sizeof *in);
  uint64_t *big = wl_arg_in(launch, n * sizeof *big);
  uint32_t *w = wl_arg_inout(launch, GROUPS * WORDS * sizeof *w, &want_w);
  uint64_t *d = wl_arg_inout(launch, GROUPS * WIDES * sizeof *d, &want_d);
  float *f = wl_arg_out(launch, GROUPS * sizeof *f);
  wl_arg_u32(launch, n);
  if (launch->failed) {
    return;
  }
  for (uint32_t i = 0; i < GROUPS * WORDS; i++) {
    w[i] = wl_rng_u32(&rng);
  }
  for (uint32_t i = 0; i < GROUPS * WIDES; i++) {
    d[i] = wl_rng_u64(&rng);
  }
  memcpy(want_w, w, GROUPS * WORDS * sizeof *w);
  memcpy(want_d, d, GROUPS * WIDES * sizeof *d);
  for (uint32_t i = 0; i < n; i++) {
    in[i] = wl_rng_u32(&rng);
    big[i] = wl_rng_u64(&rng);
    all_on((uint32_t *)want_w + i % 3 * WORDS, (uint64_t *)want_d + i % 3 * WIDES, f + i % 3, in[i],
           big[i]);
  }
}

static uint32_t exchange(uint32_t *at, uint32_t v) {
  uint32_t old = *at;
  *at = v;
  return old;
}

static uint64_t exchange_wide(uint64_t *at, uint64_t v) {
  uint64_t old = *at;
  *at = v;
  return old;
}

static uint32_t own_words(uint32_t *mine, uint32_t i) {
  uint32_t hash = exchange(&mine[0], i * 7);
  hash = hash * 31 + exchange(&mine[1], mine[1] == i % 4 ? i + 100 : mine[1]);
  hash = hash * 31 + exchange(&mine[1], mine[1] == i + 100 ? 9 : mine[1]);
  hash = hash * 31 + exchange(&mine[2], mine[2] + 5);
  hash = hash * 31 + exchange(&mine[2], increment(mine[2], 20));
  hash = hash * 31 + exchange(&mine[2], decrement(mine[2], 10));
  hash = hash * 31 + exchange(&mine[2], max_u(mine[2], 11));
  return hash * 31 + exchange(&mine[2], mine[2] ^ 0xffu);
}

static uint64_t own_wide(uint64_t *wide, uint32_t i) {
  bool equal = wide[1] == (uint64_t)(i % 4) << 32;
  uint64_t sum = exchange_wide(&wide[0], (uint64_t)i << 33);
  sum = sum * 31 + exchange_wide(&wide[1], equal ? ~(uint64_t)i : wide[1]);
  sum = sum * 31 + exchange_wide(&wide[1], wide[1] + UINT64_C(0x100000001));
  return sum * 31 + exchange_wide(&wide[0], wide[0] & UINT64_C(0xff00000000));
}

static void prepare_own(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t n = kcase->size[0];
  wl_rng_t rng = {n + 31};
  void *want_w = NULL;
  void *want_d = NULL;
  uint32_t *w = wl_arg_inout(launch, n * 3 * sizeof *w, &want_w);
  uint64_t *d = wl_arg_inout(launch, n * 2 * sizeof *d, &want_d);
  uint32_t *old = wl_arg_out(launch, n * sizeof *old);
  uint64_t *old_wide = wl_arg_out(launch, n * sizeof *old_wide);
  wl_arg_u32(launch, n);
  if (launch->failed) {
    return;
  }
  for (uint32_t i = 0; i < n; i++) {
    w[3 * i] = wl_rng_u32(&rng);
    w[3 * i + 1] = wl_rng_below(&rng, 4); /* the first CAS succeeds in one of four */
    w[3 * i + 2] = wl_rng_below(&rng, 24);
    d[2 * i] = wl_rng_u64(&rng);
    d[2 * i + 1] = (uint64_t)wl_rng_below(&rng, 4) << 32;
  }
  memcpy(want_w, w, n * 3 * sizeof *w);
  memcpy(want_d, d, n * 2 * sizeof *d);
  for (uint32_t i = 0; i < n; i++) {
    old[i] = own_words((uint32_t *)want_w + 3 * i, i);
    old_wide[i] = own_wide((uint64_t *)want_d + 2 * i, i);
  }
}

static const wl_kernel_case_t cases[] = {
    {.name = "final203",
     .entry = "atomics_final",
     .tier = WL_TIER_SMOKE,
     .grid = {3, 1, 1},
     .block = {77, 1, 1},
     .size = {203},
     .prepare = prepare_final},
    {.name = "shared203",
     .entry = "atomics_shared",
     .tier = WL_TIER_SMOKE,
     .grid = {1, 1, 1},
     .block = {77, 1, 1},
     .size = {203},
     .prepare = prepare_final},
    {.name = "own203",
     .entry = "atomics_own",
     .tier = WL_TIER_SMOKE,
     .grid = {3, 1, 1},
     .block = {77, 1, 1},
     .size = {203},
     .prepare = prepare_own},
    {.name = "final3001",
     .entry = "atomics_final",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {13, 1, 1},
     .block = {250, 1, 1},
     .size = {3001},
     .prepare = prepare_final},
    {.name = "shared3001",
     .entry = "atomics_shared",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {1, 1, 1},
     .block = {250, 1, 1},
     .size = {3001},
     .prepare = prepare_final},
    {.name = "own3001",
     .entry = "atomics_own",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {13, 1, 1},
     .block = {250, 1, 1},
     .size = {3001},
     .prepare = prepare_own},
};

const wl_kernel_t wl_kernel_atomics = {
    .name = "atomics",
    .variants = WL_PTX_COMPILED | WL_PTX_NVCC_NEWER,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .requires_shared = 336,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
