/* isel_mma.c: products of matrices, mma.sync and mma.sp. PTX 9.7.14.5, 9.7.14.6. One instruction each, but
 *   8-bit floats   the pairs of A and B become halves (exact): of each four k the first two form one
 *                  product of halves, on +0, the others the next, on its result. C is added last,
 *                  as f32; of f16: widened, added and rounded, which is one rounding (24 bits are
 *                  enough for a sum of two numbers of 11 bits). Sparse A: isel_mma_sparse.c */
#include <stdio.h>

#include "isa/lower/isel_mma.h"
#include "isa/ptx/ptx.h"

#define OPND(k) (&s->in->operands[k])

typedef struct shape { /* of the product, and the words of its fragments */
  unsigned m, k, a, b, d;
  bool sparse;
} shape_t;

static unsigned element_bits(wl_ptx_type_t t) {
  switch (t) {
  case WL_PTX_T_TF32:
    return 32;
  case WL_PTX_T_F16:
  case WL_PTX_T_BF16:
    return 16;
  case WL_PTX_T_S4:
  case WL_PTX_T_U4:
    return 4;
  case WL_PTX_T_B1:
    return 1;
  default:
    return 8;
  }
}

/* A warp holds each element once: 32 lanes of 32 bits. */
static shape_t shape_of(const wl_isel_t *s) {
  shape_t t = {0};
  for (uint32_t i = 0; i < s->in->nmods; i++)
    if (sscanf(wl_ptx_mod_name(s->in->mods[i]), "m%un8k%u", &t.m, &t.k) == 2) break;
  const unsigned bits = element_bits(s->in->type[1]);
  t.sparse = wl_mma_has(s, WL_PTX_M_SP) || wl_mma_has(s, WL_PTX_M_SP_ORDERED);
  t.a = t.m * t.k * bits / (t.sparse ? 2048 : 1024);
  t.b = 8 * t.k * bits / 1024;
  t.d = t.m * 8 * (s->in->type[0] == WL_PTX_T_F16 ? 16 : 32) / 1024;
  return t;
}

wl_form_t wl_mma_form(wl_tensor_op_t op, unsigned a, unsigned b, unsigned d) {
  for (uint32_t i = 0; i < WL_NUM_FORMS; i++) {
    const wl_form_info_t *f = &wl_form_info[i];
    if (f->unit == WL_UNIT_TENSOR && f->op == op && f->a == a && f->b == b && f->d == d)
      return (wl_form_t)i;
  }
  return WL_NUM_FORMS;
}

static wl_tensor_op_t op_of(const wl_isel_t *s) {
  switch (s->in->type[1]) {
  case WL_PTX_T_F16:
    return s->in->type[0] == WL_PTX_T_F16 ? WL_TENSOR_F16H : WL_TENSOR_F16;
  case WL_PTX_T_BF16:
    return WL_TENSOR_BF16;
  case WL_PTX_T_TF32:
    return WL_TENSOR_TF32;
  case WL_PTX_T_S8:
  case WL_PTX_T_U8:
    return WL_TENSOR_INT8;
  case WL_PTX_T_B1:
    return WL_TENSOR_BIT;
  default:
    return WL_TENSOR_INT4;
  }
}

static uint32_t mods_of(const wl_isel_t *s, wl_tensor_op_t op) {
  const wl_ptx_type_t a = s->in->type[1], b = s->in->type[2];
  if (op == WL_TENSOR_BIT) return WL_MODS(BX, wl_mma_has(s, WL_PTX_M_XOR));
  if (op != WL_TENSOR_INT8 && op != WL_TENSOR_INT4) return 0;
  return WL_MODS(UA, a == WL_PTX_T_U8 || a == WL_PTX_T_U4) |
         WL_MODS(UB, b == WL_PTX_T_U8 || b == WL_PTX_T_U4) |
         WL_MODS(SAT, wl_isel_has(s, WL_PTX_F(SATFINITE)));
}

/* ---- fragments */
wl_mreg_t wl_mma_group(wl_isel_t *s, unsigned words) {
  return words == 1 ? wl_t1(s) : words == 2 ? wl_t2(s) : wl_t4(s);
}

static wl_ptx_type_t word_type(const wl_isel_t *s, uint32_t operand) {
  if (operand != 0 && operand != 3) return WL_PTX_T_B32;
  return s->in->type[0] == WL_PTX_T_F32 ? WL_PTX_T_F32 : WL_PTX_T_B32;
}

wl_mreg_t wl_mma_read(wl_isel_t *s, const wl_ptx_operand_t *fragment, unsigned k,
                      wl_ptx_type_t type) {
  wl_ptx_operand_t tmp;
  return wl_is_r32(s, wl_mem_element(fragment, k, &tmp), type);
}

static wl_mreg_t read_word(wl_isel_t *s, uint32_t operand, unsigned k) {
  return wl_mma_read(s, OPND(operand), k, word_type(s, operand));
}

static wl_mreg_t read_fragment(wl_isel_t *s, uint32_t operand, unsigned words) {
  const wl_mreg_t v = wl_mma_group(s, words);
  for (unsigned k = 0; k < words; k++)
    wl_copy(s, wl_mreg_at(v, k), read_word(s, operand, k), 1);
  return v;
}

void wl_mma_write(wl_isel_t *s, const wl_ptx_operand_t *fragment, unsigned k, wl_mreg_t v) {
  wl_ptx_operand_t tmp;
  const wl_ptx_operand_t *o = wl_mem_element(fragment, k, &tmp);
  if (o->kind == WL_PTX_OPD_REG) wl_copy(s, wl_is_dst(s, o), v, 1);
}

