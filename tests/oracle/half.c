/* half.c: sums, products, minima and comparisons of f16 and bf16 (half.h). A result is first held exactly, as
 * a signed integer of 640 bits in units of 2^-268, below the product of the two smallest subnormal numbers of
 * bf16; then it is rounded once, to nearest even. No floating-point type is used. */
#include "tests/oracle/half.h"

enum { WORDS = 20, UNIT = 268 }; /* bit UNIT is worth 1 */
static const uint32_t k_sign = UINT32_C(0x8000);

typedef struct exact {
  uint32_t word[WORDS]; /* two's complement, the lowest first */
} exact_t;

static unsigned fraction_bits(wl_or_half_t m) { return m.bf16 ? 7 : 10; }
static int least_exponent(wl_or_half_t m) { return m.bf16 ? -126 : -14; } /* of a normal number */
static int top_exponent(wl_or_half_t m) { return m.bf16 ? 127 : 15; }
static uint32_t infinity(wl_or_half_t m) { return m.bf16 ? UINT32_C(0x7f80) : UINT32_C(0x7c00); }
static uint32_t one(wl_or_half_t m) { return m.bf16 ? UINT32_C(0x3f80) : UINT32_C(0x3c00); }

static uint32_t magnitude(uint32_t a) { return a & 0x7fff; }
static bool negative(uint32_t a) { return (a & k_sign) != 0; }
static bool is_inf(uint32_t a, wl_or_half_t m) { return magnitude(a) == infinity(m); }
static bool is_zero(uint32_t a) { return magnitude(a) == 0; }

bool wl_or_half_is_nan(uint32_t a, wl_or_half_t m) { return magnitude(a) > infinity(m); }

static uint32_t flushed(uint32_t a, wl_or_half_t m) {
  return m.ftz && magnitude(a) >> fraction_bits(m) == 0 ? a & k_sign : a & 0xffff;
}

/* ---- exact sums ---- */
static uint32_t significand(uint32_t a, wl_or_half_t m) {
  uint32_t fraction = a & ((1u << fraction_bits(m)) - 1);
  bool normal = magnitude(a) >> fraction_bits(m) != 0;
  return normal ? fraction | 1u << fraction_bits(m) : fraction;
}

/* Of the significand's lowest bit. */
static int exponent(uint32_t a, wl_or_half_t m) {
  int field = (int)(magnitude(a) >> fraction_bits(m));
  return (field == 0 ? 1 : field) - top_exponent(m) - (int)fraction_bits(m);
}

/* x += (neg ? -v : v) * 2^e */
static void accumulate(exact_t *x, uint64_t v, int e, bool neg) {
  unsigned at = (unsigned)(e + UNIT) / 32, shift = (unsigned)(e + UNIT) % 32;
  unsigned __int128 part = (unsigned __int128)v << shift;
  int64_t carry = 0;
  for (; at < WORDS; at++) {
    int64_t word = (int64_t)(uint32_t)part;
    int64_t sum = (int64_t)x->word[at] + (neg ? -word : word) + carry;
    x->word[at] = (uint32_t)((uint64_t)sum & UINT32_MAX);
    carry = sum >> 32;
    part >>= 32;
  }
}

static bool bit(const exact_t *x, int at) {
  return at >= 0 && (x->word[at / 32] >> at % 32 & 1) != 0;
}

static exact_t negated(const exact_t *x) {
  exact_t r = {{0}};
  uint64_t carry = 1;
  for (unsigned i = 0; i < WORDS; i++) {
    carry += (uint32_t)~x->word[i];
    r.word[i] = (uint32_t)carry;
    carry >>= 32;
  }
  return r;
}

static int top_bit(const exact_t *x) { /* -1: x is zero */
  int at = WORDS * 32 - 1;
  while (at >= 0 && !bit(x, at)) {
    at--;
  }
  return at;
}

