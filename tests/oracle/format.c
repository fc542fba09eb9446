/* format.c: conversions between floating-point formats on exact integers (format.h). A finite number is
 * mantissa * 2^exponent with an integer mantissa; it is cut into units of the target's last place and
 * rounded once. A NaN of the target: all bits below the sign are ones, but where PTX keeps the
 * operand's: from bf16 to f32, and in .rna to tf32, which cuts. */
#include "tests/oracle/format.h"

typedef struct shape {
  wl_ptx_type_t type;
  unsigned count, exponent, fraction,
      low; /* elements; bits; bits of an element's word nobody reads */
  bool infinity;
} shape_t;

static const shape_t k_shapes[] = {
    {WL_PTX_T_F16, 1, 5, 10, 0, true},    {WL_PTX_T_BF16, 1, 8, 7, 0, true},
    {WL_PTX_T_TF32, 1, 8, 10, 13, true},  {WL_PTX_T_F32, 1, 8, 23, 0, true},
    {WL_PTX_T_F16X2, 2, 5, 10, 0, true},  {WL_PTX_T_BF16X2, 2, 8, 7, 0, true},
    {WL_PTX_T_E4M3X2, 2, 4, 3, 0, false}, {WL_PTX_T_E5M2X2, 2, 5, 2, 0, true},
};

typedef struct value {
  enum { FINITE, INFINITE, NOT_A_NUMBER } kind;
  bool neg;
  uint32_t m;
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

static uint32_t ones(unsigned n) { return (uint32_t)((UINT64_C(1) << n) - 1); }
static unsigned width_of(const shape_t *f) { return 1 + f->exponent + f->fraction; }
static int bias_of(const shape_t *f) { return (int)ones(f->exponent - 1); }

static value_t decode(const shape_t *f, uint32_t bits) {
  uint32_t field = bits >> f->fraction & ones(f->exponent), rest = bits & ones(f->fraction);
  value_t v = {FINITE, (bits >> (width_of(f) - 1) & 1) != 0, rest, 0};
  bool top = field == ones(f->exponent);
  if (top && f->infinity) {
    v.kind = rest == 0 ? INFINITE : NOT_A_NUMBER;
  } else if (top && rest == ones(f->fraction)) {
    v.kind = NOT_A_NUMBER;
  }
  v.m |= field != 0 ? 1u << f->fraction : 0;
  v.e = (field == 0 ? 1 : (int)field) - bias_of(f) - (int)f->fraction;
  return v;
}

/* v in units of 2^unit. */
static uint32_t rounded(value_t v, int unit, wl_or_round_t round) {
  int cut = unit - v.e;
  if (cut <= 0) {
    return v.m << -cut;
  }
  uint64_t twice = (uint64_t)v.m << 1; /* a bit for halves */
  uint32_t keep = cut > 31 ? 0 : v.m >> cut;
  uint64_t dropped = cut > 31 ? twice : twice - ((uint64_t)keep << (cut + 1));
  uint64_t half = UINT64_C(1) << (cut > 60 ? 60 : cut);
  switch (round) {
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

/* Pattern of the magnitude. Past the last finite number: infinity, or what .satfinite and the rounding
 * toward zero make of it. */
static uint32_t magnitude(const shape_t *f, value_t v, const wl_or_convert_t *c) {
  uint32_t infinity = ones(f->exponent) << f->fraction, largest = infinity - 1;
  if (v.kind == INFINITE) {
    return c->satfinite ? largest : infinity;
  }
  if (v.m == 0) {
    return 0;
  }
  int top = v.e, least = 1 - bias_of(f);
  for (uint32_t m = v.m; m > 1; m >>= 1) {
    top++;
  }
  top = top < least ? least : top;
  if (top > bias_of(f) + 1) { /* beyond every finite number, and no exponent for it */
    top = bias_of(f) + 1;
    v = (value_t){FINITE, v.neg, 1, top};
  }
  uint32_t bits = rounded(v, top - (int)f->fraction, c->round);
  bits += (uint32_t)(top - least) << f->fraction;
  if (bits >= infinity) {
    bool inward = c->round == WL_OR_RZ || c->round == (v.neg ? WL_OR_RP : WL_OR_RM);
    bits = c->satfinite || inward ? largest : infinity;
  }
  return bits;
}

static uint32_t not_a_number(const wl_or_convert_t *c, const shape_t *to, uint32_t bits) {
  if (c->sat) {
    return 0;
  }
  if (to->low != 0) {
    return (bits & ~ones(to->low)) - (c->satfinite ? 1u << to->low : 0);
  }
  if (to->type == WL_PTX_T_F32 && c->from == WL_PTX_T_BF16 && !c->flush) {
    return bits << 16;
  }
  return ones(width_of(to) - 1);
}

/* .ftz is of f32, and of bf16, whose subnormal numbers are the same. */
static bool flushes(const wl_or_convert_t *c, const shape_t *from, value_t v) {
  return c->flush && from->exponent == 8 && v.kind == FINITE && v.m >> from->fraction == 0;
}

static uint32_t element(const wl_or_convert_t *c, const shape_t *to, const shape_t *from,
                        uint32_t bits) {
  value_t v = decode(from, bits & ones(width_of(from)));
  if (v.kind == NOT_A_NUMBER) {
    return not_a_number(c, to, bits);
  }
  if (flushes(c, from, v)) {
    v.m = 0;
  }
  if ((c->relu || c->sat) && v.neg) {
    return 0;
  }
  uint32_t one = (uint32_t)bias_of(to) << to->fraction, r = magnitude(to, v, c);
  r = c->sat && r > one ? one : r;
  return (r | (uint32_t)v.neg << (width_of(to) - 1)) << to->low;
}

bool wl_or_convert_known(wl_ptx_type_t to, wl_ptx_type_t from) {
  if (from == WL_PTX_T_F32) {
    return to == WL_PTX_T_F16 || to == WL_PTX_T_BF16 || to == WL_PTX_T_TF32 ||
           to == WL_PTX_T_F16X2 || to == WL_PTX_T_BF16X2;
  }
  return to == WL_PTX_T_F32
             ? from == WL_PTX_T_F16 || from == WL_PTX_T_BF16
             : to == WL_PTX_T_F16X2 && (from == WL_PTX_T_E4M3X2 || from == WL_PTX_T_E5M2X2);
}

unsigned wl_or_convert_operands(const wl_or_convert_t *c) {
  return shape_of(c->to)->count / shape_of(c->from)->count;
}

uint32_t wl_or_convert(const wl_or_convert_t *c, const uint64_t *s) {
  const shape_t *to = shape_of(c->to), *from = shape_of(c->from);
  uint32_t a = (uint32_t)s[0];
  if (to->count == 1) {
    return element(c, to, from, a);
  }
  uint32_t high = from->count == 2 ? a >> width_of(from) : a;
  uint32_t low = from->count == 2 ? a : (uint32_t)s[1];
  return element(c, to, from, high) << width_of(to) | element(c, to, from, low);
}
