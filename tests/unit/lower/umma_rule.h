/* umma_rule.h: what a product in tensor memory makes of one element of D: the rule of docs/numerics.md in integers,
 * written for tests and of nothing else. */
#ifndef WL_TESTS_UNIT_LOWER_UMMA_RULE_H
#define WL_TESTS_UNIT_LOWER_UMMA_RULE_H
#include "umma_types.h"

/* One instruction: `count` elements of A and of B as bits; c: D before, or 0. d: umma_f32 or umma_half. A
 * block is all of the products. c's exponent is lowered by `lower`. */
uint32_t umma_rule_float(const umma_type_t *a_type, const umma_type_t *b_type, unsigned count,
                         const uint32_t *a, const uint32_t *b, const umma_type_t *d, uint32_t c,
                         unsigned lower);
/* The same without `lower`, where a zero, of a product or of c, has the exponent `zeros`. */
uint32_t umma_rule_zeros(const umma_type_t *a_type, const umma_type_t *b_type, unsigned count,
                         const uint32_t *a, const uint32_t *b, const umma_type_t *d, uint32_t c,
                         int zeros);
/* With block scales (mxf8f6f4): a scale of A and one of B of type ue8m0. D is f32. */
uint32_t umma_rule_scaled(const umma_type_t *a_type, const umma_type_t *b_type, const uint32_t *a,
                          const uint32_t *b, uint8_t a_scale, uint8_t b_scale, uint32_t c);
/* mxf4, mxf4nvf4: 64 elements of e2m1 in four groups; the four groups' scales are ue8m0, or ue4m3. */
uint32_t umma_rule_groups(const uint32_t *a, const uint32_t *b, const uint8_t *a_scale,
                          const uint8_t *b_scale, bool ue4m3, uint32_t c);
uint32_t umma_rule_integer(const umma_type_t *a_type, const umma_type_t *b_type, unsigned count,
                           const uint32_t *a, const uint32_t *b, uint32_t c, bool saturate);
/* An integer in a format, exactly. */
uint32_t umma_encode(const umma_type_t *t, int v);

#endif
