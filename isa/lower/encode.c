/* encode.c: a placed machine instruction to instruction words, pseudo instructions included.
 * docs/microarchitecture.md 2 (word). The targets of branches must be in f->insn_pc. */
#include <string.h>

#include "gen/wl_launch.h"
#include "isa/lower/mir.h"

static uint32_t preg(const wl_mfunc_t *f, uint32_t v) {
  return v == 0 ? 7 : (uint32_t)f->vregs[v].phys;
}

static uint32_t reg(const wl_mfunc_t *f, wl_mreg_t r) {
  return r == WL_RZ ? 255 : (uint32_t)f->vregs[wl_mreg_vreg(r)].phys + wl_mreg_word(r);
}

/* Registers and guard go through w; mods are the word's bits from WL_MODS_LOW on already. */
static void raw(uint32_t w[4], const wl_mfunc_t *f, const wl_minsn_t *i, uint32_t form) {
  memset(w, 0, 16);
  WL_WORD_SET(w, FORM, form);
  WL_WORD_SET(w, GUARD, preg(f, i->guard));
  WL_WORD_SET(w, GUARD_NEG, i->guard != 0 && i->guard_neg);
}

static bool copy_needed(const wl_mfunc_t *f, const wl_minsn_t *i) {
  return reg(f, i->d) != reg(f, i->a);
}

static uint32_t popcount(uint32_t x) { return (uint32_t)__builtin_popcount(x); }

static bool has_stack(const wl_mfunc_t *f) { return f->has_calls || wl_mf_frame(f) > 0; }

uint32_t wl_encode_size(const wl_mfunc_t *f, const wl_minsn_t *i) {
  switch (i->form) {
  case WL_MP_LABEL:
  case WL_MP_KILLED:
  case WL_MP_NAME:
    return 0;
  case WL_MP_MOV:
    return copy_needed(f, i) ? i->imm : 0;
  case WL_MP_PROLOGUE:
    if (!has_stack(f)) return 0;
    return (f->is_entry ? 1u : 0u) + (wl_mf_frame(f) > 0 ? 1u : 0u) + popcount(f->saved);
  case WL_MP_TRY_WAIT:
    return 2;
  case WL_FORM_RET:
    return 1u + (wl_mf_frame(f) > 0 ? 1u : 0u) + popcount(f->saved);
  default:
    return 1;
  }
}

static void emit_copy(const wl_mfunc_t *f, const wl_minsn_t *i, wl_emit_fn_t emit, void *ctx) {
  uint32_t w[4];
  for (uint32_t k = 0; k < i->imm && copy_needed(f, i); k++) {
    raw(w, f, i, WL_FORM_MOV_R);
    WL_WORD_SET(w, RD, reg(f, i->d) + k);
    WL_WORD_SET(w, RA, i->a == WL_RZ ? 255 : reg(f, i->a) + k);
    emit(ctx, w);
  }
}

/* Saved registers at the top of the frame, lowest register first. */
static void emit_saved(const wl_mfunc_t *f, const wl_minsn_t *i, bool store, wl_emit_fn_t emit,
                       void *ctx) {
  uint32_t w[4], at = wl_mf_frame(f) - (f->save_bytes + 15) / 16 * 16;
  for (uint32_t k = 0; k < 16; k++) {
    if ((f->saved >> k & 1) == 0) continue;
    raw(w, f, i, store ? WL_FORM_ST_LOCAL_B32 : WL_FORM_LD_LOCAL_B32);
    WL_WORD_SET(w, RA, WL_ABI_STACK);
    if (store)
      WL_WORD_SET(w, RB, WL_ABI_SAVED_FIRST + k);
    else
      WL_WORD_SET(w, RD, WL_ABI_SAVED_FIRST + k);
    w[2] = at;
    at += 4;
    emit(ctx, w);
  }
}

