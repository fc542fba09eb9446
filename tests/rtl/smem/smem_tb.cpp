// Bench of rtl/mem/smem.sv (docs/microarchitecture.md 11) behind rtl/mem/smem_ways.sv (23.3): random
// beat requests against a reference that follows the section pass by pass and knows in which cycle the
// unit is ready again and in which the results come. Contents are compared by loads at the end. Signals
// of the copy engine come before the requests, and their deliveries are no concern of a slot. With
// SMEM_CHUNKS two requesters of the chunk port (11b) work on the same words. mbarriers (21.2) lie among
// them: the cycle in which each operation acts, the count of phases and the first misuse are known too.
#include <memory>
#include <type_traits>
#include <vector>

#include "requests.h"
#include "verilated.h"
#include SMEM_HEADER

using namespace bench;
using namespace smem;

namespace {
constexpr unsigned kChunks = SMEM_CHUNKS, kPorts = kChunks ? kChunks : 1; // of the chunk port
constexpr unsigned kCopyPort = 1;                                         // index.def CHUNK COPY
constexpr unsigned kAgeLimit = 8;                                         // config.def AgeLimit

struct Due {
  uint64_t cycle;
  unsigned words;
  bool last;
  Request r;
  Result res;
  Misuse misuse;
};

// An operation on an mbarrier acts.
struct Acts {
  uint64_t cycle;
  Act act;
};

struct Answer {
  uint64_t cycle;
  unsigned requester;
  Chunk c; // with the words read
};

struct Bench {
  VerilatedContext ctx;
  SMEM_MODEL top{&ctx};
  std::vector<Due> due;
  std::vector<Acts> acts;
  uint32_t gen = 0; // as visible
  uint64_t completions = 0, misuses = 0;
  std::vector<Answer> answers;
  uint32_t late[4][kLanes] = {};
  uint64_t cycle = 0, checks = 0;
  // Lane port: the request under way, the first cycle in which a pass may start, idle from.
  std::unique_ptr<Passes> work;
  Result result{};
  uint64_t pass_at = 0, ready_at = 0;
  // A signal of the copy engine or a commit is offered until it is taken; the next one comes after its
  // delivery.
  struct Sender {
    std::unique_ptr<Request> request;
    bool taken = false; // not delivered
    unsigned rate = 0;  // of 16
    uint64_t count = 0, first = 0, misuses = 0, completions = 0;
  } sender[WAYS]; // none of the LSU
  // Chunk port: requests, losses, cycles that one has waited without a stall.
  Chunk chunk[kPorts] = {};
  unsigned lost = 0, losses[kPorts] = {}, waited = 0;
  unsigned chunk_rate = 0, stall_rate = 0, smem_stall_rate = 0; // of 16
  bool starts = false; // a launch starts in each idle cycle
  uint64_t held = 0, granted = 0, changed = 0, most_waited = 0;

