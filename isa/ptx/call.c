/* call.c: call [PTX 7.1, 9.7.12.5]: call{.uni} {(ret),} f{,(args)}; indirect calls through a
 * register name a .callprototype, a .calltargets list, or an array of function names (the last is
 * rejected). Arguments are checked against the callee's formal parameters. */
#include <string.h>

#include "isa/ptx/px.h"

static const char *const CLAUSE = "9.7.12.5";

static bool paren_list(wl_px_t *p, wl_ptx_operand_t **out, uint32_t *n) { /* at ( */
  size_t cap = 0;
  wl_ptx_operand_t *list = NULL;
  *n = 0;
  wl_px_next(p);
  while (!wl_px_is(p, ')')) {
    if (*n >= WL_LIM_ARGS)
      return wl_px_unsupported(p, p->tok.pos, CLAUSE, "more than %d arguments", WL_LIM_ARGS);
    list = wl_px_grow(p, list, *n, &cap, sizeof *list);
    if (!wl_px_operand(p, &list[(*n)++])) return false;
    if (!wl_px_accept(p, ',')) break;
    if (wl_px_is(p, ')')) return wl_px_error(p, p->tok.pos, CLAUSE, "expected another argument");
  }
  *out = list;
  return wl_px_expect(p, ')', CLAUSE, "after the call's list");
}

static bool check_var_argument(wl_px_t *p, const wl_ptx_operand_t *o, const wl_ptx_formal_t *f,
                               bool ret) {
  const wl_ptx_var_t *v = o->var;
  if (v->space != WL_PTX_SPACE_PARAM_FUNC || o->imm != 0 || o->reg != NULL) {
    return wl_px_error(p, o->pos, "7.1", "`%.60s` is not a .param variable of this function",
                       v->name);
  }
  if (v->role == WL_PTX_VAR_FUNC_PARAM) {
    return wl_px_error(p, o->pos, "5.1.6.4",
                       ret ? "an input parameter cannot be written"
                           : "a parameter of this function cannot be passed on; load it first");
  }
  uint64_t want =
      f->var != NULL ? f->var->size : (uint64_t)wl_ptx_type_bits(f->reg->type) / 8 * f->reg->vec;
  if (v->size != want) {
    return wl_px_error(p, o->pos, "7.1", "`%.60s` has %llu bytes, the parameter %llu", v->name,
                       (unsigned long long)v->size, (unsigned long long)want);
  }
  if (f->var != NULL && f->var->is_array != v->is_array) {
    return wl_px_error(p, o->pos, "7.1", "`%.60s` and the parameter are not both arrays", v->name);
  }
  if (f->var != NULL && f->var->is_array && v->align != f->var->align) {
    return wl_px_error(p, o->pos, "7.1", "`%.60s` is aligned to %u bytes, the parameter to %u",
                       v->name, v->align, f->var->align);
  }
  return true;
}

static bool check_argument(wl_px_t *p, const wl_ptx_operand_t *o, const wl_ptx_formal_t *f,
                           bool ret) {
  if (o->kind == WL_PTX_OPD_VAR) return check_var_argument(p, o, f, ret);
  if (ret && o->kind == WL_PTX_OPD_SINK) return true;
  if (ret && o->kind != WL_PTX_OPD_REG) {
    return wl_px_error(p, o->pos, "7.1", "a return value goes to a register or a .param variable");
  }
  if (f->var != NULL && f->var->is_array) {
    return wl_px_error(p, o->pos, "7.1",
                       "a byte array parameter needs a .param array as its argument");
  }
  wl_ptx_type_t type = f->var != NULL ? f->var->type : f->reg->type;
  return wl_px_value_fits(p, o, type, false, "7.1");
}

