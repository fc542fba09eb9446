/* isel_cvt.c: cvt between integers and f32, cvta, isspacep. PTX 9.7.9.19-9.7.9.21. Other formats:
 * isel_format.c, isel_cvt_half.c, isel_cvt_narrow.c, isel_cvt_scale.c. Expansions:
 *   int -> int      field extraction of the narrower width, sign or zero into the high word;
 *                   .sat clamps in the source's width and sign
 *   f32 -> 8/16 bit conversion to 32 bits, then clamped; f32 -> f32 rounding or an addition of -0
 *   cvta            + or - the window of the space; .const, .param by their base address
 *   isspacep        shared, local: upper word of the window; const, param: offset in the bank;
 *                   global: none of shared, local and const */
#include "isa/lower/isel_cvt.h"
#include "gen/wl_launch.h"

#define OPND(k) (&s->in->operands[k])

/* Words of the destination register, which may be wider than the type. */
static uint32_t dst_words(const wl_isel_t *s) {
  const wl_ptx_operand_t *o = OPND(0);
  return o->kind == WL_PTX_OPD_REG && wl_bits(o->reg->type) == 64 ? 2 : 1;
}

void wl_cvt_finish(wl_isel_t *s, wl_mreg_t v, wl_ptx_type_t t) {
  const wl_mreg_t d = wl_is_dst(s, OPND(0));
  if (dst_words(s) == 2) {
    const wl_mreg_t x = wl_t2(s);
    wl_copy(s, x, v, 1);
    if (wl_signed(t))
      wl_ri(s, WL_FORM_SHR_S32_RI, wl_mreg_at(x, 1), v, 31);
    else
      wl_copy(s, wl_mreg_at(x, 1), WL_RZ, 1);
    wl_copy(s, d, x, 2);
  } else {
    wl_copy(s, d, v, 1);
  }
}

/* Range of an integer type below 64 bits. */
static int64_t least(wl_ptx_type_t t) {
  return wl_signed(t) ? -(INT64_C(1) << (wl_bits(t) - 1)) : 0;
}
static int64_t most(wl_ptx_type_t t) {
  return (INT64_C(1) << (wl_signed(t) ? wl_bits(t) - 1 : wl_bits(t))) - 1;
}

wl_mreg_t wl_cvt_clamp32(wl_isel_t *s, wl_mreg_t v, bool sign, int64_t least, int64_t most) {
  if (sign && least > INT32_MIN) {
    const wl_mreg_t x = wl_t1(s);
    wl_ri(s, WL_FORM_MAX_S32_RI, x, v, (uint32_t)least);
    v = x;
  }
  if (most < (sign ? (int64_t)INT32_MAX : (int64_t)UINT32_MAX)) {
    const wl_mreg_t x = wl_t1(s);
    wl_ri(s, sign ? WL_FORM_MIN_S32_RI : WL_FORM_MIN_U32_RI, x, v, (uint32_t)most);
    v = x;
  }
  return v;
}

wl_mreg_t wl_cvt_clamp64(wl_isel_t *s, wl_mreg_t v, bool sign, int64_t least, uint64_t most) {
  for (int k = 0; k < 2; k++) {
    const uint64_t bound = k == 0 ? (uint64_t)least : most;
    if (k == 0 && !sign) continue; /* unsigned values are never below */
    if (k == 1 && most == UINT64_MAX) continue;
    const wl_mreg_t b = wl_t2(s), x = wl_t2(s);
    const uint32_t p = wl_tp(s);
    wl_movi(s, b, (uint32_t)bound);
    wl_movi(s, wl_mreg_at(b, 1), (uint32_t)(bound >> 32));
    wl_cmp(s, sign ? WL_FORM_SETP_S64_RR : WL_FORM_SETP_U64_RR, p, v, b, k == 0 ? WL_LT : WL_GT);
    for (uint32_t w = 0; w < 2; w++)
      wl_sel(s, wl_mreg_at(x, w), wl_mreg_at(b, w), wl_mreg_at(v, w), p, false);
    v = x;
  }
  return v;
}

