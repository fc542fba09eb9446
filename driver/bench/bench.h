/* bench.h: measures the backends side by side in one process. docs/bench.md
 * Deliberately not here: printing (driver/cli/cmd_bench.c) and any judgement of the figures. */
#ifndef WL_DRIVER_BENCH_BENCH_H
#define WL_DRIVER_BENCH_BENCH_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the order of the table; ratios refer to the first one that was measured. */
typedef enum wl_bench_backend {
  WL_BENCH_RTL,       /* Verilated without the journal */
  WL_BENCH_RTL_CALLS, /* Verilated with the journal, its records dropped */
  WL_BENCH_MODEL,
  WL_BENCH_JOURNAL, /* lockstep */
  WL_BENCH_THREADS, /* the same, the model in a thread of its own */
  WL_BENCH_FULL,
  WL_BENCH_FUNC,
  WL_NUM_BENCH_BACKENDS
} wl_bench_backend_t;
extern const char *const wl_bench_backend_name[WL_NUM_BENCH_BACKENDS];

/* A kernel with generated inputs and the result the host computes for them. */
typedef struct wl_bench_case {
  const char *name, *kernel, *entry; /* kernel: <ptx_dir>/<kernel>/<kernel>.<variant>.ptx */
  const char *variant;               /* NULL: nvcc */
  uint32_t grid[3], block[3];
  uint32_t shared;           /* dynamic, bytes */
  uint32_t buffers, scalars; /* arguments: buffer addresses, then 32-bit scalars */
  size_t bytes[4];           /* of the buffers */
  unsigned result;           /* which buffer */
  uint32_t scalar[5];
  void *data[4], *expected; /* before the launch; of the result buffer after it */
  bool fits;                /* the configuration has the registers that it needs */
  uint32_t elements, k; /* of its products of matrices: elements of D, bytes of K; 0: it has none */
  bool umma;            /* it has products in tensor memory */
} wl_bench_case_t;
enum { WL_NUM_BENCH_CASES = 6 };
/* For a configuration: some are smaller where the tensor unit is. False when out of memory; to be
 * freed also then. */
bool wl_bench_case_make(unsigned index, const char *config, wl_bench_case_t *out);
void wl_bench_case_free(wl_bench_case_t *c);

typedef struct wl_bench_options {
  const char *config, *ptx_dir;
  unsigned rounds;      /* measured, after one round that is not, at most WL_BENCH_MAX_ROUNDS */
  unsigned full_rounds; /* of them with lockstep full, which is slow */
} wl_bench_options_t;
enum { WL_BENCH_MAX_ROUNDS = 99 };

/* Median over the rounds, of one launch. Time is that of wl_launch(). */
typedef struct wl_bench_figure {
  bool measured;    /* at least one round */
  char absent[200]; /* why not */
  uint64_t cycles, instructions, thread_instructions;
  double cpu, wall;  /* seconds */
  double ratio;      /* median of this round's CPU time over that of the first backend, 0: none */
  double wall_ratio; /* the same of the time by the clock */
  double busy; /* part of the cycles in which the tensor units work, 0: no products (busy.h) */
} wl_bench_figure_t;

/* Measures one case on all backends of one configuration. False with a sentence in err: a backend
 * failed, its result was not the host's, or cycles differed between backends. */
bool wl_bench_measure(const wl_bench_options_t *options, const wl_bench_case_t *c,
                      wl_bench_figure_t figures[WL_NUM_BENCH_BACKENDS], char *err, size_t cap);

/* What the model says of a launch. Of products in tensor memory: docs/views.md, "Counters". */
typedef struct wl_bench_seen {
  uint64_t products;          /* of mma.sync */
  uint64_t steps, idle, span; /* span: cycles from the first step to the last */
  uint64_t shared, tmem, turn, pipes, end, moves, commits, no_command;
  uint64_t requests, port_waits;
} wl_bench_seen_t;

/* One launch of the case on the model, its result compared. False with a sentence in err. */
bool wl_bench_count(const wl_bench_options_t *options, const wl_bench_case_t *c,
                    wl_bench_seen_t *seen, char *err, size_t cap);

/* Sizes of products in tensor memory whose cycles are counted, kind f16. */
typedef struct wl_bench_umma {
  uint32_t m, n, k;
  bool copied; /* operands come from memory all the time; else they stay in shared memory */
} wl_bench_umma_t;
/* False: behind the last one of a configuration. */
bool wl_bench_umma_size(unsigned index, const char *config, wl_bench_umma_t *size);
/* As wl_bench_case_make. */
bool wl_bench_umma_case(const wl_bench_umma_t *size, const char *config, wl_bench_case_t *out);

/* How this program was built. */
extern const char wl_bench_compiler[], wl_bench_flags[], wl_bench_verilator[];

#endif
