// Bench of one SM: see sm_bench.h. The header of the Verilated class comes from BENCH_HEADER, the
// class from BENCH_CLASS.
#include "sm_bench.h"

#include <cstdio>
#include <cstring>

#include "svdpi.h"
#include BENCH_HEADER
#define _Static_assert static_assert // the generated headers are C
#include "gen/wl_config.h"
#include "gen/wl_insn.h"
#include "gen/wl_journal.h"
#include "gen/wl_journal_imports.h"
#include "gen/wl_launch.h"
#include "gen/wl_trap.h"
#include "tests/rtl/core/sm_memory.h"

namespace {
bool trace_on = false;
uint64_t now = 0;
uint64_t issued = 0;

// The words by name; those of lanes behind the last name.
[[maybe_unused]] void record(unsigned kind, const uint32_t *word) {
  if (kind == WL_J_ISSUE) issued++;
  if (!trace_on) return;
  const wl_journal_info_t &info = wl_journal_info[kind];
  std::printf("%8llu %-8s", static_cast<unsigned long long>(now), info.name);
  for (unsigned i = 0; i < info.words[BENCH_CONFIG]; i++) {
    if (i < info.names) std::printf(" %s", info.word_names[i]);
    std::printf(" %x", word[i]);
  }
  std::printf("\n");
}
} // namespace

#ifdef BENCH_JOURNAL
extern "C" {
#define WL_J_IMPORT(name, kind, words, lanes)                                                      \
  void wl_j_##name(const svBitVecVal *word) { record(WL_J_##kind, word); }
WL_J_IMPORTS(WL_J_IMPORT)
unsigned long long wl_j_seed() { return 1; }
}
#endif

namespace bench {

Insn::Insn(unsigned form, unsigned guard, bool guard_neg) {
  WL_WORD_SET(w, FORM, form);
  WL_WORD_SET(w, GUARD, guard);
  WL_WORD_SET(w, GUARD_NEG, guard_neg ? 1u : 0u);
}
Insn &Insn::set(unsigned low, unsigned width, uint32_t value) {
  wl_word_set(w, low, width, value);
  return *this;
}
Insn &Insn::rd(unsigned r) { return set(WL_FIELD_RD_LOW, 8, r); }
Insn &Insn::ra(unsigned r) { return set(WL_FIELD_RA_LOW, 8, r); }
Insn &Insn::rb(unsigned r) { return set(WL_FIELD_RB_LOW, 8, r); }
Insn &Insn::rc(unsigned r) { return set(WL_FIELD_RC_LOW, 8, r); }
Insn &Insn::pd(unsigned p) { return set(WL_FIELD_PD_LOW, 3, p); }
Insn &Insn::pq(unsigned p) { return set(WL_FIELD_PQ_LOW, 3, p); }
Insn &Insn::ps(unsigned p, bool neg) {
  set(WL_FIELD_PS_LOW, 3, p);
  return set(WL_FIELD_PS_NEG_LOW, 1, neg ? 1u : 0u);
}
Insn &Insn::imm(uint32_t v) { return set(WL_FIELD_IMM_LOW, 32, v); }

struct Sm::Impl : SmMemory<BENCH_CLASS> {
  VerilatedContext context;
  std::unique_ptr<BENCH_CLASS> top;
  const wl_config_t *config = &wl_configs[BENCH_CONFIG];

