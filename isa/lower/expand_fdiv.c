/* expand_fdiv.c: correctly rounded f32 division and square root in all four roundings, with
 * subnormals, by exact integer remainders; straight-line, no special-function unit.
 * Division: significands ma, mb in [2^23, 2^24), normalised (subnormals by clz); ma is doubled if
 * below mb. Q = floor(ma * 2^25 / mb) has 26 bits: 24, guard, and one more; the remainder makes the
 * last bit sticky. An f32 estimate of the quotient is off by a few units, the exact remainder (32
 * bits suffice) gives the correction.
 * Root: M = m * 2^k with even exponent, Q = floor(sqrt(M)) of 26 bits, remainder in 64 bits.
 * Packing: shift right for a subnormal result, round by mode, add the exponent as an integer, so
 * that a carry into the next exponent needs no case; overflow by mode.
 * With .ftz subnormal operands are zeros, and a result below 2^-126 after rounding to 24 bits with
 * unbounded exponent becomes zero (docs/microarchitecture.md 6.4), so nothing is shifted. */
#include "isa/lower/isel.h"

enum { INF = 0x7f800000, CANONICAL_NAN = 0x7fffffff };

static wl_mreg_t new_ri(wl_isel_t *s, wl_form_t form, wl_mreg_t a, uint32_t imm) {
  const wl_mreg_t d = wl_t1(s);
  wl_ri(s, form, d, a, imm);
  return d;
}

static wl_mreg_t new_rr(wl_isel_t *s, wl_form_t form, wl_mreg_t a, wl_mreg_t b) {
  const wl_mreg_t d = wl_t1(s);
  wl_rr(s, form, d, a, b);
  return d;
}

static wl_mreg_t new_and(wl_isel_t *s, wl_mreg_t a, uint32_t imm) {
  const wl_mreg_t d = wl_t1(s);
  wl_lopi(s, d, a, imm, WL_RZ, WL_LUT_A & WL_LUT_B);
  return d;
}

static wl_mreg_t new_or(wl_isel_t *s, wl_mreg_t a, uint32_t imm) {
  const wl_mreg_t d = wl_t1(s);
  wl_lopi(s, d, a, imm, WL_RZ, WL_LUT_A | WL_LUT_B);
  return d;
}

static wl_mreg_t new_sel(wl_isel_t *s, wl_mreg_t a, wl_mreg_t b, uint32_t p) {
  const wl_mreg_t d = wl_t1(s);
  wl_sel(s, d, a, b, p, false);
  return d;
}

/* p ? a : imm */
static wl_mreg_t new_seli(wl_isel_t *s, wl_mreg_t a, uint32_t imm, uint32_t p, bool neg) {
  const wl_mreg_t d = wl_t1(s);
  wl_seli(s, d, a, imm, p, neg);
  return d;
}

static uint32_t new_cmpi(wl_isel_t *s, wl_form_t form, wl_mreg_t a, uint32_t imm, uint32_t mask) {
  const uint32_t p = wl_tp(s);
  wl_cmpi(s, form, p, a, imm, mask);
  return p;
}

static wl_mreg_t convert(wl_isel_t *s, wl_form_t form, wl_mreg_t a, uint32_t rnd) {
  const wl_mreg_t d = wl_t1(s);
  wl_put(s, &(wl_minsn_t){.form = (uint16_t)form, .d = d, .a = a, .mods = WL_MODS(RND, rnd)});
  return d;
}

typedef struct parts {
  wl_mreg_t abs, exp, sig;
} parts_t; /* sig in [2^23, 2^24) if x is finite, not 0 */

static parts_t unpack(wl_isel_t *s, wl_mreg_t x, bool ftz) {
  parts_t p;
  p.abs = new_and(s, x, 0x7fffffffu);
  if (ftz) { /* subnormals become zeros */
    const uint32_t small = new_cmpi(s, WL_FORM_SETP_U32_RI, p.abs, 0x00800000u, WL_LT);
    p.abs = new_seli(s, p.abs, 0, small, true);
  }
  const wl_mreg_t exp = wl_t1(s), frac = new_and(s, p.abs, 0x007fffffu), up = wl_t1(s);
  wl_rri(s, WL_FORM_SHF_R_CLAMP_I, exp, p.abs, WL_RZ, 23);
  const wl_mreg_t normal = new_or(s, frac, 0x00800000u);
  if (ftz) {
    p.exp = exp;
    p.sig = normal;
    return p;
  }
  const uint32_t sub = new_cmpi(s, WL_FORM_SETP_U32_RI, exp, 0, WL_EQ);
  const wl_mreg_t lz = new_rr(s, WL_FORM_CLZ, frac, WL_RZ),
                  n = new_ri(s, WL_FORM_ADD_RI, lz, 0u - 8u);
  wl_rrr(s, WL_FORM_SHF_L_CLAMP_R, up, WL_RZ, frac, n);
  p.sig = new_sel(s, up, normal, sub);
  p.exp = new_sel(s, new_ri(s, WL_FORM_RSUB_RI, n, 1), exp, sub); /* 1 - n */
  return p;
}

