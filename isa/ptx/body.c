/* body.c: statements of a function body [PTX 4.3, 9.7.12]: scopes, labels, declarations, target
 * tables, call prototypes, guards. Nested scopes are flattened; recursion depth does not depend on
 * the input. */
#include <string.h>

#include "isa/ptx/px.h"

static bool branch_targets(wl_px_t *p, wl_ptx_table_t *t) {
  size_t cap = 0;
  wl_tok_t *names = NULL;
  uint64_t count = 0;
  do {
    wl_tok_t name = p->tok;
    uint64_t n = 0;
    if (name.kind != WL_TOK_IDENT) return wl_px_error(p, name.pos, "11.3.1", "expected a label");
    wl_px_next(p);
    if (wl_px_accept(p, '<')) {
      if (!wl_px_const_range(p, "11.3.1", "label count", 1, WL_LIM_FAMILY_VARS, &n)) return false;
      if (!wl_px_expect(p, '>', "11.3.1", "after the label count")) return false;
    }
    for (uint64_t i = 0; i < (n == 0 ? 1 : n); i++) {
      wl_tok_t one = name;
      if (n != 0) {
        char *s = wl_px_alloc(p, (size_t)name.len + 16);
        int len = snprintf(s, (size_t)name.len + 16, "%.*s%llu", (int)name.len, name.text,
                           (unsigned long long)i);
        one.text = s;
        one.len = (uint32_t)len;
      }
      if (count >= WL_LIM_FAMILY_VARS) {
        return wl_px_unsupported(p, name.pos, "11.3.1", "more than %d branch targets",
                                 WL_LIM_FAMILY_VARS);
      }
      names = wl_px_grow(p, names, count, &cap, sizeof *names);
      names[count++] = one;
    }
  } while (wl_px_accept(p, ','));
  wl_ptx_label_t **labels = wl_px_alloc(p, count * sizeof *labels);
  for (uint64_t i = 0; i < count; i++)
    wl_px_label_ref(p, &names[i], &labels[i]);
  t->labels = labels;
  t->count = (uint32_t)count;
  return true;
}

static bool call_targets(wl_px_t *p, wl_ptx_table_t *t) {
  size_t cap = 0;
  wl_ptx_func_t **funcs = NULL;
  do {
    wl_sym_t *s = p->tok.kind == WL_TOK_IDENT ? wl_px_lookup(p, p->tok.text, p->tok.len) : NULL;
    if (s == NULL || s->kind != WL_SYM_FUNC || ((wl_ptx_func_t *)s->obj)->is_entry) {
      return wl_px_error(p, p->tok.pos, "11.3.2", ".calltargets lists functions");
    }
    funcs = wl_px_grow(p, funcs, t->count, &cap, sizeof *funcs);
    funcs[t->count++] = s->obj;
    wl_px_next(p);
  } while (wl_px_accept(p, ','));
  t->funcs = funcs;
  return true;
}

static bool call_prototype(wl_px_t *p, const wl_tok_t *label) {
  wl_ptx_proto_t *proto = wl_px_alloc(p, sizeof *proto);
  wl_ptx_func_t *fn = p->fn.func;
  p->fn.func = NULL; /* its formals are no registers of this function */
  bool ok;
  if (wl_px_is_ident(p, "_")) { /* `_ (params)` or `_ _ (params)`: no return value */
    const wl_tok_t *n = wl_px_peek(p);
    if (n->kind == WL_TOK_IDENT && n->len == 1 && n->text[0] == '_') wl_px_next(p);
  }
  ok = wl_px_interface(p, proto, false, false);
  while (ok && p->tok.kind == WL_TOK_DOT) {
    uint64_t skip;
    if (wl_px_accept_dot(p, "noreturn")) {
      proto->noreturn = true;
    } else if (wl_px_accept_dot(p, "abi_preserve") || wl_px_accept_dot(p, "abi_preserve_control")) {
      ok = wl_px_const_range(p, "11.4", "abi_preserve", 0, 255, &skip);
    } else {
      break;
    }
  }
  p->fn.func = fn;
  proto->name = wl_px_text(p, label);
  proto->pos = label->pos;
  return ok && wl_px_declare(p, *label, WL_SYM_PROTO, proto);
}

