/* format.c: conversions between formats on exact integers (format.h). A finite number is mantissa * 2^exponent
 * with an integer mantissa; it is cut into units of the target's last place and rounded once. A NaN of the
 * target: all bits below the sign are ones, but where PTX keeps the operand's: from bf16 to f32, and in .rna
 * to tf32, which cuts. */
#include "tests/oracle/format.h"

#include "isa/ptx/types.h"

typedef enum special {
  IEEE,   /* infinities and NaN */
  ONE,    /* a NaN only: all ones */
  NOTHING /* every pattern is a number */
} special_t;

typedef struct shape {
  wl_ptx_type_t type;
  unsigned count, exponent, fraction;
  unsigned low;  /* bits of an element's word nobody reads */
  unsigned slot; /* bits from one element to the next */
  special_t special;
} shape_t;

static const shape_t k_shapes[] = {
    {WL_PTX_T_F16, 1, 5, 10, 0, 16, IEEE},     {WL_PTX_T_BF16, 1, 8, 7, 0, 16, IEEE},
    {WL_PTX_T_TF32, 1, 8, 10, 13, 32, IEEE},   {WL_PTX_T_F32, 1, 8, 23, 0, 32, IEEE},
    {WL_PTX_T_F16X2, 2, 5, 10, 0, 16, IEEE},   {WL_PTX_T_BF16X2, 2, 8, 7, 0, 16, IEEE},
    {WL_PTX_T_E4M3X2, 2, 4, 3, 0, 8, ONE},     {WL_PTX_T_E5M2X2, 2, 5, 2, 0, 8, IEEE},
    {WL_PTX_T_E2M3X2, 2, 2, 3, 0, 8, NOTHING}, {WL_PTX_T_E3M2X2, 2, 3, 2, 0, 8, NOTHING},
    {WL_PTX_T_E2M1X2, 2, 2, 1, 0, 4, NOTHING}, {WL_PTX_T_E4M3X4, 4, 4, 3, 0, 8, ONE},
    {WL_PTX_T_E5M2X4, 4, 5, 2, 0, 8, IEEE},    {WL_PTX_T_E2M3X4, 4, 2, 3, 0, 8, NOTHING},
    {WL_PTX_T_E3M2X4, 4, 3, 2, 0, 8, NOTHING}, {WL_PTX_T_E2M1X4, 4, 2, 1, 0, 4, NOTHING},
    {WL_PTX_T_UE8M0X2, 2, 8, 0, 0, 8, ONE},    {WL_PTX_T_S2F6X2, 2, 0, 6, 0, 8, NOTHING},
};

typedef struct value {
  enum { FINITE, INFINITE, NOT_A_NUMBER } kind;
  bool neg;
  uint64_t m;
  int e;
} value_t;

static const shape_t *shape_of(wl_ptx_type_t type) {
  for (unsigned i = 0; i < sizeof k_shapes / sizeof k_shapes[0]; i++) {
    if (k_shapes[i].type == type) {
      return &k_shapes[i];
    }
  }
  return NULL;
}

static uint64_t ones(unsigned n) { return n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1; }
static bool is_power(const shape_t *f) { return f->fraction == 0; }  /* ue8m0 */
static bool is_fixed(const shape_t *f) { return f->exponent == 0; }  /* s2f6 */
static unsigned width_of(const shape_t *f) { return 1 + f->exponent + f->fraction; }
static int bias_of(const shape_t *f) { return (int)ones(f->exponent - 1); }

static uint64_t largest_of(const shape_t *f) { /* finite number */
  uint64_t all = ones(f->exponent + f->fraction);
  return f->special == IEEE ? all - ones(f->fraction) - 1 : f->special == ONE ? all - 1 : all;
}

static value_t decode_integer(wl_ptx_type_t type, uint64_t bits) {
  unsigned width = wl_ptx_type_bits(type);
  bits &= ones(width);
  bool neg = wl_ptx_type_is_signed(type) && bits >> (width - 1) != 0;
  return (value_t){FINITE, neg, neg ? (0 - bits) & ones(width) : bits, 0};
}

static value_t decode(const shape_t *f, uint64_t bits) {
  if (is_power(f)) {
    bits &= 0xff;
    return (value_t){bits == 0xff ? NOT_A_NUMBER : FINITE, false, 1, (int)bits - 127};
  }
  if (is_fixed(f)) {
    value_t v = decode_integer(WL_PTX_T_S8, bits);
    v.e = -6;
    return v;
  }
  uint64_t field = bits >> f->fraction & ones(f->exponent), rest = bits & ones(f->fraction);
  value_t v = {FINITE, (bits >> (width_of(f) - 1) & 1) != 0, rest, 0};
  bool top = field == ones(f->exponent);
  if (top && f->special == IEEE) {
    v.kind = rest == 0 ? INFINITE : NOT_A_NUMBER;
  } else if (top && f->special == ONE && rest == ones(f->fraction)) {
    v.kind = NOT_A_NUMBER;
  }
  v.m |= field != 0 ? UINT64_C(1) << f->fraction : 0;
  v.e = (field == 0 ? 1 : (int)field) - bias_of(f) - (int)f->fraction;
  return v;
}

