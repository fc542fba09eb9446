/* check.c: operands against the pattern of their form: kinds, types, sizes [PTX 6.1-6.4; 9.4.1]. */
#include <string.h>

#include "isa/ptx/px.h"

static const char *kind_name(wl_ptx_opd_kind_t k) {
  switch (k) {
  case WL_PTX_OPD_REG:
    return "a register";
  case WL_PTX_OPD_SINK:
    return "`_`";
  case WL_PTX_OPD_INT:
    return "an integer constant";
  case WL_PTX_OPD_FLOAT:
    return "a floating-point constant";
  case WL_PTX_OPD_SREG:
    return "a special register";
  case WL_PTX_OPD_VAR:
    return "a variable";
  case WL_PTX_OPD_FUNC:
    return "a function";
  case WL_PTX_OPD_LABEL:
    return "a label";
  case WL_PTX_OPD_ADDR:
    return "an address";
  case WL_PTX_OPD_VEC:
    return "a vector";
  case WL_PTX_OPD_TABLE:
    return "a target list";
  default:
    return "a call prototype";
  }
}

static bool wrong(wl_px_t *p, const wl_ptx_operand_t *o, const char *clause, const char *want) {
  return wl_px_error(p, o->pos, clause, "expected %s, got %s", want, kind_name(o->kind));
}

static bool check_reg(wl_px_t *p, const wl_ptx_operand_t *o, wl_ptx_type_t type, bool relaxed,
                      const char *clause) {
  if (wl_px_operand_width(o) != 1) {
    return wl_px_error(p, o->pos, clause, "vector `%.60s` where a scalar is needed", o->reg->name);
  }
  if (wl_ptx_type_fits(type, o->reg->type, relaxed)) return true;
  if (relaxed && wl_ptx_type_bits(o->reg->type) == 128 && type != WL_PTX_T_PRED) {
    return wl_px_unsupported(p, o->pos, clause, "a 128-bit register for `.%s` is not implemented",
                             wl_ptx_type_name(type));
  }
  return wl_px_error(p, o->pos, clause,
                     "`%.60s` of type `.%s` does not suit instruction type `.%s`", o->reg->name,
                     wl_ptx_type_name(o->reg->type), wl_ptx_type_name(type));
}

static bool check_constant(wl_px_t *p, const wl_ptx_operand_t *o, wl_ptx_type_t type,
                           const char *clause) {
  bool is_float = wl_ptx_type_is_float(type), is_bits = wl_ptx_type_is_bits(type);
  unsigned bits = wl_ptx_type_bits(type);
  bool ok;
  if (o->kind == WL_PTX_OPD_INT) {
    ok = !is_float;
  } else if (o->imm_f32) {
    ok = type == WL_PTX_T_F32 || type == WL_PTX_T_F64 || (is_bits && bits == 32);
  } else {
    ok = (is_float && bits >= 16 && type != WL_PTX_T_F16X2) || (is_bits && bits == 64);
  }
  return ok || wl_px_error(p, o->pos, clause, "%s does not suit instruction type `.%s`",
                           kind_name(o->kind), wl_ptx_type_name(type));
}

bool wl_px_value_fits(wl_px_t *p, const wl_ptx_operand_t *o, wl_ptx_type_t type, bool relaxed,
                      const char *clause) {
  if (o->kind == WL_PTX_OPD_REG) return check_reg(p, o, type, relaxed, clause);
  if (o->kind == WL_PTX_OPD_INT || o->kind == WL_PTX_OPD_FLOAT)
    return check_constant(p, o, type, clause);
  return wrong(p, o, clause, "a register or a constant");
}

static bool destination(wl_px_t *p, const wl_ptx_operand_t *o, const wl_opspec_t *s,
                        wl_ptx_type_t type, const char *clause) {
  if (o->kind == WL_PTX_OPD_SINK && s->sink) return true;
  if (o->kind != WL_PTX_OPD_REG) return wrong(p, o, clause, "a destination register");
  return check_reg(p, o, type, s->wide, clause);
}

