/* core/path_engine.c: docs/microarchitecture.md 7.3: the path engine: SPLIT and WALK; CHECK is
 * core/path_check.c. It serves one warp at a time and does one step per cycle or, with RowCycles = 2, in
 * the cycle after the one that reads its row. A step is computed in wl_path_engine_out on copies of the
 * engine's and the warp's state and taken over in wl_path_engine_update. */
#include "cmodel/core/path_internal.h"

static uint32_t bit(unsigned i) { return UINT32_C(1) << i; }

/* Row i as the engine sees it: the running path is a READY row. */
wl_path_row_t wl_step_row(const wl_step_t *s, unsigned i) {
  if (s->x->mask != 0 && i == s->x->leader)
    return (wl_path_row_t){
        .mask = s->x->mask, .pc = s->x->pc, .depth = s->x->depth, .state = WL_PATH_READY};
  return s->p->row[s->e->warp][i];
}

void wl_step_write(wl_step_t *s, unsigned i, wl_path_row_t row) {
  if (row.state == WL_PATH_READY) row.op = 0, row.key = 0;
  s->plan->row_we = true;
  s->plan->row_leader = (uint8_t)i;
  s->plan->row = row;
}

static void raise_now(wl_sub_wires_t *w, const wl_late_trap_t *t) {
  w->trap[WL_SRC_ENGINE] = (wl_trap_info_t){true, t->cause, t->warp, t->lane, t->pc, 0};
}

void wl_step_rise(wl_step_t *s, wl_trap_t cause, unsigned lane, uint32_t pc) {
  const wl_late_trap_t trap = {true, (uint8_t)cause, s->e->warp, (uint8_t)lane, pc};
  if (s->env->cfg.event_delay)
    s->e->late_trap = trap;
  else
    raise_now(s->w, &trap);
}

/* ---- phases follow each other */
void wl_step_begin_walk(wl_step_t *s) {
  wl_engine_t *e = s->e;
  e->phase = WL_ENGINE_WALK1;
  e->todo = 0; /* filled when WALK1 begins, in its first cycle */
}

/* Cycles of a step of SPLIT by lane, with RowCycles = 2 after the one that reads: there the
 * comparisons of the beats come back in a cycle of their own, before the last one. */
static unsigned lane_cycles(const wl_config_t *cfg) {
  return cfg->row_cycles == 2 && cfg->beats > 1 ? cfg->beats + 2 : cfg->beats;
}

/* ---- SPLIT. False: the step goes on in the next cycle. */
static bool step_split(wl_step_t *s) {
  wl_engine_t *e = s->e;
  wl_path_t *x = s->x;
  const wl_paths_t *p = s->p;
  const wl_split_t *split = &p->split[e->warp];
  if ((split->lane_pc || split->lane_key) && ++e->beat < lane_cycles(&s->env->cfg)) return false;
  e->beat = 0;
  const unsigned i = wl_lowest(e->todo);
  const uint32_t group = wl_path_group(split, p->tbuf, e->todo, i);
  wl_path_row_t row = wl_path_target(split, p->tbuf, i);
  row.mask = group;
  wl_step_write(s, i, row);
  x->exist |= bit(i);
  x->waiting &= ~bit(i);
  if (row.state == WL_PATH_SYNC || row.state == WL_PATH_BAR) x->waiting |= bit(i);
  if (row.state == WL_PATH_SLEEP && (!x->wake_valid || (int32_t)(row.key - x->wake_at) < 0)) {
    x->wake_valid = true;
    x->wake_at = row.key;
  }
  e->todo &= ~group;
  if (e->todo != 0) return true;
  x->mask = 0;
  s->plan->tbuf_freed = s->plan->tbuf_freed || split->tbuf;
  wl_step_begin_check(s, x->waiting);
  return true;
}

/* ---- WALK */
static uint64_t key_of(const wl_path_t *x, const wl_path_row_t *row, unsigned leader,
                       bool with_served) {
  const uint64_t not_released = (row->mask & x->released) == 0;
  const uint64_t all_served = with_served && (row->mask & ~x->served) == 0;
  return not_released << 50 | all_served << 49 | (uint64_t)(WL_MAX_DEPTH - row->depth) << 33 |
         (uint64_t)row->pc << 5 | leader;
}

/* What WALK samples, in its first cycle. */
static void start_walk1(wl_step_t *s) {
  wl_engine_t *e = s->e;
  e->todo = s->x->exist;
  e->now = (uint32_t)s->env->cycle;
  e->wake = wl_wbit(s->wires->bar_wake, e->warp);
  s->plan->take_wake = true;
  e->ready = 0;
  e->sleeping = e->counted = false;
  e->best1 = e->best2 = UINT64_MAX;
}

static void end_walk(wl_step_t *s) {
  s->e->phase = WL_ENGINE_IDLE;
  s->plan->walked = true;
}

