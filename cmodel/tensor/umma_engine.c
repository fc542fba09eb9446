/* tensor/umma_engine.c: docs/microarchitecture.md 25.5, 25.6, 26.4, 26.10: blocks in the lanes of the tensor units,
 * whose pipes move together meanwhile, and D in tensor memory. Results of a beat are computed in its first
 * step, by cmodel/sem. */
#include <string.h>

#include "cmodel/tensor/umma.h"

/* ---- where the work is */
static const wl_umma_entry_t *at_work(const wl_umma_t *u) { return &u->entry[u->fin]; }

static bool is_full(const wl_umma_t *u, unsigned a, unsigned b) {
  return u->fetch.a_state[a] == WL_UMMA_FULL && u->fetch.b_state[b] == WL_UMMA_FULL &&
         (!wl_umma_is_scaled(at_work(u)) || u->scale.state[u->scale.get] == WL_UMMA_FULL);
}

static bool is_ready(const wl_umma_t *u) {
  const wl_umma_entry_t *e = at_work(u);
  return e->used && wl_umma_is_product(e) && !u->engine.all_in &&
         is_full(u, u->engine.a_get, u->engine.b_get);
}

static unsigned quarter_of(const wl_umma_t *u, const wl_env_t *env, unsigned k) {
  return env->cfg.sub_cores == 1 ? u->engine.pass : k;
}

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
  if (from < wl_umma_first_lane(e)) from = wl_umma_first_lane(e);
  if (end > wl_umma_end_lane(e)) end = wl_umma_end_lane(e);
  return (group_t){.idle = first < wl_umma_first_lane(e) || first >= wl_umma_end_lane(e),
                   .begins = first == from,
                   .completes = first + rows == end,
                   .beat = (uint8_t)beat,
                   .from = (uint8_t)from,
                   .end = (uint8_t)end};
}

/* Of a group. With fewer than 16 terms F8F6F4 comes twice: exponents, then products. */
static unsigned slices(const wl_umma_t *u, const wl_env_t *env) {
  const unsigned terms = env->cfg.dot_terms;
  switch (at_work(u)->op) {
  case WL_UMMA_I8:
  case WL_UMMA_MXF8F6F4: /* these two with 16 terms only */
  case WL_UMMA_MXF4:
    return 32 / terms;
  case WL_UMMA_F8F6F4:
    return terms < WL_DOT_TERMS ? 2 * (32 / terms) : 32 / terms;
  default:
    return terms < WL_DOT_TERMS ? WL_DOT_TERMS / terms : 1;
  }
}

/* Of a block. */
static bool is_last_step(const wl_umma_t *u, const wl_env_t *env) {
  const wl_umma_engine_t *n = &u->engine;
  return n->slice + 1u == slices(u, env) && n->group + 1u == WL_LANES / env->cfg.dot_rows &&
         n->column + 1u == WL_UMMA_ROWS;
}

static unsigned column_of(const wl_umma_t *u) {
  return at_work(u)->column + (unsigned)WL_UMMA_ROWS * u->engine.block + u->engine.column;
}

/* ---- what others see */
static bool store_hinders(const wl_umma_pipe_t *p, const wl_sub_wires_t *w) {
  return p->draining && w->tmem_stores && w->tmem_store_quarter == p->drain[p->which].quarter;
}

