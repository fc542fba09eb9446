/* core/barrier.c: docs/microarchitecture.md 8: CTA barriers. One event per cycle: a contribution, or
 * one barrier of the exit of a warp; with EventDelay = 1 an event acts in the cycle after its choice.
 * Gathering the lanes of a warp is core/path_engine.c. */
#include "cmodel/core/barrier.h"

#include <string.h>

void wl_barrier_reset(wl_barrier_unit_t *u, const wl_env_t *env) {
  (void)env;
  memset(u, 0, sizeof *u);
}

/* The event that acts in this cycle. */
static bool event_of(const wl_barrier_unit_t *u, const wl_env_t *env, unsigned *warp, bool *exits) {
  const wl_wmask_t any = u->requesting | u->exiting;
  if (any == 0) return false;
  if (u->exit_scan.valid) {
    *warp = u->exit_scan.warp;
    *exits = true;
    return true;
  }
  if (env->cfg.event_delay) {
    *warp = u->next.warp;
    *exits = u->next.exits;
    return u->next.valid;
  }
  *warp = wl_lowest(any);
  *exits = !wl_wbit(u->requesting, *warp);
  return true;
}

/* EventDelay = 1: the choice of a cycle in which no event acts. */
static void choose_next(wl_barrier_unit_t *u, bool acts) {
  const wl_wmask_t any = u->requesting | u->exiting;
  u->next.valid = !acts && any != 0;
  if (!u->next.valid) return;
  u->next.warp = (uint8_t)wl_lowest(any);
  u->next.exits = !wl_wbit(u->requesting, u->next.warp);
}

/* b as it counts: the whole CTA is 0. */
static unsigned normal_b(const wl_barrier_unit_t *u, const wl_env_t *env, unsigned warp) {
  const unsigned b = u->request[warp].b;
  return b == env->slots->cta[env->slots->warp_cta[warp]].nwarps ? 0 : b;
}

/* The kind of a phase: bar.sync and bar.arrive meet in one. */
static unsigned kind_class(unsigned kind) { return kind == WL_KIND_ARRIVE ? WL_KIND_SYNC : kind; }

static bool misused(const wl_barrier_unit_t *u, const wl_env_t *env, unsigned warp) {
  const wl_bar_request_t *r = &u->request[warp];
  const wl_barrier_t *b = &u->barrier[env->slots->warp_cta[warp]][r->a];
  if (b->arrived == 0) return false;
  return wl_wbit(b->arrived, warp) || b->b != normal_b(u, env, warp) ||
         b->kind != kind_class(r->kind);
}

/* Every warp of the CTA has arrived or ended. */
static bool all_in(const wl_env_t *env, const wl_wires_t *w, unsigned slot, wl_wmask_t arrived) {
  wl_wmask_t alive = 0;
  for (unsigned k = 0; k < env->cfg.sub_cores; k++)
    alive |= w->sub[k].alive;
  return (env->slots->cta[slot].warps & ~arrived & alive) == 0;
}

/* Barriers, from exit_scan on, at which warps of the exiting warp's CTA have arrived. */
static unsigned left_to_scan(const wl_barrier_unit_t *u, unsigned slot) {
  unsigned mask = 0;
  for (unsigned a = u->exit_scan.valid ? u->exit_scan.next : 0; a < WL_BARRIERS; a++)
    if (u->barrier[slot][a].arrived != 0) mask |= 1U << a;
  return mask;
}

/* The barrier that the event completes, as a bit. */
static uint16_t completes(const wl_barrier_unit_t *u, const wl_env_t *env, const wl_wires_t *w,
                          unsigned warp, bool exits) {
  const unsigned slot = env->slots->warp_cta[warp];
  const wl_barrier_t *barriers = u->barrier[slot];
  if (!exits) {
    const unsigned a = u->request[warp].a, b = normal_b(u, env, warp);
    const wl_wmask_t arrived = barriers[a].arrived | UINT64_C(1) << warp;
    const bool done =
        b != 0 ? (unsigned)__builtin_popcountll(arrived) == b : all_in(env, w, slot, arrived);
    return (uint16_t)(done << a);
  }
  const unsigned left = left_to_scan(u, slot);
  if (left == 0) return 0;
  const wl_barrier_t *b = &barriers[wl_lowest(left)];
  return (uint16_t)(b->b == 0 && all_in(env, w, slot, b->arrived) ? left & -left : 0);
}

void wl_barrier_out(const wl_barrier_unit_t *u, const wl_env_t *env, wl_wires_t *w) {
  unsigned warp = 0;
  bool exits = false;
  w->bar_busy = u->requesting | u->exiting;
  w->trap[WL_SRC_BARRIER].valid = false;
  w->bar_complete = 0;
  if (!event_of(u, env, &warp, &exits)) return;
  if (!exits && misused(u, env, warp))
    w->trap[WL_SRC_BARRIER] = (wl_trap_info_t){
        true, WL_TRAP_BARRIER_MISUSE, (uint8_t)warp, (uint8_t)wl_lowest(u->request[warp].mask), 0,
        0};
  else
    w->bar_complete = completes(u, env, w, warp, exits);
}

static void finish(wl_barrier_unit_t *u, unsigned a, wl_barrier_t *b) {
  if (b->kind == WL_KIND_CLUSTER) {
    u->cluster_wait &= ~b->arrived;
    u->wait_wake |= b->arrived;
    b->arrived = 0;
    return;
  }
  for (wl_wmask_t left = b->arrived & u->waiting; left != 0; left &= left - 1) {
    const unsigned i = wl_lowest(left);
    if (u->wait_a[i] != a) continue;
    u->wake |= left & -left;
    u->waiting &= ~(left & -left);
    u->result[i].popc = b->popc;
    u->result[i].and_all = b->all;
    u->result[i].or_any = b->any;
  }
  b->arrived = 0;
}

