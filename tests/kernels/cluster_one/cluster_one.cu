/*
 * Clusters of one CTA: this_cluster() of cooperative groups, its barrier whole and in two parts, shared memory by
 * the cluster's addresses (generic, and in .shared::cluster by inline assembly).
 */
#if defined(__NVCC__)
#include <cooperative_groups.h>

#include "wl_mbar.h"
namespace cg = cooperative_groups;

#define WL_MAPA(remote, p)                                                                         \
  unsigned remote;                                                                                 \
  asm volatile("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(remote) : "r"(wl_shared_address(p)))

static __device__ __forceinline__ void around(const unsigned *in, unsigned *out) {
  __shared__ unsigned word[256];
  __shared__ unsigned sum, most;
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned t = threadIdx.x, n = blockDim.x, i = blockIdx.x * n + t;
  word[t] = in[i];
  if (t == 0) {
    sum = most = 0;
  }
  cluster.sync();
  unsigned *there = cluster.map_shared_rank(word, 0);
  unsigned v = there[(t + 7) % n];
  atomicAdd(cluster.map_shared_rank(&sum, 0), v);
  atomicMax(cluster.map_shared_rank(&most, 0), v);
  cg::cluster_group::arrival_token token = cluster.barrier_arrive();
  v = v * 31 + cluster.block_rank();
  v = v * 31 + cluster.num_blocks();
  v = v * 31 + cluster.dim_blocks().x * cluster.dim_blocks().y * cluster.dim_blocks().z;
  v = v * 31 + cluster.block_index().x + cluster.block_index().y + cluster.block_index().z;
  v = v * 31 + cluster.thread_rank();
  v = v * 31 + cluster.num_threads();
  v = v * 31 + cluster.query_shared_rank(there);
  cluster.barrier_wait(cg::cluster_group::arrival_token(token));
  v = v * 31 + sum;
  v = v * 31 + most;
  there[(t + 3) % n] = v;
  cluster.sync();
  v = word[t];
  v = v * 31 + cg::this_grid().cluster_rank();
  v = v * 31 + cg::this_grid().num_clusters();
  out[i] = v;
}
WL_KERNEL __launch_bounds__(256) void cluster_plain(const unsigned *in, unsigned *out) {
  around(in, out);
}
WL_KERNEL __cluster_dims__(1, 1, 1) void cluster_dims(const unsigned *in, unsigned *out) {
  around(in, out);
}

/* Producer and consumers by mbarriers with the cluster's addresses. Every third thread leaves at once. */
WL_KERNEL __cluster_dims__(1, 1, 1) void cluster_mbar(const unsigned *in, unsigned *out,
                                                      unsigned rounds) {
  __shared__ unsigned stage[128];
  __shared__ wl_mbar_t full, empty;
  const unsigned t = threadIdx.x, n = blockDim.x, stay = n - (n + 2) / 3;
  unsigned hash = t;
  if (t == 0) {
    wl_mbar_init(&full, stay);
    wl_mbar_init(&empty, stay);
    asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
  }
  __syncthreads();
  if (t % 3 == 0) {
    return;
  }
  asm volatile("barrier.cluster.arrive.release;" : : : "memory");
  WL_MAPA(far_stage, stage);
  WL_MAPA(far_full, &full);
  WL_MAPA(far_empty, &empty);
  asm volatile("barrier.cluster.wait.acquire;" : : : "memory");
  for (unsigned r = 0; r < rounds; r++) {
    const unsigned from = t % 3 == 1 ? t + 1 : t - 1; /* of the two that stay of three */
    unsigned v;
    asm volatile("st.shared::cluster.u32 [%0], %1;"
                 :
                 : "r"(far_stage + t * 4), "r"(in[r * n + t] + hash)
                 : "memory");
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];"
                 :
                 : "r"(far_full)
                 : "memory");
    asm volatile("{\n\t"
                 ".reg .pred P1;\n\t"
                 "LAB_WAIT:\n\t"
                 "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 P1, [%0], %1;\n\t"
                 "@P1 bra DONE;\n\t"
                 "bra LAB_WAIT;\n\t"
                 "DONE:\n\t"
                 "}"
                 :
                 : "r"(wl_shared_address(&full)), "r"(r & 1)
                 : "memory");
    asm volatile("ld.shared::cluster.u32 %0, [%1];"
                 : "=r"(v)
                 : "r"(far_stage + (from < n ? from : t) * 4)
                 : "memory");
    hash = hash * 31 + v;
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];"
                 :
                 : "r"(far_empty)
                 : "memory");
    wl_mbar_wait(&empty, r & 1);
  }
  asm volatile("barrier.cluster.arrive.relaxed;" : : : "memory");
  out[t] = hash;
  asm volatile("barrier.cluster.wait;" : : : "memory");
}

/* Both arms of a branch arrive and wait: a warp's lanes gather. Then every fourth thread leaves, and the others meet
 * once more. */
WL_KERNEL __cluster_dims__(1, 1, 1) void cluster_arms(const unsigned *in, unsigned *out) {
  __shared__ unsigned word[256];
  __shared__ unsigned sum;
  const unsigned t = threadIdx.x, n = blockDim.x, i = blockIdx.x * n + t;
  unsigned v;
  if (t == 0) {
    sum = 0;
  }
  __syncthreads();
  WL_MAPA(far_sum, &sum);
  if (t % 2 != 0) {
    word[t] = in[i];
    asm volatile("barrier.cluster.arrive;" : : : "memory");
    v = in[i] + 5;
    asm volatile("barrier.cluster.wait;" : : : "memory");
    v ^= word[(t + 5) % n];
  } else {
    word[t] = in[i] * 3;
    asm volatile("barrier.cluster.arrive.release;" : : : "memory");
    asm volatile("barrier.cluster.wait.acquire;" : : : "memory");
    v = word[(t + 2) % n] + 1;
  }
  out[i] = v;
  if (t % 4 == 0) {
    return;
  }
  asm volatile("red.shared::cluster.add.u32 [%0], %1;" : : "r"(far_sum), "r"(v) : "memory");
  asm volatile("barrier.cluster.arrive;" : : : "memory");
  asm volatile("barrier.cluster.wait;" : : : "memory");
  out[i] = v ^ sum;
}
#endif
