/* State of exec/warp.c (docs/microarchitecture.md 9). */
#ifndef WL_CMODEL_EXEC_WARP_H
#define WL_CMODEL_EXEC_WARP_H

#include "cmodel/gpu/wires.h"

typedef struct wl_exchange {
  uint32_t xbuf[WL_MOST_WARPS][WL_LANES]; /* by wl_row_of(warp) */
  enum { WL_XCH_IDLE, WL_XCH_FILL, WL_XCH_COMPUTE, WL_XCH_WRITE } state;
  bool fresh;    /* COMPUTE: in A + 1, the results are not yet computed */
  uint32_t left; /* COMPUTE: cycles left, this one included (fresh: not yet set) */
  wl_insn_dec_t dec;
  uint8_t warp, row;    /* row: of xbuf */
  uint8_t beats, beat;  /* active beats; WRITE: beat presented */
  uint32_t exec, group; /* group: participants P = m & live at issue */
  uint32_t b[WL_LANES];
  uint32_t d[WL_LANES], p;
} wl_exchange_t;

void wl_exchange_reset(wl_exchange_t *x, const wl_env_t *env, unsigned k);
void wl_exchange_out(const wl_exchange_t *x, const wl_env_t *env, wl_wires_t *w, unsigned k);
void wl_exchange_update(wl_exchange_t *x, const wl_env_t *env, const wl_wires_t *w, unsigned k);
uint32_t wl_exchange_busy(const wl_exchange_t *x, const wl_env_t *env); /* bits of REST */

#endif
