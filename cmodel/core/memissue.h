/* State of core/memissue.c (docs/microarchitecture.md 5, "Open units"). */
#ifndef WL_CMODEL_CORE_MEMISSUE_H
#define WL_CMODEL_CORE_MEMISSUE_H

#include "cmodel/gpu/wires.h"

/* Open units: LSU, constant loads, copy engine, allocator of tensor memory, products there. */
typedef enum wl_open {
  WL_OPEN_LSU,
  WL_OPEN_LDC,
  WL_OPEN_COPY,
  WL_OPEN_COLUMNS,
  WL_OPEN_UMMA,
  WL_OPENS
} wl_open_t;

typedef struct wl_memissue {
  uint8_t turn[WL_OPENS]; /* sub-cores */
  uint32_t lsu_left;      /* X1 cycles of the last LSU instruction still to come */
} wl_memissue_t;

void wl_memissue_reset(wl_memissue_t *m, const wl_env_t *env);
void wl_memissue_out(const wl_memissue_t *m, const wl_env_t *env, wl_wires_t *w);
void wl_memissue_update(wl_memissue_t *m, const wl_env_t *env, const wl_wires_t *w);
uint32_t wl_memissue_busy(const wl_memissue_t *m, const wl_env_t *env); /* bits of REST */
void wl_memissue_rest(wl_memissue_t *m, const wl_env_t *env); /* a cycle in which no unit acts */

#endif
