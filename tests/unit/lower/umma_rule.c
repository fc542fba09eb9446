#include "umma_rule.h"

#include <stdlib.h>

enum { KEPT = 25, LOWEST = -133, GROUPS = 4, GROUP = 16, GROUPS_KEPT = 35, GROUPS_LOWEST = -139 };
typedef unsigned __int128 wide_t;
typedef enum number_class { ZERO, FINITE, INFINITE, NOT_A_NUMBER } number_class_t;
typedef struct number { /* significand * 2^(exponent - fraction) */
  number_class_t is;
  bool minus;
  int exponent;
  unsigned fraction;
  uint32_t significand;
} number_t;

static number_t decode(const umma_type_t *t, uint32_t bits) {
  const uint32_t ones = (1u << t->exponent) - 1;
  const uint32_t fraction = bits >> t->low & ((1u << t->fraction) - 1);
  const uint32_t exponent = bits >> (t->low + t->fraction) & ones;
  number_t n = {.minus = (bits >> (t->bits - 1) & 1) != 0, .fraction = t->fraction};
  n.significand = fraction + (exponent != 0 ? 1u << t->fraction : 0);
  n.exponent = (exponent != 0 ? (int)exponent : 1) - (int)(ones >> 1);
  n.is = n.significand != 0 ? FINITE : ZERO;
  if (t->bits == 8 && t->exponent == 4) { /* e4m3 */
    if (exponent == ones && fraction == 7) n.is = NOT_A_NUMBER;
  } else if (t->bits >= 8 && exponent == ones) {
    n.is = fraction != 0 ? NOT_A_NUMBER : INFINITE;
  }
  return n;
}

static number_t times(number_t a, number_t b) {
  number_t n = {FINITE, a.minus != b.minus, a.exponent + b.exponent, a.fraction + b.fraction,
                a.significand * b.significand};
  const bool nan = a.is == NOT_A_NUMBER || b.is == NOT_A_NUMBER;
  const bool zero = a.is == ZERO || b.is == ZERO, infinite = a.is == INFINITE || b.is == INFINITE;
  if (zero) n.is = ZERO;
  if (infinite) n.is = INFINITE;
  if (nan || (zero && infinite)) n.is = NOT_A_NUMBER;
  return n;
}

/* units * 2^unit: f32 toward zero, f16 to nearest even. */
static uint32_t finish(const umma_type_t *d, bool minus, wide_t units, int unit) {
  const int bias = (1 << (d->exponent - 1)) - 1, fraction = (int)d->fraction;
  const uint32_t infinity = ((1u << d->exponent) - 1) << fraction;
  int top = unit - 1; /* exponent of the leading one */
  for (wide_t m = units; m != 0; m >>= 1)
    top++;
  if (top < 1 - bias) top = 1 - bias;
  const int drop = top - fraction - unit;
  wide_t m = drop <= 0 ? units << -drop : drop < 127 ? units >> drop : 0;
  if (d->bits == 16 && drop > 0 && drop < 127) {
    const wide_t rest = units - (m << drop), half = (wide_t)1 << (drop - 1);
    if (rest > half || (rest == half && m % 2 != 0)) m++;
  }
  if (m == 0) return 0;
  /* m may be 2^(fraction + 1); without a leading one the exponent field is 0 */
  uint64_t bits = (uint64_t)m + ((uint64_t)(top + bias - 1) << fraction);
  if (bits >= infinity) bits = infinity;
  return (uint32_t)bits | (uint32_t)minus << (d->bits - 1);
}

/* Products and an addend, all of one block. zeros: the exponent of a zero, where it counts. */
static uint32_t block(const number_t *term, unsigned terms, const umma_type_t *d, bool nan,
                      int zeros) {
  bool infinite[2] = {false, false};
  int most = LOWEST;
  for (unsigned k = 0; k < terms; k++) {
    if (term[k].is == ZERO && zeros > most) most = zeros;
    nan = nan || term[k].is == NOT_A_NUMBER;
    if (term[k].is == INFINITE) infinite[term[k].minus] = true;
    if (term[k].is == FINITE && term[k].exponent > most) most = term[k].exponent;
  }
  const uint32_t ones = (1u << (d->bits - 1)) - 1, top = (1u << d->exponent) - 1;
  if (nan || (infinite[0] && infinite[1])) return ones;
  if (infinite[0] || infinite[1])
    return top << d->fraction | (uint32_t)infinite[1] << (d->bits - 1);
  __int128 sum = 0;
  for (unsigned k = 0; k < terms; k++) {
    if (term[k].is != FINITE) continue;
    const int up = KEPT - (int)term[k].fraction - (most - term[k].exponent);
    const __int128 cut = up >= 0    ? (__int128)term[k].significand << up
                         : up > -32 ? (__int128)(term[k].significand >> -up)
                                    : 0;
    sum += term[k].minus ? -cut : cut;
  }
  return finish(d, sum < 0, (wide_t)(sum < 0 ? -sum : sum), most - KEPT);
}

static uint32_t floats(const umma_type_t *a_type, const umma_type_t *b_type, unsigned count,
                       const uint32_t *a, const uint32_t *b, const umma_type_t *d, uint32_t c,
                       unsigned lower, int zeros) {
  number_t term[33];
  for (unsigned k = 0; k < count; k++)
    term[k] = times(decode(a_type, a[k]), decode(b_type, b[k]));
  term[count] = decode(d, c);
  term[count].exponent -= (int)lower;
  return block(term, count + 1, d, false, zeros);
}

