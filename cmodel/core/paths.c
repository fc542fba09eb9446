/* core/paths.c: docs/microarchitecture.md 7: the resolve of control instructions (7.2) and the
 * bookkeeping of issue events. The engine is in path_engine.c; why the rules are so: docs/paths.md.
 * Decisions are made in wl_paths_out from visible state and taken over in wl_paths_update. */
#include <string.h>

#include "cmodel/core/path_internal.h"

void wl_paths_reset(wl_paths_t *p, const wl_env_t *env, unsigned k) {
  memset(p, 0, sizeof *p);
  p->engine.last = env->last_warp[k];
}

wl_path_row_t wl_path_target(const wl_split_t *s, const uint32_t tbuf[2][WL_LANES], unsigned lane) {
  if ((s->exec >> lane & 1) == 0)
    return (wl_path_row_t){.pc = s->rest_pc, .depth = s->rest_depth, .state = WL_PATH_READY};
  wl_path_row_t to = s->to;
  if (s->lane_pc) to.pc = tbuf[0][lane] & WL_PC_MASK;
  if (s->lane_key)
    to.key = to.state == WL_PATH_SYNC ? tbuf[0][lane]
                                      : (tbuf[0][lane] & 15) | (tbuf[1][lane] / 32 & 63) << 4;
  return to;
}

/* Lanes of `among` that go where `lane` goes. */
uint32_t wl_path_group(const wl_split_t *s, const uint32_t tbuf[2][WL_LANES], uint32_t among,
                       unsigned lane) {
  const wl_path_row_t first = wl_path_target(s, tbuf, lane);
  uint32_t group = 0;
  for (uint32_t left = among; left != 0; left &= left - 1) {
    const unsigned i = wl_lowest(left);
    const wl_path_row_t to = wl_path_target(s, tbuf, i);
    if (to.pc == first.pc && to.depth == first.depth && to.state == first.state &&
        to.op == first.op && to.key == first.key)
      group |= UINT32_C(1) << i;
  }
  return group;
}

/* ---- 7.2 */
typedef struct wl_resolving {
  const wl_env_t *env;
  const wl_flight_t *f;
  uint32_t tbuf[2][WL_LANES];
  wl_split_t split;
  bool counted, turn_end, taken_back;
  uint8_t cause; /* trap */
  unsigned lane;
  wl_path_plan_t *plan;
} wl_resolving_t;

static void rise(wl_resolving_t *r, wl_trap_t cause, uint32_t lanes) {
  r->cause = (uint8_t)cause;
  r->lane = wl_lowest(lanes);
}

static uint32_t sleep_until(const wl_resolving_t *r) {
  uint64_t v = r->tbuf[0][wl_lowest(r->f->exec)];
  if (v > 1000000) v = 1000000;
  uint64_t cycles = (v * WL_NS_DEN + WL_NS_NUM - 1) / WL_NS_NUM;
  if (cycles == 0) cycles = 1;
  return (uint32_t)(r->env->cycle + cycles);
}

static void aim_control(wl_resolving_t *r, uint16_t depth) {
  const wl_insn_t *insn = &r->f->insn;
  wl_split_t *s = &r->split;
  s->to.depth = depth;
  switch (insn->dec.op) {
  case WL_CTL_BRA:
    s->to.pc = insn->dec.imm & WL_PC_MASK;
    r->counted = r->taken_back = s->to.pc <= insn->pc;
    break;
  case WL_CTL_BRX:
    s->lane_pc = r->counted = true;
    break;
  case WL_CTL_CALL:
  case WL_CTL_CALLX:
    r->counted = true;
    if (insn->dec.op == WL_CTL_CALLX)
      s->lane_pc = true;
    else
      s->to.pc = insn->dec.imm & WL_PC_MASK;
    if (depth == WL_MAX_DEPTH) rise(r, WL_TRAP_CALL_DEPTH, r->f->exec);
    s->to.depth = (uint16_t)(depth + 1);
    break;
  case WL_CTL_RET:
    s->lane_pc = r->counted = true;
    if (depth == 0) rise(r, WL_TRAP_CALL_DEPTH, r->f->exec);
    s->to.depth = (uint16_t)(depth - 1);
    break;
  case WL_CTL_EXIT:
    r->turn_end = true;
    break;
  case WL_CTL_TRAP:
    rise(r, WL_TRAP_USER, r->f->exec);
    break;
  case WL_CTL_SLEEP:
    r->turn_end = true;
    s->to.pc = s->rest_pc;
    s->to.state = WL_PATH_SLEEP;
    s->to.key = sleep_until(r);
    break;
  default:
    break;
  }
}

