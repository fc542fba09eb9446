/*
 * More of wl_umma.h: the kinds of products, A in tensor memory, copies into tensor memory (CUTLASS:
 * arch/mma_sm100_umma.hpp, arch/copy_sm100.hpp). A tile has rows of ROW bytes, K-major, with as many bytes of swizzle:
 * of 128 chunk j of row r is at place j ^ r mod 8 of its row, of 64 at j ^ r / 2 mod 4.
 */
#ifndef WL_UMMA_KINDS_H
#define WL_UMMA_KINDS_H
#include "wl_formats.h"
#include "wl_umma.h"

enum : int { WL_UMMA_F16, WL_UMMA_TF32, WL_UMMA_F8, WL_UMMA_I8 };

/* Instruction descriptors: types of D, A and B, and the shape. */
#define WL_UMMA_SHAPE(d, a, b, m, n)                                                               \
  (unsigned(d) << 4 | unsigned(a) << 7 | unsigned(b) << 10 | unsigned(n) / 8 << 17 |               \
   unsigned(m) / 16 << 24)
enum : unsigned {
  WL_UMMA_D_F32 = 1,
  WL_UMMA_D_S32 = 2,
  WL_UMMA_AB_F16 = 0,
  WL_UMMA_AB_TF32 = 2,
  WL_UMMA_AB_E4M3 = 0,
  WL_UMMA_AB_E5M2 = 1,
  WL_UMMA_AB_U8 = 0,
  WL_UMMA_AB_S8 = 1
};

#if defined(__CUDACC__) || defined(__CUDA__)
typedef unsigned long long wl_umma_rows_t;

/* Of a tile what a product takes, the `step`-th 32 bytes of its rows. */
template <unsigned ROW> WL_ASM_FN wl_umma_rows_t wl_umma_rows(const void *tile, unsigned step) {
  const unsigned start = wl_shared_address(tile) + step * WL_UMMA_STEP;
  const wl_umma_rows_t swizzle = ROW == 128 ? 2 : ROW == 64 ? 4 : 0;
  return start >> 4 | 1ull << 16 | ROW * 8ull / 16 << 32 | 1ull << 46 | swizzle << 61;
}

#define WL_UMMA_ASM(kind, a, constraint)                                                           \
  asm volatile("{\n\t"                                                                             \
               ".reg .pred p;\n\t"                                                                 \
               "setp.ne.b32 p, %4, 0;\n\t"                                                         \
               "tcgen05.mma.cta_group::1.kind::" kind " [%0], " a ", %2, %3, p;\n\t"               \
               "}"                                                                                 \
               :                                                                                   \
               : "r"(d), constraint(from), "l"(b), "r"(shape), "r"((unsigned)add)                  \
               : "memory")

/* By one thread: D = A * B, + D if `add`. */
template <int KIND>
WL_ASM_FN void wl_umma(unsigned d, wl_umma_rows_t from, wl_umma_rows_t b, unsigned shape,
                       bool add) {
  if constexpr (KIND == WL_UMMA_F16) {
    WL_UMMA_ASM("f16", "%1", "l");
  } else if constexpr (KIND == WL_UMMA_TF32) {
    WL_UMMA_ASM("tf32", "%1", "l");
  } else if constexpr (KIND == WL_UMMA_F8) {
    WL_UMMA_ASM("f8f6f4", "%1", "l");
  } else {
    WL_UMMA_ASM("i8", "%1", "l");
  }
}
/* A is in eight columns of tensor memory. */
WL_ASM_FN void wl_umma_f16_tmem(unsigned d, unsigned from, wl_umma_rows_t b, unsigned shape,
                                bool add) {
  WL_UMMA_ASM("f16", "[%1]", "r");
}
/* By one thread: 128 rows of 32 bytes to eight columns of the 128 lanes. */
WL_ASM_FN void wl_tmem_copy_rows(unsigned to, wl_umma_rows_t from) {
  asm volatile("tcgen05.cp.cta_group::1.128x256b [%0], %1;" : : "r"(to), "l"(from) : "memory");
}
/* By one thread: eight columns of 32 lanes, each lane but the last gets what the next one had. */
WL_ASM_FN void wl_tmem_shift(unsigned at) {
  asm volatile("tcgen05.shift.cta_group::1.down [%0];" : : "r"(at) : "memory");
}
/* Sixteen columns of the lanes of the warp. */
WL_ASM_FN void wl_tmem_load16(unsigned v[16], unsigned at) {
  asm volatile("tcgen05.ld.sync.aligned.32x32b.x16.b32 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, "
               "%10, %11, %12, %13, %14, %15}, [%16];\n\t"
               "tcgen05.wait::ld.sync.aligned;"
               : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]), "=r"(v[4]), "=r"(v[5]), "=r"(v[6]),
                 "=r"(v[7]), "=r"(v[8]), "=r"(v[9]), "=r"(v[10]), "=r"(v[11]), "=r"(v[12]),
                 "=r"(v[13]), "=r"(v[14]), "=r"(v[15])
               : "r"(at)
               : "memory");
}

#else
#include "tests/kernels/common/umma_rule.h"

struct wl_umma_rows_t {
  const char *tile;
  unsigned step, row;
};
template <unsigned ROW> WL_FN wl_umma_rows_t wl_umma_rows(const void *tile, unsigned step) {
  return {(const char *)tile, step, ROW};
}
/* The 32 bytes of a row. */
WL_FN void wl_umma_bytes(unsigned char to[32], const wl_umma_rows_t &from, unsigned r) {
  for (unsigned j = 0; j < 2; j++) {
    const unsigned chunk = from.step * 2 + j, place = chunk ^ (from.row == 128  ? r % 8
                                                               : from.row == 64 ? r / 2 % 4
                                                                                : 0);
    memcpy(to + j * 16, from.tile + r * from.row + place * 16, 16);
  }
}
/* Row r of A and D: its lane. */
WL_FN unsigned wl_umma_lane(unsigned m, unsigned r) { return m == 128 ? r : r / 16 * 32 + r % 16; }

