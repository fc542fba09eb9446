/* isel_bits.c: bit counting, fields, logic, shifts, permute up to 32 bits.
 * PTX 9.7.1.14-9.7.1.22, 9.7.8, 9.7.9.7. Expansions:
 *   shl            funnel shift of {a, 0}; shr.u of {0, a}
 *   cnot           comparison and selection
 *   bfind.shiftamt 31 - bfind, kept all ones when nothing is found
 *   szext, bmsk    field operations with the corner lengths selected
 *   prmt modes     selector made from c[1:0] */
#include "isa/lower/isel.h"

#define OPND(k) (&s->in->operands[k])

static bool logic(wl_isel_t *s) {
  const wl_ptx_type_t t = s->in->type[0];
  const uint32_t lut = s->in->op == WL_PTX_OP_AND  ? WL_LUT_A & WL_LUT_B
                       : s->in->op == WL_PTX_OP_OR ? WL_LUT_A | WL_LUT_B
                                                   : WL_LUT_A ^ WL_LUT_B;
  wl_src_t a = wl_is_src(s, OPND(1), t), b = wl_is_src(s, OPND(2), t);
  if (a.imm && !b.imm) wl_swap_src(&a, &b);
  const wl_mreg_t d = wl_is_dst(s, OPND(0)), r = wl_is_reg(s, a);
  if (b.imm)
    wl_lopi(s, d, r, b.k, WL_RZ, lut);
  else
    wl_lop(s, d, r, b.r, WL_RZ, lut);
  return true;
}

static bool lop3(wl_isel_t *s) {
  const wl_src_t b = wl_is_src(s, OPND(2), WL_PTX_T_B32);
  const wl_mreg_t a = wl_is_r32(s, OPND(1), WL_PTX_T_B32), c = wl_is_r32(s, OPND(3), WL_PTX_T_B32);
  const uint32_t lut = (uint32_t)OPND(4)->imm & 255;
  const bool test = s->in->boolop != WL_PTX_M_NONE;
  const wl_mreg_t d = test ? wl_t1(s) : wl_is_dst(s, OPND(0));
  if (b.imm)
    wl_lopi(s, d, a, b.k, c, lut);
  else
    wl_lop(s, d, a, b.r, c, lut);
  if (!test) return true;
  bool neg;
  const uint32_t q = wl_is_psrc(s, OPND(5), &neg), p = wl_is_pdst(s, OPND(0)->pair);
  wl_copy(s, wl_is_dst(s, OPND(0)), d, 1); /* before p, which may be the guard */
  wl_put(s, &(wl_minsn_t){
                .form = WL_FORM_SETP_U32_RI,
                .pd = p,
                .a = d,
                .ps = q,
                .ps_neg = neg,
                .mods = WL_MODS(CMP, WL_NE) |
                        WL_MODS(BOP, s->in->boolop == WL_PTX_M_AND ? WL_BOP_AND : WL_BOP_OR)});
  return true;
}

static bool cnot(wl_isel_t *s) {
  const wl_mreg_t a = wl_is_reg(
      s, wl_is_ext(s, OPND(1), s->in->type[0] == WL_PTX_T_B16 ? WL_PTX_T_U16 : WL_PTX_T_U32));
  const uint32_t p = wl_tp(s);
  wl_cmpi(s, WL_FORM_SETP_U32_RI, p, a, 0, WL_EQ);
  wl_seli(s, wl_is_dst(s, OPND(0)), WL_RZ, 1, p, true);
  return true;
}

