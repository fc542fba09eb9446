/* half_reference.h: arithmetic on the two halves of a word (docs/microarchitecture.md 6.4, halves), by the
 * host's doubles: a product of two halves is exact, a sum is rounded to odd, and then once more to the
 * format. The reference of the unit tests of both twins. Compile it with -frounding-math
 * -ffp-contract=off. */
#ifndef WL_TESTS_COMMON_HALF_REFERENCE_H
#define WL_TESTS_COMMON_HALF_REFERENCE_H
#include "tests/common/format_reference.h"
#include "tests/common/fpu_reference.h"

/* HFMA, HMIN, HMAX, HSET. */
uint32_t wl_ref_halves(wl_fpu_op_t op, const wl_fpu_lane_t *l, const wl_ref_format_t *f);

#endif
