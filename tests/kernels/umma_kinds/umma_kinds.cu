/*
 * C = A * B with C in tensor memory, for each kind of products: warp 4 copies tiles by cp.async.bulk into a ring of three
 * stages, a thread of warp 5 gives the products, whose commit empties a stage, and warps 0 to 3 convert and store C.
 * A and B lie in memory as the stages want them, tile after tile; C is row-major. A CTA makes M x N elements of C.
 */
#include "wl_umma_kinds.h"

enum : unsigned { STAGES = 3, COPIES = 4, PRODUCTS = 5 };

struct alignas(1024) atom_t {
  unsigned char byte[1024];
};

/* How A comes to the products: from shared memory, or from tensor memory, behind the columns of D, where each stage has a
 * place: as it was copied, or with the rows of each 32 lanes moved up by one. */
enum : int { IN_SHARED, COPIED, SHIFTED };

/* A step of products whose A is `place` in tensor memory. Nothing promises that a shift is behind a copy: it is waited for. */
template <int WAY>
__device__ __forceinline__ void place_a(unsigned place, wl_umma_rows_t rows, wl_mbar_t *copied,
                                        unsigned parity) {
  wl_tmem_copy_rows(place, rows);
  if constexpr (WAY == SHIFTED) {
    wl_umma_commit(copied);
    wl_mbar_wait(copied, parity);
    wl_tmem_after_sync();
    for (unsigned warp = 0; warp < COPIES; warp++) {
      wl_tmem_shift(place + (32 * warp << 16));
    }
  }
}

/* ROW: bytes of a row of a tile. WAY: that of A. */
template <int KIND, unsigned SHAPE, int OUT, unsigned ROW, int WAY>
__device__ __forceinline__ void gemm(const unsigned char *a, const unsigned char *b, unsigned *c,
                                     unsigned tiles) {
  constexpr unsigned M = (SHAPE >> 24) * 16, N = (SHAPE >> 17 & 63) * 8;
  constexpr unsigned A_BYTES = M * ROW, B_BYTES = N * ROW, STEPS = ROW / WL_UMMA_STEP;
  constexpr unsigned WANTED = N + (WAY != IN_SHARED ? STAGES * ROW / 4 : 0);
  constexpr unsigned COLUMNS = WANTED <= 32 ? 32 : WANTED <= 64 ? 64 : WANTED <= 128 ? 128 : 256;
  WL_DYNAMIC_SHARED(atom_t, stage);
  __shared__ wl_mbar_t full[STAGES], empty[STAGES], done, copied;
  __shared__ unsigned base;
  unsigned char *const tile_a = stage[0].byte, *const tile_b = tile_a + STAGES * A_BYTES;
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    for (unsigned s = 0; s < STAGES; s++) {
      wl_mbar_init(&full[s], 1);
      wl_mbar_init(&empty[s], 1);
    }
    wl_mbar_init(&done, 1);
    wl_mbar_init(&copied, 1);
    wl_fence_mbar_init();
  }
  if (warp == 0) {
    wl_tmem_alloc(&base, COLUMNS);
  }
  wl_tmem_before_sync();
  __syncthreads();
  wl_tmem_after_sync();
  const unsigned d = base;
  if (warp == COPIES && wl_elect()) {
    a += (unsigned long long)blockIdx.y * tiles * A_BYTES;
    b += (unsigned long long)blockIdx.x * tiles * B_BYTES;
    unsigned s = 0, parity = 1;
#pragma unroll 1
    for (unsigned t = 0; t < tiles; t++) {
      wl_mbar_wait(&empty[s], parity);
      wl_mbar_arrive_expect(&full[s], A_BYTES + B_BYTES);
      wl_bulk_load(tile_a + s * A_BYTES, a, A_BYTES, &full[s]);
      wl_bulk_load(tile_b + s * B_BYTES, b, B_BYTES, &full[s]);
      a += A_BYTES;
      b += B_BYTES;
      s = s + 1 == STAGES ? 0 : s + 1;
      parity ^= s == 0;
    }
  } else if (warp == PRODUCTS && wl_elect()) {
    unsigned s = 0, parity = 0;
#pragma unroll 1
    for (unsigned t = 0; t < tiles; t++) {
      wl_mbar_wait(&full[s], parity);
      wl_tmem_after_sync();
      for (unsigned k = 0; k < STEPS; k++) {
        const auto of_a = wl_umma_rows<ROW>(tile_a + s * A_BYTES, k),
                   of_b = wl_umma_rows<ROW>(tile_b + s * B_BYTES, k);
        if constexpr (WAY != IN_SHARED) {
          const unsigned place = d + N + (s * STEPS + k) * 8;
          place_a<WAY>(place, of_a, &copied, (t * STEPS + k) % 2);
          wl_umma_f16_tmem(d, place, of_b, SHAPE, t + k != 0);
        } else {
          wl_umma<KIND>(d, of_a, of_b, SHAPE, t + k != 0);
        }
      }
      wl_umma_commit(&empty[s]);
      s = s + 1 == STAGES ? 0 : s + 1;
      parity ^= s == 0;
    }
    wl_umma_commit(&done);
  }
  __syncwarp();
  if (warp < COPIES) {
    constexpr unsigned ROW_WORDS = OUT == WL_F32_TO_F16 ? N / 2 : N; /* of a row */
    const unsigned row = M == 128 ? threadIdx.x : 16 * warp + lane % 16;
    wl_mbar_wait(&done, 0);
    wl_tmem_after_sync();
    c += (blockIdx.y * M + row) * gridDim.x * ROW_WORDS + blockIdx.x * ROW_WORDS;
    wl_tmem_show<OUT, N>(c, d + (32 * warp << 16), M == 128 || lane < 16);
    wl_tmem_before_sync();
  }
  __syncthreads();
  wl_tmem_after_sync();
  if (warp == 0) {
    wl_tmem_free(d, COLUMNS);
  }
}

