/* function.c: .entry and .func, formal parameters, prototypes [PTX 5.1.6, 7.1, 11.2]. The body is
 * in body.c, performance directives in perf.c. */
#include <string.h>

#include "isa/ptx/px.h"

static bool formal_name(wl_px_t *p, wl_tok_t *name, bool *anonymous) {
  char buf[96];
  *name = p->tok;
  if (name->kind != WL_TOK_IDENT) {
    if (name->kind == WL_TOK_BAD) return false;
    return wl_px_error(p, name->pos, "7.1", "expected a parameter name, got %s",
                       wl_px_tok_text(name, buf, sizeof buf));
  }
  *anonymous = name->len == 1 && name->text[0] == '_';
  wl_px_next(p);
  return true;
}

static bool check_formal(wl_px_t *p, const wl_decl_t *d, bool is_entry) {
  if (d->space == WL_PTX_SPACE_REG) {
    if (is_entry)
      return wl_px_error(p, d->pos, "5.1.6.1", "kernel parameters are declared in .param");
    if (wl_ptx_type_bits(d->type) * d->vec < 32) {
      return wl_px_error(p, d->pos, "7.1", "a .reg parameter must be at least 32 bits wide");
    }
    return true;
  }
  if (d->space != WL_PTX_SPACE_PARAM_ENTRY) {
    return wl_px_error(p, d->pos, "7.1", "a parameter is declared in .param or .reg");
  }
  if (d->is_ptr && !is_entry) {
    return wl_px_error(p, d->pos, "5.1.6.3", ".ptr is an attribute of kernel parameters");
  }
  return true;
}

static bool formal(wl_px_t *p, bool is_entry, bool is_ret, bool declare, wl_ptx_formal_t *out) {
  wl_decl_t d = {.linkage = WL_PTX_LINK_LOCAL};
  wl_tok_t name;
  bool anonymous = false;
  if (!wl_px_is_dot(p, "param") && !wl_px_is_dot(p, "reg")) {
    char buf[96];
    return wl_px_error(p, p->tok.pos, "7.1", "expected .param or .reg, got %s",
                       wl_px_tok_text(&p->tok, buf, sizeof buf));
  }
  if (!wl_px_decl_prefix(p, &d) || !check_formal(p, &d, is_entry)) return false;
  if (!formal_name(p, &name, &anonymous)) return false;
  if (wl_px_is(p, '<')) {
    return wl_px_unsupported(p, p->tok.pos, "5.4.6",
                             "parametrised names in parameter lists are not implemented");
  }
  if (d.space == WL_PTX_SPACE_REG) {
    out->reg = wl_px_new_reg(p, wl_px_text(p, &name), d.type, d.vec, name.pos);
    return anonymous || !declare || wl_px_declare(p, name, WL_SYM_REG, out->reg);
  }
  d.space = is_entry ? WL_PTX_SPACE_PARAM_ENTRY : WL_PTX_SPACE_PARAM_FUNC;
  wl_ptx_var_t *v = wl_px_new_var(p, &d, &name);
  v->role = is_entry ? WL_PTX_VAR_ENTRY_PARAM
            : is_ret ? WL_PTX_VAR_FUNC_RET
                     : WL_PTX_VAR_FUNC_PARAM;
  out->var = v;
  if (!wl_px_array_suffix(p, v)) return false;
  if (v->unsized && is_entry)
    return wl_px_error(p, v->pos, "5.1.6.1", "a kernel parameter needs a size");
  if (v->unsized)
    return wl_px_unsupported(p, v->pos, "7.2", "variadic functions are not implemented");
  wl_px_size_var(p, v);
  return anonymous || !declare || wl_px_declare(p, name, WL_SYM_VAR, v);
}

bool wl_px_formals(wl_px_t *p, bool is_entry, bool is_ret, bool declare,
                   const wl_ptx_formal_t **out, uint32_t *n) { /* at ( */
  wl_ptx_formal_t *list = NULL;
  size_t cap = 0;
  *n = 0;
  wl_px_next(p);
  while (!wl_px_is(p, ')')) {
    wl_ptx_formal_t f = {NULL, NULL};
    if (!formal(p, is_entry, is_ret, declare, &f)) return false;
    if (*n >= WL_LIM_ARGS) {
      return wl_px_unsupported(p, p->tok.pos, "7.1", "more than %d parameters", WL_LIM_ARGS);
    }
    if (f.var != NULL) f.var->id = *n;
    list = wl_px_grow(p, list, *n, &cap, sizeof *list);
    list[(*n)++] = f;
    if (!wl_px_accept(p, ',')) break;
    if (wl_px_is(p, ')')) return wl_px_error(p, p->tok.pos, "7.1", "expected another parameter");
  }
  *out = list;
  return wl_px_expect(p, ')', "7.1", "after the parameters");
}

