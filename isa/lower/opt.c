/* opt.c: copy propagation and removal of dead instructions, on blocks in program order.
 * PTX is full of copies that cost nothing in its own machine (cvta, mov of halves, vector
 * elements). A copy d = s is propagated when d and s are written once and the writes dominate:
 * then every use of d that the copy dominates can read s. Then the other way round: a temporary
 * that only feeds a copy to d takes d's place from its first write on. Not here: anything about
 * constants beyond zero, which is the register RZ. */
#include "isa/lower/mir.h"

typedef struct use {
  uint32_t insn, next;
  uint32_t *ref;
  bool def;
} use_t;

enum { WINDOW = 256 }; /* longest expansion worth searching */

typedef struct copies {
  wl_mfunc_t *f;
  uint32_t *block_of; /* per instruction */
  uint32_t *ndefs;    /* per vreg and word: writes */
  uint32_t *def;      /* per vreg and word: the last writing instruction */
  uint32_t *head;     /* per vreg: first operand, index + 1 */
  use_t *uses;
  size_t nuses, cap_uses;
} copies_t;

static void note_operands(copies_t *c, uint32_t i) {
  wl_mopref_t ops[WL_MAX_OPERANDS];
  const unsigned n = wl_mi_operands(&c->f->insns[i], ops);
  for (unsigned k = 0; k < n; k++) {
    const uint32_t v = ops[k].pred ? *ops[k].ref : wl_mreg_vreg(*ops[k].ref);
    const uint32_t w = ops[k].pred ? 0 : wl_mreg_word(*ops[k].ref);
    if (ops[k].def) {
      for (uint32_t j = w; j < w + (ops[k].pred ? 1u : ops[k].words); j++) {
        c->ndefs[v * 4 + j]++;
        c->def[v * 4 + j] = i;
      }
    }
    if (ops[k].pred) continue;
    c->uses = wl_mf_grow(c->f, c->uses, c->nuses, &c->cap_uses, sizeof *c->uses);
    c->uses[c->nuses] = (use_t){i, c->head[v], ops[k].ref, ops[k].def};
    c->head[v] = (uint32_t)++c->nuses;
  }
}

static bool dominates(const copies_t *c, uint32_t a, uint32_t b) {
  uint32_t x = c->block_of[b];
  if (x == c->block_of[a]) return a < b;
  while (x > c->block_of[a])
    x = c->f->blocks[x].idom;
  return x == c->block_of[a];
}

static bool written_once(const copies_t *c, uint32_t vreg, uint32_t word, uint32_t words,
                         uint32_t before) {
  if (c->f->vregs[vreg].fixed != WL_NOREG) return false;
  for (uint32_t w = word; w < word + words; w++) {
    if (c->ndefs[vreg * 4 + w] != 1) return false;
    const uint32_t def = c->def[vreg * 4 + w];
    if (def != before && (c->f->insns[def].guard != 0 || !dominates(c, def, before))) return false;
  }
  return true;
}

static void propagate(copies_t *c, uint32_t i) {
  const wl_minsn_t *copy = &c->f->insns[i];
  if (copy->form != WL_MP_MOV || copy->guard != 0) return;
  const uint32_t d = wl_mreg_vreg(copy->d), s = wl_mreg_vreg(copy->a);
  if (wl_mreg_word(copy->d) != 0 || c->f->vregs[d].words != copy->imm) return;
  if (!written_once(c, d, 0, copy->imm, i)) return;
  if (copy->a != WL_RZ && !written_once(c, s, wl_mreg_word(copy->a), copy->imm, i)) return;
  for (uint32_t u = c->head[d]; u != 0; u = c->uses[u - 1].next) {
    use_t *use = &c->uses[u - 1];
    if (use->def || wl_mreg_vreg(*use->ref) != d || !dominates(c, i, use->insn)) continue;
    *use->ref = wl_mreg_at(copy->a, wl_mreg_word(*use->ref));
  }
}

/* First instruction that names temporary t, if all that do lie in the block up to copy i and write
 * under the copy's guard; else UINT32_MAX. */
static uint32_t temp_start(const copies_t *c, uint32_t t, uint32_t i) {
  const wl_minsn_t *copy = &c->f->insns[i];
  uint32_t first = i;
  for (uint32_t u = c->head[t]; u != 0; u = c->uses[u - 1].next) {
    const use_t *use = &c->uses[u - 1];
    const wl_minsn_t *insn = &c->f->insns[use->insn];
    if (use->insn > i || c->block_of[use->insn] != c->block_of[i]) return UINT32_MAX;
    if (use->def && (insn->guard != copy->guard || insn->guard_neg != copy->guard_neg))
      return UINT32_MAX;
    if (use->insn < first) first = use->insn;
  }
  return first < i && i - first < WINDOW ? first : UINT32_MAX;
}

/* True if register d, or the guard's value, matters to an instruction between first and i; the
 * first itself may still read d. */
