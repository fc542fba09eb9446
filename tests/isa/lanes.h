/* Runs one form on 32 random lanes through decode and wl_sem_warp, for the tests that compare each
 * lane with a plain computation of their own. */
#ifndef WL_TESTS_ISA_LANES_H
#define WL_TESTS_ISA_LANES_H

#include "cmodel/sem/sem.h"
#include "tests/isa/check.h"

typedef struct {
  wl_insn_dec_t dec;
  uint32_t a[2][32], b[2][32], c[2][32]; /* words of the operands, as registers hold them */
  uint32_t s, t, mask, imm;
  uint32_t d[2][32];
  uint32_t p, q;
} lanes_t;

/* The word is decoded from fields set by hand in `word`; returns false if decode refuses it. */
static inline bool lanes_decode(lanes_t *l, const uint32_t word[4]) {
  l->imm = word[2];
  return wl_decode(word, WL_ANY_ROW, &l->dec) == WL_TRAP_NONE;
}

static inline void lanes_random(lanes_t *l, check_t *c, uint32_t (*value)(check_t *)) {
  for (int w = 0; w < 2; w++)
    for (int i = 0; i < 32; i++) {
      l->a[w][i] = value(c);
      l->b[w][i] = check_random(c) % 8 == 0 ? l->a[w][i] : value(c);
      l->c[w][i] = value(c);
    }
  l->s = (uint32_t)check_random(c);
  l->t = (uint32_t)check_random(c);
  l->mask = check_random(c) % 4 == 0 ? UINT32_MAX : (uint32_t)check_random(c);
}

/* All steps; operands as section "one step of a warp instruction" of sem.h says. */
static inline bool lanes_run(lanes_t *l) {
  const wl_form_info_t *info = l->dec.info;
  const int steps = info->steps == WL_STEPS_PAIR ? 2 : 1;
  wl_sem_out_t out = {0};
  uint32_t buf[2][WL_LANES];
  for (int step = 0; step < steps; step++) {
    wl_sem_in_t in = {.a = l->a[info->a == 2 ? step : 0],
                      .b = l->b[info->b == 2 ? step : 0],
                      .c = l->c[info->c == 2 ? step : 0],
                      .s = l->s,
                      .t = l->t,
                      .mask = l->mask,
                      .step = (uint32_t)step};
    if (info->steps == WL_STEPS_LIST) in.b = l->a[1];
    wl_sem_use_imm(&l->dec, &in, buf);
    out.d = l->d[step];
    if (!wl_sem_warp(&l->dec, &in, &out)) return false;
  }
  l->p = out.p;
  l->q = out.q;
  return true;
}

#endif
