/* Where wmma has its elements: each shape, type and layout, with whole numbers whose sums are exact. The
 * host computes D = A * B + C from memory, an element at a time, and compares all of D's memory, the gaps
 * between its lines, too. Usage: test_wmma BACKEND CONFIG STEP: each STEP-th program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/include/warplock.h"
#include "gen/wl_config.h"
#include "tests/tensor/wmma_text.h"

enum { CTAS = 8, ONE_HOT_B = 0, ONE_HOT_A, ONLY_C, ALL, MODES };

static wl_device_t *device;
static unsigned programs, failures;
static uint32_t seed = 1;

static int random_in(int low, int high) {
  seed = seed * 1664525u + 1013904223u;
  return low + (int)((seed >> 8) % (unsigned)(high - low + 1));
}

/* ---- numbers */
static uint64_t bits_of(wmma_type_t type, int64_t v) {
  const float f = (float)v;
  const double d = (double)v;
  uint32_t bits;
  uint64_t wide;
  memcpy(&bits, &f, sizeof bits);
  memcpy(&wide, &d, sizeof wide);
  switch (type) {
  case WMMA_F16:
    return v == 0 ? 0 : (bits >> 31 << 15) | ((bits >> 13 & 0x3ffff) - (112u << 10));
  case WMMA_BF16:
    return bits >> 16;
  case WMMA_F32:
  case WMMA_TF32:
    return bits;
  case WMMA_F64:
    return wide;
  default:
    return (uint32_t)v;
  }
}

/* Numbers of a type that are exact; `small`: also sums of products of them. */
static int number(wmma_type_t type, bool small) {
  switch (type) {
  case WMMA_F16:
    return small ? random_in(-5, 5) : random_in(-2047, 2047);
  case WMMA_BF16:
    return small ? random_in(-9, 9) : random_in(-255, 255);
  case WMMA_TF32:
  case WMMA_F64:
    return small ? random_in(-99, 99) : random_in(-2047, 2047);
  case WMMA_S8:
    return random_in(-128, 127);
  case WMMA_U8:
    return random_in(0, 255);
  case WMMA_S4:
    return random_in(-8, 7);
  case WMMA_U4:
    return random_in(0, 15);
  case WMMA_B1:
    return random_in(0, 1);
  case WMMA_F32:
    return random_in(-99999, 99999);
  default:
    return random_in(0, 7) == 0 ? (random_in(0, 1) != 0 ? INT32_MAX : INT32_MIN)
                                : random_in(-9999999, 9999999);
  }
}

typedef struct product {
  int a[32 * 128], b[128 * 32], c[32 * 32]; /* in rows */
} product_t;

static void fill(const wmma_t *w, unsigned mode, product_t *p) {
  for (unsigned i = 0; i < w->m * w->k; i++) {
    const bool hot = i % w->k == (i / w->k + mode) % w->k;
    p->a[i] = mode == ONE_HOT_A ? hot : mode == ONLY_C ? 0 : number(w->ab, mode == ALL);
  }
  for (unsigned i = 0; i < w->k * w->n; i++) {
    const bool hot = i / w->n == (i % w->n + 3) % w->k;
    p->b[i] = mode == ONE_HOT_B ? hot : number(w->ab, mode == ALL);
  }
  for (unsigned i = 0; i < w->m * w->n; i++) {
    const bool half = w->c == WMMA_F16 || w->d == WMMA_F16;
    p->c[i] = mode < ONLY_C ? 0 : half ? number(WMMA_F16, false) / 4 : number(w->c, false);
  }
}

static int64_t element(const wmma_t *w, const product_t *p, unsigned row, unsigned column) {
  int64_t sum = p->c[row * w->n + column];
  for (unsigned k = 0; k < w->k; k++) {
    const int a = p->a[row * w->k + k], b = p->b[k * w->n + column];
    sum += w->xor ? a != b : a * b;
  }
  if (w->sat) {
    return sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
  }
  return sum;
}

/* ---- memory */
static void put(uint8_t *region, const wmma_place_t *place, wmma_type_t type, unsigned row,
                unsigned column, int64_t v) {
  const unsigned bits = wmma_bits(type);
  const unsigned line = place->col ? column : row;
  const unsigned at = bits * ((place->last != 0 ? place->last - line : line) * place->stride +
                              (place->col ? row : column));
  uint64_t word = 0;
  const size_t bytes = bits == 64 ? 8 : 4;
  memcpy(&word, region + at / 32 * 4, bytes);
  const uint64_t mask = (bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1) << at % 32;
  word = (word & ~mask) | (bits_of(type, v) << at % 32 & mask);
  memcpy(region + at / 32 * 4, &word, bytes);
}

