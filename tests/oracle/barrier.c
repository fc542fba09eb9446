/* barrier.c: the 16 barriers of a CTA [PTX 9.7.13.1]. Arrivals count by whole warps: a warp has
 * arrived when all of its threads that have not left have. Aligned and unaligned forms are alike
 * here, for threads run one by one. */
#include "tests/oracle/run.h"

static uint32_t warps(const wl_or_cta_t *cta) { return (cta->nthreads + OR_LANES - 1) / OR_LANES; }

static bool complete(const wl_or_cta_t *cta, const wl_or_barrier_t *b) {
  uint32_t arrived = 0;
  bool all = true;
  for (uint32_t w = 0; w < warps(cta); w++) {
    bool missing = (wl_or_lanes(cta, w, true) & ~b->arrived[w]) != 0;
    arrived += b->arrived[w] != 0 && !missing ? OR_LANES : 0;
    all = all && !missing;
  }
  return b->expected == 0 ? all : arrived >= b->expected;
}

static void release(wl_or_cta_t *cta, uint32_t index) {
  wl_or_barrier_t b = cta->barrier[index];
  cta->barrier[index] = (wl_or_barrier_t){.used = false};
  for (uint32_t i = 0; i < cta->nthreads; i++) {
    wl_or_thread_t *t = &cta->threads[i];
    if (t->state != OR_AT_BARRIER || t->value[0] != index) {
      continue;
    }
    t->state = OR_READY;
    switch (t->wait->sub) {
    case OR_B_POPC:
      wl_or_put(t, t->wait->d[0], b.popc);
      break;
    case OR_B_AND:
      wl_or_put(t, t->wait->d[0], b.all);
      break;
    case OR_B_OR:
      wl_or_put(t, t->wait->d[0], b.any);
      break;
    default:
      break;
    }
  }
}

bool wl_or_check_barriers(wl_or_grid_t *g, wl_or_cta_t *cta) {
  (void)g;
  for (uint32_t i = 0; i < OR_BARRIERS; i++) {
    if (cta->barrier[i].used && complete(cta, &cta->barrier[i])) {
      release(cta, i);
    }
  }
  return true;
}

static bool check_arrival(const wl_or_ctx_t *x, const wl_or_barrier_t *b, uint32_t expected,
                          uint32_t bit) {
  const wl_or_thread_t *t = x->thread;
  if (x->insn->n != 0 && (expected == 0 || expected % OR_LANES != 0)) {
    return wl_or_fail(x, "thread count %u", expected);
  }
  if (b->used && b->expected != expected) {
    return wl_or_fail(x, "thread count %u where others say %u", expected, b->expected);
  }
  if ((b->arrived[t->number / OR_LANES] & bit) != 0) {
    return wl_or_fail(x, "arrives twice before the barrier completes");
  }
  return true;
}

bool wl_or_arrive(const wl_or_ctx_t *x) {
  wl_or_thread_t *t = x->thread;
  if (t->value[0] >= OR_BARRIERS) {
    return wl_or_fail(x, "no such barrier");
  }
  wl_or_barrier_t *b = &x->cta->barrier[t->value[0]];
  uint32_t expected = x->insn->n != 0 ? (uint32_t)t->value[1] : 0;
  uint32_t bit = UINT32_C(1) << t->number % OR_LANES;
  if (!check_arrival(x, b, expected, bit)) {
    return false;
  }
  if (!b->used) {
    *b = (wl_or_barrier_t){.used = true, .expected = expected, .all = 1};
  }
  b->arrived[t->number / OR_LANES] |= bit;
  if (x->insn->sub != OR_B_ARRIVE) {
    t->state = OR_AT_BARRIER;
    uint32_t c = t->value[2] != 0 ? 1 : 0;
    b->popc += c;
    b->all &= c;
    b->any |= c;
  }
  if (complete(x->cta, b)) {
    release(x->cta, (uint32_t)t->value[0]);
  }
  return true;
}

bool wl_or_left(wl_or_grid_t *g, wl_or_cta_t *cta, wl_or_thread_t *t) {
  cta->alive--;
  wl_or_check_cluster(cta);
  return wl_or_check_warp(g, cta, t->number / OR_LANES) && wl_or_check_barriers(g, cta);
}
