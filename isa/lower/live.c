/* live.c: liveness of register words over the control-flow graph, backward to a fixed point.
 * A write under a guard leaves the other threads' value, so it does not end a life, except for
 * temporaries, which nothing reads outside the same guard. */
#include <string.h>

#include "isa/lower/mir.h"

static void set_units(uint64_t *set, uint32_t unit, uint32_t n) {
  for (uint32_t u = unit; u < unit + n; u++)
    set[u / 64] |= UINT64_C(1) << (u % 64);
}

static void clear_units(uint64_t *set, uint32_t unit, uint32_t n) {
  for (uint32_t u = unit; u < unit + n; u++)
    set[u / 64] &= ~(UINT64_C(1) << (u % 64));
}

static void step(wl_mfunc_t *f, wl_minsn_t *insn, uint64_t *use, uint64_t *kill) {
  wl_mopref_t ops[WL_MAX_OPERANDS];
  const unsigned n = wl_mi_operands(insn, ops);
  for (unsigned pass = 0; pass < 2; pass++) {
    for (unsigned k = 0; k < n; k++) {
      if (ops[k].def != (pass == 0)) continue;
      const uint32_t v = ops[k].pred ? *ops[k].ref : wl_mreg_vreg(*ops[k].ref);
      const uint32_t unit = f->vregs[v].unit + (ops[k].pred ? 0 : wl_mreg_word(*ops[k].ref));
      const uint32_t words = ops[k].pred ? 1 : ops[k].words;
      if (!ops[k].def) {
        set_units(use, unit, words);
      } else if (wl_mi_kills(f, insn, v)) {
        clear_units(use, unit, words);
        set_units(kill, unit, words);
      }
    }
    if (insn->call == NULL) continue;
    if (pass == 0) {
      for (uint32_t k = 0; k < insn->call->ndefs; k++) {
        clear_units(use, f->vregs[wl_mreg_vreg(insn->call->defs[k])].unit, 1);
        set_units(kill, f->vregs[wl_mreg_vreg(insn->call->defs[k])].unit, 1);
      }
    } else {
      for (uint32_t k = 0; k < insn->call->nuses; k++)
        set_units(use, f->vregs[wl_mreg_vreg(insn->call->uses[k])].unit, 1);
    }
  }
}

void wl_live_compute(wl_mfunc_t *f, wl_live_t *l) {
  l->nunits = wl_mf_units(f);
  l->words = (l->nunits + 63) / 64;
  const size_t bytes = (size_t)f->nblocks * l->words * sizeof(uint64_t);
  l->in = wl_mf_alloc(f, bytes + 8);
  l->out = wl_mf_alloc(f, bytes + 8);
  uint64_t *kill = wl_mf_alloc(f, bytes + 8), *use = wl_mf_alloc(f, bytes + 8);
  for (uint32_t b = 0; b < f->nblocks; b++)
    for (uint32_t i = f->blocks[b].last; i-- > f->blocks[b].first;)
      step(f, &f->insns[i], use + (size_t)b * l->words, kill + (size_t)b * l->words);
  memcpy(l->in, use, bytes);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = f->nblocks; b-- > 0;) {
      uint64_t *in = l->in + (size_t)b * l->words, *out = l->out + (size_t)b * l->words;
      for (uint32_t s = 0; s < f->blocks[b].nsucc; s++) {
        const uint64_t *from = l->in + (size_t)f->blocks[b].succ[s] * l->words;
        for (uint32_t w = 0; w < l->words; w++)
          out[w] |= from[w];
      }
      for (uint32_t w = 0; w < l->words; w++) {
        const uint64_t x = in[w] | (out[w] & ~kill[(size_t)b * l->words + w]);
        changed |= x != in[w];
        in[w] = x;
      }
    }
  }
}
