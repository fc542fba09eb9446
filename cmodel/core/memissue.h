/* State of core/memissue.c (docs/microarchitecture.md 5, "Open units"). */
#ifndef WL_CMODEL_CORE_MEMISSUE_H
#define WL_CMODEL_CORE_MEMISSUE_H

#include "cmodel/gpu/wires.h"

typedef struct wl_memissue {
  uint8_t lsu_turn, ldc_turn; /* sub-cores */
  uint32_t lsu_left;          /* X1 cycles of the last LSU instruction still to come */
} wl_memissue_t;

#endif
