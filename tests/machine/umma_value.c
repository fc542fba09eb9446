/* umma_value.c: what the programs of umma_cases.h find in tensor memory, from docs/microarchitecture.md 25.3 and
 * 25.7 as plain loops. All sums are exact: small multiples of 2^-10, or 2^-18 where D is scaled. */
#include <math.h>
#include <string.h>

#include "tests/machine/umma_cases.h"

/* Element k of row r. */
static double element(const uint32_t word[2], bool mn_major, uint32_t r, uint32_t k, bool bf16) {
  uint32_t number;
  const uint32_t chunk = umma_place(word, mn_major, 8, r, k, &number), address = chunk + 2 * number;
  uint32_t h = address / 4 * 0x9e3779b1u;
  h ^= h << 11 | h >> 21;
  h >>= 8 * (address % 4);
  const double magnitude = 1 + (bf16 ? h >> 5 & 3 : h >> 8 & 3) / 4.0;
  return (h >> 15 & 1) != 0 ? -magnitude : magnitude;
}

static uint32_t f32_bits(double v) {
  const float f = (float)v;
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return bits;
}

static double f32_value(uint32_t bits) {
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}

/* Of normal numbers and zero. */
static uint32_t f16_bits(double v) {
  int exponent;
  if (v == 0) return 0;
  const double m = frexp(fabs(v), &exponent); /* 0.5 to 1 */
  return (v < 0 ? 0x8000u : 0) | (uint32_t)(exponent + 14) << 10 | ((uint32_t)ldexp(m, 11) & 0x3ff);
}

static double f16_value(uint32_t bits) {
  const uint32_t exponent = bits >> 10 & 31;
  const double m = exponent == 0 ? 0 : ldexp(1024 + (bits & 0x3ff), (int)exponent - 25);
  return (bits & 0x8000) != 0 ? -m : m;
}

static uint32_t product(const umma_command_t *n, uint32_t row, uint32_t column, uint32_t before) {
  const bool bf16 = (n->i >> 7 & 1) != 0, f32 = (n->i >> 4 & 1) != 0;
  double sum = 0;
  for (uint32_t k = 0; k < 16; k++) {
    double a = element(n->a, (n->i >> 15 & 1) != 0, row, k, bf16);
    double b = element(n->b, (n->i >> 16 & 1) != 0, column, k, bf16);
    if ((n->i >> 13 & 1) != 0) a = -a;
    if ((n->i >> 14 & 1) != 0) b = -b;
    sum += a * b;
  }
  if (n->adds) sum += ldexp(f32 ? f32_value(before) : f16_value(before & 0xffff), -(int)n->e);
  return f32 ? f32_bits(sum) : f16_bits(sum);
}

static uint32_t after(const umma_command_t *n, uint32_t t, uint32_t column, uint32_t before) {
  const uint32_t first = n->d & 0xffff, columns = (n->i >> 17 & 63) * 8, lane = t % 32;
  uint32_t row = t;
  if (column < first || column >= first + columns) return before;
  if ((n->masked[t / 32] >> lane & 1) != 0) return before;
  if (n->i >> 24 == 4) { /* M = 64 */
    if (lane / 16 != (n->d >> 20 & 1)) return before;
    row = t / 32 * 16 + lane % 16;
  }
  return product(n, row, column - first, before);
}

uint32_t umma_folded(const umma_command_t *command, size_t count, bool halves, uint32_t columns,
                     uint32_t t) {
  uint32_t sum = 0;
  for (uint32_t c = 0; c < columns; c++) {
    uint32_t word = halves ? UMMA_F16_LABEL(t, c) : 0x3f800000 + ((8 * t + c) << 13);
    for (size_t n = 0; n < count; n++)
      word = after(&command[n], t, c, word);
    sum = 3 * sum + word;
  }
  return sum;
}