static bool table(wl_px_t *p, const wl_tok_t *label, bool is_branch) {
  wl_ptx_func_t *f = p->fn.func;
  wl_ptx_table_t *t = wl_px_alloc(p, sizeof *t);
  t->name = wl_px_text(p, label);
  t->pos = label->pos;
  f->tables = wl_px_grow(p, f->tables, f->ntables, &p->fn.cap_tables, sizeof *f->tables);
  f->tables[f->ntables++] = t;
  return (is_branch ? branch_targets(p, t) : call_targets(p, t)) &&
         wl_px_declare(p, *label, WL_SYM_TABLE, t);
}

/* Behind `label:`. Tables and prototypes take the label as their name; all else gets a label. */
static bool labelled(wl_px_t *p, const wl_tok_t *label, bool *is_table) {
  *is_table = true;
  wl_mark_t start = wl_px_mark(p);
  bool branch = wl_px_accept_dot(p, "branchtargets");
  bool proto = !branch && wl_px_accept_dot(p, "callprototype");
  if (branch || proto || wl_px_accept_dot(p, "calltargets")) {
    bool ok = proto ? call_prototype(p, label) && wl_px_semicolon(p, "11.3.3")
                    : table(p, label, branch) && wl_px_semicolon(p, "11.3");
    uint32_t owner = ok ? 0 : wl_px_refused_since(p, &start);
    return ok || (owner != 0 && wl_px_refuse_name(p, *label, owner) && false);
  }
  *is_table = false;
  wl_ptx_func_t *f = p->fn.func;
  wl_ptx_label_t *l = wl_px_alloc(p, sizeof *l);
  *l = (wl_ptx_label_t){wl_px_text(p, label), label->pos, f->ninsns, f->nlabels};
  f->labels = wl_px_grow(p, f->labels, f->nlabels, &p->fn.cap_labels, sizeof *f->labels);
  f->labels[f->nlabels++] = l;
  return wl_px_declare(p, *label, WL_SYM_LABEL, l);
}

static bool guard(wl_px_t *p, wl_ptx_insn_t *insn) { /* behind @ */
  insn->guard_neg = wl_px_accept(p, '!');
  wl_tok_t t = p->tok;
  char buf[96];
  if (t.kind != WL_TOK_IDENT) {
    return wl_px_error(p, t.pos, "9.3", "expected a predicate register behind @, got %s",
                       wl_px_tok_text(&t, buf, sizeof buf));
  }
  wl_sym_t *s = wl_px_lookup(p, t.text, t.len);
  if (s == NULL) return wl_px_undefined(p, &t, "predicate");
  wl_px_next(p);
  if (s->kind != WL_SYM_REG || ((wl_ptx_reg_t *)s->obj)->type != WL_PTX_T_PRED) {
    return wl_px_error(p, t.pos, "9.3", "guard `%.60s` is not a predicate register", s->name->text);
  }
  insn->guard = s->obj;
  return true;
}

static bool instruction(wl_px_t *p) {
  wl_ptx_func_t *f = p->fn.func;
  wl_ptx_insn_t insn = {.guard_comp = -1, .vec = 1, .loc = p->loc};
  bool ok = !wl_px_accept(p, '@') || guard(p, &insn);
  ok = ok && wl_px_instruction(p, &insn);
  if (!ok) {
    wl_px_skip_statement(p);
    return false;
  }
  if (!wl_px_semicolon(p, "4.3.2")) return false;
  if (f->ninsns >= WL_LIM_INSNS) {
    if (f->ninsns == WL_LIM_INSNS && !p->fn.too_many) {
      wl_px_unsupported(p, insn.pos, "4.3.2", "function has more than %d instructions",
                        WL_LIM_INSNS);
    }
    p->fn.too_many = true;
    wl_px_incomplete(p);
    return false;
  }
  f->insns = wl_px_grow(p, f->insns, f->ninsns, &p->fn.cap_insns, sizeof *f->insns);
  f->insns[f->ninsns++] = insn;
  return true;
}

