/* decl.c: variable and register declarations [PTX 5.4, 5.1.x]: space, alignment, vector, type,
 * attributes, .ptr, names with <N>, arrays. Initialisers are in init.c. Textures, samplers,
 * surfaces and constant banks are rejected with their clause. */
#include "isa/ptx/px.h"

#include <string.h>

bool wl_px_is_space_directive(const wl_px_t *p) {
  static const char *const names[] = {"reg",   "global", "shared", "local",
                                      "const", "param",  "tex",    "sreg"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (wl_px_is_dot(p, names[i])) return true;
  }
  return false;
}

static bool parse_align(wl_px_t *p, uint32_t *align) {
  uint64_t v;
  wl_ptx_pos_t pos = p->tok.pos;
  if (!wl_px_const_range(p, "5.4.5", ".align", 1, WL_LIM_ALIGN, &v)) return false;
  if ((v & (v - 1)) != 0) {
    return wl_px_error(p, pos, "5.4.5", "alignment %llu is not a power of two",
                       (unsigned long long)v);
  }
  *align = (uint32_t)v;
  return true;
}

static bool parse_ptr(wl_px_t *p, wl_decl_t *d) { /* behind .ptr [PTX 5.1.6.3] */
  d->is_ptr = true;
  d->ptr_space = WL_PTX_SPACE_GENERIC;
  d->ptr_align = 4;
  if (p->tok.kind == WL_TOK_DOT && wl_ptx_space_find(p->tok.text, p->tok.len, &d->ptr_space)) {
    bool ok = d->ptr_space == WL_PTX_SPACE_GLOBAL || d->ptr_space == WL_PTX_SPACE_CONST ||
              d->ptr_space == WL_PTX_SPACE_LOCAL || d->ptr_space == WL_PTX_SPACE_SHARED;
    if (!ok) {
      return wl_px_error(p, p->tok.pos, "5.1.6.3", ".ptr takes .const, .global, .local or .shared");
    }
    wl_px_next(p);
  }
  return !wl_px_accept_dot(p, "align") || parse_align(p, &d->ptr_align);
}

bool wl_px_attributes(wl_px_t *p, bool *managed, bool *unified, uint64_t uuid[2]) {
  if (!wl_px_expect(p, '(', "5.4.8", "after .attribute")) return false;
  do {
    if (wl_px_accept_dot(p, "managed")) {
      *managed = true;
    } else if (wl_px_accept_dot(p, "unified")) {
      *unified = true;
      if (!wl_px_expect(p, '(', "5.4.8", "after .unified") ||
          !wl_px_const_range(p, "5.4.8", "uuid", 0, UINT64_MAX, &uuid[0]) ||
          !wl_px_expect(p, ',', "5.4.8", "between the uuid halves") ||
          !wl_px_const_range(p, "5.4.8", "uuid", 0, UINT64_MAX, &uuid[1]) ||
          !wl_px_expect(p, ')', "5.4.8", "after the uuid")) {
        return false;
      }
    } else {
      char buf[96];
      return wl_px_error(p, p->tok.pos, "5.4.8", "expected .managed or .unified, got %s",
                         wl_px_tok_text(&p->tok, buf, sizeof buf));
    }
  } while (wl_px_accept(p, ','));
  return wl_px_expect(p, ')', "5.4.8", "after attributes");
}

static bool space_directive(wl_px_t *p, wl_decl_t *d) {
  d->pos = p->tok.pos;
  if (wl_px_is_dot(p, "tex")) {
    if (p->version10 >= 15)
      return wl_px_error(p, p->tok.pos, "5.1.8", "the .tex state space ended with PTX version 1.4");
    return wl_px_unsupported(p, p->tok.pos, "5.1.8", "the .tex state space is not implemented");
  }
  if (wl_px_is_dot(p, "sreg")) {
    return wl_px_error(p, p->tok.pos, "5.1.2",
                       "special registers are predefined; .sreg cannot declare one");
  }
  wl_ptx_space_find(p->tok.text, p->tok.len, &d->space);
  wl_px_next(p);
  if (d->space == WL_PTX_SPACE_CONST && wl_px_is(p, '[') && p->version10 >= 22) {
    return wl_px_error(p, p->tok.pos, "5.1.3.1", "constant banks ended with PTX version 2.1");
  }
  if (d->space == WL_PTX_SPACE_CONST && wl_px_is(p, '[')) {
    return wl_px_unsupported(p, p->tok.pos, "5.1.3.1",
                             "constant banks (removed in PTX 2.2) are not implemented");
  }
  return true;
}

