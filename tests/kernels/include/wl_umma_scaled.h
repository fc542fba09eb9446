/*
 * Products with block scales: more of wl_umma_kinds.h (CUTLASS: arch/mma_sm100_umma.hpp, SM100_MMA_MXF8F6F4_SS and
 * SM100_MMA_MXF4_SS). Scales of 128 rows are 32 rows of 16 bytes: row l has those of rows l, l + 32, l + 64 and l + 96,
 * four bytes of each. A copy makes four columns of them, in each quarter the same.
 */
#ifndef WL_UMMA_SCALED_H
#define WL_UMMA_SCALED_H
#include "wl_umma_kinds.h"

enum : int {
  WL_UMMA_MXF8, /* e4m3, 32 elements with a scale of ue8m0 */
  WL_UMMA_NVF4  /* e2m1, 16 elements with a scale of ue4m3 */
};

/* id: of mxf8, the byte of the scale words. */
static __device__ constexpr unsigned wl_umma_scaled_shape(int kind, unsigned n, unsigned id) {
  const unsigned types = kind == WL_UMMA_MXF8 ? 1u << 23 : 1u << 7 | 1u << 10;
  return types | n / 8 << 17 | 1u << 27 | id << 29 | id << 4;
}

#if defined(__CUDACC__) || defined(__CUDA__)
#define WL_UMMA_SCALED_ASM(kind)                                                                   \
  asm volatile("{\n\t"                                                                             \
               ".reg .pred p;\n\t"                                                                 \
               "setp.ne.b32 p, %4, 0;\n\t"                                                         \
               "tcgen05.mma.cta_group::1.kind::" kind " [%0], %1, %2, %3, [%5], [%6], p;\n\t"      \
               "}"                                                                                 \
               :                                                                                   \
               : "r"(d), "l"(a), "l"(b), "r"(shape), "r"((unsigned)add), "r"(sa), "r"(sb)          \
               : "memory")

/* By one thread. sa, sb: the first columns of the scales of A and B. */
template <int KIND>
WL_ASM_FN void wl_umma_scaled(unsigned d, wl_umma_rows_t a, wl_umma_rows_t b, unsigned shape,
                              unsigned sa, unsigned sb, bool add) {
  if constexpr (KIND == WL_UMMA_MXF8) {
    WL_UMMA_SCALED_ASM("mxf8f6f4.block_scale");
  } else {
    WL_UMMA_SCALED_ASM("mxf4nvf4.block_scale.scale_vec::4X");
  }
}
/* By one thread: 32 rows of 16 bytes to four columns of each quarter. */
WL_ASM_FN void wl_tmem_copy_scales(unsigned to, const void *from) {
  asm volatile("tcgen05.cp.cta_group::1.32x128b.warpx4 [%0], %1;"
               :
               : "r"(to), "l"(wl_umma_rows<16>(from, 0))
               : "memory");
}

#else
/* Byte `id` of the scale word of a row, for the rows of D in a quarter. */
WL_FN unsigned wl_umma_scale(unsigned at, unsigned quarter, unsigned row, unsigned id) {
  unsigned word;
  memcpy(&word, &wl_tmem[quarter * 32 + row % 32][at + row / 32], sizeof word);
  return word >> 8 * id & 255;
}
template <int KIND>
WL_FN void wl_umma_scaled(unsigned d, const wl_umma_rows_t &a, const wl_umma_rows_t &b,
                          unsigned shape, unsigned sa, unsigned sb, bool add) {
  const wl_umma_format_t e4m3 = {4, 3}, e2m1 = {2, 1};
  const bool wide = KIND == WL_UMMA_MXF8;
  for (unsigned r = 0; r < 128; r++) {
    for (unsigned c = 0; c < (shape >> 17 & 63) * 8; c++) {
      unsigned char of_a[32], of_b[32];
      wl_umma_number_t x[64], y[64], u[4], v[4];
      float *to = &wl_tmem[r][d + c];
      wl_umma_bytes(of_a, a, r);
      wl_umma_bytes(of_b, b, c);
      for (unsigned k = 0; k < (wide ? 32 : 64); k++) {
        x[k] = wide ? wl_umma_number(of_a[k], e4m3)
                    : wl_umma_number(of_a[k / 2] >> k % 2 * 4 & 15u, e2m1);
        y[k] = wide ? wl_umma_number(of_b[k], e4m3)
                    : wl_umma_number(of_b[k / 2] >> k % 2 * 4 & 15u, e2m1);
      }
      for (unsigned g = 0; g < 4; g++) {
        u[g] = wl_umma_number(wl_umma_scale(sa, r / 32, r, g), e4m3);
        v[g] = wl_umma_number(wl_umma_scale(sb, r / 32, c, g), e4m3);
      }
      const int scale = (int)wl_umma_scale(sa, r / 32, r, shape >> 29 & 3) - 127 +
                        (int)wl_umma_scale(sb, r / 32, c, shape >> 4 & 3) - 127;
      *to = wide ? wl_umma_block(x, y, 32, 6, scale, add ? *to : 0)
                 : wl_umma_block4(x, y, u, v, add ? *to : 0);
    }
  }
}
WL_FN void wl_tmem_copy_scales(unsigned to, const void *from) {
  for (unsigned lane = 0; lane < 128; lane++) {
    memcpy(wl_tmem[lane] + to, (const char *)from + lane % 32 * 16, 16);
  }
}
#endif
#endif
