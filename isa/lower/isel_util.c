/* isel_util.c: emission helpers of instruction selection. See isel.h. */
#include "isa/lower/isel.h"

#include "gen/wl_sreg.h"

wl_mreg_t wl_t1(wl_isel_t *s) { return wl_mreg(wl_mf_vreg(s->f, 1, true), 0); }
wl_mreg_t wl_t2(wl_isel_t *s) { return wl_mreg(wl_mf_vreg(s->f, 2, true), 0); }
wl_mreg_t wl_t4(wl_isel_t *s) { return wl_mreg(wl_mf_vreg(s->f, 4, true), 0); }
uint32_t wl_tp(wl_isel_t *s) { return wl_mf_vreg(s->f, 0, true); }

wl_minsn_t *wl_put(wl_isel_t *s, const wl_minsn_t *insn) {
  wl_minsn_t *i = wl_mf_append(s->f, insn);
  if (i->guard == 0) {
    i->guard = s->guard;
    i->guard_neg = s->guard_neg;
  }
  if (s->in != NULL) {
    i->pos = s->in->pos;
    i->loc = s->in->loc;
  }
  return i;
}

void wl_rr(wl_isel_t *s, wl_form_t form, wl_mreg_t d, wl_mreg_t a, wl_mreg_t b) {
  wl_put(s, &(wl_minsn_t){.form = (uint16_t)form, .d = d, .a = a, .b = b});
}

void wl_ri(wl_isel_t *s, wl_form_t form, wl_mreg_t d, wl_mreg_t a, uint32_t imm) {
  wl_put(s, &(wl_minsn_t){.form = (uint16_t)form, .d = d, .a = a, .imm = imm});
}

void wl_rrr(wl_isel_t *s, wl_form_t form, wl_mreg_t d, wl_mreg_t a, wl_mreg_t b, wl_mreg_t c) {
  wl_put(s, &(wl_minsn_t){.form = (uint16_t)form, .d = d, .a = a, .b = b, .c = c});
}

void wl_rir(wl_isel_t *s, wl_form_t form, wl_mreg_t d, wl_mreg_t a, uint32_t imm, wl_mreg_t c) {
  wl_put(s, &(wl_minsn_t){.form = (uint16_t)form, .d = d, .a = a, .imm = imm, .c = c});
}

void wl_rri(wl_isel_t *s, wl_form_t form, wl_mreg_t d, wl_mreg_t a, wl_mreg_t b, uint32_t imm) {
  wl_put(s, &(wl_minsn_t){.form = (uint16_t)form, .d = d, .a = a, .b = b, .imm = imm});
}

void wl_movi(wl_isel_t *s, wl_mreg_t d, uint32_t imm) {
  if (imm == 0)
    wl_copy(s, d, WL_RZ, 1);
  else
    wl_ri(s, WL_FORM_MOV_I, d, WL_RZ, imm);
}

void wl_copy(wl_isel_t *s, wl_mreg_t d, wl_mreg_t a, uint32_t words) {
  if (d == a || d == WL_RZ) return;
  wl_put(s, &(wl_minsn_t){.form = WL_MP_MOV, .d = d, .a = a, .imm = words});
}

void wl_lop(wl_isel_t *s, wl_mreg_t d, wl_mreg_t a, wl_mreg_t b, wl_mreg_t c, uint32_t lut) {
  wl_put(s,
         &(wl_minsn_t){
             .form = WL_FORM_LOP3_RRR, .d = d, .a = a, .b = b, .c = c, .mods = WL_MODS(LUT, lut)});
}

void wl_lopi(wl_isel_t *s, wl_mreg_t d, wl_mreg_t a, uint32_t imm, wl_mreg_t c, uint32_t lut) {
  wl_put(
      s,
      &(wl_minsn_t){
          .form = WL_FORM_LOP3_RIR, .d = d, .a = a, .imm = imm, .c = c, .mods = WL_MODS(LUT, lut)});
}

void wl_sel(wl_isel_t *s, wl_mreg_t d, wl_mreg_t a, wl_mreg_t b, uint32_t p, bool neg) {
  wl_put(s, &(wl_minsn_t){.form = WL_FORM_SELP_RR, .d = d, .a = a, .b = b, .ps = p, .ps_neg = neg});
}

void wl_seli(wl_isel_t *s, wl_mreg_t d, wl_mreg_t a, uint32_t imm, uint32_t p, bool neg) {
  wl_put(s, &(wl_minsn_t){
                .form = WL_FORM_SELP_RI, .d = d, .a = a, .imm = imm, .ps = p, .ps_neg = neg});
}

void wl_cmp(wl_isel_t *s, wl_form_t form, uint32_t p, wl_mreg_t a, wl_mreg_t b, uint32_t mask) {
  wl_put(s, &(wl_minsn_t){.form = (uint16_t)form,
                          .pd = p,
                          .a = a,
                          .b = b,
                          .mods = WL_MODS(CMP, mask) | WL_MODS(BOP, WL_BOP_NONE)});
}

void wl_cmpi(wl_isel_t *s, wl_form_t form, uint32_t p, wl_mreg_t a, uint32_t imm, uint32_t mask) {
  wl_put(s, &(wl_minsn_t){.form = (uint16_t)form,
                          .pd = p,
                          .a = a,
                          .imm = imm,
                          .mods = WL_MODS(CMP, mask) | WL_MODS(BOP, WL_BOP_NONE)});
}

void wl_plop(wl_isel_t *s, uint32_t p, uint32_t ps, bool ns, uint32_t pt, bool nt, uint32_t bop) {
  wl_put(s, &(wl_minsn_t){.form = WL_FORM_PLOP,
                          .pd = p,
                          .ps = ps,
                          .ps_neg = ns,
                          .pt = pt,
                          .pt_neg = nt,
                          .mods = WL_MODS(BOP, bop)});
}

void wl_not_yet(wl_isel_t *s, const char *clause, const char *what) {
  wl_diag_add(s->l->diags, WL_DIAG_UNSUPPORTED, s->in->pos, clause, "%s is not implemented", what);
}

bool wl_isel_has_mod(const wl_isel_t *s, wl_ptx_mod_t m) {
  for (uint32_t i = 0; i < s->in->nmods; i++)
    if (s->in->mods[i] == m) return true;
  return false;
}

wl_mreg_t wl_lane_id(wl_isel_t *s) {
  const wl_mreg_t lane = wl_t1(s);
  wl_ri(s, WL_FORM_S2R, lane, WL_RZ, WL_SREG_LANEID);
  return lane;
}

wl_mreg_t wl_shuffle(wl_isel_t *s, wl_mreg_t a, wl_mreg_t control, uint32_t mode) {
  const wl_mreg_t d = wl_t1(s);
  wl_put(s, &(wl_minsn_t){.form = WL_FORM_SHFL_I,
                          .d = d,
                          .a = a,
                          .b = control,
                          .imm = UINT32_MAX,
                          .mods = WL_MODS(XMODE, mode)});
  return d;
}
