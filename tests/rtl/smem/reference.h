// Reference of shared memory (docs/microarchitecture.md 11, 11b, 21.2): contents, and a request pass by
// pass.
#pragma once
#include "bench.h"
#include "tests/rtl/mbarrier/reference.h"

namespace smem {
using namespace bench;
constexpr unsigned kLanes = SMEM_LANES, kBanks = SMEM_BANKS, kBytes = SMEM_BYTES;
constexpr unsigned kSlots = SMEM_SLOTS; // config.def LsuDepth
constexpr unsigned kSerial = 6;         // config.def SmemSerialStep
constexpr bool kWide = SMEM_WIDE;       // config.def SmemWide and SmemBankAtoms
constexpr bool kAtom128 = SMEM_ATOM128; // config.def Atom128
enum { LDK, STK, ATK, MBK = 5, MTK };
constexpr unsigned kObjects = 24; // mbarriers, in the first rows of the banks

// Whose a request is: the LSU's, the copy engine's signal (23.3), a commit (25.8).
enum Way { LSU, SIGNAL, COMMIT, WAYS };
struct Request {
  Way way;
  unsigned slot, kind, type, atom, beat;
  uint32_t mask, addr[kLanes], data[8][kLanes];
};
struct Result {
  uint32_t word[4][kLanes];
};

struct Misuse {
  bool valid;
  unsigned lane;
  uint32_t at; // byte address
};
// What an operation on an mbarrier does when it acts.
struct Act {
  bool complete;
  uint32_t gen;
};

inline uint8_t mem[kBytes];
inline uint32_t phases;        // completed
inline uint64_t swapped, kept; // cas of 128 bits, by what they found

inline uint32_t word_at(uint32_t a) {
  a &= ~3u;
  return mem[a] | mem[a + 1] << 8 | mem[a + 2] << 16 | static_cast<uint32_t>(mem[a + 3]) << 24;
}
inline void set_word(uint32_t a, uint32_t v) {
  for (unsigned i = 0; i < 4; i++)
    mem[(a & ~3u) + i] = static_cast<uint8_t>(v >> 8 * i);
}

// A request, pass by pass (section 11). What a pass reads and writes is done at once: between its
// accesses there are none of others (11b).
class Passes {
public:
  explicit Passes(const Request &request) : r(request) {
    bytes = bytes_of(static_cast<int>(r.type));
    words = bytes > 4 ? bytes / 4 : 1;
    const bool atom = r.kind == ATK || r.kind == MBK;
    serial = atom && (!kWide || bytes >= 8 || r.atom == CAS || r.type == F32);
    by_word = !kWide && !atom; // SmemWide = 0: word by word of all lanes
    duration = !atom ? 1 : serial ? kSerial : 2;
    // Parts: narrow: words; wide: halves of the lanes or quarters.
    splits = kWide ? words : 1;
    parts = by_word ? words * splits : splits;
    begin();
  }
  bool done() const { return part == parts; }
  // The next pass. True if it is the last one of a part after which words are delivered.
  bool pass(Result &res) {
    const uint32_t served = choose();
    for (unsigned i = 0; i < kLanes; i++)
      if (served >> i & 1) serve(i, res);
    pending &= ~served;
    if (pending) return false;
    const bool load = r.kind == LDK || r.kind == MTK;
    delivered = by_word && load ? 1u << from() : r.kind == STK ? 0 : (1u << words) - 1;
    const bool some = by_word && load && part % splits == splits - 1;
    part++;
    begin();
    return some || done();
  }
  Request r;
  unsigned duration, delivered = 0; // cycles of a pass; mask of the words
  Misuse misuse{};                  // the first of the request
  Act act{};                        // of the pass

private:
  unsigned bytes, words, splits, parts, part = 0;
  bool serial, by_word;
  uint32_t pending = 0;

