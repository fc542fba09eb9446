/*
 * C = A * B with C in tensor memory (tcgen05.mma kind::f16): A of f16, row-major, B of f16, a row for each column of
 * B, C of f32. Both kernels go on in tiles of 64 elements of K, four products each.
 */
#include "wl_umma.h"

enum : unsigned {
  ROW_CHUNKS = 8 /* of 16 bytes in a row of a tile */,
  K_STEPS = 4,
  STAGES = 2,
  COLUMNS = 64
};

struct alignas(16) chunk_t {
  unsigned word[4];
};

/* Rows from `from`, `pitch` chunks apart, to a tile. */
static __device__ __forceinline__ void fill(chunk_t *tile, const chunk_t *from, unsigned rows,
                                            unsigned pitch) {
  for (unsigned i = threadIdx.x; i < rows * ROW_CHUNKS; i += blockDim.x) {
    const unsigned row = i / ROW_CHUNKS, j = i % ROW_CHUNKS;
    tile[row * ROW_CHUNKS + (j ^ row % 8)] = from[row * pitch + j];
  }
}

/* `lane`: the first one of the warp in tensor memory. */
static __device__ __forceinline__ void show(float *c, unsigned base, unsigned lane, unsigned n,
                                            bool writes) {
  for (unsigned at = 0; at < n; at += 8) {
    float v[8];
    wl_tmem_load8(v, base + (lane << 16) + at);
    for (unsigned i = 0; i < 8 && writes; i++) {
      c[at + i] = v[i];
    }
  }
}

/* m128: all threads fill a tile with stores; the next one when the products have read it. */
WL_KERNEL void gemm_stores(const chunk_t *a, const chunk_t *b, float *c, unsigned n,
                           unsigned tiles) {
  alignas(1024) __shared__ chunk_t tile_a[128 * ROW_CHUNKS];
  alignas(1024) __shared__ chunk_t tile_b[COLUMNS * ROW_CHUNKS];
  __shared__ wl_mbar_t done;
  __shared__ unsigned base;
  const unsigned warp = threadIdx.x / 32, pitch = tiles * ROW_CHUNKS;
  a += blockIdx.y * 128 * pitch;
  b += blockIdx.x * n * pitch;
  c += (blockIdx.y * 128 + threadIdx.x) * n * gridDim.x + blockIdx.x * n;
  if (warp == 0) {
    wl_tmem_alloc(&base, COLUMNS);
  }
  if (threadIdx.x == 0) {
    wl_mbar_init(&done, 1);
    wl_fence_mbar_init();
  }
  for (unsigned t = 0; t < tiles; t++) {
    if (t != 0) {
      wl_mbar_wait(&done, (t - 1) & 1);
    }
    fill(tile_a, a + t * ROW_CHUNKS, 128, pitch);
    fill(tile_b, b + t * ROW_CHUNKS, n, pitch);
    wl_fence_async();
    wl_tmem_before_sync();
    __syncthreads();
    wl_tmem_after_sync();
    if (warp == 0 && wl_elect()) {
      for (unsigned s = 0; s < K_STEPS; s++) {
        wl_umma_f16(base, tile_a, tile_b, s, WL_UMMA_F16_F32(128, n), t + s != 0);
      }
      wl_umma_commit(&done);
    }
    __syncwarp();
  }
  wl_mbar_wait(&done, (tiles - 1) & 1);
  wl_tmem_after_sync();
  show(c, base, 32 * warp, n, true);
  wl_tmem_before_sync();
  __syncthreads();
  wl_tmem_after_sync();
  if (warp == 0) {
    wl_tmem_free(base, COLUMNS);
  }
}

/* m64n32: tiles lie in memory as they are wanted. Warp 0 copies them, warp 1 gives the products, whose commit is what
 * empties a stage; all show C. */
WL_KERNEL void gemm_bulk(const chunk_t *a, const chunk_t *b, float *c, unsigned tiles) {
  alignas(1024) __shared__ chunk_t tile_a[STAGES][64 * ROW_CHUNKS];
  alignas(1024) __shared__ chunk_t tile_b[STAGES][32 * ROW_CHUNKS];
  __shared__ wl_mbar_t full[STAGES], empty[STAGES], done;
  __shared__ unsigned base;
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  a += blockIdx.y * tiles * 64 * ROW_CHUNKS;
  b += blockIdx.x * tiles * 32 * ROW_CHUNKS;
  if (threadIdx.x == 0) {
    for (unsigned s = 0; s < STAGES; s++) {
      wl_mbar_init(&full[s], 1);
      wl_mbar_init(&empty[s], 1);
    }
    wl_mbar_init(&done, 1);
    wl_fence_mbar_init();
  }
  if (warp == 2) {
    wl_tmem_alloc(&base, 32);
  }
  wl_tmem_before_sync();
  __syncthreads();
  wl_tmem_after_sync();
  if (warp == 0 && wl_elect()) {
    for (unsigned t = 0; t < tiles; t++) {
      const unsigned s = t % STAGES, round = t / STAGES;
      wl_mbar_wait(&empty[s], (round & 1) ^ 1);
      wl_mbar_arrive_expect(&full[s], sizeof tile_a[s] + sizeof tile_b[s]);
      wl_bulk_load(tile_a[s], a + t * 64 * ROW_CHUNKS, sizeof tile_a[s], &full[s]);
      wl_bulk_load(tile_b[s], b + t * 32 * ROW_CHUNKS, sizeof tile_b[s], &full[s]);
    }
  }
  if (warp == 1 && wl_elect()) {
    for (unsigned t = 0; t < tiles; t++) {
      const unsigned s = t % STAGES, round = t / STAGES;
      wl_mbar_wait(&full[s], round & 1);
      wl_tmem_after_sync();
      for (unsigned k = 0; k < K_STEPS; k++) {
        wl_umma_f16(base, tile_a[s], tile_b[s], k, WL_UMMA_F16_F32(64, 32), t + k != 0);
      }
      wl_umma_commit(&empty[s]);
    }
    wl_umma_commit(&done);
  }
  __syncwarp();
  wl_mbar_wait(&done, 0);
  wl_tmem_after_sync();
  const unsigned pitch = 32 * gridDim.x, row = blockIdx.y * 64 + 16 * warp + lane % 16;
  show(c + row * pitch + blockIdx.x * 32, base, 32 * warp, 32, lane < 16);
  wl_tmem_before_sync();
  __syncthreads();
  wl_tmem_after_sync();
  if (warp == 2) {
    wl_tmem_free(base, 32);
  }
}
