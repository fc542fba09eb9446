// Random divergent programs on the path unit and the CTA barriers, compared in every cycle with the
// reference: journal records, flushes, fetch PCs, traps, and the state that other units see.
// Instructions are made up at issue from the state of the reference; there is no program memory.
// Usage: paths_test [episodes [first seed]]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>

#include BENCH_HEADER
#include BENCH_DPI_HEADER
#define _Static_assert static_assert // the generated headers are C
#include "gen/warplock_layout.h"
#include "gen/wl_insn.h"
#include "gen/wl_journal_imports.h"
#include "reference.h"

using namespace paths_ref;

namespace {

constexpr unsigned Lanes = BENCH_LANES, Warps = BENCH_WARPS, Ctas = BENCH_CTAS, Beats = 32 / Lanes;
constexpr bool Delay = BENCH_DELAY != 0;
constexpr unsigned RowCycles = BENCH_ROW_CYCLES;
constexpr bool Ahead = BENCH_AHEAD != 0;
constexpr uint32_t PcSpan = 40;

std::vector<Record> seen; // records of the unit under test in this cycle
std::map<std::string, unsigned> coverage;

struct Rng {
  uint64_t s;
  uint32_t next() {
    s ^= s << 13;
    s ^= s >> 7;
    s ^= s << 17;
    return uint32_t(s >> 16);
  }
  uint32_t below(uint32_t n) { return next() % n; }
  bool percent(uint32_t p) { return below(100) < p; }
};

struct Flavour { // what an episode does
  bool stalls, bars, syncs, sleeps, calls, halves, mixed, aligned, wrong, many, waits;
  unsigned warps, ctas, bar_kind, bar_count, exits, slow_issue, phases;
};

struct Pending { // instruction past issue
  Control c;
  WData word[4];
  uint64_t resolve;
  uint64_t x1[8]; // cycle of each beat's operands, 0: none
};

class Bench {
public:
  explicit Bench(uint64_t seed)
      : rng_{seed * 0x9E3779B97F4A7C15ull | 1}, ref_(Warps, Beats, Delay, RowCycles) {
    make();
  }
  bool episode(unsigned number);

private:
  void make();
  bool clear();
  bool reset(bool by_clear);
  bool launch(unsigned number);
  bool cycle(unsigned number);
  void choose(uint64_t at, Issue &is,
              Pending *p); // what issues in a cycle that begins like this one
  Control control(unsigned w);
  void word_of(const Control &c, WData *word);
  uint32_t some_mask(uint32_t of);
  bool compare(const Out &o, bool before);
  bool expect(const char *what, unsigned w, uint64_t got, uint64_t want);

