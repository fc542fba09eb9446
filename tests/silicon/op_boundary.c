/* Operands whose result is near the smallest normal number: where an operation with .ftz must choose
 * between that number and zero (README.md). All are found with IEEE operations of the host. */
#include <math.h>
#include <string.h>

#include "tests/common/splitmix.h"
#include "tests/silicon/op.h"

/* An operation's operand kinds: b and then m (a product), s (a sum), q (a quotient), mt (a product
 * and an addend) of f32; bu one f64 that becomes an f32; ij, ijk the same of f16x2 (in both halves).
 */
static uint32_t bits_of(float f) {
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return bits;
}
static float float_of(uint32_t bits) {
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}

/* The vectors by name: products just below 2^-126, of which some round up to it. */
static const uint32_t known[][2] = {
    {0x00800001, 0x3f7ffffe}, {0x00800000, 0x3f7fffff}, {0x00800003, 0x3f7ffffa},
    {0x00800001, 0x3f7ffffd}, {0x00800002, 0x3f7ffffc}, {0x00800002, 0x3f7ffffd},
    {0x00800001, 0x3f7fffff}, {0x00ffffff, 0x3f000000}, {0x00fffffe, 0x3f000001},
    {0x00800000, 0x3f800000}, {0x20000001, 0x1ffffffe}, {0x3f800001, 0x007fffff}};
enum { KNOWN = sizeof known / sizeof known[0] };

/* Near 1 (few units above it), or any significand; a power of two such that the quotient of 2^-126
 * by it is normal. */
static uint32_t first(uint64_t z) {
  uint32_t significand = z % 4 == 0 ? (uint32_t)(z >> 8) % 16 : (uint32_t)(z >> 8) & 0x7fffff;
  uint32_t exponent = z % 4 < 2 ? 1 + (uint32_t)(z >> 32) % 3 : 1 + (uint32_t)(z >> 32) % 126;
  return (uint32_t)(z >> 63) << 31 | exponent << 23 | significand;
}

/* Few units in the last place away. */
static uint32_t beside(uint32_t bits, uint64_t z) { return bits + (uint32_t)(z % 9) - 4; }

static void f32_operands(const char *kinds, uint64_t *state, uint64_t operand[OP_OPERANDS]) {
  const float least = 0x1p-126F;
  uint64_t z = wl_splitmix64(state);
  uint32_t a = first(wl_splitmix64(state)), sign = (uint32_t)(z >> 63) << 31;
  float magnitude = fabsf(float_of(a));
  uint32_t b = beside(bits_of(least / magnitude), z >> 8) | sign, c = 0;
  if (kinds[1] == 's') { /* |a| up to 2^-120, b away from it by 2^-126 */
    a = (a & 0x80ffffff) | (uint32_t)(z % 7) << 23;
    b = beside(bits_of((z & 0x100 ? least : -least) - float_of(a)), z >> 16);
  } else if (kinds[1] == 'q') { /* dividend and divisor */
    b = (a & 0x7fffff) | (uint32_t)(127 + z % 100) << 23;
    a = beside(bits_of(least * float_of(b)), z >> 8) | sign;
  } else if (kinds[2] == 't') {
    const uint32_t small[] = {0, 0x80000000, 1, 0x80000001, 2, 0x80000002, 0x00800000, 0x80800000};
    c = small[(z >> 20) % 8];
    if (z % 2 != 0) { /* a product of any size up to 2^-100, and what it lacks of 2^-126 */
      int power = (int)((z >> 24) % 26);
      b = bits_of(ldexpf(float_of(b), power));
      c = beside(bits_of((z & 0x40000000 ? least : -least) - float_of(a) * float_of(b)), z >> 32);
    }
  }
  operand[0] = a;
  operand[1] = b;
  operand[2] = c;
}

/* The same of f16: 2^-14, 10 bits of fraction. Both halves. */
static void f16_operands(uint64_t *state, uint64_t operand[OP_OPERANDS]) {
  for (unsigned half = 0; half < 2; half++) {
    uint64_t z = wl_splitmix64(state);
    uint32_t a = (uint32_t)(1 + z % 14) << 10 |
                 ((z & 0x30000) ? (uint32_t)(z >> 32) & 0x3ff : (uint32_t)(z >> 32) % 8);
    double value = ldexp(1 + (a & 0x3ff) / 1024.0, (int)(a >> 10) - 15);
    int exponent = 0;
    double fraction = frexp(0x1p-14 / value, &exponent); /* in [0.5, 1) */
    uint32_t b = (uint32_t)((exponent + 14) * 1024) + (uint32_t)lrint((fraction * 2 - 1) * 1024);
    b += (uint32_t)(z >> 40) % 7 - 3;
    const uint32_t c[] = {0, 0x8000, 1, 0x8001, 0x0400, 0x8400, 0x0401, 0x8401};
    operand[0] |= (uint64_t)(a | (z >> 63) << 15) << 16 * half;
    operand[1] |= (uint64_t)((b & 0x7fff) | (z >> 62 & 1) << 15) << 16 * half;
    operand[2] |= (uint64_t)c[z >> 50 & 7] << 16 * half;
  }
}

void op_boundary(const op_t *op, uint32_t item, uint64_t operand[OP_OPERANDS]) {
  uint64_t state = UINT64_C(0xb0da) + (uint64_t)item * UINT64_C(0x10001);
  uint32_t named = item % KNOWN, sign = item / KNOWN % 4; /* all signs of both operands */
  if (op->operands[0] == 'i') {
    f16_operands(&state, operand);
  } else if (op->operands[1] == 'u') {
    uint64_t z = wl_splitmix64(&state);
    /* 2^-126 less or more 2^-n of it, of an f64. */
    double x = ldexp(1 + (z & 1 ? 1 : -1) * ldexp(1 + (double)(z >> 8 & 7),
                                                  -(int)(z >> 16) % 8 - 20 - (int)(z >> 24 & 15)),
                     -126);
    x = z & 2 ? -x : x;
    memcpy(&operand[0], &x, sizeof x);
  } else {
    f32_operands(op->operands, &state, operand);
    if (item < 4 * KNOWN && strchr("ms", op->operands[1]) != NULL) {
      operand[0] = known[named][0] ^ (sign & 1) << 31;
      operand[1] = op->operands[1] == 'm' ? known[named][1] ^ (sign & 2) << 30 : operand[1];
      operand[2] = 0;
    }
  }
}
