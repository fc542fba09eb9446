/* Properties of the tensor unit's sums with random operands: what follows from docs/microarchitecture.md 19.2
 * without computing a result. One is found by search: a sum can
 * become smaller where a term grows. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmodel/sem/dot.h"
#include "tests/common/check.h"
#include "tests/common/splitmix.h"

enum { ROUNDS = 20000, TERMS = WL_DOT_MOST_TERMS };

typedef struct sample {
  const wl_profile_t *p;
  wl_fmt_t f, r; /* of factors, of results */
  unsigned terms;
  uint32_t a[TERMS], b[TERMS], c;
} sample_t;

static uint64_t state = 19;
static uint32_t below(uint32_t n) { return (uint32_t)(wl_splitmix64(&state) % n); }

/* A number with an exponent within `spread` of the middle; now and then a zero. */
static uint32_t number(wl_fmt_t f, unsigned spread) {
  const uint32_t fraction = (uint32_t)wl_splitmix64(&state) & ((1u << f.fraction_bits) - 1);
  const uint32_t exponent = (uint32_t)f.bias - spread + below(2 * spread + 1);
  if (below(16) == 0) return below(2) << (f.low + f.bits - 1);
  return (fraction | exponent << f.fraction_bits | below(2) << (f.bits - 1)) << f.low;
}

static sample_t sample(unsigned profile, unsigned spread) {
  const wl_profile_t *p = &wl_profiles[profile];
  sample_t s = {.p = p,
                .f = wl_fmt_of((wl_format_t)p->format),
                .r = wl_fmt_of((wl_format_t)p->result),
                .terms = p->block};
  for (unsigned k = 0; k < s.terms; k++) {
    s.a[k] = number(s.f, spread);
    s.b[k] = number(s.f, spread);
  }
  s.c = number(s.r, spread);
  return s;
}

static uint32_t result(const sample_t *s) { return wl_dot(s->p, s->terms, s->a, s->b, s->c); }

static double value(wl_fmt_t f, uint32_t bits) {
  const wl_dot_number_t n = wl_dot_take(f, bits);
  if (n.kind > WL_DOT_FINITE) return NAN;
  const double v = ldexp((double)n.significand, n.exponent - (int)n.fraction);
  return n.sign ? -v : v;
}

static void swap(uint32_t *x, uint32_t *y) {
  const uint32_t t = *x;
  *x = *y;
  *y = t;
}

/* The order of k within a block does not matter, nor which factor is whose. */
static void permuted(unsigned profile) {
  sample_t s = sample(profile, 8);
  const uint32_t d = result(&s);
  for (unsigned k = 0; k < s.terms; k++) {
    const unsigned other = below(s.terms);
    swap(&s.a[k], &s.a[other]);
    swap(&s.b[k], &s.b[other]);
  }
  CHECK(result(&s) == d, "another order, profile %u", profile);
  for (unsigned k = 0; k < s.terms; k++)
    if (below(2) != 0) swap(&s.a[k], &s.b[k]);
  CHECK(result(&s) == d, "factors exchanged, profile %u", profile);
}

/* A product that is zero does not count, whatever its other factor's exponent. */
static void zero_product(unsigned profile) {
  sample_t s = sample(profile, 3);
  s.a[0] = 0;
  s.b[0] = 0;
  const uint32_t d = result(&s);
  s.b[0] = (uint32_t)s.f.largest << s.f.low;
  CHECK(result(&s) == d, "0 * largest, profile %u", profile);
  s.a[0] = 1u << (s.f.bits - 1 + s.f.low);
  CHECK(result(&s) == d, "-0 * largest, profile %u", profile);
}

/* All terms times 2^n: the result times 2^n, while nothing is subnormal or infinite. */
static void scaled(unsigned profile) {
  sample_t s = sample(profile, 3);
  const uint32_t d = result(&s);
  const unsigned n = 1 + below(3);
  for (unsigned k = 0; k < s.terms; k++)
    if (wl_dot_take(s.f, s.a[k]).kind == WL_DOT_FINITE)
      s.a[k] += n << (s.f.fraction_bits + s.f.low);
  if (wl_dot_take(s.r, s.c).kind == WL_DOT_FINITE) s.c += n << s.r.fraction_bits;
  const wl_dot_number_t small = wl_dot_take(s.r, d);
  const double want = ldexp(value(s.r, d), (int)n), got = value(s.r, result(&s));
  if (small.significand >> s.r.fraction_bits != 0 || small.kind == WL_DOT_ZERO)
    CHECK(got == want || isnan(got), "scaled by 2^%u, profile %u: %g, %g", n, profile, got, want);
}

