/* Numbers of a kind of operands: see fill.h. */
#include "fill.h"

#include "tests/common/splitmix.h"

static bool ieee(const umma_type_t *t) {
  return t->bits >= 8 && !(t->bits == 8 && t->exponent == 4);
}
static bool e4m3(const umma_type_t *t) { return t->bits == 8 && t->exponent == 4; }
static int bias(const umma_type_t *t) { return (1 << (t->exponent - 1)) - 1; }
int type_low(const umma_type_t *t) { return 1 - bias(t); }
int type_high(const umma_type_t *t) { return bias(t) + (ieee(t) ? 0 : 1); }

int side_low(const bits_form_t *f, unsigned side) {
  const umma_type_t *const t = side == SIDE_A ? f->a : f->b;
  return type_low(t) - (int)t->fraction + (f->groups == 0 ? 0 : f->ue4m3 ? -6 : -127);
}

int side_high(const bits_form_t *f, unsigned side) {
  return type_high(side == SIDE_A ? f->a : f->b) + (f->groups == 0 ? 0 : f->ue4m3 ? 8 : 127);
}

uint64_t number(const umma_type_t *t, bool sign, int power, uint64_t fraction) {
  const uint64_t one = UINT64_C(1) << t->fraction;
  uint64_t value = fraction & (one - 1);
  power = least(power, type_high(t));
  if (power >= type_low(t)) {
    value |= (uint64_t)(power + bias(t)) << t->fraction;
    value -= e4m3(t) && value == 0x7f; /* that is its NaN */
  } else {
    const int by = type_low(t) - power;
    value = by > (int)t->fraction ? 0 : (value | one) >> by;
  }
  return value << t->low | (uint64_t)sign << (t->bits - 1);
}

uint64_t special(const umma_type_t *t, uint64_t z, bool finite) {
  const uint64_t top = ((UINT64_C(1) << t->exponent) - 1) << t->fraction;
  const uint64_t largest = e4m3(t)   ? 0x7e
                           : ieee(t) ? top - 1
                                     : top | ((UINT64_C(1) << t->fraction) - 1);
  const uint64_t values[] = {0,       0,
                             0,       (uint64_t)bias(t) << t->fraction,
                             1,       UINT64_C(1) << t->fraction,
                             largest, (UINT64_C(1) << t->fraction) - 1};
  uint64_t v = values[(z & 7) == 6 && (z >> 28 & 15) != 0 ? 3 : z & 7]; /* the largest seldom */
  if (!finite && (z >> 8 & 511) == 0 && t->bits >= 8) v = e4m3(t) ? 0x7f : top | (z >> 17 & 1);
  const uint64_t low = t->low != 0 && (z >> 18 & 3) == 0 ? z >> 20 & 0x1fff : 0; /* of tf32 */
  return v << t->low | low | (z >> 40 & 1) << (t->bits - 1);
}

uint64_t raw(const umma_type_t *t, unsigned part, uint64_t z, uint64_t word) {
  const uint64_t top = UINT64_C(1) << (t->bits - 2), ones = ((UINT64_C(1) << t->exponent) - 1)
                                                            << (t->fraction + t->low);
  word &= (UINT64_C(1) << t->bits) - 1;
  if (t->bits < 8) return word;
  const bool no_number = (word & ones) == ones && !(e4m3(t) && (word & 7) != 7);
  if ((part % 4 != 0 && t->exponent > 4) || (no_number && (z >> 8 & 511) != 0)) word &= ~top;
  return word;
}

int scale_fits(const bits_form_t *f, int exponent) {
  return f->ue4m3 ? least(most(exponent, -9), 8) : least(most(exponent, -127), 127);
}

uint8_t scale_byte(const bits_form_t *f, int exponent, uint64_t fraction) {
  static const umma_type_t ue4m3 = {0, 8, 4, 3, 0, true};
  const int e = scale_fits(f, exponent);
  if (!f->ue4m3) return (uint8_t)(e + 127);
  return (uint8_t)number(&ue4m3, (fraction >> 3 & 1) != 0, e, e < -6 ? 0 : fraction);
}

