/* Histogram of byte values with 16-bit floats as counters, 64 bins of value / 4: pairs of a count and a sum
 * in global memory, single f16 in shared memory merged at the end, pairs of bf16. All sums are exact. */
#include "wl_device.h"
#include "wl_half.h"

WL_KERNEL void half_histogram_pairs(const unsigned char *in, unsigned *bins, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    wl_atomic_add2(&bins[in[i] / 4], wl_pack_f16(1.0f, (float)(in[i] & 3)));
  }
}

WL_KERNEL void half_histogram_shared(const unsigned char *in, unsigned short *bins, unsigned n) {
  __shared__ unsigned short local[64];
  for (unsigned b = threadIdx.x; b < 64; b += blockDim.x) {
    local[b] = 0;
  }
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    wl_atomic_add1(&local[in[i] / 4], 0x3c00);
  }
  __syncthreads();
  for (unsigned b = threadIdx.x; b < 64; b += blockDim.x) {
    if (local[b] != 0) {
      wl_atomic_add1(&bins[b], local[b]);
    }
  }
}

WL_KERNEL void half_histogram_bf16(const unsigned char *in, unsigned *bins, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    wl_bf16_atomic_add2(&bins[in[i] / 4], wl_pack_bf16(1.0f, (float)(in[i] & 1)));
  }
}
