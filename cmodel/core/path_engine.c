/* core/path_engine.c: docs/microarchitecture.md 7.3: the path engine (SPLIT, CHECK, WALK). One warp at
 * a time, one step per cycle or, with RowCycles = 2, in the cycle behind the one that reads its row. A
 * step is computed in wl_path_engine_out on copies of the engine's and the warp's state and taken over
 * in wl_path_engine_update. */
#include "cmodel/core/path_internal.h"

typedef struct wl_step {
  const wl_sm_t *sm;
  const wl_paths_t *p; /* of the sub-core */
  wl_sub_wires_t *w;
  wl_path_plan_t *plan;
  wl_engine_t *e; /* plan->engine */
  wl_path_t *x;   /* plan->served */
} wl_step_t;

static uint32_t bit(unsigned i) { return UINT32_C(1) << i; }

/* Row i as the engine sees it: the running path is a READY row. */
static wl_path_row_t row_of(const wl_step_t *s, unsigned i) {
  if (s->x->mask != 0 && i == s->x->leader)
    return (wl_path_row_t){
        .mask = s->x->mask, .pc = s->x->pc, .depth = s->x->depth, .state = WL_PATH_READY};
  return s->p->row[s->e->warp][i];
}

static void write_row(wl_step_t *s, unsigned i, wl_path_row_t row) {
  if (row.state == WL_PATH_READY) row.op = 0, row.key = 0;
  s->plan->row_we = true;
  s->plan->row_leader = (uint8_t)i;
  s->plan->row = row;
}

static void raise_now(wl_sub_wires_t *w, const wl_late_trap_t *t) {
  w->trap[WL_SRC_ENGINE] = (wl_trap_info_t){true, t->cause, t->warp, t->lane, t->pc, 0};
}

static void rise(wl_step_t *s, wl_trap_t cause, unsigned lane, uint32_t pc) {
  const wl_late_trap_t trap = {true, (uint8_t)cause, s->e->warp, (uint8_t)lane, pc};
  if (s->sm->env.cfg.event_delay)
    s->e->late_trap = trap;
  else
    raise_now(s->w, &trap);
}

/* ---- phases follow each other */
static void begin_walk(wl_step_t *s) {
  wl_engine_t *e = s->e;
  e->phase = WL_ENGINE_WALK1;
  e->todo = 0; /* filled when WALK1 begins, in its first cycle */
}

static void begin_check(wl_step_t *s, uint32_t candidates) {
  wl_engine_t *e = s->e;
  if (!s->x->chk || candidates == 0) {
    s->x->chk = false;
    begin_walk(s);
    return;
  }
  e->phase = WL_ENGINE_CHECK;
  e->j = (uint8_t)wl_lowest(candidates);
  e->todo = s->x->exist;
  e->gathered = e->kinds = 0;
  e->misuse = e->other_pc = false;
}

/* The rows of `waiting` behind j. */
static uint32_t behind(const wl_step_t *s) {
  return s->e->j == 31 ? 0 : s->x->waiting & ~((UINT32_C(2) << s->e->j) - 1);
}

/* Cycles of a step of SPLIT by lane, with RowCycles = 2 behind the one that reads: there what the
 * comparisons of the beats found comes back in a cycle of its own, before the last one. */
static unsigned lane_cycles(const wl_config_t *cfg) {
  return cfg->row_cycles == 2 && cfg->beats > 1 ? cfg->beats + 2 : cfg->beats;
}

/* ---- SPLIT. False: the step goes on in the next cycle. */
static bool step_split(wl_step_t *s) {
  wl_engine_t *e = s->e;
  wl_path_t *x = s->x;
  const wl_paths_t *p = s->p;
  const wl_split_t *split = &p->split[e->warp];
  if ((split->lane_pc || split->lane_key) && ++e->beat < lane_cycles(&s->sm->env.cfg)) return false;
  e->beat = 0;
  const unsigned i = wl_lowest(e->todo);
  const uint32_t group = wl_path_group(split, p->tbuf, e->todo, i);
  wl_path_row_t row = wl_path_target(split, p->tbuf, i);
  row.mask = group;
  write_row(s, i, row);
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
  begin_check(s, x->waiting);
  return true;
}

