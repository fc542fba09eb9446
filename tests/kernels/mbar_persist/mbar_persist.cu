/*
 * A persistent kernel: CTAs take tiles from a counter until there are none. Warp 0 hands their numbers to the
 * workers through two slots with mbarriers. Worker w, but for the last, leaves after 2 + w tiles: it drops from both
 * slots, and those that stay share the elements of a tile. Which CTA makes a tile changes nothing in it.
 */
#include "wl_mbar.h"

#define TILE_WORDS 96 /* words */
#define NONE       0xffffffffu

struct slots {
  unsigned tile[2];
  wl_mbar_t full[2], empty[2];
};

static __device__ __forceinline__ void schedule(slots *q, unsigned *counter, unsigned *finished,
                                                unsigned tiles) {
  unsigned k = 0, tile;
  do {
    tile = atomicAdd(counter, 1u);
    tile = tile < tiles ? tile : NONE;
    wl_mbar_wait(&q->empty[k % 2], (k / 2 & 1) ^ 1);
    q->tile[k % 2] = tile;
    wl_mbar_arrive(&q->full[k % 2]);
    k++;
  } while (tile != NONE);
  k--;
  wl_mbar_wait(&q->empty[k % 2], k / 2 & 1); /* all who were left have dropped */
  (void)atomicAdd(finished, 1u);
}

/* How many workers make the k-th tile of a CTA. */
static __device__ __forceinline__ unsigned staff(unsigned k, unsigned workers) {
  const unsigned gone = k < 2 ? 0 : k - 1; /* w with 2 + w <= k */
  return gone < workers - 1 ? workers - gone : 1;
}

static __device__ __forceinline__ void work(slots *q, const unsigned *in, unsigned *out, unsigned w,
                                            unsigned workers) {
  const unsigned lane = threadIdx.x % 32, quota = w + 1 == workers ? NONE - 2 : 2 + w;
  for (unsigned k = 0; k < quota + 2; k++) {
    wl_mbar_wait(&q->full[k % 2], k / 2 & 1);
    const unsigned tile = q->tile[k % 2];
    if (tile != NONE && k < quota) {
      const unsigned first = w - (workers - staff(k, workers));
      for (unsigned i = first * 32 + lane; i < TILE_WORDS; i += staff(k, workers) * 32) {
        out[tile * TILE_WORDS + i] =
            in[tile * TILE_WORDS + i] * 2 + in[tile * TILE_WORDS + (i + 1) % TILE_WORDS] + tile;
      }
    }
    __syncwarp();
    if (lane == 0) {
      if (tile == NONE || k >= quota) {
        (void)wl_mbar_drop(&q->empty[k % 2]);
      } else {
        wl_mbar_arrive(&q->empty[k % 2]);
      }
    }
    if (tile == NONE) {
      return;
    }
  }
}

WL_KERNEL void persist(const unsigned *in, unsigned *out, unsigned *counter, unsigned *finished,
                       unsigned tiles) {
  __shared__ slots q;
  const unsigned warp = threadIdx.x / 32, workers = blockDim.x / 32 - 1;
  if (threadIdx.x == 0) {
    for (unsigned s = 0; s < 2; s++) {
      wl_mbar_init(&q.full[s], 1);
      wl_mbar_init(&q.empty[s], workers);
    }
  }
  __syncthreads();
  if (warp > 0) {
    work(&q, in, out, warp - 1, workers);
  } else if (threadIdx.x == 0) {
    schedule(&q, counter, finished, tiles);
  }
}