  Rng rng_;
  Flavour f_{};
  Reference ref_;
  VerilatedContext ctx_;
  std::unique_ptr<BENCH_CLASS> top_;
  std::deque<Pending> pipe_;
  uint64_t now_ = 0, free_at_ = 0;
  Issue planned_; // Ahead: it is shown in a cycle and issues in the next
  Pending planned_control_{};
  Warp sel_; // the warp whose words are looked at in this cycle
  bool trapped_ = false, cleared_ = false;
  uint64_t trap_cycles_ = 0, cut_ = 0; // cut_: that many after a trap the launch ends
};

void Bench::make() { top_ = std::make_unique<BENCH_CLASS>(&ctx_); }

// `clear` in whatever state the launch before it is in; nothing of it acts in the next cycle.
bool Bench::clear() {
  top_->clk_i = 0;
  top_->clear_i = 1;
  top_->eval();
  top_->clk_i = 1;
  top_->eval();
  top_->clk_i = 0;
  top_->clear_i = 0;
  top_->eval();
  bool ok = true;
  for (unsigned i = 0; i < 3; i++)
    ok &= expect("trap after clear", i, top_->trap_o[i], 0);
  seen.clear();
  top_->clk_i = 1;
  top_->eval();
  ok &= expect("records after clear", 0, seen.size(), 0);
  ok &= expect("barrier idle after clear", 0, top_->bar_idle_o, uint32_t(~0u) >> (32 - Warps));
  return ok;
}

bool Bench::reset(bool by_clear) {
  cleared_ = by_clear;
  if (by_clear) {
    if (!ref_.quiet()) coverage["clear with something due"]++;
    if (ref_.late()) coverage["clear with a late trap"]++;
  }
  ref_ = Reference(Warps, Beats, Delay, RowCycles);
  pipe_.clear();
  trapped_ = false;
  trap_cycles_ = 0;
  cut_ = rng_.percent(50) ? 250 : rng_.below(4);
  // Near the wrap of the 32-bit time in some episodes.
  now_ = rng_.percent(30) ? 0xffffff00u + rng_.below(0x100) : rng_.next();
  free_at_ = 0;
  planned_ = {};
  f_ = Flavour{};
  f_.stalls = rng_.percent(25);
  f_.bars = rng_.percent(50);
  f_.syncs = rng_.percent(40);
  f_.sleeps = rng_.percent(50);
  f_.calls = rng_.percent(50);
  f_.halves = rng_.percent(40);
  f_.mixed = rng_.percent(20);
  f_.aligned = rng_.percent(15);
  f_.wrong = rng_.percent(5);
  f_.many = rng_.percent(20);
  f_.warps = 1 + rng_.below(Warps < 6 ? Warps : 6);
  f_.ctas = rng_.percent(50) ? 1 : 1 + rng_.below(f_.warps < Ctas ? f_.warps : Ctas);
  f_.bar_kind = rng_.below(6);
  f_.waits = rng_.percent(50);
  f_.phases = rng_.percent(30) ? 0 : 1 + rng_.below(rng_.percent(30) ? 50 : 4); // percent of cycles
  ref_.gen = rng_.percent(30) ? 0x7fffffffu - rng_.below(8) : rng_.next() & 0x7fffffffu;
  f_.bar_count = rng_.percent(70) ? 0 : 1 + rng_.below(f_.warps);
  f_.exits = rng_.percent(50) ? 1 : 6;
  if (f_.many) {
    f_.bars = true;
    f_.ctas = 1;
    f_.exits = 14;
    if (rng_.percent(80)) f_.bar_kind = 1;
  }
  f_.slow_issue = rng_.percent(50) ? 100 : 5 + rng_.below(60);
  top_->clk_i = 0;
  top_->rst_ni = by_clear;
  top_->clear_i = 0;
  top_->stall_i = 0;
  top_->mbar_complete_i = 0;
  top_->mbar_gen_i = ref_.gen;
  top_->trap_pending_i = 0;
  top_->i_valid_i = top_->n_valid_i = top_->r_valid_i = top_->x_valid_i = 0;
  top_->warp_start_i = 0;
  top_->warp_valid_i = 0;
  for (int i = 0; i < 2 && !by_clear; i++) {
    top_->clk_i = 0;
    top_->eval();
    top_->clk_i = 1;
    top_->eval();
  }
  top_->rst_ni = 1;
  if (by_clear && !clear()) return false;
  top_->entry_pc_i = rng_.below(PcSpan);
  // The last warp of a CTA may have fewer lanes, in all CTAs the same.
  const uint32_t tail = rng_.percent(30) ? 0xffffffffu : (2u << rng_.below(31)) - 1;
  uint64_t all = 0, tails = 0;
  for (unsigned s = 0; s < Ctas; s++)
    top_->cta_warps_i[s] = top_->cta_nwarps_i[s] = 0;
  for (unsigned w = 0; w < f_.warps; w++) {
    const unsigned cta = w % f_.ctas;
    ref_.ctas[cta].warps |= 1ull << w;
    ref_.ctas[cta].nwarps++;
    top_->warp_cta_i[w] = uint8_t(cta);
    if (w + f_.ctas >= f_.warps) tails |= 1ull << w;
    all |= 1ull << w;
  }
  for (unsigned s = 0; s < Ctas; s++) {
    top_->cta_warps_i[s] = ref_.ctas[s].warps;
    top_->cta_nwarps_i[s] = uint8_t(ref_.ctas[s].nwarps);
  }
  top_->warp_start_i = all;
  top_->tail_mask_i = tail;
  top_->start_tail_i = tails;
  top_->now_i = uint32_t(now_);
  top_->clk_i = 0;
  top_->eval();
  top_->clk_i = 1;
  top_->eval();
  now_++;
  for (unsigned w = 0; w < f_.warps; w++) {
    ref_.launch(w, w % f_.ctas, (tails >> w & 1) ? tail : 0xffffffffu, top_->entry_pc_i);
  }
  top_->warp_start_i = 0;
  top_->warp_valid_i = all;
  return true;
}

uint32_t Bench::some_mask(uint32_t of) {
  uint32_t m = of;
  switch (rng_.below(8)) {
  case 0:
    m &= rng_.next();
    break;
  case 1:
    m &= rng_.next() & rng_.next();
    break;
  case 2:
    m &= 0xffffu << 16 * rng_.below(2);
    break;
  case 3:
    m &= 1u << rng_.below(32);
    break;
  case 4:
    m &= ~(1u << rng_.below(32));
    break;
  default:
    break;
  }
  return m;
}

Control Bench::control(unsigned w) {
  const Warp &s = ref_.warps[w];
  Control c;
  c.valid = true;
  c.warp = w;
  c.path = s.mask;
  c.pc = s.pc;
  c.psrc = rng_.next() | (rng_.percent(30) ? 0xffffffffu : 0);
  const uint32_t near = s.pc < 4 ? s.pc : s.pc - rng_.below(4);
  const uint32_t places[4] = {rng_.below(PcSpan), (s.pc + 1) & 0xfffffff, near, rng_.below(PcSpan)};
  uint32_t k = rng_.below(100);
  c.form = Bra;
  if (k < 45)
    c.form = Bra;
  else if (k < 53)
    c.form = Brx;
  else if (k < 66 && f_.calls) {
    c.form = k < 57 ? Call : k < 60 ? Callx : Ret;
    if (c.form == Ret && s.depth == 0 && !(f_.wrong && rng_.percent(2))) c.form = Call;
  } else if (k < 66 + f_.exits)
    c.form = Exit;
  else if (k < 80 && f_.sleeps)
    c.form = Sleep;
  else if (k < 90 && f_.bars)
    c.form = Bar;
  else if (k >= 90 && f_.syncs)
    c.form = Sync;
  const bool meets = ref_.bars[w].cluster_wait ? rng_.percent(40) : rng_.percent(2);
  if (f_.waits && s.pc > 0 && rng_.percent(25)) c.form = Wait;
  if (f_.bars && f_.bar_kind == WL_BAR_CLUSTER && meets) c.form = Cwait;
  if (f_.wrong && rng_.below(1000) == 0) c.form = Trap;
  c.exec = some_mask(s.mask);
  c.imm = places[rng_.below(4)];
  const bool wild = rng_.percent(30);
  for (unsigned l = 0; l < 32; l++)
    c.a[l] = places[wild ? rng_.below(4) : 0] | rng_.next() << 28;
  if (!wild) std::fill(c.a, c.a + 32, c.a[0]);
  c.by_register =
      c.form == Brx || c.form == Callx || c.form == Ret || c.form == Sleep || c.form == Wait;
  if (c.form == Wait) {
    // Tests of this cycle, few done; some have seen another gen.
    const uint32_t done = rng_.percent(20) ? 0xffffffffu : rng_.next() & rng_.next();
    const uint32_t b = rng_.percent(70) ? rng_.below(100) : 0;
    const bool other = rng_.percent(10);
    for (unsigned l = 0; l < 32; l++) {
      c.a[l] = (done >> l & 1) << 31 | ref_.gen;
      if (other && rng_.percent(10)) c.a[l] ^= 1u << rng_.below(31);
      c.b[l] = rng_.percent(90) ? b : rng_.percent(50) ? rng_.below(8) : rng_.next();
    }
  }
  if (c.form == Sleep) {
    for (uint32_t &v : c.a)
      v = rng_.below(rng_.percent(50) ? 4 : 200);
    if (f_.wrong && rng_.percent(5)) std::fill(c.a, c.a + 32, 0xfffffff0u);
  }
  if (c.form == Bar) {
    uint32_t kind = f_.bar_kind;
    if (f_.mixed && kind < WL_BAR_CLUSTER) kind = rng_.below(f_.wrong ? 6 : 2);
    c.has_s = kind >= 2 && kind < WL_BAR_CLUSTER;
    c.op = kind | (f_.aligned ? 8 : 0);
    c.by_register = kind < WL_BAR_CLUSTER && rng_.percent(40);
    // Several barriers of a CTA, so that the end of a warp finds more than one with arrivals.
    uint32_t a = f_.wrong && rng_.percent(3) ? 3 : 2, b = f_.bar_count;
    if (f_.many) {
      a = 2 * (w % 7) + (ref_.warps[w].live & 1);
      if (rng_.percent(50)) b = 0;
    }
    c.key = a | b << 4;
    for (unsigned l = 0; l < 32; l++) {
      c.a[l] = a;
      c.b[l] = b * 32;
    }
    if (f_.wrong && rng_.percent(3)) c.a[rng_.below(32)] = rng_.percent(50) ? 16 : 1;
    if (f_.wrong && rng_.percent(3)) c.b[rng_.below(32)] = rng_.percent(50) ? 33 : 1056;
  }
  if (c.form == Sync) {
    c.op = rng_.percent(90) ? uint32_t(WL_SYNC_RADD) : WL_SYNC_SHFL | rng_.below(4) << 8;
    c.by_register = f_.halves || rng_.percent(50);
    c.key = 0xffffffffu;
    for (unsigned l = 0; l < 32; l++)
      c.c[l] = f_.halves ? 0xffffu << (l & 16) : 0xffffffffu;
    if (f_.wrong && rng_.percent(3)) c.c[rng_.below(32)] &= rng_.next();
  }
  return c;
}

void Bench::word_of(const Control &c, WData *word) {
  unsigned form = WL_FORM_NOP;
  const uint32_t kind = c.op & 7;
  word[2] = c.imm;
  word[3] = 0;
  switch (c.form) {
  case Bra:
    form = WL_FORM_BRA;
    break;
  case Brx:
    form = WL_FORM_BRX;
    break;
  case Call:
    form = WL_FORM_CALL;
    break;
  case Callx:
    form = WL_FORM_CALLX;
    break;
  case Ret:
    form = WL_FORM_RET;
    break;
  case Exit:
    form = WL_FORM_EXIT;
    break;
  case Trap:
    form = WL_FORM_TRAP;
    break;
  case Sleep:
    form = WL_FORM_NANOSLEEP_R;
    break;
  case Wait:
    form = WL_FORM_WAIT;
    break;
  case Cwait:
    form = WL_FORM_CWAIT;
    break;
  case Bar:
    form = WL_FORM_BAR_SYNC_I + 2 * kind + c.by_register;
    if (kind == WL_BAR_CLUSTER) form = WL_FORM_BAR_CLUSTER;
    word[2] = (c.key & 15) | (c.key >> 4) << 8;
    word[3] = (c.op >> 3 & 1) << (WL_FIELD_ALIGNED_LOW - WL_MODS_LOW);
    break;
  case Sync:
    form = ((c.op & 255) == WL_SYNC_SHFL ? WL_FORM_SHFL_I : WL_FORM_REDUX_ADD_I) + c.by_register;
    word[2] = c.key;
    word[3] = (c.op >> 8) << (WL_FIELD_XMODE_LOW - WL_MODS_LOW);
    break;
  }
  word[0] = form;
  word[1] = 0;
}

void Bench::choose(uint64_t at, Issue &is, Pending *p) {
  is = {};
  if (trapped_ || at < free_at_ || !rng_.percent(f_.slow_issue)) return;
  std::vector<unsigned> may;
  for (unsigned w = 0; w < f_.warps; w++) {
    if (ref_.warps[w].run && !ref_.warps[w].ctl) may.push_back(w);
  }
  if (may.empty()) return;
  const unsigned w = may[rng_.below(unsigned(may.size()))];
  const Warp &s = ref_.warps[w];
  is.warp = w;
  is.path = s.mask;
  is.pc = s.pc;
  free_at_ = at + 1;
  is.valid = true;
  if (s.released != 0 && (s.mask & ~s.released) == 0) {
    is.released = true;
    coverage["released"]++;
    return;
  }
  if (rng_.percent(40)) { // not a control instruction
    is.poll = rng_.percent(5);
    return;
  }
  Control c = control(w);
  const bool fast = c.form == Sync && !c.by_register && c.exec == c.path && (s.live & ~c.path) == 0;
  if (c.exec == 0 || fast) return;
  static const char *names[] = {"bra",  "brx",   "call", "callx", "ret",  "exit",
                                "trap", "sleep", "bar",  "sync",  "wait", "cwait"};
  is.tbuf = c.by_register;
  if (is.tbuf && ref_.tbuf_busy) {
    is.valid = false;
    return;
  }
  coverage[std::string(names[c.form]) + (c.by_register ? ".r" : ".i")]++;
  is.ctl = true;
  p->c = c;
  word_of(c, p->word);
  unsigned slots = 0;
  std::fill(p->x1, p->x1 + 8, 0);
  for (unsigned b = 0; b < Beats; b++) {
    const uint32_t lanes = Lanes == 32 ? 0xffffffffu : (1u << Lanes % 32) - 1;
    if (c.by_register && (c.exec >> b * Lanes & lanes)) p->x1[b] = at + ++slots + 2;
  }
  if (slots == 0) slots = 1;
  p->resolve = at + slots + 3;
  free_at_ = at + slots;
}

bool Bench::expect(const char *what, unsigned w, uint64_t got, uint64_t want) {
  if (got == want) return true;
  std::printf("cycle %llu %s[%u]: got %llx, expected %llx\n", (unsigned long long)now_, what, w,
              (unsigned long long)got, (unsigned long long)want);
  return false;
}

uint64_t trap_word(const TrapOut &t) {
  if (!t.valid) return 0;
  return uint64_t(t.cause) << 56 | uint64_t(t.warp) << 48 | uint64_t(t.lane) << 40 | t.pc;
}

bool Bench::compare(const Out &o, bool before) {
  bool ok = true;
  if (before) {
    const Warp &s = sel_; // state at the start of the cycle
    if (s.live) ok &= expect("live", top_->sel_warp_i, top_->live_o, s.live);
    // A key of the launch before may still be there; lanes that a barrier released ask for none.
    if (s.released && (s.xmask || !cleared_))
      ok &= expect("xmask", top_->sel_warp_i, top_->xmask_o, s.xmask);
    if (s.run) ok &= expect("cur.mask", top_->sel_warp_i, top_->cur_mask_o, s.mask);
    ok &= expect("flush", 0, top_->flush_o, o.flush);
    ok &= expect("turn end", 0, top_->turn_end_o, uint64_t(o.turn_end + 1));
    ok &= expect("setpc resolve", 0, top_->setpc_resolve_o,
                 o.jump < 0 ? 0 : uint64_t(o.jump + 1) << 32 | o.jump_pc);
    ok &= expect("setpc engine", 0, top_->setpc_engine_o,
                 o.start < 0 ? 0 : uint64_t(o.start + 1) << 32 | o.start_pc);
    for (unsigned i = 0; i < 3; i++)
      ok &= expect("trap", i, top_->trap_o[i], trap_word(o.trap[i]));
    return ok;
  }
  uint64_t wait_wake = 0, cluster = 0;
  uint64_t run = 0, ctl = 0, idle = 0, bidle = 0, wake = 0, dead = 0, released = 0;
  for (unsigned w = 0; w < Warps; w++) {
    const Warp &s = ref_.warps[w];
    run |= uint64_t(s.run) << w;
    ctl |= uint64_t(s.ctl) << w;
    idle |= uint64_t(ref_.path_idle(w)) << w;
    bidle |= uint64_t(ref_.bar_idle(w)) << w;
    wake |= uint64_t(ref_.bars[w].wake) << w;
    wait_wake |= uint64_t(ref_.bars[w].wait_wake) << w;
    cluster |= uint64_t(ref_.bars[w].cluster_wait) << w;
    dead |= uint64_t(s.live == 0) << w;
    if (s.run) released |= uint64_t(s.released != 0 && (s.mask & ~s.released) == 0) << w;
    const WarpBar &b = ref_.bars[w];
    if (b.wake) {
      ok &= expect("result", w, top_->result_o[w],
                   uint32_t(b.all) << 12 | uint32_t(b.any) << 11 | b.popc);
    }
  }
  ok &= expect("run", 0, top_->run_o, run);
  ok &= expect("dead", 0, top_->dead_o, dead);
  ok &= expect("released", 0, top_->released_o & run, released);
  ok &= expect("ctl", 0, top_->ctl_o, ctl);
  ok &= expect("path idle", 0, top_->path_idle_o, idle);
  ok &= expect("barrier idle", 0, top_->bar_idle_o, bidle);
  ok &= expect("barrier wake", 0, top_->bar_wake_o, wake);
  ok &= expect("wait_wake", 0, top_->wait_wake_o, wait_wake);
  ok &= expect("cluster_wait", 0, top_->cluster_wait_o, cluster);
  if (!trapped_) ok &= expect("target buffer free", 0, top_->tbuf_free_o, !ref_.tbuf_busy);
  std::vector<Record> want = o.records;
  std::sort(want.begin(), want.end());
  std::sort(seen.begin(), seen.end());
  if (want != seen) {
    ok = false;
    for (const auto *list : {&seen, &want}) {
      std::printf("cycle %llu records %s:\n", (unsigned long long)now_,
                  list == &seen ? "got" : "expected");
      for (const Record &r : *list) {
        for (uint32_t v : r)
          std::printf(" %x", v);
        std::printf("\n");
      }
    }
  }
  return ok;
}

bool Bench::cycle(unsigned number) {
  Issue is;
  Pending p{};
  if (!Ahead) {
    choose(now_, is, &p);
  } else if (planned_.valid) {
    is = planned_;
    p = planned_control_;
    is.valid = !trapped_;
  } else {
    choose(now_ + 1, planned_, &planned_control_);
  }
  const Issue &head = Ahead ? planned_ : is; // shown
  if (is.valid && is.ctl) pipe_.push_back(p);
  const Pending *res = nullptr, *next = nullptr, *arrive = nullptr;
  unsigned beat = 0;
  for (const Pending &q : pipe_) {
    if (q.resolve == now_) res = &q;
    if (q.resolve == now_ + 1) next = &q;
    for (unsigned b = 0; b < Beats; b++) {
      if (q.x1[b] == now_) {
        arrive = &q;
        beat = b;
      }
    }
  }
  Control resolve;
  top_->clk_i = 0;
  top_->sel_warp_i = uint8_t(head.valid ? head.warp : rng_.below(f_.warps));
  top_->head_pc_i = head.valid ? head.pc : rng_.next();
  sel_ = ref_.warps[top_->sel_warp_i];
  top_->now_i = uint32_t(now_);
  top_->trap_pending_i = trapped_;
  const bool stalled = f_.stalls && rng_.percent(30);
  top_->stall_i = stalled;
  top_->i_valid_i = is.valid;
  top_->i_ctl_i = is.ctl;
  top_->i_released_i = is.released;
  top_->i_poll_i = is.poll;
  top_->i_tbuf_i = is.tbuf;
  top_->i_warp_i = Ahead ? top_->sel_warp_i : uint8_t(is.warp);
  top_->i_path_i = is.path;
  top_->i_pc_i = is.pc;
  top_->i_exec_i = is.ctl ? p.c.exec : rng_.next();
  for (int i = 0; i < 4; i++)
    top_->i_word_i[i] = p.word[i];
  top_->n_valid_i = next != nullptr;
  if (next) {
    top_->n_warp_i = uint8_t(next->c.warp);
    top_->n_path_i = next->c.path;
    top_->n_exec_i = next->c.exec;
    top_->n_pc_i = next->c.pc;
    for (int i = 0; i < 4; i++)
      top_->n_word_i[i] = next->word[i];
  }
  top_->r_valid_i = res != nullptr;
  if (res) {
    resolve = res->c;
    top_->r_warp_i = uint8_t(resolve.warp);
    top_->r_path_i = resolve.path;
    top_->r_exec_i = resolve.exec;
    top_->r_psrc_i = resolve.psrc;
    top_->r_pc_i = resolve.pc;
    for (int i = 0; i < 4; i++)
      top_->r_word_i[i] = res->word[i];
  }
  // Operands that nothing reads come too, as another unit's would.
  const bool noise = !arrive && rng_.percent(20);
  top_->x_valid_i = arrive != nullptr || noise;
  top_->x_arrival_i = arrive && arrive->c.form == Sync;
  top_->x_beat_i = uint8_t(beat);
  for (int i = 0; i < 4; i++)
    top_->x_word_i[i] = arrive ? arrive->word[i] : 0;
  if (noise) top_->x_word_i[0] = WL_FORM_ADD_RR;
  top_->x_mask_i = arrive ? arrive->c.exec >> beat * Lanes : rng_.next();
  for (unsigned l = 0; l < Lanes; l++) {
    top_->x_a_i[l] = arrive ? arrive->c.a[beat * Lanes + l] : rng_.next();
    top_->x_b_i[l] = arrive ? arrive->c.b[beat * Lanes + l] : rng_.next();
    top_->x_c_i[l] = arrive ? arrive->c.c[beat * Lanes + l] : rng_.next();
  }
  const bool phase = rng_.percent(f_.phases);
  top_->mbar_complete_i = phase;
  top_->mbar_gen_i = ref_.gen;
  top_->eval();
  if (is.valid || trapped_) planned_.valid = false;
  const Out o = ref_.step(uint32_t(now_), trapped_, stalled, is, resolve, phase);
  bool ok = compare(o, true);
  seen.clear();
  top_->clk_i = 1;
  top_->eval();
  if (res) pipe_.erase(pipe_.begin() + (res - &pipe_[0]));
  if (ref_.scanning()) coverage["end goes on"]++;
  for (const TrapOut &t : o.trap) {
    if (!t.valid) continue;
    coverage["trap cause " + std::to_string(t.cause)]++;
    trapped_ = true;
  }
  for (const Record &r : o.records) {
    static const char *kinds[] = {"resolve", "row", "walked", "barrier"};
    coverage[std::string("record ") + kinds[r[0] - 6]]++;
    if (r[0] == 7 && r[6] == Waiting) coverage[r[7] ? "row in WAIT, cluster" : "row in WAIT"]++;
    if (r[0] == 6) coverage["request " + std::to_string(r[2])]++;
    if (r[0] == 8 && r[2] == 0) coverage["walk without path"]++;
    if (r[0] == 8 && r[10] != 0xffffffffu) coverage["walk with stop"]++;
    if (r[0] == 8 && r[11]) coverage["walk with below"]++;
    if (r[0] == 9 && r[3] == 0) coverage["barrier completed"]++;
  }
  ok &= compare(o, false);
  if (!ok) std::printf("episode %u failed\n", number);
  now_++;
  if (trapped_) trap_cycles_++;
  return ok;
}

// One launch after the reset, one after a clear.
bool Bench::episode(unsigned number) {
  return reset(false) && launch(number) && reset(true) && launch(number);
}

bool Bench::launch(unsigned number) {
  const unsigned end = rng_.percent(70) ? 3000 : rng_.below(500);
  for (unsigned i = 0; i < end; i++) {
    if (!cycle(number)) return false;
    uint32_t live = 0;
    for (const Warp &w : ref_.warps)
      live |= w.live;
    if (ref_.late() && rng_.percent(30)) break;
    if (trap_cycles_ > cut_ || (live == 0 && i > 50 && pipe_.empty())) break;
  }
  return true;
}

} // namespace

