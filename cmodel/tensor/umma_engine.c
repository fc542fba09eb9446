/* tensor/umma_engine.c: docs/microarchitecture.md 25.5, 25.6: blocks in the lanes of the tensor units, whose
 * pipes move together meanwhile, and D in tensor memory. Results of a beat are computed in its first
 * step, by cmodel/sem. */
#include <string.h>

#include "cmodel/tensor/umma.h"

/* ---- where the work is */
static const wl_umma_entry_t *at_work(const wl_umma_t *u) { return &u->entry[u->fin]; }

static bool is_full(const wl_umma_t *u, unsigned a, unsigned b) {
  return u->fetch.a_state[a] == WL_UMMA_FULL && u->fetch.b_state[b] == WL_UMMA_FULL;
}

static bool is_ready(const wl_umma_t *u) {
  const wl_umma_entry_t *e = at_work(u);
  return e->used && e->op == WL_UMMA_F16 && !u->engine.all_in &&
         is_full(u, u->engine.a_get, u->engine.b_get);
}

static unsigned quarter_of(const wl_umma_t *u, const wl_env_t *env, unsigned k) {
  return env->cfg.sub_cores == 1 ? u->engine.pass : k;
}

/* Lanes of a quarter that are rows of D: from the first up to the end. */
static unsigned first_lane(const wl_umma_entry_t *e) { return e->m == 64 ? 16u * e->z : 0; }
static unsigned end_lane(const wl_umma_entry_t *e) { return e->m == 64 ? 16u * e->z + 16 : 32; }

/* The group at work, in its beat. */
typedef struct group {
  bool idle, begins, completes; /* first, last of its beat that is not idle */
  uint8_t beat, from, end;      /* lanes of the beat that are not idle */
} group_t;

static group_t group_of(const wl_umma_t *u, const wl_env_t *env) {
  const wl_umma_entry_t *e = at_work(u);
  const unsigned rows = env->cfg.dot_rows, lanes = env->cfg.lanes;
  const unsigned first = u->engine.group * rows, beat = first / lanes;
  unsigned from = beat * lanes, end = from + lanes;
  if (from < first_lane(e)) from = first_lane(e);
  if (end > end_lane(e)) end = end_lane(e);
  return (group_t){.idle = first < first_lane(e) || first >= end_lane(e),
                   .begins = first == from,
                   .completes = first + rows == end,
                   .beat = (uint8_t)beat,
                   .from = (uint8_t)from,
                   .end = (uint8_t)end};
}

static unsigned slices(const wl_env_t *env) {
  return env->cfg.dot_terms < WL_DOT_TERMS ? WL_DOT_TERMS / env->cfg.dot_terms : 1;
}

/* Of a block. */
static bool is_last_step(const wl_umma_engine_t *n, const wl_env_t *env) {
  return n->slice + 1u == slices(env) && n->group + 1u == WL_LANES / env->cfg.dot_rows &&
         n->column + 1u == WL_UMMA_ROWS;
}

static unsigned column_of(const wl_umma_t *u) {
  return at_work(u)->column + (unsigned)WL_UMMA_ROWS * u->engine.block + u->engine.column;
}

/* ---- what others see */
static bool store_hinders(const wl_umma_pipe_t *p, const wl_sub_wires_t *w) {
  return p->draining && w->tmem_stores && w->tmem_store_quarter == p->drain.quarter;
}

static void show_drain(const wl_umma_pipe_t *p, wl_sub_wires_t *w) {
  const wl_umma_beat_t *d = &p->drain;
  w->umma_row = (wl_umma_row_t){.valid = p->draining && !store_hinders(p, w),
                                .quarter = d->quarter,
                                .beat = d->beat,
                                .column = d->column,
                                .lanes = d->mask,
                                .data = d->data};
}

