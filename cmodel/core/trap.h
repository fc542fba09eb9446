/* State of core/trap.c (docs/microarchitecture.md 14): the latched trap (valid = pending), and the
 * watchdog. */
#ifndef WL_CMODEL_CORE_TRAP_H
#define WL_CMODEL_CORE_TRAP_H

#include "cmodel/gpu/wires.h"

typedef struct wl_trap_unit {
  wl_trap_info_t latched;
  bool is_new;    /* first cycle in which it is pending: its record is due */
  uint32_t quiet; /* cycles without issue or packet, at most WatchdogCycles */
} wl_trap_unit_t;

void wl_trap_reset(wl_trap_unit_t *t, const wl_env_t *env);
void wl_trap_update(wl_trap_unit_t *t, const wl_env_t *env, const wl_wires_t *w);

#endif
