#include "reference.h"

#include <algorithm>

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
  if (s == 3 || s == 5 || s == 7) return true;
  return across && (bits == 32 ? s != 1 : s == 1);
}

uint32_t Operand::chunk(unsigned row, unsigned k) const {
  const uint32_t w = width(), v = row / per_chunk();
  uint32_t x = start();
  if (!across)
    x += row % 8 * w + row / 8 * sbo() + k / per_chunk() * (swizzle() == 0 ? lbo() : 16);
  else if (swizzle() == 0)
    x += v * sbo() + k % 8 * 16 + k / 8 * lbo();
  else if (swizzle() == 1)
    x += v % 8 * 16 + v / 8 * lbo() + k % 4 * 128 + k / 4 * sbo();
  else
    x += v % (w / 16) * 16 + v / (w / 16) * lbo() + k % 8 * w + k / 8 * sbo();
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
  return x;
}

// With swizzle the 128 bytes that the highest chunk lies in, before they are swapped.
uint32_t Operand::above(uint32_t y) const { return swizzle() == 0 ? y + 16 : (y / 128 + 1) * 128; }

uint32_t Operand::end() const {
  const uint32_t w = width(), none = swizzle() == 0, k = 2 * per_chunk();
  if (!across) return above(start() + 7 * w + (rows / 8 - 1) * sbo() + (none ? lbo() : 16));
  const uint32_t v = rows / per_chunk() - 1, q = v / (w / 16);
  if (none) return above(start() + v * sbo() + 112 + (k / 8 - 1) * lbo());
  const uint32_t y = start() + (q == 0 ? 16 * v : w - 16) + q * lbo();
  return above(swizzle() == 1 ? y + 384 + sbo() : y + 7 * w + (k / 8 - 1) * sbo());
}

Operand Command::operand(bool second) const {
  const uint64_t low = a[second ? 2 : 0], high = a[second ? 3 : 1];
  if (op == CP) return {high << 32 | low, false, false, rows(), 8, 0};
  return {high << 32 | low,
          (b[1] >> (second ? 16 : 15) & 1) != 0,
          (b[1] >> (second ? 14 : 13) & 1) != 0,
          second ? n() : m(),
          bits_of(op),
          type(second)};
}

int Command::row(unsigned quarter, unsigned l) const {
  if (m() == 128) return static_cast<int>(32 * quarter + l);
  const unsigned z = b[0] >> 20 & 1;
  if (l / 16 != z) return -1;
  return static_cast<int>(16 * quarter + l - 16 * z);
}

unsigned Command::rows() const {
  static const unsigned r[] = {128, 4, 128, 64, 64, 32, 8, 8};
  return r[shape()];
}

int Command::source(unsigned q, unsigned l) const {
  switch (shape()) {
  case 1:
    return l == (b[0] >> 16 & 31) ? static_cast<int>(q) : -1;
  case 3:
    return static_cast<int>(32 * (q % 2) + l);
  case 4:
    return static_cast<int>(32 * (q / 2) + l);
  case 5:
    return static_cast<int>(l);
  default:
    return static_cast<int>(32 * q + l);
  }
}

