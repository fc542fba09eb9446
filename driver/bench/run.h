/* run.h: a case of the bench on its backends: opened, launched, its result compared. */
#ifndef WL_DRIVER_BENCH_RUN_H
#define WL_DRIVER_BENCH_RUN_H
#include "driver/bench/bench.h"
#include "driver/bench/busy.h"

enum { WL_BENCH_COUNTING = WL_NUM_BENCH_BACKENDS }; /* the target that counts */

/* A backend with the kernel loaded. */
typedef struct wl_bench_target {
  wl_device_t *device;
  wl_function_t *function;
  wl_addr_t buffer[4];
  wl_result_t result;
  unsigned launches, rounds; /* rounds: those measured */
  uint64_t cycles[WL_BENCH_MAX_ROUNDS + 1];
  double cpu[WL_BENCH_MAX_ROUNDS], wall[WL_BENCH_MAX_ROUNDS];
} wl_bench_target_t;

typedef struct wl_bench_run {
  const wl_bench_options_t *options;
  const wl_bench_case_t *c;
  wl_bench_figure_t *figures;
  char *ptx;
  size_t ptx_bytes;
  char *err;
  size_t cap;
  wl_bench_target_t target[WL_NUM_BENCH_BACKENDS + 1]; /* the last one counts products */
  wl_bench_seen_t seen;
} wl_bench_run_t;

/* All give false with a sentence in err. */
bool wl_bench_fail(wl_bench_run_t *b, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
bool wl_bench_read_ptx(wl_bench_run_t *b);
/* The backend's device with the kernel loaded. True also when this build has no such backend. */
bool wl_bench_open_target(wl_bench_run_t *b, unsigned i);
/* One launch, whose result is compared; measured unless it is the warm-up. */
bool wl_bench_launch(wl_bench_run_t *b, unsigned i, bool measured);
/* NULL: out of memory. */
wl_bench_run_t *wl_bench_run_new(const wl_bench_options_t *options, const wl_bench_case_t *c,
                                 char *err, size_t cap);
void wl_bench_run_free(wl_bench_run_t *b);

#endif
