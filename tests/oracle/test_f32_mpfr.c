/* test_f32_mpfr: the oracle's binary32 arithmetic (f32.h) against MPFR: boundary values in all
 * combinations and random patterns, four roundings, with and without ftz and sat. MPFR computes at
 * 24 bits in binary32's exponent range and mpfr_subnormalize() finishes small results, so that it
 * rounds once; ftz is decided on a second result with unbounded exponent. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define MPFR_USE_INTMAX_T 1
#include <mpfr.h>

#include "tests/common/splitmix.h"
#include "tests/oracle/f32.h"

typedef enum op { ADD, MUL, FMA, DIV, SQRT, FROM_U64, FROM_S64, INTEGRAL, OPS } op_t;
static const char *const k_names[OPS] = {"add",  "mul",      "fma",      "div",
                                         "sqrt", "from_u64", "from_s64", "integral"};
static const mpfr_rnd_t k_rounds[4] = {MPFR_RNDN, MPFR_RNDZ, MPFR_RNDD, MPFR_RNDU};

typedef struct state {
  mpfr_t a, b, c, r, limit;
  uint64_t random, checks, failures;
  mpfr_exp_t emin, emax;
} state_t;

static uint64_t next(state_t *s) { return wl_splitmix64(&s->random); }

static void set(mpfr_t x, uint32_t bits, bool ftz) {
  float f;
  if (ftz && (bits & 0x7f800000) == 0) {
    bits &= UINT32_C(0x80000000);
  }
  memcpy(&f, &bits, sizeof f);
  (void)mpfr_set_flt(x, f, MPFR_RNDN);
}

static uint32_t bits_of(const mpfr_t x) {
  float f = mpfr_get_flt(x, MPFR_RNDN);
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return mpfr_nan_p(x) ? WL_OR_F32_NAN : bits;
}

static int compute(state_t *s, op_t op, uint64_t v, mpfr_rnd_t rnd) {
  switch (op) {
  case ADD:
    return mpfr_add(s->r, s->a, s->b, rnd);
  case MUL:
    return mpfr_mul(s->r, s->a, s->b, rnd);
  case FMA:
    return mpfr_fma(s->r, s->a, s->b, s->c, rnd);
  case DIV:
    return mpfr_div(s->r, s->a, s->b, rnd);
  case SQRT:
    return mpfr_sqrt(s->r, s->a, rnd);
  case FROM_U64:
    return mpfr_set_uj(s->r, v, rnd);
  case FROM_S64:
    return mpfr_set_sj(s->r, (int64_t)v, rnd);
  default:
    (void)mpfr_rint(s->r, s->a, rnd);
    return 0;
  }
}

static uint32_t saturated(const state_t *s, uint32_t bits) {
  if (mpfr_nan_p(s->r) || mpfr_signbit(s->r)) {
    return 0;
  }
  return mpfr_cmp_ui(s->r, 1) > 0 ? UINT32_C(0x3f800000) : bits;
}

static uint32_t witness(state_t *s, op_t op, const uint32_t v[3], uint64_t wide, wl_or_fmode_t m) {
  mpfr_rnd_t rnd = k_rounds[m.round];
  set(s->a, v[0], m.ftz);
  set(s->b, v[1], m.ftz);
  set(s->c, v[2], m.ftz);
  bool flushed = false;
  if (m.ftz) {
    (void)compute(s, op, wide, rnd);
    flushed = mpfr_number_p(s->r) && !mpfr_zero_p(s->r) && mpfr_cmpabs(s->r, s->limit) < 0;
  }
  if (flushed) {
    mpfr_set_zero(s->r, mpfr_signbit(s->r) ? -1 : 1);
  } else {
    (void)mpfr_set_emin(-148);
    (void)mpfr_set_emax(128);
    int ternary = compute(s, op, wide, rnd);
    (void)mpfr_subnormalize(s->r, ternary, rnd);
    (void)mpfr_set_emin(s->emin);
    (void)mpfr_set_emax(s->emax);
  }
  uint32_t bits = bits_of(s->r);
  return m.sat ? saturated(s, bits) : bits;
}

static uint32_t oracle(op_t op, const uint32_t v[3], uint64_t wide, wl_or_fmode_t m) {
  bool neg = wide >> 63 != 0;
  switch (op) {
  case ADD:
    return wl_or_f32_add(v[0], v[1], m);
  case MUL:
    return wl_or_f32_mul(v[0], v[1], m);
  case FMA:
    return wl_or_f32_fma(v[0], v[1], v[2], m);
  case DIV:
    return wl_or_f32_div(v[0], v[1], m);
  case SQRT:
    return wl_or_f32_sqrt(v[0], m);
  case FROM_U64:
    return wl_or_f32_from_int(false, wide, m);
  case FROM_S64:
    return wl_or_f32_from_int(neg, neg ? 0 - wide : wide, m);
  default:
    return wl_or_f32_integral(v[0], m);
  }
}

static void check(state_t *s, op_t op, const uint32_t v[3], uint64_t wide, wl_or_fmode_t m) {
  uint32_t got = oracle(op, v, wide, m), want = witness(s, op, v, wide, m);
  s->checks++;
  if (got != want && s->failures++ < 20) {
    printf("%s round %d%s%s %08" PRIx32 " %08" PRIx32 " %08" PRIx32 " %016" PRIx64
           ": got %08" PRIx32 ", MPFR says %08" PRIx32 "\n",
           k_names[op], (int)m.round, m.ftz ? " ftz" : "", m.sat ? " sat" : "", v[0], v[1], v[2],
           wide, got, want);
  }
}

static void all_modes(state_t *s, op_t op, const uint32_t v[3], uint64_t wide) {
  for (int mode = 0; mode < 16; mode++) {
    wl_or_fmode_t m = {(wl_or_round_t)(mode & 3), (mode & 4) != 0, (mode & 8) != 0};
    check(s, op, v, wide, m);
  }
}

static const uint32_t k_edges[] = {
    0x00000000, 0x00000001, 0x00000002, 0x00000003, 0x00400000, 0x007ffffe, 0x007fffff, 0x00800000,
    0x00800001, 0x00ffffff, 0x01000000, 0x1f800000, 0x20000001, 0x33800000, 0x34000000, 0x3effffff,
    0x3f000000, 0x3f000001, 0x3f7fffff, 0x3f800000, 0x3f800001, 0x3fc00000, 0x40000000, 0x40400000,
    0x4affffff, 0x4b000000, 0x4b7fffff, 0x4f800000, 0x5f7fffff, 0x5f800000, 0x7effffff, 0x7f000000,
    0x7f7ffffe, 0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fc00000};
enum { EDGES = 2 * (sizeof k_edges / sizeof k_edges[0]) };

static uint32_t edge(unsigned i) { return k_edges[i / 2] | (i % 2 != 0 ? 0x80000000u : 0); }

static void edges(state_t *s) {
  for (unsigned i = 0; i < EDGES; i++) {
    uint32_t v[3] = {edge(i), 0, 0};
    all_modes(s, SQRT, v, 0);
    all_modes(s, INTEGRAL, v, 0);
    for (unsigned k = 0; k < EDGES; k++) {
      v[1] = edge(k);
      all_modes(s, ADD, v, 0);
      all_modes(s, MUL, v, 0);
      all_modes(s, DIV, v, 0);
      for (unsigned l = 0; l < EDGES; l += 1 + (i + k) % 3) {
        v[2] = edge(l);
        wl_or_fmode_t m = {(wl_or_round_t)((i + l) & 3), (k & 1) != 0, (l & 7) == 7};
        check(s, FMA, v, 0, m);
      }
    }
  }
}

/* Random bits, half of them with exponents near each other so that sums cancel and halfway cases
 * come up. */
