/* regalloc.c: registers by live ranges with holes over the laid-out code.
 * Position 2i reads, 2i+1 writes of instruction i; one that reads again after that does so in 2i+1.
 * Every physical register has a bit per position;
 * virtual registers are placed in falling order of (uses weighted by loop depth) / length, so what
 * does not fit is what costs least in memory. Choice among the free places: the partner of a copy,
 * then different banks (register & 3) for the sources of one instruction, then low numbers, since
 * registers come in pages of 8. What does not fit goes to local memory and all is done again.
 * Not here: splitting of ranges. */
#include <stdlib.h>
#include <string.h>

#include "isa/lower/mir.h"

enum { NUM_REGS = 255, NUM_PREDS = 7, ROUNDS = 40 };

typedef struct pair {
  uint32_t own, next, weight;
  wl_mreg_t other;
  bool copy;
} pair_t;

typedef struct ra {
  wl_mfunc_t *f;
  wl_live_t live;
  uint32_t npos, words; /* positions; words of a register's bit row */
  uint64_t *busy;       /* [register][position] */
  uint64_t *pbusy;      /* [predicate][position] */
  uint32_t *range_head; /* per unit: first range + 1 */
  struct range {
    uint32_t from, to, next;
  } *ranges;
  size_t nranges, cap_ranges;
  uint64_t *cost;      /* per vreg: weighted uses */
  uint64_t *length;    /* per vreg */
  uint32_t *pair_head; /* per vreg: relations to other registers */
  pair_t *pairs;
  size_t npairs, cap_pairs;
  uint32_t limit, top; /* registers allowed; highest used + 1 */
  uint32_t *failed, nfailed;
} ra_t;

uint32_t wl_depth_weight(uint32_t depth) {
  uint32_t w = 1;
  for (uint32_t i = 0; i < depth && i < 5; i++)
    w *= 8;
  return w;
}

/* ---- live ranges ---- */
static void add_range(ra_t *r, uint32_t unit, uint32_t from, uint32_t to) {
  if (r->range_head[unit] != 0) { /* ranges come from the end: join what touches */
    struct range *last = &r->ranges[r->range_head[unit] - 1];
    if (last->from == to) {
      last->from = from;
      return;
    }
  }
  r->ranges = wl_mf_grow(r->f, r->ranges, r->nranges, &r->cap_ranges, sizeof *r->ranges);
  r->ranges[r->nranges] = (struct range){from, to, r->range_head[unit]};
  r->range_head[unit] = (uint32_t)++r->nranges;
}

static void range_def(ra_t *r, uint32_t *end, uint32_t unit, uint32_t i, bool kills) {
  if (end[unit] == 0) {
    add_range(r, unit, 2 * i + 1, 2 * i + 2);
  } else if (kills) {
    add_range(r, unit, 2 * i + 1, end[unit]);
    end[unit] = 0;
  }
}

static void range_insn(ra_t *r, uint32_t *end, uint32_t i) {
  wl_mfunc_t *f = r->f;
  wl_minsn_t *insn = &f->insns[i];
  wl_mopref_t ops[WL_MAX_OPERANDS];
  const unsigned n = wl_mi_operands(insn, ops);
  const wl_mcall_t *call = insn->call;
  const uint32_t last = 2 * i + (wl_mi_repeats(insn) ? 2 : 1);
  for (uint32_t k = 0; call != NULL && k < call->ndefs; k++)
    range_def(r, end, f->vregs[wl_mreg_vreg(call->defs[k])].unit, i, true);
  for (unsigned k = 0; k < n; k++) {
    if (!ops[k].def) continue;
    const uint32_t v = ops[k].pred ? *ops[k].ref : wl_mreg_vreg(*ops[k].ref);
    const uint32_t unit = f->vregs[v].unit + (ops[k].pred ? 0 : wl_mreg_word(*ops[k].ref));
    for (uint32_t w = 0; w < (ops[k].pred ? 1u : ops[k].words); w++)
      range_def(r, end, unit + w, i, wl_mi_kills(f, insn, v));
  }
  for (uint32_t k = 0; call != NULL && k < call->nuses; k++) {
    const uint32_t unit = f->vregs[wl_mreg_vreg(call->uses[k])].unit;
    if (end[unit] == 0) end[unit] = 2 * i + 1;
  }
  for (unsigned k = 0; k < n; k++) {
    if (ops[k].def) continue;
    const uint32_t v = ops[k].pred ? *ops[k].ref : wl_mreg_vreg(*ops[k].ref);
    const uint32_t unit = f->vregs[v].unit + (ops[k].pred ? 0 : wl_mreg_word(*ops[k].ref));
    for (uint32_t w = 0; w < (ops[k].pred ? 1u : ops[k].words); w++)
      if (end[unit + w] == 0) end[unit + w] = last;
  }
}

