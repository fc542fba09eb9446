/* translate_mem.c: memory, atomics, fences, barriers, warp exchange and calls [PTX 7.1, 9.7.9,
 * 9.7.13] from syntax tree to code.h. Memory order words and cache hints need nothing: every
 * access is sequentially consistent. */
#include "isa/ptx/ptx.h"
#include "tests/oracle/module.h"

static bool load_store(wl_or_tr_t *t, bool store) {
  const wl_ptx_operand_t *o = t->ast->operands;
  wl_or_insn_t *n = t->out;
  wl_ptx_type_t type = t->ast->type[0];
  n->op = store ? OR_ST : OR_LD;
  n->vec = t->ast->vec > 1 ? t->ast->vec : 1;
  const bool twice = n->bits == 128;
  if (twice) {
    n->bits = 64;
    n->vec = 2;
  }
  if (n->bits < 8 || n->bits > 64) {
    return wl_or_tr_fail(t, "type .%s", wl_ptx_type_name(type));
  }
  const wl_ptx_operand_t *at = &o[store ? 0 : 1]; /* a variable's address is one of its space */
  bool named = t->ast->space == WL_PTX_SPACE_GENERIC && at->var != NULL;
  wl_ptx_space_t space = named ? at->var->space : t->ast->space;
  if (!wl_or_tr_space(t, space, &n->space) || !wl_or_tr_address(t, at)) {
    return false;
  }
  if (twice) {
    return store ? wl_or_tr_src128(t, &o[1], &n->s[1]) : wl_or_tr_dst128(t, &o[0], n->d);
  }
  return store ? wl_or_tr_src_vec(t, &o[1], type, n->vec, &n->s[1])
               : wl_or_tr_dst_vec(t, &o[0], n->vec, n->d);
}

static bool atomic_op(wl_or_tr_t *t) {
  static const struct {
    wl_ptx_mod_t mod;
    enum wl_or_sub sub;
  } ops[] = {{WL_PTX_M_AND, OR_A_AND},   {WL_PTX_M_OR, OR_A_OR},   {WL_PTX_M_XOR, OR_A_XOR},
             {WL_PTX_M_EXCH, OR_A_EXCH}, {WL_PTX_M_CAS, OR_A_CAS}, {WL_PTX_M_ADD, OR_A_ADD},
             {WL_PTX_M_INC, OR_A_INC},   {WL_PTX_M_DEC, OR_A_DEC}, {WL_PTX_M_MIN, OR_A_MIN},
             {WL_PTX_M_MAX, OR_A_MAX}};
  for (unsigned i = 0; i < sizeof ops / sizeof ops[0]; i++) {
    if (wl_or_tr_has(t, ops[i].mod)) {
      t->out->sub = (uint8_t)ops[i].sub;
      return true;
    }
  }
  return wl_or_tr_fail(t, "operation");
}

/* Of 128 bits, in halves: the value in s[1], s[2], of cas the new one in s[3], s[4]. */
static bool atomic128(wl_or_tr_t *t) {
  const wl_ptx_operand_t *o = t->ast->operands;
  wl_or_insn_t *n = t->out;
  if (n->sub != OR_A_EXCH && n->sub != OR_A_CAS) {
    return wl_or_tr_fail(t, "operation of 128 bits");
  }
  return wl_or_tr_space(t, t->ast->space, &n->space) && wl_or_tr_address(t, &o[1]) &&
         wl_or_tr_dst128(t, &o[0], n->d) && wl_or_tr_src128(t, &o[2], &n->s[1]) &&
         (n->sub == OR_A_EXCH || wl_or_tr_src128(t, &o[3], &n->s[3]));
}

