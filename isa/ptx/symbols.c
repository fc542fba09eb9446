/* symbols.c: names, nested scopes, parametrised registers and labels [PTX 4.4, 5.4.6, 9.7.12.1].
 * A name carries the stack of its declarations, innermost first, so that lookup is one hash probe.
 * Registers of a family %r<N> come into being when they are first used. Label references wait
 * until their scope ends, because a label of the innermost scope may come later in the text. */
#include "isa/ptx/px.h"

#include <string.h>

static uint32_t hash_text(const char *s, size_t n) {
  uint32_t h = 2166136261u; /* FNV-1a */
  for (size_t i = 0; i < n; i++)
    h = (h ^ (unsigned char)s[i]) * 16777619u;
  return h;
}

static void rehash(wl_px_t *p) {
  uint32_t n = p->nbuckets == 0 ? 256 : p->nbuckets * 2;
  wl_name_t **b = wl_px_alloc(p, n * sizeof *b);
  for (uint32_t i = 0; i < p->nbuckets; i++) {
    for (wl_name_t *x = p->buckets[i], *next; x != NULL; x = next) {
      next = x->next;
      x->next = b[x->hash & (n - 1)];
      b[x->hash & (n - 1)] = x;
    }
  }
  p->buckets = b;
  p->nbuckets = n;
}

static wl_name_t *find_name(wl_px_t *p, const char *s, size_t n) {
  if (p->nbuckets == 0) return NULL;
  uint32_t h = hash_text(s, n);
  for (wl_name_t *x = p->buckets[h & (p->nbuckets - 1)]; x != NULL; x = x->next) {
    if (x->hash == h && x->len == n && memcmp(x->text, s, n) == 0) return x;
  }
  return NULL;
}

wl_name_t *wl_px_name(wl_px_t *p, const char *s, size_t n) {
  wl_name_t *x = find_name(p, s, n);
  if (x != NULL) return x;
  if (p->nnames >= p->nbuckets) rehash(p);
  x = wl_px_alloc(p, sizeof *x);
  char *text = wl_px_alloc(p, n + 1);
  memcpy(text, s, n);
  x->text = text;
  x->len = (uint32_t)n;
  x->hash = hash_text(s, n);
  wl_name_t **b = &p->buckets[x->hash & (p->nbuckets - 1)];
  x->next = *b;
  *b = x;
  p->nnames++;
  return x;
}

void wl_px_push_scope(wl_px_t *p) {
  wl_scope_t *s = wl_px_alloc(p, sizeof *s);
  s->parent = p->scope;
  s->depth = p->scope != NULL ? p->scope->depth + 1 : 0;
  p->scope = s;
}

static void resolve_labels(wl_px_t *p, wl_scope_t *s) {
  for (wl_pending_t *r = s->pending, *next; r != NULL; r = next) {
    next = r->next;
    wl_sym_t *sym = r->name->sym;
    if (sym != NULL && sym->scope == s && sym->kind == WL_SYM_LABEL) {
      *r->slot = sym->obj;
    } else if (s->depth > 1) {
      r->next = s->parent->pending;
      s->parent->pending = r;
    } else if (r->name->reported_in != p->fn.serial) {
      r->name->reported_in = p->fn.serial;
      wl_px_error(p, r->pos, "6.4.4", "label `%.60s` is not defined in this scope", r->name->text);
    }
  }
}

void wl_px_pop_scope(wl_px_t *p) {
  wl_scope_t *s = p->scope;
  resolve_labels(p, s);
  for (wl_sym_t *x = s->syms; x != NULL; x = x->next_in_scope) {
    x->name->sym = x->shadowed;
    if (x->kind == WL_SYM_VAR && p->fn.func != NULL) {
      ((wl_ptx_var_t *)x->obj)->scope_last = p->fn.func->ninsns;
    }
  }
  for (wl_family_t *f = s->families; f != NULL; f = f->next_in_scope)
    f->name->family = f->shadowed;
  p->scope = s->parent;
}

/* Splits "%r17" before a number without leading zeros whose start is at or after `from`. */
static bool split_index(const char *s, size_t n, size_t cut, uint64_t *index) {
  if (cut == 0 || cut >= n || (s[cut] == '0' && n - cut > 1) || n - cut > 9) return false;
  uint64_t v = 0;
  for (size_t i = cut; i < n; i++)
    v = v * 10 + (uint64_t)(s[i] - '0');
  *index = v;
  return true;
}

static size_t digits_start(const char *s, size_t n) {
  while (n > 0 && s[n - 1] >= '0' && s[n - 1] <= '9')
    n--;
  return n;
}

static wl_family_t *family_of(wl_px_t *p, const char *s, size_t n) {
  uint64_t index;
  wl_family_t *best = NULL;
  for (size_t cut = digits_start(s, n); cut < n; cut++) {
    if (!split_index(s, n, cut, &index)) continue;
    wl_name_t *x = find_name(p, s, cut);
    wl_family_t *f = x != NULL ? x->family : NULL;
    while (f != NULL && index >= f->count)
      f = f->shadowed;
    if (f != NULL && (best == NULL || f->scope->depth > best->scope->depth)) best = f;
  }
  return best;
}

static bool redeclared(wl_px_t *p, const wl_tok_t *at, wl_ptx_pos_t first) {
  return wl_px_error(p, at->pos, "5.4.1", "`%.*s` is declared twice in this scope; first at %u:%u",
                     at->len > 60 ? 60 : (int)at->len, at->text, first.line, first.col);
}