static void show_drain(const wl_umma_pipe_t *p, wl_sub_wires_t *w) {
  const wl_umma_beat_t *d = &p->drain[p->which];
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
  memcpy(w->umma_read, words + row * WL_LANES + g->from, 4 * (size_t)lanes);
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
  w->umma_ends_block = w->umma_steps && is_last_step(u, env);
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
/* Rows of A times the column at work, and what is in d. */
static void sum(const wl_umma_t *u, unsigned k, const group_t *g, const wl_umma_row_elements_t *a,
                uint32_t *d) {
  const wl_umma_entry_t *e = at_work(u);
  const uint32_t *b = u->fetch.b[u->engine.b_get][u->engine.column];
  const unsigned lanes = (unsigned)g->end - g->from;
  if (!wl_umma_is_scaled(e)) {
    wl_sem_products(&e->sums, lanes, a, b, d);
    return;
  }
  const wl_scaled_products_t n = {e->sums, e->e4m3};
  uint32_t sa[WL_LANES];
  wl_umma_scales_of_a(u, k, g->from, lanes, sa);
  wl_sem_scaled_products(&n, lanes, a, b, sa, wl_umma_scales_of_b(u, k, u->engine.column), d);
}

/* The beat's first: its results. */
static void compute(wl_umma_t *u, const wl_env_t *env, const wl_wires_t *w, unsigned k,
                    const group_t *g) {
  const wl_umma_entry_t *e = at_work(u);
  const unsigned lanes = (unsigned)g->end - g->from, quarter = quarter_of(u, env, k);
  const unsigned row = wl_umma_first_row(env, e, quarter) + g->from - wl_umma_first_lane(e);
  wl_umma_pipe_t *p = &u->engine.pipe[k];
  p->number = (uint8_t)((p->number + 1) % WL_UMMA_BEATS);
  wl_umma_beat_t *beat = &p->beat[p->number];
  *beat = (wl_umma_beat_t){.quarter = (uint8_t)quarter,
                           .beat = g->beat,
                           .column = (uint16_t)column_of(u),
                           .mask = wl_lane_block(g->from, lanes) & ~e->masked[quarter]};
  if (e->adds) memcpy(&beat->data[g->from], w->sub[k].umma_read, 4 * (size_t)lanes);
  sum(u, k, g, &u->fetch.a[u->engine.a_get][row], &beat->data[g->from]);
}

/* Slices, groups and columns ascending; whether the block is over. */
static bool advance(wl_umma_t *u, const wl_env_t *env) {
  wl_umma_engine_t *n = &u->engine;
  if (++n->slice < slices(u, env)) return false;
  n->slice = 0;
  if (++n->group < WL_LANES / env->cfg.dot_rows) return false;
  n->group = 0;
  if (++n->column < WL_UMMA_ROWS) return false;
  n->column = 0;
  return true;
}

void wl_umma_end_pass(wl_umma_t *u, const wl_env_t *env) {
  wl_umma_engine_t *n = &u->engine;
  const bool last = at_work(u)->op == WL_UMMA_SHIFT || n->pass + 1u == wl_umma_passes(env);
  u->fetch.a_state[n->a_get] = WL_UMMA_FREE;
  n->a_get = !n->a_get;
  n->all_in = last;
  n->pass = last ? 0 : n->pass + 1;
}

/* Its operands are used; whether the next block follows at once (states as visible). */
static void end_block(wl_umma_t *u, const wl_env_t *env, const wl_wires_t *w) {
  wl_umma_engine_t *n = &u->engine;
  u->fetch.b_state[n->b_get] = WL_UMMA_FREE;
  n->b_get = !n->b_get;
  if (wl_umma_is_scaled(at_work(u))) {
    u->scale.state[u->scale.get] = WL_UMMA_FREE;
    u->scale.get = !u->scale.get;
  }
  if (++n->block == at_work(u)->n / WL_UMMA_ROWS) {
    n->block = 0;
    wl_umma_end_pass(u, env);
  }
  n->on = !n->all_in && is_full(u, n->a_get, n->b_get);
  for (unsigned k = 0; k < env->cfg.sub_cores; k++)
    if (w->sub[k].dot_next) n->on = false;
}

/* What enters the pipes. */
static wl_umma_stage_t step(wl_umma_t *u, const wl_env_t *env, const wl_wires_t *w) {
  wl_umma_engine_t *n = &u->engine;
  const group_t g = group_of(u, env);
  const wl_umma_stage_t entry = {.valid = !g.idle && n->slice + 1u == slices(u, env),
                                 .completes = g.completes};
  if (n->pass == 0 && n->block == 0 && n->column == 0 && n->group == 0 && n->slice == 0)
    wl_umma_record(env, at_work(u), 0);
  for (unsigned k = 0; k < env->cfg.sub_cores && !g.idle && g.begins && n->slice == 0; k++)
    compute(u, env, w, k, &g);
  if (advance(u, env)) end_block(u, env, w);
  return entry;
}

/* ---- pipes */
void wl_umma_drain(wl_umma_pipe_t *p, const wl_umma_beat_t *row) {
  p->draining = true;
  p->which = !p->which;
  p->drain[p->which] = *row;
}

static void move(wl_umma_pipe_t *p, wl_umma_stage_t entry) {
  const wl_umma_stage_t last = p->stage[WL_DOT_LATENCY - 1];
  entry.number = p->number;
  memmove(&p->stage[1], &p->stage[0], sizeof p->stage - sizeof p->stage[0]);
  p->stage[0] = entry;
  p->in_pipe = (uint8_t)(p->in_pipe + entry.valid - last.valid);
  if (!last.valid || !last.completes) return;
  wl_umma_drain(p, &p->beat[last.number]);
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