  void clock() {
    top.clk_i = 0;
    top.eval();
    top.clk_i = 1;
    top.eval();
  }
  void show(const Request &r) {
    top.slot_i = static_cast<uint8_t>(r.slot);
    top.kind_i = static_cast<uint8_t>(r.kind);
    top.mtype_i = static_cast<uint8_t>(r.type);
    top.atom_i = static_cast<uint8_t>(r.atom);
    top.beat_i = static_cast<uint8_t>(r.beat);
    top.mask_i = static_cast<std::remove_reference_t<decltype(top.mask_i)>>(r.mask);
    for (unsigned i = 0; i < kLanes; i++) {
      top.addr_i[i] = r.addr[i];
      for (unsigned k = 0; k < (kWide ? 4 : 2); k++)
        top.wdata_i[k][i] = r.data[k][i];
    }
  }
  void show_chunks() {
    for (unsigned p = 0; p < kChunks; p++) {
      if (!chunk[p].valid && rnd(16) < chunk_rate) chunk[p] = random_chunk();
      if (p == kCopyPort && chunk[p].valid && rnd(4) == 0) { // it may change (23.3)
        chunk[p] = random_chunk();
        changed++;
      }
      auto &port = top.chunk_i[p];
      const Chunk &c = chunk[p];
      for (unsigned k = 0; k < kQuads; k++) {
        const unsigned at = k * kQuadBits;
        for (unsigned j = 0; j < 4; j++)
          put(port, at + 32 * j, 32, c.word[k][j]);
        put(port, at + 128, 16, c.bytes[k]);
        put(port, at + 144, kRowBits, c.row[k]);
        put(port, at + 144 + kRowBits, 1, c.quad[k]);
      }
      put(port, kQuads * kQuadBits, 8, c.tag);
      put(port, kQuads * kQuadBits + 8, 1, c.store);
      put(port, kQuads * kQuadBits + 9, 1, c.valid);
    }
  }
  // A pass of the lane port, if one starts in this cycle.
  bool pass() {
    if (!work || cycle < pass_at) return false;
    if (lost >= kAgeLimit) {
      held++;
      return false;
    }
    const bool deliver = work->pass(result);
    const uint64_t end = cycle + work->duration;
    pass_at = end;
    if (work->r.kind == MBK) acts.push_back({end, work->act});
    sender[work->r.way].completions += work->act.complete;
    if (deliver)
      due.push_back({end + 2, work->delivered, work->done(), work->r, result, work->misuse});
    if (work->done()) {
      ready_at = end;
      work.reset();
    }
    return true;
  }
  // The requester that the chunk port chooses, kPorts if none presents.
  unsigned chosen() const {
    unsigned best = kPorts;
    for (unsigned p = 0; p < kChunks; p++) {
      if (!chunk[p].valid) continue;
      if (best == kPorts || (losses[p] >= kAgeLimit && losses[p] > losses[best])) best = p;
    }
    return best;
  }
  void access(unsigned p) {
    Chunk c = chunk[p];
    for (unsigned k = 0; k < kQuads; k++) {
      const uint32_t at = 4 * (c.row[k] * kBanks + 4 * k);
      for (unsigned j = 0; j < 16 && c.quad[k] && c.store; j++)
        if (c.bytes[k] >> j & 1)
          mem[at + j] = static_cast<uint8_t>(c.word[k][j / 4] >> 8 * (j & 3));
      for (unsigned j = 0; j < 4; j++)
        c.word[k][j] = word_at(at + 4 * j);
    }
    if (!c.store) answers.push_back({cycle + 2, p, c});
    chunk[p].valid = false;
    granted++;
  }
  void chunks(bool passes, bool stalled) {
    const unsigned p = chosen();
    const bool grant = p != kPorts && !passes && !stalled && cycle >= atomic_until;
    check_eq("chunk grant", top.chunk_grant_o, grant ? 1u << p : 0, cycle);
    checks++;
    if (stalled) {
      waited = 0;
      return;
    }
    waited = p == kPorts || grant ? 0 : waited + 1;
    if (waited > most_waited) most_waited = waited;
    lost = p == kPorts || grant ? 0 : lost == 15 ? 15 : lost + 1;
    for (unsigned i = 0; i < kChunks; i++) {
      if (!chunk[i].valid || (grant && i == p))
        losses[i] = 0;
      else if (grant && losses[i] < 15)
        losses[i]++;
    }
    if (grant) access(p);
  }
  uint64_t atomic_until = 0;
  void answer() {
    const bool expect = !answers.empty() && answers.front().cycle == cycle;
    const unsigned bits = 128 * kQuads;
    check_eq("chunk answer", get(top.chunk_rsp_o, bits + 11, 1), expect, cycle);
    checks++;
    if (!expect) return;
    const Answer &a = answers.front();
    check_eq("requester", get(top.chunk_rsp_o, bits + 8, 3), a.requester, cycle);
    check_eq("tag", get(top.chunk_rsp_o, bits, 8), a.c.tag, cycle);
    for (unsigned k = 0; k < kQuads; k++)
      for (unsigned j = 0; a.c.quad[k] && j < 4; j++, checks++)
        check_eq("chunk word", get(top.chunk_rsp_o, 128 * k + 32 * j, 32), a.c.word[k][j], cycle);
    answers.erase(answers.begin());
  }
  // Pulse and count: an operation acts in q + D.
  void mbarriers(bool start) {
    const bool now = !acts.empty() && acts.front().cycle == cycle;
    const bool complete = now && acts.front().act.complete;
    check_eq("phase complete", top.mbar_complete_o, complete, cycle);
    check_eq("phases completed", top.mbar_gen_o, gen, cycle);
    checks += 2;
    completions += complete;
    if (complete) gen = acts.front().act.gen;
    if (now) acts.erase(acts.begin());
    if (start) gen = phases = 0;
  }
  void check_misuse(const Misuse &m) {
    check_eq("misuse", top.misuse_o, m.valid, cycle);
    checks++;
    if (!m.valid) return;
    check_eq("lane with misuse", top.misuse_lane_o, m.lane, cycle);
    check_eq("place of misuse", top.misuse_at_o, m.at, cycle);
    checks += 2;
    misuses++;
  }
  // A delivery is the LSU's, the copy engine's (of a signal) or that of a commit.
  void deliver() {
    const bool now = !due.empty() && due.front().cycle == cycle;
    const bool misused = now && due.front().misuse.valid;
    bool to[WAYS] = {};
    if (now) to[due.front().r.way] = true;
    check_eq("signal delivered", top.signal_delivered_o, to[SIGNAL], cycle);
    check_eq("misuse of a signal", top.signal_misuse_o, to[SIGNAL] && misused, cycle);
    check_eq("commit delivered", top.commit_delivered_o, to[COMMIT], cycle);
    check_eq("misuse of a commit", top.commit_misuse_o, to[COMMIT] && misused, cycle);
    check_eq("response valid", top.rsp_valid_o, to[LSU], cycle);
    checks += 5;
    check_misuse(to[LSU] ? due.front().misuse : Misuse{});
    if (now) {
      sender[due.front().r.way].misuses += misused;
      sender[due.front().r.way].taken = false;
    }
    if (to[LSU]) check_results(due.front());
    if (now) due.erase(due.begin());
  }
  void check_results(const Due &d) {
    check_eq("words", top.words_o, d.words, cycle);
    check_eq("last", top.last_o, d.last, cycle);
    check_eq("slot", top.slot_o, d.r.slot, cycle);
    check_eq("beat", top.beat_o, d.r.beat, cycle);
    check_eq("mask", top.mask_o, d.r.mask, cycle);
    checks += 5;
    for (unsigned i = 0; i < kLanes; i++)
      for (unsigned k = 0; (d.r.mask >> i & 1) && k < 4; k++)
        if (d.words >> k & 1) {
          check_eq("word", top.rdata_o[k][i], d.res.word[k][i], cycle);
          checks++;
        }
  }
  void show_senders() {
    for (const Way w : {SIGNAL, COMMIT}) {
      Sender &s = sender[w];
      if (!s.request && !s.taken && rnd(16) < s.rate)
        s.request = std::make_unique<Request>(w == SIGNAL ? random_signal() : random_commit());
    }
    const Request *signal = sender[SIGNAL].request.get(), *commit = sender[COMMIT].request.get();
    top.signal_i = signal != nullptr;
    top.signal_at_i = signal ? signal->addr[0] : 0xdeadbeef;
    top.signal_bytes_i = signal ? signal->data[0][0] : 0xdeadbeef;
    top.commit_i = commit != nullptr;
    top.commit_at_i = commit ? commit->addr[0] : 0xdeadbeef;
  }
  // The request that shared memory takes: a commit comes before a signal (25.8), a signal before the
  // LSU's (23.3).
  const Request *taken_of(const Request *r, bool stalled) {
    const bool idle = !work && cycle >= ready_at && !stalled;
    const Request *signal = sender[SIGNAL].request.get(), *commit = sender[COMMIT].request.get();
    check_eq("ready", top.req_ready_o, idle && !signal && !commit, cycle);
    check_eq("signal taken", top.signal_taken_o, idle && signal && !commit, cycle);
    check_eq("commit taken", top.commit_taken_o, idle && commit, cycle);
    checks += 3;
    return !idle ? nullptr : commit ? commit : signal ? signal : r;
  }
  void take(const Request &r) {
    work = std::make_unique<Passes>(r);
    result = {};
    pass_at = cycle + 1;
  }
  // Words 4 to 7 of a cas of 128 bits come one cycle after it, and stay until the next one is taken.
  void show_more(const Request &r) {
    if (r.kind != ATK || r.type != B128 || r.atom != CAS) return;
    for (unsigned i = 0; i < kLanes; i++)
      for (unsigned k = 0; k < 4; k++)
        top.more_i[k][i] = r.data[4 + k][i];
  }
  // One cycle; takes r if the unit should be ready.
  bool step(const Request *r) {
    top.req_valid_i = r != nullptr;
    // Narrow: operand words 2 and 3 come in the cycle after the request.
    for (unsigned i = 0; i < kLanes; i++)
      for (unsigned k = kWide ? 4 : 2; k < 4; k++)
        top.wdata_i[k][i] = late[k][i];
    if (r) show(*r);
    show_senders();
    // Of a launch: nothing is under way.
    const bool start = starts && !r && !sender[SIGNAL].request && !sender[COMMIT].request &&
                       !work && due.empty() && acts.empty();
    top.start_i = start;
    const bool smem_stalled = rnd(16) < smem_stall_rate;
    top.stall_i = smem_stalled;
    const bool stalled = rnd(16) < stall_rate;
    if (kChunks) {
      show_chunks();
      top.chunk_stall_i = stalled;
    }
    top.clk_i = 0;
    top.eval();
    const bool passes = pass_and_mark();
    check_eq("pass", top.pass_o, passes, cycle);
    checks++;
    const Request *next = taken_of(r, smem_stalled);
    const bool taken = r && next == r;
    for (unsigned i = 0; i < kLanes; i++)
      for (unsigned k = 2; k < 4; k++)
        late[k][i] = taken ? r->data[k][i] : 0xdeadbeef;
    if (kChunks) {
      answer();
      chunks(passes, stalled);
    }
    deliver();
    mbarriers(start);
    if (next) take(*next);
    if (next && next != r) {
      Sender &s = sender[next->way];
      s.count++;
      s.first += r != nullptr;
      s.taken = true;
      s.request.reset();
    }
    top.clk_i = 1;
    top.eval();
    if (taken) show_more(*r);
    cycle++;
    return taken;
  }
  bool pass_and_mark() {
    const bool is_atomic = work && (work->r.kind == ATK || work->r.kind == MBK);
    if (!pass()) return false;
    atomic_until = is_atomic ? pass_at : 0;
    return true;
  }
};
} // namespace