bool wl_px_interface(wl_px_t *p, wl_ptx_proto_t *proto, bool is_entry, bool declare) {
  char buf[96];
  if (wl_px_is(p, '(')) {
    wl_ptx_pos_t pos = p->tok.pos;
    if (is_entry) return wl_px_error(p, pos, "11.2.1", "an .entry returns nothing");
    if (!wl_px_formals(p, false, true, declare, &proto->rets, &proto->nrets)) return false;
    if (proto->nrets > 1)
      return wl_px_error(p, pos, "7.1.1", "a function has at most one return value");
  }
  if (p->tok.kind != WL_TOK_IDENT) {
    if (p->tok.kind == WL_TOK_BAD) return false;
    return wl_px_error(p, p->tok.pos, "7.1", "expected a function name, got %s",
                       wl_px_tok_text(&p->tok, buf, sizeof buf));
  }
  if (wl_forms_find_op(p->forms, p->tok.text, p->tok.len) != WL_PTX_OP_NONE) {
    wl_px_warn(p, p->tok.pos, "4.3.2", "`%.*s` is a reserved instruction keyword", (int)p->tok.len,
               p->tok.text);
  }
  proto->pos = p->tok.pos;
  proto->name = wl_px_text(p, &p->tok);
  wl_px_next(p);
  if (!wl_px_is(p, '(')) return true;
  return wl_px_formals(p, is_entry, false, declare, &proto->params, &proto->nparams);
}

static bool lay_out_params(wl_px_t *p, wl_ptx_func_t *f) {
  uint64_t max = p->version10 >= 81 && p->m->sm >= 70 ? WL_LIM_PARAM_BYTES : WL_LIM_PARAM_BYTES_OLD;
  uint64_t at = 0;
  for (uint32_t i = 0; i < f->proto.nparams; i++) {
    wl_ptx_var_t *v = f->proto.params[i].var;
    at = (at + v->align - 1) / v->align * v->align;
    v->offset = at;
    at += v->size;
    if (at > max) {
      return wl_px_error(p, v->pos, "11.2.1", "kernel parameters need more than %llu bytes",
                         (unsigned long long)max);
    }
  }
  f->param_bytes = (uint32_t)at;
  return true;
}

static bool same_formal(const wl_ptx_formal_t *a, const wl_ptx_formal_t *b) {
  if ((a->reg == NULL) != (b->reg == NULL)) return false;
  if (a->reg != NULL) return a->reg->type == b->reg->type && a->reg->vec == b->reg->vec;
  return a->var->type == b->var->type && a->var->vec == b->var->vec &&
         a->var->size == b->var->size && a->var->align == b->var->align &&
         a->var->is_array == b->var->is_array;
}

bool wl_ptx_same_proto(const wl_ptx_proto_t *a, const wl_ptx_proto_t *b) {
  if (a->nrets != b->nrets || a->nparams != b->nparams) return false;
  for (uint32_t i = 0; i < a->nrets; i++) {
    if (!same_formal(&a->rets[i], &b->rets[i])) return false;
  }
  for (uint32_t i = 0; i < a->nparams; i++) {
    if (!same_formal(&a->params[i], &b->params[i])) return false;
  }
  return true;
}

/* A second declaration repeats the linkage of the first; .visible may be left out. */
static void check_again(wl_px_t *p, const wl_ptx_func_t *f, const wl_ptx_proto_t *proto,
                        bool is_entry, wl_ptx_linkage_t link) {
  if (f->is_entry != is_entry || !wl_ptx_same_proto(&f->proto, proto)) {
    wl_px_error(p, proto->pos, "11.2.2", "`%.60s` does not match its declaration at %u:%u",
                proto->name, f->pos.line, f->pos.col);
  }
  bool shorter = f->linkage == WL_PTX_LINK_VISIBLE && link == WL_PTX_LINK_LOCAL;
  if (f->linkage != link && !shorter) {
    wl_px_error(p, proto->pos, "11.6", "`%.60s` has another linking directive at %u:%u",
                proto->name, f->pos.line, f->pos.col);
  }
}

