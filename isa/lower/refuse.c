/* refuse.c: what of a module is refused, and which kernels can reach it (lower.h).
 * Nodes of the graph are the functions and the module's variables: a function leads to those that
 * it calls and to the variables that it names, a variable to those in its initialiser. An indirect
 * call leads to its .calltargets, or else to every function of that interface whose address is
 * taken somewhere in the module, for the host and other kernels may hand it over. Should a program
 * get to a refused function otherwise, it finds a trap there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/lower/module.h"
#include "isa/ptx/ptx.h"

enum { NAMES_MAX = 4, ROWS_EACH = 16 };

static bool refused(const wl_lower_t *l, uint32_t owner) {
  return wl_diag_is_refused(l->diags, owner);
}

/* ---- what a function names ---- */
typedef void (*use_t)(void *ctx, const wl_ptx_var_t *v, const wl_ptx_func_t *f);

static void of_operands(const wl_ptx_operand_t *o, uint32_t n, use_t use, void *ctx) {
  for (uint32_t i = 0; i < n; i++) {
    if (o[i].var != NULL && o[i].var->role == WL_PTX_VAR_MODULE) use(ctx, o[i].var, NULL);
    if (o[i].func != NULL) use(ctx, NULL, o[i].func);
    of_operands(o[i].elems, o[i].nelems, use, ctx); /* elements have none themselves */
  }
}

static void of_relocs(const wl_ptx_var_t *v, use_t use, void *ctx) {
  for (uint32_t i = 0; i < v->nrelocs; i++)
    if (v->relocs[i].func != NULL || v->relocs[i].var->role == WL_PTX_VAR_MODULE)
      use(ctx, v->relocs[i].var, v->relocs[i].func);
}

/* Variables, and functions whose address is taken; calls are not among them. */
static void of_function(const wl_ptx_func_t *fn, use_t use, void *ctx) {
  for (uint32_t i = 0; i < fn->ninsns; i++)
    of_operands(fn->insns[i].operands, fn->insns[i].noperands, use, ctx);
  for (uint32_t i = 0; i < fn->nvars; i++)
    of_relocs(fn->vars[i], use, ctx);
}

typedef struct search {
  const wl_lower_t *l;
  bool found;
} search_t;

static void is_refused_var(void *ctx, const wl_ptx_var_t *v, const wl_ptx_func_t *f) {
  search_t *s = ctx;
  (void)f;
  s->found |= v != NULL && refused(s->l, v->owner);
}

bool wl_lower_is_refused(const wl_lower_t *l, const wl_ptx_func_t *fn) {
  search_t s = {l, fn->nneeds != 0 || refused(l, fn->owner)};
  if (l->diags->refused != 0 && !s.found) of_function(fn, is_refused_var, &s);
  return s.found;
}

void wl_lower_missing_callees(wl_lower_t *l, const wl_ptx_func_t *fn) {
  for (uint32_t i = 0; i < fn->ninsns; i++) {
    const wl_ptx_call_t *c = fn->insns[i].op == WL_PTX_OP_CALL ? fn->insns[i].call : NULL;
    if (c != NULL && c->func != NULL && !wl_lower_alias(c->func)->defined)
      wl_diag_add(l->diags, WL_DIAG_UNSUPPORTED, fn->insns[i].pos, "11.6.1",
                  "function '%s' has no body in this module", c->func->name);
  }
}

/* ---- reach ---- */
typedef struct graph {
  wl_lower_t *l;
  bool *seen; /* functions, then variables */
  bool *taken;
  uint32_t *todo;
  size_t count;
} graph_t;

static void take(void *ctx, const wl_ptx_var_t *v, const wl_ptx_func_t *f) {
  graph_t *g = ctx;
  (void)v;
  if (f != NULL) g->taken[wl_lower_alias(f)->id] = true;
}

static void reach(graph_t *g, uint32_t node) {
  if (!g->seen[node]) g->todo[g->count++] = node;
  g->seen[node] = true;
}

static void reach_var(void *ctx, const wl_ptx_var_t *v, const wl_ptx_func_t *f) {
  graph_t *g = ctx;
  (void)f; /* an address alone runs nothing */
  if (v != NULL) reach(g, g->l->m->nfuncs + v->id);
}

static void reach_callees(graph_t *g, const wl_ptx_call_t *c) {
  const wl_ptx_module_t *m = g->l->m;
  if (c->func != NULL) {
    reach(g, c->func->id);
    reach(g, wl_lower_alias(c->func)->id);
  } else if (c->table != NULL) {
    for (uint32_t i = 0; i < c->table->count; i++)
      reach(g, wl_lower_alias(c->table->funcs[i])->id);
  } else if (c->proto != NULL) {
    for (uint32_t i = 0; i < m->nfuncs; i++)
      if (g->taken[i] && wl_ptx_same_proto(c->proto, &m->funcs[i]->proto)) reach(g, i);
  }
}

