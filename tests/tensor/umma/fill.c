/* Operands, from splitmix64 (tests/common/splitmix.h), whose state begins with the form's label, the kind and the
 * item. The kinds are those of tests/tensor/outside; what varies there from item to item varies here with 16 rows, too. */
#include "fill.h"

#include <string.h>

#include "tests/common/digest.h"
#include "tests/common/splitmix.h"

static const char *const kinds[BITS_KINDS] = {"moderate", "apart",  "raw",     "tiny",
                                              "align",    "cancel", "special", "large",
                                              "last-bit", "zeros",  "tie"};
const char *bits_kind(unsigned kind) { return kinds[kind]; }

static uint64_t next(fill_t *t) { return wl_splitmix64(&t->state); }

/* Exponents of a side without its scale's, by kind: the scale's come first, and what is wanted is less by them. */
static int side_power(const fill_t *t, unsigned side, unsigned p, uint64_t z) {
  const int any = (int)(z >> 8 & 0xffff), q = (int)p, half = (int)t->f->d->fraction / 2;
  const int low = side_low(t->f, side), high = side_high(t->f, side), top = high >= 15 ? 0 : high;
  switch (t->kind) {
  case APART: /* in three of four parts without what only makes infinities */
    return low + any % ((q % 4 == 0 ? high : least(high, type_high(t->f->d) / 2 - 4)) - low + 1);
  case TINY: /* products from D's smallest normal number down to below its smallest */
    return most(type_low(t->f->d) / 2 - q % 16, low) - any % 3;
  case ALIGN: /* one of eight terms is large, the others lie 20 to 30 bits below */
    return (z >> 32 & 7) == 0 ? top : top - (20 + q % 10) / 2 - any % 2;
  case LARGE: /* sums about D's largest number */
    return least(type_high(t->f->d) / 2 - 3 + q % 5, high) - any % 3;
  case LAST_BIT: /* products about the last bit of D before */
    return most(-half - any % 4 + q % 4 - q / 4 % 2, low);
  default:
    return any % 7 - 3;
  }
}

static int d_power(const fill_t *t, unsigned p, uint64_t z) {
  const int any = (int)(z >> 8 & 0xffff), q = (int)p, half = (int)t->f->d->fraction / 2;
  const int low = type_low(t->f->d), high = type_high(t->f->d);
  const int a = side_low(t->f, SIDE_A), b = side_low(t->f, SIDE_B);
  const int top = least(side_high(t->f, SIDE_A), 15) + least(side_high(t->f, SIDE_B), 15);
  switch (t->kind) {
  case APART:
    return (z >> 32 & 1) != 0 ? low + any % (high - low + 1) : any % 48 - 24;
  case TINY:
    return most(low / 2, a) + most(low / 2, b) - any % 26;
  case ALIGN:
    return ((z >> 32 & 1) != 0 ? -20 - q % 10 : 8 + q % 18) + (top >= 30 ? 0 : top);
  case LARGE:
    return high - any % 4;
  case LAST_BIT:
    return most(-half, a) + most(-half, b) + 2 * half + any % 2;
  default:
    return any % 12 - 3;
  }
}

static uint64_t any_value(fill_t *t, const umma_type_t *type, unsigned p, int power_of_it,
                          bool zero_too, uint64_t z, uint64_t fraction) {
  const bool sign = z >> 63 != 0;
  switch (t->kind) {
  case RAW:
    return raw(type, p, z, fraction);
  case SPECIAL:
    return special(type, z, p % 2 == 0);
  case ZEROS:
    return z % (p % 8 + 4) == 0 ? special(type, z >> 4, p % 4 != 0) : number(type, sign, -1000, 0);
  case CANCEL: /* few values; the second half of a step is made in cancel() */
    return number(type, sign, (int)(z >> 8 & 7) - 4, p % 4 < 2 ? fraction & 3 : fraction);
  case TINY:
    if (zero_too) return number(type, sign, -1000, 0);
    break;
  default:
    break;
  }
  const bool one_sign = t->kind == LARGE || t->kind == ALIGN || t->kind == LAST_BIT;
  return number(type, sign && !(one_sign && (t->item + t->kind) % 3 == 0), power_of_it,
                t->kind == LAST_BIT && p % 8 < 4 ? fraction & 1 : fraction);
}

