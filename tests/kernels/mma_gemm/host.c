/* Host side of kernel mma_gemm: the same sequence of matrix instructions, an element at a time. */
#include "tests/kernels/common/kernel_case.h"
#include "tests/kernels/common/mma_rule.h"

enum { F16, S8, E4M3 };
enum { STEP = 32 }; /* bytes of k of an instruction */

static uint32_t late(uint32_t split, uint32_t lane, uint32_t v) {
  for (uint32_t k = 0; (split >> lane & 1) != 0 && k <= lane % 5; k++) {
    v = v * 1664525u + 1013904223u;
  }
  return v;
}

/* Halves with exponents -4 to 3, bytes of e4m3 with -3 to 2; a few zeros. */
static void fill(wl_rng_t *rng, uint32_t type, uint8_t *data, uint32_t bytes) {
  for (uint32_t i = 0; i < bytes; i++) {
    data[i] = (uint8_t)wl_rng_u32(rng);
    const uint32_t zero = wl_rng_u32(rng) % 32;
    if (type == F16 && i % 2 == 1) {
      data[i] = (uint8_t)((data[i] & 0x83) + ((11 + (data[i] >> 2 & 7)) << 2));
    } else if (type == E4M3) {
      data[i] = (uint8_t)((data[i] & 0x87) + ((4 + (data[i] >> 3 & 15) % 6) << 3));
    }
    if (zero == 0 && type == F16 && i % 2 == 1) {
      data[i] = data[i - 1] = 0;
    } else if (zero == 0 && type == E4M3) {
      data[i] = 0;
    }
  }
}

static float sum_f16(const uint8_t *a, const uint8_t *b, float c) {
  float x[STEP / 2], y[STEP / 2];
  for (uint32_t k = 0; k < STEP / 2; k++) {
    x[k] = wl_rule_half(a[2 * k] | (uint32_t)a[2 * k + 1] << 8);
    y[k] = wl_rule_half(b[2 * k] | (uint32_t)b[2 * k + 1] << 8);
  }
  return wl_rule_block(x, y, STEP / 2, c);
}

static float sum_e4m3(const uint8_t *a, const uint8_t *b, float c) {
  float x[STEP], y[STEP];
  for (uint32_t k = 0; k < STEP; k++) {
    x[k] = wl_rule_byte(a[k]);
    y[k] = wl_rule_byte(b[k]);
  }
  return wl_rule_bytes(x, y, STEP, c);
}

static uint32_t element(uint32_t type, const uint8_t *a, const uint8_t *b, uint32_t bytes) {
  union {
    float f;
    int32_t s;
    uint32_t bits;
  } sum = {.bits = 0};
  for (uint32_t at = 0; at < bytes; at += STEP) {
    if (type == F16) {
      sum.f = sum_f16(a + at, b + at, sum.f);
    } else if (type == E4M3) {
      sum.f = sum_e4m3(a + at, b + at, sum.f);
    }
    for (uint32_t k = at; type == S8 && k < at + STEP; k++) {
      sum.s += (int8_t)a[k] * (int8_t)b[k];
    }
  }
  return sum.bits;
}

/* size: type, lanes that come late, m and n in CTAs (low and high half), bytes of k. */
static void prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  const uint32_t type = kcase->size[0], split = kcase->size[1];
  const uint32_t m = (kcase->size[2] & 0xffff) * 64, n = (kcase->size[2] >> 16) * 32;
  const uint32_t bytes = kcase->size[3], threads = m / 64 * (n / 32) * 128;
  wl_rng_t rng = {m + n + bytes + type};
  uint8_t *a = wl_arg_in(launch, m * bytes);
  uint8_t *b = wl_arg_in(launch, n * bytes);
  uint32_t *c = wl_arg_out(launch, m * n * sizeof *c);
  uint32_t *work = wl_arg_out(launch, threads * sizeof *work);
  wl_arg_u32(launch, n);
  wl_arg_u32(launch, bytes / 4);
  wl_arg_u32(launch, split);
  if (launch->failed) {
    return;
  }
  fill(&rng, type, a, m * bytes);
  fill(&rng, type, b, n * bytes);
  for (uint32_t i = 0; i < m * n; i++) {
    c[i] = element(type, a + i / n * bytes, b + i % n * bytes, bytes);
  }
  for (uint32_t i = 0; i < threads; i++) {
    work[i] = i % 128;
    for (uint32_t step = 0; step < bytes / STEP; step++) {
      work[i] = late(split, i % 32, work[i]);
    }
  }
}

#define CASE(case_name, entry_name, case_tier, type, split, m, n, bytes, only)                     \
  {.name = case_name,                                                                              \
   .entry = entry_name,                                                                            \
   .tier = case_tier,                                                                              \
   .grid = {n, m, 1},                                                                              \
   .block = {128, 1, 1},                                                                           \
   .size = {type, split, (m) | (uint32_t)(n) << 16, bytes},                                        \
   .variants = only,                                                                               \
   .prepare = prepare}

static const wl_kernel_case_t cases[] = {
    CASE("f16", "gemm_f16", WL_TIER_SMOKE, F16, 0, 1, 1, 64, 0),
    CASE("f16split", "gemm_f16", WL_TIER_SMOKE, F16, 0xff00137cu, 1, 1, 32, 0),
    CASE("s8", "gemm_s8", WL_TIER_SMOKE, S8, 0, 1, 1, 64, 0),
    CASE("e4m3", "gemm_e4m3", WL_TIER_SMOKE, E4M3, 0, 1, 1, 64, WL_PTX_NVCC_NEWER),
    CASE("f16k512", "gemm_f16", WL_TIER_CAMPAIGN, F16, 0, 2, 2, 1024, 0),
    CASE("s8k512", "gemm_s8", WL_TIER_CAMPAIGN, S8, 0x80000001u, 2, 2, 512, 0),
    CASE("e4m3k512", "gemm_e4m3", WL_TIER_CAMPAIGN, E4M3, 0, 2, 2, 512, WL_PTX_NVCC_NEWER),
};

const wl_kernel_t wl_kernel_mma_gemm = {
    .name = "mma_gemm",
    .variants = WL_PTX_COMPILED | WL_PTX_NVCC_NEWER,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .requires_shared = 4608,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