/* ---- 8-bit floats */
static void one(wl_isel_t *s, wl_form_t form, wl_mreg_t d, wl_mreg_t a) {
  wl_put(s, &(wl_minsn_t){.form = (uint16_t)form, .d = d, .a = a});
}

/* The lower or upper pairs of a fragment, as halves. */
static wl_mreg_t pairs(wl_isel_t *s, const wl_mreg_t *from, unsigned words, wl_ptx_type_t type,
                       bool upper) {
  const wl_form_t form =
      type == WL_PTX_T_E4M3 ? WL_FORM_CVT_F16X2_E4M3X2 : WL_FORM_CVT_F16X2_E5M2X2;
  const wl_mreg_t v = wl_mma_group(s, words);
  for (unsigned k = 0; k < words; k++) {
    wl_mreg_t bytes = from[k];
    if (upper) {
      bytes = wl_t1(s);
      wl_rri(s, WL_FORM_SHF_R_CLAMP_I, bytes, from[k], WL_RZ, 16);
    }
    one(s, form, wl_mreg_at(v, k), bytes);
  }
  return v;
}

static wl_mreg_t add_f32(wl_isel_t *s, wl_mreg_t a, wl_mreg_t b) {
  const wl_mreg_t d = wl_t1(s);
  wl_rr(s, WL_FORM_ADD_F32_RR, d, a, b);
  return d;
}

static wl_mreg_t add_halves(wl_isel_t *s, wl_mreg_t a, wl_mreg_t b) {
  wl_mreg_t sum[2];
  for (unsigned half = 0; half < 2; half++) {
    wl_mreg_t x[2] = {a, b};
    for (unsigned i = 0; i < 2; i++) {
      const wl_mreg_t wide = wl_t1(s);
      if (half == 1) {
        const wl_mreg_t low = wl_t1(s);
        wl_rri(s, WL_FORM_SHF_R_CLAMP_I, low, x[i], WL_RZ, 16);
        x[i] = low;
      }
      one(s, WL_FORM_CVT_F32_F16, wide, x[i]);
      x[i] = wide;
    }
    sum[half] = add_f32(s, x[0], x[1]);
  }
  const wl_mreg_t d = wl_t1(s);
  wl_rr(s, WL_FORM_CVT_F16X2_F32, d, sum[1], sum[0]);
  return d;
}

static bool bytes(wl_isel_t *s, const shape_t *t) {
  const bool f32 = s->in->type[0] == WL_PTX_T_F32;
  const wl_form_t form = wl_mma_form(f32 ? WL_TENSOR_F16 : WL_TENSOR_F16H, t->a, t->b, t->d);
  wl_mreg_t a[4], b[4], c[4], x = WL_RZ, sum = WL_RZ;
  for (unsigned k = 0; k < t->a; k++)
    a[k] = read_word(s, 1, k);
  for (unsigned k = 0; k < t->b; k++)
    b[k] = read_word(s, 2, k);
  for (unsigned k = 0; k < t->d; k++)
    c[k] = read_word(s, 3, k);
  if (t->sparse) x = wl_mma_sparse_bytes(s, b, wl_is_r32(s, OPND(4), WL_PTX_T_B32));
  for (unsigned half = 0; half < 2; half++) {
    const wl_mreg_t d = wl_mma_group(s, t->d);
    wl_put(s, &(wl_minsn_t){.form = (uint16_t)form,
                            .d = d,
                            .a = pairs(s, a, t->a, s->in->type[1], half == 1),
                            .b = pairs(s, b, t->b, s->in->type[2], half == 1),
                            .c = sum,
                            .x = x,
                            .mods = t->sparse ? WL_MODS(SEL, half) : 0});
    sum = d;
  }
  wl_mreg_t r[4];
  for (unsigned k = 0; k < t->d; k++)
    r[k] = (f32 ? add_f32 : add_halves)(s, wl_mreg_at(sum, k), c[k]);
  for (unsigned k = 0; k < t->d; k++)
    wl_mma_write(s, OPND(0), k, r[k]);
  return true;
}

bool wl_isel_mma(wl_isel_t *s) {
  if (s->in->op != WL_PTX_OP_MMA) return false;
  const shape_t t = shape_of(s);
  if (s->in->type[1] == WL_PTX_T_F16 && wl_mma_has(s, WL_PTX_M_M8N8K4)) {
    wl_mma_quad(s);
    return true;
  }
  if (s->in->type[1] == WL_PTX_T_E4M3 || s->in->type[1] == WL_PTX_T_E5M2) return bytes(s, &t);
  const wl_tensor_op_t op = op_of(s);
  const wl_form_t form = wl_mma_form(op, t.a, t.b, t.d);
  if (form == WL_NUM_FORMS) return false;
  const wl_mreg_t a = read_fragment(s, 1, t.a), b = read_fragment(s, 2, t.b),
                  c = read_fragment(s, 3, t.d), d = wl_mma_group(s, t.d);
  wl_minsn_t i = {.form = (uint16_t)form, .d = d, .a = a, .b = b, .c = c, .mods = mods_of(s, op)};
  if (t.sparse) {
    i.x = wl_t4(s);
    wl_copy(s, i.x, wl_is_r32(s, OPND(4), WL_PTX_T_B32), 1);
    i.mods |= WL_MODS(SEL, OPND(5)->imm);
  }
  wl_put(s, &i);
  for (unsigned k = 0; k < t.d; k++)
    wl_mma_write(s, OPND(0), k, wl_mreg_at(d, k));
  return true;
}