/* An element of a source vector may be a special register of the element's size. */
static bool vector_element_fits(wl_px_t *p, const wl_ptx_operand_t *e, wl_ptx_type_t type,
                                bool wide, const char *clause) {
  if (e->kind != WL_PTX_OPD_SREG) return wl_px_value_fits(p, e, type, wide, clause);
  unsigned bits = wl_ptx_type_bits(type); /* a store has no use for the type */
  wl_ptx_type_t untyped = bits == 16   ? WL_PTX_T_B16
                          : bits == 32 ? WL_PTX_T_B32
                          : bits == 64 ? WL_PTX_T_B64
                                       : type;
  return wl_px_sreg_fits(p, untyped, e);
}

/* The number of elements. */
static bool vector_size(wl_px_t *p, const wl_ptx_insn_t *insn, const wl_ptx_operand_t *o,
                        const wl_opspec_t *s, unsigned n, const char *clause) {
  if (s->count != 0)
    return n == s->count ||
           wl_px_error(p, o->pos, clause, "vector of %u elements, `%s` has %u here", n,
                       wl_ptx_op_name(insn->op), s->count);
  return n == insn->vec || wl_px_error(p, o->pos, clause,
                                       "vector of %u elements in a .v%u instruction", n, insn->vec);
}

/* A vector as wide as the instruction says: {a,b,..} or a vector register. */
static bool vector(wl_px_t *p, const wl_ptx_insn_t *insn, const wl_ptx_operand_t *o,
                   const wl_opspec_t *s, wl_ptx_type_t type, const char *clause) {
  bool dest = s->kind == 'D';
  if (dest && s->sink && o->kind == WL_PTX_OPD_SINK) return true;
  unsigned n = o->kind == WL_PTX_OPD_VEC ? o->nelems : wl_px_operand_width(o);
  if (o->kind != WL_PTX_OPD_VEC && (o->kind != WL_PTX_OPD_REG || n == 1)) {
    return wrong(p, o, clause, "a vector operand");
  }
  if (!vector_size(p, insn, o, s, n, clause)) return false;
  if (o->kind == WL_PTX_OPD_REG) {
    if (wl_ptx_type_fits(type, o->reg->type, s->wide)) return true;
    return wl_px_error(p, o->pos, clause,
                       "`%.60s` of type `.%s` does not suit instruction type `.%s`", o->reg->name,
                       wl_ptx_type_name(o->reg->type), wl_ptx_type_name(type));
  }
  uint32_t sinks = 0;
  for (uint32_t i = 0; i < o->nelems; i++) {
    const wl_ptx_operand_t *e = &o->elems[i];
    bool sink = e->kind == WL_PTX_OPD_SINK;
    sinks += sink;
    if (sink && (dest || n * wl_ptx_type_bits(type) > 128)) continue;
    if (dest && e->kind != WL_PTX_OPD_REG) return wrong(p, e, clause, "a destination register");
    if (!vector_element_fits(p, e, type, s->wide, clause)) return false;
    for (uint32_t j = 0; dest && j < i; j++) {
      if (o->elems[j].reg == e->reg && o->elems[j].comp == e->comp) {
        wl_px_warn(p, e->pos, "6.4.3",
                   "`%.60s` stands twice in a destination vector; its value is undefined",
                   e->reg->name);
      }
    }
  }
  if (sinks == o->nelems) {
    return wl_px_error(p, o->pos, clause, "a vector needs an element that is not `_`");
  }
  return true;
}

/* {x} where a vector may stand is x itself. */
void wl_px_open_single(wl_ptx_operand_t *o) {
  if (o->kind == WL_PTX_OPD_VEC && o->nelems == 1) *o = o->elems[0];
}

static bool predicate_source(wl_px_t *p, const wl_ptx_operand_t *o, const char *clause) {
  if (o->kind == WL_PTX_OPD_INT) return true;
  if (o->kind != WL_PTX_OPD_REG) return wrong(p, o, clause, "a predicate");
  return check_reg(p, o, WL_PTX_T_PRED, false, clause);
}

