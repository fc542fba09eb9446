/* explain.c: a sum of the tensor unit, told step by step (explain.h). The result is cmodel/sem's;
 * beside it stand sums in which cut bits are put back, one term at a time. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmodel/sem/dot.h"
#include "driver/explain.h"

/* Those of mma.sync; NULL: not explained. */
static const char *const names[WL_NUM_PROFILE] = {[WL_PROFILE_F16_F32] = "f16_f32",
                                                  [WL_PROFILE_F16_F16] = "f16_f16",
                                                  [WL_PROFILE_BF16_F32] = "bf16_f32",
                                                  [WL_PROFILE_TF32_F32] = "tf32_f32"};

int wl_explain_profile(const char *name) {
  for (int i = 0; i < WL_NUM_PROFILE; i++)
    if (names[i] != NULL && strcmp(names[i], name) == 0) return i;
  return -1;
}

int wl_explain_value(int profile, int of_result, const char *text, uint32_t *out) {
  const wl_profile_t *p = &wl_profiles[profile];
  const wl_fmt_t f = wl_fmt_of((wl_format_t)(of_result ? p->result : p->format));
  char *end;
  errno = 0;
  if (strncmp(text, "0x", 2) == 0) {
    const unsigned long long bits = strtoull(text, &end, 16);
    *out = (uint32_t)bits;
    return *end == '\0' && bits >> (f.low + f.bits) == 0 ? 0 : -1;
  }
  const double v = strtod(text, &end);
  if (end == text || *end != '\0' || !isfinite(v)) return -1;
  int exponent;
  const double m = frexp(v, &exponent);
  *out = wl_dot_round(f, true, (int64_t)ldexp(m, 53), exponent - 53) << f.low;
  if (v == 0) *out = (uint32_t)signbit(v) << (f.low + f.bits - 1);
  return 0;
}

static double value_of(const wl_dot_number_t *n) {
  if (n->kind == WL_DOT_NAN) return NAN;
  const double v = n->kind == WL_DOT_INFINITE
                       ? (double)INFINITY
                       : ldexp((double)n->significand, n->exponent - (int)n->fraction);
  return n->sign ? -v : v;
}

/* ---- a block */
enum { MOST_TERMS = 64 };
typedef struct term {
  wl_dot_number_t n, a, b;
  int64_t kept;     /* units */
  unsigned dropped; /* bits that were cut, their number */
  uint32_t cut;     /* these bits */
} term_t;

typedef struct block {
  const wl_profile_t *p;
  wl_fmt_t f, r;
  unsigned count; /* of term; [0] is the addend */
  term_t term[MOST_TERMS + 1];
  int largest, unit;
  bool special;
  int64_t sum;
  uint32_t result;
} block_t;

static void cut_term(const block_t *b, term_t *t) {
  if (t->n.kind != WL_DOT_FINITE) return;
  const int right = b->largest - t->n.exponent + (int)t->n.fraction - b->p->kept;
  const uint64_t kept = wl_dot_cut(b->p->kept, &t->n, b->largest);
  t->kept = t->n.sign ? -(int64_t)kept : (int64_t)kept;
  t->dropped = right > 0 ? (unsigned)right : 0;
  t->cut = right <= 0 ? 0 : right >= 32 ? t->n.significand : t->n.significand & ((1u << right) - 1);
}

static void fill(block_t *b, unsigned count, const uint32_t *x, const uint32_t *y, uint32_t c) {
  b->count = count + 1;
  b->largest = b->p->lowest;
  for (unsigned i = 0; i < b->count; i++) {
    term_t *t = &b->term[i];
    *t = (term_t){0};
    t->n = wl_dot_take(b->r, c);
    if (i > 0) {
      t->a = wl_dot_take(b->f, x[i - 1]);
      t->b = wl_dot_take(b->f, y[i - 1]);
      t->n = wl_dot_product(t->a, t->b);
    }
    b->special |= t->n.kind > WL_DOT_FINITE;
    if (t->n.kind == WL_DOT_FINITE && t->n.exponent > b->largest) b->largest = t->n.exponent;
  }
  b->unit = b->largest - b->p->kept;
  for (unsigned i = 0; i < b->count && !b->special; i++) {
    cut_term(b, &b->term[i]);
    b->sum += b->term[i].kept;
  }
  b->result = wl_dot(b->p, count, x, y, c);
}

/* The `top` highest bits that were cut of a term, in units / 2^64; what is beyond that counts as one more. */
static __int128 put_back(const term_t *t, unsigned top) {
  const unsigned left = top < t->dropped ? t->dropped - top : 0;
  const uint64_t bits = left >= 32 ? 0 : (uint64_t)t->cut >> left << left;
  __int128 fraction = 0;
  if (t->dropped <= 64)
    fraction = (__int128)bits << (64 - t->dropped);
  else
    fraction = (t->dropped - 64 < 64 ? bits >> (t->dropped - 64) : 0) | (bits != 0);
  return t->n.sign ? -fraction : fraction;
}

/* The sum with a fraction of 2^-64 units, rounded as the profile does. */
static uint32_t rounded(const block_t *b, __int128 fraction) {
  __int128 sum = ((__int128)b->sum << 64) + fraction;
  const bool negative = sum < 0;
  unsigned __int128 m = negative ? -(unsigned __int128)sum : (unsigned __int128)sum;
  int unit = b->unit - 64;
  bool sticky = false;
  for (; m >> 60 != 0; m >>= 1, unit++)
    sticky |= (m & 1) != 0;
  const int64_t v = (int64_t)(m << 1 | sticky);
  return wl_dot_round(b->r, b->p->nearest, negative ? -v : v, unit - 1);
}

