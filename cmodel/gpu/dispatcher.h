/* State of gpu/dispatcher.c (docs/microarchitecture.md 3). */
#ifndef WL_CMODEL_GPU_DISPATCHER_H
#define WL_CMODEL_GPU_DISPATCHER_H

#include "cmodel/gpu/wires.h"

typedef struct wl_dispatcher {
  wl_slots_t slots;
  uint32_t seq;
  struct {
    bool alloc;
    uint8_t slot, warp, entry; /* warp: slot whose page is next */
    wl_wmask_t warps;
    uint32_t x, y, z;
  } place;
  struct {
    uint64_t free[WL_MOST_REG_PAGES / 64]; /* bit = page of the sub-core */
    uint32_t count;
  } pages[WL_MOST_SUB_CORES]; /* page_free, free_pages */
  uint16_t page_map[WL_MOST_WARPS][32];
} wl_dispatcher_t;

void wl_dispatcher_reset(wl_dispatcher_t *d, const wl_env_t *env);
void wl_dispatcher_out(const wl_dispatcher_t *d, const wl_env_t *env, wl_wires_t *w);
void wl_dispatcher_arb(const wl_dispatcher_t *d, const wl_env_t *env, wl_wires_t *w);
void wl_dispatcher_update(wl_dispatcher_t *d, const wl_env_t *env, const wl_wires_t *w);
uint32_t wl_dispatcher_busy(const wl_dispatcher_t *d, const wl_env_t *env); /* bits of REST */

#endif
