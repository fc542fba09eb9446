/* f64: add, mul, fma (docs/microarchitecture.md 20.2). Integers only. A finite value that is not zero is a
 * sign, the exponent of its leading bit and 128 bits with the leading one at bit 126. Of what a shift to
 * the right drops one bit is kept in bit 0. A product has 106 bits, so 21 zeros stand below it: bits are
 * dropped only where the leading bits are 22 or more apart, and then a difference loses one of them at most. */
#include "cmodel/sem/sem.h"

typedef unsigned __int128 u128_t;

typedef struct part {
  bool sign;
  int exp;
  u128_t sig; /* 0: a zero */
} part_t;

enum { FRACTION = 52, BIAS = 1023, LEADING = 126, UNIT = LEADING - FRACTION };
static const uint64_t k_sign = UINT64_C(1) << 63, k_infinity = UINT64_C(0x7ff) << FRACTION;
static const uint64_t k_quiet = UINT64_C(1) << 51, k_invalid = UINT64_C(0xfff8) << 48;

static bool negative(uint64_t a) { return (a & k_sign) != 0; }
static bool is_zero(uint64_t a) { return (a & ~k_sign) == 0; }
static bool is_inf(uint64_t a) { return (a & ~k_sign) == k_infinity; }
static bool is_nan(uint64_t a) { return (a & ~k_sign) > k_infinity; }

static uint64_t with_sign(bool sign, uint64_t magnitude) {
  return sign ? magnitude | k_sign : magnitude;
}

static u128_t shift_sticky(u128_t x, int n) {
  if (n > LEADING) return x != 0;
  const u128_t kept = x >> n;
  return kept | (kept << n != x);
}

/* A significand that is not zero, its bit `place` worth 2^exp. */
static part_t normal(bool sign, u128_t sig, int exp, int place) {
  const uint64_t high = (uint64_t)(sig >> 64);
  const int zeros = high != 0 ? __builtin_clzll(high) : 64 + __builtin_clzll((uint64_t)sig);
  const int leading = 127 - zeros;
  const u128_t at = leading > LEADING ? shift_sticky(sig, 1) : sig << (LEADING - leading);
  return (part_t){sign, exp + leading - place, at};
}

static part_t unpack(uint64_t a) {
  const uint64_t fraction = a & ((UINT64_C(1) << FRACTION) - 1);
  const int biased = (int)(a >> FRACTION & 0x7ff);
  if (biased == 0 && fraction == 0) return (part_t){negative(a), 0, 0};
  if (biased == 0) return normal(negative(a), fraction, 1 - BIAS, FRACTION);
  return (part_t){negative(a), biased - BIAS, (u128_t)(fraction | UINT64_C(1) << FRACTION) << UNIT};
}

/* ---- rounding */
static uint64_t overflow(bool sign, unsigned rnd) {
  const bool away = rnd == WL_FP_RN || (rnd == WL_FP_RM && sign) || (rnd == WL_FP_RP && !sign);
  return with_sign(sign, away ? k_infinity : k_infinity - 1);
}

/* Whether the bits below UNIT round the magnitude up. */
static bool rounds_up(const part_t *x, unsigned rnd) {
  const u128_t half = (u128_t)1 << (UNIT - 1), below = x->sig & (2 * half - 1);
  switch (rnd) {
  case WL_FP_RN:
    return below > half || (below == half && (x->sig >> UNIT & 1) != 0);
  case WL_FP_RZ:
    return false;
  case WL_FP_RM:
    return x->sign && below != 0;
  default:
    return !x->sign && below != 0;
  }
}

/* x is not zero. */
static uint64_t pack(part_t x, unsigned rnd) {
  if (x.exp > BIAS) return overflow(x.sign, rnd);
  const bool small = x.exp < 1 - BIAS;
  if (small) x.sig = shift_sticky(x.sig, 1 - BIAS - x.exp);
  const uint64_t kept = (uint64_t)(x.sig >> UNIT) + rounds_up(&x, rnd);
  /* The leading bit adds one to the exponent; a carry out of the fraction another one, which may give
   * infinity: right in each rounding that goes up. */
  return with_sign(x.sign, ((uint64_t)(small ? 0 : x.exp + BIAS - 1) << FRACTION) + kept);
}

