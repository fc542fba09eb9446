/* special.c: rules that a form row cannot say: mov [PTX 9.7.9.3, 9.7.9.4], spaces of memory
 * accesses [6.4.1, 9.7.9.8, 9.7.9.11], ranges of cvt.sat [9.7.9.21], modifier pairs. */
#include "isa/ptx/px.h"

/* ---- mov ---- */
static bool pack_width(wl_px_t *p, const wl_ptx_insn_t *insn, const wl_ptx_operand_t *v) {
  unsigned bits = wl_ptx_type_bits(insn->type[0]), n = v->nelems;
  bool ok = wl_ptx_type_is_bits(insn->type[0]) && (n == 2 || n == 4) && bits / n >= 8;
  if (!ok) {
    return wl_px_error(p, v->pos, "9.7.9.4", "mov.%s cannot hold %u elements",
                       wl_ptx_type_name(insn->type[0]), n);
  }
  wl_ptx_type_t elem = bits / n == 8 ? WL_PTX_T_B8 : bits / n == 16 ? WL_PTX_T_B16 : WL_PTX_T_B32;
  for (uint32_t i = 0; i < n; i++) {
    if (v->elems[i].kind == WL_PTX_OPD_SINK) continue;
    if (!wl_px_value_fits(p, &v->elems[i], elem, false, "9.7.9.4")) return false;
  }
  return true;
}

static bool unpack_elems(wl_px_t *p, const wl_ptx_operand_t *v, bool dest) {
  for (uint32_t i = 0; i < v->nelems; i++) {
    wl_ptx_opd_kind_t k = v->elems[i].kind;
    bool ok = dest ? k == WL_PTX_OPD_REG || k == WL_PTX_OPD_SINK
                   : k != WL_PTX_OPD_SINK && k != WL_PTX_OPD_SREG;
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
  if (o->kind == WL_PTX_OPD_VAR && o->reg != NULL) {
    return wl_px_error(p, o->pos, "6.4.2",
                       "mov takes the address of an element with a constant index only");
  }
  if (o->kind == WL_PTX_OPD_VAR && o->var->role == WL_PTX_VAR_LOCAL_PARAM) {
    return wl_px_error(p, o->pos, "5.1.6.4",
                       "the address of a local .param variable cannot be taken");
  }
  return true;
}

/* Special registers may be read at their own size, and wide ones by their low part. */
static bool mov_sreg(wl_px_t *p, wl_ptx_type_t t, const wl_ptx_operand_t *o) {
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
    case WL_PTX_OPD_FUNC: return mov_address(p, insn, o);
    case WL_PTX_OPD_SREG:
      if (wl_px_operand_width(o) != 1) {
        return wl_px_error(p, o->pos, "10", "`%s` is a vector; name a component",
                           wl_ptx_sreg_name(o->sreg));
      }
      return mov_sreg(p, insn->type[0], o);
    default: return wl_px_value_fits(p, o, insn->type[0], false, "9.7.9.3");
  }
}

/* mov.v4 between vectors: registers, brace lists, %tid */
static bool mov_vector_side(wl_px_t *p, const wl_ptx_insn_t *insn, const wl_ptx_operand_t *o,
                            bool dest) {
  wl_ptx_type_t t = insn->type[0];
  unsigned n = o->kind == WL_PTX_OPD_VEC ? o->nelems : wl_px_operand_width(o);
  if (n != insn->vec) {
    return wl_px_error(p, o->pos, "9.7.9.3", "operand of %u elements in mov.v%u", n, insn->vec);
  }
  if (o->kind == WL_PTX_OPD_SREG && !dest) return mov_sreg(p, t, o);
  if (o->kind == WL_PTX_OPD_REG) {
    if (wl_ptx_type_fits(t, o->reg->type, false)) return true;
    return wl_px_error(p, o->pos, "9.7.9.3",
                       "`%.60s` of type `.%s` does not suit instruction type `.%s`", o->reg->name,
                       wl_ptx_type_name(o->reg->type), wl_ptx_type_name(t));
  }
  if (o->kind != WL_PTX_OPD_VEC)
    return wl_px_error(p, o->pos, "9.7.9.3", "expected a vector operand");
  if (!unpack_elems(p, o, dest)) return false;
  for (uint32_t i = 0; i < o->nelems; i++) {
    if (o->elems[i].kind == WL_PTX_OPD_SINK) continue;
    if (!wl_px_value_fits(p, &o->elems[i], t, false, "9.7.9.3")) return false;
  }
  return true;
}

