#include "tests/common/matrix_layout.h"

/* A map of CuTe: index i goes to the sum of its digits times their strides, in bits; the first digit
 * counts fastest. */
typedef struct digit {
  unsigned count, stride;
} digit_t;

typedef struct map {
  digit_t digit[4];
} map_t;

typedef struct atom {
  map_t lane, byte, address; /* of registers: lane, byte in a register; lane with an address */
} atom_t;

enum { REGISTER_STRIDE = 1024 };

static const atom_t narrow = {{{{32, 32}}}, {{{4, 8}}}, {{{32, 128}}}};
static const atom_t narrow_t = {{{{4, 256}, {8, 16}}}, {{{2, 8}, {2, 128}}}, {{{32, 128}}}};
static const atom_t wide_t = {
    {{{4, 256}, {8, 8}}}, {{{2, 128}, {2, 64}}}, {{{2, 128}, {2, 1024}, {4, 256}, {2, 2048}}}};
static const atom_t store_t = {{{{4, 256}, {8, 8}}}, {{{2, 128}, {2, 64}}}, {{{32, 128}}}};

static const atom_t *atom_of(wl_matrix_t kind) {
  switch (kind) {
  case WL_MATRIX_B16T:
    return &narrow_t;
  case WL_MATRIX_B8T:
  case WL_MATRIX_B6T:
  case WL_MATRIX_B4T:
    return &wide_t;
  case WL_MATRIX_B8S:
    return &store_t;
  default:
    return &narrow;
  }
}

static unsigned apply(const map_t *m, unsigned i) {
  unsigned sum = 0;
  for (unsigned d = 0; d < 4 && m->digit[d].count != 0; d++) {
    sum += i % m->digit[d].count * m->digit[d].stride;
    i /= m->digit[d].count;
  }
  return sum;
}

matrix_place_t matrix_place(wl_matrix_t kind, unsigned lane, unsigned r, unsigned k) {
  const atom_t *a = atom_of(kind);
  const unsigned bit = apply(&a->lane, lane) + apply(&a->byte, k) + REGISTER_STRIDE * r;
  unsigned t = 0;
  while (t < 31 && apply(&a->address, t) != bit / 128 * 128)
    t++;
  return (matrix_place_t){t, bit % 128 / 8};
}

uint8_t matrix_element(wl_matrix_t kind, const uint8_t row[16], unsigned j) {
  const unsigned size = kind == WL_MATRIX_B6 || kind == WL_MATRIX_B6T   ? 6
                        : kind == WL_MATRIX_B4 || kind == WL_MATRIX_B4T ? 4
                                                                        : 8;
  unsigned value = 0;
  for (unsigned b = 0; b < size; b++) {
    const unsigned at = size * j + b;
    value |= (row[at / 8] >> at % 8 & 1u) << b;
  }
  return (uint8_t)(size == 4 ? value * 4 : value);
}
