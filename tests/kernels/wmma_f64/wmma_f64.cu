/*
 * D = A * B + C of f64 by nvcuda::wmma, as CUDA's mma.h has it. A CTA of two warps makes 16 x 32 elements, a
 * warp two by two products of 8 x 8 x 4. In `wmma_f64` A and B lie in columns, C and D in rows, all in global
 * memory. In `wmma_f64_shared` A and B lie in rows, C and D in columns; a step of A and B is brought to
 * shared memory first, and lanes of `split` come later to the products.
 */
#include "wl_device.h"
#include "wl_wmma.h"

using namespace nvcuda;

typedef wmma::fragment<wmma::accumulator, 8, 8, 4, double> sum_t;

WL_KERNEL void wmma_f64(const double *a, const double *b, const double *c, double *d, unsigned m,
                        unsigned n, unsigned k) {
  const unsigned row0 = blockIdx.y * 16, column0 = blockIdx.x * 32 + threadIdx.x / 32 * 16;
  wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::col_major> x[2];
  wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::col_major> y[2];
  sum_t sum[4];
  for (unsigned i = 0; i < 4; i++) {
    wmma::load_matrix_sync(sum[i], c + (row0 + i / 2 * 8) * n + column0 + i % 2 * 8, n,
                           wmma::mem_row_major);
  }
  for (unsigned at = 0; at < k; at += 4) {
    for (unsigned i = 0; i < 2; i++) {
      wmma::load_matrix_sync(x[i], a + at * m + row0 + i * 8, m);
      wmma::load_matrix_sync(y[i], b + (column0 + i * 8) * k + at, k);
    }
    for (unsigned i = 0; i < 4; i++) {
      wmma::mma_sync(sum[i], x[i / 2], y[i % 2], sum[i]);
    }
  }
  for (unsigned i = 0; i < 4; i++) {
    wmma::store_matrix_sync(d + (row0 + i / 2 * 8) * n + column0 + i % 2 * 8, sum[i], n,
                            wmma::mem_row_major);
  }
}

struct alignas(32) tiles_t {
  double a[16][6], b[4][34]; /* rows of A, of B; two more columns than a step has */
};

static __device__ __forceinline__ unsigned late(unsigned split, unsigned v) {
  if (split >> wl_lane() & 1) {
    for (unsigned k = 0; k <= wl_lane() % 5; k++) {
      v = v * 1664525u + 1013904223u;
    }
  }
  return v;
}

WL_KERNEL void wmma_f64_shared(const double *a, const double *b, const double *c, double *d,
                               unsigned *work, unsigned m, unsigned n, unsigned k,
                               unsigned split) {
  __shared__ tiles_t tiles;
  const unsigned row0 = blockIdx.y * 16, column0 = blockIdx.x * 32, own = threadIdx.x / 32 * 16;
  wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> x[2];
  wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::row_major> y[2];
  sum_t sum[4];
  unsigned v = threadIdx.x;
  for (unsigned i = 0; i < 4; i++) {
    wmma::load_matrix_sync(sum[i], c + (column0 + own + i % 2 * 8) * m + row0 + i / 2 * 8, m,
                           wmma::mem_col_major);
  }
  for (unsigned at = 0; at < k; at += 4) {
    tiles.a[threadIdx.x / 4][threadIdx.x % 4] =
        a[(row0 + threadIdx.x / 4) * k + at + threadIdx.x % 4];
    for (unsigned i = threadIdx.x; i < 4 * 32; i += blockDim.x) {
      tiles.b[i / 32][i % 32] = b[(at + i / 32) * n + column0 + i % 32];
    }
    __syncthreads();
    for (unsigned i = 0; i < 2; i++) {
      wmma::load_matrix_sync(x[i], tiles.a[i * 8], 6);
      wmma::load_matrix_sync(y[i], tiles.b[0] + own + i * 8, 34);
    }
    v = late(split, v);
    for (unsigned i = 0; i < 4; i++) {
      wmma::mma_sync(sum[i], x[i / 2], y[i % 2], sum[i]);
    }
    __syncthreads();
  }
  for (unsigned i = 0; i < 4; i++) {
    wmma::store_matrix_sync(d + (column0 + own + i % 2 * 8) * m + row0 + i / 2 * 8, sum[i], m,
                            wmma::mem_col_major);
  }
  work[(blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x] = v;
}