WL_KERNEL void umma_f16(const unsigned char *a, const unsigned char *b, unsigned *c,
                        unsigned tiles) {
  gemm<WL_UMMA_F16, WL_UMMA_SHAPE(WL_UMMA_D_F32, WL_UMMA_AB_F16, WL_UMMA_AB_F16, 128, 128),
       WL_F32_TO_F16, 128, IN_SHARED>(a, b, c, tiles);
}
WL_KERNEL void umma_f16_wide(const unsigned char *a, const unsigned char *b, unsigned *c,
                             unsigned tiles) {
  gemm<WL_UMMA_F16, WL_UMMA_SHAPE(WL_UMMA_D_F32, WL_UMMA_AB_F16, WL_UMMA_AB_F16, 128, 256),
       WL_F32_TO_F16, 64, IN_SHARED>(a, b, c, tiles);
}
WL_KERNEL void umma_f16_copied(const unsigned char *a, const unsigned char *b, unsigned *c,
                               unsigned tiles) {
  gemm<WL_UMMA_F16, WL_UMMA_SHAPE(WL_UMMA_D_F32, WL_UMMA_AB_F16, WL_UMMA_AB_F16, 128, 32),
       WL_AS_IT_IS, 128, COPIED>(a, b, c, tiles);
}
WL_KERNEL void umma_f16_narrow(const unsigned char *a, const unsigned char *b, unsigned *c,
                               unsigned tiles) {
  gemm<WL_UMMA_F16, WL_UMMA_SHAPE(WL_UMMA_D_F32, WL_UMMA_AB_F16, WL_UMMA_AB_F16, 128, 16),
       WL_AS_IT_IS, 64, COPIED>(a, b, c, tiles);
}
WL_KERNEL void umma_f16_shifted(const unsigned char *a, const unsigned char *b, unsigned *c,
                                unsigned tiles) {
  gemm<WL_UMMA_F16, WL_UMMA_SHAPE(WL_UMMA_D_F32, WL_UMMA_AB_F16, WL_UMMA_AB_F16, 128, 16),
       WL_AS_IT_IS, 64, SHIFTED>(a, b, c, tiles);
}
WL_KERNEL void umma_tf32(const unsigned char *a, const unsigned char *b, unsigned *c,
                         unsigned tiles) {
  gemm<WL_UMMA_TF32, WL_UMMA_SHAPE(WL_UMMA_D_F32, WL_UMMA_AB_TF32, WL_UMMA_AB_TF32, 128, 64),
       WL_AS_IT_IS, 128, IN_SHARED>(a, b, c, tiles);
}
WL_KERNEL void umma_f8(const unsigned char *a, const unsigned char *b, unsigned *c,
                       unsigned tiles) {
  gemm<WL_UMMA_F8, WL_UMMA_SHAPE(WL_UMMA_D_F32, WL_UMMA_AB_E4M3, WL_UMMA_AB_E5M2, 128, 128),
       WL_F32_TO_F16, 128, IN_SHARED>(a, b, c, tiles);
}
WL_KERNEL void umma_i8(const unsigned char *a, const unsigned char *b, unsigned *c,
                       unsigned tiles) {
  gemm<WL_UMMA_I8, WL_UMMA_SHAPE(WL_UMMA_D_S32, WL_UMMA_AB_S8, WL_UMMA_AB_S8, 128, 96), WL_AS_IT_IS,
       128, IN_SHARED>(a, b, c, tiles);
}
WL_KERNEL void umma_i8_m64(const unsigned char *a, const unsigned char *b, unsigned *c,
                           unsigned tiles) {
  gemm<WL_UMMA_I8, WL_UMMA_SHAPE(WL_UMMA_D_S32, WL_UMMA_AB_S8, WL_UMMA_AB_U8, 64, 16),
       WL_S32_TO_F32, 64, IN_SHARED>(a, b, c, tiles);
}