static void end_walk1(wl_step_t *s) {
  wl_engine_t *e = s->e;
  wl_path_t *x = s->x;
  x->wake_valid = e->sleeping;
  if (e->ready == 0) {
    if (!e->sleeping && !e->counted) {
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

static void step_walk1(wl_step_t *s) {
  wl_engine_t *e = s->e;
  wl_path_t *x = s->x;
  if (e->todo == 0) start_walk1(s);
  const unsigned i = wl_lowest(e->todo);
  wl_path_row_t row = wl_step_row(s, i);
  if (row.state == WL_PATH_SYNC && (row.mask & ~x->released) == 0) {
    row.state = WL_PATH_READY;
  } else if (row.state == WL_PATH_BARC && e->wake) {
    row.state = WL_PATH_READY;
    x->released |= row.mask;
  } else if (row.state == WL_PATH_SLEEP && (int32_t)(e->now - row.key) >= 0) {
    row.state = WL_PATH_READY;
  }
  wl_step_write(s, i, row);
  if (row.state == WL_PATH_READY) {
    const uint64_t key1 = key_of(x, &row, i, true), key2 = key_of(x, &row, i, false);
    e->ready |= row.mask;
    if (key1 < e->best1) e->best1 = key1;
    if (key2 < e->best2) e->best2 = key2;
  } else if (row.state == WL_PATH_SLEEP) {
    if (!e->sleeping || (int32_t)(row.key - x->wake_at) < 0) x->wake_at = row.key;
    e->sleeping = true;
  } else if (row.state == WL_PATH_BARC) {
    e->counted = true;
  }
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

static void step_walk2(wl_step_t *s) {
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

static void step(wl_step_t *s) {
  bool over = true;
  switch (s->e->phase) {
  case WL_ENGINE_SPLIT:
    over = step_split(s);
    break;
  case WL_ENGINE_CHECK:
    over = wl_step_check(s);
    break;
  case WL_ENGINE_REWRITE:
    wl_step_rewrite(s);
    break;
  case WL_ENGINE_WALK1:
    step_walk1(s);
    break;
  case WL_ENGINE_WALK2:
    step_walk2(s);
    break;
  default:
    break;
  }
  if (over) s->e->read = false;
}

/* RowCycles = 2, the first cycle of a step: nobody else changes rows, only what WALK samples is kept. */
static void read_row(wl_step_t *s) {
  s->e->read = true;
  if (s->e->phase == WL_ENGINE_WALK1 && s->e->todo == 0) start_walk1(s);
}

void wl_path_engine_out(const wl_paths_t *p, const wl_env_t *env, const wl_wires_t *wires,
                        wl_sub_wires_t *w) {
  wl_path_plan_t *plan = &w->path_plan;
  const wl_wmask_t requesting = env->cfg.event_delay ? p->requests & p->asked : p->requests;
  if (p->engine.late_trap.valid) raise_now(w, &p->engine.late_trap);
  if (p->engine.phase == WL_ENGINE_IDLE &&
      (requesting == 0 || wires->trap_pending || wl_stalls(env, WL_STALL_AT_ENGINE)))
    return;
  plan->serve = true;
  plan->row_we = plan->walked = false;
  plan->engine = p->engine;
  plan->engine.late_trap.valid = false;
  wl_step_t s = {env, wires, p, w, plan, &plan->engine, &plan->served};
  if (p->engine.phase == WL_ENGINE_IDLE) {
    const unsigned i = wl_next_after(requesting, p->engine.last);
    plan->engine.warp = plan->engine.last = (uint8_t)i;
    plan->served = wl_path_gather(p, i);
    if (p->req[i] == WL_REQ_SPLIT) {
      plan->engine.phase = WL_ENGINE_SPLIT;
      plan->engine.todo = p->split[i].path;
      plan->engine.beat = 0;
    } else {
      wl_step_begin_check(&s, plan->served.waiting);
    }
    plan->served.req = WL_REQ_NONE;
    if (env->cfg.row_cycles == 1) step(&s);
  } else {
    plan->served = wl_path_gather(p, p->engine.warp);
    if (env->cfg.row_cycles == 1 || p->engine.read)
      step(&s);
    else
      read_row(&s);
  }
}

static void journal_row(const wl_env_t *env, unsigned w, unsigned i, const wl_path_row_t *r) {
  const uint32_t words[] = {w, i, r->mask, r->pc, r->depth, r->state, r->op, r->key};
  wl_journal(env, WL_J_ROW, words, 8);
}

static void journal_walked(const wl_env_t *env, unsigned w, const wl_path_t *x) {
  const uint32_t words[] = {
      w,         x->run,   x->mask,   x->pc,       x->depth,
      x->leader, x->exist, x->served, x->released, x->stop_valid ? x->stop_pc : UINT32_MAX,
      x->below};
  wl_journal(env, WL_J_WALKED, words, 11);
}

void wl_path_engine_delay(wl_paths_t *p, const wl_path_plan_t *plan) {
  p->asked = p->requests;
  if (plan->serve && p->engine.phase == WL_ENGINE_IDLE)
    p->asked &= ~(UINT64_C(1) << plan->engine.warp);
  p->engine.late_trap.valid = false;
}

void wl_path_engine_update(wl_paths_t *p, const wl_env_t *env, const wl_path_plan_t *plan) {
  if (!plan->serve) return;
  const unsigned i = plan->engine.warp;
  p->engine = plan->engine;
  if (plan->row_we) {
    p->row[i][plan->row_leader] = plan->row;
    journal_row(env, i, plan->row_leader, &plan->row);
  }
  if (plan->tbuf_freed) p->tbuf_busy = false;
  wl_path_scatter(p, i, &plan->served);
  if (plan->walked) journal_walked(env, i, &plan->served);
}
