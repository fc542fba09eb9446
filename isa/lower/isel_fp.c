/* isel_fp.c: f32 arithmetic, alone and with operands of f16 and bf16. PTX 9.7.3, 9.7.5. sin
 * and cos are rejected: the machine has no table for them yet; ex2, lg2, tanh: isel_special.c. Expansions:
 *   sub            add with b negated
 *   operands of f16, bf16   widened, which is exact
 *   f32x2          each word by itself
 *   neg, abs       sign bit; with .ftz an addition of -0, which flushes
 *   div, rcp       expand_fdiv.c, correctly rounded; .approx and .full use the same result
 *   sqrt           expand_fsqrt.c, correctly rounded, also for .approx; rsqrt = 1 / sqrt: two
 *                  roundings to nearest, within 2^-22.9
 *   min/max.xorsign.abs   of the magnitudes; sign by exclusive or unless NaN
 *   min/max of three      of the first two, then of that and the third; .abs: of the magnitudes
 *   copysign       bit selection; testp by integer comparison of the magnitude */
#include "isa/lower/isel_cvt.h"

#define OPND(k) (&s->in->operands[k])

static uint32_t arith_mods(const wl_isel_t *s) {
  return WL_MODS(RND, wl_isel_rounding(s->in->round)) |
         WL_MODS(FTZ, wl_isel_has(s, WL_PTX_F(FTZ))) | WL_MODS(SAT, wl_isel_has(s, WL_PTX_F(SAT)));
}

/* Operand k, which is of the narrower type if the instruction names two. */
static wl_src_t widened(wl_isel_t *s, uint32_t k) {
  const wl_ptx_type_t t = s->in->type[s->in->ntypes > 1 ? 1 : 0];
  const wl_src_t v = wl_is_src(s, OPND(k), t);
  if (t == WL_PTX_T_F32) return v;
  if (v.imm) return (wl_src_t){.imm = true, .k = v.k << 16}; /* of bf16 only [check.c] */
  return (wl_src_t){.r = wl_cvt_half(s, v.r, wl_isel_is_bf16(t), false)};
}

/* f32x2: operands are registers. */
static bool each_word(wl_isel_t *s) {
  wl_mreg_t o[4] = {wl_is_dst(s, OPND(0))};
  for (uint32_t k = 1; k < s->in->noperands; k++)
    o[k] = wl_is_r64(s, OPND(k), s->in->type[0]);
  const wl_form_t form = s->in->op == WL_PTX_OP_FMA   ? WL_FORM_FMA_F32_RRR
                         : s->in->op == WL_PTX_OP_MUL ? WL_FORM_MUL_F32_RR
                                                      : WL_FORM_ADD_F32_RR;
  for (uint32_t w = 0; w < 2; w++)
    wl_put(s, &(wl_minsn_t){.form = (uint16_t)form,
                            .d = wl_mreg_at(o[0], w),
                            .a = wl_mreg_at(o[1], w),
                            .b = wl_mreg_at(o[2], w),
                            .c = wl_mreg_at(o[3], w),
                            .mods = arith_mods(s) | WL_MODS(NEG_B, s->in->op == WL_PTX_OP_SUB)});
  return true;
}

/* add, sub, mul: the constant goes to b; a negated constant changes its sign bit. */
static bool two(wl_isel_t *s) {
  const bool sub = s->in->op == WL_PTX_OP_SUB, mul = s->in->op == WL_PTX_OP_MUL;
  wl_src_t a = widened(s, 1), b = wl_is_src(s, OPND(2), WL_PTX_T_F32);
  wl_minsn_t i = {.mods = arith_mods(s), .d = wl_is_dst(s, OPND(0))};
  bool neg_a = false, neg_b = sub;
  if (a.imm && !b.imm) {
    wl_swap_src(&a, &b);
    neg_a = sub;
    neg_b = false;
  }
  i.a = wl_is_reg(s, a);
  if (b.imm) {
    i.form = mul ? WL_FORM_MUL_F32_RI : WL_FORM_ADD_F32_RI;
    i.imm = neg_b ? b.k ^ 0x80000000u : b.k;
  } else {
    i.form = mul ? WL_FORM_MUL_F32_RR : WL_FORM_ADD_F32_RR;
    i.b = b.r;
    i.mods |= WL_MODS(NEG_B, neg_b);
  }
  i.mods |= WL_MODS(NEG_A, neg_a);
  wl_put(s, &i);
  return true;
}

