/* f64. */
#include <fenv.h>
#include <math.h>
#include <string.h>

#include "tests/silicon/arith.h"

static const uint64_t Quiet = UINT64_C(1) << 51, Sign = UINT64_C(1) << 63;

static double value_of(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static uint64_t bits_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static uint64_t extreme(const arith_t *a, uint64_t x, uint64_t y) {
  double u = value_of(x), v = value_of(y);
  if (isnan(u) || isnan(v)) {
    return !isnan(u) ? x : !isnan(v) ? y : y | Quiet;
  }
  bool less = u < v || (u == v && x >> 63 != 0);
  return less == (a->op[1] == 'i') ? x : y;
}

static bool property(const char *name, double x) {
  return strcmp(name, "finite") == 0   ? isfinite(x)
         : strcmp(name, "number") == 0 ? !isnan(x)
         : strcmp(name, "normal") == 0 ? isnormal(x) || x == 0
                                       : fpclassify(x) == FP_SUBNORMAL;
}

static double computed(const arith_t *a, double x, double y, double z) {
  switch (a->op[0]) {
  case 'a':
    return x + y;
  case 's':
    return a->op[1] == 'u' ? x - y : sqrt(x);
  case 'm':
    return x * y;
  case 'f':
    return fma(x, y, z);
  case 'd':
    return x / y;
  default:
    return 1 / x;
  }
}

/* The first NaN, made quiet: of sums and products b before a, of a quotient a before b, of a b + c
 * in the order b, c, a. */
static uint64_t not_a_number(const arith_t *a, const uint64_t operand[3]) {
  static const unsigned one[] = {0, 0, 0}, divide[] = {0, 1, 0}, two[] = {1, 0, 0},
                        fused[] = {1, 2, 0};
  const unsigned *order = a->op[0] == 'f'                      ? fused
                          : a->op[0] == 'd'                    ? divide
                          : a->op[0] == 'r' || a->op[1] == 'q' ? one
                                                               : two;
  for (unsigned i = 0; i < 3; i++) {
    uint64_t bits = operand[order[i]];
    if (isnan(value_of(bits))) {
      return bits | Quiet;
    }
  }
  return UINT64_C(0xfff8000000000000);
}

uint64_t arith_double(const arith_t *a, const uint64_t operand[3]) {
  double x = value_of(operand[0]), y = value_of(operand[1]), z = value_of(operand[2]);
  if (strcmp(a->op, "setp") == 0) {
    return arith_compare(a->compare, x, y);
  }
  if (strcmp(a->op, "testp") == 0) {
    return property(a->compare, x);
  }
  if (strcmp(a->op, "copysign") == 0) {
    return (operand[1] & ~Sign) | (operand[0] & Sign);
  }
  if (strcmp(a->op, "abs") == 0 || strcmp(a->op, "neg") == 0) { /* a NaN keeps its sign */
    return isnan(x) ? operand[0] | Quiet : a->op[0] == 'a' ? operand[0] & ~Sign : operand[0] ^ Sign;
  }
  if (strcmp(a->op, "min") == 0 || strcmp(a->op, "max") == 0) {
    return extreme(a, operand[0], operand[1]);
  }
  (void)fesetround(a->rounding);
  double result = computed(a, x, y, z);
  (void)fesetround(FE_TONEAREST);
  return isnan(result) ? not_a_number(a, operand) : bits_of(result);
}
