/* half_operands.h: random operands of halves for the tests, at the places where rounding, flushing, limits
 * and cancellation decide. For C and C++. fraction: bits of the format's fraction, 10 (f16) or 7 (bf16). */
#ifndef WL_TESTS_COMMON_HALF_OPERANDS_H
#define WL_TESTS_COMMON_HALF_OPERANDS_H
#include <stdint.h>

#include "tests/common/splitmix.h"

typedef struct wl_half_triple {
  uint32_t a, b, c;
} wl_half_triple_t;

static inline uint32_t wl_half_join(unsigned fraction, uint32_t sign, int exponent, uint32_t low) {
  const int top = (1 << (15 - fraction)) - 2; /* of finite numbers */
  if (exponent < 0) exponent = 0;
  if (exponent > top) exponent = top;
  return (sign & 1) << 15 | (uint32_t)exponent << fraction | (low & ((1u << fraction) - 1));
}

/* A fraction: any, few bits at its top, all ones but one, or a single bit. */
static inline uint32_t wl_half_fraction(uint64_t *state, unsigned fraction) {
  const uint64_t r = wl_splitmix64(state);
  const uint32_t any = (uint32_t)r & ((1u << fraction) - 1), one = 1u << (r >> 32) % fraction;
  switch (r >> 61) {
  case 0:
    return any & (3u << (fraction - 2));
  case 1:
    return ((1u << fraction) - 1) & ~(r >> 40 & 1 ? one : 0);
  case 2:
    return r >> 40 & 1 ? one : 0;
  default:
    return any;
  }
}

static inline uint32_t wl_half_operand(uint64_t *state, unsigned fraction) {
  const uint64_t r = wl_splitmix64(state);
  const uint32_t low = wl_half_fraction(state, fraction), infinity = 0x8000 - (1u << fraction);
  const int bias = (1 << (14 - fraction)) - 1, near = (int)(r >> 8 & 7);
  const uint32_t special[] = {0,        0x7ff7,       0x7fff,          infinity,
                              infinity, infinity + 1, infinity - 1,    1,
                              low,      low | 1,      1u << fraction,  (1u << fraction) - 1,
                              0x3f80,   0x3c00,       (uint32_t)r % 8, (uint32_t)bias << fraction};
  const uint32_t sign = (uint32_t)(r >> 63) << 15;
  switch (r >> 4 & 15) {
  case 0:
  case 1:
  case 2:
    return sign | special[r % 16];
  case 3:
  case 4:
    return wl_half_join(fraction, sign >> 15, near, low);
  case 5:
    return wl_half_join(fraction, sign >> 15, 2 * bias - near, low);
  case 6:
  case 7:
  case 8:
  case 9:
    return wl_half_join(fraction, sign >> 15, bias - 4 + near, low);
  default:
    return (uint32_t)(r >> 32) & 0xffff;
  }
}

/* Three that meet: the product at a limit of the format, the addend near the product or a little below
 * its last place. */
static inline wl_half_triple_t wl_half_triple(uint64_t *state, unsigned fraction) {
  const uint64_t r = wl_splitmix64(state);
  wl_half_triple_t t = {wl_half_operand(state, fraction), wl_half_operand(state, fraction),
                        wl_half_operand(state, fraction)};
  const int bias = (1 << (14 - fraction)) - 1, width = (int)fraction + 1;
  const int ea = (int)(t.a >> fraction & (0x7fffu >> fraction));
  int product;
  const int small = (int)(r >> 16 & 15) - 12;
  const uint32_t sign = (uint32_t)(r >> 40), low = (uint32_t)(r >> 44);
  switch (r & 15) {
  case 0:
  case 1:
  case 2: /* in and below the subnormal numbers */
    product = small;
    break;
  case 3: /* the largest numbers */
    product = 2 * bias + 2 - (int)(r >> 16 & 3);
    break;
  case 4:
  case 5:
  case 6: /* any place */
    product = (int)((r >> 16) % (unsigned)(2 * bias));
    break;
  default:
    return t;
  }
  if (r >> 8 & 1) t.a = wl_half_join(fraction, sign, ea, 0);
  t.b = wl_half_join(fraction, sign >> 1, product + bias - ea,
                     r >> 9 & 1 ? 0 : wl_half_fraction(state, fraction));
  switch (r >> 10 & 7) {
  case 0:
  case 1: /* cancellation */
    t.c = wl_half_join(fraction, ~((t.a ^ t.b) >> 15), product + (int)(r >> 14 & 1),
                       r >> 9 & 1 ? t.a + (low & 3) - 1 : low);
    break;
  case 2:
  case 3: /* half a unit of the last place, exactly or nearly */
    t.c = wl_half_join(fraction, sign >> 2, product - width + (int)(r >> 14 & 1),
                       r >> 13 & 1 ? 0
                       : low & 1   ? 1
                                   : low);
    break;
  case 4: /* far below it: decides a tie only */
    t.c = wl_half_join(fraction, sign >> 2, product - 2 * width - (int)(r >> 14 & 7), low);
    break;
  case 5: /* the product is far below the addend's last place */
    t.c = wl_half_join(fraction, sign >> 2, product + width + (int)(r >> 14 & 7) - 1, low & 3);
    break;
  default:
    break;
  }
  return t;
}

/* The two halves of three words. */
static inline void wl_half_words(uint64_t *state, unsigned fraction, uint32_t *a, uint32_t *b,
                                 uint32_t *c) {
  const wl_half_triple_t low = wl_half_triple(state, fraction),
                         high = wl_half_triple(state, fraction);
  *a = high.a << 16 | low.a;
  *b = high.b << 16 | low.b;
  *c = high.c << 16 | low.c;
}

#endif
