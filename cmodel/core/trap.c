/* Traps and watchdog (docs/microarchitecture.md 14): the lowest {cause, warp, lane} of a cycle is
 * latched if none is pending, and recorded in the next cycle, the first in which it is pending.
 * What a pending trap stops is each unit's own matter. */
#include <string.h>

#include "cmodel/gpu/sm.h"

void wl_trap_reset(wl_sm_t *sm) {
  sm->trap.latched = (wl_trap_info_t){0};
  sm->trap.is_new = false;
}

static uint32_t order(const wl_trap_info_t *t) {
  return (uint32_t)t->cause << 16 | (uint32_t)t->warp << 8 | t->lane;
}

static const wl_trap_info_t *lowest(const wl_trap_info_t *best, const wl_trap_info_t *rising,
                                    int n) {
  for (int i = 0; i < n; i++)
    if (rising[i].valid && (best == NULL || order(&rising[i]) < order(best))) best = &rising[i];
  return best;
}

static void record_pending(const wl_sm_t *sm) {
  const wl_trap_info_t *t = &sm->trap.latched;
  const uint32_t record[6] = {
      t->cause, t->warp, t->lane, t->pc, (uint32_t)t->address, (uint32_t)(t->address >> 32)};
  wl_journal(&sm->env, WL_J_TRAP, record, 6);
}

void wl_trap_update(wl_sm_t *sm, const wl_wires_t *w) {
  if (sm->trap.is_new) record_pending(sm);
  sm->trap.is_new = false;
  if (w->invalidate) wl_trap_reset(sm);
  if (sm->trap.latched.valid) return;
  const wl_trap_info_t *best = NULL;
  for (unsigned k = 0; k < sm->env.cfg.sub_cores; k++)
    best = lowest(best, w->sub[k].trap, WL_SUB_TRAP_SOURCES);
  best = lowest(best, w->trap, WL_TRAP_SOURCES);
  if (best == NULL) return;
  sm->trap.latched = *best;
  sm->trap.is_new = true;
}

/* Cycles without issue or packet while no path sleeps. */
void wl_watchdog(wl_sm_t *sm, const wl_wires_t *w) {
  bool alive = w->port_grant >= 0 || sm->disp.state != WL_DISP_RUN;
  for (unsigned k = 0; k < sm->env.cfg.sub_cores; k++)
    alive = alive || w->sub[k].issue.valid;
  alive = alive || wl_paths_sleeping(sm);
  if (alive)
    sm->trap.quiet = 0;
  else if (sm->trap.quiet < WL_WATCHDOG_CYCLES)
    sm->trap.quiet++;
}
