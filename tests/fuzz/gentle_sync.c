/* gentle_sync.c: gentle programs: .sync instructions with masks that their lanes can meet, barriers
 * that every warp reaches. */
#include "tests/fuzz/gentle.h"

/* A .sync instruction for the lanes that are here. */
void gt_sync_word(gentle_t *g, uint32_t form, uint32_t w[4]) {
  const wl_form_info_t *f = &wl_form_info[form];
  gt_data_word(g, form, w);
  WL_WORD_SET(w, GUARD, 7);
  WL_WORD_SET(w, GUARD_NEG, 0);
  if (form == WL_FORM_ELECT_I || form == WL_FORM_ELECT_R) WL_WORD_SET(w, PS, 7);
  if (f->imm == WL_IMM_M) {
    WL_WORD_SET(w, IMM, g->mask);
  } else {
    WL_WORD_SET(w, RC, g->mask_reg != 0 ? g->mask_reg : R_MASK);
  }
}

/* "@P0 " or "" and one data register to another. */
static void move(gentle_t *g, const char *guard) {
  const uint32_t from = gt_data(g, 1), to = gt_data(g, 1);
  gt_emit(g, "%smov.r R%u, R%u", guard, to, from);
}

/* Member masks that differ between the lanes of one instruction, met at up to two places. */
static void groups(gentle_t *g) {
  static const uint32_t base[] = {0x55555555, 0x11111111, 0x01010101, 0x00010001};
  static const char *const guards[] = {"@P0 ", "@P1 ", "@P2 ", "@P3 "};
  const uint32_t k = fuzz_below(g->r, 4), q = fuzz_below(g->r, 4);
  uint32_t w[4], form;
  do {
    form = gt_random_form(g, WL_UNIT_SYNC);
  } while (wl_form_info[form].imm == WL_IMM_M);
  gt_emit(g, "mov.i R%u, 0x%x", R_MASK, base[k]);
  gt_emit(g, "lop3.rir R%u, R1, 0x%x, RZ {lut=0xc0}", R_TEMP, (2u << k) - 1);
  if (fuzz_chance(g->r, 30)) { /* fewer groups: some lanes take the mask of all of the rest */
    const uint32_t cut = fuzz_below(g->r, 32), low = (UINT32_C(1) << cut) - 1;
    gt_emit(g, "mov.i R%u, 0x%x", R_TEMP, ~low);
    gt_emit(g, "setp.u32.ri P5, PT, R1, 0x%x, PT {cmp=lt bop=none}", cut);
    gt_emit(g, "@P5 mov.i R%u, 0x%x", R_TEMP, low);
    gt_emit(g, "lop3.rir R%u, R%u, 0x%x, RZ {lut=0xc0}", R_MASK, R_TEMP, g->mask);
  } else {
    gt_emit(g, "shf.l.wrap.r R%u, RZ, R%u, R%u", R_MASK, R_MASK, R_TEMP);
    gt_emit(g, "lop3.rir R%u, R%u, 0x%x, RZ {lut=0xc0}", R_MASK, R_MASK, g->mask);
  }
  g->mask_reg = 0;
  gt_sync_word(g, form, w);
  if (fuzz_chance(g->r, 40)) {
    fuzz_put(g->p, w);
    return;
  }
  if ((wl_form_info[form].preds & WL_PRED_D) != 0) WL_WORD_SET(w, PD, 7);
  if (fuzz_chance(g->r, 50)) {
    WL_WORD_SET(w, GUARD, q);
    fuzz_put(g->p, w);
    WL_WORD_SET(w, GUARD_NEG, 1);
    fuzz_put(g->p, w);
    return;
  }
  const uint32_t at = gt_emit(g, "@P%u bra #0", q);
  if (fuzz_chance(g->r, 50)) move(g, "");
  fuzz_put(g->p, w);
  if (fuzz_chance(g->r, 50)) move(g, guards[q ^ 1]);
  const uint32_t over = gt_emit(g, "bra #0");
  gt_patch(g, at);
  for (uint32_t n = fuzz_below(g->r, 3); n > 0; n--)
    move(g, "");
  fuzz_put(g->p, w);
  gt_patch(g, over);
}

