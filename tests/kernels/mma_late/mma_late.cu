/*
 * Warps that arrive in parts: lanes go different ways of different lengths, and what brings them
 * together again is ldmatrix or mma itself. In a round each lane makes the number of the row that it
 * gives to ldmatrix, then its words of A; the sums of the round decide the next one's ways.
 * A way that takes from its counter gives others their turn: they come to the matrix instruction
 * first, and wait there.
 */
#include "wl_device.h"

#define WARPS 2
#define ROWS  32 /* of 16 bytes, of a warp */

struct alignas(16) rows_t {
  unsigned row[WARPS][ROWS][4];
};

/* A lane's way: 0 the shortest, 1 a loop, 2 a loop with its counter, 3 a search. */
static __device__ __forceinline__ unsigned work(unsigned way, unsigned v, unsigned trips,
                                                unsigned *counter) {
  if (way == 1) {
    unsigned count = trips + v % 13;
    for (unsigned k = 0; k < count; k++) {
      v = v * 1664525u + 1013904223u;
    }
  } else if (way == 2) {
    unsigned last = v % 7;
    for (unsigned k = 0; k <= last; k++) {
      v = v * 69069u + atomicAdd(counter, 1u);
    }
  } else if (way == 3) {
    unsigned steps = 0;
    for (unsigned x = v % 25 + 2; x != 1; steps++) {
      x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    }
    v = v * 2654435761u + steps;
  }
  return v ^ v >> 15;
}

WL_KERNEL void late(const unsigned *rows, const unsigned *ways, int *sums, unsigned *last,
                    unsigned rounds, unsigned trips) {
  __shared__ rows_t tiles;
  __shared__ unsigned counter[WARPS * 32];
  unsigned lane = wl_lane(), warp = threadIdx.x / 32;
  unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  int sum[2][4] = {};
  unsigned v = thread;
  for (unsigned i = 0; i < 4; i++) {
    tiles.row[warp][lane][i] = rows[thread * 4 + i];
  }
  counter[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned round = 0; round < rounds; round++) {
    unsigned a[4], b[4], way = ways[thread] >> 4 * (round % 4);
    v = work(way & 3, v, trips, &counter[threadIdx.x]);
    wl_ldmatrix_x4(b, tiles.row[warp][v % ROWS]);
    v = work(way >> 2 & 3, v, trips, &counter[threadIdx.x]);
    for (unsigned i = 0; i < 4; i++) {
      a[i] = v * (2 * i + 1) + b[i];
    }
    wl_mma_s8(sum[0], a, b);
    wl_mma_s8(sum[1], a, b + 2);
    v += (unsigned)sum[0][round % 4] ^ (unsigned)sum[1][3 - round % 4] * 5u;
  }
  for (unsigned i = 0; i < 8; i++) {
    sums[thread * 8 + i] = sum[i / 4][i % 4];
  }
  last[thread] = v;
}
