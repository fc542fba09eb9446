/* Variable write-back (docs/microarchitecture.md 6.3): which of the LSU, the constant cache and the
 * exchange unit writes its beat word in a cycle. The write itself is core/operands.c's. */
#include "cmodel/core/writeback.h"

#include <string.h>

void wl_writeback_reset(wl_writeback_t *wb, const wl_env_t *env, unsigned k) {
  (void)env, (void)k;
  memset(wb, 0, sizeof *wb);
}

void wl_writeback_arb(const wl_writeback_t *wb, const wl_env_t *env, wl_wires_t *wires,
                      unsigned k) {
  wl_sub_wires_t *w = &wires->sub[k];
  int best = -1, aged = -1;
  for (int i = 0; i < WL_VWB_SOURCES; i++) {
    if (!w->vwb[i].valid) continue;
    if (best < 0) best = i;
    if (wb->loss[i] >= WL_AGE_LIMIT && (aged < 0 || wb->loss[i] > wb->loss[aged])) aged = i;
  }
  if (aged >= 0) best = aged;
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
  for (int i = 0; i < WL_VWB_SOURCES; i++) {
    if (!w->vwb[i].valid || w->vwb_grant == i)
      wb->loss[i] = 0;
    else if (w->vwb_grant >= 0 && wb->loss[i] < 15)
      wb->loss[i]++;
  }
  if (!w->vwb_blocked)
    wb->lost = 0;
  else if (wb->lost < 15)
    wb->lost++;
}
