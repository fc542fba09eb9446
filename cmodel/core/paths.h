/* State of core/paths.c (docs/microarchitecture.md 7). */
#ifndef WL_CMODEL_CORE_PATHS_H
#define WL_CMODEL_CORE_PATHS_H

#include "cmodel/gpu/wires.h"

typedef struct wl_path_row {
  uint32_t mask, pc, key;
  uint16_t depth, op;
  uint8_t state; /* READY 0, SYNC 1, BAR 2, BARC 3, SLEEP 4 */
} wl_path_row_t;

typedef struct wl_paths {
  /* Read by other units. */
  wl_wmask_t run, ctl;
  wl_wmask_t stop_valid;
  uint32_t cur_mask[WL_MOST_WARPS], cur_pc[WL_MOST_WARPS];
  uint32_t live[WL_MOST_WARPS], released[WL_MOST_WARPS], xmask[WL_MOST_WARPS];
  uint32_t stop_pc[WL_MOST_WARPS];
  wl_path_row_t row[WL_MOST_WARPS][WL_LANES];
} wl_paths_t;

#endif
