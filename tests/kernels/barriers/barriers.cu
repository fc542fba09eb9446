/* Barrier varieties: reductions, named barriers with counts, arrive, and barrier.sync in both arms. */
#include "wl_device.h"

WL_KERNEL void barrier_reduce(const int *in, int *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = in[i];
  int count = __syncthreads_count(v > 0);
  int all = __syncthreads_and(v > -100);
  int any = __syncthreads_or(v == 77);
  out[i] = count * 4 + (all != 0 ? 2 : 0) + (any != 0 ? 1 : 0);
}

/*
 * Warps 0 and 1 produce, warps 2 and 3 consume, two buffers: barriers 1 and 2 say "full" (producers
 * arrive, consumers wait), 3 and 4 say "empty" (the other way round).
 */
WL_KERNEL void barrier_named(const unsigned *in, unsigned *out, unsigned rounds) {
  __shared__ unsigned buffer[2][64];
  unsigned t = threadIdx.x;
  if (t < 64) {
    for (unsigned r = 0; r < rounds; r++) {
      if (r >= 2) {
        wl_bar_sync(3 + r % 2, 128);
      }
      buffer[r % 2][t] = in[r * 64 + t] * 3;
      wl_bar_arrive(1 + r % 2, 128);
    }
  } else {
    unsigned sum = 0;
    for (unsigned r = 0; r < rounds; r++) {
      wl_bar_sync(1 + r % 2, 128);
      sum = sum * 7 + buffer[r % 2][127 - t];
      if (r + 2 < rounds) {
        wl_bar_arrive(3 + r % 2, 128);
      }
    }
    out[t - 64] = sum;
  }
}

/* Lanes of one warp come to the same barrier from two places: allowed for barrier without .aligned. */
WL_KERNEL void barrier_divergent(const unsigned *in, unsigned *out) {
  __shared__ unsigned stage[128];
  unsigned t = threadIdx.x;
  unsigned v = in[t];
  if (v & 1) {
    stage[t] = v * 5;
    wl_barrier_sync(5, blockDim.x);
    v = stage[(t + 17) % blockDim.x] + 1;
  } else {
    stage[t] = v ^ 0xffff;
    wl_barrier_sync(5, blockDim.x);
    v = stage[(t + 40) % blockDim.x] * 2;
  }
  __syncthreads();
  out[t] = v;
}
