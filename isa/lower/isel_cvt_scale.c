/* isel_cvt_scale.c: cvt of ue8m0x2, s2f6x2, and from pairs of 8, 6 and 4 bits to bf16x2, with a scale. PTX
 * 9.7.9.21. What PTX leaves out follows the host code of CUDA's headers (ue8m0) or is chosen here
 * (expansions.md). Expansions:
 *   to ue8m0       of the magnitude, sign dropped: its exponent field. .rp: of the magnitude plus all bits
 *                  below the exponent, but 0 up to 2^-127; at most ff, the NaN. .satfinite: the magnitude is
 *                  first clamped to 2^127, a NaN stays
 *   from ue8m0     both halves at once: byte << 7; 0 becomes 0040 (2^-127), 7f80 becomes 7fff
 *   to s2f6        times 1 / scale, times 64, clamped to +-127 (a NaN to 127; .relu: from 0), to nearest even
 *   from s2f6      the byte as a signed integer, times 2^-6
 *   to bf16x2      widened to f32, times scale, both exact unless beyond f32; .satfinite, .relu; rounded once
 * The scale of the upper number is the upper byte. A scale ff is a NaN. */
#include "isa/lower/isel_cvt.h"

#define OPND(k) (&s->in->operands[k])
enum {
  F32_NAN = 0x7fffffff,
  F32_FRACTION = 0x007fffff,
  F32_2_M127 = 0x00400000,
  F32_2_127 = 0x7f000000,
  F32_2_M6 = 0x3c800000,
  F32_64 = 0x42800000,
  F32_127 = 0x42fe0000,
  F32_M127 = 0xc2fe0000u,
  BF16_LARGEST = 0x7f7f0000
};

/* ---- ue8m0 */
static wl_mreg_t to_exponent(wl_isel_t *s, wl_mreg_t v) {
  wl_mreg_t m = wl_t1(s);
  wl_lopi(s, m, v, 0x7fffffffu, WL_RZ, WL_LUT_A & WL_LUT_B);
  if (wl_isel_has(s, WL_PTX_F(SATFINITE)))
    m = wl_cvt_imm(s, WL_FORM_MIN_F32_RI, m, F32_2_127, WL_MODS(NAN, 1));
  if (s->in->round == WL_PTX_M_RP) {
    const wl_mreg_t up = wl_t1(s), r = wl_t1(s);
    const uint32_t p = wl_tp(s);
    wl_ri(s, WL_FORM_ADD_RI, up, m, F32_FRACTION);
    wl_cmpi(s, WL_FORM_SETP_U32_RI, p, m, F32_2_M127, WL_GT);
    wl_sel(s, r, up, WL_RZ, p, false);
    m = r;
  }
  const wl_mreg_t e = wl_t1(s), d = wl_t1(s);
  wl_rri(s, WL_FORM_SHF_R_CLAMP_I, e, m, WL_RZ, 23);
  wl_ri(s, WL_FORM_MIN_U32_RI, d, e, 0xff);
  return d;
}

static void to_ue8m0(wl_isel_t *s) {
  const wl_mreg_t a = to_exponent(s, wl_cvt_source(s, true)),
                  b = to_exponent(s, wl_cvt_source(s, false)), d = wl_t1(s);
  wl_rri(s, WL_FORM_PRMT_RRI, d, b, a, 0x5540);
  wl_cvt_finish(s, d, WL_PTX_T_U32);
}

static void from_ue8m0(wl_isel_t *s) {
  const wl_mreg_t v = wl_is_r32(s, OPND(1), WL_PTX_T_UE8M0X2), apart = wl_t1(s), shifted = wl_t1(s),
                  number = wl_t1(s), is_nan = wl_t1(s), d = wl_t1(s);
  wl_rri(s, WL_FORM_PRMT_RRI, apart, v, WL_RZ, 0x4140);
  wl_rri(s, WL_FORM_SHF_L_CLAMP_I, shifted, WL_RZ, apart, 7);
  wl_put(s, &(wl_minsn_t){.form = WL_FORM_MAXV_RI,
                          .d = number,
                          .a = shifted,
                          .imm = 0x00400040,
                          .mods = WL_MODS(UNS, 1)});
  wl_put(s, &(wl_minsn_t){.form = WL_FORM_SET2_BF16_RI,
                          .d = is_nan,
                          .a = number,
                          .imm = 0x7f807f80,
                          .mods = WL_MODS(CMP, WL_EQ)});
  wl_lopi(s, d, is_nan, 0x007f007f, number, (WL_LUT_A & WL_LUT_B) | WL_LUT_C);
  wl_cvt_finish(s, d, WL_PTX_T_U32);
}

/* ---- scales: operand k, two bytes of ue8m0 */
static bool is_scaled(const wl_isel_t *s) {
  for (uint32_t i = 0; i < s->in->nmodes; i++)
    if (s->in->mode[i] == WL_PTX_M_SCALED) return true;
  return false;
}

