/* isel_bits64.c: 64-bit logic, shifts, bit counting and fields. PTX 9.7.1.14-9.7.1.20, 9.7.8.
 * Expansions, with n the shift amount (unsigned, at least 64 clears or fills with the sign):
 *   shl   lo = a.lo << n; hi = n <= 32 ? funnel(a, n) : a.lo << (n - 32)
 *   shr   hi = a.hi >> n; lo = n <= 32 ? funnel(a, n) : a.hi >> (n - 32)
 *   popc  sum of both words; clz, bfind  the word that decides, selected; brev  words exchanged
 *   bfe   shift right by pos, then keep len bits by two shifts; bfi  mask and select */
#include "isa/lower/isel.h"

#define OPND(k) (&s->in->operands[k])

/* d = a << n or a >> n, n a 32-bit register or constant. */
static void shift_left(wl_isel_t *s, wl_mreg_t d, wl_mreg_t a, wl_src_t n) {
  const wl_mreg_t hi = wl_mreg_at(a, 1), t = wl_t2(s), far = wl_t1(s), near = wl_t1(s),
                  m = wl_t1(s);
  if (n.imm) {
    if (n.k < 32) {
      wl_rri(s, WL_FORM_SHF_L_CLAMP_I, wl_mreg_at(t, 1), a, hi, n.k);
      wl_rri(s, WL_FORM_SHF_L_CLAMP_I, t, WL_RZ, a, n.k);
    } else {
      wl_rri(s, WL_FORM_SHF_L_CLAMP_I, wl_mreg_at(t, 1), WL_RZ, a, n.k > 64 ? 32 : n.k - 32);
      wl_movi(s, t, 0);
    }
  } else {
    const uint32_t p = wl_tp(s);
    wl_rrr(s, WL_FORM_SHF_L_CLAMP_R, near, a, hi, n.r);
    wl_ri(s, WL_FORM_ADD_RI, m, n.r, 0u - 32u);
    wl_rrr(s, WL_FORM_SHF_L_CLAMP_R, far, WL_RZ, a, m);
    wl_cmpi(s, WL_FORM_SETP_U32_RI, p, n.r, 32, WL_GT);
    wl_sel(s, wl_mreg_at(t, 1), far, near, p, false);
    wl_rrr(s, WL_FORM_SHF_L_CLAMP_R, t, WL_RZ, a, n.r);
  }
  wl_copy(s, d, t, 2);
}

static void word_right(wl_isel_t *s, bool sign, wl_mreg_t d, wl_mreg_t a, wl_src_t n) {
  if (n.imm) {
    const uint32_t k = n.k > 32 ? 32 : n.k;
    if (sign)
      wl_ri(s, WL_FORM_SHR_S32_RI, d, a, k);
    else
      wl_rri(s, WL_FORM_SHF_R_CLAMP_I, d, a, WL_RZ, k);
  } else if (sign) {
    wl_rr(s, WL_FORM_SHR_S32_RR, d, a, n.r);
  } else {
    wl_rrr(s, WL_FORM_SHF_R_CLAMP_R, d, a, WL_RZ, n.r);
  }
}

static void shift_right(wl_isel_t *s, bool sign, wl_mreg_t d, wl_mreg_t a, wl_src_t n) {
  const wl_mreg_t hi = wl_mreg_at(a, 1), t = wl_t2(s), far = wl_t1(s), near = wl_t1(s),
                  m = wl_t1(s);
  if (n.imm && n.k < 32) {
    wl_rri(s, WL_FORM_SHF_R_CLAMP_I, t, a, hi, n.k);
  } else if (n.imm) {
    word_right(s, sign, t, hi, (wl_src_t){.imm = true, .k = n.k - 32});
  } else {
    const uint32_t p = wl_tp(s);
    wl_rrr(s, WL_FORM_SHF_R_CLAMP_R, near, a, hi, n.r);
    wl_ri(s, WL_FORM_ADD_RI, m, n.r, 0u - 32u);
    word_right(s, sign, far, hi, (wl_src_t){.r = m});
    wl_cmpi(s, WL_FORM_SETP_U32_RI, p, n.r, 32, WL_GT);
    wl_sel(s, t, far, near, p, false);
  }
  word_right(s, sign, wl_mreg_at(t, 1), hi, n);
  wl_copy(s, d, t, 2);
}

