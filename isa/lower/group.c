/* group.c: registers of matrix fragments. PTX names the words of a fragment one by one, the machine
 * has them in one aligned group. PTX registers that a product of matrices names together become the
 * words of one virtual register, once and for the whole function: the first product that names a
 * register decides. Then the copies between such a register and a temporary group go. Functions
 * without a product stay as they are. A group needs neighbouring registers and goes to memory as a
 * whole: where a function needs spill code with groups, it may go without groups. */
#include <string.h>

#include "isa/lower/mir.h"

enum {
  WINDOW = 64,   /* instructions between an operand's copies */
  MOST = 4,      /* words of a group */
  SPILL_COST = 8 /* of a word that spill code moves */
};

typedef struct groups {
  wl_mfunc_t *f;
  wl_mreg_t *member;    /* per vreg: the word of a group that it is, or RZ */
  uint32_t *refs;       /* per vreg: operands */
  uint32_t first, last; /* instructions of the block */
} groups_t;

typedef struct fragment { /* an operand that is a temporary, and where its words come from or go */
  uint32_t vreg, words, copy[MOST];
  wl_mreg_t word[MOST];
} fragment_t;

static bool is_product(const wl_minsn_t *insn) {
  return insn->form < WL_NUM_FORMS && (wl_form_info[insn->form].unit == WL_UNIT_TENSOR ||
                                       wl_form_info[insn->form].unit == WL_UNIT_TMEM);
}

static void count_refs(groups_t *g) {
  for (uint32_t i = 0; i < g->f->ninsns; i++) {
    wl_mopref_t ops[WL_MAX_OPERANDS];
    const unsigned n = wl_mi_operands(&g->f->insns[i], ops);
    for (unsigned k = 0; k < n; k++)
      if (!ops[k].pred) g->refs[wl_mreg_vreg(*ops[k].ref)]++;
  }
}

/* The copies, one of each word, that are the only other ones to name the operand: before a reading
 * instruction i, or behind a writing one. */
static bool find(const groups_t *g, uint32_t i, const wl_mopref_t *op, fragment_t *out) {
  const wl_mfunc_t *f = g->f;
  const uint32_t v = wl_mreg_vreg(*op->ref);
  uint32_t found = 0;
  *out = (fragment_t){.vreg = v, .words = op->words};
  if (op->words < 2 || !f->vregs[v].temp || f->vregs[v].words != op->words) return false;
  if (f->vregs[v].fixed != WL_NOREG || g->refs[v] != op->words + 1u) return false;
  for (uint32_t far = 1; far <= WINDOW && found < op->words; far++) {
    const uint32_t at = op->def ? i + far : i - far;
    if (op->def ? at >= g->last : i < g->first + far) break;
    const wl_minsn_t *copy = &f->insns[at];
    const wl_mreg_t own = op->def ? copy->a : copy->d, other = op->def ? copy->d : copy->a;
    if (copy->form != WL_MP_MOV || wl_mreg_vreg(own) != v) continue;
    if (copy->guard != 0 || copy->imm != 1 || other == WL_RZ) return false;
    const uint32_t word = wl_mreg_word(own);
    if (out->word[word] != WL_RZ) return false;
    out->word[word] = other;
    out->copy[word] = at;
    found++;
  }
  return found == op->words;
}

/* Registers of one word that no group has, none of them twice. */
static bool may_join(const groups_t *g, const fragment_t *x) {
  for (uint32_t k = 0; k < x->words; k++) {
    const wl_vreg_t *r = &g->f->vregs[wl_mreg_vreg(x->word[k])];
    if (r->words != 1 || r->fixed != WL_NOREG) return false;
    if (g->member[wl_mreg_vreg(x->word[k])] != WL_RZ) return false;
    for (uint32_t j = 0; j < k; j++)
      if (x->word[j] == x->word[k]) return false;
  }
  return true;
}

static void join(groups_t *g, const fragment_t *x) {
  const uint32_t v = wl_mf_vreg(g->f, (uint8_t)x->words, false);
  for (uint32_t k = 0; k < x->words; k++) {
    const uint32_t part = wl_mreg_vreg(x->word[k]);
    g->f->vregs[v].part[k] = part;
    g->member[part] = wl_mreg(v, k);
  }
}

static void rename_all(groups_t *g, size_t nvregs) {
  for (uint32_t i = 0; i < g->f->ninsns; i++) {
    wl_minsn_t *insn = &g->f->insns[i];
    wl_mopref_t ops[WL_MAX_OPERANDS];
    const unsigned n = wl_mi_operands(insn, ops);
    for (unsigned k = 0; k < n; k++) {
      const uint32_t v = wl_mreg_vreg(*ops[k].ref);
      if (!ops[k].pred && v < nvregs && g->member[v] != WL_RZ) *ops[k].ref = g->member[v];
    }
    const uint32_t a = wl_mreg_vreg(insn->a);
    if (insn->form == WL_MP_NAME && a < nvregs && g->member[a] != WL_RZ) insn->a = g->member[a];
  }
}

/* True if an instruction between i and the furthest copy names the register otherwise: writes it, or
 * of a result's register also reads it. */
