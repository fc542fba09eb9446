/* parallel.c: a PTX instruction reads all of its operands before it writes any of its results.
 * An expansion may write a result before it has read every operand, and both may be one register:
 * elements of a vector, the address of a vector load, a destination predicate that is the guard.
 * This pass looks at the machine instructions of one PTX instruction. A register that is read after
 * it was written is copied in front of them, and all of them read the copy. Expansions compute in
 * temporaries (isel.h), so such a read always means the old value. */
#include "isa/lower/isel.h"

typedef struct list {
  uint32_t *at;
  size_t n, cap;
} list_t;
typedef struct hazards {
  wl_isel_t *s;
  size_t from;
  list_t written; /* words of registers; predicates: word 0 */
  list_t late;    /* registers read after they were written */
} hazards_t;

static uint32_t vreg_of(const wl_mopref_t *op) {
  return op->pred ? *op->ref : wl_mreg_vreg(*op->ref);
}

/* A temporary or a register of the calling convention: no operand of the PTX instruction. */
static bool internal(const hazards_t *h, uint32_t vreg) { return h->s->f->vregs[vreg].temp; }

static void add_once(hazards_t *h, list_t *l, uint32_t x) {
  for (size_t i = 0; i < l->n; i++)
    if (l->at[i] == x) return;
  l->at = wl_mf_grow(h->s->f, l->at, l->n, &l->cap, sizeof *l->at);
  l->at[l->n++] = x;
}

static void note_read(hazards_t *h, const wl_mopref_t *op) {
  const uint32_t v = vreg_of(op), word = op->pred ? 0 : wl_mreg_word(*op->ref);
  const uint32_t words = op->pred ? 1 : op->words;
  for (size_t i = 0; i < h->written.n; i++)
    if (wl_mreg_vreg(h->written.at[i]) == v && wl_mreg_word(h->written.at[i]) - word < words)
      add_once(h, &h->late, v);
}

static void note_write(hazards_t *h, const wl_mopref_t *op) {
  const uint32_t v = vreg_of(op), word = op->pred ? 0 : wl_mreg_word(*op->ref);
  for (uint32_t w = word; w < word + (op->pred ? 1u : op->words); w++)
    add_once(h, &h->written, wl_mreg(v, w));
}

static void scan(hazards_t *h, wl_minsn_t *insn) {
  wl_mopref_t ops[WL_MAX_OPERANDS];
  const unsigned n = wl_mi_operands(insn, ops);
  for (unsigned k = 0; k < n; k++)
    if (!ops[k].def && !internal(h, vreg_of(&ops[k]))) note_read(h, &ops[k]);
  for (unsigned k = 0; k < n; k++)
    if (ops[k].def && !internal(h, vreg_of(&ops[k]))) note_write(h, &ops[k]);
}

static void read_copy(hazards_t *h, uint32_t old, uint32_t copy) {
  for (size_t i = h->from; i < h->s->f->ninsns; i++) {
    wl_mopref_t ops[WL_MAX_OPERANDS];
    const unsigned n = wl_mi_operands(&h->s->f->insns[i], ops);
    for (unsigned k = 0; k < n; k++)
      if (!ops[k].def && vreg_of(&ops[k]) == old)
        *ops[k].ref = ops[k].pred ? copy : wl_mreg(copy, wl_mreg_word(*ops[k].ref));
  }
}

/* The instruction that copies old, put in front of the expansion. It has no guard: the guard itself
 * may be what is copied. */
static void copy_first(hazards_t *h, uint32_t old, uint32_t copy) {
  wl_mfunc_t *f = h->s->f;
  const uint32_t words = f->vregs[old].words;
  wl_minsn_t i = {.form = WL_MP_MOV, .d = wl_mreg(copy, 0), .a = wl_mreg(old, 0), .imm = words};
  if (words == 0)
    i = (wl_minsn_t){
        .form = WL_FORM_PLOP, .pd = copy, .pt = old, .mods = WL_MODS(BOP, WL_BOP_NONE)};
  i.pos = h->s->in->pos;
  i.loc = h->s->in->loc;
  wl_mf_append(f, &i);
  for (size_t k = f->ninsns - 1; k > h->from; k--)
    f->insns[k] = f->insns[k - 1];
  f->insns[h->from] = i;
}

void wl_isel_parallel(wl_isel_t *s, size_t from) {
  hazards_t h = {.s = s, .from = from};
  if (s->f->ninsns - from < 2) return;
  for (size_t i = from; i < s->f->ninsns; i++)
    scan(&h, &s->f->insns[i]);
  for (size_t k = 0; k < h.late.n; k++) {
    const uint32_t old = h.late.at[k], copy = wl_mf_vreg(s->f, s->f->vregs[old].words, true);
    read_copy(&h, old, copy);
    copy_first(&h, old, copy);
  }
}
