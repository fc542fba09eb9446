/* value.c: numbers of an explained product as text (explain.h). */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "driver/explain/parts.h"

enum { NO_NUMBER, TOO_LARGE, NOT_A_POWER, NEGATIVE, FINE };

double wl_explain_double(const wl_dot_number_t *n) {
  if (n->kind == WL_DOT_NAN) return NAN;
  const double v = n->kind == WL_DOT_INFINITE
                       ? (double)INFINITY
                       : ldexp((double)n->significand, n->exponent - (int)n->fraction);
  return n->sign ? -v : v;
}

wl_dot_number_t wl_explain_scale(int type, uint32_t byte) {
  if (type == WL_FORMAT_UE4M3) return wl_dot_take(wl_fmt_ue4m3(), byte & 0x7f);
  return (wl_dot_number_t){.kind = byte == 0xff ? WL_DOT_NAN : WL_DOT_FINITE,
                           .exponent = (int)byte - 127,
                           .fraction = 3,
                           .significand = 8};
}

static int pattern(unsigned bits, const char *text, uint32_t *out) {
  char *end;
  errno = 0;
  const unsigned long long v = strtoull(text, &end, 16);
  *out = (uint32_t)v;
  return end != text + 2 && *end == '\0' && errno == 0 && v >> bits == 0 ? FINE : NO_NUMBER;
}

static int integer(int type, const char *text, uint32_t *out) {
  char *end;
  errno = 0;
  const long long v = strtoll(text, &end, 10);
  const long long least = type == WL_EXPLAIN_S8 ? -128 : type == WL_EXPLAIN_U8 ? 0 : INT32_MIN;
  const long long most = type == WL_EXPLAIN_S8 ? 127 : type == WL_EXPLAIN_U8 ? 255 : INT32_MAX;
  if (end == text || *end != '\0') return NO_NUMBER;
  *out = (uint32_t)v & (type == WL_EXPLAIN_S32 ? UINT32_MAX : 0xff);
  return errno != 0 || v < least || v > most ? TOO_LARGE : FINE;
}

/* A power of two. */
static int scale(double v, uint32_t *out) {
  int exponent;
  if (frexp(v, &exponent) != 0.5) return NOT_A_POWER;
  *out = (uint32_t)(exponent - 1 + 127);
  return exponent - 1 < -127 || exponent - 1 > 127 ? TOO_LARGE : FINE;
}

/* To nearest even. */
static int number(wl_fmt_t f, double v, uint32_t *out) {
  const uint32_t infinity = ((1u << f.exp_bits) - 1) << f.fraction_bits;
  int exponent;
  (void)frexp(v, &exponent);
  exponent = exponent - 1 < 1 - f.bias || v == 0 ? 1 - f.bias : exponent - 1;
  const double units = nearbyint(ldexp(fabs(v), f.fraction_bits - exponent));
  /* The leading one of the units adds one to the exponent field. */
  const uint64_t bits =
      (uint64_t)units + ((uint64_t)(unsigned)(exponent + f.bias - 1) << f.fraction_bits);
  const bool over = bits > f.largest;
  if (over && !f.has_infinity) return TOO_LARGE;
  if (signbit(v) && f.sign_bits == 0) return NEGATIVE;
  *out = (over ? infinity : (uint32_t)bits) << f.low |
         (signbit(v) ? UINT32_C(1) << (f.low + f.bits - 1) : 0);
  return FINE;
}

/* Decimal, or 2^N. */
static bool real(const char *text, double *out) {
  char *end;
  errno = 0;
  if (strncmp(text, "2^", 2) == 0) {
    const long n = strtol(text + 2, &end, 10);
    *out = ldexp(1, n > 1000 ? 1000 : n < -1000 ? -1000 : (int)n);
    return end != text + 2 && *end == '\0';
  }
  *out = strtod(text, &end);
  return end != text && *end == '\0' && isfinite(*out);
}

static int read_value(int type, const char *text, uint32_t *out) {
  double v;
  const bool is_pattern = strncmp(text, "0x", 2) == 0;
  if (type >= WL_NUM_FORMAT)
    return is_pattern ? pattern(type == WL_EXPLAIN_S32 ? 32 : 8, text, out)
                      : integer(type, text, out);
  const wl_fmt_t f = wl_fmt_of((wl_format_t)type);
  if (is_pattern) /* bit 7 of a ue4m3 is there and not looked at */
    return pattern(type == WL_FORMAT_UE4M3 ? 8 : (unsigned)f.low + f.bits, text, out);
  if (!real(text, &v)) return NO_NUMBER;
  return type == WL_FORMAT_UE8M0 ? scale(v, out) : number(f, v, out);
}

bool wl_explain_value(int type, const char *text, uint32_t *out, char *why, size_t size) {
  static const char *const texts[] = {[NO_NUMBER] = "is no number, and no pattern 0x..",
                                      [TOO_LARGE] = "is beyond the numbers",
                                      [NOT_A_POWER] = "is no power of two and so no number",
                                      [NEGATIVE] = "is negative, which is no number"};
  *out = 0;
  const int got = read_value(type, text, out);
  if (got != FINE)
    (void)snprintf(why, size, "'%s' %s of %s", text, texts[got], wl_explain_type_name(type));
  return got == FINE;
}