static bool in_the_way(const groups_t *g, uint32_t i, const fragment_t *x, bool def) {
  const uint32_t v = wl_mreg_vreg(x->word[0]);
  uint32_t from = i, to = i;
  for (uint32_t k = 0; k < x->words; k++) {
    if (x->copy[k] < from) from = x->copy[k];
    if (x->copy[k] > to) to = x->copy[k];
  }
  for (uint32_t at = from; at <= to; at++) {
    wl_minsn_t *insn = &g->f->insns[at];
    wl_mopref_t ops[WL_MAX_OPERANDS];
    const unsigned n = wl_mi_operands(insn, ops);
    bool own = at == i;
    for (uint32_t k = 0; k < x->words; k++)
      own = own || at == x->copy[k];
    for (unsigned k = 0; k < n && !own; k++)
      if (!ops[k].pred && wl_mreg_vreg(*ops[k].ref) == v && (def || ops[k].def)) return true;
  }
  return false;
}

/* The operand is the group itself, where its copies join words of one in their order. */
static void fold(groups_t *g, uint32_t i, const wl_mopref_t *op) {
  fragment_t x;
  if (!find(g, i, op, &x)) return;
  const uint32_t first = wl_mreg_word(x.word[0]), v = wl_mreg_vreg(x.word[0]);
  if (g->f->vregs[v].fixed != WL_NOREG || first % x.words != 0) return;
  for (uint32_t k = 1; k < x.words; k++)
    if (x.word[k] != x.word[0] + k || first + x.words > g->f->vregs[v].words) return;
  if (in_the_way(g, i, &x, op->def)) return;
  for (uint32_t k = 0; k < x.words; k++)
    g->f->insns[x.copy[k]].form = WL_MP_KILLED;
  *op->ref = x.word[0];
}

typedef void visit_fn_t(groups_t *g, uint32_t i, const wl_mopref_t *op);

static void join_operand(groups_t *g, uint32_t i, const wl_mopref_t *op) {
  fragment_t x;
  if (is_product(&g->f->insns[i]) && find(g, i, op, &x) && may_join(g, &x)) join(g, &x);
}

static void visit(groups_t *g, visit_fn_t *fn) {
  for (uint32_t b = 0; b < g->f->nblocks; b++) {
    g->first = g->f->blocks[b].first;
    g->last = g->f->blocks[b].last;
    for (uint32_t i = g->first; i < g->last; i++) {
      wl_mopref_t ops[WL_MAX_OPERANDS];
      wl_minsn_t *insn = &g->f->insns[i];
      if (insn->form >= WL_NUM_FORMS || insn->guard != 0) continue;
      const unsigned n = wl_mi_operands(insn, ops);
      for (unsigned k = 0; k < n; k++)
        if (!ops[k].pred) fn(g, i, &ops[k]);
    }
  }
}

static bool has_products(const wl_mfunc_t *f) {
  for (uint32_t i = 0; i < f->ninsns; i++)
    if (is_product(&f->insns[i])) return true;
  return false;
}

void wl_opt_groups(wl_mfunc_t *f) {
  if (!has_products(f)) return;
  const size_t nvregs = f->nvregs;
  groups_t g = {.f = f};
  g.member = wl_mf_alloc(f, nvregs * sizeof *g.member);
  g.refs = wl_mf_alloc(f, nvregs * sizeof *g.refs);
  count_refs(&g);
  visit(&g, join_operand);
  rename_all(&g, nvregs);
  visit(&g, fold);
}

/* ---- with groups or without */
static void *same(wl_mfunc_t *f, const void *array, size_t count, size_t elem) {
  void *copy = wl_mf_alloc(f, count * elem + 1);
  if (count != 0) memcpy(copy, array, count * elem);
  return copy;
}

/* The function as it is, with arrays of its own where groups, spilling and allocation write. */
static wl_mfunc_t twin_of(wl_mfunc_t *f) {
  wl_mfunc_t twin = *f;
  twin.vregs = same(f, f->vregs, f->nvregs, sizeof *f->vregs);
  twin.insns = same(f, f->insns, f->ninsns, sizeof *f->insns);
  twin.blocks = same(f, f->blocks, f->nblocks, sizeof *f->blocks);
  twin.cap_vregs = f->nvregs;
  twin.cap_insns = f->ninsns;
  return twin;
}

/* Instructions, a word that spill code moves as so many; each loop around them counts eight times. */
static uint64_t cost_of(const wl_mfunc_t *f) {
  uint64_t cost = 0;
  for (uint32_t b = 0; b < f->nblocks; b++)
    for (uint32_t i = f->blocks[b].first; i < f->blocks[b].last; i++) {
      const wl_minsn_t *insn = &f->insns[i];
      uint64_t one = wl_encode_size(f, insn);
      if (insn->fix == WL_FIX_SPILL) {
        const wl_form_info_t *info = &wl_form_info[insn->form];
        one = SPILL_COST * (uint64_t)(info->d + info->b);
      }
      cost += one * wl_depth_weight(f->blocks[b].depth);
    }
  return cost;
}

bool wl_regalloc_groups(wl_mfunc_t *f) {
  if (!has_products(f)) return wl_regalloc(f);
  wl_mfunc_t words = twin_of(f);
  wl_opt_groups(f);
  const bool fits = wl_regalloc(f);
  if (fits && f->spilled == 0) return true;
  if (!wl_regalloc(&words)) return fits;
  if (!fits || cost_of(&words) < cost_of(f)) *f = words;
  return true;
}
