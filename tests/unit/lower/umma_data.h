/* umma_data.h: random elements of A and B of a test, and where they are put. */
#ifndef WL_TESTS_UNIT_LOWER_UMMA_DATA_H
#define WL_TESTS_UNIT_LOWER_UMMA_DATA_H
#include "umma_layout.h"
#include "umma_types.h"

enum { UMMA_STEP = 32 /* bytes of K of a product */, UMMA_MOST_K = 256 };

extern uint32_t umma_random; /* the state */
uint32_t umma_next(void);
int umma_small(void); /* -4 to 4 */
uint32_t
umma_draw(const umma_type_t *t); /* any number; of formats with infinities seldom one, or a NaN */

/* A matrix in shared memory. Without `halves` elements are as kinds of bytes and more have them; with it two elements of 4
 * bits are a byte. count: elements of a row. */
void umma_put(umma_launch_t *l, const umma_matrix_t *m, const umma_type_t *type, bool halves,
              unsigned count, uint32_t (*bits)[UMMA_MOST_K]);
/* A row of A in tensor memory, from a word of a lane on. An element of a byte or less has a byte, one of 4 bits is its
 * bits 5:2; with `halves` its half of a byte. */
void umma_put_row(uint32_t *word, const umma_type_t *type, unsigned size, bool halves,
                  unsigned count, const uint32_t *bits);

#endif
