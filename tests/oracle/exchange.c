/* exchange.c: where lanes of a warp meet [PTX 9.7.9.6, 9.7.13.9-9.7.13.14]: shfl, vote, match,
 * redux, elect and bar.warp.sync with .sync; where all of them come to a matrix instruction (matrix.c). Lanes named by the mask meet at whatever instruction,
 * if operation and mask agree; lanes that have left count as met. activemask has no mask to wait
 * for: it takes the lanes of the warp that stand at the same instruction when no other lane of the
 * warp can run, or has not come for some turns; PTX allows any answer that convergence allows. */
#include "tests/oracle/run.h"

static wl_or_thread_t *lane_of(wl_or_cta_t *cta, uint32_t warp, uint32_t lane) {
  return &cta->threads[warp * OR_LANES + lane];
}

uint32_t wl_or_lanes(const wl_or_cta_t *cta, uint32_t warp, bool alive_only) {
  uint32_t mask = 0;
  for (uint32_t lane = 0; lane < OR_LANES; lane++) {
    uint32_t number = warp * OR_LANES + lane;
    if (number < cta->nthreads && !(alive_only && cta->threads[number].state == OR_DONE)) {
      mask |= UINT32_C(1) << lane;
    }
  }
  return mask;
}

static bool has(uint32_t mask, uint32_t lane) { return (mask >> lane & 1) != 0; }

static bool same_operation(const wl_or_thread_t *a, const wl_or_thread_t *b) {
  return a->wait->op == b->wait->op && a->wait->sub == b->wait->sub &&
         a->wait->bits == b->wait->bits && a->wait->sgn == b->wait->sgn &&
         a->wait->flt == b->wait->flt && a->wait->abs == b->wait->abs && a->wait->nan == b->wait->nan &&
         a->value[0] == b->value[0];
}

typedef struct group {
  wl_or_cta_t *cta;
  uint32_t warp, members;
  uint64_t absent;          /* read from a lane that takes no part: undefined in PTX */
  uint64_t value[OR_LANES]; /* the exchanged one */
  uint64_t result[OR_LANES];
  bool pred[OR_LANES];
} group_t;

static void shuffle(group_t *g, uint32_t lane) {
  const wl_or_thread_t *t = lane_of(g->cta, g->warp, lane);
  int b = (int)(t->value[2] & 31), me = (int)lane, from = me;
  int clamp = (int)(t->value[3] & 31), segment = (int)(t->value[3] >> 8 & 31);
  int last = (me & segment) | (clamp & ~segment & 31), first = me & segment;
  bool ok;
  switch (t->wait->sub) {
  case OR_W_UP:
    from = me - b;
    ok = from >= last;
    break;
  case OR_W_DOWN:
    from = me + b;
    ok = from <= last;
    break;
  case OR_W_BFLY:
    from = me ^ b;
    ok = from <= last;
    break;
  default:
    from = first | (b & ~segment & 31);
    ok = from <= last;
    break;
  }
  g->pred[lane] = ok;
  g->result[lane] = !ok                               ? g->value[lane]
                    : has(g->members, (uint32_t)from) ? g->value[from]
                                                      : g->absent;
}

static uint32_t equal_to(const group_t *g, uint64_t value) {
  uint32_t mask = 0;
  for (uint32_t lane = 0; lane < OR_LANES; lane++) {
    mask |= has(g->members, lane) && g->value[lane] == value ? UINT32_C(1) << lane : 0;
  }
  return mask;
}

/* redux of f32: the first value with itself, which makes the canonical NaN of one. */
static uint64_t fold_f32(const group_t *g, const wl_or_insn_t *n) {
  uint32_t r = 0, mask = n->abs ? INT32_MAX : UINT32_MAX;
  bool first = true;
  for (uint32_t lane = 0; lane < OR_LANES; lane++) {
    if (has(g->members, lane)) {
      uint32_t v = (uint32_t)g->value[lane] & mask;
      r = wl_or_f32_minmax(first ? v : r, v, n->sub == OR_W_MAX, false, n->nan, false);
      first = false;
    }
  }
  return r;
}