static bool directive(wl_px_t *p) {
  wl_ptx_func_t *f = p->fn.func;
  bool matched;
  char buf[96];
  if (wl_px_is_space_directive(p)) {
    wl_px_variable_statement(p, WL_PTX_LINK_LOCAL);
    return true;
  }
  bool ok = wl_px_debug_directive(p, &matched);
  if (matched) return ok;
  if (wl_px_accept_dot(p, "pragma")) {
    return wl_px_pragma(p, f->ninsns, &f->pragmas, &f->npragmas, &p->fn.cap_pragmas);
  }
  return wl_px_error(p, p->tok.pos, "4.3.1", "%s cannot stand in a function body",
                     wl_px_tok_text(&p->tok, buf, sizeof buf));
}

static bool statement(wl_px_t *p) {
  char buf[96];
  while (p->tok.kind == WL_TOK_IDENT && wl_px_peek(p)->kind == WL_TOK_PUNCT &&
         wl_px_peek(p)->op == ':') {
    wl_tok_t label = p->tok;
    bool is_table = false;
    wl_px_next(p);
    wl_px_next(p);
    if (wl_forms_find_op(p->forms, label.text, label.len) != WL_PTX_OP_NONE) {
      wl_px_warn(p, label.pos, "4.3.2", "`%.*s` is a reserved instruction keyword", (int)label.len,
                 label.text);
    }
    if (!labelled(p, &label, &is_table) && is_table) return false;
    if (is_table) return true;
  }
  if (p->tok.kind == WL_TOK_IDENT || wl_px_is(p, '@')) {
    instruction(p);
    return true;
  }
  if (p->tok.kind == WL_TOK_DOT) return directive(p);
  if (wl_px_is(p, '{') || wl_px_is(p, '}')) return true;
  if (p->tok.kind == WL_TOK_BAD || p->tok.kind == WL_TOK_EOF) return false;
  return wl_px_error(p, p->tok.pos, "4.3", "expected a statement, got %s",
                     wl_px_tok_text(&p->tok, buf, sizeof buf));
}

static bool open_scope(wl_px_t *p, uint32_t *depth) {
  if (*depth >= WL_LIM_NESTING) {
    if (!p->fn.too_many) {
      wl_px_unsupported(p, p->tok.pos, "9.7.12.1", "blocks nested deeper than %d", WL_LIM_NESTING);
    }
    p->fn.too_many = true;
    wl_px_incomplete(p);
  }
  (*depth)++;
  wl_px_push_scope(p);
  wl_px_next(p);
  return true;
}

void wl_px_body(wl_px_t *p) { /* behind the { ; consumes the } */
  uint32_t depth = 0;
  wl_ptx_pos_t start = p->fn.func->pos;
  for (;;) {
    p->touched = 0;
    if (wl_px_is(p, '{')) {
      open_scope(p, &depth);
      continue;
    }
    if (wl_px_is(p, '}')) {
      wl_px_next(p);
      if (depth-- == 0) return;
      wl_px_pop_scope(p);
      continue;
    }
    if (p->tok.kind == WL_TOK_EOF) {
      wl_px_error(p, start, "11.2", "the body of `%.60s` is not closed", p->fn.func->name);
      return;
    }
    const char *before = p->tok.text;
    bool ok = statement(p);
    bool brace = wl_px_is(p, '{') || wl_px_is(p, '}');
    if (ok && (brace || p->tok.text != before)) continue;
    if (p->tok.text == before || p->tok.kind == WL_TOK_BAD) wl_px_next(p); /* always forward */
    wl_px_skip_statement(p);
  }
}
