/* gentle_memory.c: gentle programs: loads, stores and atomics of own and common bytes, constants. */
#include "tests/fuzz/gentle.h"

static uint32_t bytes_of(uint32_t form) {
  static const uint8_t bytes[WL_NUM_MEM_TYPE] = {1, 1, 2, 2, 1, 2, 4, 8, 16, 4, 4, 8, 8, 4};
  return bytes[wl_form_info[form].type];
}

/* Half of the cas compare with what is there: a load of it comes before. */
static void load_compared(gentle_t *g, const uint32_t cas[4]) {
  const wl_form_info_t *f = &wl_form_info[WL_WORD_GET(cas, FORM)];
  uint32_t w[4] = {0}, form = 0;
  if (f->atom != WL_ATOM_OP_CAS || WL_WORD_GET(cas, RB) == 255 || fuzz_chance(g->r, 50)) return;
  while (wl_form_info[form].kind != WL_MEM_KIND_LD || wl_form_info[form].unit != f->unit ||
         wl_form_info[form].space != f->space || wl_form_info[form].type != f->type)
    form++;
  WL_WORD_SET(w, FORM, form);
  WL_WORD_SET(w, GUARD, 7);
  WL_WORD_SET(w, RD, WL_WORD_GET(cas, RB));
  WL_WORD_SET(w, RA, WL_WORD_GET(cas, RA));
  WL_WORD_SET(w, IMM, WL_WORD_GET(cas, IMM));
  fuzz_put(g->p, w);
}

/* A load, store or atomic on the thread's own bytes of a space. */
void gt_own_memory(gentle_t *g) {
  const uint32_t form = gt_random_form(g, WL_UNIT_LSU), bytes = bytes_of(form);
  const wl_form_info_t *f = &wl_form_info[form];
  static const uint32_t reg_of[] = {
      [WL_MEM_SPACE_GLOBAL] = 2, [WL_MEM_SPACE_SHARED] = 4, [WL_MEM_SPACE_LOCAL] = 6};
  static const uint32_t size_of[] = {[WL_MEM_SPACE_GLOBAL] = FUZZ_DUMP,
                                     [WL_MEM_SPACE_SHARED] = FUZZ_SMEM_SLOT,
                                     [WL_MEM_SPACE_LOCAL] = FUZZ_LOCAL};
  static const uint8_t windows[] = {WL_MEM_SPACE_GLOBAL, WL_MEM_SPACE_SHARED, WL_MEM_SPACE_LOCAL};
  uint32_t space = f->space, w[4];
  gt_data_word(g, form, w);
  if (space == WL_MEM_SPACE_GEN) {
    space = windows[fuzz_below(g->r, f->kind == WL_MEM_KIND_ATOM ? 2 : 3)];
  }
  WL_WORD_SET(w, RA, reg_of[space]);
  WL_WORD_SET(w, IMM, fuzz_below(g->r, size_of[space] / bytes) * bytes);
  if (f->space == WL_MEM_SPACE_GEN && fuzz_chance(g->r, 30) && space != WL_MEM_SPACE_LOCAL) {
    /* Lanes of one instruction in different windows. */
    const uint32_t other = space == WL_MEM_SPACE_GLOBAL ? 4 : 2;
    gt_emit(g, "mov.r R52, R%u", reg_of[space]);
    gt_emit(g, "mov.r R53, R%u", reg_of[space] + 1);
    gt_emit(g, "@P1 mov.r R52, R%u", other);
    gt_emit(g, "@P1 mov.r R53, R%u", other + 1);
    WL_WORD_SET(w, RA, 52);
    WL_WORD_SET(w, IMM, fuzz_below(g->r, FUZZ_SMEM_SLOT / bytes) * bytes);
  }
  load_compared(g, w);
  fuzz_put(g->p, w);
}