bool wl_px_check_mov(wl_px_t *p, wl_ptx_insn_t *insn) {
  if (insn->noperands != 2 || insn->operands[0].pair != NULL || insn->operands[1].pair != NULL) {
    return wl_px_error(p, insn->pos, "9.7.9.3", "`mov` takes 2 operands here, not %u",
                       insn->noperands);
  }
  const wl_ptx_operand_t *d = &insn->operands[0], *s = &insn->operands[1];
  if (d->neg || s->neg)
    return wl_px_error(p, s->pos, "9.7.9.3", "`!` is not allowed on this operand");
  if (insn->vec > 1) return mov_vector_side(p, insn, d, true) && mov_vector_side(p, insn, s, false);
  if (d->kind == WL_PTX_OPD_VEC) { /* unpack */
    if (s->kind == WL_PTX_OPD_VEC) {
      return wl_px_error(p, s->pos, "9.7.9.4", "mov between two lists needs .v2 or .v4");
    }
    return unpack_elems(p, d, true) && pack_width(p, insn, d) && mov_scalar_source(p, insn, s);
  }
  if (d->kind != WL_PTX_OPD_REG) {
    return wl_px_error(p, d->pos, "9.7.9.3", "the destination of mov must be a register");
  }
  if (!wl_px_value_fits(p, d, insn->type[0], false, "9.7.9.3")) return false;
  if (s->kind == WL_PTX_OPD_VEC) return unpack_elems(p, s, false) && pack_width(p, insn, s);
  return mov_scalar_source(p, insn, s);
}

/* ---- memory ---- */
static void refine_param(wl_px_t *p, wl_ptx_insn_t *insn, const wl_ptx_operand_t *a) {
  if (insn->space != WL_PTX_SPACE_PARAM_ENTRY || insn->op == WL_PTX_OP_ISSPACEP ||
      insn->op == WL_PTX_OP_CVTA || a == NULL) {
    return;
  }
  bool func = insn->op == WL_PTX_OP_ST ||
              (a->var != NULL && a->var->space == WL_PTX_SPACE_PARAM_FUNC) ||
              (a->var == NULL && !p->fn.func->is_entry);
  if (func) insn->space = WL_PTX_SPACE_PARAM_FUNC;
}

static bool check_param_access(wl_px_t *p, const wl_ptx_insn_t *insn, const wl_ptx_operand_t *a) {
  bool store = insn->op == WL_PTX_OP_ST;
  if (insn->space != WL_PTX_SPACE_PARAM_FUNC) return true;
  if (insn->guard != NULL && a->var != NULL && a->var->role == WL_PTX_VAR_LOCAL_PARAM) {
    return wl_px_error(p, insn->pos, "7.1", "accesses to call parameters cannot be predicated");
  }
  if (store && a->var != NULL && a->var->role == WL_PTX_VAR_FUNC_PARAM) {
    return wl_px_error(p, a->pos, "5.1.6.4", "an input parameter cannot be written");
  }
  if (!store && a->var != NULL && a->var->role == WL_PTX_VAR_FUNC_RET) {
    return wl_px_error(p, a->pos, "5.1.6.4", "a return parameter cannot be read");
  }
  return true;
}

