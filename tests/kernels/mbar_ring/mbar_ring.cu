/*
 * A ring of stages in shared memory: warps of producers fill it by ordinary stores, warps of consumers hash what
 * is in it. Each stage has two mbarriers, full and empty; a wait names the parity of the phase that it waits for.
 */
#include "wl_mbar.h"

#define WORDS 64 /* of a stage */

template <unsigned STAGES>
static __device__ __forceinline__ void ring(const unsigned *in, unsigned *out, unsigned tiles,
                                            unsigned producers, unsigned (*stage)[WORDS],
                                            wl_mbar_t *full, wl_mbar_t *empty) {
  const unsigned t = threadIdx.x, warp = t / 32, lane = t % 32,
                 consumers = blockDim.x / 32 - producers;
  if (t == 0) {
    for (unsigned s = 0; s < STAGES; s++) {
      wl_mbar_init(&full[s], 32);
      wl_mbar_init(&empty[s], 32 * consumers);
    }
  }
  __syncthreads();
  if (warp < producers) {
    for (unsigned i = warp; i < tiles; i += producers) {
      const unsigned s = i % STAGES, round = i / STAGES;
      const unsigned low = in[i * WORDS + lane], high = in[i * WORDS + 32 + lane];
      wl_mbar_wait(&empty[s],
                   (round & 1) ^ 1); /* the first round: the phase before the first is over */
      stage[s][lane] = low * 3;
      stage[s][32 + lane] = high ^ i;
      wl_mbar_arrive(&full[s]);
    }
    return;
  }
  unsigned hash = warp - producers;
  for (unsigned i = 0; i < tiles; i++) {
    const unsigned s = i % STAGES, round = i / STAGES;
    wl_mbar_wait(&full[s], round & 1);
    hash = hash * 31 + stage[s][(lane * 5 + hash % 2) % WORDS];
    hash = hash * 31 + stage[s][(lane * 7 + warp) % WORDS];
    if (warp % 2 == 0) {
      wl_mbar_arrive(&empty[s]);
    } else { /* one lane for all */
      __syncwarp();
      if (lane == 0) {
        wl_mbar_arrive_n(&empty[s], 32);
      }
    }
  }
  out[(warp - producers) * 32 + lane] = hash;
}

WL_KERNEL void ring_two(const unsigned *in, unsigned *out, unsigned tiles, unsigned producers) {
  __shared__ unsigned stage[2][WORDS];
  __shared__ wl_mbar_t full[2], empty[2];
  ring<2>(in, out, tiles, producers, stage, full, empty);
}

/* The mbarriers behind the stages, in dynamic shared memory. */
WL_KERNEL void ring_five(const unsigned *in, unsigned *out, unsigned tiles, unsigned producers) {
  WL_DYNAMIC_SHARED(wl_mbar_t, shared);
  unsigned (*stage)[WORDS] = (unsigned (*)[WORDS])shared;
  wl_mbar_t *full = shared + 5 * WORDS / 2;
  ring<5>(in, out, tiles, producers, stage, full, full + 5);
}
