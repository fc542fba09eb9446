/* webs.c: see webs.h. A register with one definition is one web, which has the register's number; the
 * webs of the others come behind these. */
#include "isa/ptx/webs.h"

#include <stdlib.h>
#include <string.h>

#include "isa/ptx/flow.h"

enum { REACHED = 1, DEFINED = 2 };
#define MAX_STEPS (UINT64_C(1) << 28) /* definitions x instructions; beyond: one web a register */

const wl_ptx_operand_t *wl_ptx_next_reg(const wl_ptx_operand_t *o, uint32_t *i) {
  if (o->kind != WL_PTX_OPD_VEC) return (*i)++ == 0 && o->kind == WL_PTX_OPD_REG ? o : NULL;
  while (*i < o->nelems && o->elems[*i].kind != WL_PTX_OPD_REG)
    ++*i;
  return *i < o->nelems ? &o->elems[(*i)++] : NULL;
}

/* ---- definitions and uses */
typedef void visit_t(wl_webs_t *w, const wl_ptx_reg_t *r, uint32_t insn, bool defines);

static void visit_list(wl_webs_t *w, const wl_ptx_operand_t *list, uint32_t n, uint32_t insn,
                       bool defines, visit_t *visit) {
  const wl_ptx_operand_t *e;
  for (uint32_t k = 0; k < n; k++) {
    const wl_ptx_operand_t *o = &list[k];
    for (uint32_t i = 0; (e = wl_ptx_next_reg(o, &i)) != NULL;)
      visit(w, e->reg, insn, defines);
    if ((o->kind == WL_PTX_OPD_ADDR || o->kind == WL_PTX_OPD_VAR) && o->reg != NULL)
      visit(w, o->reg, insn, false);
  }
}

static void visit_all(wl_webs_t *w, visit_t *visit) {
  const wl_ptx_func_t *f = w->func;
  for (uint32_t k = 0; k < f->proto.nparams; k++)
    if (f->proto.params[k].reg != NULL) visit(w, f->proto.params[k].reg, f->ninsns, true);
  for (uint32_t i = 0; i < f->ninsns; i++) {
    const wl_ptx_insn_t *insn = &f->insns[i];
    const uint32_t n = insn->ndests;
    visit_list(w, insn->operands, n, i, true, visit);
    visit_list(w, insn->operands + n, insn->noperands - n, i, false, visit);
    for (uint32_t k = 0; insn->op == WL_PTX_OP_RET && k < f->proto.nrets; k++)
      if (f->proto.rets[k].reg != NULL) visit(w, f->proto.rets[k].reg, i, false);
    if (insn->call == NULL) continue;
    visit_list(w, insn->call->rets, insn->call->nrets, i, true, visit);
    visit_list(w, insn->call->args, insn->call->nargs, i, false, visit);
  }
}

static void count(wl_webs_t *w, const wl_ptx_reg_t *r, uint32_t insn, bool defines) {
  (void)insn;
  if (defines) w->ndefs[r->id]++;
}

static bool has_several(const wl_webs_t *w, const wl_ptx_reg_t *r) {
  return w->ndefs[r->id] > 1 && r->vec == 1;
}

static void add(wl_webs_t *w, const wl_ptx_reg_t *r, uint32_t insn, bool defines) {
  if (!has_several(w, r) || w->no_memory) return;
  if (w->nplaces == w->cap_places) {
    const size_t cap = w->cap_places * 2 + 64;
    wl_web_place_t *p = realloc(w->places, cap * sizeof *p);
    w->no_memory = p == NULL;
    if (p == NULL) return;
    w->places = p;
    w->cap_places = cap;
  }
  w->places[w->nplaces] = (wl_web_place_t){r->id, insn, (uint32_t)w->nplaces, defines};
  w->nplaces++;
}

