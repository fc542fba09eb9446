/* mbarrier.c: mbarriers and the barrier of a cluster of one CTA [PTX 9.7.13.3, 9.7.13.15]. An
 * object's bits are the oracle's own: a number whose digits are the parts of its state, and a mark
 * that it is one. Threads that try_wait really wait, for some turns at most. */
#include <string.h>

#include "tests/common/mbarrier_reference.h"
#include "tests/oracle/run.h"

#define COUNTS (UINT64_C(1) << 20)
#define LIVE   (UINT64_C(2) << 62)

enum { TIME_OUTS = 20000 }; /* of each thread */

static uint64_t packed(const wl_ref_mbar_t *m) {
  uint64_t word = m->phase % 2 * COUNTS + (uint64_t)m->expected;
  word = word * COUNTS + (uint64_t)m->pending;
  return LIVE | (word * 2 * COUNTS + (uint64_t)(m->tx + (int64_t)COUNTS));
}

static wl_ref_mbar_t unpacked(uint64_t word) {
  wl_ref_mbar_t m;
  word &= ~(UINT64_C(3) << 62);
  m.tx = (int64_t)(word % (2 * COUNTS)) - (int64_t)COUNTS;
  word /= 2 * COUNTS;
  m.pending = (int64_t)(word % COUNTS);
  m.expected = (int64_t)(word / COUNTS % COUNTS);
  m.phase = word / COUNTS / COUNTS;
  return m;
}

static bool is_live(uint64_t word) { return (word & UINT64_C(3) << 62) == LIVE; }

/* The object's bytes; NULL with an error. */
static uint8_t *bytes_of(const wl_or_ctx_t *x) {
  const wl_or_insn_t *n = x->insn;
  const wl_or_cta_t *cta = x->cta;
  uint64_t address = wl_or_source(x, &n->s[0]);
  bool global = false;
  address += n->scale != 0
                 ? ((wl_or_source(x, &n->index) + (uint64_t)n->offset) * n->scale & UINT32_MAX)
                 : (uint64_t)n->offset;
  uint8_t *p = wl_or_pointer(x, (wl_or_space_t)n->space, address, 8, true, &global);
  if (p != NULL && (p < cta->shared || p >= cta->shared + cta->shared_bytes)) {
    (void)wl_or_fail(x, "an mbarrier outside of shared memory");
    return NULL;
  }
  return p;
}

/* ---- operations */
static bool change(const wl_or_ctx_t *x, uint64_t *word) {
  static const struct {
    uint8_t sub;
    wl_ref_mbar_op_t op;
  } ops[] = {{OR_M_INIT, WL_REF_MBAR_INIT},         {OR_M_ARRIVE, WL_REF_MBAR_ARRIVE},
             {OR_M_DROP, WL_REF_MBAR_DROP},         {OR_M_EXPECT, WL_REF_MBAR_EXPECT},
             {OR_M_COMPLETE, WL_REF_MBAR_COMPLETE}, {OR_M_ARRIVE_TX, WL_REF_MBAR_ARRIVE_TX},
             {OR_M_DROP_TX, WL_REF_MBAR_DROP_TX}};
  const uint32_t count = (uint32_t)wl_or_source(x, &x->insn->s[1]);
  wl_ref_mbar_t m = unpacked(*word);
  for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
    if (ops[i].sub == x->insn->sub && !wl_ref_mbar(&m, ops[i].op, count)) {
      return wl_or_fail(x, "count %u is out of its range", (unsigned)count);
    }
  }
  *word = x->insn->sub == OR_M_INVAL ? 0 : packed(&m);
  return true;
}

/* The object of an instruction, which must be one now. */
static uint8_t *live_bytes(const wl_or_ctx_t *x) {
  uint8_t *p = bytes_of(x);
  uint64_t word = 0;
  if (p == NULL) {
    return NULL;
  }
  memcpy(&word, p, sizeof word);
  if (!is_live(word)) {
    (void)wl_or_fail(x, "no mbarrier at this address");
    return NULL;
  }
  return p;
}

bool wl_or_mbarrier(const wl_or_ctx_t *x) {
  uint64_t word = 0, old;
  uint8_t *p = x->insn->sub == OR_M_INIT ? bytes_of(x) : live_bytes(x);
  if (p == NULL) {
    return false;
  }
  memcpy(&word, p, sizeof word);
  old = word;
  if (!change(x, &word)) {
    return false;
  }
  memcpy(p, &word, sizeof word);
  wl_or_put(x->thread, x->insn->d[0], old);
  x->grid->time_outs = 0;
  return true;
}

/* ---- arrivals behind copies [PTX 9.7.13.15.15], ends of bulk copies */
uint8_t *wl_or_mbarrier_object(const wl_or_ctx_t *x) { return live_bytes(x); }

bool wl_or_mbarrier_expect_one(const wl_or_ctx_t *x, uint8_t *object) {
  uint64_t word = 0;
  memcpy(&word, object, sizeof word);
  wl_ref_mbar_t m = unpacked(word);
  if (++m.pending > WL_REF_MBAR_MOST) {
    return wl_or_fail(x, "%u arrivals are pending", (unsigned)m.pending);
  }
  word = packed(&m);
  memcpy(object, &word, sizeof word);
  return true;
}

