/* tmem_words.c: words of tensor memory in a checked launch (tmem.h): who touches them in which order; loads,
 * stores, allocation. Commands: umma.c. */
#include <string.h>

#include "driver/check/tmem.h"

static tmem_word_t *word_at(const check_tmem_t *t, uint32_t lane, uint32_t column) {
  return &t->word[(size_t)lane * t->columns + column];
}

/* The word's slot is emptied when it is reported, so that one cause counts once. */
static void say(tmem_touch_t *u, tmem_verdict_t verdict, uint32_t *number, uint32_t lane,
                uint32_t column) {
  const uint64_t address = lane << 16 | column;
  *number = 0;
  if ((u->said >> verdict & 1) != 0) {
    return;
  }
  u->said |= 1u << verdict;
  check_report(u->check, u->sm, u->warp,
               verdict == TMEM_NO_WAIT ? CHECK_TMEM_WAIT : CHECK_TMEM_FENCE, u->pc, 1u << u->lane,
               UINT32_MAX, &address);
}

static void look(tmem_touch_t *u, uint32_t *number, uint32_t lane, uint32_t column) {
  if (*number == 0 || *number == u->number || *number == u->seen) {
    return;
  }
  const tmem_verdict_t verdict = tmem_before(u, *number);
  if (verdict == TMEM_IN_ORDER) {
    u->seen = *number;
  } else {
    say(u, verdict, number, lane, column);
  }
}

tmem_word_t *tmem_touch(tmem_touch_t *u, tmem_access_t how, uint32_t lane, uint32_t column) {
  tmem_word_t *w = word_at(u->check->tmem, lane, column);
  if (u->number == 0) {
    return w;
  }
  look(u, &w->writer, lane, column);
  if (how == TMEM_LOADS) {
    w->load = u->number;
  } else if (how == TMEM_READS) {
    w->command = u->number;
  } else {
    look(u, &w->load, lane, column);
    look(u, &w->command, lane, column);
    w->writer = u->number;
    w->load = w->command = 0;
  }
  return w;
}

/* ---- loads and stores */
static void access_words(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                         uint32_t e) {
  const wl_insn_dec_t *i = &sm->code[pc].dec;
  const func_columns_t at = func_tmem_columns(sm, w, i);
  const bool stores = i->op == WL_TMEM_ST;
  const uint32_t quarter = w->index % 4 * WL_LANES;
  if (at.cause != WL_TRAP_NONE) {
    return;
  }
  tmem_touch_t u = tmem_begin(c, sm, w, pc, func_lowest(e), stores ? TMEM_ST : TMEM_LD, 0);
  if (!stores) {
    memset(c->tmem_loaded, 0xff, sizeof c->tmem_loaded);
  }
  for (uint32_t k = 0; k < at.n; k++) {
    for (uint32_t lane = at.lane; lane < at.lane + at.lanes; lane++) {
      tmem_word_t *word =
          tmem_touch(&u, stores ? TMEM_STORES : TMEM_LOADS, quarter + lane, at.first + k);
      if (stores) {
        const uint32_t r = i->rb == WL_REG_ZERO ? WL_REG_ZERO : i->rb + k;
        word->bytes = check_register_bytes(&c->warp[w->slot], r, lane);
      }
      for (uint32_t n = 0; n < 4 && !stores; n++) {
        c->tmem_loaded[k][n] &= ~((~word->bytes >> n & 1) << lane);
      }
    }
  }
}

/* ---- allocation */
static void renew(const wl_check_t *c, uint32_t first, uint32_t n) {
  for (uint32_t lane = 0; lane < UMMA_LANES; lane++) {
    memset(word_at(c->tmem, lane, first), 0, n * sizeof *c->tmem->word);
  }
}

/* A trap says so by itself. */
static void give_back(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                      uint32_t e) {
  const wl_insn_dec_t *i = &sm->code[pc].dec;
  const uint32_t lane = func_lowest(e), first = func_word(w, i->ra, 0, lane) & 0xffff,
                 n = func_word(w, i->rb, 0, lane);
  tmem_touch_t u = tmem_begin(c, sm, w, pc, lane, TMEM_NONE, 0);
  if (!c->tmem->ordered || n > c->tmem->columns || n == 0 || !umma_has_columns(sm, w, first, n)) {
    return;
  }
  for (uint32_t k = 0; k < UMMA_LANES * n; k++) {
    const uint32_t row = k / n, column = first + k % n;
    tmem_word_t *word = word_at(c->tmem, row, column);
    uint32_t *const number[3] = {&word->writer, &word->load, &word->command};
    for (unsigned j = 0; j < 3; j++) {
      if (*number[j] == 0 || *number[j] == u.seen) {
        continue;
      }
      if (tmem_before_free(&u, *number[j]) != TMEM_IN_ORDER) {
        say(&u, TMEM_NO_WAIT, number[j], row, column);
        return; /* one cause has many words */
      }
      u.seen = *number[j];
    }
  }
}

void check_before_tmem(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                       uint32_t e) {
  const wl_insn_dec_t *i = &sm->code[pc].dec;
  if (i->op == WL_TMEM_LD || i->op == WL_TMEM_ST) {
    access_words(c, sm, w, pc, e);
  } else if (i->op == WL_TMEM_DEALLOC) {
    give_back(c, sm, w, pc, e);
  }
}

void check_after_tmem(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                      uint32_t e) {
  const wl_insn_dec_t *i = &sm->code[pc].dec;
  check_warp_t *s = &c->warp[w->slot];
  const uint32_t lane = func_lowest(e), first = 1u << lane; /* whose operands are looked at */
  const uint32_t columns = i->op == WL_TMEM_DEALLOC ? i->info->b : 0;
  uint32_t origin = 0;
  if ((check_group(s, i->ra, i->info->a, first, &origin) &
       check_group(s, i->rb, columns, first, &origin)) == 0) {
    check_report(c, sm, w, CHECK_ADDRESS, pc, first, origin, NULL);
  }
  if (i->op == WL_TMEM_ALLOC) {
    renew(c, w->tmem_base, func_word(w, i->ra, 0, lane));
  } else if (i->op == WL_TMEM_WAITLD) {
    check_tmem_loaded(c, sm, w);
  }
  for (uint32_t k = 0; k < (i->info->counted != 0 ? i->count : 0u) && i->rd != WL_REG_ZERO; k++) {
    check_set_bytes(s, i->rd + k, e, c->tmem_loaded[k], pc + 1);
  }
}
