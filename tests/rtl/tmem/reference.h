// Reference of tensor memory, written from docs/microarchitecture.md 24: the allocator, and the loads and
// stores of a sub-core. Everything is as visible in a cycle; `next` makes the next one.
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <vector>

namespace tensor_memory {
enum { ALLOC, DEALLOC, RELINQUISH, LD, ST, WAITLD };                                 // operations
enum { BAD_COLUMNS = 18, BAD_PERMIT, BAD_GROWS, BAD_DEALLOC, BAD_LANES, BAD_RANGE }; // trap.def

struct Sizes {
  unsigned subs, warps, ctas, lanes, columns, loads;
  constexpr unsigned beats() const { return 32 / lanes; }
  constexpr unsigned units() const { return columns / 32; }
};
struct Fault {
  bool bad;
  unsigned cause;
  uint32_t address;
};
using Row = std::array<uint32_t, 32>; // lanes of a beat

struct Command {
  bool valid;
  unsigned op, warp, cta;
  uint32_t address, number;
};
struct Outcome {
  Fault fault;
  bool waits, got;
  unsigned at;
  uint32_t units;
};

class Allocator {
public:
  explicit Allocator(const Sizes &sizes) : z(sizes), base(sizes.warps, -1) { clear(); }
  void clear();
  Outcome judge(const Command &c) const;
  uint32_t units_of(unsigned cta) const; // a bit for each
  bool rest() const;
  int wakes() const { return look && !queue.empty() ? static_cast<int>(queue.front()) : -1; }
  bool queued(unsigned warp) const;
  bool any_queued() const { return !queue.empty(); }
  // cta: that is freed, or -1.
  void next(const Command &c, const Outcome &o, int cta);

  struct Unit {
    bool used, first;
    unsigned cta;
  };
  Sizes z;
  std::vector<Unit> unit;
  std::vector<bool> may;
  std::vector<unsigned> most;
  std::vector<int> base; // first unit, -1: none yet
  std::deque<unsigned> queue;
  bool look = false;
};

// Address of a load or store, in the cycle after its X1.
struct Access {
  bool valid, load, half;
  unsigned warp, pc, words; // slot
  uint32_t a, imm;
};
struct Result {
  unsigned warp, rd, beat; // slot
  bool has_reg, last_word;
  Row data;
};
struct Write {
  bool valid;
  unsigned quarter, row;
  uint32_t mask;
  Row data;
};
struct Word { // X1 of a word of a store
  bool valid;
  unsigned k, beat;
  uint32_t mask;
  Row data;
};
struct Load {
  unsigned warp, rd, words; // slot
  bool judged, zero;
  unsigned quarter, column;
};

class Part {
public:
  Part(const Sizes &sizes, unsigned number) : z(sizes), sub(number) {
    for (unsigned q = 0; q < 4; q++)
      for (unsigned i = 0; i < z.columns * 32; i++)
        memory.push_back(q * z.columns * 32 + i);
  }
  void clear();
  bool ready() const { return loads.size() < z.loads; }
  bool rest() const { return loads.empty() && !staged && out.empty(); }
  Fault judge(const Allocator &of, unsigned cta, unsigned index) const; // of `access`
  bool has(unsigned warp) const;                                        // results to come
  // f: what judge says. x, word, issued: what comes in the cycle.
  void next(const Fault &f, unsigned index, bool taken, const Access &x, const Word &word,
            const Load *issued);

  Sizes z;
  unsigned sub;
  std::vector<uint32_t> memory; // (quarter * columns + column) * 32 + lane
  Access access{};
  Write write{};
  std::deque<Result> out;

private:
  uint32_t &at(unsigned quarter, unsigned column, unsigned lane) {
    return memory[(quarter * z.columns + column) * 32 + lane];
  }
  struct Place {
    bool ok, half, high;
    unsigned quarter, column;
  } place{};
  Word came{};
  std::deque<Load> loads;
  unsigned word = 0, beat = 0;
  bool staged = false;
  Result stage{};
};
} // namespace tensor_memory
