// Reference of the path unit and of the CTA barriers: docs/microarchitecture.md 7, 8, 21.3, 21.4 and the
// issue rules of section 5 that change paths. Nothing of this comes from the unit under test.
#include "reference.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace paths_ref {
namespace {

constexpr uint32_t TurnBranches = 1024, MaxDepth = 65535, WaitLimit = 1000000;
constexpr uint32_t CauseUser = 5, CauseDepth = 6, CauseBarrier = 7, CauseMask = 8,
                   CauseDeadlock = 9;
constexpr uint32_t KindResolve = 6, KindRow = 7, KindWalked = 8, KindBarrier = 9;
enum BarKind { BarSync, BarArrive, BarPopc, BarAnd, BarOr, BarCluster };

unsigned lowest(uint32_t v) { return unsigned(__builtin_ctz(v)); }
uint32_t bit(unsigned l) { return 1u << l; }
uint32_t next_pc(uint32_t pc) { return (pc + 1) & 0xfffffff; }
uint32_t last_pc(uint32_t pc) { return (pc - 1) & 0xfffffff; }
bool goes_on(uint32_t kind) {
  return kind == BarArrive || kind == BarCluster;
} // nobody waits in BARC

// Lanes of a WAIT that are not done.
uint32_t undone(const Control &c) {
  uint32_t s = 0;
  for (unsigned l = 0; l < 32; l++)
    if ((c.exec & bit(l)) && !(c.a[l] >> 31)) s |= bit(l);
  return s;
}
bool reached(uint32_t now, uint32_t at) { return int32_t(now - at) >= 0; }

} // namespace

Reference::Reference(unsigned n, unsigned beats, bool delay, unsigned row_cycles)
    : warps(n), bars(n), cta_of(n, 0), valid(n, false), ctas(n), barriers(n), beats_(beats),
      delay_(delay), row_cycles_(row_cycles), asked_(n, false), served_(n - 1) {
  for (auto &b : barriers)
    b.resize(16);
}

void Reference::launch(unsigned w, unsigned cta, uint32_t live, uint32_t pc) {
  Warp &s = warps[w];
  Row keep[32];
  std::copy(s.rows, s.rows + 32, keep);
  s = Warp();
  std::copy(keep, keep + 32, s.rows);
  s.live = s.mask = live;
  s.pc = pc;
  s.run = true;
  s.exist = 1;
  cta_of[w] = cta;
  valid[w] = true;
  bars[w].req = bars[w].exit = bars[w].wake = bars[w].wait = false;
  bars[w].wait_wake = bars[w].cluster_wait = false;
  for (CtaBar &b : barriers[cta])
    b.arrived = 0;
}

bool Reference::path_idle(unsigned w) const {
  return warps[w].live == 0 && warps[w].req == 0 && !(busy_ && served_ == w);
}

bool Reference::quiet() const {
  for (unsigned w = 0; w < warps.size(); w++) {
    if (warps[w].req != 0 || !bar_idle(w)) return false;
  }
  return !busy_ && !late_.valid;
}

Out Reference::step(uint32_t now, bool trap_pending, bool stalled, const Issue &is,
                    const Control &resolve, bool phase) {
  old_ = warps;
  old_bars_ = bars;
  now_ = now;
  out_ = Out();
  const bool was_busy = busy_;
  const unsigned was_served = served_;
  if (is.valid) do_issue(is);
  if (resolve.valid) do_resolve(resolve);
  engine(trap_pending || stalled);
  for (unsigned w = 0; w < warps.size() && !trap_pending; w++) {
    const Warp &o = old_[w];
    if (valid[w] && !o.run && o.req == 0 && !(was_busy && was_served == w) && o.live != 0 &&
        !o.ctl &&
        (old_bars_[w].wake || (old_bars_[w].wait_wake && o.waits) ||
         (now % warps.size() == w && o.wake_valid && reached(now, o.wake_at)))) {
      warps[w].req = 2;
    }
  }
  barrier_event();
  if (phase) {
    gen = (gen + 1) & 0x7fffffff;
    for (WarpBar &b : bars)
      b.wait_wake = true;
  }
  return out_;
}

