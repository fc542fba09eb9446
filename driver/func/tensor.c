/* tensor.c: products of matrices (docs/microarchitecture.md 19): of all lanes of the warp. */
#include <string.h>

#include "driver/func/func.h"

enum { MOST_WORDS = 16, MOST_RESULTS = 4 }; /* words of a, b, c, x; of d */

static uint32_t read_group(const func_warp_t *w, uint32_t r, uint32_t words,
                           uint32_t (*to)[WL_LANES]) {
  for (uint32_t k = 0; k < words; k++)
    memcpy(to[k], func_src(w, r == WL_REG_ZERO ? WL_REG_ZERO : r + k), sizeof to[k]);
  return words;
}

void func_tensor(func_warp_t *w, const wl_insn_dec_t *i) {
  const wl_form_info_t *f = i->info;
  uint32_t word[MOST_WORDS][WL_LANES], d[MOST_RESULTS][WL_LANES];
  uint32_t at = read_group(w, i->ra, f->a, word);
  at += read_group(w, i->rb, f->b, word + at);
  at += read_group(w, i->rc, f->c, word + at);
  (void)read_group(w, i->rx, f->x, word + at);
  wl_sem_tensor(i, (const uint32_t (*)[WL_LANES])word, d);
  for (uint32_t k = 0; k < f->d && i->rd != WL_REG_ZERO; k++)
    func_write(w, i->rd + k, d[k], UINT32_MAX);
}
