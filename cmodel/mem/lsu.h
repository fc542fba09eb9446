/* State of mem/lsu.c (docs/microarchitecture.md 10). */
#ifndef WL_CMODEL_MEM_LSU_H
#define WL_CMODEL_MEM_LSU_H

#include "cmodel/gpu/wires.h"

typedef struct wl_lsu {
  int unused;
} wl_lsu_t;

#endif