  unsigned from() const { return by_word ? part / splits : 0; }
  unsigned to() const { return by_word ? from() + 1 : words; }
  void begin() { // the next part that has lanes
    for (; part < parts; part++) {
      const unsigned first = part % splits * kLanes / splits;
      const unsigned end = (part % splits + 1) * kLanes / splits;
      for (unsigned i = first; i < end; i++)
        pending |= r.mask & 1u << i;
      if (pending) return;
    }
  }
  uint32_t choose() const {
    uint32_t served = 0;
    int row[kBanks];
    for (int &x : row)
      x = -1;
    for (unsigned i = 0; i < kLanes; i++) {
      if (!(pending >> i & 1)) continue;
      const unsigned w = r.addr[i] / 4 + from();
      if (serial) return 1u << i;
      if (r.kind == ATK || (!kWide && r.kind == STK)) { // one lane per bank
        if (row[w % kBanks] < 0) {
          row[w % kBanks] = 0;
          served |= 1u << i;
        }
        continue;
      }
      for (unsigned k = 0; k < to() - from(); k++)
        if (row[(w + k) % kBanks] < 0) row[(w + k) % kBanks] = static_cast<int>((w + k) / kBanks);
    }
    if (r.kind == LDK || r.kind == MTK || (kWide && r.kind == STK)) served |= matching(row);
    return served;
  }
  uint32_t matching(const int *row) const { // lanes whose words lie in the rows
    uint32_t served = 0;
    for (unsigned i = 0; i < kLanes; i++) {
      bool all = pending >> i & 1;
      for (unsigned k = from(); all && k < to(); k++) {
        const unsigned w = r.addr[i] / 4 + k;
        all = row[w % kBanks] == static_cast<int>(w / kBanks);
      }
      if (all) served |= 1u << i;
    }
    return served;
  }
  void serve_mbarrier(unsigned i, Result &res) {
    const uint32_t a = r.addr[i];
    const uint64_t was = res.word[0][i] | static_cast<uint64_t>(res.word[1][i]) << 32;
    const mbarrier::Outcome o =
        mbarrier::operate(static_cast<int>(r.atom), mbarrier::decode(was), r.data[0][i]);
    if (o.misuse && !misuse.valid) misuse = {true, i, a};
    if (o.complete) phases = (phases + 1) % (1u << 31);
    act = {o.complete, phases};
    if (o.misuse) return;
    set_word(a, static_cast<uint32_t>(mbarrier::encode(o.now)));
    set_word(a + 4, static_cast<uint32_t>(mbarrier::encode(o.now) >> 32));
  }
  void serve_quad(unsigned i, const Result &res) {
    bool same = true;
    for (unsigned k = 0; k < 4; k++)
      same = same && res.word[k][i] == r.data[k][i];
    if (r.atom == CAS) (same ? swapped : kept)++;
    for (unsigned k = 0; k < 4; k++) {
      if (r.atom == EXCH)
        set_word(r.addr[i] + 4 * k, r.data[k][i]);
      else if (same)
        set_word(r.addr[i] + 4 * k, r.data[4 + k][i]);
    }
  }
  void serve(unsigned i, Result &res) {
    const uint32_t a = r.addr[i];
    if (r.kind == STK) {
      for (unsigned b = 4 * from(); b < (by_word && words > 1 ? 4 * to() : bytes); b++)
        mem[a + b] = static_cast<uint8_t>(r.data[b / 4][i] >> 8 * (b & 3));
      return;
    }
    for (unsigned k = from(); k < to(); k++)
      res.word[k][i] = word_at(a + 4 * k);
    if (r.kind == LDK) {
      if (bytes < 4 && kWide) { // narrow: words as they lie, the LSU extends
        res.word[0][i] = extend(static_cast<int>(r.type), res.word[0][i] >> 8 * (a & 3));
      }
      return;
    }
    if (r.kind == MTK) { // of the object's high word
      res.word[0][i] = ((res.word[0][i] ^ r.data[0][i]) & 1) << 31 | phases;
      return;
    }
    if (r.kind == MBK) {
      serve_mbarrier(i, res);
      return;
    }
    if (words == 4) {
      serve_quad(i, res);
      return;
    }
    uint64_t old = res.word[0][i], v = r.data[0][i], c = r.data[0][i];
    if (words == 2) {
      old |= static_cast<uint64_t>(res.word[1][i]) << 32;
      v |= static_cast<uint64_t>(r.data[1][i]) << 32;
      c = v;
    }
    if (r.atom == CAS)
      v = words == 2 ? r.data[2][i] | static_cast<uint64_t>(r.data[3][i]) << 32 : r.data[1][i];
    const uint64_t n = atomic(static_cast<int>(r.atom), static_cast<int>(r.type), old, v, c, false);
    set_word(a, static_cast<uint32_t>(n));
    if (words == 2) set_word(a + 4, static_cast<uint32_t>(n >> 32));
  }
};
} // namespace smem
