/* isel_half_cmp.c: set and setp of f16, bf16 and pairs of them. PTX 9.7.7. The machine's comparison gives
 * ffff or 0 in each half: the mask m. Expansions:
 *   setp         bit 0 of m, bit 31 of m (q of a pair), compared with 0 and combined with c
 *   set, BOP c   m BOP (c ? ffffffff : 0)
 *   set          m itself, its lower half in all bits (u32, s32 of one half), or m and 1.0 */
#include "isa/lower/isel.h"

#define OPND(k) (&s->in->operands[k])

static wl_mreg_t compared(wl_isel_t *s, wl_ptx_type_t t) {
  const wl_mreg_t m = wl_t1(s);
  const bool ftz = wl_isel_has(s, WL_PTX_F(FTZ));
  const wl_form_t form = wl_isel_is_bf16(t) ? WL_FORM_SET2_BF16_RR : WL_FORM_SET2_F16_RR;
  wl_put(s, &(wl_minsn_t){.form = (uint16_t)form,
                          .d = m,
                          .a = wl_is_r32(s, OPND(1), t),
                          .b = wl_is_r32(s, OPND(2), t),
                          .mods = WL_MODS(CMP, wl_isel_cmp_mask(s->in->cmp)) | WL_MODS(FTZ, ftz)});
  return m;
}

/* p = (x in relation to 0) BOP c */
static void with_predicate(wl_isel_t *s, wl_form_t form, uint32_t p, wl_mreg_t x,
                           uint32_t relation) {
  wl_minsn_t i = {.form = (uint16_t)form,
                  .pd = p,
                  .a = x,
                  .mods = WL_MODS(CMP, relation) | WL_MODS(BOP, wl_isel_bool(s->in->boolop))};
  if (s->in->noperands > 3) i.ps = wl_is_psrc(s, OPND(3), &i.ps_neg);
  wl_put(s, &i);
}

static void to_predicates(wl_isel_t *s) {
  const uint32_t p = wl_is_pdst(s, OPND(0)), q = wl_is_pdst(s, OPND(0)->pair);
  const wl_mreg_t m = compared(s, s->in->type[0]);
  if (p != 0) {
    const wl_mreg_t low = wl_t1(s);
    wl_lopi(s, low, m, 1, WL_RZ, WL_LUT_A & WL_LUT_B);
    with_predicate(s, WL_FORM_SETP_U32_RI, p, low, WL_NE);
  }
  if (q != 0) with_predicate(s, WL_FORM_SETP_S32_RI, q, m, WL_LT);
}

static uint32_t lut_of(wl_ptx_mod_t op) {
  return op == WL_PTX_M_AND  ? WL_LUT_A & WL_LUT_B
         : op == WL_PTX_M_OR ? WL_LUT_A | WL_LUT_B
                             : WL_LUT_A ^ WL_LUT_B;
}

static void to_value(wl_isel_t *s) {
  const wl_ptx_type_t t = s->in->type[0];
  const wl_mreg_t d = wl_is_dst(s, OPND(0));
  wl_mreg_t m = compared(s, s->in->type[1]);
  if (s->in->noperands > 3) {
    bool neg;
    const uint32_t p = wl_is_psrc(s, OPND(3), &neg);
    const wl_mreg_t c = wl_t1(s), both = wl_t1(s);
    wl_seli(s, c, WL_RZ, ~0u, p, !neg);
    wl_lop(s, both, m, c, WL_RZ, lut_of(s->in->boolop));
    m = both;
  }
  if (wl_isel_is_half(t))
    wl_lopi(s, d, m, wl_isel_half_one(t), WL_RZ, WL_LUT_A & WL_LUT_B);
  else if (wl_bits(t) == 32 && wl_bits(s->in->type[1]) == 16)
    wl_is_extend(s, d, m, 16, true);
  else
    wl_copy(s, d, m, 1);
}

bool wl_isel_half_cmp(wl_isel_t *s) {
  if (s->in->op == WL_PTX_OP_SETP && wl_isel_is_half(s->in->type[0]))
    to_predicates(s);
  else if (s->in->op == WL_PTX_OP_SET && wl_isel_is_half(s->in->type[1]))
    to_value(s);
  else
    return false;
  return true;
}
