/* narrow_reference.c: see narrow_reference.h. */
#include "tests/common/narrow_reference.h"

#include <math.h>

enum { NEAREST = -1 }; /* in place of random bits */

/* The largest pattern whose place is not above x. */
static uint32_t below(const wl_ref_format_t *f, double x) {
  uint32_t low = 0, high = wl_ref_largest(f) + 2;
  while (high - low > 1) {
    const uint32_t middle = (low + high) / 2;
    if (wl_ref_place(f, middle) <= x)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* Is x, between the numbers of two neighbours, rounded to the upper one? n: random bits that count. */
static bool goes_up(const wl_ref_format_t *f, uint32_t lower, double x, int random, int n) {
  const double least = wl_ref_place(f, lower), step = wl_ref_place(f, lower + 1) - least;
  const double part = (x - least) / step;
  if (random == NEAREST) return part > 0.5 || (part == 0.5 && lower % 2 == 1);
  const int span = 1 << n;
  return (int)floor(part * span) + random % span >= span;
}

static uint32_t small_nan(const wl_ref_format_t *f) {
  return f->nan ? (UINT32_C(1) << (f->exponent + f->fraction)) - 1 : wl_ref_largest(f);
}

/* n: random bits that count. beyond: what a magnitude above the largest becomes. */
static uint32_t narrow(const wl_ref_format_t *f, uint32_t a, int random, int n, uint32_t beyond) {
  if (wl_ref_is_nan(&wl_ref_f32, a)) return small_nan(f);
  const uint32_t sign = a >> 31 << (f->exponent + f->fraction), magnitude = a & 0x7fffffff;
  if (magnitude == wl_ref_infinity(&wl_ref_f32)) return sign | beyond;
  const double x = wl_ref_value(&wl_ref_f32, magnitude);
  uint32_t pattern = below(f, x);
  if (pattern > wl_ref_largest(f)) return sign | beyond;
  if (goes_up(f, pattern, x, random, n)) pattern++;
  return sign | (pattern > wl_ref_largest(f) ? beyond : pattern);
}

static unsigned bits_of(const wl_ref_format_t *f) { return f->exponent + f->fraction > 3 ? 8 : 4; }

uint32_t wl_ref_narrow_bytes(const wl_ref_format_t *f, uint32_t a, uint32_t b) {
  const uint32_t largest = wl_ref_largest(f);
  return narrow(f, a, NEAREST, 0, largest) << bits_of(f) | narrow(f, b, NEAREST, 0, largest);
}

uint32_t wl_ref_stochastic_bytes(const wl_ref_format_t *f, uint32_t a, uint32_t b, uint32_t c) {
  const uint32_t largest = wl_ref_largest(f);
  const int n = bits_of(f) == 4 ? 8 : 16;
  return narrow(f, a, (int)(c >> 16), n, largest) << bits_of(f) |
         narrow(f, b, (int)(c & 0xffff), n, largest);
}

uint32_t wl_ref_stochastic_halves(const wl_ref_format_t *f, uint32_t a, uint32_t b, uint32_t c) {
  const uint32_t infinity = wl_ref_infinity(f);
  const int n = f->fraction == 10 ? 13 : 16;
  return narrow(f, a, (int)(c >> 16), n, infinity) << 16 |
         narrow(f, b, (int)(c & 0xffff), n, infinity);
}
