// side_rtl.cpp: a Verilated sm_top as a side of lockstep, compiled once per configuration with
//   WL_RTL_HEADER, WL_RTL_CLASS  the Verilated model
//   WL_RTL_ROOT_HEADER           its root, for rearm() below
//   WL_RTL_OPS                   name of the table of functions made here
//   WL_RTL_WITHOUT_JOURNAL       where the model was made without the journal: it cannot count
// The memory behind the order point is here: the RTL's own image, answers MemLatency cycles after
// acceptance (docs/microarchitecture.md 13). Nothing of the model is seen here.
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <type_traits>

#include WL_RTL_HEADER
#include WL_RTL_ROOT_HEADER
#include "driver/backend.h"
#include "driver/lockstep/rtl_dpi.h"
#include "driver/lockstep/side.h"
#include "gen/wl_trap.h"
#include "verilated.h"
#include "verilated_syms.h"

namespace {

constexpr unsigned kRing = 256; // above twice MemLatency and the rows of the order point

// A value as wide as a port of the model (whose members are references).
template <typename Port> std::remove_reference_t<Port> narrow(uint32_t value) {
  return static_cast<std::remove_reference_t<Port>>(value);
}

// A rising edge without the low phase in between: every evaluation goes through all logic that hangs
// on inputs, and the falling edge does nothing else. The name is Verilator's own; where it is another
// (other versions), the clock is lowered with an evaluation of its own.
template <typename Root> auto rearm(Root *root, int)
    -> decltype(root->__Vtrigprevexpr___TOP__clk_i__0, bool()) {
  root->__Vtrigprevexpr___TOP__clk_i__0 = 0;
  return true;
}
template <typename Root> bool rearm(Root *, long) { return false; }

struct Answer {
  bool valid = false;
  unsigned id = 0;
  uint32_t data[8] = {};
};

struct Rtl {
  WlRtlContext journal;
  std::unique_ptr<VerilatedContext> context;
  std::unique_ptr<WL_RTL_CLASS> top;
  const wl_config_t *config = nullptr;
  uint8_t *mem = nullptr;
  uint64_t mem_bytes = 0, cycle = 0, seed = 0;
  unsigned density = 0;
  uint64_t word = 0;  // of the disturbance, of this cycle
  uint32_t stalls = 0;
  Answer read[kRing], write[kRing];
  std::string error;