static bool logic(wl_isel_t *s) {
  const uint32_t lut = s->in->op == WL_PTX_OP_AND  ? WL_LUT_A & WL_LUT_B
                       : s->in->op == WL_PTX_OP_OR ? WL_LUT_A | WL_LUT_B
                                                   : WL_LUT_A ^ WL_LUT_B;
  unsigned x = 1, y = 2;
  uint64_t k;
  if (wl_is_const64(s, OPND(1), WL_PTX_T_B64, &k)) x = 2, y = 1;
  const wl_mreg_t a = wl_is_r64(s, OPND(x), WL_PTX_T_B64), d = wl_is_dst(s, OPND(0));
  const bool imm = wl_is_const64(s, OPND(y), WL_PTX_T_B64, &k);
  const wl_mreg_t b = imm ? WL_RZ : wl_is_r64(s, OPND(y), WL_PTX_T_B64);
  for (uint32_t w = 0; w < 2; w++) {
    if (imm)
      wl_lopi(s, wl_mreg_at(d, w), wl_mreg_at(a, w), (uint32_t)(k >> (32 * w)), WL_RZ, lut);
    else
      wl_lop(s, wl_mreg_at(d, w), wl_mreg_at(a, w), wl_mreg_at(b, w), WL_RZ, lut);
  }
  return true;
}

static bool cnot(wl_isel_t *s) {
  const wl_mreg_t a = wl_is_r64(s, OPND(1), WL_PTX_T_B64), d = wl_is_dst(s, OPND(0));
  const uint32_t p = wl_tp(s);
  wl_cmpi(s, WL_FORM_SETP_U64_RI, p, a, 0, WL_EQ);
  wl_seli(s, d, WL_RZ, 1, p, true);
  wl_movi(s, wl_mreg_at(d, 1), 0);
  return true;
}

static bool count(wl_isel_t *s) {
  const wl_mreg_t a = wl_is_r64(s, OPND(1), WL_PTX_T_B64), hi = wl_mreg_at(a, 1),
                  d = wl_is_dst(s, OPND(0));
  const wl_mreg_t x = wl_t1(s), y = wl_t1(s);
  if (s->in->op == WL_PTX_OP_POPC) {
    wl_rr(s, WL_FORM_POPC, x, a, WL_RZ);
    wl_rr(s, WL_FORM_POPC, y, hi, WL_RZ);
  } else { /* clz: the low word counts only below 32 zeros */
    const wl_mreg_t low = wl_t1(s);
    const uint32_t p = wl_tp(s);
    wl_rr(s, WL_FORM_CLZ, x, hi, WL_RZ);
    wl_rr(s, WL_FORM_CLZ, low, a, WL_RZ);
    wl_cmpi(s, WL_FORM_SETP_U32_RI, p, hi, 0, WL_EQ);
    wl_seli(s, y, low, 0, p, false);
  }
  wl_rr(s, WL_FORM_ADD_RR, d, x, y);
  return true;
}

static bool reverse(wl_isel_t *s) {
  const wl_mreg_t a = wl_is_r64(s, OPND(1), WL_PTX_T_B64), t = wl_t2(s);
  wl_rr(s, WL_FORM_BREV, t, wl_mreg_at(a, 1), WL_RZ);
  wl_rr(s, WL_FORM_BREV, wl_mreg_at(t, 1), a, WL_RZ);
  wl_copy(s, wl_is_dst(s, OPND(0)), t, 2);
  return true;
}

static bool bit_find(wl_isel_t *s) {
  wl_mreg_t a = wl_is_r64(s, OPND(1), s->in->type[0]);
  const wl_mreg_t h = wl_t1(s), l = wl_t1(s), h32 = wl_t1(s), i = wl_t1(s), n = wl_t1(s);
  const uint32_t p = wl_tp(s);
  if (wl_signed(s->in->type[0])) { /* complement negatives */
    const wl_mreg_t m = wl_t1(s), x = wl_t2(s);
    wl_ri(s, WL_FORM_SHR_S32_RI, m, wl_mreg_at(a, 1), 31);
    wl_lop(s, x, a, m, WL_RZ, WL_LUT_A ^ WL_LUT_B);
    wl_lop(s, wl_mreg_at(x, 1), wl_mreg_at(a, 1), m, WL_RZ, WL_LUT_A ^ WL_LUT_B);
    a = x;
  }
  wl_rr(s, WL_FORM_BFIND_U32, h, wl_mreg_at(a, 1), WL_RZ);
  wl_rr(s, WL_FORM_BFIND_U32, l, a, WL_RZ);
  wl_ri(s, WL_FORM_ADD_RI, h32, h, 32);
  wl_cmpi(s, WL_FORM_SETP_U32_RI, p, wl_mreg_at(a, 1), 0, WL_NE);
  const wl_mreg_t d = wl_is_dst(s, OPND(0));
  if ((s->in->flags & WL_PTX_F(SHIFTAMT)) == 0) {
    wl_sel(s, d, h32, l, p, false);
    return true;
  }
  const uint32_t none = wl_tp(s);
  wl_sel(s, i, h32, l, p, false);
  wl_ri(s, WL_FORM_RSUB_RI, n, i, 63);
  wl_cmpi(s, WL_FORM_SETP_S32_RI, none, i, 0, WL_LT);
  wl_seli(s, d, n, ~0u, none, true);
  return true;
}

