/* fill: the parts of bits_fill (bits.h): numbers, scales and ties. */
#ifndef WL_TESTS_TENSOR_UMMA_FILL_H
#define WL_TESTS_TENSOR_UMMA_FILL_H
#include "bits.h"

enum { MODERATE, APART, RAW, TINY, ALIGN, CANCEL, SPECIAL, LARGE, LAST_BIT, ZEROS, TIE };
enum { SIDE_A, SIDE_B };

typedef struct fill {
  const bits_form_t *f;
  unsigned kind, item;
  uint64_t state;
  int exponent[2][BITS_M][BITS_SCALES]; /* of scales to which elements are relative */
} fill_t;

/* What varies from item to item: one number for 16 rows. */
static inline unsigned part_of(const fill_t *t, unsigned row) { return t->item * 8 + row / 16; }
static inline int most(int a, int b) { return a > b ? a : b; }
static inline int least(int a, int b) { return a < b ? a : b; }

int type_low(const umma_type_t *type); /* exponent of the smallest normal number */
int type_high(const umma_type_t *type);
/* The smallest and the largest exponent that an element times its scale can have. */
int side_low(const bits_form_t *f, unsigned side);
int side_high(const bits_form_t *f, unsigned side);

/* (1 + fraction / 2^bits) 2^power with a sign; below the normal numbers cut to a subnormal one; above the largest
 * exponent, the largest exponent. */
uint64_t number(const umma_type_t *type, bool sign, int power, uint64_t fraction);
/* Zeros, ones, the smallest, the largest; seldom infinity and NaN. */
uint64_t special(const umma_type_t *type, uint64_t z, bool finite);
/* Any word, infinity and NaN seldom; in one of four parts of a large exponent, too. */
uint64_t raw(const umma_type_t *type, unsigned part, uint64_t z, uint64_t word);

int scale_fits(const bits_form_t *f, int exponent); /* the next one that a scale can have */
uint8_t scale_byte(const bits_form_t *f, int exponent, uint64_t fraction);
void tie(fill_t *t, bits_item_t *out);
#endif