void Reference::do_issue(const Issue &is) {
  Warp &w = warps[is.warp];
  if (is.tbuf) {
    tbuf_busy = true;
    tbuf_warp = is.warp;
  }
  if (is.poll) w.polled = true;
  if (is.ctl) {
    w.ctl = true;
    return;
  }
  w.pc = next_pc(is.pc);
  if (is.released) w.released &= ~is.path;
  const bool others = (w.exist & (w.exist - 1)) != 0;
  if ((w.stop_valid && w.pc >= w.stop) || (is.released && others)) {
    request(w, is.warp, 2, is.released && w.released == 0 && w.waiting != 0);
  }
}

void Reference::request(Warp &w, unsigned n, int req, bool chk) {
  w.run = false;
  w.ctl = false;
  w.req = req;
  if (chk) w.chk = true;
  out_.flush |= uint64_t(1) << n;
}

// Where a lane that is not done waits, or tests again.
Target Reference::wait_of(const Control &c, Target t) const {
  const uint32_t s = undone(c);
  bool stale = false;
  for (unsigned l = 0; l < 32; l++)
    stale = stale || ((s & bit(l)) && (c.a[l] & 0x7fffffff) != gen);
  t.pc = last_pc(c.pc);
  if (stale) return t;
  const uint32_t v = c.b[lowest(s)];
  t.state = Waiting;
  t.key = now_ + (v == 0 ? WaitLimit : std::min(v, WaitLimit));
  return t;
}

Target Reference::target_of(const Control &c, const Warp &w, unsigned lane) const {
  Target t;
  t.depth = w.depth;
  t.pc = next_pc(c.pc);
  if (!(c.exec & bit(lane))) return t;
  switch (c.form) {
  case Bra:
    t.pc = c.imm;
    break;
  case Brx:
    t.pc = c.a[lane] & 0xfffffff;
    break;
  case Call:
    t.pc = c.imm;
    t.depth++;
    break;
  case Callx:
    t.pc = c.a[lane] & 0xfffffff;
    t.depth++;
    break;
  case Ret:
    t.pc = c.a[lane] & 0xfffffff;
    t.depth--;
    break;
  case Sleep: {
    const uint32_t v = std::min(c.a[lowest(c.exec)], 1000000u);
    t.state = Sleeping;
    t.key = now_ + std::max(1u, v);
    break;
  }
  case Bar:
    t.pc = c.pc;
    t.state = BarWait;
    t.op = c.op;
    t.key = c.by_register ? (c.a[lane] & 15) | (c.b[lane] / 32) << 4 : c.key;
    break;
  case Sync:
    t.pc = c.pc;
    t.state = SyncWait;
    t.op = c.op;
    t.key = c.by_register ? c.c[lane] : c.key;
    break;
  case Wait:
    if (undone(c) & bit(lane)) t = wait_of(c, t);
    break;
  case Cwait:
    if (!old_bars_[c.warp].cluster_wait) break;
    t.pc = c.pc;
    t.state = Waiting;
    t.op = 1;
    break;
  default:
    break;
  }
  return t;
}

bool Reference::lane_trap(const Control &c, const Warp &w) {
  uint32_t cause = 0;
  unsigned lane = lowest(c.exec);
  if (c.form == Trap)
    cause = CauseUser;
  else if ((c.form == Call || c.form == Callx) && w.depth == MaxDepth)
    cause = CauseDepth;
  else if (c.form == Ret && w.depth == 0)
    cause = CauseDepth;
  for (unsigned l = 0; l < 32 && !cause && c.by_register; l++) {
    if (!(c.exec & bit(l))) continue;
    if (c.form == Bar && (c.a[l] > 15 || c.b[l] % 32 != 0 || c.b[l] / 32 > 32))
      cause = CauseBarrier;
    if (c.form == Sync && !(c.c[l] & bit(l))) cause = CauseMask;
    if (cause) lane = l;
  }
  if (!cause) return false;
  out_.trap[0] = TrapOut{true, cause, c.warp, lane, c.pc};
  return true;
}

