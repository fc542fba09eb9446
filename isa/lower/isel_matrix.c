/* isel_matrix.c: matrices between shared memory and registers, between registers: one instruction
 * each. PTX 9.7.14.5.15-17. */
#include "isa/lower/isel_mem.h"

#define OPND(k) (&s->in->operands[k])

static wl_matrix_t kind_of(const wl_isel_t *s) {
  const bool trans = wl_isel_has_mod(s, WL_PTX_M_TRANS);
  if (wl_isel_has_mod(s, WL_PTX_M_M8N8)) return trans ? WL_MATRIX_B16T : WL_MATRIX_B16;
  if (wl_isel_has_mod(s, WL_PTX_M_M16N8)) return WL_MATRIX_B8S;
  if (wl_isel_has_mod(s, WL_PTX_M_B6X16_P32)) return trans ? WL_MATRIX_B6T : WL_MATRIX_B6;
  if (wl_isel_has_mod(s, WL_PTX_M_B4X16_P64)) return trans ? WL_MATRIX_B4T : WL_MATRIX_B4;
  return WL_MATRIX_B8T;
}

static const wl_form_info_t *form_of(const wl_isel_t *s, wl_mem_kind_t op, wl_mem_space_t space) {
  const wl_matrix_t kind = kind_of(s);
  const unsigned n = wl_isel_has_mod(s, WL_PTX_M_X1) ? 1 : wl_isel_has_mod(s, WL_PTX_M_X2) ? 2 : 4;
  for (uint32_t i = 0; i < WL_NUM_FORMS; i++) {
    const wl_form_info_t *f = &wl_form_info[i];
    if (f->unit == WL_UNIT_LSU && f->kind == op && f->space == space && f->matrix.kind == kind &&
        f->matrix.count == n)
      return f;
  }
  return NULL;
}

static wl_mreg_t group(wl_isel_t *s, unsigned words) {
  return words == 1 ? wl_t1(s) : words == 2 ? wl_t2(s) : wl_t4(s);
}

static bool move(wl_isel_t *s, bool load) {
  wl_ptx_operand_t tmp;
  const wl_ptx_operand_t *address = OPND(load ? 1 : 0), *list = OPND(load ? 0 : 1);
  const wl_mem_space_t space = wl_mem_access(s, address);
  const wl_form_info_t *f = form_of(s, load ? WL_MEM_KIND_LDMATRIX : WL_MEM_KIND_STMATRIX, space);
  if (f == NULL) return false;
  const unsigned words = load ? f->d : f->b;
  const wl_maddr_t a = wl_mem_address(s, space, address);
  const wl_mreg_t v = group(s, words);
  for (unsigned k = 0; !load && k < words; k++)
    wl_copy(s, wl_mreg_at(v, k), wl_is_r32(s, wl_mem_element(list, k, &tmp), WL_PTX_T_B32), 1);
  wl_put(s, &(wl_minsn_t){.form = (uint16_t)(f - wl_form_info),
                          .fix = a.fix,
                          .d = load ? v : WL_RZ,
                          .a = a.base,
                          .b = load ? WL_RZ : v,
                          .imm = a.offset});
  for (unsigned k = 0; load && k < words; k++) {
    const wl_ptx_operand_t *o = wl_mem_element(list, k, &tmp);
    if (o->kind == WL_PTX_OPD_REG) wl_copy(s, wl_is_dst(s, o), wl_mreg_at(v, k), 1);
  }
  return true;
}

bool wl_isel_matrix(wl_isel_t *s) {
  switch (s->in->op) {
  case WL_PTX_OP_LDMATRIX:
    return move(s, true);
  case WL_PTX_OP_STMATRIX:
    return move(s, false);
  case WL_PTX_OP_MOVMATRIX:
    wl_put(s, &(wl_minsn_t){.form = WL_FORM_MOVMATRIX,
                            .d = wl_is_dst(s, OPND(0)),
                            .a = wl_is_r32(s, OPND(1), WL_PTX_T_B32)});
    return true;
  default:
    return false;
  }
}
