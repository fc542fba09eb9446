/* int_reference.h: what each operation of the units ALU and MUL means for one lane, computed bit by
 * bit or in wider integers, from docs/isa.md (PTX 9.7.1, 9.7.6 to 9.7.9). The one reference of the
 * unit tests of both twins: tests/isa/test_int.c and tests/rtl/exec/exec_test.cpp. */
#ifndef WL_TESTS_COMMON_INT_REFERENCE_H
#define WL_TESTS_COMMON_INT_REFERENCE_H
#include <stdbool.h>
#include <stdint.h>

#include "gen/wl_insn.h"

typedef struct wl_int_lane {
  uint64_t a, b, c; /* operands, 64 bits where the form has pairs, immediates in their place */
  bool s, t;        /* source predicates */
  uint32_t special; /* the special register, or the mask of active lanes */
  uint8_t lut, cmp, bop;
  bool neg_b, sat, relu, bytes, uns; /* modifiers; false where the form has none */
} wl_int_lane_t;

/* Bits above the destination's width are of no meaning. */
uint64_t wl_ref_alu(wl_alu_op_t op, const wl_int_lane_t *l);
uint64_t wl_ref_mul(wl_mul_op_t op, const wl_int_lane_t *l);
/* The comparison or logic result of the lane; q is the complement's. */
bool wl_ref_predicate(wl_alu_op_t op, const wl_int_lane_t *l, bool complement);

#endif
