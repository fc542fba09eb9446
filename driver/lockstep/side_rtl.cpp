// side_rtl.cpp: a Verilated gpu_top as a side of lockstep, compiled once per configuration with
//   WL_RTL_HEADER, WL_RTL_CLASS  the Verilated model
//   WL_RTL_ROOT_HEADER           its root, for rearm() below
//   WL_RTL_OPS                   name of the table of functions made here
//   WL_RTL_WAVES_FST, _VCD       where the model was made with waves of this format
//   WL_RTL_WITHOUT_JOURNAL       where the model was made without the journal: it cannot count
//   WL_RTL_FAULTS                where registers can be changed (driver/faults)
// The memory behind the order point is the port of memport.h on the RTL's own image
// (docs/microarchitecture.md 13). Nothing of the model is seen here.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <vector>

#include WL_RTL_HEADER
#include WL_RTL_ROOT_HEADER
#include "driver/lockstep/memport.h"
#include "driver/lockstep/rtl_debug.h"
#include "driver/lockstep/rtl_dpi.h"
#include "driver/lockstep/side.h"
#ifdef WL_RTL_FAULTS
#include "driver/faults/probe.h"
#endif
#include "gen/wl_trap.h"
#include "verilated.h"
#include "verilated_syms.h"
#ifdef WL_RTL_WAVES_FST
#include "verilated_fst_c.h"
#endif
#ifdef WL_RTL_WAVES_VCD
#include "verilated_vcd_c.h"
#endif
#if defined(WL_RTL_WAVES_FST) || defined(WL_RTL_WAVES_VCD)
#define WL_RTL_WAVES
#include "driver/trace/waves.h"
#endif

namespace {

// A value as wide as a port of the model (whose members are references).
template <typename Port> std::remove_reference_t<Port> narrow(uint32_t value) {
  return static_cast<std::remove_reference_t<Port>>(value);
}

// A rising edge without the low phase in between: every evaluation goes through all logic that hangs
// on inputs, and the falling edge does nothing else. The name is Verilator's own; where it is another
// (other versions), the clock is lowered with an evaluation of its own.
template <typename Root>
auto rearm(Root *root, int) -> decltype(root->__Vtrigprevexpr___TOP__clk_i__0, bool()) {
  root->__Vtrigprevexpr___TOP__clk_i__0 = 0;
  return true;
}
template <typename Root> bool rearm(Root *, long) { return false; }

// The signals of the records (driver/trace/waves.h) as further signals of the Verilated trace.
struct RecordSignals {
  const wl_waves_t *waves = nullptr;
  uint32_t code = 0;
};

struct Rtl {
  uint64_t requested = 0; // digest of all requests, with WL_RTL_FAULTS
  WlRtlContext journal;
  std::unique_ptr<VerilatedContext> context;
  std::unique_ptr<WL_RTL_CLASS> top;
  const wl_config_t *config = nullptr;
  wl_memport_t port;
  std::string error;
#ifdef WL_RTL_WAVES_FST
  std::unique_ptr<VerilatedFstC> waves;
#endif
#ifdef WL_RTL_WAVES_VCD
  std::unique_ptr<VerilatedVcdC> waves;
#endif
  RecordSignals record_signals;
  WlRtlDebug debug;

