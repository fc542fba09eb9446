/* outside: operands for models of mma.sync that others wrote (README.md), and what they gave. A form is
 * one shape and type; it has KINDS kinds of operands, each of ITEMS products of whole matrices. */
#ifndef WL_TESTS_TENSOR_OUTSIDE_H
#define WL_TESTS_TENSOR_OUTSIDE_H
#include "tests/silicon/tensor.h"

enum {
  OUTSIDE_KINDS = 11,
  OUTSIDE_ITEMS = 72, /* of a kind: 11 x 72 x 128 elements of D a form */
  OUTSIDE_BLOCK = 8,  /* items of which a table has one hash */
  OUTSIDE_BLOCKS = OUTSIDE_ITEMS / OUTSIDE_BLOCK,
  OUTSIDE_SHOWN = 8, /* of the first items, one element each stands in a table itself */
  OUTSIDE_M = 16,
  OUTSIDE_N = 8,
  OUTSIDE_SIZE = OUTSIDE_M * OUTSIDE_N
};

/* Form `index` as the description of tests/silicon; its label is "m16n8k16.f32.bf16.bf16.f32" (D, A, B, C).
 * NULL behind the last. What the last call gave is gone. */
const tensor_t *outside_form(size_t index);
const char *outside_kind(unsigned kind);
void outside_fill(const tensor_t *t, unsigned kind, unsigned item, tensor_item_t *out);
/* Of the words of all items of all kinds as they lie in registers. */
uint32_t outside_operands_hash(const tensor_t *t);
/* Of the first items: which element is shown. */
unsigned outside_shown(unsigned item);

/* An element by the rule of silicon (dot.c), and by the same with the lowest exponent -21 that the outside
 * model has where D is f16; of forms for which that could make a difference. */
uint64_t outside_rule(const tensor_t *t, const tensor_item_t *item, unsigned element);
bool outside_floor(const tensor_t *t, const tensor_item_t *item, unsigned element, uint64_t *out);
#endif
