/* umma_scale_value.c: what products with block scales give (umma_scale.h), from docs/microarchitecture.md 19.2 and
 * 26.9 to 26.11 as plain loops: every number, also those that are none. */
#include "tests/machine/umma_scale.h"

#include <math.h>

enum { MOST_TERMS = 33, NAN_BITS = 0x7fffffff, INFINITY_BITS = 0x7f800000 };

/* A term: (-1)^sign * m * 2^(x - f), x the exponent that counts. */
typedef struct term {
  bool nan, infinite, zero, sign;
  int64_t m;
  int x, f;
} term_t;

/* A floating-point format: bits of exponent and fraction; patterns of infinities and NaN. */
typedef struct format {
  int exponent, fraction, bias, at; /* at: place in its byte in tensor memory */
  uint32_t infinity, nan;           /* infinity: this pattern, and NaN above it */
} format_t;

static const format_t formats[] = {{4, 3, 7, 0, ~0u, 0x7f},
                                   {5, 2, 15, 0, 0x7c, ~0u},
                                   {0},
                                   {2, 3, 1, 0, ~0u, ~0u},
                                   {3, 2, 3, 0, ~0u, ~0u},
                                   {2, 1, 1, 2, ~0u, ~0u}},
                      single = {8, 23, 127, 0, INFINITY_BITS, ~0u};
static const format_t *const e4m3 = &formats[0], *const e2m1 = &formats[5];

static int width(const format_t *f) { return 1 + f->exponent + f->fraction; }

static term_t take(const format_t *f, uint32_t bits) {
  const uint32_t pattern = bits & ((1u << (width(f) - 1)) - 1);
  const int exponent = (int)(pattern >> f->fraction);
  const int64_t fraction = pattern & ((1u << f->fraction) - 1);
  return (term_t){.nan = pattern == f->nan || pattern > f->infinity,
                  .infinite = pattern == f->infinity,
                  .zero = pattern == 0,
                  .sign = (bits >> (width(f) - 1) & 1) != 0,
                  .m = exponent == 0 ? fraction : fraction + (INT64_C(1) << f->fraction),
                  .x = (exponent == 0 ? 1 : exponent) - f->bias,
                  .f = f->fraction};
}

static term_t times(term_t a, term_t b) {
  return (term_t){.nan = a.nan || b.nan || (a.infinite && b.zero) || (a.zero && b.infinite),
                  .infinite = a.infinite || b.infinite,
                  .zero = a.zero || b.zero,
                  .sign = a.sign != b.sign,
                  .m = a.m * b.m,
                  .x = a.x + b.x,
                  .f = a.f + b.f};
}

/* ---- steps 3 to 5 */
static int64_t cut(const term_t *n, int lowest_bit) {
  const int up = n->x - n->f - lowest_bit;
  const int64_t m = up >= 0 ? n->m * (INT64_C(1) << up) : up > -63 ? n->m >> -up : 0;
  return n->sign ? -m : m;
}

static uint32_t f32_cut(int64_t sum, int lowest_bit) {
  const uint32_t sign = sum < 0 ? 0x80000000 : 0;
  const uint64_t m = (uint64_t)(sum < 0 ? -sum : sum);
  int high = 0, last;
  if (m == 0) return 0;
  while (m >> high > 1)
    high++;
  if (high + lowest_bit > 127) return sign | INFINITY_BITS;
  last = high + lowest_bit < -126 ? -149 : high + lowest_bit - 23; /* value of the last bit */
  const int down = last - lowest_bit;
  const uint32_t bits = (uint32_t)(down >= 64 ? 0 : down >= 0 ? m >> down : m << -down);
  if (bits == 0) return 0;
  return sign | (bits + ((uint32_t)(last + 149) << 23));
}

static uint32_t sum_of(const term_t *n, unsigned count, int least, int kept) {
  bool nan = false, plus = false, minus = false;
  int x = least;
  int64_t sum = 0;
  for (unsigned k = 0; k < count; k++) {
    nan = nan || n[k].nan;
    if (n[k].infinite && !n[k].nan) *(n[k].sign ? &minus : &plus) = true;
    if (!n[k].zero && n[k].x > x) x = n[k].x;
  }
  if (nan || (plus && minus)) return NAN_BITS;
  if (plus || minus) return INFINITY_BITS | (minus ? 0x80000000 : 0);
  for (unsigned k = 0; k < count; k++)
    if (!n[k].zero) sum += cut(&n[k], x - kept);
  return f32_cut(sum, x - kept);
}

/* ---- what a command takes */
typedef struct at {
  const umma_start_t *s;
  const umma_step_t *step;
  size_t before;
  uint32_t t, column; /* thread of the lane; column of D and of B */
} at_t;

