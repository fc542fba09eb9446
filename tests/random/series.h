/* series.h: command line and sums of a runner that makes programs number FIRST, FIRST + 1, .. of a seed and runs each on
 * sides of libwarplock (tests/mbarrier, tests/products). */
#ifndef WL_TESTS_RANDOM_SERIES_H
#define WL_TESTS_RANDOM_SERIES_H
#include "tests/random/program.h"

enum { RP_MOST_SIDES = 8 };

typedef struct rp_series {
  const char *noun, *stem; /* "history"; of saved texts: "history" in history-SEED-INDEX.ptx */
  const char *mark;        /* behind the index there */
  uint64_t seed, count, first, seeds, cycles, print, digest;
  bool has_print, has_digest;
  const char *save;
  rp_side_t side[RP_MOST_SIDES];
  unsigned sides;
  uint64_t failed, launches, most, sum; /* most, sum: cycles */
} rp_series_t;

typedef struct rp_option { /* a number of the runner's own */
  const char *name;
  uint64_t *to;
} rp_option_t;

/* --seed, --count, --first, --disturb-seeds, --cycles, --print, --digest, --save, --side, and `own`, which ends with a
 * NULL name; each with a value. */
bool rp_series_parse(rp_series_t *s, int argc, char **argv, const rp_option_t *own);
/* Saves the text and prints what failed. seed: of the disturbance. */
void rp_series_failed(rp_series_t *s, uint64_t index, const char *text, size_t size,
                      const char *side, uint64_t seed, const char *what, const char *why);
/* Runs on a zeroed image, and counts. */
void rp_series_run(rp_series_t *s, const rp_side_t *side, const rp_launch_t *l, const char *text,
                   size_t size, const rp_limits_t *limits, uint8_t *image, size_t bytes,
                   rp_outcome_t *out);
/* Prints the sums, of `many`; the exit code. */
int rp_series_end(const rp_series_t *s, const char *many);

#endif
