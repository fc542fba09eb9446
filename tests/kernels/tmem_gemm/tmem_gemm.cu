/*
 * C = A * B by mma.sync with C in tensor memory: A of f16, row-major, B of f16, a row for each column of B, C of f32. A
 * CTA of four warps makes 128 x 64 elements, a warp 32 x 64: 64 of each thread, all registers that a small machine has.
 * So of C the registers hold 32 x 16 elements at a time. A step is 16 elements of K, one product's.
 */
#include "wl_tmem.h"

enum : unsigned {
  A_ROWS = 128,
  CTA_THREADS = 128,
  COLUMNS = 64,
  PART = 16 /* columns that are in registers */,
  STEP_CHUNKS = 2 /* of 16 bytes in a row of a step */
};

struct alignas(16) chunk_t {
  unsigned word[4];
};

/* A pitch of 48 bytes: eight rows lie in different banks. */
struct tile_t {
  chunk_t row[A_ROWS + COLUMNS][STEP_CHUNKS + 1];
};

static __device__ __forceinline__ void fill(tile_t *t, const chunk_t *a, const chunk_t *b,
                                            unsigned pitch) {
#pragma unroll 1
  for (unsigned i = threadIdx.x; i < (A_ROWS + COLUMNS) * STEP_CHUNKS; i += CTA_THREADS) {
    const unsigned row = i / STEP_CHUNKS, j = i % STEP_CHUNKS;
    t->row[row][j] = row < A_ROWS ? a[row * pitch + j] : b[(row - A_ROWS) * pitch + j];
  }
}

/* The products of a step for 32 rows from `row` on; `c`: their lanes in tensor memory. */
static __device__ __forceinline__ void step(const tile_t *t, unsigned row, unsigned c, bool first) {
  const unsigned lane = wl_lane();
  unsigned x[2][4];
  for (unsigned i = 0; i < 2; i++) {
    wl_ldmatrix_x4(x[i], &t->row[row + 16 * i + lane % 16][lane / 16]);
  }
#pragma unroll 1
  for (unsigned column = 0; column < COLUMNS; column += PART) {
    unsigned y[4];
    float sum[2][2][4] = {};
    for (unsigned i = 0; i < 2 && !first; i++) {
      wl_tmem_load_tiles(sum[i], c + (16 * i << 16) + column);
    }
    wl_ldmatrix_x4(y, &t->row[A_ROWS + column + lane / 16 * 8 + lane % 8][lane / 8 % 2]);
    wl_tmem_wait_load();
    for (unsigned i = 0; i < 4; i++) {
      wl_mma_f16(sum[i / 2][i % 2], x[i / 2], y + 2 * (i % 2));
    }
    for (unsigned i = 0; i < 2; i++) {
      wl_tmem_store_tiles(c + (16 * i << 16) + column, sum[i]);
    }
    wl_tmem_wait_store();
  }
}

WL_KERNEL void gemm_tmem(const chunk_t *a, const chunk_t *b, float *c, unsigned steps) {
  __shared__ tile_t tile;
  __shared__ unsigned base;
  const unsigned row = threadIdx.x / 32 * 32, pitch = steps * STEP_CHUNKS;
  a += blockIdx.y * A_ROWS * pitch;
  b += blockIdx.x * COLUMNS * pitch;
  c += (blockIdx.y * A_ROWS + threadIdx.x) * COLUMNS * gridDim.x + blockIdx.x * COLUMNS;
  if (row == 0) {
    wl_tmem_alloc(&base, COLUMNS);
  }
  wl_tmem_before_sync();
  __syncthreads();
  wl_tmem_after_sync();
  const unsigned sums = base + (row << 16);
  for (unsigned s = 0; s < steps; s++) {
    fill(&tile, a + s * STEP_CHUNKS, b + s * STEP_CHUNKS, pitch);
    __syncthreads();
    step(&tile, row, sums, s == 0);
    __syncthreads();
  }
#pragma unroll 1
  for (unsigned column = 0; column < COLUMNS; column += 8) {
    float v[8];
    wl_tmem_load8(v, sums + column);
    for (unsigned i = 0; i < 8; i++) {
      c[column + i] = v[i];
    }
  }
  wl_tmem_before_sync();
  __syncthreads();
  wl_tmem_after_sync();
  if (row == 0) {
    wl_tmem_free(base, COLUMNS);
  }
}
