/* mir.c: construction and inspection of machine instructions. See mir.h. */
#include "isa/lower/mir.h"

#include <string.h>

void *wl_mf_alloc(wl_mfunc_t *f, size_t bytes) {
  void *p = wl_arena_alloc(f->arena, bytes);
  if (p == NULL) longjmp(*f->oom, 1);
  return p;
}

void *wl_mf_grow(wl_mfunc_t *f, void *array, size_t count, size_t *cap, size_t elem) {
  void *p = wl_arena_grow(f->arena, array, count, cap, elem);
  if (p == NULL) longjmp(*f->oom, 1);
  return p;
}

void wl_mf_init(wl_mfunc_t *f, wl_arena_t *arena, jmp_buf *oom) {
  memset(f, 0, sizeof *f);
  f->arena = arena;
  f->oom = oom;
  f->max_regs = 255;
  wl_mf_vreg(f, 1, true); /* 0 stands for RZ */
}

uint32_t wl_mf_vreg(wl_mfunc_t *f, uint8_t words, bool temp) {
  f->vregs = wl_mf_grow(f, f->vregs, f->nvregs, &f->cap_vregs, sizeof *f->vregs);
  const uint32_t id = (uint32_t)f->nvregs++;
  f->vregs[id] = (wl_vreg_t){
      .words = words, .temp = temp, .fixed = WL_NOREG, .phys = WL_NOREG, .orig = wl_mreg(id, 0)};
  return id;
}

uint32_t wl_mf_fixed(wl_mfunc_t *f, int reg) {
  if (f->fixed[reg] == 0) {
    f->fixed[reg] = wl_mf_vreg(f, 1, true);
    f->vregs[f->fixed[reg]].fixed = (int16_t)reg;
    f->vregs[f->fixed[reg]].phys = (int16_t)reg;
  }
  return f->fixed[reg];
}

wl_minsn_t *wl_mf_append(wl_mfunc_t *f, const wl_minsn_t *insn) {
  const wl_minsn_t copy = *insn; /* may lie in the array that grows */
  f->insns = wl_mf_grow(f, f->insns, f->ninsns, &f->cap_insns, sizeof *f->insns);
  f->insns[f->ninsns] = copy;
  return &f->insns[f->ninsns++];
}

uint32_t wl_mf_units(wl_mfunc_t *f) {
  uint32_t n = 0;
  for (size_t v = 0; v < f->nvregs; v++) {
    f->vregs[v].unit = n;
    n += wl_vreg_units(&f->vregs[v]);
  }
  return n;
}

unsigned wl_mi_operands(wl_minsn_t *i, wl_mopref_t out[WL_MAX_OPERANDS]) {
  unsigned n = 0;
  uint8_t d = 0, a = 0, b = 0, c = 0, x = 0, preds = 0;
  if (i->form < WL_NUM_FORMS) {
    const wl_form_info_t *info = &wl_form_info[i->form];
    d = info->counted ? (uint8_t)(i->imm + 1) : info->d, a = info->a, b = info->b, c = info->c,
    x = info->x, preds = info->preds;
  } else if (i->form == WL_MP_MOV) {
    d = a = (uint8_t)i->imm;
  } else if (i->form == WL_MP_TRY_WAIT) {
    const wl_form_info_t *test = &wl_form_info[i->target];
    d = test->d, a = test->a, b = test->b, c = wl_form_info[WL_FORM_WAIT].b;
  }
  if (i->guard != 0) out[n++] = (wl_mopref_t){&i->guard, 0, false, true, 0};
  if ((preds & WL_PRED_S) != 0 && i->ps != 0) out[n++] = (wl_mopref_t){&i->ps, 0, false, true, 0};
  if ((preds & WL_PRED_T) != 0 && i->pt != 0) out[n++] = (wl_mopref_t){&i->pt, 0, false, true, 0};
  if (a != 0 && i->a != WL_RZ) out[n++] = (wl_mopref_t){&i->a, a, false, false, 0};
  if (b != 0 && i->b != WL_RZ) out[n++] = (wl_mopref_t){&i->b, b, false, false, 0};
  if (c != 0 && i->c != WL_RZ) out[n++] = (wl_mopref_t){&i->c, c, false, false, 0};
  if (x != 0 && i->x != WL_RZ) out[n++] = (wl_mopref_t){&i->x, 1, false, false, x};
  if ((preds & WL_PRED_D) != 0 && i->pd != 0) out[n++] = (wl_mopref_t){&i->pd, 0, true, true, 0};
  if ((preds & WL_PRED_Q) != 0 && i->pq != 0) out[n++] = (wl_mopref_t){&i->pq, 0, true, true, 0};
  if (d != 0 && i->d != WL_RZ) out[n++] = (wl_mopref_t){&i->d, d, true, false, 0};
  return n;
}

bool wl_mi_kills(const wl_mfunc_t *f, const wl_minsn_t *insn, uint32_t vreg) {
  return insn->guard == 0 || f->vregs[vreg].temp;
}

bool wl_mi_ends_block(const wl_minsn_t *i) {
  if (i->form == WL_FORM_BRA || i->form == WL_FORM_BRX) return true;
  return (i->form == WL_FORM_EXIT || i->form == WL_FORM_RET) && i->guard == 0;
}

bool wl_mi_has_effect(const wl_minsn_t *i) {
  if (i->form >= WL_NUM_FORMS)
    return i->form == WL_MP_PROLOGUE || i->form == WL_MP_LABEL || i->form == WL_MP_TRY_WAIT ||
           i->form == WL_MP_MARK;
  const wl_form_info_t *info = &wl_form_info[i->form];
  switch (info->unit) {
  case WL_UNIT_CTL:
    return i->form != WL_FORM_NOP;
  case WL_UNIT_BAR:
  case WL_UNIT_SYNC:
    return true;
  /* A load may trap and a strong load polls: kept. Constant loads and special registers go. */
  case WL_UNIT_LSU:
  case WL_UNIT_COPY:
  case WL_UNIT_TMEM:
  case WL_UNIT_UMMA:
    return true;
  default:
    return i->form == WL_FORM_ACTIVEMASK;
  }
}

static uint32_t round_up(uint32_t x, uint32_t to) { return (x + to - 1) / to * to; }

uint32_t wl_mf_frame(const wl_mfunc_t *f) {
  return round_up(f->out_bytes, 16) + round_up(f->local_bytes, 16) + round_up(f->spill_bytes, 16) +
         round_up(f->save_bytes, 16);
}

uint32_t wl_mf_imm(const wl_mfunc_t *f, const wl_minsn_t *insn) {
  const uint32_t local = round_up(f->out_bytes, 16);
  switch ((wl_mfix_t)insn->fix) {
  case WL_FIX_LOCAL:
    return insn->imm + local;
  case WL_FIX_SPILL:
    return insn->imm + local + round_up(f->local_bytes, 16);
  case WL_FIX_CALLER:
    return insn->imm + wl_mf_frame(f);
  default:
    return insn->imm;
  }
}
