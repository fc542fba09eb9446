/*
 * C = A * B by mma.sync and ldmatrix: A of m rows, B of n columns, k contiguous in both, of 16-bit
 * floats, 8-bit integers or (sm_89) 8-bit floats. A step is 32 bytes of k, one instruction's. A CTA of four
 * warps makes 64 x 32 elements, a warp 32 x 16: two by two products. Lanes of `split` come later to the
 * first products of a step, so that the warp gathers there.
 */
#include "wl_device.h"

#define STEP  32 /* bytes of k */
#define PITCH 48 /* bytes: rows begin at 16 bytes, eight of them in different banks */

struct alignas(16) tiles_t {
  unsigned char a[64][PITCH], b[32][PITCH];
};

/* 16 bytes of a row by each thread: 64 rows of A, then 32 of B, two threads each. */
static __device__ __forceinline__ void fill(tiles_t *t, const unsigned *a, const unsigned *b,
                                            unsigned row_words, unsigned step) {
  for (unsigned i = threadIdx.x; i < 192; i += blockDim.x) {
    unsigned row = i / 2, at = i % 2 * 4;
    const unsigned *from = row < 64 ? a + (blockIdx.y * 64 + row) * row_words
                                    : b + (blockIdx.x * 32 + row - 64) * row_words;
    unsigned *to = (unsigned *)(row < 64 ? t->a[row] : t->b[row - 64]) + at;
    for (unsigned k = 0; k < 4; k++) {
      to[k] = from[step * (STEP / 4) + at + k];
    }
  }
}

static __device__ __forceinline__ unsigned late(unsigned split, unsigned v) {
  if (split >> wl_lane() & 1) {
    for (unsigned k = 0; k <= wl_lane() % 5; k++) {
      v = v * 1664525u + 1013904223u;
    }
  }
  return v;
}

struct args_t {
  const unsigned *a, *b;
  unsigned *work, n, row_words, split;
};

template <typename T, typename Product>
static __device__ __forceinline__ void gemm(T *c, args_t arg, tiles_t *tiles, Product product) {
  unsigned lane = wl_lane(), warp = threadIdx.x / 32, v = threadIdx.x;
  unsigned row0 = warp / 2 * 32, column0 = warp % 2 * 16;
  T sum[2][2][4] = {};
  for (unsigned step = 0; step < arg.row_words / (STEP / 4); step++) {
    unsigned x[2][4], y[4];
    fill(tiles, arg.a, arg.b, arg.row_words, step);
    __syncthreads();
    for (unsigned i = 0; i < 2; i++) {
      wl_ldmatrix_x4(x[i], &tiles->a[row0 + 16 * i + lane % 16][lane / 16 * 16]);
    }
    wl_ldmatrix_x4(y, &tiles->b[column0 + lane / 16 * 8 + lane % 8][lane / 8 % 2 * 16]);
    v = late(arg.split, v);
    for (unsigned i = 0; i < 2; i++) {
      for (unsigned j = 0; j < 2; j++) {
        product(sum[i][j], x[i], y + 2 * j);
      }
    }
    __syncthreads();
  }
  for (unsigned i = 0; i < 16; i++) {
    unsigned row = blockIdx.y * 64 + row0 + i / 8 * 16 + i / 2 % 2 * 8 + lane / 4;
    unsigned column = blockIdx.x * 32 + column0 + i / 4 % 2 * 8 + lane % 4 * 2 + i % 2;
    c[row * arg.n + column] = sum[i / 8][i / 4 % 2][i % 4];
  }
  arg.work[(blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x] = v;
}

struct f16_t {
  __device__ void operator()(float *d, const unsigned *a, const unsigned *b) { wl_mma_f16(d, a, b); }
};
struct s8_t {
  __device__ void operator()(int *d, const unsigned *a, const unsigned *b) { wl_mma_s8(d, a, b); }
};

WL_KERNEL void gemm_f16(const unsigned *a, const unsigned *b, float *c, unsigned *work, unsigned n,
                        unsigned row_words, unsigned split) {
  __shared__ tiles_t tiles;
  gemm(c, args_t{a, b, work, n, row_words, split}, &tiles, f16_t());
}

WL_KERNEL void gemm_s8(const unsigned *a, const unsigned *b, int *c, unsigned *work, unsigned n,
                       unsigned row_words, unsigned split) {
  __shared__ tiles_t tiles;
  gemm(c, args_t{a, b, work, n, row_words, split}, &tiles, s8_t());
}

#if WL_HAS_MMA_E4M3
struct e4m3_t {
  __device__ void operator()(float *d, const unsigned *a, const unsigned *b) { wl_mma_e4m3(d, a, b); }
};

WL_KERNEL void gemm_e4m3(const unsigned *a, const unsigned *b, float *c, unsigned *work, unsigned n,
                         unsigned row_words, unsigned split) {
  __shared__ tiles_t tiles;
  gemm(c, args_t{a, b, work, n, row_words, split}, &tiles, e4m3_t());
}
#endif
