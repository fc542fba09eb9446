/*
 * Inclusive prefix sum: by one CTA that walks over the input with a carry, and by many CTAs that
 * hand the carry on through global memory, in the order of a ticket counter (so that waiting ends
 * whatever the order in which CTAs start). The CTA size is a multiple of 32, at most 256.
 */
#include "wl_device.h"

static __device__ __forceinline__ unsigned cta_scan(unsigned v, unsigned *warp_sum) {
  unsigned lane = threadIdx.x % 32;
  unsigned warp = threadIdx.x / 32;
  for (unsigned d = 1; d < 32; d <<= 1) {
    unsigned below = (unsigned)__shfl_up_sync(0xffffffffu, (int)v, d);
    if (lane >= d) {
      v += below;
    }
  }
  if (lane == 31) {
    warp_sum[warp] = v;
  }
  __syncthreads();
  for (unsigned w = 0; w < warp; w++) {
    v += warp_sum[w];
  }
  __syncthreads();
  return v;
}

WL_KERNEL void scan_one_cta(const unsigned *in, unsigned *out, unsigned n) {
  __shared__ unsigned warp_sum[8];
  __shared__ unsigned carry_out;
  unsigned carry = 0;
  for (unsigned base = 0; base < n; base += blockDim.x) {
    unsigned i = base + threadIdx.x;
    unsigned v = cta_scan(i < n ? in[i] : 0, warp_sum) + carry;
    if (i < n) {
      out[i] = v;
    }
    if (threadIdx.x == blockDim.x - 1) {
      carry_out = v;
    }
    __syncthreads();
    carry = carry_out;
  }
}

WL_KERNEL void scan_chained(const unsigned *in, unsigned *out, unsigned *ticket,
                            volatile unsigned *prefix, volatile unsigned *ready, unsigned n) {
  __shared__ unsigned warp_sum[8];
  __shared__ unsigned part;
  __shared__ unsigned carry;
  if (threadIdx.x == 0) {
    part = atomicAdd(ticket, 1u);
  }
  __syncthreads();
  unsigned mine = part;
  unsigned i = mine * blockDim.x + threadIdx.x;
  unsigned v = cta_scan(i < n ? in[i] : 0, warp_sum);
  if (threadIdx.x == blockDim.x - 1) {
    unsigned before = 0;
    if (mine > 0) {
      while (ready[mine - 1] == 0) {
      }
      __threadfence();
      before = prefix[mine - 1];
    }
    prefix[mine] = before + v;
    __threadfence();
    ready[mine] = 1;
    carry = before;
  }
  __syncthreads();
  if (i < n) {
    out[i] = carry + v;
  }
}