namespace {
enum { MISALIGNED = 10, OUT_OF_BOUNDS = 11, LANES = 22, RANGE = 23, DESCRIPTOR = 24 };

bool eight(unsigned t) { return t == 0 || t == 1 || t == 3 || t == 4 || t == 5; }
bool reserved_scaled(const Command &c) {
  const uint32_t i = c.instruction();
  const auto bits = [&](unsigned high, unsigned low) {
    return i >> low & ((2u << (high - low)) - 1);
  };
  if (bits(3, 0) || bits(6, 6) || bits(26, 24) || bits(31, 31)) return true;
  if (c.n() == 0 || c.n() > 256 || bits(28, 27) != 1) return true;
  if (c.op == MXF8F6F4)
    return !eight(c.type(false)) || !eight(c.type(true)) || (bits(16, 16) && c.n() % 16 != 0) ||
           bits(23, 23) != 1;
  for (const unsigned id : {bits(5, 4), bits(30, 29)})
    if (c.b16 ? id != 0 : id != 0 && id != 2) return true;
  return c.type(false) != 1 || c.type(true) != 1 || bits(16, 15) || (bits(23, 23) == 0 && !c.b16);
}

bool reserved_instruction(const Command &c) {
  if (scaled(c.op)) return reserved_scaled(c);
  const uint32_t i = c.instruction();
  const unsigned d = i >> 4 & 3, ta = c.type(false), tb = c.type(true);
  for (const unsigned bit : {2u, 6u, 23u, 29u})
    if (i >> bit & 1) return true;
  if (c.n() == 0 || c.n() > 256 || (c.m() != 64 && c.m() != 128) || (i >> 30)) return true;
  if (c.op != I8 && (i >> 3 & 1)) return true;
  const bool odd = c.n() % 16 != 0, across_b = i >> 16 & 1;
  switch (c.op) {
  case TF32:
    return d != 1 || ta != 2 || tb != 2;
  case F8F6F4:
    return d > 1 || !eight(ta) || !eight(tb) || (across_b && odd);
  case I8:
    return d != 2 || ta > 1 || tb > 1 || (i >> 13 & 3) || (odd && (across_b || c.n() > 32));
  default:
    return d > 1 || ta > 1 || tb != ta || (d == 0 && ta == 1);
  }
}

bool beyond(unsigned first, unsigned count, const std::vector<bool> &owns, unsigned columns) {
  if (first + count > columns) return true;
  for (unsigned x = first; x < first + count; x++)
    if (!owns[x / 32]) return true;
  return false;
}

Fault judge_commit(const Command &c, uint32_t smem_bytes) {
  const uint64_t address = c.generic ? uint64_t{c.a[1]} << 32 | c.a[0] : c.a[0];
  if (c.a[0] % 8) return {true, MISALIGNED, address};
  if ((c.generic && c.a[1] != 0x10000) || uint64_t{c.a[0]} + 8 > smem_bytes)
    return {true, OUT_OF_BOUNDS, address};
  return {false, 0, 0};
}

Fault judge_move(const Command &c, uint32_t smem_bytes, const std::vector<bool> &owns,
                 unsigned columns) {
  const uint32_t t = c.address(), lanes = t >> 16;
  unsigned words = 8;
  if (c.op == CP) {
    const Operand o = c.operand(false);
    if (c.shape() > 5 || c.unpacking() == 3) return {true, DESCRIPTOR, c.imm & 31};
    if (o.reserved()) return {true, DESCRIPTOR, o.word};
    const uint32_t high = c.shape() == 1 ? 0 : c.rows() / 8 - 1;
    uint32_t y = o.start() + (std::min(c.rows(), 8u) - 1) * o.width() + high * o.sbo();
    if (c.chunks() == 2) y += o.swizzle() == 0 ? o.lbo() : 16;
    if (o.above(y) > smem_bytes) return {true, DESCRIPTOR, uint64_t{o.above(y)} - 1};
    if (lanes > (c.shape() == 1 ? 31 : 0)) return {true, LANES, t};
    words = 4 * c.chunks();
  } else if (lanes != 0 && lanes != 32 && lanes != 64 && lanes != 96) {
    return {true, LANES, t};
  }
  if (beyond(t & 0xffff, words, owns, columns)) return {true, RANGE, t};
  return {false, 0, 0};
}
} // namespace

Fault judge(const Command &c, uint32_t smem_bytes, const std::vector<bool> &owns,
            unsigned columns) {
  if (c.op == COMMIT) return judge_commit(c, smem_bytes);
  if (!product(c.op)) return judge_move(c, smem_bytes, owns, columns);
  if (reserved_instruction(c) || (c.ta && (c.instruction() >> 15 & 1)))
    return {true, DESCRIPTOR, c.instruction()};
  for (const bool second : {false, true})
    if (!(c.ta && !second) && c.operand(second).reserved())
      return {true, DESCRIPTOR, c.operand(second).word};
  for (const bool second : {false, true})
    if (!(c.ta && !second) && c.operand(second).end() > smem_bytes)
      return {true, DESCRIPTOR, uint64_t{c.operand(second).end()} - 1};
  const uint32_t lanes = c.b[0] >> 16;
  if (lanes != 0 && !(c.m() == 64 && lanes == 16)) return {true, LANES, c.b[0]};
  if (c.ta && c.a[0] >> 16 != lanes) return {true, LANES, c.a[0]};
  for (const unsigned j : {2u, 3u})
    if (scaled(c.op) && (c.b[j] & 0x3fff0000)) return {true, LANES, c.b[j]};
  if (beyond(c.column(), c.n(), owns, columns)) return {true, RANGE, c.b[0]};
  if (c.ta && beyond(c.a[0] & 0xffff, 8, owns, columns)) return {true, RANGE, c.a[0]};
  for (const bool second : {false, true})
    if (scaled(c.op) && beyond(c.scale_column(second), c.scale_columns(second), owns, columns))
      return {true, RANGE, c.b[second ? 3 : 2]};
  return {false, 0, 0};
}
} // namespace umma
