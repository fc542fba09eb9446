// Random requests of the LSU, signals of the copy engine, commits, and requests of the chunk port
// (docs/microarchitecture.md 11, 11b, 21.2, 23.3).
#pragma once
#include "reference.h"

namespace smem {
// On mbarriers: counts are often those that the object has, so that phases end.
inline Request random_mbarrier() {
  Request r{};
  r.slot = rnd(kSlots);
  r.beat = rnd(32 / kLanes);
  r.kind = rnd(3) ? MBK : MTK;
  r.type = r.kind == MBK ? B64 : B32;
  if (r.kind == MBK) r.atom = rnd(4) ? 2 + rnd(6) : 1;
  do {
    for (unsigned i = 0; i < kLanes; i++)
      r.mask |= (rnd(3) == 0 ? 1u : 0) << i;
  } while (!r.mask);
  for (unsigned i = 0; i < kLanes; i++) {
    const uint32_t a = 8 * rnd(kObjects);
    const mbarrier::Object o =
        mbarrier::decode(word_at(a) | static_cast<uint64_t>(word_at(a + 4)) << 32);
    const bool fills = r.atom != mbarrier::INIT && r.atom <= mbarrier::DROP;
    const int64_t like[] = {1, 2, o.p, o.e, o.x < 0 ? -o.x : o.x, rnd(5), mbarrier::kMost - o.x};
    const int64_t ends = fills ? o.p : r.atom == mbarrier::INIT ? 1 + rnd(3) : o.x < 0 ? -o.x : o.x;
    r.addr[i] = r.kind == MBK ? a : a + 4;
    r.data[0][i] = static_cast<uint32_t>(rnd(8) ? like[rnd(7)] : like[rnd(7)] + 1);
    if (rnd(4)) r.data[0][i] = static_cast<uint32_t>(ends);
    for (unsigned k = 1; k < 4; k++)
      r.data[k][i] = static_cast<uint32_t>(rnd());
  }
  return r;
}

// exch or cas of 128 bits. cas compares with what is there now, often but for one bit.
inline void quad(Request &r) {
  r.atom = rnd(3) ? CAS : EXCH;
  r.type = B128;
  // Few places, so that lanes meet.
  const uint32_t base = rnd(kBytes / 2), many = rnd(2) ? 3 : 64;
  for (unsigned i = 0; i < kLanes; i++) {
    r.addr[i] = (base + 16 * rnd(many)) & ~15u;
    for (unsigned k = 0; k < 4; k++)
      r.data[k][i] = r.atom == CAS ? word_at(r.addr[i] + 4 * k) : static_cast<uint32_t>(rnd());
    if (rnd(2)) r.data[rnd(4)][i] ^= 1u << rnd(32);
    for (unsigned k = 4; k < 8; k++)
      r.data[k][i] = static_cast<uint32_t>(rnd());
  }
}

inline Request random_request() {
  if (rnd(3) == 0) return random_mbarrier();
  static const unsigned loads[] = {U8, S8, U16, S16, B32, B64, B128};
  static const unsigned stores[] = {B8, B16, B32, B64, B128};
  Request r{};
  r.slot = rnd(kSlots);
  r.beat = rnd(32 / kLanes);
  r.kind = rnd(3);
  if (r.kind == LDK) r.type = loads[rnd(7)];
  if (r.kind == STK) r.type = stores[rnd(5)];
  if (r.kind == ATK) {
    const AtomForm f = kAtoms[rnd(kAtomForms)];
    r.atom = static_cast<unsigned>(f.op);
    r.type = static_cast<unsigned>(f.type);
  }
  const unsigned n = bytes_of(static_cast<int>(r.type));
  const uint32_t all = kLanes == 32 ? ~0u : (1u << kLanes) - 1;
  do {
    r.mask = static_cast<uint32_t>(rnd()) & all;
  } while (!r.mask);
  if (rnd(2)) r.mask = all;
  // Patterns: unit stride, few rows, one word, anywhere.
  const unsigned pattern = rnd(4), base = rnd(kBytes / 2) & ~63u;
  for (unsigned i = 0; i < kLanes; i++) {
    uint32_t a = 0;
    if (pattern == 0) a = base + i * n;
    if (pattern == 1) a = base + rnd(64) * 4 + rnd(4) * kBanks * 4;
    if (pattern == 2) a = base + rnd(16);
    if (pattern == 3) a = rnd(kBytes);
    if (rnd(64) == 0) a = rnd(8 * kObjects);
    r.addr[i] = (a % kBytes) & ~(n - 1);
    for (auto &d : r.data)
      d[i] = rnd(4) ? static_cast<uint32_t>(rnd() & (rnd(2) ? 3 : ~0u)) : word_at(r.addr[i]);
    if (r.type == F32) r.data[0][i] = static_cast<uint32_t>(rnd()) & (rnd(2) ? ~0u : 0x83ffffffu);
  }
  if (kAtom128 && r.kind == ATK && rnd(3) == 0) quad(r);
  return r;
}

// The end of a bulk load: an operation COMPLETE of lane 0, often with the bytes that the phase waits for.
inline Request random_signal() {
  Request r{};
  r.way = SIGNAL;
  r.kind = MBK;
  r.type = B64;
  r.atom = mbarrier::COMPLETE;
  r.mask = 1;
  r.addr[0] = 8 * rnd(kObjects);
  const mbarrier::Object o =
      mbarrier::decode(word_at(r.addr[0]) | static_cast<uint64_t>(word_at(r.addr[0] + 4)) << 32);
  const int64_t like[] = {o.x < 0 ? -o.x : o.x, o.x + mbarrier::kMost, 16 * rnd(5),
                          mbarrier::kMost};
  r.data[0][0] = static_cast<uint32_t>(like[rnd(3) ? 0 : rnd(4)]);
  if (rnd(4) == 0) r.data[0][0]++;
  return r;
}

// A commit: an operation ARRIVE of lane 0, by one.
inline Request random_commit() {
  Request r{};
  r.way = COMMIT;
  r.kind = MBK;
  r.type = B64;
  r.atom = mbarrier::ARRIVE;
  r.mask = 1;
  r.addr[0] = 8 * rnd(kObjects);
  r.data[0][0] = 1;
  return r;
}

// A request of the chunk port (11b): a chunk in some of the quads of banks.
constexpr unsigned kQuads = kBanks / 4, kRows = kBytes / 4 / kBanks;
constexpr unsigned kRowBits = SMEM_ROW_BITS, kQuadBits = 1 + kRowBits + 16 + 128;
struct Chunk {
  bool valid, store;
  unsigned tag, bytes[kQuads], row[kQuads];
  bool quad[kQuads];
  uint32_t word[kQuads][4];
};
inline Chunk random_chunk() {
  Chunk c{};
  c.valid = true;
  c.store = rnd(2);
  c.tag = rnd(256);
  do {
    for (unsigned k = 0; k < kQuads; k++) {
      c.quad[k] = rnd(2);
      c.valid = c.valid || c.quad[k];
    }
    c.quad[rnd(kQuads)] = true;
  } while (!c.valid);
  // Few rows, so that lanes and chunks meet.
  for (unsigned k = 0; k < kQuads; k++) {
    c.row[k] = rnd(3) ? rnd(8) : rnd(kRows);
    c.bytes[k] = rnd(3) ? 0xffff : rnd(65536);
    for (uint32_t &w : c.word[k])
      w = static_cast<uint32_t>(rnd());
  }
  return c;
}
} // namespace smem
