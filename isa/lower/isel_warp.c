/* isel_warp.c: exchange between the threads of a warp. PTX 9.7.9.6, 9.7.13.8-14. Expansions:
 *   shfl   lane operand, clamp and segment mask packed into one register: b[4:0] | c << 8
 *   match.b64   both words matched, masks and predicates combined
 *   redux.f32   redux.s32 of integers in the same order: of a negative number the other bits change, so
 *               that -0 is next below +0. A NaN is what loses, or with .NaN wins, against every
 *               number; a result of that value is a NaN */
#include "isa/lower/isel.h"

#define OPND(k) (&s->in->operands[k])

/* Chooses the immediate or register form by the member mask, which goes into imm or c. */
static void put_masked(wl_isel_t *s, const wl_ptx_operand_t *mask, wl_form_t imm, wl_form_t reg,
                       wl_minsn_t i) {
  const wl_src_t m = wl_is_src(s, mask, WL_PTX_T_B32);
  i.form = (uint16_t)(m.imm ? imm : reg);
  if (m.imm)
    i.imm = m.k;
  else
    i.c = m.r;
  wl_put(s, &i);
}

static wl_mreg_t shuffle_control(wl_isel_t *s) {
  const wl_src_t b = wl_is_src(s, OPND(2), WL_PTX_T_U32), c = wl_is_src(s, OPND(3), WL_PTX_T_U32);
  const wl_mreg_t t = wl_t1(s);
  if (b.imm && c.imm) {
    wl_movi(s, t, (b.k & 31) | (c.k & 0x1f1f) << 8);
    return t;
  }
  const wl_mreg_t base = wl_t1(s);
  if (c.imm)
    wl_movi(s, base, (c.k & 0x1f1f) << 8);
  else
    wl_rri(s, WL_FORM_SHF_L_CLAMP_I, base, WL_RZ, c.r, 8);
  wl_rri(s, WL_FORM_BFI_I, t, wl_is_reg(s, b), base, 5u << 8);
  if (c.imm) return t;
  const wl_mreg_t clean = wl_t1(s);
  wl_lopi(s, clean, t, 0x1f1f1fu, WL_RZ, WL_LUT_A & WL_LUT_B);
  return clean;
}

static bool shuffle(wl_isel_t *s) {
  const wl_ptx_mod_t m = s->in->mode[0];
  const uint32_t mode = m == WL_PTX_M_UP ? 0 : m == WL_PTX_M_DOWN ? 1 : m == WL_PTX_M_BFLY ? 2 : 3;
  const wl_mreg_t a = wl_is_r32(s, OPND(1), WL_PTX_T_B32);
  put_masked(s, OPND(4), WL_FORM_SHFL_I, WL_FORM_SHFL_R,
             (wl_minsn_t){.d = wl_is_dst(s, OPND(0)),
                          .pd = wl_is_pdst(s, OPND(0)->pair),
                          .a = a,
                          .b = shuffle_control(s),
                          .mods = WL_MODS(XMODE, mode)});
  return true;
}

static bool vote(wl_isel_t *s) {
  wl_minsn_t i = {0};
  wl_form_t imm = WL_FORM_VOTE_BALLOT_I, reg = WL_FORM_VOTE_BALLOT_R;
  switch (s->in->mode[0]) {
  case WL_PTX_M_ALL:
    imm = WL_FORM_VOTE_ALL_I, reg = WL_FORM_VOTE_ALL_R;
    break;
  case WL_PTX_M_ANY:
    imm = WL_FORM_VOTE_ANY_I, reg = WL_FORM_VOTE_ANY_R;
    break;
  case WL_PTX_M_UNI_MODE:
    imm = WL_FORM_VOTE_UNI_I, reg = WL_FORM_VOTE_UNI_R;
    break;
  default:
    break;
  }
  if (imm == WL_FORM_VOTE_BALLOT_I)
    i.d = wl_is_dst(s, OPND(0));
  else
    i.pd = wl_is_pdst(s, OPND(0));
  i.ps = wl_is_psrc(s, OPND(1), &i.ps_neg);
  put_masked(s, OPND(2), imm, reg, i);
  return true;
}

static bool match(wl_isel_t *s) {
  const bool all = s->in->mode[0] == WL_PTX_M_ALL, wide = wl_bits(s->in->type[0]) == 64;
  const wl_form_t imm = all ? WL_FORM_MATCH_ALL_I : WL_FORM_MATCH_ANY_I;
  const wl_form_t reg = all ? WL_FORM_MATCH_ALL_R : WL_FORM_MATCH_ANY_R;
  const wl_mreg_t d = wl_is_dst(s, OPND(0));
  const uint32_t p = wl_is_pdst(s, OPND(0)->pair);
  if (!wide) {
    put_masked(s, OPND(2), imm, reg,
               (wl_minsn_t){.d = d, .pd = p, .a = wl_is_r32(s, OPND(1), WL_PTX_T_B32)});
    return true;
  }
  const wl_mreg_t a = wl_is_r64(s, OPND(1), WL_PTX_T_B64), x = wl_t1(s), y = wl_t1(s);
  const uint32_t px = p != 0 ? wl_tp(s) : 0, py = p != 0 ? wl_tp(s) : 0;
  put_masked(s, OPND(2), imm, reg, (wl_minsn_t){.d = x, .pd = px, .a = a});
  put_masked(s, OPND(2), imm, reg, (wl_minsn_t){.d = y, .pd = py, .a = wl_mreg_at(a, 1)});
  if (d != WL_RZ) wl_lop(s, d, x, y, WL_RZ, WL_LUT_A & WL_LUT_B);
  if (p != 0) wl_plop(s, p, px, false, py, false, WL_BOP_AND); /* last: p may be the guard */
  return true;
}

