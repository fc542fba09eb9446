// Scaled products of the bench umma_tb.cpp (docs/microarchitecture.md 26.9, 26.10): commands, and words
// of tensor memory that are good scales, in the columns of the last but one unit.
#pragma once
#include "commands.h"

namespace umma {
constexpr unsigned first_scale = z.columns - 64;
inline bool has_scales() {
  for (const unsigned op : {UMMA_OPS})
    if (scaled(op)) return true;
  return false;
}

inline void Memories::choose_scaled(Command &c) {
  static const uint32_t small[] = {0, 1, 3, 4, 5};
  const bool four = c.op == MXF4;
  const uint32_t n = c.b[1] >> 17 & 63, majors = four ? 0 : c.b[1] >> 15 & 3;
  uint32_t types = small[rnd(5)] << 7 | small[rnd(5)] << 10, ids = rnd(4) << 29 | rnd(4) << 4;
  c.b16 = rnd(2);
  if (four) {
    types = 1u << 7 | 1u << 10;
    ids = c.b16 ? 0 : rnd(2) << 30 | rnd(2) << 5;
  }
  const uint32_t ue8m0 = four && c.b16 ? rnd(2) : 1;
  c.b[1] = types | ids | rnd(4) << 13 | majors << 15 | n << 17 | ue8m0 << 23 | 1u << 27;
  // D, mostly, where it leaves the scales alone; they, too, may be anywhere.
  const bool good = rnd(8) != 0;
  const unsigned end = good ? first_scale : first_scale + 32;
  c.b[0] = rnd(end >= 8 * n ? end - 8 * n + 1 : 1);
  if (c.ta) c.a[0] = rnd(z.columns - 32 - 7);
  c.b[2] = (good ? first_scale + rnd(29) : rnd(first_scale + 29)) | rnd(4) << 30;
  c.b[3] = (good ? first_scale + rnd(25) : rnd(first_scale + 25)) | rnd(4) << 30;
  c.read = rnd(4);
  c.scale = 0;
  c.imm = static_cast<unsigned>(rnd());
  for (uint32_t &off : c.off)
    off = 0;
}

// D does not lie over the scales, which are read while it is written; nor do loads and stores.
inline bool Memories::scales_apart(const Command &c) const {
  for (const bool second : {false, true}) {
    const unsigned from = c.scale_column(second), to = from + c.scale_columns(second);
    if (to > z.columns - 32 || (from < c.column() + c.n() && c.column() < to)) return false;
  }
  return true;
}

// A word of scales of a kind: near 1, near each other, anything, of ue4m3.
inline uint32_t scale_word(unsigned kind) {
  uint32_t word = 0;
  for (unsigned j = 0; j < 4; j++) {
    unsigned byte = 124 + rnd(7);
    if (kind == 1) byte = 100 + rnd(60);
    if (kind == 2) byte = rnd(256);
    if (kind == 3) byte = rnd(32) ? 0x20 + rnd(0x30) : rnd(128);
    if (kind == 4) byte = rnd(2) ? rnd(64) : rnd(64) ? 191 + rnd(64) : 255;
    word |= byte << 8 * j;
  }
  return word;
}
} // namespace umma
