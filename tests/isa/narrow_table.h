/* The numbers of a small format in order, as doubles, made from the meaning of the format alone: what
 * conversions of f32 into it are judged by. Widths, largest numbers and NaN stand here again. */
#ifndef WL_TESTS_ISA_NARROW_TABLE_H
#define WL_TESTS_ISA_NARROW_TABLE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "gen/wl_format.h"

typedef struct narrow_kind {
  const char *name;
  wl_format_t format;
  int exponent, fraction, bias;
  uint32_t largest, nan; /* nan: what a NaN becomes */
  unsigned random;       /* bits that round stochastically */
  unsigned up;           /* where the number of a stands */
} narrow_kind_t;

static const narrow_kind_t narrow_kind[] = {
    {"e4m3", WL_FORMAT_E4M3, 4, 3, 7, 0x7e, 0x7f, 16, 8},
    {"e5m2", WL_FORMAT_E5M2, 5, 2, 15, 0x7b, 0x7f, 16, 8},
    {"e2m3", WL_FORMAT_E2M3, 2, 3, 1, 0x1f, 0x1f, 16, 8},
    {"e3m2", WL_FORMAT_E3M2, 3, 2, 3, 0x1f, 0x1f, 16, 8},
    {"e2m1", WL_FORMAT_E2M1, 2, 1, 1, 0x7, 0x7, 8, 4},
    {"f16", WL_FORMAT_F16, 5, 10, 15, 0x7bff, 0x7fff, 13, 16},
    {"bf16", WL_FORMAT_BF16, 8, 7, 127, 0x7f7f, 0x7fff, 16, 16}};
enum { NARROW_SMALL = 5, NARROW_KINDS = 7, NARROW_NUMBERS = 0x8001 };

/* Numbers of ascending patterns up to the one that would follow the largest. */
typedef struct narrow_table {
  const narrow_kind_t *kind;
  double number[NARROW_NUMBERS];
} narrow_table_t;

static inline void narrow_make(narrow_table_t *table, const narrow_kind_t *k) {
  table->kind = k;
  for (uint32_t v = 0; v <= k->largest + 1; v++) {
    const int exponent = (int)(v >> k->fraction);
    const double fraction = ldexp(v & ((1u << k->fraction) - 1), -k->fraction);
    table->number[v] =
        exponent == 0 ? ldexp(fraction, 1 - k->bias) : ldexp(1 + fraction, exponent - k->bias);
  }
}

/* The last pattern whose number is not above x; x is below the end of the table. */
static inline uint32_t narrow_below(const narrow_table_t *table, double x) {
  uint32_t low = 0, high = table->kind->largest + 1;
  while (high - low > 1) {
    const uint32_t middle = (low + high) / 2;
    if (table->number[middle] <= x)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static inline uint32_t narrow_sign(const narrow_kind_t *k, bool negative) {
  return (uint32_t)negative << (k->exponent + k->fraction);
}

/* To nearest even, clamped. */
static inline uint32_t narrow_nearest(const narrow_table_t *table, float x) {
  const narrow_kind_t *k = table->kind;
  const double size = fabs((double)x);
  if (isnan(x)) return k->nan;
  if (size >= table->number[k->largest]) return narrow_sign(k, signbit(x)) | k->largest;
  const uint32_t v = narrow_below(table, size);
  const double under = size - table->number[v], over = table->number[v + 1] - size;
  return narrow_sign(k, signbit(x)) | (v + (under > over || (under == over && (v & 1))));
}

/* floor(f * 2^n) of the document, f the part of the way from the number below to the next. */
static inline uint32_t narrow_part(const narrow_table_t *table, double size, uint32_t below) {
  const double step = table->number[below + 1] - table->number[below];
  return (uint32_t)floor(ldexp((size - table->number[below]) / step, (int)table->kind->random));
}

static inline uint32_t narrow_stochastic(const narrow_table_t *table, float x, uint32_t bits) {
  const narrow_kind_t *k = table->kind;
  const uint32_t all = (1u << k->random) - 1, sign = narrow_sign(k, signbit(x));
  const bool infinity = k->exponent + k->fraction == 15;
  const double size = fabs((double)x);
  uint32_t v = k->largest + 1;
  if (isnan(x)) return k->nan;
  if (size < table->number[v]) {
    v = narrow_below(table, size);
    v += narrow_part(table, size, v) + (bits & all) > all;
  }
  return sign | (v <= k->largest ? v : infinity ? k->largest + 1 : k->largest);
}

#endif
