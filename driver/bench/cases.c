/* cases.c: the kernels of the bench: inputs, and the results computed here on the host.
 * docs/bench.md. Sums are taken in the order of the kernel, so that results are equal bit by bit.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "driver/bench/cases.h"
#include "driver/internal.h"
#include "driver/splitmix.h"

enum { EXTENT = 64, COUNT = 65537 };

uint32_t wl_bench_random(uint64_t *state) {
  return (uint32_t)(wl_splitmix(*state += WL_SPLITMIX_STEP) >> 32);
}

static uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

bool wl_bench_allocate(wl_bench_case_t *c) {
  for (unsigned i = 0; i < c->buffers; i++) {
    c->data[i] = calloc(1, c->bytes[i]);
    if (c->data[i] == NULL) {
      return false;
    }
  }
  c->fits = true;
  c->expected = calloc(1, c->bytes[c->result]);
  return c->expected != NULL;
}

/* C = alpha * A * B + beta * C, 64 x 64 x 64. */
static bool make_sgemm(wl_bench_case_t *out) {
  const float alpha = 1.25F;
  const float beta = -0.3F;
  const size_t bytes = EXTENT * EXTENT * sizeof(float);
  *out = (wl_bench_case_t){.name = "sgemm 64x64x64",
                           .kernel = "sgemm",
                           .entry = "sgemm",
                           .grid = {EXTENT / 16, EXTENT / 16, 1},
                           .block = {16, 16, 1},
                           .buffers = 3,
                           .bytes = {bytes, bytes, bytes},
                           .result = 2,
                           .scalars = 5,
                           .scalar = {EXTENT, EXTENT, EXTENT, bits_of(alpha), bits_of(beta)}};
  if (!wl_bench_allocate(out)) {
    return false;
  }
  uint64_t state = 1;
  for (unsigned i = 0; i < 3; i++) {
    for (unsigned k = 0; k < EXTENT * EXTENT; k++) {
      ((float *)out->data[i])[k] = (float)(wl_bench_random(&state) >> 8) * 0x1p-23F - 1;
    }
  }
  const float *a = out->data[0];
  const float *b = out->data[1];
  const float *c = out->data[2];
  float *want = out->expected;
  for (unsigned row = 0; row < EXTENT; row++) {
    for (unsigned col = 0; col < EXTENT; col++) {
      float sum = 0;
      for (unsigned k = 0; k < EXTENT; k++) {
        sum = fmaf(a[row * EXTENT + k], b[k * EXTENT + col], sum);
      }
      const float scaled = beta * c[row * EXTENT + col]; /* rounded: built without contraction */
      want[row * EXTENT + col] = fmaf(alpha, sum, scaled);
    }
  }
  return true;
}

/* Sum of 65,537 words in 33 CTAs of 256. */
static bool make_reduction(wl_bench_case_t *out) {
  *out = (wl_bench_case_t){.name = "reduction 65537",
                           .kernel = "reduction",
                           .entry = "reduce_u32",
                           .grid = {33, 1, 1},
                           .block = {256, 1, 1},
                           .buffers = 2,
                           .bytes = {COUNT * sizeof(uint32_t), sizeof(uint32_t)},
                           .result = 1,
                           .scalars = 1,
                           .scalar = {COUNT}};
  if (!wl_bench_allocate(out)) {
    return false;
  }
  uint64_t state = 2;
  uint32_t *in = out->data[0];
  for (unsigned i = 0; i < COUNT; i++) {
    in[i] = wl_bench_random(&state);
    *(uint32_t *)out->expected += in[i];
  }
  return true;
}

bool wl_bench_case_make(unsigned index, const char *config, wl_bench_case_t *out) {
  switch (index) {
  case 0:
    return make_sgemm(out);
  case 1:
    return make_reduction(out);
  case WL_NUM_BENCH_CASES - 1:
    return wl_bench_umma_loop(config, out);
  default:
    return wl_bench_matrix_case(index - 2, wl_config_find(config), out);
  }
}

void wl_bench_case_free(wl_bench_case_t *c) {
  for (unsigned i = 0; i < c->buffers; i++) {
    free(c->data[i]);
  }
  free(c->expected);
}
