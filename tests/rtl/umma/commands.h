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
  bool zeros = false; // shared memory has little but zeros

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
  std::array<uint8_t, 16> chunk(uint32_t at) const {
    std::array<uint8_t, 16> bytes;
    std::copy_n(shared.begin() + at, 16, bytes.begin());
    return bytes;
  }
  void fill();
  uint64_t descriptor(unsigned op, bool across);
  void choose_product(Command &c);
  void choose_scaled(Command &c);
  bool scales_apart(const Command &c) const;
  void choose_move(Command &c);
  Command choose();
  Rows act(const Command &c);

  // From the last unit of columns, that of loads and stores.
  bool apart(const Command &c) const {
    const unsigned n = product(c.op) ? c.n() : 8, last = z.columns - 32;
    return (c.address() & 0xffff) + n <= last && (!c.ta || (c.a[0] & 0xffff) + 8 <= last) &&
           (!scaled(c.op) || scales_apart(c));
  }

private:
  void multiply(const Command &c, Rows &rows);
  void move(const Command &c, Rows &rows);
  void write(Rows &rows, unsigned quarter, unsigned column, unsigned lane, uint32_t x);
};

// Numbers near one another, small integers, or anything; of words and of bytes, too.
inline void Memories::fill() {
  const unsigned kind = rnd(9);
  zeros = kind == 8;
  for (std::size_t i = 0; i < shared.size(); i += 2) {
    uint16_t x = static_cast<uint16_t>(rnd());
    if (kind == 0) x = static_cast<uint16_t>((x & 0x87ff) | 0x3800);
    if (kind == 1) x = rnd(4) ? static_cast<uint16_t>((x & 0x8300) | 0x3c00) : 0;
    if (kind == 2 && rnd(16)) x = static_cast<uint16_t>((x & 0x8fff) | 0x3000);
    if (kind == 4 && i % 4) x = static_cast<uint16_t>((x & 0x80ff) | 0x3f00);
    if (kind == 5) x = static_cast<uint16_t>((x & 0x8f8f) | 0x3030);
    if (kind == 6) x = static_cast<uint16_t>(x & 0xbfbf);
    if (kind == 7 && rnd(64)) x = static_cast<uint16_t>(rnd(4) ? x & 0x8787 : x & 0xdbdb);
    if (kind == 8 && rnd(8)) x = rnd(4) ? 0 : static_cast<uint16_t>(x & 0x8001);
    shared[i] = static_cast<uint8_t>(x);
    shared[i + 1] = static_cast<uint8_t>(x >> 8);
  }
}

inline uint64_t Memories::descriptor(unsigned op, bool across) {
  static const unsigned swizzles[] = {0, 2, 4, 6, 1};
  const uint64_t swizzle = across && op == TF32 ? 1 : swizzles[rnd(across ? 4 : 5)];
  const auto offset = [&] { return rnd(4) ? 8ull << rnd(4) : uint64_t{rnd(64)}; };
  uint64_t d = rnd(rnd(4) ? 64 : units * 64) & ~(rnd(2) ? 7ull : 0ull);
  d |= offset() << 16 | offset() << 32 | 1ull << 46 | swizzle << 61;
  if (rnd(2)) d |= uint64_t{rnd(8)} << 49;
  return d | uint64_t{rnd(256)} << 53;
}