void Reference::path_goes_on(Warp &w, unsigned n, uint32_t next, uint32_t pc1) {
  w.ctl = false;
  if (next == pc1) return;
  out_.flush |= uint64_t(1) << n;
  out_.jump = int(n);
  out_.jump_pc = next;
}

void Reference::do_resolve(const Control &c) {
  Warp &w = warps[c.warp];
  if (lane_trap(c, w)) return;
  const uint32_t pc1 = next_pc(c.pc), m = c.path, e = c.exec;
  const uint32_t others = w.exist & ~bit(w.leader);
  const bool one_before = (w.exist & (w.exist - 1)) == 0;
  const bool branch = c.form <= Ret;
  const bool counted = branch && (c.form != Bra || c.imm <= c.pc);
  const bool stays =
      c.form == Wait ? undone(c) != 0 : c.form != Cwait || old_bars_[c.warp].cluster_wait;
  const bool turn_end = c.form == Exit || (c.form >= Sleep && stays) ||
                        (counted && (w.turn + 1 == TurnBranches || w.polled));
  if (c.form == Bar) {
    WarpBar &b = bars[c.warp];
    b.pred = (b.pred & ~e) | (c.has_s ? c.psrc & e : 0);
  }
  if (turn_end) {
    w.served |= m;
    w.turn = 0;
    w.polled = false;
    out_.turn_end = int(c.warp);
  } else if (counted) {
    w.turn++;
  }
  int asked = 0;
  if (c.form == Exit) {
    w.live &= ~e;
    if (e == m) {
      w.exist &= ~bit(w.leader);
      w.mask = 0;
      if (w.live == 0) {
        w.run = false;
        w.ctl = false;
        bars[c.warp].exit = true;
      } else {
        asked = 2;
      }
    } else {
      w.mask = m & ~e;
      w.leader = lowest(w.mask);
      w.exist = others | bit(w.leader);
      w.pc = pc1;
      if (others == 0) {
        w.served = 0;
        w.ctl = false;
      } else {
        asked = 2;
      }
    }
    if (asked) request(w, c.warp, 2, true);
  } else {
    Target t[32];
    bool one = true, all_ready = true;
    const unsigned first = lowest(m);
    for (unsigned l = 0; l < 32; l++) {
      if (!(m & bit(l))) continue;
      t[l] = target_of(c, w, l);
      one = one && t[l] == t[first];
      all_ready = all_ready && t[l].state == Ready;
    }
    if (!one && all_ready && one_before) w.turn = 0;
    if (one && all_ready) {
      const bool deeper = t[first].depth != w.depth;
      w.pc = t[first].pc;
      w.depth = t[first].depth;
      if (others == 0) {
        if (turn_end) w.served = 0;
        path_goes_on(w, c.warp, w.pc, pc1);
      } else if (turn_end || (w.stop_valid && w.pc >= w.stop) || deeper ||
                 (c.form == Bra && c.imm <= c.pc && w.below)) {
        asked = 2;
        request(w, c.warp, 2, false);
      } else {
        path_goes_on(w, c.warp, w.pc, pc1);
      }
    } else {
      asked = 1;
      std::copy(t, t + 32, w.split);
      w.by_beat = c.by_register && c.form != Sleep;
      request(w, c.warp, 1, c.form == Bar || c.form == Sync);
    }
  }
  if (asked != 1 && tbuf_busy && tbuf_warp == c.warp) tbuf_busy = false;
  out_.records.push_back({KindResolve, c.warp, uint32_t(asked), w.pc, w.mask, w.depth, w.served,
                          w.turn | uint32_t(w.polled) << 16, w.live});
}

std::vector<unsigned> Reference::existing(const Warp &w) const {
  std::vector<unsigned> v;
  for (unsigned l = 0; l < 32; l++)
    if (w.exist & bit(l)) v.push_back(l);
  return v;
}