/* How a number is rounded: `random` of `bits` bits where it is by chance. */
typedef struct how {
  wl_or_round_t round;
  unsigned bits; /* 0: not by chance */
  uint64_t random;
} how_t;

/* |v| in units of 2^unit. */
static uint64_t rounded(value_t v, int unit, how_t how) {
  int cut = unit - v.e;
  if (cut <= 0) {
    return v.m << -cut;
  }
  unsigned __int128 twice = (unsigned __int128)v.m << 1, one = 1; /* a bit for halves */
  uint64_t keep = cut > 63 ? 0 : v.m >> cut;
  unsigned __int128 dropped = cut > 63 ? twice : twice - ((unsigned __int128)keep << (cut + 1));
  unsigned __int128 half = one << (cut > 100 ? 100 : cut);
  if (how.bits != 0) {
    uint64_t f = cut > 100 ? 0 : (uint64_t)(dropped << how.bits >> (cut + 1));
    return keep + (f + how.random >= UINT64_C(1) << how.bits);
  }
  switch (how.round) {
  case WL_OR_RZ:
    return keep;
  case WL_OR_RM:
    return keep + (v.neg && dropped != 0);
  case WL_OR_RP:
    return keep + (!v.neg && dropped != 0);
  case WL_OR_RNA:
    return keep + (dropped >= half);
  default:
    return keep + (dropped > half || (dropped == half && (keep & 1) != 0));
  }
}

/* Of v.m != 0: the exponent of its highest bit. */
static int top_of(value_t v) {
  int top = v.e;
  for (uint64_t m = v.m; m > 1; m >>= 1) {
    top++;
  }
  return top;
}

/* Pattern of the magnitude. Past the last finite number: infinity, or what .satfinite and the rounding
 * toward zero make of it. */
static uint64_t magnitude(const shape_t *f, value_t v, const wl_or_convert_t *c, how_t how) {
  uint64_t largest = largest_of(f);
  if (v.kind == INFINITE) {
    return c->satfinite ? largest : largest + 1;
  }
  if (v.m == 0) {
    return 0;
  }
  int top = top_of(v), least = 1 - bias_of(f);
  top = top < least ? least : top;
  uint64_t bits = rounded(v, top - (int)f->fraction, how);
  bits += (uint64_t)(top - least) << f->fraction;
  if (bits > largest) {
    bool inward = how.bits == 0 && (how.round == WL_OR_RZ ||
                                    how.round == (v.neg ? WL_OR_RP : WL_OR_RM));
    return c->satfinite || inward ? largest : largest + 1;
  }
  return bits;
}

/* The power of two below or above |v|; what has none is a NaN, or the largest. */
static uint64_t power(value_t v, const wl_or_convert_t *c) {
  if (v.kind == NOT_A_NUMBER) {
    return 0xff;
  }
  int top = 200;
  if (v.kind == FINITE) {
    top = v.m == 0 ? -127 : top_of(v);
    top += c->round == WL_OR_RP && (v.m & (v.m - 1)) != 0 ? 1 : 0;
  }
  return top > 127 ? (c->satfinite ? 0xfe : 0xff) : top < -127 ? 0 : (uint64_t)(top + 127);
}

static uint64_t fixed(value_t v, const wl_or_convert_t *c, how_t how) {
  if (v.kind == NOT_A_NUMBER) {
    return 0x7f;
  }
  if (c->relu && v.neg) {
    return 0;
  }
  bool beyond = v.kind == INFINITE || (v.m != 0 && top_of(v) > 1);
  uint64_t m = beyond ? 127 : rounded(v, -6, how);
  m = m > 127 ? 127 : m;
  return (v.neg ? 0 - m : m) & 0xff;
}

static uint64_t not_a_number(const wl_or_convert_t *c, const shape_t *to, uint64_t bits) {
  if (c->sat) {
    return 0;
  }
  if (c->round == WL_OR_RNA) {
    return (bits & ~ones(to->low)) - (c->satfinite ? UINT64_C(1) << to->low : 0);
  }
  if (to->type == WL_PTX_T_F32 && c->from == WL_PTX_T_BF16 && !c->flush) {
    return bits << 16;
  }
  return ones(width_of(to) - 1) << to->low;
}