static int by_place(const void *a, const void *b) {
  const wl_web_place_t *x = a, *y = b;
  if (x->reg != y->reg) return x->reg < y->reg ? -1 : 1;
  if (x->insn != y->insn) return x->insn < y->insn ? -1 : 1;
  return x->defines == y->defines ? 0 : x->defines ? 1 : -1;
}

/* ---- webs: sets of places, `web` being the index of another one of the set, or the own */
static uint32_t root(wl_webs_t *w, uint32_t i) {
  while (w->places[i].web != i)
    i = w->places[i].web = w->places[w->places[i].web].web;
  return i;
}

static void merge(wl_webs_t *w, uint32_t a, uint32_t b) {
  a = root(w, a);
  b = root(w, b);
  w->places[a < b ? b : a].web = a < b ? a : b;
}

/* Joins the definition `at` with the uses of places [first, last) that it reaches. */
static void join_uses(wl_webs_t *w, wl_flow_t *f, uint32_t first, uint32_t last, uint32_t at) {
  const uint32_t n = w->func->ninsns;
  memset(f->marks, 0, n);
  for (uint32_t i = first; i < last; i++) {
    const wl_web_place_t *p = &w->places[i];
    if (p->defines && p->insn < n && w->func->insns[p->insn].guard == NULL)
      f->marks[p->insn] |= DEFINED;
  }
  if (w->places[at].insn < n)
    wl_flow_follow(f, w->places[at].insn, REACHED);
  else
    wl_flow_start(f, 0, REACHED);
  wl_flow_reach(f, REACHED, DEFINED);
  for (uint32_t i = first; i < last; i++)
    if (!w->places[i].defines && (f->marks[w->places[i].insn] & REACHED) != 0) merge(w, at, i);
}

static void join(wl_webs_t *w, wl_flow_t *f) {
  uint64_t steps = 0;
  for (uint32_t first = 0, last; first < w->nplaces; first = last) {
    const uint32_t reg = w->places[first].reg;
    for (last = first + 1; last < w->nplaces && w->places[last].reg == reg; last++)
      if (by_place(&w->places[last - 1], &w->places[last]) == 0) merge(w, last - 1, last);
    steps += (uint64_t)w->ndefs[reg] * w->func->ninsns;
    for (uint32_t i = first; i < last; i++) {
      if (steps > MAX_STEPS)
        merge(w, first, i);
      else if (w->places[i].defines)
        join_uses(w, f, first, last, i);
    }
  }
  for (uint32_t i = 0; i < w->nplaces; i++)
    w->places[i].web = root(w, i);
  for (uint32_t i = 0; i < w->nplaces; i++) { /* a root stands before its set */
    wl_web_place_t *p = &w->places[i];
    p->web = p->web == i ? w->count++ : w->places[p->web].web;
  }
}

bool wl_webs_init(wl_webs_t *w, const wl_ptx_func_t *func) {
  *w = (wl_webs_t){.func = func, .count = func->nregs};
  w->ndefs = calloc((size_t)func->nregs + 1, sizeof *w->ndefs);
  if (w->ndefs == NULL) return false;
  visit_all(w, count);
  visit_all(w, add);
  if (w->no_memory || w->nplaces == 0) return !w->no_memory;
  qsort(w->places, w->nplaces, sizeof *w->places, by_place);
  for (uint32_t i = 0; i < w->nplaces; i++)
    w->places[i].web = i;
  wl_flow_t f;
  const bool ok = wl_flow_init(&f, func);
  if (ok) join(w, &f);
  wl_flow_free(&f);
  return ok;
}

void wl_webs_free(wl_webs_t *w) {
  free(w->ndefs);
  free(w->places);
}

uint32_t wl_webs_of(const wl_webs_t *w, const wl_ptx_reg_t *r, uint32_t insn, bool defines) {
  const wl_web_place_t key = {r->id, insn, 0, defines};
  if (!has_several(w, r)) return r->id;
  const wl_web_place_t *p = bsearch(&key, w->places, w->nplaces, sizeof key, by_place);
  return p != NULL ? p->web : r->id;
}
