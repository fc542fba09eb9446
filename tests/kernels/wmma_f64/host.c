/* Host side of kernel wmma_f64: each element is a chain of fused multiply-adds, C first, k ascending, as an
 * NVIDIA GPU has it (tests/silicon/README.md); fma() rounds once, as fma.rn.f64 does. */
#include <math.h>

#include "tests/kernels/common/kernel_case.h"

typedef struct problem {
  uint32_t m, n, k, split;
  bool shared; /* A and B in rows, C and D in columns; else the other way round */
  const double *a, *b, *c;
} problem_t;

static uint32_t late(uint32_t split, uint32_t lane, uint32_t v) {
  for (uint32_t k = 0; (split >> lane & 1) != 0 && k <= lane % 5; k++) {
    v = v * 1664525u + 1013904223u;
  }
  return v;
}

/* 53 bits, exponents of 2^-8 to 2^7, any sign; a few zeros. */
static void fill(wl_rng_t *rng, double *data, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t r = wl_rng_u32(rng);
    const double size = 1.0 + (double)(wl_rng_u64(rng) >> 12) * 0x1p-52;
    data[i] = r % 32 == 0 ? 0 : ldexp((r >> 8 & 1) != 0 ? -size : size, (int)(r >> 16 & 15) - 8);
  }
}

static uint32_t place_of_d(const problem_t *p, uint32_t row, uint32_t column) {
  return p->shared ? column * p->m + row : row * p->n + column;
}

static double element(const problem_t *p, uint32_t row, uint32_t column) {
  double sum = p->c[place_of_d(p, row, column)];
  for (uint32_t k = 0; k < p->k; k++) {
    const double a = p->a[p->shared ? row * p->k + k : k * p->m + row];
    const double b = p->b[p->shared ? k * p->n + column : column * p->k + k];
    sum = fma(a, b, sum);
  }
  return sum;
}

/* size: shared, lanes that come late, k. */
static void prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  problem_t p = {.shared = kcase->size[0] != 0, .split = kcase->size[1], .k = kcase->size[2]};
  p.m = kcase->grid[1] * 16;
  p.n = kcase->grid[0] * 32;
  const uint32_t threads = kcase->grid[0] * kcase->grid[1] * 64;
  wl_rng_t rng = {p.m + p.n + p.k + p.split};
  double *a = wl_arg_in(launch, p.m * p.k * sizeof *a);
  double *b = wl_arg_in(launch, p.n * p.k * sizeof *b);
  double *c = wl_arg_in(launch, p.m * p.n * sizeof *c);
  double *d = wl_arg_out(launch, p.m * p.n * sizeof *d);
  uint32_t *work = p.shared ? wl_arg_out(launch, threads * sizeof *work) : NULL;
  wl_arg_u32(launch, p.m);
  wl_arg_u32(launch, p.n);
  wl_arg_u32(launch, p.k);
  if (p.shared) {
    wl_arg_u32(launch, p.split);
  }
  if (launch->failed) {
    return;
  }
  fill(&rng, a, p.m * p.k);
  fill(&rng, b, p.n * p.k);
  fill(&rng, c, p.m * p.n);
  p.a = a, p.b = b, p.c = c;
  for (uint32_t i = 0; i < p.m * p.n; i++) {
    d[place_of_d(&p, i / p.n, i % p.n)] = element(&p, i / p.n, i % p.n);
  }
  for (uint32_t i = 0; work != NULL && i < threads; i++) {
    work[i] = i % 64;
    for (uint32_t at = 0; at < p.k; at += 4) {
      work[i] = late(p.split, i % 32, work[i]);
    }
  }
}

#define CASE(case_name, entry_name, case_tier, shared, split, m, n, k)                             \
  {.name = case_name,                                                                              \
   .entry = entry_name,                                                                            \
   .tier = case_tier,                                                                              \
   .grid = {n, m, 1},                                                                              \
   .block = {64, 1, 1},                                                                            \
   .size = {shared, split, k},                                                                     \
   .prepare = prepare}

static const wl_kernel_case_t cases[] = {
    CASE("k12", "wmma_f64", WL_TIER_SMOKE, 0, 0, 1, 1, 12),
    CASE("shared_k8", "wmma_f64_shared", WL_TIER_SMOKE, 1, 0x00ff137cu, 1, 1, 8),
    CASE("k256", "wmma_f64", WL_TIER_CAMPAIGN, 0, 0, 3, 2, 256),
    CASE("shared_k256", "wmma_f64_shared", WL_TIER_CAMPAIGN, 1, 0x80000001u, 2, 3, 256),
};

const wl_kernel_t wl_kernel_wmma_f64 = {
    .name = "wmma_f64",
    .variants = WL_PTX_NVCC_ALL | WL_PTX_NVCC_NEWER,
    .result = WL_RESULT_EXACT,
    .requires_registers = 96,
    .requires_shared = 1856,
    .requires_option = "64-bit floating point",
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