static bool check_list(wl_px_t *p, const wl_ptx_insn_t *insn, const wl_ptx_operand_t *list,
                       uint32_t n, const wl_ptx_formal_t *formals, uint32_t nformals,
                       const char *what) {
  bool ret = what[0] == 'r', ok = true;
  if (n != nformals) {
    return wl_px_error(p, insn->pos, CLAUSE, "call with %u %ss, the function has %u", n, what,
                       nformals);
  }
  for (uint32_t i = 0; i < n; i++)
    ok = check_argument(p, &list[i], &formals[i], ret) && ok;
  return ok;
}

static bool callee(wl_px_t *p, wl_ptx_call_t *c) {
  wl_tok_t t = p->tok;
  char buf[96];
  if (t.kind != WL_TOK_IDENT) {
    if (t.kind == WL_TOK_BAD) return false;
    return wl_px_error(p, t.pos, CLAUSE, "expected a function, got %s",
                       wl_px_tok_text(&t, buf, sizeof buf));
  }
  wl_sym_t *s = wl_px_lookup(p, t.text, t.len);
  if (s == NULL) return wl_px_undefined(p, &t, "function");
  wl_px_next(p);
  if (s->kind == WL_SYM_FUNC) {
    c->func = s->obj;
    if (c->func->is_entry) return wl_px_error(p, t.pos, CLAUSE, "an .entry cannot be called");
    c->proto = &c->func->proto;
    return true;
  }
  if (s->kind == WL_SYM_REG) {
    c->target = s->obj;
    wl_ptx_type_t rt = c->target->type;
    unsigned want = p->m->address_size;
    bool ok = (wl_ptx_type_is_int(rt) || wl_ptx_type_is_bits(rt)) && wl_ptx_type_bits(rt) == want;
    return ok || wl_px_error(p, t.pos, CLAUSE,
                             "the register of an indirect call must be a %u-bit integer", want);
  }
  return wl_px_error(p, t.pos, CLAUSE, "`%.60s` is not a function", s->name->text);
}

static bool indirect_target(wl_px_t *p, wl_ptx_call_t *c) {
  wl_tok_t t = p->tok;
  wl_sym_t *s = t.kind == WL_TOK_IDENT ? wl_px_lookup(p, t.text, t.len) : NULL;
  if (s != NULL && s->kind == WL_SYM_PROTO) {
    c->proto = s->obj;
  } else if (s != NULL && s->kind == WL_SYM_TABLE && ((wl_ptx_table_t *)s->obj)->funcs != NULL) {
    c->table = s->obj;
    c->proto = &c->table->funcs[0]->proto;
  } else if (s != NULL && s->kind == WL_SYM_VAR) {
    return wl_px_unsupported(
        p, t.pos, CLAUSE, "indirect calls through an array of function names are not implemented");
  } else {
    return wl_px_error(p, t.pos, CLAUSE,
                       "an indirect call needs a .callprototype or .calltargets label");
  }
  wl_px_next(p);
  return true;
}

bool wl_px_call(wl_px_t *p, wl_ptx_insn_t *insn) {
  wl_ptx_call_t *c = wl_px_alloc(p, sizeof *c);
  insn->call = c;
  if (wl_px_is(p, '(') && (!paren_list(p, &c->rets, &c->nrets) ||
                           !wl_px_expect(p, ',', CLAUSE, "after the return value"))) {
    return false;
  }
  if (!callee(p, c)) return false;
  bool more = wl_px_accept(p, ',');
  if (more && wl_px_is(p, '(')) {
    if (!paren_list(p, &c->args, &c->nargs)) return false;
    more = wl_px_accept(p, ',');
  }
  if (c->target != NULL && !more) {
    return wl_px_error(p, insn->pos, CLAUSE,
                       "an indirect call needs a .callprototype or .calltargets label");
  }
  if (more && c->target == NULL) {
    return wl_px_error(p, p->tok.pos, CLAUSE, "a direct call takes no target list");
  }
  if (more && !indirect_target(p, c)) return false;
  return check_list(p, insn, c->rets, c->nrets, c->proto->rets, c->proto->nrets, "return value") &&
         check_list(p, insn, c->args, c->nargs, c->proto->params, c->proto->nparams, "argument");
}
