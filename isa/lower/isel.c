/* isel.c: selection of a whole function: registers, parameters, labels, dispatch by group. */
#include <string.h>

#include "isa/lower/isel.h"
#include "isa/ptx/ptx.h"

static bool is_predicate_op(const wl_ptx_insn_t *in) { return in->type[0] == WL_PTX_T_PRED; }

/* Most f64 arithmetic: legal PTX, no unit. Moves and memory take any type. */
static bool no_unit(const wl_ptx_insn_t *in) {
  switch (in->op) {
  case WL_PTX_OP_LD:
  case WL_PTX_OP_LDU:
  case WL_PTX_OP_ST:
  case WL_PTX_OP_ATOM:
  case WL_PTX_OP_RED:
  case WL_PTX_OP_MOV:
  case WL_PTX_OP_SELP:
  case WL_PTX_OP_CVT:
  case WL_PTX_OP_MMA:
  case WL_PTX_OP_WMMA:
  case WL_PTX_OP_EX2:
  case WL_PTX_OP_LG2:
  case WL_PTX_OP_TANH:
    return false;
  case WL_PTX_OP_ADD:
  case WL_PTX_OP_SUB:
  case WL_PTX_OP_MUL:
  case WL_PTX_OP_MAD:
  case WL_PTX_OP_FMA:
    if (in->type[0] == WL_PTX_T_F64) return false;
    break;
  default:
    break;
  }
  for (uint32_t k = 0; k < in->ntypes; k++)
    if (in->type[k] == WL_PTX_T_F64 && !(in->op == WL_PTX_OP_SLCT && k == 0)) return true;
  return false;
}

static bool select_arithmetic(wl_isel_t *s) {
  const wl_ptx_type_t t = s->in->type[0];
  if (wl_isel_half_cmp(s) || wl_isel_cmp(s) || wl_isel_special(s)) return true;
  if (is_predicate_op(s->in)) return false;
  if (wl_isel_carry(s) || wl_isel_packed(s) || wl_isel_fns(s)) return true;
  if (wl_isel_is_half(t)) return wl_isel_half(s);
  if ((t == WL_PTX_T_F32 || t == WL_PTX_T_F32X2) && s->in->op != WL_PTX_OP_CVT)
    return wl_isel_fp(s);
  if (t == WL_PTX_T_F64 && wl_isel_f64(s)) return true;
  const bool wide = wl_bits(t) == 64 && s->in->op != WL_PTX_OP_CVTA;
  if (wide) return wl_isel_int64(s) || wl_isel_bits64(s);
  return wl_isel_int(s) || wl_isel_bits(s);
}

/* add and the like have one clause per kind of type: integer 9.7.1, f32 and f64 9.7.3. */
static const char *clause_of(const wl_ptx_insn_t *in) {
  const char *clause = wl_ptx_op_clause(in->op);
  return strncmp(clause, "9.7.1.", 6) == 0 && wl_float(in->type[0]) ? "9.7.3" : clause;
}

static void reject(wl_isel_t *s) {
  char text[96];
  wl_ptx_form_text(s->in, text, sizeof text);
  wl_diag_add(s->l->diags, WL_DIAG_UNSUPPORTED, s->in->pos, clause_of(s->in),
              "'%s' is not implemented", text);
}

static bool is_transcendental(wl_ptx_op_t op) { return op == WL_PTX_OP_SIN || op == WL_PTX_OP_COS; }

static bool select_any(wl_isel_t *s) {
  return wl_isel_mov(s) || wl_isel_mem(s) || wl_isel_mbar(s) || wl_isel_copy(s) ||
         wl_isel_tmem(s) || wl_isel_matrix(s) || wl_isel_mma(s) || wl_isel_wmma(s) ||
         wl_isel_ctl(s) || wl_isel_warp(s) || wl_isel_call(s) || wl_isel_pack(s) ||
         wl_isel_cvt(s) || select_arithmetic(s);
}

static void select_one(wl_isel_t *s, const wl_ptx_insn_t *in) {
  const size_t from = s->f->ninsns;
  s->in = in;
  s->guard = in->guard == NULL ? 0 : s->regs[in->guard->id];
  s->guard_neg = in->guard_neg;
  if (is_transcendental(in->op) || no_unit(in) || !select_any(s)) {
    reject(s);
    return;
  }
  wl_isel_parallel(s, from);
}

static void make_registers(wl_isel_t *s) {
  s->regs = wl_mf_alloc(s->f, (s->fn->nregs + 1) * sizeof *s->regs);
  for (uint32_t i = 0; i < s->fn->nregs; i++) {
    const wl_ptx_reg_t *r = s->fn->regs[i];
    const unsigned bits = wl_bits(r->type);
    const uint8_t words = r->type == WL_PTX_T_PRED ? 0 : bits <= 32 ? 1 : bits == 64 ? 2 : 4;
    for (uint32_t k = 0; k < (r->vec > 1 ? r->vec : 1u); k++) {
      const uint32_t v = wl_mf_vreg(s->f, words, false);
      s->f->vregs[v].name = r->id + 1;
      if (k == 0) s->regs[r->id] = v;
    }
  }
}

