/* umma_layout.h: where the elements of A and B of a test lie in shared memory, as CuTe's canonical layouts
 * have them (PTX 9.7.16.3): a place in a pattern, then a swizzle of the bits of its address. */
#ifndef WL_TESTS_UNIT_LOWER_UMMA_LAYOUT_H
#define WL_TESTS_UNIT_LOWER_UMMA_LAYOUT_H
#include "umma_kernel.h"

/* Swizzle<bits, low, shift> of byte addresses. */
typedef struct umma_pattern {
  unsigned code, bits, low, shift, width; /* code: in descriptors; width: chunks of a row */
} umma_pattern_t;
enum { UMMA_PATTERNS = 5 };
extern const umma_pattern_t umma_patterns[UMMA_PATTERNS]; /* swizzle 0, 6, 4, 2, 1 */

typedef struct umma_matrix { /* A, or B by columns: rows of `steps` * 32 bytes of elements */
  const umma_pattern_t *pattern;
  bool mn, wide;                    /* wide: the strides' other order */
  unsigned rows, steps, base, size; /* size: bytes that an element takes */
  uint32_t begin, lbo, sbo, bytes, atom;
} umma_matrix_t;

void umma_lay_out(umma_matrix_t *m, uint32_t begin);
uint64_t umma_step(const umma_matrix_t *m, unsigned step); /* the descriptor of a step of K */
/* Address in shared memory of the 16 bytes with an element, and the element's number in them. */
uint32_t umma_place(const umma_matrix_t *m, unsigned row, unsigned k, unsigned *number);

#endif
