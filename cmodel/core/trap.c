/* Traps and watchdog (docs/microarchitecture.md 14): the lowest {cause, warp, lane} of a cycle is
 * latched if none is pending, and recorded in the next cycle, the first in which it is pending.
 * What a pending trap stops is each unit's own matter. */
#include "cmodel/core/trap.h"

#include <string.h>

void wl_trap_reset(wl_trap_unit_t *t, const wl_env_t *env) {
  (void)env;
  t->latched = (wl_trap_info_t){0};
  t->is_new = false;
}

static uint32_t order(const wl_trap_info_t *t) {
  return (uint32_t)t->cause << 16 | (uint32_t)t->warp << 8 | t->lane;
}

static bool any(const wl_trap_info_t *rising, int n) {
  bool some = false;
  for (int i = 0; i < n; i++)
    some |= rising[i].valid;
  return some;
}

static const wl_trap_info_t *lowest(const wl_trap_info_t *best, const wl_trap_info_t *rising,
                                    int n) {
  for (int i = 0; i < n; i++)
    if (rising[i].valid && (best == NULL || order(&rising[i]) < order(best))) best = &rising[i];
  return best;
}

static void record_pending(const wl_trap_info_t *t, const wl_env_t *env) {
  const uint32_t record[6] = {
      t->cause, t->warp, t->lane, t->pc, (uint32_t)t->address, (uint32_t)(t->address >> 32)};
  wl_journal(env, WL_J_TRAP, record, 6);
}

/* Cycles without issue, packet or the end of a block while no path sleeps. */
static void watchdog(wl_trap_unit_t *t, const wl_env_t *env, const wl_wires_t *w) {
  bool alive = w->port_grant >= 0 || !w->gpu->running || w->umma_ends_block;
  for (unsigned k = 0; k < env->cfg.sub_cores; k++)
    alive = alive || w->sub[k].issue.valid || w->sub[k].sleeping;
  if (alive)
    t->quiet = 0;
  else if (t->quiet < env->cfg.watchdog_cycles)
    t->quiet++;
}

static void latch(wl_trap_unit_t *t, const wl_env_t *env, const wl_wires_t *w) {
  const wl_trap_info_t *best = NULL;
  for (unsigned k = 0; k < env->cfg.sub_cores; k++)
    best = lowest(best, w->sub[k].trap, WL_SUB_TRAP_SOURCES);
  t->latched = *lowest(best, w->trap, WL_TRAP_SOURCES);
  t->is_new = true;
}

void wl_trap_update(wl_trap_unit_t *t, const wl_env_t *env, const wl_wires_t *w) {
  watchdog(t, env, w);
  if (t->is_new) record_pending(&t->latched, env);
  t->is_new = false;
  if (w->gpu->invalidate) wl_trap_reset(t, env);
  if (t->latched.valid) return;
  bool rises = any(w->trap, WL_TRAP_SOURCES);
  for (unsigned k = 0; k < env->cfg.sub_cores; k++)
    rises |= any(w->sub[k].trap, WL_SUB_TRAP_SOURCES);
  if (rises) latch(t, env, w);
}
