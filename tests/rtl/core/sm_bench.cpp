// Bench of one SM: see sm_bench.h. The header of the Verilated class comes from BENCH_HEADER, the
// class from BENCH_CLASS.
#include "sm_bench.h"

#include <cstdio>
#include <cstring>

#include "svdpi.h"
#include BENCH_HEADER
#define _Static_assert static_assert  // the generated headers are C
#include "gen/wl_config.h"
#include "gen/wl_insn.h"
#include "gen/wl_launch.h"

namespace {
bool trace_on = false;
uint64_t now = 0;
uint64_t issued = 0;

void trace_line(const char *kind, const char *format, unsigned a, unsigned b, unsigned c,
                unsigned d, unsigned e = 0) {
  if (!trace_on) return;
  std::printf("%8llu %-8s ", static_cast<unsigned long long>(now), kind);
  std::printf(format, a, b, c, d, e);
  std::printf("\n");
}
}  // namespace

#ifdef BENCH_JOURNAL
extern "C" {
typedef const svBitVecVal *bits_t;
void wl_j_rf(unsigned bank, unsigned row, unsigned mask, bits_t data) {
  trace_line("RF", "bank %u row %u mask %x data0 %x", bank, row, mask, data[0]);
}
void wl_j_pred(unsigned warp, unsigned pred, unsigned mask, unsigned value) {
  trace_line("PRED", "w%u p%u mask %08x value %08x", warp, pred, mask, value);
}
void wl_j_smem(unsigned bank, unsigned row, unsigned bytes, unsigned data) {
  trace_line("SMEM", "bank %u row %u bytes %x data %x", bank, row, bytes, data);
}
void wl_j_xbuf(unsigned warp, unsigned beat, unsigned mask, bits_t data) {
  trace_line("XBUF", "w%u beat %u mask %x data0 %x", warp, beat, mask, data[0]);
}
void wl_j_fetch(unsigned warp, unsigned pc, bits_t word, unsigned trap) {
  trace_line("FETCH", "w%u pc %u form %u trap %u", warp, pc, word[0] & 0x1fff, trap);
}
void wl_j_issue(unsigned warp, unsigned pc, unsigned path, unsigned exec) {
  issued++;
  trace_line("ISSUE", "w%u pc %u path %08x exec %08x", warp, pc, path, exec);
}
void wl_j_resolve(unsigned warp, unsigned request, unsigned pc, unsigned mask, unsigned, unsigned,
                  unsigned, unsigned live) {
  trace_line("RESOLVE", "w%u request %u pc %u mask %08x live %08x", warp, request, pc, mask, live);
}
void wl_j_row(unsigned warp, unsigned leader, unsigned mask, unsigned pc, unsigned,
              unsigned state, unsigned, unsigned) {
  trace_line("ROW", "w%u leader %u mask %08x pc %u state %u", warp, leader, mask, pc, state);
}
void wl_j_walked(unsigned warp, unsigned run, unsigned mask, unsigned pc, unsigned, unsigned,
                 unsigned exist, unsigned, unsigned, unsigned, unsigned) {
  trace_line("WALKED", "w%u run %u mask %08x pc %u exist %08x", warp, run, mask, pc, exist);
}
void wl_j_barrier(unsigned slot, unsigned number, unsigned arrived, unsigned, unsigned b,
                  unsigned, unsigned popc) {
  trace_line("BARRIER", "cta %u number %u arrived %x b %u popc %u", slot, number, arrived, b,
             popc);
}
void wl_j_cta(unsigned ev, unsigned slot, unsigned x, unsigned, unsigned, unsigned warps,
              unsigned) {
  trace_line("CTA", "event %u slot %u x %u warps %x", ev, slot, x, warps);
}
void wl_j_page(unsigned warp, unsigned entry, unsigned page) {
  trace_line("PAGE", "w%u entry %u page %u", warp, entry, page, 0);
}
void wl_j_packet(unsigned op, unsigned, unsigned, unsigned unit, unsigned tag, unsigned sector,
                 unsigned, unsigned mask, bits_t) {
  trace_line("PACKET", "op %u unit %u tag %x sector %x mask %08x", op, unit, tag, sector, mask);
}
void wl_j_response(unsigned op, unsigned unit, unsigned tag, bits_t data) {
  trace_line("RESPONSE", "op %u unit %u tag %x data0 %x", op, unit, tag, data[0]);
}
void wl_j_trap(unsigned cause, unsigned warp, unsigned lane, unsigned pc, unsigned lo, unsigned) {
  trace_line("TRAP", "cause %u w%u lane %u pc %u addr %x", cause, warp, lane, pc, lo);
}
void wl_j_monitor(bits_t pm) {
  trace_line("MONITOR", "issued %u idle %u requests %u passes %u packets %u", pm[0], pm[2], pm[4],
             pm[6], pm[12]);
}
void wl_j_rest(unsigned cycle, unsigned, unsigned rest) {
  trace_line("REST", "cycle %u rest %x", cycle, rest, 0, 0);
}
void wl_j_state(unsigned state) { trace_line("STATE", "%u", state, 0, 0, 0); }
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

struct Sm::Impl {
  struct Answer {
    uint64_t due;
    unsigned id;
    uint32_t data[8];
  };
  VerilatedContext context;
  std::unique_ptr<BENCH_CLASS> top;
  std::vector<uint8_t> memory = std::vector<uint8_t>(MemBytes);
  std::deque<Answer> reads, writes;
  const wl_config_t *config = &wl_configs[BENCH_CONFIG];

  uint8_t *sector(uint64_t addr) {
    if (addr < MemBase || addr + 32 > MemBase + MemBytes) return nullptr;
    return &memory[addr - MemBase];
  }

  // One cycle: inputs, combinational outputs, requests accepted, clock edge.
  void cycle() {
    top->clk_i = 0;
    top->r_valid_i = !reads.empty() && reads.front().due == now;
    if (top->r_valid_i) {
      top->r_id_i = static_cast<uint8_t>(reads.front().id);
      for (unsigned i = 0; i < 8; i++) top->r_data_i[i] = reads.front().data[i];
      reads.pop_front();
    }
    top->b_valid_i = !writes.empty() && writes.front().due == now;
    if (top->b_valid_i) {
      top->b_id_i = static_cast<uint8_t>(writes.front().id);
      writes.pop_front();
    }
    top->eval();
    if (top->ar_valid_o) {
      Answer a{now + config->mem_latency, top->ar_id_o, {}};
      if (const uint8_t *p = sector(top->ar_addr_o)) std::memcpy(a.data, p, 32);
      reads.push_back(a);
    }
    if (top->aw_valid_o) {
      if (uint8_t *p = sector(top->aw_addr_o)) {
        uint8_t bytes[32];
        for (unsigned i = 0; i < 8; i++) {
          uint32_t word = top->w_data_o[i];
          std::memcpy(bytes + 4 * i, &word, 4);
        }
        for (unsigned i = 0; i < 32; i++) {
          if (top->w_strb_o >> i & 1) p[i] = bytes[i];
        }
      }
      writes.push_back(Answer{now + config->mem_latency, top->aw_id_o, {}});
    }
    top->clk_i = 1;
    top->eval();
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
  for (int i = 0; i < 3; i++) impl_->cycle();
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
  for (unsigned i = 0; i < WL_LAUNCH_BLOCK_WORDS; i++) store(LaunchAddr + 4 * i, lb[i]);
  for (size_t i = 0; i < launch.params.size(); i++) {
    store(LaunchAddr + 512 + 4 * i, launch.params[i]);
  }
  for (size_t i = 0; i < launch.code.size(); i++) {
    for (unsigned k = 0; k < 4; k++) store(CodeAddr + 16 * i + 4 * k, launch.code[i].w[k]);
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
  // trap_o: {valid, cause 4, warp, lane 5, pc 28, addr 64}, the last member lowest.
  uint32_t t[5] = {0, 0, 0, 0, 0};
  for (unsigned i = 0; i < sizeof top.trap_o / 4; i++) t[i] = top.trap_o[i];
  auto bits = [&t](unsigned low, unsigned width) {
    uint64_t v = t[low / 32] | static_cast<uint64_t>(t[low / 32 + 1]) << 32;
    return static_cast<uint32_t>(v >> low % 32 & ((UINT64_C(1) << width) - 1));
  };
  unsigned warp_bits = 0;
  while ((1u << warp_bits) < warps()) warp_bits++;
  r.pc = bits(64, 28);
  r.lane = bits(92, 5);
  r.warp = bits(97, warp_bits);
  r.cause = bits(97 + warp_bits, 4);
  r.trapped = bits(101 + warp_bits, 1) != 0;
  return r;
}

}  // namespace bench
