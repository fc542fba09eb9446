/* State of gpu/smport.c (docs/microarchitecture.md 13). */
#ifndef WL_CMODEL_GPU_SMPORT_H
#define WL_CMODEL_GPU_SMPORT_H

#include "cmodel/gpu/wires.h"

typedef struct wl_smport {
  uint8_t lost[WL_PORTS];
  uint32_t unacked; /* granted ST and RED packets without an answer */
} wl_smport_t;

#endif
