/* mov.c: operands of mov, with the packing and unpacking of { } [PTX 9.7.9.3, 9.7.9.4], and which
 * special registers mov and cvt read [PTX 10]. */
#include "isa/ptx/px.h"

static bool elements_fit(wl_px_t *p, const wl_ptx_operand_t *v, wl_ptx_type_t type,
                         const char *clause) {
  uint32_t sinks = 0;
  for (uint32_t i = 0; i < v->nelems; i++) {
    const wl_ptx_operand_t *e = &v->elems[i];
    sinks += e->kind == WL_PTX_OPD_SINK;
    if (e->kind == WL_PTX_OPD_SINK) continue;
    bool sreg = e->kind == WL_PTX_OPD_SREG;
    if (sreg && wl_ptx_type_bits(type) != wl_ptx_type_bits(wl_px_operand_type(e))) {
      return wl_px_error(p, e->pos, "10", "`%s` is a .%s register", wl_ptx_sreg_name(e->sreg),
                         wl_ptx_type_name(wl_px_operand_type(e)));
    }
    bool ok = sreg ? wl_px_sreg_fits(p, type, e) : wl_px_value_fits(p, e, type, false, clause);
    if (!ok) return false;
  }
  return sinks < v->nelems ||
         wl_px_error(p, v->pos, clause, "a vector needs an element that is not `_`");
}

/* The type that the elements of {a, b, ..} in mov.bN have. */
static bool pack_width(wl_px_t *p, const wl_ptx_insn_t *insn, const wl_ptx_operand_t *v) {
  unsigned bits = wl_ptx_type_bits(insn->type[0]), n = v->nelems;
  bool ok = wl_ptx_type_is_bits(insn->type[0]) && (n == 1 || n == 2 || n == 4) && bits / n >= 8 &&
            bits / n <= 64;
  if (!ok) {
    return wl_px_error(p, v->pos, "9.7.9.4", "mov.%s cannot hold %u elements",
                       wl_ptx_type_name(insn->type[0]), n);
  }
  wl_ptx_type_t elem = bits / n == 8    ? WL_PTX_T_B8
                       : bits / n == 16 ? WL_PTX_T_B16
                       : bits / n == 32 ? WL_PTX_T_B32
                                        : WL_PTX_T_B64;
  return elements_fit(p, v, elem, "9.7.9.4");
}

static bool unpack_elems(wl_px_t *p, const wl_ptx_operand_t *v, bool dest) {
  for (uint32_t i = 0; i < v->nelems; i++) {
    wl_ptx_opd_kind_t k = v->elems[i].kind;
    bool ok = dest ? k == WL_PTX_OPD_REG || k == WL_PTX_OPD_SINK : k != WL_PTX_OPD_SINK;
    if (!ok) {
      return wl_px_error(p, v->elems[i].pos, "9.7.9.4", "this element cannot stand in a %s vector",
                         dest ? "destination" : "source");
    }
  }
  return true;
}

static bool mov_address(wl_px_t *p, const wl_ptx_insn_t *insn, const wl_ptx_operand_t *o) {
  wl_ptx_type_t t = insn->type[0];
  unsigned bits = wl_ptx_type_bits(t);
  if (wl_ptx_type_is_float(t) || (bits != 32 && bits != 64)) {
    return wl_px_error(p, o->pos, "9.7.9.3",
                       "an address needs a 32- or 64-bit integer type, not `.%s`",
                       wl_ptx_type_name(t));
  }
  if (o->kind == WL_PTX_OPD_VAR && o->var->space == WL_PTX_SPACE_GLOBAL &&
      bits != p->m->address_size) {
    return wl_px_error(p, o->pos, "9.7.9.3", "`%.60s` has a %u-bit address, mov.%s takes %u bits",
                       o->var->name, p->m->address_size, wl_ptx_type_name(t), bits);
  }
  if (o->kind == WL_PTX_OPD_VAR && o->reg != NULL) {
    return wl_px_unsupported(p, o->pos, "6.4.2",
                             "the address of an element with a register index is not implemented");
  }
  if (o->kind == WL_PTX_OPD_VAR && o->var->role == WL_PTX_VAR_LOCAL_PARAM) {
    return wl_px_error(p, o->pos, "5.1.6.4",
                       "the address of a local .param variable cannot be taken");
  }
  return true;
}

