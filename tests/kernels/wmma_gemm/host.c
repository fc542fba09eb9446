/* Host side of kernel wmma_gemm: the same sequence of matrix instructions, an element at a time. */
#include <string.h>

#include "tests/kernels/common/kernel_case.h"
#include "tests/kernels/common/mma_rule.h"

enum { F16, F16_F16, BF16, TF32, S8 };

/* Shape of the products; bytes of an element of A and B, of C and D; matrices that lie in rows. */
typedef struct kind {
  uint32_t m, n, k, bytes, sum_bytes;
  bool a_rows, b_rows, c_rows;
} kind_t;

static const kind_t kinds[] = {[F16] = {16, 16, 16, 2, 4, true, false, true},
                               [F16_F16] = {32, 8, 16, 2, 2, false, true, true},
                               [BF16] = {8, 32, 16, 2, 4, true, true, true},
                               [TF32] = {16, 16, 8, 4, 4, true, false, false},
                               [S8] = {16, 16, 16, 1, 4, true, false, false}};

typedef struct problem {
  uint32_t type, m, n, k;
  const uint8_t *a, *b, *c;
} problem_t;

static uint32_t late(uint32_t split, uint32_t lane, uint32_t v) {
  for (uint32_t k = 0; (split >> lane & 1) != 0 && k <= lane % 5; k++) {
    v = v * 1664525u + 1013904223u;
  }
  return v;
}

/* Numbers of A, B and C: exponents from `low` on, `spread` of them; a few zeros. */
static uint32_t number(wl_rng_t *rng, uint32_t type, bool sum, int low, uint32_t spread) {
  const uint32_t bits = wl_rng_u32(rng), zero = wl_rng_u32(rng) % 32;
  const uint32_t e = (uint32_t)low + wl_rng_u32(rng) % spread;
  if (type == S8) {
    return bits;
  }
  if (zero == 0) {
    return 0;
  }
  if (sum ? type == F16_F16 : type == F16 || type == F16_F16) {
    return (bits & 0x83ff) | (e + 15) << 10;
  }
  return sum || type == TF32 ? (bits & 0x807fffff) | (e + 127) << 23
                             : (bits & 0x807f) | (e + 127) << 7;
}

static void fill(wl_rng_t *rng, uint32_t type, bool sum, uint8_t *data, uint32_t count) {
  const uint32_t bytes = sum ? kinds[type].sum_bytes : kinds[type].bytes;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t v = number(rng, type, sum, sum ? -6 : -4, sum ? 10 : 6);
    memcpy(data + i * bytes, &v, bytes);
  }
}

static uint32_t element(const uint8_t *data, uint32_t at, uint32_t bytes) {
  uint32_t v = 0;
  memcpy(&v, data + at * bytes, bytes);
  return v;
}

static float value(uint32_t type, uint32_t bits) {
  if (type == F16 || type == F16_F16) {
    return wl_rule_half(bits);
  }
  if (type == BF16) {
    return wl_rule_bf16(bits);
  }
  float f;
  memcpy(&f, &bits, sizeof f);
  return wl_rule_tf32(f);
}

/* One product's sum. tf32: two blocks of four. */
static uint32_t step(uint32_t type, const uint32_t *a, const uint32_t *b, uint32_t count,
                     uint32_t c) {
  float x[16], y[16], sum;
  if (type == S8) {
    for (uint32_t k = 0; k < count; k++) {
      c += (uint32_t)((int8_t)a[k] * (int8_t)b[k]);
    }
    return c;
  }
  for (uint32_t k = 0; k < count; k++) {
    x[k] = value(type, a[k]);
    y[k] = value(type, b[k]);
  }
  if (type == F16_F16) {
    return wl_rule_block_half(x, y, count, c);
  }
  memcpy(&sum, &c, sizeof sum);
  const uint32_t block = type == TF32 ? 4 : count;
  for (uint32_t k = 0; k < count; k += block) {
    sum = wl_rule_block(x + k, y + k, block, sum);
  }
  memcpy(&c, &sum, sizeof c);
  return c;
}

static uint32_t result(const problem_t *p, uint32_t row, uint32_t column) {
  const kind_t *t = &kinds[p->type];
  uint32_t a[16], b[16];
  uint32_t sum = element(p->c, t->c_rows ? row * p->n + column : column * p->m + row, t->sum_bytes);
  for (uint32_t at = 0; at < p->k; at += t->k) {
    for (uint32_t i = 0; i < t->k; i++) {
      const uint32_t k = at + i;
      a[i] = element(p->a, t->a_rows ? row * p->k + k : k * p->m + row, t->bytes);
      b[i] = element(p->b, t->b_rows ? k * p->n + column : column * p->k + k, t->bytes);
    }
    sum = step(p->type, a, b, t->k, sum);
  }
  return sum;
}

