/*
 * Transposes of 16-bit matrices in tiles of 16 x 16, one per warp, by ldmatrix, stmatrix (sm_90) and
 * movmatrix. Lanes of `split` do other work before each of these instructions, so that the warp
 * comes to it in parts; what that work gives goes to `work`.
 */
#include "wl_device.h"

#define PITCH 24 /* halves: rows of a tile begin at 16 bytes */

struct alignas(16) tile_t {
  unsigned short half[16][PITCH];
};

/* Lanes of `split` repeat a step as often as their number says. */
static __device__ __forceinline__ unsigned part(unsigned split, unsigned v) {
  unsigned lane = wl_lane();
  if (split >> lane & 1) {
    for (unsigned k = 0; k <= lane % 7; k++) {
      v = v * 1664525u + 1013904223u;
    }
  }
  return v;
}

/* Eight words of lane: half a row of the tile, from or to a matrix of `pitch` halves. */
static __device__ __forceinline__ void fill(tile_t *t, const unsigned *from, unsigned pitch) {
  unsigned lane = wl_lane(), row = lane / 2, word = lane % 2 * 4;
  unsigned *to = (unsigned *)&t->half[row][2 * word];
  for (unsigned k = 0; k < 4; k++) {
    to[k] = from[row * (pitch / 2) + word + k];
  }
}
static __device__ __forceinline__ void drain(const tile_t *t, unsigned *to, unsigned pitch) {
  unsigned lane = wl_lane(), row = lane / 2, word = lane % 2 * 4;
  const unsigned *from = (const unsigned *)&t->half[row][2 * word];
  for (unsigned k = 0; k < 4; k++) {
    to[row * (pitch / 2) + word + k] = from[k];
  }
}

/* Row of the lane's address: matrix r is rows 8 (r % 2) on, columns 8 (r / 2) on. */
static __device__ __forceinline__ unsigned short *row_of(tile_t *t) {
  unsigned lane = wl_lane();
  return &t->half[lane % 16][lane / 16 * 8];
}
#if WL_HAS_STMATRIX
/* The same of the transposed tile. */
static __device__ __forceinline__ unsigned short *turned_row_of(tile_t *t) {
  unsigned lane = wl_lane();
  return &t->half[lane / 16 * 8 + lane % 8][lane / 8 % 2 * 8];
}
#endif

#define TILE(x, y, pitch) (((y) * 16 * (pitch) + (x) * 16) / 2)

/* ldmatrix.trans; each lane stores words of two elements of the transposed tile. */
WL_KERNEL void transpose_load(const unsigned *in, unsigned *out, unsigned *work, unsigned width,
                              unsigned height, unsigned split) {
  __shared__ tile_t tile[4];
  unsigned warp = threadIdx.x / 32, lane = wl_lane(), x = blockIdx.x * (blockDim.x / 32) + warp;
  unsigned y = blockIdx.y, d[4];
  fill(&tile[warp], in + TILE(x, y, width), width);
  __syncwarp();
  unsigned v = part(split, x + 17 * y);
  wl_ldmatrix_x4_trans(d, row_of(&tile[warp]));
  for (unsigned r = 0; r < 4; r++) {
    unsigned column = x * 16 + r / 2 * 8 + lane / 4, row = y * 16 + r % 2 * 8 + lane % 4 * 2;
    out[(column * height + row) / 2] = d[r];
  }
  work[(y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x] = v;
}

/* ldmatrix, then stmatrix.trans where there is one. */
WL_KERNEL void transpose_store(const unsigned *in, unsigned *out, unsigned *work, unsigned width,
                               unsigned height, unsigned split) {
  __shared__ tile_t tile[4], turned[4];
  unsigned warp = threadIdx.x / 32, x = blockIdx.x * (blockDim.x / 32) + warp;
  unsigned y = blockIdx.y, d[4];
  fill(&tile[warp], in + TILE(x, y, width), width);
  __syncwarp();
  unsigned v = part(split, x + 17 * y);
  wl_ldmatrix_x4(d, row_of(&tile[warp]));
  v = part(~split, v);
#if WL_HAS_STMATRIX
  wl_stmatrix_x4_trans(turned_row_of(&turned[warp]), d);
#else
  unsigned lane = wl_lane();
  for (unsigned r = 0; r < 4; r++) {
    for (unsigned h = 0; h < 2; h++) {
      unsigned column = r / 2 * 8 + lane % 4 * 2 + h, row = r % 2 * 8 + lane / 4;
      turned[warp].half[column][row] = (unsigned short)(d[r] >> 16 * h);
    }
  }
#endif
  __syncwarp();
  drain(&turned[warp], out + TILE(y, x, height), height);
  work[(y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x] = v;
}

/* ldmatrix by generic addresses, two matrices at a time, then movmatrix of each; back with stmatrix
 * x1 where there is one. */
WL_KERNEL void transpose_move(const unsigned *in, unsigned *out, unsigned *work, unsigned width,
                              unsigned height, unsigned split) {
  __shared__ tile_t tile[4];
  unsigned warp = threadIdx.x / 32, lane = wl_lane(), x = blockIdx.x * (blockDim.x / 32) + warp;
  unsigned y = blockIdx.y, d[4];
  fill(&tile[warp], in + TILE(x, y, width), width);
  __syncwarp();
  unsigned v = part(split, x + 17 * y);
  for (unsigned k = 0; k < 2; k++) {
    wl_ldmatrix_x2_generic(d + 2 * k, &tile[warp].half[lane % 16][8 * k]);
  }
  for (unsigned r = 0; r < 4; r++) {
    d[r] = wl_movmatrix(d[r]);
    v = part(split << r, v);
  }
  __syncwarp();
#if WL_HAS_STMATRIX
  for (unsigned r = 0; r < 4; r++) {
    wl_stmatrix_x1(&tile[warp].half[r / 2 * 8 + lane % 8][r % 2 * 8], d[r]);
  }
#else
  for (unsigned r = 0; r < 4; r++) {
    *(unsigned *)&tile[warp].half[r / 2 * 8 + lane / 4][r % 2 * 8 + lane % 4 * 2] = d[r];
  }
#endif
  __syncwarp();
  drain(&tile[warp], out + TILE(y, x, height), height);
  work[(y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x] = v;
}
