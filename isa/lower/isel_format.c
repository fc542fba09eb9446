/* isel_format.c: cvt between f32 and f16, bf16, tf32. PTX 9.7.9.21. Expansions:
 *   .sat           f32 + (-0) with sat before the conversion, after it to f32
 *   .ftz           to bf16, from bf16: f32 + (-0) with ftz. To f16: nothing. By rn or rz such an
 *                  operand is a zero of its sign anyhow; by rm and rp an H200 does not flush
 *   .satfinite     clamped to the format's largest number first; a NaN stays
 *   .relu          the larger of the operand and +0 first; a NaN stays
 *   f32 from bf16  shifted left by 16
 *   .rna.satfinite.tf32   an infinity or NaN becomes the number of the next lower pattern
 *   .rz, .rn to tf32      the low 13 bits cleared, in .rn after a half of the last place, less one unit where
 *                  the last place is even, was added; a NaN becomes 7fffe000 */
#include "isa/lower/isel_cvt.h"

#define OPND(k) (&s->in->operands[k])
enum { TF32_LOW = 0x1fff, TF32_LARGEST = 0x7f7fe000, TF32_NAN = 0x7fffe000 };

typedef struct target { /* of a conversion from f32 */
  wl_ptx_type_t type;
  wl_form_t form;
  uint32_t largest; /* as f32 */
  bool two;
} target_t;

static const target_t targets[] = {
    {WL_PTX_T_F16, WL_FORM_CVT_F16_F32, 0x477fe000, false},
    {WL_PTX_T_BF16, WL_FORM_CVT_BF16_F32, 0x7f7f0000, false},
    {WL_PTX_T_F16X2, WL_FORM_CVT_F16X2_F32, 0x477fe000, true},
    {WL_PTX_T_BF16X2, WL_FORM_CVT_BF16X2_F32, 0x7f7f0000, true},
};

wl_mreg_t wl_cvt_imm(wl_isel_t *s, wl_form_t form, wl_mreg_t a, uint32_t imm, uint32_t mods) {
  const wl_mreg_t d = wl_t1(s);
  wl_put(s, &(wl_minsn_t){.form = (uint16_t)form, .d = d, .a = a, .imm = imm, .mods = mods});
  return d;
}

wl_mreg_t wl_cvt_relu(wl_isel_t *s, wl_mreg_t v) {
  return wl_isel_has(s, WL_PTX_F(RELU)) ? wl_cvt_imm(s, WL_FORM_MAX_F32_RI, v, 0, WL_MODS(NAN, 1))
                                        : v;
}

wl_mreg_t wl_cvt_limited(wl_isel_t *s, wl_mreg_t v, uint32_t largest) {
  const uint32_t keep = WL_MODS(NAN, 1);
  if (wl_isel_has(s, WL_PTX_F(SATFINITE))) {
    v = wl_cvt_imm(s, WL_FORM_MIN_F32_RI, v, largest, keep);
    if (!wl_isel_has(s, WL_PTX_F(RELU)))
      v = wl_cvt_imm(s, WL_FORM_MAX_F32_RI, v, largest | WL_MINUS_ZERO, keep);
  }
  return wl_cvt_relu(s, v);
}

/* Operand k with what the modifiers do before the conversion. */
static wl_mreg_t prepared(wl_isel_t *s, uint32_t k, const target_t *t) {
  const bool sat = wl_isel_has(s, WL_PTX_F(SAT));
  const bool flush = wl_isel_has(s, WL_PTX_F(FTZ)) && t->type == WL_PTX_T_BF16;
  wl_mreg_t v = wl_is_r32(s, OPND(k), WL_PTX_T_F32);
  if (sat || flush)
    v = wl_cvt_imm(s, WL_FORM_ADD_F32_RI, v, WL_MINUS_ZERO,
                   WL_MODS(SAT, sat) | WL_MODS(FTZ, flush));
  return wl_cvt_limited(s, v, t->largest);
}

static void narrow(wl_isel_t *s, const target_t *t) {
  const wl_mreg_t a = prepared(s, 1, t), b = t->two ? prepared(s, 2, t) : WL_RZ, d = wl_t1(s);
  const bool random = s->in->round == WL_PTX_M_RS;
  const wl_form_t stochastic =
      t->type == WL_PTX_T_F16X2 ? WL_FORM_CVT_RS_F16X2_F32 : WL_FORM_CVT_RS_BF16X2_F32;
  wl_put(s, &(wl_minsn_t){.form = (uint16_t)(random ? stochastic : t->form),
                          .d = d,
                          .a = a,
                          .b = b,
                          .c = random ? wl_is_r32(s, OPND(3), WL_PTX_T_B32) : WL_RZ,
                          .mods = WL_MODS(RND, wl_isel_rounding(s->in->round))});
  wl_cvt_finish(s, d, WL_PTX_T_U32);
}

