/* tmem.c: rules of tcgen05 that a form row cannot say: addresses of tensor memory, constant numbers of
 * columns, vectors [PTX 9.7.16.7.1, 9.7.16.8]. */
#include "isa/ptx/ptx.h"
#include "isa/ptx/px.h"

enum { LEAST_COLUMNS = 32, MOST_COLUMNS = 512 };

static const char *clause_of(const wl_px_t *p, const wl_ptx_insn_t *insn) {
  return p->forms->forms[insn->form].clause;
}

/* An address of tensor memory: a register of 32 bits, plus a constant. */
static bool check_place(wl_px_t *p, const wl_ptx_insn_t *insn, const wl_ptx_operand_t *o) {
  if (o->reg != NULL && o->var == NULL && wl_ptx_type_bits(o->reg->type) == 32) return true;
  return wl_px_error(p, o->pos, clause_of(p, insn),
                     "an address of tensor memory is a register of 32 bits");
}

/* A vector has an element that is a register, and no `_`. */
static bool check_vector(wl_px_t *p, const wl_ptx_insn_t *insn, const wl_ptx_operand_t *v) {
  bool named = v->kind != WL_PTX_OPD_VEC;
  for (uint32_t i = 0; i < v->nelems; i++) {
    if (v->elems[i].kind == WL_PTX_OPD_SINK)
      return wl_px_error(p, v->elems[i].pos, clause_of(p, insn), "`_` is not allowed here");
    named = named || (v->elems[i].kind != WL_PTX_OPD_INT && v->elems[i].kind != WL_PTX_OPD_FLOAT);
  }
  return named || wl_px_error(p, v->pos, clause_of(p, insn), "the vector needs a register");
}

static bool check_columns(wl_px_t *p, const wl_ptx_insn_t *insn, const wl_ptx_operand_t *o) {
  const bool alloc = insn->mode[0] == WL_PTX_M_ALLOC;
  if (o->kind != WL_PTX_OPD_INT) return true;
  if (o->imm % LEAST_COLUMNS != 0)
    return wl_px_error(p, o->pos, clause_of(p, insn), "the columns are a multiple of %d",
                       LEAST_COLUMNS);
  if (!alloc) return true;
  if (o->imm < LEAST_COLUMNS || o->imm > MOST_COLUMNS)
    return wl_px_error(p, o->pos, clause_of(p, insn), "the columns must be in %d..%d",
                       LEAST_COLUMNS, MOST_COLUMNS);
  return (o->imm & (o->imm - 1)) == 0 ||
         wl_px_error(p, o->pos, clause_of(p, insn), "the number of columns is a power of two");
}

bool wl_px_check_tmem(wl_px_t *p, wl_ptx_insn_t *insn) {
  const wl_ptx_operand_t *o = insn->operands;
  bool ok = true;
  switch (insn->mode[0]) {
  case WL_PTX_M_ALLOC:
    return wl_px_check_memory(p, insn) && check_columns(p, insn, &o[1]);
  case WL_PTX_M_DEALLOC:
    return check_columns(p, insn, &o[1]);
  case WL_PTX_M_LD:
  case WL_PTX_M_ST:
    for (uint32_t i = 0; i < insn->noperands; i++) {
      if (o[i].kind == WL_PTX_OPD_ADDR || o[i].kind == WL_PTX_OPD_VAR)
        ok = check_place(p, insn, &o[i]) && ok;
      if (o[i].kind == WL_PTX_OPD_VEC) ok = check_vector(p, insn, &o[i]) && ok;
    }
    return ok;
  default:
    return true;
  }
}
