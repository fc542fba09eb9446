/* Attention, and softmax of rows of f32, that Triton compiled (stages.py), unchanged, against doubles of the host.
 * Usage: test_ahead BACKEND CONFIG SIZE FOLDER: attention over SIZE times 32 rows. NAME.sm100.ptx has its products
 * in tensor memory, and the weights are their A there. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/include/warplock.h"
#include "tests/common/check.h"
#include "tests/common/read_file.h"
#include "tests/common/splitmix.h"
#include "tests/tensor/triton/checked.h"

enum { HEADS = 2, MOST = HEADS * 256 * 64, TILE = 32, COLUMNS = 112 };
static wl_device_t *device;
static uint64_t state = 1;

static double of_half(uint16_t h) {
  const int e = h >> 10 & 31, fraction = h & 1023;
  const double v = e == 0 ? ldexp(fraction, -24) : ldexp(fraction + 1024, e - 25);
  return h >> 15 ? -v : v;
}

/* Numbers from about -4 to 4, either sign, now and then a zero. */
static uint16_t draw(void) {
  const uint64_t z = wl_splitmix64(&state);
  if (z >> 58 == 0) return 0;
  return (uint16_t)((z & 0x83ff) | (11 + (z >> 32) % 6) << 10);
}

/* Distance of two numbers of f16 around x. */
static double step_at(double x) {
  int e = 0;
  (void)frexp(x, &e);
  return ldexp(1, (e < -13 ? -13 : e) - 11);
}

typedef struct launch {
  const char *kernel;
  wl_launch_t grid;
  const void *in[3];
  size_t bytes; /* of each of in, and of out */
  void *out, *more;
  size_t more_bytes;
} launch_t;

/* Runs the only entry of the file; `last` are its arguments behind the buffers. */
static bool run(const char *folder, const char *name, const launch_t *l, const wl_arg_t *last,
                unsigned count) {
  char path[512];
  size_t size = 0;
  wl_module_t *module = NULL;
  wl_function_t *function = NULL;
  wl_addr_t in[3] = {0}, out = 0, more = 0, none = 0;
  wl_arg_t args[12];
  unsigned n = 0;
  (void)snprintf(path, sizeof path, "%s/%s.ptx", folder, name);
  char *ptx = wl_read_file(path, &size);
  const char *const has = strstr(name, ".sm100") != NULL ? "], [ %r" : "cp.async.wait_group";
  CHECK(ptx != NULL && strstr(ptx, has) != NULL, "%s", path);
  if (ptx == NULL) return false;
  bool well = wl_module_load(device, path, ptx, strlen(ptx), NULL, &module) == WL_OK &&
              wl_module_function(module, l->kernel, &function) == WL_OK &&
              wl_alloc(device, l->bytes, &out) == WL_OK &&
              (l->more == NULL || wl_alloc(device, l->more_bytes, &more) == WL_OK);
  const bool first = l->more == NULL; /* softmax has its result first */
  if (first) args[n++] = (wl_arg_t)WL_ARG(out);
  for (unsigned i = 0; i < 3; i++)
    if (l->in[i] != NULL) {
      well = well && wl_alloc(device, l->bytes, &in[i]) == WL_OK &&
             wl_write(device, in[i], l->in[i], l->bytes) == WL_OK;
      args[n++] = (wl_arg_t)WL_ARG(in[i]);
    }
  if (!first) {
    args[n++] = (wl_arg_t)WL_ARG(out);
    args[n++] = (wl_arg_t)WL_ARG(more);
  }
  for (unsigned i = 0; i < count; i++)
    args[n++] = last[i];
  /* Behind the arguments Triton has two pointers of its own, not used here. */
  args[n++] = (wl_arg_t)WL_ARG(none);
  args[n++] = (wl_arg_t)WL_ARG(none);
  well = well && wl_launch(function, &l->grid, args, n, NULL) == WL_OK &&
         wl_read(device, l->out, out, l->bytes) == WL_OK &&
         (first || wl_read(device, l->more, more, l->more_bytes) == WL_OK);
  CHECK(well, "%s: %s", path, wl_error(device));
  triton_clean(device, function, path);
  for (unsigned i = 0; i < 3; i++)
    if (l->in[i] != NULL) (void)wl_free(device, in[i]);
  (void)wl_free(device, out);
  if (!first) (void)wl_free(device, more);
  wl_module_unload(module);
  free(ptx);
  return well;
}

typedef struct attention {
  uint16_t q[MOST], k[MOST], v[MOST], out[MOST];
  float logs[HEADS * 256];
  unsigned length, size;
} attention_t;

