/* What a step of a product in tensor memory computes (docs/microarchitecture.md 25.7): elements of a column of D,
 * summed as the tensor unit does (dot.h). */
#include "cmodel/sem/dot.h"
#include "cmodel/sem/sem.h"

_Static_assert(WL_DOT_TERMS == 16, "elements of 16 bits in 32 bytes");

void wl_sem_products(const wl_profile_t *p, unsigned lower, unsigned rows,
                     const uint32_t (*a)[WL_DOT_TERMS], const uint32_t b[WL_DOT_TERMS],
                     uint32_t *c) {
  unsigned r = 0;
  for (; r + WL_DOT_COLUMNS <= rows; r += WL_DOT_COLUMNS)
    wl_dot_matrix_lowered(p, 1, WL_DOT_TERMS, (const uint32_t (*)[WL_DOT_TERMS])b, a + r,
                          (uint32_t (*)[WL_DOT_COLUMNS])(c + r), lower);
  for (; r < rows; r++)
    c[r] = wl_dot_lowered(p, WL_DOT_TERMS, a[r], b, c[r], lower);
}