static bool address_value(wl_px_t *p, const wl_ptx_insn_t *insn, const wl_ptx_operand_t *o,
                          wl_ptx_type_t type, const char *clause) { /* cvta source */
  if (o->kind != WL_PTX_OPD_VAR) return wl_px_value_fits(p, o, type, false, clause);
  if (insn->nmodes != 0) return wrong(p, o, clause, "a register with a generic address");
  if (insn->space == WL_PTX_SPACE_PARAM_ENTRY && o->var->space == WL_PTX_SPACE_PARAM_FUNC) {
    return wl_px_unsupported(p, o->pos, clause,
                             "the generic address of a parameter of a function is not implemented");
  }
  if (!wl_ptx_space_accepts(insn->space, o->var->space)) {
    return wl_px_error(p, o->pos, clause, "`%.60s` is in .%s, not in .%s", o->var->name,
                       wl_ptx_space_name(o->var->space), wl_ptx_space_name(insn->space));
  }
  if (o->reg != NULL) {
    return wl_px_unsupported(p, o->pos, "6.4.2",
                             "the address of an element with a register index is not implemented");
  }
  return true;
}

static bool integer_constant(wl_px_t *p, const wl_ptx_insn_t *insn, const wl_ptx_operand_t *o,
                             const char *clause) {
  if (o->kind != WL_PTX_OPD_INT) return wrong(p, o, clause, "an integer constant");
  if (insn->op == WL_PTX_OP_LOP3 && o->imm > 255) {
    return wl_px_error(p, o->pos, clause, "the truth table must be in 0..255");
  }
  return true;
}

static wl_ptx_type_t spec_type(const wl_ptx_insn_t *insn, const wl_opspec_t *s,
                               const wl_ptx_operand_t *o) {
  if (s->type_at >= 0) return insn->type[s->type_at];
  if (s->type_at == -2) return wl_ptx_type_double(insn->type[0]);
  if (s->type_at == -3) { /* 32- or 64-bit address */
    bool is32 = o->kind == WL_PTX_OPD_REG && wl_ptx_type_bits(o->reg->type) == 32;
    return is32 ? WL_PTX_T_U32 : WL_PTX_T_U64;
  }
  return s->type;
}

static bool check_one(wl_px_t *p, const wl_ptx_insn_t *insn, const wl_ptx_operand_t *o,
                      const wl_opspec_t *s, const char *clause) {
  wl_ptx_type_t type = spec_type(insn, s, o);
  if (insn->op == WL_PTX_OP_CVT && o->kind == WL_PTX_OPD_SREG && s->kind == 's')
    return wl_px_check_cvt_sreg(p, insn, o);
  bool predicate = s->kind == 'n' || (s->kind == 's' && type == WL_PTX_T_PRED);
  if (o->neg && !predicate) {
    return wl_px_error(p, o->pos, clause, "`!` is not allowed on this operand");
  }
  switch (s->kind) {
  case 'd':
  case 'p':
    return destination(p, o, s, type, clause);
  case 'D':
    if (s->count != 0 || insn->vec > 1) return vector(p, insn, o, s, type, clause);
    return destination(p, o, s, type, clause);
  case 'S':
    if (s->count != 0 || insn->vec > 1) return vector(p, insn, o, s, type, clause);
    if (o->kind == WL_PTX_OPD_FUNC && wl_ptx_type_bits(type) >= 32)
      return wl_px_unsupported(p, o->pos, clause,
                               "the address of a function as a source is not implemented");
    return wl_px_value_fits(p, o, type, s->wide, clause);
  case 's':
    return wl_px_value_fits(p, o, type, s->wide, clause);
  case 'r':
    return o->kind == WL_PTX_OPD_REG ? check_reg(p, o, type, s->wide, clause)
                                     : wrong(p, o, clause, "a register");
  case 'n':
    return predicate_source(p, o, clause);
  case 'i':
    return integer_constant(p, insn, o, clause);
  case 'm':
    if (o->kind == WL_PTX_OPD_ADDR || (o->kind == WL_PTX_OPD_VAR && o->indexed)) return true;
    return wrong(p, o, clause, "an address in [ ]");
  case 'a':
    return address_value(p, insn, o, type, clause);
  case 'c':
    return wl_px_value_fits(p, o, WL_PTX_T_U64, false, clause);
  case 'l':
    return o->kind == WL_PTX_OPD_LABEL || wrong(p, o, clause, "a label");
  default:
    return o->kind == WL_PTX_OPD_TABLE || wrong(p, o, clause, "a .branchtargets label");
  }
}

