/* isel_fp.c: f32 arithmetic. PTX 9.7.3. The transcendental functions are rejected: the machine has no
 * unit for them yet. Expansions:
 *   sub            add with b negated
 *   neg, abs       sign bit; with .ftz an addition of -0, which flushes
 *   div, rcp       expand_fdiv.c, correctly rounded; .approx and .full use the same result
 *   sqrt           expand_fsqrt.c, correctly rounded, also for .approx; rsqrt = 1 / sqrt: two
 *                  roundings to nearest, within 2^-22.9
 *   min/max.xorsign.abs   of the magnitudes; sign by exclusive or unless NaN
 *   copysign       bit selection; testp by integer comparison of the magnitude */
#include "isa/lower/isel.h"

#define OPND(k) (&s->in->operands[k])

static uint32_t arith_mods(const wl_isel_t *s) {
  return WL_MODS(RND, wl_isel_rounding(s->in->round)) |
         WL_MODS(FTZ, wl_isel_has(s, WL_PTX_F(FTZ))) | WL_MODS(SAT, wl_isel_has(s, WL_PTX_F(SAT)));
}

/* add, sub, mul: the constant goes to b; a negated constant changes its sign bit. */
static bool two(wl_isel_t *s) {
  const bool sub = s->in->op == WL_PTX_OP_SUB, mul = s->in->op == WL_PTX_OP_MUL;
  wl_src_t a = wl_is_src(s, OPND(1), WL_PTX_T_F32), b = wl_is_src(s, OPND(2), WL_PTX_T_F32);
  wl_minsn_t i = {.mods = arith_mods(s), .d = wl_is_dst(s, OPND(0))};
  bool neg_a = false, neg_b = sub;
  if (a.imm && !b.imm) {
    const wl_src_t t = a;
    a = b;
    b = t;
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
  wl_src_t a = wl_is_src(s, OPND(1), WL_PTX_T_F32), b = wl_is_src(s, OPND(2), WL_PTX_T_F32);
  const wl_src_t c = wl_is_src(s, OPND(3), WL_PTX_T_F32);
  wl_minsn_t i = {.mods = arith_mods(s), .d = wl_is_dst(s, OPND(0))};
  if (a.imm && !b.imm) {
    const wl_src_t t = a;
    a = b;
    b = t;
  }
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

static bool min_max(wl_isel_t *s) {
  const bool max = s->in->op == WL_PTX_OP_MAX, xor_sign = wl_isel_has(s, WL_PTX_F(XORSIGN));
  wl_src_t a = wl_is_src(s, OPND(1), WL_PTX_T_F32), b = wl_is_src(s, OPND(2), WL_PTX_T_F32);
  if (s->in->noperands > 3 || (wl_isel_has(s, WL_PTX_F(ABS)) && !xor_sign)) {
    wl_not_yet(s, max ? "9.7.3.12" : "9.7.3.11", "this min/max");
    return true;
  }
  wl_minsn_t i = {.d = wl_is_dst(s, OPND(0)),
                  .mods = WL_MODS(FTZ, wl_isel_has(s, WL_PTX_F(FTZ))) |
                          WL_MODS(NAN, wl_isel_has(s, WL_PTX_F(NAN)))};
  if (a.imm && !b.imm) {
    const wl_src_t t = a;
    a = b;
    b = t;
  }
  i.a = wl_is_reg(s, a);
  if (xor_sign) {
    const wl_mreg_t x = wl_t1(s), y = wl_t1(s), m = wl_t1(s), z = wl_t1(s), br = wl_is_reg(s, b);
    const uint32_t nan = wl_tp(s);
    wl_lopi(s, x, i.a, 0x7fffffffu, WL_RZ, WL_LUT_A & WL_LUT_B);
    wl_lopi(s, y, br, 0x7fffffffu, WL_RZ, WL_LUT_A & WL_LUT_B);
    wl_rr(s, max ? WL_FORM_MAX_F32_RR : WL_FORM_MIN_F32_RR, m, x, y);
    s->f->insns[s->f->ninsns - 1].mods = i.mods;
    wl_lop(s, z, i.a, br, WL_RZ, WL_LUT_A ^ WL_LUT_B);
    wl_lopi(s, x, z, 0x80000000u, m, (WL_LUT_A & WL_LUT_B) | WL_LUT_C);
    wl_cmp(s, WL_FORM_SETP_F32_RR, nan, m, m, WL_UN);
    wl_sel(s, i.d, m, x, nan, false);
    return true;
  }
  if (b.imm) {
    i.form = max ? WL_FORM_MAX_F32_RI : WL_FORM_MIN_F32_RI;
    i.imm = b.k;
  } else {
    i.form = max ? WL_FORM_MAX_F32_RR : WL_FORM_MIN_F32_RR;
    i.b = b.r;
  }
  wl_put(s, &i);
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
