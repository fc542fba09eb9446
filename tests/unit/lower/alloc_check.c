/* alloc_check.c: symbolic execution of allocated code. A place (register, predicate, stack word)
 * holds a symbol: the word of a virtual register of the program before allocation. A write puts its
 * symbol into one place and makes every other copy stale; paths meet by intersection; a read must
 * find its symbol. At the entry every place may hold anything, as for uninitialised registers. */
#include "tests/unit/lower/alloc_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REGS = 256, PREDS = 8, ANY = 0xffffffff, NOTHING = 0 };

typedef struct checker {
  wl_mfunc_t *f;
  uint32_t places, *in, *now; /* per block; current */
  char *buf;
  size_t cap;
  bool report, failed;
} checker_t;

static uint32_t symbol(const checker_t *c, uint32_t vreg, uint32_t word) {
  return c->f->vregs[vreg].orig + word + 4;
}

static uint32_t place_of(const checker_t *c, uint32_t vreg, uint32_t word) {
  const wl_vreg_t *v = &c->f->vregs[vreg];
  return (v->words == 0 ? REGS : 0) + (uint32_t)v->phys + word;
}

static uint32_t slot(uint32_t offset) { return REGS + PREDS + offset / 4; }

static void wrong(checker_t *c, uint32_t i, const char *what, uint32_t vreg, uint32_t place) {
  if (!c->report || c->failed) return;
  c->failed = true;
  (void)snprintf(c->buf, c->cap,
                 "instruction %u (form %u): %s of register %u (from %u) in place %u: %u", i,
                 c->f->insns[i].form, what, vreg, c->f->vregs[vreg].orig, place, c->now[place]);
}

static void read_one(checker_t *c, uint32_t i, uint32_t vreg, uint32_t word) {
  const uint32_t p = place_of(c, vreg, word);
  if (c->f->vregs[vreg].fixed == WL_ABI_STACK) return;
  if (c->now[p] != symbol(c, vreg, word) && c->now[p] != ANY) wrong(c, i, "stale read", vreg, p);
}

static void write_one(checker_t *c, const wl_minsn_t *insn, uint32_t vreg, uint32_t word) {
  const uint32_t p = place_of(c, vreg, word), s = symbol(c, vreg, word);
  if (insn->guard == 0 && insn->spill == 0) /* a reload is a copy, not a new value */
    for (uint32_t k = 0; k < c->places; k++)
      if (c->now[k] == s) c->now[k] = NOTHING;
  /* Under a guard the other threads keep what the place held: it must be the old value. */
  const bool old = c->now[p] == s || c->now[p] == ANY || c->f->vregs[vreg].temp;
  c->now[p] = insn->guard == 0 || old ? s : NOTHING;
}

static bool is_reload(const wl_minsn_t *i) {
  return i->spill != 0 && (i->form == WL_FORM_LD_LOCAL_B32 || i->form == WL_FORM_LD_LOCAL_B64 ||
                           i->form == WL_FORM_LD_LOCAL_B128);
}
static bool is_save(const wl_minsn_t *i) {
  return i->spill != 0 && (i->form == WL_FORM_ST_LOCAL_B32 || i->form == WL_FORM_ST_LOCAL_B64 ||
                           i->form == WL_FORM_ST_LOCAL_B128);
}

static void legal(checker_t *c, uint32_t i, uint32_t vreg, uint32_t word, uint32_t words,
                  bool pred) {
  const wl_vreg_t *v = &c->f->vregs[vreg];
  const int last = v->phys + (int)word + (int)words;
  if (v->phys < 0 || (pred ? v->phys > 6 : last > (int)c->f->max_regs))
    wrong(c, i, "illegal register", vreg, 0);
  else if (!pred && words > 1 && ((uint32_t)v->phys + word) % words != 0)
    wrong(c, i, "misaligned register", vreg, 0);
}

/* The operands of an instruction that goes round are read once more. */
static void read_again(checker_t *c, uint32_t i, const wl_mopref_t *ops, unsigned n) {
  for (unsigned k = 0; k < n; k++)
    for (uint32_t w = 0; w < (ops[k].pred ? 1u : ops[k].words) && !ops[k].def; w++)
      read_one(c, i, ops[k].pred ? *ops[k].ref : wl_mreg_vreg(*ops[k].ref),
               ops[k].pred ? 0 : wl_mreg_word(*ops[k].ref) + w);
}