static uint64_t fold(const group_t *g, const wl_or_insn_t *n) {
  if (n->flt) {
    return fold_f32(g, n);
  }
  uint64_t r = 0;
  bool first = true;
  for (uint32_t lane = 0; lane < OR_LANES; lane++) {
    if (!has(g->members, lane)) {
      continue;
    }
    uint64_t v = g->value[lane];
    bool less = n->sgn ? (int32_t)(uint32_t)v < (int32_t)(uint32_t)r : v < r;
    switch (n->sub) {
    case OR_W_ADD:
      r += v;
      break;
    case OR_W_MIN:
      r = first || less ? v : r;
      break;
    case OR_W_MAX:
      r = first || !less ? v : r;
      break;
    case OR_W_AND:
      r = first ? v : r & v;
      break;
    case OR_W_OR:
      r |= v;
      break;
    default:
      r ^= v;
      break;
    }
    first = false;
  }
  return r;
}

static uint32_t lowest(uint32_t mask) {
  uint32_t lane = 0;
  while (!has(mask, lane)) {
    lane++;
  }
  return lane;
}

static void combine(group_t *g, const wl_or_insn_t *n, uint32_t lane) {
  uint32_t ones = equal_to(g, 1), leader = lowest(g->members);
  uint64_t *r = &g->result[lane];
  switch (n->sub) {
  case OR_W_SYNC:
    break;
  case OR_W_UP:
  case OR_W_DOWN:
  case OR_W_BFLY:
  case OR_W_IDX:
    shuffle(g, lane);
    break;
  case OR_W_ALL:
    *r = ones == g->members;
    break;
  case OR_W_ANY:
    *r = ones != 0;
    break;
  case OR_W_UNI:
    *r = ones == g->members || ones == 0;
    break;
  case OR_W_BALLOT:
    *r = ones;
    break;
  case OR_W_MATCH_ANY:
    *r = equal_to(g, g->value[lane]);
    break;
  case OR_W_MATCH_ALL:
    g->pred[lane] = equal_to(g, g->value[lane]) == g->members;
    *r = g->pred[lane] ? g->members : 0;
    break;
  case OR_W_ELECT:
    *r = leader;
    g->pred[lane] = lane == leader;
    break;
  default:
    *r = fold(g, n);
    break;
  }
}

static void perform(const wl_or_grid_t *grid, wl_or_cta_t *cta, uint32_t warp, uint32_t members) {
  group_t g = {.cta = cta, .warp = warp, .members = members};
  g.absent = (grid->pattern ^ UINT64_C(0xb1a5edb1)) & UINT32_MAX;
  for (uint32_t lane = 0; lane < OR_LANES; lane++) {
    if (has(members, lane)) {
      g.value[lane] = lane_of(cta, warp, lane)->value[1];
    }
  }
  for (uint32_t lane = 0; lane < OR_LANES; lane++) {
    if (has(members, lane)) {
      combine(&g, lane_of(cta, warp, lane)->wait, lane);
    }
  }
  for (uint32_t lane = 0; lane < OR_LANES; lane++) {
    if (has(members, lane)) {
      wl_or_thread_t *t = lane_of(cta, warp, lane);
      wl_or_put(t, t->wait->d[0], g.result[lane]);
      wl_or_put(t, t->wait->p, g.pred[lane]);
      t->state = OR_READY;
    }
  }
}

/* The lanes that this one waits for have all come. */
static bool complete(wl_or_cta_t *cta, uint32_t warp, uint32_t lane, uint32_t *members) {
  const wl_or_thread_t *t = lane_of(cta, warp, lane);
  *members = (uint32_t)t->value[0] & wl_or_lanes(cta, warp, true);
  for (uint32_t other = 0; other < OR_LANES; other++) {
    if (has(*members, other)) {
      const wl_or_thread_t *o = lane_of(cta, warp, other);
      if (o->state != OR_AT_EXCHANGE || !same_operation(t, o)) {
        return false;
      }
    }
  }
  return true;
}

