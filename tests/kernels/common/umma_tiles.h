/* Operands of products in tensor memory as cases of kernels prepare them, and C of f16. */
#ifndef WL_TESTS_KERNELS_COMMON_UMMA_TILES_H
#define WL_TESTS_KERNELS_COMMON_UMMA_TILES_H

#include <string.h>

#include "tests/kernels/common/kernel_case.h"
#include "tests/kernels/common/umma_rule.h"

/* From rows of `bytes` to what bulk copies take: tiles of tile_rows rows of `row` bytes (128 or 64), all of K after
 * each other. Of a row of 128 bytes chunk j of 16 is at place j ^ r mod 8, of 64 at j ^ r / 2 mod 4. */
static inline void wl_umma_pack(uint8_t *to, const uint8_t *from, uint32_t rows, uint32_t bytes,
                                uint32_t tile_rows, uint32_t row) {
  for (uint32_t r = 0; r < rows; r++) {
    for (uint32_t at = 0; at < bytes; at += 16) {
      const uint32_t tile = r / tile_rows * (bytes / row) + at / row, in = r % tile_rows;
      const uint32_t place = at % row / 16 ^ (row == 128 ? in % 8 : in / 2 % 4);
      memcpy(to + (tile * tile_rows + in) * row + place * 16, from + r * bytes + at, 16);
    }
  }
}

/* Rounded to nearest, ties to even; too large: infinity. */
static inline uint16_t wl_umma_half(float v) {
  uint32_t bits = wl_kernel_float_bits(v);
  const uint32_t sign = bits >> 16 & 0x8000;
  bits &= 0x7fffffff;
  if (bits >= 0x477ff000) { /* 65520 */
    return (uint16_t)(sign | 0x7c00);
  }
  const uint32_t x = bits >> 23, whole = (bits & 0x7fffff) | 0x800000;
  const uint32_t drop = x >= 113 ? 13 : x >= 101 ? 126 - x : 25;
  const uint32_t low = whole & ((1u << drop) - 1), middle = 1u << (drop - 1);
  uint32_t result = whole >> drop;
  result += low > middle || (low == middle && (result & 1) != 0);
  return (uint16_t)(sign | (x >= 113 ? result + ((x - 113) << 10) : result));
}

#endif