/* What no thread does itself. */
static bool change_later(const wl_or_ctx_t *x, uint8_t *object, wl_ref_mbar_op_t op, uint32_t n,
                         const char *wrong) {
  uint64_t word = 0;
  memcpy(&word, object, sizeof word);
  wl_ref_mbar_t m = unpacked(word);
  if (!is_live(word) || !wl_ref_mbar(&m, op, n)) {
    return wl_or_fail(x, "%s", is_live(word) ? wrong : "no mbarrier here");
  }
  word = packed(&m);
  memcpy(object, &word, sizeof word);
  x->grid->time_outs = 0;
  return true;
}

bool wl_or_mbarrier_arrive(const wl_or_ctx_t *x, uint8_t *object) {
  return change_later(x, object, WL_REF_MBAR_ARRIVE, 1, "an arrival that nothing waits for");
}

bool wl_or_mbarrier_complete(const wl_or_ctx_t *x, uint8_t *object, uint32_t bytes) {
  return change_later(x, object, WL_REF_MBAR_COMPLETE, bytes, "more bytes than an mbarrier counts");
}

bool wl_or_mbarrier_pending(const wl_or_ctx_t *x) {
  const uint64_t state = wl_or_source(x, &x->insn->s[1]);
  if (!is_live(state)) {
    return wl_or_fail(x, "not a state of an mbarrier");
  }
  wl_or_put(x->thread, x->insn->d[0], (uint64_t)unpacked(state).pending);
  return true;
}

/* ---- waits */
static bool is_over(const wl_or_ctx_t *x, bool *over) {
  const bool parity = x->insn->sub == OR_M_TEST_PARITY || x->insn->sub == OR_M_TRY_PARITY;
  uint64_t word = 0, asked = wl_or_source(x, &x->insn->s[1]);
  uint8_t *p = bytes_of(x);
  if (p == NULL) {
    return false;
  }
  memcpy(&word, p, sizeof word);
  if (!is_live(word) || (!parity && !is_live(asked))) {
    return wl_or_fail(x, is_live(word) ? "not a state of an mbarrier" : "no mbarrier here");
  }
  const wl_ref_mbar_t m = unpacked(word);
  *over = wl_ref_mbar_over(&m, (unsigned)(parity ? asked & 1 : unpacked(asked).phase));
  return true;
}

bool wl_or_mbarrier_wait(const wl_or_ctx_t *x) {
  const bool waits = x->insn->sub == OR_M_TRY || x->insn->sub == OR_M_TRY_PARITY;
  wl_or_thread_t *t = x->thread;
  bool over = false;
  if (!is_over(x, &over)) {
    return false;
  }
  if (waits && !over) {
    t->wait = x->insn;
    t->state = OR_AT_MBARRIER;
    t->patience = 16;
    if (x->grid->launch->seed != 0) { /* any time: no result may hang on it */
      t->patience = 1 + (uint32_t)(x->grid->instructions * UINT64_C(0x9e3779b97f4a7c15) >> 59);
    }
    return true;
  }
  wl_or_put(t, x->insn->d[0], over);
  return true;
}

/* After each turn of the CTA: who waits no longer. */
bool wl_or_settle_waits(wl_or_grid_t *g, wl_or_cta_t *cta, bool *progress) {
  for (uint32_t i = 0; i < cta->nthreads; i++) {
    wl_or_thread_t *t = &cta->threads[i];
    const wl_or_ctx_t x = {g, cta, t, t->wait};
    bool over = false;
    if (t->state != OR_AT_MBARRIER) {
      continue;
    }
    *progress = true;
    if (!is_over(&x, &over)) {
      return false;
    }
    if (over || t->patience-- == 0) {
      g->time_outs += over ? 0 : 1;
      t->state = OR_READY;
      wl_or_put(t, t->wait->d[0], over);
    }
    if (g->time_outs > TIME_OUTS * cta->alive) {
      return wl_or_fail(&x, "waits for a phase that nothing ends");
    }
  }
  return true;
}

/* ---- the barrier of the cluster */
void wl_or_check_cluster(wl_or_cta_t *cta) {
  bool complete = true;
  for (uint32_t i = 0; i < cta->nthreads; i++) {
    const wl_or_thread_t *t = &cta->threads[i];
    complete = complete && (t->state == OR_DONE || t->cluster_arrivals > cta->cluster_phase);
  }
  cta->cluster_phase += complete ? 1 : 0;
  for (uint32_t i = 0; i < cta->nthreads; i++) {
    wl_or_thread_t *t = &cta->threads[i];
    if (t->state == OR_AT_CLUSTER && t->cluster_arrivals <= cta->cluster_phase) {
      t->state = OR_READY;
    }
  }
}

bool wl_or_cluster(const wl_or_ctx_t *x) {
  wl_or_thread_t *t = x->thread;
  const bool arrives = x->insn->sub == OR_B_ARRIVE;
  if (arrives != (t->cluster_arrivals == t->cluster_waits)) {
    return wl_or_fail(x, arrives ? "a second arrival without a wait" : "a wait without an arrival");
  }
  if (arrives) {
    t->cluster_arrivals++;
  } else {
    t->cluster_waits++;
    t->wait = x->insn;
    t->state = OR_AT_CLUSTER;
  }
  wl_or_check_cluster(x->cta);
  return true;
}
