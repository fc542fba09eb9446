/*
 * cp.async through CUDA's headers: the pipeline primitives of one thread, with zeros beyond the end of the source,
 * and cuda::pipeline with cuda::memcpy_async of a whole CTA, whose stages are mbarriers. Below, the part of it
 * that is used here, for the host.
 */
#if defined(__NVCC__)
#include <cooperative_groups.h>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
#pragma nv_diag_suppress static_var_with_dynamic_init
#endif
#include "wl_copy.h"

#if !defined(__NVCC__)
namespace cooperative_groups {
struct thread_block {};
static inline thread_block this_thread_block() { return {}; }
} // namespace cooperative_groups

static inline void __pipeline_memcpy_async(void *to, const void *from, unsigned bytes,
                                           unsigned zeros = 0) {
  __builtin_memset(to, 0, bytes);
  __builtin_memcpy(to, from, bytes - zeros);
}
static inline void __pipeline_commit() {}
static inline void __pipeline_wait_prior(unsigned) {}

namespace cuda {
enum thread_scope { thread_scope_block };
template <thread_scope, unsigned N> struct pipeline_shared_state {
  wl_mbar_t full[N], empty[N];
};
/* Every thread fills and reads. */
template <unsigned N> struct wl_pipeline {
  wl_mbar_t *full, *empty;
  unsigned head, tail;
  void producer_acquire() { wl_mbar_wait(&empty[head % N], head / N % 2 ^ 1); }
  void producer_commit() { wl_mbar_arrive(&full[head++ % N]); }
  void consumer_wait() { wl_mbar_wait(&full[tail % N], tail / N % 2); }
  void consumer_release() { wl_mbar_arrive(&empty[tail++ % N]); }
};
template <thread_scope S, unsigned N>
static inline wl_pipeline<N> make_pipeline(cooperative_groups::thread_block,
                                           pipeline_shared_state<S, N> *s) {
  for (unsigned i = 0; threadIdx.x == 0 && i < N; i++) {
    wl_mbar_init(&s->full[i], blockDim.x);
    wl_mbar_init(&s->empty[i], blockDim.x);
  }
  __syncthreads();
  return {s->full, s->empty, 0, 0};
}
/* A share of it by each thread. */
template <typename Pipeline>
static inline void memcpy_async(cooperative_groups::thread_block, void *to, const void *from,
                                unsigned long bytes, Pipeline &) {
  for (unsigned long i = threadIdx.x; i < bytes; i += blockDim.x) {
    ((char *)to)[i] = ((const char *)from)[i];
  }
}
} // namespace cuda
#endif

#define THREADS 96

/* Tiles of four words a thread, three under way; words from `words` on are zeros. */
WL_KERNEL void pipeline_edge(const unsigned *in, unsigned *out, unsigned words, unsigned tiles) {
  alignas(16) __shared__ unsigned stage[4][4 * THREADS];
  const unsigned t = threadIdx.x;
  unsigned hash = t;
  for (unsigned i = 0; i < tiles + 3; i++) {
    const unsigned at = (i * THREADS + t) * 4;
    if (i < tiles) {
      const unsigned left = at < words ? words - at : 0, zeros = left < 4 ? 16 - 4 * left : 0;
      __pipeline_memcpy_async(&stage[i % 4][4 * t], left != 0 ? in + at : in, 16, zeros);
    }
    __pipeline_commit();
    if (i >= 3) {
      __pipeline_wait_prior(3);
      __syncthreads();
      const unsigned *tile = stage[(i - 3) % 4];
      hash = hash * 31 + tile[(t * 5 + hash % 2) % (4 * THREADS)];
      hash = hash * 31 + tile[(t * 7 + i - 3) % (4 * THREADS)];
      __syncthreads();
    }
  }
  out[t] = hash;
}

/* Tiles of a word for each thread, of two stages. */
WL_KERNEL void pipeline_block(const unsigned *in, unsigned *out, unsigned tiles) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  alignas(16) __shared__ unsigned stage[2][THREADS];
  const cooperative_groups::thread_block block = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  const unsigned t = threadIdx.x;
  unsigned hash = t;
  for (unsigned i = 0; i < tiles + 1; i++) {
    if (i < tiles) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, stage[i % 2], in + i * THREADS, sizeof stage[0], pipe);
      pipe.producer_commit();
    }
    if (i != 0) {
      pipe.consumer_wait();
      hash = hash * 31 + stage[(i - 1) % 2][(t * 5 + hash % 2) % THREADS];
      pipe.consumer_release();
    }
  }
  out[t] = hash;
}