static bool shift(wl_isel_t *s) {
  const wl_ptx_type_t t = s->in->type[0];
  const wl_mreg_t d = wl_is_dst(s, OPND(0));
  const wl_src_t n = wl_is_src(s, OPND(2), WL_PTX_T_U32);
  const uint32_t k = n.imm && n.k > 32 ? 32 : n.k;
  if (s->in->op == WL_PTX_OP_SHL) {
    const wl_mreg_t a = wl_is_r32(s, OPND(1), t);
    if (n.imm)
      wl_rri(s, WL_FORM_SHF_L_CLAMP_I, d, WL_RZ, a, k);
    else
      wl_rrr(s, WL_FORM_SHF_L_CLAMP_R, d, WL_RZ, a, n.r);
    return true;
  }
  const wl_ptx_type_t x = t == WL_PTX_T_B16 ? WL_PTX_T_U16 : t;
  const wl_mreg_t a = wl_is_x32(s, OPND(1), x);
  if (wl_signed(x)) {
    if (n.imm)
      wl_ri(s, WL_FORM_SHR_S32_RI, d, a, k);
    else
      wl_rr(s, WL_FORM_SHR_S32_RR, d, a, n.r);
  } else if (n.imm) {
    wl_rri(s, WL_FORM_SHF_R_CLAMP_I, d, a, WL_RZ, k);
  } else {
    wl_rrr(s, WL_FORM_SHF_R_CLAMP_R, d, a, WL_RZ, n.r);
  }
  return true;
}

static bool funnel(wl_isel_t *s) {
  static const wl_form_t forms[2][2][2] = {{{WL_FORM_SHF_L_CLAMP_R, WL_FORM_SHF_L_CLAMP_I},
                                            {WL_FORM_SHF_L_WRAP_R, WL_FORM_SHF_L_WRAP_I}},
                                           {{WL_FORM_SHF_R_CLAMP_R, WL_FORM_SHF_R_CLAMP_I},
                                            {WL_FORM_SHF_R_WRAP_R, WL_FORM_SHF_R_WRAP_I}}};
  const bool right = s->in->mode[0] == WL_PTX_M_R, wrap = s->in->mode[1] == WL_PTX_M_WRAP;
  const wl_mreg_t a = wl_is_r32(s, OPND(1), WL_PTX_T_B32), b = wl_is_r32(s, OPND(2), WL_PTX_T_B32);
  const wl_src_t c = wl_is_src(s, OPND(3), WL_PTX_T_U32);
  const wl_mreg_t d = wl_is_dst(s, OPND(0));
  if (c.imm)
    wl_rri(s, forms[right][wrap][1], d, a, b, wrap ? c.k & 31 : c.k > 32 ? 32 : c.k);
  else
    wl_rrr(s, forms[right][wrap][0], d, a, b, c.r);
  return true;
}

static bool bit_find(wl_isel_t *s) {
  const wl_ptx_type_t t = s->in->type[0];
  const wl_mreg_t d = wl_is_dst(s, OPND(0)), a = wl_is_r32(s, OPND(1), t);
  const wl_form_t form = wl_signed(t) ? WL_FORM_BFIND_S32 : WL_FORM_BFIND_U32;
  if ((s->in->flags & WL_PTX_F(SHIFTAMT)) == 0) {
    wl_rr(s, form, d, a, WL_RZ);
    return true;
  }
  const wl_mreg_t i = wl_t1(s), n = wl_t1(s);
  const uint32_t none = wl_tp(s);
  wl_rr(s, form, i, a, WL_RZ);
  wl_ri(s, WL_FORM_RSUB_RI, n, i, 31);
  wl_cmpi(s, WL_FORM_SETP_S32_RI, none, i, 0, WL_LT);
  wl_seli(s, d, n, ~0u, none, true);
  return true;
}

