/* Sums of products as the tensor unit makes them (docs/microarchitecture.md 19.2, isa/def/numerics.def). */
#ifndef WL_CMODEL_SEM_DOT_H
#define WL_CMODEL_SEM_DOT_H

#include <stddef.h>

#include "gen/wl_numerics.h"

enum { WL_DOT_ROWS = 16, WL_DOT_COLUMNS = 8, WL_DOT_TERMS = 16, WL_DOT_MOST_TERMS = 32 };

/* One element of D: the sum of `count` products and c, block by block. a, b: one value in each word, as
 * it stands in a register of its format (tf32: bits 31:13). Any number of terms. */
uint32_t wl_dot(const wl_profile_t *p, unsigned count, const uint32_t *a, const uint32_t *b,
                uint32_t c);

/* Rows of A or columns of B, of a format of their own (26.4). */
typedef struct wl_dot_values {
  wl_format_t format;
  const uint32_t *first; /* the terms of a row of A or a column of B stand one behind the other */
  unsigned stride;       /* from one row or column to the next */
  const int16_t *raise;  /* each product of the row or column counts * 2^raise (26.11); NULL: * 1 */
} wl_dot_values_t;

/* The values from row or column v on. */
static inline wl_dot_values_t wl_dot_from(const wl_dot_values_t *x, unsigned v) {
  return (wl_dot_values_t){x->format, x->first + (size_t)v * x->stride, x->stride,
                           x->raise != NULL ? x->raise + v : NULL};
}

/* wl_dot of a row of A and a column of B, with the sum of the products and c * 2^-lower, exactly (25.7). The
 * profile's format is not looked at. */
uint32_t wl_dot_mixed(const wl_profile_t *p, unsigned count, wl_dot_values_t a, wl_dot_values_t b,
                      uint32_t c, unsigned lower);

/* A matrix of `rows` rows and eight columns of them, in place of c. count: at most WL_DOT_TERMS. */
void wl_dot_matrix(const wl_profile_t *p, unsigned rows, unsigned count,
                   const uint32_t (*a)[WL_DOT_TERMS], const uint32_t (*b)[WL_DOT_TERMS],
                   uint32_t (*c)[WL_DOT_COLUMNS]);

/* The same of wl_dot_mixed, and up to WL_DOT_MOST_TERMS of them. */
void wl_dot_matrix_mixed(const wl_profile_t *p, unsigned rows, unsigned count, wl_dot_values_t a,
                         wl_dot_values_t b, uint32_t (*c)[WL_DOT_COLUMNS], unsigned lower);

/* A column of them, any number of rows. */
void wl_dot_column(const wl_profile_t *p, unsigned rows, unsigned count, wl_dot_values_t a,
                   wl_dot_values_t b, uint32_t *c, unsigned lower);

/* ---- parts, of which both of these and the explanation of an element are made */
typedef enum wl_dot_class {
  WL_DOT_ZERO,
  WL_DOT_FINITE,
  WL_DOT_INFINITE,
  WL_DOT_NAN
} wl_dot_class_t;

/* (-1)^sign * significand * 2^(exponent - fraction) */
typedef struct wl_dot_number {
  wl_dot_class_t kind;
  bool sign;
  int exponent;
  unsigned fraction;
  uint32_t significand;
} wl_dot_number_t;

static inline wl_dot_number_t wl_dot_take(wl_fmt_t f, uint32_t bits) {
  const unsigned top = (1u << f.exp_bits) - 1;
  const uint32_t pattern = bits >> f.low & (uint32_t)((UINT64_C(1) << (f.bits - f.sign_bits)) - 1);
  const uint32_t fraction = pattern & ((1u << f.fraction_bits) - 1);
  const unsigned exponent = pattern >> f.fraction_bits;
  wl_dot_number_t n = {.kind = pattern != 0 ? WL_DOT_FINITE : WL_DOT_ZERO,
                       .sign = (bits >> (f.low + f.bits - 1) & f.sign_bits) != 0,
                       .exponent = (exponent > 1 ? (int)exponent : 1) - f.bias,
                       .fraction = f.fraction_bits,
                       .significand = fraction | (exponent != 0 ? 1u << f.fraction_bits : 0)};
  if (f.has_infinity && exponent == top)
    n.kind = fraction != 0 ? WL_DOT_NAN : WL_DOT_INFINITE;
  else if (f.has_nan && pattern == f.nan)
    n.kind = WL_DOT_NAN;
  return n;
}

/* Exact and not normalised. */
wl_dot_number_t wl_dot_product(wl_dot_number_t a, wl_dot_number_t b);
/* The magnitude of a finite number, cut to a multiple of 2^(largest - kept), in units of it. */
static inline uint64_t wl_dot_cut(int kept, const wl_dot_number_t *n, int largest) {
  const int left = kept - (int)n->fraction - (largest - n->exponent);
  if (left >= 0) return (uint64_t)n->significand << left;
  return left > -32 ? n->significand >> -left : 0;
}

/* sum * 2^unit in a format: rounded to nearest even, or cut. */
static inline uint32_t wl_dot_round(wl_fmt_t f, bool nearest, int64_t sum, int unit) {
  const uint64_t magnitude = sum < 0 ? 0 - (uint64_t)sum : (uint64_t)sum;
  const uint32_t infinity = ((1u << f.exp_bits) - 1) << f.fraction_bits;
  if (magnitude == 0) return 0;
  int exponent = unit + 63 - __builtin_clzll(magnitude);
  if (exponent < 1 - f.bias) exponent = 1 - f.bias;
  const int drop = exponent - f.fraction_bits - unit;
  uint64_t kept = drop > 63 ? 0 : drop >= 0 ? magnitude >> drop : magnitude << -drop;
  if (nearest && drop > 0 && drop <= 63) {
    const uint64_t half = UINT64_C(1) << (drop - 1), rest = magnitude & (2 * half - 1);
    kept += rest > half || (rest == half && (kept & 1) != 0);
  }
  /* The leading one of `kept` adds one to the exponent field. */
  const uint64_t bits = kept + ((uint64_t)(exponent + f.bias - 1) << f.fraction_bits);
  if (bits == 0) return 0;
  return (bits >= infinity ? infinity : (uint32_t)bits) | (uint32_t)(sum < 0) << (f.bits - 1);
}

#endif
