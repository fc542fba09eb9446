/*
 * C = A * B with block scales and C in tensor memory: as umma_kinds, with the scales of a tile copied beside it, which
 * the thread that gives the products copies on to tensor memory, behind the columns of D, a place for each stage. A, B
 * and scales lie in memory as the stages want them. A CTA makes 128 x 128 elements of C.
 */
#include "wl_umma_scaled.h"

enum : unsigned {
  STAGES = 3,
  COPIES = 4,
  PRODUCTS = 5,
  EDGE = 128,
  ROW_BYTES = 128,
  TILE_BYTES = EDGE * ROW_BYTES,
  STEPS = ROW_BYTES / WL_UMMA_STEP,
  SCALES = 512, /* of 128 rows, four bytes of each */
  COLUMNS = 256
};

struct alignas(1024) atom_t {
  unsigned char byte[1024];
};

template <int KIND>
__device__ __forceinline__ void gemm(const unsigned char *a, const unsigned char *b,
                                     const unsigned char *of_a, const unsigned char *of_b,
                                     unsigned *c, unsigned tiles) {
  constexpr unsigned SETS = KIND == WL_UMMA_NVF4 ? STEPS : 1; /* of scales, for a tile */
  constexpr unsigned S_BYTES = SETS * SCALES;
  WL_DYNAMIC_SHARED(atom_t, stage);
  __shared__ wl_mbar_t full[STAGES], empty[STAGES], done;
  __shared__ unsigned base;
  unsigned char *const tile_a = stage[0].byte, *const tile_b = tile_a + STAGES * TILE_BYTES;
  unsigned char *const scale_a = tile_b + STAGES * TILE_BYTES, *const scale_b =
                                                                   scale_a + STAGES * S_BYTES;
  const unsigned warp = threadIdx.x / 32;
  if (threadIdx.x == 0) {
    for (unsigned s = 0; s < STAGES; s++) {
      wl_mbar_init(&full[s], 1);
      wl_mbar_init(&empty[s], 1);
    }
    wl_mbar_init(&done, 1);
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
    const unsigned long long first_a = (unsigned long long)blockIdx.y * tiles,
                             first_b = (unsigned long long)blockIdx.x * tiles;
    unsigned s = 0, parity = 1;
#pragma unroll 1
    for (unsigned t = 0; t < tiles; t++) {
      wl_mbar_wait(&empty[s], parity);
      wl_mbar_arrive_expect(&full[s], 2 * TILE_BYTES + 2 * S_BYTES);
      wl_bulk_load(scale_a + s * S_BYTES, of_a + (first_a + t) * S_BYTES, S_BYTES, &full[s]);
      wl_bulk_load(scale_b + s * S_BYTES, of_b + (first_b + t) * S_BYTES, S_BYTES, &full[s]);
      wl_bulk_load(tile_a + s * TILE_BYTES, a + (first_a + t) * TILE_BYTES, TILE_BYTES, &full[s]);
      wl_bulk_load(tile_b + s * TILE_BYTES, b + (first_b + t) * TILE_BYTES, TILE_BYTES, &full[s]);
      s = s + 1 == STAGES ? 0 : s + 1;
      parity ^= s == 0;
    }
  } else if (warp == PRODUCTS && wl_elect()) {
    unsigned s = 0, parity = 0;
#pragma unroll 1
    for (unsigned t = 0; t < tiles; t++) {
      const unsigned sa = d + EDGE + s * SETS * 8, sb = sa + SETS * 4;
      wl_mbar_wait(&full[s], parity);
      wl_tmem_after_sync();
      for (unsigned i = 0; i < SETS; i++) {
        wl_tmem_copy_scales(sa + i * 4, scale_a + s * S_BYTES + i * SCALES);
        wl_tmem_copy_scales(sb + i * 4, scale_b + s * S_BYTES + i * SCALES);
      }
      for (unsigned k = 0; k < STEPS; k++) {
        const unsigned set = SETS == 1 ? 0 : k * 4, id = SETS == 1 ? k : 0;
        wl_umma_scaled<KIND>(d, wl_umma_rows<ROW_BYTES>(tile_a + s * TILE_BYTES, k),
                             wl_umma_rows<ROW_BYTES>(tile_b + s * TILE_BYTES, k),
                             wl_umma_scaled_shape(KIND, EDGE, id), sa + set, sb + set, t + k != 0);
      }
      wl_umma_commit(&empty[s]);
      s = s + 1 == STAGES ? 0 : s + 1;
      parity ^= s == 0;
    }
    wl_umma_commit(&done);
  }
  __syncwarp();
  if (warp < COPIES) {
    wl_mbar_wait(&done, 0);
    wl_tmem_after_sync();
    c += (blockIdx.y * EDGE + threadIdx.x) * gridDim.x * EDGE + blockIdx.x * EDGE;
    wl_tmem_show<WL_AS_IT_IS, EDGE>(c, d + (32 * warp << 16), true);
    wl_tmem_before_sync();
  }
  __syncthreads();
  wl_tmem_after_sync();
  if (warp == 0) {
    wl_tmem_free(d, COLUMNS);
  }
}

WL_KERNEL void umma_mxf8(const unsigned char *a, const unsigned char *b, const unsigned char *of_a,
                         const unsigned char *of_b, unsigned *c, unsigned tiles) {
  gemm<WL_UMMA_MXF8>(a, b, of_a, of_b, c, tiles);
}
WL_KERNEL void umma_nvf4(const unsigned char *a, const unsigned char *b, const unsigned char *of_a,
                         const unsigned char *of_b, unsigned *c, unsigned tiles) {
  gemm<WL_UMMA_NVF4>(a, b, of_a, of_b, c, tiles);
}
