/* use.h: saxpy through the functions of a loaded libwarplock. */
#ifndef WL_TESTS_LIBRARY_USE_H
#define WL_TESTS_LIBRARY_USE_H
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "driver/include/warplock.h"

/* The functions that are used, by their types in the header. */
#define WL_USED(F)                                                                                 \
  F(wl_version)                                                                                    \
  F(wl_backend_available)                                                                          \
  F(wl_error)                                                                                      \
  F(wl_device_open)                                                                                \
  F(wl_device_close)                                                                               \
  F(wl_module_load)                                                                                \
  F(wl_module_function)                                                                            \
  F(wl_alloc)                                                                                      \
  F(wl_write)                                                                                      \
  F(wl_read)                                                                                       \
  F(wl_launch)

typedef struct wl_library {
#define WL_MEMBER(name) __typeof__(&(name)) name;
  WL_USED(WL_MEMBER)
#undef WL_MEMBER
} wl_library_t;

enum { USE_N = 300, USE_BLOCK = 64, USE_WAYS = 4 };

static inline wl_status_t use_run(const wl_library_t *l, wl_device_t *d, const char *text,
                                  size_t size, const float *x, float *y) {
  wl_module_t *module;
  wl_function_t *saxpy;
  wl_addr_t at[2];
  const float a = 2.5f;
  const uint32_t n = USE_N;
  const size_t bytes = USE_N * sizeof *y;
  const wl_launch_t launch = {.grid = {(USE_N + USE_BLOCK - 1) / USE_BLOCK, 1, 1},
                              .block = {USE_BLOCK, 1, 1}};
  wl_status_t s = l->wl_module_load(d, "saxpy.ptx", text, size, NULL, &module);
  if (s == WL_OK) s = l->wl_module_function(module, "saxpy", &saxpy);
  for (int i = 0; s == WL_OK && i < 2; i++) {
    s = l->wl_alloc(d, bytes, &at[i]);
    if (s == WL_OK) s = l->wl_write(d, at[i], i == 0 ? x : y, bytes);
  }
  const wl_arg_t args[] = {WL_ARG(a), WL_ARG(at[0]), WL_ARG(at[1]), WL_ARG(n)};
  if (s == WL_OK) s = l->wl_launch(saxpy, &launch, args, 4, NULL);
  return s == WL_OK ? l->wl_read(d, y, at[1], bytes) : s;
}

/* True: every element of y is what the host computes. */
static inline bool use_saxpy(const wl_library_t *l, const char *backend, const char *text,
                             size_t size) {
  float x[USE_N], y[USE_N], want[USE_N];
  for (int i = 0; i < USE_N; i++) {
    x[i] = 0.125f * (float)i;
    y[i] = 100.0f - (float)i;
    want[i] = fmaf(2.5f, x[i], y[i]);
  }
  const wl_device_options_t options = {.backend = backend, .config = "tiny"};
  wl_device_t *d = NULL;
  wl_status_t s = l->wl_device_open(&options, &d);
  if (s == WL_OK) s = use_run(l, d, text, size, x, y);
  if (s != WL_OK) fprintf(stderr, "%s: %s\n", backend, d != NULL ? l->wl_error(d) : "no memory");
  if (d != NULL) l->wl_device_close(d);
  for (int i = 0; s == WL_OK && i < USE_N; i++)
    if (y[i] != want[i]) {
      fprintf(stderr, "%s: y[%d] is %g, not %g\n", backend, i, (double)y[i], (double)want[i]);
      return false;
    }
  return s == WL_OK;
}
#endif
