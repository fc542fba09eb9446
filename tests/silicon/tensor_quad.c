/* Fragments of mma.sync.m8n8k4 with f16 (9.7.14.5.1): lanes 4 q to 4 q + 3 and 16 more hold product
 * q; `high` are the latter. */
#include "tests/silicon/tensor.h"

typedef struct place {
  unsigned row, column;
} place_t;

/* Element i of 4 of A, of B (k, column). */
static place_t place_a(const tensor_t *t, unsigned lane, unsigned i) {
  unsigned high = lane / 16 * 4, in = lane % 4;
  return t->a_col ? (place_t){high + i, in} : (place_t){high + in, i};
}
static place_t place_b(const tensor_t *t, unsigned lane, unsigned i) {
  unsigned high = lane / 16 * 4, in = lane % 4;
  return t->b_row ? (place_t){in, high + i} : (place_t){i, high + in};
}
/* Element i of 8 of C or D. */
static place_t place_c(tensor_type_t type, unsigned lane, unsigned i) {
  unsigned high = lane / 16 * 4;
  return type == TENSOR_F16 ? (place_t){high + lane % 4, i}
                            : (place_t){high + lane % 2 + (i & 2), (i & 4) + (lane & 2) + i % 2};
}

void tensor_quad_pack(const tensor_t *t, const tensor_item_t *item, uint32_t *words) {
  uint32_t *to = words;
  for (unsigned lane = 0; lane < 32; lane++) {
    unsigned quad = lane % 16 / 4, top = 8 * quad;
    for (unsigned i = 0; i < 4 * t->steps; i += 2) {
      place_t low = place_a(t, lane, i % 4), high = place_a(t, lane, i % 4 + 1);
      unsigned k = i / 4 * 4;
      *to++ = (uint32_t)(item->a[(top + low.row) * t->k + k + low.column] |
                         item->a[(top + high.row) * t->k + k + high.column] << 16);
    }
    for (unsigned i = 0; i < 4 * t->steps; i += 2) {
      place_t low = place_b(t, lane, i % 4), high = place_b(t, lane, i % 4 + 1);
      unsigned k = quad * t->k + i / 4 * 4;
      *to++ = (uint32_t)(item->b[(k + low.row) * t->n + low.column] |
                         item->b[(k + high.row) * t->n + high.column] << 16);
    }
    for (unsigned i = 0; i < 8; i++) {
      place_t at = place_c(t->c, lane, i);
      uint64_t value = item->c[(top + at.row) * t->n + at.column];
      if (t->c != TENSOR_F16) {
        *to++ = (uint32_t)value;
      } else if (i % 2 == 0) {
        *to = (uint32_t)value;
      } else {
        *to++ |= (uint32_t)value << 16;
      }
    }
  }
}

void tensor_quad_unpack(const tensor_t *t, const uint32_t *words, uint64_t *d) {
  for (unsigned lane = 0; lane < 32; lane++) {
    const uint32_t *from = words + lane * tensor_result_words(t);
    for (unsigned i = 0; i < 8; i++) {
      place_t at = place_c(t->d, lane, i);
      d[(lane % 16 / 4 * 8 + at.row) * t->n + at.column] =
          t->d == TENSOR_F16 ? from[i / 2] >> 16 * (i % 2) & 0xffff : from[i];
    }
  }
}
