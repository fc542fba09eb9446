/* async.c: see async.h. What happens in a cycle (waits, wake-ups, commits, phases) is looked at in the
 * next one, in which it is visible, together with the copies' state. */
#include "driver/trace/async.h"

#include <string.h>

#include "gen/wl_insn.h"

const char *const wl_step_names[WL_STEPS] = {
    [WL_STEP_NONE] = "none",   [WL_STEP_WALK] = "walk",   [WL_STEP_READ] = "read",
    [WL_STEP_DRAIN] = "drain", [WL_STEP_TELL] = "tell",   [WL_STEP_TOLD] = "told",
    [WL_STEP_ACK] = "ack",     [WL_STEP_WRITE] = "write", [WL_STEP_END] = "end",
};

const char *wl_span_name(const wl_span_t *s) {
  static const char *const waits[] = {[WL_ON_MBARRIER] = "wait mbarrier",
                                      [WL_ON_CLUSTER] = "wait cluster",
                                      [WL_ON_CPASYNC] = "wait cp.async",
                                      [WL_ON_BULK] = "wait bulk",
                                      [WL_ON_COLUMNS] = "wait columns"};
  switch (s->what) {
  case WL_SPAN_WAIT:
    return waits[s->kind];
  case WL_SPAN_BULK:
    return s->kind == WL_MEM_KIND_BLOAD    ? "bulk load"
           : s->kind == WL_MEM_KIND_BSTORE ? "bulk store"
                                           : "bulk reduction";
  case WL_SPAN_CPASYNC:
    return s->kind == WL_MEM_KIND_CPASYNC ? "cp.async" : "cp.async arrival";
  case WL_SPAN_GROUP:
    return s->kind != 0 ? "group of bulk copies" : "group of cp.async";
  default:
    return "phase";
  }
}

typedef struct tell {
  wl_span_fn_t fn;
  void *context;
} tell_t;

void wl_async_begin(wl_async_t *a, const wl_config_t *config) {
  memset(a, 0, sizeof *a);
  a->config = config;
}

/* ---- a span */
static void open_span(wl_span_t *s, uint64_t happened, unsigned step, const tell_t *t) {
  s->from = happened;
  s->steps = 1;
  s->step[0] = (uint8_t)step;
  t->fn(t->context, WL_SPAN_OPENS, s);
}

static void close_span(wl_span_t *s, uint64_t happened, const tell_t *t) {
  s->to[s->steps - 1] = happened;
  t->fn(t->context, WL_SPAN_CLOSES, s);
  s->steps = 0;
}

static void tell_once(wl_span_t s, uint64_t from, uint64_t to, const tell_t *t) {
  s.from = from;
  s.steps = 1;
  close_span(&s, to, t);
}

/* ---- groups. `bulk`: which of the two kinds. */
static bool is_in_group(const wl_span_t *s, unsigned warp, uint32_t number) {
  return s->steps != 0 && s->grouped && s->warp == warp && s->number == number;
}

static wl_span_t *copies(wl_async_t *a, bool bulk, unsigned *n) {
  *n = bulk ? a->config->copy_queue : a->config->lsu_depth;
  return bulk ? a->bulk : a->slot;
}

/* Copies of the group that are under way. Closed behind `closed`, if that is not 0. */
static unsigned members(wl_async_t *a, bool bulk, unsigned warp, uint32_t number, uint64_t closed) {
  unsigned n, found = 0;
  wl_span_t *s = copies(a, bulk, &n);
  for (unsigned i = 0; i < n; i++) {
    if (!is_in_group(&s[i], warp, number)) continue;
    found++;
    if (closed == 0) continue;
    s[i].committed = true;
    s[i].closed = closed;
  }
  return found;
}

static void group_over(bool bulk, unsigned warp, uint32_t number, uint64_t closed, uint64_t over,
                       const tell_t *t) {
  const wl_span_t s = {
      .what = WL_SPAN_GROUP, .kind = bulk, .warp = (uint8_t)warp, .number = number};
  tell_once(s, closed, over, t);
}

static void commit(wl_async_t *a, const wl_model_commit_t *c, uint64_t at, const tell_t *t) {
  const uint32_t number = a->groups[c->warp][c->bulk]++;
  if (members(a, c->bulk, c->warp, number, at) == 0)
    group_over(c->bulk, c->warp, number, at, at, t);
}

/* ---- waits */
/* True: the lanes wait again behind a wake-up that did not help one of them. */
static bool judge_wakes(wl_async_t *a, const wl_model_wait_t *w) {
  bool in_vain = false;
  for (unsigned i = 0; i < 32; i++) {
    uint32_t *woken = &a->woken[w->warp][i];
    if ((*woken & w->lanes) == 0) continue;
    if ((*woken & w->parked) != 0) {
      a->count.in_vain++;
      in_vain = true;
    } else if ((*woken & w->again) != 0) {
      continue;
    }
    *woken = 0;
  }
  return in_vain;
}

static void judged(wl_async_t *a, const wl_model_wait_t *w, uint64_t at, const tell_t *t) {
  const bool in_vain = judge_wakes(a, w);
  if (w->parked == 0) return;
  const unsigned leader = (unsigned)__builtin_ctz(w->parked);
  wl_span_t *s = &a->wait[w->warp][leader];
  *s = (wl_span_t){.what = WL_SPAN_WAIT,
                   .kind = w->on,
                   .warp = w->warp,
                   .place = (uint8_t)leader,
                   .pc = w->pc,
                   .lanes = w->parked,
                   .number = in_vain};
  a->count.parked++;
  open_span(s, at, WL_STEP_NONE, t);
}

