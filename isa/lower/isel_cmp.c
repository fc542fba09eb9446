/* isel_cmp.c: set, setp, selp, slct and logic of predicates. PTX 9.7.6, 9.7.7, 9.7.8. */
#include "isa/lower/isel.h"

#define OPND(k) (&s->in->operands[k])

uint32_t wl_isel_cmp_mask(wl_ptx_mod_t cmp) {
  switch (cmp) {
  case WL_PTX_M_EQ:
    return WL_EQ;
  case WL_PTX_M_NE:
    return WL_NE;
  case WL_PTX_M_LT:
  case WL_PTX_M_LO:
    return WL_LT;
  case WL_PTX_M_LE:
  case WL_PTX_M_LS:
    return WL_LE;
  case WL_PTX_M_GT:
  case WL_PTX_M_HI:
    return WL_GT;
  case WL_PTX_M_GE:
  case WL_PTX_M_HS:
    return WL_GE;
  case WL_PTX_M_EQU:
    return WL_EQ | WL_UN;
  case WL_PTX_M_NEU:
    return WL_NE | WL_UN;
  case WL_PTX_M_LTU:
    return WL_LT | WL_UN;
  case WL_PTX_M_LEU:
    return WL_LE | WL_UN;
  case WL_PTX_M_GTU:
    return WL_GT | WL_UN;
  case WL_PTX_M_GEU:
    return WL_GE | WL_UN;
  case WL_PTX_M_NUM:
    return WL_NUM;
  default:
    return WL_UN;
  }
}

uint32_t wl_isel_bool(wl_ptx_mod_t op) {
  return op == WL_PTX_M_AND   ? WL_BOP_AND
         : op == WL_PTX_M_OR  ? WL_BOP_OR
         : op == WL_PTX_M_XOR ? WL_BOP_XOR
                              : WL_BOP_NONE;
}

/* Comparison of operands 1 and 2 of type t into p and q. */
static void compare(wl_isel_t *s, wl_ptx_type_t t, uint32_t p, uint32_t q) {
  wl_minsn_t i = {.pd = p, .pq = q};
  i.mods = WL_MODS(CMP, wl_isel_cmp_mask(s->in->cmp)) | WL_MODS(BOP, wl_isel_bool(s->in->boolop));
  if (s->in->noperands > 3) i.ps = wl_is_psrc(s, OPND(3), &i.ps_neg);
  const bool sign = wl_signed(t);
  if (wl_bits(t) == 64) {
    uint64_t k;
    i.a = wl_is_r64(s, OPND(1), t);
    if (wl_is_const64(s, OPND(2), t, &k) && (int64_t)k == (int64_t)(int32_t)k) {
      i.form = sign ? WL_FORM_SETP_S64_RI : WL_FORM_SETP_U64_RI;
      i.imm = (uint32_t)k;
    } else {
      i.form = sign ? WL_FORM_SETP_S64_RR : WL_FORM_SETP_U64_RR;
      i.b = wl_is_r64(s, OPND(2), t);
    }
  } else {
    const wl_ptx_type_t x = t == WL_PTX_T_B16 ? WL_PTX_T_U16 : t;
    const wl_src_t a = wl_is_ext(s, OPND(1), x), b = wl_is_ext(s, OPND(2), x);
    i.a = wl_is_reg(s, a);
    if (t == WL_PTX_T_F32) {
      i.form = b.imm ? WL_FORM_SETP_F32_RI : WL_FORM_SETP_F32_RR;
      if ((s->in->flags & WL_PTX_F(FTZ)) != 0) i.mods |= WL_MODS(FTZ, 1);
    } else if (sign) {
      i.form = b.imm ? WL_FORM_SETP_S32_RI : WL_FORM_SETP_S32_RR;
    } else {
      i.form = b.imm ? WL_FORM_SETP_U32_RI : WL_FORM_SETP_U32_RR;
    }
    i.imm = b.imm ? b.k : 0;
    i.b = b.imm ? WL_RZ : b.r;
  }
  wl_put(s, &i);
}

