/* Operands of the operations, by their kinds (op_rows.h). */
#include <string.h>

#include "tests/common/splitmix.h"
#include "tests/silicon/op.h"

static const uint32_t f32_special[] = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000,
    0x00800001, 0x3f7fffff, 0x3f800000, 0xbf800000, 0x3f800001, 0x40000000, 0x3f000000, 0x3fc00000,
    0xbfc00000, 0x4b000000, 0x4b7fffff, 0xcb800000, 0x4f000000, 0xcf000000, 0x4f800000, 0x5f000000,
    0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, 0x7f800001, 0xff801234};
static const uint32_t int_special[] = {
    0,          1,          2,          0xffffffff, 0xfffffffe, 0x7fffffff, 0x80000000, 0x80000001,
    0x0000ffff, 0x00010000, 0x00ffffff, 0x01000000, 0xff800000, 0x12345678, 31,         32};
static const uint32_t shift_special[] = {0,  1,   2,   7,   8,   15,         16,
                                         23, 24,  30,  31,  32,  33,         63,
                                         64, 127, 128, 255, 256, 0x80000000, 0xffffffff};
static const uint16_t f16_special[] = {0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x0400, 0x8400,
                                       0x3bff, 0x3c00, 0xbc00, 0x3c01, 0x4000, 0x3800, 0x7bff,
                                       0xfbff, 0x7c00, 0xfc00, 0x7e00, 0xfe01, 0x7c01};
static const uint16_t bf16_special[] = {0x0000, 0x8000, 0x0001, 0x8001, 0x007f, 0x0080, 0x8080,
                                        0x3f7f, 0x3f80, 0xbf80, 0x3f81, 0x4000, 0x3f00, 0x7f7f,
                                        0xff7f, 0x7f80, 0xff80, 0x7fc0, 0xffc1, 0x7f81};
/* NaN, of which some mean "out of bounds", and a few others. */
static const uint16_t oob_special[] = {0x7ff7, 0xfff7, 0x7fff, 0xffff, 0x7ff6, 0x7ff8,
                                       0xfff6, 0x7fc0, 0x7e00, 0x7f80, 0x7c00, 0xfc00,
                                       0x3c00, 0xbf80, 0x0000, 0x8000};
#define COUNT(a) (sizeof(a) / sizeof(a)[0])

static uint64_t widen(uint32_t f32) { /* bits of the f64 of the same value, NaN payloads kept */
  uint64_t sign = (uint64_t)(f32 >> 31) << 63, low = (uint64_t)(f32 & 0x7fffff) << 29;
  uint32_t exponent = f32 >> 23 & 255;
  if (exponent == 255) {
    return sign | UINT64_C(0x7ff) << 52 | low;
  }
  return sign | (exponent == 0 ? low : ((uint64_t)exponent + 896) << 52 | low);
}

/* Of packed 16-bit numbers: each a special one, but not the same. */
static size_t packed(char kind, size_t i, uint64_t *out) {
  const uint16_t *t = kind == 'o'                  ? oob_special
                      : strchr("xX", kind) != NULL ? f16_special
                                                   : bf16_special;
  size_t count = kind == 'o' ? COUNT(oob_special) : COUNT(f16_special), step = kind == 'o' ? 5 : 7;
  if (strchr("XY", kind) == NULL) {
    *out = (uint32_t)t[(i + step) % count] << 16 | t[i % count];
    return count;
  }
  *out = 0;
  for (size_t k = 0; k < 4; k++) {
    *out = *out << 16 | t[(i + step * k) % count];
  }
  return count;
}

/* The special values of a kind; their number. */
static size_t special(char kind, size_t i, uint64_t *out) {
  switch (kind) {
  case 'f':
    *out = f32_special[i % COUNT(f32_special)];
    return COUNT(f32_special);
  case 'd':
    *out = widen(f32_special[i % COUNT(f32_special)]);
    return COUNT(f32_special);
  case 's':
    *out = shift_special[i % COUNT(shift_special)];
    return COUNT(shift_special);
  case 'h':
    *out = f16_special[i % COUNT(f16_special)];
    return COUNT(f16_special);
  case 'g':
    *out = bf16_special[i % COUNT(bf16_special)];
    return COUNT(bf16_special);
  case 'x':
  case 'y':
  case 'X':
  case 'Y':
  case 'o':
    return packed(kind, i, out);
  case 'F':
    *out = (uint64_t)f32_special[(i + 11) % COUNT(f32_special)] << 32 |
           f32_special[i % COUNT(f32_special)];
    return COUNT(f32_special);
  case 'l':
    *out = (uint64_t)int_special[i / 4 % COUNT(int_special)] << (i % 4 == 1 ? 32 : 0);
    *out = i % 4 == 2 ? (uint64_t)(int64_t)(int32_t)*out : i % 4 == 3 ? ~*out : *out;
    return 4 * COUNT(int_special);
  default:
    *out = int_special[i % COUNT(int_special)];
    return COUNT(int_special);
  }
}

