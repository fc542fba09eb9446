/* isel_int.c: integer arithmetic up to 32 bits. PTX 9.7.1.1-9.7.1.16, 9.7.1.23-24.
 * Expansions (results of 16-bit types need only their low half):
 *   mul24, mad24   fields of 24 bits extracted, then mad.lo, or mad.wide and a funnel shift
 *   sad            max - min + c
 *   div, rem       expand_div.c; by zero all ones
 *   dp4a, dp2a     products of fields added by mad.lo
 *   mul.hi.16, mul.wide.16, mad.hi.16   32-bit product of extended operands */
#include "isa/lower/isel.h"

#define OPND(k) (&s->in->operands[k])

typedef struct pair_form {
  wl_form_t rr, ri;
} pair_form_t;

/* d = a op b with a commutative op. */
static void commutative(wl_isel_t *s, pair_form_t form, wl_mreg_t d, wl_src_t a, wl_src_t b) {
  if (a.imm && !b.imm) wl_swap_src(&a, &b);
  if (b.imm)
    wl_ri(s, form.ri, d, wl_is_reg(s, a), b.k);
  else
    wl_rr(s, form.rr, d, wl_is_reg(s, a), b.r);
}

static void subtract(wl_isel_t *s, wl_mreg_t d, wl_src_t a, wl_src_t b) {
  if (b.imm)
    wl_ri(s, WL_FORM_ADD_RI, d, wl_is_reg(s, a), 0u - b.k);
  else if (a.imm && a.k != 0)
    wl_ri(s, WL_FORM_RSUB_RI, d, b.r, a.k);
  else
    wl_rr(s, WL_FORM_SUB_RR, d, wl_is_reg(s, a), b.r);
}

/* d = low(a * b) + c */
static void mad_lo(wl_isel_t *s, wl_mreg_t d, wl_src_t a, wl_src_t b, wl_src_t c) {
  if (a.imm && !b.imm) wl_swap_src(&a, &b);
  const wl_mreg_t x = wl_is_reg(s, a);
  if (b.imm)
    wl_rir(s, WL_FORM_MAD_LO_RIR, d, x, b.k, wl_is_reg(s, c));
  else if (c.imm && c.k != 0)
    wl_rri(s, WL_FORM_MAD_LO_RRI, d, x, b.r, c.k);
  else
    wl_rrr(s, WL_FORM_MAD_LO_RRR, d, x, b.r, wl_is_reg(s, c));
}

static void mad_hi(wl_isel_t *s, bool sign, wl_mreg_t d, wl_src_t a, wl_src_t b, wl_mreg_t c) {
  if (a.imm && !b.imm) wl_swap_src(&a, &b);
  const wl_mreg_t x = wl_is_reg(s, a);
  if (b.imm)
    wl_rir(s, sign ? WL_FORM_MAD_HI_S32_RIR : WL_FORM_MAD_HI_U32_RIR, d, x, b.k, c);
  else
    wl_rrr(s, sign ? WL_FORM_MAD_HI_S32_RRR : WL_FORM_MAD_HI_U32_RRR, d, x, b.r, c);
}

static void mad_wide(wl_isel_t *s, bool sign, wl_mreg_t d, wl_src_t a, wl_src_t b, wl_mreg_t c) {
  if (a.imm && !b.imm) wl_swap_src(&a, &b);
  const wl_mreg_t x = wl_is_reg(s, a);
  if (b.imm)
    wl_rir(s, sign ? WL_FORM_MAD_WIDE_S32_RIR : WL_FORM_MAD_WIDE_U32_RIR, d, x, b.k, c);
  else
    wl_rrr(s, sign ? WL_FORM_MAD_WIDE_S32_RRR : WL_FORM_MAD_WIDE_U32_RRR, d, x, b.r, c);
}

static const wl_src_t zero = {.imm = true, .k = 0};

