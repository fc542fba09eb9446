/* umma_scaled.h: one launch of a test of products with block scales: its data, and what tensor memory has afterwards. */
#ifndef WL_TESTS_UNIT_LOWER_UMMA_SCALED_H
#define WL_TESTS_UNIT_LOWER_UMMA_SCALED_H
#include "umma_data.h"

enum { UMMA_ROWS = 128, UMMA_QUARTERS = 4, UMMA_SETS = 2 };

/* Kinds, with two ways to say the elements of a scale. ue4m3: scales may be of it. */
typedef struct umma_variant {
  const char *kind, *said[2];
  bool halves, by16, ue4m3; /* halves: 64 elements of half a byte */
} umma_variant_t;
typedef struct umma_scaled {
  const umma_variant_t *v;
  const umma_type_t *a_type, *b_type;
  umma_matrix_t a, b;
  unsigned n, sets, a_id, b_id;                /* sets of scale words; ids of the first step */
  unsigned first, a_first, a_scales, b_scales; /* columns of D, of A, of scales */
  unsigned tiles;                              /* copies that bring the scale words of B */
  bool tensor_a, copied, enable, negate_a, negate_b, ue4m3;
  bool any; /* any numbers */
} umma_scaled_t;

extern umma_launch_t umma_scaled_launch;
extern uint32_t umma_want[UMMA_LANES][UMMA_PITCH];

/* Fills both. said: of the two ways; wide: any scales. The number of elements whose sum is not what the rule says. */
int umma_scaled_prepare(umma_scaled_t *t, unsigned said, bool wide);

#endif
