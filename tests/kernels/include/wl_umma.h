/*
 * Products in tensor memory by inline assembly, as CUTLASS writes them (arch/mma_sm100_umma.hpp, arch/tmem_allocator_sm100.hpp),
 * for sm_100a. A tile in shared memory has rows of 128 bytes, K-major with 128 bytes of swizzle: chunk j of 16 bytes
 * of row r is at place j ^ r mod 8 of its row. On the host a product is done at once.
 */
#ifndef WL_UMMA_H
#define WL_UMMA_H
#include "wl_bulk.h"

enum : unsigned { WL_UMMA_STEP = 32 /* bytes of a row that a product takes */ };

/* D of f32, A and B of f16. */
#define WL_UMMA_F16_F32(m, n) (1u << 4 | (n) / 8 << 17 | (m) / 16 << 24)

#if defined(__CUDACC__) || defined(__CUDA__)
/* By all lanes of one warp. */
WL_ASM_FN void wl_tmem_alloc(unsigned *to, unsigned columns) {
  asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;"
               :
               : "r"(wl_shared_address(to)), "r"(columns)
               : "memory");
}
WL_ASM_FN void wl_tmem_free(unsigned base, unsigned columns) {
  asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;");
  asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" : : "r"(base), "r"(columns));
}
WL_ASM_FN void wl_tmem_before_sync() {
  asm volatile("tcgen05.fence::before_thread_sync;" : : : "memory");
}
WL_ASM_FN void wl_tmem_after_sync() {
  asm volatile("tcgen05.fence::after_thread_sync;" : : : "memory");
}
/* Groups of eight rows are 1,024 bytes apart; the tile begins at a multiple of that, `step` is within its rows. */
WL_ASM_FN unsigned long long wl_umma_tile(const void *tile, unsigned step) {
  const unsigned start = wl_shared_address(tile) + step * WL_UMMA_STEP;
  return start >> 4 | 1ull << 16 | 1024ull / 16 << 32 | 1ull << 46 | 2ull << 61;
}
/* By one thread: D = A * B, + D if `add`. */
WL_ASM_FN void wl_umma_f16(unsigned d, const void *a, const void *b, unsigned step, unsigned shape,
                           bool add) {
  asm volatile("{\n\t"
               ".reg .pred p;\n\t"
               "setp.ne.b32 p, %4, 0;\n\t"
               "tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p;\n\t"
               "}"
               :
               : "r"(d), "l"(wl_umma_tile(a, step)), "l"(wl_umma_tile(b, step)), "r"(shape),
                 "r"((unsigned)add)
               : "memory");
}
/* An arrival behind all products of this thread. */
WL_ASM_FN void wl_umma_commit(wl_mbar_t *b) {
  asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];"
               :
               : "r"(wl_shared_address(b))
               : "memory");
}
/* Eight columns of the lanes of the warp. */
WL_ASM_FN void wl_tmem_load8(float v[8], unsigned at) {
  asm volatile("tcgen05.ld.sync.aligned.32x32b.x8.b32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8];\n\t"
               "tcgen05.wait::ld.sync.aligned;"
               : "=f"(v[0]), "=f"(v[1]), "=f"(v[2]), "=f"(v[3]), "=f"(v[4]), "=f"(v[5]), "=f"(v[6]),
                 "=f"(v[7])
               : "r"(at)
               : "memory");
}

#else
/* One for each CTA that host_run has at a time. */
enum : unsigned { WL_TMEM_COLUMNS = 256, WL_TMEMS = 4 };
typedef float wl_tmem_row_t[WL_TMEM_COLUMNS];
static wl_tmem_row_t wl_tmem_of[WL_TMEMS][128];
static unsigned wl_tmem_used;
__shared__ wl_tmem_row_t *wl_tmem;
__shared__ unsigned wl_tmem_number;

WL_FN void wl_tmem_alloc(unsigned *to, unsigned columns) {
  *to = 0;
  for (unsigned i = 0; wl_lane() == 0 && columns <= WL_TMEM_COLUMNS; i = (i + 1) % WL_TMEMS) {
    if ((__atomic_fetch_or(&wl_tmem_used, 1u << i, __ATOMIC_SEQ_CST) >> i & 1) == 0) {
      wl_tmem = wl_tmem_of[i];
      wl_tmem_number = i;
      break;
    }
  }
}
WL_FN void wl_tmem_free(unsigned, unsigned) {
  if (wl_lane() == 0) {
    (void)__atomic_fetch_and(&wl_tmem_used, ~(1u << wl_tmem_number), __ATOMIC_SEQ_CST);
  }
}
WL_FN void wl_tmem_before_sync() {}
WL_FN void wl_tmem_after_sync() {}
WL_FN void wl_umma_row(float v[16], const void *tile, unsigned row, unsigned step) {
  for (unsigned k = 0; k < 16; k++) {
    const unsigned chunk = (step * 2 + k / 8) ^ row % 8;
    uint16_t bits;
    memcpy(&bits, (const char *)tile + row * 128 + chunk * 16 + k % 8 * 2, sizeof bits);
    v[k] = wl_rule_half(bits);
  }
}
/* Several threads may give products for one D: one at a time. */
static unsigned wl_umma_busy;
WL_FN void wl_umma_f16(unsigned d, const void *a, const void *b, unsigned step, unsigned shape,
                       bool add) {
  const unsigned m = shape >> 24 << 4, n = (shape >> 17 & 63) * 8;
  while (__atomic_exchange_n(&wl_umma_busy, 1u, __ATOMIC_ACQUIRE) != 0) {
  }
  for (unsigned r = 0; r < m; r++) {
    float *to = wl_tmem[m == 128 ? r : r / 16 * 32 + r % 16] + d, x[16], y[16];
    wl_umma_row(x, a, r, step);
    for (unsigned c = 0; c < n; c++) {
      wl_umma_row(y, b, c, step);
      to[c] = wl_rule_block(x, y, 16, add ? to[c] : 0);
    }
  }
  __atomic_store_n(&wl_umma_busy, 0u, __ATOMIC_RELEASE);
}
WL_FN void wl_umma_commit(wl_mbar_t *b) { (void)wl_mbar_step(b, 1, 0); }
WL_FN void wl_tmem_load8(float v[8], unsigned at) {
  const unsigned lane = (at >> 16) + wl_lane();
  memcpy(v, &wl_tmem[lane][at & 0xffff], 8 * sizeof *v);
}
#endif
#endif
