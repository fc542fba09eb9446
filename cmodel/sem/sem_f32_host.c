/* f32 add, mul and fma of a warp by the host's IEEE arithmetic, rounding to nearest even, without
 * flushing and saturation: the same bits as sem_f32.c, in a few instructions per lane.
 * Exactly so because
 *  - add and mul are one IEEE operation each; every NaN result becomes 0x7fffffff;
 *  - fma: the product of two f32 is exact in binary64, the sum is rounded there once. Rounding it
 *    again to f32 gives what one rounding would unless the binary64 sum lies halfway between two
 *    f32: every halfway point is a binary64, and rounding never crosses one. Those sums, and all
 *    outside the range where f32 has 24 bits, go to wl_f32_fma;
 *  - the host's rounding state is looked at before (wl_f32_host_exact).
 * Built with -ffp-contract=off. tests/isa/test_f32_host.c compares with sem_f32.c. */
#include <string.h>

#include "cmodel/sem/sem.h"

/* volatile: computed now, in the state the processor is in. */
bool wl_f32_host_exact(void) {
  volatile float one = 1, below_half = 0x1p-25F, above_half = 0x1.8p-24F;
  volatile float normal = 0x1p-126F, half = 0.5F; /* a subnormal: lost as result or as operand */
  volatile double wide = 1, wide_below = 0x1p-54, wide_above = 0x1.8p-53;
  const bool f32 = one + above_half > one && one + below_half == one;
  const bool f64 = wide + wide_above > wide && wide + wide_below == wide;
  return f32 && f64 && normal * half != 0;
}

static inline float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline uint32_t result(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return value == value ? bits : (uint32_t)wl_fmt_f32().nan;
}

void wl_f32_host_add(const uint32_t a[WL_LANES], uint32_t flip_a, const uint32_t b[WL_LANES],
                     uint32_t flip_b, uint32_t *restrict d) {
  for (unsigned i = 0; i < WL_LANES; i++)
    d[i] = result(float_of(a[i] ^ flip_a) + float_of(b[i] ^ flip_b));
}

void wl_f32_host_mul(const uint32_t a[WL_LANES], uint32_t flip_a, const uint32_t b[WL_LANES],
                     uint32_t *restrict d) {
  for (unsigned i = 0; i < WL_LANES; i++)
    d[i] = result(float_of(a[i] ^ flip_a) * float_of(b[i]));
}

void wl_f32_host_fma(const uint32_t a[WL_LANES], uint32_t flip_a, const uint32_t b[WL_LANES],
                     const uint32_t c[WL_LANES], uint32_t flip_c, uint32_t *restrict d) {
  const uint64_t low = (uint64_t)(1022 - 124) << 52; /* 2^-125 */
  const uint64_t span = (uint64_t)(124 + 127) << 52; /* up to 2^126 */
  uint64_t sum[WL_LANES];
  uint32_t doubtful = 0;
  for (unsigned i = 0; i < WL_LANES; i++) {
    const double product = (double)float_of(a[i] ^ flip_a) * (double)float_of(b[i]);
    const double value = product + (double)float_of(c[i] ^ flip_c);
    const float rounded = (float)value;
    memcpy(&sum[i], &value, sizeof value);
    memcpy(&d[i], &rounded, sizeof rounded);
  }
  for (unsigned i = 0; i < WL_LANES; i++) {
    const bool outside = (sum[i] & (UINT64_MAX >> 1)) - low >= span;
    const bool halfway = (sum[i] & 0x1fffffff) == 0x10000000;
    doubtful |= (uint32_t)(outside || halfway) << i;
  }
  for (unsigned i = 0; doubtful != 0; doubtful >>= 1, i++)
    if (doubtful & 1)
      d[i] = wl_f32_fma(a[i] ^ flip_a, b[i], c[i] ^ flip_c, (wl_fp_mode_t){.rnd = 0});
}
