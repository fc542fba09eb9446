/* bits: products in tensor memory (tcgen05.mma) against a bit model that others wrote (README.md). A form is a kind
 * with its types; it has KINDS kinds of operands, each of ITEMS tiles of D, a chain of STEPS products each. */
#ifndef WL_TESTS_TENSOR_UMMA_BITS_H
#define WL_TESTS_TENSOR_UMMA_BITS_H
#include "tests/unit/lower/umma_data.h"
#include "tests/unit/lower/umma_rule.h"

enum {
  BITS_M = 128,
  BITS_N = 128,
  BITS_STEPS = 4,
  BITS_K = 256, /* of all steps, at most */
  BITS_KINDS = 11,
  BITS_ITEMS = 6, /* of a kind: 11 x 6 x 16,384 elements of D a form */
  BITS_SCALES = 16
};
/* A table has hashes of so many columns of a tile. */
enum { BITS_HEAD = 8, BITS_PART = 72 };

typedef struct bits_form {
  char label[64];   /* as the package names it: "kind::f8f6f4.f32.e4m3.e2m1" */
  const char *kind; /* "f8f6f4" */
  const char *said; /* of block scales ".block32" or ".block16", else NULL */
  const umma_type_t *a, *b, *d;
  unsigned size, per_step;      /* bytes of an element; elements of a step */
  unsigned groups;              /* scales of a row and step; 0: none */
  bool halves, ue4m3, integers; /* halves: elements of half a byte. integers: of kind i8 */
  bool clamped;                 /* integers: the sum */
} bits_form_t;

/* A by rows, B by columns, D before by rows; scales by step and group. */
typedef struct bits_item {
  uint32_t a[BITS_M][BITS_K], b[BITS_N][BITS_K], d[BITS_M][BITS_N];
  uint8_t a_scale[BITS_M][BITS_SCALES], b_scale[BITS_N][BITS_SCALES];
} bits_item_t;

/* Form `index`; NULL behind the last. What the last call gave is gone. */
const bits_form_t *bits_form(unsigned index);
const bits_form_t *bits_integer_form(unsigned index); /* of kind i8, likewise */
const char *bits_kind(unsigned kind);
void bits_fill(const bits_form_t *f, unsigned kind, unsigned item, bits_item_t *out);
uint32_t bits_operands_hash(const bits_form_t *f, unsigned kind, unsigned item);

/* An element by the rule of tests/unit/lower/umma_rule.c, step after step. zeros: the exponent that zeros have. */
enum { BITS_NO_ZEROS = -1000 };
uint32_t bits_rule(const bits_form_t *f, const bits_item_t *item, unsigned row, unsigned column,
                   int zeros);
#endif
