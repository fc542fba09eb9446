/* Counts of byte values, 64 bins of value / 4: global atomics, and shared atomics merged at the end. */
#include "wl_device.h"

WL_KERNEL void histogram_global(const unsigned char *in, unsigned *bins, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&bins[in[i] / 4], 1u);
  }
}

WL_KERNEL void histogram_shared(const unsigned char *in, unsigned *bins, unsigned n) {
  __shared__ unsigned local[64];
  for (unsigned b = threadIdx.x; b < 64; b += blockDim.x) {
    local[b] = 0;
  }
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&local[in[i] / 4], 1u);
  }
  __syncthreads();
  for (unsigned b = threadIdx.x; b < 64; b += blockDim.x) {
    if (local[b] != 0) {
      atomicAdd(&bins[b], local[b]);
    }
  }
}
