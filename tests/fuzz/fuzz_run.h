/* fuzz_run.h: runs generated programs through libwarplock and counts what was executed. */
#ifndef WL_TESTS_FUZZ_FUZZ_RUN_H
#define WL_TESTS_FUZZ_FUZZ_RUN_H
#include "driver/include/warplock.h"
#include "gen/wl_insn.h"
#include "gen/wl_trap.h"
#include "tests/fuzz/fuzz.h"

enum { FUZZ_OUT_BYTES = FUZZ_CELLS + 24 * 32 * FUZZ_SLOT };

typedef struct fuzz_counts {
  uint64_t executed[WL_NUM_FORMS]; /* issues with a lane */
  uint64_t traps[WL_NUM_TRAPS];
  uint64_t programs, gentle, comparable, compared, ok, hangs, gentle_hangs, gentle_traps;
  uint64_t instructions, cycles, words, illegal;
  uint64_t legal[WL_NUM_FORMS], changed[WL_NUM_FORMS]; /* words made, by form id: legal, illegal */
} fuzz_counts_t;

typedef struct fuzz_session {
  const char *backend, *config, *disturb;
  uint64_t seed, max_cycles;
  wl_device_t *device;
  wl_addr_t out;
  const fuzz_program_t *program;
  unsigned asked;
  fuzz_counts_t *counts; /* may be NULL */
} fuzz_session_t;

typedef struct fuzz_outcome {
  wl_status_t status;
  wl_result_t result;
  char error[9000];
  uint8_t out[FUZZ_OUT_BYTES];
} fuzz_outcome_t;

bool fuzz_open(fuzz_session_t *s);
void fuzz_close(fuzz_session_t *s);
/* False: the machinery failed (not the program). Opens the device if it is closed. */
bool fuzz_execute(fuzz_session_t *s, const fuzz_program_t *p, uint64_t data_seed,
                  fuzz_outcome_t *outcome);
void fuzz_print(const fuzz_program_t *p);

#endif
