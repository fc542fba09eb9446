/* packed_reference.h: integers that stand side by side in a word (docs/microarchitecture.md 6.4,
 * packed integers): part by part, each as an ordinary integer. */
#ifndef WL_TESTS_COMMON_PACKED_REFERENCE_H
#define WL_TESTS_COMMON_PACKED_REFERENCE_H
#include "tests/common/int_reference.h"

/* VADD, VMIN, VMAX. */
uint32_t wl_ref_packed(wl_alu_op_t op, const wl_int_lane_t *l);

#endif
