/*
 * C = A * B with C in tensor memory, of any size of a product (kind::f16, C of f32): for the bench (docs/bench.md). Tiles of
 * 64 elements of K, four products each, lie in memory as they are wanted. Warp 0 copies them, warp 1 gives the products,
 * whose commit is what empties a stage; all show C.
 */
#include "wl_umma.h"

enum : unsigned { K_STEPS = 4, GIVERS = 4, MOST_STAGES = 4 };

/* Eight rows of a tile. */
struct alignas(1024) atom_t {
  unsigned word[256];
};

struct alignas(16) four_t {
  float v[4];
};

/* `lane`: the first one of the warp in tensor memory. */
static __device__ __forceinline__ void show(float *c, unsigned base, unsigned lane, unsigned n,
                                            bool writes) {
  for (unsigned at = 0; at < n; at += 8) {
    float v[8];
    wl_tmem_load8(v, base + (lane << 16) + at);
    for (unsigned i = 0; i < 8 && writes; i += 4) {
      *(four_t *)(c + at + i) = four_t{{v[i], v[i + 1], v[i + 2], v[i + 3]}};
    }
  }
}

/* shape: the instruction descriptor of m x n. Only the first `loads` of the tiles are copied: the products behind them
 * find in their stage what it has. shares = 1: four warps give the products behind those of the first tile, each one
 * of four, in any order. Then no stage is filled twice. */
WL_KERNEL void umma_loop(const atom_t *a, const atom_t *b, float *c, unsigned shape, unsigned tiles,
                         unsigned stages, unsigned loads, unsigned shares) {
  WL_DYNAMIC_SHARED(atom_t, stage);
  __shared__ wl_mbar_t full[MOST_STAGES], empty[MOST_STAGES], done;
  __shared__ unsigned base;
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const unsigned m = (shape >> 24) * 16, n = (shape >> 17 & 63) * 8;
  const unsigned a_atoms = m / 8, b_atoms = n / 8;
  const unsigned columns = n <= 32 ? 32 : n <= 64 ? 64 : n <= 128 ? 128 : 256;
  atom_t *const tile_a = stage, *const tile_b = stage + stages * a_atoms;
  if (threadIdx.x == 0) {
    for (unsigned s = 0; s < stages; s++) {
      wl_mbar_init(&full[s], 1);
      wl_mbar_init(&empty[s], 1);
    }
    wl_mbar_init(&done, shares == 0 ? 1 : GIVERS);
    wl_fence_mbar_init();
  }
  if (warp == 2) {
    wl_tmem_alloc(&base, columns);
  }
  wl_tmem_before_sync();
  __syncthreads();
  wl_tmem_after_sync();
  if (warp == 0 && wl_elect()) {
    unsigned s = 0, parity = 1;
#pragma unroll 1
    for (unsigned t = 0; t < loads; t++) {
      wl_mbar_wait(&empty[s], parity);
      wl_mbar_arrive_expect(&full[s], (a_atoms + b_atoms) * sizeof(atom_t));
      wl_bulk_load(tile_a + s * a_atoms, a + t * a_atoms, a_atoms * sizeof(atom_t),
                   &full[s]);
      wl_bulk_load(tile_b + s * b_atoms, b + t * b_atoms, b_atoms * sizeof(atom_t),
                   &full[s]);
      s = s + 1 == stages ? 0 : s + 1;
      parity ^= s == 0;
    }
  }
  if (warp == 1 && wl_elect()) {
    const unsigned given = shares == 0 ? tiles : 1;
    unsigned s = 0, parity = 0;
#pragma unroll 1
    for (unsigned t = 0; t < given; t++) {
      if (t < loads) {
        wl_mbar_wait(&full[s], parity);
        wl_tmem_after_sync();
      }
      for (unsigned k = 0; k < K_STEPS; k++) {
        wl_umma_f16(base, tile_a + s * a_atoms, tile_b + s * b_atoms, k, shape, t + k != 0);
      }
      if (t + stages < loads) {
        wl_umma_commit(&empty[s]);
      }
      s = s + 1 == stages ? 0 : s + 1;
      parity ^= s == 0;
    }
    if (shares == 0) {
      wl_umma_commit(&done);
    }
  }
  __syncwarp();
  if (shares != 0) {
    __syncthreads();
    if (wl_elect()) {
      unsigned s = stages == 1 ? 0 : 1;
#pragma unroll 1
      for (unsigned t = 1; t < tiles; t++) {
        if (t < loads) {
          wl_mbar_wait(&full[s], 0);
          wl_tmem_after_sync();
        }
        wl_umma_f16(base, tile_a + s * a_atoms, tile_b + s * b_atoms, warp, shape, true);
        s = s + 1 == stages ? 0 : s + 1;
      }
      wl_umma_commit(&done);
    }
    __syncwarp();
  }
  wl_mbar_wait(&done, 0);
  wl_tmem_after_sync();
  const unsigned row = m == 128 ? threadIdx.x : 16 * warp + lane % 16;
  show(c + row * n, base, 32 * warp, n, m == 128 || lane < 16);
  wl_tmem_before_sync();
  __syncthreads();
  wl_tmem_after_sync();
  if (warp == 2) {
    wl_tmem_free(base, columns);
  }
}