static void random_operands(state_t *s, uint32_t v[3]) {
  uint64_t x = next(s), y = next(s);
  v[0] = (uint32_t)x;
  v[1] = (uint32_t)(x >> 32);
  v[2] = (uint32_t)y;
  if ((y >> 40 & 1) != 0) {
    v[1] = (v[1] & 0x807fffffu) | (127u << 23); /* the product keeps a's exponent */
    v[2] = (v[2] & 0x807fffffu) | ((v[0] + ((uint32_t)(y >> 41 & 31) << 23)) & 0x7f800000u);
  }
  if ((y >> 50 & 3) == 0) {
    v[0] &= 0xfffff000u; /* products and quotients that are exact, or halfway */
    v[1] &= 0xfffff000u;
  }
}

static void random_checks(state_t *s, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    uint32_t v[3];
    random_operands(s, v);
    uint64_t wide = next(s);
    wide >>= next(s) & 63;
    wide = (i & 1) != 0 ? 0 - wide : wide;
    wl_or_fmode_t m = {(wl_or_round_t)(i & 3), (i >> 2 & 1) != 0, (i >> 3 & 7) == 0};
    for (int op = 0; op < OPS; op++) {
      check(s, (op_t)op, v, wide, m);
    }
  }
}

/* Float to integer: MPFR rounds to an integer, limits are compared as reals. */
static void to_int(state_t *s, uint32_t bits, unsigned width, bool is_signed, wl_or_round_t round) {
  uint64_t high = UINT64_MAX >> (64 - width + (is_signed ? 1 : 0)), want;
  set(s->a, bits, false);
  (void)mpfr_rint(s->r, s->a, k_rounds[round]);
  if (mpfr_nan_p(s->r)) {
    want = width == 64 ? UINT64_C(1) << 63 : 0;
  } else if (mpfr_sgn(s->r) < 0) {
    int64_t low = is_signed ? (int64_t)~high : 0;
    bool below = !is_signed || mpfr_cmp_si_2exp(s->r, -1, width - 1) < 0;
    want = below ? (uint64_t)low : (uint64_t)mpfr_get_sj(s->r, MPFR_RNDN);
  } else {
    bool above = mpfr_cmp_ui_2exp(s->r, 1, width - (is_signed ? 1 : 0)) >= 0;
    want = above ? high : mpfr_get_uj(s->r, MPFR_RNDN);
  }
  uint64_t got = wl_or_f32_to_int(bits, width, is_signed, round, false);
  s->checks++;
  if (got != want && s->failures++ < 20) {
    printf("to %c%u round %d %08" PRIx32 ": got %016" PRIx64 ", MPFR says %016" PRIx64 "\n",
           is_signed ? 's' : 'u', width, (int)round, bits, got, want);
  }
}

