/* expand_div.c: integer division of 32 and 64 bits without a divider, straight-line.
 *   1. y = 1/b in f32 within 2^-22: exponent trick and three Newton steps (wl_x_recip).
 *   2. Z = floor(y * 2^n * (1 - 2^-21)): never above 2^n / b, below by at most 2^-20 of it.
 *   3. Newton in integers, Z += mulhi(Z, 2^n - b * Z), once for 32 and twice for 64 bits; still
 *      never above, and then 2^n - b * Z <= b (1 + small).
 *   4. q = mulhi(a, Z) is short by at most 2; two conditional corrections of {q, r}.
 * Signed division works on magnitudes. Division by zero gives all ones, as does the remainder. */
#include "isa/lower/isel.h"

static void fma_neg_a(wl_isel_t *s, wl_mreg_t d, wl_mreg_t a, wl_mreg_t b, uint32_t c) {
  wl_put(s, &(wl_minsn_t){.form = WL_FORM_FMA_F32_RRI,
                          .d = d,
                          .a = a,
                          .b = b,
                          .imm = c,
                          .mods = WL_MODS(NEG_A, 1)});
}

wl_mreg_t wl_x_recip(wl_isel_t *s, wl_mreg_t x) {
  wl_mreg_t y = wl_t1(s);
  wl_ri(s, WL_FORM_RSUB_RI, y, x, 0x7ef311c7u); /* error below 0.124 */
  for (int k = 0; k < 3; k++) {
    const wl_mreg_t e = wl_t1(s), next = wl_t1(s);
    fma_neg_a(s, e, x, y, 0x3f800000u);
    wl_rrr(s, WL_FORM_FMA_F32_RRR, next, y, e, y);
    y = next;
  }
  return y;
}

static void convert(wl_isel_t *s, wl_form_t form, wl_mreg_t d, wl_mreg_t a, uint32_t rnd) {
  wl_put(s, &(wl_minsn_t){.form = (uint16_t)form, .d = d, .a = a, .mods = WL_MODS(RND, rnd)});
}

/* One correction: if r >= b then q += 1, r -= b. */
static void correct32(wl_isel_t *s, wl_mreg_t *q, wl_mreg_t *r, wl_mreg_t b) {
  const uint32_t p = wl_tp(s);
  const wl_mreg_t r1 = wl_t1(s), r2 = wl_t1(s), q1 = wl_t1(s), q2 = wl_t1(s);
  wl_cmp(s, WL_FORM_SETP_U32_RR, p, *r, b, WL_GE);
  wl_rr(s, WL_FORM_SUB_RR, r1, *r, b);
  wl_sel(s, r2, r1, *r, p, false);
  wl_ri(s, WL_FORM_ADD_RI, q1, *q, 1);
  wl_sel(s, q2, q1, *q, p, false);
  *q = q2;
  *r = r2;
}

static void unsigned32(wl_isel_t *s, wl_mreg_t a, wl_mreg_t b, wl_mreg_t *q, wl_mreg_t *r) {
  const wl_mreg_t f = wl_t1(s), y = wl_t1(s), z = wl_t1(s), n = wl_t1(s), e = wl_t1(s);
  const wl_mreg_t z1 = wl_t1(s), nq = wl_t1(s);
  convert(s, WL_FORM_CVT_F32_U32, f, b, 3);
  wl_ri(s, WL_FORM_MUL_F32_RI, y, wl_x_recip(s, f), 0x4f7ffff8u); /* 2^32 (1 - 2^-21) */
  convert(s, WL_FORM_CVT_U32_F32, z, y, 1);
  wl_rr(s, WL_FORM_SUB_RR, n, WL_RZ, b);
  wl_rrr(s, WL_FORM_MAD_LO_RRR, e, n, z, WL_RZ);
  wl_rrr(s, WL_FORM_MAD_HI_U32_RRR, z1, z, e, z);
  *q = wl_t1(s);
  *r = wl_t1(s);
  wl_rrr(s, WL_FORM_MAD_HI_U32_RRR, *q, a, z1, WL_RZ);
  wl_rr(s, WL_FORM_SUB_RR, nq, WL_RZ, *q);
  wl_rrr(s, WL_FORM_MAD_LO_RRR, *r, nq, b, a);
  correct32(s, q, r, b);
  correct32(s, q, r, b);
}

/* x with the sign of mask m (0 or all ones) put on: (x ^ m) - m. */
static wl_mreg_t apply_sign(wl_isel_t *s, wl_mreg_t x, wl_mreg_t m) {
  const wl_mreg_t t = wl_t1(s), u = wl_t1(s);
  wl_lop(s, t, x, m, WL_RZ, WL_LUT_A ^ WL_LUT_B);
  wl_rr(s, WL_FORM_SUB_RR, u, t, m);
  return u;
}

void wl_x_divrem32(wl_isel_t *s, wl_mreg_t a, wl_mreg_t b, bool sign, wl_mreg_t *q, wl_mreg_t *r) {
  wl_mreg_t x = a, y = b, ma = WL_RZ, quo, rem;
  if (sign) {
    x = wl_t1(s), y = wl_t1(s), ma = wl_t1(s);
    wl_rr(s, WL_FORM_ABS_S32, x, a, WL_RZ);
    wl_rr(s, WL_FORM_ABS_S32, y, b, WL_RZ);
    wl_ri(s, WL_FORM_SHR_S32_RI, ma, a, 31);
  }
  unsigned32(s, x, y, &quo, &rem);
  const uint32_t zero = wl_tp(s);
  wl_cmpi(s, WL_FORM_SETP_U32_RI, zero, b, 0, WL_EQ);
  if (q != NULL) {
    if (sign) {
      const wl_mreg_t d = wl_t1(s), m = wl_t1(s);
      wl_lop(s, d, a, b, WL_RZ, WL_LUT_A ^ WL_LUT_B);
      wl_ri(s, WL_FORM_SHR_S32_RI, m, d, 31);
      quo = apply_sign(s, quo, m);
    }
    wl_seli(s, *q = wl_t1(s), quo, ~0u, zero, true);
  }
  if (r != NULL) {
    if (sign) rem = apply_sign(s, rem, ma);
    wl_seli(s, *r = wl_t1(s), rem, ~0u, zero, true);
  }
}

