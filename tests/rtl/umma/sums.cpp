// Elements and sums of products in tensor memory (docs/microarchitecture.md 19.2, 25.7, 26.1, 26.4, 26.6, 26.11).
#include "reference.h"

namespace umma {
namespace {
struct Format {
  int bits, fraction, bias;
  bool infinity, nan; // the top exponent holds both; without infinity one pattern is the NaN
};
Format format_of(unsigned op, unsigned type) {
  if (op == TF32) return {19, 10, 127, true, true};
  if (op == F16) return type ? Format{16, 7, 127, true, true} : Format{16, 10, 15, true, true};
  if (op == MXF4) return {4, 1, 1, false, false};
  switch (type) {
  case 0:
    return {8, 3, 7, false, true}; // e4m3
  case 1:
    return {8, 2, 15, true, true}; // e5m2
  case 3:
    return {6, 3, 1, false, false}; // e2m3
  case 4:
    return {6, 2, 3, false, false}; // e3m2
  default:
    return {4, 1, 1, false, false}; // e2m1
  }
}

struct Number {
  bool neg, nan, inf;
  int exponent;  // of its point
  int64_t value; // with `fraction` bits after the point
  int fraction;
};
Number number(uint32_t x, const Format &o) {
  const uint32_t top = (1u << (o.bits - 1 - o.fraction)) - 1, field = x >> o.fraction & top;
  const uint32_t f = x & ((1u << o.fraction) - 1), all = (1u << (o.bits - 1)) - 1;
  Number r{};
  r.neg = x >> (o.bits - 1) & 1;
  r.nan = o.infinity ? field == top && f : o.nan && (x & all) == all;
  r.inf = o.infinity && field == top && !f;
  r.exponent = static_cast<int>(field ? field : 1) - o.bias;
  r.value = (field ? int64_t{1} << o.fraction : 0) + f;
  r.fraction = o.fraction;
  return r;
}

uint32_t integers(const Command &c, const uint32_t *a, const uint32_t *b, uint32_t addend) {
  int64_t sum = static_cast<int32_t>(addend);
  for (unsigned k = 0; k < 32; k++) {
    const auto of = [&](uint32_t x, bool second) {
      return c.type(second) ? int{static_cast<int8_t>(x)} : static_cast<int>(x & 255);
    };
    sum += of(a[k], false) * of(b[k], true);
  }
  if (c.instruction() >> 3 & 1) {
    if (sum > INT32_MAX) sum = INT32_MAX;
    if (sum < INT32_MIN) sum = INT32_MIN;
  }
  return static_cast<uint32_t>(sum);
}

// sum * 2^unit, cut to f32, or rounded to nearest even to f16.
uint32_t rounded(int64_t sum, int unit, bool half) {
  if (sum == 0) return 0;
  const bool neg = sum < 0;
  const int64_t s = neg ? -sum : sum;
  int top = 63;
  while (!(s >> top & 1))
    top--;
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
  if (exponent > highest) return sign | (half ? 0x7c00 : 0x7f800000);
  const int64_t one = int64_t{1} << fraction;
  const uint32_t field = q < one ? 0 : static_cast<uint32_t>(last + fraction - lowest + 1);
  return sign | field << fraction | static_cast<uint32_t>(q & (one - 1));
}

struct Scale {
  bool nan;
  int eighths, exponent;
};
Scale scale(const Command &c, uint32_t word, bool second, unsigned k) {
  const int byte = word >> 8 * c.scale_byte(second, k) & 255;
  if (!c.e4m3_scales()) return {byte == 255, 8, byte - 127};
  const int field = byte >> 3 & 15, low = byte & 7;
  return {(byte & 127) == 127, field ? 8 + low : low, (field ? field : 1) - 7};
}

// MXF4: four groups of 16 products.
uint32_t groups(const Command &c, const uint32_t *a, const uint32_t *b, uint32_t addend,
                const Scales &scales) {
  static const int twice[] = {0, 1, 2, 3, 4, 6, 8, 12};
  const Number d = number(addend, {32, 23, 127, true, true});
  bool is_nan = d.nan;
  int largest = d.value && d.exponent > -139 ? d.exponent : -139, exponent[4];
  int64_t term[4]; // in units of 2^(exponent - 8)
  for (unsigned g = 0; g < 4; g++) {
    const Scale x = scale(c, scales.a, false, 16 * g), y = scale(c, scales.b, true, 16 * g);
    bool some = false;
    int sum = 0;
    for (unsigned k = 16 * g; k < 16 * g + 16; k++) {
      const int p = twice[a[k] & 7] * twice[b[k] & 7];
      some = some || p;
      sum += (a[k] ^ b[k]) & 8 ? -p : p;
    }
    is_nan = is_nan || x.nan || y.nan;
    term[g] = int64_t{sum} * x.eighths * y.eighths;
    exponent[g] = x.exponent + y.exponent;
    if (some && x.eighths && y.eighths && exponent[g] > largest) largest = exponent[g];
  }
  if (is_nan) return 0x7fffffff;
  if (d.inf) return addend;
  const int unit = largest - 35;
  const auto cut = [&](int64_t value, int of) { // value * 2^of in units, toward zero
    const int64_t size = value < 0 ? -value : value;
    const int64_t v = !size || unit - of > 62 ? 0
                      : of >= unit            ? size << (of - unit)
                                              : size >> (unit - of);
    return value < 0 ? -v : v;
  };
  int64_t sum = cut(d.neg ? -d.value : d.value, d.exponent - d.fraction);
  for (unsigned g = 0; g < 4; g++)
    sum += cut(term[g], exponent[g] - 8);
  return rounded(sum, unit, false);
}
} // namespace

uint32_t of_chunk(const uint8_t *chunk, unsigned n, unsigned op, unsigned type) {
  const unsigned bits = op == TF32              ? 32
                        : op == F16             ? 16
                        : op == MXF4            ? 4
                        : op != I8 && type >= 3 ? (type == 5 ? 4 : 6)
                                                : 8;
  uint32_t x = 0;
  for (unsigned i = 0; i < bits; i++)
    x |= static_cast<uint32_t>(chunk[(n * bits + i) / 8] >> (n * bits + i) % 8 & 1) << i;
  return x;
}

uint32_t of_words(const uint32_t *words, unsigned k, unsigned op, unsigned type) {
  if (op == TF32) return words[k];
  if (op == F16) return words[k / 2] >> 16 * (k % 2) & 0xffff;
  if (op == MXF4) return words[k / 8] >> 4 * (k % 8) & 15;
  const uint32_t byte = words[k / 4] >> 8 * (k % 4) & 255;
  if (op == I8 || type < 3) return byte;
  return type == 5 ? byte >> 2 & 15 : byte & 63;
}

uint32_t negated(uint32_t x, unsigned op, unsigned type) {
  return x ^ (op == TF32 ? 0x80000000u : 1u << (format_of(op, type).bits - 1));
}

uint32_t element(const Command &c, const uint32_t *a, const uint32_t *b, uint32_t addend,
                 const Scales &scales) {
  if (c.op == I8) return integers(c, a, b, addend);
  if (c.op == MXF4) return groups(c, a, b, addend, scales);
  constexpr int kept = 25;
  const int terms = static_cast<int>(c.k()) + 1;
  const bool half = c.half();
  const unsigned low = c.op == TF32 ? 13 : 0;
  Number t[33];
  bool is_nan = false, plus = false, minus = false;
  int largest = -133, up = 0;
  if (c.op == MXF8F6F4) {
    const Scale x = scale(c, scales.a, false, 0), y = scale(c, scales.b, true, 0);
    is_nan = x.nan || y.nan;
    up = x.exponent + y.exponent;
  }
  for (int k = 0; k < terms; k++) {
    if (k == terms - 1) {
      t[k] = half ? number(addend & 0xffff, {16, 10, 15, true, true})
                  : number(addend, {32, 23, 127, true, true});
      t[k].exponent -= c.op == F16 || c.op == TF32 ? static_cast<int>(c.scale) : 0;
    } else {
      const Number x = number(a[k] >> low, format_of(c.op, c.type(false))),
                   y = number(b[k] >> low, format_of(c.op, c.type(true)));
      t[k] = {x.neg != y.neg,    x.nan || y.nan || (x.inf && !y.value) || (y.inf && !x.value),
              x.inf || y.inf,    x.exponent + y.exponent + up,
              x.value * y.value, x.fraction + y.fraction};
    }
    is_nan = is_nan || t[k].nan;
    plus = plus || (t[k].inf && !t[k].neg);
    minus = minus || (t[k].inf && t[k].neg);
    if (t[k].value && t[k].exponent > largest) largest = t[k].exponent;
  }
  if (is_nan || (plus && minus)) return half ? 0x7fff : 0x7fffffff;
  if (plus || minus)
    return (half ? 0x7c00 : 0x7f800000) | (minus ? (half ? 0x8000u : 0x80000000u) : 0);
  int64_t sum = 0;
  for (int k = 0; k < terms; k++) {
    // value * 2^(exponent - fraction) in units of 2^(largest - kept)
    const int shift = t[k].exponent - t[k].fraction - (largest - kept);
    const int64_t v = !t[k].value   ? 0
                      : shift >= 0  ? t[k].value << shift
                      : shift < -62 ? 0
                                    : t[k].value >> -shift;
    sum += t[k].neg ? -v : v;
  }
  return rounded(sum, largest - kept, half);
}
} // namespace umma
