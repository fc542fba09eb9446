/* Host side of kernel mma_sp_gemm: the whole A is spread out first; of it the elements that are kept are
 * multiplied, an instruction's at a time, or (integers) all of them. */
#include <string.h>

#include "tests/kernels/common/kernel_case.h"
#include "tests/kernels/common/mma_rule.h"

enum { F16, S8 };
enum { STORED = 32, WHOLE = 64 }; /* bytes of a row of A and of a column of B, of an instruction */

static uint32_t width(uint32_t type) { return type == F16 ? 2 : 1; }

/* Halves with exponents -4 to 3, any integers. */
static void fill(wl_rng_t *rng, uint32_t type, uint8_t *data, uint32_t bytes) {
  for (uint32_t i = 0; i < bytes; i++) {
    data[i] = (uint8_t)wl_rng_u32(rng);
    if (type == F16 && i % 2 == 1) {
      data[i] = (uint8_t)((data[i] & 0x83) + ((11 + (data[i] >> 2 & 7)) << 2));
    }
  }
}

/* A chunk of four keeps two, in ascending order: `in` is packed, `places` says k, `e` has four bits a chunk. */
static void choose(wl_rng_t *rng, uint32_t elements, uint16_t *places, uint32_t *e) {
  for (uint32_t chunk = 0; chunk < elements / 2; chunk++) {
    uint32_t first = wl_rng_u32(rng) % 4, second = wl_rng_u32(rng) % 3;
    second += second >= first;
    const uint32_t low = first < second ? first : second, high = first < second ? second : first;
    places[2 * chunk] = (uint16_t)(4 * chunk + low);
    places[2 * chunk + 1] = (uint16_t)(4 * chunk + high);
    e[chunk / 8] |= (low | high << 2) << chunk % 8 * 4;
  }
}

static float product_f16(const uint8_t *a, const uint8_t *b, const uint16_t *places,
                         uint32_t steps) {
  float sum = 0;
  for (uint32_t step = 0; step < steps; step++) {
    float x[STORED / 2], y[STORED / 2];
    for (uint32_t i = 0; i < STORED / 2; i++) {
      const uint32_t at = step * (STORED / 2) + i;
      x[i] = wl_rule_half(a[2 * at] | (uint32_t)a[2 * at + 1] << 8);
      y[i] = wl_rule_half(b[2 * places[at]] | (uint32_t)b[2 * places[at] + 1] << 8);
    }
    sum = wl_rule_block(x, y, STORED / 2, sum);
  }
  return sum;
}

/* All of the row, with zeros. */
static int32_t product_s8(const uint8_t *a, const uint8_t *b, const uint16_t *places,
                          uint32_t steps) {
  static int8_t row[4096];
  int32_t sum = 0;
  memset(row, 0, steps * WHOLE);
  for (uint32_t i = 0; i < steps * STORED; i++) {
    row[places[i]] = (int8_t)a[i];
  }
  for (uint32_t k = 0; k < steps * WHOLE; k++) {
    sum += row[k] * (int8_t)b[k];
  }
  return sum;
}

/* size: type, m and n in CTAs, steps. */
static void prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  const uint32_t type = kcase->size[0], m = kcase->size[1] * 64, n = kcase->size[2] * 32;
  const uint32_t steps = kcase->size[3], kept = steps * STORED / width(type);
  static uint16_t places[2048];
  wl_rng_t rng = {m + n + steps + type};
  uint8_t *a = wl_arg_in(launch, m * steps * STORED);
  uint8_t *b = wl_arg_in(launch, n * steps * WHOLE);
  uint32_t *e = wl_arg_in(launch, m * kept / 16 * sizeof *e);
  uint32_t *c = wl_arg_out(launch, m * n * sizeof *c);
  wl_arg_u32(launch, n);
  wl_arg_u32(launch, steps);
  if (launch->failed) {
    return;
  }
  fill(&rng, type, a, m * steps * STORED);
  fill(&rng, type, b, n * steps * WHOLE);
  memset(e, 0, m * kept / 16 * sizeof *e);
  for (uint32_t row = 0; row < m; row++) {
    const uint8_t *stored = a + row * steps * STORED;
    choose(&rng, kept, places, e + row * kept / 16);
    for (uint32_t column = 0; column < n; column++) {
      const uint8_t *whole = b + column * steps * WHOLE;
      union {
        float f;
        int32_t s;
        uint32_t bits;
      } d;
      if (type == F16) {
        d.f = product_f16(stored, whole, places, steps);
      } else {
        d.s = product_s8(stored, whole, places, steps);
      }
      c[row * n + column] = d.bits;
    }
  }
}

#define CASE(case_name, entry_name, case_tier, type, m, n, steps)                                  \
  {.name = case_name,                                                                              \
   .entry = entry_name,                                                                            \
   .tier = case_tier,                                                                              \
   .grid = {n, m, 1},                                                                              \
   .block = {128, 1, 1},                                                                           \
   .size = {type, m, n, steps},                                                                    \
   .prepare = prepare}

static const wl_kernel_case_t cases[] = {
    CASE("f16", "sparse_f16", WL_TIER_SMOKE, F16, 1, 1, 2),
    CASE("s8", "sparse_s8", WL_TIER_SMOKE, S8, 1, 1, 2),
    CASE("f16k512", "sparse_f16", WL_TIER_SMOKE, F16, 1, 1, 16),
    CASE("f16k1024", "sparse_f16", WL_TIER_CAMPAIGN, F16, 2, 2, 32),
    CASE("s8k1024", "sparse_s8", WL_TIER_CAMPAIGN, S8, 2, 2, 16),
};

const wl_kernel_t wl_kernel_mma_sp_gemm = {
    .name = "mma_sp_gemm",
    .variants = WL_PTX_COMPILED | WL_PTX_NVCC_NEWER,
    .result = WL_RESULT_EXACT,
    .requires_registers = 80,
    .requires_shared = 6144,
    .requires_option = "sparse matrices in the tensor core",
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