/* size: type, lanes that come late, m and n in CTAs (low and high half), k. */
static void prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  const uint32_t type = kcase->size[0], split = kcase->size[1], k = kcase->size[3];
  const kind_t *t = &kinds[type];
  const uint32_t m = (kcase->size[2] & 0xffff) * 2 * t->m, n = (kcase->size[2] >> 16) * 4 * t->n;
  const uint32_t threads = kcase->grid[0] * kcase->grid[1] * 64;
  wl_rng_t rng = {m + n + k + type};
  uint8_t *a = wl_arg_in(launch, m * k * t->bytes), *b = wl_arg_in(launch, n * k * t->bytes);
  uint8_t *c = wl_arg_in(launch, m * n * t->sum_bytes);
  uint8_t *d = wl_arg_out(launch, m * n * t->sum_bytes);
  uint32_t *work = type == F16 ? wl_arg_out(launch, threads * sizeof *work) : NULL;
  if (type != F16) {
    wl_arg_u32(launch, m);
  }
  wl_arg_u32(launch, n);
  wl_arg_u32(launch, k);
  if (type == F16) {
    wl_arg_u32(launch, split);
  }
  if (launch->failed) {
    return;
  }
  fill(&rng, type, false, a, m * k);
  fill(&rng, type, false, b, n * k);
  fill(&rng, type, true, c, m * n);
  const problem_t p = {type, m, n, k, a, b, c};
  for (uint32_t i = 0; i < m * n; i++) {
    const uint32_t v = result(&p, i / n, i % n);
    const uint32_t at = t->c_rows ? i : i % n * m + i / n;
    memcpy(d + at * t->sum_bytes, &v, t->sum_bytes);
  }
  for (uint32_t i = 0; work != NULL && i < threads; i++) {
    work[i] = i % 64;
    for (uint32_t at = 0; at < k; at += 16) {
      work[i] = late(split, i % 32, work[i]);
    }
  }
}

#define CASE(case_name, entry_name, case_tier, type, split, m, n, k)                               \
  {.name = case_name,                                                                              \
   .entry = entry_name,                                                                            \
   .tier = case_tier,                                                                              \
   .grid = {n, m, 1},                                                                              \
   .block = {64, 1, 1},                                                                            \
   .size = {type, split, (m) | (uint32_t)(n) << 16, k},                                            \
   .prepare = prepare}

static const wl_kernel_case_t cases[] = {
    CASE("f16", "wmma_f16", WL_TIER_SMOKE, F16, 0, 1, 1, 32),
    CASE("f16split", "wmma_f16", WL_TIER_SMOKE, F16, 0xff00137cu, 1, 1, 16),
    CASE("f16_f16", "wmma_f16_f16", WL_TIER_SMOKE, F16_F16, 0, 1, 1, 32),
    CASE("bf16", "wmma_bf16", WL_TIER_SMOKE, BF16, 0, 1, 1, 16),
    CASE("tf32", "wmma_tf32", WL_TIER_SMOKE, TF32, 0, 1, 1, 16),
    CASE("s8", "wmma_s8", WL_TIER_SMOKE, S8, 0, 1, 1, 32),
    CASE("f16k512", "wmma_f16", WL_TIER_CAMPAIGN, F16, 0x80000001u, 2, 2, 512),
    CASE("f16_f16k512", "wmma_f16_f16", WL_TIER_CAMPAIGN, F16_F16, 0, 2, 2, 512),
    CASE("bf16k512", "wmma_bf16", WL_TIER_CAMPAIGN, BF16, 0, 2, 2, 512),
    CASE("tf32k512", "wmma_tf32", WL_TIER_CAMPAIGN, TF32, 0, 2, 2, 512),
    CASE("s8k512", "wmma_s8", WL_TIER_CAMPAIGN, S8, 0, 2, 2, 512),
};

const wl_kernel_t wl_kernel_wmma_gemm = {
    .name = "wmma_gemm",
    .variants = WL_PTX_NVCC_ALL | WL_PTX_NVCC_NEWER,
    .result = WL_RESULT_EXACT,
    .requires_registers = 96,
    .requires_shared = 4608,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
