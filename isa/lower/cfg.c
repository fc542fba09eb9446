/* cfg.c: control-flow graph of a function: blocks, edges, dominators, natural loops.
 * Irreducible cycles are no loops here: they cost layout quality, never correctness. */
#include <stdlib.h>
#include <string.h>

#include "isa/lower/mir.h"

/* Marks the first instruction of every block and returns the number of blocks. */
static uint32_t find_blocks(wl_mfunc_t *f, uint32_t *block_of) {
  uint32_t n = 0;
  bool start = true;
  for (size_t i = 0; i < f->ninsns; i++) {
    if (start || f->insns[i].form == WL_MP_LABEL) n++;
    block_of[i] = n - 1;
    start = wl_mi_ends_block(&f->insns[i]);
  }
  return n;
}

static void add_succ(wl_mblock_t *b, uint32_t to) {
  for (uint32_t i = 0; i < b->nsucc; i++)
    if (b->succ[i] == to) return;
  b->succ[b->nsucc++] = to;
}

/* Replaces labels by blocks in the last instruction and lists the successors. */
static void link_block(wl_mfunc_t *f, uint32_t id, const uint32_t *label_block) {
  wl_mblock_t *b = &f->blocks[id];
  wl_minsn_t *end = &f->insns[b->last - 1];
  uint32_t most = 2;
  if (end->form == WL_FORM_BRX) most += f->tables[end->target].count;
  b->succ = wl_mf_alloc(f, most * sizeof *b->succ);
  bool falls = !wl_mi_ends_block(end) || end->guard != 0;
  if (end->form == WL_FORM_BRA) {
    end->target = label_block[end->target];
    add_succ(b, end->target);
  } else if (end->form == WL_FORM_BRX) {
    wl_mtable_t *t = &f->tables[end->target];
    for (uint32_t i = 0; i < t->count; i++)
      add_succ(b, t->targets[i] = label_block[t->targets[i]]);
  }
  b->fall = falls && id + 1 < f->nblocks ? id + 1 : WL_NOBLOCK;
  if (b->fall != WL_NOBLOCK) add_succ(b, b->fall);
}

void wl_cfg_build(wl_mfunc_t *f) {
  uint32_t *block_of = wl_mf_alloc(f, (f->ninsns + 1) * sizeof *block_of);
  uint32_t *label_block = wl_mf_alloc(f, (f->nlabels + 1) * sizeof *label_block);
  f->nblocks = find_blocks(f, block_of);
  f->blocks = wl_mf_alloc(f, (f->nblocks + 1) * sizeof *f->blocks);
  for (uint32_t i = 0; i < f->ninsns; i++) {
    wl_mblock_t *b = &f->blocks[block_of[i]];
    if (i == 0 || block_of[i] != block_of[i - 1]) b->first = i;
    b->last = i + 1;
    if (f->insns[i].form == WL_MP_LABEL) label_block[f->insns[i].imm] = block_of[i];
  }
  for (uint32_t i = 0; i < f->nblocks; i++)
    link_block(f, i, label_block);
}

/* Reverse post-order of the reachable blocks, by an explicit stack. */
static uint32_t reverse_post_order(wl_mfunc_t *f, uint32_t *order) {
  uint32_t *stack = wl_mf_alloc(f, (f->nblocks + 1) * sizeof *stack);
  uint32_t *next = wl_mf_alloc(f, (f->nblocks + 1) * sizeof *next);
  uint32_t depth = 0, count = f->nblocks;
  for (uint32_t i = 0; i < f->nblocks; i++)
    f->blocks[i].reached = false;
  stack[depth++] = 0;
  f->blocks[0].reached = true;
  while (depth > 0) {
    wl_mblock_t *b = &f->blocks[stack[depth - 1]];
    if (next[stack[depth - 1]] < b->nsucc) {
      const uint32_t s = b->succ[next[stack[depth - 1]]++];
      if (f->blocks[s].reached) continue;
      f->blocks[s].reached = true;
      stack[depth++] = s;
    } else {
      order[--count] = stack[--depth];
    }
  }
  const uint32_t reached = f->nblocks - count;
  memmove(order, order + count, reached * sizeof *order);
  return reached;
}

static void find_preds(wl_mfunc_t *f) {
  for (uint32_t i = 0; i < f->nblocks; i++)
    f->blocks[i].npred = 0;
  for (uint32_t i = 0; i < f->nblocks; i++)
    for (uint32_t s = 0; f->blocks[i].reached && s < f->blocks[i].nsucc; s++)
      f->blocks[f->blocks[i].succ[s]].npred++;
  for (uint32_t i = 0; i < f->nblocks; i++) {
    f->blocks[i].pred = wl_mf_alloc(f, (f->blocks[i].npred + 1) * sizeof(uint32_t));
    f->blocks[i].npred = 0;
  }
  for (uint32_t i = 0; i < f->nblocks; i++)
    for (uint32_t s = 0; f->blocks[i].reached && s < f->blocks[i].nsucc; s++) {
      wl_mblock_t *to = &f->blocks[f->blocks[i].succ[s]];
      to->pred[to->npred++] = i;
    }
}