static bool atomic(wl_or_tr_t *t, bool result) {
  const wl_ptx_operand_t *o = t->ast->operands;
  wl_or_insn_t *n = t->out;
  wl_ptx_type_t type = t->ast->type[0];
  unsigned at = result ? 1 : 0;
  n->op = OR_ATOM;
  n->vec = t->ast->vec > 1 ? t->ast->vec : 1;
  if (!atomic_op(t)) {
    return false;
  }
  if (n->bits == 128 && result) {
    return atomic128(t);
  }
  const bool half = type == WL_PTX_T_F16 || type == WL_PTX_T_BF16;
  if (half || type == WL_PTX_T_F16X2 || type == WL_PTX_T_BF16X2) {
    n->n = half ? 1 : 2;
    n->half.bf16 = type == WL_PTX_T_BF16 || type == WL_PTX_T_BF16X2;
  } else if (wl_ptx_type_is_float(type)) {
    if (type != WL_PTX_T_F32 || n->sub != OR_A_ADD) {
      return wl_or_tr_fail(t, "type .%s", wl_ptx_type_name(type));
    }
    n->sub = OR_A_FADD;
  }
  unsigned nsrc = n->sub == OR_A_CAS ? 2 : 1;
  unsigned policy = (t->ast->flags & WL_PTX_F(CACHE_HINT)) != 0 ? 1 : 0; /* not looked at */
  if (t->ast->noperands != at + 1 + nsrc + policy || n->bits < 16 || n->bits > 64 ||
      (n->vec > 1 && nsrc != 1)) {
    return wl_or_tr_fail(t, "operands");
  }
  return wl_or_tr_space(t, t->ast->space, &n->space) && wl_or_tr_address(t, &o[at]) &&
         (!result || o[0].kind == WL_PTX_OPD_SINK || wl_or_tr_dst_vec(t, &o[0], n->vec, n->d)) &&
         wl_or_tr_src_vec(t, &o[at + 1], type, n->vec, &n->s[1]) &&
         (nsrc == 1 || wl_or_tr_src(t, &o[at + 2], type, &n->s[2]));
}

static bool address_space(wl_or_tr_t *t) {
  const wl_ptx_operand_t *o = t->ast->operands;
  wl_or_insn_t *n = t->out;
  bool test = t->ast->op == WL_PTX_OP_ISSPACEP;
  n->op = test ? OR_ISSPACEP : wl_or_tr_has(t, WL_PTX_M_TO) ? OR_CVTA_TO : OR_CVTA;
  if (!test && n->bits != 64) {
    return wl_or_tr_fail(t, "32-bit generic addresses");
  }
  return wl_or_tr_space(t, t->ast->space, &n->space) && wl_or_tr_dst(t, &o[0], &n->d[0]) &&
         wl_or_tr_src(t, &o[1], WL_PTX_T_U64, &n->s[0]);
}

/* s[0] barrier, s[1] thread count (n = 1: present), s[2] predicate */
static bool barrier(wl_or_tr_t *t) {
  const wl_ptx_operand_t *o = t->ast->operands;
  wl_or_insn_t *n = t->out;
  bool red = wl_or_tr_has(t, WL_PTX_M_RED);
  n->op = OR_BAR;
  n->sub = !red ? (wl_or_tr_has(t, WL_PTX_M_ARRIVE) ? OR_B_ARRIVE : OR_B_SYNC)
           : wl_or_tr_has(t, WL_PTX_M_POPC) ? OR_B_POPC
           : wl_or_tr_has(t, WL_PTX_M_AND)  ? OR_B_AND
                                            : OR_B_OR;
  unsigned at = red ? 1 : 0, after = red ? 1 : 0;
  n->n = t->ast->noperands == at + 2 + after ? 1 : 0;
  if (t->ast->noperands != at + 1 + n->n + after) {
    return wl_or_tr_fail(t, "operands");
  }
  return (!red || (wl_or_tr_dst(t, &o[0], &n->d[0]) &&
                   wl_or_tr_src(t, &o[t->ast->noperands - 1], WL_PTX_T_PRED, &n->s[2]))) &&
         wl_or_tr_src(t, &o[at], WL_PTX_T_U32, &n->s[0]) &&
         (n->n == 0 || wl_or_tr_src(t, &o[at + 1], WL_PTX_T_U32, &n->s[1]));
}