/* .ftz is of f32, and of bf16, whose subnormal numbers are the same; to f16 it does nothing. */
static bool flushes(const wl_or_convert_t *c, const shape_t *from, value_t v) {
  return c->flush && from != NULL && from->exponent == 8 && c->to != WL_PTX_T_F16 &&
         v.kind == FINITE && v.m >> from->fraction == 0;
}

static uint64_t element(const wl_or_convert_t *c, const shape_t *to, value_t v, uint64_t bits,
                        how_t how) {
  if (is_power(to)) {
    return power(v, c);
  }
  if (is_fixed(to)) {
    return fixed(v, c, how);
  }
  if (v.kind == NOT_A_NUMBER) {
    return not_a_number(c, to, bits);
  }
  if (c->integral && v.kind == FINITE && v.e < 0) {
    v.m = rounded(v, 0, how);
    v.e = 0;
  }
  if ((c->relu || c->sat) && v.neg) {
    return 0;
  }
  uint64_t one = (uint64_t)bias_of(to) << to->fraction, r = magnitude(to, v, c, how);
  r = c->sat && r > one ? one : r;
  return (r | (uint64_t)v.neg << (width_of(to) - 1)) << to->low;
}

static uint64_t to_integer(const wl_or_convert_t *c, value_t v) {
  unsigned width = wl_ptx_type_bits(c->to);
  bool is_signed = wl_ptx_type_is_signed(c->to);
  uint64_t most = ones(is_signed ? width - 1 : width), least = is_signed ? most + 1 : 0;
  if (v.kind == NOT_A_NUMBER) {
    return width == 64 ? UINT64_C(1) << 63 : 0;
  }
  bool huge = v.kind == INFINITE || (v.m != 0 && top_of(v) > 63);
  uint64_t m = huge ? UINT64_MAX : rounded(v, 0, (how_t){c->round, 0, 0});
  return v.neg ? 0 - (m > least ? least : m) : m > most ? most : m;
}

bool wl_or_convert_known(wl_ptx_type_t to, wl_ptx_type_t from) {
  const shape_t *t = shape_of(to), *f = shape_of(from);
  if (t == NULL || f == NULL) { /* an integer with f16 or bf16 */
    const shape_t *other = t == NULL ? f : t;
    wl_ptx_type_t integer = t == NULL ? to : from;
    return other != NULL && other->slot == 16 && other->count == 1 && wl_ptx_type_is_int(integer);
  }
  return (to != WL_PTX_T_F32 || from != WL_PTX_T_F32) && from != WL_PTX_T_TF32 &&
         (f->count == 1 || f->count == t->count);
}

unsigned wl_or_convert_operands(const wl_or_convert_t *c) {
  const shape_t *to = shape_of(c->to), *from = shape_of(c->from);
  return to == NULL || from == NULL ? 1 : to->count / from->count;
}

/* Random bits of the element that is number `from_top` of `count`, and how many. */
static how_t chance(const shape_t *to, unsigned from_top, uint64_t random) {
  unsigned upper = 16;
  if (to->count == 2) {
    unsigned bits = to->fraction == 10 ? 13 : 16;
    return (how_t){WL_OR_RN, bits, (random >> (from_top == 0 ? upper : 0)) & ones(bits)};
  }
  if (to->slot == 4) { /* a and b have the upper byte of each half, e and f the lower one */
    unsigned at = (from_top % 2 == 0 ? upper : 0) + (from_top < 2 ? 8 : 0);
    return (how_t){WL_OR_RN, 8, random >> at & 0xff};
  }
  return (how_t){WL_OR_RN, 16, random >> (from_top < 2 ? upper : 0) & 0xffff};
}

uint64_t wl_or_convert(const wl_or_convert_t *c, const uint64_t *s) {
  const shape_t *to = shape_of(c->to), *from = shape_of(c->from);
  how_t how = {c->round, 0, 0};
  if (to == NULL) {
    return to_integer(c, decode(from, s[0]));
  }
  unsigned operands = wl_or_convert_operands(c);
  uint64_t extra = s[operands], word = 0;
  for (unsigned i = 0; i < to->count; i++) { /* from the top */
    unsigned below = to->count - 1 - i;
    uint64_t bits = operands > 1 ? s[i] : from == NULL ? s[0] : s[0] >> below * from->slot;
    value_t v = from == NULL ? decode_integer(c->from, bits) : decode(from, bits);
    if (flushes(c, from, v)) {
      v.m = 0;
    }
    if (c->scaled) {
      value_t scale = decode(shape_of(WL_PTX_T_UE8M0X2), extra >> below * 8);
      v.e += is_fixed(to) ? -scale.e : scale.e;
      v.kind = scale.kind == NOT_A_NUMBER ? NOT_A_NUMBER : v.kind;
    }
    how = c->stochastic ? chance(to, i, extra) : how;
    word = word << to->slot | element(c, to, v, bits, how);
  }
  return word;
}