static void read_row(const wl_umma_t *u, const wl_env_t *env, wl_sub_wires_t *w,
                     const uint32_t *words, unsigned k, const group_t *g) {
  const unsigned lanes = (unsigned)g->end - g->from;
  const size_t row = (size_t)quarter_of(u, env, k) * env->cfg.tmem_columns + column_of(u);
  w->umma_reads = true;
  w->umma_read_quarter = (uint8_t)quarter_of(u, env, k);
  memcpy(w->umma_addend, words + row * WL_LANES + g->from, 4 * (size_t)lanes);
}

void wl_umma_engine_out(const wl_umma_t *u, const wl_env_t *env, wl_wires_t *w) {
  const wl_umma_engine_t *n = &u->engine;
  const bool takes = !n->on && !(n->dot_turn && is_ready(u));
  bool all = true;
  for (unsigned k = 0; k < env->cfg.sub_cores; k++) {
    wl_sub_wires_t *sub = &w->sub[k];
    show_drain(&n->pipe[k], sub);
    sub->dot_moves = sub->dot_moves && !store_hinders(&n->pipe[k], sub);
    sub->dot_takes = sub->dot_takes && takes;
    sub->umma_reads = false;
    all = all && sub->dot_moves;
  }
  w->umma_steps = n->on && all;
  w->umma_ends_block = w->umma_steps && is_last_step(n, env);
  if (!n->on) return;
  const group_t g = group_of(u, env);
  const bool reads = all && n->slice == 0 && !g.idle && g.begins && at_work(u)->adds;
  for (unsigned k = 0; k < env->cfg.sub_cores; k++) {
    w->sub[k].dot_moves = all;
    if (reads) read_row(u, env, &w->sub[k], w->tmem_words, k, &g);
  }
}

bool wl_umma_engine_empty(const wl_umma_t *u, const wl_env_t *env) {
  bool empty = true;
  for (unsigned k = 0; k < env->cfg.sub_cores; k++)
    empty = empty && u->engine.pipe[k].in_pipe == 0 && !u->engine.pipe[k].draining;
  return empty;
}

/* ---- a step */
/* The beat's first: its results. */
static void compute(wl_umma_t *u, const wl_env_t *env, const wl_wires_t *w, unsigned k,
                    const group_t *g) {
  const wl_umma_entry_t *e = at_work(u);
  const wl_profile_t *profile = &wl_profiles[e->profile];
  const unsigned lanes = (unsigned)g->end - g->from, quarter = quarter_of(u, env, k);
  const unsigned first = env->cfg.sub_cores == 1 ? 0 : quarter * (e->m / WL_UMMA_QUARTERS);
  const unsigned row = first + g->from - first_lane(e);
  wl_umma_pipe_t *p = &u->engine.pipe[k];
  p->number = (uint8_t)((p->number + 1) % WL_UMMA_BEATS);
  wl_umma_beat_t *beat = &p->beat[p->number];
  *beat = (wl_umma_beat_t){.quarter = (uint8_t)quarter,
                           .beat = g->beat,
                           .column = (uint16_t)column_of(u),
                           .mask = wl_lane_block(g->from, lanes) & ~e->masked[quarter]};
  if (e->adds) memcpy(&beat->data[g->from], w->sub[k].umma_addend, 4 * (size_t)lanes);
  wl_sem_products(profile, e->lower, lanes,
                  (const uint32_t (*)[WL_DOT_TERMS]) & u->fetch.a[u->engine.a_get][row],
                  u->fetch.b[u->engine.b_get][u->engine.column], &beat->data[g->from]);
}

static void record(const wl_env_t *env, const wl_umma_entry_t *e) {
  const uint32_t words[4] = {0, e->warp, e->lane, e->pc};
  wl_journal(env, WL_J_UMMA, words, 4);
}

