/* table: what a model of others gave, as text (README.md). */
#ifndef WL_TESTS_TENSOR_OUTSIDE_TABLE_H
#define WL_TESTS_TENSOR_OUTSIDE_TABLE_H
#include "tests/tensor/outside/outside.h"

enum { TABLE_ITEMS = OUTSIDE_KINDS * OUTSIDE_ITEMS };

/* Blocks that are compared: with a stride of 1 all, of n one in n, of each kind others. A stride above
 * OUTSIDE_BLOCKS would leave kinds out. */
typedef struct selection {
  unsigned stride;
} selection_t;
bool table_selected(const selection_t *s, unsigned kind, unsigned item);

/* The lines of a form whose elements the model gave (items of all kinds, one behind the other); the number
 * of elements that differ from silicon's rule and have no name. */
unsigned table_write(const tensor_t *t, const uint64_t *d);
/* Compares what a machine gave with the lines of a form; the number of differences. `named` counts the
 * elements where the model differs from silicon by name. */
unsigned table_check(const tensor_t *t, const char *table, const selection_t *s, const uint64_t *d,
                     unsigned *named);
#endif