static const umma_step_t *command(const at_t *p) { return &p->step[p->before]; }
static bool is_mxf4(const at_t *p) { return command(p)->op != UMMA_OF_MXF8F6F4; }

static term_t element(const at_t *p, bool of_b, uint32_t k) {
  const umma_step_t *n = command(p);
  const uint32_t i = n->w[5], per = is_mxf4(p) ? 32 : 16;
  const format_t *f = is_mxf4(p) ? e2m1 : &formats[of_b ? i >> 10 & 7 : i >> 7 & 7];
  const uint32_t bits = (uint32_t)width(f);
  uint32_t value, e;
  if (n->ta && !of_b) {
    const uint32_t bit = is_mxf4(p) ? 4 * k : 8 * k + (uint32_t)f->at;
    value =
        umma_word_after(p->s, p->step, p->before, p->t, (n->w[0] & 0xffff) + bit / 32) >> bit % 32;
  } else {
    const uint32_t place = umma_place(of_b ? n->w + 2 : n->w, (i >> (of_b ? 16 : 15) & 1) != 0, per,
                                      of_b ? p->column : p->t, k, &e);
    value = umma_shared_bits(p->s, 8 * place + e * bits, bits);
  }
  term_t x = take(f, value & ((1u << bits) - 1));
  if ((i >> (of_b ? 14 : 13) & 1) != 0) x.sign = !x.sign;
  return x;
}

/* The scale of element k: m / 8 * 2^x. */
static term_t scale(const at_t *p, bool of_b, uint32_t k) {
  const umma_step_t *n = command(p);
  const uint32_t i = n->w[5], id = of_b ? i >> 4 & 3 : i >> 29 & 3, q = p->t / 32;
  const uint32_t first = n->w[of_b ? 7 : 6] & 0xffff;
  const uint32_t thread = of_b ? 32 * q + p->column % 32 : p->t;
  const uint32_t word =
      umma_word_after(p->s, p->step, p->before, thread, first + (of_b ? p->column / 32 : q));
  const uint32_t number = n->op == UMMA_OF_MXF8F6F4 ? id
                          : n->op == UMMA_OF_MXF4   ? id + k / 32
                                                    : k / 16;
  const uint32_t byte = word >> 8 * number & 0xff;
  if ((i >> 23 & 1) == 0) return take(e4m3, byte & 0x7f);
  return (term_t){.nan = byte == 255, .m = 8, .x = (int)byte - 127, .f = 3};
}

/* ---- results */
static uint32_t mxf8f6f4(const at_t *p, term_t c) {
  const term_t a = scale(p, false, 0), b = scale(p, true, 0);
  term_t n[MOST_TERMS];
  for (uint32_t k = 0; k < 32; k++) {
    n[k] = times(element(p, false, k), element(p, true, k));
    n[k].x += a.x + b.x;
    n[k].nan = n[k].nan || a.nan || b.nan;
  }
  n[32] = c;
  return sum_of(n, 33, -133, 25);
}

static uint32_t mxf4(const at_t *p, term_t c) {
  term_t n[5];
  for (uint32_t g = 0; g < 4; g++) {
    const term_t a = scale(p, false, 16 * g), b = scale(p, true, 16 * g);
    int64_t sum = 0; /* of products in quarters */
    bool some = false;
    for (uint32_t k = 16 * g; k < 16 * g + 16; k++) {
      const term_t y = times(element(p, false, k), element(p, true, k));
      const int64_t m = y.m << y.x; /* exponents are 0 and above, two bits of fraction */
      sum += y.sign ? -m : m;
      some = some || !y.zero;
    }
    n[g] = (term_t){.nan = a.nan || b.nan,
                    .zero = !some || a.zero || b.zero,
                    .sign = sum < 0,
                    .m = (sum < 0 ? -sum : sum) * a.m * b.m,
                    .x = a.x + b.x,
                    .f = 8};
  }
  n[4] = c;
  return sum_of(n, 5, -139, 35);
}

uint32_t umma_after_scaled(const umma_start_t *s, const umma_step_t *step, size_t before,
                           uint32_t t, uint32_t column) {
  const umma_step_t *n = &step[before];
  const uint32_t first = n->w[4] & 0xffff, columns = (n->w[5] >> 17 & 63) * 8;
  const uint32_t word = umma_word_after(s, step, before, t, column);
  if (column < first || column >= first + columns) return word;
  const at_t p = {s, step, before, t, column - first};
  const term_t c = n->adds ? take(&single, word) : (term_t){.zero = true};
  return is_mxf4(&p) ? mxf4(&p, c) : mxf8f6f4(&p, c);
}