static void for_live(const uint64_t *set, uint32_t words,
                     void (*fn)(ra_t *, uint32_t *, uint32_t, uint32_t), ra_t *r, uint32_t *end,
                     uint32_t pos) {
  for (uint32_t w = 0; w < words; w++)
    for (uint64_t bits = set[w]; bits != 0; bits &= bits - 1)
      fn(r, end, w * 64 + (uint32_t)__builtin_ctzll(bits), pos);
}

static void open_range(ra_t *r, uint32_t *end, uint32_t unit, uint32_t pos) {
  (void)r;
  end[unit] = pos;
}

static void close_range(ra_t *r, uint32_t *end, uint32_t unit, uint32_t pos) {
  if (end[unit] > pos) add_range(r, unit, pos, end[unit]);
  end[unit] = 0;
}

static void find_ranges(ra_t *r) {
  uint32_t *end = wl_mf_alloc(r->f, (r->live.nunits + 1) * sizeof *end);
  for (uint32_t b = r->f->nblocks; b-- > 0;) {
    const wl_mblock_t *blk = &r->f->blocks[b];
    for_live(r->live.out + (size_t)b * r->live.words, r->live.words, open_range, r, end,
             2 * blk->last);
    for (uint32_t i = blk->last; i-- > blk->first;)
      range_insn(r, end, i);
    for_live(r->live.in + (size_t)b * r->live.words, r->live.words, close_range, r, end,
             2 * blk->first);
  }
}

/* ---- costs and relations ---- */
static void relate(ra_t *r, wl_mreg_t x, wl_mreg_t y, uint32_t weight, bool copy) {
  if (x == y || x == WL_RZ || y == WL_RZ) return;
  for (int turn = 0; turn < 2; turn++) {
    const wl_mreg_t own = turn ? y : x, other = turn ? x : y;
    r->pairs = wl_mf_grow(r->f, r->pairs, r->npairs, &r->cap_pairs, sizeof *r->pairs);
    r->pairs[r->npairs] =
        (pair_t){wl_mreg_word(own), r->pair_head[wl_mreg_vreg(own)], weight, other, copy};
    r->pair_head[wl_mreg_vreg(own)] = (uint32_t)++r->npairs;
  }
}

static void relate_insn(ra_t *r, const wl_minsn_t *insn, uint32_t weight) {
  if (insn->form == WL_MP_MOV) {
    relate(r, insn->d, insn->a, weight, true);
    return;
  }
  if (insn->form >= WL_NUM_FORMS) return;
  const wl_form_info_t *info = &wl_form_info[insn->form];
  if (info->steps == WL_STEPS_LIST) return;
  for (uint32_t s = 0; s < (info->steps == WL_STEPS_PAIR ? 2u : 1u); s++) {
    const wl_mreg_t a = info->a > s ? wl_mreg_at(insn->a, s) : WL_RZ;
    const wl_mreg_t b = info->b > s ? wl_mreg_at(insn->b, s) : WL_RZ;
    const wl_mreg_t c = info->c > s ? wl_mreg_at(insn->c, s) : WL_RZ;
    relate(r, a, b, weight, false);
    relate(r, a, c, weight, false);
    relate(r, b, c, weight, false);
  }
}

static void find_costs(ra_t *r) {
  wl_mfunc_t *f = r->f;
  for (uint32_t b = 0; b < f->nblocks; b++) {
    const uint32_t weight = wl_depth_weight(f->blocks[b].depth);
    for (uint32_t i = f->blocks[b].first; i < f->blocks[b].last; i++) {
      wl_mopref_t ops[WL_MAX_OPERANDS];
      const unsigned n = wl_mi_operands(&f->insns[i], ops);
      for (unsigned k = 0; k < n; k++)
        r->cost[ops[k].pred ? *ops[k].ref : wl_mreg_vreg(*ops[k].ref)] += weight;
      relate_insn(r, &f->insns[i], weight);
    }
  }
  for (size_t v = 1; v < f->nvregs; v++)
    for (uint32_t w = 0; w < wl_vreg_units(&f->vregs[v]); w++)
      for (uint32_t g = r->range_head[f->vregs[v].unit + w]; g != 0; g = r->ranges[g - 1].next)
        r->length[v] += r->ranges[g - 1].to - r->ranges[g - 1].from;
}

/* ---- bit rows ---- */
static uint64_t mask_from(uint32_t bit) { return ~UINT64_C(0) << (bit % 64); }