/* Slices, groups and columns ascending; whether the block is over. */
static bool advance(wl_umma_engine_t *n, const wl_env_t *env) {
  if (++n->slice < slices(env)) return false;
  n->slice = 0;
  if (++n->group < WL_LANES / env->cfg.dot_rows) return false;
  n->group = 0;
  if (++n->column < WL_UMMA_ROWS) return false;
  n->column = 0;
  return true;
}

/* Its operands are used; whether the next block follows at once (states as visible). */
static void end_block(wl_umma_t *u, const wl_env_t *env, const wl_wires_t *w) {
  wl_umma_engine_t *n = &u->engine;
  const uint8_t a = n->a_get, b = n->b_get;
  n->b_get = !b;
  n->on = true;
  if (++n->block == at_work(u)->n / WL_UMMA_ROWS) {
    n->block = 0;
    n->a_get = !a;
    n->all_in = ++n->pass == wl_umma_passes(env);
    if (n->all_in) n->pass = 0;
  }
  if (n->all_in || !is_full(u, n->a_get, n->b_get)) n->on = false;
  for (unsigned k = 0; k < env->cfg.sub_cores; k++)
    if (w->sub[k].dot_next) n->on = false;
  u->fetch.b_state[b] = WL_UMMA_FREE;
  if (n->a_get != a) u->fetch.a_state[a] = WL_UMMA_FREE;
}

/* What enters the pipes. */
static wl_umma_stage_t step(wl_umma_t *u, const wl_env_t *env, const wl_wires_t *w) {
  wl_umma_engine_t *n = &u->engine;
  const group_t g = group_of(u, env);
  const wl_umma_stage_t entry = {.valid = !g.idle && n->slice + 1u == slices(env),
                                 .completes = g.completes};
  if (n->pass == 0 && n->block == 0 && n->column == 0 && n->group == 0 && n->slice == 0)
    record(env, at_work(u));
  for (unsigned k = 0; k < env->cfg.sub_cores && !g.idle && g.begins && n->slice == 0; k++)
    compute(u, env, w, k, &g);
  if (advance(n, env)) end_block(u, env, w);
  return entry;
}

/* ---- pipes */
static void move(wl_umma_pipe_t *p, wl_umma_stage_t entry) {
  const wl_umma_stage_t last = p->stage[WL_DOT_LATENCY - 1];
  entry.number = p->number;
  memmove(&p->stage[1], &p->stage[0], sizeof p->stage - sizeof p->stage[0]);
  p->stage[0] = entry;
  p->in_pipe = (uint8_t)(p->in_pipe + entry.valid - last.valid);
  if (!last.valid || !last.completes) return;
  /* Not in a cycle in which it is written: a beat takes two steps at least. */
  p->draining = true;
  p->drain = p->beat[last.number];
}

/* ---- turns of the two kinds of products */
static void start(wl_umma_t *u, const wl_env_t *env, const wl_wires_t *w) {
  bool taken = false, current = false;
  for (unsigned k = 0; k < env->cfg.sub_cores; k++) {
    const wl_sub_wires_t *sub = &w->sub[k];
    taken = taken || (sub->dot_moves && sub->dot_takes && sub->dot_free && sub->dot_next);
    current = current || sub->dot_current;
  }
  if (taken) u->engine.dot_turn = true;
  if (taken || current) return;
  u->engine.on = true;
  u->engine.dot_turn = false;
}

void wl_umma_engine_update(wl_umma_t *u, const wl_env_t *env, const wl_wires_t *w) {
  wl_umma_stage_t entry = {.valid = false};
  if (w->umma_steps)
    entry = step(u, env, w);
  else if (!u->engine.on && is_ready(u))
    start(u, env, w);
  for (unsigned k = 0; k < env->cfg.sub_cores; k++) {
    wl_umma_pipe_t *p = &u->engine.pipe[k];
    if (w->sub[k].umma_row.valid) p->draining = false;
    if (w->sub[k].dot_moves && (p->in_pipe != 0 || entry.valid)) move(p, entry);
  }
}