static bool type_word(wl_px_t *p, wl_decl_t *d, wl_ptx_type_t type) {
  wl_ptx_pos_t pos = p->tok.pos;
  if (d->type != WL_PTX_T_NONE) return wl_px_error(p, pos, "5.4.1", "a second type");
  if (!wl_ptx_type_is_fundamental(type)) {
    return wl_px_error(p, pos, "5.2.3", "`.%s` is not a fundamental type; declare a bit-size type",
                       wl_ptx_type_name(type));
  }
  d->type = type;
  if (!wl_px_check_word(p, &p->tok, "5.2.1")) return false;
  wl_px_next(p);
  return true;
}

/* One word between the space and the name; *done when there is none. */
static bool decl_word(wl_px_t *p, wl_decl_t *d, bool *done) {
  wl_tok_t t = p->tok;
  if (t.kind != WL_TOK_DOT) {
    *done = true;
    return true;
  }
  wl_ptx_type_t type = wl_ptx_type_find(t.text, t.len);
  if (type != WL_PTX_T_NONE) return type_word(p, d, type);
  if (wl_px_is_dot(p, "align") && d->type != WL_PTX_T_NONE && !d->is_ptr)
    return wl_px_error(p, t.pos, "5.4.5", ".align stands in front of the type");
  if (wl_px_accept_dot(p, "align")) return parse_align(p, &d->align);
  if (wl_px_accept_dot(p, "attribute"))
    return wl_px_attributes(p, &d->managed, &d->unified, d->uuid);
  if (wl_px_is_dot(p, "v2") || wl_px_is_dot(p, "v4")) {
    d->vec = wl_px_is_dot(p, "v2") ? 2 : 4;
    wl_px_next(p);
    return true;
  }
  if (wl_px_is_dot(p, "ptr")) {
    if (d->space != WL_PTX_SPACE_PARAM_ENTRY) {
      return wl_px_error(p, t.pos, "5.1.6.3", ".ptr is an attribute of kernel parameters");
    }
    wl_px_next(p);
    return parse_ptr(p, d);
  }
  if (wl_px_is_dot(p, "samplerref") && !p->independent_samplers)
    return wl_px_error(p, t.pos, "5.3", ".samplerref needs .target texmode_independent");
  if (wl_px_is_dot(p, "texref") || wl_px_is_dot(p, "samplerref") || wl_px_is_dot(p, "surfref")) {
    return wl_px_unsupported(p, t.pos, "5.3", "opaque type `.%.*s` is not implemented", (int)t.len,
                             t.text);
  }
  char buf[96];
  return wl_px_error(p, t.pos, "5.4.1", "unexpected %s in a declaration",
                     wl_px_tok_text(&t, buf, sizeof buf));
}

static bool check_decl(wl_px_t *p, const wl_decl_t *d) {
  if (d->type == WL_PTX_T_NONE)
    return wl_px_error(p, p->tok.pos, "5.4.1", "declaration without a type");
  if (d->type == WL_PTX_T_PRED && d->space != WL_PTX_SPACE_REG) {
    return wl_px_error(p, d->pos, "5.4.1", "predicate variables may only be declared in .reg");
  }
  if (d->vec > 1 && (d->type == WL_PTX_T_PRED || wl_ptx_type_bits(d->type) * d->vec > 128)) {
    return wl_px_error(p, d->pos, "5.4.2", ".v%u of `.%s` is not a vector type", d->vec,
                       wl_ptx_type_name(d->type));
  }
  if ((d->managed || d->unified) && d->space != WL_PTX_SPACE_GLOBAL) {
    return wl_px_error(p, d->pos, "5.4.8", "this attribute needs a .global variable");
  }
  return true;
}

