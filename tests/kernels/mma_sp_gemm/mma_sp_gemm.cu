/*
 * C = A * B with a sparse A, by mma.sp and ldmatrix: of each four elements of a row of A two are stored, and four
 * bits that say which. A has m rows, B n columns, k contiguous in both, of 16-bit floats or 8-bit integers. A
 * step is 32 stored bytes of a row, one instruction's. A CTA of four warps makes 64 x 32 elements, a warp 32 x 16:
 * two by two products.
 */
#include "wl_sparse.h"

#define STORED  32 /* bytes of a row of A in a step */
#define WHOLE   64 /* of a column of B */
#define A_PITCH 48 /* bytes: rows begin at 16 bytes, eight of them in different banks */
#define B_PITCH 80

struct alignas(16) tiles_t {
  unsigned char a[64][A_PITCH], b[32][B_PITCH];
  unsigned e[64][2]; /* metadata of a row: 32 bits of 16-bit elements, 64 of 8-bit ones */
};

struct args_t {
  const unsigned *a, *b, *e;
  unsigned n, steps, words; /* words: of the metadata of a row and step */
};

/* Words of a row by each thread: 64 rows of A, 32 columns of B, the metadata. */
static __device__ __forceinline__ void fill(tiles_t *t, args_t arg, unsigned step) {
  for (unsigned i = threadIdx.x; i < 64 * STORED / 4; i += blockDim.x) {
    unsigned row = i / (STORED / 4), at = i % (STORED / 4);
    ((unsigned *)t->a[row])[at] =
        arg.a[((blockIdx.y * 64 + row) * arg.steps + step) * (STORED / 4) + at];
  }
  for (unsigned i = threadIdx.x; i < 32 * WHOLE / 4; i += blockDim.x) {
    unsigned column = i / (WHOLE / 4), at = i % (WHOLE / 4);
    ((unsigned *)t->b[column])[at] =
        arg.b[((blockIdx.x * 32 + column) * arg.steps + step) * (WHOLE / 4) + at];
  }
  if (threadIdx.x < 64 * arg.words) {
    unsigned row = threadIdx.x / arg.words, at = threadIdx.x % arg.words;
    t->e[row][at] = arg.e[((blockIdx.y * 64 + row) * arg.steps + step) * arg.words + at];
  }
}

/* 16-bit floats: lanes 0 and 1 of four have the metadata of the upper product, 2 and 3 of the lower one. */
struct f16_t {
  unsigned e;
  __device__ void take(const tiles_t *t, unsigned row) {
    unsigned lane = wl_lane(), g = row + lane / 4 + lane % 4 / 2 * 16, shift = lane % 2 * 16;
    e = (t->e[g][0] >> shift & 0xffff) | (t->e[g + 8][0] >> shift & 0xffff) << 16;
  }
  __device__ void upper(float *d, const unsigned *a, const unsigned *b) { wl_sparse_f16<0>(d, a, b, e); }
  __device__ void lower(float *d, const unsigned *a, const unsigned *b) { wl_sparse_f16<1>(d, a, b, e); }
};
/* 8-bit integers: every lane has some of each. */
struct s8_t {
  unsigned e[2];
  __device__ void take(const tiles_t *t, unsigned row) {
    unsigned lane = wl_lane(), g = row + lane / 4 + lane % 2 * 8;
    e[0] = t->e[g][lane % 4 / 2];
    e[1] = t->e[g + 16][lane % 4 / 2];
  }
  __device__ void upper(int *d, const unsigned *a, const unsigned *b) { wl_sparse_s8<0>(d, a, b, e[0]); }
  __device__ void lower(int *d, const unsigned *a, const unsigned *b) { wl_sparse_s8<0>(d, a, b, e[1]); }
};

template <typename T, typename Product>
static __device__ __forceinline__ void gemm(T *c, args_t arg, tiles_t *tiles, Product product) {
  unsigned lane = wl_lane(), warp = threadIdx.x / 32;
  unsigned row0 = warp / 2 * 32, column0 = warp % 2 * 16;
  T sum[2][2][4] = {};
  for (unsigned step = 0; step < arg.steps; step++) {
    unsigned x[2][4], y[2][4];
    fill(tiles, arg, step);
    __syncthreads();
    for (unsigned i = 0; i < 2; i++) {
      wl_ldmatrix_x4(x[i], &tiles->a[row0 + 16 * i + lane % 16][lane / 16 * 16]);
      wl_ldmatrix_x4(y[i], &tiles->b[column0 + 8 * i + lane % 8][lane / 8 * 16]);
    }
    product.take(tiles, row0);
    for (unsigned j = 0; j < 2; j++) {
      product.upper(sum[0][j], x[0], y[j]);
      product.lower(sum[1][j], x[1], y[j]);
    }
    __syncthreads();
  }
  for (unsigned i = 0; i < 16; i++) {
    unsigned row = blockIdx.y * 64 + row0 + i / 8 * 16 + i / 2 % 2 * 8 + lane / 4;
    unsigned column = blockIdx.x * 32 + column0 + i / 4 % 2 * 8 + lane % 4 * 2 + i % 2;
    c[row * arg.n + column] = sum[i / 8][i / 4 % 2][i % 4];
  }
}

WL_KERNEL void sparse_f16(const unsigned *a, const unsigned *b, const unsigned *e, float *c, unsigned n,
                        unsigned steps) {
  __shared__ tiles_t tiles;
  gemm(c, args_t{a, b, e, n, steps, 1}, &tiles, f16_t());
}

WL_KERNEL void sparse_s8(const unsigned *a, const unsigned *b, const unsigned *e, int *c, unsigned n,
                       unsigned steps) {
  __shared__ tiles_t tiles;
  gemm(c, args_t{a, b, e, n, steps, 2}, &tiles, s8_t());
}
