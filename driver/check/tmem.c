/* tmem.c: what threads of a checked launch know of operations on tensor memory (tmem.h): fences, waits,
 * commits, and the pipelines of PTX 9.7.16.6.2. */
#include "driver/check/tmem.h"

#include <stdlib.h>
#include <string.h>

#include "driver/check/async.h"
#include "isa/obj/object.h"

typedef struct tmem_warp {
  async_history_t loads, stores; /* waits of the warp: operations below a number */
  uint32_t first;                /* number of its first operation: older ones were another warp's */
} tmem_warp_t;

/* ---- life */
check_tmem_t *check_tmem_open(const wl_device_t *d) {
  check_tmem_t *t = calloc(1, sizeof *t);
  if (t == NULL) {
    return NULL;
  }
  t->columns = d->config->tmem_columns;
  t->word = calloc((size_t)UMMA_LANES * t->columns + 1, sizeof *t->word);
  t->warp = calloc(d->config->warps, sizeof *t->warp);
  if (t->word == NULL || t->warp == NULL) {
    check_tmem_close(t);
    return NULL;
  }
  return t;
}

void check_tmem_close(check_tmem_t *t) {
  if (t != NULL) {
    free(t->word);
    free(t->warp);
    free(t->mark);
    free(t);
  }
}

void check_tmem_prepare(wl_check_t *c, const func_sm_t *sm) {
  check_tmem_t *t = c->tmem;
  const wl_obj_t *o = c->async->obj;
  free(t->mark);
  t->marks = sm->code_words;
  t->mark = calloc((size_t)t->marks + 1, 1);
  t->ordered = t->mark != NULL && c->async->used && o->mark_count != 0 && t->columns != 0;
  for (uint32_t k = 0; t->ordered && k < o->mark_count; k++) {
    if (o->marks[k].insn < t->marks) {
      t->mark[o->marks[k].insn] |= (uint8_t)(1u << o->marks[k].kind);
    }
  }
  memset(&t->last, 0, sizeof t->last);
  t->ops = 0; /* words have numbers of this launch only: they are renewed when they are allocated */
}

/* What the slot's last warp has done is over and known. */
void check_tmem_start(wl_check_t *c, const func_warp_t *w) {
  check_tmem_t *t = c->tmem;
  tmem_warp_t *own = &t->warp[w->slot];
  own->first = t->ops + 1;
  async_all_passed(&own->loads, own->first);
  async_all_passed(&own->stores, own->first);
  for (uint32_t lane = 0; lane < WL_LANES; lane++) {
    async_thread_t *a = &c->async->thread[w->slot * WL_LANES + lane];
    async_all_passed(&a->before, own->first);
    a->commits = 0;
    a->after = 0;
    memset(&a->last, 0, sizeof a->last);
  }
}

/* ---- waits and fences */
void check_tmem_loaded(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w) {
  async_passed(&c->tmem->warp[w->slot].loads, c->tmem->ops + 1, sm->clock);
}

void check_tmem_marks(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                      uint32_t lanes) {
  check_tmem_t *t = c->tmem;
  const uint32_t marks = t->ordered ? t->mark[pc] : 0;
  if (marks == 0 || lanes == 0) {
    return;
  }
  if ((marks >> WL_OBJ_MARK_STORED & 1) != 0) {
    async_passed(&t->warp[w->slot].stores, t->ops + 1, sm->clock);
  }
  for (uint32_t m = lanes; m != 0; m &= m - 1) {
    async_thread_t *a = &c->async->thread[w->slot * WL_LANES + func_lowest(m)];
    if ((marks >> WL_OBJ_MARK_BEFORE & 1) != 0) {
      async_passed(&a->before, t->ops + 1, sm->clock);
    }
    if ((marks >> WL_OBJ_MARK_AFTER & 1) != 0) {
      a->after = a->learnt;
      a->acquired = a->learnt;
    }
  }
}

/* ---- operations */
static void note_last(tmem_last_t *l, tmem_kind_t kind, uint32_t number) {
  if (kind == TMEM_MMA) {
    l->mma = number;
  } else if (kind == TMEM_SHIFT) {
    l->mma_before_shift = l->mma;
    l->shift = number;
  }
}

tmem_touch_t tmem_begin(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                        uint32_t lane, tmem_kind_t kind, uint32_t class) {
  check_tmem_t *t = c->tmem;
  tmem_touch_t u = {.check = c, .sm = sm, .warp = w, .pc = pc, .lane = lane};
  const bool access = kind == TMEM_LD || kind == TMEM_ST;
  if (t->ordered && kind != TMEM_NONE) {
    const uint32_t thread = w->slot * WL_LANES + (access ? 0 : lane);
    u.number = ++t->ops;
    t->op[u.number % TMEM_OPS] = (tmem_op_t){kind, thread, class, sm->clock};
    note_last(&c->async->thread[thread].last, kind, u.number);
    note_last(&t->last, kind, u.number);
  }
  return u;
}

/* A new number is the last one of its thread already: the pipelines look at those before it. */
static bool pipelined(const tmem_last_t *l, const tmem_op_t *x, uint32_t number,
                      const tmem_op_t *y) {
  switch (y->kind) {
  case TMEM_MMA:
    return x->kind == TMEM_CP || x->kind == TMEM_CP4 || x->kind == TMEM_SHIFT ||
           (x->kind == TMEM_MMA && (x->class == y->class || number < l->shift));
  case TMEM_SHIFT:
    return x->kind == TMEM_MMA ||
           ((x->kind == TMEM_CP || x->kind == TMEM_CP4 || x->kind == TMEM_SHIFT) &&
            number < l->mma);
  case TMEM_CP4:
    return x->kind == TMEM_SHIFT || (x->kind == TMEM_MMA && number < l->shift) ||
           ((x->kind == TMEM_CP || x->kind == TMEM_CP4) && number < l->mma_before_shift);
  default:
    return false;
  }
}