static void aim_barrier(wl_resolving_t *r, uint16_t depth) {
  const wl_insn_dec_t *d = &r->f->insn.dec;
  static const uint8_t kinds[] = {[WL_BAR_SYNC] = WL_KIND_SYNC,
                                  [WL_BAR_ARRIVE] = WL_KIND_ARRIVE,
                                  [WL_BAR_POPC] = WL_KIND_POPC,
                                  [WL_BAR_AND] = WL_KIND_AND,
                                  [WL_BAR_OR] = WL_KIND_OR};
  r->turn_end = true;
  r->split.to =
      (wl_path_row_t){.pc = r->f->insn.pc,
                      .depth = depth,
                      .state = WL_PATH_BAR,
                      .op = (uint16_t)((d->aligned ? WL_BAR_OP_ALIGNED : 0) | kinds[d->op])};
  r->plan->bar_lanes = r->f->exec;
  r->plan->bar_value = (d->info->preds & WL_PRED_S) != 0 ? r->f->s : 0;
  if (d->info->imm == WL_IMM_G) {
    r->split.to.key = (d->imm & 15) | (d->imm >> 8 & 63) << 4;
    return;
  }
  r->split.lane_key = true;
  for (uint32_t left = r->f->exec; left != 0; left &= left - 1) {
    const unsigned i = wl_lowest(left);
    if (r->tbuf[0][i] > 15 || r->tbuf[1][i] % 32 != 0 || r->tbuf[1][i] / 32 > 32) {
      rise(r, WL_TRAP_BARRIER_MISUSE, left);
      return;
    }
  }
}

static void aim_sync(wl_resolving_t *r, uint16_t depth) {
  const wl_insn_dec_t *d = &r->f->insn.dec;
  const bool imm = d->info->imm == WL_IMM_M;
  r->turn_end = true;
  r->split.to = (wl_path_row_t){.pc = r->f->insn.pc,
                                .depth = depth,
                                .state = WL_PATH_SYNC,
                                .op = (uint16_t)(d->xmode << 8 | d->op),
                                .key = imm ? d->imm : 0};
  r->split.lane_key = !imm;
  for (uint32_t left = r->f->exec; left != 0; left &= left - 1) {
    const unsigned i = wl_lowest(left);
    if (((imm ? d->imm : r->tbuf[0][i]) >> i & 1) == 0) {
      rise(r, WL_TRAP_SYNC_MASK, left);
      return;
    }
  }
}

/* Where the lanes go, and the checks at T. */
static void aim(wl_resolving_t *r, const wl_path_t *x) {
  const wl_flight_t *f = r->f;
  const wl_insn_dec_t *d = &f->insn.dec;
  /* The target buffer: operand a (c of SYNC), operand b of BAR .r. */
  memcpy(r->tbuf[0], d->unit == WL_UNIT_SYNC ? f->c[0] : f->a[0], sizeof r->tbuf[0]);
  memcpy(r->tbuf[1], f->b[0], sizeof r->tbuf[1]);
  r->split = (wl_split_t){.path = f->path,
                          .exec = f->exec,
                          .rest_pc = (f->insn.pc + 1) & WL_PC_MASK,
                          .rest_depth = x->depth,
                          .tbuf = f->insn.register_form};
  if (d->unit == WL_UNIT_BAR)
    aim_barrier(r, x->depth);
  else if (d->unit == WL_UNIT_SYNC)
    aim_sync(r, x->depth);
  else
    aim_control(r, x->depth);
}

static void request(wl_path_t *x, wl_path_request_t req, bool chk) {
  x->req = (uint8_t)req;
  x->run = x->ctl = false;
  x->chk = x->chk || chk;
}

