/* tensor/umma_element.c: docs/microarchitecture.md 26.1, 26.3, 26.6, 26.9: elements as shared memory and tensor
 * memory hold them, to the rows of a buffer, one a word, of MXF4 eight. */
#include "cmodel/tensor/umma.h"

/* ---- elements of a chunk */
uint32_t wl_umma_in_chunk(const uint32_t chunk[4], unsigned bits, unsigned i) {
  const unsigned first = bits * i, at = first / 32;
  const uint64_t two = chunk[at] | (uint64_t)(at < 3 ? chunk[at + 1] : 0) << 32;
  return (uint32_t)(two >> first % 32) & wl_lane_block(0, bits);
}

static uint32_t of_chunk(const wl_umma_operand_t *o, const uint32_t chunk[4], unsigned i) {
  return wl_umma_in_chunk(chunk, o->bits, i) ^ o->flip;
}

void wl_umma_store_chunk(const wl_umma_operand_t *o, const uint32_t chunk[4], unsigned part,
                         unsigned g, unsigned n, wl_umma_row_elements_t *unit) {
  const unsigned count = 16u / o->size;
  if (o->packed) {
    for (unsigned i = 0; i < 4; i++)
      unit[n][4 * g + i] = chunk[i] ^ o->flip;
    return;
  }
  if (!o->mn_major) {
    for (unsigned i = 0; i < count; i++)
      unit[n][count * g + i] = of_chunk(o, chunk, i);
    return;
  }
  /* Elements of several rows, of one k. */
  const unsigned rows = count < WL_UMMA_ROWS ? count : WL_UMMA_ROWS;
  const unsigned first = n / rows * rows, k = rows * g + n % rows;
  const unsigned from = count > rows ? rows * part : 0;
  for (unsigned i = 0; i < rows; i++)
    unit[first + i][k] = of_chunk(o, chunk, from + i);
}

/* ---- elements of a word */
void wl_umma_store_word(const wl_umma_operand_t *o, uint32_t word, unsigned w,
                        wl_umma_row_elements_t row) {
  const unsigned count = 4u / o->size, above = o->bits == 4 ? 2 : 0; /* e2m1: bits 5:2 of a byte */
  if (o->packed) {
    row[w] = word ^ o->flip;
    return;
  }
  for (unsigned i = 0; i < count; i++)
    row[count * w + i] = (word >> (8u * o->size * i + above) & wl_lane_block(0, o->bits)) ^ o->flip;
}