/* Products * 2^n: as if each factor of A had an exponent that is n more. */
static void raised(unsigned profile) {
  sample_t s = sample(profile, 3);
  const wl_format_t format = (wl_format_t)s.p->format;
  const unsigned n = below(4);
  const int16_t of_a = (int16_t)((int)below(41) - 20), of_b = (int16_t)((int)n - of_a);
  const uint32_t d = wl_dot_mixed(s.p, s.terms, (wl_dot_values_t){format, s.a, 0, &of_a},
                                  (wl_dot_values_t){format, s.b, 0, &of_b}, s.c, 0);
  for (unsigned k = 0; k < s.terms; k++)
    if (wl_dot_take(s.f, s.a[k]).kind == WL_DOT_FINITE)
      s.a[k] += n << (s.f.fraction_bits + s.f.low);
  CHECK(result(&s) == d, "raised by %u, profile %u", n, profile);
}

/* Signs of A and C changed: the sign of the result, but of a zero. */
static void negated(unsigned profile) {
  sample_t s = sample(profile, 8);
  const uint32_t sign = 1u << (s.r.bits - 1), d = result(&s);
  for (unsigned k = 0; k < s.terms; k++)
    s.a[k] ^= 1u << (s.f.bits - 1 + s.f.low);
  s.c ^= sign;
  CHECK(result(&s) == (d == 0 ? 0 : d ^ sign), "negated, profile %u", profile);
}

/* Each term is cut by less than a unit, the result by less than one in its last place. */
static void bounded(unsigned profile) {
  sample_t s = sample(profile, 4);
  double exact = value(s.r, s.c), magnitude = fabs(exact);
  int largest = s.p->lowest;
  const wl_dot_number_t c = wl_dot_take(s.r, s.c);
  if (c.kind == WL_DOT_FINITE) largest = c.exponent;
  for (unsigned k = 0; k < s.terms; k++) {
    const wl_dot_number_t n = wl_dot_product(wl_dot_take(s.f, s.a[k]), wl_dot_take(s.f, s.b[k]));
    const double v = value(s.f, s.a[k]) * value(s.f, s.b[k]);
    exact += v; /* exact: the exponents are close to each other */
    magnitude += fabs(v);
    if (n.kind == WL_DOT_FINITE && n.exponent > largest) largest = n.exponent;
  }
  const double d = value(s.r, result(&s));
  if (isnan(d)) return; /* f16: infinity */
  const double unit = ldexp(1, largest - s.p->kept),
               last = ldexp(fabs(d) + unit, -s.r.fraction_bits);
  CHECK(fabs(d - exact) < (s.terms + 1) * unit + last + ldexp(1, 1 - s.r.bias - s.r.fraction_bits),
        "profile %u: %g, exact %g", profile, d, exact);
  if (magnitude == fabs(exact) && !s.p->nearest)
    CHECK(fabs(d) <= magnitude, "one sign, profile %u: %g above %g", profile, d, exact);
}

/* C grows from the last number below 2 to 2, and the sum of positive terms becomes smaller: the largest
 * exponent is one more, and each product loses a bit. A unit that normalised before it cuts, or that kept
 * what it cuts, has no such case. */
static bool not_monotonic(unsigned profile) {
  sample_t s = sample(profile, 0);
  const uint32_t sign = 1u << (s.f.bits - 1 + s.f.low);
  for (unsigned k = 0; k < s.terms; k++) {
    s.a[k] &= ~sign;
    s.b[k] &= ~sign;
    if (s.a[k] != 0) s.a[k] -= 7u << (s.f.fraction_bits + s.f.low);
    if (s.b[k] != 0) s.b[k] -= below(7) << (s.f.fraction_bits + s.f.low);
  }
  s.c = 0x3fffffff;
  const double before = value(s.r, result(&s));
  s.c = 0x40000000;
  return value(s.r, result(&s)) < before;
}

/* Products in tensor memory have a format for each side. */
static wl_format_t format_of(const wl_profile_t *p) {
  static const wl_format_t narrow[] = {WL_FORMAT_E4M3, WL_FORMAT_E5M2, WL_FORMAT_E2M1,
                                       WL_FORMAT_E2M3, WL_FORMAT_E3M2};
  return p->format == WL_FORMAT_E5M2 ? narrow[below(5)] : (wl_format_t)p->format;
}

