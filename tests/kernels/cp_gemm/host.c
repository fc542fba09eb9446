/* Host side of kernel cp_gemm: the same sequence of matrix instructions, an element at a time. */
#include "tests/kernels/common/kernel_case.h"
#include "tests/kernels/common/mma_rule.h"

enum { STEP = 32 }; /* bytes of k of an instruction */

/* Halves with exponents -4 to 3; a few zeros. */
static void fill(wl_rng_t *rng, uint8_t *data, uint32_t bytes) {
  for (uint32_t i = 0; i + 1 < bytes; i += 2) {
    const uint32_t word = wl_rng_u32(rng);
    const bool zero = (word >> 16) % 32 == 0;
    data[i] = zero ? 0 : (uint8_t)word;
    data[i + 1] = zero ? 0 : (uint8_t)((word >> 8 & 0x83) + ((11 + (word >> 10 & 7)) << 2));
  }
}

static float element(const uint8_t *a, const uint8_t *b, uint32_t bytes) {
  float sum = 0;
  for (uint32_t at = 0; at < bytes; at += STEP) {
    float x[STEP / 2] = {0}, y[STEP / 2] = {0};
    for (uint32_t k = 0; k < STEP / 2 && at + 2 * k < bytes; k++) {
      const uint8_t *p = a + at + 2 * k, *q = b + at + 2 * k;
      x[k] = wl_rule_half(p[0] | (uint32_t)p[1] << 8);
      y[k] = wl_rule_half(q[0] | (uint32_t)q[1] << 8);
    }
    sum = wl_rule_block(x, y, STEP / 2, sum);
  }
  return sum;
}

/* size: m, n, bytes of k, bytes from row to row. */
static void prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  const uint32_t m = kcase->size[0], n = kcase->size[1];
  const uint32_t bytes = kcase->size[2], pitch = kcase->size[3];
  wl_rng_t rng = {m + n + bytes};
  uint8_t *a = wl_arg_in(launch, m * pitch);
  uint8_t *b = wl_arg_in(launch, n * pitch);
  float *c = wl_arg_out(launch, m * n * sizeof *c);
  wl_arg_u32(launch, m);
  wl_arg_u32(launch, n);
  wl_arg_u32(launch, bytes);
  wl_arg_u32(launch, pitch);
  if (launch->failed) {
    return;
  }
  fill(&rng, a, m * pitch);
  fill(&rng, b, n * pitch);
  for (uint32_t i = 0; i < m * n; i++) {
    c[i] = element(a + i / n * pitch, b + i % n * pitch, bytes);
  }
}

#define CASE(case_name, entry_name, case_tier, m, n, bytes, pitch)                                 \
  {.name = case_name,                                                                              \
   .entry = entry_name,                                                                            \
   .tier = case_tier,                                                                              \
   .grid = {((n) + 31) / 32, ((m) + 63) / 64, 1},                                                  \
   .block = {128, 1, 1},                                                                           \
   .size = {m, n, bytes, pitch},                                                                   \
   .prepare = prepare}

static const wl_kernel_case_t cases[] = {
    CASE("two_k64", "gemm_two", WL_TIER_SMOKE, 64, 32, 128, 128),
    CASE("four_edges", "gemm_four", WL_TIER_SMOKE, 37, 23, 150, 160),
    CASE("two_k512", "gemm_two", WL_TIER_CAMPAIGN, 128, 64, 1024, 1024),
    CASE("four_k16", "gemm_four", WL_TIER_CAMPAIGN, 65, 33, 32, 32),
    CASE("four_k257", "gemm_four", WL_TIER_CAMPAIGN, 130, 70, 514, 528),
};

const wl_kernel_t wl_kernel_cp_gemm = {
    .name = "cp_gemm",
    .variants = WL_PTX_COMPILED | WL_PTX_NVCC_NEWER,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .requires_shared = 18432,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
