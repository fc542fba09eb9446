/* tensor_record: compares elements of matrix operations with a record of silicon (README.md). */
#ifndef WL_TESTS_SILICON_TENSOR_RECORD_H
#define WL_TESTS_SILICON_TENSOR_RECORD_H
#include "tests/silicon/tensor.h"

typedef bool (*tensor_knows_t)(const tensor_t *t);
/* All elements of D of an item, row-major. */
typedef void (*tensor_solver_t)(const tensor_t *t, const tensor_item_t *item, uint64_t *d);
/* Compares the operations of a record that are known (NULL: all); the number of those that differ. The
 * file has the name of its part (tensor.h). */
unsigned tensor_record(const char *path, tensor_knows_t knows, tensor_solver_t solve);
#endif