/* x with its bits but the sign changed if it is negative: numbers of f32 to integers, and back. */
static wl_mreg_t in_order(wl_isel_t *s, wl_mreg_t x) {
  const wl_mreg_t sign = wl_t1(s), low = wl_t1(s), d = wl_t1(s);
  wl_ri(s, WL_FORM_BFE_S32_I, sign, x, 31 | 1u << 8);
  wl_lopi(s, low, sign, 0x7fffffffu, WL_RZ, WL_LUT_A & WL_LUT_B);
  wl_lop(s, d, x, low, WL_RZ, WL_LUT_A ^ WL_LUT_B);
  return d;
}

static bool reduce_f32(wl_isel_t *s) {
  const bool max = s->in->mode[0] == WL_PTX_M_MAX;
  /* above or below the integers of all numbers */
  const bool above = max == wl_isel_has(s, WL_PTX_F(NAN));
  const uint32_t not_a_number = above ? 0x7fffffffu : 0x80000000u;
  wl_mreg_t a = wl_is_r32(s, OPND(1), WL_PTX_T_F32);
  const wl_mreg_t x = wl_t1(s), r = wl_t1(s);
  const uint32_t nan = wl_tp(s), none = wl_tp(s);
  wl_cmp(s, WL_FORM_SETP_F32_RR, nan, a, a, WL_UN);
  if (wl_isel_has(s, WL_PTX_F(ABS))) {
    const wl_mreg_t magnitude = wl_t1(s);
    wl_lopi(s, magnitude, a, 0x7fffffffu, WL_RZ, WL_LUT_A & WL_LUT_B);
    a = magnitude;
  }
  wl_seli(s, x, in_order(s, a), not_a_number, nan, true);
  put_masked(s, OPND(2), max ? WL_FORM_REDUX_MAXS_I : WL_FORM_REDUX_MINS_I,
             max ? WL_FORM_REDUX_MAXS_R : WL_FORM_REDUX_MINS_R, (wl_minsn_t){.d = r, .a = x});
  wl_cmpi(s, WL_FORM_SETP_U32_RI, none, r, not_a_number, WL_EQ);
  wl_seli(s, wl_is_dst(s, OPND(0)), in_order(s, r), 0x7fffffffu, none, true);
  return true;
}

static bool reduce(wl_isel_t *s) {
  if (s->in->type[0] == WL_PTX_T_F32) return reduce_f32(s);
  const bool sign = wl_signed(s->in->type[0]);
  wl_form_t imm;
  switch (s->in->mode[0]) {
  case WL_PTX_M_ADD:
    imm = WL_FORM_REDUX_ADD_I;
    break;
  case WL_PTX_M_MIN:
    imm = sign ? WL_FORM_REDUX_MINS_I : WL_FORM_REDUX_MINU_I;
    break;
  case WL_PTX_M_MAX:
    imm = sign ? WL_FORM_REDUX_MAXS_I : WL_FORM_REDUX_MAXU_I;
    break;
  case WL_PTX_M_AND:
    imm = WL_FORM_REDUX_AND_I;
    break;
  case WL_PTX_M_OR:
    imm = WL_FORM_REDUX_OR_I;
    break;
  default:
    imm = WL_FORM_REDUX_XOR_I;
    break;
  }
  put_masked(s, OPND(2), imm, (wl_form_t)(imm + 1), /* rows alternate .i and .r */
             (wl_minsn_t){.d = wl_is_dst(s, OPND(0)), .a = wl_is_r32(s, OPND(1), WL_PTX_T_B32)});
  return true;
}

bool wl_isel_warp(wl_isel_t *s) {
  switch (s->in->op) {
  case WL_PTX_OP_SHFL:
    return shuffle(s);
  case WL_PTX_OP_VOTE:
    return vote(s);
  case WL_PTX_OP_MATCH:
    return match(s);
  case WL_PTX_OP_REDUX:
    return reduce(s);
  case WL_PTX_OP_ELECT:
    put_masked(s, OPND(1), WL_FORM_ELECT_I, WL_FORM_ELECT_R,
               (wl_minsn_t){.d = wl_is_dst(s, OPND(0)), .pd = wl_is_pdst(s, OPND(0)->pair)});
    return true;
  case WL_PTX_OP_ACTIVEMASK:
    wl_put(s, &(wl_minsn_t){.form = WL_FORM_ACTIVEMASK, .d = wl_is_dst(s, OPND(0))});
    return true;
  default:
    return false;
  }
}
