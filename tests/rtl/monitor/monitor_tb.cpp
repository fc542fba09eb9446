// Bench of rtl/gpu/monitor.sv (section 14): events at random, launches that start at random. The
// bench keeps the sums of the cycles since the start: pm in c counts from the cycle after Start to
// c - 2, and the output is pm of the following cycle.
#include <memory>

#include "bench.h"
#include "verilated.h"
#include PM_HEADER

using namespace bench;

namespace {
constexpr unsigned kSubs = PM_SUBS;
constexpr unsigned kCycles = 200000;

unsigned ones(unsigned bits) { return static_cast<unsigned>(__builtin_popcount(bits)); }
} // namespace

int main() {
  auto context = std::make_unique<VerilatedContext>();
  auto top = std::make_unique<PM_MODEL>(context.get());
  top->rst_ni = 0;
  top->start_i = 0;
  for (unsigned i = 0; i < 4; i++) {
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
  }
  top->rst_ni = 1;
  uint64_t sum[8] = {};  // events before the last cycle
  uint64_t last[8] = {}; // events of the last cycle
  uint64_t checks = 0, starts = 0;
  for (uint64_t cycle = 0; cycle < kCycles; cycle++) {
    const unsigned issue = rnd(1u << kSubs), occupied = issue | rnd(1u << kSubs);
    const unsigned miss = rnd(1u << kSubs), single = rnd(32u);
    const bool start = rnd(3000) == 0;
    top->clk_i = 0;
    top->start_i = start;
    top->issue_i = static_cast<uint8_t>(issue);
    top->occupied_i = static_cast<uint8_t>(occupied);
    top->fetch_miss_i = static_cast<uint8_t>(miss);
    top->smem_take_i = single & 1;
    top->smem_pass_i = single >> 1 & 1;
    top->ldc_miss_i = single >> 2 & 1;
    top->grant_i = single >> 3 & 1;
    top->wait_i = single >> 4 & 1;
    top->finish_i = 0;
    top->eval();
    for (unsigned i = 0; i < 8; i++) {
      const uint64_t expected = start ? 0 : sum[i] + last[i];
      check_eq("pm of the next cycle", top->pm_next_o[i], expected, cycle * 8 + i);
      checks++;
    }
    top->clk_i = 1;
    top->eval();
    const uint64_t events[8] = {ones(issue),     ones(occupied) - ones(issue),
                                single & 1,      single >> 1 & 1,
                                ones(miss),      single >> 2 & 1,
                                single >> 3 & 1, single >> 4 & 1};
    for (unsigned i = 0; i < 8; i++) {
      sum[i] = start ? 0 : sum[i] + last[i];
      last[i] = start ? 0 : events[i];
    }
    starts += start;
  }
  check(starts > 10, "starts", starts, 10, 0);
  top->final();
  return finish("monitor", checks);
}