  ~Rtl();
  void enter();
  void requests(wl_cosim_port_out_t *out) const;
  void eval_cycle(wl_journal_t *records);
  void reset();
  void seeded(std::vector<uint8_t> *bytes, bool put);
};

Rtl *rtl(wl_side_t *side) { return reinterpret_cast<Rtl *>(side); }
const Rtl *rtl(const wl_side_t *side) { return reinterpret_cast<const Rtl *>(side); }

// Before everything that Verilated code does: it takes its context from the thread (the destructor
// of a model too), where the one made last stands, and another side may have freed that.
void Rtl::enter() {
  wl_rtl_context = &journal;
  Verilated::threadContextp(context.get());
}

Rtl::~Rtl() {
  enter();
#ifdef WL_RTL_WAVES
  waves.reset();
#endif
  top.reset();
  context.reset();
  Verilated::threadContextp(nullptr);
  wl_rtl_context = nullptr;
}

// The request outputs hang on state only (docs/interfaces.md): taken before the clock's edge.
void Rtl::requests(wl_cosim_port_out_t *out) const {
  out->ar_valid = top->ar_valid_o;
  out->ar_id = top->ar_id_o;
  out->ar_addr = top->ar_addr_o;
  out->aw_valid = top->aw_valid_o;
  out->aw_id = top->aw_id_o;
  out->aw_addr = top->aw_addr_o;
  if (!out->aw_valid) return;
  out->w_strb = top->w_strb_o;
  for (unsigned i = 0; i < 8; i++)
    out->w_data[i] = top->w_data_o[i];
}

void Rtl::eval_cycle(wl_journal_t *records) {
  enter();
  journal.journal = records;
  wl_cosim_port_in_t in;
  wl_cosim_port_out_t out = {};
  wl_memport_begin(&port, &in);
  top->r_valid_i = in.r_valid;
  top->r_id_i = narrow<decltype(top->r_id_i)>(in.r_id);
  if (in.r_valid)
    for (unsigned i = 0; i < 8; i++)
      top->r_data_i[i] = in.r_data[i];
  top->b_valid_i = in.b_valid;
  top->b_id_i = narrow<decltype(top->b_id_i)>(in.b_id);
  top->stall_i = narrow<decltype(top->stall_i)>(in.stall);
  top->ar_ready_i = in.ar_ready;
  top->aw_ready_i = in.aw_ready;
  if (!rearm(top->rootp, 0)) {
    top->clk_i = 0;
    top->eval();
  }
  requests(&out);
#ifdef WL_RTL_FAULTS
  const unsigned char *bytes = reinterpret_cast<const unsigned char *>(&out);
  if (out.ar_valid || out.aw_valid)
    for (size_t i = 0; i < sizeof out; i++)
      requested = (requested ^ bytes[i]) * 0x100000001b3;
  requested = requested * 0x9e3779b97f4a7c15 + 1;
#endif
  wl_memport_end(&port, &out);
  top->clk_i = 1;
  top->eval();
  journal.journal = nullptr;
}

void Rtl::reset() {
  enter();
  context->assertOn(false); // registers hold anything yet
  top->rst_ni = 0;
  top->start_i = 0;
  top->stall_i = 0;
  top->ar_ready_i = 1;
  top->aw_ready_i = 1;
  top->r_valid_i = 0;
  top->b_valid_i = 0;
  std::vector<uint8_t> start;
  for (unsigned i = 0; i < 4; i++) {
    top->clk_i = 0;
    top->eval();
    if (i == 0) seeded(&start, false);
    top->clk_i = 1;
    top->eval();
  }
  seeded(&start, true);
  context->assertOn(true);
  top->rst_ni = 1;
}

// The arrays hold the seeds before the first edge. With random registers an edge in reset may write to
// them: this keeps their bytes, and puts them back after the reset. Slices of one array have one name.
void Rtl::seeded(std::vector<uint8_t> *bytes, bool put) {
  char text[160], last[sizeof text] = "";
  size_t at = 0;
  for (unsigned view = 0; view < WL_NUM_VIEWS; view++) {
    wl_view_t sizes;
    wl_view_sizes(config, view, &sizes);
    for (unsigned slice = 0; slice < sizes.slices; slice++) {
      wl_view_rtl_name(config, view, slice, text, sizeof text);
      if (std::strcmp(text, last) == 0) continue;
      std::strcpy(last, text);
      const VerilatedVar *v = wl_rtl_public(*context, std::string("TOP.gpu_top.") + text);
      if (v == nullptr) continue;
      uint8_t *data = static_cast<uint8_t *>(v->datap());
      if (put)
        std::copy_n(bytes->data() + at, v->totalSize(), data);
      else
        bytes->insert(bytes->end(), data, data + v->totalSize());
      at += v->totalSize();
    }
  }
}

wl_side_t *open_rtl(const wl_side_desc_t *desc, char *err, size_t cap) {
  Rtl *r = new (std::nothrow) Rtl;
  if (r == nullptr) {
    std::snprintf(err, cap, "out of memory for the RTL of %s", desc->config->name);
    return nullptr;
  }
  r->config = desc->config;
  wl_memport_open(&r->port, desc->config, desc->seed, desc->density, desc->mem, desc->mem_bytes);
  r->port.wrote = desc->wrote;
  r->journal.seed = desc->seed;
  r->journal.lanes = desc->config->lanes;
  r->context = std::make_unique<VerilatedContext>();
  // Registers without reset start from the seed too, so that a missing reset shows.
  r->context->randReset(2);
  r->context->randSeed(static_cast<int>(desc->seed & 0x7fffffff) | 1);
#ifdef WL_RTL_WAVES
  r->context->traceEverOn(true);
#endif
  r->enter();
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

// trap_t of rtl/core/sm_pkg.sv: {valid, cause, warp, lane 5, pc 28, addr 64}, last member lowest.
void trap_rtl(const wl_side_t *side, wl_side_trap_t *trap) {
  const auto &t = rtl(side)->top->trap_o;
  auto bits = [&t](unsigned low, unsigned width) {
    uint32_t value = 0;
    for (unsigned i = 0; i < width; i++)
      value |= (t[(low + i) / 32] >> ((low + i) % 32) & 1U) << i;
    return value;
  };
  unsigned warp_bits = 0;
  while ((1U << warp_bits) < rtl(side)->config->warps)
    warp_bits++;
  trap->address = bits(0, 32) | static_cast<uint64_t>(bits(32, 32)) << 32;
  trap->pc = bits(64, 28);
  trap->lane = bits(92, 5);
  trap->warp = bits(97, warp_bits);
  trap->cause = bits(97 + warp_bits, WL_TRAP_BITS);
  trap->valid = bits(97 + warp_bits + WL_TRAP_BITS, 1) != 0;
}

// An array that is public in the RTL, by its hierarchical name below gpu_top (isa/def/state.def).
void view_rtl(wl_side_t *side, unsigned view, wl_view_t *out) {
  Rtl *r = rtl(side);
  char text[160];
  for (unsigned i = 0; i < out->slices; i++) {
    wl_view_rtl_name(r->config, view, i, text, sizeof text);
    const std::string full = std::string("TOP.gpu_top.") + text;
    const VerilatedVar *v = wl_rtl_public(*r->context, full);
    if (v == nullptr) {
      r->error = "the RTL has no public array " + full;
      return;
    }
    // An element that is wider than a word is a row of neighbouring slices.
    const unsigned words = static_cast<unsigned>((v->entSize() + 3) / 4);
    out->stride = words;
    out->base[i] = static_cast<const uint32_t *>(v->datap()) + i % words;
  }
}

void debug_rtl(wl_side_t *side, uint64_t *words, bool *has) {
  Rtl *r = rtl(side);
  r->debug.read(*r->context, *r->config, words, has);
}

#ifndef WL_RTL_WITHOUT_JOURNAL
void counters_rtl(const wl_side_t *side, wl_side_counters_t *out) {
  const WlRtlContext &j = rtl(side)->journal;
  *out = wl_side_counters_t{j.issues, j.thread_issues, j.packets, j.columns_left};
}
#else
constexpr decltype(wl_side_ops_t::counters) counters_rtl = nullptr;
#endif

#ifdef WL_RTL_WAVES
#ifdef WL_RTL_WAVES_FST
using WaveTrace = VerilatedFst;
using WaveFile = VerilatedFstC;
constexpr const char *wave_format = "fst";
#else
using WaveTrace = VerilatedVcd;
using WaveFile = VerilatedVcdC;
constexpr const char *wave_format = "vcd";
#endif

void wave_scope(WaveTrace *file, const std::string &from, const std::string &to) {
  auto parts = [](const std::string &text) {
    std::vector<std::string> out;
    for (size_t at = 0; at < text.size();) {
      const size_t dot = std::min(text.find('.', at), text.size());
      out.push_back(text.substr(at, dot - at));
      at = dot + 1;
    }
    return out;
  };
  const auto a = parts(from), b = parts(to);
  size_t same = 0;
  while (same < a.size() && same < b.size() && a[same] == b[same])
    same++;
  for (size_t i = same; i < a.size(); i++)
    file->popPrefix();
  for (size_t i = same; i < b.size(); i++)
    file->pushPrefix(b[i].c_str(), VerilatedTracePrefixType::SCOPE_MODULE);
}

void wave_declare(void *user, WaveTrace *file, uint32_t code) {
  auto *own = static_cast<RecordSignals *>(user);
  std::string scope;
  own->code = code;
  for (unsigned i = 0; i < own->waves->signals; i++) {
    const wl_wave_signal_t &s = own->waves->signal[i];
    wave_scope(file, scope, s.scope);
    scope = s.scope;
    const auto dir = VerilatedTraceSigDirection::NONE;
    const auto kind = VerilatedTraceSigKind::VAR;
    const auto type = VerilatedTraceSigType::LOGIC;
    (void)dir, (void)kind, (void)type; // a VCD has none of them
    if (s.bits == 1)
      VL_TRACE_DECL_BIT(file, code + i, 0, s.name, -1, dir, kind, type);
    else
      VL_TRACE_DECL_BUS(file, code + i, 0, s.name, -1, dir, kind, type,
                        static_cast<int>(s.bits) - 1, 0);
  }
  wave_scope(file, scope, "");
}

void wave_full(void *user, WaveTrace::Buffer *out) {
  const auto *own = static_cast<const RecordSignals *>(user);
  uint32_t *old = out->oldp(own->code);
  for (unsigned i = 0; i < own->waves->signals; i++) {
    const wl_wave_signal_t &s = own->waves->signal[i];
    if (s.bits == 1)
      out->fullBit(old + i, static_cast<CData>(s.value));
    else
      out->fullIData(old + i, s.value, static_cast<int>(s.bits));
  }
}

void wave_change(void *user, WaveTrace::Buffer *out) {
  const auto *own = static_cast<const RecordSignals *>(user);
  uint32_t *old = out->oldp(own->code);
  for (unsigned i = 0; i < own->waves->signals; i++) {
    const wl_wave_signal_t &s = own->waves->signal[i];
    if (s.bits == 1)
      out->chgBit(old + i, static_cast<CData>(s.value));
    else
      out->chgIData(old + i, s.value, static_cast<int>(s.bits));
  }
}

bool wave_open_rtl(wl_side_t *side, const char *path, const wl_waves_t *waves) {
  Rtl *r = rtl(side);
  r->record_signals.waves = waves;
  r->waves = std::make_unique<WaveFile>();
  r->top->trace(r->waves.get(), 99);
  WaveTrace *file = r->waves->spTrace();
  file->addInitCb(wave_declare, &r->record_signals, "records", false, waves->signals);
  file->addFullCb(wave_full, 0, &r->record_signals);
  file->addChgCb(wave_change, 0, &r->record_signals);
  r->waves->set_time_unit("1ns"); // a cycle, as in the VCD of the records
  r->waves->set_time_resolution("1ns");
  r->waves->open(path);
  return r->waves->isOpen();
}

void wave_cycle_rtl(wl_side_t *side, uint64_t cycle) { rtl(side)->waves->dump(cycle); }

void wave_close_rtl(wl_side_t *side) {
  rtl(side)->waves->close();
  rtl(side)->waves.reset();
}
#else
constexpr const char *wave_format = nullptr;
constexpr decltype(wl_side_ops_t::wave_open) wave_open_rtl = nullptr;
constexpr decltype(wl_side_ops_t::wave_cycle) wave_cycle_rtl = nullptr;
constexpr decltype(wl_side_ops_t::wave_close) wave_close_rtl = nullptr;
#endif

const char *fault_rtl(const wl_side_t *side) {
  return rtl(side)->error.empty() ? nullptr : rtl(side)->error.c_str();
}

} // namespace

extern "C" {
extern const wl_side_ops_t WL_RTL_OPS;
const wl_side_ops_t WL_RTL_OPS = {
    "rtl",       open_rtl,      close_rtl,      start_rtl,      step_rtl,  done_rtl,
    hung_rtl,    trap_rtl,      view_rtl,       counters_rtl,   nullptr,   nullptr,
    wave_format, wave_open_rtl, wave_cycle_rtl, wave_close_rtl, debug_rtl, fault_rtl};
}

#ifdef WL_RTL_FAULTS
bool wl_probe_find(wl_side_t *side, const char *name, wl_probe_t *out) {
  const VerilatedVar *v = wl_rtl_public(*rtl(side)->context, std::string("TOP.gpu_top.") + name);
  if (v == nullptr) return false;
  out->base = static_cast<uint8_t *>(v->datap());
  out->bits = static_cast<unsigned>(v->entBits());
  out->bytes = static_cast<unsigned>(v->entSize());
  out->elements = static_cast<unsigned>(v->totalSize() / v->entSize());
  return true;
}

void wl_probe_settle(wl_side_t *side) {
  rtl(side)->enter();
  rtl(side)->top->eval();
}

uint64_t wl_probe_requests(const wl_side_t *side) { return rtl(side)->requested; }
#endif
