/* bench.c: runs a case on every backend in turn, round after round, and takes medians.
 * docs/bench.md. In turn, so that whatever else the machine does meets all backends alike. */
#include "driver/bench/bench.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "driver/bench/bare.h"
#include "driver/bench/busy.h"

/* Small: lockstep copies and compares all of it once per launch, inside the measured time. */
#define DEVICE_MEMORY (UINT64_C(2) << 20)

const char *const wl_bench_backend_name[WL_NUM_BENCH_BACKENDS] = {"rtl",
                                                                  "rtl, records dropped",
                                                                  "model",
                                                                  "lockstep journal",
                                                                  "lockstep, 2 threads",
                                                                  "lockstep full",
                                                                  "func"};

#ifndef WL_BENCH_FLAGS
#define WL_BENCH_FLAGS     "?"
#define WL_BENCH_VERILATOR "?"
#endif
const char wl_bench_compiler[] =
#ifdef __clang__
    "clang " __clang_version__;
#else
    "gcc " __VERSION__;
#endif
const char wl_bench_flags[] = WL_BENCH_FLAGS;
const char wl_bench_verilator[] = WL_BENCH_VERILATOR;

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

typedef struct target {
  wl_device_t *device;
  wl_function_t *function;
  wl_addr_t buffer[4];
  wl_result_t result;
  unsigned launches, rounds; /* rounds: those measured */
  uint64_t cycles[WL_BENCH_MAX_ROUNDS + 1];
  double cpu[WL_BENCH_MAX_ROUNDS], wall[WL_BENCH_MAX_ROUNDS];
} target_t;

typedef struct bench {
  const wl_bench_options_t *options;
  const wl_bench_case_t *c;
  wl_bench_figure_t *figures;
  char *ptx;
  size_t ptx_bytes;
  char *err;
  size_t cap;
  target_t target[WL_NUM_BENCH_BACKENDS + 1]; /* the last one counts products */
  uint64_t products;
} bench_t;
enum { COUNTING = WL_NUM_BENCH_BACKENDS };

__attribute__((format(printf, 2, 3))) static bool fail(bench_t *b, const char *format, ...) {
  va_list args;
  va_start(args, format);
  (void)vsnprintf(b->err, b->cap, format, args);
  va_end(args);
  return false;
}

static bool read_ptx(bench_t *b) {
  char path[1024];
  (void)snprintf(path, sizeof path, "%s/%s/%s.nvcc.ptx", b->options->ptx_dir, b->c->kernel,
                 b->c->kernel);
  const size_t most = 1 << 20;
  b->ptx = malloc(most);
  FILE *file = b->ptx != NULL ? fopen(path, "rb") : NULL;
  if (file == NULL) {
    return fail(b, "%s: cannot be read (see --ptx-dir)", path);
  }
  b->ptx_bytes = fread(b->ptx, 1, most, file);
  (void)fclose(file);
  return b->ptx_bytes != 0 || fail(b, "%s: empty or not readable", path);
}

static const char *name_of(unsigned i) {
  return i == COUNTING ? "model, records counted" : wl_bench_backend_name[i];
}

static bool device_fail(bench_t *b, unsigned i) {
  return fail(b, "%s, %s: %s: %s", b->options->config, b->c->name, name_of(i),
              wl_error(b->target[i].device));
}

