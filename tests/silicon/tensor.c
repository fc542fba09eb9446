#include "tests/silicon/tensor.h"

#include <string.h>

#include "tests/common/digest.h"

/* Fragments (9.7.14.5, 9.7.15.5). A warp has 16 rows of A, C and D; lane = 4 * group + t. A
 * 32-bit register holds `per` neighbours in k; registers of A: rows group, group + 8, then the same
 * 4 * per further in k. An f64 takes a pair of words. */

static unsigned per_of(tensor_type_t type) {
  return type == TENSOR_F64 ? 1 : 32 / tensor_format(type)->bits;
}
static unsigned words_of(tensor_type_t type) { return type == TENSOR_F64 ? 2 : 1; }

unsigned tensor_kept(const tensor_t *t) { return t->sparse ? t->k / 2 : t->k; }
unsigned tensor_b_rows(const tensor_t *t) { return t->quads * t->k; }
unsigned tensor_a_regs(const tensor_t *t) {
  return t->quads > 1 ? 2 * t->steps : (t->m == 8 ? 1 : 2) * tensor_kept(t) / (4 * per_of(t->a));
}
unsigned tensor_b_regs(const tensor_t *t) {
  return t->image ? 0 : t->quads > 1 ? 2 * t->steps : t->k / (4 * per_of(t->b));
}
static unsigned c_elements(const tensor_t *t) {
  return t->quads > 1 ? 8 : (t->m == 8 ? 2u : 4u) * t->n / 8;
}
unsigned tensor_c_regs(const tensor_t *t) {
  return c_elements(t) / per_of(t->c == TENSOR_F16 ? TENSOR_F16 : TENSOR_F32);
}
unsigned tensor_d_regs(const tensor_t *t) {
  return c_elements(t) / per_of(t->d == TENSOR_F16 ? TENSOR_F16 : TENSOR_F32);
}

unsigned tensor_threads(const tensor_t *t) { return t->warpgroup ? 128 : 32; }
unsigned tensor_words(const tensor_t *t) {
  if (t->wmma) {
    return tensor_wmma_words(t) / 32;
  }
  return tensor_a_regs(t) * words_of(t->a) + tensor_b_regs(t) * words_of(t->b) +
         tensor_c_regs(t) * words_of(t->c) + (t->sparse ? 1 : 0) +
         (t->image ? TENSOR_IMAGE_WORDS : 0);
}
unsigned tensor_result_words(const tensor_t *t) {
  return t->wmma ? tensor_wmma_result_words(t) / 32 : tensor_d_regs(t) * words_of(t->d);
}

/* ---- Sparse A (9.7.14.6). A chunk of k keeps half: 2 of 4 values, 2 of 4 pairs of 4-bit values,
 * one of two tf32 (its two indices are those of halves). */

static unsigned chunk_kept(const tensor_t *t) {
  return t->a == TENSOR_TF32 ? 1 : tensor_format(t->a)->bits == 4 ? 4 : 2;
}
unsigned tensor_chunks(const tensor_t *t) { return tensor_kept(t) / chunk_kept(t); }

unsigned tensor_position(const tensor_t *t, const uint8_t *e, unsigned i) {
  unsigned kept = chunk_kept(t), chunk = i / kept, in = i % kept;
  unsigned low = e[chunk] & 3u, high = e[chunk] >> 2 & 3u;
  unsigned at = kept == 1   ? low / 2
                : kept == 2 ? (in == 0 ? low : high)
                            : 2 * (in < 2 ? low : high) + in % 2;
  return chunk * 2 * kept + at;
}

static uint32_t chunks_of(const uint8_t *e, unsigned from, unsigned count) {
  uint32_t word = 0;
  for (unsigned i = 0; i < count; i++) {
    word |= (uint32_t)e[from + i] << 4 * i;
  }
  return word;
}

/* The metadata of a lane. Rows of 16 bits: one lane of each four has them all, for rows `group` and
 * `group` + 8. Of 32 bits: a pair of lanes, of 16-bit types and tf32 by columns, else by rows. Of
 * 64: every lane. Those that are not selected have another legal value. */
