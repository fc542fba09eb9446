// Bench of rtl/exec/special_lane against tests/common/special_reference.c: each segment of each function
// at its first and last places, each exponent with one bit of fraction, then COUNT operands of
// wl_special_operand. Usage: [COUNT]
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <deque>

#include WL_MODEL_HEADER
#include "verilated.h"
extern "C" {
#include "tests/common/special_reference.h"
}
#include "tests/common/splitmix.h"

namespace {

constexpr unsigned kLatency = 4;
#ifdef WL_FIRST_FAILURE
constexpr unsigned kFailures = 1;
#else
constexpr unsigned kFailures = 20;
#endif
const wl_fpu_op_t kOps[] = {WL_FPU_FEX2, WL_FPU_FLG2, WL_FPU_FTANH}; // SpecEx2 and so on

WL_MODEL *top;
uint64_t state = 43, cycles, checks;
unsigned failures;

struct Due {
  unsigned op;
  uint32_t a, want;
  uint64_t cycle;
};
std::deque<Due> due;

void fail() {
  if (++failures >= kFailures) std::exit(1);
}

void cycle() {
  top->clk_i = 1;
  top->eval();
  top->clk_i = 0;
  top->eval();
  cycles++;
  const bool there = !due.empty() && due.front().cycle == cycles;
  if ((top->valid_o != 0) != there) {
    std::printf("FAIL a result is not in its cycle\n");
    fail();
  }
  if (!there && top->rst_ni && cycles > 8 && top->d_o != 0) {
    std::printf("FAIL %08x without an operation\n", static_cast<uint32_t>(top->d_o));
    fail();
  }
  if (!there) return;
  const Due x = due.front();
  due.pop_front();
  checks++;
  if (top->d_o == x.want) return;
  std::printf("FAIL op %u: %08x: %08x, expected %08x\n", x.op, x.a, static_cast<uint32_t>(top->d_o),
              x.want);
  fail();
}

// A cycle without an operation: operands of one are there, and have no effect.
void idle() {
  const uint64_t r = wl_splitmix64(&state);
  top->valid_i = 0;
  top->op_i = static_cast<uint8_t>(r % 3);
  top->a_i = static_cast<uint32_t>(r >> 32);
  cycle();
}

void enter(unsigned op, uint32_t a) {
  top->valid_i = 1;
  top->op_i = static_cast<uint8_t>(op);
  top->a_i = a;
  due.push_back({op, a, wl_ref_special(kOps[op], a), cycles + kLatency});
  cycle();
  if (wl_splitmix64(&state) % 16 == 0) idle();
}

// FEX2 and FLG2: 64 segments from 1 to below 2 (FEX2 takes only the part after the point); FTANH:
// 8 of each octave. All exponents, either sign; the middle of a segment, too.
void segments(unsigned step) {
  for (unsigned exponent = 0; exponent < 256; exponent++)
    for (unsigned k = 0; k < 64; k += step)
      for (unsigned sign = 0; sign < 2; sign++)
        for (unsigned op = 0; op < 3; op++)
          for (uint32_t at : {0u, 1u, 0xffffu, 0x10000u, 0x1ffffu})
            enter(op, sign << 31 | exponent << 23 | k << 17 | at);
}

// One bit of fraction, or all but one, with each exponent: a NaN is one by any bit.
void single_bits() {
  for (unsigned exponent = 0; exponent < 256; exponent++)
    for (unsigned k = 0; k < 23; k++)
      for (unsigned op = 0; op < 3; op++)
        for (uint32_t fraction : {1u << k, 0x7fffffu ^ 1u << k})
          for (unsigned sign = 0; sign < 2; sign++)
            enter(op, sign << 31 | exponent << 23 | fraction);
}

} // namespace

int main(int argc, char **argv) {
  VerilatedContext context;
  top = new WL_MODEL(&context);
  const uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000000;
  top->clk_i = 0;
  top->rst_ni = 0;
  for (unsigned i = 0; i < 4; i++)
    idle();
  top->rst_ni = 1;
  for (uint64_t i = 0; i < count; i++) {
    const unsigned op = static_cast<unsigned>(i % 3);
    enter(op, wl_special_operand(&state, kOps[op]));
  }
  segments(count < 10000 ? 7 : 1);
  single_bits();
  for (unsigned i = 0; i < 2 * kLatency; i++)
    idle();
  std::printf("special: %" PRIu64 " results, %u failures\n", checks, failures);
  const bool left = !due.empty();
  top->final();
  delete top;
  return failures != 0 || left || checks == 0;
}
