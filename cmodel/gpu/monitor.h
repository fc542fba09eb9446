/* State of gpu/monitor.c (docs/microarchitecture.md 14). */
#ifndef WL_CMODEL_GPU_MONITOR_H
#define WL_CMODEL_GPU_MONITOR_H

#include "cmodel/gpu/wires.h"

enum {
  WL_PM_ISSUES,        /* sub-cores in which an instruction issues */
  WL_PM_IDLE,          /* sub-cores with warps in which none does */
  WL_PM_SMEM_REQUESTS, /* requests that shared memory takes */
  WL_PM_SMEM_PASSES,   /* its passes */
  WL_PM_ICACHE_MISSES, /* lines that fetch asks for */
  WL_PM_CCACHE_MISSES, /* checks of constant loads that miss */
  WL_PM_PACKETS,       /* packets granted at the SM port */
  WL_PM_WAITS,         /* cycles in which a packet waits for the order point */
  WL_PMS
};

typedef struct wl_monitor {
  uint64_t pm[WL_PMS];
  uint64_t add[WL_PMS]; /* amounts of the cycle before */
} wl_monitor_t;

void wl_monitor_reset(wl_monitor_t *m, const wl_env_t *env);
void wl_monitor_arb(const wl_monitor_t *m, const wl_env_t *env, wl_wires_t *w);
void wl_monitor_update(wl_monitor_t *m, const wl_env_t *env, const wl_wires_t *w);
void wl_monitor_rest(wl_monitor_t *m, const wl_env_t *env); /* a cycle in which no unit acts */

#endif
