/* expand_mul64.c: 64-bit products from 32 x 32 -> 64 multiply-add.
 *   low:  mad.wide of the low words + c, then both cross products onto the high word
 *   high: four mad.wide with the carries as 64-bit addends {x, 0}; no step can overflow, since
 *         (2^32-1)^2 + 2 (2^32-1) = 2^64 - 1. Signed: minus b if a < 0, minus a if b < 0. */
#include "isa/lower/isel.h"

wl_mreg_t wl_x_mul64(wl_isel_t *s, wl_mreg_t a, wl_mreg_t b, wl_mreg_t c) {
  const wl_mreg_t t = wl_t2(s), u = wl_t1(s), d = wl_t2(s);
  wl_rrr(s, WL_FORM_MAD_WIDE_U32_RRR, t, a, b, c);
  wl_rrr(s, WL_FORM_MAD_LO_RRR, u, a, wl_mreg_at(b, 1), wl_mreg_at(t, 1));
  wl_rrr(s, WL_FORM_MAD_LO_RRR, wl_mreg_at(d, 1), wl_mreg_at(a, 1), b, u);
  wl_copy(s, d, t, 1);
  return d;
}

/* {x, 0} */
static wl_mreg_t widen(wl_isel_t *s, wl_mreg_t x) {
  const wl_mreg_t t = wl_t2(s);
  wl_copy(s, t, x, 1);
  wl_copy(s, wl_mreg_at(t, 1), WL_RZ, 1);
  return t;
}

static wl_mreg_t wide(wl_isel_t *s, wl_mreg_t a, wl_mreg_t b, wl_mreg_t c) {
  const wl_mreg_t t = wl_t2(s);
  wl_rrr(s, WL_FORM_MAD_WIDE_U32_RRR, t, a, b, c);
  return t;
}

wl_mreg_t wl_x_mulhi64(wl_isel_t *s, wl_mreg_t a, wl_mreg_t b, bool sign) {
  const wl_mreg_t ah = wl_mreg_at(a, 1), bh = wl_mreg_at(b, 1);
  const wl_mreg_t ll = wide(s, a, b, WL_RZ);
  const wl_mreg_t hl = wide(s, ah, b, widen(s, wl_mreg_at(ll, 1)));
  const wl_mreg_t lh = wide(s, a, bh, widen(s, hl));
  const wl_mreg_t hh = wide(s, ah, bh, widen(s, wl_mreg_at(hl, 1)));
  wl_mreg_t r = wl_t2(s);
  wl_rr(s, WL_FORM_ADD64_RR, r, hh, widen(s, wl_mreg_at(lh, 1)));
  for (int k = 0; sign && k < 2; k++) {
    const wl_mreg_t x = k == 0 ? a : b, y = k == 0 ? b : a;
    const wl_mreg_t m = wl_t1(s), t = wl_t2(s), next = wl_t2(s);
    wl_ri(s, WL_FORM_SHR_S32_RI, m, wl_mreg_at(x, 1), 31);
    for (uint32_t w = 0; w < 2; w++)
      wl_lop(s, wl_mreg_at(t, w), wl_mreg_at(y, w), m, WL_RZ, WL_LUT_A & WL_LUT_B);
    wl_rr(s, WL_FORM_SUB64_RR, next, r, t);
    r = next;
  }
  return r;
}
