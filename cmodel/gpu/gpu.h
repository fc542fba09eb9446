/* The device of the golden model (docs/microarchitecture.md 0.1, 3, 13): the grid of the launch, the order
 * point and the memory, over the SMs.
 * Not here: the driver's view of the model (cmodel/model.h). */
#ifndef WL_CMODEL_GPU_GPU_H
#define WL_CMODEL_GPU_GPU_H

#include "cmodel/gpu/grid.h"
#include "cmodel/gpu/memory.h"
#include "cmodel/gpu/orderpoint.h"
#include "cmodel/gpu/sm.h"

/* The units of the device; columns as in gpu/sm.h. */
#define WL_GPU_UNITS(U)                                                                            \
  U(orderpoint, wl_orderpoint_t, REST)                                                             \
  U(memory, wl_memory_t, NONE)                                                                     \
  U(grid, wl_grid_t, NONE)

typedef struct wl_gpu {
  wl_env_t env; /* of the device's units: no sub-cores, no slots */
  wl_gpu_wires_t wires;
  WL_GPU_UNITS(WL_UNIT_MEMBER)
  wl_sm_t sm[WL_MAX_SMS];
  wl_reports_t reports;
  wl_watch_fn_t watch; /* NULL: off */
  void *watch_user;
  bool reverse_updates; /* tests: the units update in the opposite order */
  uint64_t seed;
} wl_gpu_t;

/* Configuration, the shares of the sub-cores, what the environments point to. */
void wl_gpu_open(wl_gpu_t *gpu, const wl_config_t *cfg);
void wl_gpu_reset(wl_gpu_t *gpu);
void wl_gpu_cycle(wl_gpu_t *gpu);
uint32_t wl_gpu_rest(const wl_gpu_t *gpu, const wl_sm_t *sm); /* word `rest` of record REST (15) */
/* Contents of seeded memories and words of the disturbance, section 15. */
uint64_t wl_gpu_mix(uint64_t seed, uint64_t kind, uint64_t index);

#endif
