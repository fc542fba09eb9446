/* Products with block scales that Triton compiled (scaled.py), unchanged, against the same sequence of tcgen05.mma by the
 * rule of docs/numerics.md. Usage: test_scaled BACKEND CONFIG SHAPES LIST KERNELS: the first SHAPES of `shapes`; LIST has
 * so many kernels, whose PTX is beside it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/include/warplock.h"
#include "tests/common/check.h"
#include "tests/common/read_file.h"
#include "tests/common/splitmix.h"
#include "tests/tensor/triton/checked.h"
#include "tests/unit/lower/umma_rule.h"

/* Of C: rows, columns; k; in tiles. */
static const unsigned shapes[][3] = {{1, 1, 1}, {2, 1, 2}, {1, 3, 4}};
enum { SHAPES = sizeof shapes / sizeof shapes[0], GROUP = 16, ROWS_OF_TILE = 128 };

typedef struct kernel {
  char name[64], type[2][8]; /* of A, of B */
  unsigned per_scale, tiles, tile_m, tile_n, tile_k, stages, shared;
} kernel_t;

typedef struct matrix { /* A, or B by columns */
  const umma_type_t *type;
  unsigned rows, k, per_scale;
  size_t bytes, scale_bytes;
  uint8_t *data, *scales, *laid; /* scales row by row; as the kernel wants them */
} matrix_t;

static wl_device_t *device;

static const umma_type_t *type_named(const char *name) {
  static const char *const names[] = {"e4m3", "e5m2", "e2m3", "e3m2", "e2m1"};
  for (unsigned k = 0; k < 5; k++)
    if (strcmp(names[k], name) == 0) return &umma_kinds[UMMA_F8F6F4].type[k];
  return NULL;
}

/* Two elements of 4 bits are a byte, the first in its lower half. */
static uint32_t get(const matrix_t *m, unsigned row, unsigned k) {
  const size_t at = (size_t)row * m->k + k;
  return m->type->bits == 8 ? m->data[at] : m->data[at / 2] >> (at % 2 * 4) & 15;
}

static uint8_t draw(const umma_type_t *type, uint64_t *state) {
  const uint8_t bits = (uint8_t)(wl_splitmix64(state) >> 32);
  if (type->bits == 8 && type->exponent == 4 && (bits & 0x7f) == 0x7f) return 0; /* no NaN */
  return type->exponent == 5 && (bits & 0x7c) == 0x7c ? bits & 0x83 : bits;
}

static matrix_t make_matrix(const kernel_t *kernel, unsigned which, unsigned rows, unsigned k,
                            uint64_t *state) {
  matrix_t m = {.type = type_named(kernel->type[which]),
                .rows = rows,
                .k = k,
                .per_scale = kernel->per_scale};
  const unsigned across = k / m.per_scale;
  m.bytes = (size_t)rows * k * m.type->bits / 8;
  m.scale_bytes = (size_t)rows * across;
  m.data = malloc(m.bytes);
  m.scales = malloc(m.scale_bytes);
  m.laid = malloc(m.scale_bytes);
  for (size_t i = 0; i < m.bytes; i++)
    m.data[i] = draw(m.type, state);
  for (unsigned r = 0; r < rows; r++)
    for (unsigned j = 0; j < across; j++) {
      const uint32_t word = (uint32_t)(wl_splitmix64(state) >> 32);
      const size_t tile = ((size_t)r / ROWS_OF_TILE * (across / 4) + j / 4) * 512;
      const size_t from = (size_t)r * across + j;
      const size_t to =
          kernel->tiles != 0 ? tile + r % 32 * 16 + r % ROWS_OF_TILE / 32 * 4 + j % 4 : from;
      m.scales[from] = (uint8_t)(m.per_scale == GROUP ? word % 0x7f : 117 + word % 21);
      m.laid[to] = m.scales[from];
    }
  return m;
}

static void free_matrix(matrix_t *m) {
  free(m->data);
  free(m->scales);
  free(m->laid);
}

/* One element of C. */
static uint32_t element(const matrix_t *a, const matrix_t *b, unsigned row, unsigned column) {
  const bool halves = a->type->bits == 4 && b->type->bits == 4;
  const unsigned step = halves ? 64 : 32, across = a->k / a->per_scale;
  const uint8_t *const sa = a->scales + (size_t)row * across, *const sb = b->scales +
                                                                          (size_t)column * across;
  uint32_t d = 0;
  for (unsigned from = 0; from < a->k; from += step) {
    uint32_t x[64], y[64];
    uint8_t p[4], q[4];
    for (unsigned i = 0; i < step; i++) {
      x[i] = get(a, row, from + i);
      y[i] = get(b, column, from + i);
    }
    for (unsigned g = 0; g < step / GROUP; g++) {
      p[g] = sa[(from + g * GROUP) / a->per_scale];
      q[g] = sb[(from + g * GROUP) / a->per_scale];
    }
    d = halves ? umma_rule_groups(x, y, p, q, a->per_scale == GROUP, d)
               : umma_rule_scaled(a->type, b->type, x, y, p[0], q[0], d);
  }
  return d;
}

static bool send(const uint8_t *data, size_t bytes, wl_addr_t *at) {
  return wl_alloc(device, bytes, at) == WL_OK && wl_write(device, *at, data, bytes) == WL_OK;
}

