// Bench of rtl/exec/fp64.sv: random instructions and masks of lanes, operands with gaps, results
// taken at random, clear. A reference written from docs/microarchitecture.md 20.1 knows each cycle;
// values are those of operands.h. Usage: CYCLES
#include <array>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>

#include WL_MODEL_HEADER
#include "operands.h"
#include "verilated.h"

namespace {

using f64::rnd;
constexpr unsigned kSets = 2, kLatency = 8, kGroups = 32 / WL_FP64_LANES;

struct Insn {
  f64::Op op;
  unsigned rounding, warp, rd, set, steps = 0; // steps that came
  bool neg;
  uint32_t exec;
  f64::Numbers n[32];
};
using Ref = std::shared_ptr<Insn>;

uint32_t lanes_of_group(unsigned g) {
  const uint32_t some = WL_FP64_LANES == 32 ? ~0u : (1u << WL_FP64_LANES) - 1;
  return some << g * WL_FP64_LANES;
}

// ---- 20.1: what is visible in a cycle.
struct Group {
  Ref insn;
  unsigned moves; // after it entered
  bool last;
};
struct Unit {
  std::array<Ref, kSets> set; // null: free
  std::array<bool, kSets> full{};
  unsigned take = 0, next = 0; // of issue, of cur
  Ref cur, done;
  uint32_t left = 0;
  unsigned k = 0;
  std::deque<Group> pipe;

