/* dot: what the matrix units of an H200 (Hopper) compute, as a rule (README.md): one element of
 * D = A x B + C. Found with published models and settled with the record; a witness for a tensor
 * core to come, which shares no arithmetic with the rest. */
#ifndef WL_TESTS_SILICON_DOT_H
#define WL_TESTS_SILICON_DOT_H
#include <stdint.h>

#include "tests/silicon/tensor.h"

/* One element of D of an item, of any operation of tensor_forms.c; its bits. */
uint64_t dot_element(const tensor_t *t, const tensor_item_t *item, unsigned row, unsigned column);
/* Of one instruction with floats: `count` values of A, of B, C of a type (dot_float.c). */
uint64_t dot_float(const tensor_t *t, unsigned count, const uint64_t *a, const uint64_t *b,
                   tensor_type_t type, uint64_t c);
#endif
