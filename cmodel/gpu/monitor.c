/* gpu/monitor.c: docs/microarchitecture.md 14: the performance monitors that a program reads as %pm, and
 * their record at the end of a launch. Each amount is a condition of its unit in the cycle; the counters
 * of views (wl_model_counters_t) are not used here, so that each can be held against the other. */
#include "cmodel/gpu/monitor.h"

#include <string.h>

#include "cmodel/gpu/sm.h"
#include "gen/wl_sreg.h"

_Static_assert(sizeof((wl_wires_t *)0)->pm_add == WL_PMS, "an amount for each monitor");

void wl_monitor_reset(wl_sm_t *sm) { memset(&sm->monitor, 0, sizeof sm->monitor); }

/* A word of pm[i], low and high in turn; other special registers: false. */
bool wl_monitor_read(const wl_sm_t *sm, unsigned id, uint32_t *value) {
  if (id < WL_SREG_PM0_LO || id > WL_SREG_PM7_HI) return false;
  const unsigned word = id - WL_SREG_PM0_LO;
  *value = (uint32_t)(sm->monitor.pm[word / 2] >> word % 2 * 32);
  return true;
}

/* What the units do in this cycle: behind the arbitrations, before the updates. */
void wl_monitor_arb(const wl_sm_t *sm, wl_wires_t *w) {
  if (!sm->env.cfg.pm_counters) return;
  uint8_t *n = w->pm_add;
  memset(n, 0, sizeof w->pm_add);
  for (unsigned k = 0; k < sm->env.cfg.sub_cores; k++) {
    const bool issues = w->sub[k].issue.valid;
    n[WL_PM_ISSUES] = (uint8_t)(n[WL_PM_ISSUES] + issues);
    if (!issues && (sm->env.slots->warp_valid & sm->env.sub_warps[k]) != 0) n[WL_PM_IDLE]++;
    if (wl_fetch_sets_miss(sm, w, k)) n[WL_PM_ICACHE_MISSES]++;
  }
  n[WL_PM_SMEM_REQUESTS] = w->smem_req.valid && w->smem_ready;
  n[WL_PM_SMEM_PASSES] = wl_smem_starts_pass(sm);
  n[WL_PM_CCACHE_MISSES] = wl_ccache_misses(sm);
  n[WL_PM_PACKETS] = w->port_grant >= 0;
  n[WL_PM_WAITS] = !w->op_ready; /* occupied, and not admitted from */
}

static void record_end(const wl_sm_t *sm) {
  uint32_t words[2 * WL_PMS];
  for (unsigned i = 0; i < WL_PMS; i++) {
    words[2 * i] = (uint32_t)sm->monitor.pm[i];
    words[2 * i + 1] = (uint32_t)(sm->monitor.pm[i] >> 32);
  }
  wl_journal(&sm->env, WL_J_MONITOR, words, 2 * WL_PMS);
}

static void count(wl_monitor_t *m, const uint8_t amounts[WL_PMS]) {
  for (unsigned i = 0; i < WL_PMS; i++) {
    m->pm[i] += m->add[i];
    m->add[i] = amounts[i];
  }
}

void wl_monitor_update(wl_sm_t *sm, const wl_wires_t *w) {
  if (!sm->env.cfg.pm_counters) return;
  if (w->end) record_end(sm);
  if (w->invalidate) /* the cycle of the start */
    wl_monitor_reset(sm);
  else
    count(&sm->monitor, w->pm_add);
}

/* A cycle in which no unit does anything. */
void wl_monitor_rest(wl_sm_t *sm) {
  static const uint8_t nothing[WL_PMS] = {0};
  if (sm->env.cfg.pm_counters) count(&sm->monitor, nothing);
}
