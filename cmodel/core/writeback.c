/* Variable write-back (docs/microarchitecture.md 6.3): which source (LSU, constant cache,
 * exchange unit, result queue) writes its beat word in a cycle. The write itself is core/operands.c's. */
#include "cmodel/core/writeback.h"

#include <string.h>

void wl_writeback_reset(wl_writeback_t *wb, const wl_env_t *env, unsigned k) {
  (void)env, (void)k;
  memset(wb, 0, sizeof *wb);
}

static uint32_t presenting(const wl_sub_wires_t *w) {
  uint32_t set = 0;
  for (unsigned i = 0; i < WL_VWB_SOURCES; i++)
    set |= (uint32_t)w->vwb[i].valid << i;
  return set;
}

void wl_writeback_arb(const wl_writeback_t *wb, const wl_env_t *env, wl_wires_t *wires,
                      unsigned k) {
  wl_sub_wires_t *w = &wires->sub[k];
  w->vwb_asks = presenting(w);
  const int best = wl_age_pick(wb->loss, w->vwb_asks);
  w->vwb_grant = -1;
  w->vwb_blocked = false;
  if (best < 0 || wl_stalls(env, WL_STALL_AT_VWB)) return;
  const wl_vwb_wire_t *v = &w->vwb[best];
  const bool same_bank =
      v->reg != WL_REG_ZERO && w->fixed_write && ((v->reg + v->warp) & 3u) == w->fixed_bank;
  w->vwb_blocked = same_bank || (v->has_pred && v->pd != WL_PRED_TRUE && w->fixed_pred);
  if (!w->vwb_blocked) w->vwb_grant = best;
}

void wl_writeback_update(wl_writeback_t *wb, const wl_env_t *env, const wl_wires_t *wires,
                         unsigned k) {
  const wl_sub_wires_t *w = &wires->sub[k];
  if (wl_stalls(env, WL_STALL_AT_VWB)) return; /* counts are held */
  wl_age_count(wb->loss, WL_VWB_SOURCES, w->vwb_asks, w->vwb_grant);
  if (!w->vwb_blocked)
    wb->lost = 0;
  else if (wb->lost < WL_MOST_LOSSES)
    wb->lost++;
}