static void emit_stack_add(const wl_mfunc_t *f, const wl_minsn_t *i, uint32_t by, wl_emit_fn_t emit,
                           void *ctx) {
  uint32_t w[4];
  if (by == 0) return;
  raw(w, f, i, WL_FORM_ADD_RI);
  WL_WORD_SET(w, RD, WL_ABI_STACK);
  WL_WORD_SET(w, RA, WL_ABI_STACK);
  w[2] = by;
  emit(ctx, w);
}

static void emit_prologue(const wl_mfunc_t *f, const wl_minsn_t *i, wl_emit_fn_t emit, void *ctx) {
  uint32_t w[4];
  if (!has_stack(f)) return;
  if (f->is_entry) {
    raw(w, f, i, WL_FORM_LDC_B32);
    WL_WORD_SET(w, RD, WL_ABI_STACK);
    WL_WORD_SET(w, RA, 255);
    w[2] = WL_LAUNCH_LOCAL_BYTES * 4;
    emit(ctx, w);
  }
  emit_stack_add(f, i, 0u - wl_mf_frame(f), emit, ctx);
  emit_saved(f, i, true, emit, ctx);
}

static void emit_plain(const wl_mfunc_t *f, const wl_minsn_t *i, wl_emit_fn_t emit, void *ctx) {
  const wl_form_info_t *info = &wl_form_info[i->form];
  uint32_t w[4];
  raw(w, f, i, i->form);
  if (info->d != 0 || info->counted) WL_WORD_SET(w, RD, reg(f, i->d));
  if (info->a != 0) WL_WORD_SET(w, RA, reg(f, i->a));
  if (info->b != 0) WL_WORD_SET(w, RB, reg(f, i->b));
  if (info->c != 0) WL_WORD_SET(w, RC, reg(f, i->c));
  if ((info->preds & WL_PRED_D) != 0) WL_WORD_SET(w, PD, preg(f, i->pd));
  if ((info->preds & WL_PRED_Q) != 0) WL_WORD_SET(w, PQ, preg(f, i->pq));
  if ((info->preds & WL_PRED_S) != 0) {
    WL_WORD_SET(w, PS, preg(f, i->ps));
    WL_WORD_SET(w, PS_NEG, i->ps_neg);
  }
  if ((info->preds & WL_PRED_T) != 0) {
    WL_WORD_SET(w, PT, preg(f, i->pt));
    WL_WORD_SET(w, PT_NEG, i->pt_neg);
  }
  if (info->imm != WL_IMM_NONE) w[2] = info->x != 0 ? reg(f, i->x) : wl_mf_imm(f, i);
  if (i->form == WL_FORM_BRA) w[2] = f->code_base + f->insn_pc[f->blocks[i->target].first];
  w[3] = i->mods;
  emit(ctx, w);
}

/* The wait goes back to the instruction before it, so nothing stands between the two
 * (docs/microarchitecture.md 21.3). */
static void emit_try_wait(const wl_mfunc_t *f, const wl_minsn_t *i, wl_emit_fn_t emit, void *ctx) {
  wl_minsn_t test = *i;
  const wl_minsn_t wait = {
      .form = WL_FORM_WAIT, .guard = i->guard, .guard_neg = i->guard_neg, .a = i->d, .b = i->c};
  test.form = (uint16_t)i->target;
  emit_plain(f, &test, emit, ctx);
  emit_plain(f, &wait, emit, ctx);
}

void wl_encode(const wl_mfunc_t *f, const wl_minsn_t *i, wl_emit_fn_t emit, void *ctx) {
  switch (i->form) {
  case WL_MP_LABEL:
  case WL_MP_KILLED:
  case WL_MP_NAME:
    return;
  case WL_MP_MOV:
    emit_copy(f, i, emit, ctx);
    return;
  case WL_MP_PROLOGUE:
    emit_prologue(f, i, emit, ctx);
    return;
  case WL_MP_TRY_WAIT:
    emit_try_wait(f, i, emit, ctx);
    return;
  case WL_FORM_RET:
    emit_saved(f, i, false, emit, ctx);
    emit_stack_add(f, i, wl_mf_frame(f), emit, ctx);
    break;
  default:
    break;
  }
  emit_plain(f, i, emit, ctx);
}
