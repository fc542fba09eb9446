/*
 * A ring of stages in shared memory: warps of producers fill it by cp.async and go on, warps of consumers hash
 * what is in it. A stage is full when the copies of all lanes are over: of ring_noinc the arrivals behind the
 * copies are those that a phase expects; of ring_inc they hold a phase that others complete, and every third
 * word of a tile is ignored.
 */
#include "wl_copy.h"

#define WORDS 64 /* of a stage */

struct ring_t {
  const unsigned *in;
  unsigned tiles, producers;
  unsigned (*stage)[WORDS];
  wl_mbar_t *full, *empty;
};

template <unsigned STAGES> static __device__ __forceinline__ void start(ring_t r) {
  if (threadIdx.x == 0) {
    for (unsigned s = 0; s < STAGES; s++) {
      wl_mbar_init(&r.full[s], 32);
      wl_mbar_init(&r.empty[s], blockDim.x - 32 * r.producers);
    }
  }
  __syncthreads();
}

template <unsigned STAGES, bool NOINC> static __device__ __forceinline__ void produce(ring_t r) {
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (unsigned i = warp; i < r.tiles; i += r.producers) {
    const unsigned s = i % STAGES, round = i / STAGES;
    const unsigned *tile = r.in + i * WORDS;
    wl_mbar_wait(&r.empty[s], (round & 1) ^ 1); /* the first round: before the first phase */
    if (NOINC) {
      wl_copy_8(&r.stage[s][2 * lane], tile + 2 * lane);
      wl_copy_arrive(&r.full[s]);
    } else {
      for (unsigned k = lane; k < WORDS; k += 32) {
        wl_copy_4_or_zero(&r.stage[s][k], tile + k, k % 3 == 2);
      }
      wl_copy_hold(&r.full[s]);
      wl_mbar_arrive(&r.full[s]);
    }
  }
}

template <unsigned STAGES> static __device__ __forceinline__ void consume(ring_t r, unsigned *out) {
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  unsigned hash = warp - r.producers;
  for (unsigned i = 0; i < r.tiles; i++) {
    const unsigned s = i % STAGES, round = i / STAGES;
    wl_mbar_wait(&r.full[s], round & 1);
    hash = hash * 31 + r.stage[s][(lane * 5 + hash % 2) % WORDS];
    hash = hash * 31 + r.stage[s][(lane * 7 + warp) % WORDS];
    wl_mbar_arrive(&r.empty[s]);
  }
  out[(warp - r.producers) * 32 + lane] = hash;
}

template <unsigned STAGES, bool NOINC>
static __device__ __forceinline__ void ring(ring_t r, unsigned *out) {
  start<STAGES>(r);
  if (threadIdx.x / 32 < r.producers) { /* may leave before its copies are over */
    produce<STAGES, NOINC>(r);
  } else {
    consume<STAGES>(r, out);
  }
}

WL_KERNEL void ring_noinc(const unsigned *in, unsigned *out, unsigned tiles, unsigned producers) {
  alignas(16) __shared__ unsigned stage[3][WORDS];
  __shared__ wl_mbar_t full[3], empty[3];
  ring<3, true>(ring_t{in, tiles, producers, stage, full, empty}, out);
}

WL_KERNEL void ring_inc(const unsigned *in, unsigned *out, unsigned tiles, unsigned producers) {
  alignas(16) __shared__ unsigned stage[4][WORDS];
  __shared__ wl_mbar_t full[4], empty[4];
  ring<4, false>(ring_t{in, tiles, producers, stage, full, empty}, out);
}
