/* Matrices of sums (docs/microarchitecture.md 19.2, 26.4, 26.11), a row of D at a time: one pass over the exponents
 * of the products finds the largest, one cuts and adds them. Significands are floats here: a product of
 * two has at most 24 bits, so it is exact, scaling by a power of two is exact, and the conversion to an
 * integer cuts toward zero. Elements with an infinity or a NaN are wl_dot_mixed's. */
#include "cmodel/sem/dot.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

/* A zero has no exponent: this one is below every other, and so is its sum with any. */
enum { NO_EXPONENT = -4000, LEAST_SHIFT = -100 };

/* Operands, the values of eight columns or of 16 rows beside each other. */
typedef struct side {
  float value[WL_DOT_MOST_TERMS][WL_DOT_ROWS]; /* significand, with sign */
  int16_t exponent[WL_DOT_MOST_TERMS][WL_DOT_ROWS];
  bool special[WL_DOT_ROWS]; /* an infinity or a NaN is among them */
} side_t;

INLINE void take_side(side_t *s, wl_fmt_t f, unsigned vectors, unsigned count,
                      const wl_dot_values_t *x) {
  const int32_t top = (1 << f.exp_bits) - 1;
  const uint32_t magnitude = (UINT32_C(1) << (f.bits - 1)) - 1;
  for (unsigned v = 0; v < vectors; v++) {
    const int up = (x->raise != NULL ? x->raise[v] : 0) - f.bias;
    s->special[v] = false;
    for (unsigned k = 0; k < count; k++) {
      const uint32_t bits = x->first[(size_t)v * x->stride + k] >> f.low;
      const int32_t fraction = (int32_t)(bits & ((1u << f.fraction_bits) - 1));
      const int32_t exponent = (int32_t)(bits >> f.fraction_bits) & top;
      const int32_t m = fraction | (exponent != 0) << f.fraction_bits;
      s->special[v] |= f.has_infinity ? exponent == top : f.has_nan && (bits & magnitude) == f.nan;
      /* No branch: signs are random, and beside the RTL the processor does not learn them. */
      const int32_t sign = -(int32_t)(bits >> (f.bits - 1) & 1);
      s->value[k][v] = (float)((m ^ sign) - sign);
      s->exponent[k][v] = (int16_t)(m == 0 ? NO_EXPONENT : (exponent > 1 ? exponent : 1) + up);
    }
  }
}

/* The largest exponent of each column. */
INLINE void largest(const side_t *a, unsigned row, const side_t *b, unsigned count,
                    int16_t most[WL_DOT_COLUMNS]) {
  for (unsigned k = 0; k < count; k++) {
    const int16_t x = a->exponent[k][row];
    for (unsigned c = 0; c < WL_DOT_COLUMNS; c++) {
      const int16_t e = (int16_t)(x + b->exponent[k][c]);
      most[c] = e > most[c] ? e : most[c];
    }
  }
}

/* Terms from..end - 1: few enough for a sum of 32 bits. */
INLINE void add_cut(const side_t *a, unsigned row, const side_t *b, unsigned from, unsigned end,
                    int up, const int16_t most[WL_DOT_COLUMNS], int64_t total[WL_DOT_COLUMNS]) {
  int32_t sum[WL_DOT_COLUMNS] = {0};
  for (unsigned k = from; k < end; k++) {
    const int16_t x = (int16_t)(a->exponent[k][row] + up);
    const float value = a->value[k][row];
    uint32_t power[WL_DOT_COLUMNS];
    float scale[WL_DOT_COLUMNS];
    for (unsigned c = 0; c < WL_DOT_COLUMNS; c++) {
      const int16_t shift = (int16_t)(x + b->exponent[k][c] - most[c]);
      power[c] = (uint32_t)(127 + (shift > LEAST_SHIFT ? shift : LEAST_SHIFT)) << 23;
    }
    memcpy(scale, power, sizeof scale); /* 2^shift */
    for (unsigned c = 0; c < WL_DOT_COLUMNS; c++)
      sum[c] += (int32_t)(value * b->value[k][c] * scale[c]);
  }
  for (unsigned c = 0; c < WL_DOT_COLUMNS; c++)
    total[c] += sum[c];
}

/* A kind of matrix: constants where it is inlined. */
typedef struct kind {
  wl_fmt_t a, b, result;
  bool nearest;
  int up;    /* left shift of a product whose exponent is the largest */
  int lower; /* what the exponent of an addend is lowered by */
} kind_t;

/* A row, of one block: c becomes its result. A special addend's result is nobody's. */
INLINE void block_row(const wl_profile_t *p, kind_t kind, const side_t *a, unsigned row,
                      const side_t *b, unsigned count, uint32_t c[WL_DOT_COLUMNS]) {
  wl_dot_number_t addend[WL_DOT_COLUMNS];
  int16_t most[WL_DOT_COLUMNS];
  int64_t sum[WL_DOT_COLUMNS] = {0};
  for (unsigned i = 0; i < WL_DOT_COLUMNS; i++) {
    addend[i] = wl_dot_take(kind.result, c[i]);
    addend[i].exponent -= kind.lower;
    most[i] = p->lowest;
    if (addend[i].kind == WL_DOT_FINITE && addend[i].exponent > most[i])
      most[i] = (int16_t)addend[i].exponent;
  }
  largest(a, row, b, count, most);
  for (unsigned from = 0; from < count; from += WL_DOT_TERMS)
    add_cut(a, row, b, from, from + WL_DOT_TERMS < count ? from + WL_DOT_TERMS : count, kind.up,
            most, sum);
  for (unsigned i = 0; i < WL_DOT_COLUMNS; i++) {
    int64_t cut = 0;
    if (addend[i].kind == WL_DOT_FINITE) cut = (int64_t)wl_dot_cut(p->kept, &addend[i], most[i]);
    c[i] = wl_dot_round(kind.result, kind.nearest, sum[i] + (addend[i].sign ? -cut : cut),
                        most[i] - p->kept);
  }
}