static bool fused(wl_isel_t *s) {
  wl_src_t a = widened(s, 1), b = widened(s, 2);
  const wl_src_t c = wl_is_src(s, OPND(3), WL_PTX_T_F32);
  wl_minsn_t i = {.mods = arith_mods(s), .d = wl_is_dst(s, OPND(0))};
  if (a.imm && !b.imm) wl_swap_src(&a, &b);
  i.a = wl_is_reg(s, a);
  if (b.imm) {
    i.form = WL_FORM_FMA_F32_RIR;
    i.imm = b.k;
    i.c = wl_is_reg(s, c);
  } else if (c.imm && c.k != 0) {
    i.form = WL_FORM_FMA_F32_RRI;
    i.b = b.r;
    i.imm = c.k;
  } else {
    i.form = WL_FORM_FMA_F32_RRR;
    i.b = b.r;
    i.c = wl_is_reg(s, c);
  }
  wl_put(s, &i);
  return true;
}

static bool sign_op(wl_isel_t *s) {
  const wl_mreg_t a = wl_is_r32(s, OPND(1), WL_PTX_T_F32), d = wl_is_dst(s, OPND(0));
  const bool ftz = wl_isel_has(s, WL_PTX_F(FTZ)), neg = s->in->op == WL_PTX_OP_NEG;
  const wl_mreg_t t = ftz ? wl_t1(s) : d;
  if (neg)
    wl_lopi(s, t, a, 0x80000000u, WL_RZ, WL_LUT_A ^ WL_LUT_B);
  else
    wl_lopi(s, t, a, 0x7fffffffu, WL_RZ, WL_LUT_A & WL_LUT_B);
  if (ftz)
    wl_put(s, &(wl_minsn_t){.form = WL_FORM_ADD_F32_RI,
                            .d = d,
                            .a = t,
                            .imm = 0x80000000u,
                            .mods = WL_MODS(FTZ, 1)});
  return true;
}

static void put_min_max(wl_isel_t *s, wl_mreg_t d, wl_src_t a, wl_src_t b) {
  const bool max = s->in->op == WL_PTX_OP_MAX;
  wl_minsn_t i = {.d = d,
                  .mods = WL_MODS(FTZ, wl_isel_has(s, WL_PTX_F(FTZ))) |
                          WL_MODS(NAN, wl_isel_has(s, WL_PTX_F(NAN)))};
  if (a.imm && !b.imm) wl_swap_src(&a, &b);
  i.a = wl_is_reg(s, a);
  if (b.imm) {
    i.form = max ? WL_FORM_MAX_F32_RI : WL_FORM_MIN_F32_RI;
    i.imm = b.k;
  } else {
    i.form = max ? WL_FORM_MAX_F32_RR : WL_FORM_MIN_F32_RR;
    i.b = b.r;
  }
  wl_put(s, &i);
}

static wl_src_t magnitude(wl_isel_t *s, wl_src_t v) {
  if (v.imm) return (wl_src_t){.imm = true, .k = v.k & 0x7fffffffu};
  const wl_mreg_t m = wl_t1(s);
  wl_lopi(s, m, v.r, 0x7fffffffu, WL_RZ, WL_LUT_A & WL_LUT_B);
  return (wl_src_t){.r = m};
}

/* The magnitude with the exclusive or of the signs, if it is a number. */
static void min_max_xorsign(wl_isel_t *s, wl_src_t a, wl_src_t b) {
  const wl_mreg_t x = wl_t1(s), m = wl_t1(s), z = wl_t1(s);
  const uint32_t nan = wl_tp(s);
  put_min_max(s, m, magnitude(s, a), magnitude(s, b));
  wl_lop(s, z, wl_is_reg(s, a), wl_is_reg(s, b), WL_RZ, WL_LUT_A ^ WL_LUT_B);
  wl_lopi(s, x, z, 0x80000000u, m, (WL_LUT_A & WL_LUT_B) | WL_LUT_C);
  wl_cmp(s, WL_FORM_SETP_F32_RR, nan, m, m, WL_UN);
  wl_sel(s, wl_is_dst(s, OPND(0)), m, x, nan, false);
}

static bool min_max(wl_isel_t *s) {
  const bool three = s->in->noperands > 3, absolute = wl_isel_has(s, WL_PTX_F(ABS));
  const wl_mreg_t d = wl_is_dst(s, OPND(0));
  wl_src_t v[3];
  for (uint32_t k = 0; k < s->in->noperands - 1; k++)
    v[k] = wl_is_src(s, OPND(k + 1), WL_PTX_T_F32);
  if (three) {
    const wl_mreg_t m = wl_t1(s);
    for (uint32_t k = 0; absolute && k < 3; k++)
      v[k] = magnitude(s, v[k]);
    put_min_max(s, m, v[0], v[1]);
    put_min_max(s, d, (wl_src_t){.r = m}, v[2]);
  } else if (wl_isel_has(s, WL_PTX_F(XORSIGN))) {
    min_max_xorsign(s, v[0], v[1]);
  } else {
    put_min_max(s, d, v[0], v[1]);
  }
  return true;
}

