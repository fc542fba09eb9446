/* Host side of kernel mma_late: a warp's lanes one after the other, the matrix instructions an element at a
 * time. */
#include "tests/kernels/common/kernel_case.h"

enum { LANES = 32, THREADS = 64, ROWS = 32 };

typedef struct warp {
  uint32_t rows[ROWS][4];
  uint32_t v[LANES], counter[LANES], a[LANES][4], b[LANES][4], sum[LANES][2][4];
} warp_t;

static uint32_t work(uint32_t way, uint32_t v, uint32_t trips, uint32_t *counter) {
  if (way == 1) {
    const uint32_t count = trips + v % 13;
    for (uint32_t k = 0; k < count; k++) {
      v = v * 1664525u + 1013904223u;
    }
  } else if (way == 2) {
    const uint32_t last = v % 7;
    for (uint32_t k = 0; k <= last; k++) {
      v = v * 69069u + (*counter)++;
    }
  } else if (way == 3) {
    uint32_t steps = 0;
    for (uint32_t x = v % 25 + 2; x != 1; steps++) {
      x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    }
    v = v * 2654435761u + steps;
  }
  return v ^ v >> 15;
}

static int32_t byte(uint32_t word, uint32_t at) { return (int8_t)(word >> 8 * at & 0xff); }

/* mma.m16n8k32: lanes 4g + q have row g (register 0 and, 16 further in k, 2) and row g + 8 (1, 3) of A and
 * column g of B, four k each from 4q on; D: columns 2q and 2q + 1 of rows g and g + 8. */
static uint32_t element(const warp_t *w, uint32_t product, uint32_t row, uint32_t column) {
  int32_t sum = 0;
  for (uint32_t k = 0; k < 32; k++) {
    const uint32_t q = k % 16 / 4, half = k / 16;
    sum += byte(w->a[row % 8 * 4 + q][2 * half + row / 8], k % 4) *
           byte(w->b[column * 4 + q][2 * product + half], k % 4);
  }
  return (uint32_t)sum;
}

static void multiply(warp_t *w) {
  for (uint32_t i = 0; i < LANES * 8; i++) {
    const uint32_t lane = i / 8, product = i / 4 % 2, r = i % 4;
    w->sum[lane][product][r] += element(w, product, lane / 4 + r / 2 * 8, lane % 4 * 2 + r % 2);
  }
}

static void one_round(warp_t *w, const uint32_t *ways, uint32_t round, uint32_t trips) {
  uint32_t row[LANES];
  for (uint32_t l = 0; l < LANES; l++) {
    w->v[l] = work(ways[l] >> 4 * (round % 4) & 3, w->v[l], trips, &w->counter[l]);
    row[l] = w->v[l] % ROWS;
  }
  for (uint32_t l = 0; l < LANES; l++) {
    for (uint32_t r = 0; r < 4;
         r++) { /* ldmatrix: matrix r has its rows' addresses in lanes 8r on */
      w->b[l][r] = w->rows[row[8 * r + l / 4]][l % 4];
    }
    w->v[l] = work(ways[l] >> (4 * (round % 4) + 2) & 3, w->v[l], trips, &w->counter[l]);
    for (uint32_t r = 0; r < 4; r++) {
      w->a[l][r] = w->v[l] * (2 * r + 1) + w->b[l][r];
    }
  }
  multiply(w);
  for (uint32_t l = 0; l < LANES; l++) {
    w->v[l] += w->sum[l][0][round % 4] ^ w->sum[l][1][3 - round % 4] * 5u;
  }
}

/* size: rounds, trips of the loop. */
static void prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  const uint32_t threads = kcase->grid[0] * THREADS;
  wl_rng_t rng = {kcase->size[0] + threads};
  uint32_t *rows = wl_arg_in(launch, threads * 4 * sizeof *rows);
  uint32_t *ways = wl_arg_in(launch, threads * sizeof *ways);
  uint32_t *sums = wl_arg_out(launch, threads * 8 * sizeof *sums);
  uint32_t *last = wl_arg_out(launch, threads * sizeof *last);
  wl_arg_u32(launch, kcase->size[0]);
  wl_arg_u32(launch, kcase->size[1]);
  if (launch->failed) {
    return;
  }
  for (uint32_t i = 0; i < threads * 4; i++) {
    rows[i] = wl_rng_u32(&rng);
  }
  for (uint32_t i = 0; i < threads; i++) {
    ways[i] = wl_rng_u32(&rng);
  }
  for (uint32_t first = 0; first < threads; first += LANES) {
    warp_t w = {.rows = {{0}}};
    memcpy(w.rows, rows + first * 4, sizeof w.rows);
    for (uint32_t l = 0; l < LANES; l++) {
      w.v[l] = first + l;
    }
    for (uint32_t round = 0; round < kcase->size[0]; round++) {
      one_round(&w, ways + first, round, kcase->size[1]);
    }
    memcpy(sums + first * 8, w.sum, sizeof w.sum);
    memcpy(last + first, w.v, sizeof w.v);
  }
}

#define CASE(case_name, case_tier, ctas, rounds, trips)                                            \
  {.name = case_name,                                                                              \
   .entry = "late",                                                                                \
   .tier = case_tier,                                                                              \
   .grid = {ctas, 1, 1},                                                                           \
   .block = {THREADS, 1, 1},                                                                       \
   .size = {rounds, trips},                                                                        \
   .prepare = prepare}

static const wl_kernel_case_t cases[] = {
    CASE("rounds2", WL_TIER_SMOKE, 1, 2, 3), CASE("rounds8", WL_TIER_CAMPAIGN, 2, 8, 20),
    CASE("turns", WL_TIER_CAMPAIGN, 1, 2, 1100), /* trips of more than a turn */
};

const wl_kernel_t wl_kernel_mma_late = {
    .name = "mma_late",
    .variants = WL_PTX_COMPILED | WL_PTX_NVCC_NEWER,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .requires_shared = 1280,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
