/* Special functions of f32 by tables of quadratics (docs/microarchitecture.md 6.4). */
#include "cmodel/sem/sem.h"
#include "gen/wl_special.h"

enum {
  NAN_F32 = 0x7fffffff,
  INFINITY_F32 = 0x7f800000,
  FRACTION = 23,
  BIAS = 127,
  UNIT = 26, /* y in units of 2^-26 */
  PLACE = 18 /* bits of a place in a segment */
};
#define SIGN UINT32_C(0x80000000)

static int64_t quadratic(unsigned segment, uint32_t place) {
  const wl_segment_t *s = &wl_special[segment];
  const int64_t p = s->c1 + ((int64_t)s->c2 * place >> PLACE);
  return s->c0 + (p * place >> PLACE);
}

/* magnitude * 2^(exponent - 26), its first 24 bits; magnitude is not 0, the result normal. */
static uint32_t cut(uint64_t magnitude, int exponent) {
  const int top = 63 - __builtin_clzll(magnitude);
  const uint64_t significand =
      top > FRACTION ? magnitude >> (top - FRACTION) : magnitude << (FRACTION - top);
  const uint32_t field = (uint32_t)(top - UNIT + exponent + BIAS - 1);
  return (field << FRACTION) + (uint32_t)significand; /* the leading one adds one to the field */
}

static bool is_nan(uint32_t a) { return (a & ~SIGN) > INFINITY_F32; }

uint32_t wl_f32_ex2(uint32_t a) {
  const int e = (int)(a >> FRACTION & 0xff);
  const bool negative = (a & SIGN) != 0;
  if (is_nan(a)) return NAN_F32;
  if (e >= BIAS + 8) return negative ? 0 : INFINITY_F32;
  const uint32_t significand = (a & 0x7fffff) | 0x800000;
  const int left =
      e - (BIAS - 1); /* of the significand, whose unit is 2^(e - 150), to units of 2^-24 */
  int64_t t = 0;
  if (left >= 0)
    t = (int64_t)significand << left;
  else if (left > -24)
    t = significand >> -left;
  if (negative) t = -t;
  const int n = (int)(t >> 24);
  const uint32_t f = (uint32_t)t & 0xffffff;
  if (n > BIAS) return INFINITY_F32;
  if (n < 1 - BIAS) return 0;
  return cut((uint64_t)quadratic(WL_SPECIAL_EX2 + (f >> PLACE), f & 0x3ffff), n);
}

uint32_t wl_f32_lg2(uint32_t a) {
  const int e = (int)(a >> FRACTION & 0xff);
  if (e == 0) return SIGN | INFINITY_F32;
  if (is_nan(a) || (a & SIGN)) return NAN_F32;
  if (a == INFINITY_F32) return a;
  const uint32_t t = a & 0x7fffff;
  const int64_t v =
      (int64_t)(e - BIAS) * (1 << UNIT) + quadratic(WL_SPECIAL_LG2 + (t >> 17), (t & 0x1ffff) * 2);
  if (v == 0) return 0;
  return v < 0 ? SIGN | cut((uint64_t)-v, 0) : cut((uint64_t)v, 0);
}

uint32_t wl_f32_tanh(uint32_t a) {
  const uint32_t sign = a & SIGN, t = a & 0x7fffff;
  const int e = (int)(a >> FRACTION & 0xff);
  if (is_nan(a)) return NAN_F32;
  if (e < BIAS - 6) return a;
  if (e >= BIAS + 3) return sign | UINT32_C(0x3f800000);
  const unsigned segment = WL_SPECIAL_TANH + 8 * (unsigned)(e - (BIAS - 6)) + (t >> 20);
  return sign | cut((uint64_t)quadratic(segment, t >> 2 & 0x3ffff), 0);
}
