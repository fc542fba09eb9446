/* Matrix products that Triton compiled (gemm.py), unchanged, against the same sequence of matrix instructions
 * by the rule of silicon (tests/silicon/dot.h; e4m3 in tensor memory: docs/numerics.md). Usage: test_triton BACKEND CONFIG SHAPES LIST KERNELS: the first
 * SHAPES of `shapes`; LIST has so many kernels, whose PTX is beside it. A LIST of the name X.sm100.txt has kernels
 * X.sm100.ptx, whose products are in tensor memory (tcgen05). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/include/warplock.h"
#include "tests/common/check.h"
#include "tests/common/read_file.h"
#include "tests/common/splitmix.h"
#include "tests/kernels/common/mma_rule.h"
#include "tests/silicon/dot.h"
#include "tests/tensor/triton/checked.h"

/* Of C: rows, columns; k. */
static const unsigned shapes[][3] = {
    {32, 16, 64}, {33, 20, 40}, {70, 49, 100}, {48, 80, 96}, {64, 64, 512}};
enum { SHAPES = sizeof shapes / sizeof shapes[0], STEP_BYTES = 32 /* of k of an instruction */ };

typedef struct kernel {
  char name[32];
  unsigned tile_m, tile_n, tile_k, warps, align, shared,
      stages /* 0: of gemm.py, else of stages.py */;
  tensor_t t; /* types */
} kernel_t;

static wl_device_t *device;
static bool tcgen; /* products in tensor memory */

static bool type_named(const char *name, tensor_type_t *type) {
  for (tensor_type_t t = TENSOR_F16; t <= TENSOR_S32; t++)
    if (strcmp(tensor_type_name(t) + 1, name) == 0) {
      *type = t;
      return true;
    }
  return false;
}

static bool read_kernel(const char *line, kernel_t *k) {
  char a[8], d[8];
  *k = (kernel_t){.t = {.steps = 1, .quads = 1}};
  if (sscanf(line, "%7s %7s %u %u %u %u %u %u %u", a, d, &k->tile_m, &k->tile_n, &k->tile_k,
             &k->warps, &k->align, &k->shared, &k->stages) < 8)
    return false;
  int at = snprintf(k->name, sizeof k->name, "%s_%s_%u", a, d, k->align);
  if (k->stages != 0) (void)snprintf(k->name + at, sizeof k->name - (size_t)at, "_s%u", k->stages);
  k->t.c = TENSOR_F32;
  return type_named(a, &k->t.a) && type_named(a, &k->t.b) && type_named(d, &k->t.c) &&
         type_named(d, &k->t.d);
}

static unsigned bytes_of(tensor_type_t type) { return tensor_format(type)->bits / 8; }

/* Numbers with exponents -3 to 2 and any fraction, now and then a zero; integers of any value. */
static uint64_t draw(tensor_type_t type, uint64_t *state) {
  const tensor_format_t *f = tensor_format(type);
  const uint64_t z = wl_splitmix64(state), any = z & ((UINT64_C(1) << f->bits) - 1);
  if (tensor_is_integer(type)) return any;
  if (z >> 58 == 0) return 0;
  const unsigned fraction = f->fraction + f->low;
  const uint64_t exponent = (1u << (f->exponent - 1)) - 4 + (z >> 48 & 0xff) % 6;
  return (any & ((UINT64_C(1) << fraction) - 1)) | exponent << fraction |
         (z >> 47 & 1) << (f->bits - 1);
}

static uint64_t get(const uint8_t *data, tensor_type_t type, size_t index) {
  uint64_t v = 0;
  memcpy(&v, data + index * bytes_of(type), bytes_of(type));
  return v;
}

static void put(uint8_t *data, tensor_type_t type, size_t index, uint64_t v) {
  memcpy(data + index * bytes_of(type), &v, bytes_of(type));
}

/* 32 products of e4m3 in tensor memory are one block; in mma.sync they are not. */
static uint64_t block_of_bytes(const uint64_t *x, const uint64_t *y, uint64_t d, bool half) {
  float a[STEP_BYTES], b[STEP_BYTES], c;
  uint32_t bits = (uint32_t)d;
  for (unsigned k = 0; k < STEP_BYTES; k++) {
    a[k] = wl_rule_byte((uint32_t)x[k]);
    b[k] = wl_rule_byte((uint32_t)y[k]);
  }
  if (half) return wl_rule_block_half(a, b, STEP_BYTES, bits);
  memcpy(&c, &bits, sizeof c);
  c = wl_rule_block(a, b, STEP_BYTES, c);
  memcpy(&bits, &c, sizeof bits);
  return bits;
}

/* One element of C: what is beyond k is zero. */
static uint64_t element(const tensor_t *t, unsigned k, unsigned n, const uint8_t *a,
                        const uint8_t *b, unsigned row, unsigned column) {
  const unsigned step = STEP_BYTES / bytes_of(t->a);
  uint64_t x[STEP_BYTES], y[STEP_BYTES], d = 0;
  for (unsigned from = 0; from < k; from += step) {
    int64_t sum = (int32_t)d;
    for (unsigned i = 0; i < step; i++) {
      x[i] = from + i < k ? get(a, t->a, (size_t)row * k + from + i) : 0;
      y[i] = from + i < k ? get(b, t->b, (size_t)(from + i) * n + column) : 0;
      sum += (int8_t)x[i] * (int8_t)y[i];
    }
    d = t->a == TENSOR_S8              ? (uint32_t)sum
        : tcgen && t->a == TENSOR_E4M3 ? block_of_bytes(x, y, d, t->d == TENSOR_F16)
                                       : dot_float(t, step, x, y, t->c, d);
  }
  return d;
}