static bool check_address(wl_px_t *p, wl_ptx_insn_t *insn, wl_ptx_operand_t *a) {
  if (a->kind == WL_PTX_OPD_VAR) a->kind = WL_PTX_OPD_ADDR; /* a[1] is another spelling of [a+..] */
  refine_param(p, insn, a);
  if (a->var != NULL && insn->space == WL_PTX_SPACE_GENERIC &&
      a->var->space != WL_PTX_SPACE_PARAM_FUNC) {
    insn->space = a->var->space; /* the name proves the space; compilers write ld.u32 r, [gvar] */
  }
  if (a->var != NULL && !wl_ptx_space_accepts(insn->space, a->var->space)) {
    return wl_px_error(p, a->pos, "6.4.1", "`%.60s` is in .%s, the access is to .%s", a->var->name,
                       wl_ptx_space_name(a->var->space), wl_ptx_space_name(insn->space));
  }
  return check_param_access(p, insn, a);
}

static bool check_memory_modifiers(wl_px_t *p, const wl_ptx_insn_t *insn) {
  const char *clause = insn->op == WL_PTX_OP_ST ? "9.7.9.11" : "9.7.9.8";
  unsigned bytes = wl_ptx_type_bits(insn->type[0]) / 8 * insn->vec;
  if (insn->cache != WL_PTX_M_NONE &&
      (insn->evict_l1 != WL_PTX_M_NONE || insn->evict_l2 != WL_PTX_M_NONE)) {
    return wl_px_error(p, insn->pos, clause, "a cache operator excludes an eviction priority");
  }
  if (insn->sem == WL_PTX_M_VOLATILE && insn->space != WL_PTX_SPACE_GENERIC &&
      insn->space != WL_PTX_SPACE_GLOBAL && insn->space != WL_PTX_SPACE_SHARED &&
      insn->space != WL_PTX_SPACE_LOCAL && insn->space != WL_PTX_SPACE_SHARED_CLUSTER) {
    return wl_px_error(p, insn->pos, clause, ".volatile needs .global, .shared, .local or generic");
  }
  if (bytes > 16 && (insn->space == WL_PTX_SPACE_GENERIC || insn->space == WL_PTX_SPACE_GLOBAL)) {
    return wl_px_unsupported(p, insn->pos, clause, "256-bit accesses are not implemented");
  }
  if (bytes > 16) {
    return wl_px_error(p, insn->pos, clause, ".v%u of `.%s` is larger than 16 bytes", insn->vec,
                       wl_ptx_type_name(insn->type[0]));
  }
  if (insn->evict_l2 != WL_PTX_M_NONE) {
    return wl_px_error(p, insn->pos, clause, "an L2 eviction priority needs a 256-bit access");
  }
  return true;
}

static bool check_memory(wl_px_t *p, wl_ptx_insn_t *insn) {
  bool ok = true;
  for (uint32_t i = 0; i < insn->noperands; i++) {
    wl_ptx_operand_t *o = &insn->operands[i];
    if (o->kind == WL_PTX_OPD_ADDR || (o->kind == WL_PTX_OPD_VAR && insn->op != WL_PTX_OP_CVTA)) {
      ok = check_address(p, insn, o) && ok;
    }
  }
  return ok;
}

/* ---- cvt ---- */
static bool check_cvt(wl_px_t *p, const wl_ptx_insn_t *insn) {
  wl_ptx_type_t d = insn->type[0], s = insn->type[1];
  if (insn->ntypes < 2 || !wl_ptx_type_is_int(d) || !wl_ptx_type_is_int(s)) return true;
  if ((insn->flags & WL_PTX_F(SAT)) == 0) return true;
  unsigned db = wl_ptx_type_bits(d), sb = wl_ptx_type_bits(s);
  bool ds = wl_ptx_type_is_signed(d), ss = wl_ptx_type_is_signed(s);
  bool contains = ds == ss ? db >= sb : ds && db > sb;
  return !contains ||
         wl_px_error(p, insn->pos, "9.7.9.21", ".sat has no meaning from `.%s` to `.%s`",
                     wl_ptx_type_name(s), wl_ptx_type_name(d));
}

