// Reference of the path unit and of the CTA barriers, written from docs/microarchitecture.md 7 and 8
// for this bench alone: plans of whole engine phases instead of a state machine. One call of step()
// is one cycle.
#ifndef WL_TESTS_RTL_PATHS_REFERENCE_H
#define WL_TESTS_RTL_PATHS_REFERENCE_H

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

namespace paths_ref {

using Record = std::vector<uint32_t>; // kind of journal.def, then its words

enum Form { Bra, Brx, Call, Callx, Ret, Exit, Trap, Sleep, Bar, Sync, Wait, Cwait };
enum RowState { Ready, SyncWait, BarWait, Barc, Sleeping, Waiting };

struct Target {
  uint32_t pc = 0, depth = 0, state = Ready, op = 0, key = 0;
  bool operator==(const Target &o) const {
    return pc == o.pc && depth == o.depth && state == o.state && op == o.op && key == o.key;
  }
};

struct Row {
  uint32_t mask = 0;
  Target t;
};

struct Control { // a control instruction, with all operands
  bool valid = false;
  Form form = Bra;
  unsigned warp = 0;
  uint32_t path = 0, exec = 0, pc = 0;
  bool by_register = false;
  uint32_t imm = 0; // target, member mask
  uint32_t a[32] = {}, b[32] = {}, c[32] = {};
  uint32_t op = 0;  // row op of BAR and SYNC
  uint32_t key = 0; // row key of immediate BAR and SYNC
  bool has_s = false;
  uint32_t psrc = 0;
};

struct Issue {
  bool valid = false, ctl = false, released = false, poll = false, tbuf = false;
  unsigned warp = 0;
  uint32_t path = 0, pc = 0;
};

struct Warp {
  uint32_t mask = 0, pc = 0, depth = 0, leader = 0, live = 0, exist = 0, served = 0;
  uint32_t turn = 0, stop = 0, released = 0, waiting = 0, xmask = 0, wake_at = 0;
  bool run = false, polled = false, stop_valid = false, below = false, chk = false;
  bool wake_valid = false, ctl = false, waits = false;
  bool by_beat = false; // the split has operands in the target buffer
  int req = 0;          // 0 none, 1 split, 2 walk
  Row rows[32];
  Target split[32];
};

struct WarpBar {
  bool req = false, exit = false, wake = false, wait = false;
  uint32_t a = 0, b = 0, kind = 0, mask = 0, wait_a = 0, pred = 0;
  bool wait_after = false, wait_wake = false, cluster_wait = false;
  uint32_t popc = 0;
  bool all = false, any = false;
};

struct CtaBar {
  uint64_t arrived = 0;
  uint32_t b = 0, kind = 0, popc = 0;
  bool all = false, any = false;
};

struct TrapOut {
  bool valid = false;
  uint32_t cause = 0, warp = 0, lane = 0, pc = 0;
};

struct Cta {
  unsigned nwarps = 0;
  uint64_t warps = 0;
};

struct Out { // combinational results of a cycle
  uint64_t flush = 0;
  int turn_end = -1;
  int jump = -1, start = -1; // warps whose fetch PC is set by resolve, by the engine
  uint32_t jump_pc = 0, start_pc = 0;
  TrapOut trap[3];
  std::vector<Record> records;
};

class Reference {
public:
  // delay: EventDelay, row_cycles: RowCycles
  Reference(unsigned warps, unsigned beats, bool delay, unsigned row_cycles);
  Out step(uint32_t now, bool trap_pending, bool stalled, const Issue &issue,
           const Control &resolve, bool phase); // phase: one of an mbarrier is complete
  void launch(unsigned warp, unsigned cta, uint32_t live, uint32_t pc);
  bool path_idle(unsigned w) const;
  bool scanning() const { return scan_; }
  bool late() const { return late_.valid; }
  bool quiet() const; // nothing requested, served or due
  bool bar_idle(unsigned w) const { return !bars[w].req && !bars[w].exit; }

  std::vector<Warp> warps;
  std::vector<WarpBar> bars;
  std::vector<unsigned> cta_of;
  std::vector<bool> valid;
  std::vector<Cta> ctas;
  std::vector<std::vector<CtaBar>> barriers; // [cta][16]
  bool tbuf_busy = false;
  unsigned tbuf_warp = 0;
  uint32_t gen = 0; // phases of mbarriers that are complete

private:
  using Action = std::function<bool()>; // false: stands still, again next cycle
  void do_issue(const Issue &is);
  void do_resolve(const Control &c);
  void path_goes_on(Warp &w, unsigned n, uint32_t next, uint32_t pc1);
  void request(Warp &w, unsigned n, int req, bool chk);
  bool lane_trap(const Control &c, const Warp &w);
  Target target_of(const Control &c, const Warp &w, unsigned lane) const;
  Target wait_of(const Control &c, Target t) const;
  void engine(bool hold);
  void serve(bool hold);
  void plan();
  void add(Action act);
  void plan_split();
  bool plan_check();
  void plan_walk();
  void plan_walk2(uint32_t pc, uint32_t depth, bool rel);
  bool check_sync(unsigned j, const Target &tj);
  bool check_bar(unsigned j, const Target &tj);
  void plan_mark();
  void write_row(unsigned w, unsigned lane, const Row &row);
  void walked(const Warp &w, unsigned n);
  bool barrier_choice(unsigned *n, bool *exit);
  void barrier_event();
  void complete(unsigned cta, unsigned a);
  std::vector<unsigned> existing(const Warp &w) const;
  Row row_of(const Warp &w, unsigned lane) const;
  void barrier_record(unsigned cta, unsigned a);

  unsigned beats_;
  bool delay_;
  unsigned row_cycles_;
  std::vector<bool> asked_; // requests that have been there for a cycle
  int taken_ = -1;
  TrapOut late_;                          // trap of the engine in the last cycle
  bool next_ = false, next_exit_ = false; // event chosen in the last cycle
  unsigned next_warp_ = 0;
  bool scan_ = false; // barriers of a warp that ended
  unsigned scan_warp_ = 0, scan_from_ = 0;
  bool busy_ = false;
  unsigned served_ = 0;
  int stage_ = 0; // 0 split, 1 check, 2 walk
  int last_j_ = -1;
  std::deque<Action> steps_; // a cycle each
  uint32_t now_ = 0;
  // State at the start of the cycle, for what other units see of it.
  std::vector<Warp> old_;
  std::vector<WarpBar> old_bars_;
  Out out_;
};

} // namespace paths_ref

#endif