/* ---- sums and products of finite values */
static uint64_t sum(part_t x, part_t y, unsigned rnd) {
  if (x.sig == 0 && y.sig == 0) return with_sign(x.sign == y.sign ? x.sign : rnd == WL_FP_RM, 0);
  if (y.sig == 0) return pack(x, rnd);
  if (x.sig == 0) return pack(y, rnd);
  if (x.exp < y.exp || (x.exp == y.exp && x.sig < y.sig)) {
    const part_t swap = x;
    x = y;
    y = swap;
  }
  const u128_t small = shift_sticky(y.sig, x.exp - y.exp);
  const u128_t total = x.sign == y.sign ? x.sig + small : x.sig - small;
  if (total == 0) return with_sign(rnd == WL_FP_RM, 0);
  return pack(normal(x.sign, total, x.exp, LEADING), rnd);
}

/* Exactly. */
static part_t product(uint64_t a, uint64_t b) {
  const part_t x = unpack(a), y = unpack(b);
  const bool sign = x.sign != y.sign;
  if (x.sig == 0 || y.sig == 0) return (part_t){sign, 0, 0};
  return normal(sign, (x.sig >> UNIT) * (y.sig >> UNIT), x.exp + y.exp, 2 * FRACTION);
}

/* ---- one value */
uint64_t wl_f64_add(uint64_t a, uint64_t b, unsigned rnd) {
  if (is_nan(b)) return b | k_quiet;
  if (is_nan(a)) return a | k_quiet;
  if (is_inf(a)) return is_inf(b) && a != b ? k_invalid : a;
  if (is_inf(b)) return b;
  return sum(unpack(a), unpack(b), rnd);
}

uint64_t wl_f64_mul(uint64_t a, uint64_t b, unsigned rnd) {
  const bool sign = negative(a) != negative(b);
  if (is_nan(b)) return b | k_quiet;
  if (is_nan(a)) return a | k_quiet;
  if (is_inf(a) || is_inf(b))
    return is_zero(a) || is_zero(b) ? k_invalid : with_sign(sign, k_infinity);
  const part_t p = product(a, b);
  return p.sig == 0 ? with_sign(sign, 0) : pack(p, rnd);
}

uint64_t wl_f64_fma(uint64_t a, uint64_t b, uint64_t c, unsigned rnd) {
  const bool sign = negative(a) != negative(b);
  if (is_nan(b)) return b | k_quiet;
  if (is_nan(c)) return c | k_quiet;
  if (is_nan(a)) return a | k_quiet;
  if (is_inf(a) || is_inf(b)) {
    const bool invalid = is_zero(a) || is_zero(b) || (is_inf(c) && negative(c) != sign);
    return invalid ? k_invalid : with_sign(sign, k_infinity);
  }
  return is_inf(c) ? c : sum(product(a, b), unpack(c), rnd);
}

/* ---- an instruction */
static uint64_t value(const uint32_t (*word)[WL_LANES], unsigned operand, unsigned lane) {
  return word[2 * operand][lane] | (uint64_t)word[2 * operand + 1][lane] << 32;
}

void wl_sem_fp64(const wl_insn_dec_t *insn, const uint32_t (*word)[WL_LANES], uint32_t mask,
                 uint32_t (*d)[WL_LANES]) {
  for (unsigned i = 0; i < WL_LANES; i++) {
    if ((mask >> i & 1) == 0) continue;
    const uint64_t a = value(word, 0, i);
    uint64_t b = value(word, 1, i), r = 0;
    switch ((wl_fp64_op_t)insn->op) {
    case WL_FP64_DADD:
      if (insn->neg_b && !is_nan(b)) b ^= k_sign;
      r = wl_f64_add(a, b, insn->rnd);
      break;
    case WL_FP64_DMUL:
      r = wl_f64_mul(a, b, insn->rnd);
      break;
    case WL_FP64_DFMA:
      r = wl_f64_fma(a, b, value(word, 2, i), insn->rnd);
      break;
    case WL_NUM_FP64_OP:
      break;
    }
    d[0][i] = (uint32_t)r;
    d[1][i] = (uint32_t)(r >> 32);
  }
}
