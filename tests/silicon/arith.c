#include "tests/silicon/arith.h"

#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/silicon/halves.h"

/* ---- Names. */

static const char *const ops[] = {"add", "sub",  "mul", "fma",      "min",   "max", "abs", "neg",
                                  "set", "setp", "fns", "copysign", "testp", "div", "rcp", "sqrt"};

static bool type_word(arith_t *a, const char *word) {
  static const struct {
    const char *name;
    unsigned bits, count, fraction;
    bool is_signed;
  } types[] = {{"f16", 16, 1, 10, true},   {"f16x2", 16, 2, 10, true}, {"bf16", 16, 1, 7, true},
               {"bf16x2", 16, 2, 7, true}, {"f64", 64, 1, 52, true},   {"u16x2", 16, 2, 0, false},
               {"s16x2", 16, 2, 0, true},  {"s32", 32, 1, 0, true},    {"b32", 32, 1, 0, false}};
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
    if (strcmp(types[i].name, word) == 0) {
      a->bits = types[i].bits;
      a->count = types[i].count;
      a->fraction = types[i].fraction;
      a->is_signed = types[i].is_signed;
      return true;
    }
  }
  return false;
}

static bool modifier(arith_t *a, const char *word) {
  struct {
    const char *name;
    bool *to;
  } flags[] = {{"ftz", &a->flush}, {"sat", &a->sat},         {"relu", &a->relu}, {"oob", &a->oob},
               {"NaN", &a->nan},   {"xorsign", &a->xorsign}, {"u32", &a->word}};
  for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
    if (strcmp(flags[i].name, word) == 0) {
      *flags[i].to = true;
      return true;
    }
  }
  static const char *const roundings[] = {"rn", "rz", "rm", "rp"};
  static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  for (size_t i = 0; i < 4; i++) {
    if (strcmp(roundings[i], word) == 0) {
      a->rounding = modes[i];
      return true;
    }
  }
  return strcmp(word, "abs") == 0; /* of .xorsign.abs */
}

static bool compares(const char *op) {
  return strncmp(op, "set", 3) == 0 || strcmp(op, "testp") == 0;
}

bool arith_named(const char *name, arith_t *out) {
  char text[96], *next = NULL;
  bool known = false;
  *out = (arith_t){.rounding = FE_TONEAREST};
  (void)snprintf(text, sizeof text, "%.*s", (int)strcspn(name, "("), name);
  for (char *word = text; word != NULL; word = next) {
    next = strchr(word, '.');
    if (next != NULL) {
      *next++ = '\0';
    }
    if (word == text) {
      (void)snprintf(out->op, sizeof out->op, "%.15s", word);
      for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
        known = known || strcmp(ops[i], out->op) == 0;
      }
    } else if (compares(out->op) && out->compare[0] == '\0') {
      (void)snprintf(out->compare, sizeof out->compare, "%.7s", word);
    } else if (!type_word(out, word) && !modifier(out, word)) {
      return false;
    }
  }
  /* Of whole words min, max and fns have a rule here. */
  if (out->bits == 32 && out->op[0] != 'm' && strcmp(out->op, "fns") != 0) {
    return false;
  }
  return known && out->bits != 0;
}

/* ---- 16 bits. */

bool arith_compare(const char *how, double x, double y) {
  bool none = isnan(x) || isnan(y), u = how[strlen(how) - 1] == 'u';
  return strcmp(how, "num") == 0      ? !none
         : strcmp(how, "nan") == 0    ? none
         : none                       ? u
         : strncmp(how, "eq", 2) == 0 ? x == y
         : strncmp(how, "ne", 2) == 0 ? x != y
         : strncmp(how, "lt", 2) == 0 ? x < y
         : strncmp(how, "le", 2) == 0 ? x <= y
         : strncmp(how, "gt", 2) == 0 ? x > y
                                      : x >= y;
}

static bool is_nan(const arith_t *a, uint32_t x) { return isnan(half_value(x, a->fraction)); }

/* -0 is less than +0; a NaN gives way, or with .NaN does not. .xorsign.abs: of the magnitudes. */
static uint32_t extreme(const arith_t *a, uint32_t x, uint32_t y) {
  uint32_t sign = a->xorsign ? (x ^ y) & 0x8000 : 0;
  if (a->xorsign) {
    x &= 0x7fff;
    y &= 0x7fff;
  }
  if (is_nan(a, x) || is_nan(a, y)) {
    bool both = is_nan(a, x) && is_nan(a, y);
    return a->nan || both ? 0x7fff : (is_nan(a, x) ? y : x) | sign;
  }
  double u = half_value(x, a->fraction), v = half_value(y, a->fraction);
  bool less = u < v || (u == v && x >> 15 != 0);
  return ((less == (strcmp(a->op, "min") == 0)) ? x : y) | sign;
}