static void fill(wl_fmt_t f, unsigned count, uint32_t (*x)[TERMS]) {
  for (unsigned v = 0; v < count; v++)
    for (unsigned k = 0; k < TERMS; k++) {
      x[v][k] = below(3) == 0 || f.bits < 8 ? (uint32_t)wl_splitmix64(&state) : number(f, 5);
      if (f.bits <= 16) x[v][k] &= (1u << f.bits) - 1;
    }
}

/* What the products of each row or column are raised by, if they are. */
static const int16_t *raises(unsigned count, int16_t *x) {
  if (below(2) == 0) return NULL;
  for (unsigned v = 0; v < count; v++)
    x[v] = (int16_t)((int)below(61) - 30);
  return x;
}

/* Element for element what a row and a column give alone. */
static void matrices(unsigned profile) {
  uint32_t a[WL_DOT_ROWS][TERMS], b[WL_DOT_COLUMNS][TERMS];
  uint32_t c[WL_DOT_ROWS][WL_DOT_COLUMNS], d[WL_DOT_ROWS][WL_DOT_COLUMNS], e[WL_DOT_ROWS];
  int16_t raise_a[WL_DOT_ROWS], raise_b[WL_DOT_COLUMNS];
  const wl_profile_t *p = &wl_profiles[profile];
  const wl_dot_values_t of_a = {format_of(p), a[0], TERMS, raises(WL_DOT_ROWS, raise_a)};
  const wl_dot_values_t of_b = {format_of(p), b[0], TERMS, raises(WL_DOT_COLUMNS, raise_b)};
  const unsigned most = p->block > WL_DOT_TERMS ? TERMS : WL_DOT_TERMS;
  const unsigned terms = 1 + below(most), lower = below(4) == 0 ? below(16) : 0;
  const unsigned rows = 1 + below(WL_DOT_ROWS), column = below(WL_DOT_COLUMNS);
  fill(wl_fmt_of(of_a.format), WL_DOT_ROWS, a);
  fill(wl_fmt_of(of_b.format), WL_DOT_COLUMNS, b);
  for (unsigned r = 0; r < WL_DOT_ROWS; r++) {
    for (unsigned i = 0; i < WL_DOT_COLUMNS; i++)
      c[r][i] = (uint32_t)wl_splitmix64(&state) >> (p->result == WL_FORMAT_F16 ? 16 : 0);
    e[r] = c[r][column];
  }
  memcpy(d, c, sizeof d);
  wl_dot_matrix_mixed(p, WL_DOT_ROWS, terms, of_a, of_b, d, lower);
  wl_dot_column(p, rows, terms, of_a, wl_dot_from(&of_b, column), e, lower);
  for (unsigned r = 0; r < WL_DOT_ROWS; r++) {
    for (unsigned i = 0; i < WL_DOT_COLUMNS; i++) {
      const uint32_t want =
          wl_dot_mixed(p, terms, wl_dot_from(&of_a, r), wl_dot_from(&of_b, i), c[r][i], lower);
      CHECK(d[r][i] == want, "matrix, profile %u: %08x, alone %08x", profile, d[r][i], want);
    }
    const uint32_t want = r < rows ? d[r][column] : c[r][column];
    CHECK(e[r] == want, "column, profile %u: %08x, matrix %08x", profile, e[r], want);
  }
}

int main(void) {
  for (unsigned profile = 0; profile < WL_NUM_PROFILE; profile++) {
    unsigned found = 0;
    /* Products of a few bits are not cut where exponents are near each other. */
    const bool cuts =
        wl_profiles[profile].result == WL_FORMAT_F32 && profile <= WL_PROFILE_TF32_F32;
    if (wl_profiles[profile].block > TERMS) continue; /* scaled: another rule (26.11) */
    for (unsigned i = 0; i < ROUNDS; i++) {
      permuted(profile);
      zero_product(profile);
      scaled(profile);
      raised(profile);
      negated(profile);
      bounded(profile);
      if (i % 16 == 0) matrices(profile);
      if (cuts) found += not_monotonic(profile);
    }
    if (!cuts) continue;
    printf("profile %u: %u sums become smaller with a larger C\n", profile, found);
    CHECK(found > 0, "profile %u", profile);
  }
  printf("%d failures\n", failures);
  return failures != 0;
}
