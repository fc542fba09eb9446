// Bench of one SM (rtl/gpu/gpu_top.sv): memory behind the order point with the latency of
// docs/microarchitecture.md 13, launch block, journal counters. No model is compared here.
#ifndef WL_TESTS_RTL_CORE_SM_BENCH_H
#define WL_TESTS_RTL_CORE_SM_BENCH_H

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace bench {

constexpr uint64_t MemBase = UINT64_C(1) << 32;
constexpr uint32_t MemBytes = 1u << 20;
constexpr uint64_t LaunchAddr = MemBase; // launch block, parameters behind it
constexpr uint64_t CodeAddr = MemBase + 0x10000;
constexpr uint64_t LocalAddr = MemBase + 0x40000;
constexpr uint64_t DataAddr = MemBase + 0x80000;

// One instruction word; each setter returns the word so that calls chain.
struct Insn {
  uint32_t w[4] = {0, 0, 0, 0};
  explicit Insn(unsigned form, unsigned guard = 7, bool guard_neg = false);
  Insn &set(unsigned low, unsigned width, uint32_t value);
  Insn &rd(unsigned r);
  Insn &ra(unsigned r);
  Insn &rb(unsigned r);
  Insn &rc(unsigned r);
  Insn &pd(unsigned p);
  Insn &pq(unsigned p);
  Insn &ps(unsigned p, bool neg = false);
  Insn &imm(uint32_t v);
};

struct Launch {
  uint32_t grid[3] = {1, 1, 1};
  uint32_t block[3] = {32, 1, 1};
  uint32_t reg_pages = 4;
  uint32_t smem_bytes = 0;
  uint32_t local_bytes = 0;
  std::vector<uint32_t> params;
  std::vector<Insn> code;
};

struct Result {
  bool done = false;
  uint64_t cycles = 0;
  uint64_t issued = 0;
  bool trapped = false;
  unsigned cause = 0, warp = 0, lane = 0;
  uint32_t pc = 0;
};

class Sm {
public:
  Sm();
  ~Sm();
  Result run(const Launch &launch, uint64_t limit = 200000);
  uint32_t load(uint64_t addr) const;
  void store(uint64_t addr, uint32_t value);
  unsigned warps() const;
  bool trace = false; // print issues, resolves and packets

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

} // namespace bench

#endif
