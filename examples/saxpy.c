/* saxpy.c: y = a * x + y on a Warplock core, from C through libwarplock.
 *   cc saxpy.c $(pkg-config --cflags --libs warplock) -o saxpy && ./saxpy saxpy.ptx [backend [config]]
 * saxpy.ptx is what nvcc makes of saxpy.cu. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <warplock.h>

enum { N = 1003, BLOCK = 128 };

static char text[65536];
static float x[N], y[N], want[N];

/* Ends the program with the library's own words when a call failed. */
static void check(wl_device_t *device, wl_status_t status) {
  if (status != WL_OK) {
    fprintf(stderr, "saxpy: %s: %s\n", wl_status_text(status), wl_error(device));
    exit((int)status);
  }
}

int main(int argc, char **argv) {
  FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
  size_t size = file != NULL ? fread(text, 1, sizeof text, file) : 0;
  if (size == 0 || fclose(file) != 0) {
    fprintf(stderr, "usage: saxpy FILE.ptx [func|model|rtl|lockstep [tiny|base|full]]\n");
    return 2;
  }
  float a = 2.5f;
  for (int i = 0; i < N; i++) {
    x[i] = (float)i * 0.125f;
    y[i] = 100.0f - (float)i;
    want[i] = fmaf(a, x[i], y[i]); /* the compilers fuse */
  }
  wl_device_options_t options = {.backend = argc > 2 ? argv[2] : "func",
                                 .config = argc > 3 ? argv[3] : "base"};
  wl_device_t *device;
  wl_module_t *module;
  wl_function_t *saxpy;
  wl_addr_t device_x, device_y;
  wl_result_t result;
  uint32_t n = N;
  check(device, wl_device_open(&options, &device));
  check(device, wl_module_load(device, argv[1], text, size, NULL, &module));
  check(device, wl_module_function(module, "saxpy", &saxpy));
  check(device, wl_alloc(device, sizeof x, &device_x));
  check(device, wl_alloc(device, sizeof y, &device_y));
  check(device, wl_write(device, device_x, x, sizeof x));
  check(device, wl_write(device, device_y, y, sizeof y));
  wl_launch_t launch = {.grid = {(N + BLOCK - 1) / BLOCK, 1, 1}, .block = {BLOCK, 1, 1}};
  wl_arg_t args[] = {WL_ARG(a), WL_ARG(device_x), WL_ARG(device_y), WL_ARG(n)};
  check(device, wl_launch(saxpy, &launch, args, 4, &result));
  check(device, wl_read(device, y, device_y, sizeof y));
  wl_device_close(device);
  int wrong = 0;
  for (int i = 0; i < N; i++)
    wrong += y[i] != want[i];
  printf("saxpy: %d of %d right, %llu warp instructions\n", N - wrong, N,
         (unsigned long long)result.instructions);
  return wrong != 0;
}