static bool in_the_way(const copies_t *c, uint32_t d, uint32_t first, uint32_t i) {
  for (uint32_t k = first; k < i; k++) {
    wl_mopref_t ops[WL_MAX_OPERANDS];
    const unsigned n = wl_mi_operands(&c->f->insns[k], ops);
    for (unsigned o = 0; o < n; o++) {
      if (ops[o].pred) {
        if (ops[o].def && *ops[o].ref == c->f->insns[i].guard) return true;
      } else if (wl_mreg_vreg(*ops[o].ref) == d && (k > first || ops[o].def)) {
        return true;
      }
    }
  }
  return false;
}

static void absorb(copies_t *c, uint32_t i) {
  wl_minsn_t *copy = &c->f->insns[i];
  if (copy->form != WL_MP_MOV || copy->a == WL_RZ || wl_mreg_word(copy->a) != 0) return;
  const uint32_t t = wl_mreg_vreg(copy->a), d = wl_mreg_vreg(copy->d), to = wl_mreg_word(copy->d);
  const wl_vreg_t *x = &c->f->vregs[t];
  if (!x->temp || x->fixed != WL_NOREG || x->words != copy->imm || t == d) return;
  if (c->f->vregs[d].fixed != WL_NOREG) return;
  const uint32_t first = temp_start(c, t, i);
  if (first == UINT32_MAX || in_the_way(c, d, first, i)) return;
  for (uint32_t u = c->head[t]; u != 0;) {
    use_t *use = &c->uses[u - 1];
    const uint32_t next = use->next;
    *use->ref = wl_mreg(d, to + wl_mreg_word(*use->ref));
    use->next = c->head[d];
    c->head[d] = u;
    u = next;
  }
  c->head[t] = 0;
  copy->form = WL_MP_KILLED;
}

static void count_uses(wl_mfunc_t *f, uint32_t *count) {
  for (size_t i = 0; i < f->ninsns; i++) {
    wl_mopref_t ops[WL_MAX_OPERANDS];
    const unsigned n = wl_mi_operands(&f->insns[i], ops);
    for (unsigned k = 0; k < n; k++)
      if (!ops[k].def) count[ops[k].pred ? *ops[k].ref : wl_mreg_vreg(*ops[k].ref)]++;
  }
}

/* True if nothing reads what the instruction writes. */
static bool is_dead(const wl_mfunc_t *f, const wl_mopref_t *ops, unsigned n,
                    const uint32_t *count) {
  bool writes = false;
  for (unsigned k = 0; k < n; k++) {
    if (!ops[k].def) continue;
    const uint32_t v = ops[k].pred ? *ops[k].ref : wl_mreg_vreg(*ops[k].ref);
    if (count[v] != 0 || f->vregs[v].fixed != WL_NOREG) return false;
    writes = true;
  }
  return writes || n == 0;
}

/* A copy to a PTX register that is read from its source instead. */
static bool names_register(const wl_mfunc_t *f, const wl_minsn_t *insn) {
  return insn->form == WL_MP_MOV && insn->guard == 0 && insn->a != WL_RZ &&
         f->vregs[wl_mreg_vreg(insn->d)].name != 0;
}

static void remove_dead(wl_mfunc_t *f) {
  uint32_t *count = wl_mf_alloc(f, f->nvregs * sizeof *count);
  count_uses(f, count);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = f->ninsns; i-- > 0;) {
      wl_minsn_t *insn = &f->insns[i];
      wl_mopref_t ops[WL_MAX_OPERANDS];
      if (insn->form == WL_MP_KILLED || insn->form == WL_MP_NAME || wl_mi_has_effect(insn))
        continue;
      const unsigned n = wl_mi_operands(insn, ops);
      if (!is_dead(f, ops, n, count)) continue;
      for (unsigned k = 0; k < n; k++)
        if (!ops[k].def) count[ops[k].pred ? *ops[k].ref : wl_mreg_vreg(*ops[k].ref)]--;
      insn->form = names_register(f, insn) ? WL_MP_NAME : WL_MP_KILLED;
      changed = true;
    }
  }
}

static void collect(copies_t *c, wl_mfunc_t *f) {
  *c = (copies_t){.f = f};
  c->block_of = wl_mf_alloc(f, (f->ninsns + 1) * sizeof *c->block_of);
  c->ndefs = wl_mf_alloc(f, f->nvregs * 4 * sizeof *c->ndefs);
  c->def = wl_mf_alloc(f, f->nvregs * 4 * sizeof *c->def);
  c->head = wl_mf_alloc(f, f->nvregs * sizeof *c->head);
  for (uint32_t b = 0; b < f->nblocks; b++)
    for (uint32_t i = f->blocks[b].first; i < f->blocks[b].last; i++)
      c->block_of[i] = b;
  for (uint32_t i = 0; i < f->ninsns; i++)
    note_operands(c, i);
}

void wl_opt_copies(wl_mfunc_t *f) {
  copies_t c;
  collect(&c, f);
  for (uint32_t i = 0; i < f->ninsns; i++)
    propagate(&c, i);
  remove_dead(f);
  collect(&c, f);
  for (uint32_t i = 0; i < f->ninsns; i++)
    absorb(&c, i);
  remove_dead(f);
}
