/* State of core/writeback.c (docs/microarchitecture.md 6.3). */
#ifndef WL_CMODEL_CORE_WRITEBACK_H
#define WL_CMODEL_CORE_WRITEBACK_H

#include "cmodel/gpu/wires.h"

typedef struct wl_writeback {
  uint8_t loss[WL_VWB_SOURCES];
  uint8_t lost;
} wl_writeback_t;

#endif