/* A .param variable is kept in registers if every access is a whole word of it. */
static void check_param_use(wl_isel_t *s, const wl_ptx_insn_t *in) {
  for (uint32_t k = 0; k < in->noperands; k++) {
    const wl_ptx_operand_t *o = &in->operands[k];
    if (o->var == NULL || o->var->space != WL_PTX_SPACE_PARAM_FUNC) continue;
    const bool access = (in->op == WL_PTX_OP_LD || in->op == WL_PTX_OP_ST) && in->vec <= 1 &&
                        o->kind == WL_PTX_OPD_ADDR && o->reg == NULL;
    const unsigned bits = wl_bits(in->type[0]);
    const bool whole =
        bits <= 32 ? o->imm % 4 == 0 && (bits == 32 || o->imm == 0) : bits == 64 && o->imm == 0;
    if (!access || !whole || o->imm + bits / 8 > (o->var->size < 4 ? 4 : o->var->size))
      wl_isel_param(s, o->var)->in_reg = false;
  }
}

static bool scalar_var(const wl_ptx_var_t *v) {
  return !v->is_array && v->vec <= 1 && v->size <= 8;
}

static void place_local(wl_isel_t *s, const wl_ptx_var_t *v) {
  wl_param_t *p = &s->locals[v->id];
  if (v->space == WL_PTX_SPACE_PARAM_FUNC && p->in_reg) {
    p->vreg = wl_mf_vreg(s->f, v->size > 4 ? 2 : 1, false);
    return;
  }
  const uint32_t align = v->align < 4 ? 4 : v->align;
  if (align > WL_ABI_STACK_ALIGN)
    wl_diag_add(s->l->diags, WL_DIAG_UNSUPPORTED, v->pos, "5.4.5",
                "alignment %u of '%s' above %d in local memory", align, v->name,
                WL_ABI_STACK_ALIGN);
  if (v->size > (1u << 26)) {
    wl_diag_add(s->l->diags, WL_DIAG_UNSUPPORTED, v->pos, "5.1.5",
                "'%s' is too large for local memory", v->name);
    return;
  }
  s->f->local_bytes = (s->f->local_bytes + align - 1) / align * align;
  *p = (wl_param_t){.offset = s->f->local_bytes, .fix = WL_FIX_LOCAL};
  s->f->local_bytes += (uint32_t)(v->size + 3) / 4 * 4;
}

static void make_variables(wl_isel_t *s) {
  const wl_ptx_func_t *fn = s->fn;
  s->locals = wl_mf_alloc(s->f, (fn->nvars + 1) * sizeof *s->locals);
  s->params = wl_mf_alloc(s->f, (fn->proto.nparams + 1) * sizeof *s->params);
  s->rets = wl_mf_alloc(s->f, (fn->proto.nrets + 1) * sizeof *s->rets);
  for (uint32_t i = 0; i < fn->nvars; i++)
    s->locals[i].in_reg = scalar_var(fn->vars[i]);
  for (uint32_t i = 0; i < fn->proto.nparams; i++)
    s->params[i].in_reg = fn->proto.params[i].var == NULL || scalar_var(fn->proto.params[i].var);
  for (uint32_t i = 0; i < fn->proto.nrets; i++)
    s->rets[i].in_reg = fn->proto.rets[i].var == NULL || scalar_var(fn->proto.rets[i].var);
  for (uint32_t i = 0; i < fn->ninsns; i++)
    check_param_use(s, &fn->insns[i]);
  for (uint32_t i = 0; i < fn->nvars; i++)
    if (fn->vars[i]->space == WL_PTX_SPACE_PARAM_FUNC || fn->vars[i]->space == WL_PTX_SPACE_LOCAL)
      place_local(s, fn->vars[i]);
}

static void put_labels(wl_isel_t *s, uint32_t index) {
  for (uint32_t i = 0; i < s->fn->nlabels; i++)
    if (s->fn->labels[i]->index == index)
      wl_mf_append(s->f, &(wl_minsn_t){.form = WL_MP_LABEL, .imm = s->fn->labels[i]->id});
}

bool wl_isel_function(wl_lower_t *l, wl_mfunc_t *f, const wl_ptx_func_t *fn) {
  wl_isel_t s = {.f = f, .l = l, .fn = fn};
  const size_t errors = l->diags->errors + l->diags->refused;
  f->ptx = fn;
  f->is_entry = fn->is_entry;
  f->nlabels = fn->nlabels;
  bool *has_label = wl_mf_alloc(f, fn->ninsns + 2);
  for (uint32_t i = 0; i < fn->nlabels; i++)
    has_label[fn->labels[i]->index] = true;
  make_registers(&s);
  make_variables(&s);
  wl_mf_append(f, &(wl_minsn_t){.form = WL_MP_PROLOGUE, .pos = fn->pos});
  if (!fn->is_entry) wl_isel_receive(&s);
  for (uint32_t i = 0; i <= fn->ninsns; i++) {
    if (has_label[i]) put_labels(&s, i);
    s.carry_known = s.carry_known && !has_label[i];
    if (i < fn->ninsns) select_one(&s, &fn->insns[i]);
  }
  s.guard = 0; /* the end of the body is a return, of no PTX instruction */
  s.in = NULL;
  if (f->is_entry)
    wl_put(&s, &(wl_minsn_t){.form = WL_FORM_EXIT, .pos = fn->pos});
  else
    wl_isel_return(&s);
  wl_isel_carry_start(&s, 1);
  return l->diags->errors + l->diags->refused == errors;
}