/* Bytes that all threads share. Comparable: each cell has one commuting operation without result. */
void gt_common_memory(gentle_t *g) {
  static const uint16_t global_cell[] = {WL_FORM_ATOM_GLOBAL_ADD_U32, WL_FORM_ATOM_GLOBAL_MIN_U32,
                                         WL_FORM_ATOM_GLOBAL_MAX_S32, WL_FORM_ATOM_GLOBAL_AND_B32,
                                         WL_FORM_ATOM_GLOBAL_OR_B32,  WL_FORM_ATOM_GLOBAL_XOR_B32,
                                         WL_FORM_ATOM_GLOBAL_ADD_U64, WL_FORM_ATOM_GLOBAL_MIN_S64,
                                         WL_FORM_ATOM_GEN_ADD_U32,    WL_FORM_ATOM_GEN_MAX_U64};
  uint32_t w[4];
  if (g->p->comparable) {
    const uint32_t n = fuzz_below(g->r, sizeof global_cell / sizeof global_cell[0]);
    gt_data_word(g, global_cell[n], w);
    WL_WORD_SET(w, RD, 255);
    WL_WORD_SET(w, RA, 10);
    WL_WORD_SET(w, IMM, 8 * n);
    fuzz_put(g->p, w);
    return;
  }
  uint32_t form;
  do {
    form = gt_random_form(g, WL_UNIT_LSU);
  } while (wl_form_info[form].space == WL_MEM_SPACE_LOCAL ||
           (wl_form_info[form].kind != WL_MEM_KIND_ATOM && fuzz_chance(g->r, 60)));
  const wl_form_info_t *f = &wl_form_info[form];
  const uint32_t bytes = bytes_of(form), span = fuzz_chance(g->r, 50) ? 32 : FUZZ_CELLS;
  gt_data_word(g, form, w);
  WL_WORD_SET(w, IMM, fuzz_below(g->r, span / bytes) * bytes);
  if (f->space == WL_MEM_SPACE_SHARED) {
    WL_WORD_SET(w, RA, 255);
    if (fuzz_chance(g->r, 60)) { /* bank conflicts by lane */
      gt_emit(g, "lop3.rir R%u, R%u, 0x%x, RZ {lut=0xc0}", R_TEMP, gt_data(g, 1),
              (FUZZ_CELLS - 1) / bytes * bytes & ~(bytes - 1));
      WL_WORD_SET(w, RA, R_TEMP);
      WL_WORD_SET(w, IMM, 0);
    }
  } else {
    WL_WORD_SET(w, RA, 10);
    if (fuzz_chance(g->r, 50)) {
      gt_emit(g, "lop3.rir R52, R%u, 0x%x, RZ {lut=0xc0}", gt_data(g, 1),
              (span - 1) & ~(bytes - 1));
      gt_emit(g, "mov.r R53, RZ");
      gt_emit(g, "add64.rr R52:R53, R52:R53, R10:R11");
      WL_WORD_SET(w, RA, 52);
      WL_WORD_SET(w, IMM, 0);
    }
  }
  fuzz_put(g->p, w);
}

void gt_constant(gentle_t *g) {
  const uint32_t form = gt_random_form(g, WL_UNIT_LDC), bytes = bytes_of(form);
  uint32_t w[4];
  gt_data_word(g, form, w);
  WL_WORD_SET(w, RA, 255);
  if (fuzz_chance(g->r, 30)) {
    const uint32_t mask = fuzz_chance(g->r, 50) ? 0x30 : 0x1fc0;
    gt_emit(g, "lop3.rir R%u, R%u, 0x%x, RZ {lut=0xc0}", R_TEMP, gt_data(g, 1), mask);
    WL_WORD_SET(w, RA, R_TEMP);
    WL_WORD_SET(w, IMM, 1u << 28 | fuzz_below(g->r, 8192 / bytes) * bytes);
  } else if (fuzz_chance(g->r, 20)) {
    WL_WORD_SET(w, IMM, fuzz_below(g->r, 48 / bytes) * bytes);
  } else {
    WL_WORD_SET(w, IMM, 1u << 28 | fuzz_below(g->r, FUZZ_C1_BYTES / bytes) * bytes);
  }
  fuzz_put(g->p, w);
}
