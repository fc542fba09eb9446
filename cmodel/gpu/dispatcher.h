/* State of gpu/dispatcher.c (docs/microarchitecture.md 3). */
#ifndef WL_CMODEL_GPU_DISPATCHER_H
#define WL_CMODEL_GPU_DISPATCHER_H

#include "cmodel/gpu/wires.h"
#include "gen/wl_launch.h"

typedef enum wl_disp_state {
  WL_DISP_IDLE,
  WL_DISP_LOAD,
  WL_DISP_RUN,
  WL_DISP_DONE
} wl_disp_state_t;

typedef struct wl_dispatcher {
  wl_disp_state_t state;
  bool start;                      /* input start_i of this cycle */
  uint64_t launch_addr, launch_in; /* latched; input launch_addr_i */
  uint8_t sent, got;
  union {
    uint32_t word[WL_LAUNCH_BLOCK_WORDS];
    wl_launch_block_t block;
  } lb;
  uint32_t next_x, next_y, next_z;
  bool remaining;
  uint32_t seq;
  struct {
    bool alloc;
    uint8_t slot, warp, entry; /* warp: slot whose page is next */
    wl_wmask_t warps;
    uint32_t x, y, z;
  } place;
  struct {
    uint64_t free[WL_MOST_REG_PAGES / 64]; /* bit = page of the sub-core */
    uint32_t count;
  } pages[WL_MOST_SUB_CORES]; /* page_free, free_pages */
  wl_slots_t slots;
  uint16_t page_map[WL_MOST_WARPS][32];
} wl_dispatcher_t;

#endif