// Journal of the unit under test.
extern "C" {
#define WL_J_IMPORT(name, kind, words, lanes)                                                      \
  void wl_j_##name(const svBitVecVal *word) {                                                      \
    Record r(1, WL_J_##kind);                                                                      \
    r.insert(r.end(), word, word + (words) + (lanes) * Lanes);                                     \
    seen.push_back(r);                                                                             \
  }
WL_J_IMPORTS(WL_J_IMPORT)
unsigned long long wl_j_seed() { return 1; }
}

int main(int argc, char **argv) {
  const unsigned episodes = argc > 1 ? unsigned(std::strtoul(argv[1], nullptr, 0)) : 400;
  const unsigned first = argc > 2 ? unsigned(std::strtoul(argv[2], nullptr, 0)) : 1;
  for (unsigned i = 0; i < episodes; i++) {
    Bench bench(first + i);
    if (!bench.episode(first + i)) return 1;
  }
  for (const auto &c : coverage)
    std::printf("%-20s %u\n", c.first.c_str(), c.second);
  // What a run must have met, or it has tested nothing.
  for (const char *need :
       {"request 1", "request 2", "walk with stop", "walk with below", "released",
        "walk without path", "barrier completed", "end goes on", "sync.r", "bar.r", "ret.r",
        "clear with something due", "row in WAIT", "row in WAIT, cluster", "cwait.i"}) {
    if (coverage[need] == 0) {
      std::printf("never met: %s\n", need);
      return 1;
    }
  }
  return 0;
}
