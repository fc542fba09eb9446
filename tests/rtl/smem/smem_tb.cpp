// Bench of rtl/mem/smem.sv (docs/microarchitecture.md 11): random beat requests against a reference
// that follows the section pass by pass and knows in which cycle the unit is ready again and in
// which the results come. Contents are compared by loads at the end. With SMEM_CHUNKS two requesters
// of the chunk port (11b) work on the same words. mbarriers (21.2) lie among them: the cycle in which
// each operation acts, the count of phases and the first misuse are known too.
#include <memory>
#include <type_traits>
#include <vector>

#include "bench.h"
#include "tests/rtl/mbarrier/reference.h"
#include "verilated.h"
#include SMEM_HEADER

using namespace bench;

namespace {
constexpr unsigned kLanes = SMEM_LANES, kBanks = SMEM_BANKS, kBytes = SMEM_BYTES;
constexpr unsigned kBeatBits = SMEM_BEAT_BITS;
constexpr unsigned kSerial = 6;   // config.def SmemSerialStep
constexpr bool kWide = SMEM_WIDE; // config.def SmemWide and SmemBankAtoms
constexpr unsigned kChunks = SMEM_CHUNKS, kPorts = kChunks ? kChunks : 1; // of the chunk port
constexpr unsigned kAgeLimit = 8;                                         // config.def AgeLimit
enum { LDK, STK, ATK, MBK = 5, MTK };
constexpr unsigned kObjects = 24; // mbarriers, in the first rows of the banks

struct Request {
  unsigned slot, kind, type, atom, beat;
  uint32_t mask, addr[kLanes], data[4][kLanes];
};
struct Result {
  uint32_t word[4][kLanes];
};

struct Misuse {
  bool valid;
  unsigned lane;
  uint32_t at; // byte address
};
// What an operation on an mbarrier does when it acts.
struct Act {
  bool complete;
  uint32_t gen;
};

uint8_t mem[kBytes];
uint32_t phases; // completed

uint32_t word_at(uint32_t a) {
  a &= ~3u;
  return mem[a] | mem[a + 1] << 8 | mem[a + 2] << 16 | static_cast<uint32_t>(mem[a + 3]) << 24;
}
void set_word(uint32_t a, uint32_t v) {
  for (unsigned i = 0; i < 4; i++)
    mem[(a & ~3u) + i] = static_cast<uint8_t>(v >> 8 * i);
}

// A request, pass by pass (section 11). What a pass reads and writes is done at once: between its
// accesses there are none of others (11b).
class Passes {
public:
  explicit Passes(const Request &request) : r(request) {
    bytes = bytes_of(static_cast<int>(r.type));
    words = bytes > 4 ? bytes / 4 : 1;
    const bool atom = r.kind == ATK || r.kind == MBK;
    serial = atom && (!kWide || bytes == 8 || r.atom == CAS || r.type == F32);
    by_word = !kWide && !atom; // SmemWide = 0: word by word of all lanes
    duration = !atom ? 1 : serial ? kSerial : 2;
    // Parts: narrow: words; wide: halves of the lanes or quarters.
    splits = kWide ? words : 1;
    parts = by_word ? words * splits : splits;
    begin();
  }
  bool done() const { return part == parts; }
  // The next pass. True if it is the last one of a part after which words are delivered.
  bool pass(Result &res) {
    const uint32_t served = choose();
    for (unsigned i = 0; i < kLanes; i++)
      if (served >> i & 1) serve(i, res);
    pending &= ~served;
    if (pending) return false;
    const bool load = r.kind == LDK || r.kind == MTK;
    delivered = by_word && load ? 1u << from() : r.kind == STK ? 0 : (1u << words) - 1;
    const bool some = by_word && load && part % splits == splits - 1;
    part++;
    begin();
    return some || done();
  }
  Request r;
  unsigned duration, delivered = 0; // cycles of a pass; mask of the words
  Misuse misuse{};                  // the first of the request
  Act act{};                        // of the pass

private:
  unsigned bytes, words, splits, parts, part = 0;
  bool serial, by_word;
  uint32_t pending = 0;

