/* form_operands.c: see form_operands.h. */
#include "tests/oracle/form_operands.h"

#include "tests/common/splitmix.h"

/* Limits of f16 and of bf16: zero, the smallest numbers, 1, the largest ones, infinity, NaN. */
static const uint16_t k_f16[16] = {0x0000, 0x8000, 0x0001, 0x83ff, 0x0400, 0x8401, 0x07ff, 0x3800,
                                   0x3bff, 0x3c00, 0xbc01, 0x7800, 0x7bff, 0xfbff, 0x7c00, 0x7e00};
static const uint16_t k_bf16[16] = {0x0000, 0x8000, 0x0001, 0x807f, 0x0080, 0x8081, 0x00ff, 0x3f00,
                                    0x3f7f, 0x3f80, 0xbf81, 0x7f00, 0x7f7f, 0xff7f, 0x7f80, 0x7fc0};

static uint64_t four(const uint16_t *list, uint64_t r) {
  uint64_t word = 0;
  for (unsigned i = 0; i < 64; i += 16) {
    word |= (uint64_t)list[r >> i & 15] << i;
  }
  return word;
}

/* Words of parts: halves at their limits or with exponents near each other, bytes and halves of integers at
 * their limits, pairs of f32 near 1. */
static uint64_t parts(uint64_t r, uint64_t pick) {
  static const uint8_t bytes[8] = {0, 1, 0x7f, 0x80, 0x81, 0xff, 0x7e, 0x40};
  uint64_t word = 0;
  switch (pick >> 4 & 7) {
  case 0:
    return four(k_f16, r);
  case 1:
    return four(k_bf16, r);
  case 2: /* f16 from 2^-8 to 2^7 */
    return (r & UINT64_C(0xbfffbfffbfffbfff)) | ((r & UINT64_C(0x4000400040004000)) != 0
                                                     ? UINT64_C(0x4000400040004000)
                                                     : UINT64_C(0x2000200020002000));
  case 3: /* bf16 near 1, one integer in four parts equal */
    return (r & UINT64_C(0x80ff80ff80ff80ff)) | UINT64_C(0x3f003f003f003f00);
  case 4:
    for (unsigned i = 0; i < 64; i += 8) {
      word |= (uint64_t)bytes[r >> i & 7] << i;
    }
    return word;
  case 5: /* pairs of f32 near 1 */
    return (r & UINT64_C(0x80ffffff80ffffff)) | UINT64_C(0x3f0000003f000000);
  case 6: /* f16 that are subnormal or small */
    return r & UINT64_C(0x87ff87ff87ff87ff);
  default: /* f32 whose results are near the smallest normal number */
    return (r & UINT64_C(0x81ffffff81ffffff)) | (pick >> 8 & 1) << 29 | (pick >> 9 & 1) << 61;
  }
}

uint64_t wl_form_operand(uint64_t *state, uint64_t before) {
  static const uint32_t f32[] = {0,          1,          0x007fffff, 0x00800000, 0x00800001,
                                 0x3effffff, 0x3f000000, 0x3f7fffff, 0x3f800000, 0x3f800001,
                                 0x3fc00000, 0x4affffff, 0x4b000001, 0x4f000000, 0x5f000000,
                                 0x7f000000, 0x7f7fffff, 0x7f800000, 0x7fc00000, 0x34000000};
  static const uint64_t f64[] = {0,
                                 1,
                                 0x000fffffffffffff,
                                 0x0010000000000000,
                                 0x0010000000000001,
                                 0x1e60000000000000,
                                 0x3ca0000000000000,
                                 0x3fefffffffffffff,
                                 0x3ff0000000000000,
                                 0x3ff0000000000001,
                                 0x4340000000000001,
                                 0x5ff0000000000000,
                                 0x7ca0000000000000,
                                 0x7fefffffffffffff,
                                 0x7ff0000000000000,
                                 0x7ff0000000000001,
                                 0x7ff8000000000005};
  static const uint64_t ints[] = {0,
                                  1,
                                  2,
                                  0x7f,
                                  0x80,
                                  0xff,
                                  0x7fff,
                                  0x8000,
                                  0xffff,
                                  0x7fffffff,
                                  0x80000000,
                                  0xffffffff,
                                  0x7fffffffffffffff,
                                  0x8000000000000000,
                                  0xffffffffffffffff,
                                  0xffffffff80000000,
                                  0x123456789abcdef0};
  uint64_t r = wl_splitmix64(state), pick = wl_splitmix64(state);
  if (pick >> 61 < 3) {
    return parts(r, pick);
  }
  switch (pick & 7) {
  case 0:
    return ints[r % (sizeof ints / sizeof ints[0])];
  case 1:
    return f32[r % (sizeof f32 / sizeof f32[0])] | (r >> 32 << 31);
  case 2:
    return r % 70;
  case 3:
    return before + r % 5 - 2;
  case 4: /* f32 near 1; many in the middle of two numbers of f16 and tf32, or of bf16 */
    r = (r & 0xffffffff807fffff) | (110 + (r >> 40) % 40) << 23;
    return pick & 8    ? (r & ~UINT64_C(0x1fff)) | 0x1000
           : pick & 16 ? (r & ~UINT64_C(0xffff)) | 0x8000
                       : r;
  case 5:
    return 0 - (r >> (pick >> 8 & 63));
  case 6:
    return r >> (pick >> 8 & 63);
  case 7:
    if ((pick & 8) != 0) {
      return f64[r % (sizeof f64 / sizeof f64[0])] | r >> 63 << 63;
    }
    if ((pick & 16) != 0) { /* f64 near 1 */
      return (r & 0x800fffffffffffff) | (1000 + (r >> 52) % 46) << 52;
    }
    return r;
  default:
    return r;
  }
}

void wl_form_half_pair(uint64_t *in, uint32_t set) {
  for (unsigned i = 0; i < 3; i++) {
    unsigned at = i == 0 ? set / 16 : i == 1 ? set : set * 7 + set / 16;
    const uint16_t *list = set < 256 ? k_f16 : k_bf16;
    uint64_t low = list[at % 16], high = list[(at + set / 16 * i) % 16];
    in[i] = high << 48 | low << 32 | high << 16 | low;
  }
}

void wl_form_pair(uint64_t *in, uint32_t set) {
  static const uint32_t f32[16] = {0x00000000, 0x80000000, 0x00000001, 0x807fffff,
                                   0x00800000, 0x80800001, 0x00ffffff, 0x3f000000,
                                   0x3f7fffff, 0x3f800000, 0xbf800001, 0x7f000000,
                                   0x7f7fffff, 0xff7fffff, 0x7f800000, 0x7fc00000};
  in[0] = f32[set / 16 % 16];
  in[1] = f32[set % 16];
  in[2] = f32[(set * 7 + set / 16) % 16];
}
