/* test_half_mpfr: the oracle's f16 and bf16 arithmetic (half.h) against MPFR: boundary values in all combinations
 * and random patterns, with and without ftz, sat and relu. MPFR computes at 11 or 8 bits in the format's exponent
 * range and mpfr_subnormalize() finishes small results, so that it rounds once; ftz is decided on a second
 * result with unbounded exponent. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpfr.h>

#include "tests/common/splitmix.h"
#include "tests/oracle/half.h"

typedef enum op { ADD, MUL, FMA, OPS } op_t;
static const char *const k_names[OPS] = {"add", "mul", "fma"};

typedef struct state {
  mpfr_t a, b, c, r, limit;
  uint64_t random, checks, failures;
  mpfr_exp_t emin, emax;
} state_t;

typedef struct format {
  int fraction, bias;
} format_t;

static format_t format_of(wl_or_half_t m) {
  return m.bf16 ? (format_t){7, 127} : (format_t){10, 15};
}

static uint64_t next(state_t *s) { return wl_splitmix64(&s->random); }

static void set(mpfr_t x, uint32_t bits, wl_or_half_t m) {
  format_t f = format_of(m);
  int field = (int)(bits & 0x7fff) >> f.fraction;
  long fraction = (long)(bits & ((1u << f.fraction) - 1)), hidden = 1L << f.fraction;
  int sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (field == 2 * f.bias + 1) {
    fraction != 0 ? mpfr_set_nan(x) : mpfr_set_inf(x, sign);
  } else if (field == 0 && (m.ftz || fraction == 0)) {
    mpfr_set_zero(x, sign);
  } else {
    long value = field == 0 ? fraction : fraction + hidden;
    (void)mpfr_set_si_2exp(x, sign * value, (field == 0 ? 1 : field) - f.bias - f.fraction,
                           MPFR_RNDN);
  }
}

static uint32_t bits_of(const mpfr_t x, wl_or_half_t m) {
  format_t f = format_of(m);
  uint32_t sign = mpfr_signbit(x) ? 0x8000 : 0;
  if (mpfr_nan_p(x)) {
    return WL_OR_HALF_NAN;
  }
  if (mpfr_zero_p(x) || mpfr_inf_p(x)) {
    return sign | (mpfr_inf_p(x) ? (uint32_t)(2 * f.bias + 1) << f.fraction : 0);
  }
  int exponent = (int)mpfr_get_exp(x) - 1, least = 1 - f.bias;
  exponent = exponent < least ? least : exponent;
  mpfr_t scaled;
  mpfr_init2(scaled, 64);
  (void)mpfr_mul_2si(scaled, x, f.fraction - exponent, MPFR_RNDN);
  uint32_t units = (uint32_t)labs(mpfr_get_si(scaled, MPFR_RNDN));
  mpfr_clear(scaled);
  return sign | (((uint32_t)(exponent - least) << f.fraction) + units);
}

static int compute(state_t *s, op_t op) {
  switch (op) {
  case ADD:
    return mpfr_add(s->r, s->a, s->b, MPFR_RNDN);
  case MUL:
    return mpfr_mul(s->r, s->a, s->b, MPFR_RNDN);
  default:
    return mpfr_fma(s->r, s->a, s->b, s->c, MPFR_RNDN);
  }
}

static uint32_t finished(const state_t *s, uint32_t bits, wl_or_half_t m) {
  bool nan = mpfr_nan_p(s->r) != 0, neg = mpfr_signbit(s->r) != 0;
  if (m.sat) {
    return nan || neg ? 0 : mpfr_cmp_ui(s->r, 1) > 0 ? (m.bf16 ? 0x3f80 : 0x3c00) : bits;
  }
  return m.relu && neg && !nan ? 0 : bits;
}

static uint32_t witness(state_t *s, op_t op, const uint32_t v[3], wl_or_half_t m) {
  format_t f = format_of(m);
  set(s->a, v[0], m);
  set(s->b, v[1], m);
  set(s->c, v[2], m);
  mpfr_set_prec(s->r, f.fraction + 1);
  bool flushed = false;
  if (m.ftz) {
    (void)compute(s, op);
    (void)mpfr_set_si_2exp(s->limit, 1, 1 - f.bias, MPFR_RNDN);
    flushed = mpfr_number_p(s->r) && !mpfr_zero_p(s->r) && mpfr_cmpabs(s->r, s->limit) < 0;
  }
  if (flushed) {
    mpfr_set_zero(s->r, mpfr_signbit(s->r) ? -1 : 1);
  } else {
    (void)mpfr_set_emin(2 - f.bias - f.fraction);
    (void)mpfr_set_emax(f.bias + 1);
    int ternary = compute(s, op);
    (void)mpfr_subnormalize(s->r, ternary, MPFR_RNDN);
    (void)mpfr_set_emin(s->emin);
    (void)mpfr_set_emax(s->emax);
  }
  return finished(s, bits_of(s->r, m), m);
}

static uint32_t oracle(op_t op, const uint32_t v[3], wl_or_half_t m) {
  switch (op) {
  case ADD:
    return wl_or_half_add(v[0], v[1], m);
  case MUL:
    return wl_or_half_mul(v[0], v[1], m);
  default:
    return wl_or_half_fma(v[0], v[1], v[2], m);
  }
}

static void check(state_t *s, op_t op, const uint32_t v[3], wl_or_half_t m) {
  uint32_t got = oracle(op, v, m), want = witness(s, op, v, m);
  s->checks++;
  if (got != want && s->failures++ < 20) {
    printf("%s.%s%s%s%s %04" PRIx32 " %04" PRIx32 " %04" PRIx32 ": got %04" PRIx32
           ", MPFR says %04" PRIx32 "\n",
           k_names[op], m.bf16 ? "bf16" : "f16", m.ftz ? " ftz" : "", m.sat ? " sat" : "",
           m.relu ? " relu" : "", v[0], v[1], v[2], got, want);
  }
}

static wl_or_half_t mode(unsigned number) {
  return (wl_or_half_t){.bf16 = (number & 1) != 0,
                        .ftz = (number & 2) != 0,
                        .sat = (number & 12) == 4,
                        .relu = (number & 12) == 8};
}
enum { MODES = 12 };

/* Boundary values: zero, the smallest numbers, 1 and its neighbours, the largest ones, infinity, NaN. */
static uint32_t boundary(unsigned which, wl_or_half_t m) {
  format_t f = format_of(m);
  uint32_t normal = 1u << f.fraction, unit = (uint32_t)f.bias << f.fraction;
  uint32_t infinity = (uint32_t)(2 * f.bias + 1) << f.fraction;
  const uint32_t list[] = {0,        1,          2,        normal - 1,   normal,   normal + 1,
                           unit - 1, unit,       unit + 1, unit + normal, 3,       normal / 2,
                           infinity - 1, infinity - normal, infinity, 0x7fff, infinity + 1};
  unsigned count = sizeof list / sizeof list[0];
  return list[which % count] | (which / count % 2 != 0 ? 0x8000 : 0);
}
enum { BOUNDARIES = 34 };

