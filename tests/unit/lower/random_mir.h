/* random_mir.h: random machine functions over virtual registers, with loops, breaks, indexed
 * branches, calls, guards and registers of every size. They mean nothing; they are legal. */
#ifndef WL_TESTS_UNIT_LOWER_RANDOM_MIR_H
#define WL_TESTS_UNIT_LOWER_RANDOM_MIR_H
#include "isa/lower/mir.h"

typedef struct random_options {
  uint64_t seed;
  unsigned regs, statements; /* registers per size; statements of the outermost list */
  bool calls, is_function, irreducible;
} random_options_t;

uint32_t random_below(uint64_t *state, uint32_t limit);
/* f is initialised by wl_mf_init. Every block holds a `mov.i` of a unique number into register 1.
 */
void random_function(wl_mfunc_t *f, const random_options_t *o);

#endif