static void journal(const wl_env_t *env, unsigned slot, unsigned a, const wl_barrier_t *b) {
  const uint32_t words[] = {
      slot, a, (uint32_t)b->arrived, (uint32_t)(b->arrived >> 32), b->b, b->kind, b->popc};
  wl_journal(env, WL_J_BARRIER, words, 7);
}

static void contribute(wl_barrier_unit_t *u, const wl_env_t *env, unsigned warp,
                       unsigned completed) {
  const wl_bar_request_t *r = &u->request[warp];
  const unsigned slot = env->slots->warp_cta[warp];
  wl_barrier_t *b = &u->barrier[slot][r->a];
  if (b->arrived == 0)
    *b = (wl_barrier_t){
        .b = (uint8_t)normal_b(u, env, warp), .kind = (uint8_t)kind_class(r->kind), .all = true};
  const uint32_t ones = u->pred[warp] & r->mask;
  b->arrived |= UINT64_C(1) << warp;
  b->popc += (unsigned)__builtin_popcount(ones);
  b->all = b->all && ones == r->mask;
  b->any = b->any || ones != 0;
  if (r->kind != WL_KIND_ARRIVE && r->kind != WL_KIND_CLUSTER) {
    u->waiting |= UINT64_C(1) << warp;
    u->wait_a[warp] = r->a;
  }
  if ((completed >> r->a & 1) != 0) finish(u, r->a, b);
  journal(env, slot, r->a, b);
}

static void warp_exits(wl_barrier_unit_t *u, const wl_env_t *env, unsigned warp,
                       unsigned completed) {
  const unsigned slot = env->slots->warp_cta[warp];
  const unsigned left = left_to_scan(u, slot);
  u->exit_scan.valid = (left & (left - 1)) != 0;
  if (u->exit_scan.valid) {
    u->exit_scan.warp = (uint8_t)warp;
    u->exit_scan.next = (uint8_t)(wl_lowest(left) + 1);
  } else {
    u->exiting &= ~(UINT64_C(1) << warp);
  }
  if (completed == 0) return;
  wl_barrier_t *b = &u->barrier[slot][wl_lowest(completed)];
  finish(u, wl_lowest(completed), b);
  journal(env, slot, wl_lowest(completed), b);
}

/* What the paths of a sub-core tell in this cycle. */
static void take_paths(wl_barrier_unit_t *u, const wl_path_plan_t *plan) {
  if (plan->contribution.valid) {
    u->request[plan->engine.warp] = plan->contribution;
    u->requesting |= UINT64_C(1) << plan->engine.warp;
  }
  if (plan->resolve && !plan->resolve_trap) {
    const unsigned i = plan->resolve_warp;
    u->pred[i] = (u->pred[i] & ~plan->bar_lanes) | (plan->bar_value & plan->bar_lanes);
    if (plan->warp_done) u->exiting |= UINT64_C(1) << i;
  }
}

static wl_wmask_t all_warps(const wl_env_t *env) { return ~UINT64_C(0) >> (64 - env->cfg.warps); }

/* Of warps that start, and of all where a launch does. */
static void forget_waits(wl_barrier_unit_t *u, const wl_wires_t *w) {
  const wl_wmask_t started = w->cta_start ? w->start_warps : 0;
  u->cluster_wait &= w->gpu->invalidate ? 0 : ~started;
  u->wait_wake &= w->gpu->invalidate ? 0 : ~started;
}

void wl_barrier_update(wl_barrier_unit_t *u, const wl_env_t *env, const wl_wires_t *w) {
  unsigned warp = 0;
  bool exits = false;
  if (w->gpu->clear) { /* wins over everything else of the cycle */
    wl_barrier_reset(u, env);
    return;
  }
  forget_waits(u, w); /* what completes in this cycle stays: it acts after starts and walks (0.1) */
  for (unsigned k = 0; k < env->cfg.sub_cores; k++) {
    const wl_path_plan_t *plan = &w->sub[k].path_plan;
    const wl_wmask_t bit = UINT64_C(1) << plan->engine.warp;
    if (plan->take_wake) u->wake &= ~bit, u->wait_wake &= ~bit;
    if (plan->contribution.valid && plan->contribution.kind == WL_KIND_CLUSTER)
      u->cluster_wait |= bit;
  }
  const bool acts = event_of(u, env, &warp, &exits);
  if (env->cfg.event_delay) choose_next(u, acts);
  if (acts) {
    if (exits) {
      warp_exits(u, env, warp, w->bar_complete);
    } else {
      if (!w->trap[WL_SRC_BARRIER].valid) contribute(u, env, warp, w->bar_complete);
      u->requesting &= ~(UINT64_C(1) << warp);
    }
  }
  for (unsigned k = 0; k < env->cfg.sub_cores; k++)
    take_paths(u, &w->sub[k].path_plan);
  if (w->cta_start) { /* a former CTA of the slot may have left some */
    for (unsigned a = 0; a < WL_BARRIERS; a++)
      u->barrier[w->start_slot][a].arrived = 0;
    u->requesting &= ~w->start_warps;
    u->exiting &= ~w->start_warps;
    u->wake &= ~w->start_warps;
    u->waiting &= ~w->start_warps;
  }
  if (w->smem_completes) u->wait_wake |= all_warps(env);
  u->wait_wake |= w->lsu_copied | w->copy_wake | w->column_wake;
}

uint32_t wl_barrier_busy(const wl_barrier_unit_t *u, const wl_env_t *env) {
  (void)env;
  const bool busy = (u->requesting | u->exiting | u->wake) != 0 || u->exit_scan.valid;
  return (uint32_t)busy << WL_REST_BARRIER;
}
