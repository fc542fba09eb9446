/*
 * Memory to memory through a ring of stages in shared memory: one thread of each CTA starts a bulk load, and when
 * its bytes are there the bulk store from the same place.
 */
#include "wl_bulk.h"

enum : unsigned { STAGES = 4 };

/* Tiles of `tile` bytes, the last one shorter; CTA c has each gridDim.x-th. */
struct tiles_t {
  unsigned bytes, tile;
  __device__ unsigned count() const { return (bytes + tile - 1) / tile; }
  __device__ unsigned long long at(unsigned i) const {
    return (unsigned long long)(blockIdx.x + i * gridDim.x) * tile;
  }
  __device__ unsigned mine() const {
    return count() > blockIdx.x ? (count() - blockIdx.x - 1) / gridDim.x + 1 : 0;
  }
  __device__ unsigned size(unsigned i) const {
    const unsigned long long left = bytes - at(i);
    return left < tile ? (unsigned)left : tile;
  }
};

static __device__ __forceinline__ void load(const tiles_t &t, unsigned i, const char *in, char *ring,
                                            wl_mbar_t *full) {
  wl_mbar_arrive_expect(&full[i % STAGES], t.size(i));
  wl_bulk_load(ring + i % STAGES * t.tile, in + t.at(i), t.size(i), &full[i % STAGES]);
}

/* Copies `bytes` bytes, a multiple of 16. */
WL_KERNEL void copy_tiles(const char *in, char *out, unsigned bytes, unsigned tile) {
  WL_DYNAMIC_SHARED(float4, shared);
  __shared__ wl_mbar_t full[STAGES];
  char *ring = (char *)shared;
  const tiles_t t = {bytes, tile};
  const unsigned n = t.mine();
  if (threadIdx.x != 0) {
    return;
  }
  for (unsigned s = 0; s < STAGES; s++) {
    wl_mbar_init(&full[s], 1);
  }
  wl_fence_async();
  for (unsigned i = 0; i < STAGES - 1 && i < n; i++) {
    load(t, i, in, ring, full);
  }
  for (unsigned i = 0; i < n; i++) {
    wl_mbar_wait(&full[i % STAGES], i / STAGES % 2);
    wl_bulk_store(out + t.at(i), ring + i % STAGES * tile, t.size(i));
    wl_bulk_commit();
    if (i + STAGES - 1 < n) {
      wl_bulk_wait_read<1>(); /* the stage of tile i - 1 has been read */
      load(t, i + STAGES - 1, in, ring, full);
    }
  }
  wl_bulk_wait<0>();
}

/* Each tile of `out` becomes a pattern; of sm_100 only the bytes of `mask`. */
WL_KERNEL void fill_tiles(char *out, unsigned bytes, unsigned tile, unsigned seed, unsigned mask) {
  WL_DYNAMIC_SHARED(float4, shared);
  unsigned *pattern = (unsigned *)shared;
  const tiles_t t = {bytes, tile};
  for (unsigned k = threadIdx.x; k < tile / 4; k += blockDim.x) {
    pattern[k] = (k + seed) * 2654435761u;
  }
  wl_fence_async();
  __syncthreads();
  const unsigned warp = threadIdx.x / 32, warps = (blockDim.x + 31) / 32;
  if (threadIdx.x % 32 == 0) {
    for (unsigned i = warp; i < t.mine(); i += warps) {
      wl_bulk_store_some(out + t.at(i), pattern, t.size(i), (unsigned short)mask);
      wl_bulk_commit();
    }
    wl_bulk_wait_read<0>();
  }
}

/* Two buffers in turn, of which each round changes the last words, which a store reads last: too early if it does not
 * wait for the store of the round before last. In the end the last round's words, read from `out`. */
WL_KERNEL void reuse_tiles(unsigned *out, unsigned *back, unsigned words, unsigned rounds) {
  WL_DYNAMIC_SHARED(float4, shared);
  unsigned *tile = (unsigned *)shared;
  const unsigned lane = threadIdx.x, last = words - 32 + lane;
  for (unsigned k = threadIdx.x; k < 2 * words; k += blockDim.x) {
    tile[k] = k * 2654435761u;
  }
  __syncthreads();
  if (lane >= 32) {
    return;
  }
#pragma unroll 1 /* so that a round is short beside a copy */
  for (unsigned i = 0; i < rounds; i++) {
    if (lane == 0) {
      wl_bulk_wait_read<1>();
    }
    __syncwarp();
    tile[i % 2 * words + last] = i * 40503 + lane;
    wl_fence_async();
    __syncwarp();
    if (lane == 0) {
      wl_bulk_store(out + i * words, tile + i % 2 * words, words * 4);
      wl_bulk_commit();
    }
  }
  if (lane == 0) {
    wl_bulk_wait<0>();
  }
  __syncwarp();
  back[lane] = out[(rounds - 1) * words + last];
}
