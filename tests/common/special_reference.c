/* special_reference.c: see special_reference.h. */
#include "tests/common/special_reference.h"

#include <math.h>
#include <string.h>

#include "gen/wl_special.h"
#include "tests/common/splitmix.h"

enum { NOT_A_NUMBER = 0x7fffffff, UNIT_BITS = 26, PLACE_BITS = 18 };
static const int64_t UNIT = INT64_C(1) << UNIT_BITS, PLACE = INT64_C(1) << PLACE_BITS;

static float as_float(uint32_t bits) {
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}

static uint32_t as_bits(float f) {
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return bits;
}

/* floor(x / 2^bits), without a shift of a negative number. */
static int64_t floored(int64_t x, unsigned bits) {
  const int64_t divisor = INT64_C(1) << bits, rest = x % divisor;
  return x / divisor - (rest < 0 ? 1 : 0);
}

static int64_t curve(int row, int64_t d) {
  const wl_segment_t *s = &wl_special[row];
  const int64_t p = s->c1 + floored(s->c2 * d, PLACE_BITS);
  return s->c0 + floored(p * d, PLACE_BITS);
}

/* The first 24 bits of v, a multiple of 2^-26 that a double holds exactly. */
static float cut(double v) {
  int exponent;
  const double significand = frexp(v, &exponent);
  return (float)ldexp(trunc(ldexp(significand, 24)), exponent - 24);
}

static float power(float a) {
  if (fabsf(a) >= 256) return a > 0 ? INFINITY : 0.0f;
  const int64_t t = (int64_t)trunc(ldexp((double)a, 24));
  const int64_t n = floored(t, 24), f = t - n * (INT64_C(1) << 24);
  if (n > 127) return INFINITY;
  if (n < -126) return 0.0f;
  const int64_t y = curve(WL_SPECIAL_EX2 + (int)(f / PLACE), f % PLACE);
  return cut(ldexp((double)y, (int)n - UNIT_BITS));
}

static uint32_t logarithm(float a) {
  if (fabsf(a) < 0x1p-126f) return as_bits(-INFINITY);
  if (a < 0) return NOT_A_NUMBER;
  if (isinf(a)) return as_bits(a);
  int exponent;
  const double significand = 2 * frexp((double)a, &exponent);   /* from 1 to below 2 */
  const int64_t fraction = (int64_t)ldexp(significand - 1, 24); /* segment and place */
  const int64_t v =
      (exponent - 1) * UNIT + curve(WL_SPECIAL_LG2 + (int)(fraction / PLACE), fraction % PLACE);
  return v == 0 ? 0 : as_bits(cut((double)v / (double)UNIT));
}

static float tangent(float a) {
  const float m = fabsf(a);
  if (m < 0x1p-6f) return a;
  if (m >= 8) return copysignf(1, a);
  int exponent;
  const double eighths = 8 * (2 * frexp((double)m, &exponent) - 1); /* segments of an octave */
  const int segment = (int)eighths;
  const int64_t d = (int64_t)ldexp(eighths - segment, PLACE_BITS);
  const int64_t y = curve(WL_SPECIAL_TANH + 8 * (exponent - 1 + 6) + segment, d);
  return copysignf(cut((double)y / (double)UNIT), a);
}

uint32_t wl_ref_special(wl_fpu_op_t op, uint32_t a) {
  const float x = as_float(a);
  if (isnan(x)) return NOT_A_NUMBER;
  if (op == WL_FPU_FEX2) return as_bits(power(x));
  return op == WL_FPU_FLG2 ? logarithm(x) : as_bits(tangent(x));
}

/* An operand at the first or last place of a segment, or next to it. */
static uint32_t segment_end(uint64_t r, wl_fpu_op_t op) {
  const uint32_t near = (uint32_t)(r & 3) - 1;
  const uint64_t k = r >> 8;
  if (op == WL_FPU_FEX2) return as_bits((float)((int)(k % 16384) - 8192) / 64.0f) + near;
  const uint32_t sign = (uint32_t)(r >> 63) << 31;
  if (op == WL_FPU_FLG2)
    return (uint32_t)(((k & 1 ? 127 : k >> 8 & 255) << 6) + (k >> 1 & 63)) * 0x20000 + near;
  return sign | ((UINT32_C(121 * 8) + (uint32_t)(k % 73)) * 0x100000 + near);
}

uint32_t wl_special_operand(uint64_t *state, wl_fpu_op_t op) {
  static const uint32_t special[] = {0,          1,          0x7fffff,   0x800000,   0x7f7fffff,
                                     0x7f800000, 0x7f800001, 0x7fc00000, 0x7fffffff, 0x43800000,
                                     0x437fffff, 0x3c800000, 0x3c7fffff, 0x41000000, 0x40ffffff};
  const uint64_t r = wl_splitmix64(state), s = wl_splitmix64(state);
  const uint32_t sign = (uint32_t)(s >> 63) << 31;
  switch (r & 7) {
  case 0:
    return sign | special[s % (sizeof special / sizeof special[0])];
  case 1: /* powers of two and their neighbours */
    return sign | ((uint32_t)(s % 255 + 1) * 0x800000 + (uint32_t)(s >> 32) % 5 - 2);
  case 2: /* the limits of n of FEX2, and around them */
    return as_bits((s & 1 ? 128.0f : -126.0f) + (float)((int)(s >> 32 & 7) - 4) / 2) +
           (uint32_t)(s >> 40) % 5 - 2;
  case 3:
  case 4:
    return segment_end(s, op);
  case 5: /* of the magnitudes that the tables cover */
    return sign | ((uint32_t)(118 + (s >> 32) % 18) << 23 | ((uint32_t)s & 0x7fffff));
  case 6: /* near 1: logarithms near zero */
    return 0x3f800000 + ((uint32_t)s >> (s >> 32 & 31)) - ((uint32_t)(s >> 40) & 0x1ff);
  default:
    return (uint32_t)s;
  }
}
