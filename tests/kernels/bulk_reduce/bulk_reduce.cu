/*
 * Tiles that are made in shared memory go into global memory by bulk reductions, two buffers in turn: a buffer is
 * written again when the groups of copies but the last have read theirs.
 */
#include "wl_bulk.h"

enum : unsigned { THREADS = 96, TILE = 40 /* words of a warp's tile */ };

/* The whole CTA makes a tile, one thread starts its copies: sums of u32 and of f32. */
WL_KERNEL void reduce_add(const unsigned *in, unsigned *sum, float *sum_f, unsigned tiles) {
  alignas(128) __shared__ unsigned stage[2][THREADS];
  alignas(128) __shared__ float stage_f[2][THREADS];
  const unsigned t = threadIdx.x;
  unsigned buffer = 0;
  for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x, buffer ^= 1) {
    const unsigned v = in[tile * THREADS + t];
    if (t == 0) {
      wl_bulk_wait_read<1>();
    }
    __syncthreads();
    stage[buffer][t] = v * 3 ^ tile;
    stage_f[buffer][t] = (float)(v % 1024);
    wl_fence_async();
    __syncthreads();
    if (t == 0) {
      wl_bulk_add_u32(sum, stage[buffer], sizeof stage[0]);
      wl_bulk_add_f32(sum_f, stage_f[buffer], sizeof stage_f[0]);
      wl_bulk_commit();
    }
  }
  if (t == 0) {
    wl_bulk_wait<0>();
  }
}

/* Each warp makes tiles of its own and keeps their maxima; what differs (xor) is of all warps. In the end it reads
 * its maxima: its copies are over. */
WL_KERNEL void reduce_warps(const int *in, int *most, unsigned long long *differs, int *sum,
                            unsigned rounds) {
  alignas(128) __shared__ int stage[4][2][TILE];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const unsigned mine = blockIdx.x * (blockDim.x / 32) + warp;
  for (unsigned i = 0; i < rounds; i++) {
    int *buffer = stage[warp][i % 2];
    if (lane == 0) {
      wl_bulk_wait_read<1>();
    }
    __syncwarp();
    for (unsigned k = lane; k < TILE; k += 32) {
      buffer[k] = in[(mine * rounds + i) * TILE + k] - (int)i;
    }
    wl_fence_async();
    __syncwarp();
    if (lane == 0) {
      wl_bulk_max_s32(most + mine * TILE, buffer, TILE * 4);
      wl_bulk_xor_b64(differs, (const unsigned long long *)buffer, TILE * 4);
      wl_bulk_commit();
    }
  }
  if (lane == 0) {
    wl_bulk_wait<0>();
    unsigned v = 0;
    for (unsigned k = 0; k < TILE; k++) {
      v += (unsigned)most[mine * TILE + k];
    }
    sum[mine] = (int)v;
  }
}
