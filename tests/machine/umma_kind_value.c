/* umma_kind_value.c: what the programs of umma_kind.h find in tensor memory, from docs/microarchitecture.md 26 as
 * plain loops over bits of memory. All sums are exact in f32; those in f16 are rounded once. */
#include "tests/machine/umma_kind.h"

#include <math.h>
#include <string.h>

/* ---- memories */
static uint32_t shared_word(const umma_start_t *s, uint32_t number) {
  uint32_t h = number * 0x9e3779b1u;
  h ^= h << 11 | h >> 21;
  return (h & s->bits) | s->ones;
}

/* `count` bits from a bit of shared memory on. */
uint32_t umma_shared_bits(const umma_start_t *s, uint32_t bit, uint32_t count) {
  uint32_t value = 0;
  for (uint32_t i = 0; i < count; i++, bit++)
    value |= (shared_word(s, bit / 32) >> bit % 32 & 1) << i;
  return value;
}

/* ---- elements */
typedef struct type {
  uint32_t bits, exponent, fraction, low; /* low: of an element of tensor memory, in its byte */
  int bias;                               /* of no exponent: an integer, 1: signed */
} type_t;

static const type_t half = {16, 5, 10, 0, 15}, bhalf = {16, 8, 7, 0, 127},
                    single = {32, 8, 23, 0, 127}, tf32 = {32, 8, 23, 0, 127},
                    narrow[] = {{8, 4, 3, 0, 7}, {8, 5, 2, 0, 15}, {0},
                                {6, 2, 3, 0, 1}, {6, 3, 2, 0, 3},  {4, 2, 1, 2, 1}},
                    byte[] = {{8, 0, 0, 0, 0}, {8, 0, 0, 0, 1}};

static double value_of(const type_t *type, uint32_t bits) {
  const uint32_t sign = bits >> (type->bits - 1) & 1;
  if (type == &tf32) bits &= ~UINT32_C(0x1fff);
  if (type->exponent == 0) return bits - (sign && type->bias == 1 ? 256.0 : 0);
  const uint32_t fraction = bits & ((1u << type->fraction) - 1);
  const uint32_t exponent = bits >> type->fraction & ((1u << type->exponent) - 1);
  const double m = fraction + (exponent == 0 ? 0 : ldexp(1, (int)type->fraction));
  const double v = ldexp(m, (int)(exponent == 0 ? 1 : exponent) - type->bias - (int)type->fraction);
  return sign ? -v : v;
}

static const type_t *type_of(const umma_step_t *n, uint32_t field) {
  switch (n->op & ~(uint32_t)UMMA_MASKED) {
  case UMMA_OF_F16:
    return field == 0 ? &half : &bhalf;
  case UMMA_OF_TF32:
    return &tf32;
  case UMMA_OF_I8:
    return &byte[field];
  default:
    return &narrow[field];
  }
}

/* Bytes that an element takes. */
static uint32_t size_of(const umma_step_t *n) {
  const uint32_t op = n->op & ~(uint32_t)UMMA_MASKED;
  return op == UMMA_OF_F16 ? 2 : op == UMMA_OF_TF32 ? 4 : 1;
}

/* ---- places: bit address of the chunk with element k of row r, and which of its elements that is */
static uint32_t swizzled(const uint32_t word[2], uint32_t x) {
  const uint32_t base = word[1] >> 17 & 7, h = (x / 128 - base) % 8;
  switch (word[1] >> 29) {
  case 6:
    return x ^ h % 2 * 16;
  case 4:
    return x ^ h % 4 * 16;
  case 2:
    return x ^ h * 16;
  case 1:
    return x ^ h % 4 * 32;
  default:
    return x;
  }
}