/* ---- ties */

typedef struct goal {
  int first, second, d; /* exponents of the first product, of the others, of D before */
  bool zero;            /* D before is */
} goal_t;

/* One product is half of D's last bit, or D is a zero and the product half of D's smallest number (of f32, which is
 * cut, one to four of it); others, 18 to 29 bits below D, or below the first product, say to which side of the tie the
 * sum lies. */
static goal_t goal_of(const fill_t *t, unsigned p) {
  const int fraction = (int)t->f->d->fraction, i = (int)p, low = type_low(t->f->d);
  const int reach = side_low(t->f, SIDE_A) + side_low(t->f, SIDE_B);
  goal_t g = {.zero = i % 3 == 0 && low - fraction - 1 >= reach};
  g.d = most(i % 5 - 2, reach + fraction + 1 + i % 3);
  g.first = (g.zero ? low : g.d) - fraction - 1;
  if (g.zero && t->f->d->bits == 32) g.first += 1 + i / 3 % 3;
  g.second = most((g.zero ? g.first : g.d) - 18 - i / 3 % 12, reach + 1);
  return g;
}

/* Scales of A reach down to its goals, those of B are one number. */
static void tie_scales(fill_t *t, bits_item_t *out, int of_b) {
  for (unsigned r = 0; r < BITS_M; r++) {
    const goal_t g = goal_of(t, part_of(t, r));
    for (unsigned s = 0; s < BITS_STEPS * t->f->groups; s++) {
      const int e = s == 0 && t->f->halves ? g.first : g.second - type_low(t->f->a);
      t->exponent[SIDE_A][r][s] = scale_fits(t->f, e - of_b);
      out->a_scale[r][s] = scale_byte(t->f, e - of_b, 0);
      out->b_scale[r][s] = scale_byte(t->f, of_b, 0);
    }
  }
}

/* Of a tile: B is the same for all rows. */
static int lowest_goal(const fill_t *t, bool first) {
  int low = 0;
  for (unsigned r = 0; r < BITS_M; r += 16) {
    const goal_t g = goal_of(t, part_of(t, r));
    low = least(low, first ? g.first : g.second);
  }
  return low;
}

void tie(fill_t *t, bits_item_t *out) {
  const unsigned per = t->f->per_step;
  const bool scaled = t->f->groups != 0;
  const int of_first = lowest_goal(t, true), of_second = lowest_goal(t, false);
  /* exponents of B: of its elements, or of its scales */
  const int to_first = most(of_first / 2, side_low(t->f, SIDE_B));
  const int to_second = scaled ? to_first : most(of_second / 2, side_low(t->f, SIDE_B));
  const int of_b = scaled ? scale_fits(t->f, to_first) : 0;
  if (scaled) tie_scales(t, out, of_b);
  for (unsigned r = 0; r < BITS_M; r++) {
    const unsigned p = part_of(t, r);
    const goal_t g = goal_of(t, p);
    for (unsigned k = 0; k < BITS_STEPS * per; k++) {
      const uint64_t z = wl_splitmix64(&t->state);
      const int b = k == 0 ? to_first : to_second;
      const int scale = scaled ? t->exponent[SIDE_A][r][k * t->f->groups / per] + of_b : b;
      const bool used = p % 2 == 0 || k % per == per / 2;
      const int power = k == 0 ? g.first : used ? g.second - (int)(z >> 24 & 1) : -1000;
      out->a[r][k] = (uint32_t)number(t->f->a, z & 1, power - scale, k == 0 && p % 4 == 1 ? 1 : 0);
      out->b[r][k] = (uint32_t)number(t->f->b, z >> 1 & 1, scaled ? 0 : b, 0);
    }
    for (unsigned c = 0; c < BITS_N; c++) {
      const uint64_t z = wl_splitmix64(&t->state);
      out->d[r][c] = (uint32_t)number(t->f->d, z & 1, g.zero ? -1000 : g.d, z >> 20);
    }
  }
}