/* ---- CHECK */
static bool decide_sync(wl_step_t *s, const wl_path_row_t *row) {
  wl_path_t *x = s->x;
  const uint32_t wanted = row->key & x->live;
  /* xmask holds one key: another rendezvous waits until the released lanes have issued. */
  if (x->released == 0 && (wanted & ~s->e->gathered) == 0) {
    x->released |= s->e->gathered;
    x->waiting &= ~s->e->gathered;
    x->xmask = row->key;
  }
  begin_check(s, behind(s));
  return true;
}

/* Kind of the contribution; false: kinds that must not meet in one phase. */
static bool contribution_kind(uint32_t kinds, uint8_t *kind) {
  switch (kinds) {
  case 1U << 0:
  case (1U << 0) | (1U << 1):
    *kind = 0;
    return true;
  case 1U << 1:
    *kind = 1;
    return true;
  case 1U << 2:
    *kind = 2;
    return true;
  case 1U << 3:
    *kind = 3;
    return true;
  case 1U << 4:
    *kind = 4;
    return true;
  default:
    return false;
  }
}

/* False: the engine stands still. */
static bool decide_bar(wl_step_t *s, const wl_path_row_t *row) {
  wl_engine_t *e = s->e;
  uint8_t kind = 0;
  const bool complete = e->gathered == s->x->live && !e->other_pc;
  const bool misuse = e->misuse || (complete && !contribution_kind(e->kinds, &kind));
  if (misuse) rise(s, WL_TRAP_BARRIER_MISUSE, e->j, row->pc);
  if (misuse || !complete) {
    begin_check(s, behind(s));
    return true;
  }
  if (wl_wbit(s->sm->barrier.requesting, e->warp)) return false;
  s->plan->contribution = (wl_bar_request_t){true, (uint8_t)(row->key & 15),
                                             (uint8_t)(row->key >> 4 & 63), kind, e->gathered};
  s->x->waiting &= ~e->gathered;
  e->phase = WL_ENGINE_REWRITE;
  e->todo = s->x->exist;
  return true;
}

/* False: the step goes on, its decision waits. */
static bool step_check(wl_step_t *s) {
  wl_engine_t *e = s->e;
  const wl_path_row_t j = s->p->row[e->warp][e->j];
  const wl_engine_t before = *e;
  const wl_path_row_t row = row_of(s, wl_lowest(e->todo));
  if (row.state == j.state) {
    if (j.state == WL_PATH_SYNC) {
      if (row.op == j.op && row.key == j.key) e->gathered |= row.mask;
    } else {
      if (row.key != j.key) e->misuse = true;
      if ((j.op & 8) != 0 && row.pc != j.pc) e->other_pc = true;
      e->gathered |= row.mask;
      e->kinds |= 1U << (row.op & 7);
    }
  }
  e->todo &= e->todo - 1;
  if (e->todo != 0) return true;
  const bool decided = j.state == WL_PATH_SYNC ? decide_sync(s, &j) : decide_bar(s, &j);
  if (!decided) *e = before;
  return decided;
}