static void resolve_exit(wl_resolving_t *r, wl_path_t *x, uint32_t others) {
  const uint32_t rest = r->f->path & ~r->f->exec;
  x->live &= ~r->f->exec;
  x->exist &= ~(UINT32_C(1) << x->leader);
  x->mask = rest;
  if (rest == 0) {
    if (x->live == 0) {
      x->run = x->ctl = false;
      r->plan->warp_done = true;
    } else {
      request(x, WL_REQ_WALK, true);
    }
    return;
  }
  x->leader = (uint8_t)wl_lowest(rest);
  x->exist |= UINT32_C(1) << x->leader;
  x->pc = r->split.rest_pc;
  if (others != 0) {
    request(x, WL_REQ_WALK, true);
    return;
  }
  x->served = 0;
  x->ctl = false;
}

static void resolve_ready(wl_resolving_t *r, wl_path_t *x, uint32_t others, const wl_path_row_t *to,
                          wl_sub_wires_t *w) {
  const bool depth_changed = to->depth != x->depth;
  x->pc = to->pc;
  x->depth = to->depth;
  if (others == 0 && r->turn_end) x->served = 0;
  if (others != 0 && (r->turn_end || (x->stop_valid && to->pc >= x->stop_pc) || depth_changed ||
                      (r->taken_back && to->pc <= r->f->insn.pc && x->below))) {
    request(x, WL_REQ_WALK, false);
    return;
  }
  x->ctl = false;
  if (to->pc != r->split.rest_pc)
    w->flush[WL_FLUSH_RESOLVE] = (wl_flush_wire_t){true, r->f->warp, to->pc};
}

static void end_turn(wl_resolving_t *r, wl_path_t *x, wl_sub_wires_t *w) {
  if (r->counted && (x->turn + 1U == WL_TURN_BRANCHES || x->polled)) r->turn_end = true;
  if (r->turn_end) {
    x->served |= r->f->path;
    x->turn = 0;
    x->polled = false;
    w->turn_end = (wl_warp_wire_t){true, r->f->warp};
  } else if (r->counted) {
    x->turn++;
  }
}

static void resolve(const wl_paths_t *p, const wl_env_t *env, wl_sub_wires_t *w) {
  const wl_flight_t *f = w->resolve_f;
  wl_path_plan_t *plan = &w->path_plan;
  wl_resolving_t r = {.env = env, .f = f, .plan = plan};
  wl_path_t x = wl_path_gather(p, f->warp);
  const wl_insn_dec_t *d = &f->insn.dec;
  plan->resolve = true;
  plan->resolve_warp = f->warp;
  aim(&r, &x);
  if (r.cause != WL_TRAP_NONE) {
    plan->resolve_trap = true;
    w->trap[WL_SRC_RESOLVE] =
        (wl_trap_info_t){true, r.cause, f->warp, (uint8_t)r.lane, f->insn.pc, 0};
    return;
  }
  const uint32_t others = x.exist & ~(UINT32_C(1) << x.leader);
  end_turn(&r, &x, w);
  if (d->unit == WL_UNIT_CTL && d->op == WL_CTL_EXIT) {
    resolve_exit(&r, &x, others);
  } else {
    const unsigned first = wl_lowest(f->path);
    const bool one = wl_path_group(&r.split, r.tbuf, f->path, first) == f->path;
    const wl_path_row_t to = wl_path_target(&r.split, r.tbuf, first);
    if (one && to.state == WL_PATH_READY) {
      resolve_ready(&r, &x, others, &to, w);
    } else {
      /* Branches only have READY targets. */
      if (!one && others == 0 && r.split.to.state == WL_PATH_READY) x.turn = 0;
      request(&x, WL_REQ_SPLIT, d->unit != WL_UNIT_CTL);
    }
  }
  if (x.req != WL_REQ_NONE)
    w->flush[WL_FLUSH_RESOLVE] = (wl_flush_wire_t){true, f->warp, r.split.rest_pc};
  plan->tbuf_freed = r.split.tbuf && x.req != WL_REQ_SPLIT;
  plan->split = r.split;
  plan->after = x;
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
  return waiting_among(p, env, due_now(p, env) | wires->bar_wake);
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
  if (w->resolve) resolve(p, env, w);
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
