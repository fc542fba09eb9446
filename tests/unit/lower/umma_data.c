#include "umma_data.h"

uint32_t umma_random;
uint32_t umma_next(void) { return umma_random = umma_random * 1664525 + 1013904223; }
int umma_small(void) { return (int)(umma_next() >> 20) % 9 - 4; }

uint32_t umma_draw(const umma_type_t *t) {
  const uint32_t high = umma_next() >> 16;
  uint32_t bits = (high | umma_next() << 8) & (uint32_t)((UINT64_C(1) << t->bits) - 1);
  const uint32_t ones = ((1u << t->exponent) - 1) << (t->fraction + t->low);
  if (t->exponent == 0) return bits;
  if (t->exponent == 8) /* no sum beyond f32, mostly */
    bits = (bits & ~ones) | (100 + (umma_next() >> 20) % 48) << (t->fraction + t->low);
  if (t->bits >= 8 && (bits & ones) == ones && umma_next() >> 24 != 0)
    bits ^= 1u << (t->fraction + t->low);
  return bits;
}

void umma_put(umma_launch_t *l, const umma_matrix_t *m, const umma_type_t *type, bool halves,
              unsigned count, uint32_t (*bits)[UMMA_MOST_K]) {
  for (unsigned r = 0; r < m->rows; r++)
    for (unsigned k = 0; k < count; k++) {
      unsigned number;
      const uint32_t place = umma_place(m, r, halves ? k / 2 : k, &number);
      uint8_t *const chunk = l->image + place - UMMA_IMAGE;
      if (halves) number = 2 * number + k % 2;
      for (unsigned n = 0; n < type->bits; n++) {
        const unsigned at = number * type->bits + n;
        chunk[at / 8] =
            (uint8_t)((chunk[at / 8] & ~(1u << at % 8)) | (bits[r][k] >> n & 1) << at % 8);
      }
    }
}

void umma_put_row(uint32_t *word, const umma_type_t *type, unsigned size, bool halves,
                  unsigned count, const uint32_t *bits) {
  const unsigned takes = halves ? 4 : 8 * size, low = !halves && type->bits == 4 ? 2 : 0;
  const uint32_t mask = (uint32_t)((UINT64_C(1) << type->bits) - 1);
  for (unsigned k = 0; k < count; k++) {
    const unsigned at = k * takes, shift = at % 32 + low;
    word[at / 32] = (word[at / 32] & ~(mask << shift)) | bits[k] << shift;
  }
}
