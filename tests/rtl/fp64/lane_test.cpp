// Bench of rtl/exec/fp64_lane: sums, products and fused multiply-adds, in all four modes of
// rounding, against the rule that tests/silicon checks against silicon; cycles in which the pipe
// does not move, and empty ones. Usage: COUNT (numbers)
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <deque>

#include WL_MODEL_HEADER
#include "operands.h"
#include "verilated.h"

namespace {

constexpr unsigned kLatency = 8;
constexpr uint64_t kOne = UINT64_C(0x3ff0000000000000);
WL_MODEL *top;
unsigned failures;
uint64_t moves, checks;

struct Due {
  f64::Op op;
  unsigned rounding;
  bool neg;
  f64::Numbers n;
  uint64_t moves; // after so many it is there
};
std::deque<Due> due;

void compare(const Due &x) {
  const uint64_t want = f64::expected(x.op, x.rounding, x.neg, x.n);
  checks++;
  if (top->d_o != want && failures++ < 20) {
    static const char *const names[] = {"add", "mul", "fma"};
    std::printf("FAIL %s rnd %u neg %u %016" PRIx64 " %016" PRIx64 " %016" PRIx64 ": %016" PRIx64
                ", expected %016" PRIx64 "\n",
                names[x.op], x.rounding, x.neg, x.n.a, x.n.b, x.n.c,
                static_cast<uint64_t>(top->d_o), want);
  }
}

// A cycle; whether the pipe moved.
bool cycle() {
  const bool there = !due.empty() && due.front().moves == moves;
  top->move_i = f64::rnd(16) != 0;
  if ((top->valid_o != 0) != there && failures++ < 20) {
    std::printf("FAIL a result is %s\n", there ? "late" : "not expected");
  }
  if (there && top->move_i) {
    compare(due.front());
    due.pop_front();
  }
  const bool moved = top->move_i;
  moves += moved;
  top->clk_i = 1;
  top->eval();
  top->clk_i = 0;
  top->eval();
  return moved;
}

void noise() {
  top->valid_i = 0;
  top->x_i = f64::rnd();
  top->y_i = f64::rnd();
  top->z_i = f64::rnd();
  top->negate_i = f64::coin();
  top->product_i = f64::coin();
}

void enter(const Due &x) {
  noise();
  top->valid_i = 1;
  top->rnd_i = static_cast<uint8_t>(x.rounding);
  top->product_i = x.op == f64::MUL;
  top->negate_i = x.neg;
  top->x_i = x.n.a;
  top->y_i = x.op == f64::ADD ? kOne : x.n.b;
  if (x.op != f64::MUL) top->z_i = x.op == f64::ADD ? x.n.b : x.n.c;
  while (!cycle()) {
  }
  due.push_back(x);
  due.back().moves = moves - 1 + kLatency;
}

} // namespace

int main(int argc, char **argv) {
  VerilatedContext context;
  top = new WL_MODEL(&context);
  const uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000000;
  top->rst_ni = 0;
  for (unsigned i = 0; i < 4; i++) {
    top->clk_i = i % 2;
    top->eval();
  }
  top->clk_i = 0;
  top->rst_ni = 1;
  top->eval();
  for (uint64_t i = 0; i < count; i++) {
    Due x = {};
    x.op = static_cast<f64::Op>(f64::rnd(3));
    x.rounding = f64::rnd(4);
    x.neg = x.op == f64::ADD && f64::coin();
    x.n = f64::operands(x.op);
    enter(x);
    while (f64::rnd(16) == 0) {
      noise();
      cycle();
    }
  }
  while (!due.empty()) {
    noise();
    cycle();
  }
  std::printf("fp64_lane: %" PRIu64 " numbers, %u failures\n", checks, failures);
  top->final();
  delete top;
  return failures != 0 || checks != count;
}