/* mul and mad of integers: operand 2 of mad is the addend. */
static bool multiply(wl_isel_t *s, bool add) {
  const wl_ptx_type_t t = s->in->type[0];
  const bool sign = wl_signed(t);
  const wl_mreg_t d = wl_is_dst(s, OPND(0));
  const wl_ptx_mod_t mode = s->in->mode[0];
  if (mode == WL_PTX_M_LO) {
    const wl_src_t a = wl_is_src(s, OPND(1), t), b = wl_is_src(s, OPND(2), t);
    mad_lo(s, d, a, b, add ? wl_is_src(s, OPND(3), t) : zero);
    return true;
  }
  const wl_src_t a = wl_is_ext(s, OPND(1), t), b = wl_is_ext(s, OPND(2), t);
  if (wl_bits(t) == 16) {
    if (mode == WL_PTX_M_WIDE) {
      mad_lo(s, d, a, b, add ? wl_is_src(s, OPND(3), WL_PTX_T_B32) : zero);
      return true;
    }
    const wl_mreg_t p = wl_t1(s), h = wl_t1(s);
    mad_lo(s, p, a, b, zero);
    wl_is_extend(s, h, p, 16, false);
    wl_ri(s, WL_FORM_BFE_U32_I, h, p, 16u << 8 | 16u);
    if (add)
      commutative(s, (pair_form_t){WL_FORM_ADD_RR, WL_FORM_ADD_RI}, d, (wl_src_t){.r = h},
                  wl_is_src(s, OPND(3), t));
    else
      wl_copy(s, d, h, 1);
    return true;
  }
  if (mode == WL_PTX_M_WIDE) {
    mad_wide(s, sign, d, a, b, add ? wl_is_r64(s, OPND(3), WL_PTX_T_B64) : WL_RZ);
  } else if ((s->in->flags & WL_PTX_F(SAT)) != 0) {
    const wl_mreg_t h = wl_t1(s);
    mad_hi(s, true, h, a, b, WL_RZ);
    commutative(s, (pair_form_t){WL_FORM_ADD_SAT_RR, WL_FORM_ADD_SAT_RI}, d, (wl_src_t){.r = h},
                wl_is_src(s, OPND(3), t));
  } else {
    mad_hi(s, sign, d, a, b, add ? wl_is_r32(s, OPND(3), t) : WL_RZ);
  }
  return true;
}

static bool multiply24(wl_isel_t *s, bool add) {
  const wl_ptx_type_t t = s->in->type[0];
  const bool sign = wl_signed(t);
  const wl_mreg_t a = wl_t1(s), b = wl_t1(s), d = wl_is_dst(s, OPND(0));
  wl_is_extend(s, a, wl_is_r32(s, OPND(1), t), 24, sign);
  wl_is_extend(s, b, wl_is_r32(s, OPND(2), t), 24, sign);
  const wl_src_t c = add ? wl_is_src(s, OPND(3), t) : zero;
  if (s->in->mode[0] == WL_PTX_M_LO) {
    mad_lo(s, d, (wl_src_t){.r = a}, (wl_src_t){.r = b}, c);
    return true;
  }
  const wl_mreg_t p = wl_t2(s), h = wl_t1(s);
  mad_wide(s, sign, p, (wl_src_t){.r = a}, (wl_src_t){.r = b}, WL_RZ);
  wl_rri(s, WL_FORM_SHF_R_WRAP_I, h, p, wl_mreg_at(p, 1), 16);
  const bool sat = (s->in->flags & WL_PTX_F(SAT)) != 0;
  commutative(s,
              sat ? (pair_form_t){WL_FORM_ADD_SAT_RR, WL_FORM_ADD_SAT_RI}
                  : (pair_form_t){WL_FORM_ADD_RR, WL_FORM_ADD_RI},
              d, (wl_src_t){.r = h}, c);
  return true;
}

static void min_max(wl_isel_t *s, bool max, bool sign, wl_mreg_t d, wl_src_t a, wl_src_t b) {
  static const pair_form_t forms[2][2] = {
      {{WL_FORM_MIN_U32_RR, WL_FORM_MIN_U32_RI}, {WL_FORM_MIN_S32_RR, WL_FORM_MIN_S32_RI}},
      {{WL_FORM_MAX_U32_RR, WL_FORM_MAX_U32_RI}, {WL_FORM_MAX_S32_RR, WL_FORM_MAX_S32_RI}}};
  commutative(s, forms[max][sign], d, a, b);
}

static bool sad(wl_isel_t *s) {
  const wl_ptx_type_t t = s->in->type[0];
  const wl_src_t a = wl_is_ext(s, OPND(1), t), b = wl_is_ext(s, OPND(2), t);
  const wl_mreg_t hi = wl_t1(s), lo = wl_t1(s), diff = wl_t1(s);
  min_max(s, true, wl_signed(t), hi, a, b);
  min_max(s, false, wl_signed(t), lo, a, b);
  wl_rr(s, WL_FORM_SUB_RR, diff, hi, lo);
  commutative(s, (pair_form_t){WL_FORM_ADD_RR, WL_FORM_ADD_RI}, wl_is_dst(s, OPND(0)),
              (wl_src_t){.r = diff}, wl_is_src(s, OPND(3), t));
  return true;
}

