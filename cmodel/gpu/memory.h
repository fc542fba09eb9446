/* State of gpu/memory.c: the memory behind the order point (docs/microarchitecture.md 13). */
#ifndef WL_CMODEL_GPU_MEMORY_H
#define WL_CMODEL_GPU_MEMORY_H

#include "cmodel/gpu/wires.h"

enum { WL_MEM_RING = 256 }; /* above twice MemLatency and the rows of the order point */

typedef struct wl_memory {
  uint8_t *image; /* of the driver */
  uint64_t base, size;
  struct {
    bool valid;
    uint8_t id;
    uint32_t data[8];
  } read[WL_MEM_RING]; /* index: cycle of the answer, modulo */
  struct {
    bool valid;
    uint8_t id;
  } write[WL_MEM_RING];
} wl_memory_t;

void wl_memory_reset(wl_memory_t *m, const wl_env_t *env);
void wl_memory_out(const wl_memory_t *m, const wl_env_t *env, wl_gpu_wires_t *w);
void wl_memory_update(wl_memory_t *m, const wl_env_t *env, const wl_gpu_wires_t *w);

#endif
