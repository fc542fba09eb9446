/* alloc_check.h: independent proof that an allocated function computes with the right values. */
#ifndef WL_TESTS_UNIT_LOWER_ALLOC_CHECK_H
#define WL_TESTS_UNIT_LOWER_ALLOC_CHECK_H
#include "isa/lower/mir.h"

/* NULL when every read finds the value that its virtual register holds, on every path; else a
 * sentence in buf. Knows nothing of live ranges: it follows values forward through the code. */
const char *alloc_check(wl_mfunc_t *f, char *buf, size_t cap);

#endif