static uint32_t metadata(const tensor_t *t, const tensor_item_t *item, unsigned row, unsigned in) {
  unsigned chunks = tensor_chunks(t), pair = in % 2;
  bool mine = chunks == 4 ? in == t->selector : chunks == 16 || in / 2 == t->selector;
  if (!mine) {
    return 0x4e4ee4e4;
  }
  if (chunks == 16) {
    return chunks_of(item->e[row + 8 * pair], in / 2 * 8, 8);
  }
  if (chunks == 8 && tensor_format(t->a)->bits <= 8) {
    return chunks_of(item->e[row + 8 * pair], 0, 8);
  }
  unsigned from = chunks == 8 ? 4 * pair : 0;
  return chunks_of(item->e[row], from, 4) | chunks_of(item->e[row + 8], from, 4) << 16;
}

static void put(uint32_t **to, tensor_type_t type, const uint64_t *element) {
  if (type == TENSOR_F64) {
    *(*to)++ = (uint32_t)element[0];
    *(*to)++ = (uint32_t)(element[0] >> 32);
    return;
  }
  uint32_t word = 0;
  for (unsigned i = 0; i < per_of(type); i++) {
    word |= (uint32_t)(element[i] << i * tensor_format(type)->bits % 32);
  }
  *(*to)++ = word;
}

void tensor_pack(const tensor_t *t, const tensor_item_t *item, uint32_t *words) {
  uint8_t image[TENSOR_IMAGE];
  if (t->wmma || t->quads > 1) {
    (t->wmma ? tensor_wmma_pack : tensor_quad_pack)(t, item, words);
    return;
  }
  if (t->image) {
    tensor_image(t, item, image);
  }
  for (unsigned thread = 0; thread < tensor_threads(t); thread++) {
    unsigned group = thread % 32 / 4, in = thread % 4, base = thread / 32 * 16;
    unsigned high = t->m == 8 ? 1 : 2, pa = per_of(t->a), pb = per_of(t->b);
    uint32_t *to = words + thread * tensor_words(t);
    for (unsigned r = 0; r < tensor_a_regs(t); r++) {
      unsigned row = base + group + 8 * (r % high), k = pa * (in + 4 * (r / high));
      put(&to, t->a, &item->a[row * tensor_kept(t) + k]);
    }
    for (unsigned r = 0; r < tensor_b_regs(t); r++) {
      uint64_t column[32] = {0};
      for (unsigned i = 0; i < pb; i++) {
        column[i] = item->b[(pb * (in + 4 * r) + i) * t->n + group];
      }
      put(&to, t->b, column);
    }
    for (unsigned r = 0; r < c_elements(t); r += t->c == TENSOR_F16 ? 2 : 1) {
      put(&to, t->c,
          &item->c[(base + group + 8 * (r / 2 % 2)) * t->n + r / 4 * 8 + 2 * in + r % 2]);
    }
    if (t->sparse) {
      *to++ = metadata(t, item, base + group, in);
    }
    if (t->image) {
      memcpy(to, image + thread * 4 * TENSOR_IMAGE_WORDS, sizeof *to * TENSOR_IMAGE_WORDS);
    }
  }
}

uint32_t tensor_operands_hash(const tensor_t *t) {
  static tensor_item_t item;
  static uint32_t words[128 * 64];
  uint64_t digest = WL_DIGEST_START;
  for (unsigned i = 0; i < TENSOR_MODES * TENSOR_ITEMS; i++) {
    tensor_fill(t, i / TENSOR_ITEMS, i % TENSOR_ITEMS, &item);
    tensor_pack(t, &item, words);
    for (unsigned k = 0; k < tensor_threads(t) * tensor_words(t); k++) {
      digest = wl_digest(digest, words[k]);
    }
  }
  return (uint32_t)(digest ^ digest >> 32);
}

void tensor_unpack(const tensor_t *t, const uint32_t *words, uint64_t *d) {
  if (t->wmma || t->quads > 1) {
    (t->wmma ? tensor_wmma_unpack : tensor_quad_unpack)(t, words, d);
    return;
  }
  for (unsigned thread = 0; thread < tensor_threads(t); thread++) {
    unsigned group = thread % 32 / 4, in = thread % 4, base = thread / 32 * 16;
    const uint32_t *from = words + thread * tensor_result_words(t);
    for (unsigned r = 0; r < c_elements(t); r++) {
      uint64_t value = t->d == TENSOR_F64   ? from[2 * r] | (uint64_t)from[2 * r + 1] << 32
                       : t->d == TENSOR_F16 ? from[r / 2] >> 16 * (r % 2) & 0xffff
                                            : from[r];
      d[(base + group + 8 * (r / 2 % 2)) * t->n + r / 4 * 8 + 2 * in + r % 2] = value;
    }
  }
}
