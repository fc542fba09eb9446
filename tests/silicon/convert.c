#include "tests/silicon/convert.h"

#include <stdlib.h>
#include <string.h>

static const convert_type_t types[] = {
    {"f16", 16, 5, 10, 0, 1, true},   {"bf16", 16, 8, 7, 0, 1, true},
    {"tf32", 32, 8, 10, 13, 1, true}, {"f32", 32, 8, 23, 0, 1, true},
    {"f64", 64, 11, 52, 0, 1, true},  {"f16x2", 16, 5, 10, 0, 2, true},
    {"bf16x2", 16, 8, 7, 0, 2, true}, {"e4m3x2", 8, 4, 3, 0, 2, true},
    {"e5m2x2", 8, 5, 2, 0, 2, true},  {"u8", 8, 0, 0, 0, 1, false},
    {"s8", 8, 0, 0, 0, 1, true},      {"u16", 16, 0, 0, 0, 1, false},
    {"s16", 16, 0, 0, 0, 1, true},    {"u32", 32, 0, 0, 0, 1, false},
    {"s32", 32, 0, 0, 0, 1, true},    {"u64", 64, 0, 0, 0, 1, false},
    {"s64", 64, 0, 0, 0, 1, true},    {"u4", 4, 0, 0, 0, 1, false},
    {"s4", 4, 0, 0, 0, 1, true},      {"u2", 2, 0, 0, 0, 1, false},
    {"s2", 2, 0, 0, 0, 1, true}};

/* (-1)^sign * significand * 2^exponent. */
typedef struct number {
  enum { FINITE, INFINITE, NOT_A_NUMBER } class;
  bool sign;
  uint64_t significand;
  int exponent;
} number_t;

/* ---- Names. */

static const convert_type_t *type_named(const char *word, size_t length) {
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
    if (strlen(types[i].name) == length && strncmp(types[i].name, word, length) == 0) {
      return &types[i];
    }
  }
  return NULL;
}

static bool modifier(convert_t *c, const char *word, size_t length) {
  struct {
    const char *name;
    bool *to;
  } flags[] = {{"ftz", &c->flush},
               {"sat", &c->sat},
               {"satfinite", &c->satfinite},
               {"relu", &c->relu},
               {"pack", &c->pack}};
  for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
    if (strlen(flags[i].name) == length && strncmp(flags[i].name, word, length) == 0) {
      *flags[i].to = true;
      return true;
    }
  }
  bool integral = length == 3 && word[2] == 'i', away = length == 3 && strncmp(word, "rna", 3) == 0;
  if (word[0] != 'r' || strchr("nzmp", word[1]) == NULL || (length != 2 && !integral && !away)) {
    return false;
  }
  c->integral = integral;
  c->rounding = away ? 'a' : word[1];
  return true;
}

bool convert_named(const char *name, convert_t *out) {
  *out = (convert_t){.both = strstr(name, "(both)") != NULL};
  if (strncmp(name, "cvt.", 4) != 0) {
    return false;
  }
  for (const char *at = name + 3; *at == '.';) {
    size_t length = strcspn(++at, ".( ");
    const convert_type_t *type = type_named(at, length);
    if (type != NULL) {
      out->from = out->to != NULL ? type : NULL;
      out->to = out->to != NULL ? out->to : type;
    } else if (!(length == 3 && strncmp(at, "b32", 3) == 0) && !modifier(out, at, length)) {
      return false;
    }
    at += length;
  }
  return out->from != NULL && (out->from->exponent != 0 || out->to->exponent != 0 || out->pack);
}

/* ---- Numbers. */

static uint64_t ones(unsigned bits) { return bits == 0 ? 0 : UINT64_MAX >> (64 - bits); }
static bool is_e4m3(const convert_type_t *t) { return t->exponent == 4; }