static bool any_below(const exact_t *x, int end) {
  bool any = false;
  for (int at = 0; at < end; at++) {
    any = any || bit(x, at);
  }
  return any;
}

/* x in units of bit `lowest`, to nearest even. */
static uint32_t rounded(const exact_t *x, int lowest, int top) {
  uint32_t kept = 0;
  for (int at = top; at >= lowest; at--) {
    kept = kept << 1 | bit(x, at);
  }
  bool half = bit(x, lowest - 1), rest = any_below(x, lowest - 1);
  return kept + (half && (rest || (kept & 1) != 0));
}

/* What .sat and .relu make of a result. */
static uint32_t finished(uint32_t r, wl_or_half_t m) {
  bool nan = wl_or_half_is_nan(r, m);
  if (m.sat && (nan || negative(r))) {
    return 0;
  }
  if (m.sat && r > one(m)) {
    return one(m);
  }
  return m.relu && !nan && negative(r) ? 0 : r;
}

/* The positive number x. */
static uint32_t pack(const exact_t *x, wl_or_half_t m) {
  int fraction = (int)fraction_bits(m), top = top_bit(x), least = least_exponent(m) + UNIT;
  if (m.ftz && top < least) { /* by its value in fraction + 1 bits, whatever the exponent */
    bool reaches = rounded(x, top - fraction, top) == 2u << fraction && top + 1 == least;
    return reaches ? 1u << fraction : 0;
  }
  if (top > UNIT + top_exponent(m)) {
    return infinity(m);
  }
  int place = top > least ? top : least;
  /* the hidden bit adds one to the exponent field; a carry out of the significand another one */
  uint32_t bits = ((uint32_t)(place - least) << fraction) + rounded(x, place - fraction, top);
  return bits > infinity(m) ? infinity(m) : bits;
}

static uint32_t result(const exact_t *x, bool zero_neg, wl_or_half_t m) {
  if (top_bit(x) < 0) {
    return finished(zero_neg ? k_sign : 0, m);
  }
  if (x->word[WORDS - 1] >> 31 == 0) {
    return finished(pack(x, m), m);
  }
  exact_t y = negated(x);
  return finished(k_sign | pack(&y, m), m);
}

/* ---- arithmetic ---- */
uint32_t wl_or_half_add(uint32_t a, uint32_t b, wl_or_half_t m) {
  a = flushed(a, m);
  b = flushed(b, m);
  bool differ = negative(a) != negative(b);
  if (wl_or_half_is_nan(a, m) || wl_or_half_is_nan(b, m) ||
      (is_inf(a, m) && is_inf(b, m) && differ)) {
    return finished(WL_OR_HALF_NAN, m);
  }
  if (is_inf(a, m) || is_inf(b, m)) {
    return finished(is_inf(a, m) ? a : b, m);
  }
  exact_t x = {{0}};
  accumulate(&x, significand(a, m), exponent(a, m), negative(a));
  accumulate(&x, significand(b, m), exponent(b, m), negative(b));
  return result(&x, is_zero(a) && negative(a) && !differ, m);
}

static bool bad_product(uint32_t a, uint32_t b, wl_or_half_t m) {
  return wl_or_half_is_nan(a, m) || wl_or_half_is_nan(b, m) || (is_inf(a, m) && is_zero(b)) ||
         (is_zero(a) && is_inf(b, m));
}

static void add_product(exact_t *x, uint32_t a, uint32_t b, wl_or_half_t m) {
  uint64_t product = (uint64_t)significand(a, m) * significand(b, m);
  accumulate(x, product, exponent(a, m) + exponent(b, m), negative(a) != negative(b));
}

uint32_t wl_or_half_mul(uint32_t a, uint32_t b, wl_or_half_t m) {
  a = flushed(a, m);
  b = flushed(b, m);
  bool neg = negative(a) != negative(b);
  if (bad_product(a, b, m)) {
    return finished(WL_OR_HALF_NAN, m);
  }
  if (is_inf(a, m) || is_inf(b, m)) {
    return finished((neg ? k_sign : 0) | infinity(m), m);
  }
  exact_t x = {{0}};
  add_product(&x, a, b, m);
  return result(&x, neg, m);
}