/* Whether there is one block, the products that add_cut adds, below 2^(kept + 2) each, fit a sum of 32
 * bits, and a product is exact as a float, and not cut while its exponent is the largest. */
static bool fits(const wl_profile_t *p, const wl_fmt_t *a, const wl_fmt_t *b, unsigned count) {
  const int product = a->fraction_bits + b->fraction_bits;
  return count <= p->block && (uint64_t)WL_DOT_TERMS << (p->kept + 2) <= UINT64_C(1) << 31 &&
         p->kept >= product && product + 2 <= 24;
}

INLINE void matrix(const wl_profile_t *p, kind_t kind, unsigned rows, unsigned count,
                   const wl_dot_values_t *a, const wl_dot_values_t *b,
                   uint32_t (*c)[WL_DOT_COLUMNS]) {
  side_t sa, sb;
  take_side(&sa, kind.a, rows, count, a);
  take_side(&sb, kind.b, WL_DOT_COLUMNS, count, b);
  for (unsigned r = 0; r < rows; r++) {
    uint32_t before[WL_DOT_COLUMNS];
    memcpy(before, c[r], sizeof before);
    block_row(p, kind, &sa, r, &sb, count, c[r]);
    for (unsigned i = 0; i < WL_DOT_COLUMNS; i++)
      if (sa.special[r] || sb.special[i] ||
          wl_dot_take(kind.result, before[i]).kind > WL_DOT_FINITE)
        c[r][i] = wl_dot_mixed(p, count, wl_dot_from(a, r), wl_dot_from(b, i), before[i],
                               (unsigned)kind.lower);
  }
}

/* A copy of the loops for each pair of formats. */
#define MATRIX(A, B, C, NEAREST)                                                                   \
  matrix(p, (kind_t){A, B, wl_fmt_##C(), NEAREST, up, (int)lower}, rows, count, &a, &b, c)

void wl_dot_matrix_mixed(const wl_profile_t *p, unsigned rows, unsigned count, wl_dot_values_t a,
                         wl_dot_values_t b, uint32_t (*c)[WL_DOT_COLUMNS], unsigned lower) {
  const wl_fmt_t fa = wl_fmt_of(a.format), fb = wl_fmt_of(b.format);
  const wl_format_t both = a.format == b.format ? a.format : WL_NUM_FORMAT;
  const int up = p->kept - fa.fraction_bits - fb.fraction_bits;
  const bool fit = fits(p, &fa, &fb, count);
  const bool f32 = fit && p->result == WL_FORMAT_F32 && !p->nearest;
  const bool f16 = fit && p->result == WL_FORMAT_F16 && p->nearest;
  if (f32 && both == WL_FORMAT_F16) {
    MATRIX(wl_fmt_f16(), wl_fmt_f16(), f32, false);
  } else if (f32 && both == WL_FORMAT_BF16) {
    MATRIX(wl_fmt_bf16(), wl_fmt_bf16(), f32, false);
  } else if (f32 && both == WL_FORMAT_TF32) {
    MATRIX(wl_fmt_tf32(), wl_fmt_tf32(), f32, false);
  } else if (f32) {
    MATRIX(fa, fb, f32, false);
  } else if (f16 && both == WL_FORMAT_F16) {
    MATRIX(wl_fmt_f16(), wl_fmt_f16(), f16, true);
  } else if (f16) {
    MATRIX(fa, fb, f16, true);
  } else {
    for (unsigned r = 0; r < rows; r++)
      for (unsigned i = 0; i < WL_DOT_COLUMNS; i++)
        c[r][i] = wl_dot_mixed(p, count, wl_dot_from(&a, r), wl_dot_from(&b, i), c[r][i], lower);
  }
}

void wl_dot_column(const wl_profile_t *p, unsigned rows, unsigned count, wl_dot_values_t a,
                   wl_dot_values_t b, uint32_t *c, unsigned lower) {
  unsigned r = 0;
  /* The column is a matrix of one row, rows of A are its columns. */
  for (; r + WL_DOT_COLUMNS <= rows; r += WL_DOT_COLUMNS)
    wl_dot_matrix_mixed(p, 1, count, b, wl_dot_from(&a, r), (uint32_t (*)[WL_DOT_COLUMNS])(c + r),
                        lower);
  for (; r < rows; r++)
    c[r] = wl_dot_mixed(p, count, wl_dot_from(&a, r), b, c[r], lower);
}

void wl_dot_matrix(const wl_profile_t *p, unsigned rows, unsigned count,
                   const uint32_t (*a)[WL_DOT_TERMS], const uint32_t (*b)[WL_DOT_TERMS],
                   uint32_t (*c)[WL_DOT_COLUMNS]) {
  const wl_format_t format = (wl_format_t)p->format;
  wl_dot_matrix_mixed(p, rows, count, (wl_dot_values_t){format, a[0], WL_DOT_TERMS, NULL},
                      (wl_dot_values_t){format, b[0], WL_DOT_TERMS, NULL}, c, 0);
}
