/* dot: what the matrix units of an H200 (Hopper) compute, as a rule (README.md): one element of
 * D = A x B + C. Found with published models and settled with the record; a witness for a tensor
 * core to come, which shares no arithmetic with the rest. */
#ifndef WL_TESTS_SILICON_DOT_H
#define WL_TESTS_SILICON_DOT_H
#include <stdint.h>

#include "tests/silicon/tensor.h"

/* Row of A (k elements), column of B (k elements, `stride` apart), element of C; bits of D. */
uint64_t dot(const tensor_t *t, const uint64_t *a, const uint64_t *b, unsigned stride, uint64_t c);
#endif
