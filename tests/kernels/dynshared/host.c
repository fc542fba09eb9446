/* Host side of kernel dynshared: ranks by counting sort. */
#include "tests/kernels/common/kernel_case.h"

static void rank_part(const uint32_t *in, uint32_t *out, uint32_t count) {
  uint32_t start[257] = {0};
  for (uint32_t i = 0; i < count; i++) {
    start[(in[i] & 0xffu) + 1]++;
  }
  for (uint32_t v = 0; v < 256; v++) {
    start[v + 1] += start[v];
  }
  for (uint32_t i = 0; i < count; i++) {
    out[2 * i] = in[count - 1 - i];
    out[2 * i + 1] = start[in[i] & 0xffu]++;
  }
}

static void prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t n = kcase->size[0];
  uint32_t part = kcase->block[0];
  wl_rng_t rng = {n + 19};
  uint32_t *in = wl_arg_in(launch, n * sizeof *in);
  uint32_t *out = wl_arg_out(launch, n * 2 * sizeof *out);
  wl_arg_u32(launch, n);
  if (launch->failed) {
    return;
  }
  for (uint32_t i = 0; i < n; i++) {
    in[i] = wl_rng_u32(&rng);
  }
  for (uint32_t base = 0; base < n; base += part) {
    rank_part(in + base, out + 2 * base, n - base < part ? n - base : part);
  }
}

static const wl_kernel_case_t cases[] = {
    {.name = "n101",
     .entry = "dynshared",
     .tier = WL_TIER_SMOKE,
     .grid = {3, 1, 1},
     .block = {37, 1, 1},
     .dynamic_shared = 37 * 5,
     .size = {101},
     .prepare = prepare},
    {.name = "n1999",
     .entry = "dynshared",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {8, 1, 1},
     .block = {251, 1, 1},
     .dynamic_shared = 8192,
     .size = {1999},
     .prepare = prepare},
};

const wl_kernel_t wl_kernel_dynshared = {
    .name = "dynshared",
    .variants = WL_PTX_COMPILED,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .requires_shared = 4,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
