/*
 * D = A * B + C by nvcuda::wmma, as CUDA's mma.h has it. A CTA of two warps makes 2 M x 4 N elements, a warp
 * two by two products of shape M x N x K. All matrices are in global memory, in rows or in columns; of f16
 * in rows a step of A and B is brought to shared memory first, and lanes of `split` come later to the
 * products, so that the warp gathers there.
 */
#include "wl_device.h"
#include "wl_wmma.h"

using namespace nvcuda;

template <typename Layout> struct in_rows {
  static const bool value = false;
};
template <> struct in_rows<wmma::row_major> {
  static const bool value = true;
};

struct size_args_t {
  unsigned m, n, k;
};

template <typename F> static __device__ __forceinline__ void prepare(F &) {}
template <typename Use, typename Layout>
static __device__ __forceinline__ void
prepare(wmma::fragment<Use, 16, 16, 8, wmma::precision::tf32, Layout> &f) {
  for (unsigned i = 0; i < f.num_elements; i++) {
    f.x[i] = wmma::__float_to_tf32(f.x[i]);
  }
}

/* Element (row, column) of a matrix of so many rows and columns. */
template <typename Layout, typename E>
static __device__ __forceinline__ const E *place(const E *matrix, unsigned rows, unsigned columns,
                                                 unsigned row, unsigned column) {
  return in_rows<Layout>::value ? matrix + row * columns + column : matrix + column * rows + row;
}

template <int M, int N, int K, typename T, typename LA, typename LB, typename E, typename Acc>
static __device__ __forceinline__ void gemm(const E *a, const E *b, const Acc *c, Acc *d,
                                            size_args_t size, wmma::layout_t layout) {
  const unsigned m = size.m, n = size.n, k = size.k;
  const unsigned row0 = blockIdx.y * 2 * M, column0 = (blockIdx.x * 2 + threadIdx.x / 32) * 2 * N;
  const bool rows = layout == wmma::mem_row_major;
  wmma::fragment<wmma::matrix_a, M, N, K, T, LA> x[2];
  wmma::fragment<wmma::matrix_b, M, N, K, T, LB> y[2];
  wmma::fragment<wmma::accumulator, M, N, K, Acc> sum[2][2];
  for (unsigned i = 0; i < 4; i++) {
    const unsigned row = row0 + i / 2 * M, column = column0 + i % 2 * N;
    wmma::load_matrix_sync(sum[i / 2][i % 2], c + (rows ? row * n + column : column * m + row),
                           rows ? n : m, layout);
  }
  for (unsigned at = 0; at < k; at += K) {
    for (unsigned i = 0; i < 2; i++) {
      wmma::load_matrix_sync(x[i], place<LA>(a, m, k, row0 + i * M, at),
                             in_rows<LA>::value ? k : m);
      wmma::load_matrix_sync(y[i], place<LB>(b, k, n, at, column0 + i * N),
                             in_rows<LB>::value ? n : k);
      prepare(x[i]);
      prepare(y[i]);
    }
    for (unsigned i = 0; i < 4; i++) {
      wmma::mma_sync(sum[i / 2][i % 2], x[i / 2], y[i % 2], sum[i / 2][i % 2]);
    }
  }
  for (unsigned i = 0; i < 4; i++) {
    const unsigned row = row0 + i / 2 * M, column = column0 + i % 2 * N;
    wmma::store_matrix_sync(d + (rows ? row * n + column : column * m + row), sum[i / 2][i % 2],
                            rows ? n : m, layout);
  }
}

WL_KERNEL void wmma_f16_f16(const half *a, const half *b, const half *c, half *d, unsigned m,
                            unsigned n, unsigned k) {
  gemm<32, 8, 16, half, wmma::col_major, wmma::row_major>(a, b, c, d, size_args_t{m, n, k},
                                                          wmma::mem_row_major);
}

WL_KERNEL void wmma_bf16(const __nv_bfloat16 *a, const __nv_bfloat16 *b, const float *c, float *d,
                         unsigned m, unsigned n, unsigned k) {
  gemm<8, 32, 16, __nv_bfloat16, wmma::row_major, wmma::row_major>(
      a, b, c, d, size_args_t{m, n, k}, wmma::mem_row_major);
}

WL_KERNEL void wmma_tf32(const float *a, const float *b, const float *c, float *d, unsigned m,
                         unsigned n, unsigned k) {
  gemm<16, 16, 8, wmma::precision::tf32, wmma::row_major, wmma::col_major>(
      a, b, c, d, size_args_t{m, n, k}, wmma::mem_col_major);
}

WL_KERNEL void wmma_s8(const signed char *a, const signed char *b, const int *c, int *d, unsigned m,
                       unsigned n, unsigned k) {
  gemm<16, 16, 16, signed char, wmma::row_major, wmma::col_major>(
      a, b, c, d, size_args_t{m, n, k}, wmma::mem_col_major);
}

/* ---- f16, D of f32, by shared memory */
#define LINE_HALVES 24 /* halves: eight lines lie in different banks */

struct alignas(32) tiles_t {
  half a[32][LINE_HALVES], b[64][LINE_HALVES]; /* rows of A, columns of B, 16 k each */
};

static __device__ __forceinline__ unsigned late(unsigned split, unsigned v) {
  if (split >> wl_lane() & 1) {
    for (unsigned k = 0; k <= wl_lane() % 5; k++) {
      v = v * 1664525u + 1013904223u;
    }
  }
  return v;
}

WL_KERNEL void wmma_f16(const half *a, const half *b, const float *c, float *d, unsigned *work,
                        unsigned n, unsigned k, unsigned split) {
  __shared__ tiles_t tiles;
  const unsigned row0 = blockIdx.y * 32, column0 = blockIdx.x * 64, warp = threadIdx.x / 32;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x[2];
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> y[2];
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[2][2];
  unsigned v = threadIdx.x;
  for (unsigned i = 0; i < 4; i++) {
    const unsigned row = row0 + i / 2 * 16, column = column0 + warp * 32 + i % 2 * 16;
    wmma::load_matrix_sync(sum[i / 2][i % 2], c + row * n + column, n, wmma::mem_row_major);
  }
  for (unsigned at = 0; at < k; at += 16) {
    for (unsigned i = threadIdx.x; i < 96 * 16; i += blockDim.x) {
      const unsigned line = i / 16, place = i % 16;
      if (line < 32) {
        tiles.a[line][place] = a[(row0 + line) * k + at + place];
      } else {
        tiles.b[line - 32][place] = b[(column0 + line - 32) * k + at + place];
      }
    }
    __syncthreads();
    for (unsigned i = 0; i < 2; i++) {
      wmma::load_matrix_sync(x[i], tiles.a[i * 16], LINE_HALVES);
      wmma::load_matrix_sync(y[i], tiles.b[warp * 32 + i * 16], LINE_HALVES);
    }
    v = late(split, v);
    for (unsigned i = 0; i < 4; i++) {
      wmma::mma_sync(sum[i / 2][i % 2], x[i / 2], y[i % 2], sum[i / 2][i % 2]);
    }
    __syncthreads();
  }
  for (unsigned i = 0; i < 4; i++) {
    const unsigned row = row0 + i / 2 * 16, column = column0 + warp * 32 + i % 2 * 16;
    wmma::store_matrix_sync(d + row * n + column, sum[i / 2][i % 2], n, wmma::mem_row_major);
  }
  work[(blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x] = v;
}
