/* The format-generic arithmetic (cmodel/sem/fp.h) as f16 and bf16: add, mul, fma in all rounding modes
 * with ftz and sat, min, max, relation and conversions. The witness knows a format only as its table
 * of values, made here from the widths that IEEE 754 (f16) and the upper half of binary32 (bf16) have:
 * the exact result as a double lies between two neighbours of the table, and the mode says which.
 *
 * It rounds once. The product of two significands of at most 11 bits is exact in a double, exponents
 * included. A sum that a double cannot hold is rounded to odd there (53 bits): that keeps on which
 * side of every value and of every midpoint of the table it lies, as those have at most 12 bits. */
#include <math.h>
#include <stdlib.h>

#include "cmodel/sem/fp.h"
#include "tests/common/sum_odd.h"
#include "tests/isa/check.h"

enum { RN, RZ, RM, RP };

typedef struct format {
  const char *name;
  wl_fmt_t fmt;
  int fraction, bias;
  uint32_t infinity, nan, one;
  double *value; /* of the magnitudes 0..infinity; infinity stands where the next number would */
} format_t;

static void make_table(format_t *f) {
  f->value = calloc(f->infinity + 1, sizeof *f->value);
  if (f->value == NULL) exit(1);
  for (uint32_t i = 0; i <= f->infinity; i++) {
    const int exponent = (int)(i >> f->fraction);
    const uint32_t leading = exponent != 0 ? 1u << f->fraction : 0;
    const uint32_t significand = leading | (i & ((1u << f->fraction) - 1));
    f->value[i] = ldexp(significand, (exponent != 0 ? exponent : 1) - f->bias - f->fraction);
  }
}

static bool is_nan(const format_t *f, uint32_t a) { return (a & 0x7fff) > f->infinity; }

static double value_of(const format_t *f, uint32_t a) {
  const uint32_t magnitude = a & 0x7fff;
  if (magnitude > f->infinity) return NAN;
  const double v = magnitude == f->infinity ? INFINITY : f->value[magnitude];
  return a & 0x8000 ? -v : v;
}

/* Rounds towards zero or away from it: up to the magnitude above `low`, of which x is `over`. */
static bool away(bool negative, unsigned rnd, double over_half, bool odd) {
  if (rnd == RN) return over_half > 0 || (over_half == 0 && odd);
  return (rnd == RM && negative) || (rnd == RP && !negative);
}

/* The pattern of x, finite and not zero, rounded once. */
static uint32_t round_value(const format_t *f, double x, unsigned rnd) {
  const bool negative = x < 0;
  const uint32_t sign = negative ? 0x8000 : 0;
  const double m = fabs(x);
  if (m >= f->value[f->infinity])
    return sign | (rnd == RN || away(negative, rnd, 1, false) ? f->infinity : f->infinity - 1);
  uint32_t low = 0, high = f->infinity;
  while (high - low > 1) {
    const uint32_t middle = (low + high) / 2;
    if (f->value[middle] <= m)
      low = middle;
    else
      high = middle;
  }
  if (f->value[low] == m) return sign | low;
  const double half = (f->value[low] + f->value[high]) / 2;
  return sign | (away(negative, rnd, m < half ? -1 : m > half, low & 1) ? high : low);
}

/* Would x, rounded to the format's bits without a least exponent, lie below the least normal? */
static bool flushes(const format_t *f, double x, unsigned rnd) {
  int exponent;
  const double fraction = frexp(x, &exponent); /* 0.5 <= |fraction| < 1: normal in the format */
  const double rounded = value_of(f, round_value(f, fraction, rnd));
  return ldexp(rounded, exponent) < f->value[1u << f->fraction] &&
         ldexp(rounded, exponent) > -f->value[1u << f->fraction];
}

static uint32_t flush_input(const format_t *f, uint32_t a, bool ftz) {
  return ftz && (a & 0x7fff) < 1u << f->fraction ? a & 0x8000 : a;
}

static uint32_t finish(const format_t *f, uint32_t d, wl_fp_mode_t mode) {
  if (!mode.sat) return d;
  if (is_nan(f, d) || d & 0x8000) return 0;
  return d > f->one ? f->one : d;
}

/* a * b + c; add is a * 1 + b, mul has no addend. */
static uint32_t witness(const format_t *f, uint32_t a, uint32_t b, uint32_t c, bool addend,
                        wl_fp_mode_t mode) {
  const double x = value_of(f, flush_input(f, a, mode.ftz));
  const double y = value_of(f, flush_input(f, b, mode.ftz));
  const double z = value_of(f, flush_input(f, c, mode.ftz));
  const double product = x * y;
  if (isnan(product) || (addend && (isnan(z) || isnan(product + z))))
    return finish(f, f->nan, mode);
  if (isinf(product) || (addend && isinf(z))) {
    const double d = addend ? product + z : product;
    return finish(f, f->infinity | (d < 0 ? 0x8000 : 0), mode);
  }
  const double exact = addend ? wl_sum_odd(product, z) : product;
  if (exact == 0) {
    bool negative = signbit(product) != 0;
    if (addend && (signbit(z) != 0) != negative) negative = mode.rnd == RM;
    return finish(f, negative ? 0x8000 : 0, mode);
  }
  if (mode.ftz && flushes(f, exact, mode.rnd)) return finish(f, exact < 0 ? 0x8000 : 0, mode);
  return finish(f, round_value(f, exact, mode.rnd), mode);
}