static bool quotient(wl_isel_t *s) {
  const bool ftz = wl_isel_has(s, WL_PTX_F(FTZ));
  const uint32_t rnd = wl_isel_rounding(s->in->round);
  wl_mreg_t r;
  switch (s->in->op) {
  case WL_PTX_OP_DIV: {
    const wl_mreg_t a = wl_is_r32(s, OPND(1), WL_PTX_T_F32),
                    b = wl_is_r32(s, OPND(2), WL_PTX_T_F32);
    r = wl_x_fdiv(s, a, b, rnd, ftz);
    break;
  }
  case WL_PTX_OP_SQRT:
    r = wl_x_fsqrt(s, wl_is_r32(s, OPND(1), WL_PTX_T_F32), rnd, ftz);
    break;
  default: {
    const wl_mreg_t one = wl_t1(s), x = wl_is_r32(s, OPND(1), WL_PTX_T_F32);
    wl_movi(s, one, 0x3f800000u);
    r = wl_x_fdiv(s, one, s->in->op == WL_PTX_OP_RSQRT ? wl_x_fsqrt(s, x, 0, ftz) : x, rnd, ftz);
  }
  }
  wl_copy(s, wl_is_dst(s, OPND(0)), r, 1);
  return true;
}

static bool test(wl_isel_t *s) {
  const wl_mreg_t m = wl_t1(s), x = wl_t1(s);
  const uint32_t p = wl_is_pdst(s, OPND(0));
  wl_lopi(s, m, wl_is_r32(s, OPND(1), WL_PTX_T_F32), 0x7fffffffu, WL_RZ, WL_LUT_A & WL_LUT_B);
  switch (s->in->mode[0]) {
  case WL_PTX_M_FINITE:
    wl_cmpi(s, WL_FORM_SETP_U32_RI, p, m, 0x7f800000u, WL_LT);
    break;
  case WL_PTX_M_INFINITE:
    wl_cmpi(s, WL_FORM_SETP_U32_RI, p, m, 0x7f800000u, WL_EQ);
    break;
  case WL_PTX_M_NUMBER:
    wl_cmpi(s, WL_FORM_SETP_U32_RI, p, m, 0x7f800000u, WL_LE);
    break;
  case WL_PTX_M_NOTANUMBER:
    wl_cmpi(s, WL_FORM_SETP_U32_RI, p, m, 0x7f800000u, WL_GT);
    break;
  case WL_PTX_M_SUBNORMAL: /* 1 .. 0x7fffff */
    wl_ri(s, WL_FORM_ADD_RI, x, m, ~0u);
    wl_cmpi(s, WL_FORM_SETP_U32_RI, p, x, 0x7fffffu, WL_LT);
    break;
  default: { /* normal: finite and not subnormal; zeros count as normal */
    const uint32_t finite = wl_tp(s);
    wl_cmpi(s, WL_FORM_SETP_U32_RI, finite, m, 0x7f800000u, WL_LT);
    wl_ri(s, WL_FORM_ADD_RI, x, m, ~0u);
    wl_put(s, &(wl_minsn_t){.form = WL_FORM_SETP_U32_RI,
                            .pd = p,
                            .a = x,
                            .imm = 0x7fffffu,
                            .ps = finite,
                            .mods = WL_MODS(CMP, WL_GE) | WL_MODS(BOP, WL_BOP_AND)});
  }
  }
  return true;
}

bool wl_isel_fp(wl_isel_t *s) {
  if (s->in->type[0] == WL_PTX_T_F32X2) return each_word(s);
  switch (s->in->op) {
  case WL_PTX_OP_ADD:
  case WL_PTX_OP_SUB:
  case WL_PTX_OP_MUL:
    return two(s);
  case WL_PTX_OP_MAD:
  case WL_PTX_OP_FMA:
    return fused(s);
  case WL_PTX_OP_NEG:
  case WL_PTX_OP_ABS:
    return sign_op(s);
  case WL_PTX_OP_MIN:
  case WL_PTX_OP_MAX:
    return min_max(s);
  case WL_PTX_OP_DIV:
  case WL_PTX_OP_RCP:
  case WL_PTX_OP_SQRT:
  case WL_PTX_OP_RSQRT:
    return quotient(s);
  case WL_PTX_OP_TESTP:
    return test(s);
  case WL_PTX_OP_COPYSIGN: /* sign of operand 1, magnitude of operand 2 */
    wl_lopi(s, wl_is_dst(s, OPND(0)), wl_is_r32(s, OPND(2), WL_PTX_T_F32), 0x7fffffffu,
            wl_is_r32(s, OPND(1), WL_PTX_T_F32),
            (WL_LUT_A & WL_LUT_B) | (WL_LUT_C & ~WL_LUT_B & 255));
    return true;
  default:
    return false;
  }
}
