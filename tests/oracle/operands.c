/* operands.c: operands of the syntax tree to slots, constants and addresses [PTX 6.4]. */
#include "isa/ptx/ptx.h"
#include "tests/oracle/module.h"

/* A double constant in an f32 operation [PTX 4.5.2]: rounded to nearest even. */
static uint32_t round_double(uint64_t bits) {
  uint64_t fraction = bits & wl_or_mask(52);
  int field = (int)(bits >> 52 & 0x7ff);
  if (field == 0x7ff) {
    return fraction != 0 ? WL_OR_F32_NAN : (uint32_t)(bits >> 63) << 31 | UINT32_C(0x7f800000);
  }
  uint64_t mantissa = field == 0 ? fraction : fraction | UINT64_C(1) << 52;
  return wl_or_f32_scale(bits >> 63 != 0, mantissa, (field == 0 ? 1 : field) - 1075,
                         (wl_or_fmode_t){WL_OR_RN, false, false});
}

static uint32_t slot_of(const wl_or_tr_t *t, const wl_ptx_operand_t *o) {
  uint32_t comp = o->comp > 0 ? (uint32_t)o->comp : 0;
  return t->f->reg_slot[o->reg->id] + comp;
}

static bool lookup(const wl_or_placed_t *list, size_t n, const wl_ptx_var_t *var, uint64_t *at) {
  for (size_t i = 0; i < n; i++) {
    if (list[i].var == var) {
      *at = list[i].at;
      return true;
    }
  }
  return false;
}

/* Address of a variable in its own space, as a constant or relative to the frame. */
static bool variable(wl_or_tr_t *t, const wl_ptx_var_t *v, wl_or_src_t *s) {
  *s = (wl_or_src_t){.kind = OR_S_IMM, .mask = UINT64_MAX};
  switch (v->role) {
  case WL_PTX_VAR_ENTRY_PARAM:
    s->imm = v->offset;
    return true;
  case WL_PTX_VAR_FUNC_PARAM:
  case WL_PTX_VAR_FUNC_RET: {
    const wl_or_param_t *list = v->role == WL_PTX_VAR_FUNC_RET ? t->f->rets : t->f->params;
    s->kind = OR_S_FRAME;
    s->imm = list[v->id].offset;
    return true;
  }
  case WL_PTX_VAR_LOCAL_PARAM:
    s->kind = OR_S_FRAME;
    s->imm = t->f->var_offset[v->id];
    return true;
  default:
    break;
  }
  if (v->space == WL_PTX_SPACE_LOCAL && v->role == WL_PTX_VAR_FUNCTION) {
    s->kind = OR_S_FRAME;
    s->imm = t->f->var_offset[v->id];
    return true;
  }
  return lookup(t->p->module->vars, t->p->module->nvars, v, &s->imm) ||
         lookup(t->p->shared, t->p->nshared, v, &s->imm) ||
         wl_or_tr_fail(t, "variable %s has no place", v->name);
}

static bool constant(wl_or_tr_t *t, const wl_ptx_operand_t *o, wl_ptx_type_t type, wl_or_src_t *s) {
  s->kind = OR_S_IMM;
  s->imm = o->imm;
  if (o->kind == WL_PTX_OPD_FLOAT) {
    unsigned bits = wl_ptx_type_bits(type);
    if (bits == 32 && !o->imm_f32) {
      s->imm = round_double(o->imm);
    }
    if ((bits != 32 && bits != 64) || (bits == 64 && o->imm_f32)) {
      return wl_or_tr_fail(t, "floating-point constant of this width");
    }
  } else if (type == WL_PTX_T_F32 || type == WL_PTX_T_F64) { /* of halves: their bits */
    return wl_or_tr_fail(t, "integer constant in a floating-point operation");
  }
  return true;
}

bool wl_or_tr_src(wl_or_tr_t *t, const wl_ptx_operand_t *o, wl_ptx_type_t type, wl_or_src_t *s) {
  *s = (wl_or_src_t){.mask = wl_or_mask(wl_ptx_type_bits(type)), .invert = o->neg};
  switch (o->kind) {
  case WL_PTX_OPD_REG:
    if (o->reg->vec != 1 && o->comp < 0) {
      return wl_or_tr_fail(t, "whole vector register %s", o->reg->name);
    }
    s->kind = OR_S_REG;
    s->slot = slot_of(t, o);
    return true;
  case WL_PTX_OPD_INT:
  case WL_PTX_OPD_FLOAT:
    return constant(t, o, type, s);
  case WL_PTX_OPD_SREG:
    s->kind = OR_S_SREG;
    s->slot = (uint32_t)o->sreg;
    s->imm = o->index;
    s->comp = o->comp > 0 ? (uint8_t)o->comp : 0;
    return true;
  case WL_PTX_OPD_VAR: {
    uint64_t mask = s->mask;
    if (o->reg != NULL || !variable(t, o->var, s)) {
      return o->reg == NULL ? false : wl_or_tr_fail(t, "element with a register index");
    }
    s->imm += o->imm;
    s->mask = mask;
    return true;
  }
  case WL_PTX_OPD_FUNC: {
    const wl_ptx_func_t *f = o->func;
    while (f->alias_of != NULL) {
      f = f->alias_of;
    }
    s->kind = OR_S_IMM;
    s->imm = OR_CODE_BASE + (uint64_t)f->id * OR_CODE_STEP;
    return true;
  }
  default:
    return wl_or_tr_fail(t, "operand of this kind");
  }
}

