/* State of gpu/orderpoint.c (docs/microarchitecture.md 13). */
#ifndef WL_CMODEL_GPU_ORDERPOINT_H
#define WL_CMODEL_GPU_ORDERPOINT_H

#include "cmodel/gpu/wires.h"

typedef struct wl_orderpoint {
  int unused;
} wl_orderpoint_t;

#endif
