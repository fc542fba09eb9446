/* core/paths.c: docs/microarchitecture.md 7: the state of the paths, issue events, wake-ups. The resolve of
 * control instructions is in path_resolve.c, the engine in path_engine.c; why the rules are so:
 * docs/paths.md. Decisions are made in wl_paths_out from visible state and taken over in
 * wl_paths_update. */
#include <string.h>

#include "cmodel/core/path_internal.h"

void wl_paths_reset(wl_paths_t *p, const wl_env_t *env, unsigned k) {
  memset(p, 0, sizeof *p);
  p->engine.last = env->last_warp[k];
}

/* The clock is looked at for one warp per cycle: that warp if its sleep is over. */
static wl_wmask_t due_now(const wl_paths_t *p, const wl_env_t *env) {
  if (p->wake_valid == 0) return 0;
  const unsigned w = (unsigned)(env->cycle % env->cfg.warps);
  const bool due = (int32_t)((uint32_t)env->cycle - p->wake_at[w]) >= 0;
  return due ? p->wake_valid & UINT64_C(1) << w : 0;
}

/* Warps of `set` in which nothing runs, nothing is asked for and nothing is being done. */
static wl_wmask_t waiting_among(const wl_paths_t *p, const wl_env_t *env, wl_wmask_t set) {
  const wl_wmask_t served = p->engine.phase != WL_ENGINE_IDLE ? UINT64_C(1) << p->engine.warp : 0;
  return set & env->slots->warp_valid & p->alive & ~(p->run | p->ctl | p->requests | served);
}

/* 7.3, requests by wake-up, from the state at the cycle's start; the warps concerned do not run. */
static wl_wmask_t wake_ups(const wl_paths_t *p, const wl_env_t *env, const wl_wires_t *wires) {
  if (wires->trap_pending) return 0;
  const wl_wmask_t waits = wires->wait_wake & p->waits;
  return waiting_among(p, env, due_now(p, env) | wires->bar_wake | waits);
}

void wl_paths_out(const wl_paths_t *p, const wl_env_t *env, wl_wires_t *wires, unsigned k) {
  wl_sub_wires_t *w = &wires->sub[k];
  wl_path_plan_t *plan = &w->path_plan;
  plan->resolve = plan->resolve_trap = plan->serve = plan->warp_done = plan->tbuf_freed = false;
  plan->take_wake = plan->contribution.valid = false;
  plan->bar_lanes = 0;
  w->flush[WL_FLUSH_RESOLVE].valid = w->flush[WL_FLUSH_ENGINE].valid = false;
  w->turn_end.valid = false;
  w->trap[WL_SRC_RESOLVE].valid = w->trap[WL_SRC_ENGINE].valid = false;
  w->tbuf_free = !p->tbuf_busy;
  w->sleeping = p->wake_valid != 0 && waiting_among(p, env, p->wake_valid) != 0;
  if (w->resolve) wl_path_resolve(p, env, wires, w);
  plan->wake_ups = wake_ups(p, env, wires);
  wl_path_engine_out(p, env, wires, w);
  w->path_busy = p->requests | (p->alive & env->slots->warp_valid);
  if (p->engine.phase != WL_ENGINE_IDLE) w->path_busy |= UINT64_C(1) << p->engine.warp;
}

static void journal_resolve(const wl_env_t *env, unsigned w, const wl_path_t *x) {
  const uint32_t words[] = {
      w, x->req, x->pc, x->mask, x->depth, x->served, x->turn | (uint32_t)x->polled << 16, x->live};
  wl_journal(env, WL_J_RESOLVE, words, 8);
}

/* Copies the operands of a resolving register form to the buffer that the split will read. */
static void keep_targets(wl_paths_t *p, const wl_flight_t *f) {
  memcpy(p->tbuf[0], f->insn.dec.unit == WL_UNIT_SYNC ? f->c[0] : f->a[0], sizeof p->tbuf[0]);
  memcpy(p->tbuf[1], f->b[0], sizeof p->tbuf[1]);
}

static void start_warps(wl_paths_t *p, const wl_env_t *env, const wl_wires_t *w, unsigned k) {
  for (wl_wmask_t left = w->start_warps & env->sub_warps[k]; left != 0; left &= left - 1) {
    const unsigned i = wl_lowest(left);
    const wl_path_t x = {.mask = w->start_live[i],
                         .live = w->start_live[i],
                         .exist = 1,
                         .pc = env->launch->entry_pc & WL_PC_MASK,
                         .run = true};
    wl_path_scatter(p, i, &x);
  }
}

static void update_issue(wl_paths_t *p, const wl_issue_wire_t *i) {
  if (!i->valid) return;
  const wl_wmask_t bit = UINT64_C(1) << i->warp;
  if (i->takes_tbuf) p->tbuf_busy = true;
  if (i->polled) p->polled |= bit;
  if (i->ctl) {
    p->ctl |= bit;
    return;
  }
  p->cur_pc[i->warp] = (i->insn->pc + 1) & WL_PC_MASK;
  if (i->released) p->released[i->warp] &= ~i->path;
  if (i->walk) {
    p->run &= ~bit;
    p->req[i->warp] = WL_REQ_WALK;
    p->requests |= bit;
    if (i->chk) p->chk |= bit;
  }
}

void wl_paths_update(wl_paths_t *p, const wl_env_t *env, const wl_wires_t *wires, unsigned k) {
  const wl_sub_wires_t *w = &wires->sub[k];
  const wl_path_plan_t *plan = &w->path_plan;
  if (wires->gpu->clear) { /* wins over everything else of the cycle */
    wl_paths_reset(p, env, k);
    return;
  }
  if (env->cfg.event_delay) wl_path_engine_delay(p, plan);
  for (wl_wmask_t left = plan->wake_ups; left != 0; left &= left - 1)
    p->req[wl_lowest(left)] = WL_REQ_WALK;
  p->requests |= plan->wake_ups;
  update_issue(p, &w->issue);
  if (plan->resolve && !plan->resolve_trap) {
    const unsigned i = plan->resolve_warp;
    wl_path_scatter(p, i, &plan->after);
    p->split[i] = plan->split;
    if (plan->split.tbuf) keep_targets(p, w->resolve_f);
    if (plan->tbuf_freed) p->tbuf_busy = false;
    journal_resolve(env, i, &plan->after);
  }
  wl_path_engine_update(p, env, plan);
  if (wires->cta_start) start_warps(p, env, wires, k);
}

/* REST of section 15: bit ISSUE for ctl, which issue counts as its own. */
uint32_t wl_paths_busy(const wl_paths_t *p, const wl_env_t *env) {
  bool busy = p->requests != 0 || p->engine.phase != WL_ENGINE_IDLE;
  for (unsigned w = 0; w < env->cfg.warps; w++)
    busy = busy || p->req[w] != WL_REQ_NONE;
  return (uint32_t)busy << WL_REST_PATHS | (uint32_t)(p->ctl != 0) << WL_REST_ISSUE;
}
