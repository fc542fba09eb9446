/* Rounding to odd: what is rounded once more, to fewer bits, then comes out as if it were rounded once. */
#ifndef WL_TESTS_COMMON_SUM_ODD_H
#define WL_TESTS_COMMON_SUM_ODD_H
#include <math.h>
#include <stdint.h>
#include <string.h>

/* p + c as a double whose last bit is one whenever a double does not hold the sum. The host rounds to
 * nearest. Compile it with -ffp-contract=off. */
static inline double wl_sum_odd(double p, double c) {
  const volatile double sum = p + c;
  const volatile double back = sum - p;
  const volatile double left = sum - back;
  const volatile double error = (p - left) + (c - back);
  if (error == 0) return sum;
  uint64_t bits;
  const double copy = sum;
  memcpy(&bits, &copy, sizeof bits);
  if (bits & 1) return sum;
  /* The truth lies between sum and a neighbour; the odd one of the two is the neighbour. */
  return nextafter(copy, error > 0 ? INFINITY : -INFINITY);
}

#endif