static void step_rewrite(wl_step_t *s) {
  wl_engine_t *e = s->e;
  const unsigned i = wl_lowest(e->todo);
  wl_path_row_t row = row_of(s, i);
  if (row.state == WL_PATH_BAR) {
    if ((row.op & 7) == 1) {
      row.state = WL_PATH_READY;
      row.pc = (row.pc + 1) & WL_PC_MASK;
    } else {
      row.state = WL_PATH_BARC;
    }
    write_row(s, i, row);
  }
  e->todo &= e->todo - 1;
  if (e->todo == 0) begin_check(s, behind(s));
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
  e->now = (uint32_t)s->sm->env.cycle;
  e->wake = wl_wbit(s->sm->barrier.wake, e->warp);
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
      rise(s, WL_TRAP_SYNC_DEADLOCK, wl_lowest(x->live), pc);
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
  wl_path_row_t row = row_of(s, i);
  if (row.state == WL_PATH_SYNC && (row.mask & ~x->released) == 0) {
    row.state = WL_PATH_READY;
  } else if (row.state == WL_PATH_BARC && e->wake) {
    row.state = WL_PATH_READY;
    x->released |= row.mask;
  } else if (row.state == WL_PATH_SLEEP && (int32_t)(e->now - row.key) >= 0) {
    row.state = WL_PATH_READY;
  }
  write_row(s, i, row);
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
    write_row(s, e->stop_leader, joined);
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
    over = step_check(s);
    break;
  case WL_ENGINE_REWRITE:
    step_rewrite(s);
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

void wl_path_engine_out(const wl_sm_t *sm, const wl_paths_t *p, wl_sub_wires_t *w) {
  wl_path_plan_t *plan = &w->path_plan;
  const wl_wmask_t requesting = sm->env.cfg.event_delay ? p->requests & p->asked : p->requests;
  if (p->engine.late_trap.valid) raise_now(w, &p->engine.late_trap);
  if (p->engine.phase == WL_ENGINE_IDLE &&
      (requesting == 0 || sm->trap.latched.valid || wl_stalls(&sm->env, WL_STALL_AT_ENGINE)))
    return;
  plan->serve = true;
  plan->row_we = plan->walked = false;
  plan->engine = p->engine;
  plan->engine.late_trap.valid = false;
  wl_step_t s = {sm, p, w, plan, &plan->engine, &plan->served};
  if (p->engine.phase == WL_ENGINE_IDLE) {
    const unsigned i = wl_next_after(requesting, p->engine.last);
    plan->engine.warp = plan->engine.last = (uint8_t)i;
    plan->served = wl_path_gather(p, i);
    if (p->req[i] == WL_REQ_SPLIT) {
      plan->engine.phase = WL_ENGINE_SPLIT;
      plan->engine.todo = p->split[i].path;
      plan->engine.beat = 0;
    } else {
      begin_check(&s, plan->served.waiting);
    }
    plan->served.req = WL_REQ_NONE;
    if (sm->env.cfg.row_cycles == 1) step(&s);
  } else {
    plan->served = wl_path_gather(p, p->engine.warp);
    if (sm->env.cfg.row_cycles == 1 || p->engine.read)
      step(&s);
    else
      read_row(&s);
  }
}

static void journal_row(const wl_sm_t *sm, unsigned w, unsigned i, const wl_path_row_t *r) {
  const uint32_t words[] = {w, i, r->mask, r->pc, r->depth, r->state, r->op, r->key};
  wl_journal(&sm->env, WL_J_ROW, words, 8);
}

static void journal_walked(const wl_sm_t *sm, unsigned w, const wl_path_t *x) {
  const uint32_t words[] = {
      w,         x->run,   x->mask,   x->pc,       x->depth,
      x->leader, x->exist, x->served, x->released, x->stop_valid ? x->stop_pc : UINT32_MAX,
      x->below};
  wl_journal(&sm->env, WL_J_WALKED, words, 11);
}

void wl_path_engine_delay(wl_paths_t *p, const wl_path_plan_t *plan) {
  p->asked = p->requests;
  if (plan->serve && p->engine.phase == WL_ENGINE_IDLE)
    p->asked &= ~(UINT64_C(1) << plan->engine.warp);
  p->engine.late_trap.valid = false;
}

void wl_path_engine_update(const wl_sm_t *sm, wl_paths_t *p, const wl_path_plan_t *plan) {
  if (!plan->serve) return;
  const unsigned i = plan->engine.warp;
  p->engine = plan->engine;
  if (plan->row_we) {
    p->row[i][plan->row_leader] = plan->row;
    journal_row(sm, i, plan->row_leader, &plan->row);
  }
  if (plan->tbuf_freed) p->tbuf_busy = false;
  wl_path_scatter(p, i, &plan->served);
  if (plan->walked) journal_walked(sm, i, &plan->served);
}