static uint32_t random_f32(uint64_t *state, uint32_t other) {
  uint64_t z = wl_splitmix64(state);
  uint32_t bits = (uint32_t)(z >> 32), sign = bits & 0x80000000, fraction = bits & 0x7fffff;
  switch (z % 8) {
  case 0:
    return bits;
  case 1:
    return sign | (0x3e000000 + (bits & 0x01ffffff)); /* near 1 */
  case 2:
    return sign | fraction >> (z >> 8) % 23; /* subnormal */
  case 3:
    return sign | ((other & 0x7f800000) + (((uint32_t)z >> 8 & 3) << 23)) % 0x7f800000 | fraction;
  case 4:
    return sign | (0x3f800000 + (((uint32_t)z >> 8 & 31) << 23)) | /* few bits */
           (1u << (z >> 16) % 23) | (1u << (z >> 24) % 23);
  case 5:
    return sign | (1 + ((uint32_t)z >> 8) % 30) << 23 | fraction; /* tiny */
  case 6:
    return sign | (225 + ((uint32_t)z >> 8) % 30) << 23 | fraction; /* large */
  default:
    return sign | (110 + ((uint32_t)z >> 8) % 60) << 23 | fraction; /* moderate */
  }
}

static uint64_t random_of(char kind, uint64_t *state, uint64_t other) {
  uint64_t z = wl_splitmix64(state);
  switch (kind) {
  case 'f':
    return random_f32(state, (uint32_t)other);
  case 'd': /* spread over all exponents, or near an f32 */
    return z % 2 != 0 ? wl_splitmix64(state)
                      : widen(random_f32(state, (uint32_t)(other >> 29))) ^ (z >> 36);
  case 's':
    return z % 8 == 0 ? z >> 32 : z % 8 < 6 ? (z >> 32) % 33 : (z >> 32) % 70;
  case 'h':
  case 'g':
  case 'e':
    return z >> 48;
  case 'x':
  case 'y':
  case 'o':
    return z >> 32;
  case 'F':
    z = (uint64_t)random_f32(state, (uint32_t)(other >> 32)) << 32;
    return z | random_f32(state, (uint32_t)other);
  case 'X':
  case 'Y':
    return wl_splitmix64(state);
  case 'l':
    return z % 4 == 0   ? wl_splitmix64(state) >> (z >> 8) % 64
           : z % 4 == 1 ? (uint64_t)((int64_t)wl_splitmix64(state) >> (z >> 8) % 64)
           : z % 4 == 2 ? UINT64_C(1) << (z >> 8) % 64
                        : wl_splitmix64(state);
  default:
    z = wl_splitmix64(state) >> 32 | z << 32;
    return z >> 32 & 3 ? (uint32_t)z : (uint32_t)((int32_t)z >> (z >> 40) % 32);
  }
}

void op_item(const op_t *op, uint32_t item, uint64_t operand[OP_OPERANDS]) {
  uint64_t state = UINT64_C(0x5157) + (uint64_t)item * UINT64_C(0x10001), unused = 0;
  size_t rest = item, arity = strlen(op->operands);
  operand[0] = operand[1] = operand[2] = 0;
  if (op_is_boundary(op->operands)) {
    op_boundary(op, item, operand);
    return;
  }
  if (arity == 1 && strchr("hge", op->operands[0]) != NULL) {
    operand[0] = item; /* each of them */
    return;
  }
  for (size_t k = 0; k < arity; k++) {
    size_t count = special(op->operands[k], 0, &unused);
    (void)special(op->operands[k], rest % count, &operand[k]);
    rest /= count;
  }
  bool all = rest == 0; /* a combination of special values */
  for (size_t k = 0; k < arity && !all; k++) {
    operand[k] = random_of(op->operands[k], &state, k != 0 ? operand[k - 1] : 0);
  }
  if (!all && strcmp(op->operands, "fff") == 0 && item % 4 == 0) {
    /* An addend that nearly cancels the product. */
    float x, y, z;
    uint32_t a = (uint32_t)operand[0], b = (uint32_t)operand[1], c = 0;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    z = -(x * y);
    memcpy(&c, &z, sizeof c);
    operand[2] = z != z ? operand[2] : (uint32_t)(c + (item >> 2) % 5 - 2);
  }
}
