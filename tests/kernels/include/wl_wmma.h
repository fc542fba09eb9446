/*
 * Matrices of a warp in C++: CUDA's mma.h under nvcc; on the host the part of it that the corpus uses.
 * There a fragment holds the whole matrix, in rows, and each lane makes some elements of a product.
 */
#ifndef WL_WMMA_H
#define WL_WMMA_H

#if defined(__NVCC__)
#include <mma.h>
#else
struct half {
  uint16_t bits;
};
struct __nv_bfloat16 {
  uint16_t bits;
};
namespace nvcuda {
namespace wmma {
struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
namespace precision {
struct tf32;
}
enum layout_t { mem_row_major, mem_col_major };

template <typename Use, int M, int N, int K> struct size_of;
template <int M, int N, int K> struct size_of<matrix_a, M, N, K> {
  enum { rows = M, columns = K };
};
template <int M, int N, int K> struct size_of<matrix_b, M, N, K> {
  enum { rows = K, columns = N };
};
template <int M, int N, int K> struct size_of<accumulator, M, N, K> {
  enum { rows = M, columns = N };
};
template <typename T> struct stored {
  typedef T type;
};
template <> struct stored<precision::tf32> {
  typedef float type;
};
template <typename L> struct by_rows {
  enum { value = true };
};
template <> struct by_rows<col_major> {
  enum { value = false };
};

template <typename Use, int M, int N, int K, typename T, typename Layout = void> struct fragment {
  enum { rows = size_of<Use, M, N, K>::rows, columns = size_of<Use, M, N, K>::columns };
  enum { num_elements = rows * columns };
  typename stored<T>::type x[num_elements];
};

template <typename F, typename E>
static inline void wl_load(F &f, const E *from, unsigned pitch, bool by_rows) {
  (void)wl_host_meet(~0u, 0);
  for (unsigned i = 0; i < F::num_elements; i++) {
    const unsigned row = i / F::columns, column = i % F::columns;
    f.x[i] = from[by_rows ? row * pitch + column : column * pitch + row];
  }
}
template <typename Use, int M, int N, int K, typename T, typename Layout, typename E>
static inline void load_matrix_sync(fragment<Use, M, N, K, T, Layout> &f, const E *from,
                                    unsigned pitch) {
  wl_load(f, from, pitch, by_rows<Layout>::value);
}
template <int M, int N, int K, typename T>
static inline void load_matrix_sync(fragment<accumulator, M, N, K, T> &f, const T *from,
                                    unsigned pitch, layout_t layout) {
  wl_load(f, from, pitch, layout == mem_row_major);
}
template <int M, int N, int K, typename T>
static inline void store_matrix_sync(T *to, const fragment<accumulator, M, N, K, T> &f,
                                     unsigned pitch, layout_t layout) {
  (void)wl_host_meet(~0u, 0);
  for (unsigned i = 0; i < M * N; i++) {
    to[layout == mem_row_major ? i / N * pitch + i % N : i % N * pitch + i / N] = f.x[i];
  }
}

/* A block of k on the host; the count is a whole number of blocks. */
static inline float wl_number(half v) { return wl_rule_half(v.bits); }
static inline float wl_number(__nv_bfloat16 v) { return wl_rule_bf16(v.bits); }
static inline float wl_number(float v) { return v; }
template <typename T> static inline void wl_sum(const T *a, const T *b, unsigned n, float *sum) {
  const unsigned block = sizeof *a == 4 ? 4 : n;
  float x[16], y[16];
  for (unsigned at = 0; at < n; at += block) {
    for (unsigned k = 0; k < block; k++) {
      x[k] = wl_number(a[at + k]);
      y[k] = wl_number(b[at + k]);
    }
    *sum = wl_rule_block(x, y, block, *sum);
  }
}
static inline void wl_sum(const half *a, const half *b, unsigned n, half *sum) {
  float x[16], y[16];
  for (unsigned k = 0; k < n; k++) {
    x[k] = wl_number(a[k]);
    y[k] = wl_number(b[k]);
  }
  sum->bits = (uint16_t)wl_rule_block_half(x, y, n, sum->bits);
}
static inline void wl_sum(const signed char *a, const signed char *b, unsigned n, int *sum) {
  for (unsigned k = 0; k < n; k++) {
    *sum += a[k] * b[k];
  }
}

static inline void wl_sum(const double *a, const double *b, unsigned n, double *sum) {
  for (unsigned k = 0; k < n; k++) {
    *sum = fma(a[k], b[k], *sum);
  }
}

template <int M, int N, int K, typename T, typename LA, typename LB, typename Acc>
static inline void mma_sync(fragment<accumulator, M, N, K, Acc> &d,
                            const fragment<matrix_a, M, N, K, T, LA> &a,
                            const fragment<matrix_b, M, N, K, T, LB> &b,
                            const fragment<accumulator, M, N, K, Acc> &c) {
  for (unsigned at = 0; at < M * N; at += 32) {
    const unsigned i = at + wl_lane();
    typename stored<T>::type x[K], y[K];
    for (unsigned k = 0; k < K; k++) {
      x[k] = a.x[i / N * K + k];
      y[k] = b.x[k * N + i % N];
    }
    Acc sum = c.x[i];
    wl_sum(x, y, K, &sum);
    for (unsigned byte = 0; byte < sizeof sum; byte += 4) {
      const unsigned size = sizeof sum < 4 ? sizeof sum : 4;
      uint32_t bits = 0;
      memcpy(&bits, (const char *)&sum + byte, size);
      const uint32_t *all = wl_host_meet(~0u, bits);
      for (unsigned lane = 0; lane < 32; lane++) {
        memcpy((char *)&d.x[at + lane] + byte, &all[lane], size);
      }
    }
  }
}

static inline float __float_to_tf32(float v) { return wl_rule_tf32(v); }
} // namespace wmma
} // namespace nvcuda
#endif

#endif