/* ---- scales */

static bool relative(const fill_t *t) {
  return t->kind == TINY || t->kind == ALIGN || t->kind == LARGE || t->kind == LAST_BIT;
}

static uint8_t scale(fill_t *t, unsigned side, unsigned p, int *exponent) {
  static const uint8_t of8[] = {1, 120, 127, 126, 0, 128, 254, 255},
                       of4[] = {0x38, 1, 7, 8, 0, 0x7e, 0x78, 0x7f};
  const uint64_t z = next(t);
  const bool nan = (z >> 40 & 63) == 0;
  int e = (int)(z >> 8 & 0xffff) % 7 - 3;
  *exponent = 0;
  if (t->kind == RAW && (nan || p % 4 == 0)) return (uint8_t)(z >> 48);
  if (t->kind == SPECIAL || (t->kind == ZEROS && (z & 7) == 0))
    return (t->f->ue4m3 ? of4 : of8)[z >> 20 & (nan ? 7 : 3)];
  if (t->kind == APART || t->kind == RAW) e = (int)(z >> 8 & (p % 4 == 0 ? 0xff : 0x7f)) - 127;
  if (relative(t)) *exponent = e = scale_fits(t->f, side_power(t, side, p, z));
  return scale_byte(t->f, e, z >> 50);
}

static void scales(fill_t *t, unsigned side, uint8_t (*bytes)[BITS_SCALES]) {
  for (unsigned r = 0; r < BITS_M; r++)
    for (unsigned s = 0; s < BITS_STEPS * t->f->groups; s++) {
      const unsigned half = t->f->groups / 2;
      bytes[r][s] = scale(t, side, part_of(t, r), &t->exponent[side][r][s]);
      if (t->kind == CANCEL && half != 0 && s % t->f->groups >= half)
        bytes[r][s] = bytes[r][s - half];
    }
}

/* ---- matrices */

/* The exponent of an element that has a scale of any exponent. */
static int free_power(const fill_t *t, const umma_type_t *type, uint64_t z) {
  const int any = (int)(z >> 8 & 0xffff), low = type_low(type) - (int)type->fraction;
  return t->kind == APART ? low + any % (type_high(type) - low + 1) : any % 7 - 3;
}

static void matrix(fill_t *t, unsigned side, uint32_t (*bits)[BITS_K]) {
  const umma_type_t *const type = side == SIDE_A ? t->f->a : t->f->b;
  for (unsigned r = 0; r < BITS_M; r++)
    for (unsigned k = 0; k < BITS_STEPS * t->f->per_step; k++) {
      const uint64_t z = next(t), fraction = next(t);
      const unsigned p = part_of(t, r);
      int power = side_power(t, side, p, z);
      if (t->f->groups != 0)
        power = relative(t) ? power - t->exponent[side][r][k * t->f->groups / t->f->per_step]
                            : free_power(t, type, z);
      bits[r][k] = (uint32_t)any_value(t, type, p, power, (z & 31) == 0, z, fraction);
    }
}

static void before(fill_t *t, uint32_t (*d)[BITS_N]) {
  for (unsigned r = 0; r < BITS_M; r++)
    for (unsigned c = 0; c < BITS_N; c++) {
      const uint64_t z = next(t), fraction = next(t);
      const unsigned p = part_of(t, r);
      d[r][c] = (uint32_t)any_value(t, t->f->d, p, d_power(t, p, z), p % 2 == 0, z, fraction);
      if (t->f->d->bits == 16) d[r][c] |= (uint32_t)(fraction >> 40) << 16; /* nobody looks at it */
    }
}