/* v times the scale, or times its reciprocal: 2^(e - 127) or 2^(127 - e), of which the smallest are
 * subnormal. */
static wl_mreg_t scaled(wl_isel_t *s, wl_mreg_t v, uint32_t k, bool high, bool reciprocal) {
  if (!is_scaled(s)) return v;
  const wl_mreg_t scale = wl_is_r32(s, OPND(k), WL_PTX_T_UE8M0X2), e = wl_t1(s), power = wl_t1(s),
                  normal = wl_t1(s), factor = wl_t1(s), d = wl_t1(s);
  const uint32_t is_nan = wl_tp(s);
  wl_ri(s, WL_FORM_BFE_U32_I, e, scale, (high ? 8 : 0) | 8 << 8);
  wl_mreg_t field = e;
  if (reciprocal) { /* 254 - e; of a NaN it does not matter */
    const wl_mreg_t complement = wl_t1(s);
    wl_lopi(s, complement, e, 0xff, WL_RZ, WL_LUT_A ^ WL_LUT_B);
    wl_ri(s, WL_FORM_ADD_RI, field = wl_t1(s), complement, 0u - 1u);
  }
  wl_rri(s, WL_FORM_SHF_L_CLAMP_I, power, WL_RZ, field, 23);
  wl_ri(s, WL_FORM_MAX_U32_RI, normal, power, F32_2_M127);
  wl_cmpi(s, WL_FORM_SETP_U32_RI, is_nan, e, 0xff, WL_EQ);
  wl_seli(s, factor, normal, F32_NAN, is_nan, true);
  wl_rr(s, WL_FORM_MUL_F32_RR, d, v, factor);
  return d;
}

/* ---- s2f6 */
static wl_mreg_t to_fixed(wl_isel_t *s, bool high) {
  const uint32_t scale = s->in->type[1] == WL_PTX_T_F32 ? 3 : 2;
  wl_mreg_t v = scaled(s, wl_cvt_source(s, high), scale, high, true);
  v = wl_cvt_imm(s, WL_FORM_MUL_F32_RI, v, F32_64, 0);
  v = wl_cvt_imm(s, WL_FORM_MIN_F32_RI, v, F32_127, 0); /* drops a NaN */
  v = wl_cvt_imm(s, WL_FORM_MAX_F32_RI, v, wl_isel_has(s, WL_PTX_F(RELU)) ? 0 : F32_M127, 0);
  return wl_cvt_by(s, WL_FORM_CVT_S32_F32, v, 1, 0, false);
}

static void to_s2f6(wl_isel_t *s) {
  const wl_mreg_t a = to_fixed(s, true), b = to_fixed(s, false), low = wl_t1(s), d = wl_t1(s);
  wl_rri(s, WL_FORM_PRMT_RRI, low, b, a, 0x0040);
  wl_is_extend(s, d, low, 16, false);
  wl_cvt_finish(s, d, WL_PTX_T_U32);
}

static wl_mreg_t from_fixed(wl_isel_t *s, bool high) {
  const wl_mreg_t v = wl_is_r32(s, OPND(1), WL_PTX_T_S2F6X2), byte = wl_t1(s);
  wl_ri(s, WL_FORM_BFE_S32_I, byte, v, (high ? 8 : 0) | 8 << 8);
  return wl_cvt_imm(s, WL_FORM_MUL_F32_RI, wl_cvt_by(s, WL_FORM_CVT_F32_S32, byte, 1, 0, false),
                    F32_2_M6, 0);
}

/* ---- bf16x2 */
static bool to_bf16(wl_isel_t *s) {
  wl_mreg_t halves = WL_RZ, number[2];
  const bool fixed = s->in->type[1] == WL_PTX_T_S2F6X2;
  if (!fixed && !wl_cvt_halves(s, &halves)) return false;
  for (unsigned high = 0; high < 2; high++) {
    const wl_mreg_t v = fixed ? from_fixed(s, high) : wl_cvt_half(s, halves, false, high);
    number[high] = wl_cvt_limited(s, scaled(s, v, 2, high, false), BF16_LARGEST);
  }
  const wl_mreg_t d = wl_t1(s);
  wl_rr(s, WL_FORM_CVT_BF16X2_F32, d, number[1], number[0]);
  wl_cvt_finish(s, d, WL_PTX_T_U32);
  return true;
}

bool wl_isel_cvt_scale(wl_isel_t *s) {
  const wl_ptx_type_t d = s->in->type[0], t = s->in->type[1];
  if (d == WL_PTX_T_UE8M0X2)
    to_ue8m0(s);
  else if (t == WL_PTX_T_UE8M0X2)
    from_ue8m0(s);
  else if (d == WL_PTX_T_S2F6X2)
    to_s2f6(s);
  else
    return d == WL_PTX_T_BF16X2 && to_bf16(s);
  return true;
}
