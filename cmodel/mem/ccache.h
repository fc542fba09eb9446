/* State of mem/ccache.c (docs/microarchitecture.md 12). */
#ifndef WL_CMODEL_MEM_CCACHE_H
#define WL_CMODEL_MEM_CCACHE_H

#include "cmodel/gpu/wires.h"

typedef struct wl_ccache {
  int unused;
} wl_ccache_t;

#endif