Row Reference::row_of(const Warp &w, unsigned lane) const {
  if (w.mask == 0 || lane != w.leader) return w.rows[lane];
  Row r;
  r.mask = w.mask;
  r.t.pc = w.pc;
  r.t.depth = w.depth;
  return r;
}

void Reference::write_row(unsigned n, unsigned lane, const Row &r) {
  warps[n].rows[lane] = r;
  out_.records.push_back({KindRow, n, lane, r.mask, r.t.pc, r.t.depth, r.t.state, r.t.op, r.t.key});
}

void Reference::engine(bool hold) {
  taken_ = -1;
  serve(hold);
  if (!delay_) return;
  for (unsigned w = 0; w < warps.size(); w++)
    asked_[w] = old_[w].req != 0 && int(w) != taken_;
  std::swap(out_.trap[1], late_);
}

void Reference::serve(bool hold) {
  if (!busy_) {
    if (hold) return;
    unsigned n = 0;
    for (unsigned i = 1; i <= warps.size() && !busy_; i++) {
      n = (served_ + i) % unsigned(warps.size());
      busy_ = old_[n].req != 0 && (!delay_ || asked_[n]);
    }
    if (!busy_) return;
    served_ = n;
    taken_ = int(n);
    stage_ = old_[n].req == 1 ? 0 : 1;
    last_j_ = -1;
    warps[n].req = 0;
    if (row_cycles_ > 1) return; // taken in a cycle of its own
  }
  if (steps_.empty()) plan();
  Action a = steps_.front();
  if (!a()) return;
  steps_.pop_front();
}

// What a step does is done in its last cycle.
void Reference::add(Action act) {
  for (unsigned i = 1; i < row_cycles_; i++)
    steps_.push_back([] { return true; });
  steps_.push_back(std::move(act));
}

void Reference::plan() {
  if (stage_ == 0) {
    stage_ = 1;
    plan_split();
    return;
  }
  if (stage_ == 1 && plan_check()) return;
  stage_ = 2;
  warps[served_].chk = false;
  plan_walk();
}

void Reference::plan_split() {
  const Warp &w = warps[served_];
  uint32_t left = w.mask;
  while (left) {
    const unsigned i = lowest(left);
    Row r;
    r.t = w.split[i];
    for (unsigned l = i; l < 32; l++) {
      if ((left & bit(l)) && w.split[l] == w.split[i]) r.mask |= bit(l);
    }
    left &= ~r.mask;
    const bool last = left == 0;
    // RowCycles = 2: Beats + 3 cycles in all, of which add() counts the last two.
    const unsigned more = beats_ == 1 ? 0 : row_cycles_ == 1 ? beats_ - 1 : beats_ + 1;
    for (unsigned b = 0; w.by_beat && b < more; b++)
      steps_.push_back([] { return true; });
    add([this, i, r, last] {
      Warp &s = warps[served_];
      write_row(served_, i, r);
      s.exist |= bit(i);
      if (r.t.state == SyncWait || r.t.state == BarWait) s.waiting |= bit(i);
      const bool timed = r.t.state == Sleeping || (r.t.state == Waiting && r.t.op == 0);
      if (timed && (!s.wake_valid || int32_t(r.t.key - s.wake_at) < 0)) {
        s.wake_valid = true;
        s.wake_at = r.t.key;
      }
      if (last) {
        s.mask = 0;
        if (tbuf_busy && tbuf_warp == served_) tbuf_busy = false;
      }
      return true;
    });
  }
}

bool Reference::plan_check() {
  const Warp &w = warps[served_];
  if (!w.chk) return false;
  unsigned j = unsigned(last_j_ + 1);
  while (j < 32 && !(w.waiting & bit(j)))
    j++;
  if (j >= 32) return false;
  last_j_ = int(j);
  const size_t rows = existing(w).size();
  for (size_t i = 0; i + 1 < rows; i++)
    add([] { return true; });
  add([this, j] {
    const Target tj = warps[served_].rows[j].t;
    return tj.state == SyncWait ? check_sync(j, tj) : check_bar(j, tj);
  });
  return true;
}

