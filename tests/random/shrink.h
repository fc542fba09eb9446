/* shrink.h: makes a failing program smaller: CTAs, warps, lanes, data, functions, blocks,
 * instructions, guards. Whether a candidate is legal and still fails says the predicate; nothing
 * here knows PTX beyond lines, labels, braces and guards. */
#ifndef WL_TESTS_RANDOM_SHRINK_H
#define WL_TESTS_RANDOM_SHRINK_H
#include "tests/random/program.h"

/* True: this candidate fails as the original does. `text` has the launch lines at its head. */
typedef bool (*rs_fails_t)(void *context, const rp_launch_t *l, const char *text, size_t size);

typedef struct rs_options {
  rs_fails_t fails;
  void *context;
  uint64_t tries;   /* at most; 0: no limit */
  unsigned seconds; /* at most; 0: no limit */
} rs_options_t;

typedef struct rs_size {
  uint64_t instructions, lines, ctas, threads, data_bytes;
} rs_size_t;
rs_size_t rs_measure(const rp_launch_t *l, const char *text);
void rs_print(const char *what, rs_size_t size);

typedef struct rs_result {
  char *text; /* to be freed */
  size_t size;
  rp_launch_t launch;
  uint64_t tries, taken;
  bool complete; /* nothing that was tried makes it smaller; not stopped by a limit */
} rs_result_t;

/* False: the program as given does not fail, or out of memory. */
bool rs_shrink(const rs_options_t *o, const rp_launch_t *l, const char *text, rs_result_t *out);

/* The predicate of wl_shrink: the same class of outcome on a side. For a side that differs from the
 * oracle, and for traps and hangs, the oracle must run the candidate to its end with one result in
 * all variants (an undefined program is no finding); a divergence of lockstep stands for itself. */
typedef struct rs_side {
  rp_side_t side;
  char what[RP_CLASS]; /* of the original, from rs_side_start */
  uint64_t max_cycles, max_instructions, instructions;
  uint8_t *expected, *image;
  size_t bytes;
  char why[RP_WHY];
  rp_outcome_t out;
} rs_side_t;
/* Runs the original; false with `why` if it does not fail. */
bool rs_side_start(rs_side_t *s, const char *side, const rp_launch_t *l, const char *text,
                   size_t size);
bool rs_side_fails(void *context, const rp_launch_t *l, const char *text, size_t size);
void rs_side_end(rs_side_t *s);

#endif
