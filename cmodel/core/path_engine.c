/* core/path_engine.c: docs/microarchitecture.md 7.3: the path engine: which warp it serves and which step it
 * does in which cycle. The steps are in path_split.c, path_check.c and path_walk.c. It serves one warp at a
 * time and does one step per cycle or, with RowCycles = 2, in the cycle after the one that reads its row. A
 * step is computed in wl_path_engine_out on copies of the engine's and the warp's state and taken over in
 * wl_path_engine_update. */
#include "cmodel/core/path_internal.h"

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

static void step(wl_step_t *s) {
  bool over = true;
  switch (s->e->phase) {
  case WL_ENGINE_SPLIT:
    over = wl_step_split(s);
    break;
  case WL_ENGINE_CHECK:
    over = wl_step_check(s);
    break;
  case WL_ENGINE_REWRITE:
    wl_step_rewrite(s);
    break;
  case WL_ENGINE_WALK1:
    wl_step_walk1(s);
    break;
  case WL_ENGINE_WALK2:
    wl_step_walk2(s);
    break;
  default:
    break;
  }
  if (over) s->e->read = false;
}

/* RowCycles = 2, the first cycle of a step: nobody else changes rows, only what WALK samples is kept. */
static void read_row(wl_step_t *s) {
  s->e->read = true;
  if (s->e->phase == WL_ENGINE_WALK1 && s->e->todo == 0) wl_step_start_walk1(s);
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
