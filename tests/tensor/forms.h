/* forms: the machine's forms of the matrix operations of tests/silicon. */
#ifndef WL_TESTS_TENSOR_FORMS_H
#define WL_TESTS_TENSOR_FORMS_H
#include "cmodel/sem/sem.h"
#include "tests/silicon/tensor.h"

/* The decoded instruction of an operation with registers 0; false: it is no single instruction of the
 * tensor unit. */
bool tensor_insn(const tensor_t *t, wl_insn_dec_t *insn);
/* D of an item as the unit computes it, row-major. */
void tensor_solve(const tensor_t *t, const tensor_item_t *item, uint64_t *d);
#endif
