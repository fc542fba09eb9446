/* test_f64_mpfr: the oracle's binary64 sums and products (f64.h) against MPFR: boundary values in all
 * combinations and random patterns, four roundings. MPFR computes at 53 bits in binary64's exponent range
 * and mpfr_subnormalize() finishes small results, so that it rounds once. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <mpfr.h>

#include "tests/common/splitmix.h"
#include "tests/oracle/f64.h"

typedef enum op { ADD, MUL, FMA, OPS } op_t;
static const char *const k_names[OPS] = {"add", "mul", "fma"};
static const mpfr_rnd_t k_rounds[4] = {MPFR_RNDN, MPFR_RNDZ, MPFR_RNDD, MPFR_RNDU};

typedef struct state {
  mpfr_t a, b, c, r;
  uint64_t random, checks, failures;
} state_t;

static void set(mpfr_t x, uint64_t bits) {
  double d;
  memcpy(&d, &bits, sizeof d);
  (void)mpfr_set_d(x, d, MPFR_RNDN);
}

/* MPFR has one NaN: the pattern is the rule that f64.h states. */
static uint64_t nan_of(op_t op, const uint64_t v[3]) {
  const uint64_t order[3] = {v[1], op == FMA ? v[2] : v[0], v[0]};
  for (unsigned i = 0; i < 3; i++) {
    if (wl_or_f64_is_nan(order[i])) {
      return order[i] | UINT64_C(0x0008000000000000);
    }
  }
  return UINT64_C(0xfff8000000000000);
}

static uint64_t witness(state_t *s, op_t op, const uint64_t v[3], wl_or_round_t round) {
  mpfr_rnd_t rnd = k_rounds[round];
  set(s->a, v[0]);
  set(s->b, v[1]);
  set(s->c, v[2]);
  int ternary = op == ADD   ? mpfr_add(s->r, s->a, s->b, rnd)
                : op == MUL ? mpfr_mul(s->r, s->a, s->b, rnd)
                            : mpfr_fma(s->r, s->a, s->b, s->c, rnd);
  (void)mpfr_subnormalize(s->r, ternary, rnd);
  if (mpfr_nan_p(s->r)) {
    return nan_of(op, v);
  }
  double d = mpfr_get_d(s->r, MPFR_RNDN);
  uint64_t bits;
  memcpy(&bits, &d, sizeof bits);
  return bits;
}

static void check(state_t *s, op_t op, const uint64_t v[3]) {
  for (int round = 0; round < 4; round++) {
    wl_or_round_t r = (wl_or_round_t)round;
    uint64_t got = op == ADD   ? wl_or_f64_add(v[0], v[1], r)
                   : op == MUL ? wl_or_f64_mul(v[0], v[1], r)
                               : wl_or_f64_fma(v[0], v[1], v[2], r);
    uint64_t want = witness(s, op, v, r);
    s->checks++;
    if (got != want && s->failures++ < 20) {
      printf("%s round %d %016" PRIx64 " %016" PRIx64 " %016" PRIx64 ": got %016" PRIx64
             ", MPFR says %016" PRIx64 "\n",
             k_names[op], round, v[0], v[1], v[2], got, want);
    }
  }
}

static const uint64_t k_edges[] = {
    0,
    1,
    UINT64_C(0x0008000000000000),
    UINT64_C(0x000fffffffffffff),
    UINT64_C(0x0010000000000000),
    UINT64_C(0x0010000000000001),
    UINT64_C(0x1e60000000000000),
    UINT64_C(0x1ff0000000000001),
    UINT64_C(0x3ca0000000000000),
    UINT64_C(0x3ca0000000000001),
    UINT64_C(0x3fdfffffffffffff),
    UINT64_C(0x3fefffffffffffff),
    UINT64_C(0x3ff0000000000000),
    UINT64_C(0x3ff0000000000001),
    UINT64_C(0x4340000000000001),
    UINT64_C(0x5fefffffffffffff),
    UINT64_C(0x5ff0000000000000),
    UINT64_C(0x7ca0000000000000),
    UINT64_C(0x7fe0000000000000),
    UINT64_C(0x7fefffffffffffff),
    UINT64_C(0x7ff0000000000000),
    UINT64_C(0x7ff0000000000001),
    UINT64_C(0x7ff8000000000005),
};
enum { EDGES = 2 * (sizeof k_edges / sizeof k_edges[0]) };

static uint64_t edge(unsigned i) { return k_edges[i / 2] | (uint64_t)(i % 2) << 63; }

static void edges(state_t *s) {
  for (unsigned i = 0; i < EDGES; i++) {
    for (unsigned k = 0; k < EDGES; k++) {
      uint64_t v[3] = {edge(i), edge(k), 0};
      check(s, ADD, v);
      check(s, MUL, v);
      for (unsigned l = 0; l < EDGES; l++) {
        v[2] = edge(l);
        check(s, FMA, v);
      }
    }
  }
}

/* Random bits; most with exponents near each other, so that sums cancel, halfway cases come up and results
 * lie at both ends of the exponents. */
static void random_checks(state_t *s, unsigned count) {
  static const unsigned middles[] = {1023, 1023, 40, 600, 1535, 2000};
  for (unsigned i = 0; i < count; i++) {
    uint64_t v[3], pick = wl_splitmix64(&s->random);
    for (unsigned k = 0; k < 3; k++) {
      v[k] = wl_splitmix64(&s->random);
      if ((pick >> k & 1) != 0) {
        v[k] &= UINT64_C(0xfffffffff0000000); /* sums and products that are exact, or halfway */
      }
      if ((pick & 0x18) != 0) {
        uint64_t exponent = middles[i % 6] + (v[k] >> 52) % 46;
        v[k] = (v[k] & UINT64_C(0x800fffffffffffff)) | exponent << 52;
      }
    }
    if ((pick & 0x20) != 0) {
      v[1] = (v[1] & UINT64_C(0x800fffffffffffff)) | UINT64_C(1023) << 52;
    }
    for (int op = 0; op < OPS; op++) {
      check(s, (op_t)op, v);
    }
  }
}

int main(void) {
  state_t s = {.random = 20261128};
  (void)mpfr_set_emin(-1073);
  (void)mpfr_set_emax(1024);
  mpfr_inits2(53, s.a, s.b, s.c, s.r, (mpfr_ptr)NULL);
  edges(&s);
  random_checks(&s, 40000);
  printf("%" PRIu64 " results compared with MPFR %s, %" PRIu64 " differ\n", s.checks,
         mpfr_get_version(), s.failures);
  mpfr_clears(s.a, s.b, s.c, s.r, (mpfr_ptr)NULL);
  mpfr_free_cache();
  return s.failures != 0;
}
