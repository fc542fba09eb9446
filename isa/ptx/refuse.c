/* refuse.c: what is legal and not implemented, where it declares names: the names stay known, so
 * that only what uses them is refused with it and the text around is read as usual. Diagnostics are
 * counted by owner (diag.h); without by_owner none of this happens. */
#include <string.h>

#include "isa/ptx/px.h"

wl_mark_t wl_px_mark(const wl_px_t *p) {
  return (wl_mark_t){.lx = p->lx,
                     .tok = p->tok,
                     .ahead = p->ahead,
                     .have_ahead = p->have_ahead,
                     .last_line = p->last_line,
                     .errors = p->d->errors,
                     .refused = p->d->refused};
}

static void back_to(wl_px_t *p, const wl_mark_t *m) {
  p->lx = m->lx;
  p->tok = m->tok;
  p->ahead = m->ahead;
  p->have_ahead = m->have_ahead;
  p->last_line = m->last_line;
  p->open_braces = 0;
}

uint32_t wl_px_refused_since(const wl_px_t *p, const wl_mark_t *m) {
  if (p->d->errors != m->errors) return 0;
  return p->touched != 0 ? p->touched : p->d->refused != m->refused ? p->d->owner : 0;
}

static void add_need(wl_px_t *p, uint32_t owner) {
  wl_ptx_func_t *f = p->fn.func;
  if (f == NULL) return;
  for (uint32_t i = 0; i < f->nneeds; i++)
    if (f->needs[i] == owner) return;
  f->needs = wl_px_grow(p, f->needs, f->nneeds, &p->fn.cap_needs, sizeof *f->needs);
  f->needs[f->nneeds++] = owner;
}

void wl_px_needs(wl_px_t *p, uint32_t owner) {
  p->touched = owner;
  add_need(p, owner);
}

void wl_px_incomplete(wl_px_t *p) {
  if (p->d->owner != 0) add_need(p, p->d->owner);
}

bool wl_px_refuse_name(wl_px_t *p, wl_tok_t at, uint32_t owner) {
  uint32_t *o = wl_px_alloc(p, sizeof *o);
  *o = owner;
  p->touched = 0; /* a second declaration is an error all the same */
  add_need(p, owner);
  return wl_px_declare(p, at, WL_SYM_REFUSED, o);
}

/* Past one token; the nesting of brackets of every kind. */
static void step(wl_px_t *p, uint32_t *depth) {
  if (wl_px_is(p, '(') || wl_px_is(p, '[') || wl_px_is(p, '{') || wl_px_is(p, '<')) ++*depth;
  bool close = wl_px_is(p, ')') || wl_px_is(p, ']') || wl_px_is(p, '}') || wl_px_is(p, '>');
  if (close && *depth != 0) --*depth;
  wl_px_next(p);
}

/* name<n>: declares name0 .. */
static bool refuse_family(wl_px_t *p, const wl_tok_t *name, uint64_t count, uint32_t owner) {
  bool ok = true;
  for (uint64_t i = 0; ok && i < count && i < WL_LIM_FAMILY_VARS; i++) {
    wl_tok_t one = *name;
    char *s = wl_px_alloc(p, (size_t)name->len + 16);
    one.len = (uint32_t)snprintf(s, (size_t)name->len + 16, "%.*s%llu", (int)name->len, name->text,
                                 (unsigned long long)i);
    one.text = s;
    if (wl_px_lookup(p, one.text, one.len) == NULL) ok = wl_px_refuse_name(p, one, owner);
  }
  return ok;
}

/* A name of a refused statement. The statement may have declared it before the refusal; a refused
 * name may be declared again (.extern). */
