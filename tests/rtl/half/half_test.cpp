// Bench of rtl/exec/half_lane, packed_lane and format_lane against host arithmetic (narrow.h). Of one
// operand all numbers, of two bytes all pairs, of the rest COUNT operations: random ones, and those
// where products and sums cancel, overflow, are subnormal or lie between two numbers. Usage: [COUNT [PART]];
// PART: half, packed or format alone. Of a COUNT below 10000 a 61st of all numbers and pairs, too.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>

#include WL_MODEL_HEADER
#include "narrow.h"
#include "tests/common/splitmix.h"
#include "verilated.h"

namespace {

using narrow::u32;
constexpr unsigned kLatency = 4;
enum Group { Format = 15, Half = 16, Packed = 17 }; // exec_pkg grp_e
enum HalfOp { Fma, Min, Max, Set };                 // HalfFma and so on
enum FormatOp { Narrow, Tf32, Widen, Widen8 };      // FmtNarrow and so on

WL_MODEL *top;
uint64_t state = 41, cycles, checks;
unsigned failures;
u32 step = 1; // from one number to the next, of those that are taken in turn
#ifdef WL_FIRST_FAILURE
constexpr unsigned kFailures = 1;
#else
constexpr unsigned kFailures = 20;
#endif
uint64_t rnd() { return wl_splitmix64(&state); }
unsigned rnd(unsigned n) { return static_cast<unsigned>(rnd() % n); }
bool coin() { return rnd() & 1; }

struct Due {
  Group group;
  unsigned op, format;
  narrow::Mods m;
  u32 a, b, c, want;
  uint64_t cycle;
};
std::deque<Due> due;

void compare(const Due &x) {
  checks++;
  if (top->d_o == x.want) return;
  failures++;
  const narrow::Mods &m = x.m;
  std::printf(
      "FAIL group %d op %u format %u rnd %u cmp %x ftz %d sat %d relu %d oob %d xorsign %d nan %d "
      "neg %d%d%d sgn %d bytes %d random %d wide %d: %08x %08x %08x: %08x, expected %08x\n",
      x.group, x.op, x.format, m.rnd, m.cmp, m.ftz, m.sat, m.relu, m.oob, m.xorsign, m.nan, m.neg_a,
      m.neg_b, m.neg_c, m.sgn, m.bytes, m.random, m.wide, x.a, x.b, x.c, static_cast<u32>(top->d_o),
      x.want);
  if (failures >= kFailures) std::exit(1);
}

void drive(const Due &x, bool valid) {
  top->valid_i = valid;
  top->grp_i = static_cast<uint8_t>(x.group);
  top->op_i = static_cast<uint8_t>(x.op);
  top->fmt_i = static_cast<uint8_t>(x.format);
  top->rnd_i = static_cast<uint8_t>(x.m.rnd);
  top->cmp_i = static_cast<uint8_t>(x.m.cmp);
  top->ftz_i = x.m.ftz;
  top->sat_i = x.m.sat;
  top->relu_i = x.m.relu;
  top->oob_i = x.m.oob;
  top->xorsign_i = x.m.xorsign;
  top->nan_i = x.m.nan;
  top->neg_a_i = x.m.neg_a;
  top->neg_b_i = x.m.neg_b;
  top->neg_c_i = x.m.neg_c;
  top->sgn_i = x.m.sgn;
  top->bytes_i = x.m.bytes;
  top->random_i = x.m.random;
  top->wide_i = x.m.wide;
  top->a_i = x.a;
  top->b_i = x.b;
  top->c_i = x.c;
}

void cycle() {
  top->clk_i = 1;
  top->eval();
  top->clk_i = 0;
  top->eval();
  cycles++;
  const bool there = !due.empty() && due.front().cycle == cycles;
  if ((top->valid_o != 0) != there && failures++ < kFailures)
    std::printf("FAIL a result is not in its cycle\n");
  if (!there) return;
  compare(due.front());
  due.pop_front();
}

// A cycle without an operation: operands and control of one are there, and have no effect.
void idle() {
  Due x = {};
  const Group groups[] = {Format, Half, Packed};
  x.group = groups[rnd(3)];
  x.op = rnd(3);
  x.a = static_cast<u32>(rnd());
  x.b = static_cast<u32>(rnd());
  x.c = static_cast<u32>(rnd());
  drive(x, false);
  cycle();
}

void enter(Due &x) {
  drive(x, true);
  x.cycle = cycles + kLatency;
  due.push_back(x);
  cycle();
  if (rnd(16) == 0) idle();
}

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

// ---- conversions
void convert(unsigned format, const narrow::Mods &m, u32 a, u32 b, u32 random) {
  const bool small = format >= narrow::E4M3;
  Due x = {Format, Narrow, format, m, a, b, random, 0, 0};
  x.m.bytes = small;
  const u32 high = narrow::convert(format, a, m, random >> 16, small);
  const u32 low = narrow::convert(format, b, m, random & 0xffff, small);
  const unsigned up = format == narrow::E2M1 ? 4 : small ? 8 : 16;
  x.want = small || m.wide ? high << up | low : high;
  enter(x);
}

// An f32 at a number of the format, in the middle of two, or beside those, by a bit of any weight.
u32 place(const narrow::Format &f) {
  const u32 v = rnd(f.largest + 3);
  double at = narrow::value(f, v < f.largest ? v : f.largest);
  const double next = narrow::value(f, v + 1 < f.largest ? v + 1 : f.largest);
  switch (rnd(4)) {
  case 0:
    at = (at + next) / 2;
    break;
  case 1:
    at += (next - at) * rnd(1024) / 1024;
    break;
  default:
    break;
  }
  const float single = static_cast<float>(at);
  u32 bits;
  std::memcpy(&bits, &single, sizeof bits);
  return (bits + rnd(3) - 1 + (rnd(4) == 0 ? 1u << rnd(24) : 0)) ^ static_cast<u32>(rnd() << 31);
}

void conversions(uint64_t count) {
  const unsigned formats[] = {narrow::F16,  narrow::BF16, narrow::E4M3, narrow::E5M2,
                              narrow::E2M1, narrow::E2M3, narrow::E3M2};
  for (unsigned format : formats) {
    const bool small = format >= narrow::E4M3;
    for (unsigned mode = 0; mode < (small ? 2 : 5); mode++) { // the last one: random bits
      narrow::Mods m = {};
      m.random = mode == (small ? 1 : 4);
      m.rnd = m.random ? 0 : mode;
      for (u32 v = 0; v < 0x10000;
           v += 2 * step) { // stratified: all signs, exponents and 7 bits of fraction
        static const u32 tail[] = {0, 1, 0x8000, 0x7fff, 0xffff};
        u32 random = static_cast<u32>(rnd());
        m.wide = !small && (m.random || coin());
        const u32 low = rnd(3) ? static_cast<u32>(rnd()) & 0xffff : tail[rnd(5)];
        convert(format, m, v << 16 | low, (v + 1) << 16 | (random >> 7 & 0xffff), random);
      }
      for (uint64_t i = 0; i < count / 16; i++) {
        u32 random = static_cast<u32>(rnd());
        if (rnd(4) == 0) random = coin() ? 0 : ~0u;
        m.wide = !small && (m.random || coin());
        const narrow::Format &f = narrow::kFormats[format];
        convert(format, m, rnd(8) ? place(f) : static_cast<u32>(rnd()), place(f), random);
      }
    }
    if (!small) continue;
    const narrow::Format &f = narrow::kFormats[format], &f16 = narrow::kFormats[narrow::F16];
    const unsigned bits = f.exponent + f.fraction + 1, up = bits == 4 ? 4 : 8;
    for (u32 v = 0; v < 0x10000; v += step) {
      Due x = {
          Format, Widen8, format, {}, v | static_cast<u32>(rnd() << 16), static_cast<u32>(rnd()),
          0,      0,      0};
      for (unsigned h = 0; h < 2; h++) {
        const u32 n = v >> (up * h) & ((1u << bits) - 1);
        const double value = narrow::value(f, n);
        u32 d = narrow::kFormats[narrow::F16].nan;
        if (std::isinf(value))
          d = narrow::infinity_of(f16);
        else if (!std::isnan(value))
          d = narrow::pattern(f16, std::fabs(value));
        if (std::signbit(value) && !std::isnan(value)) d |= 0x8000;
        x.want |= d << 16 * h;
      }
      enter(x);
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
  for (unsigned i = 0; i < 2 * kLatency; i++)
    idle();
  std::printf("half: %" PRIu64 " results, %u failures\n", checks, failures);
  const bool left = !due.empty();
  top->final();
  delete top;
  return failures != 0 || left || checks == 0;
}