bool wl_or_tr_dst(wl_or_tr_t *t, const wl_ptx_operand_t *o, wl_or_dst_t *d) {
  *d = (wl_or_dst_t){0, UINT64_MAX};
  if (o->kind == WL_PTX_OPD_SINK) {
    return true;
  }
  if (o->kind != WL_PTX_OPD_REG || (o->reg->vec != 1 && o->comp < 0)) {
    return wl_or_tr_fail(t, "destination of this kind");
  }
  d->slot = slot_of(t, o);
  d->mask = wl_or_mask(wl_ptx_type_bits(o->reg->type));
  return true;
}

/* Element i of a vector operand as an operand of its own. */
static bool element(const wl_ptx_operand_t *o, unsigned n, unsigned i, wl_ptx_operand_t *e) {
  if (o->kind == WL_PTX_OPD_VEC && o->nelems == n) {
    *e = o->elems[i];
    return true;
  }
  *e = *o;
  bool whole = (o->kind == WL_PTX_OPD_REG && (o->reg->vec == n || n == 1)) ||
               (o->kind == WL_PTX_OPD_SREG && n > 1) || n == 1;
  if (n > 1) {
    e->comp = (int8_t)i;
  }
  return whole;
}

bool wl_or_tr_src_vec(wl_or_tr_t *t, const wl_ptx_operand_t *o, wl_ptx_type_t type, unsigned n,
                      wl_or_src_t *s) {
  for (unsigned i = 0; i < n; i++) {
    wl_ptx_operand_t e;
    if (n > OR_RESULTS || !element(o, n, i, &e)) {
      return wl_or_tr_fail(t, "vector operand of this shape");
    }
    if (e.kind == WL_PTX_OPD_SINK) {
      s[i] = (wl_or_src_t){.kind = OR_S_IMM, .skip = true};
    } else if (!wl_or_tr_src(t, &e, type, &s[i])) {
      return false;
    }
  }
  return true;
}

bool wl_or_tr_dst_vec(wl_or_tr_t *t, const wl_ptx_operand_t *o, unsigned n, wl_or_dst_t *d) {
  for (unsigned i = 0; i < n; i++) {
    wl_ptx_operand_t e;
    if (n > OR_RESULTS || !element(o, n, i, &e)) {
      return wl_or_tr_fail(t, "vector operand of this shape");
    }
    if (!wl_or_tr_dst(t, &e, &d[i])) {
      return false;
    }
  }
  return true;
}

bool wl_or_tr_src128(wl_or_tr_t *t, const wl_ptx_operand_t *o, wl_or_src_t *s) {
  const bool number = o->kind == WL_PTX_OPD_INT;
  if ((o->kind != WL_PTX_OPD_REG && !number) || !wl_or_tr_src(t, o, WL_PTX_T_B64, &s[0])) {
    return wl_or_tr_fail(t, "operand of 128 bits");
  }
  s[1] = s[0];
  if (number) { /* ptxas has zeros above a constant, of whatever sign */
    s[1].imm = 0;
    return true;
  }
  s[1].slot++;
  return true;
}

bool wl_or_tr_dst128(wl_or_tr_t *t, const wl_ptx_operand_t *o, wl_or_dst_t *d) {
  if (!wl_or_tr_dst(t, o, &d[0])) {
    return false;
  }
  d[1] = d[0];
  d[1].slot += d[0].slot != 0 ? 1 : 0;
  return true;
}

bool wl_or_tr_address(wl_or_tr_t *t, const wl_ptx_operand_t *o) {
  wl_or_src_t *s = &t->out->s[0];
  if (o->kind != WL_PTX_OPD_ADDR) {
    return wl_or_tr_fail(t, "address of this kind");
  }
  *s = (wl_or_src_t){.kind = OR_S_IMM, .mask = UINT64_MAX};
  t->out->offset = (int64_t)o->imm;
  if (o->var != NULL && o->reg != NULL) {
    /* var[reg + imm] [PTX 6.4.2]: as ptxas has it, in 32 bits, by components of vectors */
    wl_or_src_t *i = &t->out->index;
    *i = (wl_or_src_t){.kind = OR_S_REG, .slot = slot_of(t, o), .mask = wl_or_mask(32)};
    t->out->scale = (uint8_t)(wl_ptx_type_bits(o->var->type) / 8);
    return variable(t, o->var, s);
  }
  if (o->var != NULL) {
    uint64_t bytes = t->out->bits / 8u * t->out->vec;
    bool in = t->out->offset >= 0 && o->imm + bytes <= o->var->size;
    return o->var->unsized || in ? variable(t, o->var, s)
                                 : wl_or_tr_fail(t, "access beyond %s", o->var->name);
  }
  if (o->reg != NULL) {
    s->kind = OR_S_REG;
    s->slot = slot_of(t, o);
    s->mask = wl_or_mask(wl_ptx_type_bits(o->reg->type));
  }
  return true;
}

bool wl_or_tr_space(wl_or_tr_t *t, wl_ptx_space_t space, uint8_t *out) {
  switch (space) {
  case WL_PTX_SPACE_GENERIC:
    *out = OR_SP_GENERIC;
    return true;
  case WL_PTX_SPACE_GLOBAL:
    *out = OR_SP_GLOBAL;
    return true;
  case WL_PTX_SPACE_CONST:
    *out = OR_SP_CONST;
    return true;
  case WL_PTX_SPACE_SHARED:
  case WL_PTX_SPACE_SHARED_CLUSTER: /* of one CTA */
    *out = OR_SP_SHARED;
    return true;
  case WL_PTX_SPACE_LOCAL:
  case WL_PTX_SPACE_PARAM_FUNC:
    *out = OR_SP_LOCAL;
    return true; /* both in the frame */
  case WL_PTX_SPACE_PARAM_ENTRY:
    *out = OR_SP_PARAM;
    return true;
  default:
    return wl_or_tr_fail(t, "state space .%s", wl_ptx_space_name(space));
  }
}
