#include "tests/silicon/dot.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "tests/silicon/halves.h"

/* Floats: products are exact, not normalised: exponents of the operands added. In each block of
 * `block` values of k: every term and the sum so far is cut to `kept` bits behind the binary point
 * of the largest exponent, which is never below `Lowest`; the cut terms are added exactly; the sum
 * is normalised once and cut (f32, `fraction` bits of its fraction) or rounded to nearest even
 * (f16), and is the next block's C. A sum of zero is +0, whatever it comes from. */
typedef struct rule {
  unsigned block, kept, fraction;
  bool as_f16; /* mma.sync of 8-bit floats: f16 first, two blocks from +0, then C is added */
} rule_t;
enum { Lowest = -133 };

static rule_t rule_of(const tensor_t *t, unsigned count) {
  switch (t->a) {
  case TENSOR_TF32: /* wmma.m16n16k8 is two m16n8k4 */
    return (rule_t){t->wmma ? 4 : 8, 25, 23, false};
  case TENSOR_E4M3:
  case TENSOR_E5M2:
    return t->warpgroup ? (rule_t){32, 13, 13, false} : (rule_t){count / 2, 25, 23, true};
  default:
    return (rule_t){16, 25, 23, false};
  }
}

typedef enum class { ZERO, FINITE, INFINITE, NOT_A_NUMBER } class_t;
typedef struct value { /* (-1)^sign * significand * 2^(exponent - fraction) */
  class_t class;
  bool sign;
  int exponent;
  uint64_t significand;
  unsigned fraction;
} value_t;

static value_t decode(tensor_type_t type, uint64_t bits) {
  const tensor_format_t *f = tensor_format(type);
  unsigned fraction = f->fraction, top = (1u << f->exponent) - 1;
  int bias = (int)(top >> 1);
  value_t v = {.sign = bits >> (f->bits - 1) & 1, .fraction = fraction};
  bits >>= f->low;
  unsigned exponent = (unsigned)(bits >> fraction) & top;
  v.significand = bits & ((UINT64_C(1) << fraction) - 1);
  v.exponent = 1 - bias;
  if (type == TENSOR_E4M3 ? exponent == top && v.significand == 7 : exponent == top) {
    v.class = type == TENSOR_E4M3 || v.significand != 0 ? NOT_A_NUMBER : INFINITE;
  } else if (exponent != 0) {
    v.class = FINITE;
    v.exponent = (int)exponent - bias;
    v.significand |= UINT64_C(1) << fraction;
  } else {
    v.class = v.significand != 0 ? FINITE : ZERO;
  }
  return v;
}

static value_t normalised(value_t v) {
  while (v.class == FINITE && v.significand >> v.fraction == 0) {
    v.significand <<= 1;
    v.exponent--;
  }
  return v;
}

/* A magnitude in units of 2^unit as f32 or f16. */
static uint64_t encode(tensor_type_t type, bool sign, unsigned __int128 magnitude, int unit,
                       unsigned kept_fraction) {
  const tensor_format_t *f = tensor_format(type);
  int fraction = (int)f->fraction, top = (1 << f->exponent) - 1, bias = top >> 1;
  int exponent = unit - 1;
  if (magnitude == 0) {
    return 0;
  }
  for (unsigned __int128 m = magnitude; m != 0; m >>= 1) {
    exponent++;
  }
  exponent = exponent < 1 - bias ? 1 - bias : exponent;
  int cut = exponent - fraction - unit; /* bits that go */
  unsigned __int128 kept = cut <= 0 ? magnitude << -cut : cut >= 127 ? 0 : magnitude >> cut;
  if (type == TENSOR_F16 && cut > 0 && cut < 127) {
    unsigned __int128 rest = magnitude - (kept << cut), half = (unsigned __int128)1 << (cut - 1);
    kept += rest > half || (rest == half && (kept & 1) != 0);
  }
  uint64_t bits = (uint64_t)kept;
  if (type == TENSOR_F32) {
    bits &= ~((UINT64_C(1) << (23 - kept_fraction)) - 1);
  }
  /* The leading one adds one to the exponent field, and a carry of the rounding another. */
  bits += (uint64_t)(exponent + bias - 1) << fraction;
  bits = bits >= (uint64_t)top << fraction ? (uint64_t)top << fraction : bits;
  return bits == 0 ? 0 : bits | (uint64_t)sign << (f->bits - 1);
}

typedef struct sum {
  value_t term[TENSOR_MAX_K + 1];
  unsigned count;
  int largest;
  bool invalid, positive, negative; /* NaN, infinities among the terms */
} sum_t;

static void add_term(sum_t *s, value_t v) {
  if (v.class == NOT_A_NUMBER) {
    s->invalid = true;
  } else if (v.class == INFINITE) {
    *(v.sign ? &s->negative : &s->positive) = true;
  } else if (v.class == FINITE) {
    s->term[s->count++] = v;
    s->largest = v.exponent > s->largest ? v.exponent : s->largest;
  }
}

static value_t product(value_t a, value_t b) {
  value_t p = {FINITE, a.sign != b.sign, a.exponent + b.exponent, a.significand * b.significand,
               a.fraction + b.fraction};
  bool infinite = a.class == INFINITE || b.class == INFINITE,
       zero = a.class == ZERO || b.class == ZERO;
  if (a.class == NOT_A_NUMBER || b.class == NOT_A_NUMBER || (infinite && zero)) {
    p.class = NOT_A_NUMBER;
  } else if (infinite || zero) {
    p.class = infinite ? INFINITE : ZERO;
  }
  return p;
}

