/* Operands, from splitmix64 (tests/common/splitmix.h), whose state begins with the form's label, the kind
 * and the item. Nothing of it is shared with tests/silicon. */
#include "tests/common/splitmix.h"
#include "tests/tensor/outside/outside.h"

enum { MODERATE, APART, RAW, TINY, ALIGN, CANCEL, SPECIAL, LARGE, LAST_BIT, ZEROS, TIE };
static const char *const kinds[OUTSIDE_KINDS] = {"moderate", "apart",  "raw",     "tiny",
                                                 "align",    "cancel", "special", "large",
                                                 "last-bit", "zeros",  "tie"};
const char *outside_kind(unsigned kind) { return kinds[kind]; }

static int bias(tensor_type_t type) { return (1 << (tensor_format(type)->exponent - 1)) - 1; }
static int lowest(tensor_type_t type) {
  return 1 - bias(type);
} /* exponent of the normal numbers */
/* e4m3 has no infinity: its highest exponent is one of numbers. */
static int highest(tensor_type_t type) { return bias(type) + (type == TENSOR_E4M3); }

/* (1 + fraction / 2^bits) 2^power with a sign; below the normal numbers cut to a subnormal one; above the
 * largest exponent, the largest exponent. */
static uint64_t number(tensor_type_t type, bool sign, int power, uint64_t fraction) {
  const tensor_format_t *f = tensor_format(type);
  uint64_t one = UINT64_C(1) << f->fraction, value = fraction & (one - 1);
  power = power > highest(type) ? highest(type) : power;
  if (power >= lowest(type)) {
    value |= (uint64_t)(power + bias(type)) << f->fraction;
    value -= type == TENSOR_E4M3 && value == 0x7f; /* that is its NaN */
  } else {
    int by = lowest(type) - power;
    value = by > (int)f->fraction ? 0 : (value | one) >> by;
  }
  return value << f->low | (uint64_t)sign << (f->bits - 1);
}

/* Zeros, ones, the smallest, the smallest normal, the largest, infinity, NaN; of 16 items one has no
 * NaN and no infinity, else few elements were numbers. */
static uint64_t special(tensor_type_t type, uint64_t z, bool finite) {
  const tensor_format_t *f = tensor_format(type);
  uint64_t top = ((UINT64_C(1) << f->exponent) - 1) << f->fraction;
  uint64_t largest = type == TENSOR_E4M3 ? 0x7e : top - 1;
  uint64_t infinity = type == TENSOR_E4M3 ? 0x7f : top,
           not_a_number = type == TENSOR_E4M3 ? 0x7f : top | 1;
  const uint64_t values[] = {0,        0,
                             0,        (uint64_t)bias(type) << f->fraction,
                             1,        UINT64_C(1) << f->fraction,
                             largest,  (UINT64_C(1) << f->fraction) - 1,
                             infinity, not_a_number};
  uint64_t v = values[z % (finite || z >> 8 & 7 ? 8 : 10)];
  uint64_t low =
      f->low != 0 && (z >> 16 & 3) == 0 ? z >> 20 & 0x1fff : 0; /* of tf32: nobody looks at them */
  return v << f->low | low | (z >> 40 & 1) << (f->bits - 1);
}

/* A whole word; unless the item is one of four, without infinities and NaN. */
static uint64_t raw(tensor_type_t type, unsigned item, uint64_t z) {
  const tensor_format_t *f = tensor_format(type);
  uint64_t word = z & ((UINT64_C(1) << f->bits) - 1), top = UINT64_C(1) << (f->bits - 2);
  return item % 4 != 0 ? word & ~top : word;
}

/* Exponents of a kind. A and B have each half of a product's; D's format says where it ends. */
static int power(const tensor_t *t, tensor_type_t type, unsigned kind, int item, bool is_c,
                 uint64_t z) {
  int any = (int)(z >> 8 & 0xffff), low = lowest(t->d), high = highest(t->d);
  int half = (int)tensor_format(t->d)->fraction / 2;
  switch (kind) {
  case MODERATE:
    return any % 7 - 3;
  case APART:
    return lowest(type) - 2 + any % (highest(type) - lowest(type) + 3);
  case TINY: /* products from D's smallest normal number down to below its smallest */
    return is_c ? low - any % 26 : low / 2 - item % 16 - any % 3;
  case ALIGN: /* one of eight terms is large, the others lie 20 to 30 bits below it */
    return (z >> 32 & 7) == 0 ? 0 : is_c ? -20 - item % 10 : -(20 + item % 10) / 2 - any % 2;
  case LARGE: /* products and C about D's largest number */
    return is_c ? high - any % 4 : high / 2 - any % 3 + item % 3;
  default: /* LAST_BIT: products about the last bit of C */
    return is_c ? any % 2 : -half - any % 4 + item % 4 - item / 4 % 2;
  }
}