static number_t decode(const convert_type_t *t, uint64_t bits) {
  number_t v = {FINITE, false, 0, 0};
  bits &= ones(t->bits);
  v.sign = t->is_signed && bits >> (t->bits - 1) != 0;
  if (t->exponent == 0) {
    v.significand = v.sign ? (0 - bits) & ones(t->bits) : bits;
    return v;
  }
  unsigned field = (unsigned)(bits >> t->fraction & ones(t->exponent)),
           top = (unsigned)ones(t->exponent);
  v.significand = bits & ones(t->fraction);
  v.exponent = (field == 0 ? 1 : (int)field) - (int)(top / 2) - (int)t->fraction;
  if (field == top && (!is_e4m3(t) || v.significand == ones(t->fraction))) {
    v.class = v.significand == 0 ? INFINITE : NOT_A_NUMBER;
  } else if (field != 0) {
    v.significand |= UINT64_C(1) << t->fraction;
  }
  return v;
}

static int width(uint64_t x) { return x == 0 ? 0 : 64 - __builtin_clzll(x); }

/* In units of 2^unit. */
static uint64_t scaled(const convert_t *c, const number_t *v, int unit) {
  int cut = unit - v->exponent;
  if (cut <= 0) {
    return v->significand << -cut;
  }
  uint64_t kept = cut < 64 ? v->significand >> cut : 0,
           rest = cut < 64 ? v->significand & ones((unsigned)cut) : v->significand;
  bool above = cut < 65 && rest > UINT64_C(1) << (cut - 1),
       tie = cut < 65 && rest == UINT64_C(1) << (cut - 1);
  switch (c->rounding) {
  case 'n':
    return kept + (above || (tie && (kept & 1) != 0));
  case 'a':
    return kept + (above || tie);
  case 'm':
    return kept + (v->sign && rest != 0);
  case 'p':
    return kept + (!v->sign && rest != 0);
  default:
    return kept;
  }
}

/* ---- Results. */

static uint64_t to_integer(const convert_t *c, const convert_type_t *t, const number_t *v) {
  uint64_t most = t->is_signed ? ones(t->bits - 1) : ones(t->bits), magnitude;
  if (v->class == NOT_A_NUMBER) {
    uint64_t top = UINT64_C(1) << (t->bits - 1);
    return t->bits != 64 && c->from->bits != 64 ? 0 : t->is_signed ? 0 - top : top;
  }
  magnitude = v->class == INFINITE || v->exponent + width(v->significand) > 64 ? UINT64_MAX
                                                                               : scaled(c, v, 0);
  if (v->sign) {
    uint64_t least = t->is_signed ? most + 1 : 0;
    return 0 - (magnitude > least ? least : magnitude);
  }
  return magnitude > most ? most : magnitude;
}

static uint64_t nan_of(const convert_type_t *t) {
  return t->low != 0     ? 0x7fffe000
         : t->bits == 64 ? UINT64_C(0x7fffffffffffffff)
                         : ones(t->bits - 1);
}

/* Of the finite numbers the largest. */
static uint64_t largest(const convert_type_t *t) {
  return (ones(t->exponent) << t->fraction) - 1 + (is_e4m3(t) ? ones(t->fraction) : 0);
}

static uint64_t to_float(const convert_t *c, const convert_type_t *t, number_t v) {
  uint64_t infinity = ones(t->exponent) << t->fraction, bits;
  if (c->relu && v.sign) {
    return 0;
  }
  if (v.class == INFINITE) {
    bits = c->satfinite ? largest(t) : infinity;
  } else {
    int bias = (int)(ones(t->exponent) / 2), exponent = v.exponent + width(v.significand) - 1;
    exponent = exponent < 1 - bias ? 1 - bias : exponent;
    uint64_t kept = scaled(c, &v, exponent - (int)t->fraction);
    bits = v.significand == 0 ? 0 : kept + ((uint64_t)(exponent + bias - 1) << t->fraction);
    bool down = c->rounding == 'z' || c->rounding == (v.sign ? 'p' : 'm');
    if (exponent > bias + 1 || bits > largest(t)) {
      bits = c->satfinite || down ? largest(t) : infinity;
    }
  }
  uint64_t one = (ones(t->exponent) / 2) << t->fraction;
  if (c->sat) {
    return v.sign ? 0 : bits > one ? one : bits;
  }
  return (bits | (uint64_t)v.sign << (t->bits - t->low - 1)) << t->low;
}