static wl_mreg_t one(wl_isel_t *s, wl_form_t form, wl_mreg_t a) {
  return wl_cvt_by(s, form, a, 1, 0, false);
}

/* Of an infinity or a NaN that the machine cut. */
static wl_mreg_t pattern_below(wl_isel_t *s, wl_mreg_t v) {
  const wl_mreg_t magnitude = wl_t1(s), below = wl_t1(s), r = wl_t1(s);
  const uint32_t p = wl_tp(s);
  wl_lopi(s, magnitude, v, 0x7fffffffu, WL_RZ, WL_LUT_A & WL_LUT_B);
  wl_cmpi(s, WL_FORM_SETP_U32_RI, p, magnitude, 0x7f800000u, WL_GE);
  wl_ri(s, WL_FORM_ADD_RI, below, v, 0u - (TF32_LOW + 1u));
  wl_sel(s, r, below, v, p, false);
  return r;
}

static void to_tf32(wl_isel_t *s) {
  wl_mreg_t v = wl_is_r32(s, OPND(1), WL_PTX_T_F32);
  const wl_mreg_t d = wl_t1(s), r = wl_t1(s);
  const uint32_t p = wl_tp(s);
  if (s->in->round == WL_PTX_M_RNA) {
    v = one(s, WL_FORM_CVT_TF32_RNA_F32, v);
    if (wl_isel_has(s, WL_PTX_F(SATFINITE))) v = pattern_below(s, v);
    wl_cvt_finish(s, v, WL_PTX_T_U32);
    return;
  }
  v = wl_cvt_limited(s, v, TF32_LARGEST);
  wl_cmpi(s, WL_FORM_SETP_F32_RI, p, v, 0, WL_NUM);
  if (s->in->round == WL_PTX_M_RN) {
    const wl_mreg_t even = wl_t1(s), half = wl_t1(s), sum = wl_t1(s);
    wl_ri(s, WL_FORM_BFE_U32_I, even, v, 13 | 1 << 8);
    wl_ri(s, WL_FORM_ADD_RI, half, even, TF32_LOW / 2);
    wl_rr(s, WL_FORM_ADD_RR, sum, v, half);
    v = sum;
  }
  wl_lopi(s, d, v, ~(uint32_t)TF32_LOW, WL_RZ, WL_LUT_A & WL_LUT_B);
  wl_seli(s, r, d, TF32_NAN, p, false);
  wl_cvt_finish(s, r, WL_PTX_T_U32);
}

wl_mreg_t wl_cvt_widened(wl_isel_t *s, uint32_t k) {
  const wl_ptx_type_t t = s->in->type[1];
  return wl_cvt_half(s, wl_is_r32(s, OPND(k), t), t == WL_PTX_T_BF16, false);
}

static void to_f32(wl_isel_t *s) {
  const bool f16 = s->in->type[1] == WL_PTX_T_F16;
  const bool sat = wl_isel_has(s, WL_PTX_F(SAT)), ftz = wl_isel_has(s, WL_PTX_F(FTZ)) && !f16;
  wl_mreg_t d = wl_cvt_widened(s, 1);
  if (sat || ftz)
    d = wl_cvt_imm(s, WL_FORM_ADD_F32_RI, d, WL_MINUS_ZERO, WL_MODS(SAT, sat) | WL_MODS(FTZ, ftz));
  wl_cvt_finish(s, d, WL_PTX_T_U32);
}

bool wl_isel_format(wl_isel_t *s) {
  const wl_ptx_type_t d = s->in->type[0], t = s->in->type[1];
  for (size_t i = 0; t == WL_PTX_T_F32 && i < sizeof targets / sizeof *targets; i++) {
    if (targets[i].type != d) continue;
    narrow(s, &targets[i]);
    return true;
  }
  if (d == WL_PTX_T_TF32 && t == WL_PTX_T_F32)
    to_tf32(s);
  else if (d == WL_PTX_T_F32 && (t == WL_PTX_T_F16 || t == WL_PTX_T_BF16))
    to_f32(s);
  else
    return false;
  return true;
}