uint32_t umma_rule_float(const umma_type_t *a_type, const umma_type_t *b_type, unsigned count,
                         const uint32_t *a, const uint32_t *b, const umma_type_t *d, uint32_t c,
                         unsigned lower) {
  return floats(a_type, b_type, count, a, b, d, c, lower, LOWEST);
}

uint32_t umma_rule_zeros(const umma_type_t *a_type, const umma_type_t *b_type, unsigned count,
                         const uint32_t *a, const uint32_t *b, const umma_type_t *d, uint32_t c,
                         int zeros) {
  return floats(a_type, b_type, count, a, b, d, c, 0, zeros);
}

uint32_t umma_rule_scaled(const umma_type_t *a_type, const umma_type_t *b_type, const uint32_t *a,
                          const uint32_t *b, uint8_t a_scale, uint8_t b_scale, uint32_t c) {
  number_t term[33];
  for (unsigned k = 0; k < 32; k++) {
    term[k] = times(decode(a_type, a[k]), decode(b_type, b[k]));
    term[k].exponent += a_scale + b_scale - 254;
  }
  term[32] = decode(&umma_f32, c);
  return block(term, 33, &umma_f32, a_scale == 255 || b_scale == 255, LOWEST);
}

/* A scale as a number of eighths; ue8m0: eight of them. */
static number_t scale_of(uint8_t byte, bool ue4m3) {
  static const umma_type_t e4m3 = {0, 8, 4, 3, 0, true};
  if (ue4m3) return decode(&e4m3, byte & 0x7f);
  return (number_t){byte == 255 ? NOT_A_NUMBER : FINITE, false, byte - 127, 3, 8};
}

/* The four groups are summed exactly, in quarters, and scaled: their terms have exponents of the scales. */
uint32_t umma_rule_groups(const uint32_t *a, const uint32_t *b, const uint8_t *a_scale,
                          const uint8_t *b_scale, bool ue4m3, uint32_t c) {
  static const int halves[8] = {0, 1, 2, 3, 4, 6, 8, 12};
  const number_t addend = decode(&umma_f32, c);
  int64_t term[GROUPS];
  int exponent[GROUPS], most = GROUPS_LOWEST;
  bool nan = addend.is == NOT_A_NUMBER;
  for (unsigned g = 0; g < GROUPS; g++) {
    const number_t x = scale_of(a_scale[g], ue4m3), y = scale_of(b_scale[g], ue4m3);
    bool all_zero = true;
    int sum = 0;
    for (unsigned k = g * GROUP; k < (g + 1) * GROUP; k++) {
      const int product = halves[a[k] & 7] * halves[b[k] & 7];
      sum += ((a[k] ^ b[k]) & 8) != 0 ? -product : product;
      all_zero = all_zero && product == 0;
    }
    nan = nan || x.is == NOT_A_NUMBER || y.is == NOT_A_NUMBER;
    term[g] = (int64_t)sum * x.significand * y.significand; /* in units of 2^-8 */
    exponent[g] = x.exponent + y.exponent;
    if (!all_zero && x.is == FINITE && y.is == FINITE && exponent[g] > most) most = exponent[g];
  }
  if (nan) return 0x7fffffff;
  if (addend.is == INFINITE) return c;
  if (addend.is == FINITE && addend.exponent > most) most = addend.exponent;
  const int unit = most - GROUPS_KEPT;
  __int128 sum = 0;
  for (unsigned g = 0; g <= GROUPS; g++) {
    const int64_t v = g == GROUPS ? (int64_t)addend.significand * (addend.minus ? -1 : 1) : term[g];
    const int up = (g == GROUPS ? addend.exponent - 23 : exponent[g] - 8) - unit;
    const int64_t magnitude = v < 0 ? -v : v;
    if (v == 0) continue; /* its exponent may be above all others */
    const __int128 cut = up >= 0 ? (__int128)magnitude << up : up > -63 ? magnitude >> -up : 0;
    sum += v < 0 ? -cut : cut;
  }
  return finish(&umma_f32, sum < 0, (wide_t)(sum < 0 ? -sum : sum), unit);
}

uint32_t umma_rule_integer(const umma_type_t *a_type, const umma_type_t *b_type, unsigned count,
                           const uint32_t *a, const uint32_t *b, uint32_t c, bool saturate) {
  int64_t sum = (int32_t)c;
  for (unsigned k = 0; k < count; k++) {
    const int64_t x = a_type->is_signed ? (int8_t)a[k] : (int64_t)a[k];
    const int64_t y = b_type->is_signed ? (int8_t)b[k] : (int64_t)b[k];
    sum += x * y;
  }
  if (saturate && sum > INT32_MAX) return INT32_MAX;
  if (saturate && sum < INT32_MIN) return UINT32_C(0x80000000);
  return (uint32_t)sum;
}

uint32_t umma_encode(const umma_type_t *t, int v) {
  if (t->exponent == 0) return (uint32_t)v & ((UINT32_C(2) << (t->bits - 1)) - 1);
  if (v == 0) return 0;
  const uint32_t magnitude = (uint32_t)abs(v);
  const unsigned e = 31 - (unsigned)__builtin_clz(magnitude);
  const uint32_t bias = (1u << (t->exponent - 1)) - 1;
  const uint32_t fraction =
      (uint32_t)((uint64_t)magnitude << t->fraction >> e) & ((1u << t->fraction) - 1);
  return (uint32_t)(v < 0) << (t->bits - 1) | (e + bias) << (t->fraction + t->low) |
         fraction << t->low;
}
