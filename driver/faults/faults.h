/* faults.h: the fault campaign: flips of single bits of the RTL's registers and memories in a
 * lockstep of a corpus kernel, and what became of each. docs/faults.md */
#ifndef WL_FAULTS_FAULTS_H
#define WL_FAULTS_FAULTS_H
#include "driver/faults/population.h"
#include "driver/include/warplock_cosim.h"
#include "driver/lockstep/journal.h"

enum { WL_FAULT_LAUNCHES = 2 }; /* of a run: flips are in the first */

/* ---- kernel.c: a lockstep, ready for the first cycle of its first launch */
typedef struct wl_fault_run {
  const wl_config_t *config;
  wl_cosim_t *cosim;
  wl_side_t *side;
  wl_view_t view[WL_NUM_VIEWS]; /* of the RTL */
  wl_journal_t journal;
  wl_cosim_report_t report;
  uint64_t cycle; /* since the first launch began */
  bool started;
  char error[1024];
} wl_fault_run_t;

typedef struct wl_fault_setup {
  const char *kernel; /* NAME[:CASE] of the corpus */
  const char *dir, *variant, *disturb;
  uint64_t seed;
  bool full;
} wl_fault_setup_t;

bool wl_fault_open(wl_fault_run_t *run, const wl_fault_setup_t *setup);
void wl_fault_close(wl_fault_run_t *run);
wl_cosim_verdict_t wl_fault_step(wl_fault_run_t *run);
/* The same launch once more, on what the first one left: the next step is its first cycle. */
bool wl_fault_again(wl_fault_run_t *run);

/* ---- trace.c: the state of the clean run at the start of every cycle, kept in memory that child
 * processes share. */
typedef struct wl_fault_trace wl_fault_trace_t;
wl_fault_trace_t *wl_clean_new(wl_population_t *p); /* gives the registers their places */
void wl_clean_delete(wl_fault_trace_t *t);
bool wl_clean_add(wl_fault_trace_t *t, const wl_fault_run_t *run); /* false: too long */
/* Of the first launch, and of both. */
uint64_t wl_clean_cycles(const wl_fault_trace_t *t);
uint64_t wl_clean_all_cycles(const wl_fault_trace_t *t);
void wl_clean_set_cycles(wl_fault_trace_t *t, uint64_t cycles, uint64_t all_cycles);
/* Does the run hold at the start of its cycle what the clean run held: all listed bits, the arrays
 * of the reference, all requests so far? Remembers where it differed. */
bool wl_clean_equal(wl_fault_trace_t *t, const wl_fault_run_t *run);
/* Calls `each` for every listed bit that differs from the clean run; arrays excepted. */
void wl_clean_differences(wl_fault_trace_t *t, const wl_fault_run_t *run,
                          void (*each)(void *context, const wl_fault_register_t *r, uint64_t bit),
                          void *context);
/* The first byte of a register in the clean run at the end of the second launch. */
uint8_t wl_clean_byte_at_end(const wl_fault_trace_t *t, const wl_fault_register_t *r);

/* ---- flip.c: one flip from here on */
typedef enum wl_outcome {
  WL_OUT_PENDING,
  WL_OUT_REPORTED,
  WL_OUT_DEAD,   /* the state is that of the clean run again */
  WL_OUT_LATENT, /* at the end it differs where content is undefined */
  WL_OUT_MISSED,
  WL_OUT_BROKEN, /* the process of the flip ended badly: an error of the campaign */
  WL_NUM_OUTCOMES
} wl_outcome_t;
extern const char *const wl_outcome_name[WL_NUM_OUTCOMES];

typedef struct wl_flip {
  uint64_t number; /* in the campaign */
  const wl_fault_register_t *reg;
  uint64_t bit, cycle;
  wl_outcome_t outcome;
  bool at_end;       /* reported by the comparison at the end of a launch */
  bool second;       /* in the second launch */
  uint64_t distance; /* cycles until it was reported or dead */
  int by_state;      /* row of state.def whose comparison reported it; -1: done or hang */
  unsigned left;     /* bits that differ at the end */
  char where[200];   /* some of them */
} wl_flip_t;
/* Flips the bit at the start of the run's cycle and goes on until the outcome is known. */
void wl_flip_run(wl_fault_run_t *run, wl_fault_trace_t *trace, wl_flip_t *flip);

/* ---- campaign.c: flips of one kernel, sorted by cycle; each in a process of its own */
bool wl_campaign_trace(wl_fault_run_t *run, wl_fault_trace_t *trace);
bool wl_campaign_run(wl_fault_run_t *run, wl_fault_trace_t *trace, wl_flip_t *flips, unsigned n,
                     unsigned jobs);

/* ---- print.c */
typedef struct wl_fault_sum {
  const char *kernels, *mode;
  uint64_t seed, first, cycles, flips;
  double seconds;
} wl_fault_sum_t;
void wl_fault_table(const wl_flip_t *flips, uint64_t n, FILE *out);
bool wl_fault_json(const wl_flip_t *flips, const char *const *kernel_of, uint64_t n,
                   const wl_fault_sum_t *sum, const wl_population_t *p, const char *path);

#endif