/* The second half of a step repeats the first with the other sign; in two of three rows of 16 one value differs
 * in its last bit, or D before is a number. Of groups every second element may do that instead. */
static void cancel(fill_t *t, bits_item_t *out) {
  const unsigned per = t->f->per_step, by = t->f->halves && t->item % 2 != 0 ? 1 : per / 2;
  const uint32_t sign = 1u << (t->f->a->bits - 1);
  for (unsigned r = 0; r < BITS_M; r++) {
    const unsigned p = part_of(t, r);
    for (unsigned k = 0; k < BITS_STEPS * per; k++)
      if (k % (2 * by) >= by) {
        out->a[r][k] = out->a[r][k - by] ^ sign;
        out->b[r][k] = out->b[r][k - by];
      }
    if (p % 3 == 1) out->a[r][p / 3 % BITS_STEPS * per] ^= 1u << t->f->a->low;
    for (unsigned c = 0; c < BITS_N && p % 3 != 2; c++)
      out->d[r][c] = (uint32_t)(next(t) % 2) << (t->f->d->bits - 1);
  }
}

static void integers(fill_t *t, bits_item_t *out) {
  for (unsigned r = 0; r < BITS_M; r++) {
    for (unsigned k = 0; k < BITS_STEPS * t->f->per_step; k++) {
      const uint64_t z = next(t), ends = (z >> 20 & 3) * 0x55, wide = t->kind % 4 == 0;
      out->a[r][k] = (uint32_t)(wide ? z : t->kind % 4 == 1 ? ends : z % 9) & 0xff;
      out->b[r][k] = (uint32_t)(wide ? z >> 8 : t->kind % 4 == 1 ? 0x80 : z >> 8) & 0xff;
    }
    for (unsigned c = 0; c < BITS_N; c++) {
      const uint32_t z = (uint32_t)(next(t) >> 13); /* often near the ends */
      out->d[r][c] = (z & 3) == 0   ? z
                     : (z & 1) != 0 ? 0x7fffffff - (z >> 16)
                                    : 0x80000000 + (z >> 16);
    }
  }
}

void bits_fill(const bits_form_t *f, unsigned kind, unsigned item, bits_item_t *out) {
  static fill_t t;
  t = (fill_t){
      .f = f, .kind = kind, .item = item, .state = UINT64_C(0x0476) << 40 | kind << 8 | item};
  memset(out, 0, sizeof *out);
  for (const char *p = f->label; *p != '\0'; p++)
    t.state = t.state * 131 + (unsigned char)*p;
  if (f->integers) {
    integers(&t, out);
    return;
  }
  if (f->groups != 0) {
    scales(&t, SIDE_A, out->a_scale);
    scales(&t, SIDE_B, out->b_scale);
  }
  matrix(&t, SIDE_A, out->a);
  matrix(&t, SIDE_B, out->b);
  before(&t, out->d);
  if (kind == CANCEL) cancel(&t, out);
  if (kind == TIE) tie(&t, out);
}

uint32_t bits_operands_hash(const bits_form_t *f, unsigned kind, unsigned item) {
  static bits_item_t data;
  uint64_t digest = WL_DIGEST_START;
  bits_fill(f, kind, item, &data);
  for (unsigned r = 0; r < BITS_M; r++) {
    for (unsigned k = 0; k < BITS_K; k++)
      digest = wl_digest(wl_digest(digest, data.a[r][k]), data.b[r][k]);
    for (unsigned c = 0; c < BITS_N; c++)
      digest = wl_digest(digest, data.d[r][c]);
    for (unsigned s = 0; s < BITS_SCALES; s++)
      digest = wl_digest(wl_digest(digest, data.a_scale[r][s]), data.b_scale[r][s]);
  }
  return (uint32_t)(digest ^ digest >> 32);
}
