/* bench.c: runs a case on every backend in turn, round after round, and takes medians.
 * docs/bench.md. In turn, so that whatever else the machine does meets all backends alike. */
#include "driver/bench/bench.h"

#include <stdlib.h>
#include <string.h>

#include "driver/bench/run.h"

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
static bool same_cycles(wl_bench_run_t *b) {
  const wl_bench_target_t *first = NULL;
  for (unsigned i = 0; i < WL_NUM_BENCH_BACKENDS; i++) {
    const wl_bench_target_t *t = &b->target[i];
    if (t->launches == 0 || i == WL_BENCH_FUNC) {
      continue;
    }
    first = first == NULL ? t : first;
    for (unsigned k = 0; k < t->launches; k++) {
      if (t->cycles[k] != first->cycles[k]) {
        return wl_bench_fail(b, "%s, %s: %s took %llu cycles in launch %u, another backend %llu",
                             b->options->config, b->c->name, wl_bench_backend_name[i],
                             (unsigned long long)t->cycles[k], k,
                             (unsigned long long)first->cycles[k]);
      }
    }
  }
  return true;
}

static void fill_figure(wl_bench_figure_t *f, const wl_bench_target_t *t,
                        const wl_bench_target_t *first, const wl_result_t *counts) {
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

static void collect(wl_bench_run_t *b) {
  const wl_bench_target_t *first = NULL;
  const wl_bench_target_t *clocked =
      NULL; /* bare RTL cannot count instructions; its cycles are theirs */
  for (unsigned i = 0; i < WL_NUM_BENCH_BACKENDS; i++) {
    const wl_bench_target_t *t = &b->target[i];
    if (clocked == NULL && t->result.cycles != 0 && t->result.instructions != 0) {
      clocked = t;
    }
  }
  for (unsigned i = 0; i < WL_NUM_BENCH_BACKENDS; i++) {
    const wl_bench_target_t *t = &b->target[i];
    if (t->rounds == 0) {
      continue;
    }
    first = first == NULL ? t : first;
    const wl_bench_target_t *counts = i == WL_BENCH_RTL && clocked != NULL ? clocked : t;
    fill_figure(&b->figures[i], t, first, &counts->result);
  }
}

/* Part of the cycles of a launch in which a tensor unit works, by the records of one launch. */
static bool find_busy(wl_bench_run_t *b) {
  const wl_bench_case_t *c = b->c;
  const wl_config_t *config = wl_config_find(b->options->config);
  if (c->elements == 0 && !c->umma) {
    return true;
  }
  if (!wl_bench_open_target(b, WL_BENCH_COUNTING) ||
      (b->target[WL_BENCH_COUNTING].device != NULL &&
       !wl_bench_launch(b, WL_BENCH_COUNTING, false))) {
    return false;
  }
  const double work = c->umma ? (double)b->seen.steps
                              : (double)b->seen.products *
                                    wl_bench_product_cycles(config, c->elements, c->k) /
                                    config->sub_cores;
  for (unsigned i = 0; i < WL_NUM_BENCH_BACKENDS; i++) {
    wl_bench_figure_t *f = &b->figures[i];
    f->busy = f->cycles != 0 ? work / (double)f->cycles : 0;
  }
  return true;
}

static bool measure(wl_bench_run_t *b) {
  bool good = wl_bench_read_ptx(b);
  for (unsigned i = 0; i < WL_NUM_BENCH_BACKENDS && good; i++) {
    good = wl_bench_open_target(b, i);
  }
  for (unsigned round = 0; round <= b->options->rounds && good; round++) {
    for (unsigned i = 0; i < WL_NUM_BENCH_BACKENDS && good; i++) {
      const unsigned most = i == WL_BENCH_FULL ? b->options->full_rounds : b->options->rounds;
      if (b->target[i].device == NULL || round > most || most == 0) {
        continue;
      }
      good = wl_bench_launch(b, i, round != 0);
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
  wl_bench_run_t *b = wl_bench_run_new(options, c, err, cap);
  memset(figures, 0, WL_NUM_BENCH_BACKENDS * sizeof *figures);
  if (b == NULL) {
    return false;
  }
  b->figures = figures;
  const bool good = measure(b);
  wl_bench_run_free(b);
  return good;
}

bool wl_bench_count(const wl_bench_options_t *options, const wl_bench_case_t *c,
                    wl_bench_seen_t *seen, char *err, size_t cap) {
  wl_bench_run_t *b = wl_bench_run_new(options, c, err, cap);
  if (b == NULL) {
    return false;
  }
  const bool good = wl_bench_read_ptx(b) && wl_bench_open_target(b, WL_BENCH_COUNTING) &&
                    (b->target[WL_BENCH_COUNTING].device != NULL ||
                     wl_bench_fail(b, "this program has no model")) &&
                    wl_bench_launch(b, WL_BENCH_COUNTING, false);
  *seen = b->seen;
  wl_bench_run_free(b);
  return good;
}
