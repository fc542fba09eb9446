/* isel_half.c: arithmetic of f16, bf16 and pairs of them. PTX 9.7.4. The machine computes both halves of a
 * word; a scalar operand is the lower half, and what stands in the upper one is never looked at. Expansions:
 *   add, sub   a * 1 + (+-b)
 *   mul        a * b + (-0): the sum with -0 keeps the product, the sign of a zero too
 *   neg        (-a) * 1 + (-0): a NaN becomes 7fff
 *   abs        max.xorsign of a and a: the magnitude, as the signs cancel; a NaN becomes 7fff */
#include "isa/lower/isel.h"

#define OPND(k) (&s->in->operands[k])

bool wl_isel_is_bf16(wl_ptx_type_t t) { return t == WL_PTX_T_BF16 || t == WL_PTX_T_BF16X2; }
bool wl_isel_is_half(wl_ptx_type_t t) {
  return t == WL_PTX_T_F16 || t == WL_PTX_T_F16X2 || wl_isel_is_bf16(t);
}

/* 1.0 in both halves. */
uint32_t wl_isel_half_one(wl_ptx_type_t t) {
  return wl_isel_is_bf16(t) ? 0x3f803f80u : 0x3c003c00u;
}

static wl_mreg_t source(wl_isel_t *s, uint32_t k) { return wl_is_r32(s, OPND(k), s->in->type[0]); }

/* The form for f16, or its twin for bf16. */
static uint16_t pick(const wl_isel_t *s, wl_form_t f16, wl_form_t bf16) {
  return (uint16_t)(wl_isel_is_bf16(s->in->type[0]) ? bf16 : f16);
}

static uint32_t fma_mods(const wl_isel_t *s) {
  return WL_MODS(FTZ, wl_isel_has(s, WL_PTX_F(FTZ))) | WL_MODS(SAT, wl_isel_has(s, WL_PTX_F(SAT))) |
         WL_MODS(RELU, wl_isel_has(s, WL_PTX_F(RELU))) |
         WL_MODS(OOB, wl_isel_has(s, WL_PTX_F(OOB)));
}

/* d = (+-a) * 1 + (+-c) */
static void sum(wl_isel_t *s, wl_mreg_t a, bool neg_a, wl_mreg_t c, bool neg_c) {
  wl_put(s, &(wl_minsn_t){.form = pick(s, WL_FORM_FMA2_F16_RIR, WL_FORM_FMA2_BF16_RIR),
                          .d = wl_is_dst(s, OPND(0)),
                          .a = a,
                          .imm = wl_isel_half_one(s->in->type[0]),
                          .c = c,
                          .mods = fma_mods(s) | WL_MODS(NEG_A, neg_a) | WL_MODS(NEG_C, neg_c)});
}

static void product(wl_isel_t *s) {
  wl_put(s, &(wl_minsn_t){.form = pick(s, WL_FORM_FMA2_F16_RRI, WL_FORM_FMA2_BF16_RRI),
                          .d = wl_is_dst(s, OPND(0)),
                          .a = source(s, 1),
                          .b = source(s, 2),
                          .imm = 0x80008000u,
                          .mods = fma_mods(s)});
}

static void fused(wl_isel_t *s) {
  wl_put(s, &(wl_minsn_t){.form = pick(s, WL_FORM_FMA2_F16_RRR, WL_FORM_FMA2_BF16_RRR),
                          .d = wl_is_dst(s, OPND(0)),
                          .a = source(s, 1),
                          .b = source(s, 2),
                          .c = source(s, 3),
                          .mods = fma_mods(s)});
}

static void min_max(wl_isel_t *s, bool max, wl_mreg_t a, wl_mreg_t b, bool xorsign) {
  const uint16_t form = max ? pick(s, WL_FORM_MAX2_F16_RR, WL_FORM_MAX2_BF16_RR)
                            : pick(s, WL_FORM_MIN2_F16_RR, WL_FORM_MIN2_BF16_RR);
  wl_put(s, &(wl_minsn_t){.form = form,
                          .d = wl_is_dst(s, OPND(0)),
                          .a = a,
                          .b = b,
                          .mods = WL_MODS(FTZ, wl_isel_has(s, WL_PTX_F(FTZ))) |
                                  WL_MODS(NAN, wl_isel_has(s, WL_PTX_F(NAN))) |
                                  WL_MODS(XORSIGN, xorsign)});
}

bool wl_isel_half(wl_isel_t *s) {
  if (!wl_isel_is_half(s->in->type[0])) return false;
  const wl_ptx_op_t op = s->in->op;
  switch (op) {
  case WL_PTX_OP_ADD:
  case WL_PTX_OP_SUB:
    sum(s, source(s, 1), false, source(s, 2), op == WL_PTX_OP_SUB);
    return true;
  case WL_PTX_OP_MUL:
    product(s);
    return true;
  case WL_PTX_OP_FMA:
    fused(s);
    return true;
  case WL_PTX_OP_NEG:
    sum(s, source(s, 1), true, WL_RZ, true);
    return true;
  case WL_PTX_OP_ABS:
    min_max(s, true, source(s, 1), source(s, 1), true);
    return true;
  case WL_PTX_OP_MIN:
  case WL_PTX_OP_MAX:
    min_max(s, op == WL_PTX_OP_MAX, source(s, 1), source(s, 2), wl_isel_has(s, WL_PTX_F(XORSIGN)));
    return true;
  default:
    return false;
  }
}
