/* test_layout.c: order of blocks on random control flow: the entry stays first, every natural loop
 * lies in one piece with its header first, forward order holds outside loops, and the program's
 * edges are what they were. docs/microarchitecture.md 4. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/lower/random_mir.h"

static bool member(const wl_mloop_t *l, uint32_t b) {
  return (l->member[b / 64] >> (b % 64) & 1) != 0;
}

/* The marker that a walk from instruction i meets first: every path between branches has one. */
typedef struct edges {
  uint32_t *from, *to;
  size_t n, cap;
} edges_t;

static void add_edge(edges_t *e, uint32_t from, uint32_t to) {
  for (size_t i = 0; i < e->n; i++)
    if (e->from[i] == from && e->to[i] == to) return;
  if (e->n == e->cap) {
    e->cap = e->cap * 2 + 64;
    e->from = realloc(e->from, e->cap * sizeof *e->from);
    e->to = realloc(e->to, e->cap * sizeof *e->to);
  }
  e->from[e->n] = from;
  e->to[e->n++] = to;
}

static bool is_mark(const wl_minsn_t *i) {
  return i->form == WL_FORM_MOV_I && i->d == wl_mreg(1, 0);
}

/* Program before layout: labels still in the code. */
static uint32_t find_label(const wl_mfunc_t *f, uint32_t label) {
  for (uint32_t i = 0; i < f->ninsns; i++)
    if (f->insns[i].form == WL_MP_LABEL && f->insns[i].imm == label) return i;
  return 0;
}

static uint32_t start_of(const wl_mfunc_t *f, bool laid_out, uint32_t target) {
  return laid_out ? f->blocks[target].first : find_label(f, target);
}

/* Follows every way from instruction i to the next marker, without executing guards. */
static void walk(const wl_mfunc_t *f, bool laid_out, uint32_t i, uint32_t from, edges_t *e,
                 bool *seen) {
  for (; i < f->ninsns && !seen[i]; i++) {
    const wl_minsn_t *x = &f->insns[i];
    seen[i] = true;
    if (is_mark(x)) {
      add_edge(e, from, x->imm);
      return;
    }
    if (x->form == WL_FORM_BRA) {
      walk(f, laid_out, start_of(f, laid_out, x->target), from, e, seen);
      if (x->guard == 0) return;
    } else if (x->form == WL_FORM_BRX) {
      for (uint32_t k = 0; k < f->tables[x->target].count; k++)
        walk(f, laid_out, start_of(f, laid_out, f->tables[x->target].targets[k]), from, e, seen);
      if (x->guard == 0) return;
    } else if (x->form == WL_FORM_EXIT && x->guard == 0) {
      add_edge(e, from, 0);
      return;
    }
  }
}

static edges_t find_edges(const wl_mfunc_t *f, bool laid_out) {
  edges_t e = {0};
  bool *seen = malloc(f->ninsns + 1);
  for (uint32_t i = 0; i < f->ninsns; i++) {
    if (!is_mark(&f->insns[i])) continue;
    memset(seen, 0, f->ninsns + 1);
    walk(f, laid_out, i + 1, f->insns[i].imm, &e, seen);
  }
  free(seen);
  return e;
}

static bool has_edge(const edges_t *e, uint32_t from, uint32_t to) {
  for (size_t i = 0; i < e->n; i++)
    if (e->from[i] == from && e->to[i] == to) return true;
  return false;
}

static int fail(uint64_t seed, const char *what, uint32_t a, uint32_t b) {
  printf("FAILED seed %llu: %s (%u, %u)\n", (unsigned long long)seed, what, a, b);
  return 1;
}

static int check_edges(uint64_t seed, const edges_t *old, const edges_t *now, const wl_mfunc_t *f) {
  int bad = 0;
  bool *live = calloc(1 << 20, 1);
  for (uint32_t i = 0; i < f->ninsns; i++)
    if (is_mark(&f->insns[i])) live[f->insns[i].imm] = true;
  for (size_t i = 0; i < now->n && bad == 0; i++)
    if (!has_edge(old, now->from[i], now->to[i]))
      bad = fail(seed, "new edge", now->from[i], now->to[i]);
  for (size_t i = 0; i < old->n && bad == 0; i++)
    if (live[old->from[i]] && !has_edge(now, old->from[i], old->to[i]))
      bad = fail(seed, "lost edge", old->from[i], old->to[i]);
  free(live);
  return bad;
}

static int check_loops(uint64_t seed, const wl_mfunc_t *f) {
  for (uint32_t l = 0; l < f->nloops; l++) {
    uint32_t first = UINT32_MAX, last = 0, n = 0;
    for (uint32_t b = 0; b < f->nblocks; b++) {
      if (!member(&f->loops[l], b)) continue;
      if (first == UINT32_MAX) first = b;
      last = b;
      n++;
    }
    if (first != f->loops[l].header)
      return fail(seed, "header is not first", first, f->loops[l].header);
    if (last - first + 1 != n) return fail(seed, "loop is not contiguous", first, last);
  }
  return 0;
}

/* Reducible flow: an edge backward leads to a loop's header. */
static int check_forward(uint64_t seed, const wl_mfunc_t *f) {
  for (uint32_t b = 0; b < f->nblocks; b++)
    for (uint32_t s = 0; s < f->blocks[b].nsucc; s++) {
      const uint32_t to = f->blocks[b].succ[s];
      bool header = to > b;
      for (uint32_t l = 0; l < f->nloops; l++)
        header |= f->loops[l].header == to && member(&f->loops[l], b);
      if (!header) return fail(seed, "edge backward outside a loop", b, to);
    }
  return 0;
}

static int one(uint64_t seed) {
  wl_arena_t arena = {0};
  jmp_buf oom;
  wl_mfunc_t f;
  if (setjmp(oom) != 0) return 1;
  wl_mf_init(&f, &arena, &oom);
  const bool irreducible = seed % 4 == 3;
  random_function(&f, &(random_options_t){.seed = seed,
                                          .regs = 6,
                                          .irreducible = irreducible,
                                          .statements = 8 + (unsigned)(seed % 24)});
  edges_t old = find_edges(&f, false);
  wl_cfg_build(&f);
  wl_cfg_analyse(&f);
  wl_layout(&f);
  wl_cfg_analyse(&f);
  edges_t now = find_edges(&f, true);
  int bad = check_edges(seed, &old, &now, &f);
  if (bad == 0 && !is_mark(&f.insns[1])) bad = fail(seed, "entry is not first", 0, 0);
  if (bad == 0) bad = check_loops(seed, &f);
  if (bad == 0 && !irreducible) bad = check_forward(seed, &f);
  free(old.from), free(old.to), free(now.from), free(now.to);
  wl_arena_free(&arena);
  return bad;
}

int main(int argc, char **argv) {
  const uint64_t n = argc > 1 ? strtoull(argv[1], NULL, 0) : 1500;
  int bad = 0;
  for (uint64_t seed = 1; seed <= n && bad < 5; seed++)
    bad += one(seed);
  printf("%llu functions, %d failed\n", (unsigned long long)n, bad);
  return bad != 0;
}