/* Clamps to the range of t (any width); of 64 bits the low word holds results up to 32 bits. */
static wl_mreg_t clamp32(wl_isel_t *s, wl_mreg_t v, bool sign, wl_ptx_type_t t) {
  return wl_cvt_clamp32(s, v, sign, least(t), most(t));
}
static wl_mreg_t clamp64(wl_isel_t *s, wl_mreg_t v, bool sign, wl_ptx_type_t t) {
  if (wl_bits(t) == 64)
    return wl_cvt_clamp64(s, v, sign, wl_signed(t) ? INT64_MIN : 0,
                          wl_signed(t) ? INT64_MAX : UINT64_MAX);
  return wl_cvt_clamp64(s, v, sign, least(t), (uint64_t)most(t));
}

static void int_to_int(wl_isel_t *s, wl_ptx_type_t d, wl_ptx_type_t t) {
  const bool sat = wl_isel_has(s, WL_PTX_F(SAT)), sign = wl_signed(t);
  if (wl_bits(t) == 64) {
    wl_mreg_t v = wl_is_r64(s, OPND(1), t);
    if (sat) v = clamp64(s, v, sign, d);
    if (wl_bits(d) == 64) {
      wl_copy(s, wl_is_dst(s, OPND(0)), v, 2);
      return;
    }
    wl_mreg_t x = v;
    if (wl_bits(d) < 32 && !sat) wl_is_extend(s, x = wl_t1(s), v, wl_bits(d), wl_signed(d));
    wl_cvt_finish(s, x, d);
    return;
  }
  wl_mreg_t v = wl_is_x32(s, OPND(1), t);
  if (wl_bits(d) == 64) {
    if (sat && sign && !wl_signed(d)) {
      const wl_mreg_t x = wl_t1(s);
      wl_ri(s, WL_FORM_MAX_S32_RI, x, v, 0);
      wl_cvt_finish(s, x, WL_PTX_T_U32);
    } else {
      wl_cvt_finish(s, v, t);
    }
    return;
  }
  if (sat) {
    v = clamp32(s, v, sign, d);
  } else if (wl_bits(d) < wl_bits(t) || (wl_bits(d) == wl_bits(t) && wl_bits(d) < 32)) {
    const wl_mreg_t x = wl_t1(s);
    wl_is_extend(s, x, v, wl_bits(d), wl_signed(d));
    v = x;
  } else if (wl_bits(d) > wl_bits(t) && wl_bits(d) < 32 && sign && !wl_signed(d)) {
    const wl_mreg_t x = wl_t1(s); /* u16 of a negative s8, in a wider register */
    wl_is_extend(s, x, v, wl_bits(d), false);
    v = x;
  }
  wl_cvt_finish(s, v, d);
}

wl_mreg_t wl_cvt_by(wl_isel_t *s, wl_form_t form, wl_mreg_t a, uint32_t words, uint32_t rnd,
                    bool ftz) {
  const wl_mreg_t d = words == 2 ? wl_t2(s) : wl_t1(s);
  wl_put(s, &(wl_minsn_t){.form = (uint16_t)form,
                          .d = d,
                          .a = a,
                          .mods = WL_MODS(RND, rnd) | WL_MODS(FTZ, ftz)});
  return d;
}

static wl_mreg_t convert(wl_isel_t *s, wl_form_t form, wl_mreg_t a, uint32_t words, bool ftz) {
  return wl_cvt_by(s, form, a, words, wl_isel_rounding(s->in->round), ftz);
}

void wl_cvt_f32_to_int(wl_isel_t *s, wl_mreg_t a, wl_ptx_type_t d) {
  const bool ftz = wl_isel_has(s, WL_PTX_F(FTZ)), sign = wl_signed(d);
  if (wl_bits(d) == 64) {
    const wl_mreg_t v = convert(s, sign ? WL_FORM_CVT_S64_F32 : WL_FORM_CVT_U64_F32, a, 2, ftz);
    wl_copy(s, wl_is_dst(s, OPND(0)), v, 2);
    return;
  }
  wl_mreg_t v = convert(s, sign ? WL_FORM_CVT_S32_F32 : WL_FORM_CVT_U32_F32, a, 1, ftz);
  if (wl_bits(d) < 32) v = clamp32(s, v, sign, d);
  wl_cvt_finish(s, v, d);
}