/* x >> n, bits shifted out made sticky in the last bit. */
static wl_mreg_t shift_sticky(wl_isel_t *s, wl_mreg_t x, wl_mreg_t n) {
  const wl_mreg_t y = wl_t1(s), back = wl_t1(s);
  wl_rrr(s, WL_FORM_SHF_R_CLAMP_R, y, x, WL_RZ, n);
  wl_rrr(s, WL_FORM_SHF_L_CLAMP_R, back, WL_RZ, y, n);
  const uint32_t lost = wl_tp(s);
  wl_cmp(s, WL_FORM_SETP_U32_RR, lost, back, x, WL_NE);
  const wl_mreg_t one = new_or(s, y, 1);
  return new_sel(s, one, y, lost);
}

/* Rounds q / 4 (26 significant bits, last sticky) times 2^(exp - 150) to f32 without sign.
 * sign: register with the sign in bit 31, or RZ. With ftz exp may be 0 or negative in what is
 * rounded: `bits` is then an integer below 2^23, or 2^23 if exp = 0 has rounded up to 2^-126. */
static wl_mreg_t pack(wl_isel_t *s, wl_mreg_t q, wl_mreg_t exp, wl_mreg_t sign, uint32_t rnd,
                      bool ftz) {
  wl_mreg_t v = q, e = exp;
  if (!ftz) {
    const wl_mreg_t deep = new_ri(s, WL_FORM_RSUB_RI, exp, 1); /* 1 - exp: shift if positive */
    const wl_mreg_t n = new_ri(s, WL_FORM_MAX_S32_RI, deep, 0);
    v = shift_sticky(s, q, n);
    e = new_ri(s, WL_FORM_MAX_S32_RI, exp, 1);
  }
  const uint32_t negative = new_cmpi(s, WL_FORM_SETP_S32_RI, sign, 0, WL_LT);
  wl_mreg_t add;
  if (rnd == 0) { /* + 1 + last kept bit: halves go to even */
    const wl_mreg_t odd = wl_t1(s);
    wl_ri(s, WL_FORM_BFE_U32_I, odd, v, 1u << 8 | 2u);
    add = new_ri(s, WL_FORM_ADD_RI, odd, 1);
  } else if (rnd == 1) {
    add = WL_RZ;
  } else {
    add = new_seli(s, WL_RZ, 3, negative, rnd == 2); /* away from zero on the mode's side */
  }
  const wl_mreg_t r = wl_t1(s), sum = new_rr(s, WL_FORM_ADD_RR, v, add), base = wl_t1(s);
  wl_rri(s, WL_FORM_SHF_R_CLAMP_I, r, sum, WL_RZ, 2);
  wl_rri(s, WL_FORM_SHF_L_CLAMP_I, base, WL_RZ, new_ri(s, WL_FORM_ADD_RI, e, ~0u), 23);
  const wl_mreg_t bits = new_rr(s, WL_FORM_ADD_RR, r, base);
  /* Exponents above the range, also far above where base has wrapped. */
  const uint32_t high = new_cmpi(s, WL_FORM_SETP_S32_RI, exp, 254, WL_GT), over = wl_tp(s);
  wl_put(s, &(wl_minsn_t){.form = WL_FORM_SETP_S32_RI,
                          .pd = over,
                          .a = bits,
                          .imm = INF,
                          .ps = high,
                          .mods = WL_MODS(CMP, WL_GE) | WL_MODS(BOP, WL_BOP_OR)});
  wl_mreg_t limit = wl_t1(s);
  if (rnd < 2) {
    wl_movi(s, limit, rnd == 0 ? INF : INF - 1);
  } else { /* infinity only on the mode's side */
    const wl_mreg_t inf = wl_t1(s);
    wl_movi(s, inf, INF);
    limit = new_seli(s, inf, INF - 1, negative, rnd == 3);
  }
  wl_mreg_t result = new_sel(s, limit, bits, over);
  if (ftz) {
    const uint32_t small = new_cmpi(s, WL_FORM_SETP_S32_RI, result, 0x00800000u, WL_LT);
    result = new_seli(s, result, 0, small, true);
  }
  return result;
}

