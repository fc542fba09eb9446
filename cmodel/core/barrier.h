/* State of core/barrier.c (docs/microarchitecture.md 8). */
#ifndef WL_CMODEL_CORE_BARRIER_H
#define WL_CMODEL_CORE_BARRIER_H

#include "cmodel/gpu/wires.h"

typedef struct wl_barrier_unit {
  /* Read by other units. */
  struct {
    uint32_t popc;
    bool and_all, or_any;
  } result[WL_MOST_WARPS];
} wl_barrier_unit_t;

#endif
