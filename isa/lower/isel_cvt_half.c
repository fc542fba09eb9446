/* isel_cvt_half.c: cvt of f16 and bf16 from and to integers, to each other, and to integral values. PTX
 * 9.7.9.21. Everything goes through f32, so that what remains inexact is rounded once:
 *   half to integer   f32 holds every half exactly
 *   half to half      the same; integral values after the conversion of f32 to an integral value. Without a
 *                     rounding to the nearest even. A copy, too, makes a NaN 7fff
 *   integer to f16    clamped to +-2^17 first, which f32 holds exactly: from there on every rounding gives
 *                     what it gives of larger numbers. .sat: clamped to 0 and 1
 *   integer to bf16   from 16 bits exact in f32. From 32 and 64 rounded to odd: toward zero, with the
 *                     last bit set where that was not exact. f32 has 16 bits more than bf16, so that the
 *                     second rounding sees on which side of every tie and number it is */
#include "isa/lower/isel_cvt.h"

#define OPND(k) (&s->in->operands[k])
enum { F16_BEYOND = 1 << 17, ROUND_RZ = 1 };

static bool is_half(wl_ptx_type_t t) { return t == WL_PTX_T_F16 || t == WL_PTX_T_BF16; }

static wl_mreg_t narrowed(wl_isel_t *s, wl_mreg_t v, uint32_t rnd) {
  return wl_cvt_by(s, s->in->type[0] == WL_PTX_T_F16 ? WL_FORM_CVT_F16_F32 : WL_FORM_CVT_BF16_F32,
                   v, 1, rnd, false);
}

static wl_mreg_t int_to_f16(wl_isel_t *s, wl_ptx_type_t t) {
  const bool sat = wl_isel_has(s, WL_PTX_F(SAT)), sign = wl_signed(t);
  const int64_t most = sat ? 1 : F16_BEYOND, least = sat ? 0 : -most;
  wl_mreg_t v;
  if (wl_bits(t) == 64) {
    v = wl_cvt_clamp64(s, wl_is_r64(s, OPND(1), t), sign, least, (uint64_t)most);
  } else {
    v = wl_is_x32(s, OPND(1), t);
    if (sat || wl_bits(t) == 32) v = wl_cvt_clamp32(s, v, sign, least, most);
  }
  const wl_mreg_t exact =
      wl_cvt_by(s, sign ? WL_FORM_CVT_F32_S32 : WL_FORM_CVT_F32_U32, v, 1, 0, false);
  return narrowed(s, exact, wl_isel_rounding(s->in->round));
}

/* v as f32, rounded to odd. */
static wl_mreg_t rounded_to_odd(wl_isel_t *s, wl_mreg_t v, bool wide, bool sign) {
  const wl_form_t to = wide   ? sign ? WL_FORM_CVT_F32_S64 : WL_FORM_CVT_F32_U64
                       : sign ? WL_FORM_CVT_F32_S32
                              : WL_FORM_CVT_F32_U32;
  const wl_form_t from = wide   ? sign ? WL_FORM_CVT_S64_F32 : WL_FORM_CVT_U64_F32
                         : sign ? WL_FORM_CVT_S32_F32
                                : WL_FORM_CVT_U32_F32;
  const wl_mreg_t cut = wl_cvt_by(s, to, v, 1, ROUND_RZ, false);
  const wl_mreg_t back = wl_cvt_by(s, from, cut, wide ? 2 : 1, ROUND_RZ, false);
  const wl_mreg_t odd = wl_t1(s), d = wl_t1(s);
  const uint32_t p = wl_tp(s);
  wl_cmp(s, wide ? WL_FORM_SETP_U64_RR : WL_FORM_SETP_U32_RR, p, v, back, WL_EQ);
  wl_lopi(s, odd, cut, 1, WL_RZ, WL_LUT_A | WL_LUT_B);
  wl_sel(s, d, cut, odd, p, false);
  return d;
}

static wl_mreg_t int_to_bf16(wl_isel_t *s, wl_ptx_type_t t) {
  const bool sign = wl_signed(t), wide = wl_bits(t) == 64;
  wl_mreg_t v = wide ? wl_is_r64(s, OPND(1), t) : wl_is_x32(s, OPND(1), t);
  if (wl_bits(t) == 16)
    v = wl_cvt_by(s, sign ? WL_FORM_CVT_F32_S32 : WL_FORM_CVT_F32_U32, v, 1, 0, false);
  else
    v = rounded_to_odd(s, v, wide, sign);
  return narrowed(s, v, wl_isel_rounding(s->in->round));
}

static bool is_integral(wl_ptx_mod_t round) {
  return round == WL_PTX_M_RNI || round == WL_PTX_M_RZI || round == WL_PTX_M_RMI ||
         round == WL_PTX_M_RPI;
}

static wl_mreg_t half_to_half(wl_isel_t *s) {
  const bool integral = is_integral(s->in->round);
  const uint32_t rnd = wl_isel_rounding(s->in->round);
  wl_mreg_t v = wl_cvt_widened(s, 1);
  if (integral) v = wl_cvt_by(s, WL_FORM_CVT_RND_F32, v, 1, rnd, false);
  if (wl_isel_has(s, WL_PTX_F(SAT)))
    v = wl_cvt_imm(s, WL_FORM_ADD_F32_RI, v, WL_MINUS_ZERO, WL_MODS(SAT, 1));
  return narrowed(s, v, integral ? 0 : rnd);
}

bool wl_isel_cvt_half(wl_isel_t *s) {
  const wl_ptx_type_t d = s->in->type[0], t = s->in->type[1];
  if (is_half(t) && !is_half(d))
    wl_cvt_f32_to_int(s, wl_cvt_widened(s, 1), d);
  else if (!is_half(d))
    return false;
  else
    wl_cvt_finish(s,
                  is_half(t)          ? half_to_half(s)
                  : d == WL_PTX_T_F16 ? int_to_f16(s, t)
                                      : int_to_bf16(s, t),
                  WL_PTX_T_U32);
  return true;
}
