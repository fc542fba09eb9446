/* gentle_matrix.c: gentle programs: words of the probe, matrix loads, stores and products. */
#include "tests/fuzz/gentle.h"

/* Data registers only, but for CHUNK: its words are drawn with offsets. The guard of a gathered form is
 * mostly the same in all lanes. */
void gt_probe(gentle_t *g) {
  const uint32_t op = fuzz_below(g->r, WL_NUM_PROBE_OP);
  uint32_t w[4];
  for (uint32_t n = 1 + fuzz_below(g->r, 3); n > 0; n--) {
    fuzz_legal_word(g->r, (int)(WL_FORM_PROBE_MIX + op), gt_here(g), gt_here(g) + 1, w);
    const wl_form_info_t *f = &wl_form_info[WL_FORM_PROBE_MIX + op];
    if (f->of.aligned != WL_ALIGNED_NO && fuzz_chance(g->r, 90)) {
      WL_WORD_SET(w, GUARD, 7);
      WL_WORD_SET(w, GUARD_NEG, 0);
    }
    if (f->counted || f->d != 0) { /* into data registers, mostly */
      uint32_t words = f->counted ? WL_WORD_GET(w, IMM) % FUZZ_DATA_REGS + 1 : f->d;
      if (f->counted) WL_WORD_SET(w, IMM, words - 1);
      WL_WORD_SET(w, RD, FUZZ_DATA + fuzz_below(g->r, FUZZ_DATA_REGS - words + 1));
    }
    fuzz_put(g->p, w);
  }
}

/* A matrix form where all threads come, mostly: rows of the lanes' own, in another order of lanes. */
void gt_matrix(gentle_t *g) {
  const bool whole = g->everyone && g->function < 0 && !g->some_gone && g->p->threads % 32 == 0;
  uint32_t w[4];
  if (!whole && !fuzz_chance(g->r, 1)) return;
  const uint32_t form = fuzz_matrix_form(g->r);
  const wl_form_info_t *f = &wl_form_info[form];
  gt_data_word(g, form, w);
  WL_WORD_SET(w, GUARD, fuzz_chance(g->r, 98) ? 7 : fuzz_below(g->r, 8));
  WL_WORD_SET(w, GUARD_NEG, 0);
  if (f->matrix.count == 0) {
    fuzz_put(g->p, w);
    return;
  }
  const uint32_t order = fuzz_below(g->r, 32);
  gt_emit(g, "lop3.rir R52, R1, 0x%x, RZ {lut=0x3c}", order);
  gt_emit(g, "sub.rr R52, R52, R1");
  gt_emit(g, "shf.l.wrap.i R52, RZ, R52, 0x5");
  gt_emit(g, "add.rr R52, R52, R4");
  gt_emit(g, "mov.r R53, R5");
  WL_WORD_SET(w, RA, 52);
  WL_WORD_SET(w, IMM, fuzz_below(g->r, 2) * 16);
  fuzz_put(g->p, w);
}

/* One to four products of matrices, into data registers. Of a whole warp, mostly: they gather it, and a
 * lane that has exited, or is none, is a trap. */
void gt_products(gentle_t *g) {
  const bool sparse = wl_form_exists(WL_FORM_MMA_SP_F32_F16_M16N8K32, g->r->row);
  const uint32_t first = WL_FORM_MMA_F32_F16_M16N8K16,
                 last = sparse ? WL_FORM_MMA_SP_S32_INT4_M16N8K64 : WL_FORM_MMA_S32_B1_M16N8K256;
  uint32_t w[4];
  if ((g->p->threads % 32 != 0 || !g->everyone || g->some_gone) && !fuzz_chance(g->r, 5)) return;
  for (uint32_t n = 1 + fuzz_below(g->r, 4); n > 0; n--) {
    const uint32_t form = first + fuzz_below(g->r, last - first + 1);
    const wl_form_info_t *f = &wl_form_info[form];
    fuzz_legal_word(g->r, (int)form, gt_here(g), gt_here(g) + 1, w);
    if (!fuzz_chance(g->r, 2)) {
      WL_WORD_SET(w, GUARD, 7);
      WL_WORD_SET(w, GUARD_NEG, 0);
    }
    WL_WORD_SET(w, RD, FUZZ_DATA + fuzz_below(g->r, FUZZ_DATA_REGS - f->d + 1));
    WL_WORD_SET(w, RA, FUZZ_DATA + fuzz_below(g->r, FUZZ_DATA_REGS - f->a + 1));
    WL_WORD_SET(w, RB, FUZZ_DATA + fuzz_below(g->r, FUZZ_DATA_REGS - f->b + 1));
    WL_WORD_SET(w, RC, FUZZ_DATA + fuzz_below(g->r, FUZZ_DATA_REGS - f->c + 1));
    if (f->x != 0) WL_WORD_SET(w, IMM, FUZZ_DATA + fuzz_below(g->r, FUZZ_DATA_REGS - f->x + 1));
    fuzz_put(g->p, w);
  }
}