void gt_sync(gentle_t *g) {
  uint32_t w[4], form;
  if (g->known && fuzz_chance(g->r, 30)) {
    groups(g);
    return;
  }
  if (!g->known && g->mask_reg == 0) return;
  do {
    form = gt_random_form(g, WL_UNIT_SYNC);
  } while (!g->known && wl_form_info[form].imm == WL_IMM_M);
  if (g->known) g->mask_reg = 0;
  if (wl_form_info[form].imm != WL_IMM_M && g->known) {
    gt_emit(g, "mov.i R%u, 0x%x", R_MASK, g->mask);
  }
  if (g->known && wl_form_info[form].imm != WL_IMM_M && fuzz_chance(g->r, 25)) {
    const uint32_t q = fuzz_below(g->r, 4), negated = fuzz_below(g->r, 2);
    gt_emit(g, "vote.ballot.i R%u, PT, 0x%x, %sP%u", R_MASK, g->mask, negated != 0 ? "!" : "", q);
    gt_sync_word(g, form, w);
    WL_WORD_SET(w, GUARD, q);
    WL_WORD_SET(w, GUARD_NEG, negated);
    fuzz_put(g->p, w);
    return;
  }
  gt_sync_word(g, form, w);
  if (!fuzz_chance(g->r, 30)) {
    fuzz_put(g->p, w);
    return;
  }
  /* The same rendezvous at two places, split by a predicate that the first must not change. */
  const uint32_t q = fuzz_below(g->r, 4);
  if ((wl_form_info[form].preds & WL_PRED_D) != 0) WL_WORD_SET(w, PD, 7);
  WL_WORD_SET(w, GUARD, q);
  fuzz_put(g->p, w);
  if (fuzz_chance(g->r, 40)) {
    const uint32_t from = gt_data(g, 1), to = gt_data(g, 1);
    gt_emit(g, "@P%u add.ri R%u, R%u, 0x1", q, to, from);
  }
  WL_WORD_SET(w, GUARD_NEG, 1);
  fuzz_put(g->p, w);
}

void gt_bar_word(gentle_t *g, uint32_t form, uint32_t number, uint32_t warps, bool aligned,
                 uint32_t w[4]) {
  gt_data_word(g, form, w);
  WL_WORD_SET(w, GUARD, 7);
  WL_WORD_SET(w, GUARD_NEG, 0);
  WL_WORD_SET(w, ALIGNED, aligned ? 1 : 0);
  if (wl_form_info[form].imm == WL_IMM_G) {
    WL_WORD_SET(w, IMM, number | warps << 8);
  } else {
    gt_emit(g, "mov.i R%u, 0x%x", R_TEMP, number);
    gt_emit(g, "mov.i R%u, 0x%x", R_TARGET, warps * 32);
    WL_WORD_SET(w, RA, R_TEMP);
    WL_WORD_SET(w, RB, R_TARGET);
  }
}

/* P6: the warp's number in the CTA is odd. */
void gt_odd_warp(gentle_t *g) {
  gt_emit(g, "shf.r.wrap.i R%u, R4, RZ, 0x5", R_TEMP); /* R4: 256 + 32 * thread of the CTA */
  gt_emit(g, "add.ri R%u, R%u, 0xfffffff8", R_TEMP, R_TEMP);
  gt_emit(g, "lop3.rir R%u, R%u, 0x20, RZ {lut=0xc0}", R_TEMP, R_TEMP);
  gt_emit(g, "setp.u32.ri P6, PT, R%u, 0x0, PT {cmp=ne bop=none}", R_TEMP);
}

/* Every thread of the CTA comes here. */
void gt_barrier(gentle_t *g) {
  const uint32_t all = (g->p->threads + 31) / 32, number = fuzz_below(g->r, 15);
  const uint32_t warps = fuzz_chance(g->r, 50) ? all : 0;
  const uint32_t form = gt_random_form(g, WL_UNIT_BAR);
  const bool arrive = form == WL_FORM_BAR_ARRIVE_I || form == WL_FORM_BAR_ARRIVE_R;
  uint32_t w[4];
  if (arrive) { /* odd warps arrive, even warps wait; nobody goes on before all are through */
    gt_odd_warp(g);
    gt_bar_word(g, form, number, warps, false, w);
    WL_WORD_SET(w, GUARD, 6);
    fuzz_put(g->p, w);
    gt_bar_word(g, fuzz_chance(g->r, 50) ? WL_FORM_BAR_SYNC_I : WL_FORM_BAR_SYNC_R, number, warps,
                false, w);
    WL_WORD_SET(w, GUARD, 6);
    WL_WORD_SET(w, GUARD_NEG, 1);
    fuzz_put(g->p, w);
    gt_emit(g, "bar.sync.i B15:0");
    return;
  }
  if (g->p->threads % 64 == 0 && !g->odd_gone &&
      fuzz_chance(g->r, 30)) { /* pairs of warps, a barrier for each */
    uint32_t any;
    do {
      any = WL_FORM_BAR_SYNC_R + 2 * fuzz_below(g->r, 5);
    } while (any == WL_FORM_BAR_ARRIVE_R);
    gt_bar_word(g, any, 0, 2, false, w);
    gt_emit(g, "add.ri R%u, R4, 0xffffff00", R_TEMP);
    gt_emit(g, "shf.r.wrap.i R%u, R%u, RZ, 0xb", R_TEMP, R_TEMP);
    fuzz_put(g->p, w);
    gt_emit(g, "bar.sync.i B15:0");
    return;
  }
  const bool split = fuzz_chance(g->r, 35);
  gt_bar_word(g, form, number, warps, !split && fuzz_chance(g->r, 50), w);
  if (split) { /* two places of one warp */
    const uint32_t q = fuzz_below(g->r, 4);
    if ((wl_form_info[form].preds & WL_PRED_D) != 0) WL_WORD_SET(w, PD, 7);
    WL_WORD_SET(w, GUARD, q);
    fuzz_put(g->p, w);
    WL_WORD_SET(w, GUARD_NEG, 1);
  }
  fuzz_put(g->p, w);
}
