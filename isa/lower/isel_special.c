/* isel_special.c: ex2, lg2, tanh [PTX 9.7.3.20 to 22, 9.7.4.9, 9.7.4.10]. The machine's forms flush
 * subnormal numbers. Expansions:
 *   ex2.f32        without .ftz, below -126: 2^(a + 24) * 2^-24; the sum is exact, the product rounds once
 *   lg2.f32        without .ftz, subnormal: lg2(a * 2^24) - 24
 *   16 bits        f32's function of the widened operand; ex2 cut to the format, as an NVIDIA GPU does
 *                  (65536 and above is f16's infinity), tanh rounded to nearest. ex2.ftz.bf16 flushes
 *                  the operand and the result */
#include "isa/lower/isel_cvt.h"

#define OPND(k) (&s->in->operands[k])
enum { TWO_24 = 0x4b800000, TWO_M24 = 0x33800000, F24 = 0x41c00000, NEG_F24 = (int)0xc1c00000 };
#define MINUS_126    0xc2fc0000u
#define TWO_16       0x47800000u
#define INFINITY_F32 0x7f800000u

static wl_mreg_t one(wl_isel_t *s, wl_form_t form, wl_mreg_t a) {
  return wl_cvt_by(s, form, a, 1, 0, false);
}

static wl_mreg_t select(wl_isel_t *s, wl_mreg_t yes, wl_mreg_t no, uint32_t p) {
  const wl_mreg_t d = wl_t1(s);
  wl_sel(s, d, yes, no, p, false);
  return d;
}

static wl_mreg_t ex2(wl_isel_t *s, wl_mreg_t a, bool ftz) {
  if (ftz) return one(s, WL_FORM_EX2_F32, a);
  const uint32_t low = wl_tp(s);
  wl_cmpi(s, WL_FORM_SETP_F32_RI, low, a, MINUS_126, WL_LT);
  const wl_mreg_t x = select(s, wl_cvt_imm(s, WL_FORM_ADD_F32_RI, a, F24, 0), a, low);
  const wl_mreg_t y = one(s, WL_FORM_EX2_F32, x);
  return select(s, wl_cvt_imm(s, WL_FORM_MUL_F32_RI, y, TWO_M24, 0), y, low);
}

static wl_mreg_t lg2(wl_isel_t *s, wl_mreg_t a, bool ftz) {
  if (ftz) return one(s, WL_FORM_LG2_F32, a);
  const uint32_t tiny = wl_tp(s);
  const wl_mreg_t magnitude = wl_t1(s);
  wl_lopi(s, magnitude, a, 0x7fffffffu, WL_RZ, WL_LUT_A & WL_LUT_B);
  wl_cmpi(s, WL_FORM_SETP_U32_RI, tiny, magnitude, 0x00800000u, WL_LT);
  const wl_mreg_t x = select(s, wl_cvt_imm(s, WL_FORM_MUL_F32_RI, a, TWO_24, 0), a, tiny);
  const wl_mreg_t y = one(s, WL_FORM_LG2_F32, x);
  return select(s, wl_cvt_imm(s, WL_FORM_ADD_F32_RI, y, (uint32_t)NEG_F24, 0), y, tiny);
}

static wl_mreg_t function(wl_isel_t *s, wl_mreg_t a, bool ftz) {
  switch (s->in->op) {
  case WL_PTX_OP_EX2:
    return ex2(s, a, ftz);
  case WL_PTX_OP_LG2:
    return lg2(s, a, ftz);
  default:
    return one(s, WL_FORM_TANH_F32, a);
  }
}

/* No result of f16 needs f32's subnormal numbers, of bf16 they are flushed. What is beyond f16 is
 * made infinity here, as the cut would give the largest number. */
static wl_mreg_t of_half(wl_isel_t *s, wl_mreg_t a, bool bf16, bool high) {
  const wl_mreg_t y = function(s, wl_cvt_half(s, a, bf16, high), true);
  if (bf16 || s->in->op != WL_PTX_OP_EX2) return y;
  const wl_mreg_t d = wl_t1(s);
  const uint32_t beyond = wl_tp(s);
  wl_cmpi(s, WL_FORM_SETP_F32_RI, beyond, y, TWO_16, WL_GE);
  wl_seli(s, d, y, INFINITY_F32, beyond, true);
  return d;
}

static void halves(wl_isel_t *s, bool bf16, bool two) {
  const wl_mreg_t a = wl_is_r32(s, OPND(1), s->in->type[0]), d = wl_t1(s);
  const uint32_t mods = WL_MODS(RND, s->in->op == WL_PTX_OP_EX2);
  const wl_mreg_t low = of_half(s, a, bf16, false);
  wl_minsn_t i = {
      .form = bf16 ? WL_FORM_CVT_BF16_F32 : WL_FORM_CVT_F16_F32, .d = d, .a = low, .mods = mods};
  if (two) {
    i.form = bf16 ? WL_FORM_CVT_BF16X2_F32 : WL_FORM_CVT_F16X2_F32;
    i.a = of_half(s, a, bf16, true);
    i.b = low;
  }
  wl_put(s, &i);
  wl_copy(s, wl_is_dst(s, OPND(0)), d, 1);
}

bool wl_isel_special(wl_isel_t *s) {
  const wl_ptx_type_t t = s->in->type[0];
  if (s->in->op != WL_PTX_OP_EX2 && s->in->op != WL_PTX_OP_LG2 && s->in->op != WL_PTX_OP_TANH)
    return false;
  if (t == WL_PTX_T_F32) {
    const wl_mreg_t a = wl_is_r32(s, OPND(1), t);
    wl_copy(s, wl_is_dst(s, OPND(0)), function(s, a, wl_isel_has(s, WL_PTX_F(FTZ))), 1);
  } else {
    halves(s, t == WL_PTX_T_BF16 || t == WL_PTX_T_BF16X2,
           t == WL_PTX_T_F16X2 || t == WL_PTX_T_BF16X2);
  }
  return true;
}