  bool ready() const { return !set[take]; }
  bool rest() const {
    bool free = true;
    for (const Ref &s : set)
      free = free && !s;
    return free && !cur && !done && pipe.empty();
  }
  unsigned bits(bool of_full) const {
    unsigned b = 0;
    for (unsigned s = 0; s < kSets; s++)
      b |= (of_full ? full[s] : set[s] != nullptr) << s;
    return b;
  }
  bool moves() const {
    const bool leaves = !pipe.empty() && pipe.front().moves + 1 == kLatency && pipe.front().last;
    return !done || !leaves;
  }
  // The cycle's events: issue of an instruction, of the words of one the last step, a word taken.
  Unit after(const Ref &issued, const Ref &filled, bool taken) const {
    Unit u = *this;
    if (taken) {
      u.k = k ^ 1;
      if (k == 1) u.done = nullptr;
    }
    if (moves()) {
      for (Group &g : u.pipe)
        g.moves++;
      if (!u.pipe.empty() && u.pipe.front().moves == kLatency) {
        if (u.pipe.front().last) {
          u.done = u.pipe.front().insn;
          u.k = 0;
        }
        u.pipe.pop_front();
      }
      const bool was = cur != nullptr;
      bool free = !was;
      if (was) {
        unsigned g = 0;
        while ((left & lanes_of_group(g)) == 0)
          g++;
        u.left = left & ~lanes_of_group(g);
        u.pipe.push_back({cur, 0, u.left == 0});
        if (u.left == 0) {
          u.set[cur->set] = nullptr;
          u.full[cur->set] = false;
          free = true;
        }
      }
      if (free) { // full as visible in this cycle
        u.cur = nullptr;
        const unsigned n = was ? (cur->set + 1) % kSets : next;
        u.next = n;
        if (full[n]) {
          u.cur = set[n];
          u.left = set[n]->exec;
        }
      }
    }
    if (issued) {
      u.set[take] = issued;
      u.take = (take + 1) % kSets;
    }
    if (filled) u.full[filled->set] = true;
    return u;
  }
};

WL_MODEL *top;
Unit unit;
std::deque<Ref> filling; // whose words have not all come
uint64_t cycles, checks, results, stalled, skipped, both;
unsigned failures;

void check(const char *what, uint64_t got, uint64_t want) {
  checks++;
  if (got != want && failures++ < 20) {
    std::printf("FAIL %s in cycle %" PRIu64 ": %" PRIx64 ", expected %" PRIx64 "\n", what, cycles,
                got, want);
  }
}

uint32_t some_lanes() {
  uint32_t e;
  do {
    switch (rnd(5)) {
    case 0:
    case 1:
      return ~0u;
    case 2:
      return 1u << rnd(32);
    case 3: // groups
      e = 0;
      for (unsigned g = 0; g < kGroups; g++)
        if (rnd(2)) e |= lanes_of_group(g) & static_cast<uint32_t>(rnd());
      break;
    default:
      e = static_cast<uint32_t>(rnd() & rnd());
    }
  } while (e == 0);
  return e;
}

Ref instruction() {
  Ref i = std::make_shared<Insn>();
  i->op = static_cast<f64::Op>(rnd(3));
  i->rounding = rnd(4);
  i->neg = i->op == f64::ADD && f64::coin();
  i->warp = rnd(8);
  i->rd = rnd(4) ? rnd(256) : 253 + rnd(3);
  i->exec = some_lanes();
  for (f64::Numbers &n : i->n)
    n = f64::operands(i->op);
  return i;
}

uint32_t word_of(const Insn &i, unsigned lane, unsigned n) { // of the step list
  const f64::Numbers &x = i.n[lane];
  const uint64_t v = n < 2 ? x.a : n < 4 ? x.b : i.op == f64::FMA ? x.c : 0;
  return static_cast<uint32_t>(n % 2 ? v >> 32 : v);
}

void compare() {
  check("ready", top->ready_o, unit.ready());
  check("rest", top->rest_o, unit.rest());
  check("used", top->used_o, unit.bits(false));
  check("full", top->full_o, unit.bits(true));
  check("cur", top->cur_o, unit.cur != nullptr);
  check("done", top->done_o, unit.done != nullptr);
  check("presents", top->valid_o, unit.done != nullptr);
  if (!unit.done) return;
  const Insn &i = *unit.done;
  check("warp", top->warp_o, i.warp);
  check("has register", top->has_reg_o, i.rd != 255 && i.rd + unit.k < 255);
  if (top->has_reg_o) check("register", top->rd_o, i.rd + unit.k);
  check("beat, predicate", top->beat_o | top->has_pred_o << 1, 0);
  check("lanes", top->mask_o, i.exec);
  check("last", top->last_o, unit.k);
  check("last beat", top->last_beat_o, 1);
  for (unsigned l = 0; l < 32; l++) {
    if (!(i.exec >> l & 1)) continue;
    const uint64_t d = f64::expected(i.op, i.rounding, i.neg, i.n[l]);
    check("value", top->data_o[l], static_cast<uint32_t>(unit.k ? d >> 32 : d));
  }
}

struct Pace { // one in so many cycles: issue, X1, taken
  unsigned issue, x1, taken;
};

void cycle(const Pace &pace, bool clear) {
  Ref issued, filled;
  // X1: not in the cycle of the issue.
  top->x1_i = rnd(8) == 0;
  top->x1_other_i = 1;
  top->x1_step_i = f64::coin();
  top->x1_last_i = f64::coin();
  const bool words = !filling.empty() && rnd(pace.x1) == 0;
  const Insn *of = words ? filling.front().get() : nullptr;
  for (unsigned l = 0; l < 32; l++) {
    for (unsigned j = 0; j < 3; j++) {
      const uint32_t w = words ? word_of(*of, l, 3 * of->steps + j) : static_cast<uint32_t>(rnd());
      (j == 0 ? top->x1_a_i : j == 1 ? top->x1_b_i : top->x1_c_i)[l] = w;
    }
  }
  if (words) {
    top->x1_i = 1;
    top->x1_other_i = 0;
    top->x1_step_i = of->steps == 1;
    top->x1_last_i = of->steps == 1;
    if (++filling.front()->steps == 2) {
      filled = filling.front();
      filling.pop_front();
    }
  }
  const Ref i = instruction();
  top->op_i = i->op;
  top->rnd_i = static_cast<uint8_t>(i->rounding);
  top->neg_b_i = i->neg;
  top->warp_i = static_cast<uint8_t>(i->warp);
  top->rd_i = static_cast<uint8_t>(i->rd);
  top->exec_i = i->exec;
  top->issue_i = rnd(8) == 0;
  top->empty_i = f64::coin();
  top->other_i = !top->empty_i;
  if (unit.ready() && rnd(pace.issue) == 0) {
    top->issue_i = 1;
    top->empty_i = top->other_i = 0;
    issued = i;
    i->set = unit.take;
    filling.push_back(i);
  }
  top->clear_i = clear;
  const bool taken = unit.done && rnd(pace.taken) == 0;
  top->taken_i = taken;
  top->eval();
  compare();
  results += taken && unit.k == 1;
  stalled += !unit.moves();
  both += unit.bits(true) == 3;
  if (unit.cur && (unit.left & lanes_of_group(0)) == 0) skipped++;
  unit = unit.after(issued, filled, taken);
  if (clear) {
    unit = Unit();
    filling.clear();
  }
  top->clk_i = 1;
  top->eval();
  top->clk_i = 0;
  top->eval();
  cycles++;
}

} // namespace

int main(int argc, char **argv) {
  VerilatedContext context;
  top = new WL_MODEL(&context);
  const uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100000;
  top->clk_i = 0;
  top->rst_ni = 0;
  top->eval();
  top->clk_i = 1;
  top->eval();
  top->clk_i = 0;
  top->rst_ni = 1;
  top->eval();
  check("lanes of the configuration", top->lanes_o, WL_FP64_LANES);
  static const Pace paces[] = {{1, 1, 1}, {1, 1, 2}, {1, 1, 8}, {1, 1, 60}, {4, 2, 2}, {20, 1, 1}};
  while (cycles < count) {
    const Pace &pace = paces[rnd(sizeof paces / sizeof paces[0])];
    for (unsigned n = 50 + rnd(400); n; n--)
      cycle(pace, false);
    if (rnd(4) == 0) cycle(pace, true);
  }
  std::printf("fp64: %" PRIu64 " cycles, %" PRIu64 " instructions, %" PRIu64
              " cycles with a pipe that stood, %" PRIu64 " with both sets full, %" PRIu64
              " behind group 0; %" PRIu64 " checks, %u failures\n",
              cycles, results, stalled, both, skipped, checks, failures);
  top->final();
  delete top;
  return failures != 0 || results == 0 || stalled == 0 || both == 0 || skipped == 0;
}
