/* Between core/paths.c and core/path_engine.c (docs/microarchitecture.md 7). */
#ifndef WL_CMODEL_CORE_PATH_INTERNAL_H
#define WL_CMODEL_CORE_PATH_INTERNAL_H

#include "cmodel/gpu/sm.h"

#define WL_PC_MASK UINT32_C(0xfffffff)

wl_path_t wl_path_gather(const wl_paths_t *p, unsigned w);
void wl_path_scatter(wl_paths_t *p, unsigned w, const wl_path_t *x);
wl_path_row_t wl_path_target(const wl_split_t *s, const uint32_t tbuf[2][WL_LANES], unsigned lane);
uint32_t wl_path_group(const wl_split_t *s, const uint32_t tbuf[2][WL_LANES], uint32_t among,
                       unsigned lane);
void wl_path_engine_out(const wl_sm_t *sm, const wl_paths_t *p, wl_sub_wires_t *w);
/* EventDelay = 1, before anything else of the cycle is taken over: which requests are older than a
 * cycle; what rose is over. */
void wl_path_engine_delay(wl_paths_t *p, const wl_path_plan_t *plan);
void wl_path_engine_update(const wl_sm_t *sm, wl_paths_t *p, const wl_path_plan_t *plan);

#endif
