/* Host side of kernel local_array: ranks by counting smaller ones instead of sorting. */
#include "tests/kernels/common/kernel_case.h"

static uint32_t expect(const uint32_t *in, uint32_t n, uint32_t me) {
  uint32_t v[17];
  uint32_t value[17] = {0};
  uint32_t from[17] = {0};
  for (uint32_t i = 0; i < 17; i++) {
    v[i] = in[(me * 17 + i * 5) % n] ^ i * 0x10001u;
  }
  for (uint32_t i = 0; i < 17; i++) {
    uint32_t rank = 0;
    for (uint32_t j = 0; j < 17; j++) {
      rank += v[j] < v[i] || (v[j] == v[i] && j < i);
    }
    value[rank] = v[i];
    from[rank] = i;
  }
  uint32_t hash = 0;
  uint32_t at = me % 17;
  for (uint32_t i = 0; i < 17; i++) {
    hash = hash * 131 + value[at] + from[at];
    at = from[at];
  }
  return hash;
}

static void prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t n = kcase->size[0];
  wl_rng_t rng = {n + 20};
  uint32_t *in = wl_arg_in(launch, n * sizeof *in);
  uint32_t *out = wl_arg_out(launch, n * sizeof *out);
  wl_arg_u32(launch, n);
  if (launch->failed) {
    return;
  }
  for (uint32_t i = 0; i < n; i++) {
    in[i] = wl_rng_u32(&rng);
  }
  for (uint32_t i = 0; i < n; i++) {
    out[i] = expect(in, n, i);
  }
}

static const wl_kernel_case_t cases[] = {
    {.name = "n45",
     .entry = "local_array",
     .tier = WL_TIER_SMOKE,
     .grid = {2, 1, 1},
     .block = {33, 1, 1},
     .size = {45},
     .prepare = prepare},
    {.name = "n777",
     .entry = "local_array",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {4, 1, 1},
     .block = {200, 1, 1},
     .size = {777},
     .prepare = prepare},
};

const wl_kernel_t wl_kernel_local_array = {
    .name = "local_array",
    .variants = WL_PTX_COMPILED,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
