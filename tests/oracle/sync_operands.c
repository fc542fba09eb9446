/* sync_operands.c: numbers for the forms of mbarriers, such that no count leaves its range. */
#include <string.h>

#include "tests/common/mbarrier_reference.h"
#include "tests/common/splitmix.h"
#include "tests/oracle/sync_program.h"

enum { MOST = WL_REF_MBAR_MOST };
enum { E, BEFORE, TX, N, FIX, REST, GUARD, PHASES };

static uint32_t below(uint64_t *state, uint32_t n) {
  return (uint32_t)((wl_splitmix64(state) >> 32) * n >> 32);
}

/* 0 to most: ends, small numbers, any. */
static uint32_t up_to(uint64_t *state, uint32_t most) {
  const uint32_t kind = below(state, 8), little = below(state, 4);
  const uint32_t n = kind == 0   ? most
                     : kind == 1 ? most - little
                     : kind < 5  ? little
                     : kind == 5 ? below(state, 70)
                                 : below(state, most + 1);
  return n > most ? most : n;
}

static wl_ref_mbar_op_t operation(const wl_sync_form_t *f) {
  const bool drop = wl_sync_says(f, ".arrive_drop"), tx = wl_sync_says(f, ".expect_tx");
  if (drop || wl_sync_says(f, ".arrive")) {
    return tx     ? (drop ? WL_REF_MBAR_DROP_TX : WL_REF_MBAR_ARRIVE_TX)
           : drop ? WL_REF_MBAR_DROP
                  : WL_REF_MBAR_ARRIVE;
  }
  return tx                                ? WL_REF_MBAR_EXPECT
         : wl_sync_says(f, ".complete_tx") ? WL_REF_MBAR_COMPLETE
                                           : WL_REF_MBAR_INIT;
}

/* An object in some phase. */
static bool prepared(uint64_t *state, uint32_t *w, wl_ref_mbar_t *m) {
  w[E] = 1 + up_to(state, MOST - 1);
  w[PHASES] = below(state, 3);
  w[TX] = below(state, 3) == 0 ? 0 : up_to(state, MOST);
  w[BEFORE] = up_to(state, w[E]);
  const bool negative = below(state, 2) != 0;
  bool ok = wl_ref_mbar(m, WL_REF_MBAR_INIT, w[E]);
  for (uint32_t i = 0; i < w[PHASES]; i++) {
    ok = ok && wl_ref_mbar(m, WL_REF_MBAR_ARRIVE, w[E]);
  }
  ok = ok && wl_ref_mbar(m, negative ? WL_REF_MBAR_COMPLETE : WL_REF_MBAR_EXPECT, w[TX]);
  ok = ok && wl_ref_mbar(m, WL_REF_MBAR_ARRIVE, w[BEFORE]);
  w[TX] = negative ? 0 - w[TX] : w[TX];
  return ok && m->phase == w[PHASES]; /* the last arrival may have ended it */
}

/* The operand; false: this object does not take it. */
static bool operated(const wl_sync_form_t *f, uint32_t fixed, uint64_t *state, uint32_t *w,
                     wl_ref_mbar_t *m) {
  const wl_ref_mbar_op_t op = operation(f);
  const uint64_t phase = m->phase;
  const bool arrives = op == WL_REF_MBAR_ARRIVE || op == WL_REF_MBAR_DROP;
  const uint32_t most = arrives ? (uint32_t)m->pending : MOST;
  w[N] = fixed != 0 ? fixed : up_to(state, most);
  w[N] = op == WL_REF_MBAR_INIT && w[N] == 0 ? 1 : w[N];
  w[GUARD] = below(state, 8) != 0;
  if (wl_sync_says(f, ".inval")) {
    w[N] = w[E];
  }
  if ((arrives && w[N] == 0) || (w[GUARD] != 0 && !wl_ref_mbar(m, op, w[N]))) {
    return false;
  }
  return m->expected != 0 && !(wl_sync_says(f, ".noComplete") && m->phase != phase);
}

void wl_sync_operands(const wl_sync_form_t *f, const wl_sync_variant_t *v, uint64_t *state,
                      uint32_t words[WL_SYNC_WORDS]) {
  const wl_sync_kind_t kind = wl_sync_kind(f);
  wl_ref_mbar_t m;
  for (unsigned i = 0; i < WL_SYNC_WORDS; i++) {
    words[i] = (uint32_t)wl_splitmix64(state);
  }
  for (unsigned i = 0; i < 6 && kind == WL_SYNC_BULK; i++) { /* w7 and w6 say how */
    static const uint32_t ends[] = {0,          1,          UINT32_MAX, 0x80000000,
                                    0x7fffffff, 0x00800000, 0x007fffff, 0x7f800000};
    words[i] = below(state, 2) != 0 ? words[i] : ends[below(state, 8)];
  }
  if (kind == WL_SYNC_BULK) {
    words[6] = below(state, 8) == 0 ? 0 : words[6] | 1;
  }
  if (kind == WL_SYNC_OPERATION) {
    do {
      memset(&m, 0, sizeof m);
    } while (!prepared(state, words, &m) || !operated(f, wl_sync_fixed(f, v), state, words, &m));
    words[FIX] = (uint32_t)-m.tx;
    words[REST] = m.pending == 0 ? 0 : (uint32_t)m.pending;
  } else if (kind == WL_SYNC_PENDING) {
    words[E] = 2 + up_to(state, MOST - 2);
    words[N] = 1 + up_to(state, words[E] - 2);
  } else if (kind == WL_SYNC_WAIT) {
    /* Without a limit only for what is over. N: the parity; BEFORE: the last arrival comes too. */
    const bool limit = v->optional && wl_sync_says(f, ".try_wait");
    const bool test = wl_sync_says(f, ".test_wait"), parity = wl_sync_says(f, ".parity");
    do {
      words[E] = 2 + up_to(state, MOST - 2);
      words[PHASES] = below(state, 4);
      words[BEFORE] = below(state, 2);
      words[N] = v->constant && parity ? v->which : below(state, 2);
    } while (!test && !limit &&
             (parity ? (words[PHASES] + words[BEFORE] + words[N]) % 2 == 0 : words[BEFORE] == 0));
    words[GUARD] = below(state, 8) != 0;
    words[REST] = 20 + below(state, 300); /* the limit */
  }
}
