// First programs on one SM, each checked against values computed by the host: registers and
// stores, thread indices, loops with divergence, shared memory and barriers, warp exchange, atomics,
// local memory, calls, traps. Argument -t prints the journal of the cycles, a name runs one program.
#include <cstdio>
#include <cstring>

#include "gen/wl_insn.h"
#include "gen/wl_sreg.h"
#include "gen/wl_trap.h"
#include "sm_bench.h"

using bench::DataAddr;
using bench::Insn;
using bench::Launch;
using bench::Result;
using bench::Sm;

namespace {
constexpr unsigned RZ = 255;
unsigned failures = 0;
bool trace = false;

void expect(const char *what, uint64_t index, uint64_t got, uint64_t expected) {
  if (got == expected) return;
  if (failures++ < 20) {
    std::printf("FAILED %s [%llu]: got %llx expected %llx\n", what,
                static_cast<unsigned long long>(index), static_cast<unsigned long long>(got),
                static_cast<unsigned long long>(expected));
  }
}

Insn i_s2r(unsigned rd, uint32_t id) { return Insn(WL_FORM_S2R).rd(rd).imm(id); }
Insn i_mov(unsigned rd, uint32_t v) { return Insn(WL_FORM_MOV_I).rd(rd).imm(v); }
Insn i_exit() { return Insn(WL_FORM_EXIT); }
Insn i_bra(uint32_t pc, unsigned guard = 7, bool neg = false) {
  return Insn(WL_FORM_BRA, guard, neg).imm(pc);
}
Insn i_setp_eq(unsigned pd, unsigned ra, uint32_t v) {
  return Insn(WL_FORM_SETP_U32_RI)
      .pd(pd)
      .pq(7)
      .ps(7)
      .ra(ra)
      .imm(v)
      .set(WL_FIELD_CMP_LOW, 4, 2)
      .set(WL_FIELD_BOP_LOW, 2, 0);
}
// rd (pair) := DataAddr + 4 * ra
void address(std::vector<Insn> &c, unsigned rd, unsigned ra) {
  c.push_back(i_mov(rd, static_cast<uint32_t>(DataAddr)));
  c.push_back(i_mov(rd + 1, static_cast<uint32_t>(DataAddr >> 32)));
  c.push_back(Insn(WL_FORM_MAD_WIDE_U32_RIR).rd(rd).ra(ra).rc(rd).imm(4));
}
Insn i_store(unsigned addr, unsigned value, int offset = 0) {
  return Insn(WL_FORM_ST_GLOBAL_B32).ra(addr).rb(value).imm(static_cast<uint32_t>(offset));
}

Result launch(const Launch &l, Sm &sm, const char *name) {
  sm.trace = trace;
  Result r = sm.run(l);
  if (!r.done) {
    std::printf("FAILED %s: not done after %llu cycles\n", name,
                static_cast<unsigned long long>(r.cycles));
    failures++;
  } else {
    std::printf("%-12s %6llu cycles %6llu issued\n", name,
                static_cast<unsigned long long>(r.cycles),
                static_cast<unsigned long long>(r.issued));
  }
  return r;
}
void no_trap(const char *name, const Result &r) {
  if (r.trapped) {
    std::printf("FAILED %s: trap cause %u warp %u lane %u pc %u\n", name, r.cause, r.warp, r.lane,
                r.pc);
    failures++;
  }
}

void test_store() {
  Sm sm;
  Launch l;
  l.code = {Insn(WL_FORM_NOP), i_s2r(0, WL_SREG_LANEID), Insn(WL_FORM_ADD_RI).rd(1).ra(0).imm(100)};
  address(l.code, 2, 0);
  l.code.push_back(i_store(2, 1));
  l.code.push_back(i_exit());
  no_trap("store", launch(l, sm, "store"));
  for (uint32_t t = 0; t < 32; t++)
    expect("store", t, sm.load(DataAddr + 4 * t), t + 100);
}

// out[linear] = x | y << 8 | z << 16 | cta << 24, partial last warp, several CTAs.
void test_tid() {
  Sm sm;
  Launch l;
  l.grid[0] = 5;
  l.grid[1] = 2;
  l.block[0] = 5;
  l.block[1] = 3;
  l.block[2] = 4;
  const uint32_t threads = 60;
  std::vector<Insn> &c = l.code;
  c = {i_s2r(0, WL_SREG_TID_X),
       i_s2r(1, WL_SREG_TID_Y),
       i_s2r(2, WL_SREG_TID_Z),
       i_s2r(3, WL_SREG_CTAID_X),
       i_s2r(4, WL_SREG_CTAID_Y),
       Insn(WL_FORM_MAD_LO_RIR).rd(5).ra(4).rc(3).imm(5), // cta = y * 5 + x
       Insn(WL_FORM_MAD_LO_RIR).rd(6).ra(2).rc(1).imm(3), // z * 3 + y
       Insn(WL_FORM_MAD_LO_RIR).rd(6).ra(6).rc(0).imm(5), // * 5 + x
       Insn(WL_FORM_MAD_LO_RIR).rd(6).ra(5).rc(6).imm(threads),
       Insn(WL_FORM_MAD_LO_RIR).rd(7).ra(1).rc(0).imm(1u << 8),
       Insn(WL_FORM_MAD_LO_RIR).rd(7).ra(2).rc(7).imm(1u << 16),
       Insn(WL_FORM_MAD_LO_RIR).rd(7).ra(5).rc(7).imm(1u << 24)};
  address(c, 8, 6);
  c.push_back(i_store(8, 7));
  c.push_back(i_exit());
  no_trap("tid", launch(l, sm, "tid"));
  for (uint32_t i = 0; i < threads * 10; i++) {
    const uint32_t cta = i / threads, t = i % threads;
    expect("tid", i, sm.load(DataAddr + 4 * i), t % 5 | t / 5 % 3 << 8 | t / 15 << 16 | cta << 24);
  }
  expect("tid beyond", 0, sm.load(DataAddr + 4 * threads * 10), 0);
}

// Lane l adds l + 1 times: a loop whose lanes leave one after the other, then all meet again.
void test_loop() {
  Sm sm;
  Launch l;
  std::vector<Insn> &c = l.code;
  c = {i_s2r(0, WL_SREG_LANEID),
       i_mov(1, 0),
       i_mov(2, 0),
       Insn(WL_FORM_ADD_RI).rd(1).ra(1).imm(3), // 3
       Insn(WL_FORM_ADD_RI).rd(2).ra(2).imm(1),
       Insn(WL_FORM_SETP_U32_RR)
           .pd(0)
           .pq(7)
           .ps(7)
           .ra(2)
           .rb(0)
           .set(WL_FIELD_CMP_LOW, 4, 3)
           .set(WL_FIELD_BOP_LOW, 2, 0), // n <= lane
       i_bra(3, 0),
       Insn(WL_FORM_ACTIVEMASK).rd(6)};
  address(c, 4, 0);
  c.push_back(i_store(4, 1));
  c.push_back(i_store(4, 6, 128));
  c.push_back(i_exit());
  no_trap("loop", launch(l, sm, "loop"));
  for (uint32_t t = 0; t < 32; t++) {
    expect("loop", t, sm.load(DataAddr + 4 * t), 3 * (t + 1));
    expect("loop meets", t, sm.load(DataAddr + 128 + 4 * t), 0xffffffffu);
  }
}

void test_diverge() {
  Sm sm;
  Launch l;
  l.block[0] = 64;
  std::vector<Insn> &c = l.code;
  c = {i_s2r(0, WL_SREG_TID_X),
       Insn(WL_FORM_LOP3_RIR).rd(1).ra(0).rc(RZ).imm(3).set(WL_FIELD_LUT_LOW, 8, 0xc0),
       i_setp_eq(0, 1, 0),
       i_setp_eq(1, 1, 1),
       i_bra(8, 0),  // tid & 3 = 0: A
       i_bra(10, 1), // 1: B
       i_mov(2, 300),
       i_bra(11), // else
       i_mov(2, 100),
       i_bra(11),                               // 8: A
       i_mov(2, 200),                           // 10: B
       Insn(WL_FORM_ADD_RR).rd(2).ra(2).rb(0)}; // 11
  address(c, 4, 0);
  c.push_back(i_store(4, 2));
  c.push_back(i_exit());
  no_trap("diverge", launch(l, sm, "diverge"));
  for (uint32_t t = 0; t < 64; t++) {
    expect("diverge", t, sm.load(DataAddr + 4 * t),
           ((t & 3) == 0   ? 100u
            : (t & 3) == 1 ? 200u
                           : 300u) +
               t);
  }
}

// Reverses the threads of a CTA through shared memory, with a CTA barrier between.
void test_shared() {
  Sm sm;
  Launch l;
  const uint32_t threads = 128;
  l.block[0] = threads;
  l.grid[0] = 3;
  l.smem_bytes = 4 * threads;
  std::vector<Insn> &c = l.code;
  c = {i_s2r(0, WL_SREG_TID_X),
       i_s2r(1, WL_SREG_CTAID_X),
       Insn(WL_FORM_MAD_LO_RIR).rd(2).ra(0).rc(RZ).imm(4),
       Insn(WL_FORM_MAD_LO_RIR).rd(3).ra(1).rc(0).imm(1000),
       Insn(WL_FORM_ST_SHARED_B32).ra(2).rb(3),
       Insn(WL_FORM_BAR_SYNC_I).set(WL_FIELD_ALIGNED_LOW, 1, 1),
       Insn(WL_FORM_RSUB_RI).rd(2).ra(2).imm(4 * (threads - 1)),
       Insn(WL_FORM_LD_SHARED_B32).rd(4).ra(2),
       Insn(WL_FORM_MAD_LO_RIR).rd(5).ra(1).rc(0).imm(threads)};
  address(c, 6, 5);
  c.push_back(i_store(6, 4));
  c.push_back(i_exit());
  no_trap("shared", launch(l, sm, "shared"));
  for (uint32_t i = 0; i < 3 * threads; i++) {
    expect("shared", i, sm.load(DataAddr + 4 * i),
           1000 * (i / threads) + threads - 1 - i % threads);
  }
}

void test_exchange() {
  Sm sm;
  Launch l;
  std::vector<Insn> &c = l.code;
  c = {i_s2r(0, WL_SREG_LANEID),
       i_mov(1, 5u | 31u << 8), // xor 5
       Insn(WL_FORM_SHFL_I).rd(2).ra(0).rb(1).pd(7).imm(0xffffffff).set(WL_FIELD_XMODE_LOW, 2, 2),
       Insn(WL_FORM_REDUX_ADD_I).rd(3).ra(0).pd(7).imm(0xffffffff),
       Insn(WL_FORM_SETP_U32_RI)
           .pd(1)
           .pq(7)
           .ps(7)
           .ra(0)
           .imm(7)
           .set(WL_FIELD_CMP_LOW, 4, 1)
           .set(WL_FIELD_BOP_LOW, 2, 0),
       Insn(WL_FORM_VOTE_BALLOT_I).rd(4).pd(7).ps(1).imm(0xffffffff)};
  address(c, 6, 0);
  c.push_back(i_store(6, 2));
  c.push_back(i_store(6, 3, 128));
  c.push_back(i_store(6, 4, 256));
  c.push_back(i_exit());
  no_trap("exchange", launch(l, sm, "exchange"));
  for (uint32_t t = 0; t < 32; t++) {
    expect("shfl", t, sm.load(DataAddr + 4 * t), t ^ 5);
    expect("redux", t, sm.load(DataAddr + 128 + 4 * t), 31 * 16);
    expect("ballot", t, sm.load(DataAddr + 256 + 4 * t), 0x7f);
  }
}

// Divergent lanes meet at a shfl whose mask names all: the slow way.
void test_rendezvous() {
  Sm sm;
  Launch l;
  std::vector<Insn> &c = l.code;
  c = {i_s2r(0, WL_SREG_LANEID),
       Insn(WL_FORM_LOP3_RIR).rd(1).ra(0).rc(RZ).imm(1).set(WL_FIELD_LUT_LOW, 8, 0xc0),
       i_setp_eq(0, 1, 0),
       i_mov(3, 1u | 31u << 8),
       i_bra(7, 0),
       Insn(WL_FORM_SHFL_I).rd(2).ra(0).rb(3).pd(7).imm(0xffffffff).set(WL_FIELD_XMODE_LOW, 2, 2),
       i_bra(8),
       Insn(WL_FORM_SHFL_I).rd(2).ra(0).rb(3).pd(7).imm(0xffffffff).set(WL_FIELD_XMODE_LOW, 2, 2)};
  address(c, 6, 0);
  c.push_back(i_store(6, 2));
  c.push_back(i_exit());
  no_trap("rendezvous", launch(l, sm, "rendezvous"));
  for (uint32_t t = 0; t < 32; t++)
    expect("rendezvous", t, sm.load(DataAddr + 4 * t), t ^ 1);
}

// Loads, constant loads, global and shared atomics.
void test_memory() {
  Sm sm;
  Launch l;
  l.block[0] = 64;
  l.smem_bytes = 64;
  l.params = {0x1234, 77};
  for (uint32_t t = 0; t < 64; t++)
    sm.store(DataAddr + 0x1000 + 4 * t, t * t);
  std::vector<Insn> &c = l.code;
  c = {i_s2r(0, WL_SREG_TID_X), Insn(WL_FORM_LDC_B64).rd(2).ra(RZ).imm(512), i_mov(6, 1)};
  address(c, 4, 0);
  std::vector<Insn> tail = {Insn(WL_FORM_LD_GLOBAL_B32).rd(7).ra(4).imm(0x1000),
                            Insn(WL_FORM_ADD_RR).rd(7).ra(7).rb(2),
                            Insn(WL_FORM_ADD_RR).rd(7).ra(7).rb(3),
                            i_store(4, 7),
                            i_mov(8, static_cast<uint32_t>(DataAddr + 0x2000)),
                            i_mov(9, static_cast<uint32_t>(DataAddr >> 32)),
                            Insn(WL_FORM_ATOM_GLOBAL_ADD_U32).rd(10).ra(8).rb(6),
                            Insn(WL_FORM_MAD_WIDE_U32_RIR).rd(8).ra(10).rc(8).imm(4),
                            i_store(8, 0, 4),
                            Insn(WL_FORM_ATOM_SHARED_EXCH_B32).rd(RZ).ra(RZ).rb(RZ),
                            Insn(WL_FORM_BAR_SYNC_I),
                            Insn(WL_FORM_ATOM_SHARED_ADD_U32).rd(11).ra(RZ).rb(6),
                            Insn(WL_FORM_BAR_SYNC_I),
                            Insn(WL_FORM_LD_SHARED_B32).rd(12).ra(RZ),
                            i_store(4, 12, 0x100),
                            i_exit()};
  c.insert(c.end(), tail.begin(), tail.end());
  no_trap("memory", launch(l, sm, "memory"));
  uint64_t seen = 0;
  for (uint32_t t = 0; t < 64; t++) {
    expect("load", t, sm.load(DataAddr + 4 * t), t * t + 0x1234 + 77);
    expect("shared add", t, sm.load(DataAddr + 0x100 + 4 * t), 64);
    seen |= UINT64_C(1) << (sm.load(DataAddr + 0x2004 + 4 * t) & 63);
  }
  expect("atomic count", 0, sm.load(DataAddr + 0x2000), 64);
  expect("atomic tickets", 0, seen, ~UINT64_C(0));
}

void test_call() {
  Sm sm;
  Launch l;
  l.local_bytes = 64;
  std::vector<Insn> &c = l.code;
  c = {i_s2r(0, WL_SREG_LANEID), i_mov(1, 16), Insn(WL_FORM_CALL).rd(2).imm(20)};
  address(c, 4, 0);
  c.push_back(i_store(4, 3));
  c.push_back(i_exit());
  while (c.size() < 20)
    c.push_back(Insn(WL_FORM_TRAP));
  c.push_back(Insn(WL_FORM_MAD_LO_RIR).rd(3).ra(0).rc(RZ).imm(11)); // 20
  c.push_back(Insn(WL_FORM_ST_LOCAL_B32).ra(1).rb(3).imm(4));
  c.push_back(i_mov(3, 0));
  c.push_back(Insn(WL_FORM_LD_LOCAL_B32).rd(3).ra(1).imm(4));
  c.push_back(Insn(WL_FORM_RET).ra(2));
  no_trap("call", launch(l, sm, "call"));
  for (uint32_t t = 0; t < 32; t++)
    expect("call", t, sm.load(DataAddr + 4 * t), 11 * t);
}

void expect_trap(const char *name, const std::vector<Insn> &code, unsigned cause, unsigned lane,
                 uint32_t pc) {
  Sm sm;
  Launch l;
  l.code = code;
  const Result r = launch(l, sm, name);
  expect("trapped", 0, r.trapped, 1);
  expect("cause", 0, r.cause, cause);
  expect("lane", 0, r.lane, lane);
  expect("pc", 0, r.pc, pc);
}

void test_traps() {
  expect_trap("t_form", {Insn(WL_FORM_NOP), Insn(0x1fff)}, WL_TRAP_ILLEGAL_FORM, 0, 1);
  expect_trap("t_bits", {Insn(WL_FORM_NOP).imm(1)}, WL_TRAP_ILLEGAL_BITS, 0, 0);
  expect_trap("t_range", {i_mov(32, 0)}, WL_TRAP_REGISTER_RANGE, 0, 0);
  expect_trap("t_pc", {Insn(WL_FORM_NOP)}, WL_TRAP_PC_RANGE, 0, 1);
  expect_trap("t_user",
              {i_s2r(0, WL_SREG_LANEID), i_setp_eq(2, 0, 9), Insn(WL_FORM_TRAP, 2), i_exit()},
              WL_TRAP_USER, 9, 2);
  expect_trap("t_oob", {i_mov(0, 64), i_mov(1, 0), i_store(0, 0), i_exit()}, WL_TRAP_OUT_OF_BOUNDS,
              0, 2);
  expect_trap("t_mis", {i_mov(0, 2), i_mov(1, 1), i_store(0, 0), i_exit()}, WL_TRAP_MISALIGNED, 0,
              2);
}
} // namespace

int main(int argc, char **argv) {
  const struct {
    const char *name;
    void (*test)();
  } tests[] = {{"store", test_store},
               {"tid", test_tid},
               {"loop", test_loop},
               {"diverge", test_diverge},
               {"shared", test_shared},
               {"exchange", test_exchange},
               {"rendezvous", test_rendezvous},
               {"memory", test_memory},
               {"call", test_call},
               {"traps", test_traps}};
  const char *only = nullptr;
  for (int i = 1; i < argc; i++) {
    if (std::strcmp(argv[i], "-t") == 0)
      trace = true;
    else
      only = argv[i];
  }
  for (const auto &t : tests) {
    if (only == nullptr || std::strcmp(only, t.name) == 0) t.test();
  }
  std::printf("%u failures\n", failures);
  return failures != 0;
}
