/* dut.h: a core under test for the tests of warplock_cosim.h: a second instance of the model, with
 * a configuration and a disturbance of its own, whose records a test may change on their way. */
#ifndef WL_TESTS_COSIM_DUT_H
#define WL_TESTS_COSIM_DUT_H
#include "driver/include/warplock_cosim.h"
#include "driver/lockstep/side.h"

enum { DUT_CTAS = 6, DUT_THREADS = 64 * DUT_CTAS };

/* The `number`-th record of `kind` (from 0) gets `flip` xored into word `word`; drop: it is lost;
 * twice: the first issue from it on that all lanes of the path execute comes twice; lane: the bit is
 * one of the value of the lowest lane that RF or PRED writes (`word` is not used). */
typedef struct change {
  unsigned kind, number, word;
  uint32_t flip;
  bool drop, lane, twice;
} change_t;

typedef struct setup {
  wl_cosim_mode_t mode;
  bool compare_full, arrays;
  unsigned density, latency; /* of the DUT; latency 0: the configuration's */
  const char *disturb;       /* of the reference */
  uint64_t seed;
  const change_t *change; /* NULL: none */
  bool keep;              /* the record comes as it was, too */
  uint64_t flip_array_at; /* cycle in which a word of its registers changes by itself, 0: none */
  unsigned launches;
  unsigned threads;
} setup_t;

typedef struct outcome {
  wl_cosim_verdict_t verdict;
  uint64_t cycles;     /* of the DUT, first launch */
  uint64_t changed_at; /* cycle of the changed record */
  wl_cosim_record_t changed;
  wl_cosim_report_t report;
  char summary[1024];
  uint32_t out[DUT_THREADS], sum;
} outcome_t;

/* Runs kernel.ptx on both sides. False: a call failed that should not have; says which. */
bool dut_run(const char *ptx, const setup_t *setup, outcome_t *outcome);
/* What the kernel must give, computed on the host. */
void dut_expected(uint32_t *out, uint32_t *sum);

#endif
