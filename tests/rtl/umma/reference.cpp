#include "reference.h"

#include <cmath>

namespace umma {
uint32_t Operand::width() const {
  switch (swizzle()) {
  case 6:
    return 32;
  case 4:
    return 64;
  case 1:
  case 2:
    return 128;
  default:
    return 16;
  }
}

bool Operand::reserved() const {
  const unsigned s = swizzle();
  if ((word >> 14 & 3) || (word >> 30 & 3) || (word >> 46 & 7) != 1 || (word >> 52 & 1))
    return true;
  if (s == 0 && offset()) return true;
  return s == 3 || s == 5 || s == 7 || (s == 1 && across);
}

uint32_t Operand::place(unsigned row, unsigned k) const {
  const uint32_t u = row / 8, w = width(), none = swizzle() == 0;
  uint32_t x = start(), at;
  if (!across) {
    x += row % 8 * w + u * sbo() + k / 8 * (none ? lbo() : 16);
    at = k % 8 * 2;
  } else {
    if (none)
      x += u * sbo() + k % 8 * 16 + k / 8 * lbo();
    else
      x += u % (w / 16) * 16 + u / (w / 16) * lbo() + k % 8 * w + k / 8 * sbo();
    at = row % 8 * 2;
  }
  const uint32_t h = (x / 128 - offset()) % 8;
  switch (swizzle()) {
  case 6:
    x ^= (h & 1) << 4;
    break;
  case 4:
    x ^= (h & 3) << 4;
    break;
  case 2:
    x ^= (h & 7) << 4;
    break;
  case 1:
    x ^= (h & 3) << 5;
    break;
  }
  return x + at;
}

// Of all chunks the highest; with swizzle the 128 bytes that it lies in, before they are swapped.
uint32_t Operand::end() const {
  const uint32_t u = rows / 8 - 1, w = width(), none = swizzle() == 0;
  uint32_t y;
  if (!across)
    y = start() + 7 * w + u * sbo() + (none ? lbo() : 16);
  else if (none)
    y = start() + u * sbo() + 112 + lbo();
  else {
    const uint32_t q = u / (w / 16);
    y = start() + (q == 0 ? 16 * u : w - 16) + q * lbo() + 7 * w + sbo();
  }
  return none ? y + 16 : (y / 128 + 1) * 128;
}

Operand Command::operand(bool second) const {
  const uint64_t low = a[second ? 2 : 0], high = a[second ? 3 : 1];
  return {high << 32 | low, (b[1] >> (second ? 16 : 15) & 1) != 0,
          (b[1] >> (second ? 14 : 13) & 1) != 0, second ? n() : m()};
}

int Command::row(unsigned quarter, unsigned l) const {
  if (m() == 128) return static_cast<int>(32 * quarter + l);
  const unsigned z = b[0] >> 20 & 1;
  if (l / 16 != z) return -1;
  return static_cast<int>(16 * quarter + l - 16 * z);
}

Fault judge(const Command &c, uint32_t smem_bytes, const std::vector<bool> &owns,
            unsigned columns) {
  enum { MISALIGNED = 10, OUT_OF_BOUNDS = 11, LANES = 22, RANGE = 23, DESCRIPTOR = 24 };
  if (c.commit) {
    const uint64_t address = c.generic ? uint64_t{c.a[1]} << 32 | c.a[0] : c.a[0];
    if (c.a[0] % 8) return {true, MISALIGNED, address};
    if ((c.generic && c.a[1] != 0x10000) || uint64_t{c.a[0]} + 8 > smem_bytes)
      return {true, OUT_OF_BOUNDS, address};
    return {false, 0, 0};
  }
  const uint32_t i = c.instruction();
  const unsigned d = i >> 4 & 3, ta = i >> 7 & 7, tb = i >> 10 & 7;
  bool bad = false;
  for (const unsigned bit : {2u, 3u, 6u, 23u, 29u})
    bad = bad || (i >> bit & 1);
  bad = bad || d > 1 || ta > 1 || tb != ta || (d == 0 && ta == 1) || c.n() == 0 || c.n() > 256 ||
        (c.m() != 64 && c.m() != 128) || (i >> 30);
  if (bad) return {true, DESCRIPTOR, i};
  for (const bool second : {false, true})
    if (c.operand(second).reserved()) return {true, DESCRIPTOR, c.operand(second).word};
  for (const bool second : {false, true})
    if (c.operand(second).end() > smem_bytes)
      return {true, DESCRIPTOR, uint64_t{c.operand(second).end()} - 1};
  const uint32_t lanes = c.b[0] >> 16;
  if (lanes != 0 && !(c.m() == 64 && lanes == 16)) return {true, LANES, c.b[0]};
  bad = c.column() + c.n() > columns;
  for (unsigned x = c.column(); x < c.column() + c.n() && !bad; x++)
    bad = !owns[x / 32];
  if (bad) return {true, RANGE, c.b[0]};
  return {false, 0, 0};
}

namespace {
struct Number {
  bool neg, nan, inf;
  int exponent;  // of its point
  int64_t value; // with `fraction` bits after the point
  int fraction;
};
Number number(uint32_t x, int bits, int fraction) {
  const int field_bits = bits - 1 - fraction, bias = (1 << (field_bits - 1)) - 1;
  const uint32_t top = (1u << field_bits) - 1, field = x >> fraction & top;
  const uint32_t f = x & ((1u << fraction) - 1);
  Number r{};
  r.neg = x >> (bits - 1) & 1;
  r.nan = field == top && f;
  r.inf = field == top && !f;
  r.exponent = static_cast<int>(field ? field : 1) - bias;
  r.value = (field ? int64_t{1} << fraction : 0) + f;
  r.fraction = fraction;
  return r;
}
} // namespace

uint32_t element(const uint16_t *a, const uint16_t *b, uint32_t addend, unsigned scale, bool bf16,
                 bool half) {
  constexpr int kept = 25, terms = 17;
  const uint32_t nan = half ? 0x7fff : 0x7fffffff, inf = half ? 0x7c00 : 0x7f800000;
  Number t[terms];
  bool is_nan = false, plus = false, minus = false;
  int largest = -133;
  for (int k = 0; k < terms; k++) {
    if (k == 16) {
      t[k] = half ? number(addend & 0xffff, 16, 10) : number(addend, 32, 23);
      t[k].exponent -= static_cast<int>(scale);
    } else {
      const Number x = number(a[k], 16, bf16 ? 7 : 10), y = number(b[k], 16, bf16 ? 7 : 10);
      t[k] = {x.neg != y.neg,    x.nan || y.nan || (x.inf && !y.value) || (y.inf && !x.value),
              x.inf || y.inf,    x.exponent + y.exponent,
              x.value * y.value, 2 * x.fraction};
    }
    is_nan = is_nan || t[k].nan;
    plus = plus || (t[k].inf && !t[k].neg);
    minus = minus || (t[k].inf && t[k].neg);
    if (t[k].value && t[k].exponent > largest) largest = t[k].exponent;
  }
  if (is_nan || (plus && minus)) return nan;
  if (plus || minus) return inf | (minus ? (half ? 0x8000u : 0x80000000u) : 0);
  int64_t sum = 0;
  for (const Number &x : t) {
    // value * 2^(exponent - fraction) in units of 2^(largest - kept)
    const int shift = x.exponent - x.fraction - (largest - kept);
    int64_t v = shift >= 0 ? x.value << (x.value ? shift : 0) : shift < -62 ? 0 : x.value >> -shift;
    sum += x.neg ? -v : v;
  }
  if (sum == 0) return 0;
  const bool neg = sum < 0;
  const int64_t s = neg ? -sum : sum;
  int top = 63;
  while (!(s >> top & 1))
    top--;
  const int unit = largest - kept; // weight of bit 0
  const int fraction = half ? 10 : 23, lowest = half ? -14 : -126, highest = half ? 15 : 127;
  int exponent = top + unit;
  int last = (exponent < lowest ? lowest : exponent) - fraction; // weight of the result's last bit
  int64_t q = last <= unit ? s << (unit - last) : last - unit > 62 ? 0 : s >> (last - unit);
  if (half && last > unit) { // nearest even
    const int64_t rest = last - unit > 62 ? s : s & ((int64_t{1} << (last - unit)) - 1);
    const int64_t middle = last - unit > 62 ? INT64_MAX : int64_t{1} << (last - unit - 1);
    if (rest > middle || (rest == middle && (q & 1))) q++;
    if (q >> (fraction + 1)) {
      q >>= 1;
      last++;
      exponent = last + fraction;
    } else if (q >> fraction)
      exponent = last + fraction;
  }
  const uint32_t sign = neg ? (half ? 0x8000u : 0x80000000u) : 0;
  if (q == 0) return 0;
  if (exponent > highest) return sign | inf;
  const int64_t one = int64_t{1} << fraction;
  const uint32_t field = q < one ? 0 : static_cast<uint32_t>(last + fraction - lowest + 1);
  return sign | field << fraction | static_cast<uint32_t>(q & (one - 1));
}
} // namespace umma