static bool set(wl_isel_t *s) {
  const uint32_t p = wl_tp(s);
  compare(s, s->in->type[1], p, 0);
  const wl_ptx_type_t t = s->in->type[0];
  const uint32_t yes = wl_isel_is_half(t)  ? wl_isel_half_one(t)
                       : t == WL_PTX_T_F32 ? 0x3f800000u
                                           : ~0u;
  wl_seli(s, wl_is_dst(s, OPND(0)), WL_RZ, yes, p, true);
  return true;
}

static void select(wl_isel_t *s, wl_ptx_type_t t, uint32_t p, bool neg) {
  const wl_mreg_t d = wl_is_dst(s, OPND(0));
  if (wl_bits(t) == 64) {
    const wl_mreg_t a = wl_is_r64(s, OPND(1), t), b = wl_is_r64(s, OPND(2), t);
    for (uint32_t w = 0; w < 2; w++)
      wl_sel(s, wl_mreg_at(d, w), wl_mreg_at(a, w), wl_mreg_at(b, w), p, neg);
    return;
  }
  const wl_src_t a = wl_is_src(s, OPND(1), t), b = wl_is_src(s, OPND(2), t);
  if (b.imm)
    wl_seli(s, d, wl_is_reg(s, a), b.k, p, neg);
  else if (a.imm)
    wl_seli(s, d, b.r, a.k, p, !neg);
  else
    wl_sel(s, d, a.r, b.r, p, neg);
}

static bool select_by_sign(wl_isel_t *s) {
  const uint32_t p = wl_tp(s);
  const wl_mreg_t c = wl_is_r32(s, OPND(3), s->in->type[1]);
  if (s->in->type[1] == WL_PTX_T_F32) {
    wl_cmpi(s, WL_FORM_SETP_F32_RI, p, c, 0, WL_GE);
    if ((s->in->flags & WL_PTX_F(FTZ)) != 0) s->f->insns[s->f->ninsns - 1].mods |= WL_MODS(FTZ, 1);
  } else {
    wl_cmpi(s, WL_FORM_SETP_S32_RI, p, c, 0, WL_GE);
  }
  select(s, s->in->type[0], p, false);
  return true;
}

static bool pred_logic(wl_isel_t *s) {
  bool na, nb = false;
  const uint32_t d = wl_is_pdst(s, OPND(0)), a = wl_is_psrc(s, OPND(1), &na);
  if (s->in->op == WL_PTX_OP_NOT) {
    wl_plop(s, d, 0, false, a, !na, WL_BOP_NONE);
    return true;
  }
  const uint32_t b = wl_is_psrc(s, OPND(2), &nb);
  wl_plop(s, d, a, na, b, nb,
          s->in->op == WL_PTX_OP_AND  ? WL_BOP_AND
          : s->in->op == WL_PTX_OP_OR ? WL_BOP_OR
                                      : WL_BOP_XOR);
  return true;
}

bool wl_isel_cmp(wl_isel_t *s) {
  bool neg;
  switch (s->in->op) {
  case WL_PTX_OP_SETP:
    compare(s, s->in->type[0], wl_is_pdst(s, OPND(0)), wl_is_pdst(s, OPND(0)->pair));
    return true;
  case WL_PTX_OP_SET:
    return set(s);
  case WL_PTX_OP_SELP: {
    const uint32_t p = wl_is_psrc(s, OPND(3), &neg);
    select(s, s->in->type[0], p, neg);
    return true;
  }
  case WL_PTX_OP_SLCT:
    return select_by_sign(s);
  case WL_PTX_OP_AND:
  case WL_PTX_OP_OR:
  case WL_PTX_OP_XOR:
  case WL_PTX_OP_NOT:
    return s->in->type[0] == WL_PTX_T_PRED && pred_logic(s);
  default:
    return false;
  }
}
