/* Progress obligations checked while the model runs; see obligations.h. Lanes are looked at only in
 * cycles with a turn end and issue cycles of warps with a waiting lane, so the check costs little.
 */
#include "cmodel/gpu/obligations.h"

#include <string.h>

#include "cmodel/gpu/sm.h"

static void end_turn_lanes(wl_sm_t *sm, unsigned warp) {
  wl_obligations_t *o = &sm->obligations;
  const wl_paths_t *p = &sm->sub[wl_sub_of(&sm->env, warp)].paths;
  uint32_t ready = 0;
  for (unsigned leader = 0; leader < WL_LANES; leader++)
    if ((p->exist[warp] >> leader & 1) && leader != p->leader[warp] &&
        p->row[warp][leader].state == 0)
      ready |= p->row[warp][leader].mask;
  ready &= p->live[warp] & ~p->cur_mask[warp];
  for (unsigned i = 0; i < WL_LANES; i++) {
    if ((ready >> i & 1) == 0)
      o->turns[warp][i] = 0;
    else if (++o->turns[warp][i] > WL_TURN_BOUND)
      wl_fail(&sm->env, "a READY lane waited for more than 63 turns (section 7)");
  }
  if (ready != 0)
    o->lane_waits |= UINT64_C(1) << warp;
  else
    o->lane_waits &= ~(UINT64_C(1) << warp);
}

/* Of one sub-core. */
static void warp_ends(wl_sm_t *sm, unsigned k) {
  wl_obligations_t *o = &sm->obligations;
  const wl_sub_wires_t *w = &sm->wires.sub[k];
  if (o->warp_waits == 0 && !w->turn_end.valid) return;
  const wl_wmask_t issued = w->issue.valid ? UINT64_C(1) << w->issue.warp : 0;
  const wl_wmask_t waiting = w->issuable & ~issued;
  const wl_wmask_t stopped = o->warp_waits & sm->env.sub_warps[k] & ~waiting;
  for (wl_wmask_t set = stopped; set != 0; set &= set - 1)
    o->ends[wl_lowest(set)] = 0;
  o->warp_waits &= ~stopped;
  if (!w->turn_end.valid) return;
  for (wl_wmask_t set = waiting; set != 0; set &= set - 1) {
    const unsigned warp = wl_lowest(set);
    if (!wl_issue_is_ready(&sm->sub[k].issue, w, warp)) continue;
    if (++o->ends[warp] > 2 * sm->env.cfg.warps - 1 + WL_ENDS_IN_FLIGHT)
      wl_fail(&sm->env, "a ready warp waited for more than 2 * Warps + 3 turn ends (section 7)");
  }
  o->warp_waits |= waiting;
}

/* The pointer served_last comes nearer to a ready warp with every choice that passes it. */
static void circular_choice(wl_sm_t *sm, const wl_sub_wires_t *w, unsigned k) {
  wl_obligations_t *o = &sm->obligations;
  const wl_wmask_t own = sm->env.sub_warps[k];
  const wl_wmask_t issued = w->issue.valid ? UINT64_C(1) << w->issue.warp : 0;
  const wl_wmask_t ready = w->circular & ~issued;
  for (wl_wmask_t set = o->passed_by & own & ~ready; set != 0; set &= set - 1)
    o->passed[wl_lowest(set)] = 0;
  o->passed_by = (o->passed_by & ~own) | ready;
  const int others = __builtin_popcountll(own) - 1;
  for (wl_wmask_t set = ready; set != 0; set &= set - 1)
    if (++o->passed[wl_lowest(set)] > others)
      wl_fail(&sm->env,
              "a ready warp was passed by more than Warps - 1 circular choices (section 7)");
}

/* IssueAhead: what a warp was chosen for stays so until it issues (section 5). */
static void pick_stays(wl_sm_t *sm) {
  const wl_issue_t *is = &sm->sub[0].issue;
  const wl_sub_wires_t *w = &sm->wires.sub[0];
  if (!is->pick_valid || sm->trap.latched.valid) return;
  if (!wl_wbit(w->issuable, is->is_last) || !wl_issue_is_ready(is, w, is->is_last))
    wl_fail(&sm->env, "the warp chosen to issue is no longer ready (section 5)");
}

void wl_obligations_check(struct wl_sm *sm) {
  wl_obligations_t *o = &sm->obligations;
  const wl_wires_t *wires = &sm->wires;
  for (wl_wmask_t set = wires->cta_start ? wires->start_warps : 0; set != 0; set &= set - 1) {
    memset(o->turns[wl_lowest(set)], 0, WL_LANES);
    o->passed[wl_lowest(set)] = 0;
  }
  if (sm->env.cfg.issue_ahead) pick_stays(sm);
  for (unsigned k = 0; k < sm->env.cfg.sub_cores; k++) {
    const wl_sub_wires_t *w = &wires->sub[k];
    if (w->issue.valid && wl_wbit(o->lane_waits, w->issue.warp))
      for (uint32_t set = w->issue.path; set != 0; set &= set - 1)
        o->turns[w->issue.warp][wl_lowest(set)] = 0;
    if (w->turn_end.valid) end_turn_lanes(sm, w->turn_end.warp);
    if (sm->env.cfg.sched_greedy) warp_ends(sm, k);
    if (w->circular != 0) circular_choice(sm, w, k);
  }
}
