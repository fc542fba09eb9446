/* umma_place.c: where the elements of an operand lie in shared memory (docs/microarchitecture.md 25.2, 25.3, 26.1,
 * 26.2). */
#include <string.h>

#include "driver/func/umma.h"

umma_operand_t umma_operand(uint64_t d, bool mn, uint32_t elements) {
  static const uint8_t widths[8] = {16, 128, 128, 0, 64, 0, 32, 0};
  const uint32_t swizzle = umma_field(d, 63, 61);
  return (umma_operand_t){.descriptor = d,
                          .start = umma_field(d, 13, 0) * 16,
                          .lbo = umma_field(d, 29, 16) * 16,
                          .sbo = umma_field(d, 45, 32) * 16,
                          .base = umma_field(d, 51, 49),
                          .swizzle = swizzle,
                          .width = widths[swizzle],
                          .elements = elements,
                          .mn = mn};
}

bool umma_reserved(const umma_operand_t *o) {
  const uint64_t d = o->descriptor;
  return umma_field(d, 15, 14) != 0 || umma_field(d, 31, 30) != 0 || umma_field(d, 48, 46) != 1 ||
         umma_field(d, 52, 52) != 0 || o->width == 0 ||
         (o->mn && (o->swizzle == 1) != (o->elements == 4));
}

uint32_t umma_end(const umma_operand_t *o, uint32_t rows) {
  const uint32_t elements = o->elements, k = 2 * elements;
  const uint32_t u = rows / 8 - 1, v = rows / elements - 1, per = o->width / UMMA_CHUNK;
  const uint32_t q = v / per, beside = q == 0 ? 16 * v : o->width - 16;
  uint32_t y = o->start;
  if (!o->mn) {
    y += 7 * o->width + u * o->sbo + (o->swizzle == 0 ? o->lbo : 16);
  } else if (o->swizzle == 0) {
    y += v * o->sbo + 112 + (k / 8 - 1) * o->lbo;
  } else if (o->swizzle == 1) {
    y += beside + q * o->lbo + 384 + o->sbo;
  } else {
    y += beside + q * o->lbo + 7 * o->width + (k / 8 - 1) * o->sbo;
  }
  return o->swizzle == 0 ? y + 16 : (y / 128 + 1) * 128;
}

/* Where the chunk at x lies. */
static uint32_t swizzled(const umma_operand_t *o, uint32_t x) {
  const uint32_t h = (x / 128 - o->base) & 7;
  switch (o->swizzle) {
  case 6:
    return x ^ (h & 1) << 4;
  case 4:
    return x ^ (h & 3) << 4;
  case 2:
    return x ^ h << 4;
  case 1:
    return x ^ (h & 3) << 5;
  default:
    return x;
  }
}

uint32_t umma_chunk(const umma_operand_t *o, uint32_t row, uint32_t k, uint32_t *number) {
  const uint32_t elements = o->elements, per = o->width / UMMA_CHUNK;
  const uint32_t v = row / elements;
  uint32_t x = o->start;
  *number = o->mn ? row % elements : k % elements;
  if (!o->mn) {
    x += row % 8 * o->width + row / 8 * o->sbo + k / elements * (o->swizzle == 0 ? o->lbo : 16);
  } else if (o->swizzle == 0) {
    x += v * o->sbo + k % 8 * 16 + k / 8 * o->lbo;
  } else if (o->swizzle == 1) {
    x += v % 8 * 16 + v / 8 * o->lbo + k % 4 * 128 + k / 4 * o->sbo;
  } else {
    x += v % per * 16 + v / per * o->lbo + k % 8 * o->width + k / 8 * o->sbo;
  }
  return swizzled(o, x);
}

uint32_t umma_in_chunk(const uint8_t *chunk, uint32_t bits, uint32_t n) {
  const uint32_t bit = n * bits;
  uint64_t bytes = 0;
  memcpy(&bytes, chunk + bit / 8, bit / 8 + 8 <= UMMA_CHUNK ? 8 : UMMA_CHUNK - bit / 8);
  return (uint32_t)(bytes >> bit % 8 & ((UINT64_C(1) << bits) - 1));
}
