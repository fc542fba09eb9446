// Conversions between floating-point formats in the bench of tests/rtl/half.
#pragma once
#include <cmath>
#include <cstring>

#include "bench.h"

namespace {

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

// Of the ends of the exponents each number with one bit of fraction: a NaN is one by any bit.
void single_bits(unsigned format, narrow::Mods m, bool small) {
  for (u32 e : {0u, 1u, 254u, 255u})
    for (u32 k = 0; k < 46; k++) {
      const u32 a = k % 2 << 31 | e << 23 | 1u << k / 2;
      const u32 b = (k + 1) % 2 << 31 | e << 23 | 1u << (k / 2 + 5) % 23;
      m.wide = !small && (m.random || coin());
      convert(format, m, a, b, static_cast<u32>(rnd()));
    }
}

// Zeros, infinities and what is beside them, each with each, of either sign.
void ends(unsigned format, narrow::Mods m, bool small) {
  static const u32 end[] = {0,          1,          0x007fffff, 0x00800000, 0x3f800000,
                            0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fffffff};
  for (u32 a : end)
    for (u32 b : end)
      for (u32 signs = 0; signs < 4; signs++) {
        m.wide = !small && (m.random || coin());
        convert(format, m, a | signs << 31, b | signs >> 1 << 31, static_cast<u32>(rnd()));
      }
}

// f32 to a narrower format, stratified: all signs, exponents and 7 bits of fraction.
void narrowed(unsigned format, const narrow::Mods &mods, bool small, uint64_t count) {
  narrow::Mods m = mods;
  for (u32 v = 0; v < 0x10000; v += 2 * step) {
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
  single_bits(format, mods, small);
  ends(format, mods, small);
}

// Two numbers of 8, 6 or 4 bits to f16; what stands above them does not count.
void from_bytes(unsigned format) {
  const narrow::Format &f = narrow::kFormats[format], &f16 = narrow::kFormats[narrow::F16];
  const unsigned bits = f.exponent + f.fraction + 1, up = bits == 4 ? 4 : 8;
  for (u32 v = 0; v < 0x10000; v += step) {
    const u32 a = v | static_cast<u32>(rnd() << 16);
    Due x = {Format, Widen8, format, {}, a, static_cast<u32>(rnd()), 0, 0, 0};
    for (unsigned h = 0; h < 2; h++)
      x.want |= narrow::widen(f16, f, v >> (up * h) & ((1u << bits) - 1)) << 16 * h;
    enter(x);
  }
}

void from_f16(u32 a) {
  const u32 want =
      narrow::widen(narrow::kFormats[narrow::F32], narrow::kFormats[narrow::F16], a & 0xffff);
  const u32 b = static_cast<u32>(rnd()), c = static_cast<u32>(rnd());
  Due x = {Format, Widen, narrow::F16, {}, a, b, c, want, 0};
  enter(x);
}

void to_tf32(u32 a) {
  const u32 b = static_cast<u32>(rnd()), c = static_cast<u32>(rnd());
  Due x = {Format, Tf32, narrow::TF32, {}, a, b, c, narrow::tf32_away(a), 0};
  enter(x);
}

// f16 to f32: all numbers; f32 to tf32: all signs, exponents and 7 bits of fraction, beside the middles
// between two numbers. Both with one bit of fraction.
void exact() {
  static const u32 middle[] = {0, 0xfff, 0x1000, 0x1001, 0x1fff, 0x3000, 0xefff, 0xf000, 0xffff};
  for (u32 v = 0; v < 0x10000; v += step) {
    from_f16(v | static_cast<u32>(rnd() << 16));
    to_tf32(v << 16 | (coin() ? middle[rnd(9)] : static_cast<u32>(rnd()) & 0xffff));
  }
  for (u32 e = 0; e < 32; e++)
    for (u32 k = 0; k < 10; k++)
      from_f16(static_cast<u32>(rnd() << 16) | (coin() ? 0x8000 : 0) | e << 10 | 1u << k);
  for (u32 e = 0; e < 256; e++)
    for (u32 k = 0; k < 23; k++)
      to_tf32((coin() ? 0x80000000 : 0) | e << 23 | 1u << k);
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
      narrowed(format, m, small, count);
    }
    if (small) from_bytes(format);
  }
  exact();
}

} // namespace
