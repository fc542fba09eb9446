/* isel_wmma_mma.c: products of fragments, wmma.mma. PTX 9.7.14.4.5. Each part is one mma
 * (expansions.md), of tf32 two, one on the other's result. C of f16 under D of f32 is widened; D of
 * f16 over C of f32 is the f32 result, rounded to nearest even. */
#include "isa/lower/isel_mma.h"

#define OPND(k) (&s->in->operands[k])
enum { PARTS = 2, WORDS = 8 };

typedef struct product {
  wl_isel_t *s;
  wl_tensor_op_t op;
  wl_form_t form;
  uint32_t mods;
  wl_wmma_t x, y, d, c;
  unsigned halves;                      /* mma of a part, along k */
  unsigned sums;                        /* words of a part's sums */
  wl_mreg_t xs[PARTS][2], ys[PARTS][2]; /* by part and half */
} product_t;

static wl_tensor_op_t op_of(const wl_isel_t *s, wl_ptx_type_t a) {
  switch (a) {
  case WL_PTX_T_F16:
    return s->in->type[0] == WL_PTX_T_F16 && s->in->type[1] == WL_PTX_T_F16 ? WL_TENSOR_F16H
                                                                            : WL_TENSOR_F16;
  case WL_PTX_T_BF16:
    return WL_TENSOR_BF16;
  case WL_PTX_T_TF32:
    return WL_TENSOR_TF32;
  case WL_PTX_T_B1:
    return WL_TENSOR_BIT;
  default:
    return a == WL_PTX_T_S8 || a == WL_PTX_T_U8 ? WL_TENSOR_INT8 : WL_TENSOR_INT4;
  }
}

static uint32_t mods_of(const wl_isel_t *s, wl_tensor_op_t op, wl_ptx_type_t a) {
  const bool is_unsigned = a == WL_PTX_T_U8 || a == WL_PTX_T_U4;
  if (op == WL_TENSOR_BIT) return WL_MODS(BX, wl_mma_has(s, WL_PTX_M_XOR));
  if (op != WL_TENSOR_INT8 && op != WL_TENSOR_INT4) return 0;
  return WL_MODS(UA, is_unsigned) | WL_MODS(UB, is_unsigned) |
         WL_MODS(SAT, wl_isel_has(s, WL_PTX_F(SATFINITE)));
}

static wl_mreg_t word(wl_isel_t *s, uint32_t operand, unsigned k, wl_ptx_type_t type) {
  return wl_mma_read(s, OPND(operand), k, type);
}

/* Words of X or Y in groups. */
static void collect(product_t *p, const wl_wmma_t *f, uint32_t operand, wl_mreg_t to[PARTS][2]) {
  const unsigned words = f->words / p->halves;
  for (unsigned part = 0; part < f->parts; part++)
    for (unsigned h = 0; h < p->halves; h++) {
      to[part][h] = wl_mma_group(p->s, words);
      for (unsigned k = 0; k < words; k++)
        wl_copy(p->s, wl_mreg_at(to[part][h], k),
                word(p->s, operand, part * f->words + h * words + k, WL_PTX_T_B32), 1);
    }
}

/* C of a part, as the mma takes it. */
static wl_mreg_t addend(product_t *p, unsigned part) {
  wl_isel_t *s = p->s;
  const wl_mreg_t c = wl_mma_group(s, p->sums);
  const wl_ptx_type_t type = s->in->type[0] == WL_PTX_T_S32 ? WL_PTX_T_S32 : WL_PTX_T_F32;
  if (p->c.words == p->sums) {
    for (unsigned k = 0; k < p->sums; k++)
      wl_copy(s, wl_mreg_at(c, k),
              word(s, 3, part * p->sums + k, p->c.bits == 16 ? WL_PTX_T_B32 : type), 1);
    return c;
  }
  for (unsigned k = 0; k < p->c.words; k++) {
    const wl_mreg_t two = word(s, 3, part * p->c.words + k, WL_PTX_T_B32), high = wl_t1(s);
    wl_rri(s, WL_FORM_SHF_R_CLAMP_I, high, two, WL_RZ, 16);
    wl_put(s, &(wl_minsn_t){.form = WL_FORM_CVT_F32_F16, .d = wl_mreg_at(c, 2 * k), .a = two});
    wl_put(s, &(wl_minsn_t){.form = WL_FORM_CVT_F32_F16, .d = wl_mreg_at(c, 2 * k + 1), .a = high});
  }
  return c;
}

static void one_part(product_t *p, unsigned part, wl_mreg_t *result) {
  wl_isel_t *s = p->s;
  wl_mreg_t sum = addend(p, part);
  for (unsigned h = 0; h < p->halves; h++) {
    const wl_mreg_t d = wl_mma_group(s, p->sums);
    wl_put(s, &(wl_minsn_t){.form = (uint16_t)p->form,
                            .d = d,
                            .a = p->xs[part / p->d.across][h],
                            .b = p->ys[part % p->d.across][h],
                            .c = sum,
                            .mods = p->mods});
    sum = d;
  }
  for (unsigned k = 0; k < p->d.words; k++) {
    result[k] = wl_mreg_at(sum, k);
    if (p->d.words == p->sums) continue;
    result[k] = wl_t1(s);
    wl_rr(s, WL_FORM_CVT_F16X2_F32, result[k], wl_mreg_at(sum, 2 * k + 1), wl_mreg_at(sum, 2 * k));
  }
}

bool wl_isel_wmma_mma(wl_isel_t *s) {
  const bool halves = s->in->ntypes == 2;
  const wl_ptx_type_t a = halves ? WL_PTX_T_F16 : s->in->type[1];
  if (a == WL_PTX_T_F64) {
    wl_mma_f64(s);
    return true;
  }
  product_t p = {.s = s,
                 .op = op_of(s, a),
                 .x = wl_wmma_fragment(s, 'a', a),
                 .y = wl_wmma_fragment(s, 'b', a),
                 .d = wl_wmma_fragment(s, 'd', s->in->type[0]),
                 .c = wl_wmma_fragment(s, 'd', s->in->type[halves ? 1 : 3]),
                 .halves = a == WL_PTX_T_TF32 ? 2 : 1};
  const bool exchanged = p.x.exchanged;
  if (exchanged) {
    const wl_wmma_t t = p.x;
    p.x = p.y, p.y = t;
  }
  p.sums = p.op == WL_TENSOR_F16H || p.d.parts == 1 ? 2 : 4;
  p.mods = mods_of(s, p.op, a);
  p.form = wl_mma_form(p.op, p.x.words / p.halves, p.y.words / p.halves, p.sums);
  collect(&p, &p.x, exchanged ? 2 : 1, p.xs);
  collect(&p, &p.y, exchanged ? 1 : 2, p.ys);
  wl_mreg_t result[WORDS];
  for (unsigned part = 0; part < p.d.parts; part++)
    one_part(&p, part, result + part * p.d.words);
  for (unsigned k = 0; k < p.d.parts * p.d.words; k++)
    wl_mma_write(s, OPND(0), k, result[k]);
  return true;
}