  unsigned from() const { return by_word ? part / splits : 0; }
  unsigned to() const { return by_word ? from() + 1 : words; }
  void begin() { // the next part that has lanes
    for (; part < parts; part++) {
      const unsigned first = part % splits * kLanes / splits;
      const unsigned end = (part % splits + 1) * kLanes / splits;
      for (unsigned i = first; i < end; i++)
        pending |= r.mask & 1u << i;
      if (pending) return;
    }
  }
  uint32_t choose() const {
    uint32_t served = 0;
    int row[kBanks];
    for (int &x : row)
      x = -1;
    for (unsigned i = 0; i < kLanes; i++) {
      if (!(pending >> i & 1)) continue;
      const unsigned w = r.addr[i] / 4 + from();
      if (serial) return 1u << i;
      if (r.kind == ATK || (!kWide && r.kind == STK)) { // one lane per bank
        if (row[w % kBanks] < 0) {
          row[w % kBanks] = 0;
          served |= 1u << i;
        }
        continue;
      }
      for (unsigned k = 0; k < to() - from(); k++)
        if (row[(w + k) % kBanks] < 0) row[(w + k) % kBanks] = static_cast<int>((w + k) / kBanks);
    }
    if (r.kind == LDK || r.kind == MTK || (kWide && r.kind == STK)) served |= matching(row);
    return served;
  }
  uint32_t matching(const int *row) const { // lanes whose words lie in the rows
    uint32_t served = 0;
    for (unsigned i = 0; i < kLanes; i++) {
      bool all = pending >> i & 1;
      for (unsigned k = from(); all && k < to(); k++) {
        const unsigned w = r.addr[i] / 4 + k;
        all = row[w % kBanks] == static_cast<int>(w / kBanks);
      }
      if (all) served |= 1u << i;
    }
    return served;
  }
  void serve_mbarrier(unsigned i, Result &res) {
    const uint32_t a = r.addr[i];
    const uint64_t was = res.word[0][i] | static_cast<uint64_t>(res.word[1][i]) << 32;
    const mbarrier::Outcome o =
        mbarrier::operate(static_cast<int>(r.atom), mbarrier::decode(was), r.data[0][i]);
    if (o.misuse && !misuse.valid) misuse = {true, i, a};
    if (o.complete) phases = (phases + 1) % (1u << 31);
    act = {o.complete, phases};
    if (o.misuse) return;
    set_word(a, static_cast<uint32_t>(mbarrier::encode(o.now)));
    set_word(a + 4, static_cast<uint32_t>(mbarrier::encode(o.now) >> 32));
  }
  void serve(unsigned i, Result &res) {
    const uint32_t a = r.addr[i];
    if (r.kind == STK) {
      for (unsigned b = 4 * from(); b < (by_word && words > 1 ? 4 * to() : bytes); b++)
        mem[a + b] = static_cast<uint8_t>(r.data[b / 4][i] >> 8 * (b & 3));
      return;
    }
    for (unsigned k = from(); k < to(); k++)
      res.word[k][i] = word_at(a + 4 * k);
    if (r.kind == LDK) {
      if (bytes < 4 && kWide) { // narrow: words as they lie, the LSU extends
        res.word[0][i] = extend(static_cast<int>(r.type), res.word[0][i] >> 8 * (a & 3));
      }
      return;
    }
    if (r.kind == MTK) { // of the object's high word
      res.word[0][i] = ((res.word[0][i] ^ r.data[0][i]) & 1) << 31 | phases;
      return;
    }
    if (r.kind == MBK) {
      serve_mbarrier(i, res);
      return;
    }
    uint64_t old = res.word[0][i], v = r.data[0][i], c = r.data[0][i];
    if (words == 2) {
      old |= static_cast<uint64_t>(res.word[1][i]) << 32;
      v |= static_cast<uint64_t>(r.data[1][i]) << 32;
      c = v;
    }
    if (r.atom == CAS)
      v = words == 2 ? r.data[2][i] | static_cast<uint64_t>(r.data[3][i]) << 32 : r.data[1][i];
    const uint64_t n = atomic(static_cast<int>(r.atom), static_cast<int>(r.type), old, v, c, false);
    set_word(a, static_cast<uint32_t>(n));
    if (words == 2) set_word(a + 4, static_cast<uint32_t>(n >> 32));
  }
};

// On mbarriers: counts are often those that the object has, so that phases end.
Request random_mbarrier() {
  Request r{};
  r.slot = rnd(4);
  r.beat = rnd(32 / kLanes);
  r.kind = rnd(3) ? MBK : MTK;
  r.type = r.kind == MBK ? B64 : B32;
  if (r.kind == MBK) r.atom = rnd(4) ? 2 + rnd(6) : 1;
  do {
    for (unsigned i = 0; i < kLanes; i++)
      r.mask |= (rnd(3) == 0 ? 1u : 0) << i;
  } while (!r.mask);
  for (unsigned i = 0; i < kLanes; i++) {
    const uint32_t a = 8 * rnd(kObjects);
    const mbarrier::Object o =
        mbarrier::decode(word_at(a) | static_cast<uint64_t>(word_at(a + 4)) << 32);
    const bool fills = r.atom != mbarrier::INIT && r.atom <= mbarrier::DROP;
    const int64_t like[] = {1, 2, o.p, o.e, o.x < 0 ? -o.x : o.x, rnd(5), mbarrier::kMost - o.x};
    const int64_t ends = fills ? o.p : r.atom == mbarrier::INIT ? 1 + rnd(3) : o.x < 0 ? -o.x : o.x;
    r.addr[i] = r.kind == MBK ? a : a + 4;
    r.data[0][i] = static_cast<uint32_t>(rnd(8) ? like[rnd(7)] : like[rnd(7)] + 1);
    if (rnd(4)) r.data[0][i] = static_cast<uint32_t>(ends);
    for (unsigned k = 1; k < 4; k++)
      r.data[k][i] = static_cast<uint32_t>(rnd());
  }
  return r;
}

Request random_request() {
  if (rnd(3) == 0) return random_mbarrier();
  static const unsigned loads[] = {U8, S8, U16, S16, B32, B64, B128};
  static const unsigned stores[] = {B8, B16, B32, B64, B128};
  Request r{};
  r.slot = rnd(4);
  r.beat = rnd(32 / kLanes);
  r.kind = rnd(3);
  if (r.kind == LDK) r.type = loads[rnd(7)];
  if (r.kind == STK) r.type = stores[rnd(5)];
  if (r.kind == ATK) {
    const AtomForm f = kAtoms[rnd(kAtomForms)];
    r.atom = static_cast<unsigned>(f.op);
    r.type = static_cast<unsigned>(f.type);
  }
  const unsigned n = bytes_of(static_cast<int>(r.type));
  const uint32_t all = kLanes == 32 ? ~0u : (1u << kLanes) - 1;
  do {
    r.mask = static_cast<uint32_t>(rnd()) & all;
  } while (!r.mask);
  if (rnd(2)) r.mask = all;
  // Patterns: unit stride, few rows, one word, anywhere.
  const unsigned pattern = rnd(4), base = rnd(kBytes / 2) & ~63u;
  for (unsigned i = 0; i < kLanes; i++) {
    uint32_t a = 0;
    if (pattern == 0) a = base + i * n;
    if (pattern == 1) a = base + rnd(64) * 4 + rnd(4) * kBanks * 4;
    if (pattern == 2) a = base + rnd(16);
    if (pattern == 3) a = rnd(kBytes);
    if (rnd(64) == 0) a = rnd(8 * kObjects);
    r.addr[i] = (a % kBytes) & ~(n - 1);
    for (auto &d : r.data)
      d[i] = rnd(4) ? static_cast<uint32_t>(rnd() & (rnd(2) ? 3 : ~0u)) : word_at(r.addr[i]);
    if (r.type == F32) r.data[0][i] = static_cast<uint32_t>(rnd()) & (rnd(2) ? ~0u : 0x83ffffffu);
  }
  return r;
}

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

// A request of the chunk port (11b): a chunk in some of the quads of banks.
constexpr unsigned kQuads = kBanks / 4, kRows = kBytes / 4 / kBanks;
constexpr unsigned kRowBits = SMEM_ROW_BITS, kQuadBits = 1 + kRowBits + 16 + 128;
struct Chunk {
  bool valid, store;
  unsigned tag, bytes[kQuads], row[kQuads];
  bool quad[kQuads];
  uint32_t word[kQuads][4];
};
struct Answer {
  uint64_t cycle;
  unsigned requester;
  Chunk c; // with the words read
};

Chunk random_chunk() {
  Chunk c{};
  c.valid = true;
  c.store = rnd(2);
  c.tag = rnd(256);
  do {
    for (unsigned k = 0; k < kQuads; k++) {
      c.quad[k] = rnd(2);
      c.valid = c.valid || c.quad[k];
    }
    c.quad[rnd(kQuads)] = true;
  } while (!c.valid);
  // Few rows, so that lanes and chunks meet.
  for (unsigned k = 0; k < kQuads; k++) {
    c.row[k] = rnd(3) ? rnd(8) : rnd(kRows);
    c.bytes[k] = rnd(3) ? 0xffff : rnd(65536);
    for (uint32_t &w : c.word[k])
      w = static_cast<uint32_t>(rnd());
  }
  return c;
}

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
  // Chunk port: requests, losses, cycles that one has waited without a stall.
  Chunk chunk[kPorts] = {};
  unsigned lost = 0, losses[kPorts] = {}, waited = 0;
  unsigned chunk_rate = 0, stall_rate = 0; // of 16
  bool starts = false;                     // a launch starts in each idle cycle
  uint64_t held = 0, granted = 0, most_waited = 0;