  bool inside(uint64_t address) const {
    return address >= WL_MEM_BASE && address - WL_MEM_BASE + 32 <= mem_bytes;
  }
  void disturb();
  unsigned due(const Answer *answers, unsigned low) const;
  void accept();
  void answer();
  void eval_cycle(wl_journal_t *records);
  void reset();
};

Rtl *rtl(wl_side_t *side) { return reinterpret_cast<Rtl *>(side); }
const Rtl *rtl(const wl_side_t *side) { return reinterpret_cast<const Rtl *>(side); }

// Stall points of this cycle (docs/microarchitecture.md 17).
void Rtl::disturb() {
  uint64_t z = seed + 0x9E3779B97F4A7C15U * ((uint64_t{7} << 56) + cycle + 1);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  word = z ^ (z >> 31);
  stalls = 0;
  for (unsigned i = 0; i < WL_NUM_STALLS; i++)
    if ((word >> (3 * i) & 7) < density) stalls |= 1U << i;
}

// Where the answer of a request accepted now goes; `low`: first of 16 bits of the cycle's word.
unsigned Rtl::due(const Answer *answers, unsigned low) const {
  uint64_t at = cycle + config->mem_latency;
  if (density != 0) at += (word >> low & 0xffff) % (config->mem_latency + 1);
  while (answers[at % kRing].valid) at++;
  return static_cast<unsigned>(at % kRing);
}

// Requests of this cycle.
void Rtl::accept() {
  if (top->ar_valid_o && top->ar_ready_i) {
    Answer &a = read[due(read, 48)];
    a.valid = true;
    a.id = top->ar_id_o;
    std::memset(a.data, 0, sizeof a.data);
    if (inside(top->ar_addr_o)) std::memcpy(a.data, mem + (top->ar_addr_o - WL_MEM_BASE), 32);
  }
  if (!top->aw_valid_o || !top->aw_ready_i) return;
  Answer &b = write[due(write, 32)];
  b.valid = true;
  b.id = top->aw_id_o;
  if (!inside(top->aw_addr_o)) return;
  uint8_t *to = mem + (top->aw_addr_o - WL_MEM_BASE);
  for (unsigned i = 0; i < 32; i++)
    if ((top->w_strb_o >> i & 1) != 0)
      to[i] = static_cast<uint8_t>(top->w_data_o[i / 4] >> (i % 4 * 8));
}

void Rtl::answer() {
  Answer &r = read[cycle % kRing], &b = write[cycle % kRing];
  top->r_valid_i = r.valid;
  top->r_id_i = narrow<decltype(top->r_id_i)>(r.id);
  if (r.valid)
    for (unsigned i = 0; i < 8; i++) top->r_data_i[i] = r.data[i];
  top->b_valid_i = b.valid;
  top->b_id_i = narrow<decltype(top->b_id_i)>(b.id);
  r.valid = b.valid = false;
}

void Rtl::eval_cycle(wl_journal_t *records) {
  wl_rtl_context = &journal;
  journal.journal = records;
  answer();
  if (density != 0) disturb();
  top->stall_i = narrow<decltype(top->stall_i)>(stalls);
  top->ar_ready_i = (stalls >> WL_STALL_AT_AR & 1) == 0;
  top->aw_ready_i = (stalls >> WL_STALL_AT_AW & 1) == 0;
  if (!rearm(top->rootp, 0)) {
    top->clk_i = 0;
    top->eval();
  }
  accept(); // the request outputs hang on state only (docs/interfaces.md)
  top->clk_i = 1;
  top->eval();
  journal.journal = nullptr;
  cycle++;
}

void Rtl::reset() {
  wl_rtl_context = &journal;
  top->rst_ni = 0;
  top->start_i = 0;
  top->stall_i = 0;
  top->ar_ready_i = 1;
  top->aw_ready_i = 1;
  top->r_valid_i = 0;
  top->b_valid_i = 0;
  for (unsigned i = 0; i < 4; i++) {
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
  }
  top->rst_ni = 1;
}

wl_side_t *open_rtl(const wl_side_desc_t *desc, char *err, size_t cap) {
  Rtl *r = new (std::nothrow) Rtl;
  if (r == nullptr) {
    std::snprintf(err, cap, "out of memory for the RTL of %s", desc->config->name);
    return nullptr;
  }
  r->config = desc->config;
  r->mem = desc->mem;
  r->mem_bytes = desc->mem_bytes;
  r->journal.seed = r->seed = desc->seed;
  r->density = desc->density;
  r->journal.lanes = desc->config->lanes;
  r->context = std::make_unique<VerilatedContext>();
  // Registers without reset start from the seed too, so that a missing reset shows.
  r->context->randReset(2);
  r->context->randSeed(static_cast<int>(desc->seed & 0x7fffffff) | 1);
  wl_rtl_context = &r->journal;
  r->top = std::make_unique<WL_RTL_CLASS>(r->context.get(), "TOP");
  r->reset();
  return reinterpret_cast<wl_side_t *>(r);
}

void close_rtl(wl_side_t *side) { delete rtl(side); }

void step_rtl(wl_side_t *side, wl_journal_t *records) { rtl(side)->eval_cycle(records); }

void start_rtl(wl_side_t *side, uint64_t launch_block, wl_journal_t *records) {
  Rtl *r = rtl(side);
  r->top->start_i = 1;
  r->top->launch_addr_i = launch_block;
  r->eval_cycle(records);
  r->top->start_i = 0;
}

bool done_rtl(const wl_side_t *side) { return rtl(side)->top->done_o; }
bool hung_rtl(const wl_side_t *side) { return rtl(side)->top->hang_o; }

// trap_t of rtl/core/sm_pkg.sv: {valid, cause 4, warp, lane 5, pc 28, addr 64}, last member lowest.
void trap_rtl(const wl_side_t *side, wl_side_trap_t *trap) {
  const auto &t = rtl(side)->top->trap_o;
  auto bits = [&t](unsigned low, unsigned width) {
    uint32_t value = 0;
    for (unsigned i = 0; i < width; i++)
      value |= (t[(low + i) / 32] >> ((low + i) % 32) & 1U) << i;
    return value;
  };
  unsigned warp_bits = 0;
  while ((1U << warp_bits) < rtl(side)->config->warps) warp_bits++;
  trap->address = bits(0, 32) | static_cast<uint64_t>(bits(32, 32)) << 32;
  trap->pc = bits(64, 28);
  trap->lane = bits(92, 5);
  trap->warp = bits(97, warp_bits);
  trap->cause = bits(97 + warp_bits, 4);
  trap->valid = bits(101 + warp_bits, 1) != 0;
}

// An array that is public in the RTL, by its hierarchical name below sm_top.
const uint32_t *array(Rtl *r, const std::string &scope, const char *name) {
  const std::string full = "TOP.sm_top." + scope;
  const VerilatedScope *s = r->context->scopeFind(full.c_str());
  const VerilatedVar *v = s != nullptr ? s->varFind(name) : nullptr;
  if (v == nullptr) {
    r->error = "the RTL has no public array " + full + "." + name;
    return nullptr;
  }
  return static_cast<const uint32_t *>(v->datap());
}

std::string indexed(const char *format, unsigned i, unsigned j) {
  char text[160];
  std::snprintf(text, sizeof text, format, i, j);
  return text;
}

void view_rtl(wl_side_t *side, unsigned view, wl_view_t *out) {
  Rtl *r = rtl(side);
  const wl_config_t *c = r->config;
  *out = wl_view_t{};
  out->stride = 1;
  switch (view) {
  case WL_VIEW_RF:
    out->name = "rf";
    out->slices = 4 * c->lanes;
    out->rows = c->reg_pages * 2 * c->beats;
    for (unsigned i = 0; i < out->slices; i++)
      out->base[i] = array(r, indexed("u_operands.u_regfile.gen_lane[%u].u_lane.gen_bank[%u]",
                                      i % c->lanes, i / c->lanes), "mem_q");
    return;
  case WL_VIEW_PRED:
    out->name = "pred";
    out->slices = 1;
    out->rows = c->warps * 8;
    out->base[0] = array(r, "u_issue.u_predfile", "pred_q");
    return;
  case WL_VIEW_SMEM:
    out->name = "smem";
    out->slices = c->smem_banks;
    out->rows = c->smem_bytes / 4 / c->smem_banks;
    for (unsigned i = 0; i < out->slices; i++)
      out->base[i] = array(r, indexed("u_smem.gen_bank[%u].u_bank", i, 0), "mem_q");
    return;
  default:
    out->name = "xbuf";
    out->slices = 32;
    out->rows = c->warps;
    for (unsigned i = 0; i < out->slices; i++)
      out->base[i] = array(r, indexed("u_warp.gen_xbuf[%u]", i, 0), "mem_q");
  }
}

#ifndef WL_RTL_WITHOUT_JOURNAL
void counters_rtl(const wl_side_t *side, wl_side_counters_t *out) {
  const WlRtlContext &j = rtl(side)->journal;
  *out = wl_side_counters_t{j.issues, j.thread_issues, j.packets};
}
#else
constexpr decltype(wl_side_ops_t::counters) counters_rtl = nullptr;
#endif

const char *fault_rtl(const wl_side_t *side) {
  return rtl(side)->error.empty() ? nullptr : rtl(side)->error.c_str();
}

} // namespace

extern "C" {
extern const wl_side_ops_t WL_RTL_OPS;
const wl_side_ops_t WL_RTL_OPS = {"rtl",   open_rtl, close_rtl,    start_rtl, step_rtl,
                                  done_rtl, hung_rtl, trap_rtl, view_rtl, counters_rtl, fault_rtl};
}
