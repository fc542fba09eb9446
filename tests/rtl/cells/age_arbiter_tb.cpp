// The arbiter by age (rtl/cells/age_arbiter.sv, four sources) against the rule of
// docs/microarchitecture.md 6.3: the largest count of losses precedes from AgeLimit on, else the lowest
// number. Registers start with random values, so that a missing reset shows.
#include <cstdint>
#include <cstdio>
#include <memory>

#include ARBITER_HEADER
#include "verilated.h"

namespace {

constexpr unsigned sources = 4, limit = 8, most = 15;

uint32_t state = 1;
uint32_t rnd(uint32_t below) {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) % below;
}

unsigned expected(unsigned valid, const unsigned *lost) {
  unsigned best = sources;
  for (unsigned i = 0; i < sources; i++) {
    if ((valid >> i & 1) == 0) continue;
    if (best == sources || (lost[i] >= limit && lost[i] > lost[best])) best = i;
  }
  return best == sources ? 0 : 1u << best;
}

bool run(int seed) {
  auto context = std::make_unique<VerilatedContext>();
  context->randReset(2);
  context->randSeed(seed);
  auto top = std::make_unique<ARBITER>(context.get(), "TOP");
  unsigned lost[sources] = {};
  context->assertOn(false);
  for (unsigned cycle = 0; cycle < 20000; cycle++) {
    const bool reset = cycle < 2;
    const unsigned busy = 1 + rnd(3); // how often a source presents
    unsigned valid = reset ? 15 : 0;
    for (unsigned i = 0; i < sources && !reset; i++)
      valid |= static_cast<unsigned>(rnd(4) < busy || cycle % 256 > 128) << i;
    const bool taken = !reset && valid != 0 && rnd(4) != 0;
    context->assertOn(!reset);
    top->rst_ni = !reset;
    top->valid_i = static_cast<uint8_t>(valid);
    top->taken_i = taken;
    top->clk_i = 0;
    top->eval();
    const unsigned pick = expected(valid, lost);
    const unsigned picked = top->pick_o;
    top->clk_i = 1;
    top->eval(); // an assertion speaks first
    if (!reset && picked != pick) {
      std::printf("age_arbiter: seed %d cycle %u: picked %x, expected %x\n", seed, cycle, picked,
                  pick);
      return false;
    }
    for (unsigned i = 0; i < sources; i++) {
      if (reset || (valid >> i & 1) == 0 || (taken && (pick >> i & 1) != 0))
        lost[i] = 0;
      else if (taken && lost[i] < most)
        lost[i]++;
    }
  }
  return true;
}

} // namespace

int main() { return run(1) && run(2) ? 0 : 1; }