static wl_src_t byte_of(wl_isel_t *s, const wl_ptx_operand_t *o) {
  wl_src_t v = wl_is_src(s, o, WL_PTX_T_U32);
  if (v.imm) return (wl_src_t){.imm = true, .k = v.k & 255};
  const wl_mreg_t t = wl_t1(s);
  wl_is_extend(s, t, v.r, 8, false);
  return (wl_src_t){.r = t};
}

/* 64 - n, clamped at 0. */
static wl_src_t rest(wl_isel_t *s, wl_src_t n) {
  if (n.imm) return (wl_src_t){.imm = true, .k = n.k > 64 ? 0 : 64 - n.k};
  const wl_mreg_t m = wl_t1(s), t = wl_t1(s);
  wl_ri(s, WL_FORM_MIN_U32_RI, m, n.r, 64);
  wl_ri(s, WL_FORM_RSUB_RI, t, m, 64);
  return (wl_src_t){.r = t};
}

static bool extract(wl_isel_t *s) {
  const bool sign = wl_signed(s->in->type[0]);
  const wl_mreg_t a = wl_is_r64(s, OPND(1), WL_PTX_T_B64), d = wl_is_dst(s, OPND(0));
  const wl_src_t pos = byte_of(s, OPND(2)), len = byte_of(s, OPND(3));
  const wl_mreg_t x = wl_t2(s), y = wl_t2(s), z = wl_t2(s);
  const wl_src_t up = rest(s, len);
  shift_right(s, sign, x, a, pos); /* fills past the top as the result must */
  shift_left(s, y, x, up);
  shift_right(s, sign, z, y, up); /* len 0: 64 up, then all signs of zero */
  wl_copy(s, d, z, 2);
  return true;
}

static bool insert(wl_isel_t *s) {
  const wl_mreg_t a = wl_is_r64(s, OPND(1), WL_PTX_T_B64), b = wl_is_r64(s, OPND(2), WL_PTX_T_B64);
  const wl_src_t pos = byte_of(s, OPND(3)), len = byte_of(s, OPND(4));
  const wl_mreg_t ones = wl_t2(s), low = wl_t2(s), mask = wl_t2(s), x = wl_t2(s), t = wl_t2(s);
  wl_movi(s, ones, ~0u);
  wl_movi(s, wl_mreg_at(ones, 1), ~0u);
  shift_right(s, false, low, ones, rest(s, len));
  shift_left(s, mask, low, pos);
  shift_left(s, x, a, pos);
  for (uint32_t w = 0; w < 2; w++) /* (a & b) | (~a & c) with a = mask */
    wl_lop(s, wl_mreg_at(t, w), wl_mreg_at(mask, w), wl_mreg_at(x, w), wl_mreg_at(b, w),
           (WL_LUT_A & WL_LUT_B) | (~WL_LUT_A & WL_LUT_C & 255));
  wl_copy(s, wl_is_dst(s, OPND(0)), t, 2);
  return true;
}

bool wl_isel_bits64(wl_isel_t *s) {
  const wl_ptx_type_t t = s->in->type[0];
  switch (s->in->op) {
  case WL_PTX_OP_AND:
  case WL_PTX_OP_OR:
  case WL_PTX_OP_XOR:
    return logic(s);
  case WL_PTX_OP_NOT: {
    const wl_mreg_t a = wl_is_r64(s, OPND(1), t), d = wl_is_dst(s, OPND(0));
    for (uint32_t w = 0; w < 2; w++)
      wl_lop(s, wl_mreg_at(d, w), wl_mreg_at(a, w), WL_RZ, WL_RZ, ~WL_LUT_A & 255);
    return true;
  }
  case WL_PTX_OP_CNOT:
    return cnot(s);
  case WL_PTX_OP_SHL:
    shift_left(s, wl_is_dst(s, OPND(0)), wl_is_r64(s, OPND(1), t),
               wl_is_src(s, OPND(2), WL_PTX_T_U32));
    return true;
  case WL_PTX_OP_SHR:
    shift_right(s, wl_signed(t), wl_is_dst(s, OPND(0)), wl_is_r64(s, OPND(1), t),
                wl_is_src(s, OPND(2), WL_PTX_T_U32));
    return true;
  case WL_PTX_OP_POPC:
  case WL_PTX_OP_CLZ:
    return count(s);
  case WL_PTX_OP_BREV:
    return reverse(s);
  case WL_PTX_OP_BFIND:
    return bit_find(s);
  case WL_PTX_OP_BFE:
    return extract(s);
  case WL_PTX_OP_BFI:
    return insert(s);
  default:
    return false;
  }
}
