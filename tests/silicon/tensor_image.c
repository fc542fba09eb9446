/* Operands of wgmma in shared memory in other layouts than the plain one: what 9.7.15.5.1 calls
 * canonical layouts. */
#include <string.h>

#include "tests/silicon/tensor.h"

/* One matrix: `mn` rows of A or columns of B, chunks of 16 bytes along what is contiguous. */
typedef struct matrix {
  unsigned bytes, chunks, swizzle; /* of an element; 0, 32, 64 or 128 */
  bool transposed;                 /* rows of A or columns of B are contiguous, else k */
} matrix_t;

static matrix_t matrix_of(const tensor_t *t, bool is_a) {
  tensor_type_t type = is_a ? t->a : t->b;
  matrix_t m = {.bytes = tensor_format(type)->bits / 8,
                .swizzle = t->swizzle,
                .transposed = is_a ? t->trans_a : t->trans_b};
  unsigned along = m.transposed ? (is_a ? t->m : t->n) : is_a ? tensor_kept(t) : t->k;
  m.chunks = along * m.bytes / 16;
  return m;
}

/* The two byte offsets of a descriptor. */
static unsigned leading(const matrix_t *m) {
  if (m->swizzle == 0) {
    return m->transposed ? 128 * m->chunks : 128;
  }
  return m->transposed ? 16 * m->swizzle : 16;
}
static unsigned stride(const matrix_t *m) {
  return m->swizzle != 0 ? 8 * m->swizzle : m->transposed ? 128 : 128 * m->chunks;
}

/* Chunks of a row change places by bits of the row. */
static unsigned swizzled(unsigned chunk, unsigned row, unsigned swizzle) {
  return chunk ^ (swizzle == 128 ? row : swizzle == 64 ? row / 2 : row / 4);
}

static unsigned place(const matrix_t *m, unsigned mn, unsigned k) {
  unsigned along = (m->transposed ? mn : k) * m->bytes, across = m->transposed ? k : mn;
  unsigned chunk = along / 16, row = across % 8, group = across / 8, in = along % 16;
  if (m->swizzle == 0) {
    return m->transposed ? chunk * stride(m) + group * leading(m) + row * 16 + in
                         : chunk * leading(m) + group * stride(m) + row * 16 + in;
  }
  unsigned wide = m->swizzle / 16;
  return chunk / wide * leading(m) + group * stride(m) + row * m->swizzle +
         swizzled(chunk % wide, row, m->swizzle) * 16 + in;
}

void tensor_image(const tensor_t *t, const tensor_item_t *item, uint8_t image[TENSOR_IMAGE]) {
  matrix_t a = matrix_of(t, true), b = matrix_of(t, false);
  memset(image, 0xa5, TENSOR_IMAGE);
  for (unsigned k = 0; k < tensor_kept(t) && t->a_shared; k++) {
    for (unsigned row = 0; row < t->m; row++) {
      memcpy(image + TENSOR_IMAGE_A + place(&a, row, k), &item->a[row * tensor_kept(t) + k],
             a.bytes);
    }
  }
  for (unsigned k = 0; k < t->k; k++) {
    for (unsigned column = 0; column < t->n; column++) {
      memcpy(image + place(&b, column, k), &item->b[k * t->n + column], b.bytes);
    }
  }
}

uint64_t tensor_descriptor(const tensor_t *t, bool is_a) {
  matrix_t m = matrix_of(t, is_a);
  uint64_t code = t->swizzle == 128 ? 1 : t->swizzle == 64 ? 2 : t->swizzle == 32 ? 3 : 0;
  return (uint64_t)(leading(&m) / 16) << 16 | (uint64_t)(stride(&m) / 16) << 32 | code << 62;
}
