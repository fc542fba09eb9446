// What drives the bench of tests/rtl/half: an operation enters, its result is compared four cycles later.
// Of one program: half_test.cpp.
#pragma once
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <deque>

#include WL_MODEL_HEADER
#include "narrow.h"
#include "tests/common/splitmix.h"

namespace {

using narrow::u32;
constexpr unsigned kLatency = 4;
enum Group { Format = 15, Half = 16, Packed = 17 }; // exec_pkg grp_e
enum HalfOp { Fma, Min, Max, Set };                 // HalfFma and so on
enum FormatOp { Narrow, Tf32, Widen, Widen8 };      // FmtNarrow and so on

WL_MODEL *top;
uint64_t state = 41, cycles, checks;
unsigned failures;
u32 step = 1; // from one number to the next, of those that are taken in turn
#ifdef WL_FIRST_FAILURE
constexpr unsigned kFailures = 1;
#else
constexpr unsigned kFailures = 20;
#endif
uint64_t rnd() { return wl_splitmix64(&state); }
unsigned rnd(unsigned n) { return static_cast<unsigned>(rnd() % n); }
bool coin() { return rnd() & 1; }

struct Due {
  Group group;
  unsigned op, format;
  narrow::Mods m;
  u32 a, b, c, want;
  uint64_t cycle;
};
std::deque<Due> due;

void compare(const Due &x) {
  checks++;
  if (top->d_o == x.want) return;
  failures++;
  const narrow::Mods &m = x.m;
  std::printf(
      "FAIL group %d op %u format %u rnd %u cmp %x ftz %d sat %d relu %d oob %d xorsign %d nan %d "
      "neg %d%d%d sgn %d bytes %d random %d wide %d: %08x %08x %08x: %08x, expected %08x\n",
      x.group, x.op, x.format, m.rnd, m.cmp, m.ftz, m.sat, m.relu, m.oob, m.xorsign, m.nan, m.neg_a,
      m.neg_b, m.neg_c, m.sgn, m.bytes, m.random, m.wide, x.a, x.b, x.c, static_cast<u32>(top->d_o),
      x.want);
  if (failures >= kFailures) std::exit(1);
}

void drive(const Due &x, bool valid) {
  top->valid_i = valid;
  top->grp_i = static_cast<uint8_t>(x.group);
  top->op_i = static_cast<uint8_t>(x.op);
  top->fmt_i = static_cast<uint8_t>(x.format);
  top->rnd_i = static_cast<uint8_t>(x.m.rnd);
  top->cmp_i = static_cast<uint8_t>(x.m.cmp);
  top->ftz_i = x.m.ftz;
  top->sat_i = x.m.sat;
  top->relu_i = x.m.relu;
  top->oob_i = x.m.oob;
  top->xorsign_i = x.m.xorsign;
  top->nan_i = x.m.nan;
  top->neg_a_i = x.m.neg_a;
  top->neg_b_i = x.m.neg_b;
  top->neg_c_i = x.m.neg_c;
  top->sgn_i = x.m.sgn;
  top->bytes_i = x.m.bytes;
  top->random_i = x.m.random;
  top->wide_i = x.m.wide;
  top->a_i = x.a;
  top->b_i = x.b;
  top->c_i = x.c;
}

void cycle() {
  top->clk_i = 1;
  top->eval();
  top->clk_i = 0;
  top->eval();
  cycles++;
  const bool there = !due.empty() && due.front().cycle == cycles;
  if ((top->valid_o != 0) != there && failures++ < kFailures)
    std::printf("FAIL a result is not in its cycle\n");
  if (!there) return;
  compare(due.front());
  due.pop_front();
}

// A cycle without an operation: operands and control of one are there, and have no effect.
void idle() {
  Due x = {};
  const Group groups[] = {Format, Half, Packed};
  x.group = groups[rnd(3)];
  x.op = rnd(3);
  x.a = static_cast<u32>(rnd());
  x.b = static_cast<u32>(rnd());
  x.c = static_cast<u32>(rnd());
  drive(x, false);
  cycle();
}

void enter(Due &x) {
  drive(x, true);
  x.cycle = cycles + kLatency;
  due.push_back(x);
  cycle();
  if (rnd(16) == 0) idle();
}

} // namespace
