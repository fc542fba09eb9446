/* bulk: copies and reductions by a tensor map (9.7.9.25 ff.) that are recorded on silicon: what is
 * filled in where the box lies outside, whether a type changes values, where chunks go in swizzles,
 * and reductions. Each is a kernel of one thread. */
#ifndef WL_TESTS_SILICON_BULK_H
#define WL_TESTS_SILICON_BULK_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/silicon/cuda.h"

enum { BULK_WORDS = 1024, BULK_TEXT = 8192 };

typedef enum bulk_kind { BULK_FILL, BULK_LOAD, BULK_REDUCE, BULK_SWIZZLE } bulk_kind_t;

typedef struct bulk {
  bulk_kind_t kind;
  char name[32];     /* "fill f16 nan": its line in the record */
  const char *type;  /* "f16", "f32.ftz" */
  unsigned bytes;    /* of an element */
  const char *op;    /* of a reduction */
  const char *kinds; /* operands (op_item()) */
  cuda_map_t map;
  int x, y;       /* of the box */
  unsigned words; /* of 64 bits in the box */
} bulk_t;

const bulk_t *bulk_at(unsigned index); /* NULL behind the last; the last one is gone */
/* What the matrix holds in memory, and what is added to it. */
void bulk_operands(const bulk_t *b, uint64_t memory[BULK_WORDS], uint64_t other[BULK_WORDS]);
/* A kernel `bulk` (.param .u64 memory, .param .b8 map[128], .param .u64 other, .param .u64 out): the
 * box goes to `out`, or `other` is added to memory. */
void bulk_kernel(const bulk_t *b, char *ptx, size_t cap);
/* The box, or memory after a reduction, by rule. */
void bulk_rule(const bulk_t *b, const uint64_t memory[BULK_WORDS], const uint64_t other[BULK_WORDS],
               uint64_t result[BULK_WORDS]);
/* The record: a hash and the first words (of a swizzle: where each 16 bytes come from). */
void bulk_text(const bulk_t *b, const uint64_t result[BULK_WORDS], char text[BULK_TEXT]);
#endif