static bool row_free(const uint64_t *row, uint32_t from, uint32_t to) {
  const uint32_t a = from / 64, z = (to - 1) / 64;
  const uint64_t last = ~UINT64_C(0) >> (63 - (to - 1) % 64);
  if (a == z) return (row[a] & mask_from(from) & last) == 0;
  if ((row[a] & mask_from(from)) != 0 || (row[z] & last) != 0) return false;
  for (uint32_t w = a + 1; w < z; w++)
    if (row[w] != 0) return false;
  return true;
}

static void row_set(uint64_t *row, uint32_t from, uint32_t to) {
  for (uint32_t p = from; p < to;) {
    if (p % 64 == 0 && to - p >= 64) {
      row[p / 64] = ~UINT64_C(0);
      p += 64;
      continue;
    }
    row[p / 64] |= UINT64_C(1) << (p % 64);
    p++;
  }
}

static uint64_t *row_of(ra_t *r, bool pred, uint32_t reg) {
  return (pred ? r->pbusy : r->busy) + (size_t)reg * r->words;
}

static bool unit_fits(ra_t *r, bool pred, uint32_t unit, uint32_t reg) {
  const uint64_t *row = row_of(r, pred, reg);
  for (uint32_t g = r->range_head[unit]; g != 0; g = r->ranges[g - 1].next)
    if (!row_free(row, r->ranges[g - 1].from, r->ranges[g - 1].to)) return false;
  return true;
}

static bool fits(ra_t *r, uint32_t v, uint32_t reg) {
  const wl_vreg_t *x = &r->f->vregs[v];
  for (uint32_t w = 0; w < wl_vreg_units(x); w++)
    if (!unit_fits(r, x->words == 0, x->unit + w, reg + w)) return false;
  return true;
}

static void place(ra_t *r, uint32_t v, uint32_t reg) {
  wl_vreg_t *x = &r->f->vregs[v];
  bool live = false;
  for (uint32_t w = 0; w < wl_vreg_units(x); w++)
    for (uint32_t g = r->range_head[x->unit + w]; g != 0; g = r->ranges[g - 1].next) {
      row_set(row_of(r, x->words == 0, reg + w), r->ranges[g - 1].from, r->ranges[g - 1].to);
      live = true;
    }
  x->phys = (int16_t)reg;
  if (x->words != 0 && live && reg + x->words > r->top) r->top = reg + x->words;
}

/* ---- choice ---- */
static int64_t price(ra_t *r, uint32_t v, uint32_t reg) {
  int64_t p = 0;
  for (uint32_t k = r->pair_head[v]; k != 0; k = r->pairs[k - 1].next) {
    const pair_t *q = &r->pairs[k - 1];
    const int16_t base = r->f->vregs[wl_mreg_vreg(q->other)].phys;
    if (base == WL_NOREG) continue;
    const uint32_t there = (uint32_t)base + wl_mreg_word(q->other), here = reg + q->own;
    if (q->copy)
      p -= here == there ? (int64_t)q->weight * 16 : 0;
    else if (here != there && ((here ^ there) & 3) == 0)
      p += (int64_t)q->weight * 4;
  }
  const uint32_t end = reg + r->f->vregs[v].words;
  if (end > r->top) p += 6 + 24 * (int64_t)((end + 7) / 8 - (r->top + 7) / 8);
  if (!r->f->is_entry && reg >= WL_ABI_SAVED_FIRST && reg <= WL_ABI_SAVED_LAST &&
      (r->f->saved >> (reg - WL_ABI_SAVED_FIRST) & 1) == 0)
    p += 40;
  return p;
}

static bool choose(ra_t *r, uint32_t v) {
  const uint32_t words = r->f->vregs[v].words;
  const uint32_t step = words == 0 ? 1 : words;
  const uint32_t limit = words == 0 ? NUM_PREDS : r->limit;
  uint32_t best = UINT32_MAX;
  int64_t best_price = 0;
  for (uint32_t reg = 0; reg + step <= limit; reg += step) {
    if (best != UINT32_MAX && words != 0 && reg > r->top + 8 && reg > WL_ABI_SAVED_LAST + 8u) break;
    if (!fits(r, v, reg)) continue;
    if (words == 0) {
      best = reg;
      break;
    }
    const int64_t p = price(r, v, reg);
    if (best == UINT32_MAX || p < best_price) best = reg, best_price = p;
  }
  if (best == UINT32_MAX) return false;
  place(r, v, best);
  if (words != 0 && !r->f->is_entry)
    for (uint32_t reg = best; reg < best + words; reg++)
      if (reg >= WL_ABI_SAVED_FIRST && reg <= WL_ABI_SAVED_LAST)
        r->f->saved |= 1u << (reg - WL_ABI_SAVED_FIRST);
  return true;
}

/* ---- one round ---- */
typedef struct rank {
  double weight;
  uint32_t vreg, words;
} rank_t;

