/* isel_int64.c: 64-bit integer arithmetic. PTX 9.7.1. Native: add, sub, comparison. Expansions:
 *   mul.lo, mad.lo  mad.wide of the low words, cross products added to the high word
 *   mul.hi, mad.hi  expand_mul64.c
 *   min, max, abs   comparison and two selections; sad: both orders of the difference
 *   div, rem        expand_div64.c; by zero all ones */
#include "isa/lower/isel.h"

#define OPND(k) (&s->in->operands[k])

static bool small(uint64_t k, uint32_t *imm) {
  *imm = (uint32_t)k;
  return (int64_t)k == (int64_t)(int32_t)k;
}

static void add64(wl_isel_t *s, wl_mreg_t d, unsigned x, unsigned y, bool sub) {
  const wl_ptx_type_t t = s->in->type[0];
  uint64_t k;
  uint32_t imm;
  if (!sub && wl_is_const64(s, OPND(x), t, &k)) {
    const unsigned z = x;
    x = y;
    y = z;
  }
  if (wl_is_const64(s, OPND(y), t, &k) && small(sub ? 0 - k : k, &imm)) {
    wl_ri(s, WL_FORM_ADD64_RI, d, wl_is_r64(s, OPND(x), t), imm);
    return;
  }
  const wl_mreg_t a = wl_is_r64(s, OPND(x), t), b = wl_is_r64(s, OPND(y), t);
  wl_rr(s, sub ? WL_FORM_SUB64_RR : WL_FORM_ADD64_RR, d, a, b);
}

static bool min_max(wl_isel_t *s) {
  const wl_ptx_type_t t = s->in->type[0];
  const wl_mreg_t a = wl_is_r64(s, OPND(1), t), b = wl_is_r64(s, OPND(2), t),
                  d = wl_is_dst(s, OPND(0));
  const uint32_t p = wl_tp(s);
  wl_cmp(s, wl_signed(t) ? WL_FORM_SETP_S64_RR : WL_FORM_SETP_U64_RR, p, a, b,
         s->in->op == WL_PTX_OP_MIN ? WL_LT : WL_GT);
  wl_sel(s, d, a, b, p, false);
  wl_sel(s, wl_mreg_at(d, 1), wl_mreg_at(a, 1), wl_mreg_at(b, 1), p, false);
  return true;
}

static void select64(wl_isel_t *s, wl_mreg_t d, wl_mreg_t a, wl_mreg_t b, uint32_t p) {
  wl_sel(s, d, a, b, p, false);
  wl_sel(s, wl_mreg_at(d, 1), wl_mreg_at(a, 1), wl_mreg_at(b, 1), p, false);
}

static bool absolute(wl_isel_t *s) {
  const wl_mreg_t a = wl_is_r64(s, OPND(1), s->in->type[0]), n = wl_t2(s);
  const uint32_t p = wl_tp(s);
  wl_x_neg64(s, n, a);
  wl_cmpi(s, WL_FORM_SETP_S32_RI, p, wl_mreg_at(a, 1), 0, WL_LT);
  select64(s, wl_is_dst(s, OPND(0)), n, a, p);
  return true;
}

static bool sad(wl_isel_t *s) {
  const wl_ptx_type_t t = s->in->type[0];
  const wl_mreg_t a = wl_is_r64(s, OPND(1), t), b = wl_is_r64(s, OPND(2), t);
  const wl_mreg_t c = wl_is_r64(s, OPND(3), t), x = wl_t2(s), y = wl_t2(s), z = wl_t2(s);
  const uint32_t p = wl_tp(s);
  wl_cmp(s, wl_signed(t) ? WL_FORM_SETP_S64_RR : WL_FORM_SETP_U64_RR, p, a, b, WL_LT);
  wl_rr(s, WL_FORM_SUB64_RR, x, b, a);
  wl_rr(s, WL_FORM_SUB64_RR, y, a, b);
  select64(s, z, x, y, p);
  wl_rr(s, WL_FORM_ADD64_RR, wl_is_dst(s, OPND(0)), z, c);
  return true;
}

static bool multiply(wl_isel_t *s, bool add) {
  const wl_ptx_type_t t = s->in->type[0];
  const wl_mreg_t d = wl_is_dst(s, OPND(0));
  const wl_mreg_t a = wl_is_r64(s, OPND(1), t), b = wl_is_r64(s, OPND(2), t);
  const wl_mreg_t c = add ? wl_is_r64(s, OPND(3), t) : WL_RZ;
  if (s->in->mode[0] == WL_PTX_M_LO) {
    wl_copy(s, d, wl_x_mul64(s, a, b, c), 2);
    return true;
  }
  const wl_mreg_t h = wl_x_mulhi64(s, a, b, wl_signed(t));
  if (add)
    wl_rr(s, WL_FORM_ADD64_RR, d, h, c);
  else
    wl_copy(s, d, h, 2);
  return true;
}

static bool divide(wl_isel_t *s, bool rem) {
  const wl_ptx_type_t t = s->in->type[0];
  const wl_mreg_t a = wl_is_r64(s, OPND(1), t), b = wl_is_r64(s, OPND(2), t);
  wl_mreg_t q = WL_RZ, r = WL_RZ;
  wl_x_divrem64(s, a, b, wl_signed(t), rem ? NULL : &q, rem ? &r : NULL);
  wl_copy(s, wl_is_dst(s, OPND(0)), rem ? r : q, 2);
  return true;
}

bool wl_isel_int64(wl_isel_t *s) {
  switch (s->in->op) {
  case WL_PTX_OP_ADD:
    add64(s, wl_is_dst(s, OPND(0)), 1, 2, false);
    return true;
  case WL_PTX_OP_SUB:
    add64(s, wl_is_dst(s, OPND(0)), 1, 2, true);
    return true;
  case WL_PTX_OP_MUL:
    return multiply(s, false);
  case WL_PTX_OP_MAD:
    return multiply(s, true);
  case WL_PTX_OP_MIN:
  case WL_PTX_OP_MAX:
    return min_max(s);
  case WL_PTX_OP_ABS:
    return absolute(s);
  case WL_PTX_OP_SAD:
    return sad(s);
  case WL_PTX_OP_NEG:
    wl_x_neg64(s, wl_is_dst(s, OPND(0)), wl_is_r64(s, OPND(1), s->in->type[0]));
    return true;
  case WL_PTX_OP_DIV:
    return divide(s, false);
  case WL_PTX_OP_REM:
    return divide(s, true);
  default:
    return false;
  }
}
