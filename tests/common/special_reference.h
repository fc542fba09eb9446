/* special_reference.h: FEX2, FLG2 and FTANH (docs/microarchitecture.md 6.4, Special functions) by
 * 64-bit integers and the host's doubles, which hold every number on the way exactly: an operand is taken
 * apart by frexp and put together by ldexp. The reference of the unit tests of both twins. */
#ifndef WL_TESTS_COMMON_SPECIAL_REFERENCE_H
#define WL_TESTS_COMMON_SPECIAL_REFERENCE_H
#include <stdint.h>

#include "gen/wl_insn.h"

/* Operands of f32: those decided without the table, powers of two and their neighbours, the ends of
 * each segment, random ones. *state: of the random numbers. */
uint32_t wl_special_operand(uint64_t *state, wl_fpu_op_t op);
uint32_t wl_ref_special(wl_fpu_op_t op, uint32_t a);

#endif