/* The first of the term's cut bits, from the highest down, that changes the result when it and those above
 * it are put back; 0: none does. */
static unsigned telling_bit(const block_t *b, const term_t *t) {
  for (unsigned top = 1; top <= t->dropped && t->dropped < 4096; top++)
    if (rounded(b, put_back(t, top)) != b->result) return top;
  return 0;
}

/* ---- text */
static void show_value(FILE *out, const char *name, wl_fmt_t f, uint32_t bits) {
  const wl_dot_number_t n = wl_dot_take(f, bits);
  fprintf(out, "%s0x%0*x (%.9g)", name, (int)(f.low + f.bits + 3) / 4, bits, value_of(&n));
}

static void show_term(FILE *out, const block_t *b, unsigned i, unsigned from) {
  const term_t *t = &b->term[i];
  char what[80];
  if (i == 0)
    (void)snprintf(what, sizeof what, "C");
  else
    (void)snprintf(what, sizeof what, "%u", from + i - 1);
  fprintf(out, "%5s  ", what);
  if (t->n.kind != WL_DOT_FINITE) {
    fprintf(out, "%s\n", t->n.kind == WL_DOT_ZERO ? "zero: no exponent" : "not finite");
    return;
  }
  if (i == 0)
    (void)snprintf(what, sizeof what, "%.9g", value_of(&t->n));
  else
    (void)snprintf(what, sizeof what, "%.6g * %.6g", value_of(&t->a), value_of(&t->b));
  fprintf(out, "%-28s exponent %5d  behind X by %4d  kept %c%llx", what, t->n.exponent,
          b->largest - t->n.exponent, t->n.sign ? '-' : '+',
          (unsigned long long)(t->kept < 0 ? -t->kept : t->kept));
  if (t->dropped > 0) {
    fprintf(out, "  cut %u: ", t->dropped);
    if (t->dropped > 32) fprintf(out, "0..");
    for (unsigned k = t->dropped < 32 ? t->dropped : 32; k-- > 0;)
      fputc((t->cut >> k & 1) != 0 ? '1' : '0', out);
  }
  fputc('\n', out);
}

static void show_changes(FILE *out, const block_t *b, unsigned from) {
  __int128 all = 0;
  unsigned telling = 0;
  for (unsigned i = 0; i < b->count; i++) {
    const term_t *t = &b->term[i];
    if (t->n.kind != WL_DOT_FINITE || t->cut == 0) continue;
    all += put_back(t, t->dropped);
    const unsigned top = telling_bit(b, t);
    if (top == 0) continue;
    telling++;
    fprintf(out, "  the cut bit 2^%d of %s", b->unit - (int)top, i == 0 ? "C" : "product ");
    if (i > 0) fprintf(out, "%u", from + i - 1);
    show_value(out, " changes the result: with it ", b->r, rounded(b, put_back(t, top)));
    fputc('\n', out);
  }
  const uint32_t exact = rounded(b, all);
  if (telling == 0 && exact != b->result)
    fprintf(out, "  no term's cut bits alone change the result, all of them together do\n");
  if (telling == 0 && exact == b->result)
    fprintf(out, "  no cut bit of a term changes the result\n");
  show_value(out, "  with nothing cut but the sum: ", b->r, exact);
  fputc('\n', out);
}

static void show_block(FILE *out, const block_t *b, unsigned number, unsigned from) {
  fprintf(out, "block %u: products %u to %u\n", number, from, from + b->count - 2);
  if (b->special) {
    for (unsigned i = 0; i < b->count; i++)
      if (b->term[i].n.kind > WL_DOT_FINITE) show_term(out, b, i, from);
    show_value(out, "  an infinity or a NaN decides: ", b->r, b->result);
    fputc('\n', out);
    return;
  }
  fprintf(out, "  X = %d%s, unit 2^%d\n", b->largest,
          b->largest == b->p->lowest ? " (the lowest)" : "", b->unit);
  for (unsigned i = 0; i < b->count; i++)
    show_term(out, b, i, from);
  fprintf(out, "  sum %c%llx units = %.17g\n", b->sum < 0 ? '-' : '+',
          (unsigned long long)(b->sum < 0 ? -b->sum : b->sum), ldexp((double)b->sum, b->unit));
  show_value(out, b->p->nearest ? "  rounded to nearest even: " : "  cut: ", b->r, b->result);
  fputc('\n', out);
  show_changes(out, b, from);
}

uint32_t wl_explain_mma(FILE *out, int profile, unsigned count, const uint32_t *a,
                        const uint32_t *b, uint32_t c) {
  const wl_profile_t *p = &wl_profiles[profile];
  fprintf(out, "%s: blocks of %u products, %u bits kept behind the largest exponent, at least %d\n",
          names[profile], p->block, p->kept, p->lowest);
  for (unsigned from = 0, number = 1; from < count; from += p->block, number++) {
    block_t block = {
        .p = p, .f = wl_fmt_of((wl_format_t)p->format), .r = wl_fmt_of((wl_format_t)p->result)};
    const unsigned n = count - from < p->block ? count - from : p->block;
    fill(&block, n, a + from, b + from, c);
    show_block(out, &block, number, from);
    c = block.result;
  }
  show_value(out, "D = ", wl_fmt_of((wl_format_t)p->result), c);
  fputc('\n', out);
  return c;
}
