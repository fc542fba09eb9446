/*
 * Products of matrices with a sparse A: d += a * b. e: metadata, in the lanes that the selector names. clang's PTX
 * is older than ::ordered_metadata.
 */
#ifndef WL_SPARSE_H
#define WL_SPARSE_H
#include "wl_device.h"

#if defined(__CUDACC__) || defined(__CUDA__)
#if defined(__clang__)
#define WL_SPARSE "mma.sp.sync.aligned."
#else
#define WL_SPARSE "mma.sp::ordered_metadata.sync.aligned."
#endif
#define WL_ASM_SPARSE(name, type, letter, text)                                                    \
  template <unsigned Selector>                                                                     \
  static __device__ __forceinline__ void name(type *d, const unsigned *a, const unsigned *b,       \
                                              unsigned e) {                                        \
    asm volatile(WL_SPARSE text " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9, %10, %11},"         \
                                " {%0, %1, %2, %3}, %12, %13;"                                     \
                 : "+" letter(d[0]), "+" letter(d[1]), "+" letter(d[2]), "+" letter(d[3])          \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]),    \
                   "r"(b[3]), "r"(e), "n"(Selector));                                              \
  }
WL_ASM_SPARSE(wl_sparse_f16, float, "f", "m16n8k32.row.col.f32.f16.f16.f32")
WL_ASM_SPARSE(wl_sparse_s8, int, "r", "m16n8k64.row.col.s32.s8.s8.s32")
#else
/* On the host: all lanes' words are registers of A, of B, metadata. A row has 16 chunks of 8-bit elements in
 * words of the lanes h and h + 2 of four (h: rows 8 to 15), or 8 of 16-bit ones in half h of two lanes. */
template <unsigned Selector, typename T, typename Element, typename Rule>
static inline void wl_sparse(T *d, const unsigned *a, const unsigned *b, unsigned e, unsigned bits,
                             Element element, Rule rule) {
  uint32_t word[9][32];
  decltype(element(0u)) x[32], y[32];
  const unsigned lane = wl_lane(), per = 32 / bits, count = 8 * per, mask = (1u << bits) - 1;
  for (unsigned r = 0; r < 9; r++) {
    memcpy(word[r], wl_host_meet(~0u, r < 4 ? a[r] : r < 8 ? b[r - 4] : e), sizeof word[r]);
  }
  for (unsigned i = 0; i < 4; i++) {
    const unsigned h = i / 2, row = lane / 4 + h * 8, column = lane % 4 * 2 + i % 2;
    for (unsigned k = 0; k < count; k++) {
      const unsigned in_word = bits == 16 ? 8 : 16; /* indices */
      const unsigned holder = bits == 16 ? 2 * Selector + k / in_word : h + k / in_word * 2;
      const unsigned shift = k % in_word * 2 + (bits == 16 ? 16 * h : 0), at = k / per;
      const unsigned index = word[8][row % 8 * 4 + holder] >> shift & 3;
      const unsigned whole = k / 2 * 4 + index, from = whole / per;
      x[k] = element(word[at / 4 * 2 + h][row % 8 * 4 + at % 4] >> k % per * bits & mask);
      y[k] = element(word[4 + from / 4][column * 4 + from % 4] >> whole % per * bits & mask);
    }
    d[i] = rule(x, y, count, d[i]);
  }
}
template <unsigned Selector>
static inline void wl_sparse_f16(float *d, const unsigned *a, const unsigned *b, unsigned e) {
  wl_sparse<Selector>(d, a, b, e, 16, wl_rule_half, wl_rule_block);
}
template <unsigned Selector>
static inline void wl_sparse_s8(int *d, const unsigned *a, const unsigned *b, unsigned e) {
  wl_sparse<Selector>(d, a, b, e, 8, [](uint32_t v) { return (int)(int8_t)v; }, wl_host_dot);
}
#endif
#endif
