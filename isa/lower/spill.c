/* spill.c: moves virtual registers to the frame. Each read becomes a load into a fresh register,
 * each write a store from one; a predicate moves to a general register first. Registers whose only
 * write is a constant are written anew where they are read instead. */
#include <string.h>

#include "isa/lower/mir.h"

typedef struct home {
  bool spilled;
  uint32_t slot;           /* offset in the spill area */
  uint32_t carrier;        /* predicate: the general register that holds it */
  const wl_minsn_t *again; /* rematerialise: the only write */
} home_t;

typedef struct spiller {
  wl_mfunc_t *f;
  home_t *home;
  const wl_minsn_t *at;
} spiller_t;

static uint32_t piece(spiller_t *s, uint32_t v, uint32_t word, uint8_t words) {
  const uint32_t t = wl_mf_vreg(s->f, words, true);
  s->f->vregs[t].orig = s->f->vregs[v].orig + word;
  s->f->vregs[t].no_spill = true;
  return t;
}

static wl_minsn_t local(spiller_t *s, bool store, uint32_t v, uint32_t word, uint8_t words) {
  static const uint16_t forms[2][3] = {
      {WL_FORM_LD_LOCAL_B32, WL_FORM_LD_LOCAL_B64, WL_FORM_LD_LOCAL_B128},
      {WL_FORM_ST_LOCAL_B32, WL_FORM_ST_LOCAL_B64, WL_FORM_ST_LOCAL_B128}};
  return (wl_minsn_t){.form = forms[store][words / 2],
                      .fix = WL_FIX_SPILL,
                      .a = wl_mreg(wl_mf_fixed(s->f, WL_ABI_STACK), 0),
                      .imm = s->home[v].slot + 4 * word,
                      .spill = s->f->vregs[v].orig + word,
                      .pos = s->at->pos,
                      .loc = s->at->loc};
}

/* Loads a spilled register, or predicate, into t. */
static void load_piece(spiller_t *s, const wl_mopref_t *op, uint32_t t) {
  wl_mfunc_t *f = s->f;
  const uint32_t v = op->pred ? *op->ref : wl_mreg_vreg(*op->ref);
  const uint32_t word = op->pred ? 0 : wl_mreg_word(*op->ref);
  if (op->pred) { /* p = carrier != 0 */
    wl_mf_append(f, &(wl_minsn_t){.form = WL_FORM_SETP_U32_RI,
                                  .pd = t,
                                  .imm = 0,
                                  .a = wl_mreg(s->home[v].carrier, 0),
                                  .mods = 5u << (WL_FIELD_CMP_LOW - WL_MODS_LOW) |
                                          3u << (WL_FIELD_BOP_LOW - WL_MODS_LOW),
                                  .spill = s->f->vregs[v].orig,
                                  .pos = s->at->pos,
                                  .loc = s->at->loc});
    return;
  }
  wl_minsn_t load =
      s->home[v].again != NULL ? *s->home[v].again : local(s, false, v, word, op->words);
  load.d = wl_mreg(t, 0);
  load.pos = s->at->pos; /* of the line that reads it */
  load.loc = s->at->loc;
  load.marks = 0;
  if (s->home[v].again != NULL) load.spill = f->vregs[v].orig + word;
  wl_mf_append(f, &load);
}

static uint32_t piece_of(spiller_t *s, const wl_mopref_t *op) {
  const uint32_t v = op->pred ? *op->ref : wl_mreg_vreg(*op->ref);
  return piece(s, v, op->pred ? 0 : wl_mreg_word(*op->ref), op->group != 0 ? op->group : op->words);
}

static void read_operand(spiller_t *s, const wl_mopref_t *op) {
  const uint32_t t = piece_of(s, op);
  load_piece(s, op, t);
  *op->ref = op->pred ? t : wl_mreg(t, 0);
}

/* `whole`: the instruction destroys its guard, so that the store cannot have it; then the value is
 * loaded before, for lanes that do not write it. */
static void write_operand(spiller_t *s, const wl_mopref_t *op, bool whole, wl_minsn_t *after,
                          unsigned *nafter) {
  const uint32_t v = op->pred ? *op->ref : wl_mreg_vreg(*op->ref);
  const uint32_t word = op->pred ? 0 : wl_mreg_word(*op->ref);
  const uint32_t t = piece_of(s, op);
  wl_minsn_t st;
  if (whole) {
    s->f->vregs[t].temp = false; /* lives through the guarded write */
    load_piece(s, op, t);
  }
  if (op->pred) { /* carrier = !p ? 0 : 1 */
    st = (wl_minsn_t){.form = WL_FORM_SELP_RI,
                      .d = wl_mreg(s->home[v].carrier, 0),
                      .imm = 1,
                      .ps = t,
                      .ps_neg = true,
                      .spill = s->f->vregs[v].orig,
                      .pos = s->at->pos,
                      .loc = s->at->loc};
    *op->ref = t;
  } else {
    st = local(s, true, v, word, op->words);
    st.b = wl_mreg(t, 0);
    *op->ref = wl_mreg(t, 0);
  }
  if (!whole) {
    st.guard = s->at->guard;
    st.guard_neg = s->at->guard_neg;
  }
  after[(*nafter)++] = st;
}

