/*
 * Bulk copies through CUDA's headers: cuda::memcpy_async of a CTA with a cuda::barrier, its form that counts bytes,
 * and cuda::ptx. Below, the part of them that is used here, for the host.
 */
#if defined(__NVCC__)
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/ptx>
#pragma nv_diag_suppress static_var_with_dynamic_init
#endif
#include "wl_bulk.h"

#if !defined(__NVCC__)
namespace cooperative_groups {
struct thread_block {};
static inline thread_block this_thread_block() { return {}; }
} // namespace cooperative_groups

namespace cuda {
enum thread_scope { thread_scope_block };
template <thread_scope> struct barrier {
  typedef unsigned long long arrival_token;
  wl_mbar_t state;
  arrival_token arrive() { return wl_mbar_arrive_state(&state); }
  void wait(arrival_token t) { wl_mbar_wait(&state, t >> WL_MBAR_PHASE & 1); }
  void arrive_and_wait() { wait(arrive()); }
};
static inline void init(barrier<thread_scope_block> *b, int n) {
  wl_mbar_init(&b->state, (unsigned)n);
}
template <int> struct aligned_size_t {
  unsigned long bytes;
  aligned_size_t(unsigned long n) : bytes(n) {}
};
/* A share of it by each thread. */
static inline void memcpy_async(cooperative_groups::thread_block, void *to, const void *from,
                                aligned_size_t<16> n, barrier<thread_scope_block> &) {
  for (unsigned long i = threadIdx.x; i < n.bytes; i += blockDim.x) {
    ((char *)to)[i] = ((const char *)from)[i];
  }
}
namespace device {
static inline wl_mbar_t *barrier_native_handle(barrier<thread_scope_block> &b) { return &b.state; }
static inline void memcpy_async_tx(void *to, const void *from, aligned_size_t<16> n,
                                   barrier<thread_scope_block> &b) {
  wl_bulk_load(to, from, (unsigned)n.bytes, &b.state);
}
static inline unsigned long long barrier_arrive_tx(barrier<thread_scope_block> &b, int n, long bytes) {
  return wl_mbar_step(&b.state, (unsigned)n, 0, (int)bytes);
}
} // namespace device
namespace std {
template <typename T> static inline T move(T v) { return v; }
} // namespace std
namespace ptx {
enum space_t { space_global, space_shared, space_cluster };
enum op_t { op_add, op_inc };
template <int N> struct n32_t {};
static inline void fence_proxy_async(space_t) {}
static inline void cp_async_bulk(space_t, space_t, void *to, const void *from, unsigned n) {
  wl_bulk_store(to, from, n);
}
static inline void cp_async_bulk(space_t, space_t, void *to, const void *from, unsigned n,
                                 wl_mbar_t *b) {
  wl_bulk_load(to, from, n, b);
}
static inline void cp_reduce_async_bulk(space_t, space_t, op_t op, unsigned *to,
                                        const unsigned *from, unsigned n) {
  for (unsigned i = 0; i < n / 4; i++) {
    unsigned a = __atomic_load_n(&to[i], __ATOMIC_SEQ_CST), r;
    do {
      r = op == op_add ? a + from[i] : a >= from[i] ? 0 : a + 1;
    } while (!__atomic_compare_exchange_n(&to[i], &a, r, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  }
}
static inline void cp_async_bulk_commit_group() {}
template <int N> static inline void cp_async_bulk_wait_group(n32_t<N>) {}
template <int N> static inline void cp_async_bulk_wait_group_read(n32_t<N>) {}
} // namespace ptx
} // namespace cuda
#endif

using block_barrier = cuda::barrier<cuda::thread_scope_block>;
namespace ptx = cuda::ptx;

enum : unsigned { WORDS = 192 };

/* Two barriers and two tiles in turn; the copy of tile i + 1 is under way while tile i is hashed. */
WL_KERNEL void cccl_memcpy(const unsigned *in, unsigned *out, unsigned tiles) {
  alignas(16) __shared__ unsigned tile[2][WORDS];
  __shared__ block_barrier bar[2];
  const cooperative_groups::thread_block block = cooperative_groups::this_thread_block();
  const unsigned t = threadIdx.x;
  if (t < 2) {
    init(&bar[t], (int)blockDim.x);
  }
  __syncthreads();
  unsigned hash = t;
  cuda::memcpy_async(block, tile[0], in, cuda::aligned_size_t<16>(sizeof tile[0]), bar[0]);
  for (unsigned i = 0; i < tiles; i++) {
    if (i + 1 < tiles) {
      cuda::memcpy_async(block, tile[(i + 1) % 2], in + (i + 1) * WORDS,
                         cuda::aligned_size_t<16>(sizeof tile[0]), bar[(i + 1) % 2]);
    }
    bar[i % 2].arrive_and_wait();
    hash = hash * 31 + tile[i % 2][(t * 5 + hash % 2) % WORDS];
    __syncthreads();
  }
  out[t] = hash;
}

/* A tile in, every word one more, the tile out; one thread copies, and counts the bytes. */
WL_KERNEL void cccl_tx(unsigned *data, unsigned tiles) {
  alignas(16) __shared__ unsigned tile[WORDS];
  __shared__ block_barrier bar;
  const unsigned t = threadIdx.x;
  if (t == 0) {
    init(&bar, (int)blockDim.x);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  for (unsigned i = blockIdx.x; i < tiles; i += gridDim.x) {
    block_barrier::arrival_token token;
    if (t == 0) {
      cuda::device::memcpy_async_tx(tile, data + i * WORDS, cuda::aligned_size_t<16>(sizeof tile),
                                    bar);
      token = cuda::device::barrier_arrive_tx(bar, 1, sizeof tile);
    } else {
      token = bar.arrive();
    }
    bar.wait(cuda::std::move(token));
    for (unsigned k = t; k < WORDS; k += blockDim.x) {
      tile[k] += 1;
    }
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (t == 0) {
      ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, data + i * WORDS, tile, sizeof tile);
      ptx::cp_async_bulk_commit_group();
      ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
    __syncthreads();
  }
}

/* A tile in by cuda::ptx, added to sums, and counted by increments that wrap. */
WL_KERNEL void cccl_reduce(const unsigned *in, unsigned *sum, unsigned *wrap, unsigned tiles) {
  alignas(16) __shared__ unsigned tile[WORDS];
  __shared__ block_barrier bar;
  if (threadIdx.x != 0) {
    return;
  }
  init(&bar, 1);
  ptx::fence_proxy_async(ptx::space_shared);
  for (unsigned i = blockIdx.x; i < tiles; i += gridDim.x) {
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in + i * WORDS, sizeof tile,
                       cuda::device::barrier_native_handle(bar));
    bar.wait(cuda::device::barrier_arrive_tx(bar, 1, sizeof tile));
    ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, sum, tile,
                              sizeof tile);
    ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_inc, wrap, tile,
                              sizeof tile);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
  ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}