static uint64_t finish(const sum_t *s, tensor_type_t type, const rule_t *rule) {
  const tensor_format_t *f = tensor_format(type);
  uint64_t infinity = ((UINT64_C(1) << f->exponent) - 1) << f->fraction;
  __int128 total = 0;
  if (s->invalid || (s->positive && s->negative)) {
    return type == TENSOR_F16 ? 0x7fff : 0x7fffffff;
  }
  if (s->positive || s->negative) {
    return infinity | (uint64_t)s->negative << (f->bits - 1);
  }
  for (unsigned i = 0; i < s->count; i++) {
    const value_t *v = &s->term[i];
    int shift = (int)rule->kept - (int)v->fraction - (s->largest - v->exponent);
    __int128 cut = shift >= 0    ? (__int128)v->significand << shift
                   : shift > -64 ? (__int128)(v->significand >> -shift)
                                 : 0;
    total += v->sign ? -cut : cut;
  }
  return encode(type, total < 0, (unsigned __int128)(total < 0 ? -total : total),
                s->largest - (int)rule->kept, rule->fraction);
}

/* k in the order in which mma.sync of 8-bit floats takes it: of each four the first two, then the
 * others. */
static unsigned in_order(const rule_t *rule, unsigned count, unsigned k) {
  unsigned half = count / 2, in = k % half;
  return rule->as_f16 ? in / 2 * 4 + k / half * 2 + in % 2 : k;
}

/* One addition of f32, or of f16 (exact as doubles), rounded to nearest. */
static uint64_t add(tensor_type_t type, uint64_t x, uint64_t y) {
  const rule_t exact = {1, 100, 23, false};
  if (type == TENSOR_F16) {
    sum_t s = {.largest = Lowest};
    add_term(&s, decode(type, x));
    add_term(&s, decode(type, y));
    bool zeros = s.count == 0 && !s.invalid && !s.positive && !s.negative;
    return zeros ? x & y & 0x8000 : finish(&s, type, &exact);
  }
  uint32_t bits[2] = {(uint32_t)x, (uint32_t)y};
  float a, b, c;
  memcpy(&a, &bits[0], sizeof a);
  memcpy(&b, &bits[1], sizeof b);
  c = a + b;
  memcpy(&bits[0], &c, sizeof c);
  return isnan(c) ? 0x7fffffff : bits[0];
}

static uint64_t blocks(const tensor_t *t, tensor_type_t type, unsigned count, const uint64_t *a,
                       const uint64_t *b, uint64_t c) {
  rule_t rule = rule_of(t, count);
  uint64_t d = rule.as_f16 || t->without_c ? 0 : c;
  for (unsigned from = 0; from < count; from += rule.block) {
    sum_t s = {.largest = Lowest};
    add_term(&s, decode(type, d));
    for (unsigned i = from; i < from + rule.block && i < count; i++) {
      unsigned k = in_order(&rule, count, i);
      value_t x = decode(t->a, a[k]), y = decode(t->b, b[k]);
      x.sign = x.sign != t->minus_a;
      y.sign = y.sign != t->minus_b;
      if (rule.as_f16) { /* a subnormal e4m3 is a normal f16; one of e5m2 is subnormal there, too */
        x = t->a == TENSOR_E4M3 ? normalised(x) : x;
        y = t->b == TENSOR_E4M3 ? normalised(y) : y;
      }
      add_term(&s, product(x, y));
    }
    d = finish(&s, type, &rule);
  }
  return rule.as_f16 ? add(t->c, d, c) : d;
}

/* ---- f16 and f32 in one instruction, and m8n8k4 of f16. */

static float f32_of(tensor_type_t type, uint64_t bits) {
  value_t v = decode(type, bits);
  float magnitude = v.class == NOT_A_NUMBER ? NAN
                    : v.class == INFINITE
                        ? INFINITY
                        : ldexpf((float)v.significand, v.exponent - (int)v.fraction);
  return v.sign ? -magnitude : magnitude;
}

/* An f32 as an element of a type, rounded to nearest even. */
static uint64_t rounded(tensor_type_t type, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  if (type != TENSOR_F16) {
    return isnan(value) ? 0x7fffffff : bits;
  }
  return half_bits((double)value, 10);
}

/* m8n8k4 of f16 does not use the matrix unit: ptxas puts f32 operations in its place, each rounded
 * to nearest even. To f32: fused multiply-adds from +0 on, k ascending, then C is added. To f16: of
 * k 0 and 1, and of 2 and 3, a product and a fused multiply-add; C and the first are added, then
 * the second, and the sum is rounded to f16. */
static uint64_t quad(const tensor_t *t, const uint64_t *a, const uint64_t *b, float c) {
  float x[4], y[4], sum = 0;
  for (unsigned k = 0; k < 4; k++) {
    x[k] = f32_of(TENSOR_F16, a[k]);
    y[k] = f32_of(TENSOR_F16, b[k]);
    sum = fmaf(x[k], y[k], sum);
  }
  if (t->d == TENSOR_F32) {
    return rounded(t->d, c + sum);
  }
  float low = fmaf(x[1], y[1], x[0] * y[0]), high = fmaf(x[3], y[3], x[2] * y[2]);
  return rounded(t->d, (c + low) + high);
}

/* wmma with C of f16 and D of f32: C is widened. With D of f16 and C of f32: the f32 result, cut as
 * always, is rounded to f16. */
uint64_t dot_float(const tensor_t *t, unsigned count, const uint64_t *a, const uint64_t *b,
                   tensor_type_t type, uint64_t c) {
  if (t->quads > 1) {
    return quad(t, a, b, f32_of(type, c));
  }
  if (type == t->d) {
    return blocks(t, type, count, a, b, c);
  }
  c = rounded(TENSOR_F32, f32_of(type, c));
  return rounded(t->d, f32_of(TENSOR_F32, blocks(t, TENSOR_F32, count, a, b, c)));
}
