// Bench of rtl/mem/smem.sv (docs/microarchitecture.md 11): random beat requests against a reference
// that follows the section pass by pass and knows in which cycle the unit is ready again and in
// which the results come. Contents are compared by loads at the end.
#include <memory>
#include <type_traits>
#include <vector>

#include "bench.h"
#include "verilated.h"
#include SMEM_HEADER

using namespace bench;

namespace {
constexpr unsigned kLanes = SMEM_LANES, kBanks = SMEM_BANKS, kBytes = SMEM_BYTES;
constexpr unsigned kBeatBits = SMEM_BEAT_BITS;
constexpr unsigned kSerial = 6;   // config.def SmemSerialStep
constexpr bool kWide = SMEM_WIDE; // config.def SmemWide and SmemBankAtoms
enum { LDK, STK, ATK };

struct Request {
  unsigned slot, kind, type, atom, beat;
  uint32_t mask, addr[kLanes], data[4][kLanes];
};
struct Delivery {
  unsigned passes, words; // passes up to its last one; mask of the words
};
struct Result {
  unsigned passes, duration;
  std::vector<Delivery> deliveries;
  uint32_t word[4][kLanes];
};

uint8_t mem[kBytes];

uint32_t word_at(uint32_t a) {
  a &= ~3u;
  return mem[a] | mem[a + 1] << 8 | mem[a + 2] << 16 | static_cast<uint32_t>(mem[a + 3]) << 24;
}
void set_word(uint32_t a, uint32_t v) {
  for (unsigned i = 0; i < 4; i++)
    mem[(a & ~3u) + i] = static_cast<uint8_t>(v >> 8 * i);
}

// Section 11, pass by pass.
Result perform(const Request &r) {
  Result res{};
  const unsigned bytes = bytes_of(static_cast<int>(r.type));
  const unsigned words = bytes > 4 ? bytes / 4 : 1;
  const bool serial = r.kind == ATK && (!kWide || bytes == 8 || r.atom == CAS || r.type == F32);
  const bool by_word = !kWide && r.kind != ATK; // SmemWide = 0: word by word of all lanes
  res.duration = r.kind != ATK ? 1 : serial ? kSerial : 2;
  // Parts: narrow: words; wide: halves of the lanes or quarters.
  const unsigned splits = kWide ? words : 1;
  const unsigned parts = by_word ? words * splits : splits;
  for (unsigned part = 0; part < parts; part++) {
    const unsigned first = part % splits * kLanes / splits;
    const unsigned end = (part % splits + 1) * kLanes / splits;
    const unsigned from = by_word ? part / splits : 0, to = by_word ? from + 1 : words;
    uint32_t pending = 0;
    for (unsigned i = first; i < end; i++)
      pending |= r.mask & 1u << i;
    while (pending) {
      res.passes++;
      uint32_t served = 0;
      int row[kBanks];
      for (int &x : row)
        x = -1;
      for (unsigned i = 0; i < kLanes; i++) {
        if (!(pending >> i & 1)) continue;
        const unsigned w = r.addr[i] / 4 + from;
        if (serial) {
          served = 1u << i;
          break;
        }
        if (r.kind == ATK || (!kWide && r.kind == STK)) { // one lane per bank
          if (row[w % kBanks] < 0) {
            row[w % kBanks] = 0;
            served |= 1u << i;
          }
          continue;
        }
        for (unsigned k = 0; k < to - from; k++)
          if (row[(w + k) % kBanks] < 0) row[(w + k) % kBanks] = static_cast<int>((w + k) / kBanks);
      }
      if (r.kind == LDK || (kWide && r.kind == STK))
        for (unsigned i = 0; i < kLanes; i++) {
          bool all = pending >> i & 1;
          for (unsigned k = from; all && k < to; k++) {
            const unsigned w = r.addr[i] / 4 + k;
            all = row[w % kBanks] == static_cast<int>(w / kBanks);
          }
          if (all) served |= 1u << i;
        }
      for (unsigned i = 0; i < kLanes; i++) {
        if (!(served >> i & 1)) continue;
        const uint32_t a = r.addr[i];
        if (r.kind == STK) {
          for (unsigned b = 4 * from; b < (by_word && words > 1 ? 4 * to : bytes); b++)
            mem[a + b] = static_cast<uint8_t>(r.data[b / 4][i] >> 8 * (b & 3));
          continue;
        }
        for (unsigned k = from; k < to; k++)
          res.word[k][i] = word_at(a + 4 * k);
        if (r.kind == LDK) {
          if (bytes < 4 && kWide) { // narrow: words as they lie, the LSU extends
            res.word[0][i] = extend(static_cast<int>(r.type), res.word[0][i] >> 8 * (a & 3));
          }
          continue;
        }
        uint64_t old = res.word[0][i], v = r.data[0][i], c = r.data[0][i];
        if (words == 2) {
          old |= static_cast<uint64_t>(res.word[1][i]) << 32;
          v |= static_cast<uint64_t>(r.data[1][i]) << 32;
          c = v;
        }
        if (r.atom == CAS)
          v = words == 2 ? r.data[2][i] | static_cast<uint64_t>(r.data[3][i]) << 32 : r.data[1][i];
        const uint64_t n =
            atomic(static_cast<int>(r.atom), static_cast<int>(r.type), old, v, c, false);
        set_word(a, static_cast<uint32_t>(n));
        if (words == 2) set_word(a + 4, static_cast<uint32_t>(n >> 32));
      }
      pending &= ~served;
    }
    if (by_word && r.kind == LDK && part % splits == splits - 1)
      res.deliveries.push_back({res.passes, 1u << from});
  }
  if (res.deliveries.empty())
    res.deliveries.push_back({res.passes, r.kind == STK ? 0 : (1u << words) - 1});
  return res;
}

Request random_request() {
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
};

struct Bench {
  VerilatedContext ctx;
  SMEM_MODEL top{&ctx};
  std::vector<Due> due;
  uint32_t late[4][kLanes] = {};
  uint64_t cycle = 0, checks = 0, ready_at = 0;

