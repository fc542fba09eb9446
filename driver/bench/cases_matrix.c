/* cases_matrix.c: the bench's kernels with products of matrices. docs/bench.md
 * Operands are halves of whole numbers from -4 to 4: every sum is exact, in any order. */
#include <string.h>

#include "driver/bench/cases.h"

enum { K = 16, ROWS = 16, COLUMNS = 8, WARPS = 8, SUMS = 4 }; /* of mma.m16n8k16; of the loop */

static int random_number(uint64_t *state) { return (int)(wl_bench_random(state) >> 8) % 9 - 4; }

static uint16_t half_of(int v) {
  static const uint16_t bits[] = {0, 0x3c00, 0x4000, 0x4200, 0x4400};
  return (uint16_t)(v < 0 ? bits[-v] | 0x8000 : bits[v]);
}

int wl_bench_number(uint16_t half) {
  const int exponent = half >> 10 & 31;
  const int v = exponent == 0 ? 0 : (1024 + (half & 1023)) >> (25 - exponent);
  return half >> 15 != 0 ? -v : v;
}

uint16_t wl_bench_half(uint64_t *state) { return half_of(random_number(state)); }

static void put_float(void *to, size_t at, int v) { ((float *)to)[at] = (float)v; }

/* Word r of lane 4g + q has of A row g + 8 * (r % 2), k from 2q + 8 * (r / 2) on; of B column g, k from
 * 2q + 8 * r on; of D row g + 8 * (r / 2), column 2q + r % 2 (PTX 9.7.14.5.8). Each warp has the same
 * matrices; sum s of a thread is words 4s to 4s + 3, thread by thread. */
static bool make_loop(const wl_config_t *config, wl_bench_case_t *out) {
  const uint32_t rounds = config->dot_rows * config->dot_terms >= 64 ? 64 : 4;
  const size_t threads = WARPS * 32;
  *out = (wl_bench_case_t){
      .name = "mma loop",
      .kernel = "mma_tile",
      .entry = "mma_loop",
      .grid = {1, 1, 1},
      .block = {WARPS * 32, 1, 1},
      .buffers = 3,
      .bytes = {ROWS * K * 2, COLUMNS * K * 2, threads * SUMS * 4 * sizeof(float)},
      .result = 2,
      .scalars = 1,
      .scalar = {rounds},
      .elements = ROWS * COLUMNS,
      .k = K * 2};
  if (!wl_bench_allocate(out)) {
    return false;
  }
  uint64_t state = 3;
  int a[ROWS][K], b[COLUMNS][K];
  uint16_t *words_a = out->data[0], *words_b = out->data[1];
  for (unsigned i = 0; i < ROWS * K; i++) {
    const unsigned row = i / K, k = i % K;
    const unsigned word = row / 8 + k / 8 * 2, lane = row % 8 * 4 + k % 8 / 2;
    a[row][k] = random_number(&state);
    words_a[(word * 32 + lane) * 2 + k % 2] = half_of(a[row][k]);
  }
  for (unsigned i = 0; i < COLUMNS * K; i++) {
    const unsigned column = i / K, k = i % K;
    b[column][k] = random_number(&state);
    words_b[(k / 8 * 32 + column * 4 + k % 8 / 2) * 2 + k % 2] = half_of(b[column][k]);
  }
  for (unsigned i = 0; i < SUMS * 4 * threads; i++) {
    const unsigned lane = i % 32, word = i / threads % 4;
    const unsigned row = lane / 4 + word / 2 * 8, column = lane % 4 * 2 + word % 2;
    int sum = 0;
    for (unsigned k = 0; k < K; k++) {
      sum += a[row][k] * b[column][k];
    }
    put_float(out->expected, i, sum * (int)rounds * 16 / SUMS);
  }
  return true;
}

/* C = A * B of m rows and n columns: A by rows, B by columns, C by rows. */
static bool fill_product(wl_bench_case_t *c, unsigned m, unsigned n, unsigned k) {
  c->bytes[0] = (size_t)m * k * 2;
  c->bytes[1] = (size_t)n * k * 2;
  c->bytes[2] = (size_t)m * n * sizeof(float);
  c->result = 2;
  c->elements = ROWS * COLUMNS;
  c->k = K * 2;
  if (!wl_bench_allocate(c)) {
    return false;
  }
  uint64_t state = m + n + k;
  const uint16_t *a = c->data[0], *b = c->data[1];
  for (unsigned side = 0; side < 2; side++) {
    for (size_t i = 0; i < c->bytes[side] / 2; i++) {
      ((uint16_t *)c->data[side])[i] = wl_bench_half(&state);
    }
  }
  for (size_t i = 0; i < (size_t)m * n; i++) {
    int sum = 0;
    for (unsigned j = 0; j < k; j++) {
      sum += wl_bench_number(a[i / n * k + j]) * wl_bench_number(b[i % n * k + j]);
    }
    put_float(c->expected, i, sum);
  }
  return true;
}

static bool make_gemm(wl_bench_case_t *out) {
  enum { SIDE = 64, DEPTH = 64, THREADS = 128 };
  *out = (wl_bench_case_t){.name = "mma_gemm 64x64x64",
                           .kernel = "mma_gemm",
                           .entry = "gemm_f16",
                           .grid = {SIDE / 32, SIDE / 64, 1},
                           .block = {THREADS, 1, 1},
                           .buffers = 4,
                           .bytes = {[3] = SIDE / 32 * SIDE / 64 * THREADS * sizeof(uint32_t)},
                           .scalars = 3,
                           .scalar = {SIDE, DEPTH / 2, 0}};
  return fill_product(out, SIDE, SIDE, DEPTH);
}

static bool make_tile(const wl_config_t *config, wl_bench_case_t *out) {
  enum { M = 128, N = 256, DEPTH = 1024 };
  *out = (wl_bench_case_t){.name = "mma_tile 128x256x1024",
                           .kernel = "mma_tile",
                           .entry = "mma_tile",
                           .grid = {N / 128, M / 128, 1},
                           .block = {128, 1, 1},
                           .buffers = 3,
                           .scalars = 2,
                           .scalar = {N, DEPTH / 2}};
  const bool good = fill_product(out, M, N, DEPTH);
  out->fits = config->max_regs == 255;
  return good;
}

bool wl_bench_matrix_case(unsigned index, const wl_config_t *config, wl_bench_case_t *out) {
  switch (index) {
  case 0:
    return make_loop(config, out);
  case 1:
    return make_gemm(out);
  default:
    return make_tile(config, out);
  }
}