static void reach_all(graph_t *g, uint32_t entry) {
  const wl_ptx_module_t *m = g->l->m;
  memset(g->seen, 0, m->nfuncs + m->nvars);
  g->count = 0;
  reach(g, entry);
  for (size_t at = 0; at < g->count; at++) {
    const uint32_t id = g->todo[at];
    if (id >= m->nfuncs) {
      of_relocs(m->vars[id - m->nfuncs], reach_var, g);
      continue;
    }
    const wl_ptx_func_t *fn = m->funcs[id];
    of_function(fn, reach_var, g);
    for (uint32_t i = 0; i < fn->ninsns; i++)
      if (fn->insns[i].op == WL_PTX_OP_CALL && fn->insns[i].call != NULL)
        reach_callees(g, fn->insns[i].call);
  }
}

/* ---- marks ---- */
typedef struct marks {
  graph_t g;
  bool *owner;     /* reached from the entry being looked at */
  uint32_t *stand; /* by item: the first one with the same text */
  uint32_t *last;  /* by item: entry that was added last, plus one */
  uint32_t *users; /* by item: how many entries */
} marks_t;

static bool same(const char *a, const char *b) {
  return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* One item is printed for the same text in several functions. */
static void merge_items(marks_t *m, wl_diag_list_t *d) {
  for (uint32_t i = 0; i < d->count; i++) {
    wl_diag_t *g = &d->items[i];
    uint32_t k = 0;
    while (g->owner != 0 && k < i &&
           (d->items[k].owner == 0 || !same(d->items[k].clause, g->clause) ||
            !same(d->items[k].message, g->message)))
      k++;
    m->stand[i] = g->owner != 0 ? k : i;
    if (m->stand[i] == i) continue;
    g->hidden = true;
    d->items[k].repeats += g->repeats + 1;
  }
}

/* "a, b, c, d and others" */
static void add_user(wl_diag_t *g, const char *name, uint32_t users) {
  const size_t used = g->needed_by != NULL ? strlen(g->needed_by) : 0;
  if (users > NAMES_MAX + 1) return;
  char *s = realloc(g->needed_by, used + strlen(name) + 16);
  if (s == NULL) return;
  g->needed_by = s;
  if (users == NAMES_MAX + 1)
    strcpy(s + used, " and others");
  else
    sprintf(s + used, "%s%s", users == 1 ? "" : ", ", name);
}

static void find_owners(marks_t *m) {
  const wl_ptx_module_t *tree = m->g.l->m;
  memset(m->owner, 0, m->g.l->diags->owners + 1);
  for (size_t i = 0; i < m->g.count; i++) {
    const uint32_t id = m->g.todo[i];
    if (id >= tree->nfuncs) {
      m->owner[tree->vars[id - tree->nfuncs]->owner] = true;
      continue;
    }
    const wl_ptx_func_t *fn = tree->funcs[id];
    m->owner[fn->owner] = true;
    for (uint32_t k = 0; k < fn->nneeds; k++)
      m->owner[fn->needs[k]] = true;
  }
  m->owner[0] = false;
}

static void mark_entry(marks_t *m, uint32_t entry, const char *name) {
  wl_lower_t *l = m->g.l;
  wl_diag_list_t *d = l->diags;
  uint32_t rows = 0;
  bool any = false;
  find_owners(m);
  for (uint32_t i = 0; i <= d->owners; i++)
    any |= m->owner[i] && refused(l, i);
  for (uint32_t i = 0; any && i < d->count; i++) {
    const uint32_t k = m->stand[i];
    if (d->items[i].owner == 0 || !m->owner[d->items[i].owner] || m->last[k] == entry + 1) continue;
    m->last[k] = entry + 1;
    add_user(&d->items[k], name, ++m->users[k]);
    if (rows++ < ROWS_EACH)
      wl_obj_add_refusal(l->obj, entry, d->items[i].pos.line, d->items[i].clause,
                         d->items[i].message);
  }
  if (any && rows == 0)
    wl_obj_add_refusal(l->obj, entry, 0, NULL, "too much of this module is not implemented");
}

void wl_lower_mark_entries(wl_lower_t *l) {
  const wl_ptx_module_t *tree = l->m;
  wl_diag_list_t *d = l->diags;
  const size_t nodes = (size_t)tree->nfuncs + tree->nvars;
  marks_t m = {.g.l = l};
  if (d->refused == 0) return;
  m.g.seen = wl_lower_zalloc(l, nodes);
  m.g.taken = wl_lower_zalloc(l, tree->nfuncs);
  m.g.todo = wl_lower_zalloc(l, nodes * sizeof *m.g.todo);
  m.owner = wl_lower_zalloc(l, (size_t)d->owners + 1);
  m.stand = wl_lower_zalloc(l, d->count * sizeof *m.stand);
  m.last = wl_lower_zalloc(l, d->count * sizeof *m.last);
  m.users = wl_lower_zalloc(l, d->count * sizeof *m.users);
  merge_items(&m, d);
  for (uint32_t i = 0; i < tree->nfuncs; i++)
    of_function(tree->funcs[i], take, &m.g);
  for (uint32_t i = 0; i < tree->nvars; i++)
    of_relocs(tree->vars[i], take, &m.g);
  uint32_t entry = 0;
  for (uint32_t i = 0; i < tree->nfuncs && entry < l->obj->entry_count; i++) {
    if (strcmp(tree->funcs[i]->name, l->obj->entries[entry].name) != 0) continue;
    reach_all(&m.g, i);
    mark_entry(&m, entry++, tree->funcs[i]->name);
  }
}
