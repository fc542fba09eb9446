/* tensor_record: compares elements of matrix operations with a record of silicon (README.md). */
#ifndef WL_TESTS_SILICON_TENSOR_RECORD_H
#define WL_TESTS_SILICON_TENSOR_RECORD_H
#include "tests/silicon/tensor.h"

typedef bool (*tensor_knows_t)(const tensor_t *t);
/* All elements of D of an item, row-major. */
typedef void (*tensor_solver_t)(const tensor_t *t, const tensor_item_t *item, uint64_t *d);
/* The same of all items of a mode. */
typedef void (*tensor_mode_t)(const tensor_t *t, unsigned mode, uint64_t *d);
typedef struct tensor_subject {
  tensor_knows_t knows;  /* NULL: all operations */
  tensor_solver_t solve; /* NULL: solve_mode */
  tensor_mode_t solve_mode;
  unsigned modes; /* only the first ones; 0: all */
} tensor_subject_t;
/* Compares the operations of a record that are known; the number of those that differ. The file has the
 * name of its part (tensor.h). */
unsigned tensor_record(const char *path, const tensor_subject_t *subject);
#endif