bool wl_px_decl_prefix(wl_px_t *p, wl_decl_t *d) {
  d->vec = 1;
  if (!space_directive(p, d)) return false;
  bool done = false;
  while (!done) {
    if (!decl_word(p, d, &done)) return false;
  }
  return check_decl(p, d);
}

wl_ptx_var_t *wl_px_new_var(wl_px_t *p, const wl_decl_t *d, const wl_tok_t *name) {
  wl_ptx_var_t *v = wl_px_alloc(p, sizeof *v);
  *v = (wl_ptx_var_t){.name = wl_px_text(p, name),
                      .pos = name->pos,
                      .space = d->space,
                      .linkage = d->linkage,
                      .type = d->type,
                      .vec = d->vec,
                      .align = d->align,
                      .managed = d->managed,
                      .unified = d->unified,
                      .is_ptr = d->is_ptr,
                      .ptr_space = d->ptr_space,
                      .ptr_align = d->ptr_align};
  memcpy(v->uuid, d->uuid, sizeof v->uuid);
  return v;
}

bool wl_px_array_suffix(wl_px_t *p, wl_ptx_var_t *v) {
  uint64_t dims[WL_LIM_DIMS];
  while (wl_px_accept(p, '[')) {
    if (v->ndims == WL_LIM_DIMS) {
      return wl_px_unsupported(p, p->tok.pos, "5.4.3", "more than %d array dimensions",
                               WL_LIM_DIMS);
    }
    dims[v->ndims] = 0;
    if (wl_px_is(p, ']')) {
      if (v->ndims != 0)
        return wl_px_error(p, p->tok.pos, "5.4.3", "only the first dimension may be omitted");
      v->unsized = true;
    } else if (!wl_px_const_range(p, "5.4.3", "array size", 0, WL_LIM_VAR_BYTES, &dims[v->ndims])) {
      return false;
    }
    v->ndims++;
    if (!wl_px_expect(p, ']', "5.4.3", "after the array size")) return false;
  }
  v->is_array = v->ndims != 0;
  uint64_t *copy = wl_px_alloc(p, (v->ndims + 1) * sizeof *copy);
  memcpy(copy, dims, v->ndims * sizeof *copy);
  v->dims = copy;
  return true;
}

void wl_px_size_var(wl_px_t *p, wl_ptx_var_t *v) {
  uint64_t elem = (uint64_t)wl_ptx_type_bits(v->type) / 8 * v->vec;
  uint64_t size = elem;
  if (v->align == 0) v->align = elem != 0 ? (uint32_t)elem : 1;
  for (uint32_t i = 0; i < v->ndims; i++) {
    if (v->dims[i] != 0 && size > WL_LIM_VAR_BYTES / v->dims[i]) {
      wl_px_unsupported(p, v->pos, "5.4.3", "variable `%.60s` is larger than %llu bytes", v->name,
                        (unsigned long long)WL_LIM_VAR_BYTES);
      size = 0;
    }
    size *= v->dims[i];
  }
  v->size = size;
}

static void store_var(wl_px_t *p, wl_ptx_var_t *v) {
  if (p->fn.func != NULL) {
    wl_ptx_func_t *f = p->fn.func;
    v->role = v->space == WL_PTX_SPACE_PARAM_FUNC ? WL_PTX_VAR_LOCAL_PARAM : WL_PTX_VAR_FUNCTION;
    v->scope_first = f->ninsns;
    v->id = f->nvars;
    f->vars = wl_px_grow(p, f->vars, f->nvars, &p->fn.cap_vars, sizeof *f->vars);
    f->vars[f->nvars++] = v;
  } else {
    v->role = WL_PTX_VAR_MODULE;
    v->owner = p->d->owner;
    v->id = p->m->nvars;
    p->m->vars = wl_px_grow(p, p->m->vars, p->m->nvars, &p->cap_vars, sizeof *p->m->vars);
    p->m->vars[p->m->nvars++] = v;
  }
}

