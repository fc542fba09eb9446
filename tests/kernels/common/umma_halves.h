/* Halves of kernels with products in tensor memory of kind f16, as umma_gemm and umma_loop have them. */
#ifndef WL_TESTS_KERNELS_COMMON_UMMA_HALVES_H
#define WL_TESTS_KERNELS_COMMON_UMMA_HALVES_H

#include "tests/kernels/common/kernel_case.h"
#include "tests/kernels/common/mma_rule.h"

enum { WL_HALVES_BLOCK = 16 }; /* elements of K of an instruction */

/* Halves with exponents -4 to 3, a few zeros. */
static inline void wl_halves_fill(wl_rng_t *rng, uint16_t *data, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t bits = wl_rng_u32(rng);
    data[i] = (uint16_t)((bits & 0x83ff) | (11 + (bits >> 16 & 7)) << 10);
    if (bits >> 24 == 0) {
      data[i] = 0;
    }
  }
}

/* The same sequence of blocks as the kernel's. */
static inline float wl_halves_element(const uint16_t *a, const uint16_t *b, uint32_t count) {
  float sum = 0;
  for (uint32_t at = 0; at < count; at += WL_HALVES_BLOCK) {
    float x[WL_HALVES_BLOCK], y[WL_HALVES_BLOCK];
    for (uint32_t k = 0; k < WL_HALVES_BLOCK; k++) {
      x[k] = wl_rule_half(a[at + k]);
      y[k] = wl_rule_half(b[at + k]);
    }
    sum = wl_rule_block(x, y, WL_HALVES_BLOCK, sum);
  }
  return sum;
}

#endif