static void to_int_checks(state_t *s, unsigned count) {
  static const unsigned widths[] = {8, 16, 32, 64};
  for (unsigned i = 0; i < count; i++) {
    uint32_t bits = i < EDGES ? edge(i) : (uint32_t)next(s);
    if (i >= EDGES && (i & 1) != 0) { /* near the limits and the fractions */
      bits = (bits & 0x807fffffu) | (120u + (bits >> 23 & 0xff) % 75) << 23;
    }
    for (unsigned k = 0; k < 32; k++) {
      to_int(s, bits, widths[k & 3], (k & 4) != 0, (wl_or_round_t)(k >> 3));
    }
  }
}

int main(void) {
  state_t s = {.random = 20261121, .emin = mpfr_get_emin(), .emax = mpfr_get_emax()};
  mpfr_inits2(24, s.a, s.b, s.c, s.r, s.limit, (mpfr_ptr)NULL);
  (void)mpfr_set_ui_2exp(s.limit, 1, -126, MPFR_RNDN);
  edges(&s);
  random_checks(&s, 300000);
  to_int_checks(&s, 20000);
  printf("%" PRIu64 " results compared with MPFR %s, %" PRIu64 " differ\n", s.checks,
         mpfr_get_version(), s.failures);
  mpfr_clears(s.a, s.b, s.c, s.r, s.limit, (mpfr_ptr)NULL);
  mpfr_free_cache();
  return s.failures != 0;
}
