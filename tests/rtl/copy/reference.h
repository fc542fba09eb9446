// Reference of the copy engine, written from docs/microarchitecture.md 23: which requests it presents, in
// which order its commands end, what it answers to BWAIT. It sees what the bench grants and delivers.
#pragma once
#include <cstdint>
#include <deque>
#include <vector>

namespace copies {
enum { BLOAD = 9, BSTORE = 10, BRED = 11 };                                  // kinds
enum { MISALIGNED = 10, OUT_OF_BOUNDS = 11, MBARRIER = 16, COPY_SIZE = 17 }; // trap.def
enum { LD = 0, ST = 1, RED = 3 }; // operations of packets

struct Sizes {
  unsigned subs, warps, ctas, entries, rows, banks;
  uint32_t smem;
};
struct Limits {
  uint64_t base, limit;
  uint32_t smem_bytes;
};
struct Command {
  unsigned kind, type, atom, warp, lane, pc;
  uint64_t g;
  uint32_t s, k, m, cta_base;
  // Known to the reference.
  unsigned number = 0, age = 0, acks = 0; // accepted since `clear`
  bool drained = false, read = false, signalled = false;
  uint64_t first() const { return g / 32; }
  uint64_t end() const { return (g + k - 1) / 32; } // last sector
};
struct Fault {
  bool bad;
  unsigned cause;
  uint64_t address;
};
Fault judge(const Command &c, const Limits &l);

struct Row {
  unsigned command; // number
  unsigned number;  // taken since `clear`
  uint64_t sector;
  bool last, present[2];
  uint32_t at[2]; // shared addresses of the halves
  unsigned to_come;
  bool taken, ready;
  uint32_t data[8];
};
struct Packet {
  bool valid;
  unsigned op, atom, type, tag;
  uint64_t sector;
  uint32_t mask, data[8];
};
struct Chunks {
  bool valid, store;
  bool half[2];
  uint32_t at[2], data[2][4];
  unsigned row; // number of a load's row
};

class Reference {
public:
  explicit Reference(const Sizes &sizes) : z(sizes) {}
  void clear();
  // As visible in the cycle.
  bool put_free() const { return used.size() < z.entries; }
  bool rest() const { return used.empty(); }
  const std::deque<Command> &in_use() const { return used; }
  Packet packet() const;
  Chunks chunks() const;
  bool signals() const; // the oldest command offers its signal
  bool frees(bool delivered) const;
  bool left(unsigned warp, unsigned most, bool reads) const;
  int read_by(unsigned row) const; // warp whose last data an answer for the row brings, or -1
  // What happens in the cycle. All of it counts as seen at its start.
  void packet_granted(bool of_row);
  void chunks_granted(bool of_row);
  void sector(unsigned place, const uint32_t *data);
  void answer(unsigned row, const bool *half, const uint32_t (*data)[4]);
  void ack(unsigned entry);
  void signal_taken() { used.front().signalled = true; }
  void free() { used.pop_front(); }
  void commit(uint64_t warps);
  void accept(Command c);

private:
  Sizes z;
  std::deque<Command> used; // the oldest first
  std::deque<Row> rows;     // the oldest first; the last one may not be taken yet
  unsigned accepted = 0, walked = 0, rows_taken = 0;
  uint64_t at = 0; // sector of the walk
  bool second = false, drain_second = false;

  bool pair() const { return z.banks >= 8; }
  const Command &command(unsigned number) const { return used[number - used.front().number]; }
  Command &command(unsigned number) { return used[number - used.front().number]; }
  bool asks() const;
  bool drains(unsigned kinds_load) const; // the oldest row is ready, and of a load or not
  Row next_row() const;
  bool choose(const Row &row, bool later, bool *half) const; // halves of a request; is it the last?
  void take();
  void drain();
};
} // namespace copies
