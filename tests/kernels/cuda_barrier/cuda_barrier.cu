/*
 * cuda::barrier of CUDA's headers: arrivals with tokens, waits by token, by parity and with a time limit, drops,
 * and two barriers for each of two buffers. Below, the part of it that is used here, for the host.
 */
#if defined(__NVCC__)
#include <cuda/barrier>
#pragma nv_diag_suppress static_var_with_dynamic_init
#endif
#include "wl_mbar.h"

#if !defined(__NVCC__)
namespace cuda {
enum thread_scope { thread_scope_block };
template <thread_scope> struct barrier {
  typedef unsigned long long arrival_token;
  wl_mbar_t state;
  arrival_token arrive() { return wl_mbar_arrive_state(&state); }
  void wait(arrival_token t) { wait_parity(t >> WL_MBAR_PHASE & 1); }
  void wait_parity(bool parity) { wl_mbar_wait(&state, parity); }
  void arrive_and_wait() { wait(arrive()); }
  void arrive_and_drop() { (void)wl_mbar_drop(&state); }
  bool try_wait_parity_for(bool parity, int) { return wl_mbar_test_parity(&state, parity); }
};
static inline void init(barrier<thread_scope_block> *b, int n) {
  wl_mbar_init(&b->state, (unsigned)n);
}
namespace std {
template <typename T> static inline T move(T v) { return v; }
namespace chrono {
static inline int nanoseconds(int v) { return v; }
} // namespace chrono
} // namespace std
} // namespace cuda
#endif

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

/* Two waits in a round. Thread t leaves after round t % 8 + 1, the others go on. */
WL_KERNEL void barrier_phases(const unsigned *in, unsigned *out, unsigned rounds) {
  __shared__ block_barrier bar;
  __shared__ unsigned stage[256];
  const unsigned t = threadIdx.x, n = blockDim.x;
  if (t == 0) {
    init(&bar, (int)n);
  }
  __syncthreads();
  unsigned sum = 0;
  for (unsigned i = 0; i < rounds; i++) {
    wl_nanosleep((t / 32 + i) % 3 * 1500); /* so that other warps are ahead */
    stage[t] = in[i * n + t];
    block_barrier::arrival_token token = bar.arrive();
    sum = sum * 3 + i;
    bar.wait(cuda::std::move(token));
    sum += stage[(t + 8 * i + 8) % n]; /* of a thread that has not left, or what it left behind */
    bar.arrive_and_wait();
    if (t % 8 == i) {
      bar.arrive_and_drop();
      break;
    }
  }
  out[t] = sum;
}

/* Warp 0 produces, the others consume; two buffers. All threads arrive at all barriers. */
WL_KERNEL void barrier_buffers(const unsigned *in, unsigned *out, unsigned rounds) {
  __shared__ block_barrier ready[2], filled[2];
  __shared__ unsigned buffer[2][32];
  const unsigned t = threadIdx.x;
  if (t < 2) {
    init(&ready[t], (int)blockDim.x);
    init(&filled[t], (int)blockDim.x);
  }
  __syncthreads();
  if (t < 32) {
    for (unsigned i = 0; i < rounds; i++) {
      ready[i % 2].arrive_and_wait();
      wl_nanosleep(i % 3 * 300);
      buffer[i % 2][t] = in[i * 32 + t] ^ i;
      (void)filled[i % 2].arrive();
    }
    return;
  }
  unsigned hash = t;
  (void)ready[0].arrive();
  (void)ready[1].arrive();
  for (unsigned i = 0; i < rounds; i++) {
    (void)filled[i % 2].arrive();
    if (t % 2 == 0) {
      filled[i % 2].wait_parity(i / 2 % 2 != 0);
    } else {
      while (
          !filled[i % 2].try_wait_parity_for(i / 2 % 2 != 0, cuda::std::chrono::nanoseconds(300))) {
      }
    }
    wl_nanosleep(t % 64 / 32 * 300 * (i % 2));
    hash = hash * 31 + buffer[i % 2][(t * 3 + i) % 32];
    (void)ready[i % 2].arrive();
  }
  out[t - 32] = hash;
}
