/*
 * Rounds of "each cell becomes the mix of itself and its neighbour", a barrier over the whole grid
 * between rounds: a counter in global memory, volatile polling, __threadfence. All CTAs must be
 * resident at once.
 */
#include "wl_device.h"

static __device__ __forceinline__ void grid_sync(unsigned *arrived, unsigned target) {
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(arrived, 1u);
    while (*(volatile unsigned *)arrived < target) {
    }
    __threadfence();
  }
  __syncthreads();
}

WL_KERNEL void grid_barrier(volatile unsigned *cell, unsigned *arrived, unsigned rounds) {
  unsigned n = gridDim.x * blockDim.x;
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned far = i + n / 2 < n ? i + n / 2 : i + n / 2 - n;
  for (unsigned r = 0; r < rounds; r++) {
    volatile unsigned *from = cell + (r & 1) * n;
    volatile unsigned *to = cell + (~r & 1) * n;
    to[i] = from[i] * 5 + from[far] + r;
    grid_sync(arrived, (r + 1) * gridDim.x);
  }
}