static bool pick(wl_or_tr_t *t, const wl_ptx_mod_t *mods, unsigned count, unsigned first) {
  for (unsigned i = 0; i < count; i++) {
    if (wl_or_tr_has(t, mods[i])) {
      t->out->sub = (uint8_t)(first + i);
      return true;
    }
  }
  return wl_or_tr_fail(t, "mode");
}

/* Warp exchange: s[0] member mask, then the values. Operands: d{|p}, values.., mask. */
static bool exchange(wl_or_tr_t *t, bool dst, wl_ptx_type_t value) {
  const wl_ptx_operand_t *o = t->ast->operands;
  wl_or_insn_t *n = t->out;
  unsigned at = dst ? 1 : 0, count = t->ast->noperands;
  n->op = OR_WARP;
  if (!wl_or_tr_src(t, &o[count - 1], WL_PTX_T_U32, &n->s[0]) ||
      (dst && !wl_or_tr_dst(t, &o[0], &n->d[0])) ||
      (dst && o[0].pair != NULL && !wl_or_tr_dst(t, o[0].pair, &n->p))) {
    return false;
  }
  for (unsigned i = at; i + 1 < count; i++) {
    wl_ptx_type_t type = i == at ? value : WL_PTX_T_U32;
    if (i - at >= 4 || !wl_or_tr_src(t, &o[i], type, &n->s[1 + i - at])) {
      return false;
    }
  }
  return true;
}

static bool warp(wl_or_tr_t *t) {
  static const wl_ptx_mod_t shfl[] = {WL_PTX_M_UP, WL_PTX_M_DOWN, WL_PTX_M_BFLY, WL_PTX_M_IDX};
  static const wl_ptx_mod_t vote[] = {WL_PTX_M_ALL, WL_PTX_M_ANY, WL_PTX_M_UNI_MODE,
                                      WL_PTX_M_BALLOT};
  static const wl_ptx_mod_t match[] = {WL_PTX_M_ANY, WL_PTX_M_ALL};
  static const wl_ptx_mod_t redux[] = {WL_PTX_M_ADD, WL_PTX_M_MIN, WL_PTX_M_MAX,
                                       WL_PTX_M_AND, WL_PTX_M_OR,  WL_PTX_M_XOR};
  if ((t->ast->flags & WL_PTX_F(SYNC)) == 0) {
    return wl_or_tr_fail(t, "without .sync");
  }
  switch (t->ast->op) {
  case WL_PTX_OP_SHFL:
    return pick(t, shfl, 4, OR_W_UP) && exchange(t, true, WL_PTX_T_B32);
  case WL_PTX_OP_VOTE:
    return pick(t, vote, 4, OR_W_ALL) && exchange(t, true, WL_PTX_T_PRED);
  case WL_PTX_OP_MATCH:
    return pick(t, match, 2, OR_W_MATCH_ANY) && exchange(t, true, t->ast->type[0]);
  case WL_PTX_OP_REDUX:
    t->out->flt = t->ast->type[0] == WL_PTX_T_F32;
    return pick(t, redux, 6, OR_W_ADD) && exchange(t, true, WL_PTX_T_B32);
  default:
    t->out->sub = OR_W_ELECT;
    return exchange(t, true, WL_PTX_T_B32);
  }
}

/* s[0] address, s[1] on the registers of a store, or the source of movmatrix. */
static bool matrix(wl_or_tr_t *t) {
  const wl_ptx_operand_t *o = t->ast->operands;
  wl_or_insn_t *n = t->out;
  const bool store = t->ast->op == WL_PTX_OP_STMATRIX;
  n->op = store ? OR_STMATRIX : t->ast->op == WL_PTX_OP_LDMATRIX ? OR_LDMATRIX : OR_MOVMATRIX;
  if (n->op == OR_MOVMATRIX) {
    return wl_or_tr_dst(t, &o[0], &n->d[0]) && wl_or_tr_src(t, &o[1], WL_PTX_T_B32, &n->s[1]);
  }
  const bool square = wl_or_tr_has(t, WL_PTX_M_M16N16);
  n->bits = wl_or_tr_has(t, WL_PTX_M_M8N8)        ? 16
            : wl_or_tr_has(t, WL_PTX_M_B6X16_P32) ? 6
            : wl_or_tr_has(t, WL_PTX_M_B4X16_P64) ? 4
                                                  : 8;
  n->wrap = wl_or_tr_has(t, WL_PTX_M_TRANS);
  n->n = wl_or_tr_has(t, WL_PTX_M_X1) ? 1 : wl_or_tr_has(t, WL_PTX_M_X2) ? 2 : 4;
  n->shift = square ? 16 : 8;
  n->vec = (uint8_t)(square ? 2 * n->n : n->n);
  return wl_or_tr_space(t, t->ast->space, &n->space) && wl_or_tr_address(t, &o[store ? 0 : 1]) &&
         (store ? wl_or_tr_src_vec(t, &o[1], WL_PTX_T_B32, n->vec, &n->s[1])
                : wl_or_tr_dst_vec(t, &o[0], n->vec, n->d));
}