static bool is_matrix(const wl_or_insn_t *n) { return n->op >= OR_LDMATRIX && n->op <= OR_MMA; }

/* All lanes stand at the same one [PTX: .aligned]. */
static bool gathered(const wl_or_cta_t *cta, uint32_t warp) {
  const wl_or_thread_t *t = &cta->threads[warp * OR_LANES];
  for (uint32_t lane = 0; lane < OR_LANES; lane++) {
    if (t[lane].state != OR_AT_EXCHANGE || t[lane].wait != t->wait || t[lane].depth != t->depth) {
      return false;
    }
  }
  return is_matrix(t->wait);
}

bool wl_or_check_warp(wl_or_grid_t *g, wl_or_cta_t *cta, uint32_t warp) {
  if ((warp + 1) * OR_LANES <= cta->nthreads && gathered(cta, warp)) {
    return wl_or_matrix(g, cta, warp);
  }
  for (uint32_t lane = 0; lane < OR_LANES && warp * OR_LANES + lane < cta->nthreads; lane++) {
    uint32_t members;
    const wl_or_thread_t *t = lane_of(cta, warp, lane);
    if (t->state == OR_AT_EXCHANGE && !is_matrix(t->wait) && complete(cta, warp, lane, &members)) {
      perform(g, cta, warp, members);
    }
  }
  return true;
}

bool wl_or_meet(const wl_or_ctx_t *x) {
  wl_or_thread_t *t = x->thread;
  const uint32_t warp = t->number / OR_LANES;
  if (is_matrix(x->insn) && wl_or_lanes(x->cta, warp, true) != UINT32_MAX) {
    return wl_or_fail(x, "a lane of the warp has exited, or never was");
  }
  if (!is_matrix(x->insn) && !has((uint32_t)t->value[0], t->number % OR_LANES)) {
    return wl_or_fail(x, "the lane is not in its mask 0x%x", (unsigned)t->value[0]);
  }
  t->state = OR_AT_EXCHANGE;
  return wl_or_check_warp(x->grid, x->cta, warp);
}

/* ---- activemask ---- */
static void release_active(wl_or_cta_t *cta, uint32_t warp, uint32_t lane) {
  wl_or_thread_t *t = lane_of(cta, warp, lane);
  uint32_t mask = 0;
  for (uint32_t pass = 0; pass < 2; pass++) {
    for (uint32_t i = 0; i < OR_LANES && warp * OR_LANES + i < cta->nthreads; i++) {
      wl_or_thread_t *o = lane_of(cta, warp, i);
      bool in = pass == 0 ? o->state == OR_AT_ACTIVE && o->wait == t->wait && o->depth == t->depth
                          : has(mask, i);
      if (in && pass == 0) {
        mask |= UINT32_C(1) << i;
      } else if (in) {
        wl_or_put(o, o->wait->d[0], mask);
        o->state = OR_READY;
      }
    }
  }
}

void wl_or_settle_active(wl_or_cta_t *cta, bool *released) {
  for (uint32_t warp = 0; warp * OR_LANES < cta->nthreads; warp++) {
    bool running = false, patient = true;
    for (uint32_t i = warp * OR_LANES; i < (warp + 1) * OR_LANES && i < cta->nthreads; i++) {
      wl_or_thread_t *t = &cta->threads[i];
      running = running || t->state == OR_READY;
      patient = patient && (t->state != OR_AT_ACTIVE || t->patience-- != 0);
    }
    for (uint32_t lane = 0; lane < OR_LANES && (!running || !patient); lane++) {
      if (warp * OR_LANES + lane < cta->nthreads &&
          lane_of(cta, warp, lane)->state == OR_AT_ACTIVE) {
        release_active(cta, warp, lane);
        *released = true;
      }
    }
  }
}
