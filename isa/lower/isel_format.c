/* isel_format.c: cvt between f32 and the formats of matrix operands. PTX 9.7.9.21. Expansions:
 *   .sat           f32 + (-0) with sat before the conversion, after it to f32
 *   .ftz           to bf16, from bf16: f32 + (-0) with ftz. To f16 by rn or rz: nothing, such an operand
 *                  is a zero of its sign anyhow. From f16: nothing, no number of f16 is subnormal in f32
 *   .satfinite     clamped to the format's largest number first; a NaN stays
 *   .relu          the larger of the operand and +0 first; a NaN stays. From 8 bits: halves with a sign
 *                  become +0 (a NaN has none)
 *   f32 from bf16  shifted left by 16
 *   .rna.satfinite.tf32   an infinity or NaN becomes the number of the next lower pattern */
#include "isa/lower/isel.h"

#define OPND(k) (&s->in->operands[k])
enum { MINUS_ZERO = 0x80000000u };

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

static wl_mreg_t with_imm(wl_isel_t *s, wl_form_t form, wl_mreg_t a, uint32_t imm, uint32_t mods) {
  const wl_mreg_t d = wl_t1(s);
  wl_put(s, &(wl_minsn_t){.form = (uint16_t)form, .d = d, .a = a, .imm = imm, .mods = mods});
  return d;
}

/* Operand k with what the modifiers do before the conversion. */
static wl_mreg_t prepared(wl_isel_t *s, uint32_t k, const target_t *t) {
  const bool sat = wl_isel_has(s, WL_PTX_F(SAT)), relu = wl_isel_has(s, WL_PTX_F(RELU));
  const bool flush = wl_isel_has(s, WL_PTX_F(FTZ)) && t->type == WL_PTX_T_BF16;
  const uint32_t keep = WL_MODS(NAN, 1);
  wl_mreg_t v = wl_is_r32(s, OPND(k), WL_PTX_T_F32);
  if (sat || flush)
    v = with_imm(s, WL_FORM_ADD_F32_RI, v, MINUS_ZERO, WL_MODS(SAT, sat) | WL_MODS(FTZ, flush));
  if (wl_isel_has(s, WL_PTX_F(SATFINITE))) {
    v = with_imm(s, WL_FORM_MIN_F32_RI, v, t->largest, keep);
    if (!relu) v = with_imm(s, WL_FORM_MAX_F32_RI, v, t->largest | MINUS_ZERO, keep);
  }
  return relu ? with_imm(s, WL_FORM_MAX_F32_RI, v, 0, keep) : v;
}

/* Writes a word to the destination, which may be wider than the type. */
static void finish(wl_isel_t *s, wl_mreg_t v) {
  const wl_ptx_operand_t *o = OPND(0);
  const wl_mreg_t d = wl_is_dst(s, o);
  wl_copy(s, d, v, 1);
  if (o->kind == WL_PTX_OPD_REG && wl_bits(o->reg->type) == 64)
    wl_copy(s, wl_mreg_at(d, 1), WL_RZ, 1);
}

static bool narrow(wl_isel_t *s, const target_t *t) {
  const bool directed = s->in->round == WL_PTX_M_RM || s->in->round == WL_PTX_M_RP;
  if (wl_isel_has(s, WL_PTX_F(FTZ)) && t->type == WL_PTX_T_F16 && directed) {
    wl_not_yet(s, "9.7.9.21", "cvt to .f16 with .ftz and .rm or .rp");
    return true;
  }
  const wl_mreg_t a = prepared(s, 1, t), b = t->two ? prepared(s, 2, t) : WL_RZ, d = wl_t1(s);
  wl_put(s, &(wl_minsn_t){.form = (uint16_t)t->form,
                          .d = d,
                          .a = a,
                          .b = b,
                          .mods = WL_MODS(RND, wl_isel_rounding(s->in->round))});
  finish(s, d);
  return true;
}