static void step(checker_t *c, uint32_t i) {
  wl_minsn_t *insn = &c->f->insns[i];
  wl_mopref_t ops[WL_MAX_OPERANDS];
  const unsigned n = wl_mi_operands(insn, ops);
  for (int writes = 0; writes < 2; writes++) {
    for (unsigned k = 0; k < n; k++) {
      const uint32_t v = ops[k].pred ? *ops[k].ref : wl_mreg_vreg(*ops[k].ref);
      const uint32_t word = ops[k].pred ? 0 : wl_mreg_word(*ops[k].ref);
      const uint32_t words = ops[k].pred ? 1 : ops[k].words;
      if (c->report) legal(c, i, v, word, ops[k].group > words ? ops[k].group : words, ops[k].pred);
      for (uint32_t w = word; w < word + words && ops[k].def == (writes != 0); w++) {
        if (writes == 0)
          read_one(c, i, v, w);
        else if (is_reload(insn)) {
          const uint32_t at = slot(insn->imm + 4 * (w - word)), s = insn->spill + 4 + (w - word);
          if (c->now[at] != s && c->now[at] != ANY) wrong(c, i, "stale reload", v, at);
          c->now[place_of(c, v, w)] = s;
        } else {
          write_one(c, insn, v, w);
        }
        if (writes == 0 && is_save(insn) && ops[k].ref == &insn->b) {
          uint32_t *at = &c->now[slot(insn->imm + 4 * (w - word))];
          const uint32_t s = insn->spill + 4 + (w - word);
          *at = insn->guard == 0 || *at == s || *at == ANY ? s : NOTHING;
        }
      }
    }
    if (insn->form != WL_FORM_CALL) continue;
    if (writes == 0) {
      for (uint32_t k = 0; k < insn->call->nuses; k++)
        read_one(c, i, wl_mreg_vreg(insn->call->uses[k]), 0);
      for (uint32_t r = 0; r < REGS + PREDS; r++)
        if (r >= REGS || r < WL_ABI_SAVED_FIRST || r > WL_ABI_SAVED_LAST) c->now[r] = NOTHING;
    } else {
      for (uint32_t k = 0; k < insn->call->ndefs; k++)
        write_one(c, insn, wl_mreg_vreg(insn->call->defs[k]), 0);
    }
  }
  if (insn->form == WL_MP_TRY_WAIT) read_again(c, i, ops, n);
}

static bool meet(checker_t *c, uint32_t block) {
  bool changed = false;
  uint32_t *in = c->in + (size_t)block * c->places;
  for (uint32_t p = 0; p < c->places; p++) {
    const uint32_t x = in[p] == ANY                             ? c->now[p]
                       : in[p] == c->now[p] || c->now[p] == ANY ? in[p]
                                                                : NOTHING;
    changed |= x != in[p];
    in[p] = x;
  }
  return changed;
}

/* Registers that a function must keep are saved if it writes them. */
static void check_saved(checker_t *c) {
  for (uint32_t i = 0; i < c->f->ninsns && !c->f->is_entry; i++) {
    wl_mopref_t ops[WL_MAX_OPERANDS];
    const unsigned n = wl_mi_operands(&c->f->insns[i], ops);
    for (unsigned k = 0; k < n; k++) {
      if (ops[k].pred || !ops[k].def) continue;
      for (uint32_t w = 0; w < ops[k].words; w++) {
        const uint32_t r = place_of(c, wl_mreg_vreg(*ops[k].ref), wl_mreg_word(*ops[k].ref) + w);
        if (r >= WL_ABI_SAVED_FIRST && r <= WL_ABI_SAVED_LAST &&
            (c->f->saved >> (r - WL_ABI_SAVED_FIRST) & 1) == 0)
          wrong(c, i, "unsaved write", wl_mreg_vreg(*ops[k].ref), r);
      }
    }
  }
}

const char *alloc_check(wl_mfunc_t *f, char *buf, size_t cap) {
  checker_t c = {.f = f, .buf = buf, .cap = cap, .places = slot(f->spill_bytes) + 4};
  const size_t bytes = (size_t)c.places * sizeof(uint32_t);
  c.in = malloc(bytes * (f->nblocks + 1));
  c.now = malloc(bytes);
  memset(c.in, 0xff, bytes * (f->nblocks + 1));
  for (bool changed = true; changed || !c.report;) {
    if (!changed) c.report = true;
    changed = false;
    for (uint32_t b = 0; b < f->nblocks; b++) {
      memcpy(c.now, c.in + (size_t)b * c.places, bytes);
      for (uint32_t i = f->blocks[b].first; i < f->blocks[b].last; i++)
        step(&c, i);
      for (uint32_t s = 0; s < f->blocks[b].nsucc; s++)
        changed |= meet(&c, f->blocks[b].succ[s]);
    }
  }
  c.report = true;
  check_saved(&c);
  free(c.in);
  free(c.now);
  return c.failed ? buf : NULL;
}
