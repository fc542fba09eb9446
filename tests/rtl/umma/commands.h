// Commands that the bench of products in tensor memory chooses, shared memory that they read, and the
// rows of D that they must write.
#pragma once
#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "bench.h"
#include "reference.h"

namespace umma {
using bench::rnd;
// Configuration: sub-cores, warps, CTAs, lanes of a beat, columns, banks, bytes of shared memory, rows of
// the engine, slices of a group, words of a step of the tensor unit.
struct Sizes {
  unsigned subs, warps, ctas, lanes, columns, banks, smem, rows, slices, words;
  constexpr unsigned beats() const { return 32 / lanes; }
};
constexpr Sizes z{UMMA_SIZES};

struct Row {
  uint32_t mask;
  std::vector<uint32_t> data;
};
// Quarter, row of the memory (column * beats + beat).
using Rows = std::map<std::pair<unsigned, unsigned>, Row>;

struct Memories {
  std::vector<uint8_t> shared = std::vector<uint8_t>(z.smem);
  std::vector<uint32_t> tensor = std::vector<uint32_t>(std::size_t{4} * z.columns * 32);
  unsigned units = 8; // of a CTA's shared memory
  unsigned cta[z.warps] = {};
  std::vector<bool> used = std::vector<bool>(z.columns / 32);
  std::vector<unsigned> owner = std::vector<unsigned>(z.columns / 32);
  unsigned spoil = 0; // commands with a fault, in 16

  uint32_t &word(unsigned quarter, unsigned column, unsigned lane) {
    return tensor[(std::size_t{quarter} * z.columns + column) * 32 + lane];
  }
  uint16_t half(uint32_t at) const {
    return static_cast<uint16_t>(shared[at] | shared[at + 1] << 8);
  }
  std::vector<bool> owns(unsigned of) const {
    std::vector<bool> v(z.columns / 32);
    for (unsigned u = 0; u < v.size(); u++)
      v[u] = used[u] && owner[u] == of;
    return v;
  }
  Fault judged(const Command &c) const { return judge(c, units * 1024, owns(c.cta), z.columns); }
  void fill();
  uint64_t descriptor();
  Command choose(bool commit);
  Rows act(const Command &c);
};

// Numbers near one another, small integers, or anything.
inline void Memories::fill() {
  const unsigned kind = rnd(4);
  for (std::size_t i = 0; i < shared.size(); i += 2) {
    uint16_t x = static_cast<uint16_t>(rnd());
    if (kind == 0) x = static_cast<uint16_t>((x & 0x87ff) | 0x3800);
    if (kind == 1) x = rnd(4) ? static_cast<uint16_t>((x & 0x8300) | 0x3c00) : 0;
    if (kind == 2 && rnd(16)) x = static_cast<uint16_t>((x & 0x8fff) | 0x3000);
    shared[i] = static_cast<uint8_t>(x);
    shared[i + 1] = static_cast<uint8_t>(x >> 8);
  }
}

inline uint64_t Memories::descriptor() {
  static const unsigned swizzles[] = {0, 1, 2, 4, 6};
  const uint64_t swizzle = swizzles[rnd(5)];
  const auto offset = [&] { return rnd(4) ? 8ull << rnd(4) : uint64_t{rnd(64)}; };
  uint64_t d = rnd(rnd(4) ? 64 : units * 64) & ~(rnd(2) ? 7ull : 0ull);
  d |= offset() << 16 | offset() << 32 | 1ull << 46 | swizzle << 61;
  if (swizzle && rnd(2)) d |= uint64_t{rnd(8)} << 49;
  return d | uint64_t{rnd(256)} << 53;
}

inline Command Memories::choose(bool commit) {
  Command c{};
  const bool bad = rnd(16) < spoil;
  c.warp = rnd(z.warps);
  c.cta = cta[c.warp];
  c.lane = rnd(32);
  c.pc = static_cast<unsigned>(rnd()) & 0xfffffff;
  c.commit = commit;
  if (commit) {
    c.generic = rnd(2);
    c.a[0] = rnd(units * 128) * 8;
    c.a[1] = 0x10000;
    if (bad) c.a[rnd(2)] += 1u << rnd(32);
    return c;
  }
  do {
    for (unsigned i = 0; i < 2; i++) {
      const uint64_t d = descriptor();
      c.a[2 * i] = static_cast<uint32_t>(d);
      c.a[2 * i + 1] = static_cast<uint32_t>(d >> 32);
    }
    const uint32_t bf16 = rnd(2), m64 = rnd(2);
    const uint32_t n = 1 + rnd(std::max(1u, std::min(32u, (z.columns - 32) / 8) >> rnd(4)));
    c.b[1] = rnd(4) | (bf16 ? 1 : rnd(2)) << 4 | bf16 << 7 | bf16 << 10 | rnd(16) << 13 | n << 17 |
             (m64 ? 4u : 8u) << 24;
    c.b[0] = rnd(z.columns - 32 - 8 * n + 1) | (m64 ? rnd(2) << 20 : 0);
    c.read = rnd(4);
    c.scale = rnd(2) ? 0 : rnd(16);
    for (uint32_t &off : c.off)
      off = rnd(2) ? 0 : rnd(8) ? static_cast<uint32_t>(rnd()) : ~0u;
  } while (judged(c).bad);
  if (!bad) return c;
  const unsigned bit = rnd(32);
  uint32_t *const where[] = {&c.b[1], &c.b[0], &c.a[0], &c.a[1], &c.a[2], &c.a[3]};
  *where[rnd(6)] ^= 1u << bit;
  if (rnd(4) == 0) c.a[1 + 2 * rnd(2)] ^= 7u << 29;
  return c;
}

// The rows that it writes; the memory is as it leaves it.
inline Rows Memories::act(const Command &c) {
  const Operand a = c.operand(false), b = c.operand(true);
  const uint32_t base = c.cta * units * 1024;
  const auto elements = [&](const Operand &o, unsigned row) {
    std::array<uint16_t, 16> e;
    for (unsigned k = 0; k < 16; k++)
      e[k] = static_cast<uint16_t>(half(base + o.place(row, k)) ^ (o.neg ? 0x8000 : 0));
    return e;
  };
  Rows rows;
  std::vector<std::array<uint16_t, 16>> columns;
  for (unsigned n = 0; n < c.n(); n++)
    columns.push_back(elements(b, n));
  for (unsigned q = 0; q < 4; q++) {
    for (unsigned l = 0; l < 32; l++) {
      const int r = c.row(q, l);
      if (r < 0 || (c.off[q] >> l & 1)) continue;
      const auto of_a = elements(a, static_cast<unsigned>(r));
      for (unsigned n = 0; n < c.n(); n++) {
        uint32_t &d = word(q, c.column() + n, l);
        d = element(of_a.data(), columns[n].data(), c.read ? d : 0, c.scale, c.bf16(), c.half());
        Row &row = rows[{q, (c.column() + n) * z.beats() + l / z.lanes}];
        row.data.resize(z.lanes);
        row.mask |= 1u << l % z.lanes;
        row.data[l % z.lanes] = d;
      }
    }
  }
  return rows;
}
} // namespace umma