/* Cooper, Harvey, Kennedy: iterate the nearest common dominator over reverse post-order. */
static void find_dominators(wl_mfunc_t *f, const uint32_t *order, uint32_t n, const uint32_t *num) {
  for (uint32_t i = 0; i < f->nblocks; i++)
    f->blocks[i].idom = WL_NOBLOCK;
  f->blocks[0].idom = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t k = 1; k < n; k++) {
      wl_mblock_t *b = &f->blocks[order[k]];
      uint32_t dom = WL_NOBLOCK;
      for (uint32_t p = 0; p < b->npred; p++) {
        uint32_t x = b->pred[p];
        if (f->blocks[x].idom == WL_NOBLOCK) continue;
        if (dom == WL_NOBLOCK) {
          dom = x;
          continue;
        }
        while (x != dom) {
          while (num[x] > num[dom])
            x = f->blocks[x].idom;
          while (num[dom] > num[x])
            dom = f->blocks[dom].idom;
        }
      }
      if (dom != b->idom) {
        b->idom = dom;
        changed = true;
      }
    }
  }
}

static bool dominates(const wl_mfunc_t *f, const uint32_t *num, uint32_t a, uint32_t b) {
  while (num[b] > num[a])
    b = f->blocks[b].idom;
  return a == b;
}

/* Adds to the loop everything that reaches `from` without passing its header. */
static void grow_loop(wl_mfunc_t *f, wl_mloop_t *l, uint32_t from, uint32_t *stack) {
  uint32_t depth = 0;
  if ((l->member[from / 64] >> (from % 64) & 1) == 0) stack[depth++] = from;
  l->member[from / 64] |= UINT64_C(1) << (from % 64);
  while (depth > 0) {
    const wl_mblock_t *b = &f->blocks[stack[--depth]];
    for (uint32_t p = 0; p < b->npred; p++) {
      const uint32_t x = b->pred[p];
      if ((l->member[x / 64] >> (x % 64) & 1) != 0) continue;
      l->member[x / 64] |= UINT64_C(1) << (x % 64);
      stack[depth++] = x;
    }
  }
}

static void nest_loops(wl_mfunc_t *f) {
  for (uint32_t i = 0; i < f->nblocks; i++)
    f->blocks[i].depth = 0, f->blocks[i].loop = WL_NOBLOCK;
  for (uint32_t i = 0; i < f->nloops; i++) {
    f->loops[i].parent = WL_NOBLOCK;
    for (uint32_t b = 0; b < f->nblocks; b++)
      if ((f->loops[i].member[b / 64] >> (b % 64) & 1) != 0) f->blocks[b].depth++;
  }
  for (uint32_t i = 0; i < f->nloops; i++)
    f->loops[i].depth = f->blocks[f->loops[i].header].depth;
  for (uint32_t i = 0; i < f->nloops; i++)
    for (uint32_t b = 0; b < f->nblocks; b++)
      if ((f->loops[i].member[b / 64] >> (b % 64) & 1) != 0 &&
          f->loops[i].depth == f->blocks[b].depth)
        f->blocks[b].loop = i;
  for (uint32_t i = 0; i < f->nloops; i++)
    for (uint32_t j = 0; j < f->nloops; j++) {
      const uint32_t h = f->loops[i].header;
      if (j != i && (f->loops[j].member[h / 64] >> (h % 64) & 1) != 0 &&
          (f->loops[i].parent == WL_NOBLOCK ||
           f->loops[j].depth > f->loops[f->loops[i].parent].depth))
        f->loops[i].parent = j;
    }
}

/* One loop per header: all back edges to a header share it. */
static void find_loops(wl_mfunc_t *f, const uint32_t *order, uint32_t n, const uint32_t *num) {
  uint32_t *stack = wl_mf_alloc(f, (f->nblocks + 1) * sizeof *stack);
  const size_t words = (f->nblocks + 63) / 64;
  size_t cap = 0;
  f->nloops = 0;
  f->loops = NULL;
  for (uint32_t k = 0; k < n; k++) {
    const uint32_t h = order[k];
    wl_mloop_t *l = NULL;
    for (uint32_t p = 0; p < f->blocks[h].npred; p++) {
      const uint32_t from = f->blocks[h].pred[p];
      if (num[from] < num[h] || !dominates(f, num, h, from)) continue;
      if (l == NULL) {
        f->loops = wl_mf_grow(f, f->loops, f->nloops, &cap, sizeof *f->loops);
        l = &f->loops[f->nloops++];
        *l = (wl_mloop_t){.header = h, .member = wl_mf_alloc(f, words * sizeof(uint64_t))};
        l->member[h / 64] |= UINT64_C(1) << (h % 64);
      }
      grow_loop(f, l, from, stack);
    }
  }
  nest_loops(f);
}

void wl_cfg_analyse(wl_mfunc_t *f) {
  uint32_t *order = wl_mf_alloc(f, (f->nblocks + 1) * sizeof *order);
  uint32_t *num = wl_mf_alloc(f, (f->nblocks + 1) * sizeof *num);
  const uint32_t n = reverse_post_order(f, order);
  for (uint32_t i = 0; i < n; i++)
    num[order[i]] = i;
  find_preds(f);
  find_dominators(f, order, n, num);
  find_loops(f, order, n, num);
}
