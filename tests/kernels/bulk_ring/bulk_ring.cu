/*
 * A ring of stages in shared memory that bulk copies fill, as in CUTLASS's pipelines: a producer waits until a stage
 * is empty, tells its mbarrier how many bytes will come, and starts the copies; consumers wait for the bytes.
 */
#include "wl_bulk.h"

/* Words of a stage, of ring_lanes: rows, words of a row at most. */
enum : unsigned { WORDS_A = 64, WORDS_B = 20, ROWS = 32, ROW = 12 };

/* Stage and parity of its phase, both going round. */
struct ring_place_t {
  unsigned stage, parity;
};

template <unsigned STAGES> static __device__ __forceinline__ void advance(ring_place_t *p) {
  if (++p->stage == STAGES) {
    p->stage = 0;
    p->parity ^= 1;
  }
}

template <unsigned STAGES>
static __device__ __forceinline__ void start(wl_mbar_t *full, wl_mbar_t *empty, unsigned arrivals) {
  if (threadIdx.x == 0) {
    for (unsigned s = 0; s < STAGES; s++) {
      wl_mbar_init(&full[s], arrivals);
      wl_mbar_init(&empty[s], blockDim.x / 32 - 1);
    }
    wl_fence_mbar_init();
  }
  __syncthreads();
}

/* One thread of warp 0 produces; two copies, of 256 and 80 bytes, fill a stage. */
WL_KERNEL void ring_elect(const unsigned *a, const unsigned *b, unsigned *out, unsigned tiles) {
  alignas(128) __shared__ unsigned stage_a[3][WORDS_A];
  alignas(128) __shared__ unsigned stage_b[3][WORDS_B];
  __shared__ wl_mbar_t full[3], empty[3];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  start<3>(full, empty, 1);
  if (warp == 0) {
    if (wl_elect()) {
      ring_place_t p = {0, 1}; /* the first round: before the first phase */
      wl_bulk_prefetch(b, 64);
      for (unsigned i = 0; i < tiles; i++) {
        wl_mbar_wait(&empty[p.stage], p.parity);
        wl_mbar_arrive_expect(&full[p.stage], (WORDS_A + WORDS_B) * 4);
        wl_bulk_load(stage_a[p.stage], a + i * WORDS_A, WORDS_A * 4, &full[p.stage]);
        wl_bulk_load_once(stage_b[p.stage], b + i * WORDS_B, WORDS_B * 4, &full[p.stage]);
        advance<3>(&p);
      }
      for (unsigned s = 0; s < 3; s++) { /* nobody reads a stage any more */
        wl_mbar_wait(&empty[p.stage], p.parity);
        advance<3>(&p);
      }
    }
    return;
  }
  ring_place_t p = {0, 0};
  unsigned hash = warp;
  for (unsigned i = 0; i < tiles; i++) {
    wl_mbar_wait(&full[p.stage], p.parity);
    hash = hash * 31 + stage_a[p.stage][(lane * 5 + hash % 2) % WORDS_A];
    hash = hash * 31 + stage_b[p.stage][(lane * 7 + warp) % WORDS_B];
    __syncwarp();
    if (wl_elect()) {
      wl_mbar_arrive(&empty[p.stage]);
    }
    advance<3>(&p);
  }
  out[threadIdx.x - 32] = hash;
}

/* Each lane of warp 0 copies a row, of 16, 32 or 48 bytes, and counts its own bytes. */
WL_KERNEL void ring_lanes(const unsigned *in, unsigned *out, unsigned tiles, unsigned pitch) {
  alignas(128) __shared__ unsigned stage[2][ROWS][ROW];
  __shared__ wl_mbar_t full[2], empty[2];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  start<2>(full, empty, ROWS);
  if (warp == 0) {
    ring_place_t p = {0, 1};
    for (unsigned i = 0; i < tiles; i++) {
      const unsigned bytes = (lane + i) % 3 * 16 + 16;
      wl_mbar_wait(&empty[p.stage], p.parity);
      wl_mbar_arrive_expect(&full[p.stage], bytes);
      wl_bulk_load(stage[p.stage][lane], in + (i * ROWS + lane) * pitch, bytes, &full[p.stage]);
      advance<2>(&p);
    }
    return; /* before its copies are over */
  }
  ring_place_t p = {0, 0};
  unsigned hash = warp;
  for (unsigned i = 0; i < tiles; i++) {
    wl_mbar_wait(&full[p.stage], p.parity);
    const unsigned row = (lane * 5 + hash % 32) % ROWS, words = (row + i) % 3 * 4 + 4;
    hash = hash * 31 + stage[p.stage][row][(hash / 32 + lane) % words];
    __syncwarp();
    if (lane == 0) {
      wl_mbar_arrive(&empty[p.stage]);
    }
    advance<2>(&p);
  }
  out[threadIdx.x - 32] = hash;
}