/* Row `row` of all heads. The kernel rounds weights to f16 and works in f32 else. */
static unsigned differ_row(const attention_t *a, double scale, bool causal, unsigned row,
                           const char *name) {
  double p[256], sum = 0, most = -INFINITY;
  const unsigned size = a->size, head = row / a->length * a->length;
  const unsigned to = causal ? row - head + 1 : a->length;
  unsigned differ = 0;
  for (unsigned j = 0; j < to; j++) {
    double s = 0;
    for (unsigned i = 0; i < size; i++)
      s += of_half(a->q[row * size + i]) * of_half(a->k[(head + j) * size + i]);
    p[j] = s * scale;
    most = fmax(most, p[j]);
  }
  for (unsigned j = 0; j < to; j++)
    sum += p[j] = exp(p[j] - most);
  const double logs = (most + log(sum)) / log(2);
  if (!(fabs(a->logs[row] - logs) <= ldexp(fabs(most) + fabs(logs) + 1, -18)) && differ++ == 0)
    printf("%s row %u: logarithm %.9g, expected %.9g\n", name, row, (double)a->logs[row], logs);
  for (unsigned i = 0; i < size; i++) {
    double want = 0, error = 0;
    for (unsigned j = 0; j < to; j++) {
      const double v = of_half(a->v[(head + j) * size + i]);
      want += p[j] / sum * v;
      /* Half a step of the weight in f16; the exponent's error in f32. */
      error += fabs(v) / sum * (fmax(ldexp(p[j], -11), ldexp(1, -25)) + ldexp(p[j], -17));
    }
    const double got = of_half(a->out[row * size + i]), bound = 0.5 * step_at(want) + error;
    if (!(fabs(got - want) <= bound) && differ++ == 0)
      printf("%s row %u column %u: %.9g, expected %.9g\n", name, row, i, got, want);
  }
  return differ;
}

/* A CTA has `tile` rows. */
static void check_attention(const char *folder, const char *name, bool causal, unsigned length,
                            unsigned tile, unsigned size, unsigned threads, unsigned shared) {
  static attention_t a;
  const float scale = 0.35f;
  a.length = length;
  a.size = size;
  for (unsigned i = 0; i < HEADS * length * size; i++) {
    a.q[i] = draw();
    a.k[i] = draw();
    a.v[i] = draw();
  }
  const launch_t l = {
      .kernel = "attention",
      .grid = {.grid = {length / tile, HEADS, 1}, .block = {threads, 1, 1}, .shared = shared},
      .in = {a.q, a.k, a.v},
      .bytes = (size_t)HEADS * length * size * sizeof a.q[0],
      .out = a.out,
      .more = a.logs,
      .more_bytes = HEADS * length * sizeof a.logs[0]};
  const wl_arg_t last[] = {WL_ARG(scale), WL_ARG(length)};
  unsigned differ = 0;
  const bool well = run(folder, name, &l, last, 2);
  for (unsigned row = 0; well && row < HEADS * length; row++)
    differ += differ_row(&a, scale, causal, row, name);
  CHECK(differ == 0, "%s of %u rows: %u differ", name, length, differ);
}

static void check_softmax(const char *folder, const char *name, unsigned rows, unsigned shared) {
  static float x[64 * COLUMNS], y[64 * COLUMNS];
  const unsigned columns = COLUMNS;
  unsigned differ = 0;
  for (unsigned i = 0; i < rows * columns; i++)
    x[i] = (float)of_half(draw()) * 3 + (float)of_half(draw()) / 1024;
  const launch_t l = {.kernel = "softmax",
                      .grid = {.grid = {2, 1, 1}, .block = {64, 1, 1}, .shared = shared},
                      .in = {x},
                      .bytes = rows * columns * sizeof x[0],
                      .out = y};
  const wl_arg_t last[] = {WL_ARG(rows), WL_ARG(columns)};
  const bool well = run(folder, name, &l, last, 2);
  for (unsigned row = 0; well && row < rows; row++) {
    double sum = 0, most = -INFINITY;
    for (unsigned i = 0; i < columns; i++)
      most = fmax(most, (double)x[row * columns + i]);
    for (unsigned i = 0; i < columns; i++)
      sum += exp((double)x[row * columns + i] - most);
    for (unsigned i = 0; i < columns; i++) {
      const double want = exp((double)x[row * columns + i] - most) / sum;
      const double got = (double)y[row * columns + i];
      if (!(fabs(got - want) <= ldexp(want, -18)) && differ++ == 0)
        printf("%s row %u column %u: %.9g, expected %.9g\n", name, row, i, got, want);
    }
  }
  CHECK(differ == 0, "%s: %u differ", name, differ);
}

int main(int argc, char **argv) {
  if (argc != 5) return 2;
  const wl_device_options_t options = triton_options(argv[1], argv[2]);
  const unsigned size = (unsigned)strtoul(argv[3], NULL, 10);
  if (size == 0 || size > 8 || wl_device_open(&options, &device) != WL_OK) {
    printf("FAILED  %s\n", device == NULL ? argv[3] : wl_error(device));
    return 1;
  }
  check_attention(argv[4], "attention_full_s2", false, size * TILE, TILE, 16, 64, 2048);
  check_attention(argv[4], "attention_causal_s3", true, size * TILE, TILE, 32, 128, 6144);
  check_softmax(argv[4], "softmax_f32_s2", 4 + 7 * size, 520);
  check_softmax(argv[4], "softmax_f32_s4", 4 + 7 * size, 1544);
  if (strncmp(argv[2], "tiny", 4) != 0) { /* they need 128 columns of tensor memory */
    check_attention(argv[4], "attention_full_s1.sm100", false, (size + 1) / 2 * 64, 64, 64, 128,
                    12296);
    check_attention(argv[4], "attention_causal_s2.sm100", true, (size + 1) / 2 * 128, 128, 32, 128,
                    16416);
  }
  wl_device_close(device);
  printf("attention and softmax, %d failures\n", failures);
  return failures != 0;
}
