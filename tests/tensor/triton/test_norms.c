/* Softmax and layer norm of rows of f16 that Triton compiled (norms.py), unchanged, against doubles of the host:
 * each result is one of the two numbers of f16 around the exact one, or by the error of the f32 arithmetic
 * beside them. Usage: test_norms BACKEND CONFIG FOLDER */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/include/warplock.h"
#include "tests/common/check.h"
#include "tests/common/read_file.h"
#include "tests/common/splitmix.h"

enum { ROWS = 3, MOST = 320, BLOCK = 128, SHARED = 16 };
static wl_device_t *device;
static uint64_t state = 1;

static double of_half(uint16_t h) {
  const int e = h >> 10 & 31, fraction = h & 1023;
  const double v = e == 0 ? ldexp(fraction, -24) : ldexp(fraction + 1024, e - 25);
  return h >> 15 ? -v : v;
}

/* Numbers from about -8 to 8, either sign, now and then a zero. */
static uint16_t draw(void) {
  const uint64_t z = wl_splitmix64(&state);
  if (z >> 58 == 0) return 0;
  return (uint16_t)((z & 0x83ff) | (11 + (z >> 32) % 7) << 10);
}

/* Distance of two numbers of f16 around x. */
static double step_at(double x) {
  int e = 0;
  (void)frexp(x, &e);
  return ldexp(1, (e < -13 ? -13 : e) - 11);
}

typedef struct rows {
  uint16_t x[ROWS * MOST], gain[MOST], bias[MOST], y[ROWS * MOST];
  unsigned columns;
} rows_t;

static void check_row(const rows_t *r, bool norm, unsigned row, const char *name) {
  double v[MOST], most = -INFINITY, sum = 0, mean = 0, square = 0, scale = 0;
  const unsigned n = r->columns;
  unsigned differ = 0;
  for (unsigned i = 0; i < n; i++) {
    v[i] = of_half(r->x[row * n + i]);
    most = fmax(most, v[i]);
    mean += v[i] / n;
  }
  for (unsigned i = 0; i < n; i++) {
    sum += exp(v[i] - most);
    square += (v[i] - mean) * (v[i] - mean) / n;
  }
  scale = 1 / sqrt(square + 1e-5);
  for (unsigned i = 0; i < n; i++) {
    const double unit = (v[i] - mean) * scale, got = of_half(r->y[row * n + i]);
    const double gain = of_half(r->gain[i]), bias = of_half(r->bias[i]);
    const double want = norm ? unit * gain + bias : exp(v[i] - most) / sum;
    /* Half a step of rounding, and 2^-18 of what the f32 arithmetic adds up. */
    const double error = norm ? fabs(unit * gain) + fabs(bias) : want;
    const double bound = 0.5 * step_at(want) + ldexp(error, -18);
    if (!(fabs(got - want) <= bound) && differ++ == 0)
      printf("%s row %u column %u: %.9g, expected %.9g\n", name, row, i, got, want);
  }
  CHECK(differ == 0, "%s row %u of %u columns: %u differ", name, row, n, differ);
}

static void check_kernel(const char *folder, const char *kernel, unsigned arch, unsigned columns) {
  static rows_t r;
  char path[512];
  size_t size = 0;
  const bool norm = strcmp(kernel, "layer_norm") == 0;
  wl_module_t *module = NULL;
  wl_function_t *function = NULL;
  wl_addr_t x = 0, y = 0, gain = 0, bias = 0, none = 0;
  const unsigned rows = ROWS;
  const float epsilon = 1e-5f;
  (void)snprintf(path, sizeof path, "%s/%s_f16.sm%u.ptx", folder, kernel, arch);
  char *ptx = wl_read_file(path, &size);
  CHECK(ptx != NULL, "%s", path);
  if (ptx == NULL) return;
  r.columns = columns;
  for (unsigned i = 0; i < ROWS * columns; i++)
    r.x[i] = draw();
  for (unsigned i = 0; i < columns; i++) {
    r.gain[i] = draw();
    r.bias[i] = draw();
  }
  const size_t bytes = ROWS * columns * sizeof r.x[0], row = columns * sizeof r.x[0];
  /* Softmax: two CTAs for three rows. Behind the arguments Triton has two pointers, not used here. */
  const wl_launch_t grid = {
      .grid = {norm ? ROWS : 2, 1, 1}, .block = {BLOCK, 1, 1}, .shared = SHARED};
  const wl_arg_t of_norm[] = {WL_ARG(y),       WL_ARG(x),       WL_ARG(gain), WL_ARG(bias),
                              WL_ARG(columns), WL_ARG(epsilon), WL_ARG(none), WL_ARG(none)};
  const wl_arg_t of_softmax[] = {WL_ARG(y),       WL_ARG(x),    WL_ARG(rows),
                                 WL_ARG(columns), WL_ARG(none), WL_ARG(none)};
  bool well = wl_module_load(device, path, ptx, strlen(ptx), NULL, &module) == WL_OK &&
              wl_module_function(module, kernel, &function) == WL_OK &&
              wl_alloc(device, bytes, &x) == WL_OK && wl_alloc(device, bytes, &y) == WL_OK &&
              wl_alloc(device, row, &gain) == WL_OK && wl_alloc(device, row, &bias) == WL_OK &&
              wl_write(device, x, r.x, bytes) == WL_OK &&
              wl_write(device, gain, r.gain, row) == WL_OK &&
              wl_write(device, bias, r.bias, row) == WL_OK;
  well = well &&
         wl_launch(function, &grid, norm ? of_norm : of_softmax, norm ? 8 : 6, NULL) == WL_OK &&
         wl_read(device, r.y, y, bytes) == WL_OK;
  CHECK(well, "%s: %s", path, wl_error(device));
  for (unsigned i = 0; well && i < ROWS; i++)
    check_row(&r, norm, i, path);
  (void)wl_free(device, x);
  (void)wl_free(device, y);
  (void)wl_free(device, gain);
  (void)wl_free(device, bias);
  wl_module_unload(module);
  free(ptx);
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  const wl_device_options_t options = {.backend = argv[1],
                                       .config = argv[2],
                                       .mem_bytes = UINT64_C(4) << 20,
                                       .inside = strcmp(argv[1], "lockstep") == 0};
  if (wl_device_open(&options, &device) != WL_OK) {
    printf("FAILED  %s\n", wl_error(device));
    return 1;
  }
  /* Of sm_90 and sm_100 the compiler was told that extents are multiples of 16. */
  for (unsigned i = 0; i < 3; i++) {
    const unsigned arch = i == 0 ? 80 : i == 1 ? 90 : 100;
    check_kernel(argv[3], "softmax", arch, i == 0 ? 77 : 112);
    check_kernel(argv[3], "layer_norm", arch, i == 0 ? 301 : 304);
  }
  wl_device_close(device);
  printf("6 kernels of softmax and layer norm, %d failures\n", failures);
  return failures != 0;
}
