#include "tests/silicon/halves.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double half_value(uint32_t bits, unsigned fraction) {
  unsigned top = (1u << (15 - fraction)) - 1, exponent = bits >> fraction & top;
  int bias = (int)(top / 2), unit = (exponent == 0 ? 1 : (int)exponent) - bias - (int)fraction;
  uint32_t significand = bits & ((1u << fraction) - 1);
  double value = ldexp(significand + (exponent != 0 ? 1u << fraction : 0u), unit);
  if (exponent == top) {
    value = significand != 0 ? (double)NAN : (double)INFINITY;
  }
  return bits >> 15 & 1 ? -value : value;
}

static uint32_t encode(double value, unsigned fraction, bool cut) {
  unsigned top = (1u << (15 - fraction)) - 1;
  uint32_t sign = signbit(value) ? 0x8000 : 0, infinity = top << fraction;
  int exponent = 0, bias = (int)(top / 2);
  if (isnan(value)) {
    return 0x7fff;
  }
  if (isinf(value) || value == 0) {
    return sign | (value != 0 ? infinity : 0);
  }
  (void)frexp(value, &exponent); /* magnitude in [0.5, 1) * 2^exponent */
  int field = exponent - 1 + bias;
  int unit = (field < 1 ? 1 : field) - bias - (int)fraction;
  double scaled = ldexp(fabs(value), -unit);
  uint32_t bits = (uint32_t)(cut ? trunc(scaled) : nearbyint(scaled));
  bits += field < 1 ? 0 : (uint32_t)(field - 1) << fraction;
  return sign | (bits > infinity ? infinity : bits);
}

uint32_t half_bits(double value, unsigned fraction) { return encode(value, fraction, false); }
uint32_t half_cut(double value, unsigned fraction) { return encode(value, fraction, true); }

/* The double next to a sum whose last bit says that it is not exact, so that rounding it again
 * rounds the sum. */
double half_sum(double x, double y) {
  double sum = x + y, part = sum - x, rest = (x - (sum - part)) + (y - part);
  uint64_t bits;
  memcpy(&bits, &sum, sizeof bits);
  if (isfinite(sum) && rest != 0 && (bits & 1) == 0) {
    sum = nextafter(sum, rest > 0 ? (double)INFINITY : -(double)INFINITY);
  }
  return sum;
}

uint32_t half_add(uint32_t a, uint32_t b, unsigned fraction) {
  return half_bits(half_sum(half_value(a, fraction), half_value(b, fraction)), fraction);
}

uint32_t half_fma(uint32_t a, uint32_t b, uint32_t c, unsigned fraction) {
  double product = half_value(a, fraction) * half_value(b, fraction); /* exact */
  return half_bits(half_sum(product, half_value(c, fraction)), fraction);
}

/* ---- Tables. */

const halves_t *halves_at(unsigned index) {
  static const halves_t tables[] = {{"ex2.approx.f16", exp2, 10, false, true},
                                    {"tanh.approx.f16", tanh, 10, false, false},
                                    {"ex2.approx.ftz.bf16", exp2, 7, true, true},
                                    {"tanh.approx.bf16", tanh, 7, false, false}};
  return index < sizeof tables / sizeof tables[0] ? &tables[index] : NULL;
}

static double operand_of(const halves_t *h, uint32_t bits) {
  bool flushed = h->flush && (bits & 0x7fff) < 1u << h->fraction;
  return flushed ? 0 : half_value(bits, h->fraction);
}

/* ex2: the fraction of the operand has 23 bits, so that smaller operands give 1; the f32 result is
 * cut to 16 bits, of bf16 flushed. */
uint32_t halves_rule(const halves_t *h, uint32_t operand) {
  double x = operand_of(h, operand);
  float y = fabs(x) < 0x1p-23 ? 1 : (float)h->right(x);
  uint32_t bits = half_cut((double)y, h->fraction);
  return h->flush && bits < 1u << h->fraction ? 0 : bits;
}

static char difference(const halves_t *h, uint32_t operand, uint32_t result) {
  uint32_t want = half_bits(h->right(operand_of(h, operand)), h->fraction);
  int by = (int)(result & 0x7fff) - (int)(want & 0x7fff);
  return (char)((result ^ want) >> 15 != 0 || by > 25 || by < -26 ? '?'
                : by >= 0                                         ? 'a' + by
                                                                  : 'Z' + 1 + by);
}

void halves_text(const halves_t *h, const uint64_t *result, char text[HALVES_TEXT]) {
  size_t used = 0;
  for (unsigned i = 0, run = 0; i < HALVES; i += run) {
    char c = difference(h, i, (uint32_t)result[i]);
    run = 1;
    while ((i + run) % 1024 != 0 && difference(h, i + run, (uint32_t)result[i + run]) == c) {
      run++;
    }
    used += (size_t)snprintf(text + used, HALVES_TEXT - used, run > 1 ? "%c%u" : "%c", c, run);
    if ((i + run) % 1024 == 0) {
      used += (size_t)snprintf(text + used, HALVES_TEXT - used, "\n");
    }
  }
}
