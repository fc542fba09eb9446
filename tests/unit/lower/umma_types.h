/* umma_types.h: kinds of products in tensor memory and the types of their elements, as the instruction
 * descriptor codes them (PTX 9.7.16.4.2), for tests. */
#ifndef WL_TESTS_UNIT_LOWER_UMMA_TYPES_H
#define WL_TESTS_UNIT_LOWER_UMMA_TYPES_H
#include <stdbool.h>
#include <stdint.h>

typedef struct umma_type {
  unsigned code, bits, exponent, fraction; /* exponent 0: an integer */
  unsigned low;                            /* bits that nobody looks at */
  bool is_signed;
} umma_type_t;

enum { UMMA_F16, UMMA_TF32, UMMA_F8F6F4, UMMA_I8, UMMA_KINDS };
typedef struct umma_kind {
  const char *name;
  unsigned size, types;
  umma_type_t type[5];
} umma_kind_t;

static const umma_kind_t umma_kinds[UMMA_KINDS] = {
    {"f16", 2, 2, {{0, 16, 5, 10, 0, true}, {1, 16, 8, 7, 0, true}}},
    {"tf32", 4, 1, {{2, 32, 8, 10, 13, true}}},
    {"f8f6f4",
     1,
     5,
     {{0, 8, 4, 3, 0, true},
      {1, 8, 5, 2, 0, true},
      {3, 6, 2, 3, 0, true},
      {4, 6, 3, 2, 0, true},
      {5, 4, 2, 1, 0, true}}},
    {"i8", 1, 2, {{0, 8, 0, 0, 0, false}, {1, 8, 0, 0, 0, true}}}};

static const umma_type_t umma_f32 = {1, 32, 8, 23, 0, true}, umma_half = {0, 16, 5, 10, 0, true};

#endif