static bool check_pair(wl_px_t *p, const wl_ptx_operand_t *o, const wl_opspec_t *s,
                       const char *clause) {
  if (o->pair == NULL) {
    if (!s->pair_needed) return true;
    return wl_px_error(p, o->pos, clause, "a second destination |p is needed");
  }
  if (!s->pair)
    return wl_px_error(p, o->pair->pos, clause, "no second destination is allowed here");
  if (o->kind == WL_PTX_OPD_SINK && o->pair->kind == WL_PTX_OPD_SINK)
    return wl_px_error(p, o->pair->pos, clause, "both destinations are `_`");
  if (o->pair->neg)
    return wl_px_error(p, o->pair->pos, clause, "`!` is not allowed on this operand");
  wl_opspec_t q = {.kind = 'p', .type_at = -1, .type = WL_PTX_T_PRED, .sink = !s->pair_needed};
  return destination(p, o->pair, &q, WL_PTX_T_PRED, clause);
}

static bool count_error(wl_px_t *p, const wl_ptx_insn_t *insn, unsigned min, unsigned max,
                        const char *clause) {
  if (min == max) {
    return wl_px_error(p, insn->pos, clause, "`%s` takes %u operand%s here, not %u",
                       wl_ptx_op_name(insn->op), min, min == 1 ? "" : "s", insn->noperands);
  }
  return wl_px_error(p, insn->pos, clause, "`%s` takes %u to %u operands here, not %u",
                     wl_ptx_op_name(insn->op), min, max, insn->noperands);
}

static void count_of(const wl_ptx_insn_t *insn, const wl_form_t *form, unsigned *min,
                     unsigned *max) {
  *min = *max = 0;
  bool hint = (insn->flags & WL_PTX_F(CACHE_HINT)) != 0;
  for (uint8_t i = 0; i < form->nops; i++) {
    const wl_opspec_t *s = &form->ops[i];
    bool absent = (s->kind == 'c' && !hint) ||
                  (s->kind == 'n' && s->optional && insn->boolop == WL_PTX_M_NONE);
    bool needed = !s->optional || s->kind == 'c' || s->kind == 'n';
    *max += !absent;
    *min += !absent && needed;
  }
}

bool wl_px_count_fits(const wl_ptx_insn_t *insn, const wl_form_t *form) {
  unsigned min, max;
  count_of(insn, form, &min, &max);
  return form->custom || (insn->noperands >= min && insn->noperands <= max);
}

bool wl_px_check_operands(wl_px_t *p, wl_ptx_insn_t *insn, const wl_form_t *form) {
  if (form->custom) return wl_px_check_mov(p, insn);
  unsigned min, max;
  bool hint = (insn->flags & WL_PTX_F(CACHE_HINT)) != 0;
  count_of(insn, form, &min, &max);
  if (insn->noperands < min || insn->noperands > max)
    return count_error(p, insn, min, max, form->clause);
  unsigned skip = max - insn->noperands; /* optional operands left out */
  uint32_t at = 0;
  bool ok = true;
  for (uint8_t i = 0; i < form->nops && at < insn->noperands; i++) {
    const wl_opspec_t *s = &form->ops[i];
    if (s->optional && (s->kind == 'c' ? !hint : s->kind == 'n' && insn->boolop == WL_PTX_M_NONE))
      continue;
    if (s->optional && s->kind != 'c' && s->kind != 'n' && skip > 0) {
      skip--;
      continue;
    }
    wl_ptx_operand_t *o = &insn->operands[at++];
    bool listed = o->kind == WL_PTX_OPD_VEC;
    if ((s->kind == 'D' || s->kind == 'S') && s->count == 0 && insn->vec <= 1) wl_px_open_single(o);
    if (s->kind == 'S' && listed && o->kind == WL_PTX_OPD_SREG)
      ok = vector_element_fits(p, o, spec_type(insn, s, o), s->wide, form->clause) && ok;
    else
      ok = check_one(p, insn, o, s, form->clause) && check_pair(p, o, s, form->clause) && ok;
  }
  return ok;
}
