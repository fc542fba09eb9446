/* form_operands.c: see form_operands.h. */
#include "tests/oracle/form_operands.h"

#include "tests/common/splitmix.h"

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

void wl_form_pair(uint64_t *in, uint32_t set) {
  static const uint32_t f32[16] = {0x00000000, 0x80000000, 0x00000001, 0x807fffff,
                                   0x00800000, 0x80800001, 0x00ffffff, 0x3f000000,
                                   0x3f7fffff, 0x3f800000, 0xbf800001, 0x7f000000,
                                   0x7f7fffff, 0xff7fffff, 0x7f800000, 0x7fc00000};
  in[0] = f32[set / 16 % 16];
  in[1] = f32[set % 16];
  in[2] = f32[(set * 7 + set / 16) % 16];
}
