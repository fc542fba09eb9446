/* Says what every warp slot did in a cycle, for views (docs/views.md): asks the conditions of issue
 * (docs/microarchitecture.md 5) one after the other for each warp. Called after the
 * arbitrations, only where somebody watches; it reads state and wires and changes only its counters. */
#include "cmodel/gpu/sm.h"

static bool is_released(const wl_paths_t *paths, unsigned warp) {
  const uint32_t m = paths->cur_mask[warp];
  return m != 0 && (m & ~paths->released[warp]) == 0;
}

/* The LSU is not open: while only this sub-core's own slots keep it from being so, those are named. */
static wl_why_t lsu_closed(const wl_sub_t *s, const wl_wires_t *w) {
  return w->lsu_available && s->issue.is_left > 1 ? WL_WHY_SLOTS : WL_WHY_LSU;
}

/* Of a head whose unit cannot take it (wl_issue_is_ready says no). */
static wl_why_t busy_unit(const wl_sub_t *s, const wl_wires_t *wires, const wl_sub_wires_t *w,
                          unsigned warp, const wl_insn_t *insn) {
  switch (insn->dec.info->unit) {
  case WL_UNIT_LSU:
    return lsu_closed(s, wires);
  case WL_UNIT_LDC:
    return WL_WHY_LDC;
  case WL_UNIT_TENSOR:
    return WL_WHY_TENSOR;
  case WL_UNIT_FP64:
    return WL_WHY_FP64;
  case WL_UNIT_COPY:
    return WL_WHY_COPY;
  case WL_UNIT_UMMA:
    return WL_WHY_UMMA;
  case WL_UNIT_TMEM:
    return insn->dec.op == WL_TMEM_WAITLD ? WL_WHY_FENCE : WL_WHY_TMEM;
  case WL_UNIT_SYNC:
    return !w->ready[WL_UNIT_SYNC] ? WL_WHY_EXCHANGE : WL_WHY_TARGETS;
  default: /* a unit without a reason of its own; BAR and CTL */
    if (insn->dec.info->of.route == WL_ROUTE_VARIABLE) return WL_WHY_HELD;
    return s->issue.mem_inflight[warp] != 0 && !is_released(&s->paths, warp) &&
                   insn->dec.info->of.waits
               ? WL_WHY_FENCE
               : WL_WHY_TARGETS;
  }
}

static wl_why_t hazard(const wl_issue_t *is, unsigned warp, const wl_insn_t *insn) {
  uint64_t hit = 0;
  for (int i = 0; i < WL_REG_WORDS; i++)
    hit |= is->busy[warp][i] & insn->need[i];
  if (hit != 0) return WL_WHY_REGISTER;
  return (is->pbusy[warp] & insn->need_p) != 0 ? WL_WHY_PREDICATE : WL_WHY_HELD;
}

static bool is_chosen(const wl_sub_t *s, const wl_sub_wires_t *w, unsigned warp) {
  return s->issue.pick_valid ? s->issue.is_last == warp : wl_wbit(w->chosen, warp);
}

/* Of a ready warp that does not issue. IssueAhead = 1: those not chosen wait for the one that is, from
 * the cycle of its choice on. */
static wl_why_t no_turn(const wl_sm_t *sm, const wl_sub_t *s, const wl_sub_wires_t *w,
                        unsigned warp) {
  const bool ahead = sm->env.cfg.issue_ahead;
  if (ahead && !is_chosen(s, w, warp)) return WL_WHY_ARBITER;
  if (s->issue.is_left > 1) return WL_WHY_SLOTS;
  if (s->writeback.lost >= WL_AGE_LIMIT) return WL_WHY_WRITEBACK;
  return ahead || wl_stalls(&sm->env, WL_STALL_AT_ISSUE) ? WL_WHY_HELD : WL_WHY_ARBITER;
}

/* Of a warp without a path that can run: nothing is to be done for it, and a path is in WAIT. */
static bool only_waits(const wl_paths_t *p, unsigned warp) {
  const bool served = p->engine.phase != WL_ENGINE_IDLE && p->engine.warp == warp;
  return wl_wbit(p->waits & ~(p->run | p->ctl | p->requests), warp) && !served;
}

static wl_why_t why(const wl_sm_t *sm, unsigned warp) {
  const wl_wires_t *wires = &sm->wires;
  const wl_sub_t *s = &sm->sub[wl_sub_of(&sm->env, warp)];
  const wl_sub_wires_t *w = &wires->sub[wl_sub_of(&sm->env, warp)];
  const wl_trap_info_t *trap = &w->trap[WL_SRC_ISSUE];
  if (!wl_wbit(sm->env.slots->warp_valid, warp)) return WL_WHY_NO_WARP;
  if (w->issue.valid && w->issue.warp == warp) return WL_WHY_ISSUED;
  if (sm->trap.latched.valid || (trap->valid && trap->warp == warp)) return WL_WHY_TRAP;
  if (!wl_wbit(s->paths.run, warp) || wl_wbit(s->paths.ctl, warp))
    return only_waits(&s->paths, warp) ? WL_WHY_WAIT : WL_WHY_CONTROL;
  if (!wl_wbit(s->fetch.ib_valid, warp)) return WL_WHY_FETCH;
  const wl_insn_t *insn = &w->ib[warp].entry[w->ib[warp].head];
  if (!wl_wbit(w->issuable, warp)) return hazard(&s->issue, warp, insn);
  if (!wl_issue_is_ready(&s->issue, w, warp)) return busy_unit(s, wires, w, warp, insn);
  return no_turn(sm, s, w, warp);
}

void wl_sm_watch(const wl_sm_t *sm, wl_watch_fn_t fn, void *user) {
  wl_model_async_t async;
  wl_model_watch_t watch = {.cycle = sm->env.cycle, .warps = sm->env.cfg.warps};
  for (unsigned warp = 0; warp < sm->env.cfg.warps; warp++) {
    const wl_why_t reason = why(sm, warp);
    watch.why[warp] = (uint8_t)reason;
    sm->env.reports->count.why[warp][reason]++;
  }
  for (unsigned k = 0; k < sm->env.cfg.sub_cores; k++) {
    const wl_issue_wire_t *is = &sm->wires.sub[k].issue;
    if (is->valid)
      watch.issue[watch.issues++] =
          (wl_model_issue_t){is->warp, is->insn->pc, is->path, is->exec, is->insn->word};
  }
  wl_sm_watch_async(sm, &watch, &async);
  watch.async = &async;
  fn(user, &watch);
}
