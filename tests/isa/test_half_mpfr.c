/* HFMA (cmodel/sem/sem_half.c) against MPFR, which computes at 11 or 8 bits in the format's range of
 * exponents and rounds once (mpfr_subnormalize() finishes small results); ftz is decided on a second
 * result with unbounded exponent. Usage: test_isa_half_mpfr [RANDOM TRIPLES] */
#include <stdlib.h>

#include <mpfr.h>

#include "tests/isa/half_batch.h"

static mpfr_t num[3], result, limit;
static mpfr_exp_t emin, emax; /* what MPFR starts with */

/* Exact: MPFR's numbers here have the format's precision. */
static void set(mpfr_t x, uint32_t bits, unsigned fraction, bool ftz) {
  const uint32_t field = bits >> fraction & 0x7fff >> fraction, top = 0x7fffu >> fraction;
  const uint32_t low = bits & ((1u << fraction) - 1);
  const int sign = bits >> 15 & 1 ? -1 : 1, unit = 1 - (int)(top / 2) - (int)fraction;
  if (field == top && low != 0)
    mpfr_set_nan(x);
  else if (field == top)
    mpfr_set_inf(x, sign);
  else if (field == 0 && (ftz || low == 0))
    mpfr_set_zero(x, sign);
  else if (field == 0)
    (void)mpfr_set_si_2exp(x, sign * (long)low, unit, MPFR_RNDN);
  else
    (void)mpfr_set_si_2exp(x, sign * (long)(low | 1u << fraction), unit + (int)field - 1,
                           MPFR_RNDN);
}

/* Of a number or infinity. */
static uint32_t bits_of(const mpfr_t x, unsigned fraction) {
  const uint32_t sign = mpfr_signbit(x) ? 0x8000 : 0, top = 0x7fffu >> fraction;
  if (mpfr_inf_p(x)) return sign | top << fraction;
  if (mpfr_zero_p(x)) return sign;
  const int bias = (int)(top / 2), exp = (int)mpfr_get_exp(x) - 1;
  const int place = exp < 1 - bias ? 1 - bias : exp;
  mpfr_t scaled;
  mpfr_init2(scaled, 24);
  (void)mpfr_mul_2si(scaled, x, (long)fraction - place, MPFR_RNDN);
  const long units = labs(mpfr_get_si(scaled, MPFR_RNDN));
  mpfr_clear(scaled);
  return sign | (((uint32_t)(place + bias - 1) << fraction) + (uint32_t)units);
}

static uint32_t witness(const half_case_t *k, const uint32_t v[3]) {
  const half_mods_t *m = &k->mods;
  const int bias = 0x3fff >> k->fraction;
  if (m->oob && ((v[0] & 0x7fff) == 0x7ff7 || (v[1] & 0x7fff) == 0x7ff7)) return 0;
  for (unsigned i = 0; i < 3; i++)
    set(num[i],
        v[i] ^ (i == 0   ? m->neg_a << 15
                : i == 2 ? m->neg_c << 15
                         : 0),
        k->fraction, m->ftz);
  (void)mpfr_fma(result, num[0], num[1], num[2], MPFR_RNDN);
  (void)mpfr_set_si_2exp(limit, 1, 1 - bias, MPFR_RNDN);
  if (m->ftz && mpfr_number_p(result) && mpfr_cmpabs(result, limit) < 0) {
    mpfr_set_zero(result, mpfr_signbit(result) ? -1 : 1);
  } else {
    (void)mpfr_set_emin(2 - bias - (int)k->fraction);
    (void)mpfr_set_emax(bias + 1);
    const int inexact = mpfr_fma(result, num[0], num[1], num[2], MPFR_RNDN);
    (void)mpfr_subnormalize(result, inexact, MPFR_RNDN);
    (void)mpfr_set_emin(emin);
    (void)mpfr_set_emax(emax);
  }
  if (mpfr_nan_p(result)) return m->sat ? 0 : 0x7fff;
  if ((m->sat || m->relu) && mpfr_signbit(result)) return 0;
  if (m->sat && mpfr_cmp_ui(result, 1) > 0) (void)mpfr_set_ui(result, 1, MPFR_RNDN);
  return bits_of(result, k->fraction);
}

static void special_triples(half_batch_t *b) {
  const unsigned n = HALF_SPECIALS;
  for (unsigned i = 0; i < n * n * n; i++)
    half_add_case(b, half_special(b->kind.fraction, i % n),
                  half_special(b->kind.fraction, i / n % n),
                  half_special(b->kind.fraction, i / n / n));
  half_flush(b);
}

static void random_triples(half_batch_t *b, long count) {
  const unsigned fraction = b->kind.fraction;
  for (long n = 0; n < count; n++)
    half_add_case(b, half_any(b->t, fraction), half_any(b->t, fraction), half_any(b->t, fraction));
  half_flush(b);
}

int main(int argc, char **argv) {
  const long count = argc > 1 ? atol(argv[1]) : 1 << 20;
  check_t t = {.state = 42};
  emin = mpfr_get_emin();
  emax = mpfr_get_emax();
  for (unsigned fraction = 7; fraction <= 10; fraction += 3) {
    for (unsigned i = 0; i < 3; i++)
      mpfr_init2(num[i], fraction + 1);
    mpfr_init2(result, fraction + 1);
    mpfr_init2(limit, fraction + 1);
    for (uint32_t mods = 0; mods < 64; mods++) {
      half_batch_t b = {.t = &t, .witness = witness, .kind = {WL_FPU_HFMA, fraction, {0}}};
      half_mods_t *m = &b.kind.mods;
      m->ftz = mods & 1;
      m->sat = mods >> 1 & 1;
      m->neg_a = mods >> 2 & 1;
      m->neg_c = mods >> 3 & 1;
      m->relu = mods >> 4 & 1;
      m->oob = mods >> 5 & 1;
      if (mods < 2 || mods == 63) special_triples(&b);
      random_triples(&b, count >> 6);
    }
    for (unsigned i = 0; i < 3; i++)
      mpfr_clear(num[i]);
    mpfr_clears(result, limit, (mpfr_ptr)0);
  }
  return check_done(&t, "half, MPFR");
}