static int by_weight(const void *x, const void *y) {
  const rank_t *a = x, *b = y;
  if (a->weight != b->weight) return a->weight > b->weight ? -1 : 1;
  if (a->words != b->words) return a->words > b->words ? -1 : 1;
  return a->vreg < b->vreg ? -1 : a->vreg > b->vreg;
}

static void reserve(ra_t *r) {
  wl_mfunc_t *f = r->f;
  if (f->has_calls || !f->is_entry || wl_mf_frame(f) > 0)
    row_set(row_of(r, false, WL_ABI_STACK), 0, r->npos);
  for (uint32_t i = 0; i < f->ninsns; i++) {
    if (f->insns[i].form != WL_FORM_CALL && f->insns[i].form != WL_FORM_CALLX) continue;
    for (uint32_t reg = 0; reg < NUM_REGS; reg++)
      if (reg != WL_ABI_STACK && (reg < WL_ABI_SAVED_FIRST || reg > WL_ABI_SAVED_LAST))
        row_set(row_of(r, false, reg), 2 * i + 1, 2 * i + 2);
    for (uint32_t p = 0; p < NUM_PREDS; p++)
      row_set(row_of(r, true, p), 2 * i + 1, 2 * i + 2);
  }
  for (uint32_t v = 1; v < f->nvregs; v++)
    if (f->vregs[v].fixed != WL_NOREG && f->vregs[v].fixed != WL_ABI_STACK)
      place(r, v, (uint32_t)f->vregs[v].fixed);
}

static bool round_once(ra_t *r) {
  wl_mfunc_t *f = r->f;
  wl_live_compute(f, &r->live);
  r->npos = 2 * (uint32_t)f->ninsns + 2;
  r->words = r->npos / 64 + 1;
  r->busy = wl_mf_alloc(f, (size_t)NUM_REGS * r->words * sizeof(uint64_t));
  r->pbusy = wl_mf_alloc(f, (size_t)NUM_PREDS * r->words * sizeof(uint64_t));
  r->range_head = wl_mf_alloc(f, (r->live.nunits + 1) * sizeof(uint32_t));
  r->cost = wl_mf_alloc(f, f->nvregs * sizeof *r->cost);
  r->length = wl_mf_alloc(f, f->nvregs * sizeof *r->length);
  r->pair_head = wl_mf_alloc(f, f->nvregs * sizeof *r->pair_head);
  r->failed = wl_mf_alloc(f, f->nvregs * sizeof *r->failed);
  find_ranges(r);
  find_costs(r);
  f->saved = 0;
  for (size_t v = 1; v < f->nvregs; v++)
    f->vregs[v].phys = f->vregs[v].fixed;
  reserve(r);
  rank_t *order = wl_mf_alloc(f, f->nvregs * sizeof *order);
  uint32_t n = 0;
  for (uint32_t v = 1; v < f->nvregs; v++) {
    if (f->vregs[v].fixed != WL_NOREG || r->length[v] == 0) continue;
    const double w = f->vregs[v].no_spill ? 1e30 : (double)r->cost[v] / (double)(r->length[v] + 8);
    order[n++] = (rank_t){w, v, f->vregs[v].words};
  }
  qsort(order, n, sizeof *order, by_weight);
  bool possible = true;
  for (uint32_t i = 0; i < n; i++) {
    if (choose(r, order[i].vreg)) continue;
    if (f->vregs[order[i].vreg].no_spill)
      possible = false;
    else
      r->failed[r->nfailed++] = order[i].vreg;
  }
  return possible;
}

static void count_used(ra_t *r) {
  wl_mfunc_t *f = r->f;
  f->regs = r->top;
  if (f->has_calls || !f->is_entry || wl_mf_frame(f) > 0)
    if (f->regs < WL_ABI_STACK + 1) f->regs = WL_ABI_STACK + 1;
  if (f->regs == 0) f->regs = 1;
  f->preds = 0;
  for (size_t v = 1; v < f->nvregs; v++)
    if (f->vregs[v].words == 0 && f->vregs[v].phys >= (int)f->preds)
      f->preds = (uint32_t)f->vregs[v].phys + 1;
  f->save_bytes = 4 * (uint32_t)__builtin_popcount(f->saved);
}

bool wl_regalloc(wl_mfunc_t *f) {
  for (int round = 0; round < ROUNDS; round++) {
    ra_t r = {.f = f, .limit = f->max_regs};
    if (!round_once(&r)) return false;
    if (r.nfailed == 0) {
      const bool had_frame = wl_mf_frame(f) > 0;
      count_used(&r);
      /* Saved registers may bring the frame into being, but only functions have them. */
      return had_frame || !f->is_entry || wl_mf_frame(f) == 0;
    }
    wl_spill(f, r.failed, r.nfailed);
    f->spilled += r.nfailed;
  }
  return false;
}
