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

/* Every term is cut behind the largest exponent, and so is their exact sum. */
static inline float wl_rule_block(const float *a, const float *b, unsigned count, float c) {
  int largest = -133;
  double sum = 0;
  for (unsigned k = 0; k < count; k++) {
    const int e = a[k] != 0 && b[k] != 0 ? ilogbf(a[k]) + ilogbf(b[k]) : largest;
    largest = e > largest ? e : largest;
  }
  if (c != 0 && ilogbf(c) > largest) {
    largest = ilogbf(c);
  }
  for (unsigned k = 0; k < count; k++) {
    sum += trunc(ldexp((double)a[k] * (double)b[k], 25 - largest));
  }
  sum += trunc(ldexp((double)c, 25 - largest));
  if (sum == 0) {
    return 0;
  }
  const int drop = ilogb(sum) - 23;
  return (float)ldexp(trunc(ldexp(sum, -drop)), drop + largest - 25);
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
