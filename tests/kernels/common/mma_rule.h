/* Products of matrices on the host, by the rule that tests/silicon/README.md states, in doubles: operands
 * that are zero or normal numbers, results that are no subnormal ones. For C and C++. */
#ifndef WL_TESTS_KERNELS_COMMON_MMA_RULE_H
#define WL_TESTS_KERNELS_COMMON_MMA_RULE_H

#include <math.h>
#include <stdint.h>

static inline float wl_rule_half(uint32_t bits) {
  const int exponent = (int)(bits >> 10 & 31), fraction = (int)(bits & 1023);
  const float v = exponent == 0 ? ldexpf((float)fraction, -24)
                                : ldexpf((float)(1024 + fraction), exponent - 25);
  return (bits >> 15 & 1) != 0 ? -v : v;
}

/* e4m3 */
static inline float wl_rule_byte(uint32_t bits) {
  const int exponent = (int)(bits >> 3 & 15), fraction = (int)(bits & 7);
  const float v =
      exponent == 0 ? ldexpf((float)fraction, -9) : ldexpf((float)(8 + fraction), exponent - 10);
  return (bits >> 7 & 1) != 0 ? -v : v;
}

/* bf16, and a number of f32 rounded to tf32 (to nearest, ties away). */
static inline float wl_rule_bf16(uint32_t bits) {
  const union {
    uint32_t bits;
    float f;
  } u = {bits << 16};
  return u.f;
}
static inline float wl_rule_tf32(float v) {
  union {
    float f;
    uint32_t bits;
  } u = {v};
  u.bits = (u.bits + 0x1000) & ~0x1fffu;
  return u.f;
}

/* Every term is cut behind the largest exponent; their exact sum, in units of 2^(*largest - 25). */
static inline double wl_rule_sum(const float *a, const float *b, unsigned count, float c,
                                 int *largest) {
  double sum = 0;
  *largest = -133;
  for (unsigned k = 0; k < count; k++) {
    const int e = a[k] != 0 && b[k] != 0 ? ilogbf(a[k]) + ilogbf(b[k]) : *largest;
    *largest = e > *largest ? e : *largest;
  }
  if (c != 0 && ilogbf(c) > *largest) {
    *largest = ilogbf(c);
  }
  for (unsigned k = 0; k < count; k++) {
    sum += trunc(ldexp((double)a[k] * (double)b[k], 25 - *largest));
  }
  return sum + trunc(ldexp((double)c, 25 - *largest));
}

/* The sum is cut, too. */
static inline float wl_rule_block(const float *a, const float *b, unsigned count, float c) {
  int largest;
  const double sum = wl_rule_sum(a, b, count, c, &largest);
  if (sum == 0) {
    return 0;
  }
  const int drop = ilogb(sum) - 23;
  return (float)ldexp(trunc(ldexp(sum, -drop)), drop + largest - 25);
}

/* C and D of f16: the sum is rounded to nearest, ties to even. No sum that is larger than f16. */
static inline uint32_t wl_rule_block_half(const float *a, const float *b, unsigned count,
                                          uint32_t c) {
  int largest;
  const double sum = wl_rule_sum(a, b, count, wl_rule_half(c), &largest);
  const double size = ldexp(fabs(sum), largest - 25);
  if (size == 0) {
    return 0;
  }
  const int e = ilogb(size) < -14 ? -14 : ilogb(size);
  const uint32_t units = (uint32_t)nearbyint(ldexp(size, 10 - e)); /* of 2^(e - 10) */
  return (sum < 0 ? 0x8000u : 0) + ((uint32_t)(e + 14) << 10) + units;
}

/* Of 8-bit floats: the first two of each four k, then the others on their result, then C. */
static inline float wl_rule_bytes(const float *a, const float *b, unsigned count, float c) {
  float x[32], y[32], sum = 0;
  for (unsigned half = 0; half < 2; half++) {
    for (unsigned k = 0; k < count / 2; k++) {
      x[k] = a[k / 2 * 4 + half * 2 + k % 2];
      y[k] = b[k / 2 * 4 + half * 2 + k % 2];
    }
    sum = wl_rule_block(x, y, count / 2, sum);
  }
  return sum + c;
}

#endif
