/* f64.c: binary64 sums and products of the oracle (f64.h). A result is first held exactly, as an integer
 * of 4,224 bits in units of 2^-2148 that has room for each sum of a product and a number; then it is rounded
 * once. Nothing is aligned, dropped or normalised on the way, and no floating-point type is used. */
#include "tests/oracle/f64.h"

#include <string.h>

enum { WORDS = 66, LEAST = 1074, UNIT = 2 * LEAST }; /* bit UNIT is worth 1 */
static const uint64_t k_sign = UINT64_C(1) << 63, k_inf = UINT64_C(0x7ff) << 52;

typedef struct wide {
  uint64_t word[WORDS]; /* two's complement, the lowest first */
} wide_t;

static bool is_inf(uint64_t a) { return (a & ~k_sign) == k_inf; }
static bool is_zero(uint64_t a) { return (a & ~k_sign) == 0; }
static bool negative(uint64_t a) { return (a & k_sign) != 0; }

static uint64_t mantissa(uint64_t a) {
  uint64_t fraction = a & ((UINT64_C(1) << 52) - 1);
  return (a & k_inf) == 0 ? fraction : fraction | UINT64_C(1) << 52;
}

/* Exponent of the lowest bit of the mantissa, from -1074 on. */
static int exponent(uint64_t a) {
  int field = (int)(a >> 52 & 0x7ff);
  return (field == 0 ? 1 : field) - 1 - LEAST;
}

static void add_word(wide_t *x, unsigned at, uint64_t value, bool minus) {
  for (; value != 0 && at < WORDS; at++) {
    uint64_t before = x->word[at];
    x->word[at] = minus ? before - value : before + value;
    value = minus ? before < value : x->word[at] < before;
  }
}

/* x += (neg ? -m : m) * 2^exponent */
static void accumulate(wide_t *x, unsigned __int128 m, int exp, bool neg) {
  unsigned at = (unsigned)(exp + UNIT) / 64, shift = (unsigned)(exp + UNIT) % 64;
  unsigned __int128 low = m << shift;
  add_word(x, at, (uint64_t)low, neg);
  add_word(x, at + 1, (uint64_t)(low >> 64), neg);
  if (shift != 0) {
    add_word(x, at + 2, (uint64_t)(m >> (128 - shift)), neg);
  }
}

static bool bit(const wide_t *x, int at) { return (x->word[at / 64] >> at % 64 & 1) != 0; }

static int top_bit(const wide_t *x) {
  int at = WORDS * 64 - 1;
  while (at >= 0 && !bit(x, at)) {
    at--;
  }
  return at;
}

static bool any_below(const wide_t *x, int end) {
  bool any = false;
  for (int at = 0; at < end; at++) {
    any = any || bit(x, at);
  }
  return any;
}

static uint64_t largest_or_inf(bool neg, wl_or_round_t round) {
  bool to_inf = round == WL_OR_RN || (round == WL_OR_RM && neg) || (round == WL_OR_RP && !neg);
  return (neg ? k_sign : 0) | (to_inf ? k_inf : k_inf - 1);
}

/* x is not zero. */
static uint64_t rounded(wide_t x, wl_or_round_t round) {
  bool neg = negative(x.word[WORDS - 1]);
  if (neg) {
    wide_t zero = {{0}};
    for (unsigned i = 0; i < WORDS; i++) {
      add_word(&zero, i, x.word[i], true);
    }
    x = zero;
  }
  int top = top_bit(&x), lowest = top - 52 > UNIT - LEAST ? top - 52 : UNIT - LEAST;
  uint64_t kept = 0;
  for (int at = lowest + 52; at >= lowest; at--) {
    kept = kept << 1 | bit(&x, at);
  }
  bool half = bit(&x, lowest - 1), rest = any_below(&x, lowest - 1), up;
  switch (round) {
  case WL_OR_RZ:
    up = false;
    break;
  case WL_OR_RM:
    up = neg && (half || rest);
    break;
  case WL_OR_RP:
    up = !neg && (half || rest);
    break;
  default:
    up = half && (rest || (kept & 1) != 0);
    break;
  }
  if (top > UNIT + 1023) {
    return largest_or_inf(neg, round);
  }
  /* the hidden bit adds one to the exponent field; a carry out of the mantissa another one */
  uint64_t bits = ((uint64_t)(lowest - (UNIT - LEAST)) << 52) + kept + up;
  return bits >= k_inf ? largest_or_inf(neg, round) : (neg ? k_sign : 0) | bits;
}