/* ma * 2^25 / mb with sticky, ma >= mb. */
static wl_mreg_t quotient(wl_isel_t *s, wl_mreg_t ma, wl_mreg_t mb) {
  const wl_mreg_t fa = convert(s, WL_FORM_CVT_F32_U32, ma, 0),
                  fb = convert(s, WL_FORM_CVT_F32_U32, mb, 0);
  const wl_mreg_t y = wl_x_recip(s, fb); /* about 2^-24 .. 2^-23 */
  const wl_mreg_t est =
      new_ri(s, WL_FORM_MUL_F32_RI, new_rr(s, WL_FORM_MUL_F32_RR, fa, y), 0x4c000000u);
  const wl_mreg_t q0 = convert(s, WL_FORM_CVT_U32_F32, est, 1);
  const wl_mreg_t top = wl_t1(s), nb = new_rr(s, WL_FORM_SUB_RR, WL_RZ, mb), r0 = wl_t1(s);
  wl_rri(s, WL_FORM_SHF_L_CLAMP_I, top, WL_RZ, ma, 25); /* low 32 bits suffice: r0 is small */
  wl_rrr(s, WL_FORM_MAD_LO_RRR, r0, nb, q0, top);
  const wl_mreg_t fr = convert(s, WL_FORM_CVT_F32_S32, r0, 0);
  const wl_mreg_t c0 = convert(s, WL_FORM_CVT_S32_F32, new_rr(s, WL_FORM_MUL_F32_RR, fr, y), 2);
  const wl_mreg_t q1 = new_rr(s, WL_FORM_ADD_RR, q0, c0), r1 = wl_t1(s);
  wl_rrr(s, WL_FORM_MAD_LO_RRR, r1, nb, c0, r0);
  /* r1 in [-mb, 2 mb): one more correction either way. */
  const uint32_t below = new_cmpi(s, WL_FORM_SETP_S32_RI, r1, 0, WL_LT);
  const wl_mreg_t q2 = new_sel(s, new_ri(s, WL_FORM_ADD_RI, q1, ~0u), q1, below);
  const wl_mreg_t r2 = new_sel(s, new_rr(s, WL_FORM_ADD_RR, r1, mb), r1, below);
  const uint32_t above = wl_tp(s);
  wl_cmp(s, WL_FORM_SETP_S32_RR, above, r2, mb, WL_GE);
  const wl_mreg_t q3 = new_sel(s, new_ri(s, WL_FORM_ADD_RI, q2, 1), q2, above);
  const wl_mreg_t r3 = new_sel(s, new_rr(s, WL_FORM_SUB_RR, r2, mb), r2, above);
  const uint32_t exact = new_cmpi(s, WL_FORM_SETP_U32_RI, r3, 0, WL_EQ);
  return new_sel(s, q3, new_or(s, q3, 1), exact);
}

