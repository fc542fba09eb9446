/*
 * Results of mma.sync in tensor memory by inline assembly, for sm_100a: 16 rows and 16 columns, lanes and columns of tensor
 * memory, in the registers of two products m16n8 beside each other.
 */
#ifndef WL_TMEM_H
#define WL_TMEM_H
#include "wl_umma.h"

#if defined(__CUDACC__) || defined(__CUDA__)
WL_ASM_FN void wl_tmem_load_tiles(float v[2][4], unsigned at) {
  asm volatile("tcgen05.ld.sync.aligned.16x256b.x2.b32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8];"
               : "=f"(v[0][0]), "=f"(v[0][1]), "=f"(v[0][2]), "=f"(v[0][3]), "=f"(v[1][0]),
                 "=f"(v[1][1]), "=f"(v[1][2]), "=f"(v[1][3])
               : "r"(at)
               : "memory");
}
/* Until what this thread loads has come. */
WL_ASM_FN void wl_tmem_wait_load() {
  asm volatile("tcgen05.wait::ld.sync.aligned;" : : : "memory");
}
WL_ASM_FN void wl_tmem_store_tiles(unsigned at, const float v[2][4]) {
  asm volatile("tcgen05.st.sync.aligned.16x256b.x2.b32 [%8], {%0, %1, %2, %3, %4, %5, %6, %7};"
               :
               : "f"(v[0][0]), "f"(v[0][1]), "f"(v[0][2]), "f"(v[0][3]), "f"(v[1][0]), "f"(v[1][1]),
                 "f"(v[1][2]), "f"(v[1][3]), "r"(at)
               : "memory");
}
/* Until what this thread stores can be read. */
WL_ASM_FN void wl_tmem_wait_store() {
  asm volatile("tcgen05.wait::st.sync.aligned;" : : : "memory");
}

#else
WL_FN float *wl_tmem_element(unsigned at, unsigned tile, unsigned i) {
  const unsigned lane = wl_lane();
  return &wl_tmem[(at >> 16) + lane / 4 + i / 2 * 8]
                 [(at & 0xffff) + 8 * tile + lane % 4 * 2 + i % 2];
}
WL_FN void wl_tmem_load_tiles(float v[2][4], unsigned at) {
  for (unsigned i = 0; i < 8; i++) {
    v[i / 4][i % 4] = *wl_tmem_element(at, i / 4, i % 4);
  }
}
WL_FN void wl_tmem_wait_load() {}
WL_FN void wl_tmem_store_tiles(unsigned at, const float v[2][4]) {
  for (unsigned i = 0; i < 8; i++) {
    *wl_tmem_element(at, i / 4, i % 4) = v[i / 4][i % 4];
  }
}
WL_FN void wl_tmem_wait_store() {}
#endif
#endif