/* It writes the predicate that guards it, in place. */
static bool writes_guard(const wl_minsn_t *insn, const wl_mopref_t *ops, unsigned n) {
  for (unsigned k = 0; k < n && insn->guard != 0; k++)
    if (ops[k].def && ops[k].pred && *ops[k].ref == insn->guard) return true;
  return false;
}

static void rewrite(spiller_t *s, const wl_minsn_t *old) {
  wl_minsn_t insn = *old, after[WL_MAX_OPERANDS];
  wl_mopref_t ops[WL_MAX_OPERANDS];
  unsigned nafter = 0;
  insn.marks = 0;
  const unsigned n = wl_mi_operands(&insn, ops);
  uint32_t before[WL_MAX_OPERANDS];
  s->at = old;
  for (unsigned k = 0; k < n; k++)
    before[k] = *ops[k].ref;
  for (unsigned k = 0; k < n; k++) {
    const uint32_t v = ops[k].pred ? *ops[k].ref : wl_mreg_vreg(*ops[k].ref);
    if (ops[k].def || !s->home[v].spilled) continue;
    unsigned same = 0; /* the same operand read twice is loaded once */
    while (same < k &&
           (before[same] != before[k] || ops[same].def || ops[same].pred != ops[k].pred ||
            ops[same].words != ops[k].words || ops[same].group != ops[k].group))
      same++;
    if (same < k)
      *ops[k].ref = *ops[same].ref;
    else
      read_operand(s, &ops[k]);
  }
  const bool whole = writes_guard(&insn, ops, n);
  for (unsigned k = 0; k < n; k++) {
    const uint32_t v = ops[k].pred ? *ops[k].ref : wl_mreg_vreg(*ops[k].ref);
    if (!ops[k].def || !s->home[v].spilled) continue;
    if (s->home[v].again != NULL) return; /* written anew at every read */
    write_operand(s, &ops[k], whole, after, &nafter);
  }
  if (nafter > 0 && !whole &&
      insn.guard != old->guard) /* stores need the guard that the write had */
    for (unsigned k = 0; k < nafter; k++)
      after[k].guard = insn.guard;
  wl_mf_append(s->f, &insn);
  for (unsigned k = 0; k < nafter; k++)
    wl_mf_append(s->f, &after[k]);
}

/* The only write of a register, if it can be repeated anywhere and every use is whole. */
static const wl_minsn_t *constant_write(wl_mfunc_t *f, uint32_t v) {
  const wl_minsn_t *found = NULL;
  for (size_t i = 0; i < f->ninsns; i++) {
    wl_mopref_t ops[WL_MAX_OPERANDS];
    wl_minsn_t *insn = &f->insns[i];
    const unsigned n = wl_mi_operands(insn, ops);
    for (unsigned k = 0; k < n; k++) {
      if (ops[k].pred || wl_mreg_vreg(*ops[k].ref) != v) continue;
      if (ops[k].words != f->vregs[v].words) return NULL;
      if (!ops[k].def) continue;
      const bool constant =
          insn->form == WL_FORM_MOV_I || (insn->form == WL_FORM_S2R && insn->imm < 24) ||
          ((insn->form == WL_FORM_LDC_B32 || insn->form == WL_FORM_LDC_B64) && insn->a == WL_RZ);
      if (found != NULL || !constant || insn->guard != 0) return NULL;
      found = insn;
    }
  }
  return found;
}

static void find_home(spiller_t *s, uint32_t v) {
  wl_mfunc_t *f = s->f;
  home_t *h = &s->home[v];
  h->spilled = true;
  const uint32_t words = f->vregs[v].words;
  if (words == 0) {
    h->carrier = wl_mf_vreg(f, 1, f->vregs[v].temp);
    f->vregs[h->carrier].orig = f->vregs[v].orig;
    return;
  }
  h->again = constant_write(f, v);
  if (h->again != NULL) return;
  f->spill_bytes = (f->spill_bytes + 4 * words - 1) / (4 * words) * (4 * words);
  h->slot = f->spill_bytes;
  f->spill_bytes += 4 * words;
}

void wl_spill(wl_mfunc_t *f, const uint32_t *vregs, uint32_t count) {
  spiller_t s = {.f = f};
  s.home = wl_mf_alloc(f, f->nvregs * sizeof *s.home);
  for (uint32_t i = 0; i < count; i++)
    find_home(&s, vregs[i]);
  const wl_minsn_t *insns = f->insns;
  f->insns = NULL;
  f->ninsns = f->cap_insns = 0;
  uint8_t marks = 0;
  for (uint32_t b = 0; b < f->nblocks; b++) {
    const uint32_t first = f->blocks[b].first, last = f->blocks[b].last;
    f->blocks[b].first = (uint32_t)f->ninsns;
    for (uint32_t i = first; i < last; i++) {
      const size_t at = f->ninsns;
      marks |= insns[i].marks;
      if (insns[i].form != WL_MP_KILLED) rewrite(&s, &insns[i]);
      if (f->ninsns == at) continue;
      f->insns[at].marks = marks; /* before what reloads its operands */
      marks = 0;
    }
    f->blocks[b].last = (uint32_t)f->ninsns;
  }
}