static unsigned vector_size(const wl_ptx_operand_t *o) {
  return o->kind == WL_PTX_OPD_VEC ? o->nelems : o->reg->vec;
}

/* s: the registers of A, of B, of C; the metadata. */
static bool product(wl_or_tr_t *t) {
  const wl_ptx_operand_t *o = t->ast->operands;
  wl_or_insn_t *n = t->out;
  const bool f64 = t->ast->type[1] == WL_PTX_T_F64;
  const wl_ptx_type_t a = f64 ? WL_PTX_T_F64 : WL_PTX_T_B32;
  const wl_ptx_type_t c = t->ast->type[3] == WL_PTX_T_F32 ? WL_PTX_T_F32 : a;
  n->op = OR_MMA;
  n->n = (uint8_t)vector_size(&o[1]);
  n->shift = (uint8_t)vector_size(&o[2]);
  n->vec = (uint8_t)vector_size(&o[3]);
  return wl_or_tr_dst_vec(t, &o[0], vector_size(&o[0]), n->d) &&
         wl_or_tr_src_vec(t, &o[1], a, n->n, n->s) &&
         wl_or_tr_src_vec(t, &o[2], a, n->shift, n->s + n->n) &&
         wl_or_tr_src_vec(t, &o[3], c, n->vec, n->s + n->n + n->shift) &&
         (t->ast->noperands < 6 ||
          wl_or_tr_src(t, &o[4], WL_PTX_T_B32, &n->s[n->n + n->shift + n->vec]));
}

bool wl_or_tr_memory(wl_or_tr_t *t) {
  wl_or_insn_t *n = t->out;
  if (wl_or_tr_is_bulk(t)) {
    return wl_or_tr_bulk(t);
  }
  switch (t->ast->op) {
  case WL_PTX_OP_LD:
  case WL_PTX_OP_LDU:
    return load_store(t, false);
  case WL_PTX_OP_ST:
    return load_store(t, true);
  case WL_PTX_OP_ATOM:
    return atomic(t, true);
  case WL_PTX_OP_RED:
    return atomic(t, false);
  case WL_PTX_OP_CVTA:
  case WL_PTX_OP_ISSPACEP:
    return address_space(t);
  case WL_PTX_OP_MMA:
    return product(t);
  case WL_PTX_OP_WMMA:
    return wl_or_tr_wmma(t);
  case WL_PTX_OP_MEMBAR:
  case WL_PTX_OP_FENCE:
  case WL_PTX_OP_PREFETCH:
  case WL_PTX_OP_PREFETCHU:
  case WL_PTX_OP_APPLYPRIORITY:
  case WL_PTX_OP_DISCARD:
  case WL_PTX_OP_PMEVENT:
  case WL_PTX_OP_GRIDDEPCONTROL: /* one grid */
    n->op = OR_NOP;
    return true;
  case WL_PTX_OP_CREATEPOLICY: /* hints: their bits mean nothing */
    n->op = OR_MOV;
    n->n = 1;
    n->s[0] = (wl_or_src_t){.kind = OR_S_IMM};
    return wl_or_tr_dst(t, &t->ast->operands[0], &n->d[0]);
  case WL_PTX_OP_BAR:
  case WL_PTX_OP_BARRIER:
    if (wl_or_tr_has(t, WL_PTX_M_CLUSTER)) {
      return wl_or_tr_cluster(t);
    }
    if (!wl_or_tr_has(t, WL_PTX_M_WARP)) {
      return barrier(t);
    }
    n->sub = OR_W_SYNC;
    return exchange(t, false, WL_PTX_T_B32);
  case WL_PTX_OP_SHFL:
  case WL_PTX_OP_VOTE:
  case WL_PTX_OP_MATCH:
  case WL_PTX_OP_REDUX:
  case WL_PTX_OP_ELECT:
    return warp(t);
  case WL_PTX_OP_LDMATRIX:
  case WL_PTX_OP_STMATRIX:
  case WL_PTX_OP_MOVMATRIX:
    return matrix(t);
  case WL_PTX_OP_MBARRIER:
  case WL_PTX_OP_MAPA:
  case WL_PTX_OP_GETCTARANK:
    return wl_or_tr_cluster(t);
  case WL_PTX_OP_CP:
    return wl_or_tr_copy(t);
  case WL_PTX_OP_ACTIVEMASK:
    n->op = OR_ACTIVE;
    return wl_or_tr_dst(t, &t->ast->operands[0], &n->d[0]);
  default:
    return wl_or_tr_fail(t, "instruction");
  }
}

