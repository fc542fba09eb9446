// Operands of sums, products and fused multiply-adds of f64, and what silicon gives of them: the
// rule of tests/silicon/arith_double.c, which its records check.
#pragma once
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstring>

extern "C" {
#include "tests/common/splitmix.h"
#include "tests/silicon/arith.h"
}

namespace f64 {

enum Op { ADD, MUL, FMA }; // as in docs/microarchitecture.md 20

struct Numbers {
  uint64_t a, b, c; // ADD, MUL: a and b
};

inline uint64_t rng_state = 20;
inline uint64_t rnd() { return wl_splitmix64(&rng_state); }
inline unsigned rnd(unsigned n) { return static_cast<unsigned>(rnd() % n); }
inline bool coin() { return rnd(2) != 0; }

constexpr uint64_t Sign = UINT64_C(1) << 63, Fraction = (UINT64_C(1) << 52) - 1;

inline double value(uint64_t bits) {
  double x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}
inline uint64_t bits(double x) {
  uint64_t b;
  std::memcpy(&b, &x, sizeof b);
  return b;
}

// neg: a - b. The bits of d.
inline uint64_t expected(Op op, unsigned rounding, bool neg, const Numbers &n) {
  static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  arith_t rule = {};
  std::strcpy(rule.op, op == FMA ? "fma" : op == MUL ? "mul" : neg ? "sub" : "add");
  rule.bits = 64;
  rule.rounding = modes[rounding];
  const uint64_t operand[3] = {n.a, n.b, n.c};
  return arith_double(&rule, operand);
}

inline uint64_t fraction() {
  switch (rnd(4)) {
  case 0: // few ones: halves between two numbers
    return (rnd() & rnd() & rnd() & rnd() & rnd()) & Fraction;
  case 1: // a few at one end
    return (rnd(2) ? rnd(4) : Fraction - rnd(4)) & Fraction;
  default:
    return rnd() & Fraction;
  }
}
// A number with this exponent field, moved to the ones that exist.
inline uint64_t with(int exponent) {
  const int e = exponent < 0 ? 0 : exponent > 2046 ? 2046 : exponent;
  return (rnd() & Sign) | static_cast<uint64_t>(e) << 52 | fraction();
}
inline uint64_t special() {
  static const uint64_t values[] = {
      0,
      1,
      Fraction,
      Fraction + 1,
      UINT64_C(0x3ff0000000000000),
      UINT64_C(0x7fe0000000000000),
      UINT64_C(0x7fefffffffffffff),
      UINT64_C(0x7ff0000000000000),
      UINT64_C(0x7ff0000000000001),
      UINT64_C(0x7ff4000000000123),
      UINT64_C(0x7ff8000000000000),
      UINT64_C(0x7fffffffffffffff),
  };
  return (rnd() & Sign) | (values[rnd(sizeof values / sizeof values[0])] + (rnd(8) ? 0 : rnd(3)));
}
inline int near(int exponent, unsigned by) {
  return exponent + static_cast<int>(rnd(2 * by + 1)) - static_cast<int>(by);
}
inline uint64_t few_steps(uint64_t x) { return x + rnd(5) - 2; }

// The kinds of operands that need care, one after the other.
inline Numbers operands(Op op) {
  Numbers n = {};
  switch (rnd(9)) {
  case 0:
    return {rnd(), rnd(), rnd()};
  case 1:
    return {special(), special(), special()};
  case 2:
    n = {rnd(2) ? special() : with(near(1023, 60)), with(near(1023, 60)), special()};
    break;
  case 3: // all of one size
    n = {with(near(1023, 2)), with(near(1023, 2)), with(near(1023, 2))};
    break;
  case 4: { // an addend from above all bits of the product to below them
    const int e = 500 + static_cast<int>(rnd(1000));
    n = {with(e), with(near(1023, 3)), with(near(e, 170))};
    break;
  }
  case 5: { // the sum is nearly nothing
    const int e = static_cast<int>(rnd(2046));
    n.a = with(e);
    n.b = op == ADD ? few_steps(n.a ^ Sign) : with(near(1023, 40));
    n.c = few_steps(bits(-(value(n.a) * value(n.b))));
    return n;
  }
  case 6: { // product at the least numbers
    const int e = static_cast<int>(rnd(1100));
    n = {with(e), with(near(1022 - e, 120)),
         with(rnd(2) ? static_cast<int>(rnd(4)) : near(0, 120))};
    break;
  }
  case 7: { // product at the greatest numbers
    const int e = 900 + static_cast<int>(rnd(1146));
    n = {with(e), with(near(1023 + 2046 - e, 3)), with(near(2046, 60))};
    break;
  }
  default: // subnormal factors
    n = {with(0), with(near(1900, 146)), with(static_cast<int>(rnd(1100)))};
    if (rnd(4) == 0) n.b = with(rnd(2) ? 0 : static_cast<int>(rnd(60)));
    if (rnd(2)) n = {n.b, n.a, n.c};
    break;
  }
  if (op == ADD && rnd(2)) n.b = n.c;
  return n;
}

} // namespace f64