uint32_t umma_place(const uint32_t word[2], bool mn_major, uint32_t per, uint32_t r, uint32_t k,
                    uint32_t *element) {
  const uint32_t start = (word[0] & 0x3fff) * 16, lbo = (word[0] >> 16 & 0x3fff) * 16;
  const uint32_t sbo = (word[1] & 0x3fff) * 16, swizzle = word[1] >> 29;
  static const uint32_t width[8] = {16, 128, 128, 0, 64, 0, 32, 0};
  const uint32_t w = width[swizzle], v = r / per;
  *element = mn_major ? r % per : k % per;
  if (!mn_major)
    return swizzled(word, start + r % 8 * w + r / 8 * sbo + k / per * (swizzle == 0 ? lbo : 16));
  if (swizzle == 0) return start + v * sbo + k % 8 * 16 + k / 8 * lbo;
  if (swizzle == 1)
    return swizzled(word, start + v % 8 * 16 + v / 8 * lbo + k % 4 * 128 + k / 4 * sbo);
  return swizzled(word, start + v % (w / 16) * 16 + v / (w / 16) * lbo + k % 8 * w + k / 8 * sbo);
}

static double of_shared(const umma_start_t *s, const umma_step_t *n, bool of_b, uint32_t r,
                        uint32_t k) {
  const uint32_t i = n->w[5];
  const type_t *type = type_of(n, of_b ? i >> 10 & 7 : i >> 7 & 7);
  uint32_t e;
  const uint32_t at = umma_place(of_b ? n->w + 2 : n->w, (of_b ? i >> 16 & 1 : i >> 15 & 1) != 0,
                                 16 / size_of(n), r, k, &e);
  return value_of(type, umma_shared_bits(s, 8 * at + e * type->bits, type->bits));
}

static double of_tensor(const umma_start_t *s, const umma_step_t *step, size_t before, uint32_t t,
                        uint32_t k) {
  const umma_step_t *n = &step[before];
  const type_t *type = type_of(n, n->w[5] >> 7 & 7);
  const uint32_t size = size_of(n), bit = 8 * size * k + type->low;
  const uint32_t word = umma_word_after(s, step, before, t, (n->w[0] & 0xffff) + bit / 32);
  return value_of(type, (uint32_t)((uint64_t)word >> bit % 32 & ((UINT64_C(1) << type->bits) - 1)));
}

/* ---- results */
static double f32_value(uint32_t bits) { return value_of(&single, bits); }

static uint32_t f32_bits(double v) {
  const float f = (float)v;
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return bits;
}

/* To nearest even, of what is no overflow. */
static uint32_t f16_bits(double v) {
  int exponent;
  if (v == 0) return 0;
  frexp(v, &exponent);
  if (exponent < -13) exponent = -13;
  const double scaled = ldexp(fabs(v), 11 - exponent); /* below 2,048 */
  uint32_t m = (uint32_t)scaled;
  const double rest = scaled - m;
  if (rest > 0.5 || (rest == 0.5 && m % 2 != 0)) m++;
  return (v < 0 ? 0x8000u : 0) + ((uint32_t)(exponent + 13) << 10) + m;
}

static uint32_t s32_bits(double v, bool clamped) {
  if (clamped && v > 2147483647) v = 2147483647;
  if (clamped && v < -2147483648.0) v = -2147483648.0;
  return (uint32_t)(int64_t)v;
}

static uint32_t product(const umma_start_t *s, const umma_step_t *step, size_t before, uint32_t t,
                        uint32_t row, uint32_t column, uint32_t d) {
  const umma_step_t *n = &step[before];
  const uint32_t i = n->w[5], of_d = i >> 4 & 3;
  double sum = 0;
  for (uint32_t k = 0; k < 32 / size_of(n); k++) {
    double a = n->ta ? of_tensor(s, step, before, t, k) : of_shared(s, n, false, row, k);
    double b = of_shared(s, n, true, column, k);
    if ((i >> 13 & 1) != 0) a = -a;
    if ((i >> 14 & 1) != 0) b = -b;
    sum += a * b;
  }
  if (n->adds && of_d == 2) sum += d < 0x80000000u ? d : d - 4294967296.0;
  if (n->adds && of_d < 2)
    sum += ldexp(of_d == 1 ? f32_value(d) : value_of(&half, d & 0xffff), -(int)n->e);
  if (of_d == 2) return s32_bits(sum, (i >> 3 & 1) != 0);
  return of_d == 1 ? f32_bits(sum) : f16_bits(sum);
}