static void woken(wl_async_t *a, const wl_model_woken_t *w, uint64_t at, const tell_t *t) {
  wl_span_t *s = &a->wait[w->warp][w->leader];
  if (s->steps == 0) return;
  s->timed = w->timed;
  if (w->timed)
    a->count.timed++;
  else
    a->count.woken++;
  a->woken[w->warp][w->leader] = w->timed ? 0 : s->lanes;
  close_span(s, at, t);
}

/* ---- copies: `now` is as visible in the cycle behind `at` */
static void see_copy(wl_async_t *a, wl_span_t *s, const wl_model_copy_t *now, wl_span_what_t what,
                     unsigned place, uint64_t at, const tell_t *t) {
  const bool bulk = what == WL_SPAN_BULK;
  if (s->steps != 0 && now->step == WL_STEP_NONE) {
    const wl_span_t was = *s;
    close_span(s, at, t);
    if (was.committed && members(a, bulk, was.warp, was.number, 0) == 0)
      group_over(bulk, was.warp, was.number, was.closed, at, t);
  } else if (s->steps == 0 && now->step != WL_STEP_NONE) {
    *s = (wl_span_t){.what = (uint8_t)what,
                     .kind = now->kind,
                     .warp = now->warp,
                     .place = (uint8_t)place,
                     .pc = now->pc,
                     .lanes = now->lanes,
                     .bytes = now->bytes,
                     .grouped = now->grouped,
                     .number = now->grouped ? a->groups[now->warp][bulk] : 0};
    if (bulk) {
      a->count.bulks++;
    } else if (now->kind == WL_MEM_KIND_CPASYNC) {
      a->count.copies++;
      a->count.copy_bytes += now->bytes;
    }
    open_span(s, at, now->step, t);
  } else if (s->steps != 0 && now->step != s->step[s->steps - 1] && s->steps < WL_SPAN_STEPS) {
    s->to[s->steps - 1] = at;
    s->step[s->steps++] = now->step;
    t->fn(t->context, WL_SPAN_NEXT, s);
  }
}

static void count(wl_async_t *a, const wl_model_async_t *m) {
  a->count.bulk_cycles += m->entries != 0;
  a->count.copy_cycles += m->slots != 0;
  a->count.to_shared += m->to_shared;
  a->count.to_global += m->to_global;
  a->count.phases += m->phase;
  a->count.all_wait += m->all_wait;
}

/* What happened in `at`, the last cycle that was looked at. */
static void happened(wl_async_t *a, uint64_t at, const tell_t *t) {
  const wl_model_async_t *m = &a->last;
  if (m->phase)
    tell_once((wl_span_t){.what = WL_SPAN_PHASE, .number = m->phases, .pc = m->phase_at}, at, at,
              t);
  for (unsigned i = 0; i < m->wakes; i++)
    woken(a, &m->woken[i], at, t);
  for (unsigned i = 0; i < m->waits; i++)
    judged(a, &m->wait[i], at, t);
  for (unsigned i = 0; i < m->commits; i++)
    commit(a, &m->commit[i], at, t);
}

void wl_async_cycle(wl_async_t *a, const wl_model_watch_t *watch, wl_span_fn_t fn, void *context) {
  const wl_model_async_t *m = watch->async;
  const tell_t t = {fn, context};
  const uint64_t at = watch->cycle - 1;
  if (a->any) happened(a, at, &t);
  a->any = true;
  for (unsigned i = 0; i < a->config->copy_queue; i++)
    see_copy(a, &a->bulk[i], &m->bulk[i], WL_SPAN_BULK, i, at, &t);
  for (unsigned i = 0; i < a->config->lsu_depth; i++)
    see_copy(a, &a->slot[i], &m->slot[i], WL_SPAN_CPASYNC, i, at, &t);
  for (unsigned w = 0; w < watch->warps; w++) {
    const bool gone = a->there[w] && watch->why[w] == WL_WHY_NO_WARP;
    a->there[w] = watch->why[w] != WL_WHY_NO_WARP;
    if (!gone) continue;
    memset(a->woken[w], 0, sizeof a->woken[w]);
    memset(a->groups[w], 0, sizeof a->groups[w]);
  }
  count(a, m);
  a->last = *m;
}

static void lose(wl_span_t *s, uint64_t at, const tell_t *t) {
  if (s->steps == 0) return;
  s->lost = true;
  close_span(s, at, t);
}

void wl_async_end(wl_async_t *a, uint64_t now, wl_span_fn_t fn, void *context) {
  const tell_t t = {fn, context};
  if (!a->any) return;
  happened(a, now - 1, &t);
  for (unsigned w = 0; w < a->config->warps; w++)
    for (unsigned i = 0; i < 32; i++)
      lose(&a->wait[w][i], now - 1, &t);
  for (unsigned i = 0; i < a->config->copy_queue; i++)
    lose(&a->bulk[i], now - 1, &t);
  for (unsigned i = 0; i < a->config->lsu_depth; i++)
    lose(&a->slot[i], now - 1, &t);
  a->any = false;
}