static bool field(wl_isel_t *s) {
  const bool insert = s->in->op == WL_PTX_OP_BFI, sign = wl_signed(s->in->type[0]);
  const unsigned at = insert ? 3 : 2;
  const wl_src_t pos = wl_is_src(s, OPND(at), WL_PTX_T_U32),
                 len = wl_is_src(s, OPND(at + 1), WL_PTX_T_U32);
  const wl_mreg_t d = wl_is_dst(s, OPND(0)), a = wl_is_r32(s, OPND(1), WL_PTX_T_B32);
  const wl_mreg_t b = insert ? wl_is_r32(s, OPND(2), WL_PTX_T_B32) : WL_RZ;
  if (pos.imm && len.imm) {
    const uint32_t imm = (len.k & 255) << 8 | (pos.k & 255);
    if (insert)
      wl_rri(s, WL_FORM_BFI_I, d, a, b, imm);
    else
      wl_ri(s, sign ? WL_FORM_BFE_S32_I : WL_FORM_BFE_U32_I, d, a, imm);
    return true;
  }
  const wl_mreg_t p = wl_is_reg(s, pos), n = wl_is_reg(s, len);
  if (!insert) {
    wl_rrr(s, sign ? WL_FORM_BFE_S32_R : WL_FORM_BFE_U32_R, d, a, p, n);
    return true;
  }
  const wl_mreg_t c = wl_t1(s); /* {len, pos} in bits 15:0 */
  wl_rri(s, WL_FORM_BFI_I, c, n, p, 8u << 8 | 8u);
  wl_rrr(s, WL_FORM_BFI_R, d, a, b, c);
  return true;
}

static bool sign_zero_extend(wl_isel_t *s) {
  const bool wrap = s->in->mode[0] == WL_PTX_M_WRAP, sign = wl_signed(s->in->type[0]);
  const wl_mreg_t a = wl_is_r32(s, OPND(1), WL_PTX_T_B32), n = wl_t1(s);
  const wl_mreg_t b = wl_is_r32(s, OPND(2), WL_PTX_T_U32);
  if (wrap)
    wl_lopi(s, n, b, 31, WL_RZ, WL_LUT_A & WL_LUT_B);
  else
    wl_ri(s, WL_FORM_MIN_U32_RI, n, b, 32);
  wl_rrr(s, sign ? WL_FORM_BFE_S32_R : WL_FORM_BFE_U32_R, wl_is_dst(s, OPND(0)), a, WL_RZ, n);
  return true;
}

static bool bit_mask(wl_isel_t *s) {
  const bool wrap = s->in->mode[0] == WL_PTX_M_WRAP;
  const wl_mreg_t a = wl_is_r32(s, OPND(1), WL_PTX_T_U32), b = wl_is_r32(s, OPND(2), WL_PTX_T_U32);
  const wl_mreg_t pos = wl_t1(s), len = wl_t1(s), ones = wl_t1(s), low = wl_t1(s);
  if (wrap) {
    wl_lopi(s, pos, a, 31, WL_RZ, WL_LUT_A & WL_LUT_B);
    wl_lopi(s, len, b, 31, WL_RZ, WL_LUT_A & WL_LUT_B);
  } else {
    wl_ri(s, WL_FORM_MIN_U32_RI, pos, a, 32);
    wl_ri(s, WL_FORM_MIN_U32_RI, len, b, 32);
  }
  wl_movi(s, ones, ~0u);
  wl_rrr(s, WL_FORM_BFE_U32_R, low, ones, WL_RZ, len);
  wl_rrr(s, WL_FORM_SHF_L_CLAMP_R, wl_is_dst(s, OPND(0)), WL_RZ, low, pos);
  return true;
}

/* Selector of prmt for each c[1:0], digest of PTX 9.7.9.7. */
static uint32_t permute_selector(wl_ptx_mod_t mode, uint32_t k) {
  static const uint16_t table[6][4] = {
      {0x3210, 0x4321, 0x5432, 0x6543}, {0x5670, 0x6701, 0x7012, 0x0123},
      {0x0000, 0x1111, 0x2222, 0x3333}, {0x3210, 0x3211, 0x3222, 0x3333},
      {0x0000, 0x1110, 0x2210, 0x3210}, {0x1010, 0x3232, 0x1010, 0x3232}};
  const unsigned row = mode == WL_PTX_M_F4E   ? 0
                       : mode == WL_PTX_M_B4E ? 1
                       : mode == WL_PTX_M_RC8 ? 2
                       : mode == WL_PTX_M_ECL ? 3
                       : mode == WL_PTX_M_ECR ? 4
                                              : 5;
  return table[row][k & 3];
}