  void clock() {
    top.clk_i = 0;
    top.eval();
    top.clk_i = 1;
    top.eval();
  }
  void show(const Request &r) {
    uint64_t bits = r.slot; // smem_req_t, most significant member first
    bits = bits << 3 | r.kind;
    bits = bits << 4 | r.type;
    bits = bits << 4 | r.atom;
    bits = bits << kBeatBits | r.beat;
    bits = bits << kLanes | r.mask;
    top.req_i = static_cast<std::remove_reference_t<decltype(top.req_i)>>(bits);
    for (unsigned i = 0; i < kLanes; i++) {
      top.addr_i[i] = r.addr[i];
      for (unsigned k = 0; k < (kWide ? 4 : 2); k++)
        top.wdata_i[k][i] = r.data[k][i];
    }
  }
  void show_chunks() {
    for (unsigned p = 0; p < kChunks; p++) {
      if (!chunk[p].valid && rnd(16) < chunk_rate) chunk[p] = random_chunk();
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
    constexpr unsigned at_bits = 2 + SMEM_ROW_BITS + (kBanks == 32 ? 5 : 2) - 3;
    const uint64_t got = top.mbar_misuse_o;
    check_eq("misuse", got >> (at_bits + (kLanes == 32 ? 5 : 1)), m.valid, cycle);
    misuses += m.valid;
    if (!m.valid) return;
    check_eq("lane with misuse", got >> at_bits & (kLanes - 1), m.lane, cycle);
    check_eq("place of misuse", (got & ((1u << at_bits) - 1)) * 8, m.at, cycle);
    checks += 2;
  }
  void deliver() {
    const bool expect = !due.empty() && due.front().cycle == cycle;
    check_eq("response valid", top.rsp_valid_o, expect, cycle);
    checks += 2;
    check_misuse(expect ? due.front().misuse : Misuse{});
    if (!expect) return;
    const Due &d = due.front();
    const uint64_t all = static_cast<uint64_t>(top.rsp_o), bits = all >> 5;
    check_eq("words", all >> 1 & 15, d.words, cycle);
    check_eq("last", all & 1, d.last, cycle);
    check_eq("slot", bits >> (kLanes + kBeatBits) & 3, d.r.slot, cycle);
    check_eq("beat", bits >> kLanes & ((1u << kBeatBits) - 1), d.r.beat, cycle);
    check_eq("mask", bits & ((1ull << kLanes) - 1), d.r.mask, cycle);
    for (unsigned i = 0; i < kLanes; i++)
      for (unsigned k = 0; (d.r.mask >> i & 1) && k < 4; k++, checks++)
        if (d.words >> k & 1) check_eq("word", top.rdata_o[k][i], d.res.word[k][i], cycle);
    due.erase(due.begin());
  }
  // One cycle; takes r if the unit should be ready.
  bool step(const Request *r) {
    top.req_valid_i = r != nullptr;
    // Narrow: operand words 2 and 3 come in the cycle after the request.
    for (unsigned i = 0; i < kLanes; i++)
      for (unsigned k = kWide ? 4 : 2; k < 4; k++)
        top.wdata_i[k][i] = late[k][i];
    if (r) show(*r);
    const bool start = starts && !r && !work && due.empty() && acts.empty(); // of a launch
    top.start_i = start;
    const bool stalled = rnd(16) < stall_rate;
    if (kChunks) {
      show_chunks();
      top.chunk_stall_i = stalled;
    }
    top.clk_i = 0;
    top.eval();
    const bool passes = pass_and_mark();
    check_eq("pass", top.pass_o, passes, cycle);
    check_eq("ready", top.req_ready_o, !work && cycle >= ready_at, cycle);
    const bool taken = r && top.req_ready_o;
    for (unsigned i = 0; i < kLanes; i++)
      for (unsigned k = 2; k < 4; k++)
        late[k][i] = taken ? r->data[k][i] : 0xdeadbeef;
    if (kChunks) {
      answer();
      chunks(passes, stalled);
    }
    deliver();
    mbarriers(start);
    if (taken) {
      work = std::make_unique<Passes>(*r);
      result = {};
      pass_at = cycle + 1;
    }
    top.clk_i = 1;
    top.eval();
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
      run(random_request());
      if (rnd(4) == 0) b->step(nullptr);
      if (rnd(2000) == 0) { // the count starts again
        b->starts = true;
        for (unsigned i = 0; i < 300; i++)
          b->step(nullptr);
        b->starts = false;
      }
    }
    b->chunk_rate = b->stall_rate = 0;
  }
  for (unsigned i = 0; i < 200; i++)
    b->step(nullptr);
  check_eq("requests without response", b->due.size(), 0, b->cycle);
  check_eq("operations that did not act", b->acts.size(), 0, b->cycle);
  check(b->completions > 1000, "completed phases", b->completions, 1001, b->cycle);
  check(b->misuses > 1000, "requests with misuse", b->misuses, 1001, b->cycle);
  if (kChunks) {
    check_eq("loads of chunks without answer", b->answers.size(), 0, b->cycle);
    check(b->granted > 10000, "chunks", b->granted, 10001, b->cycle);
    check(b->held > 100, "passes that waited for a chunk", b->held, 101, b->cycle);
    check(b->most_waited <= kAgeLimit + kSerial, "cycles that a chunk waited", b->most_waited,
          kAgeLimit + kSerial, b->cycle);
  }
  return finish("smem", b->checks);
}
