/* isel_fns.c: fns, the n-th set bit from a position on. PTX 9.7.1.17.
 * An offset below 0 looks downwards: the mask reversed, from 31 - base, and the result counted from
 * the other end. Bits before the base are cleared, with an offset of 0 all but the base's. Then bit
 * number n of those that are left (n from 0: the offset's magnitude less 1) by halving: if the low
 * half of the field has no more than n set bits, they are taken off n and the search goes on in the
 * high half. Too few bits, or a base above 31: all ones. An offset of -2^31 gives 0, as NVIDIA's
 * machines have it. */
#include "isa/lower/isel.h"

#define OPND(k) (&s->in->operands[k])

enum { FIRST_HALF = 16 };

/* The mask with its lowest bit where the search begins; bits that do not count are 0. */
static wl_mreg_t candidates(wl_isel_t *s, wl_mreg_t mask, wl_mreg_t base, wl_mreg_t offset,
                            uint32_t down) {
  const wl_mreg_t reversed = wl_t1(s), field = wl_t1(s), other = wl_t1(s), from = wl_t1(s),
                  one = wl_t1(s), wanted = wl_t1(s), above = wl_t1(s), m = wl_t1(s);
  const uint32_t only = wl_tp(s);
  wl_rr(s, WL_FORM_BREV, reversed, mask, WL_RZ);
  wl_sel(s, field, reversed, mask, down, false);
  wl_ri(s, WL_FORM_RSUB_RI, other, base, 31);
  wl_sel(s, from, other, base, down, false);
  wl_cmpi(s, WL_FORM_SETP_S32_RI, only, offset, 0, WL_EQ);
  wl_movi(s, one, 1);
  wl_seli(s, wanted, one, ~0u, only, false);
  wl_rrr(s, WL_FORM_SHF_L_CLAMP_R, above, WL_RZ, wanted, from);
  wl_lop(s, m, field, above, WL_RZ, WL_LUT_A & WL_LUT_B);
  return m;
}

/* Position of set bit number n of m. If there are too few, it is of no use. */
static wl_mreg_t select_bit(wl_isel_t *s, wl_mreg_t m, wl_mreg_t n) {
  wl_mreg_t at = WL_RZ;
  for (uint32_t half = FIRST_HALF; half != 0; half /= 2) {
    const wl_mreg_t length = wl_t1(s), low = wl_t1(s), count = wl_t1(s), less = wl_t1(s),
                    rest = wl_t1(s), further = wl_t1(s), next = wl_t1(s);
    const uint32_t high = wl_tp(s);
    wl_movi(s, length, half);
    wl_rrr(s, WL_FORM_BFE_U32_R, low, m, at, length);
    wl_rr(s, WL_FORM_POPC, count, low, WL_RZ);
    wl_cmp(s, WL_FORM_SETP_U32_RR, high, n, count, WL_GE);
    wl_rr(s, WL_FORM_SUB_RR, less, n, count);
    wl_sel(s, rest, less, n, high, false);
    wl_ri(s, WL_FORM_ADD_RI, further, at, half);
    wl_sel(s, next, further, at, high, false);
    n = rest;
    at = next;
  }
  return at;
}

bool wl_isel_fns(wl_isel_t *s) {
  if (s->in->op != WL_PTX_OP_FNS) return false;
  const wl_mreg_t mask = wl_is_r32(s, OPND(1), WL_PTX_T_B32),
                  base = wl_is_r32(s, OPND(2), WL_PTX_T_B32),
                  offset = wl_is_r32(s, OPND(3), WL_PTX_T_S32);
  const wl_mreg_t far = wl_t1(s), some = wl_t1(s), n = wl_t1(s), total = wl_t1(s), back = wl_t1(s),
                  place = wl_t1(s), found = wl_t1(s);
  const uint32_t down = wl_tp(s), enough = wl_tp(s), least = wl_tp(s);
  wl_cmpi(s, WL_FORM_SETP_S32_RI, down, offset, 0, WL_LT);
  const wl_mreg_t m = candidates(s, mask, base, offset, down);
  wl_rr(s, WL_FORM_ABS_S32, far, offset, WL_RZ);
  wl_ri(s, WL_FORM_MAX_U32_RI, some, far, 1);
  wl_ri(s, WL_FORM_ADD_RI, n, some, ~0u);
  wl_rr(s, WL_FORM_POPC, total, m, WL_RZ);
  wl_cmp(s, WL_FORM_SETP_U32_RR, enough, n, total, WL_LT);
  const wl_mreg_t at = select_bit(s, m, n);
  wl_ri(s, WL_FORM_RSUB_RI, back, at, 31);
  wl_sel(s, place, back, at, down, false);
  wl_seli(s, found, place, ~0u, enough, false);
  wl_cmpi(s, WL_FORM_SETP_U32_RI, least, offset, 1u << 31, WL_EQ);
  wl_sel(s, wl_is_dst(s, OPND(0)), WL_RZ, found, least, false);
  return true;
}