uint32_t wl_or_half_fma(uint32_t a, uint32_t b, uint32_t c, wl_or_half_t m) {
  if (m.oob && (magnitude(a) == 0x7ff7 || magnitude(b) == 0x7ff7)) {
    return 0;
  }
  a = flushed(a, m);
  b = flushed(b, m);
  c = flushed(c, m);
  bool inf = is_inf(a, m) || is_inf(b, m), neg = negative(a) != negative(b);
  if (bad_product(a, b, m) || wl_or_half_is_nan(c, m) ||
      (inf && is_inf(c, m) && neg != negative(c))) {
    return finished(WL_OR_HALF_NAN, m);
  }
  if (inf) {
    return finished((neg ? k_sign : 0) | infinity(m), m);
  }
  if (is_inf(c, m)) {
    return finished(c, m);
  }
  exact_t x = {{0}};
  add_product(&x, a, b, m);
  accumulate(&x, significand(c, m), exponent(c, m), negative(c));
  bool both_zero = (is_zero(a) || is_zero(b)) && is_zero(c);
  return result(&x, both_zero && neg && negative(c), m);
}

/* ---- without rounding ---- */
/* Bit patterns of numbers order like sign and magnitude; -0 lies below +0. */
static int32_t key(uint32_t a) {
  return negative(a) ? -(int32_t)magnitude(a) - 1 : (int32_t)magnitude(a);
}

uint32_t wl_or_half_minmax(uint32_t a, uint32_t b, bool max, wl_or_half_t m) {
  a = flushed(a, m);
  b = flushed(b, m);
  bool a_nan = wl_or_half_is_nan(a, m), b_nan = wl_or_half_is_nan(b, m);
  if ((a_nan && b_nan) || (m.nan && (a_nan || b_nan))) {
    return WL_OR_HALF_NAN;
  }
  uint32_t sign = (a ^ b) & k_sign;
  if (m.xorsign) {
    a = magnitude(a);
    b = magnitude(b);
  }
  bool first = b_nan || (!a_nan && (key(a) < key(b)) != max);
  return (first ? a : b) | (m.xorsign ? sign : 0);
}

uint32_t wl_or_half_neg(uint32_t a, wl_or_half_t m) {
  return wl_or_half_is_nan(a, m) ? WL_OR_HALF_NAN : flushed(a, m) ^ k_sign;
}

uint32_t wl_or_half_abs(uint32_t a, wl_or_half_t m) {
  return wl_or_half_is_nan(a, m) ? WL_OR_HALF_NAN : magnitude(flushed(a, m));
}

wl_or_order_t wl_or_half_compare(uint32_t a, uint32_t b, wl_or_half_t m) {
  if (wl_or_half_is_nan(a, m) || wl_or_half_is_nan(b, m)) {
    return WL_OR_UNORDERED;
  }
  a = flushed(a, m);
  b = flushed(b, m);
  if (is_zero(a) && is_zero(b)) {
    return WL_OR_EQUAL;
  }
  return key(a) < key(b) ? WL_OR_LESS : key(a) > key(b) ? WL_OR_GREATER : WL_OR_EQUAL;
}

uint32_t wl_or_half_widen(uint32_t a, wl_or_half_t m) {
  if (wl_or_half_is_nan(a, m)) {
    return WL_OR_F32_NAN;
  }
  uint32_t sign = negative(a) ? UINT32_C(0x80000000) : 0;
  if (is_inf(a, m)) {
    return sign | UINT32_C(0x7f800000);
  }
  return wl_or_f32_scale(negative(a), significand(a, m), exponent(a, m),
                         (wl_or_fmode_t){WL_OR_RN, false, false});
}
