/* State of core/writeback.c (docs/microarchitecture.md 6.3). */
#ifndef WL_CMODEL_CORE_WRITEBACK_H
#define WL_CMODEL_CORE_WRITEBACK_H

#include "cmodel/gpu/wires.h"

typedef struct wl_writeback {
  uint8_t loss[WL_VWB_SOURCES];
  uint8_t lost;
} wl_writeback_t;

void wl_writeback_reset(wl_writeback_t *wb, const wl_env_t *env, unsigned k);
void wl_writeback_arb(const wl_writeback_t *wb, const wl_env_t *env, wl_wires_t *w, unsigned k);
void wl_writeback_update(wl_writeback_t *wb, const wl_env_t *env, const wl_wires_t *w, unsigned k);

#endif