/* What the lane knows; of a load or a store what any thread of its warp knows. */
typedef struct knows {
  uint64_t learnt, acquired, after;
} knows_t;

static uint64_t most(uint64_t a, uint64_t b) { return a > b ? a : b; }

static knows_t knows(const tmem_touch_t *u, bool together) {
  const async_thread_t *a = &u->check->async->thread[u->warp->slot * WL_LANES];
  const uint32_t first = together ? 0 : u->lane, last = together ? WL_LANES - 1 : u->lane;
  knows_t k = {0, 0, 0};
  for (uint32_t lane = first; lane <= last; lane++) {
    k.learnt = most(k.learnt, a[lane].learnt);
    k.acquired = most(k.acquired, a[lane].acquired);
    k.after = most(k.after, a[lane].after);
  }
  return k;
}

/* When a command's end was first seen by a thread: ASYNC_NEVER, not yet. Commits that are no longer kept may
 * have told it. */
static uint64_t command_over(const check_async_t *a, uint32_t thread, uint32_t number) {
  const async_thread_t *t = &a->thread[thread];
  const uint32_t kept = t->commits < ASYNC_KEPT ? t->commits : ASYNC_KEPT;
  uint64_t first = ASYNC_NEVER;
  if (t->commits > kept && t->commit[t->commits % ASYNC_KEPT].upto > number) {
    return 0;
  }
  for (uint32_t n = 0; n < kept; n++) {
    const async_end_t *end = &t->commit[n].end;
    const uint64_t seen = t->commit[n].upto > number
                              ? async_first(&a->mbar[end->who].seen, end->number)
                              : ASYNC_NEVER;
    first = seen < first ? seen : first;
  }
  return first;
}

static uint64_t over(const wl_check_t *c, const tmem_op_t *x, uint32_t number) {
  const tmem_warp_t *w = &c->tmem->warp[x->thread / WL_LANES];
  if (number < w->first) {
    return 0;
  }
  return x->kind == TMEM_LD   ? async_first(&w->loads, number)
         : x->kind == TMEM_ST ? async_first(&w->stores, number)
                              : command_over(c->async, x->thread, number);
}

bool check_tmem_known(const check_async_t *a, const async_end_t *end, uint32_t thread) {
  const bool old = end->number < a->tmem->warp[end->who / WL_LANES].first;
  const uint64_t first = old ? 0 : command_over(a, end->who, end->number);
  return first != ASYNC_NEVER && a->thread[thread].learnt >= first;
}

static bool is_access(const tmem_op_t *x) { return x->kind == TMEM_LD || x->kind == TMEM_ST; }

/* NULL: there is none, or it is too old. */
static const tmem_op_t *kept(const check_tmem_t *t, uint32_t number) {
  return number == 0 || t->ops - number >= TMEM_OPS ? NULL : &t->op[number % TMEM_OPS];
}

/* When a thread that had issued the operation first fenced it: ASYNC_NEVER, not yet. */
static uint64_t fenced(const wl_check_t *c, const tmem_op_t *x, uint32_t number) {
  uint64_t first = ASYNC_NEVER;
  for (uint32_t n = 0; n < (is_access(x) ? WL_LANES : 1u); n++) {
    const uint64_t at = async_first(&c->async->thread[x->thread + n].before, number);
    first = at < first ? at : first;
  }
  return first;
}

tmem_verdict_t tmem_before(const tmem_touch_t *u, uint32_t number) {
  const wl_check_t *c = u->check;
  const check_tmem_t *t = c->tmem;
  const tmem_op_t *x = kept(t, number), *y = kept(t, u->number);
  if (x == NULL || y == NULL) {
    return TMEM_IN_ORDER;
  }
  const bool own = x->thread == y->thread && !is_access(x) && !is_access(y);
  const bool own_warp = is_access(x) && x->thread / WL_LANES == u->warp->slot;
  const knows_t k = knows(u, is_access(y));
  const uint64_t first = over(c, x, number);
  const uint64_t before = fenced(c, x, number);
  const bool piped = pipelined(own ? &c->async->thread[y->thread].last : &t->last, x, number, y);
  if (first != ASYNC_NEVER && (own_warp || k.acquired >= first)) {
    return TMEM_IN_ORDER;
  }
  if (piped && (own || (before != ASYNC_NEVER && k.after >= before))) {
    return TMEM_IN_ORDER;
  }
  const bool ended = first != ASYNC_NEVER && k.learnt >= first;
  return ended || (piped && k.learnt >= x->time) ? TMEM_NO_FENCE : TMEM_NO_WAIT;
}

/* Deallocation is synchronous: operations of its own warp come before it, those of others before their fence. */
tmem_verdict_t tmem_before_free(const tmem_touch_t *u, uint32_t number) {
  const wl_check_t *c = u->check;
  const tmem_op_t *x = kept(c->tmem, number);
  if (x == NULL || x->thread / WL_LANES == u->warp->slot) {
    return TMEM_IN_ORDER;
  }
  const uint64_t first = over(c, x, number), learnt = knows(u, true).learnt;
  const uint64_t before = fenced(c, x, number);
  const bool known =
      (first != ASYNC_NEVER && learnt >= first) || (before != ASYNC_NEVER && learnt >= before);
  return known ? TMEM_IN_ORDER : TMEM_NO_WAIT;
}