  void cycle() {
    before(*top, now);
    after(*top, now, config->mem_latency);
    now++;
  }
};

Sm::Sm() : impl_(new Impl) {
  now = 0;
  impl_->top.reset(new BENCH_CLASS{&impl_->context});
  BENCH_CLASS &top = *impl_->top;
  top.ar_ready_i = 1;
  top.aw_ready_i = 1;
  top.stall_i = 0;
  top.start_i = 0;
  top.rst_ni = 0;
  for (int i = 0; i < 3; i++)
    impl_->cycle();
  now = 0;
  top.rst_ni = 1;
}
Sm::~Sm() = default;

uint32_t Sm::load(uint64_t addr) const {
  uint32_t v;
  std::memcpy(&v, &impl_->memory[addr - MemBase], 4);
  return v;
}
void Sm::store(uint64_t addr, uint32_t value) {
  std::memcpy(&impl_->memory[addr - MemBase], &value, 4);
}
unsigned Sm::warps() const { return impl_->config->warps; }

Result Sm::run(const Launch &launch, uint64_t limit) {
  const uint32_t threads = launch.block[0] * launch.block[1] * launch.block[2];
  const uint32_t plane = launch.block[0] * launch.block[1];
  uint32_t lb[WL_LAUNCH_BLOCK_WORDS] = {0};
  auto put64 = [&lb](unsigned at, uint64_t v) {
    lb[at] = static_cast<uint32_t>(v);
    lb[at + 1] = static_cast<uint32_t>(v >> 32);
  };
  for (unsigned i = 0; i < 3; i++) {
    lb[WL_LAUNCH_NCTAID_X + i] = launch.grid[i];
    lb[WL_LAUNCH_NTID_X + i] = launch.block[i];
  }
  lb[WL_LAUNCH_THREADS] = threads;
  lb[WL_LAUNCH_WARPS] = (threads + 31) / 32;
  lb[WL_LAUNCH_REG_PAGES] = launch.reg_pages;
  lb[WL_LAUNCH_SMEM_UNITS] = (launch.smem_bytes + 1023) / 1024;
  lb[WL_LAUNCH_SMEM_BYTES] = launch.smem_bytes;
  lb[WL_LAUNCH_CODE_WORDS] = static_cast<uint32_t>(launch.code.size());
  put64(WL_LAUNCH_CODE_BASE, CodeAddr);
  put64(WL_LAUNCH_LOCAL_BASE, LocalAddr);
  lb[WL_LAUNCH_LOCAL_BYTES] = launch.local_bytes;
  lb[WL_LAUNCH_PARAM_BYTES] = static_cast<uint32_t>(4 * launch.params.size());
  put64(WL_LAUNCH_GRIDID, 1);
  put64(WL_LAUNCH_MEM_BASE, MemBase);
  put64(WL_LAUNCH_MEM_LIMIT, MemBase + MemBytes);
  lb[WL_LAUNCH_RECIP_X] = ((1u << 20) + launch.block[0] - 1) / launch.block[0];
  lb[WL_LAUNCH_RECIP_XY] = ((1u << 20) + plane - 1) / plane;
  put64(WL_LAUNCH_C0_BASE, LaunchAddr);
  for (unsigned i = 0; i < WL_LAUNCH_BLOCK_WORDS; i++)
    store(LaunchAddr + 4 * i, lb[i]);
  for (size_t i = 0; i < launch.params.size(); i++) {
    store(LaunchAddr + 512 + 4 * i, launch.params[i]);
  }
  for (size_t i = 0; i < launch.code.size(); i++) {
    for (unsigned k = 0; k < 4; k++)
      store(CodeAddr + 16 * i + 4 * k, launch.code[i].w[k]);
  }

  Result r;
  trace_on = trace;
  issued = 0;
  BENCH_CLASS &top = *impl_->top;
  top.launch_addr_i = LaunchAddr;
  top.start_i = 1;
  const uint64_t begin = now;
  impl_->cycle();
  top.start_i = 0;
  while (now - begin < limit) {
    impl_->cycle();
    if (top.done_o) {
      r.done = true;
      break;
    }
  }
  r.cycles = now - begin;
  r.issued = issued;
  // trap_o: {valid, cause, warp, lane 5, pc 28, addr 64}, the last member lowest.
  uint32_t t[5] = {0, 0, 0, 0, 0};
  for (unsigned i = 0; i < sizeof top.trap_o / 4; i++)
    t[i] = top.trap_o[i];
  auto bits = [&t](unsigned low, unsigned width) {
    uint64_t v = t[low / 32] | static_cast<uint64_t>(t[low / 32 + 1]) << 32;
    return static_cast<uint32_t>(v >> low % 32 & ((UINT64_C(1) << width) - 1));
  };
  unsigned warp_bits = 0;
  while ((1u << warp_bits) < warps())
    warp_bits++;
  r.pc = bits(64, 28);
  r.lane = bits(92, 5);
  r.warp = bits(97, warp_bits);
  r.cause = bits(97 + warp_bits, WL_TRAP_BITS);
  r.trapped = bits(97 + warp_bits + WL_TRAP_BITS, 1) != 0;
  return r;
}

} // namespace bench
