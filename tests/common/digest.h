/* FNV-1a, for C and C++: one step per byte or word. Every step is a bijection of the state, so no
 * change of one value goes unseen. */
#ifndef WL_TESTS_COMMON_DIGEST_H
#define WL_TESTS_COMMON_DIGEST_H
#include <stdint.h>

#define WL_DIGEST_START UINT64_C(0xcbf29ce484222325)

static inline uint64_t wl_digest(uint64_t digest, uint64_t value) {
  return (digest ^ value) * UINT64_C(0x100000001b3);
}

#endif