bool Reference::check_sync(unsigned, const Target &tj) {
  Warp &w = warps[served_];
  uint32_t u = 0;
  for (unsigned i : existing(w)) {
    const Row r = row_of(w, i);
    if (r.t.state == SyncWait && r.t.op == tj.op && r.t.key == tj.key) u |= r.mask;
  }
  if (w.released == 0 && (tj.key & w.live & ~u) == 0) {
    w.released |= u;
    w.waiting &= ~u;
    w.xmask = tj.key;
  }
  return true;
}

bool Reference::check_bar(unsigned j, const Target &tj) {
  Warp &w = warps[served_];
  uint32_t u = 0;
  bool other_ab = false, other_pc = false;
  std::vector<uint32_t> kinds;
  for (unsigned i : existing(w)) {
    const Row r = row_of(w, i);
    if (r.t.state != BarWait) continue;
    u |= r.mask;
    other_ab = other_ab || r.t.key != tj.key;
    other_pc = other_pc || r.t.pc != tj.pc;
    kinds.push_back(r.t.op & 7);
  }
  const TrapOut misuse{true, CauseBarrier, served_, j, tj.pc};
  if (other_ab) {
    out_.trap[1] = misuse;
    return true;
  }
  if (((tj.op & 8) && other_pc) || u != w.live) return true;
  bool equal = true, simple = true;
  for (uint32_t k : kinds) {
    equal = equal && k == kinds[0];
    simple = simple && k <= BarArrive;
  }
  if (!equal && !simple) {
    out_.trap[1] = misuse;
    return true;
  }
  if (old_bars_[served_].req) return false;
  WarpBar &b = bars[served_];
  b.req = true;
  b.a = tj.key & 15;
  b.b = tj.key >> 4;
  b.kind = equal ? (tj.op & 7) : uint32_t(BarSync);
  b.mask = u;
  b.wait_after = !(equal && goes_on(kinds[0]));
  if (b.kind == BarCluster) b.cluster_wait = true;
  w.waiting &= ~u;
  plan_mark();
  return true;
}

void Reference::plan_mark() {
  for (unsigned i : existing(warps[served_])) {
    add([this, i] {
      Row r = row_of(warps[served_], i);
      if (r.t.state != BarWait) return true;
      if (goes_on(r.t.op & 7)) {
        const Target from = r.t;
        r.t = Target();
        r.t.pc = next_pc(from.pc);
        r.t.depth = from.depth;
      } else {
        r.t.state = Barc;
      }
      write_row(served_, i, r);
      return true;
    });
  }
}