static void saturate(wl_isel_t *s, wl_mreg_t d, wl_mreg_t v, bool ftz) {
  wl_put(s, &(wl_minsn_t){.form = WL_FORM_ADD_F32_RI,
                          .d = d,
                          .a = v,
                          .imm = 0x80000000u,
                          .mods = WL_MODS(SAT, wl_isel_has(s, WL_PTX_F(SAT))) | WL_MODS(FTZ, ftz)});
}

static void int_to_float(wl_isel_t *s, wl_ptx_type_t t) {
  const bool sign = wl_signed(t);
  wl_mreg_t v;
  if (wl_bits(t) == 64)
    v = convert(s, sign ? WL_FORM_CVT_F32_S64 : WL_FORM_CVT_F32_U64, wl_is_r64(s, OPND(1), t), 1,
                false);
  else
    v = convert(s, sign ? WL_FORM_CVT_F32_S32 : WL_FORM_CVT_F32_U32, wl_is_x32(s, OPND(1), t), 1,
                false);
  if (wl_isel_has(s, WL_PTX_F(SAT)))
    saturate(s, wl_is_dst(s, OPND(0)), v, false);
  else
    wl_cvt_finish(s, v, WL_PTX_T_U32);
}

static void float_to_float(wl_isel_t *s) {
  const bool ftz = wl_isel_has(s, WL_PTX_F(FTZ)), sat = wl_isel_has(s, WL_PTX_F(SAT));
  wl_mreg_t v = wl_is_r32(s, OPND(1), WL_PTX_T_F32);
  if (s->in->round != WL_PTX_M_NONE) v = convert(s, WL_FORM_CVT_RND_F32, v, 1, ftz);
  if (sat || (ftz && s->in->round == WL_PTX_M_NONE))
    saturate(s, wl_is_dst(s, OPND(0)), v, ftz);
  else
    wl_cvt_finish(s, v, WL_PTX_T_U32);
}

static bool convert_type(wl_isel_t *s) {
  const wl_ptx_type_t d = s->in->type[0], t = s->in->type[1];
  const bool fd = d == WL_PTX_T_F32, ft = t == WL_PTX_T_F32;
  if (d == WL_PTX_T_F64 || t == WL_PTX_T_F64) {
    wl_not_yet(s, "9.7.9.21", "conversion of f64");
    return true;
  }
  if (wl_isel_format(s) || wl_isel_cvt_half(s) || wl_isel_cvt_narrow(s) || wl_isel_cvt_scale(s))
    return true;
  if (fd && ft)
    float_to_float(s);
  else if (fd)
    int_to_float(s, t);
  else if (ft)
    wl_cvt_f32_to_int(s, wl_is_r32(s, OPND(1), WL_PTX_T_F32), d);
  else
    int_to_int(s, d, t);
  return true;
}

/* ---- address spaces ---- */
/* Pair with the generic address of byte 0 of a space that has one base, read from the launch block.
 */
static wl_mreg_t space_base(wl_isel_t *s, wl_ptx_space_t space) {
  const wl_mreg_t t = wl_t2(s);
  const uint32_t word = space == WL_PTX_SPACE_CONST ? WL_LAUNCH_C2_BASE : WL_LAUNCH_C0_BASE;
  wl_ri(s, WL_FORM_LDC_B64, t, WL_RZ, word * 4);
  return t;
}

static uint32_t window(wl_ptx_space_t space) {
  const bool shared = space == WL_PTX_SPACE_SHARED || space == WL_PTX_SPACE_SHARED_CLUSTER;
  return shared ? 0x00010000u : space == WL_PTX_SPACE_LOCAL ? 0x00020000u : 0;
}

static bool cvta(wl_isel_t *s) {
  const bool to = s->in->nmodes > 0 && s->in->mode[0] == WL_PTX_M_TO;
  const wl_ptx_space_t sp = s->in->space;
  if (s->in->type[0] == WL_PTX_T_U32) {
    wl_not_yet(s, "9.7.9.20", "cvta with 32-bit addresses");
    return true;
  }
  const wl_mreg_t a = wl_is_r64(s, OPND(1), WL_PTX_T_U64), d = wl_is_dst(s, OPND(0));
  if (sp == WL_PTX_SPACE_GLOBAL) {
    wl_copy(s, d, a, 2);
  } else if (window(sp) != 0) {
    const wl_mreg_t t = wl_t2(s);
    wl_copy(s, t, a, 1);
    wl_movi(s, wl_mreg_at(t, 1), to ? 0 : window(sp));
    wl_copy(s, d, t, 2);
  } else {
    const wl_mreg_t base = space_base(s, sp);
    wl_rr(s, to ? WL_FORM_SUB64_RR : WL_FORM_ADD64_RR, d, a, base);
  }
  return true;
}