static void compare(check_t *t, const format_t *f, const char *op, uint64_t got, uint64_t expected,
                    uint32_t a, uint32_t b, uint32_t c, wl_fp_mode_t mode) {
  if (!check_equal(t, got, expected) && check_print(t))
    printf("%s.%s rnd %u ftz %u sat %u %04x %04x %04x: got %llx, expected %llx\n", op, f->name,
           mode.rnd, mode.ftz, mode.sat, (unsigned)a, (unsigned)b, (unsigned)c,
           (unsigned long long)got, (unsigned long long)expected);
}

static void check_triple(check_t *t, const format_t *f, uint32_t a, uint32_t b, uint32_t c) {
  for (unsigned k = 0; k < 16; k++) {
    const wl_fp_mode_t mode = {k & 3, k >> 2 & 1, k >> 3 & 1};
    compare(t, f, "add", wl_fp_add(f->fmt, a, b, mode), witness(f, a, f->one, b, true, mode), a, b,
            0, mode);
    compare(t, f, "mul", wl_fp_mul(f->fmt, a, b, mode), witness(f, a, b, 0, false, mode), a, b, 0,
            mode);
    compare(t, f, "fma", wl_fp_fma(f->fmt, a, b, c, mode), witness(f, a, b, c, true, mode), a, b, c,
            mode);
  }
}

static void check_order(check_t *t, const format_t *f, uint32_t a, uint32_t b) {
  const double x = value_of(f, a), y = value_of(f, b);
  const unsigned relation = isnan(x) || isnan(y) ? 3 : x < y ? 0 : x == y ? 1 : 2;
  const bool less = x < y || (x == y && signbit(x) != 0);
  const uint32_t least = isnan(x) && isnan(y) ? f->nan : isnan(x) ? b : isnan(y) ? a : less ? a : b;
  const wl_fp_mode_t mode = {0};
  compare(t, f, "relation", wl_fp_relation(f->fmt, a, b, false), relation, a, b, 0, mode);
  compare(t, f, "min", wl_fp_min_max(f->fmt, a, b, false, false, false), least, a, b, 0, mode);
}

static double to_integral(double x, unsigned rnd) {
  const double low = floor(x), over = x - low;
  const bool odd = fmod(low, 2) != 0;
  const bool up = rnd == RN ? over > 0.5 || (over == 0.5 && odd) : rnd == RZ ? x < 0 : rnd == RP;
  return over == 0 ? x : up ? low + 1 : low;
}

/* All patterns. */
static void check_conversions(check_t *t, const format_t *f) {
  for (uint32_t a = 0; a < 0x10000; a++) {
    for (unsigned rnd = 0; rnd < 4; rnd++) {
      const wl_fp_mode_t mode = {.rnd = (uint8_t)rnd};
      const double x = value_of(f, a), d = isfinite(x) ? to_integral(x, rnd) : x;
      const uint32_t rounded = is_nan(f, a) ? f->nan
                               : d == 0     ? a & 0x8000
                               : isinf(d)   ? a
                                            : round_value(f, d, RZ);
      compare(t, f, "round", wl_fp_round(f->fmt, a, mode), rounded, a, 0, 0, mode);
      const int64_t whole = isnan(d)            ? 0
                            : d < -2147483648.0 ? INT32_MIN
                            : d > 2147483647.0  ? INT32_MAX
                                                : (int64_t)d;
      compare(t, f, "s32", wl_fp_to_int(f->fmt, a, mode, 32, true), (uint32_t)whole, a, 0, 0, mode);
      const uint64_t magnitude = check_random(t) >> (a & 63);
      if (magnitude >> 53 != 0 || magnitude == 0) continue; /* exact as a double */
      compare(t, f, "from_u64", wl_fp_from_magnitude(f->fmt, false, magnitude, rnd),
              round_value(f, (double)magnitude, rnd), (uint32_t)magnitude, 0, 0, mode);
    }
  }
}

/* Near a place where something changes, of near exponents, or any pattern. */
static uint32_t operand(check_t *t, const format_t *f) {
  const uint64_t r = check_random(t);
  const uint32_t sign = (uint32_t)(r >> 40) & 0x8000, least = 1u << f->fraction;
  const uint32_t places[] = {0,
                             least,
                             2 * least,
                             f->infinity,
                             f->one,
                             f->one - least,
                             f->one - 2 * least,
                             f->infinity - least,
                             f->one + least};
  switch (r >> 60) {
  case 0:
  case 1:
  case 2:
    return sign | ((places[(r >> 16) % 9] + (uint32_t)(r & 7) - 3) & 0x7fff);
  case 3:
  case 4:
    return sign | ((f->one - 3 * least + (uint32_t)(r % (6 * least))) & 0x7fff);
  case 5:
  case 6:
    return sign | (uint32_t)(r % (3 * least));
  default:
    return (uint32_t)r & 0xffff;
  }
}

int main(int argc, char **argv) {
  const long count = argc > 1 ? atol(argv[1]) : 150000;
  check_t t = {.state = 17};
  format_t formats[] = {
      {"f16", wl_fmt_f16(), 10, 15, 0x7c00, 0x7fff, 0x3c00, NULL},
      {"bf16", wl_fmt_bf16(), 7, 127, 0x7f80, 0x7fff, 0x3f80, NULL},
  };
  for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
    format_t *f = &formats[i];
    make_table(f);
    for (long n = 0; n < count; n++) {
      const uint32_t a = operand(&t, f), b = operand(&t, f), c = operand(&t, f);
      check_triple(&t, f, a, b, c);
      check_order(&t, f, a, b);
    }
    check_conversions(&t, f);
    free(f->value);
  }
  return check_done(&t, "fp");
}