/* ---- 64 bits ---- */
void wl_x_neg64(wl_isel_t *s, wl_mreg_t d, wl_mreg_t a) { wl_rr(s, WL_FORM_SUB64_RR, d, WL_RZ, a); }

static void select64(wl_isel_t *s, wl_mreg_t d, wl_mreg_t a, wl_mreg_t b, uint32_t p) {
  wl_sel(s, d, a, b, p, false);
  wl_sel(s, wl_mreg_at(d, 1), wl_mreg_at(a, 1), wl_mreg_at(b, 1), p, false);
}

static void correct64(wl_isel_t *s, wl_mreg_t *q, wl_mreg_t *r, wl_mreg_t b) {
  const uint32_t p = wl_tp(s);
  const wl_mreg_t r1 = wl_t2(s), r2 = wl_t2(s), q1 = wl_t2(s), q2 = wl_t2(s);
  wl_cmp(s, WL_FORM_SETP_U64_RR, p, *r, b, WL_GE);
  wl_rr(s, WL_FORM_SUB64_RR, r1, *r, b);
  select64(s, r2, r1, *r, p);
  wl_ri(s, WL_FORM_ADD64_RI, q1, *q, 1);
  select64(s, q2, q1, *q, p);
  *q = q2;
  *r = r2;
}

static void unsigned64(wl_isel_t *s, wl_mreg_t a, wl_mreg_t b, wl_mreg_t *q, wl_mreg_t *r) {
  const wl_mreg_t f = wl_t1(s), y = wl_t1(s), n = wl_t2(s);
  wl_mreg_t z = wl_t2(s);
  convert(s, WL_FORM_CVT_F32_U64, f, b, 3);
  wl_ri(s, WL_FORM_MUL_F32_RI, y, wl_x_recip(s, f), 0x5f7ffff8u); /* 2^64 (1 - 2^-21) */
  convert(s, WL_FORM_CVT_U64_F32, z, y, 1);
  wl_x_neg64(s, n, b);
  for (int k = 0; k < 2; k++) {
    const wl_mreg_t e = wl_x_mul64(s, n, z, WL_RZ), h = wl_x_mulhi64(s, z, e, false), z1 = wl_t2(s);
    wl_rr(s, WL_FORM_ADD64_RR, z1, z, h);
    z = z1;
  }
  *q = wl_x_mulhi64(s, a, z, false);
  const wl_mreg_t nq = wl_t2(s);
  wl_x_neg64(s, nq, *q);
  *r = wl_x_mul64(s, nq, b, a);
  correct64(s, q, r, b);
  correct64(s, q, r, b);
}

static wl_mreg_t apply_sign64(wl_isel_t *s, wl_mreg_t x, wl_mreg_t m) {
  const wl_mreg_t t = wl_t2(s), u = wl_t2(s), mm = wl_t2(s);
  for (uint32_t w = 0; w < 2; w++) {
    wl_lop(s, wl_mreg_at(t, w), wl_mreg_at(x, w), m, WL_RZ, WL_LUT_A ^ WL_LUT_B);
    wl_copy(s, wl_mreg_at(mm, w), m, 1);
  }
  wl_rr(s, WL_FORM_SUB64_RR, u, t, mm);
  return u;
}

static wl_mreg_t ones_if(wl_isel_t *s, wl_mreg_t x, uint32_t p) {
  const wl_mreg_t t = wl_t2(s);
  for (uint32_t w = 0; w < 2; w++)
    wl_seli(s, wl_mreg_at(t, w), wl_mreg_at(x, w), ~0u, p, true);
  return t;
}

void wl_x_divrem64(wl_isel_t *s, wl_mreg_t a, wl_mreg_t b, bool sign, wl_mreg_t *q, wl_mreg_t *r) {
  wl_mreg_t x = a, y = b, ma = WL_RZ, mb = WL_RZ, quo, rem;
  if (sign) {
    ma = wl_t1(s), mb = wl_t1(s);
    wl_ri(s, WL_FORM_SHR_S32_RI, ma, wl_mreg_at(a, 1), 31);
    wl_ri(s, WL_FORM_SHR_S32_RI, mb, wl_mreg_at(b, 1), 31);
    x = apply_sign64(s, a, ma);
    y = apply_sign64(s, b, mb);
  }
  unsigned64(s, x, y, &quo, &rem);
  const uint32_t zero = wl_tp(s);
  wl_cmpi(s, WL_FORM_SETP_U64_RI, zero, b, 0, WL_EQ);
  if (q != NULL) {
    if (sign) {
      const wl_mreg_t m = wl_t1(s);
      wl_lop(s, m, ma, mb, WL_RZ, WL_LUT_A ^ WL_LUT_B);
      quo = apply_sign64(s, quo, m);
    }
    *q = ones_if(s, quo, zero);
  }
  if (r != NULL) *r = ones_if(s, sign ? apply_sign64(s, rem, ma) : rem, zero);
}