/* Special registers may be read at their own size, and wide ones by their low part. */
bool wl_px_sreg_fits(wl_px_t *p, wl_ptx_type_t t, const wl_ptx_operand_t *o) {
  wl_ptx_type_t st = wl_px_operand_type(o);
  unsigned bits = wl_ptx_type_bits(t), sbits = wl_ptx_type_bits(st);
  bool low =
      (o->sreg == WL_PTX_SR_GRIDID && (bits == 32 || bits == 16)) ||
      (sbits == 32 && bits == 16 &&
       (o->sreg <= WL_PTX_SR_NTID || o->sreg == WL_PTX_SR_CTAID || o->sreg == WL_PTX_SR_NCTAID));
  bool pred = (t == WL_PTX_T_PRED) == (st == WL_PTX_T_PRED);
  if (pred && !wl_ptx_type_is_float(t) && (bits == sbits || low)) return true;
  return wl_px_error(p, o->pos, "10", "`%s` is a .%s register", wl_ptx_sreg_name(o->sreg),
                     wl_ptx_type_name(st));
}

static bool mov_scalar_source(wl_px_t *p, const wl_ptx_insn_t *insn, const wl_ptx_operand_t *o) {
  switch (o->kind) {
  case WL_PTX_OPD_VAR:
  case WL_PTX_OPD_FUNC:
    return mov_address(p, insn, o);
  case WL_PTX_OPD_SREG:
    if (wl_px_operand_width(o) != 1) {
      return wl_px_error(p, o->pos, "10", "`%s` is a vector; name a component",
                         wl_ptx_sreg_name(o->sreg));
    }
    return wl_px_sreg_fits(p, insn->type[0], o);
  default:
    return wl_px_value_fits(p, o, insn->type[0], false, "9.7.9.3");
  }
}

/* mov.v4 between vectors: registers, brace lists, %tid */
static bool mov_vector_side(wl_px_t *p, const wl_ptx_insn_t *insn, const wl_ptx_operand_t *o,
                            bool dest) {
  wl_ptx_type_t t = insn->type[0];
  unsigned n = o->kind == WL_PTX_OPD_VEC ? o->nelems : wl_px_operand_width(o);
  bool scalar = o->kind == WL_PTX_OPD_INT || o->kind == WL_PTX_OPD_FLOAT ||
                ((o->kind == WL_PTX_OPD_REG || o->kind == WL_PTX_OPD_SREG) && n == 1);
  if (!dest && scalar) {
    return wl_px_unsupported(p, o->pos, "9.7.9.3", "a scalar as a vector is not implemented");
  }
  if (n != insn->vec) {
    return wl_px_error(p, o->pos, "9.7.9.3", "operand of %u elements in mov.v%u", n, insn->vec);
  }
  if (o->kind == WL_PTX_OPD_SREG && !dest) return wl_px_sreg_fits(p, t, o);
  if (o->kind == WL_PTX_OPD_REG) {
    if (wl_ptx_type_fits(t, o->reg->type, false)) return true;
    return wl_px_error(p, o->pos, "9.7.9.3",
                       "`%.60s` of type `.%s` does not suit instruction type `.%s`", o->reg->name,
                       wl_ptx_type_name(o->reg->type), wl_ptx_type_name(t));
  }
  if (o->kind != WL_PTX_OPD_VEC)
    return wl_px_error(p, o->pos, "9.7.9.3", "expected a vector operand");
  return unpack_elems(p, o, dest) && elements_fit(p, o, t, "9.7.9.3");
}