inline void Memories::choose_product(Command &c) {
  static const uint32_t small[] = {0, 1, 3, 4, 5};
  const uint32_t m64 = rnd(2), bf16 = rnd(2), majors = c.ta ? rnd(2) << 1 : rnd(4);
  for (unsigned i = 0; i < 2; i++) {
    const uint64_t d = descriptor(c.op, majors >> i & 1);
    c.a[2 * i] = static_cast<uint32_t>(d);
    c.a[2 * i + 1] = static_cast<uint32_t>(d >> 32);
  }
  const uint32_t n = 1 + rnd(std::max(1u, std::min(32u, (z.columns - 32) / 8) >> rnd(4)));
  c.b[1] = rnd(4) | majors << 15 | n << 17 | (m64 ? 4u : 8u) << 24;
  switch (c.op) {
  case TF32:
    c.b[1] |= 1u << 4 | 2u << 7 | 2u << 10 | rnd(4) << 13;
    break;
  case F8F6F4:
    c.b[1] |= rnd(2) << 4 | small[rnd(5)] << 7 | small[rnd(5)] << 10 | rnd(4) << 13;
    break;
  case I8:
    c.b[1] |= rnd(2) << 3 | 2u << 4 | rnd(2) << 7 | rnd(2) << 10;
    break;
  case MXF8F6F4:
  case MXF4:
    return choose_scaled(c);
  default:
    c.b[1] |= (bf16 ? 1 : rnd(2)) << 4 | bf16 << 7 | bf16 << 10 | rnd(4) << 13;
  }
  c.b[0] = rnd(z.columns - 32 - 8 * n + 1) | (m64 ? rnd(2) << 20 : 0);
  if (c.ta) c.a[0] = rnd(z.columns - 32 - 7) | (c.b[0] & 0xffff0000);
  c.read = rnd(4);
  c.imm = static_cast<unsigned>(rnd());
  c.scale = rnd(2) ? 0 : zeros ? 15 : rnd(16); // D alone, scaled down as far as it goes
  c.imm = (c.imm & ~15u) | c.scale;
  for (uint32_t &off : c.off)
    off = rnd(2) ? 0 : rnd(8) ? static_cast<uint32_t>(rnd()) : ~0u;
}

inline void Memories::choose_move(Command &c) {
  c.imm = (static_cast<unsigned>(rnd()) & ~31u) | rnd(6) | rnd(3) << 3;
  const uint64_t d = descriptor(CP, false);
  c.a[0] = static_cast<uint32_t>(d);
  c.a[1] = static_cast<uint32_t>(d >> 32);
  c.b[0] = rnd(z.columns - 32 - 7) | (c.shape() == 1 ? rnd(32) << 16 : 0);
  if (c.op == SHIFT) c.a[0] = rnd(z.columns - 32 - 7) | rnd(4) << 21;
}

inline Command Memories::choose() {
  static const unsigned ops[] = {UMMA_OPS};
  Command c{};
  const bool bad = rnd(16) < spoil;
  c.warp = rnd(z.warps);
  c.cta = cta[c.warp];
  c.lane = rnd(32);
  c.pc = static_cast<unsigned>(rnd()) & 0xfffffff;
  c.op = rnd(4) ? ops[rnd(sizeof ops / sizeof ops[0])] : static_cast<unsigned>(COMMIT);
  if (c.op == COMMIT) {
    c.generic = rnd(2);
    c.a[0] = rnd(units * 128) * 8;
    c.a[1] = 0x10000;
    if (bad) c.a[rnd(2)] += 1u << rnd(32);
    return c;
  }
  c.ta = product(c.op) && UMMA_TA && rnd(3) == 0;
  do {
    if (product(c.op))
      choose_product(c);
    else
      choose_move(c);
  } while (judged(c).bad || (scaled(c.op) && !scales_apart(c)));
  if (!bad) return c;
  const Command good = c;
  uint32_t *const where[] = {&c.b[1], &c.b[0], &c.a[0], &c.a[1],
                             &c.a[2], &c.a[3], &c.b[2], &c.b[3]};
  *where[rnd(scaled(c.op) ? 8 : 6)] ^= 1u << rnd(32);
  if (rnd(4) == 0) c.a[1 + 2 * rnd(2)] ^= 7u << 29;
  if (product(c.op) && rnd(3) == 0) c.b[1] ^= 1u << rnd(32);
  if (scaled(c.op) && rnd(4) == 0) {
    uint32_t &at = c.b[2 + rnd(2)];
    at = (at & 0xffff0000) | (z.columns - 8 + rnd(9));
  }
  if (c.op == CP && rnd(4) == 0) c.imm ^= 1u << rnd(5);
  return judged(c).bad || apart(c) ? c : good;
}

