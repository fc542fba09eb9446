/* isel_mov.c: mov of registers, constants, special registers and addresses; packing and unpacking
 * of {a, b} and {a, b, c, d}. PTX 9.7.9.3. Pieces of 8 and 16 bits go through bit fields. */
#include "isa/lower/isel.h"

#define OPND(k) (&s->in->operands[k])

/* Word or field k of a scalar of n pieces with `bits` each, written to the element's register. */
static void unpack(wl_isel_t *s, const wl_ptx_operand_t *vec, wl_mreg_t a, unsigned bits) {
  for (uint32_t k = 0; k < vec->nelems; k++) {
    const wl_ptx_operand_t *e = &vec->elems[k];
    const uint32_t at = k * bits;
    if (e->kind == WL_PTX_OPD_SINK) continue;
    const wl_mreg_t d = wl_is_dst(s, e);
    if (bits >= 32)
      wl_copy(s, d, wl_mreg_at(a, at / 32), bits / 32);
    else
      wl_ri(s, WL_FORM_BFE_U32_I, d, wl_mreg_at(a, at / 32), bits << 8 | at % 32);
  }
}

static void pack(wl_isel_t *s, wl_mreg_t d, const wl_ptx_operand_t *vec, unsigned total) {
  const unsigned bits = total / vec->nelems;
  const wl_mreg_t t = total == 128 ? wl_t4(s) : total == 64 ? wl_t2(s) : wl_t1(s);
  const wl_ptx_type_t et = bits == 32 ? WL_PTX_T_B32 : bits == 16 ? WL_PTX_T_B16 : WL_PTX_T_B8;
  wl_mreg_t part = WL_RZ;
  for (uint32_t k = 0; k < vec->nelems; k++) {
    const uint32_t at = k * bits % 32;
    const wl_mreg_t to = wl_mreg_at(t, k * bits / 32);
    if (bits == 64) {
      wl_copy(s, to, wl_is_r64(s, &vec->elems[k], WL_PTX_T_B64), 2);
    } else if (bits == 32) {
      wl_copy(s, to, wl_is_r32(s, &vec->elems[k], et), 1);
    } else { /* collect the fields of a word */
      const wl_mreg_t e = wl_is_r32(s, &vec->elems[k], et);
      const bool last = at + bits == 32 || k + 1 == vec->nelems;
      const wl_mreg_t next = last ? to : wl_t1(s);
      wl_rri(s, WL_FORM_BFI_I, next, e, at == 0 ? WL_RZ : part, bits << 8 | at);
      part = next;
    }
  }
  wl_copy(s, d, t, total <= 32 ? 1 : total / 32);
}

static void move_predicate(wl_isel_t *s) {
  bool neg;
  if (OPND(1)->kind == WL_PTX_OPD_SREG) { /* %is_explicit_cluster: a word of the machine */
    const wl_src_t v = wl_is_src(s, OPND(1), WL_PTX_T_U32);
    wl_cmpi(s, WL_FORM_SETP_U32_RI, wl_is_pdst(s, OPND(0)), wl_is_reg(s, v), 0,
            OPND(1)->neg ? WL_EQ : WL_NE);
    return;
  }
  const uint32_t a = wl_is_psrc(s, OPND(1), &neg);
  wl_plop(s, wl_is_pdst(s, OPND(0)), 0, false, a, neg, WL_BOP_NONE);
}

static void move_one(wl_isel_t *s, const wl_ptx_operand_t *d, const wl_ptx_operand_t *a,
                     wl_ptx_type_t t) {
  if (wl_bits(t) >= 64) {
    wl_copy(s, wl_is_dst(s, d), wl_is_r64(s, a, t), wl_bits(t) / 32);
    return;
  }
  const wl_src_t v = wl_is_src(s, a, t);
  if (v.imm)
    wl_movi(s, wl_is_dst(s, d), v.k);
  else
    wl_copy(s, wl_is_dst(s, d), v.r, 1);
}

/* mov.v2, mov.v4: element by element of vector registers or special registers. */
static void move_vector(wl_isel_t *s) {
  for (uint32_t k = 0; k < s->in->vec; k++) {
    wl_ptx_operand_t d = *OPND(0), a = *OPND(1);
    if (d.kind == WL_PTX_OPD_VEC)
      d = d.elems[k];
    else
      d.comp = (int8_t)k;
    if (a.kind == WL_PTX_OPD_VEC)
      a = a.elems[k];
    else
      a.comp = (int8_t)k;
    move_one(s, &d, &a, s->in->type[0]);
  }
}

bool wl_isel_mov(wl_isel_t *s) {
  if (s->in->op != WL_PTX_OP_MOV) return false;
  const wl_ptx_type_t t = s->in->type[0];
  const wl_ptx_operand_t *d = OPND(0), *a = OPND(1);
  if (t == WL_PTX_T_PRED) {
    move_predicate(s);
  } else if (s->in->vec > 1) {
    move_vector(s);
  } else if (d->kind == WL_PTX_OPD_VEC) {
    const unsigned bits = wl_bits(t);
    wl_mreg_t v = bits >= 64 ? wl_is_r64(s, a, t) : wl_is_r32(s, a, t);
    const wl_mreg_t copy = bits == 128 ? wl_t4(s) : bits == 64 ? wl_t2(s) : wl_t1(s);
    wl_copy(s, copy, v, bits <= 32 ? 1 : bits / 32); /* an element may be the source */
    unpack(s, d, copy, bits / d->nelems);
  } else if (a->kind == WL_PTX_OPD_VEC) {
    pack(s, wl_is_dst(s, d), a, wl_bits(t));
  } else {
    move_one(s, d, a, t);
  }
  return true;
}
