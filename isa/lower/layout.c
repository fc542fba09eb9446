/* layout.c: loop-contiguous reverse post-order. docs/microarchitecture.md 4 (paths): the lowest PC
 * runs first, so every loop must lie in one piece before the code that follows it.
 * Depth-first search visits first the successors that leave more loops; then each loop's blocks
 * are moved together behind its header, which the search alone does not guarantee. Afterwards
 * branches are explicit and blocks are numbered in program order. */
#include <string.h>

#include "isa/lower/mir.h"

static bool in_loop(const wl_mloop_t *l, uint32_t b) {
  return (l->member[b / 64] >> (b % 64) & 1) != 0;
}

static uint32_t loops_left(const wl_mfunc_t *f, uint32_t from, uint32_t to) {
  uint32_t n = 0;
  for (uint32_t l = f->blocks[from].loop; l != WL_NOBLOCK; l = f->loops[l].parent)
    if (!in_loop(&f->loops[l], to)) n++;
  return n;
}

/* Successors in visiting order: more loops left first; among equals the fall-through last, so that
 * it ends up next. */
static void order_successors(wl_mfunc_t *f, uint32_t id) {
  wl_mblock_t *b = &f->blocks[id];
  for (uint32_t i = 1; i < b->nsucc; i++) {
    const uint32_t s = b->succ[i];
    const uint32_t key = loops_left(f, id, s) * 2 + (s != b->fall);
    uint32_t k = i;
    for (; k > 0 && loops_left(f, id, b->succ[k - 1]) * 2 + (b->succ[k - 1] != b->fall) < key; k--)
      b->succ[k] = b->succ[k - 1];
    b->succ[k] = s;
  }
}

static uint32_t search(wl_mfunc_t *f, uint32_t *order) {
  uint32_t *stack = wl_mf_alloc(f, (f->nblocks + 1) * sizeof *stack);
  uint32_t *next = wl_mf_alloc(f, (f->nblocks + 1) * sizeof *next);
  bool *seen = wl_mf_alloc(f, f->nblocks + 1);
  uint32_t depth = 0, count = f->nblocks;
  for (uint32_t i = 0; i < f->nblocks; i++)
    order_successors(f, i);
  stack[depth++] = 0;
  seen[0] = true;
  while (depth > 0) {
    const uint32_t id = stack[depth - 1];
    if (next[id] < f->blocks[id].nsucc) {
      const uint32_t s = f->blocks[id].succ[next[id]++];
      if (seen[s]) continue;
      seen[s] = true;
      stack[depth++] = s;
    } else {
      order[--count] = stack[--depth];
    }
  }
  const uint32_t n = f->nblocks - count;
  memmove(order, order + count, n * sizeof *order);
  return n;
}

/* Outer loops first (loops are found in reverse post-order of headers, so parents precede). */
static void gather_loops(wl_mfunc_t *f, uint32_t *order, uint32_t n) {
  uint32_t *outside = wl_mf_alloc(f, (n + 1) * sizeof *outside);
  for (uint32_t l = 0; l < f->nloops; l++) {
    const wl_mloop_t *loop = &f->loops[l];
    uint32_t first = 0, last = 0, k = 0, nout = 0;
    while (order[first] != loop->header)
      first++;
    for (uint32_t i = first; i < n; i++)
      if (in_loop(loop, order[i])) last = i;
    k = first;
    for (uint32_t i = first; i <= last; i++) {
      if (in_loop(loop, order[i]))
        order[k++] = order[i];
      else
        outside[nout++] = order[i];
    }
    memcpy(order + k, outside, nout * sizeof *outside);
  }
}

/* The instruction gets the marks that stand before it. */
static void append(wl_mfunc_t *f, const wl_minsn_t *insn, uint8_t *marks) {
  wl_mf_append(f, insn)->marks = *marks;
  *marks = 0;
}

static void append_branch(wl_mfunc_t *f, const wl_minsn_t *like, uint32_t target, uint8_t *marks) {
  append(f,
         &(wl_minsn_t){.form = WL_FORM_BRA, .target = target, .pos = like->pos, .loc = like->loc},
         marks);
}

/* Copies block `id` behind the code so far, its branches fitted to the block that comes next. Marks that
 * nothing follows go on to that block. */
static void place_block(wl_mfunc_t *f, const wl_minsn_t *insns, uint32_t id, uint32_t next,
                        uint8_t *marks) {
  const wl_mblock_t *b = &f->blocks[id];
  uint32_t fall = b->fall;
  for (uint32_t i = b->first; i < b->last; i++) {
    wl_minsn_t insn = insns[i];
    if (insn.form == WL_MP_LABEL || insn.form == WL_MP_KILLED) continue;
    if (insn.form == WL_MP_MARK) {
      *marks |= (uint8_t)(1u << insn.imm);
      continue;
    }
    if (insn.form == WL_FORM_BRA) {
      if (insn.guard == 0) {
        fall = insn.target;
        continue;
      }
      if (insn.target == fall) continue; /* both ways lead there */
      if (insn.target == next) {
        insn.target = fall;
        insn.guard_neg = !insn.guard_neg;
        fall = next;
      }
    }
    append(f, &insn, marks);
  }
  if (fall != WL_NOBLOCK && fall != next) append_branch(f, &insns[b->last - 1], fall, marks);
}

void wl_layout(wl_mfunc_t *f) {
  uint32_t *order = wl_mf_alloc(f, (f->nblocks + 1) * sizeof *order);
  uint32_t *place = wl_mf_alloc(f, (f->nblocks + 1) * sizeof *place);
  const uint32_t n = search(f, order);
  gather_loops(f, order, n);
  const wl_minsn_t *insns = f->insns;
  wl_mblock_t *blocks = wl_mf_alloc(f, (n + 1) * sizeof *blocks);
  f->insns = NULL;
  f->ninsns = f->cap_insns = 0;
  uint8_t marks = 0;
  for (uint32_t i = 0; i < n; i++) {
    place[order[i]] = i;
    blocks[i] = f->blocks[order[i]];
    blocks[i].first = (uint32_t)f->ninsns;
    place_block(f, insns, order[i], i + 1 < n ? order[i + 1] : WL_NOBLOCK, &marks);
    blocks[i].last = (uint32_t)f->ninsns;
  }
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t s = 0; s < blocks[i].nsucc; s++)
      blocks[i].succ[s] = place[blocks[i].succ[s]];
    blocks[i].fall = WL_NOBLOCK;
  }
  for (size_t i = 0; i < f->ninsns; i++)
    if (f->insns[i].form == WL_FORM_BRA) f->insns[i].target = place[f->insns[i].target];
  for (size_t t = 0; t < f->ntables; t++)
    for (uint32_t k = 0; k < f->tables[t].count; k++)
      f->tables[t].targets[k] = place[f->tables[t].targets[k]];
  f->blocks = blocks;
  f->nblocks = n;
}