static bool permute(wl_isel_t *s) {
  const wl_mreg_t a = wl_is_r32(s, OPND(1), WL_PTX_T_B32), b = wl_is_r32(s, OPND(2), WL_PTX_T_B32);
  const wl_mreg_t d = wl_is_dst(s, OPND(0));
  wl_src_t c = wl_is_src(s, OPND(3), WL_PTX_T_B32);
  const wl_ptx_mod_t mode = s->in->nmodes > 0 ? s->in->mode[0] : WL_PTX_M_NONE;
  if (mode != WL_PTX_M_NONE && !c.imm) {
    const wl_mreg_t bit = wl_t1(s), hi = wl_t1(s), lo = wl_t1(s), x = wl_t1(s), y = wl_t1(s);
    const uint32_t p0 = wl_tp(s), p1 = wl_tp(s);
    wl_lopi(s, bit, c.r, 1, WL_RZ, WL_LUT_A & WL_LUT_B);
    wl_cmpi(s, WL_FORM_SETP_U32_RI, p0, bit, 0, WL_NE);
    wl_ri(s, WL_FORM_BFE_U32_I, hi, c.r, 1u << 8 | 1u);
    wl_cmpi(s, WL_FORM_SETP_U32_RI, p1, hi, 0, WL_NE);
    wl_movi(s, lo, permute_selector(mode, 1));
    wl_seli(s, x, lo, permute_selector(mode, 0), p0, false);
    const wl_mreg_t three = wl_t1(s), sel = wl_t1(s);
    wl_movi(s, three, permute_selector(mode, 3));
    wl_seli(s, y, three, permute_selector(mode, 2), p0, false);
    wl_sel(s, sel, y, x, p1, false);
    c = (wl_src_t){.r = sel};
  } else if (mode != WL_PTX_M_NONE) {
    c.k = permute_selector(mode, c.k);
  }
  if (c.imm)
    wl_rri(s, WL_FORM_PRMT_RRI, d, a, b, c.k & 0xffff);
  else
    wl_rrr(s, WL_FORM_PRMT_RRR, d, a, b, c.r);
  return true;
}

bool wl_isel_bits(wl_isel_t *s) {
  const wl_ptx_type_t t = s->in->type[0];
  switch (s->in->op) {
  case WL_PTX_OP_AND:
  case WL_PTX_OP_OR:
  case WL_PTX_OP_XOR:
    return logic(s);
  case WL_PTX_OP_NOT:
    wl_lop(s, wl_is_dst(s, OPND(0)), wl_is_r32(s, OPND(1), t), WL_RZ, WL_RZ, ~WL_LUT_A & 255);
    return true;
  case WL_PTX_OP_CNOT:
    return cnot(s);
  case WL_PTX_OP_LOP3:
    return lop3(s);
  case WL_PTX_OP_SHL:
  case WL_PTX_OP_SHR:
    return shift(s);
  case WL_PTX_OP_SHF:
    return funnel(s);
  case WL_PTX_OP_POPC:
    wl_rr(s, WL_FORM_POPC, wl_is_dst(s, OPND(0)), wl_is_r32(s, OPND(1), t), WL_RZ);
    return true;
  case WL_PTX_OP_CLZ:
    wl_rr(s, WL_FORM_CLZ, wl_is_dst(s, OPND(0)), wl_is_r32(s, OPND(1), t), WL_RZ);
    return true;
  case WL_PTX_OP_BREV:
    wl_rr(s, WL_FORM_BREV, wl_is_dst(s, OPND(0)), wl_is_r32(s, OPND(1), t), WL_RZ);
    return true;
  case WL_PTX_OP_BFIND:
    return bit_find(s);
  case WL_PTX_OP_BFE:
  case WL_PTX_OP_BFI:
    return field(s);
  case WL_PTX_OP_SZEXT:
    return sign_zero_extend(s);
  case WL_PTX_OP_BMSK:
    return bit_mask(s);
  case WL_PTX_OP_PRMT:
    return permute(s);
  default:
    return false;
  }
}
