/* narrow_operands.h: random f32 around the numbers of a small format and between them, and random bits that
 * just reach the next number or just do not. For C and C++. */
#ifndef WL_TESTS_COMMON_NARROW_OPERANDS_H
#define WL_TESTS_COMMON_NARROW_OPERANDS_H
#include <stdint.h>
#include <string.h>

#include "tests/common/format_reference.h"
#include "tests/common/splitmix.h"

static inline uint32_t wl_narrow_operand(uint64_t *state, const wl_ref_format_t *f) {
  static const uint32_t special[] = {0,          1,          0x007fffff, 0x00800000,
                                     0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fffffff};
  const uint64_t r = wl_splitmix64(state);
  const uint32_t sign = (uint32_t)(r >> 63) << 31, any = (uint32_t)r;
  switch (r >> 60 & 7) {
  case 0:
    return sign | special[any % 8];
  case 1:
    return any;
  case 2: /* below the smallest number of the small formats and around the largest */
    return sign | (any & 0x7fffff) | (uint32_t)(96 + (r >> 32) % 64) << 23;
  default:
    break;
  }
  /* Sixteenths of the way from one number to the next, and what is beside them. */
  uint32_t pattern = (uint32_t)((r >> 32) % (wl_ref_largest(f) + 1));
  if (r >> 56 & 1) pattern %= UINT32_C(3) << f->fraction;
  const double x = wl_ref_place(f, pattern), next = wl_ref_place(f, pattern + 1);
  const float place = (float)(x + (next - x) * (double)(any & 15) / 16);
  uint32_t bits;
  memcpy(&bits, &place, sizeof bits);
  bits += any >> 4 & 1 ? (any >> 5) % 3 - 1 : 0;
  return sign | (bits & 0x7fffffff);
}

/* In each half: whole sixteenths of 16, 13 or 8 bits, one less, or any. */
static inline uint32_t wl_narrow_random(uint64_t *state) {
  static const unsigned sixteenth[4] = {12, 9, 4, 12};
  const uint64_t r = wl_splitmix64(state);
  uint32_t c = 0;
  for (unsigned k = 0; k < 2; k++) {
    const uint32_t x = (uint32_t)(r >> 32 * k);
    uint32_t half = x >> 16;
    if (x & 3) half = (half & 15) << sixteenth[x >> 2 & 3];
    if ((x & 3) == 3) half--;
    c = c << 16 | (half & 0xffff);
  }
  return c;
}

#endif