void Reference::plan_walk() {
  Warp &w = warps[served_];
  const bool wk = old_bars_[served_].wake;
  const bool ww = old_bars_[served_].wait_wake;
  bars[served_].wake = bars[served_].wait_wake = false;
  std::vector<Row> rows;
  uint32_t released = w.released, ready_lanes = 0;
  const std::vector<unsigned> leaders = existing(w);
  bool any = false, sleeping = false, barc = false, waits = false;
  uint32_t least = 0;
  std::vector<uint32_t> best1, best2;
  for (unsigned i : leaders) {
    Row r = row_of(w, i);
    bool ready = r.t.state == Ready;
    if (r.t.state == SyncWait) ready = (r.mask & ~released) == 0;
    bool woke = false;
    if (r.t.state == Barc && wk) {
      woke = ready = true;
      released |= r.mask;
    }
    if (r.t.state == Sleeping) ready = reached(now_, r.t.key);
    const bool timed = r.t.state == Sleeping || (r.t.state == Waiting && r.t.op == 0);
    if (r.t.state == Waiting) {
      const bool over = r.t.op == 0 && !ww && reached(now_, r.t.key);
      if (over) r.t.pc = next_pc(next_pc(r.t.pc));
      ready = ww || over;
    }
    if (ready) {
      r.t.state = Ready;
      r.t.op = r.t.key = 0;
      const uint32_t no_rel = (r.mask & released) == 0, no_un = (r.mask & ~w.served) == 0;
      const std::vector<uint32_t> k1 = {no_rel, no_un, MaxDepth - r.t.depth, r.t.pc, i};
      const std::vector<uint32_t> k2 = {no_rel, MaxDepth - r.t.depth, r.t.pc, i};
      if (!any || k1 < best1) best1 = k1;
      if (!any || k2 < best2) best2 = k2;
      any = true;
      ready_lanes |= r.mask;
    } else if (timed) {
      if (!sleeping || int32_t(r.t.key - least) < 0) least = r.t.key;
      sleeping = true;
    } else if (r.t.state == Barc) {
      barc = true;
    }
    waits = waits || r.t.state == Waiting;
    const bool last = i == leaders.back();
    add([this, i, r, woke, last, any, sleeping, barc, waits, least, best1, best2, ready_lanes] {
      Warp &s = warps[served_];
      const uint32_t first_pc = row_of(s, lowest(s.exist)).t.pc;
      write_row(served_, i, r);
      if (woke) s.released |= r.mask;
      if (!last) return true;
      s.wake_valid = sleeping;
      s.waits = waits;
      if (sleeping) s.wake_at = least;
      if (!any) {
        s.mask = 0;
        if (!sleeping && !barc && !waits) {
          out_.trap[1] = TrapOut{true, CauseDeadlock, served_, lowest(s.live), first_pc};
        }
        walked(s, served_);
        busy_ = false;
        return true;
      }
      if ((ready_lanes & ~s.served) == 0) {
        s.served = 0;
        plan_walk2(best2[2], MaxDepth - best2[1], !best2[0]);
      } else {
        plan_walk2(best1[3], MaxDepth - best1[2], !best1[0]);
      }
      return true;
    });
  }
}

void Reference::plan_walk2(uint32_t pc, uint32_t depth, bool rel) {
  // Everything from the rows at its start; the effects come with the row's cycle.
  const std::vector<unsigned> leaders = existing(warps[served_]);
  const uint32_t released = warps[served_].released;
  struct Walk {
    uint32_t mask = 0, stop = 0, stop_mask = 0;
    int leader = -1, stop_row = -1;
    bool below = false, stop_rel = false;
  };
  auto k = std::make_shared<Walk>();
  for (unsigned i : leaders) {
    const bool last = i == leaders.back();
    add([this, i, k, last, pc, depth, rel, released] {
      Warp &s = warps[served_];
      if (k->leader < 0 && k->stop_row < 0) s.mask = 0; // the running path is in the table by now
      const Row r = s.rows[i];
      const bool r_rel = (r.mask & released) != 0;
      if (r.t.state == Ready && r.t.depth == depth) {
        if (r.t.pc == pc && r_rel == rel) {
          k->mask |= r.mask;
          if (k->leader < 0)
            k->leader = int(i);
          else
            s.exist &= ~bit(i);
        } else if (r.t.pc < pc) {
          k->below = true;
        } else if (r.t.pc > pc) {
          if (k->stop_row < 0 || r.t.pc < k->stop) {
            k->stop = r.t.pc;
            k->stop_row = int(i);
            k->stop_rel = r_rel;
          } else if (r.t.pc == k->stop && r_rel == k->stop_rel) {
            Row sum = s.rows[k->stop_row];
            sum.mask |= r.mask;
            write_row(served_, unsigned(k->stop_row), sum);
            s.exist &= ~bit(i);
          }
        }
      }
      if (!last) return true;
      s.mask = k->mask;
      s.pc = pc;
      s.depth = depth;
      s.leader = unsigned(k->leader);
      s.run = true;
      s.stop_valid = k->stop_row >= 0;
      if (s.stop_valid) s.stop = k->stop;
      s.below = k->below;
      out_.flush |= uint64_t(1) << served_;
      out_.start = int(served_);
      out_.start_pc = pc;
      walked(s, served_);
      busy_ = false;
      return true;
    });
  }
}

void Reference::walked(const Warp &w, unsigned n) {
  out_.records.push_back({KindWalked, n, w.run, w.mask, w.pc, w.depth, w.leader, w.exist, w.served,
                          w.released, w.stop_valid ? w.stop : 0xffffffffu, w.below});
}

