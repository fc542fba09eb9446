/* vectors: sums of products derived by hand from docs/microarchitecture.md 19.2, for each profile of
 * numerics.def. */
#ifndef WL_TESTS_TENSOR_VECTORS_H
#define WL_TESTS_TENSOR_VECTORS_H
#include "cmodel/sem/dot.h"

/* (-1)^negative * 2^exponent, or a pattern of the format as it is. */
typedef struct factor {
  enum { POWER, BITS } kind;
  bool negative;
  int exponent;
  uint32_t bits;
} factor_t;

typedef struct run { /* `count` products of two factors, from term `at` on */
  unsigned at, count;
  factor_t a, b;
} run_t;

typedef struct vector {
  wl_profile_id_t profile;
  unsigned terms;
  run_t run[3]; /* other products are zero */
  uint32_t c, d;
  const char *why;
} vector_t;

extern const vector_t vectors[];
extern const unsigned num_vectors;
/* A value of a format as it stands in a register. */
uint32_t vector_word(wl_format_t format, factor_t f);
#endif
