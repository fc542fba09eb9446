/* State of gpu/grid.c (docs/microarchitecture.md 3). */
#ifndef WL_CMODEL_GPU_GRID_H
#define WL_CMODEL_GPU_GRID_H

#include "cmodel/gpu/wires.h"

typedef enum wl_grid_state {
  WL_GRID_IDLE,
  WL_GRID_LOAD,
  WL_GRID_RUN,
  WL_GRID_DONE
} wl_grid_state_t;

typedef struct wl_grid {
  wl_grid_state_t state;
  bool start;                      /* input start_i of this cycle */
  uint64_t launch_addr, launch_in; /* latched; input launch_addr_i */
  uint8_t sent, got;
  union {
    uint32_t word[WL_LAUNCH_BLOCK_WORDS];
    wl_launch_block_t block;
  } lb;
  uint32_t next_x, next_y, next_z;
  bool remaining;
} wl_grid_t;

void wl_grid_reset(wl_grid_t *g, const wl_env_t *env);
void wl_grid_out(const wl_grid_t *g, const wl_env_t *env, wl_gpu_wires_t *w);
void wl_grid_update(wl_grid_t *g, const wl_env_t *env, const wl_gpu_wires_t *w);

#endif