/* Rounded once. Flushed is what is subnormal after rounding as if the exponent had no end. */
static uint32_t rounded(const arith_t *a, double value) {
  int exponent = 0, least = a->fraction == 10 ? -14 : -126;
  if (a->flush && value != 0 && isfinite(value)) {
    double top = nearbyint(ldexp(frexp(fabs(value), &exponent), (int)a->fraction + 1));
    if (ldexp(top, exponent - (int)a->fraction - 1) < ldexp(1, least)) {
      value = copysign(0, value);
    }
  }
  uint32_t bits = half_bits(value, a->fraction), one = a->fraction == 10 ? 0x3c00 : 0x3f80;
  if (a->sat) {
    return isnan(value) || bits >> 15 != 0 ? 0 : bits > one ? one : bits;
  }
  return a->relu && bits >> 15 != 0 ? 0 : bits;
}

static uint32_t flushed(const arith_t *a, uint32_t x) {
  bool subnormal = (x & 0x7fff) >> a->fraction == 0;
  return a->flush && subnormal ? x & 0x8000 : x;
}

static uint32_t half(const arith_t *a, uint32_t x, uint32_t y, uint32_t z) {
  bool gone = a->oob && ((x & 0x7fff) == 0x7ff7 || (y & 0x7fff) == 0x7ff7);
  x = flushed(a, x);
  y = flushed(a, y);
  z = flushed(a, z);
  double u = half_value(x, a->fraction), v = half_value(y, a->fraction),
         w = half_value(z, a->fraction);
  switch (a->op[0]) {
  case 'a':
    return a->op[1] == 'd' ? rounded(a, half_sum(u, v)) : is_nan(a, x) ? 0x7fff : x & 0x7fff;
  case 's':
    return a->op[1] == 'u' ? rounded(a, half_sum(u, -v)) : arith_compare(a->compare, u, v);
  case 'f':
    return gone ? 0 : rounded(a, half_sum(u * v, w));
  case 'n':
    return is_nan(a, x) ? 0x7fff : x ^ 0x8000;
  default:
    return a->op[1] == 'u' ? rounded(a, u * v) : extreme(a, x, y);
  }
}

/* ---- Integers. */

static uint32_t integer(const arith_t *a, uint32_t x, uint32_t y) {
  unsigned up = 32 - a->bits;
  bool less = a->is_signed ? (int32_t)(x << up) < (int32_t)(y << up) : x < y;
  uint32_t value = a->op[0] == 'a' ? x + y : less == (a->op[1] == 'i') ? x : y;
  return a->relu && (int32_t)(value << up) < 0 ? 0 : value;
}

/* As PTX says, but for an offset of -2^31, which gives 0. */
static uint32_t nth_set(uint32_t mask, uint32_t base, int32_t offset) {
  if (offset == 0 || offset == INT32_MIN) {
    return offset != 0 ? 0 : base < 32 && (mask >> base & 1) != 0 ? base : UINT32_MAX;
  }
  int32_t left = abs(offset);
  for (int64_t at = base; at >= 0 && at < 32; at += offset > 0 ? 1 : -1) {
    if ((mask >> at & 1) != 0 && --left == 0) {
      return (uint32_t)at;
    }
  }
  return UINT32_MAX;
}

uint64_t arith_rule(const arith_t *a, const uint64_t operand[3]) {
  uint32_t result = 0, mask = 0xffffffffu >> (32 - (a->bits & 31 ? a->bits : 32)),
           one = a->fraction == 10 ? 0x3c00 : 0x3f80;
  if (a->bits == 64) {
    return arith_double(a, operand);
  }
  if (strcmp(a->op, "fns") == 0) {
    return nth_set((uint32_t)operand[0], (uint32_t)operand[1], (int32_t)operand[2]);
  }
  for (unsigned i = 0; i < a->count; i++) {
    uint32_t part[3], value;
    for (unsigned k = 0; k < 3; k++) {
      part[k] = (uint32_t)operand[k] >> i * a->bits & mask;
    }
    value = a->fraction == 0 ? integer(a, part[0], part[1]) : half(a, part[0], part[1], part[2]);
    if (strcmp(a->op, "setp") == 0) {
      result |= value << i;
    } else if (strcmp(a->op, "set") == 0) {
      result |= (a->word ? 0 - value : value != 0 ? one : 0) << i * a->bits;
    } else {
      result |= (value & mask) << i * a->bits;
    }
  }
  return result;
}
