/* core/path_walk.c: docs/microarchitecture.md 7.3: WALK of the path engine: WALK1 finds the rows that may run
 * and chooses the best of them, WALK2 finds the rows that run with it and the stop PC. */
#include "cmodel/core/path_internal.h"

static uint32_t bit(unsigned i) { return UINT32_C(1) << i; }

void wl_step_begin_walk(wl_step_t *s) {
  wl_engine_t *e = s->e;
  e->phase = WL_ENGINE_WALK1;
  e->todo = 0; /* filled when WALK1 begins, in its first cycle */
}

static uint64_t key_of(const wl_path_t *x, const wl_path_row_t *row, unsigned leader,
                       bool with_served) {
  const uint64_t not_released = (row->mask & x->released) == 0;
  const uint64_t all_served = with_served && (row->mask & ~x->served) == 0;
  return not_released << 50 | all_served << 49 | (uint64_t)(WL_MAX_DEPTH - row->depth) << 33 |
         (uint64_t)row->pc << 5 | leader;
}

void wl_step_start_walk1(wl_step_t *s) {
  wl_engine_t *e = s->e;
  e->todo = s->x->exist;
  e->now = (uint32_t)s->env->cycle;
  e->wake = wl_wbit(s->wires->bar_wake, e->warp);
  e->wait_wake = wl_wbit(s->wires->wait_wake, e->warp);
  s->plan->take_wake = true;
  e->ready = 0;
  e->timed = e->waits = e->counted = false;
  e->best1 = e->best2 = UINT64_MAX;
}

static void end_walk(wl_step_t *s) {
  s->e->phase = WL_ENGINE_IDLE;
  s->plan->walked = true;
}

static void end_walk1(wl_step_t *s) {
  wl_engine_t *e = s->e;
  wl_path_t *x = s->x;
  x->wake_valid = e->timed;
  x->waits = e->waits;
  if (e->ready == 0) {
    if (!e->timed && !e->waits && !e->counted) {
      const unsigned lowest = wl_lowest(x->exist);
      const uint32_t pc = s->plan->row_we && s->plan->row_leader == lowest
                              ? s->plan->row.pc
                              : s->p->row[e->warp][lowest].pc;
      wl_step_rise(s, WL_TRAP_SYNC_DEADLOCK, wl_lowest(x->live), pc);
    }
    x->mask = 0;
    x->run = false;
    end_walk(s);
    return;
  }
  uint64_t best = e->best1;
  if ((e->ready & ~x->served) == 0) {
    x->served = 0;
    best = e->best2;
  }
  e->chosen = (wl_path_row_t){.pc = (uint32_t)(best >> 5) & WL_PC_MASK,
                              .depth = (uint16_t)(WL_MAX_DEPTH - (best >> 33 & 0xffff))};
  e->chosen_rel = (best >> 50 & 1) == 0;
  e->phase = WL_ENGINE_WALK2;
  e->todo = x->exist;
  e->union_mask = 0;
  x->below = x->stop_valid = false;
  x->mask = 0; /* every row is in the table now */
}

/* What the row is now, of what was sampled. */
static void settle(wl_step_t *s, wl_path_row_t *row) {
  const wl_engine_t *e = s->e;
  const bool over = wl_path_has_time(row) && (int32_t)(e->now - row->key) >= 0;
  switch ((wl_path_state_t)row->state) {
  case WL_PATH_SYNC:
    if ((row->mask & ~s->x->released) == 0) row->state = WL_PATH_READY;
    break;
  case WL_PATH_BARC:
    if (!e->wake) break;
    row->state = WL_PATH_READY;
    s->x->released |= row->mask;
    break;
  case WL_PATH_SLEEP:
    if (over) row->state = WL_PATH_READY;
    break;
  case WL_PATH_WAIT:
    if (!e->wait_wake && !over) break;
    row->state = WL_PATH_READY;
    if (!e->wait_wake) row->pc = (row->pc + 2) & WL_PC_MASK; /* behind the wait */
    break;
  case WL_PATH_READY:
  case WL_PATH_BAR:
    break;
  }
}

void wl_step_walk1(wl_step_t *s) {
  wl_engine_t *e = s->e;
  wl_path_t *x = s->x;
  if (e->todo == 0) wl_step_start_walk1(s);
  const unsigned i = wl_lowest(e->todo);
  wl_path_row_t row = wl_step_row(s, i);
  settle(s, &row);
  wl_step_write(s, i, row);
  if (row.state == WL_PATH_READY) {
    const uint64_t key1 = key_of(x, &row, i, true), key2 = key_of(x, &row, i, false);
    e->ready |= row.mask;
    if (key1 < e->best1) e->best1 = key1;
    if (key2 < e->best2) e->best2 = key2;
  } else if (wl_path_has_time(&row)) {
    if (!e->timed || (int32_t)(row.key - x->wake_at) < 0) x->wake_at = row.key;
    e->timed = true;
  } else if (row.state == WL_PATH_BARC) {
    e->counted = true;
  }
  e->waits = e->waits || row.state == WL_PATH_WAIT;
  e->todo &= e->todo - 1;
  if (e->todo == 0) end_walk1(s);
}

/* A READY row of the chosen depth that is not part of the chosen path. */
static void other_row(wl_step_t *s, unsigned i, const wl_path_row_t *row, bool rel) {
  wl_engine_t *e = s->e;
  wl_path_t *x = s->x;
  if (row->pc < e->chosen.pc) x->below = true;
  if (row->pc <= e->chosen.pc) return;
  if (!x->stop_valid || row->pc < x->stop_pc) {
    x->stop_valid = true;
    x->stop_pc = row->pc;
    e->stop_leader = (uint8_t)i;
    e->stop_rel = rel;
    e->stop_mask = row->mask;
  } else if (row->pc == x->stop_pc && rel == e->stop_rel) {
    e->stop_mask |= row->mask;
    x->exist &= ~bit(i);
    wl_path_row_t joined = *row;
    joined.mask = e->stop_mask;
    wl_step_write(s, e->stop_leader, joined);
  }
}

void wl_step_walk2(wl_step_t *s) {
  wl_engine_t *e = s->e;
  wl_path_t *x = s->x;
  const unsigned i = wl_lowest(e->todo);
  const wl_path_row_t row = s->p->row[e->warp][i];
  if (row.state == WL_PATH_READY && row.depth == e->chosen.depth) {
    const bool rel = (row.mask & x->released) != 0;
    if (row.pc == e->chosen.pc && rel == e->chosen_rel) {
      if (e->union_mask == 0)
        x->leader = (uint8_t)i;
      else
        x->exist &= ~bit(i);
      e->union_mask |= row.mask;
    } else {
      other_row(s, i, &row, rel);
    }
  }
  e->todo &= e->todo - 1;
  if (e->todo != 0) return;
  x->mask = e->union_mask;
  x->pc = e->chosen.pc;
  x->depth = e->chosen.depth;
  x->run = true;
  s->w->flush[WL_FLUSH_ENGINE] = (wl_flush_wire_t){true, e->warp, x->pc};
  end_walk(s);
}