static void link_sym(wl_px_t *p, wl_scope_t *scope, wl_name_t *x, wl_sym_kind_t kind, void *obj,
                     wl_ptx_pos_t pos) {
  wl_sym_t *s = wl_px_alloc(p, sizeof *s);
  *s = (wl_sym_t){.kind = kind,
                  .obj = obj,
                  .pos = pos,
                  .name = x,
                  .scope = scope,
                  .shadowed = x->sym,
                  .next_in_scope = scope->syms};
  x->sym = s;
  scope->syms = s;
}

/* Remembers <prefix><number> declarations so that a later family <prefix><N> can notice them. */
static void note_indexed(wl_px_t *p, const char *s, size_t n) {
  uint64_t index;
  size_t cut = digits_start(s, n);
  if (cut == n || !split_index(s, n, cut, &index)) return;
  wl_name_t *prefix = wl_px_name(p, s, cut);
  if (prefix->indexed_scope != p->scope || index < prefix->indexed_min) prefix->indexed_min = index;
  prefix->indexed_scope = p->scope;
}

bool wl_px_declare(wl_px_t *p, wl_tok_t at, wl_sym_kind_t kind, void *obj) {
  wl_name_t *x = wl_px_name(p, at.text, at.len);
  if (x->sym != NULL && x->sym->scope == p->scope) return redeclared(p, &at, x->sym->pos);
  wl_family_t *f = family_of(p, at.text, at.len);
  if (f != NULL && f->scope == p->scope) return redeclared(p, &at, f->pos);
  link_sym(p, p->scope, x, kind, obj, at.pos);
  if (kind != WL_SYM_LABEL) note_indexed(p, at.text, at.len);
  return true;
}

bool wl_px_declare_family(wl_px_t *p, wl_tok_t at, wl_ptx_type_t type, uint8_t vec,
                          uint64_t count) {
  wl_name_t *x = wl_px_name(p, at.text, at.len);
  if (x->family != NULL && x->family->scope == p->scope) return redeclared(p, &at, x->family->pos);
  if (x->indexed_scope == p->scope && x->indexed_min < count) {
    return wl_px_error(p, at.pos, "5.4.6", "`%.*s<%llu>` contains a name that is declared already",
                       at.len > 60 ? 60 : (int)at.len, at.text, (unsigned long long)count);
  }
  wl_family_t *f = wl_px_alloc(p, sizeof *f);
  *f = (wl_family_t){.type = type,
                     .vec = vec,
                     .count = count,
                     .pos = at.pos,
                     .name = x,
                     .scope = p->scope,
                     .shadowed = x->family,
                     .next_in_scope = p->scope->families};
  x->family = f;
  p->scope->families = f;
  return true;
}

wl_ptx_reg_t *wl_px_new_reg(wl_px_t *p, const char *name, wl_ptx_type_t type, uint8_t vec,
                            wl_ptx_pos_t pos) {
  wl_ptx_reg_t *r = wl_px_alloc(p, sizeof *r);
  *r = (wl_ptx_reg_t){.name = name, .type = type, .vec = vec, .pos = pos, .id = UINT32_MAX};
  wl_ptx_func_t *f = p->fn.func;
  if (f == NULL) return r;
  if (f->nregs >= WL_LIM_REGS) {
    if (!p->fn.too_many) {
      wl_px_unsupported(p, pos, "5.1.1", "function uses more than %d registers", WL_LIM_REGS);
    }
    p->fn.too_many = true;
    wl_px_incomplete(p);
    return r;
  }
  f->regs = wl_px_grow(p, f->regs, f->nregs, &p->fn.cap_regs, sizeof *f->regs);
  r->id = f->nregs;
  f->regs[f->nregs++] = r;
  return r;
}

wl_sym_t *wl_px_lookup(wl_px_t *p, const char *s, size_t n) {
  wl_name_t *x = find_name(p, s, n);
  wl_sym_t *sym = x != NULL ? x->sym : NULL;
  wl_family_t *f = digits_start(s, n) < n ? family_of(p, s, n) : NULL;
  if (f == NULL || (sym != NULL && sym->scope->depth >= f->scope->depth)) {
    if (sym != NULL && sym->kind == WL_SYM_REFUSED) wl_px_needs(p, *(const uint32_t *)sym->obj);
    return sym;
  }
  if (x == NULL) x = wl_px_name(p, s, n);
  link_sym(p, f->scope, x, WL_SYM_REG, wl_px_new_reg(p, x->text, f->type, f->vec, f->pos), f->pos);
  return x->sym;
}

bool wl_px_undefined(wl_px_t *p, const wl_tok_t *t, const char *what) {
  wl_name_t *x = wl_px_name(p, t->text, t->len);
  if (x->reported_in == p->fn.serial && p->fn.serial != 0) return false;
  x->reported_in = p->fn.serial;
  return wl_px_error(p, t->pos, "5.4.1", "%s `%.60s` is not declared", what, x->text);
}

void wl_px_label_ref(wl_px_t *p, const wl_tok_t *t, wl_ptx_label_t **slot) {
  wl_pending_t *r = wl_px_alloc(p, sizeof *r);
  *r = (wl_pending_t){.name = wl_px_name(p, t->text, t->len),
                      .pos = t->pos,
                      .slot = slot,
                      .next = p->scope->pending};
  p->scope->pending = r;
}