/* The backend's device with the kernel loaded. True also when this build has no such backend. */
static bool open_target(bench_t *b, unsigned i) {
  target_t *t = &b->target[i];
  wl_bench_figure_t none, *figure = i == COUNTING ? &none : &b->figures[i];
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
  } else if (i == COUNTING) {
    there = wl_bench_count_products(t->device, &b->products, figure->absent, sizeof figure->absent);
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

static bool check_result(bench_t *b, unsigned i) {
  const wl_bench_case_t *c = b->c;
  target_t *t = &b->target[i];
  const size_t bytes = c->bytes[c->result];
  uint32_t *got = malloc(bytes);
  if (got == NULL || wl_read(t->device, got, t->buffer[c->result], bytes) != WL_OK) {
    free(got);
    return got == NULL ? fail(b, "out of memory") : device_fail(b, i);
  }
  const uint32_t *want = c->expected;
  bool equal = true;
  for (size_t k = 0; k < bytes / sizeof *got && equal; k++) {
    equal = got[k] == want[k] ||
            fail(b, "%s, %s: %s: word %zu of the result is %08x, the host computes %08x",
                 b->options->config, c->name, name_of(i), k, got[k], want[k]);
  }
  free(got);
  return equal;
}

/* One launch; measured unless it is the warm-up. */
static bool launch(bench_t *b, unsigned i, bool measured) {
  const wl_bench_case_t *c = b->c;
  target_t *t = &b->target[i];
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
  wl_launch_t shape = {0};
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

static int order(const void *a, const void *b) {
  const double x = *(const double *)a;
  const double y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static double median(const double *values, unsigned n) {
  double sorted[WL_BENCH_MAX_ROUNDS];
  memcpy(sorted, values, n * sizeof *sorted);
  qsort(sorted, n, sizeof *sorted, order);
  return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
}

/* Model and RTL are one clock: launch by launch they must take equal cycles. */
static bool same_cycles(bench_t *b) {
  const target_t *first = NULL;
  for (unsigned i = 0; i < WL_NUM_BENCH_BACKENDS; i++) {
    const target_t *t = &b->target[i];
    if (t->launches == 0 || i == WL_BENCH_FUNC) {
      continue;
    }
    first = first == NULL ? t : first;
    for (unsigned k = 0; k < t->launches; k++) {
      if (t->cycles[k] != first->cycles[k]) {
        return fail(b, "%s, %s: %s took %llu cycles in launch %u, another backend %llu",
                    b->options->config, b->c->name, wl_bench_backend_name[i],
                    (unsigned long long)t->cycles[k], k, (unsigned long long)first->cycles[k]);
      }
    }
  }
  return true;
}

static void fill_figure(wl_bench_figure_t *f, const target_t *t, const target_t *first,
                        const wl_result_t *counts) {
  f->measured = true;
  f->cycles = t->result.cycles;
  f->instructions = counts->instructions;
  f->thread_instructions = counts->thread_instructions;
  f->cpu = median(t->cpu, t->rounds);
  f->wall = median(t->wall, t->rounds);
  double ratio[WL_BENCH_MAX_ROUNDS], wall_ratio[WL_BENCH_MAX_ROUNDS];
  for (unsigned k = 0; k < t->rounds; k++) {
    ratio[k] = t->cpu[k] / first->cpu[k];
    wall_ratio[k] = t->wall[k] / first->wall[k];
  }
  f->ratio = median(ratio, t->rounds);
  f->wall_ratio = median(wall_ratio, t->rounds);
}

static void collect(bench_t *b) {
  const target_t *first = NULL;
  const target_t *clocked = NULL; /* bare RTL cannot count instructions; its cycles are theirs */
  for (unsigned i = 0; i < WL_NUM_BENCH_BACKENDS; i++) {
    const target_t *t = &b->target[i];
    if (clocked == NULL && t->result.cycles != 0 && t->result.instructions != 0) {
      clocked = t;
    }
  }
  for (unsigned i = 0; i < WL_NUM_BENCH_BACKENDS; i++) {
    const target_t *t = &b->target[i];
    if (t->rounds == 0) {
      continue;
    }
    first = first == NULL ? t : first;
    const target_t *counts = i == WL_BENCH_RTL && clocked != NULL ? clocked : t;
    fill_figure(&b->figures[i], t, first, &counts->result);
  }
}

/* Part of the cycles of a launch in which a tensor unit works, by the records of one launch. */
static bool find_busy(bench_t *b) {
  const wl_bench_case_t *c = b->c;
  const wl_config_t *config = wl_config_find(b->options->config);
  if (c->elements == 0) {
    return true;
  }
  if (!open_target(b, COUNTING) ||
      (b->target[COUNTING].device != NULL && !launch(b, COUNTING, false))) {
    return false;
  }
  const double work =
      (double)b->products * wl_bench_product_cycles(config, c->elements, c->k) / config->sub_cores;
  for (unsigned i = 0; i < WL_NUM_BENCH_BACKENDS; i++) {
    wl_bench_figure_t *f = &b->figures[i];
    f->busy = f->cycles != 0 ? work / (double)f->cycles : 0;
  }
  return true;
}

static bool measure(bench_t *b) {
  bool good = read_ptx(b);
  for (unsigned i = 0; i < WL_NUM_BENCH_BACKENDS && good; i++) {
    good = open_target(b, i);
  }
  for (unsigned round = 0; round <= b->options->rounds && good; round++) {
    for (unsigned i = 0; i < WL_NUM_BENCH_BACKENDS && good; i++) {
      const unsigned most = i == WL_BENCH_FULL ? b->options->full_rounds : b->options->rounds;
      if (b->target[i].device == NULL || round > most || most == 0) {
        continue;
      }
      good = launch(b, i, round != 0);
    }
  }
  if (!good || !same_cycles(b)) {
    return false;
  }
  collect(b);
  return find_busy(b);
}

bool wl_bench_measure(const wl_bench_options_t *options, const wl_bench_case_t *c,
                      wl_bench_figure_t figures[WL_NUM_BENCH_BACKENDS], char *err, size_t cap) {
  bench_t *b = calloc(1, sizeof *b);
  memset(figures, 0, WL_NUM_BENCH_BACKENDS * sizeof *figures);
  if (b == NULL) {
    (void)snprintf(err, cap, "out of memory");
    return false;
  }
  b->options = options;
  b->c = c;
  b->figures = figures;
  b->err = err;
  b->cap = cap;
  const bool good = measure(b);
  for (unsigned i = 0; i <= COUNTING; i++) {
    wl_device_close(b->target[i].device);
  }
  free(b->ptx);
  free(b);
  return good;
}
