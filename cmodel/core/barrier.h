/* State of core/barrier.c (docs/microarchitecture.md 8). */
#ifndef WL_CMODEL_CORE_BARRIER_H
#define WL_CMODEL_CORE_BARRIER_H

#include "cmodel/gpu/wires.h"

typedef struct wl_barrier {
  wl_wmask_t arrived;
  uint32_t popc;
  uint8_t b, kind;
  bool all, any;
} wl_barrier_t;

typedef struct wl_barrier_unit {
  /* Read by other units. */
  wl_bar_result_t result[WL_MOST_WARPS];
  wl_wmask_t wake;       /* bar_wake */
  wl_wmask_t requesting; /* bar_req valid */
  wl_wmask_t cluster_wait, wait_wake;
  wl_wmask_t exiting; /* bar_exit */
  struct {
    bool valid;
    uint8_t warp, next;
  } exit_scan; /* a bar_exit under way: the next barrier number */
  struct {
    bool valid, exits;
    uint8_t warp;
  } next;             /* bar_next; only with EventDelay = 1 */
  wl_wmask_t waiting; /* bar_wait valid */
  uint8_t wait_a[WL_MOST_WARPS];
  wl_bar_request_t request[WL_MOST_WARPS];
  uint32_t pred[WL_MOST_WARPS]; /* bar_pred */
  wl_barrier_t barrier[WL_MOST_CTAS][WL_BARRIERS];
} wl_barrier_unit_t;

void wl_barrier_reset(wl_barrier_unit_t *u, const wl_env_t *env);
void wl_barrier_out(const wl_barrier_unit_t *u, const wl_env_t *env, wl_wires_t *w);
void wl_barrier_update(wl_barrier_unit_t *u, const wl_env_t *env, const wl_wires_t *w);
uint32_t wl_barrier_busy(const wl_barrier_unit_t *u, const wl_env_t *env); /* bits of REST */

#endif