static bool declare_many(wl_px_t *p, const wl_decl_t *d, const wl_tok_t *name) { /* behind name< */
  bool reg = d->space == WL_PTX_SPACE_REG;
  uint64_t count, max = reg ? WL_LIM_FAMILY : WL_LIM_FAMILY_VARS;
  if (!wl_px_const_range(p, "5.4.6", "count of a parametrised name", reg ? 0 : 1, max, &count))
    return false;
  if (!wl_px_expect(p, '>', "5.4.6", "after the count")) return false;
  if (wl_px_is(p, '[') || wl_px_is(p, '=')) {
    return wl_px_error(p, p->tok.pos, "5.4.6",
                       "a parametrised name cannot be an array or initialised");
  }
  if (reg) return wl_px_declare_family(p, *name, d->type, d->vec, count);
  for (uint64_t i = 0; i < count; i++) {
    char *text = wl_px_alloc(p, (size_t)name->len + 16);
    wl_tok_t t = *name;
    int n = snprintf(text, (size_t)name->len + 16, "%.*s%llu", (int)name->len, name->text,
                     (unsigned long long)i);
    t.text = text;
    t.len = (uint32_t)n;
    wl_ptx_var_t *v = wl_px_new_var(p, d, &t);
    wl_px_size_var(p, v);
    if (!wl_px_declare(p, t, WL_SYM_VAR, v)) return false;
    store_var(p, v);
  }
  return true;
}

static bool check_unsized(wl_px_t *p, const wl_ptx_var_t *v) {
  if ((!v->unsized && v->size != 0) || v->init != NULL) return true;
  if (v->linkage == WL_PTX_LINK_EXTERN) return true;
  return wl_px_error(p, v->pos, "5.4.3", "array `%.60s[]` needs a size, an initialiser or .extern",
                     v->name);
}

/* What a module-scope variable of this name was declared as before, or NULL. */
static wl_ptx_var_t *declared_before(wl_px_t *p, const wl_tok_t *name) {
  if (p->fn.func != NULL) return NULL;
  wl_sym_t *s = wl_px_lookup(p, name->text, name->len);
  p->touched = 0; /* no use of it: a second declaration of a refused name is an error */
  return s != NULL && s->kind == WL_SYM_VAR ? s->obj : NULL;
}

/* One .extern and one other declaration, in either order, are one variable [PTX 11.6]. The first
 * object stays, because operands refer to it; it takes over what the definition says. */
static bool join(wl_px_t *p, wl_ptx_var_t *old, const wl_ptx_var_t *v) {
  bool was = old->linkage == WL_PTX_LINK_EXTERN, is = v->linkage == WL_PTX_LINK_EXTERN;
  if (!was && !is) {
    return wl_px_error(p, v->pos, "5.4.1",
                       "`%.60s` is declared twice in this scope; first at %u:%u", v->name,
                       old->pos.line, old->pos.col);
  }
  bool same = old->space == v->space && old->type == v->type && old->vec == v->vec &&
              (old->size == v->size || (was && old->unsized) || (is && v->unsized));
  if (!same) {
    return wl_px_error(p, v->pos, "11.6.1", "`%.60s` does not match its declaration at %u:%u",
                       v->name, old->pos.line, old->pos.col);
  }
  if (old->linkage == WL_PTX_LINK_LOCAL || v->linkage == WL_PTX_LINK_LOCAL) {
    return wl_px_error(p, v->pos, "11.6.1",
                       "an .extern variable is defined by a .visible, .weak or "
                       ".common one");
  }
  if (v->align > old->align) old->align = v->align;
  if (is) return true;
  uint32_t align = old->align, id = old->id, owner = old->owner;
  *old = *v;
  old->owner = wl_diag_is_refused(p->d, p->d->owner) ? p->d->owner : owner;
  old->align = align;
  old->id = id;
  return true;
}

/* Names that stand for something else at module scope [PTX 4.4, 4.5.2, 10]. */
static bool check_name(wl_px_t *p, const wl_tok_t *name) {
  if (p->fn.func != NULL) return true;
  if (wl_px_is_ident(p, "WARP_SZ") || wl_px_is_sreg(name->text, name->len))
    return wl_px_error(p, name->pos, "4.4", "`%.*s` is predefined", (int)name->len, name->text);
  return true;
}

