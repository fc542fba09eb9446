/*
 * C = A * B by mma.sync: A of m rows, B of n columns, k contiguous in both, of f16. Tiles come by cp.async, a
 * group for each step of k, into two stages or four. A step is 32 bytes of k; a CTA of four warps makes
 * 64 x 32 elements, a warp 32 x 16. gemm_four takes any m, n and bytes of k: what is beyond comes as zeros.
 */
#include "wl_copy.h"

#define STEP  32 /* bytes of k */
#define PITCH 48 /* bytes: rows begin at 16 bytes, eight of them in different banks */

struct alignas(16) stage_t {
  unsigned char a[64][PITCH], b[32][PITCH];
};

struct args_t {
  const unsigned char *a, *b; /* rows of `pitch` bytes */
  unsigned m, n, bytes, pitch;
};

/* 16 bytes of a row by each thread: 64 rows of A, then 32 of B, two threads each. */
template <bool EDGE>
static __device__ __forceinline__ void fill(stage_t *to, args_t arg, unsigned step) {
  for (unsigned i = threadIdx.x; i < 192; i += blockDim.x) {
    const unsigned at = i % 2 * 16, k = step * STEP + at;
    const bool left = i < 128;
    const unsigned row = left ? blockIdx.y * 64 + i / 2 : blockIdx.x * 32 + i / 2 - 64;
    const unsigned char *from = (left ? arg.a : arg.b) + (row * arg.pitch + k);
    unsigned char *there = (left ? to->a[i / 2] : to->b[i / 2 - 64]) + at;
    if (EDGE) {
      const unsigned rest = row < (left ? arg.m : arg.n) && k < arg.bytes ? arg.bytes - k : 0;
      wl_copy_16_part(there, rest != 0 ? from : arg.a, rest < 16 ? rest : 16);
    } else {
      wl_copy_16(there, from);
    }
  }
}

static __device__ __forceinline__ void multiply(float (*sum)[2][4], const stage_t *from) {
  const unsigned lane = wl_lane(), warp = threadIdx.x / 32;
  unsigned x[2][4], y[4];
  for (unsigned i = 0; i < 2; i++) {
    wl_ldmatrix_x4(x[i], &from->a[warp / 2 * 32 + 16 * i + lane % 16][lane / 16 * 16]);
  }
  wl_ldmatrix_x4(y, &from->b[warp % 2 * 16 + lane / 16 * 8 + lane % 8][lane / 8 % 2 * 16]);
  for (unsigned i = 0; i < 2; i++) {
    for (unsigned j = 0; j < 2; j++) {
      wl_mma_f16(sum[i][j], x[i], y + 2 * j);
    }
  }
}

/* Steps that do not exist are empty groups, so that a wait names the same number always. */
template <int STAGES, bool EDGE>
static __device__ __forceinline__ void gemm(float *c, args_t arg, stage_t *stage) {
  const unsigned lane = wl_lane(), warp = threadIdx.x / 32, steps = (arg.bytes + STEP - 1) / STEP;
  float sum[2][2][4] = {};
  for (unsigned step = 0; step < STAGES - 1; step++) {
    if (step < steps) {
      fill<EDGE>(&stage[step], arg, step);
    }
    wl_copy_commit();
  }
  for (unsigned step = 0; step < steps; step++) {
    wl_copy_wait<STAGES - 2>();
    __syncthreads();
    const unsigned next = step + STAGES - 1;
    if (next < steps) {
      fill<EDGE>(&stage[next % STAGES], arg, next);
    }
    wl_copy_commit();
    multiply(sum, &stage[step % STAGES]);
  }
  for (unsigned i = 0; i < 16; i++) {
    const unsigned row = blockIdx.y * 64 + warp / 2 * 32 + i / 8 * 16 + i / 2 % 2 * 8 + lane / 4;
    const unsigned column = blockIdx.x * 32 + warp % 2 * 16 + i / 4 % 2 * 8 + lane % 4 * 2 + i % 2;
    if (!EDGE || (row < arg.m && column < arg.n)) {
      c[row * arg.n + column] = sum[i / 8][i / 4 % 2][i % 4];
    }
  }
}

WL_KERNEL void gemm_two(const unsigned char *a, const unsigned char *b, float *c, unsigned m,
                        unsigned n, unsigned bytes, unsigned pitch) {
  __shared__ stage_t stage[2];
  gemm<2, false>(c, args_t{a, b, m, n, bytes, pitch}, stage);
}

WL_KERNEL void gemm_four(const unsigned char *a, const unsigned char *b, float *c, unsigned m,
                         unsigned n, unsigned bytes, unsigned pitch) {
  __shared__ stage_t stage[4];
  gemm<4, true>(c, args_t{a, b, m, n, bytes, pitch}, stage);
}