/* ---- calls ---- */
static bool actual(wl_or_tr_t *t, const wl_ptx_operand_t *o, const wl_ptx_formal_t *formal,
                   bool ret, wl_or_param_t *out) {
  wl_ptx_type_t type = formal->var != NULL ? formal->var->type : formal->reg->type;
  out->size = wl_ptx_type_bits(type) / 8;
  if (o->kind == WL_PTX_OPD_VAR) {
    wl_or_src_t at;
    if (o->var->space != WL_PTX_SPACE_PARAM_FUNC || !wl_or_tr_src(t, o, WL_PTX_T_U64, &at)) {
      return wl_or_tr_fail(t, "argument %s", o->var->name);
    }
    out->in_frame = true;
    out->offset = (uint32_t)at.imm;
    out->size = (uint32_t)o->var->size;
    return true;
  }
  return ret ? wl_or_tr_dst(t, o, &out->reg) : wl_or_tr_src(t, o, type, &out->value);
}

static bool actuals(wl_or_tr_t *t, const wl_ptx_operand_t *o, const wl_ptx_formal_t *formals,
                    uint32_t n, bool ret, wl_or_param_t **out) {
  wl_or_param_t *list = wl_arena_alloc(&t->p->arena, (n + 1) * sizeof *list);
  *out = list;
  if (list == NULL) {
    return wl_or_tr_fail(t, "out of memory");
  }
  for (uint32_t i = 0; i < n; i++) {
    if (!actual(t, &o[i], &formals[i], ret, &list[i])) {
      return false;
    }
  }
  return true;
}

bool wl_or_tr_call(wl_or_tr_t *t) {
  const wl_ptx_call_t *c = t->ast->call;
  wl_or_call_t *call = wl_arena_alloc(&t->p->arena, sizeof *call);
  if (call == NULL || c->proto == NULL) {
    return wl_or_tr_fail(t, "call without an interface");
  }
  t->out->op = OR_CALL;
  t->out->call = call;
  call->nargs = c->nargs;
  call->nrets = c->nrets;
  if (c->func != NULL) {
    const wl_ptx_func_t *f = c->func;
    while (f->alias_of != NULL) {
      f = f->alias_of;
    }
    if (!f->defined) {
      return wl_or_tr_fail(t, "function %s has no body", f->name);
    }
    call->target = &t->p->funcs[f->id];
  } else {
    wl_ptx_operand_t o = {.kind = WL_PTX_OPD_REG, .comp = -1, .reg = c->target};
    if (!wl_or_tr_src(t, &o, c->target->type, &t->out->s[0])) {
      return false;
    }
  }
  return actuals(t, c->args, c->proto->params, c->nargs, false, &call->args) &&
         actuals(t, c->rets, c->proto->rets, c->nrets, true, &call->rets);
}
