/* fp64.c: 64-bit floating point (docs/microarchitecture.md 20). */
#include <string.h>

#include "driver/func/func.h"

enum { MOST_WORDS = 6 }; /* of a, b, c */

static uint32_t read_group(const func_warp_t *w, uint32_t r, uint32_t words,
                           uint32_t (*to)[WL_LANES]) {
  for (uint32_t k = 0; k < words; k++)
    memcpy(to[k], func_src(w, r == WL_REG_ZERO ? WL_REG_ZERO : r + k), sizeof to[k]);
  return words;
}

void func_fp64(func_warp_t *w, const wl_insn_dec_t *i, uint32_t e) {
  const wl_form_info_t *f = i->info;
  uint32_t word[MOST_WORDS][WL_LANES], d[2][WL_LANES];
  uint32_t at = read_group(w, i->ra, f->a, word);
  at += read_group(w, i->rb, f->b, word + at);
  (void)read_group(w, i->rc, f->c, word + at);
  wl_sem_fp64(i, (const uint32_t (*)[WL_LANES])word, e, d);
  for (uint32_t k = 0; k < f->d && i->rd != WL_REG_ZERO; k++)
    func_write(w, i->rd + k, d[k], e);
}
