/* Host side of kernel half_histogram: skewed bytes, so that lanes of a warp often meet in a bin or in the
 * two halves of a word. Counts are integers here; f16 has all of them up to 2048, bf16 up to 256. */
#include "tests/kernels/common/kernel_case.h"

enum { PAIRS, SINGLE, BF16 };

static uint32_t f16(uint32_t count) {
  uint32_t bits = wl_kernel_float_bits((float)count);
  return count == 0 ? 0 : ((bits >> 23) - 127 + 15) << 10 | (bits >> 13 & 0x3ffu);
}

static uint32_t bf16(uint32_t count) { return wl_kernel_float_bits((float)count) >> 16; }

/* size: elements, kind. */
static void prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t n = kcase->size[0], kind = kcase->size[1];
  uint32_t count[64] = {0}, sum[64] = {0};
  wl_rng_t rng = {n + 11};
  uint8_t *in = wl_arg_in(launch, n);
  void *bins = wl_arg_out(launch, kind == SINGLE ? 128 : 256);
  wl_arg_u32(launch, n);
  if (launch->failed) {
    return;
  }
  for (uint32_t i = 0; i < n; i++) {
    in[i] = (uint8_t)(wl_rng_u32(&rng) & wl_rng_u32(&rng));
    count[in[i] / 4]++;
    sum[in[i] / 4] += in[i] & (kind == BF16 ? 1 : 3);
  }
  for (uint32_t b = 0; b < 64; b++) {
    if (kind == SINGLE) {
      ((uint16_t *)bins)[b] = (uint16_t)f16(count[b]);
    } else if (kind == PAIRS) {
      ((uint32_t *)bins)[b] = f16(count[b]) | f16(sum[b]) << 16;
    } else {
      ((uint32_t *)bins)[b] = bf16(count[b]) | bf16(sum[b]) << 16;
    }
  }
}

#define CASE(case_name, entry_name, case_tier, ctas, threads, n, kind)                             \
  {.name = case_name,                                                                              \
   .entry = entry_name,                                                                            \
   .tier = case_tier,                                                                              \
   .grid = {ctas, 1, 1},                                                                           \
   .block = {threads, 1, 1},                                                                       \
   .size = {n, kind},                                                                              \
   .prepare = prepare}

static const wl_kernel_case_t cases[] = {
    CASE("pairs301", "half_histogram_pairs", WL_TIER_SMOKE, 2, 96, 301, PAIRS),
    CASE("shared401", "half_histogram_shared", WL_TIER_SMOKE, 2, 96, 401, SINGLE),
    CASE("bf16_301", "half_histogram_bf16", WL_TIER_SMOKE, 2, 96, 301, BF16),
    CASE("pairs9001", "half_histogram_pairs", WL_TIER_CAMPAIGN, 9, 256, 9001, PAIRS),
    CASE("shared9001", "half_histogram_shared", WL_TIER_CAMPAIGN, 9, 256, 9001, SINGLE),
    CASE("bf16_1201", "half_histogram_bf16", WL_TIER_CAMPAIGN, 9, 128, 1201, BF16),
};

const wl_kernel_t wl_kernel_half_histogram = {
    .name = "half_histogram",
    .variants = WL_PTX_COMPILED | WL_PTX_NVCC_NEWER,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .requires_shared = 128,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
