// Warps of the bench of tensor memory, and the instructions that they choose at random: mostly such as
// have an effect.
#pragma once
#include <algorithm>

#include "bench.h"
#include "reference.h"

namespace tensor_memory {
using bench::rnd;
constexpr Sizes z{TMEM_SIZES};

struct Insn {
  unsigned op, warp, pc, rd, count; // count: words of a load or of b
  bool half;
  uint32_t a, imm, number;
  Row b[16][32 / z.lanes];
  unsigned at = 0; // X1s that have come
};

struct Warps {
  Allocator columns{z};
  unsigned cta[z.warps] = {}, index[z.warps] = {};
  bool parked[z.warps] = {}, again[z.warps] = {};
  uint32_t wanted[z.warps] = {};
  unsigned allocate = 4, spoil = 1; // chances in 16, in 64

  uint32_t address(unsigned warp, const Insn &i);
  Insn choose(unsigned warp);
};

// Mostly columns that the CTA has.
inline uint32_t Warps::address(unsigned warp, const Insn &i) {
  const uint32_t units = columns.units_of(cta[warp]);
  uint32_t column = rnd(z.columns + 8);
  for (unsigned t = 0; t < 8 && units; t++) {
    const unsigned u = rnd(z.units());
    if (!(units >> u & 1)) continue;
    column = 32 * u + rnd(32);
    if (rnd(8)) column = std::min(column, 32 * u + 32 - std::min(i.count, 32u));
    break;
  }
  uint32_t lane = index[warp] % 4 * 32;
  if (i.half && rnd(2)) lane += 16;
  if (rnd(64) < spoil) lane = rnd(2) ? rnd(128) : uint32_t{1} << rnd(16);
  if (rnd(64) < spoil) column = static_cast<uint32_t>(rnd()) & 0xffff;
  return lane << 16 | column;
}

inline Insn Warps::choose(unsigned warp) {
  Insn i{};
  i.warp = warp;
  i.pc = static_cast<unsigned>(rnd()) & 0xfffffff;
  i.a = static_cast<uint32_t>(rnd());
  i.number = 32u << rnd(5);
  if (rnd(8)) i.number = std::min(i.number, z.columns >> rnd(3));
  if (i.number < 32) i.number = 32;
  if (rnd(64) < spoil) i.number = rnd(2) ? rnd(1024) : static_cast<uint32_t>(rnd());
  if (again[warp]) {
    i.op = ALLOC;
    i.number = wanted[warp];
  } else if (rnd(16) < allocate) {
    const uint32_t units = columns.units_of(cta[warp]);
    i.op = rnd(2) ? ALLOC : DEALLOC;
    if (rnd(64) < spoil) i.op = RELINQUISH;
    if (i.op == DEALLOC && units && rnd(64) >= spoil) {
      unsigned u = rnd(z.units());
      while (!(units >> u & 1) || !columns.unit[u].first)
        u = (u + 1) % z.units();
      unsigned m = 1;
      while (u + m < z.units() && (units >> (u + m) & 1) && !columns.unit[u + m].first)
        m++;
      i.a = 32 * u;
      i.number = 32 * m;
    }
    if (i.op == DEALLOC && rnd(64) < spoil) i.a += rnd(2) ? 32 : 1u << rnd(32);
    if (i.op == DEALLOC && rnd(64) < spoil) i.number = 32u << rnd(5);
  } else {
    static const unsigned counts[] = {1, 2, 4, 8, 16};
    i.op = rnd(2) ? LD : ST;
    i.half = rnd(4) == 0;
    i.count = i.op == ST ? counts[rnd(5)] : rnd(8) ? 1 + rnd(12) : 1 + rnd(128);
    i.rd = rnd(16) ? rnd(255) : 255;
    i.a = address(warp, i);
    if (i.op == ST && rnd(2)) {
      i.imm = rnd(64) < spoil ? static_cast<uint32_t>(rnd()) : rnd(16);
      if ((i.a & 0xffff) >= i.imm) i.a -= i.imm;
    }
    if (i.op == LD) i.imm = i.count - 1;
    for (Row(&beats)[32 / z.lanes] : i.b)
      for (Row &beat : beats)
        for (uint32_t &lane : beat)
          lane = static_cast<uint32_t>(rnd());
  }
  return i;
}
} // namespace tensor_memory