typedef struct buffers {
  uint8_t *a, *b, *c;
  size_t a_bytes, b_bytes, c_bytes;
} buffers_t;

static bool launch(const kernel_t *k, const char *ptx, const unsigned *shape, const buffers_t *x) {
  wl_module_t *module = NULL;
  wl_function_t *function = NULL;
  wl_addr_t a = 0, b = 0, c = 0, none = 0;
  const unsigned m = shape[0], n = shape[1];
  const unsigned across = (n + k->tile_n - 1) / k->tile_n, down = (m + k->tile_m - 1) / k->tile_m;
  const bool flat = k->stages != 0;
  const wl_launch_t grid = {.grid = {flat ? across * down : across, flat ? 1 : down, 1},
                            .block = {32 * k->warps, 1, 1},
                            .shared = k->shared};
  bool well =
      wl_module_load(device, k->name, ptx, strlen(ptx), NULL, &module) == WL_OK &&
      wl_module_function(module, flat ? "matmul" : "gemm", &function) == WL_OK &&
      wl_alloc(device, x->a_bytes, &a) == WL_OK && wl_alloc(device, x->b_bytes, &b) == WL_OK &&
      wl_alloc(device, x->c_bytes, &c) == WL_OK && wl_write(device, a, x->a, x->a_bytes) == WL_OK &&
      wl_write(device, b, x->b, x->b_bytes) == WL_OK;
  /* Behind the arguments Triton has two pointers of its own, not used here. */
  const wl_arg_t args[] = {WL_ARG(a),        WL_ARG(b),        WL_ARG(c),    WL_ARG(shape[0]),
                           WL_ARG(shape[1]), WL_ARG(shape[2]), WL_ARG(none), WL_ARG(none)};
  well = well && wl_launch(function, &grid, args, 8, NULL) == WL_OK &&
         wl_read(device, x->c, c, x->c_bytes) == WL_OK;
  CHECK(well, "%s: %s", k->name, wl_error(device));
  triton_clean(device, function, k->name);
  (void)wl_free(device, a);
  (void)wl_free(device, b);
  (void)wl_free(device, c);
  wl_module_unload(module);
  return well;
}

static void check_shape(const kernel_t *k, const char *ptx, const unsigned *shape) {
  const unsigned m = shape[0], n = shape[1], inner = shape[2];
  uint64_t state = m * 1000003u + n + inner;
  buffers_t x = {.a_bytes = (size_t)m * inner * bytes_of(k->t.a),
                 .b_bytes = (size_t)inner * n * bytes_of(k->t.b),
                 .c_bytes = (size_t)m * n * bytes_of(k->t.d)};
  x.a = calloc(1, x.a_bytes);
  x.b = calloc(1, x.b_bytes);
  x.c = calloc(1, x.c_bytes);
  for (size_t i = 0; i < (size_t)m * inner; i++)
    put(x.a, k->t.a, i, draw(k->t.a, &state));
  for (size_t i = 0; i < (size_t)inner * n; i++)
    put(x.b, k->t.b, i, draw(k->t.b, &state));
  unsigned differ = 0;
  const bool well = launch(k, ptx, shape, &x);
  for (unsigned i = 0; well && i < m * n; i++)
    differ += get(x.c, k->t.d, i) != element(&k->t, inner, n, x.a, x.b, i / n, i % n);
  CHECK(differ == 0, "%s %u x %u x %u: %u elements of %u", k->name, m, n, inner, differ, m * n);
  free(x.a);
  free(x.b);
  free(x.c);
}

static void check_kernel(const kernel_t *k, const char *folder, unsigned count) {
  char path[512];
  size_t size = 0;
  (void)snprintf(path, sizeof path, "%s/%s%s.ptx", folder, k->name, tcgen ? ".sm100" : "");
  char *ptx = wl_read_file(path, &size);
  CHECK(ptx != NULL && strstr(ptx, tcgen ? "tcgen05.mma" : "mma.sync") != NULL &&
            strstr(ptx, tcgen ? "tcgen05.commit" : "ldmatrix") != NULL &&
            (strstr(ptx, "cp.async.wait_group") != NULL) == (k->stages > 1),
        "%s", path);
  for (unsigned i = 0; ptx != NULL && i < count && i < SHAPES; i++)
    if (shapes[i][0] % k->align + shapes[i][1] % k->align + shapes[i][2] % k->align == 0)
      check_shape(k, ptx, shapes[i]);
  free(ptx);
}

int main(int argc, char **argv) {
  char folder[400], line[160];
  unsigned kernels = 0;
  if (argc != 6) return 2;
  const char *end = strrchr(argv[4], '/');
  (void)snprintf(folder, sizeof folder, "%.*s", end == NULL ? 0 : (int)(end - argv[4]), argv[4]);
  tcgen = strstr(argv[4], ".sm100.") != NULL;
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