wl_mreg_t wl_x_fdiv(wl_isel_t *s, wl_mreg_t a, wl_mreg_t b, uint32_t rnd, bool ftz) {
  const parts_t x = unpack(s, a, ftz), y = unpack(s, b, ftz);
  const wl_mreg_t sx = wl_t1(s);
  wl_lop(s, sx, a, b, WL_RZ, WL_LUT_A ^ WL_LUT_B);
  const wl_mreg_t sign = new_and(s, sx, 0x80000000u);
  const uint32_t less = wl_tp(s);
  wl_cmp(s, WL_FORM_SETP_U32_RR, less, x.sig, y.sig, WL_LT);
  const wl_mreg_t twice = new_rr(s, WL_FORM_ADD_RR, x.sig, x.sig);
  const wl_mreg_t ma = new_sel(s, twice, x.sig, less);
  const wl_mreg_t diff = new_rr(s, WL_FORM_SUB_RR, x.exp, y.exp);
  const wl_mreg_t e1 = new_ri(s, WL_FORM_ADD_RI, diff, 127),
                  e0 = new_ri(s, WL_FORM_ADD_RI, diff, 126);
  const wl_mreg_t exp = new_sel(s, e0, e1, less);
  wl_mreg_t r = pack(s, quotient(s, ma, y.sig), exp, sx, rnd, ftz);
  /* Special values, later ones win: x/inf = 0, 0/y = 0, inf/y = inf, x/0 = inf, then NaN. */
  const uint32_t az = new_cmpi(s, WL_FORM_SETP_U32_RI, x.abs, 0, WL_EQ);
  const uint32_t bz = new_cmpi(s, WL_FORM_SETP_U32_RI, y.abs, 0, WL_EQ);
  const uint32_t ai = new_cmpi(s, WL_FORM_SETP_U32_RI, x.abs, INF, WL_EQ);
  const uint32_t bi = new_cmpi(s, WL_FORM_SETP_U32_RI, y.abs, INF, WL_EQ);
  const uint32_t zero = wl_tp(s), inf = wl_tp(s), bad1 = wl_tp(s), bad2 = wl_tp(s), nan = wl_tp(s);
  wl_plop(s, zero, az, false, bi, false, WL_BOP_OR);
  wl_plop(s, inf, ai, false, bz, false, WL_BOP_OR);
  r = new_seli(s, r, 0, zero, true);
  r = new_seli(s, r, INF, inf, true);
  const wl_mreg_t signed_r = wl_t1(s);
  wl_lop(s, signed_r, r, sign, WL_RZ, WL_LUT_A | WL_LUT_B);
  wl_plop(s, bad1, zero, false, inf, false, WL_BOP_AND); /* 0/0, inf/inf, and 0/.. x inf/.. never */
  wl_cmp(s, WL_FORM_SETP_F32_RR, bad2, a, b, WL_UN);
  wl_plop(s, nan, bad1, false, bad2, false, WL_BOP_OR);
  return new_seli(s, signed_r, CANONICAL_NAN, nan, true);
}

/* Estimate of 1/sqrt(x) for normal x: exponent trick and three Newton steps. */
static wl_mreg_t recip_root(wl_isel_t *s, wl_mreg_t x) {
  const wl_mreg_t half = new_ri(s, WL_FORM_MUL_F32_RI, x, 0x3f000000u), shifted = wl_t1(s);
  wl_rri(s, WL_FORM_SHF_R_CLAMP_I, shifted, x, WL_RZ, 1);
  wl_mreg_t y = new_ri(s, WL_FORM_RSUB_RI, shifted, 0x5f3759dfu);
  for (int k = 0; k < 3; k++) { /* y += y * (1/2 - x/2 * y^2) */
    const wl_mreg_t t = new_rr(s, WL_FORM_MUL_F32_RR, half, y), e = wl_t1(s), next = wl_t1(s);
    wl_put(s, &(wl_minsn_t){.form = WL_FORM_FMA_F32_RRI,
                            .d = e,
                            .a = t,
                            .b = y,
                            .imm = 0x3f000000u,
                            .mods = WL_MODS(NEG_A, 1)});
    wl_rrr(s, WL_FORM_FMA_F32_RRR, next, y, e, y);
    y = next;
  }
  return y;
}

