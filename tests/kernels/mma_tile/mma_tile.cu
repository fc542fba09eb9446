/*
 * Products of matrices at the speed of the tensor unit. mma_tile: C = A * B of 16-bit floats, k contiguous
 * in both. A CTA of four warps makes 128 x 128 elements, a warp 64 x 64 of them: eight ldmatrix.x4 feed 32
 * products. Two stages of 32 k lie in shared memory; the next one is fetched beside the products of this
 * one. mma_loop: products of registers only.
 */
#include "wl_device.h"

#define WORDS  8   /* of a row, in a stage: 16 k, one product's */
#define PITCH  48  /* bytes: rows begin at 16 bytes, eight of them in different banks */
#define SIDE   128 /* rows of A and of B that a CTA has */
#define CHUNKS 4   /* of 16 bytes that a thread fetches of a stage: two of A, two of B */

struct alignas(16) chunk_t {
  unsigned word[4];
};

struct alignas(8) pair_t {
  float x, y;
};

struct alignas(16) stage_t {
  unsigned char row[2 * SIDE][PITCH]; /* of A, then of B */
};

/* Two threads have a row, the CTA has 64 rows at once. */
static __device__ __forceinline__ chunk_t fetch(const unsigned *a, const unsigned *b, unsigned row_words,
                                                unsigned i) {
  return *(const chunk_t *)((i < CHUNKS / 2 ? a : b) + i % 2 * 64 * row_words);
}

/* Fragments of 64 rows; lanes give the rows of the first 16. */
static __device__ __forceinline__ void load(unsigned (*to)[4], const unsigned char *row) {
  wl_ldmatrix_x4_at<0>(to[0], row);
  wl_ldmatrix_x4_at<16 * PITCH>(to[1], row);
  wl_ldmatrix_x4_at<32 * PITCH>(to[2], row);
  wl_ldmatrix_x4_at<48 * PITCH>(to[3], row);
}

static __device__ __forceinline__ void put(stage_t *to, const chunk_t *from) {
  for (unsigned i = 0; i < CHUNKS; i++) {
    *(chunk_t *)(to->row[threadIdx.x / 2 + i * 64] + threadIdx.x % 2 * 16) = from[i];
  }
}

WL_KERNEL void mma_tile(const unsigned *a, const unsigned *b, float *c, unsigned n, unsigned row_words) {
  __shared__ stage_t stages[2];
  unsigned lane = wl_lane(), warp = threadIdx.x / 32;
  unsigned row0 = warp / 2 * 64, column0 = warp % 2 * 64;
  float sum[4][8][4] = {};
  chunk_t next[CHUNKS];
  a += (blockIdx.y * SIDE + threadIdx.x / 2) * row_words + threadIdx.x % 2 * 4;
  b += (blockIdx.x * SIDE + threadIdx.x / 2) * row_words + threadIdx.x % 2 * 4;
  for (unsigned i = 0; i < CHUNKS; i++) {
    next[i] = fetch(a, b, row_words, i);
  }
  put(&stages[0], next);
  __syncthreads();
#pragma unroll 1
  for (unsigned at = 0; at < row_words; at += WORDS) {
    stage_t *here = &stages[at / WORDS % 2];
    unsigned x[4][4], y[4][4];
    load(y, here->row[SIDE + column0 + lane / 16 * 8 + lane % 8] + lane / 8 % 2 * 16);
    load(x, here->row[row0 + lane % 16] + lane / 16 * 16);
    unsigned step = at + WORDS < row_words ? WORDS : 0; /* the last one is fetched twice */
    a += step;
    b += step;
    for (unsigned i = 0; i < CHUNKS; i++) {
      next[i] = fetch(a, b, row_words, i);
      for (unsigned j = 0; j < 4; j++) {
        wl_mma_f16(sum[i][2 * j], x[i], y[j]);
        wl_mma_f16(sum[i][2 * j + 1], x[i], y[j] + 2);
      }
    }
    put(&stages[at / WORDS % 2 ^ 1], next);
    __syncthreads();
  }
  c += (blockIdx.y * SIDE + row0 + lane / 4) * n + blockIdx.x * SIDE + column0 + lane % 4 * 2;
  for (unsigned i = 0; i < 8; i++) {
    for (unsigned j = 0; j < 8; j++) {
      *(pair_t *)(c + i * 8 * n + j * 8) = pair_t{sum[i / 2][j][i % 2 * 2], sum[i / 2][j][i % 2 * 2 + 1]};
    }
  }
}

/* 16 products of a warp, four sums of four, in each round. a[i] and b[i]: a lane's words. */
WL_KERNEL void mma_loop(const unsigned *a, const unsigned *b, float *c, unsigned rounds) {
  unsigned x[4], y[2], lane = wl_lane();
  float sum[4][4] = {};
  for (unsigned i = 0; i < 4; i++) {
    x[i] = a[i * 32 + lane];
  }
  for (unsigned i = 0; i < 2; i++) {
    y[i] = b[i * 32 + lane];
  }
  for (unsigned round = 0; round < rounds; round++) {
    for (unsigned i = 0; i < 16; i++) {
      wl_mma_f16(sum[i % 4], x, y);
    }
  }
  for (unsigned i = 0; i < 16; i++) {
    c[i * blockDim.x + threadIdx.x] = sum[i / 4][i % 4];
  }
}
