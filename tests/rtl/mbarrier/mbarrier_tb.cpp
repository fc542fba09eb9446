// Bench of rtl/mem/mbarrier.sv against reference.h: every operation with all combinations of counts and
// operands near their limits, then random ones. Inputs that a step does not name are random.
#include <memory>

#include "bench.h"
#include "reference.h"
#include "verilated.h"
#include MBARRIER_HEADER

using namespace bench;
using namespace mbarrier;

namespace {
constexpr int64_t kCounts[] = {0, 1, 2, 3, 4095, 4096, (1 << 19), 699050, kMost - 1, kMost};
constexpr int64_t kTx[] = {-kMost - 1, -kMost, 1 - kMost, -4097, -4096, -4095, -2,        -1,
                           0,          1,      2,         4095,  4096,  4097,  kMost - 1, kMost};
constexpr uint32_t kOperands[] = {0,        1,        2,          3,     4095,      4096,
                                  1u << 19, 699050,   kMost - 1,  kMost, kMost + 1, kMost + 2,
                                  1u << 21, 1u << 31, 0xfffffffe, ~0u};
const char *const kMisuse[] = {
    "misuse",           "misuse of INIT",     "misuse of ARRIVE",   "misuse of DROP",
    "misuse of EXPECT", "misuse of COMPLETE", "misuse of ARRIVETX", "misuse of DROPTX",
    "misuse of INC"};

struct Bench {
  VerilatedContext ctx;
  MBARRIER_MODEL top{&ctx};
  uint64_t operations = 0, misuses = 0, completions = 0;

  void clock(unsigned step, uint32_t old, uint32_t val) {
    top.clk_i = 0;
    top.step_i = static_cast<uint8_t>(step);
    top.old_i = old;
    top.val_i = val;
    top.eval();
    if (!(step & 8)) {
      check_eq("misuse outside step 3", top.misuse_o, 0, operations);
      check_eq("completion outside step 3", top.complete_o, 0, operations);
    }
  }
  void edge() {
    top.clk_i = 1;
    top.eval();
  }
  void run(int op, const Object &was, uint32_t n) {
    const uint64_t w = encode(was);
    const Outcome want = operate(op, was, n);
    top.op_i = static_cast<uint8_t>(op);
    const uint32_t in[4] = {static_cast<uint32_t>(w), static_cast<uint32_t>(w >> 32),
                            static_cast<uint32_t>(rnd()), static_cast<uint32_t>(rnd())};
    for (unsigned s = 0; s < 4; s++) {
      clock(1u << s, in[s], s < 2 ? n : static_cast<uint32_t>(rnd()));
      if (s == 3) {
        check_eq(kMisuse[op], top.misuse_o, want.misuse, operations);
        check_eq("complete", top.complete_o, want.complete, operations);
        if (!want.misuse) check_eq("object", top.new_o, encode(want.now), operations);
      }
      edge();
    }
    operations++;
    misuses += want.misuse;
    completions += want.complete;
    if (operations % 8 == 0) { // nothing under way
      clock(0, static_cast<uint32_t>(rnd()), static_cast<uint32_t>(rnd()));
      edge();
    }
  }
};

// Often near the limits, often near another number.
int64_t near(int64_t least, int64_t most, int64_t other) {
  int64_t v = rnd(3) == 0 ? other + rnd(3) - 1
              : rnd(2)
                  ? least + static_cast<int64_t>(rnd() % static_cast<uint64_t>(most - least + 1))
                  : (rnd(2) ? least + rnd(3) : most - rnd(3));
  return v < least ? least : v > most ? most : v;
}
} // namespace

int main() {
  auto b = std::make_unique<Bench>();
  for (int64_t p : kCounts)
    for (int64_t e : kCounts)
      for (int64_t x : kTx)
        for (uint32_t n : kOperands)
          for (int op = INIT; op < kOps; op++)
            b->run(op, {p, e, x, static_cast<int64_t>(rnd(2))}, n);
  for (unsigned i = 0; i < 1000000; i++) {
    Object o;
    o.p = near(0, kMost, 1);
    o.e = near(0, kMost, o.p);
    o.x = near(-kMost - 1, kMost, 0);
    o.phase = rnd(2);
    check_eq("the reference's own encoding", encode(decode(encode(o))), encode(o), i);
    const int64_t to = rnd(3) == 0 ? o.p : rnd(2) ? o.e : o.x < 0 ? -o.x : o.x;
    uint32_t n = static_cast<uint32_t>(near(0, kMost + 1, rnd(2) ? to : kMost - to));
    if (rnd(32) == 0) n = static_cast<uint32_t>(rnd());
    b->run(INIT + static_cast<int>(rnd(kOps - INIT)), o, n);
  }
  check(b->misuses > 100000, "operations with misuse", b->misuses, 100001, 0);
  check(b->completions > 1000, "completed phases", b->completions, 1001, 0);
  std::printf("%" PRIu64 " operations, %" PRIu64 " misuses, %" PRIu64 " completions\n",
              b->operations, b->misuses, b->completions);
  return finish("mbarrier", b->operations);
}
