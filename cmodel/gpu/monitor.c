/* gpu/monitor.c: docs/microarchitecture.md 14: the performance monitors that a program reads as %pm, and
 * their record at the end of a launch. Each amount is a condition of its unit in the cycle; the counters
 * of views (wl_model_counters_t) are not used here, so that each can be held against the other. */
#include "cmodel/gpu/monitor.h"

#include <string.h>

_Static_assert(sizeof((wl_wires_t *)0)->pm_add == WL_PMS * sizeof(uint64_t),
               "an amount for each monitor");

void wl_monitor_reset(wl_monitor_t *m, const wl_env_t *env) {
  (void)env;
  memset(m, 0, sizeof *m);
}

/* What the units do in this cycle: after the arbitrations, before the updates. */
void wl_monitor_arb(const wl_monitor_t *m, const wl_env_t *env, wl_wires_t *w) {
  (void)m;
  if (!env->cfg.pm_counters) return;
  uint64_t *n = w->pm_add;
  memset(n, 0, sizeof w->pm_add);
  for (unsigned k = 0; k < env->cfg.sub_cores; k++) {
    const bool issues = w->sub[k].issue.valid;
    n[WL_PM_ISSUES] += issues;
    if (!issues && (env->slots->warp_valid & env->sub_warps[k]) != 0) n[WL_PM_IDLE]++;
    if (w->sub[k].fetch_miss) n[WL_PM_ICACHE_MISSES]++;
  }
  n[WL_PM_SMEM_REQUESTS] = w->smem_req.valid && w->smem_ready;
  n[WL_PM_SMEM_PASSES] = w->smem_pass;
  n[WL_PM_CCACHE_MISSES] = w->ldc_miss;
  n[WL_PM_PACKETS] = w->port_grant >= 0;
  n[WL_PM_WAITS] = !w->op_ready; /* occupied, and not admitted from */
}

static void record_end(const wl_monitor_t *m, const wl_env_t *env) {
  uint32_t words[2 * WL_PMS];
  for (unsigned i = 0; i < WL_PMS; i++) {
    words[2 * i] = (uint32_t)m->pm[i];
    words[2 * i + 1] = (uint32_t)(m->pm[i] >> 32);
  }
  wl_journal(env, WL_J_MONITOR, words, 2 * WL_PMS);
}

static void count(wl_monitor_t *restrict m, const uint64_t *restrict amounts) {
  for (unsigned i = 0; i < WL_PMS; i++) {
    m->pm[i] += m->add[i];
    m->add[i] = amounts[i];
  }
}

void wl_monitor_update(wl_monitor_t *m, const wl_env_t *env, const wl_wires_t *w) {
  if (!env->cfg.pm_counters) return;
  if (w->gpu->end) record_end(m, env);
  if (w->gpu->invalidate) /* the cycle of the start */
    wl_monitor_reset(m, env);
  else
    count(m, w->pm_add);
}

/* A cycle in which no unit does anything. */
void wl_monitor_rest(wl_monitor_t *m, const wl_env_t *env) {
  static const uint64_t nothing[WL_PMS] = {0};
  if (env->cfg.pm_counters) count(m, nothing);
}