WL_FN int wl_umma_byte(unsigned char byte, bool is_signed) {
  return is_signed ? (int)(signed char)byte : (int)byte;
}
template <int KIND>
WL_FN float wl_umma_sum(const unsigned char *a, const unsigned char *b, unsigned shape, float c) {
  if (KIND == WL_UMMA_I8) {
    unsigned sum;
    memcpy(&sum, &c, sizeof sum);
    for (unsigned k = 0; k < 32; k++) {
      sum += (unsigned)(wl_umma_byte(a[k], shape >> 7 & 1) * wl_umma_byte(b[k], shape >> 10 & 1));
    }
    memcpy(&c, &sum, sizeof c);
    return c;
  }
  const unsigned size = KIND == WL_UMMA_F16 ? 2 : KIND == WL_UMMA_TF32 ? 4 : 1;
  const wl_umma_format_t e4m3 = {4, 3}, e5m2 = {5, 2}, f16 = {5, 10}, tf32 = {8, 10};
  const wl_umma_format_t fa = size == 2        ? f16
                              : size == 4      ? tf32
                              : shape >> 7 & 1 ? e5m2
                                               : e4m3,
                         fb = size != 1         ? fa
                              : shape >> 10 & 1 ? e5m2
                                                : e4m3;
  wl_umma_number_t x[32], y[32];
  for (unsigned k = 0; k < 32 / size; k++) {
    x[k] = wl_umma_element(a + k * size, size, fa);
    y[k] = wl_umma_element(b + k * size, size, fb);
  }
  return wl_umma_block(x, y, 32 / size, fa.fraction + fb.fraction, 0, c);
}
/* a: a row of A. */
template <int KIND>
WL_FN void wl_umma_row_of_d(float *to, const unsigned char *a, const wl_umma_rows_t &b,
                            unsigned shape, bool add) {
  for (unsigned c = 0; c < (shape >> 17 & 63) * 8; c++) {
    unsigned char bytes[32];
    wl_umma_bytes(bytes, b, c);
    to[c] = wl_umma_sum<KIND>(a, bytes, shape, add ? to[c] : 0);
  }
}
template <int KIND>
WL_FN void wl_umma(unsigned d, const wl_umma_rows_t &from, const wl_umma_rows_t &b, unsigned shape,
                   bool add) {
  const unsigned m = shape >> 24 << 4;
  for (unsigned r = 0; r < m; r++) {
    unsigned char bytes[32];
    wl_umma_bytes(bytes, from, r);
    wl_umma_row_of_d<KIND>(wl_tmem[wl_umma_lane(m, r)] + d, bytes, b, shape, add);
  }
}
WL_FN void wl_umma_f16_tmem(unsigned d, unsigned from, const wl_umma_rows_t &b, unsigned shape,
                            bool add) {
  const unsigned m = shape >> 24 << 4;
  for (unsigned r = 0; r < m; r++) {
    float *lane = wl_tmem[wl_umma_lane(m, r)];
    wl_umma_row_of_d<WL_UMMA_F16>(lane + d, (const unsigned char *)(lane + from), b, shape, add);
  }
}
WL_FN void wl_tmem_copy_rows(unsigned to, const wl_umma_rows_t &from) {
  for (unsigned r = 0; r < 128; r++) {
    wl_umma_bytes((unsigned char *)(wl_tmem[r] + to), from, r);
  }
}
WL_FN void wl_tmem_shift(unsigned at) {
  for (unsigned lane = at >> 16; lane < (at >> 16) + 31; lane++) {
    memcpy(&wl_tmem[lane][at & 0xffff], &wl_tmem[lane + 1][at & 0xffff], 8 * sizeof(unsigned));
  }
}
WL_FN void wl_tmem_load16(unsigned v[16], unsigned at) {
  const unsigned lane = (at >> 16) + wl_lane();
  memcpy(v, &wl_tmem[lane][at & 0xffff], 16 * sizeof *v);
}
#endif

/* What the words of D become. */
enum : int { WL_AS_IT_IS, WL_F32_TO_F16, WL_S32_TO_F32 };
enum : unsigned { WL_TMEM_AT_ONCE = 16 };

struct alignas(16) wl_umma_words_t {
  unsigned word[4];
};

/* N columns of the warp's lanes, from `at` on; c: the lane's row in memory. */
template <int OUT, unsigned N>
static __device__ __forceinline__ void wl_tmem_show(unsigned *c, unsigned at, bool writes) {
  constexpr unsigned GIVEN = OUT == WL_F32_TO_F16 ? WL_TMEM_AT_ONCE / 2 : WL_TMEM_AT_ONCE;
#pragma unroll 1
  for (unsigned column = 0; column < N; column += WL_TMEM_AT_ONCE) {
    unsigned v[WL_TMEM_AT_ONCE], w[GIVEN];
    wl_tmem_load16(v, at + column);
    for (unsigned i = 0; i < GIVEN; i++) {
      if (OUT == WL_F32_TO_F16) {
        w[i] = wl_pack_f16(__uint_as_float(v[2 * i]), __uint_as_float(v[2 * i + 1]));
      } else {
        w[i] = OUT == WL_S32_TO_F32 ? __float_as_uint((float)(int)v[i]) : v[i];
      }
    }
    for (unsigned i = 0; i < GIVEN && writes; i += 4) {
      *(wl_umma_words_t *)(c + i) = {w[i], w[i + 1], w[i + 2], w[i + 3]};
    }
    c += GIVEN;
  }
}

#endif
