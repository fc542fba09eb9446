/* State of core/paths.c (docs/microarchitecture.md 7). */
#ifndef WL_CMODEL_CORE_PATHS_H
#define WL_CMODEL_CORE_PATHS_H

#include "cmodel/gpu/wires.h"

typedef struct wl_paths {
  /* Read by other units. */
  wl_wmask_t run, ctl;
  wl_wmask_t alive; /* live != 0 */
  wl_wmask_t stop_valid;
  uint32_t cur_mask[WL_MOST_WARPS], cur_pc[WL_MOST_WARPS];
  uint32_t live[WL_MOST_WARPS], released[WL_MOST_WARPS], xmask[WL_MOST_WARPS];
  uint32_t stop_pc[WL_MOST_WARPS];
  wl_path_row_t row[WL_MOST_WARPS][WL_LANES];
  /* The rest of 7.1: fields of wl_path_t that the arrays above do not hold. */
  uint32_t exist[WL_MOST_WARPS], served[WL_MOST_WARPS], waiting[WL_MOST_WARPS];
  uint32_t wake_at[WL_MOST_WARPS];
  uint16_t depth[WL_MOST_WARPS], turn[WL_MOST_WARPS];
  uint8_t leader[WL_MOST_WARPS], req[WL_MOST_WARPS];
  wl_wmask_t polled, below, chk, wake_valid, waits, requests; /* requests: req != NONE */
  wl_split_t split[WL_MOST_WARPS];
  uint32_t tbuf[2]
               [WL_LANES]; /* target buffer: operand a (or c of SYNC), operand b of BAR and WAIT */
  bool tbuf_busy;
  wl_engine_t engine;
  wl_wmask_t
      asked; /* EventDelay = 1: requests of the cycle before that the engine did not take in it */
} wl_paths_t;

void wl_paths_reset(wl_paths_t *p, const wl_env_t *env, unsigned k);
/* flush[RESOLVE], flush[ENGINE], trap, path_plan, ... */
void wl_paths_out(const wl_paths_t *p, const wl_env_t *env, wl_wires_t *w, unsigned k);
void wl_paths_update(wl_paths_t *p, const wl_env_t *env, const wl_wires_t *w, unsigned k);
uint32_t wl_paths_busy(const wl_paths_t *p, const wl_env_t *env); /* bits of REST */

#endif
