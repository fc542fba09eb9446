/* One element of D with its terms one by one (docs/microarchitecture.md 19.2): any operands and any
 * profile. sem_dot_fast.c does the same for matrices. */
#include "cmodel/sem/dot.h"

wl_dot_number_t wl_dot_product(wl_dot_number_t a, wl_dot_number_t b) {
  wl_dot_number_t n = {.kind = WL_DOT_FINITE,
                       .sign = a.sign != b.sign,
                       .exponent = a.exponent + b.exponent,
                       .fraction = a.fraction + b.fraction,
                       .significand = a.significand * b.significand};
  const bool zero = a.kind == WL_DOT_ZERO || b.kind == WL_DOT_ZERO;
  const bool infinite = a.kind == WL_DOT_INFINITE || b.kind == WL_DOT_INFINITE;
  if (a.kind == WL_DOT_NAN || b.kind == WL_DOT_NAN || (zero && infinite))
    n.kind = WL_DOT_NAN;
  else if (zero || infinite)
    n.kind = zero ? WL_DOT_ZERO : WL_DOT_INFINITE;
  return n;
}

/* The exponent of what counts, and what is no number. */
typedef struct terms {
  int largest;
  bool nan, infinite[2]; /* by sign */
} terms_t;

static void look_at(terms_t *t, const wl_dot_number_t *n) {
  t->nan = t->nan || n->kind == WL_DOT_NAN;
  if (n->kind == WL_DOT_INFINITE) t->infinite[n->sign] = true;
  if (n->kind == WL_DOT_FINITE && n->exponent > t->largest) t->largest = n->exponent;
}

static int64_t cut_term(const wl_profile_t *p, const wl_dot_number_t *n, int largest) {
  if (n->kind != WL_DOT_FINITE) return 0;
  const int64_t magnitude = (int64_t)wl_dot_cut(p->kept, n, largest);
  return n->sign ? -magnitude : magnitude;
}

static uint32_t special(const wl_profile_t *p, const terms_t *t) {
  const wl_fmt_t f = wl_fmt_of((wl_format_t)p->result);
  if (t->nan || (t->infinite[0] && t->infinite[1])) return (uint32_t)f.nan;
  return ((1u << f.exp_bits) - 1) << f.fraction_bits | (uint32_t)t->infinite[1] << (f.bits - 1);
}

typedef struct formats {
  wl_fmt_t a, b;
} formats_t;

static wl_dot_number_t term(const formats_t *f, uint32_t a, uint32_t b, int raise) {
  wl_dot_number_t n = wl_dot_product(wl_dot_take(f->a, a), wl_dot_take(f->b, b));
  n.exponent += raise;
  return n;
}

static uint32_t block(const wl_profile_t *p, const formats_t *f, unsigned count, const uint32_t *a,
                      const uint32_t *b, uint32_t c, unsigned lower, int raise) {
  wl_dot_number_t addend = wl_dot_take(wl_fmt_of((wl_format_t)p->result), c);
  addend.exponent -= (int)lower;
  terms_t t = {.largest = p->lowest};
  look_at(&t, &addend);
  for (unsigned k = 0; k < count; k++) {
    const wl_dot_number_t n = term(f, a[k], b[k], raise);
    look_at(&t, &n);
  }
  if (t.nan || t.infinite[0] || t.infinite[1]) return special(p, &t);
  int64_t sum = cut_term(p, &addend, t.largest);
  for (unsigned k = 0; k < count; k++) {
    const wl_dot_number_t n = term(f, a[k], b[k], raise);
    sum += cut_term(p, &n, t.largest);
  }
  return wl_dot_round(wl_fmt_of((wl_format_t)p->result), p->nearest, sum, t.largest - p->kept);
}

static int raise_of(const wl_dot_values_t *x) { return x->raise != NULL ? x->raise[0] : 0; }

uint32_t wl_dot_mixed(const wl_profile_t *p, unsigned count, wl_dot_values_t a, wl_dot_values_t b,
                      uint32_t c, unsigned lower) {
  const formats_t f = {wl_fmt_of(a.format), wl_fmt_of(b.format)};
  const int raise = raise_of(&a) + raise_of(&b);
  for (unsigned from = 0; from < count; from += p->block) {
    c = block(p, &f, count - from < p->block ? count - from : p->block, a.first + from,
              b.first + from, c, lower, raise);
    lower = 0;
  }
  return c;
}

uint32_t wl_dot(const wl_profile_t *p, unsigned count, const uint32_t *a, const uint32_t *b,
                uint32_t c) {
  const wl_format_t format = (wl_format_t)p->format;
  return wl_dot_mixed(p, count, (wl_dot_values_t){format, a, 0, NULL},
                      (wl_dot_values_t){format, b, 0, NULL}, c, 0);
}