static uint64_t element(const tensor_t *t, tensor_type_t type, unsigned kind, unsigned item,
                        bool is_c, uint64_t *state) {
  uint64_t z = wl_splitmix64(state), fraction = wl_splitmix64(state), sign = z >> 63;
  bool zero_c = is_c && item % 2 == 0;
  switch (kind) {
  case RAW:
    return raw(type, item, fraction);
  case SPECIAL:
    return special(type, z, item % 16 == 0);
  case ZEROS:
    return z % (item % 8 + 4) == 0 ? special(type, z >> 4, item % 4 != 0)
                                   : sign << (tensor_format(type)->bits - 1);
  case CANCEL: /* few values; the second half of K is made in cancel() */
    return number(type, sign, (int)(z >> 8 & 7) - 4, item % 4 < 2 ? fraction & 3 : fraction);
  case TINY:
    if (zero_c || (!is_c && (z & 31) == 0)) {
      return sign << (tensor_format(type)->bits - 1);
    }
    break;
  default:
    break;
  }
  bool positive = (kind == LARGE || kind == ALIGN || kind == LAST_BIT) && item % 8 < 2;
  return number(type, sign && !positive, power(t, type, kind, (int)item, is_c, z),
                kind == LAST_BIT && item % 8 < 4 ? fraction & 1 : fraction);
}

/* The second half of K repeats the first with the other sign; in two of three items one value of each row
 * differs in its last bit, or C is a number. */
static void cancel(const tensor_t *t, unsigned item, tensor_item_t *out, uint64_t *state) {
  uint64_t sign = UINT64_C(1) << (tensor_format(t->a)->bits - 1);
  for (unsigned row = 0; row < t->m; row++) {
    for (unsigned k = t->k / 2; k < t->k; k++) {
      out->a[row * t->k + k] = out->a[row * t->k + k - t->k / 2] ^ sign;
    }
    out->a[row * t->k] ^= item % 3 == 1 ? UINT64_C(1) << tensor_format(t->a)->low : 0;
  }
  for (unsigned i = t->k / 2 * t->n; i < t->k * t->n; i++) {
    out->b[i] = out->b[i - t->k / 2 * t->n];
  }
  for (unsigned i = 0; i < t->m * t->n && item % 3 != 2; i++) {
    out->c[i] = wl_splitmix64(state) % 2 << (tensor_format(t->c)->bits - 1);
  }
}

/* 2^exponent, or with one bit more, as a product of two powers: value `index` of each row of A and of each
 * column of B. */
static void put_product(const tensor_t *t, tensor_item_t *out, unsigned index, int exponent,
                        bool more, uint64_t signs) {
  for (unsigned row = 0; row < t->m; row++) {
    out->a[row * t->k + index] = number(t->a, signs >> row & 1, exponent / 2, more ? 1 : 0);
  }
  for (unsigned column = 0; column < t->n; column++) {
    out->b[index * t->n + column] =
        number(t->b, signs >> (32 + column) & 1, exponent - exponent / 2, 0);
  }
}

/* One product is half of C's last bit, or C is a zero and the product half of D's smallest number; another
 * one, 18 to 29 bits below C, or below the first product, says to which side of the tie the sum lies. */
static void tie(const tensor_t *t, unsigned item, tensor_item_t *out, uint64_t *state) {
  int fraction = (int)tensor_format(t->d)->fraction, i = (int)item;
  int c = tensor_format(t->a)->bits == 8 ? fraction - 8 + i % 5 : i % 5 - 2;
  bool zero = item % 3 == 0;
  int first = (zero ? lowest(t->d) : c) - fraction - 1,
      second = (zero ? first : c) - 18 - i / 3 % 12;
  for (unsigned k = 0; k < t->k; k++) {
    uint64_t z = wl_splitmix64(state);
    bool used = item % 2 == 0 || k == t->k / 2;
    put_product(t, out, k,
                k == 0 ? first
                : used ? second - (int)(z >> 24 & 1)
                       : -1000,
                k == 0 && item % 4 == 1, z);
  }
  for (unsigned n = 0; n < t->m * t->n; n++) {
    uint64_t z = wl_splitmix64(state);
    out->c[n] = zero ? (z & 1) << (tensor_format(t->c)->bits - 1) : number(t->c, z & 1, c, z >> 20);
  }
}

void outside_fill(const tensor_t *t, unsigned kind, unsigned item, tensor_item_t *out) {
  uint64_t state = UINT64_C(0x0475) << 40 | (uint64_t)kind << 8 | item;
  for (const char *p = t->label; *p != '\0'; p++) {
    state = state * 131 + (unsigned char)*p;
  }
  for (unsigned i = 0; i < t->m * t->k; i++) {
    out->a[i] = element(t, t->a, kind, item, false, &state);
  }
  for (unsigned i = 0; i < t->k * t->n; i++) {
    out->b[i] = element(t, t->b, kind, item, false, &state);
  }
  for (unsigned i = 0; i < t->m * t->n; i++) {
    out->c[i] = element(t, t->c, kind, item, true, &state);
  }
  if (kind == CANCEL) {
    cancel(t, item, out, &state);
  } else if (kind == TIE) {
    tie(t, item, out, &state);
  }
}
