/* isel_f64.c: 64-bit floating point [PTX 9.7.3]: add, sub, mul, fma of the unit FP64. No operand is an
 * immediate: a constant is put into a pair. sub is add with b negated, mad is fma. */
#include "isa/lower/isel.h"

#define OPND(k) (&s->in->operands[k])

static void put(wl_isel_t *s, uint16_t form, unsigned sources, bool neg_b) {
  wl_minsn_t i = {.form = form, .d = wl_is_dst(s, OPND(0))};
  i.mods = WL_MODS(RND, wl_isel_rounding(s->in->round)) | WL_MODS(NEG_B, neg_b);
  i.a = wl_is_r64(s, OPND(1), WL_PTX_T_F64);
  i.b = wl_is_r64(s, OPND(2), WL_PTX_T_F64);
  if (sources == 3) i.c = wl_is_r64(s, OPND(3), WL_PTX_T_F64);
  wl_put(s, &i);
}

bool wl_isel_f64(wl_isel_t *s) {
  switch (s->in->op) {
  case WL_PTX_OP_ADD:
  case WL_PTX_OP_SUB:
    put(s, WL_FORM_ADD_F64, 2, s->in->op == WL_PTX_OP_SUB);
    return true;
  case WL_PTX_OP_MUL:
    put(s, WL_FORM_MUL_F64, 2, false);
    return true;
  case WL_PTX_OP_MAD:
  case WL_PTX_OP_FMA:
    put(s, WL_FORM_FMA_F64, 3, false);
    return true;
  default:
    return false;
  }
}
