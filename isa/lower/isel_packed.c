/* isel_packed.c: packed integers of 16 and 8 bits, min and max with .relu, cvt.pack.
 * PTX 9.7.1.1-2, 9.7.1.11-13, 9.7.9.22. The machine has VADD, VMIN, VMAX. Expansions:
 *   neg.s8x4          0 - a
 *   min, max.relu.s32 the operation, then max with 0
 *   cvt.pack          both operands clamped to the type; two fields inserted, then c above them */
#include "isa/lower/isel_cvt.h"

#define OPND(k) (&s->in->operands[k])

static bool bytes(wl_ptx_type_t t) { return t == WL_PTX_T_U8X4 || t == WL_PTX_T_S8X4; }
static bool unsigned_parts(wl_ptx_type_t t) { return t == WL_PTX_T_U16X2 || t == WL_PTX_T_U8X4; }
static bool packed(wl_ptx_type_t t) {
  return bytes(t) || t == WL_PTX_T_U16X2 || t == WL_PTX_T_S16X2;
}

static void put(wl_isel_t *s, wl_form_t form, wl_mreg_t a, wl_mreg_t b, uint32_t mods) {
  const wl_ptx_type_t t = s->in->type[0];
  wl_put(s,
         &(wl_minsn_t){.form = (uint16_t)form,
                       .d = wl_is_dst(s, OPND(0)),
                       .a = a,
                       .b = b,
                       .mods = mods | WL_MODS(BYTES, bytes(t)) | WL_MODS(UNS, unsigned_parts(t))});
}

static void relu(wl_isel_t *s) {
  const bool max = s->in->op == WL_PTX_OP_MAX;
  const wl_mreg_t t = wl_t1(s);
  wl_src_t a = wl_is_src(s, OPND(1), WL_PTX_T_S32), b = wl_is_src(s, OPND(2), WL_PTX_T_S32);
  if (a.imm) wl_swap_src(&a, &b);
  const wl_mreg_t r = wl_is_reg(s, a);
  if (b.imm)
    wl_ri(s, max ? WL_FORM_MAX_S32_RI : WL_FORM_MIN_S32_RI, t, r, b.k);
  else
    wl_rr(s, max ? WL_FORM_MAX_S32_RR : WL_FORM_MIN_S32_RR, t, r, b.r);
  wl_ri(s, WL_FORM_MAX_S32_RI, wl_is_dst(s, OPND(0)), t, 0);
}

bool wl_isel_packed(wl_isel_t *s) {
  const wl_ptx_type_t t = s->in->type[0];
  const wl_ptx_op_t op = s->in->op;
  const bool zero = wl_isel_has(s, WL_PTX_F(RELU));
  if ((op == WL_PTX_OP_MIN || op == WL_PTX_OP_MAX) && t == WL_PTX_T_S32 && zero) {
    relu(s);
    return true;
  }
  if (!packed(t)) return false;
  const wl_mreg_t a = wl_is_r32(s, OPND(1), t);
  if (op == WL_PTX_OP_NEG) {
    put(s, WL_FORM_ADDV_RR, WL_RZ, a, WL_MODS(NEG_B, 1));
    return true;
  }
  const wl_mreg_t b = wl_is_r32(s, OPND(2), t);
  const uint32_t sat = WL_MODS(SAT, wl_isel_has(s, WL_PTX_F(SAT)));
  switch (op) {
  case WL_PTX_OP_ADD:
    put(s, WL_FORM_ADDV_RR, a, b, sat);
    return true;
  case WL_PTX_OP_SUB:
    put(s, WL_FORM_ADDV_RR, a, b, sat | WL_MODS(NEG_B, 1));
    return true;
  case WL_PTX_OP_MIN:
    put(s, WL_FORM_MINV_RR, a, b, WL_MODS(RELU, zero));
    return true;
  case WL_PTX_OP_MAX:
    put(s, WL_FORM_MAXV_RR, a, b, WL_MODS(RELU, zero));
    return true;
  default:
    return false;
  }
}

/* The nearest value of the narrow type. */
static wl_mreg_t clamped(wl_isel_t *s, unsigned k, int64_t low, int64_t high) {
  return wl_cvt_clamp32(s, wl_is_r32(s, OPND(k), WL_PTX_T_S32), true, low, high);
}

static bool is_signed(wl_ptx_type_t t) {
  return wl_signed(t) || t == WL_PTX_T_S4 || t == WL_PTX_T_S2;
}

bool wl_isel_pack(wl_isel_t *s) {
  if (s->in->op != WL_PTX_OP_CVT || s->in->nmodes == 0 || s->in->mode[0] != WL_PTX_M_PACK)
    return false;
  const wl_ptx_type_t t = s->in->type[0];
  const uint32_t width = wl_bits(t);
  const int64_t values = INT64_C(1) << width;
  const int64_t low = is_signed(t) ? -values / 2 : 0, high = low + values - 1;
  const wl_mreg_t a = clamped(s, 1, low, high), b = clamped(s, 2, low, high),
                  d = wl_is_dst(s, OPND(0));
  if (width == 16) { /* a above b */
    wl_rri(s, WL_FORM_BFI_I, d, a, b, width << 8 | width);
    return true;
  }
  const wl_mreg_t both = wl_t1(s), c = wl_is_r32(s, OPND(3), WL_PTX_T_B32);
  wl_rri(s, WL_FORM_BFI_I, both, a, b, width << 8 | width);
  wl_rri(s, WL_FORM_BFI_I, d, c, both, (32 - 2 * width) << 8 | 2 * width);
  return true;
}