static bool declare_one(wl_px_t *p, const wl_decl_t *d) {
  wl_tok_t name = p->tok;
  char buf[96];
  if (name.kind != WL_TOK_IDENT || (name.len == 1 && name.text[0] == '_')) {
    if (name.kind == WL_TOK_BAD) return false;
    return wl_px_error(p, name.pos, "5.4.1", "expected a name, got %s",
                       wl_px_tok_text(&name, buf, sizeof buf));
  }
  if (wl_forms_find_op(p->forms, name.text, name.len) != WL_PTX_OP_NONE) {
    wl_px_warn(p, name.pos, "4.3.2", "`%.*s` is a reserved instruction keyword", (int)name.len,
               name.text);
  }
  if (!check_name(p, &name)) return false;
  wl_px_next(p);
  if (wl_px_accept(p, '<')) return declare_many(p, d, &name);
  if (d->space == WL_PTX_SPACE_REG) {
    if (wl_px_is(p, '[')) return wl_px_error(p, p->tok.pos, "5.1.1", "registers cannot be arrays");
    wl_ptx_reg_t *r = wl_px_new_reg(p, wl_px_text(p, &name), d->type, d->vec, name.pos);
    return wl_px_declare(p, name, WL_SYM_REG, r);
  }
  wl_ptx_var_t *v = wl_px_new_var(p, d, &name);
  if (!wl_px_array_suffix(p, v)) return false;
  wl_px_size_var(p, v);
  wl_ptx_var_t *old = declared_before(p, &name);
  if (old != NULL) {
    v->role = old->role;
    if (!join(p, old, v)) return false;
    v = old;
  } else {
    if (!wl_px_declare(p, name, WL_SYM_VAR, v)) return false;
    store_var(p, v);
  }
  if (wl_px_is(p, '=') && !wl_px_initialiser(p, v)) return false;
  return check_unsized(p, v);
}

static bool check_place(wl_px_t *p, wl_decl_t *d) {
  bool module = p->fn.func == NULL;
  if (d->space == WL_PTX_SPACE_PARAM_ENTRY) {
    if (module) return wl_px_error(p, d->pos, "5.1.6", ".param variables belong to functions");
    d->space = WL_PTX_SPACE_PARAM_FUNC;
  }
  if (module && d->space == WL_PTX_SPACE_REG) {
    return wl_px_error(p, d->pos, "5.1.1", ".reg may not be declared at module scope");
  }
  if (module && d->space == WL_PTX_SPACE_LOCAL) {
    return wl_px_error(p, d->pos, "5.1.5", ".local may not be declared at module scope");
  }
  if (d->linkage == WL_PTX_LINK_COMMON && d->space != WL_PTX_SPACE_GLOBAL) {
    return wl_px_error(p, d->pos, "11.6.4", ".common needs a .global variable");
  }
  return true;
}

static bool variable_statement(wl_px_t *p, wl_ptx_linkage_t linkage) {
  wl_decl_t d = {.linkage = linkage};
  wl_mark_t start = wl_px_mark(p);
  bool ok = wl_px_decl_prefix(p, &d) && check_place(p, &d);
  while (ok) {
    ok = declare_one(p, &d);
    if (!ok || !wl_px_accept(p, ',')) break;
  }
  uint32_t owner = ok ? 0 : wl_px_refused_since(p, &start);
  if (owner != 0) return wl_px_refused_variables(p, &start, owner);
  if (!ok) {
    wl_px_skip_statement(p);
    return false;
  }
  return wl_px_semicolon(p, "5.4.1");
}

bool wl_px_variable_statement(wl_px_t *p, wl_ptx_linkage_t linkage) {
  if (p->fn.func != NULL) return variable_statement(p, linkage);
  p->d->owner = wl_diag_new_owner(p->d);
  bool ok = variable_statement(p, linkage);
  p->d->owner = 0;
  return ok;
}
