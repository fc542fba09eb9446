/* run.c: see run.h. Blocks of memory for the kernel of machine.h. */
#include "run.h"

#include <stdlib.h>
#include <string.h>

enum {
  LANES = 128,
  COLUMN = 4 * LANES,
  OF_A = BITS_M / 32,
  SET = 2 * OF_A /* columns of scales */
};

/* ---- the memory of a CTA */

/* D, then sets of scales: a word has four scales, and there are four steps, so there are as many sets as a step has
 * groups. */
static unsigned columns_of(const bits_form_t *f, unsigned n) { return n + f->groups * SET; }

static uint32_t word_of(const uint8_t *s) {
  return s[0] | (uint32_t)s[1] << 8 | (uint32_t)s[2] << 16 | (uint32_t)s[3] << 24;
}

/* Every quarter has the same. */
static void put_scales(const bits_form_t *f, const bits_item_t *item, uint32_t (*columns)[LANES]) {
  for (unsigned set = 0; set < f->groups; set++, columns += SET)
    for (unsigned row = 0; row < BITS_M; row++)
      for (unsigned lane = row % 32; lane < LANES; lane += 32) {
        columns[row / 32][lane] = word_of(item->a_scale[row] + 4 * set);
        columns[OF_A + row / 32][lane] = word_of(item->b_scale[row] + 4 * set);
      }
}

static umma_matrix_t matrix_of(const bits_form_t *f, unsigned kind, unsigned rows, uint32_t begin) {
  umma_matrix_t m = {.pattern = &umma_patterns[kind % UMMA_PATTERNS],
                     .rows = rows,
                     .steps = BITS_STEPS,
                     .size = f->size};
  umma_lay_out(&m, begin);
  return m;
}

/* Writes the block, if out is not NULL; its bytes. */
static size_t put_block(const bits_form_t *f, unsigned kind, unsigned n, bits_item_t *item,
                        uint8_t *out, unsigned *image) {
  static umma_launch_t scratch;
  const umma_matrix_t a = matrix_of(f, kind, BITS_M, UMMA_IMAGE);
  const umma_matrix_t b = matrix_of(f, kind, n, UMMA_IMAGE + (a.bytes + 1023) / 1024 * 1024);
  *image = (b.begin + b.bytes - UMMA_IMAGE + 1023) / 1024 * 1024;
  const size_t bytes = MACHINE_HEAD + *image + (size_t)columns_of(f, n) * COLUMN;
  if (out == NULL) return bytes;
  const machine_head_t head = machine_head(f, &a, &b, SET);
  memcpy(out, &head, sizeof head);
  umma_put(&scratch, &a, f->a, f->halves, BITS_STEPS * f->per_step, item->a);
  umma_put(&scratch, &b, f->b, f->halves, BITS_STEPS * f->per_step, item->b);
  memcpy(out + MACHINE_HEAD, scratch.image, *image);
  uint32_t (*const columns)[LANES] = (uint32_t (*)[LANES])(void *)(out + MACHINE_HEAD + *image);
  for (unsigned c = 0; c < n; c++)
    for (unsigned r = 0; r < BITS_M; r++)
      columns[c][r] = item->d[r][c];
  put_scales(f, item, columns + n);
  return bytes;
}

bool bits_run(bits_machine_t *m, const bits_form_t *f, unsigned kind, unsigned first,
              unsigned count, unsigned columns, bits_tile_t *out) {
  static bits_item_t item;
  unsigned image = 0;
  const size_t block = put_block(f, kind, columns, NULL, NULL, &image);
  uint8_t *const in = calloc(count, block);
  uint32_t *const words = calloc((size_t)count * columns, COLUMN);
  wl_status_t s = in != NULL && words != NULL ? WL_OK : WL_ERR_INTERNAL;
  for (unsigned k = 0; s == WL_OK && k < count; k++) {
    bits_fill(f, kind, first + k, &item);
    (void)put_block(f, kind, columns, &item, in + k * block, &image);
  }
  s = s == WL_OK
          ? machine_launch(m, count, columns, columns_of(f, columns), image, in, block, words)
          : s;
  for (unsigned k = 0; s == WL_OK && k < count; k++)
    memcpy(out[k], words + (size_t)k * columns * LANES, (size_t)columns * COLUMN);
  free(in);
  free(words);
  return !machine_failed(m, f->label, s);
}
