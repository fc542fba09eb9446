/* State of mem/smem.c (docs/microarchitecture.md 11). */
#ifndef WL_CMODEL_MEM_SMEM_H
#define WL_CMODEL_MEM_SMEM_H

#include "cmodel/gpu/wires.h"

typedef struct wl_smem {
  uint32_t *words; /* by word address; bank = address mod SmemBanks; allocated by the SM */
} wl_smem_t;

#endif
