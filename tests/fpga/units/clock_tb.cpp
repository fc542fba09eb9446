// The core's clock (docs/fpga.md 1): RUN makes exactly its ticks, single ticks are one, the core stands
// still between them, its states are the same whatever freezes, StopWhenDone ends in the same core
// cycle, STOP and pause hold it, and ticks are DIVIDE bridge cycles apart.
// Usage: clock_tb DIVIDE
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <Vshim_top.h>
#include <verilated.h>

namespace {

int failures = 0;
uint32_t divide = 0;
void check(uint64_t got, uint64_t expected, const char *what) {
  if (got == expected) return;
  failures++;
  printf("FAILED: %s: got %llu, expected %llu\n", what, static_cast<unsigned long long>(got),
         static_cast<unsigned long long>(expected));
}

struct Bench {
  Vshim_top t;
  uint64_t clocks = 0, last_tick = 0, changed = 0;
  std::vector<uint32_t> states;
  Bench() {
    t.over_at_i = 0xffffffffu;
    t.mem_ready_i = 1;
    t.core_divide_i = static_cast<uint8_t>(divide);
    clock();
    clock();
    t.rst_ni = 1;
    clock();
  }
  void clock() {
    t.eval();
    const bool tick = t.tick_o;
    const uint32_t count = t.count_o, noise = t.noise_o;
    if (tick) {
      states.push_back(noise);
      if (last_tick != 0 && clocks - last_tick < divide)
        check(clocks - last_tick, divide, "bridge cycles of a core cycle");
      if (clocks - changed + 1 < divide)
        check(clocks - changed + 1, divide, "cycles from a change of the inputs");
      last_tick = clocks;
    }
    t.clk_i = 1;
    t.eval();
    t.clk_i = 0;
    t.eval();
    clocks++;
    if (!t.clear_i && t.rst_ni && (t.count_o != count + tick || (!tick && t.noise_o != noise)))
      check(t.count_o, count + tick, "the core moves with ticks only");
  }
  void wait(unsigned n) {
    for (unsigned i = 0; i < n; i++)
      clock();
  }
  void single(bool clear) {
    t.clear_i = clear;
    t.single_i = 1;
    changed = clocks;
    while (t.eval(), !t.tick_o)
      clock();
    clock();
    t.single_i = 0;
    t.clear_i = 0;
    wait(4);
  }
  void run(uint32_t cycles, bool when_done) {
    t.run_i = 1;
    t.cycles_i = cycles;
    t.when_done_i = when_done;
    clock();
    t.run_i = 0;
  }
  void freeze(uint32_t seed, unsigned density) {
    t.freeze_i = 1;
    t.seed_i = seed;
    t.density_i = static_cast<uint8_t>(density);
    clock();
    t.freeze_i = 0;
  }
};

} // namespace

int main(int argc, char **argv) {
  divide = argc == 2 ? static_cast<uint32_t>(atoi(argv[1])) : 0;
  if (divide < 1 || divide > 15) return 2;
  std::vector<uint32_t> first;
  for (unsigned density = 0; density < 8; density++) {
    Bench b;
    b.freeze(0xabcd1234u * (density + 1), density);
    b.single(true);
    check(b.t.count_o, 0, "reset is one tick");
    b.states.clear();
    b.single(false);
    check(b.t.count_o, 1, "a single tick");
    for (uint32_t n : {1u, 2u, 3u, 500u}) {
      const uint32_t before = b.t.count_o;
      b.run(n, false);
      b.wait(n * 40 * divide + 100);
      check(b.t.count_o - before, n, "ticks of RUN");
      check(b.t.running_o, 0, "running behind it");
    }
    // Pause in the middle, then STOP.
    b.run(1000, false);
    b.wait(100 * divide);
    b.t.pause_i = 1;
    b.wait(2);
    const uint32_t held = b.t.count_o;
    b.wait(50);
    check(b.t.count_o, held, "pause");
    check(b.t.running_o, 1, "running in a pause");
    b.t.pause_i = 0;
    b.wait(100 * divide);
    b.t.stop_i = 1;
    b.clock();
    b.t.stop_i = 0;
    b.wait(divide + 1);
    const uint32_t stopped = b.t.count_o;
    check(stopped > held, 1, "goes on behind a pause");
    b.wait(200);
    check(b.t.count_o, stopped, "STOP");
    check(b.t.run_left_o, 0, "run_left behind STOP");
    // StopWhenDone: over from a count on: one tick behind the cycle that shows it.
    b.t.over_at_i = stopped + 333;
    b.run(100000, true);
    b.wait(333 * 40 * divide);
    check(b.t.count_o, stopped + 334, "StopWhenDone");
    b.t.over_at_i = 0xffffffffu;
    b.run(7, false);
    b.wait(400 * divide);
    check(b.t.count_o, stopped + 341, "RUN without it");
    // The same states in the same order.
    if (density == 0) first = b.states;
    const size_t n = first.size() < b.states.size() ? first.size() : b.states.size();
    bool same = n > 600;
    for (size_t i = 0; i < n; i++)
      same = same && first[i] == b.states[i];
    check(same, 1, "states of the core");
    check(density == 0 ? b.t.freezes_o == 0 : b.t.freezes_o > 50 * density, 1,
          "freezes are counted");
  }
  printf("core clock, divided by %u: %d failures\n", divide, failures);
  return failures != 0;
}
