/* fpu_reference.h: what each operation of the unit FPU means for one lane, by the host's floating
 * point in all four rounding directions (docs/isa.md; PTX 9.7.3, 9.7.6, 9.7.9.21). The one reference of
 * the unit tests of both twins. Compile it with -frounding-math -ffp-contract=off. */
#ifndef WL_TESTS_COMMON_FPU_REFERENCE_H
#define WL_TESTS_COMMON_FPU_REFERENCE_H
#include <stdbool.h>
#include <stdint.h>

#include "gen/wl_format.h"
#include "gen/wl_insn.h"
#include "tests/common/format_reference.h"

typedef struct wl_fpu_lane {
  uint32_t a, b, c; /* operands, immediates in their place */
  uint32_t high;    /* high word of a 64-bit integer operand */
  bool s;           /* source predicate */
  uint8_t rnd, cmp, bop;
  uint8_t format;                          /* wl_format_t of the form */
  bool ftz, sat, neg_a, neg_b, neg_c, nan; /* modifiers; false where the form has none */
  bool relu, oob, xorsign;
} wl_fpu_lane_t;

/* The format of that number (wl_format_t). */
const wl_ref_format_t *wl_ref_format(uint8_t format);
/* Bits above the destination's width are 0. */
uint64_t wl_ref_fpu(wl_fpu_op_t op, const wl_fpu_lane_t *l);
/* Less 0, equal 1, greater 2, unordered 3. */
unsigned wl_ref_relation(uint32_t a, uint32_t b, bool ftz);
/* The result of a comparison; q is the complement's. */
bool wl_ref_fpu_predicate(const wl_fpu_lane_t *l, bool complement);

#endif