static void one(wl_isel_t *s, wl_form_t form, wl_mreg_t d, wl_mreg_t a) {
  wl_put(s, &(wl_minsn_t){.form = (uint16_t)form, .d = d, .a = a});
}

static void to_tf32(wl_isel_t *s) {
  wl_mreg_t d = wl_t1(s);
  one(s, WL_FORM_CVT_TF32_RNA_F32, d, wl_is_r32(s, OPND(1), WL_PTX_T_F32));
  if (wl_isel_has(s, WL_PTX_F(SATFINITE))) {
    const wl_mreg_t magnitude = wl_t1(s), below = wl_t1(s), r = wl_t1(s);
    const uint32_t p = wl_tp(s);
    wl_lopi(s, magnitude, d, 0x7fffffffu, WL_RZ, WL_LUT_A & WL_LUT_B);
    wl_cmpi(s, WL_FORM_SETP_U32_RI, p, magnitude, 0x7f800000u, WL_GE);
    wl_ri(s, WL_FORM_ADD_RI, below, d, 0u - 0x2000u);
    wl_sel(s, r, below, d, p, false);
    d = r;
  }
  finish(s, d);
}

static void from_f16(wl_isel_t *s) {
  wl_mreg_t d = wl_t1(s);
  one(s, WL_FORM_CVT_F32_F16, d, wl_is_r32(s, OPND(1), WL_PTX_T_F16));
  if (wl_isel_has(s, WL_PTX_F(SAT)))
    d = with_imm(s, WL_FORM_ADD_F32_RI, d, MINUS_ZERO, WL_MODS(SAT, 1));
  finish(s, d);
}

static void from_bf16(wl_isel_t *s) {
  wl_mreg_t d = wl_t1(s);
  wl_rri(s, WL_FORM_SHF_L_CLAMP_I, d, WL_RZ, wl_is_r32(s, OPND(1), WL_PTX_T_BF16), 16);
  if (wl_isel_has(s, WL_PTX_F(FTZ)))
    d = with_imm(s, WL_FORM_ADD_F32_RI, d, MINUS_ZERO, WL_MODS(FTZ, 1));
  finish(s, d);
}

static void from_bytes(wl_isel_t *s, bool e4m3) {
  wl_mreg_t d = wl_t1(s);
  one(s, e4m3 ? WL_FORM_CVT_F16X2_E4M3X2 : WL_FORM_CVT_F16X2_E5M2X2, d,
      wl_is_r32(s, OPND(1), s->in->type[1]));
  if (wl_isel_has(s, WL_PTX_F(RELU))) {
    const wl_mreg_t sign = wl_t1(s), r = wl_t1(s);
    wl_rri(s, WL_FORM_PRMT_RRI, sign, d, WL_RZ, 0xbb99); /* each half: its sign in all bits */
    wl_lop(s, r, d, sign, WL_RZ, WL_LUT_A & ~WL_LUT_B & 0xff);
    d = r;
  }
  finish(s, d);
}

bool wl_isel_format(wl_isel_t *s) {
  const wl_ptx_type_t d = s->in->type[0], t = s->in->type[1];
  for (size_t i = 0; t == WL_PTX_T_F32 && i < sizeof targets / sizeof *targets; i++)
    if (targets[i].type == d) return narrow(s, &targets[i]);
  if (d == WL_PTX_T_TF32 && t == WL_PTX_T_F32)
    to_tf32(s);
  else if (d == WL_PTX_T_F32 && t == WL_PTX_T_F16)
    from_f16(s);
  else if (d == WL_PTX_T_F32 && t == WL_PTX_T_BF16)
    from_bf16(s);
  else if (d == WL_PTX_T_F16X2 && (t == WL_PTX_T_E4M3X2 || t == WL_PTX_T_E5M2X2))
    from_bytes(s, t == WL_PTX_T_E4M3X2);
  else
    return false;
  return true;
}