static bool divide(wl_isel_t *s, bool rem) {
  const wl_ptx_type_t t = s->in->type[0];
  const wl_src_t a = wl_is_ext(s, OPND(1), t), b = wl_is_ext(s, OPND(2), t);
  const wl_mreg_t d = wl_is_dst(s, OPND(0));
  if (b.imm && b.k != 0 && (b.k & (b.k - 1)) == 0 && !wl_signed(t)) { /* power of two */
    const uint32_t shift = (uint32_t)__builtin_ctz(b.k);
    if (rem)
      wl_lopi(s, d, wl_is_reg(s, a), b.k - 1, WL_RZ, WL_LUT_A & WL_LUT_B);
    else
      wl_rri(s, WL_FORM_SHF_R_CLAMP_I, d, wl_is_reg(s, a), WL_RZ, shift);
    return true;
  }
  wl_mreg_t q = WL_RZ, r = WL_RZ;
  wl_x_divrem32(s, wl_is_reg(s, a), wl_is_reg(s, b), wl_signed(t), rem ? NULL : &q,
                rem ? &r : NULL);
  wl_copy(s, d, rem ? r : q, 1);
  return true;
}

/* Products of `terms` fields of a with bytes of b, from bit `from` of b on. */
static bool dot(wl_isel_t *s, uint32_t terms, uint32_t from) {
  const uint32_t width = 32 / terms;
  const wl_mreg_t a = wl_is_r32(s, OPND(1), s->in->type[0]);
  const wl_mreg_t b = wl_is_r32(s, OPND(2), s->in->type[1]);
  wl_mreg_t sum = wl_is_r32(s, OPND(3), WL_PTX_T_B32);
  for (uint32_t k = 0; k < terms; k++) {
    const wl_mreg_t x = wl_t1(s), y = wl_t1(s), next = wl_t1(s);
    wl_ri(s, wl_signed(s->in->type[0]) ? WL_FORM_BFE_S32_I : WL_FORM_BFE_U32_I, x, a,
          width << 8 | width * k);
    wl_ri(s, wl_signed(s->in->type[1]) ? WL_FORM_BFE_S32_I : WL_FORM_BFE_U32_I, y, b,
          8u << 8 | (from + 8 * k));
    wl_rrr(s, WL_FORM_MAD_LO_RRR, next, x, y, sum);
    sum = next;
  }
  wl_copy(s, wl_is_dst(s, OPND(0)), sum, 1);
  return true;
}

static bool add_sub(wl_isel_t *s, bool sub) {
  const wl_ptx_type_t t = s->in->type[0];
  const wl_mreg_t d = wl_is_dst(s, OPND(0));
  const wl_src_t a = wl_is_src(s, OPND(1), t), b = wl_is_src(s, OPND(2), t);
  const bool sat = (s->in->flags & WL_PTX_F(SAT)) != 0;
  if (sat && sub)
    wl_rr(s, WL_FORM_SUB_SAT_RR, d, wl_is_reg(s, a), wl_is_reg(s, b));
  else if (sat)
    commutative(s, (pair_form_t){WL_FORM_ADD_SAT_RR, WL_FORM_ADD_SAT_RI}, d, a, b);
  else if (sub)
    subtract(s, d, a, b);
  else
    commutative(s, (pair_form_t){WL_FORM_ADD_RR, WL_FORM_ADD_RI}, d, a, b);
  return true;
}

bool wl_isel_int(wl_isel_t *s) {
  const wl_ptx_type_t t = s->in->type[0];
  switch (s->in->op) {
  case WL_PTX_OP_ADD:
    return add_sub(s, false);
  case WL_PTX_OP_SUB:
    return add_sub(s, true);
  case WL_PTX_OP_MUL:
    return multiply(s, false);
  case WL_PTX_OP_MAD:
    return multiply(s, true);
  case WL_PTX_OP_MUL24:
    return multiply24(s, false);
  case WL_PTX_OP_MAD24:
    return multiply24(s, true);
  case WL_PTX_OP_SAD:
    return sad(s);
  case WL_PTX_OP_DIV:
    return divide(s, false);
  case WL_PTX_OP_REM:
    return divide(s, true);
  case WL_PTX_OP_DP4A:
    return dot(s, 4, 0);
  case WL_PTX_OP_DP2A:
    return dot(s, 2, s->in->mode[0] == WL_PTX_M_HI ? 16 : 0);
  case WL_PTX_OP_ABS:
    wl_rr(s, WL_FORM_ABS_S32, wl_is_dst(s, OPND(0)), wl_is_x32(s, OPND(1), t), WL_RZ);
    return true;
  case WL_PTX_OP_NEG:
    subtract(s, wl_is_dst(s, OPND(0)), zero, (wl_src_t){.r = wl_is_r32(s, OPND(1), t)});
    return true;
  case WL_PTX_OP_MIN:
  case WL_PTX_OP_MAX: {
    const wl_src_t a = wl_is_ext(s, OPND(1), t), b = wl_is_ext(s, OPND(2), t);
    min_max(s, s->in->op == WL_PTX_OP_MAX, wl_signed(t), wl_is_dst(s, OPND(0)), a, b);
    return true;
  }
  default:
    return false;
  }
}
