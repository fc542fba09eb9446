/* State of core/result.c (docs/microarchitecture.md 6.5). */
#ifndef WL_CMODEL_CORE_RESULT_H
#define WL_CMODEL_CORE_RESULT_H

#include "cmodel/gpu/wires.h"

typedef struct wl_result_entry {
  uint8_t warp, reg, beat;
  bool last_beat, last;
  uint32_t lanes, data[WL_LANES];
} wl_result_entry_t;

typedef struct wl_result {
  /* A ring: write-back still reads what leaves in a cycle. */
  wl_result_entry_t entry[WL_MOST_RESULT_DEPTH];
  uint8_t first, count;
  uint8_t loss[WL_RESULT_PRODUCERS];
} wl_result_t;

bool wl_result_rests(const wl_result_t *r); /* it has nothing, and nobody has lost */
void wl_result_reset(wl_result_t *r, const wl_env_t *env, unsigned k);
void wl_result_out(const wl_result_t *r, const wl_env_t *env, wl_wires_t *w, unsigned k);
void wl_result_arb(const wl_result_t *r, const wl_env_t *env, wl_wires_t *w, unsigned k);
void wl_result_update(wl_result_t *r, const wl_env_t *env, const wl_wires_t *w, unsigned k);
uint32_t wl_result_busy(const wl_result_t *r, const wl_env_t *env); /* bit of REST */

#endif
