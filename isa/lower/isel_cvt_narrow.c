/* isel_cvt_narrow.c: cvt from f32, f16x2 and bf16x2 to pairs and fours of 8, 6 and 4 bits, and back to
 * f16x2. PTX 9.7.9.21. Expansions:
 *   from f16x2, bf16x2   both halves widened to f32, exactly; then the machine's conversion of two of f32
 *   .relu                the larger of the operand and +0 first, a NaN stays; to f16x2: halves with a
 *                        sign become +0 (a NaN has none)
 *   .rs of {a, b, e, f}  two conversions of two. Of 8 and 6 bits a and b both have the upper 16 random bits, e
 *                        and f both the lower; of 4 bits a has byte 3, b byte 1, e byte 2, f byte 0 */
#include "isa/lower/isel_cvt.h"

#define OPND(k) (&s->in->operands[k])

typedef struct narrow {
  wl_ptx_type_t two, four;
  wl_form_t narrow, widen, stochastic;
} narrow_t;

static const narrow_t narrows[] = {
    {WL_PTX_T_E4M3X2, WL_PTX_T_E4M3X4, WL_FORM_CVT_E4M3X2_F32, WL_FORM_CVT_F16X2_E4M3X2,
     WL_FORM_CVT_RS_E4M3X2_F32},
    {WL_PTX_T_E5M2X2, WL_PTX_T_E5M2X4, WL_FORM_CVT_E5M2X2_F32, WL_FORM_CVT_F16X2_E5M2X2,
     WL_FORM_CVT_RS_E5M2X2_F32},
    {WL_PTX_T_E2M3X2, WL_PTX_T_E2M3X4, WL_FORM_CVT_E2M3X2_F32, WL_FORM_CVT_F16X2_E2M3X2,
     WL_FORM_CVT_RS_E2M3X2_F32},
    {WL_PTX_T_E3M2X2, WL_PTX_T_E3M2X4, WL_FORM_CVT_E3M2X2_F32, WL_FORM_CVT_F16X2_E3M2X2,
     WL_FORM_CVT_RS_E3M2X2_F32},
    {WL_PTX_T_E2M1X2, WL_PTX_T_E2M1X4, WL_FORM_CVT_E2M1X2_F32, WL_FORM_CVT_F16X2_E2M1X2,
     WL_FORM_CVT_RS_E2M1X2_F32},
};

static const narrow_t *narrow_of(wl_ptx_type_t t) {
  for (size_t i = 0; i < sizeof narrows / sizeof *narrows; i++)
    if (narrows[i].two == t || narrows[i].four == t) return &narrows[i];
  return NULL;
}

wl_mreg_t wl_cvt_half(wl_isel_t *s, wl_mreg_t two, bool bf16, bool high) {
  wl_mreg_t d = wl_t1(s);
  if (bf16 && high) {
    wl_lopi(s, d, two, 0xffff0000u, WL_RZ, WL_LUT_A & WL_LUT_B);
  } else if (bf16) {
    wl_rri(s, WL_FORM_SHF_L_CLAMP_I, d, WL_RZ, two, 16);
  } else {
    wl_mreg_t low = two;
    if (high) wl_rri(s, WL_FORM_SHF_R_CLAMP_I, low = d, two, WL_RZ, 16);
    d = wl_cvt_by(s, WL_FORM_CVT_F32_F16, low, 1, 0, false);
  }
  return d;
}

wl_mreg_t wl_cvt_source(wl_isel_t *s, bool high) {
  const wl_ptx_type_t t = s->in->type[1];
  if (t == WL_PTX_T_F32) return wl_is_r32(s, OPND(high ? 1 : 2), t);
  return wl_cvt_half(s, wl_is_r32(s, OPND(1), t), t == WL_PTX_T_BF16X2, high);
}

static void to_narrow(wl_isel_t *s, const narrow_t *n) {
  const wl_mreg_t a = wl_cvt_relu(s, wl_cvt_source(s, true)),
                  b = wl_cvt_relu(s, wl_cvt_source(s, false)), d = wl_t1(s);
  wl_rr(s, n->narrow, d, a, b);
  wl_cvt_finish(s, d, WL_PTX_T_U32);
}

bool wl_cvt_halves(wl_isel_t *s, wl_mreg_t *d) {
  const narrow_t *n = narrow_of(s->in->type[1]);
  if (n == NULL) return false;
  *d = wl_cvt_by(s, n->widen, wl_is_r32(s, OPND(1), s->in->type[1]), 1, 0, false);
  return true;
}

static bool to_halves(wl_isel_t *s) {
  wl_mreg_t d;
  if (!wl_cvt_halves(s, &d)) return false;
  if (wl_isel_has(s, WL_PTX_F(RELU))) {
    const wl_mreg_t sign = wl_t1(s), r = wl_t1(s);
    wl_rri(s, WL_FORM_PRMT_RRI, sign, d, WL_RZ, 0xbb99); /* each half: its sign in all bits */
    wl_lop(s, r, d, sign, WL_RZ, WL_LUT_A & ~WL_LUT_B & 0xff);
    d = r;
  }
  wl_cvt_finish(s, d, WL_PTX_T_U32);
  return true;
}

/* Elements k and k + 1 of {a, b, e, f}; selector of the bytes of the random bits. */
static wl_mreg_t stochastic(wl_isel_t *s, const narrow_t *n, uint32_t k, wl_mreg_t random,
                            uint32_t bytes) {
  const wl_ptx_operand_t *e = OPND(1)->elems;
  const wl_mreg_t a = wl_cvt_relu(s, wl_is_r32(s, &e[k], WL_PTX_T_F32)),
                  b = wl_cvt_relu(s, wl_is_r32(s, &e[k + 1], WL_PTX_T_F32)), c = wl_t1(s),
                  d = wl_t1(s);
  wl_rri(s, WL_FORM_PRMT_RRI, c, random, WL_RZ, bytes);
  wl_rrr(s, n->stochastic, d, a, b, c);
  return d;
}

static void to_four(wl_isel_t *s, const narrow_t *n) {
  const wl_mreg_t random = wl_is_r32(s, OPND(2), WL_PTX_T_B32), d = wl_t1(s);
  const bool four_bits = n->four == WL_PTX_T_E2M1X4;
  const wl_mreg_t high = stochastic(s, n, 0, random, four_bits ? 0x3311 : 0x3232),
                  low = stochastic(s, n, 2, random, four_bits ? 0x2200 : 0x1010);
  wl_rri(s, WL_FORM_PRMT_RRI, d, low, high, four_bits ? 0x5540 : 0x5410); /* byte 1 of 4 bits: 0 */
  wl_cvt_finish(s, d, WL_PTX_T_U32);
}

bool wl_isel_cvt_narrow(wl_isel_t *s) {
  const narrow_t *n = narrow_of(s->in->type[0]);
  if (n != NULL && s->in->type[0] == n->four)
    to_four(s, n);
  else if (n != NULL)
    to_narrow(s, n);
  else
    return s->in->type[0] == WL_PTX_T_F16X2 && to_halves(s);
  return true;
}
