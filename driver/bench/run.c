/* run.c: see run.h. */
#include "driver/bench/run.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "driver/bench/bare.h"

/* Small: lockstep copies and compares all of it once per launch, inside the measured time. */
#define DEVICE_MEMORY (UINT64_C(2) << 20)

static const struct {
  const char *backend, *compare;
  unsigned threads;
} library_backend[WL_NUM_BENCH_BACKENDS + 1] = {
    [WL_BENCH_RTL] = {"func", NULL, 1}, /* exchanged for the bare RTL */
    [WL_BENCH_RTL_CALLS] = {"rtl", NULL, 1},
    [WL_BENCH_MODEL] = {"model", NULL, 1},
    [WL_BENCH_JOURNAL] = {"lockstep", "journal", 1},
    [WL_BENCH_THREADS] = {"lockstep", "journal", 2},
    [WL_BENCH_FULL] = {"lockstep", "full", 1},
    [WL_BENCH_FUNC] = {"func", NULL, 1},
    [WL_NUM_BENCH_BACKENDS] = {"model", NULL, 1}, /* exchanged for the model with records */
};

bool wl_bench_fail(wl_bench_run_t *b, const char *format, ...) {
  va_list args;
  va_start(args, format);
  (void)vsnprintf(b->err, b->cap, format, args);
  va_end(args);
  return false;
}

bool wl_bench_read_ptx(wl_bench_run_t *b) {
  char path[1024];
  (void)snprintf(path, sizeof path, "%s/%s/%s.%s.ptx", b->options->ptx_dir, b->c->kernel,
                 b->c->kernel, b->c->variant != NULL ? b->c->variant : "nvcc");
  const size_t most = 1 << 20;
  b->ptx = malloc(most);
  FILE *file = b->ptx != NULL ? fopen(path, "rb") : NULL;
  if (file == NULL) {
    return wl_bench_fail(b, "%s: cannot be read (see --ptx-dir)", path);
  }
  b->ptx_bytes = fread(b->ptx, 1, most, file);
  (void)fclose(file);
  return b->ptx_bytes != 0 || wl_bench_fail(b, "%s: empty or not readable", path);
}

static const char *name_of(unsigned i) {
  return i == WL_BENCH_COUNTING ? "model, records counted" : wl_bench_backend_name[i];
}

static bool device_fail(wl_bench_run_t *b, unsigned i) {
  return wl_bench_fail(b, "%s, %s: %s: %s", b->options->config, b->c->name, name_of(i),
                       wl_error(b->target[i].device));
}

/* The backend's device with the kernel loaded. True also when this build has no such backend. */
bool wl_bench_open_target(wl_bench_run_t *b, unsigned i) {
  wl_bench_target_t *t = &b->target[i];
  wl_bench_figure_t none, *figure = i == WL_BENCH_COUNTING ? &none : &b->figures[i];
  const wl_device_options_t options = {.backend = library_backend[i].backend,
                                       .config = b->options->config,
                                       .compare = library_backend[i].compare,
                                       .threads = library_backend[i].threads,
                                       .mem_bytes = DEVICE_MEMORY,
                                       .seed = 1};
  const wl_status_t status = wl_device_open(&options, &t->device);
  bool there = status == WL_OK;
  if (status == WL_ERR_UNSUPPORTED) {
    (void)snprintf(figure->absent, sizeof figure->absent, "%s", wl_error(t->device));
  } else if (status != WL_OK) {
    return device_fail(b, i);
  } else if (i == WL_BENCH_RTL) {
    there = wl_bench_use_bare_rtl(t->device, figure->absent, sizeof figure->absent);
  } else if (i == WL_BENCH_COUNTING) {
    there = wl_bench_count_products(t->device, &b->seen, figure->absent, sizeof figure->absent);
  }
  if (!there) {
    wl_device_close(t->device);
    t->device = NULL;
    return true;
  }
  wl_module_t *module = NULL;
  if (wl_module_load(t->device, b->c->kernel, b->ptx, b->ptx_bytes, NULL, &module) != WL_OK ||
      wl_module_function(module, b->c->entry, &t->function) != WL_OK) {
    return device_fail(b, i);
  }
  for (unsigned k = 0; k < b->c->buffers; k++) {
    if (wl_alloc(t->device, b->c->bytes[k], &t->buffer[k]) != WL_OK) {
      return device_fail(b, i);
    }
  }
  return true;
}

static double seconds(clockid_t clock) {
  struct timespec now = {0};
  (void)clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool check_result(wl_bench_run_t *b, unsigned i) {
  const wl_bench_case_t *c = b->c;
  wl_bench_target_t *t = &b->target[i];
  const size_t bytes = c->bytes[c->result];
  uint32_t *got = malloc(bytes);
  if (got == NULL || wl_read(t->device, got, t->buffer[c->result], bytes) != WL_OK) {
    free(got);
    return got == NULL ? wl_bench_fail(b, "out of memory") : device_fail(b, i);
  }
  const uint32_t *want = c->expected;
  bool equal = true;
  for (size_t k = 0; k < bytes / sizeof *got && equal; k++) {
    equal = got[k] == want[k] ||
            wl_bench_fail(b, "%s, %s: %s: word %zu of the result is %08x, the host computes %08x",
                          b->options->config, c->name, name_of(i), k, got[k], want[k]);
  }
  free(got);
  return equal;
}

/* One launch; measured unless it is the warm-up. */
bool wl_bench_launch(wl_bench_run_t *b, unsigned i, bool measured) {
  const wl_bench_case_t *c = b->c;
  wl_bench_target_t *t = &b->target[i];
  wl_arg_t args[8];
  for (unsigned k = 0; k < c->buffers; k++) {
    args[k] = (wl_arg_t){&t->buffer[k], sizeof t->buffer[k]};
    if (wl_write(t->device, t->buffer[k], c->data[k], c->bytes[k]) != WL_OK) {
      return device_fail(b, i);
    }
  }
  for (unsigned k = 0; k < c->scalars; k++) {
    args[c->buffers + k] = (wl_arg_t){&c->scalar[k], sizeof c->scalar[k]};
  }
  wl_launch_t shape = {.shared = c->shared};
  memcpy(shape.grid, c->grid, sizeof shape.grid);
  memcpy(shape.block, c->block, sizeof shape.block);
  const double wall = seconds(CLOCK_MONOTONIC);
  const double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
  const wl_status_t status =
      wl_launch(t->function, &shape, args, c->buffers + c->scalars, &t->result);
  if (measured) {
    t->cpu[t->rounds] = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    t->wall[t->rounds] = seconds(CLOCK_MONOTONIC) - wall;
    t->rounds++;
  }
  t->cycles[t->launches++] = t->result.cycles;
  return status == WL_OK ? check_result(b, i) : device_fail(b, i);
}

wl_bench_run_t *wl_bench_run_new(const wl_bench_options_t *options, const wl_bench_case_t *c,
                                 char *err, size_t cap) {
  wl_bench_run_t *b = calloc(1, sizeof *b);
  if (b == NULL) {
    (void)snprintf(err, cap, "out of memory");
    return NULL;
  }
  b->options = options;
  b->c = c;
  b->err = err;
  b->cap = cap;
  return b;
}

void wl_bench_run_free(wl_bench_run_t *b) {
  for (unsigned i = 0; i <= WL_BENCH_COUNTING; i++) {
    wl_device_close(b->target[i].device);
  }
  free(b->ptx);
  free(b);
}