static bool refuse_variable(wl_px_t *p, const wl_tok_t *t, uint32_t owner) {
  wl_name_t *x = wl_px_name(p, t->text, t->len);
  wl_sym_t *s = x->sym != NULL && x->sym->scope == p->scope ? x->sym : NULL;
  if (s != NULL && s->kind == WL_SYM_REFUSED) return true;
  wl_ptx_var_t *v = s != NULL && s->kind == WL_SYM_VAR ? s->obj : NULL;
  if (v == NULL || v->pos.line != t->pos.line || v->pos.col != t->pos.col)
    return wl_px_refuse_name(p, *t, owner);
  v->owner = owner;
  s->kind = WL_SYM_REFUSED;
  s->obj = &v->owner;
  return true;
}

/* Declares the names of a variable statement: the first one and those behind commas. */
bool wl_px_refused_variables(wl_px_t *p, const wl_mark_t *m, uint32_t owner) {
  uint32_t depth = 0;
  bool expected = true, ok = true;
  back_to(p, m);
  while (p->tok.kind != WL_TOK_EOF && !(depth == 0 && wl_px_is(p, ';'))) {
    wl_tok_t t = p->tok;
    step(p, &depth);
    if (depth == 0 && t.kind == WL_TOK_PUNCT && t.op == ',') expected = true;
    if (depth != 0 || t.kind != WL_TOK_IDENT || !expected) continue;
    expected = false;
    if (wl_px_is(p, '<') && wl_px_peek(p)->kind == WL_TOK_INT)
      ok = refuse_family(p, &t, wl_px_peek(p)->value, owner) && ok;
    else
      ok = refuse_variable(p, &t, owner) && ok;
  }
  return wl_px_semicolon(p, "5.4.1") && ok;
}

wl_ptx_func_t *wl_px_find_function(wl_px_t *p, const char *name) {
  for (uint32_t i = 0; i < p->m->nfuncs; i++)
    if (strcmp(p->m->funcs[i]->name, name) == 0) return p->m->funcs[i];
  return NULL;
}

bool wl_px_skip_body(wl_px_t *p, const wl_ptx_func_t *f) {
  uint32_t depth = 0;
  do {
    if (wl_px_is(p, '{')) depth++;
    if (wl_px_is(p, '}')) depth--;
    if (p->tok.kind == WL_TOK_EOF)
      return wl_px_error(p, f->pos, "11.2", "the body of `%.60s` is not closed", f->name);
    wl_px_next(p);
  } while (depth != 0);
  return true;
}

static void skip_brackets(wl_px_t *p) {
  uint32_t depth = 0;
  while (wl_px_is(p, '(') || depth != 0) {
    if (p->tok.kind == WL_TOK_EOF) return;
    step(p, &depth);
  }
}

/* The name is the first one outside of brackets; it stands between results and parameters. */
static bool find_name(wl_px_t *p, wl_tok_t *name) {
  while (p->tok.kind != WL_TOK_IDENT) {
    if (p->tok.kind == WL_TOK_EOF || wl_px_is(p, '{') || wl_px_is(p, ';')) return false;
    if (!wl_px_is(p, '(')) wl_px_next(p);
    skip_brackets(p);
  }
  *name = p->tok;
  wl_px_next(p);
  skip_brackets(p);
  return true;
}

/* The function of a refused interface, declared, read up to behind its parameters. */
wl_ptx_func_t *wl_px_refused_interface(wl_px_t *p, const wl_mark_t *m, bool is_entry,
                                       wl_ptx_linkage_t link) {
  const uint32_t owner = p->d->owner;
  wl_ptx_proto_t proto = {0};
  wl_tok_t name;
  back_to(p, m);
  if (!find_name(p, &name)) {
    wl_px_error(p, m->tok.pos, "7.1", "expected a function name");
    return NULL;
  }
  proto.name = wl_px_text(p, &name);
  proto.pos = name.pos;
  wl_ptx_func_t *f = wl_px_find_function(p, proto.name);
  if (f == NULL) {
    wl_scope_t *inner = p->scope;
    p->scope = inner->parent; /* module scope */
    bool fresh = wl_px_refuse_name(p, name, owner);
    p->scope = inner;
    if (!fresh) return NULL;
    f = wl_px_new_function(p, &proto, is_entry, link);
  }
  f->owner = owner;
  f->is_entry = is_entry;
  return f;
}