static void boundaries(state_t *s) {
  for (unsigned number = 0; number < MODES; number++) {
    wl_or_half_t m = mode(number);
    for (unsigned i = 0; i < BOUNDARIES * BOUNDARIES * BOUNDARIES; i++) {
      uint32_t v[3] = {boundary(i % BOUNDARIES, m), boundary(i / BOUNDARIES % BOUNDARIES, m),
                       boundary(i / BOUNDARIES / BOUNDARIES, m)};
      check(s, FMA, v, m);
      if (i < BOUNDARIES * BOUNDARIES) {
        check(s, ADD, v, m);
        check(s, MUL, v, m);
      }
    }
  }
}

/* Random patterns; of fma's addends many are near the product. */
static void randoms(state_t *s, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    uint64_t r = next(s);
    uint32_t v[3] = {(uint32_t)r & 0xffff, (uint32_t)(r >> 16) & 0xffff, (uint32_t)(r >> 32) & 0xffff};
    wl_or_half_t m = mode((unsigned)(r >> 48) % MODES);
    if ((r >> 60 & 1) != 0) {
      wl_or_half_t plain = {.bf16 = m.bf16};
      v[2] = (wl_or_half_mul(v[0], v[1], plain) ^ 0x8000) + (uint32_t)(r >> 32) % 5 - 2;
      v[2] &= 0xffff;
    }
    for (op_t op = ADD; op < OPS; op++) {
      check(s, op, v, m);
    }
  }
}

/* Every pattern of both formats becomes the same number in f32. */
static void widening(state_t *s) {
  mpfr_t wide;
  mpfr_init2(wide, 64);
  for (uint32_t bits = 0; bits < 0x20000; bits++) {
    wl_or_half_t m = {.bf16 = bits > 0xffff};
    uint32_t got = wl_or_half_widen(bits & 0xffff, m);
    float f;
    memcpy(&f, &got, sizeof f);
    (void)mpfr_set_flt(wide, f, MPFR_RNDN);
    set(s->a, bits & 0xffff, m);
    bool same = mpfr_nan_p(s->a) ? got == WL_OR_F32_NAN
                                 : mpfr_equal_p(s->a, wide) && mpfr_signbit(s->a) == mpfr_signbit(wide);
    s->checks++;
    if (!same && s->failures++ < 20) {
      printf("widen %05" PRIx32 ": got %08" PRIx32 "\n", bits, got);
    }
  }
  mpfr_clear(wide);
}

int main(void) {
  state_t s = {.random = 41};
  s.emin = mpfr_get_emin();
  s.emax = mpfr_get_emax();
  mpfr_inits2(64, s.a, s.b, s.c, s.limit, (mpfr_ptr)0);
  mpfr_init2(s.r, 11);
  boundaries(&s);
  randoms(&s, 1000000);
  widening(&s);
  printf("%" PRIu64 " results, %" PRIu64 " differ\n", s.checks, s.failures);
  mpfr_clears(s.a, s.b, s.c, s.limit, s.r, (mpfr_ptr)0);
  return s.failures != 0;
}
