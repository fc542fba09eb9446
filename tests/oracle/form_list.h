/* form_list.h: the arithmetic forms that test_forms compares, made from the table. */
#ifndef WL_TESTS_ORACLE_FORM_LIST_H
#define WL_TESTS_ORACLE_FORM_LIST_H
#include <stdbool.h>

/* operands: blank-separated, the destination first. h, w, x: 16-, 32-, 64-bit register; f: f32; d: f64; b: 8-bit;
 * =h and so on: never a constant; p: predicate (!p negated); q: two predicates; W: 32-bit register and predicate; v: four f32 in braces;
 * else as it is. F: f32 result whose NaN PTX leaves open. `head`: .version and .target that it needs. */
typedef struct wl_form_row {
  const char *form, *operands, *head;
  bool of_many; /* a comparison of halves, or to a half, that differs from others by the relation only */
} wl_form_row_t;
typedef void (*wl_form_each_t)(void *context, const wl_form_row_t *row);

/* Calls `row` for every supported form of isa/def/ptx_op.def; false if its table is malformed. */
bool wl_form_list(wl_form_each_t row, void *context);

#endif