static bool is_f32(const convert_type_t *t) { return t->bits == 32 && t->fraction == 23; }

/* From f64, and to f64, a NaN keeps its bits and becomes quiet; from bf16 to f32 it keeps them as
 * they are; with .rna to tf32 it is cut, and with .satfinite it then becomes the number below, as an
 * infinity does; in the other cases it is the type's own. */
static uint64_t not_a_number(const convert_t *c, uint64_t bits) {
  const convert_type_t *t = c->to, *f = c->from;
  if (c->rounding == 'a') {
    return (bits & 0xffffe000) - (c->satfinite ? 0x2000 : 0);
  }
  if (c->flush && is_f32(f) && t->bits == 64) {
    bits = 0x7fffffff;
  }
  if (c->sat) {
    return 0;
  }
  if (f->bits == 64 || t->bits == 64 || (is_f32(t) && f->fraction == 7 && !c->flush)) {
    uint64_t fraction = bits & ones(f->fraction), sign = bits >> (f->bits - 1) & 1;
    fraction = t->fraction >= f->fraction ? fraction << (t->fraction - f->fraction)
                                          : fraction >> (f->fraction - t->fraction);
    return (sign << t->exponent | ones(t->exponent)) << t->fraction | fraction |
           (f->fraction == 7 && is_f32(t) ? 0 : UINT64_C(1) << (t->fraction - 1));
  }
  return nan_of(t);
}

static uint64_t element(const convert_t *c, uint64_t bits) {
  number_t v = decode(c->from, bits);
  if (c->flush && c->to->fraction != 10 && is_f32(c->from) && width(v.significand) < 24) {
    v.significand = 0;
  }
  if (c->flush && c->from->fraction == 7 && width(v.significand) < 8) {
    v.significand = 0;
  }
  if (c->to->exponent == 0) {
    return to_integer(c, c->to, &v);
  }
  if (c->integral && v.class == FINITE && v.exponent < 0) {
    v.significand = scaled(c, &v, 0);
    v.exponent = 0;
  }
  if (v.class == NOT_A_NUMBER) {
    return not_a_number(c, bits);
  }
  if (c->flush && c->from->bits == 64 && width(v.significand) + v.exponent < -125) {
    number_t up = v;
    int unit = width(v.significand) + v.exponent - 24;
    up.significand = scaled(c, &v, unit);
    v.significand = width(up.significand) + unit < -125 ? 0 : v.significand;
  }
  return to_float(c, c->to, v);
}

static uint64_t pack(const convert_t *c, const uint64_t operand[3]) {
  unsigned bits = c->to->bits;
  number_t a = decode(c->from, operand[0]), b = decode(c->from, operand[1]);
  uint64_t high = to_integer(c, c->to, &a) & ones(bits),
           low = to_integer(c, c->to, &b) & ones(bits);
  uint64_t rest = bits == 16 ? 0 : operand[2] << 2 * bits;
  return (rest | high << bits | low) & ones(32);
}

/* 8-bit results of integers fill their register. */
uint64_t convert_rule(const convert_t *c, const uint64_t operand[3]) {
  if (c->pack) {
    return pack(c, operand);
  }
  if (c->to->count == 1) {
    unsigned bits = c->to->exponent == 0 && c->to->bits == 8 ? 32 : c->to->bits;
    return element(c, operand[0]) & ones(bits);
  }
  uint64_t high = c->from->count == 2 ? operand[0] >> c->from->bits : operand[0],
           low = c->from->count == 2 || c->both ? operand[0] : operand[1];
  return element(c, high) << c->to->bits | element(c, low);
}