wl_ptx_func_t *wl_px_new_function(wl_px_t *p, const wl_ptx_proto_t *proto, bool is_entry,
                                  wl_ptx_linkage_t link) {
  wl_ptx_func_t *f = wl_px_alloc(p, sizeof *f);
  f->name = proto->name;
  f->pos = proto->pos;
  f->is_entry = is_entry;
  f->linkage = link;
  f->id = p->m->nfuncs;
  f->proto = *proto;
  p->m->funcs = wl_px_grow(p, p->m->funcs, p->m->nfuncs, &p->cap_funcs, sizeof *p->m->funcs);
  p->m->funcs[p->m->nfuncs++] = f;
  return f;
}

/* The function's one object, made at its first appearance; names live in module scope. */
static wl_ptx_func_t *function_object(wl_px_t *p, const wl_ptx_proto_t *proto, bool is_entry,
                                      wl_ptx_linkage_t link) {
  wl_sym_t *sym = wl_px_lookup(p, proto->name, strlen(proto->name));
  if (sym != NULL && sym->scope->depth == 0 && sym->kind == WL_SYM_FUNC) {
    wl_ptx_func_t *f = sym->obj;
    check_again(p, f, proto, is_entry, link);
    return f;
  }
  wl_ptx_func_t *f =
      sym != NULL && sym->kind == WL_SYM_REFUSED ? wl_px_find_function(p, proto->name) : NULL;
  if (f != NULL) return f;
  f = wl_px_new_function(p, proto, is_entry, link);
  wl_scope_t *inner = p->scope;
  wl_tok_t t = {.kind = WL_TOK_IDENT,
                .pos = proto->pos,
                .text = proto->name,
                .len = (uint32_t)strlen(proto->name)};
  p->scope = inner->parent; /* module scope */
  wl_px_declare(p, t, WL_SYM_FUNC, f);
  p->scope = inner;
  return f;
}

static void adopt_reg_formals(wl_px_t *p, const wl_ptx_formal_t *list, uint32_t n) {
  wl_ptx_func_t *f = p->fn.func;
  for (uint32_t i = 0; i < n; i++) {
    if (list[i].reg == NULL) continue;
    f->regs = wl_px_grow(p, f->regs, f->nregs, &p->fn.cap_regs, sizeof *f->regs);
    list[i].reg->id = f->nregs;
    f->regs[f->nregs++] = list[i].reg;
  }
}

static bool definition(wl_px_t *p, wl_ptx_func_t *f, const wl_ptx_proto_t *proto,
                       wl_ptx_linkage_t link) {
  if (f->defined) {
    wl_px_error(p, proto->pos, "11.2", "`%.60s` is defined twice; first at %u:%u", f->name,
                f->pos.line, f->pos.col);
  }
  if (link == WL_PTX_LINK_EXTERN) {
    wl_px_error(p, proto->pos, "11.6.1", "an .extern function cannot have a body");
  }
  bool noreturn = f->proto.noreturn;
  f->proto = *proto;
  f->proto.noreturn = noreturn;
  f->pos = proto->pos;
  f->defined = true;
  wl_ptx_func_t *target = f;
  if (f->insns != NULL) { /* second definition, already reported: check it, keep the first */
    target = wl_px_alloc(p, sizeof *target);
    *target =
        (wl_ptx_func_t){.name = f->name, .pos = f->pos, .is_entry = f->is_entry, .proto = *proto};
  }
  p->fn.func = target;
  adopt_reg_formals(p, proto->rets, proto->nrets);
  adopt_reg_formals(p, proto->params, proto->nparams);
  bool ok = !target->is_entry || lay_out_params(p, target);
  wl_px_body(p);
  return ok;
}

/* Behind a function without body; `;` is optional there [ptxas and its grammar]. */
static bool end_declaration(wl_px_t *p, const wl_ptx_func_t *f) {
  if (f->defined) {
    return wl_px_error(p, p->tok.pos, "11.2", "`%.60s` is declared behind its definition at %u:%u",
                       f->name, f->pos.line, f->pos.col);
  }
  if (f->is_entry && (f->perf != 0 || f->npragmas != 0)) {
    char buf[96];
    return wl_px_error(p, p->tok.pos, "11.2.1", "expected `{` behind the directives, got %s",
                       wl_px_tok_text(&p->tok, buf, sizeof buf));
  }
  bool next = p->tok.kind == WL_TOK_DOT || p->tok.kind == WL_TOK_EOF;
  return (!f->is_entry && next) || wl_px_semicolon(p, "11.2");
}