static bool launch(const kernel_t *k, const char *ptx, const matrix_t *a, const matrix_t *b,
                   uint32_t *result) {
  wl_module_t *module = NULL;
  wl_function_t *function = NULL;
  wl_addr_t at[5] = {0}, none = 0;
  const size_t bytes = (size_t)a->rows * b->rows * sizeof *result;
  const wl_launch_t grid = {.grid = {a->rows / k->tile_m, b->rows / k->tile_n, 1},
                            .block = {128, 1, 1},
                            .shared = k->shared};
  bool well = wl_module_load(device, k->name, ptx, strlen(ptx), NULL, &module) == WL_OK &&
              wl_module_function(module, "scaled", &function) == WL_OK &&
              send(a->data, a->bytes, &at[0]) && send(a->laid, a->scale_bytes, &at[1]) &&
              send(b->data, b->bytes, &at[2]) && send(b->laid, b->scale_bytes, &at[3]) &&
              wl_alloc(device, bytes, &at[4]) == WL_OK;
  /* Behind the arguments Triton has two pointers of its own, not used here. */
  const wl_arg_t args[] = {WL_ARG(at[0]), WL_ARG(at[1]), WL_ARG(at[2]),
                           WL_ARG(at[3]), WL_ARG(at[4]), WL_ARG(b->rows),
                           WL_ARG(a->k),  WL_ARG(none),  WL_ARG(none)};
  well = well && wl_launch(function, &grid, args, 9, NULL) == WL_OK &&
         wl_read(device, result, at[4], bytes) == WL_OK;
  CHECK(well, "%s: %s", k->name, wl_error(device));
  triton_clean(device, function, k->name);
  for (unsigned i = 0; i < 5; i++)
    (void)wl_free(device, at[i]);
  wl_module_unload(module);
  return well;
}

static void check_shape(const kernel_t *k, const char *ptx, const unsigned *shape) {
  const unsigned m = shape[0] * k->tile_m, n = shape[1] * k->tile_n, inner = shape[2] * k->tile_k;
  uint64_t state = m * 1000003u + n + inner;
  matrix_t a = make_matrix(k, 0, m, inner, &state), b = make_matrix(k, 1, n, inner, &state);
  uint32_t *const c = calloc((size_t)m * n, sizeof *c);
  unsigned differ = 0, zeros = 0;
  const bool well = launch(k, ptx, &a, &b, c);
  for (unsigned i = 0; well && i < m * n; i++) {
    differ += c[i] != element(&a, &b, i / n, i % n);
    zeros += c[i] == 0;
  }
  CHECK(differ == 0 && zeros < m * n / 8, "%s %u x %u x %u: %u elements of %u, %u zeros", k->name,
        m, n, inner, differ, m * n, zeros);
  free_matrix(&a);
  free_matrix(&b);
  free(c);
}

static bool read_kernel(const char *line, kernel_t *k) {
  *k = (kernel_t){.tiles = 0};
  if (sscanf(line, "%7s %7s %u %u %u %u %u %u %u", k->type[0], k->type[1], &k->per_scale, &k->tiles,
             &k->tile_m, &k->tile_n, &k->tile_k, &k->stages, &k->shared) != 9)
    return false;
  (void)snprintf(k->name, sizeof k->name, "scaled_%s_%s_%u_%u%s", k->type[0], k->type[1],
                 k->per_scale, k->tile_k, k->tiles != 0 ? "_cp" : "");
  return type_named(k->type[0]) != NULL && type_named(k->type[1]) != NULL;
}

static void check_kernel(const kernel_t *k, const char *folder, unsigned count) {
  char path[512];
  size_t size = 0;
  (void)snprintf(path, sizeof path, "%s/%s.sm100.ptx", folder, k->name);
  char *ptx = wl_read_file(path, &size);
  CHECK(ptx != NULL && strstr(ptx, ".block_scale.block") != NULL &&
            (strstr(ptx, "tcgen05.cp.cta_group::1.warpx4.32x128b") != NULL) == (k->tiles != 0) &&
            (strstr(ptx, "cp.async.wait_group") != NULL) == (k->stages > 1),
        "%s", path);
  for (unsigned i = 0; ptx != NULL && i < count && i < SHAPES; i++)
    check_shape(k, ptx, shapes[i]);
  free(ptx);
}

int main(int argc, char **argv) {
  char folder[400], line[160];
  unsigned kernels = 0;
  if (argc != 6) return 2;
  const char *end = strrchr(argv[4], '/');
  (void)snprintf(folder, sizeof folder, "%.*s", end == NULL ? 0 : (int)(end - argv[4]), argv[4]);
  FILE *list = fopen(argv[4], "r");
  const wl_device_options_t options = triton_options(argv[1], argv[2]);
  if (list == NULL || wl_device_open(&options, &device) != WL_OK) {
    printf("FAILED  %s\n", list == NULL ? argv[4] : wl_error(device));
    return 1;
  }
  while (fgets(line, sizeof line, list) != NULL) {
    kernel_t k;
    if (line[0] == '#') continue;
    const bool well = read_kernel(line, &k);
    CHECK(well, "%s", line);
    if (well) check_kernel(&k, folder, (unsigned)strtoul(argv[3], NULL, 10));
    kernels++;
  }
  (void)fclose(list);
  CHECK(kernels == strtoul(argv[5], NULL, 10), "%u kernels", kernels);
  wl_device_close(device);
  printf("%u kernels, %d failures\n", kernels, failures);
  return failures != 0;
}