/* ---- ranges of constants ---- */
static bool check_constant_range(wl_px_t *p, const wl_ptx_insn_t *insn, uint32_t at, uint64_t max,
                                 const char *what) {
  const wl_ptx_operand_t *o = &insn->operands[at];
  if (at >= insn->noperands || o->kind != WL_PTX_OPD_INT || o->imm <= max) return true;
  return wl_px_error(p, o->pos, wl_ptx_op_clause(insn->op), "%s must be in 0..%llu", what,
                     (unsigned long long)max);
}

/* 16 barriers; thread counts are whole warps [PTX 9.7.13.1] */
static bool check_barrier(wl_px_t *p, const wl_ptx_insn_t *insn) {
  if (insn->mode[0] == WL_PTX_M_WARP || insn->noperands == 0) return true;
  uint32_t at = insn->mode[0] == WL_PTX_M_RED ? 1 : 0;
  uint32_t last = insn->noperands - at; /* operands from the barrier number on */
  if (!check_constant_range(p, insn, at, 15, "the barrier number")) return false;
  bool has_count = insn->mode[0] == WL_PTX_M_RED ? last == 3 : last == 2;
  if (!has_count) return true;
  const wl_ptx_operand_t *o = &insn->operands[at + 1];
  if (o->kind != WL_PTX_OPD_INT || (o->imm != 0 && o->imm % 32 == 0 && o->imm <= 1024)) return true;
  return wl_px_error(p, o->pos, "9.7.13.1", "the thread count must be a multiple of the warp size");
}

/* shfl and vote without .sync ended with sm_70 and PTX 6.4 */
static bool check_sync(wl_px_t *p, const wl_ptx_insn_t *insn) {
  if ((insn->flags & WL_PTX_F(SYNC)) != 0 || p->version10 < 64 || p->m->sm < 70) return true;
  return wl_px_error(p, insn->pos, wl_ptx_op_clause(insn->op),
                     "`%s` without .sync does not exist for sm_70 and higher",
                     wl_ptx_op_name(insn->op));
}

static bool check_memory_insn(wl_px_t *p, wl_ptx_insn_t *insn) {
  if (!check_memory(p, insn)) return false;
  if (insn->space == WL_PTX_SPACE_SHARED_CLUSTER) {
    return wl_px_unsupported(p, insn->pos, wl_ptx_op_clause(insn->op),
                             ".shared::cluster accesses are not implemented");
  }
  bool ldst = insn->op == WL_PTX_OP_LD || insn->op == WL_PTX_OP_ST || insn->op == WL_PTX_OP_LDU;
  return !ldst || check_memory_modifiers(p, insn);
}

bool wl_px_check_special(wl_px_t *p, wl_ptx_insn_t *insn) {
  switch (insn->op) {
    case WL_PTX_OP_LD:
    case WL_PTX_OP_ST:
    case WL_PTX_OP_LDU:
    case WL_PTX_OP_ATOM:
    case WL_PTX_OP_RED:
    case WL_PTX_OP_PREFETCH:
    case WL_PTX_OP_PREFETCHU: return check_memory_insn(p, insn);
    case WL_PTX_OP_CVT: return check_cvt(p, insn);
    case WL_PTX_OP_BAR:
    case WL_PTX_OP_BARRIER: return check_barrier(p, insn);
    case WL_PTX_OP_SHFL:
    case WL_PTX_OP_VOTE: return check_sync(p, insn);
    case WL_PTX_OP_BFE:
      return check_constant_range(p, insn, 2, 255, "the position") &&
             check_constant_range(p, insn, 3, 255, "the length");
    case WL_PTX_OP_BFI:
      return check_constant_range(p, insn, 3, 255, "the position") &&
             check_constant_range(p, insn, 4, 255, "the length");
    default: return true;
  }
}