/* ---- commands on a word of tensor memory */
static const uint32_t masked[4] = {MASK0, MASK1, MASK2, MASK3};

static uint32_t after_product(const umma_start_t *s, const umma_step_t *step, size_t before,
                              uint32_t t, uint32_t column) {
  const umma_step_t *n = &step[before];
  const uint32_t d = n->w[4], first = d & 0xffff, columns = (n->w[5] >> 17 & 63) * 8;
  const uint32_t word = umma_word_after(s, step, before, t, column), lane = t % 32;
  uint32_t row = t;
  if (column < first || column >= first + columns) return word;
  if ((n->op & UMMA_MASKED) != 0 && (masked[t / 32] >> lane & 1) != 0) return word;
  if (n->w[5] >> 24 == 4) { /* M = 64 */
    if (lane / 16 != (d >> 20 & 1)) return word;
    row = t / 32 * 16 + lane % 16;
  }
  return product(s, step, before, t, row, column - first, word);
}

static uint32_t after_copy(const umma_start_t *s, const umma_step_t *step, size_t before,
                           uint32_t t, uint32_t column) {
  const umma_step_t *n = &step[before];
  const uint32_t shape = n->e & 7, first = n->w[2] & 0xffff, q = t / 32, lane = t % 32;
  const uint32_t row_of[6] = {t, q, t, 32 * (q % 2) + lane, 32 * (q / 2) + lane, lane};
  uint32_t element, word = 0;
  if (column < first || column >= first + (shape < 2 ? 8 : 4) ||
      (shape == 1 && lane != n->w[2] >> 16))
    return umma_word_after(s, step, before, t, column);
  const uint32_t w = column - first; /* words of a chunk count as elements of four bytes */
  const uint32_t at = 8 * umma_place(n->w, false, 4, row_of[shape], w, &element);
  for (uint32_t i = 0; i < 4; i++) {
    const uint32_t number = 4 * element + i;
    uint32_t byte_of_it = umma_shared_bits(s, at + 8 * number, 8);
    if ((n->e >> 3 & 3) == 1) byte_of_it = umma_shared_bits(s, at + 6 * number, 6);
    if ((n->e >> 3 & 3) == 2) byte_of_it = umma_shared_bits(s, at + 4 * number, 4) << 2;
    word |= byte_of_it << 8 * i;
  }
  return word;
}

static uint32_t after_shift(const umma_start_t *s, const umma_step_t *step, size_t before,
                            uint32_t t, uint32_t column) {
  const uint32_t at = step[before].w[0], first = at & 0xffff;
  const bool moves = column >= first && column < first + 8 && t / 32 == at >> 21 && t % 32 != 31;
  return umma_word_after(s, step, before, moves ? t + 1 : t, column);
}

/* Behind the first `count` commands. */
uint32_t umma_word_after(const umma_start_t *s, const umma_step_t *step, size_t count, uint32_t t,
                         uint32_t column) {
  if (count == 0) {
    if (column >= s->a && column < s->a + 8) return shared_word(s, 8 * t + column - s->a);
    if (column >= s->scales && column < s->scales + 8)
      return (shared_word(s, 8 * t + column - s->scales) & s->scale_bits) | s->scale_ones;
    if (s->first == F16_FIRST) return s->first + ((t % 8 + column % 8) << 6);
    return s->first + ((8 * t + column) << 13);
  }
  if ((step[count - 1].op & UMMA_SCALED) != 0)
    return umma_after_scaled(s, step, count - 1, t, column);
  switch (step[count - 1].op) {
  case UMMA_CP:
    return after_copy(s, step, count - 1, t, column);
  case UMMA_SHIFT:
    return after_shift(s, step, count - 1, t, column);
  default:
    return after_product(s, step, count - 1, t, column);
  }
}

uint32_t umma_steps_folded(const umma_start_t *start, const umma_step_t *step, size_t count,
                           uint32_t t) {
  uint32_t sum = 0;
  for (uint32_t c = 0; c < 64; c++)
    sum = 3 * sum + umma_word_after(start, step, count, t, c);
  return sum;
}
