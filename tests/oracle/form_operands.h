/* form_operands.h: operands of test_forms: boundary values, small numbers, near neighbours, random bits. */
#ifndef WL_TESTS_ORACLE_FORM_OPERANDS_H
#define WL_TESTS_ORACLE_FORM_OPERANDS_H
#include <stdint.h>

uint64_t wl_form_operand(uint64_t *state, uint64_t before);
/* Every second set has a pair of these, until all pairs are done: limits of f32 and of ftz that
 * need two operands to meet. */
void wl_form_pair(uint64_t *in, uint32_t set);
/* Of halves: pairs of f16 in sets below 256, of bf16 in those below 512; the second half of a word is another. */
void wl_form_half_pair(uint64_t *in, uint32_t set);

#endif
