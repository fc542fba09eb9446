/* tmem.c: rules of tcgen05 that a form row cannot say: addresses of tensor memory, constant numbers of
 * columns, vectors, copies, shifts, products and their commits [PTX 9.7.16.7.1, 9.7.16.8, 9.7.16.9,
 * 9.7.16.10.9.1, 9.7.16.12.1]. */
#include "isa/ptx/ptx.h"
#include "isa/ptx/px.h"

enum { LEAST_COLUMNS = 32, MOST_COLUMNS = 512, MOST_SCALE = 15 };

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

/* ---- products */
/* An element's type counts unless it is untyped: the elements of a mask have one. */
static wl_ptx_type_t element_type(const wl_ptx_operand_t *e) {
  const wl_ptx_type_t t = wl_px_operand_type(e);
  if (e->kind == WL_PTX_OPD_FLOAT) return WL_PTX_T_F32;
  if (e->kind == WL_PTX_OPD_INT || wl_ptx_type_is_int(t)) return WL_PTX_T_U32;
  return wl_ptx_type_is_bits(t) ? WL_PTX_T_NONE : t;
}

static bool check_mask(wl_px_t *p, const wl_ptx_insn_t *insn, const wl_ptx_operand_t *v) {
  wl_ptx_type_t all = WL_PTX_T_NONE;
  for (uint32_t i = 0; i < v->nelems; i++) {
    const wl_ptx_type_t t = element_type(&v->elems[i]);
    if (t == WL_PTX_T_NONE) continue;
    if (all != WL_PTX_T_NONE && t != all)
      return wl_px_error(p, v->elems[i].pos, clause_of(p, insn),
                         "the elements of the vector have different types");
    all = t;
  }
  return check_vector(p, insn, v);
}

/* ptxas takes an untyped register for D, for A in tensor memory, and for scales. */
static bool check_untyped(wl_px_t *p, const wl_ptx_insn_t *insn, const wl_ptx_operand_t *o) {
  return check_place(p, insn, o) &&
         (o->reg->type == WL_PTX_T_B32 ||
          wl_px_error(p, o->pos, clause_of(p, insn), "this address is a .b32 register"));
}

static bool has_mod(const wl_ptx_insn_t *insn, wl_ptx_mod_t m) {
  for (uint32_t i = 0; i < insn->nmods; i++)
    if (insn->mods[i] == m) return true;
  return false;
}

static bool check_product(wl_px_t *p, const wl_ptx_insn_t *insn) {
  const wl_ptx_operand_t *o = insn->operands, *last = &o[insn->noperands - 1];
  const bool masked = o[4].kind == WL_PTX_OPD_VEC, scaled = insn->noperands > (masked ? 6u : 5u);
  const bool kept = has_mod(insn, WL_PTX_M_COLLECT_FILL) || has_mod(insn, WL_PTX_M_COLLECT_USE);
  bool ok = check_untyped(p, insn, &o[0]);
  if (o[1].kind == WL_PTX_OPD_ADDR) ok = check_untyped(p, insn, &o[1]) && ok;
  if (has_mod(insn, WL_PTX_M_BLOCK_SCALE))
    return check_untyped(p, insn, &o[4]) && check_untyped(p, insn, &o[5]) && ok;
  if (masked) ok = check_mask(p, insn, &o[4]) && ok;
  if (has_mod(insn, WL_PTX_M_ASHIFT) && kept)
    return wl_px_error(p, insn->pos, clause_of(p, insn),
                       ".ashift excludes .collector::a::fill and .collector::a::use");
  if (scaled && last->imm > MOST_SCALE)
    return wl_px_error(p, last->pos, clause_of(p, insn), "the scale must be in 0..%d", MOST_SCALE);
  return ok;
}

static bool check_commit(wl_px_t *p, wl_ptx_insn_t *insn) {
  if (!wl_px_check_memory(p, insn)) return false;
  return insn->space == WL_PTX_SPACE_GENERIC || insn->space == WL_PTX_SPACE_SHARED ||
         insn->space == WL_PTX_SPACE_SHARED_CLUSTER ||
         wl_px_error(p, insn->pos, clause_of(p, insn), "an mbarrier is in .shared, not in .%s",
                     wl_ptx_space_name(insn->space));
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
  case WL_PTX_M_CP:
  case WL_PTX_M_SHIFT:
    return check_place(p, insn, &o[0]);
  case WL_PTX_M_MMA:
    return check_product(p, insn);
  case WL_PTX_M_COMMIT:
    return check_commit(p, insn);
  default:
    return true;
  }
}