static bool after_interface(wl_px_t *p, const wl_ptx_proto_t *proto, bool is_entry,
                            wl_ptx_linkage_t link, const wl_ptx_func_t *attrs) {
  wl_ptx_func_t *f = function_object(p, proto, is_entry, link);
  if (f->owner == 0 || wl_diag_is_refused(p->d, p->d->owner)) f->owner = p->d->owner;
  p->d->owner = f->owner;
  bool again = f->pos.line != proto->pos.line || f->pos.col != proto->pos.col;
  bool noreturn = f->proto.noreturn;
  f->unified = attrs->unified;
  memcpy(f->uuid, attrs->uuid, sizeof f->uuid);
  f->proto.noreturn = false;
  for (bool matched = true; matched;) {
    if (!wl_px_perf(p, f, &matched)) return false;
  }
  uint32_t shape = WL_PTX_PERF_REQNTID | WL_PTX_PERF_REQNCTAPERCLUSTER;
  if ((f->perf & WL_PTX_PERF_BLOCKSARECLUSTERS) != 0 && (f->perf & shape) != shape) {
    wl_px_error(p, proto->pos, "11.7.5",
                ".blocksareclusters needs .reqntid and .reqnctapercluster");
  }
  if (again && f->proto.noreturn != noreturn) {
    wl_px_error(p, proto->pos, "11.4.6", ".noreturn stands at one declaration of `%.60s` only",
                f->name);
  }
  if (wl_px_accept(p, '{')) return definition(p, f, proto, link);
  return end_declaration(p, f);
}

/* A function whose interface is refused: of its body only the braces are read. */
static bool refused_function(wl_px_t *p, const wl_mark_t *start, bool is_entry,
                             wl_ptx_linkage_t link) {
  wl_ptx_func_t *f = wl_px_refused_interface(p, start, is_entry, link);
  for (bool matched = f != NULL; matched;) {
    if (!wl_px_perf(p, f, &matched)) return false;
  }
  if (f == NULL || !wl_px_is(p, '{')) return f != NULL && end_declaration(p, f);
  if (f->defined) {
    wl_px_error(p, start->tok.pos, "11.2", "`%.60s` is defined twice; first at %u:%u", f->name,
                f->pos.line, f->pos.col);
  }
  f->defined = true;
  return wl_px_skip_body(p, f);
}

bool wl_px_function(wl_px_t *p, wl_ptx_linkage_t link) {
  bool is_entry = wl_px_is_dot(p, "entry");
  wl_ptx_proto_t proto = {0};
  wl_ptx_func_t attrs = {0};
  bool managed = false, ok = true;
  wl_ptx_pos_t pos = p->tok.pos;
  wl_mark_t start = wl_px_mark(p);
  p->d->owner = wl_diag_new_owner(p->d);
  wl_px_next(p);
  if (link == WL_PTX_LINK_COMMON)
    ok = wl_px_error(p, pos, "11.6.4", ".common is for .global variables");
  p->fn = (wl_fn_t){.serial = ++p->serial};
  p->loc = NULL;
  wl_px_push_scope(p);
  if (wl_px_accept_dot(p, "attribute")) {
    ok = wl_px_attributes(p, &managed, &attrs.unified, attrs.uuid) && ok;
    if (managed) ok = wl_px_error(p, pos, "5.4.8", ".managed is for .global variables");
  }
  bool header = wl_px_interface(p, &proto, is_entry, true);
  if (!header && wl_px_refused_since(p, &start) != 0)
    ok = refused_function(p, &start, is_entry, link) && ok;
  else
    ok = ok && header && after_interface(p, &proto, is_entry, link, &attrs);
  while (p->scope->depth > 0)
    wl_px_pop_scope(p);
  p->fn = (wl_fn_t){0};
  p->d->owner = 0;
  return ok;
}

void wl_px_check_functions(wl_px_t *p) {
  if (p->d->errors != 0) return; /* a function with an error is not defined either */
  for (uint32_t i = 0; i < p->m->nfuncs; i++) {
    const wl_ptx_func_t *f = p->m->funcs[i];
    if (f->defined || f->linkage == WL_PTX_LINK_EXTERN || f->alias_of != NULL) continue;
    wl_px_error(p, f->pos, "11.6.1", "`%.60s` has no definition and is not .extern", f->name);
  }
}