static void lay_out(const wmma_t *w, const product_t *p, uint8_t *in, uint8_t *want) {
  memset(in, 0xa5, WMMA_CTA);
  for (unsigned i = 0; i < w->m * w->k; i++) {
    put(in, &w->place[0], w->ab, i / w->k, i % w->k, p->a[i]);
  }
  for (unsigned i = 0; i < w->k * w->n; i++) {
    put(in + WMMA_REGION, &w->place[1], w->ab, i / w->n, i % w->n, p->b[i]);
  }
  for (unsigned i = 0; i < w->m * w->n; i++) {
    put(in + 2 * WMMA_REGION, &w->place[2], w->c, i / w->n, i % w->n, p->c[i]);
  }
  memcpy(want, in, WMMA_CTA);
  for (unsigned i = 0; i < w->m * w->n; i++) {
    put(want + 3 * WMMA_REGION, &w->place[3], w->d, i / w->n, i % w->n,
        element(w, p, i / w->n, i % w->n));
  }
}

/* ---- programs */
static wl_status_t launch(const char *ptx, uint8_t *data, const wmma_t *w) {
  wl_module_t *module = NULL;
  wl_function_t *function = NULL;
  wl_addr_t buffer = 0;
  wl_status_t status = wl_module_load(device, w->name, ptx, strlen(ptx), NULL, &module);
  if (status != WL_OK) {
    return status;
  }
  const wl_launch_t shape = {.grid = {CTAS, 1, 1}, .block = {32, 1, 1}};
  status = wl_module_function(module, "product", &function);
  status = status == WL_OK ? wl_alloc(device, (size_t)CTAS * WMMA_CTA, &buffer) : status;
  status = status == WL_OK ? wl_write(device, buffer, data, (size_t)CTAS * WMMA_CTA) : status;
  const uint32_t a = w->place[0].stride, b = w->place[1].stride, c = w->place[2].stride,
                 d = w->place[3].stride;
  const wl_arg_t args[] = {WL_ARG(buffer), WL_ARG(a), WL_ARG(b), WL_ARG(c), WL_ARG(d)};
  status = status == WL_OK ? wl_launch(function, &shape, args, 5, NULL) : status;
  status = status == WL_OK ? wl_read(device, data, buffer, (size_t)CTAS * WMMA_CTA) : status;
  (void)wl_free(device, buffer);
  wl_module_unload(module);
  return status;
}

static void one(const wmma_t *w) {
  static char ptx[16384];
  static product_t p;
  static uint8_t data[CTAS * WMMA_CTA], want[CTAS * WMMA_CTA];
  for (unsigned i = 0; i < CTAS; i++) {
    fill(w, i % MODES, &p);
    lay_out(w, &p, data + (size_t)i * WMMA_CTA, want + (size_t)i * WMMA_CTA);
  }
  wmma_text(w, ptx, sizeof ptx);
  programs++;
  if (launch(ptx, data, w) != WL_OK) {
    printf("FAILED  %s: %s\n%s", w->name, wl_error(device), failures == 0 ? ptx : "");
    failures++;
    return;
  }
  for (size_t i = 0; i < sizeof data; i++) {
    if (data[i] != want[i]) {
      printf("FAILED  %s: CTA %zu byte %zu of region %zu: %02x, expected %02x\n", w->name,
             i / WMMA_CTA, i % WMMA_REGION, i % WMMA_CTA / WMMA_REGION, data[i], want[i]);
      failures++;
      return;
    }
  }
}

static bool has_f64(const char *config) {
  for (unsigned i = 0; i < WL_NUM_CONFIGS; i++) {
    if (strcmp(wl_configs[i].name, config) == 0) {
      return wl_configs[i].fp64 != 0;
    }
  }
  return false;
}

int main(int argc, char **argv) {
  if (argc != 4) {
    (void)fprintf(stderr, "usage: test_wmma BACKEND CONFIG STEP\n");
    return 2;
  }
  const wl_device_options_t options = {.backend = argv[1],
                                       .config = argv[2],
                                       .mem_bytes = UINT64_C(64) << 20,
                                       .inside = strcmp(argv[1], "lockstep") == 0};
  if (wl_device_open(&options, &device) != WL_OK) {
    printf("FAILED  %s\n", wl_error(device));
    return 1;
  }
  const unsigned step = (unsigned)strtoul(argv[3], NULL, 10);
  wmma_t w;
  const bool f64 = has_f64(argv[2]);
  for (unsigned i = 0; wmma_at(i, &w); i += step) {
    if (w.ab != WMMA_F64 || f64) {
      one(&w);
    }
  }
  printf("%u programs, %u failures\n", programs, failures);
  wl_device_close(device);
  return failures != 0;
}
