/* Pseudo-random numbers of the tests (splitmix64), for C and C++: the same seed gives the same
 * numbers everywhere. */
#ifndef WL_TESTS_COMMON_SPLITMIX_H
#define WL_TESTS_COMMON_SPLITMIX_H
#include <stdint.h>

static inline uint64_t wl_splitmix64(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

#endif
