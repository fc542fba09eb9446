// Memories and random commands of the copy engine's bench: what is in global and shared memory, and what
// will be there when all accepted commands are over. Places of commands in flight do not meet.
#pragma once
#include <algorithm>
#include <cstring>
#include <vector>

#include "bench.h"
#include "reference.h"

namespace copies {
using bench::bytes_of;
using bench::rnd;
constexpr Sizes z = {COPY_SIZES};
constexpr uint32_t kUnits = 7, kCtaBytes = kUnits * 1024;
constexpr uint64_t kGlobal = 0x10000;
// Device memory ends with a block of 4 GiB, shared memory in the middle of a chunk.
constexpr Limits kLimits = {0x7f00ffff0000ull, 0x7f0100000000ull, kCtaBytes - 24};
inline const bench::AtomForm kReductions[] = {
    {bench::ADD, bench::U32}, {bench::MIN, bench::U32}, {bench::MIN, bench::S32},
    {bench::MAX, bench::U32}, {bench::MAX, bench::S32}, {bench::INC, bench::U32},
    {bench::DEC, bench::U32}, {bench::AND, bench::B32}, {bench::OR, bench::B32},
    {bench::XOR, bench::B32}, {bench::ADD, bench::F32}, {bench::ADD, bench::U64},
    {bench::MIN, bench::U64}, {bench::MIN, bench::S64}, {bench::MAX, bench::U64},
    {bench::MAX, bench::S64}, {bench::AND, bench::B64}, {bench::OR, bench::B64},
    {bench::XOR, bench::B64}};

struct Memory {
  std::vector<uint8_t> g = std::vector<uint8_t>(kGlobal), s = std::vector<uint8_t>(z.smem);
  uint8_t *global(uint64_t address) { return &g.at(address - kLimits.base); }
};

inline uint64_t number(const uint8_t *p, unsigned bytes) {
  uint64_t v = 0;
  std::memcpy(&v, p, bytes);
  return v;
}
inline void reduce(uint8_t *to, const uint8_t *from, unsigned atom, unsigned type) {
  const unsigned n = bytes_of(static_cast<int>(type));
  const uint64_t v = bench::atomic(static_cast<int>(atom), static_cast<int>(type), number(to, n),
                                   number(from, n), 0, true);
  std::memcpy(to, &v, n);
}

// What a command does.
inline void effects(Memory &m, const Command &c) {
  uint8_t *g = m.global(c.g), *s = &m.s.at(c.cta_base + c.s);
  if (c.kind == BLOAD) std::memcpy(s, g, c.k);
  for (uint32_t i = 0; c.kind == BSTORE && i < c.k; i++)
    if (c.m >> (i % 16) & 1) g[i] = s[i];
  for (uint32_t i = 0; c.kind == BRED && i < c.k; i += bytes_of(static_cast<int>(c.type)))
    reduce(g + i, s + i, c.atom, c.type);
}
// What it writes is the same in both.
inline bool same(const Memory &a, const Memory &b, const Command &c) {
  const uint64_t g = c.g - kLimits.base, s = c.cta_base + c.s;
  return c.kind == BLOAD ? std::equal(&a.s[s], &a.s[s] + c.k, &b.s[s])
                         : std::equal(&a.g[g], &a.g[g] + c.k, &b.g[g]);
}

inline bool meet(uint64_t a, uint64_t na, uint64_t b, uint64_t nb) {
  return a < b + nb && b < a + na;
}
inline bool meet(const Command &a, const Command &b) {
  const bool global = meet(a.g, a.k, b.g, b.k);
  const bool shared = meet(a.cta_base + a.s, a.k, b.cta_base + b.s, b.k);
  return (global && (a.kind != BLOAD || b.kind != BLOAD)) ||
         (shared && (a.kind == BLOAD || b.kind == BLOAD));
}

// A fault, as a rule.
inline void spoil(Command &c) {
  const uint32_t bytes = kLimits.smem_bytes;
  switch (rnd(10)) {
  case 0:
    c.g += 1 + rnd(15);
    break;
  case 1:
    c.s += 1 + rnd(15);
    break;
  case 2:
    c.m += 1 + rnd(7);
    break;
  case 3:
    c.k = rnd(2) ? 0 : c.k + 1 + rnd(15);
    break;
  case 4:
    c.g = kLimits.limit - c.k + 16;
    break;
  case 5:
    c.g = kLimits.base - 16;
    break;
  case 6:
    c.g = 0 - uint64_t{c.k};
    break; // the sum is 2^64
  case 7:
    c.s = rnd(2) ? 0u - c.k : (bytes - c.k + 16) & ~15u;
    break;
  case 8:
    c.m = rnd(2) ? 0xfffffff8u : bytes - 7 + rnd(8);
    break;
  default:
    c.k = 0xfffffff0u;
    break;
  }
}
inline Command random_command(const unsigned *cta, unsigned biggest) {
  Command c{};
  c.kind = BLOAD + rnd(3);
  c.type = bench::B128;
  if (c.kind == BRED) {
    const bench::AtomForm &f = kReductions[rnd(sizeof kReductions / sizeof kReductions[0])];
    c.type = static_cast<unsigned>(f.type);
    c.atom = static_cast<unsigned>(f.op);
  }
  c.warp = rnd(z.warps);
  c.lane = rnd(32);
  c.pc = rnd(1u << 28);
  c.cta_base = cta[c.warp] * kCtaBytes;
  c.k = 16 + 16 * rnd(rnd(4) ? 6 : biggest / 16);
  c.g = kLimits.base + 16 * rnd(static_cast<uint32_t>(kGlobal - c.k) / 16 + 1);
  c.s = 16 * rnd((kLimits.smem_bytes - c.k) / 16 + 1);
  if (rnd(8) == 0) c.g = kLimits.limit - c.k;
  if (rnd(8) == 0) c.s = (kLimits.smem_bytes - c.k) & ~15u;
  c.m = c.kind == BLOAD ? 8 * rnd(kLimits.smem_bytes / 8) : static_cast<uint32_t>(rnd());
  if (c.kind == BSTORE && rnd(2)) c.m |= 0xffff;
  for (unsigned n = rnd(6) ? 0 : 1 + rnd(3); n; n--)
    spoil(c);
  return c;
}
} // namespace copies
