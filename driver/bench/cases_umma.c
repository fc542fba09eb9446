/* cases_umma.c: the bench's products in tensor memory: kernel umma_loop (tests/kernels), tiles of 64 elements of K.
 * docs/bench.md. Operands are halves of whole numbers from -4 to 4: every sum is exact, in any order. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/bench/cases.h"
#include "driver/internal.h"

enum {
  TILE = 64,
  MOST_STAGES = 4, /* of the kernel */
  KEPT = 2,        /* tiles in shared memory where operands stay there */
  VARIABLES = 2048 /* bytes of the kernel's own, and to the next multiple of 1,024 */
};

/* Tiles lie one behind the other, rows of 128 bytes with their chunks of eight elements exchanged. */
static size_t place_of(uint32_t rows, uint32_t row, uint32_t k) {
  const uint32_t chunk = (k % TILE / 8) ^ row % 8;
  return ((size_t)(k / TILE) * rows + row) * TILE + chunk * 8 + k % 8;
}

static uint32_t stages_of(const wl_config_t *config, const wl_bench_umma_t *size) {
  const uint32_t fit = (config->smem_bytes - VARIABLES) / (2 * TILE * (size->m + size->n));
  return !size->copied ? KEPT : fit < MOST_STAGES ? fit : MOST_STAGES;
}

/* What the kernel multiplies: behind the tiles that are loaded those in shared memory again. */
static int element(const wl_bench_case_t *c, const wl_bench_umma_t *size, uint32_t row,
                   uint32_t column) {
  const uint32_t loaded = (size->copied ? size->k : KEPT * TILE);
  const uint16_t *a = c->data[0], *b = c->data[1];
  int sum = 0, times = (int)(size->k / loaded);
  for (uint32_t k = 0; k < loaded; k++) {
    sum += wl_bench_number(a[place_of(size->m, row, k)]) *
           wl_bench_number(b[place_of(size->n, column, k)]);
  }
  return sum * times;
}

static void fill(wl_bench_case_t *c, const wl_bench_umma_t *size) {
  uint64_t state = size->m + size->n + size->k;
  float *want = c->expected;
  for (unsigned side = 0; side < 2; side++) {
    for (size_t i = 0; i < c->bytes[side] / 2; i++) {
      ((uint16_t *)c->data[side])[i] = wl_bench_half(&state);
    }
  }
  for (uint32_t i = 0; i < size->m * size->n; i++) {
    want[i] = (float)element(c, size, i / size->n, i % size->n);
  }
}

bool wl_bench_umma_case(const wl_bench_umma_t *size, const char *config, wl_bench_case_t *out) {
  const uint32_t stages = stages_of(wl_config_find(config), size), tiles = size->k / TILE;
  const uint32_t shape = 1u << 4 | size->n / 8 << 17 | size->m / 16 << 24; /* D of f32 */
  *out = (wl_bench_case_t){
      .name = "umma loop",
      .kernel = "umma_loop",
      .variant = "nvcc_sm100",
      .entry = "umma_loop",
      .grid = {1, 1, 1},
      .block = {128, 1, 1},
      .shared = stages * 2 * TILE * (size->m + size->n),
      .buffers = 3,
      .bytes = {(size_t)size->m * size->k * 2, (size_t)size->n * size->k * 2,
                (size_t)size->m * size->n * sizeof(float)},
      .result = 2,
      .scalars = 5,
      .scalar = {shape, tiles, stages, size->copied ? tiles : KEPT, !size->copied},
      .umma = true};
  if (!wl_bench_allocate(out)) {
    return false;
  }
  fill(out, size);
  return true;
}

/* ---- which */
bool wl_bench_umma_loop(const char *config, wl_bench_case_t *out) {
  const wl_config_t *cfg = wl_config_find(config);
  wl_bench_umma_t size = {128, cfg->sub_cores == 1 ? 128 : 256, 1024, false};
  if (cfg->lanes < 32) {
    size = (wl_bench_umma_t){64, 8, 256, false};
  }
  const bool good = wl_bench_umma_case(&size, config, out);
  out->fits = cfg->umma != 0;
  return good;
}

/* Where a step is of 16 rows: both sizes of A, D up to 256 columns. */
bool wl_bench_umma_size(unsigned index, const char *config, wl_bench_umma_t *size) {
  static const uint32_t columns[] = {8, 16, 32, 64, 128, 256};
  enum { SIZES = sizeof columns / sizeof columns[0] };
  const wl_config_t *cfg = wl_config_find(config);
  *size = (wl_bench_umma_t){.m = index / SIZES % 2 == 0 ? 128 : 64,
                            .n = columns[index % SIZES],
                            .k = 1024,
                            .copied = index >= 2 * SIZES};
  return index < 4 * SIZES && cfg->umma != 0 && cfg->lanes == 32;
}