/* floor(sqrt(m * 2^27)) with sticky, m in [2^23, 2^25): 25 to 26 bits, always at least 2^25. */
static wl_mreg_t root(wl_isel_t *s, wl_mreg_t m) {
  const wl_mreg_t fm = convert(s, WL_FORM_CVT_F32_U32, m, 0), y = recip_root(s, fm);
  /* sqrt(m 2^27) = m y 2^13.5: 2^13.5 rounded, the correction below takes the error. */
  const wl_mreg_t est =
      new_ri(s, WL_FORM_MUL_F32_RI, new_rr(s, WL_FORM_MUL_F32_RR, fm, y), 0x463504f3u);
  wl_mreg_t q = convert(s, WL_FORM_CVT_U32_F32, est, 1);
  const wl_mreg_t big = wl_t2(s), sq = wl_t2(s), rem = wl_t2(s);
  wl_rri(s, WL_FORM_SHF_L_CLAMP_I, big, WL_RZ, m, 27);
  wl_rri(s, WL_FORM_SHF_R_CLAMP_I, wl_mreg_at(big, 1), m, WL_RZ, 5);
  wl_rrr(s, WL_FORM_MAD_WIDE_U32_RRR, sq, q, q, WL_RZ);
  wl_rr(s, WL_FORM_SUB64_RR, rem, big, sq);
  /* Correction rem / (2 q) = rem * y * 2^-14.5, then steps of one with the exact remainder. */
  const wl_mreg_t fr = convert(s, WL_FORM_CVT_F32_S64, rem, 0);
  const wl_mreg_t c =
      convert(s, WL_FORM_CVT_S32_F32,
              new_ri(s, WL_FORM_MUL_F32_RI, new_rr(s, WL_FORM_MUL_F32_RR, fr, y), 0x383504f3u), 2);
  q = new_rr(s, WL_FORM_ADD_RR, q, c);
  wl_mreg_t r = wl_t2(s);
  const wl_mreg_t sq1 = wl_t2(s);
  wl_rrr(s, WL_FORM_MAD_WIDE_U32_RRR, sq1, q, q, WL_RZ);
  wl_rr(s, WL_FORM_SUB64_RR, r, big, sq1);
  const wl_mreg_t r0 = r; /* |r| < 2^29: its low word decides */
  const uint32_t below = new_cmpi(s, WL_FORM_SETP_S32_RI, r0, 0, WL_LT);
  const wl_mreg_t down = new_ri(s, WL_FORM_ADD_RI, q, ~0u);
  /* (q - 1)^2 = q^2 - 2 q + 1 */
  const wl_mreg_t dq = new_rr(s, WL_FORM_ADD_RR, q, down), rd = new_rr(s, WL_FORM_ADD_RR, r0, dq);
  q = new_sel(s, down, q, below);
  const wl_mreg_t r1 = new_sel(s, rd, r0, below);
  const wl_mreg_t up = new_ri(s, WL_FORM_ADD_RI, q, 1), uq = new_rr(s, WL_FORM_ADD_RR, q, up);
  const uint32_t above = wl_tp(s);
  wl_cmp(s, WL_FORM_SETP_S32_RR, above, r1, uq, WL_GE);
  const wl_mreg_t ru = new_rr(s, WL_FORM_SUB_RR, r1, uq);
  q = new_sel(s, up, q, above);
  const wl_mreg_t r2 = new_sel(s, ru, r1, above);
  const uint32_t exact = new_cmpi(s, WL_FORM_SETP_U32_RI, r2, 0, WL_EQ);
  return new_sel(s, q, new_or(s, q, 1), exact);
}

wl_mreg_t wl_x_fsqrt(wl_isel_t *s, wl_mreg_t a, uint32_t rnd, bool ftz) {
  const parts_t x = unpack(s, a, ftz);
  /* value = sig * 2^(exp - 150); an even power of two is taken out: with exp odd (exp - 127 even)
   * m = sig, with exp even m = 2 sig and one less. */
  const wl_mreg_t bit = new_and(s, x.exp, 1), twice = new_rr(s, WL_FORM_ADD_RR, x.sig, x.sig);
  const uint32_t odd = new_cmpi(s, WL_FORM_SETP_U32_RI, bit, 0, WL_NE);
  const wl_mreg_t m = new_sel(s, x.sig, twice, odd), less = new_ri(s, WL_FORM_ADD_RI, x.exp, ~0u);
  const wl_mreg_t even = new_sel(s, x.exp, less, odd);
  /* result exponent: (even - 127) / 2 + 127 */
  const wl_mreg_t half =
      new_ri(s, WL_FORM_SHR_S32_RI, new_ri(s, WL_FORM_ADD_RI, even, 0u - 127u), 1);
  const wl_mreg_t exp = new_ri(s, WL_FORM_ADD_RI, half, 127);
  wl_mreg_t r = pack(s, root(s, m), exp, WL_RZ, rnd, ftz);
  const uint32_t zero = new_cmpi(s, WL_FORM_SETP_U32_RI, x.abs, 0, WL_EQ);
  const uint32_t inf = new_cmpi(s, WL_FORM_SETP_U32_RI, a, INF, WL_EQ);
  const wl_mreg_t sign = new_and(s, a, 0x80000000u);
  r = new_sel(s, sign, r, zero); /* sqrt(-0) = -0 */
  r = new_seli(s, r, INF, inf, true);
  /* NaN operands, and negative ones that are not zero */
  const uint32_t neg = new_cmpi(s, WL_FORM_SETP_S32_RI, a, 0, WL_LT), bad = wl_tp(s),
                 nan = wl_tp(s);
  wl_plop(s, bad, neg, false, zero, true, WL_BOP_AND);
  wl_put(s, &(wl_minsn_t){.form = WL_FORM_SETP_U32_RI,
                          .pd = nan,
                          .a = x.abs,
                          .imm = INF,
                          .ps = bad,
                          .mods = WL_MODS(CMP, WL_GT) | WL_MODS(BOP, WL_BOP_OR)});
  return new_seli(s, r, CANONICAL_NAN, nan, true);
}