/* A vector register in a scalar mov.bN is the list of its elements. */
static void list_elements(wl_px_t *p, wl_ptx_operand_t *o) {
  if (o->kind != WL_PTX_OPD_REG || wl_px_operand_width(o) < 2) return;
  wl_ptx_operand_t whole = *o;
  o->kind = WL_PTX_OPD_VEC;
  o->reg = NULL;
  o->nelems = whole.reg->vec;
  o->elems = wl_px_alloc(p, o->nelems * sizeof *o->elems);
  for (uint32_t i = 0; i < o->nelems; i++) {
    o->elems[i] = whole;
    o->elems[i].comp = (int8_t)i;
  }
}

/* {a} = b and a = {b} without .vN: the element has the size of the type. */
static bool open_single(wl_px_t *p, const wl_ptx_insn_t *insn, wl_ptx_operand_t *o, bool dest) {
  if (o->kind != WL_PTX_OPD_VEC || o->nelems != 1) return true;
  if (!unpack_elems(p, o, dest) || !pack_width(p, insn, o)) return false;
  wl_px_open_single(o);
  return true;
}

bool wl_px_check_mov(wl_px_t *p, wl_ptx_insn_t *insn) {
  if (insn->noperands != 2 || insn->operands[0].pair != NULL || insn->operands[1].pair != NULL) {
    return wl_px_error(p, insn->pos, "9.7.9.3", "`mov` takes 2 operands here, not %u",
                       insn->noperands);
  }
  wl_ptx_operand_t *d = &insn->operands[0], *s = &insn->operands[1];
  if (d->neg || (s->neg && insn->type[0] != WL_PTX_T_PRED))
    return wl_px_error(p, s->pos, "9.7.9.3", "`!` is not allowed on this operand");
  if (insn->vec * wl_ptx_type_bits(insn->type[0]) > 128) {
    return wl_px_error(p, insn->pos, "9.7.9.3", ".v%u of `.%s` is larger than 16 bytes", insn->vec,
                       wl_ptx_type_name(insn->type[0]));
  }
  if (insn->vec > 1) return mov_vector_side(p, insn, d, true) && mov_vector_side(p, insn, s, false);
  list_elements(p, d);
  list_elements(p, s);
  if (d->kind == WL_PTX_OPD_VEC && s->kind == WL_PTX_OPD_VEC) {
    return wl_px_error(p, s->pos, "9.7.9.4", "mov between two lists needs .v2 or .v4");
  }
  if (!open_single(p, insn, d, true) || !open_single(p, insn, s, false)) return false;
  if (d->kind == WL_PTX_OPD_VEC) { /* unpack */
    return unpack_elems(p, d, true) && pack_width(p, insn, d) && mov_scalar_source(p, insn, s);
  }
  if (d->kind != WL_PTX_OPD_REG) {
    return wl_px_error(p, d->pos, "9.7.9.3", "the destination of mov must be a register");
  }
  if (!wl_px_value_fits(p, d, insn->type[0], false, "9.7.9.3")) return false;
  if (s->kind == WL_PTX_OPD_VEC) return unpack_elems(p, s, false) && pack_width(p, insn, s);
  return mov_scalar_source(p, insn, s);
}

/* cvt between integers reads special registers at their size or their low part [PTX 10]. */
bool wl_px_check_cvt_sreg(wl_px_t *p, const wl_ptx_insn_t *insn, const wl_ptx_operand_t *o) {
  wl_ptx_type_t have = wl_px_operand_type(o), want = insn->type[1];
  if (wl_px_operand_width(o) != 1) {
    return wl_px_error(p, o->pos, "10", "`%s` is a vector; name a component",
                       wl_ptx_sreg_name(o->sreg));
  }
  if (!wl_ptx_type_is_int(insn->type[0]) || !wl_ptx_type_is_int(want)) {
    return wl_px_error(p, o->pos, "10", "cvt reads `%s` as an integer only",
                       wl_ptx_sreg_name(o->sreg));
  }
  if (have != WL_PTX_T_PRED && wl_ptx_type_bits(want) <= wl_ptx_type_bits(have)) return true;
  return wl_px_error(p, o->pos, "10", "`%s` is a .%s register", wl_ptx_sreg_name(o->sreg),
                     wl_ptx_type_name(have));
}
