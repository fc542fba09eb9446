/*
 * Sum of unsigned integers (shuffles in the warp, shared memory in the CTA, one global atomic per
 * CTA) and dot product of floats (grid-stride, tree in shared memory, one partial sum per CTA).
 * At most 256 threads per CTA; dot_f32 wants a power of two.
 */
#include "wl_device.h"

WL_KERNEL void reduce_u32(const unsigned *in, unsigned *sum, unsigned n) {
  __shared__ unsigned warp_sum[8];
  unsigned v = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    v += in[i];
  }
  for (unsigned d = 16; d > 0; d >>= 1) {
    v += (unsigned)__shfl_down_sync(0xffffffffu, (int)v, d);
  }
  if (threadIdx.x % 32 == 0) {
    warp_sum[threadIdx.x / 32] = v;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (unsigned w = 1; w < blockDim.x / 32; w++) {
      v += warp_sum[w];
    }
    atomicAdd(sum, v);
  }
}

WL_KERNEL void dot_f32(const float *a, const float *b, float *partial, unsigned n) {
  __shared__ float tree[256];
  float v = 0.0f;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    v = __fmaf_rn(a[i], b[i], v);
  }
  tree[threadIdx.x] = v;
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) {
      tree[threadIdx.x] += tree[threadIdx.x + half];
    }
  }
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = tree[0];
  }
}
