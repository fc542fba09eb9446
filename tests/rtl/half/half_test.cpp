// Bench of rtl/exec/half_lane, packed_lane and format_lane against host arithmetic (narrow.h). Of one
// operand all numbers, of two bytes all pairs, of the rest COUNT operations: random ones, and those
// where products and sums cancel, overflow, are subnormal or lie between two numbers. Usage: [COUNT [PART]];
// PART: half, packed or format alone. Of a COUNT below 10000 a 61st of all numbers and pairs, too.
#include <algorithm>

#include "bench.h"
#include "conversions.h"
#include "verilated.h"

namespace {

// ---- halves
u32 half_of(u32 word, unsigned h) { return word >> (16 * h) & 0xffff; }

void half(unsigned op, unsigned format, const narrow::Mods &m, u32 a, u32 b, u32 c) {
  const narrow::Format &f = narrow::kFormats[format];
  Due x = {Half, op, format, m, a, b, c, 0, 0};
  for (unsigned h = 0; h < 2; h++) {
    const u32 p = half_of(a, h), q = half_of(b, h), r = half_of(c, h);
    const u32 d = op == Fma   ? narrow::fma(f, p, q, r, m)
                  : op == Set ? narrow::set(f, p, q, m)
                              : narrow::min_max(f, op == Max, p, q, m);
    x.want |= d << (16 * h);
  }
  enter(x);
}

narrow::Mods half_mods(unsigned op) {
  narrow::Mods m = {};
  m.ftz = coin();
  if (op == Fma) {
    m.sat = rnd(4) == 0;
    m.relu = rnd(4) == 0;
    m.oob = rnd(4) == 0;
    m.neg_a = coin();
    m.neg_c = coin();
  } else if (op == Set) {
    m.cmp = rnd(16);
  } else {
    m.nan = coin();
    m.xorsign = rnd(3) == 0;
  }
  return m;
}

// A number: any, of a few ones or of many, near a power of two, with an exponent of a band, or special.
u32 number(const narrow::Format &f) {
  u32 x = static_cast<u32>(rnd()) & 0xffff;
  const u32 fraction = (1u << f.fraction) - 1, exponents = (1u << f.exponent) - 1;
  static const u32 special[] = {0, 1, 2, 0x7ff7, 0x7fff, 0x7ff8};
  switch (rnd(8)) {
  case 0:
    return (x & 0x8000) | special[rnd(6)];
  case 1:
    return (x & 0x8000) | ((f.largest & ~fraction) - (coin() << f.fraction)) | (x & fraction);
  case 2: // infinity and its neighbours; the smallest normal number and its neighbours
    return ((x & 0x8000) | (coin() ? f.largest : fraction)) + rnd(4);
  case 3:
    return (x & 0x8000) | (x & fraction);
  case 4:
    x &= ~fraction | static_cast<u32>(rnd());
    return x & (~fraction | static_cast<u32>(rnd()));
  case 5: { // around 1, where products keep their exponents
    const u32 e = (exponents / 2 - 5 + rnd(10)) << f.fraction;
    return (x & (0x8000 | fraction)) | e;
  }
  case 6: // products near the subnormal numbers
    return (x & (0x8000 | fraction)) | ((exponents / 4 - 6 + rnd(12)) << f.fraction);
  default:
    return x;
  }
}

// An addend near the negated product of a and b, near half of its last place, or any.
u32 addend(const narrow::Format &f, u32 a, u32 b) {
  const unsigned kind = rnd(4);
  const narrow::Mods none = {};
  if (kind == 0) return narrow::fma(f, a ^ 0x8000, b, 0, none) + rnd(5) - 2;
  if (kind == 1) { // of another place
    const u32 p = narrow::fma(f, a, b, 0, none), e = rnd(2 * f.fraction + 8) - f.fraction - 4;
    return (p ^ (coin() ? 0x8000 : 0)) + (e << f.fraction) + (coin() ? rnd(3) : 0);
  }
  return number(f);
}

void random_half(unsigned op, unsigned format) {
  const narrow::Format &f = narrow::kFormats[format];
  u32 a = 0, b = 0, c = 0;
  for (unsigned h = 0; h < 2; h++) {
    const u32 x = number(f);
    const u32 y = rnd(8) == 0 ? x ^ (coin() ? 0x8000 : 0) ^ rnd(2) : number(f);
    a |= (x & 0xffff) << 16 * h;
    b |= (y & 0xffff) << 16 * h;
    c |= ((op == Fma ? addend(f, x & 0xffff, y & 0xffff) : static_cast<u32>(rnd())) & 0xffff)
         << 16 * h;
  }
  half(op, format, half_mods(op), a, b, c);
}

// A number of `bits` bits, odd.
u32 odd(unsigned bits) { return 1u << (bits - 1) | rnd(1u << (bits - 1)) | 1; }

// Products in the middle between two numbers, and an addend of one bit, mostly a subnormal number: each
// place to which alignment shifts a bit, or past which, decides alone how such a sum is rounded.
void ties(unsigned format) {
  const narrow::Format &f = narrow::kFormats[format];
  const int least = 1 - f.bias - static_cast<int>(f.fraction); // exponent of the smallest number
  for (unsigned bits = 2; bits <= f.fraction + 1; bits++) {
    for (int below = 0; below < 32; below++) {
      u32 a = 0, b = 0, c = 0;
      for (unsigned h = 0; h < 2; h++) {
        const int place = std::min(4, least + below + static_cast<int>(rnd(f.fraction)));
        u32 x = 0, y = 0;
        while (x * y >> (f.fraction + 1) != 1) {
          x = odd(bits);
          y = odd(f.fraction + 3 - bits);
        }
        const u32 z = place < least + below ? 0 : narrow::pattern(f, std::ldexp(1, place - below));
        a |= (narrow::pattern(f, std::ldexp(x, place / 2)) | (coin() ? 0x8000 : 0)) << 16 * h;
        b |= narrow::pattern(f, std::ldexp(y, place - place / 2)) << 16 * h;
        c |= (z | (coin() ? 0x8000 : 0)) << 16 * h;
      }
      half(Fma, format, {}, a, b, c);
    }
  }
}

void halves(uint64_t count) {
  for (unsigned format : {narrow::F16, narrow::BF16}) {
    const u32 one = format == narrow::F16 ? 0x3c00 : 0x3f80, tiny = 1, ones = 0x7fff;
    const u32 partner[] = {0,      0x8000, one,  one | 0x8000, one + 1, tiny,
                           0x7bff, 0x7f7f, ones, 0x7c00,       0x7f80};
    for (u32 v = 0; v < 0x10000; v += step) {
      const u32 p = partner[v % 11] | partner[rnd(11)] << 16, w = v << 16 | (v ^ rnd(4));
      half(Fma, format, half_mods(Fma), w, one << 16 | one, p); // a sum
      half(Fma, format, half_mods(Fma), p, w, 0x80008000);      // a product
      half(Fma, format, half_mods(Fma), p, p, w);
      for (unsigned op : {Min, Max, Set})
        half(op, format, half_mods(op), coin() ? w : p, coin() ? w : p, 0);
    }
    for (uint64_t i = 0; i < count / 2; i++) {
      random_half(Fma, format);
      if (i % 4 == 0) random_half(Min + static_cast<unsigned>(i / 4 % 3), format);
    }
  }
  for (unsigned n = 0; n < 4; n++)
    for (unsigned format : {narrow::F16, narrow::BF16})
      ties(format);
}

// ---- packed integers
void packed(unsigned op, const narrow::Mods &m, u32 a, u32 b) {
  const unsigned bits = m.bytes ? 8 : 16;
  Due x = {Packed, op, 0, m, a, b, static_cast<u32>(rnd()), 0, 0};
  for (unsigned at = 0; at < 32; at += bits) {
    const u32 ones = (1u << bits) - 1;
    x.want |= narrow::packed(op, bits, a >> at & ones, b >> at & ones, m) << at;
  }
  enter(x);
}

void packed_integers(uint64_t count) {
  for (unsigned k = 0; k < 32; k++) { // operation and modifiers
    narrow::Mods m = {};
    const unsigned op = k / 8 % 3;
    if (k >= 24) break;
    m.sgn = k & 1;
    m.bytes = true;
    if (op == 0) {
      m.sat = k & 2;
      m.neg_b = k & 4;
    } else {
      m.relu = k & 2;
    }
    for (u32 v = 0; v < 0x10000; v += 4 * step) { // all pairs of bytes
      u32 a = 0, b = 0;
      for (u32 i = 0; i < 4; i++) {
        a |= ((v + i) >> 8) << 8 * i;
        b |= ((v + i) & 255) << 8 * i;
      }
      packed(op, m, a, b);
    }
    for (uint64_t i = 0; i < count / 12; i++) { // parts that have nothing in common
      static const u32 corner[] = {0, 1, 0x7fff, 0x8000, 0x8001, 0xffff, 0x7f, 0x80, 0xff, 0x100};
      u32 w[2];
      for (u32 &x : w) {
        x = static_cast<u32>(rnd());
        if (coin()) x = (x & 0xffff0000) | corner[rnd(10)];
        if (coin()) x = (x & 0xffff) | corner[rnd(10)] << 16;
      }
      if (rnd(8) == 0) w[1] = w[0] ^ rnd(2) << 16 ^ rnd(2);
      m.bytes = i & 1;
      packed(op, m, w[0], w[1]);
    }
  }
}

// Forms of all parts one after another, in any order: none finds a rest of the one before in its result.
void mixed() {
  for (unsigned i = 0; i < 300; i++) {
    const unsigned format = coin() ? narrow::F16 : narrow::BF16;
    const u32 a = static_cast<u32>(rnd()), b = static_cast<u32>(rnd());
    narrow::Mods two = {};
    two.wide = true;
    switch (rnd(4)) {
    case 0:
      half(Fma, format, {}, a, b, ~0u); // NaN
      break;
    case 1:
      packed(0, {}, a, b);
      break;
    case 2:
      to_tf32(a);
      break;
    default:
      convert(format, two, a, b, 0);
    }
  }
}

} // namespace

int main(int argc, char **argv) {
  VerilatedContext context;
  top = new WL_MODEL(&context);
  const uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 300000;
  top->clk_i = 0;
  top->rst_ni = 0;
  for (unsigned i = 0; i < 4; i++)
    idle();
  top->rst_ni = 1;
  const char *part = argc > 2 ? argv[2] : "";
  if (count < 10000) step = 61;
  if (!*part || !std::strcmp(part, "half")) halves(count);
  if (!*part || !std::strcmp(part, "packed")) packed_integers(count);
  if (!*part || !std::strcmp(part, "format")) conversions(count);
  mixed();
  for (unsigned i = 0; i < 2 * kLatency; i++)
    idle();
  std::printf("half: %" PRIu64 " results, %u failures\n", checks, failures);
  const bool left = !due.empty();
  top->final();
  delete top;
  return failures != 0 || left || checks == 0;
}