static uint64_t quiet(uint64_t nan) { return nan | UINT64_C(1) << 51; }

static const uint64_t k_invalid = UINT64_C(0xfff8000000000000);

/* x, or the zero that a sum of numbers with these signs gives. */
static uint64_t sum(const wide_t *x, bool both_zero, bool neg_p, bool neg_c, wl_or_round_t round) {
  static const wide_t zero;
  if (memcmp(x, &zero, sizeof zero) != 0) {
    return rounded(*x, round);
  }
  bool neg = both_zero && neg_p == neg_c ? neg_p : round == WL_OR_RM;
  return neg ? k_sign : 0;
}

uint64_t wl_or_f64_fma(uint64_t a, uint64_t b, uint64_t c, wl_or_round_t round) {
  bool neg = negative(a) != negative(b), inf = is_inf(a) || is_inf(b);
  if (wl_or_f64_is_nan(b) || wl_or_f64_is_nan(c) || wl_or_f64_is_nan(a)) {
    return quiet(wl_or_f64_is_nan(b) ? b : wl_or_f64_is_nan(c) ? c : a);
  }
  if ((is_inf(a) && is_zero(b)) || (is_zero(a) && is_inf(b)) ||
      (inf && is_inf(c) && neg != negative(c))) {
    return k_invalid;
  }
  if (inf) {
    return (neg ? k_sign : 0) | k_inf;
  }
  if (is_inf(c)) {
    return c;
  }
  wide_t x = {{0}};
  accumulate(&x, (unsigned __int128)mantissa(a) * mantissa(b), exponent(a) + exponent(b), neg);
  accumulate(&x, mantissa(c), exponent(c), negative(c));
  return sum(&x, (is_zero(a) || is_zero(b)) && is_zero(c), neg, negative(c), round);
}

uint64_t wl_or_f64_add(uint64_t a, uint64_t b, wl_or_round_t round) {
  if (wl_or_f64_is_nan(b) || wl_or_f64_is_nan(a)) {
    return quiet(wl_or_f64_is_nan(b) ? b : a);
  }
  if (is_inf(a) || is_inf(b)) {
    return is_inf(a) && is_inf(b) && a != b ? k_invalid : is_inf(a) ? a : b;
  }
  wide_t x = {{0}};
  accumulate(&x, mantissa(a), exponent(a), negative(a));
  accumulate(&x, mantissa(b), exponent(b), negative(b));
  return sum(&x, is_zero(a) && is_zero(b), negative(a), negative(b), round);
}

uint64_t wl_or_f64_mul(uint64_t a, uint64_t b, wl_or_round_t round) {
  uint64_t sign = (a ^ b) & k_sign;
  if (wl_or_f64_is_nan(b) || wl_or_f64_is_nan(a)) {
    return quiet(wl_or_f64_is_nan(b) ? b : a);
  }
  if (is_inf(a) || is_inf(b)) {
    return is_zero(a) || is_zero(b) ? k_invalid : sign | k_inf;
  }
  if (is_zero(a) || is_zero(b)) {
    return sign;
  }
  wide_t x = {{0}};
  accumulate(&x, (unsigned __int128)mantissa(a) * mantissa(b), exponent(a) + exponent(b),
             sign != 0);
  return rounded(x, round);
}