inline void Memories::write(Rows &rows, unsigned quarter, unsigned column, unsigned lane,
                            uint32_t x) {
  word(quarter, column, lane) = x;
  Row &row = rows[{quarter, column * z.beats() + lane / z.lanes}];
  row.data.resize(z.lanes);
  row.mask |= 1u << lane % z.lanes;
  row.data[lane % z.lanes] = x;
}

inline void Memories::multiply(const Command &c, Rows &rows) {
  using Elements = std::array<uint32_t, 64>;
  const Operand a = c.operand(false), b = c.operand(true);
  const uint32_t base = c.cta * units * 1024;
  const auto elements = [&](const Operand &o, unsigned row) {
    Elements e{};
    for (unsigned k = 0; k < c.k(); k++) {
      e[k] = of_chunk(chunk(base + o.chunk(row, k)).data(), o.number(row, k), c.op, o.type);
      if (o.neg) e[k] = negated(e[k], c.op, o.type);
    }
    return e;
  };
  std::vector<Elements> columns;
  for (unsigned n = 0; n < c.n(); n++)
    columns.push_back(elements(b, n));
  for (unsigned q = 0; q < 4; q++)
    for (unsigned l = 0; l < 32; l++) {
      const int r = c.row(q, l);
      if (r < 0 || (c.off[q] >> l & 1)) continue;
      Elements of_a{};
      if (!c.ta)
        of_a = elements(a, static_cast<unsigned>(r));
      else {
        uint32_t words[8];
        for (unsigned w = 0; w < 8; w++)
          words[w] = word(q, (c.a[0] & 0xffff) + w, l);
        for (unsigned k = 0; k < c.k(); k++) {
          of_a[k] = of_words(words, k, c.op, a.type);
          if (a.neg) of_a[k] = negated(of_a[k], c.op, a.type);
        }
      }
      for (unsigned n = 0; n < c.n(); n++) {
        const uint32_t d = c.read ? word(q, c.column() + n, l) : 0;
        Scales s{};
        if (scaled(c.op))
          s = {word(q, c.scale_column(false) + q, l),
               word(q, c.scale_column(true) + n / 32, n % 32)};
        write(rows, q, c.column() + n, l, element(c, of_a.data(), columns[n].data(), d, s));
      }
    }
}

inline void Memories::move(const Command &c, Rows &rows) {
  const unsigned column = c.address() & 0xffff;
  if (c.op == SHIFT) {
    const unsigned q = c.a[0] >> 21 & 3;
    for (unsigned w = 0; w < 8; w++)
      for (unsigned l = 0; l < 31; l++)
        write(rows, q, column + w, l, word(q, column + w, l + 1));
    return;
  }
  static const unsigned types[] = {0, 3, 5};
  const unsigned type = types[c.unpacking()];
  const Operand o = c.operand(false);
  for (unsigned q = 0; q < 4; q++)
    for (unsigned l = 0; l < 32; l++) {
      const int r = c.source(q, l);
      if (r < 0) continue;
      for (unsigned w = 0; w < 4 * c.chunks(); w++) {
        const auto bytes =
            chunk(c.cta * units * 1024 + o.chunk(static_cast<unsigned>(r), w / 4 * 16));
        uint32_t x = 0;
        for (unsigned n = 0; n < 4; n++)
          x |= of_chunk(bytes.data(), w % 4 * 4 + n, F8F6F4, type) << (type == 5 ? 2 : 0) << 8 * n;
        write(rows, q, column + w, l, x);
      }
    }
}

// The rows that it writes; the memory is as it leaves it. (Scales lie beside D.)
inline Rows Memories::act(const Command &c) {
  Rows rows;
  if (product(c.op))
    multiply(c, rows);
  else
    move(c, rows);
  return rows;
}
} // namespace umma