  void clock() {
    top.clk_i = 0;
    top.eval();
    top.clk_i = 1;
    top.eval();
  }
  // One cycle; takes r if the unit should be ready.
  bool step(const Request *r) {
    top.req_valid_i = r != nullptr;
    // Narrow: operand words 2 and 3 come in the cycle after the request.
    for (unsigned i = 0; i < kLanes; i++)
      for (unsigned k = kWide ? 4 : 2; k < 4; k++)
        top.wdata_i[k][i] = late[k][i];
    if (r) {
      uint64_t bits = r->slot; // smem_req_t, most significant member first
      bits = bits << 2 | r->kind;
      bits = bits << 4 | r->type;
      bits = bits << 4 | r->atom;
      bits = bits << kBeatBits | r->beat;
      bits = bits << kLanes | r->mask;
      top.req_i = static_cast<std::remove_reference_t<decltype(top.req_i)>>(bits);
      for (unsigned i = 0; i < kLanes; i++) {
        top.addr_i[i] = r->addr[i];
        for (unsigned k = 0; k < (kWide ? 4 : 2); k++)
          top.wdata_i[k][i] = r->data[k][i];
      }
    }
    top.clk_i = 0;
    top.eval();
    check_eq("ready", top.req_ready_o, cycle >= ready_at, cycle);
    const bool taken = r && top.req_ready_o;
    for (unsigned i = 0; i < kLanes; i++)
      for (unsigned k = 2; k < 4; k++)
        late[k][i] = taken ? r->data[k][i] : 0xdeadbeef;
    if (taken) {
      const Result res = perform(*r);
      ready_at = cycle + 1 + res.passes * res.duration;
      for (const Delivery &x : res.deliveries)
        due.push_back({cycle + 1 + x.passes * res.duration + 2, x.words,
                       x.passes == res.passes && &x == &res.deliveries.back(), *r, res});
    }
    const bool expect = !due.empty() && due.front().cycle == cycle;
    check_eq("response valid", top.rsp_valid_o, expect, cycle);
    checks += 2;
    if (expect && top.rsp_valid_o) {
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
    }
    if (expect) due.erase(due.begin());
    top.clk_i = 1;
    top.eval();
    cycle++;
    return taken;
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
      run(random_request());
      if (rnd(4) == 0) b->step(nullptr);
    }
  }
  for (unsigned i = 0; i < 200; i++)
    b->step(nullptr);
  check_eq("requests without response", b->due.size(), 0, b->cycle);
  return finish("smem", b->checks);
}