void Reference::barrier_record(unsigned cta, unsigned a) {
  const CtaBar &b = barriers[cta][a];
  out_.records.push_back(
      {KindBarrier, cta, a, uint32_t(b.arrived), uint32_t(b.arrived >> 32), b.b, b.kind, b.popc});
}

void Reference::complete(unsigned cta, unsigned a) {
  CtaBar &b = barriers[cta][a];
  for (unsigned v = 0; v < warps.size(); v++) {
    WarpBar &x = bars[v];
    if ((b.arrived >> v & 1) && b.kind == BarCluster) {
      x.cluster_wait = false;
      x.wait_wake = true;
    }
    if (!(b.arrived >> v & 1) || !x.wait || x.wait_a != a) continue;
    x.wake = true;
    x.wait = false;
    x.popc = b.popc;
    x.all = b.all;
    x.any = b.any;
  }
  b.arrived = 0;
}

// The warp whose event acts in this cycle, if any, and whether it is its end.
bool Reference::barrier_choice(unsigned *n, bool *exit) {
  *n = scan_warp_;
  *exit = true;
  if (scan_) return true;
  if (next_) {
    next_ = false;
    *n = next_warp_;
    *exit = next_exit_;
    return true;
  }
  unsigned w = 0;
  while (w < warps.size() && !old_bars_[w].req && !old_bars_[w].exit)
    w++;
  if (w == warps.size()) return false;
  *n = w;
  *exit = !old_bars_[w].req;
  if (!delay_) return true;
  next_ = true;
  next_warp_ = w;
  next_exit_ = *exit;
  return false;
}

void Reference::barrier_event() {
  unsigned n;
  bool exit;
  if (!barrier_choice(&n, &exit)) return;
  const unsigned cta = cta_of[n];
  const Cta &c = ctas[cta];
  auto everyone = [&](uint64_t arrived) {
    for (unsigned v = 0; v < warps.size(); v++) {
      if ((c.warps >> v & 1) && !(arrived >> v & 1) && old_[v].live != 0) return false;
    }
    return true;
  };
  if (exit) {
    unsigned a = scan_ ? scan_from_ : 0;
    auto next = [&] {
      while (a < 16 && barriers[cta][a].arrived == 0)
        a++;
    };
    next();
    if (a < 16) {
      const CtaBar &b = barriers[cta][a];
      if (b.b == 0 && everyone(b.arrived)) {
        complete(cta, a);
        barrier_record(cta, a);
      }
      a++;
    }
    next();
    scan_ = a < 16;
    scan_warp_ = n;
    scan_from_ = a;
    if (!scan_) bars[n].exit = false;
    return;
  }
  const WarpBar rq = old_bars_[n];
  bars[n].req = false;
  CtaBar &b = barriers[cta][rq.a];
  const uint32_t count = rq.b == c.nwarps ? 0 : rq.b;
  const uint32_t kind = rq.kind <= BarArrive ? 0 : rq.kind;
  if ((b.arrived >> n & 1) || (b.arrived && (b.b != count || b.kind != kind))) {
    out_.trap[2] = TrapOut{true, CauseBarrier, n, lowest(rq.mask), 0};
    return;
  }
  if (b.arrived == 0) {
    b.b = count;
    b.kind = kind;
    b.popc = 0;
    b.all = true;
    b.any = false;
  }
  b.arrived |= uint64_t(1) << n;
  b.popc += unsigned(__builtin_popcount(rq.pred & rq.mask));
  b.all = b.all && (rq.mask & ~rq.pred) == 0;
  b.any = b.any || (rq.mask & rq.pred) != 0;
  bars[n].wait = rq.wait_after;
  bars[n].wait_a = rq.a;
  const bool full =
      count == 0 ? everyone(b.arrived) : unsigned(__builtin_popcountll(b.arrived)) == count;
  if (full) complete(cta, rq.a);
  barrier_record(cta, rq.a);
}

} // namespace paths_ref