/* p = base <= a < base + bytes of one bank */
static void in_bank(wl_isel_t *s, uint32_t p, wl_mreg_t a, uint32_t base_word, uint32_t bytes_word,
                    uint32_t extra) {
  const wl_mreg_t base = wl_t2(s), off = wl_t2(s), size = wl_t1(s), limit = wl_t1(s);
  const uint32_t low = wl_tp(s);
  wl_ri(s, WL_FORM_LDC_B64, base, WL_RZ, base_word * 4);
  wl_ri(s, WL_FORM_LDC_B32, size, WL_RZ, bytes_word * 4);
  wl_ri(s, WL_FORM_ADD_RI, limit, size, extra);
  wl_rr(s, WL_FORM_SUB64_RR, off, a, base);
  wl_cmpi(s, WL_FORM_SETP_U32_RI, low, wl_mreg_at(off, 1), 0, WL_EQ);
  wl_put(s, &(wl_minsn_t){.form = WL_FORM_SETP_U32_RR,
                          .pd = p,
                          .a = off,
                          .b = limit,
                          .ps = low,
                          .mods = WL_MODS(CMP, WL_LT) | WL_MODS(BOP, WL_BOP_AND)});
}

/* p = in no window of another space; kernel parameters lie in the window of .global [PTX 6.4.1.1].
 */
static void in_global(wl_isel_t *s, uint32_t p, wl_mreg_t a) {
  const wl_mreg_t hi = wl_mreg_at(a, 1);
  const uint32_t constant = wl_tp(s), shared = wl_tp(s), both = wl_tp(s);
  in_bank(s, constant, a, WL_LAUNCH_C2_BASE, WL_LAUNCH_C2_BYTES, 0);
  wl_cmpi(s, WL_FORM_SETP_U32_RI, shared, hi, window(WL_PTX_SPACE_SHARED), WL_NE);
  wl_plop(s, both, shared, false, constant, true, WL_BOP_AND);
  wl_put(s, &(wl_minsn_t){.form = WL_FORM_SETP_U32_RI,
                          .pd = p,
                          .a = hi,
                          .imm = window(WL_PTX_SPACE_LOCAL),
                          .ps = both,
                          .mods = WL_MODS(CMP, WL_NE) | WL_MODS(BOP, WL_BOP_AND)});
}

static bool is_space(wl_isel_t *s) {
  const uint32_t p = wl_is_pdst(s, OPND(0));
  const wl_ptx_space_t sp = s->in->space;
  const wl_mreg_t a = wl_is_r64(s, OPND(1), WL_PTX_T_U64);
  if (OPND(1)->kind == WL_PTX_OPD_REG && wl_bits(OPND(1)->reg->type) < 64)
    wl_not_yet(s, "9.7.9.19", "isspacep with a 32-bit address");
  else if (window(sp) != 0)
    wl_cmpi(s, WL_FORM_SETP_U32_RI, p, wl_mreg_at(a, 1), window(sp), WL_EQ);
  else if (sp == WL_PTX_SPACE_GLOBAL)
    in_global(s, p, a);
  else if (sp == WL_PTX_SPACE_CONST)
    in_bank(s, p, a, WL_LAUNCH_C2_BASE, WL_LAUNCH_C2_BYTES, 0);
  else
    in_bank(s, p, a, WL_LAUNCH_C0_BASE, WL_LAUNCH_PARAM_BYTES, WL_LAUNCH_BLOCK_WORDS * 4);
  return true;
}

bool wl_isel_cvt(wl_isel_t *s) {
  switch (s->in->op) {
  case WL_PTX_OP_CVT:
    return convert_type(s);
  case WL_PTX_OP_CVTA:
    return cvta(s);
  case WL_PTX_OP_ISSPACEP:
    return is_space(s);
  default:
    return false;
  }
}