int main() {
  auto b = std::make_unique<Bench>();
  b->top.rst_ni = 0;
  b->clock();
  b->top.rst_ni = 1;
  auto run = [&](const Request &r) {
    while (!b->step(&r)) {
    }
  };
  // Fill, random traffic, read everything back.
  for (unsigned sweep = 0; sweep < 2; sweep++) {
    for (uint32_t a = 0; a < kBytes; a += 4 * kLanes) {
      Request r{};
      r.kind = sweep ? LDK : STK;
      r.type = B32;
      r.mask = kLanes == 32 ? ~0u : (1u << kLanes) - 1;
      for (unsigned i = 0; i < kLanes; i++) {
        r.addr[i] = a + 4 * i;
        r.data[0][i] = static_cast<uint32_t>(rnd());
      }
      run(r);
    }
    for (unsigned n = 0; sweep == 0 && n < 60000; n++) {
      if (kChunks &&
          n % 500 == 0) { // from none to as many as fit; in each second round with stalls
        b->chunk_rate = n / 500 % 5 * 4;
        b->stall_rate = n / 500 % 2 * 6;
      }
      if (n % 500 == 0) {
        b->sender[SIGNAL].rate = n / 500 % 3 == 2 ? 16 : n / 500 % 3;
        // Not both as often as they can: the LSU's would never be taken.
        b->sender[COMMIT].rate = b->sender[SIGNAL].rate == 16 ? 1
                                 : n / 500 % 7 == 1           ? 16
                                                              : n / 500 % 4;
        b->smem_stall_rate = n / 500 % 4 == 3 ? 4 : 0;
      }
      run(random_request());
      if (rnd(4) == 0) b->step(nullptr);
      if (rnd(2000) == 0) { // the count starts again
        b->starts = true;
        for (unsigned i = 0; i < 300; i++)
          b->step(nullptr);
        b->starts = false;
      }
    }
    b->chunk_rate = b->stall_rate = b->smem_stall_rate = 0;
    b->sender[SIGNAL].rate = b->sender[COMMIT].rate = 0;
  }
  for (unsigned i = 0; i < 200; i++)
    b->step(nullptr);
  check_eq("requests without response", b->due.size(), 0, b->cycle);
  check_eq("operations that did not act", b->acts.size(), 0, b->cycle);
  check(b->completions > 1000, "completed phases", b->completions, 1001, b->cycle);
  check(b->misuses > 1000, "requests with misuse", b->misuses, 1001, b->cycle);
  for (const Way w : {SIGNAL, COMMIT}) {
    const auto &s = b->sender[w];
    check(!s.request && !s.taken, "senders without delivery", w, 0, b->cycle);
    check(s.count > 10000, "signals, commits", s.count, 10001, b->cycle);
    check(s.first > 1000, "before a request of the LSU", s.first, 1001, b->cycle);
    check(s.misuses > 1000, "signals, commits with misuse", s.misuses, 1001, b->cycle);
    check(s.completions > 100, "phases that they complete", s.completions, 101, b->cycle);
  }
  if (kAtom128) {
    check(swapped > 1000, "cas of 128 bits that find their value", swapped, 1001, b->cycle);
    check(kept > 1000, "cas of 128 bits that do not", kept, 1001, b->cycle);
  }
  if (kChunks) {
    check(b->changed > 1000, "requests that change", b->changed, 1001, b->cycle);
    check_eq("loads of chunks without answer", b->answers.size(), 0, b->cycle);
    check(b->granted > 10000, "chunks", b->granted, 10001, b->cycle);
    check(b->held > 100, "passes that waited for a chunk", b->held, 101, b->cycle);
    check(b->most_waited <= kAgeLimit + kSerial, "cycles that a chunk waited", b->most_waited,
          kAgeLimit + kSerial, b->cycle);
  }
  return finish("smem", b->checks);
}
