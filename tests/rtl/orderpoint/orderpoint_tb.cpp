// Bench of rtl/gpu/orderpoint.sv (section 13): random packets on few sectors against a memory that
// performs them one by one in order of admission, with undisturbed, disturbed and slow memory; which
// row is admitted, chosen and answered is compared in each cycle with reference.h. Then the cycle
// counts of single packets. With ORDER_ATOM128 atomics of 128 bits are among them.
#include <map>
#include <memory>
#include <vector>

#include ORDER_HEADER
#include "bench.h"
#include "gen/wl_packet.h"
#include "reference.h"
#include "verilated.h"

using namespace bench;

namespace {
enum { LD, ST, AT, RED };
struct Sector {
  uint32_t w[8];
};
using Memory = std::map<uint64_t, Sector>;

constexpr bool kAtom128 = ORDER_ATOM128; // config.def Atom128
constexpr unsigned kLatency = 16;        // config.def MemLatency of both rows
constexpr unsigned kStep = Reference::kStep;

Sector &at(Memory &m, uint64_t s) {
  auto it = m.find(s);
  if (it == m.end()) {
    Sector v;
    for (unsigned i = 0; i < 8; i++)
      v.w[i] = static_cast<uint32_t>(s * 0x9e3779b9u + i);
    it = m.emplace(s, v).first;
  }
  return it->second;
}

// exch or cas of 128 bits. cas compares with what is there (`now`, all packets before performed), often
// but for one bit.
void quad(Packet &p, const Sector &now) {
  const unsigned half = rnd(2);
  p.atom = rnd(3) ? CAS : EXCH;
  p.atype = B128;
  p.mask = 0xffffu << 16 * half;
  for (auto &d : p.data)
    d = static_cast<uint32_t>(rnd());
  if (p.atom == EXCH) return;
  for (unsigned k = 0; k < 4; k++)
    p.data[4 + k] = now.w[4 * half + k];
  if (rnd(2)) p.data[4 + rnd(4)] ^= 1u << rnd(32);
}

Packet random_packet(Memory &now, unsigned tag, uint32_t sectors = 3) {
  Packet p{};
  p.op = static_cast<int>(rnd(4));
  // Device memory is one block of 4 GiB: bits 58:27 are those of all sectors.
  p.sector = (uint64_t{0x12345} << 27) + 0x123400 + rnd(sectors) + (rnd(2) << 26);
  p.unit = rnd(8);
  p.sm = rnd(4);
  p.tag = tag & 0xffff;
  if (p.op == LD) p.mask = static_cast<uint32_t>(rnd());
  if (p.op == ST) {
    p.mask = static_cast<uint32_t>(rnd());
    for (auto &d : p.data)
      d = static_cast<uint32_t>(rnd());
  }
  if (p.op >= AT && kAtom128 && rnd(3) == 0) {
    quad(p, at(now, p.sector));
  } else if (p.op >= AT) {
    const AtomForm f = kAtoms[rnd(kAtomForms)];
    p.atom = f.op;
    p.atype = f.type;
    const unsigned n = bytes_of(f.type), count = 32 / n;
    uint32_t elements = f.op == CAS ? 1u << rnd(count) : 1 + rnd((1u << count) - 1);
    for (unsigned e = 0; e < count; e++)
      if (elements >> e & 1) p.mask |= static_cast<uint32_t>((1ull << n) - 1) << (n * e);
    for (auto &d : p.data)
      d = static_cast<uint32_t>(rnd() & (rnd(2) ? 3 : ~0u));
  }
  return p;
}

// Elements that the atomic unit works through; one of 16 bytes counts as two.
unsigned elements(const Packet &p) {
  unsigned bytes = 0;
  if (p.op < AT) return 0;
  for (unsigned k = 0; k < 32; k++)
    bytes += p.mask >> k & 1;
  return bytes / (p.atype == B128 ? 8 : bytes_of(p.atype));
}

uint64_t swapped = 0, kept = 0; // cas of 128 bits, by what they found

// Performs p on s; the response data.
Sector perform(const Packet &p, Sector &s) {
  Sector old = s, none{};
  if (p.op == LD) return old;
  if (p.op == ST) {
    for (unsigned i = 0; i < 32; i++)
      if (p.mask >> i & 1) {
        const uint32_t m = 0xffu << 8 * (i & 3);
        s.w[i / 4] = (s.w[i / 4] & ~m) | (p.data[i / 4] & m);
      }
    return none;
  }
  const unsigned n = bytes_of(p.atype) / 4;
  if (n == 4) {
    uint32_t *w = p.mask & 1 ? s.w : s.w + 4;
    if (p.atom == EXCH) std::memcpy(w, p.mask & 1 ? p.data : p.data + 4, 16);
    if (p.atom == CAS) {
      const bool same = std::memcmp(w, p.data + 4, 16) == 0;
      (same ? swapped : kept)++;
      if (same) std::memcpy(w, p.data, 16);
    }
    return p.op == AT ? old : none;
  }
  for (unsigned i = 0; i < 8; i += n) {
    if (!(p.mask >> 4 * i & 1)) continue;
    const unsigned j = p.atom == CAS ? i % 4 : i;
    uint64_t o = s.w[i], v = p.data[j], c = p.data[4 + (i % 4)];
    if (n == 2) {
      o |= static_cast<uint64_t>(s.w[i + 1]) << 32;
      v |= static_cast<uint64_t>(p.data[j + 1]) << 32;
      c |= static_cast<uint64_t>(p.data[4 + (i % 4) + 1]) << 32;
    }
    const uint64_t r = atomic(p.atom, p.atype, o, v, c, true);
    s.w[i] = static_cast<uint32_t>(r);
    if (n == 2) s.w[i + 1] = static_cast<uint32_t>(r >> 32);
  }
  return p.op == AT ? old : none;
}

struct Bench {
  VerilatedContext ctx;
  ORDER_MODEL top{&ctx};
  Memory memory, reference;
  std::map<unsigned, std::pair<Packet, Sector>> expected; // by tag
  struct Answer {
    uint64_t at;
    unsigned id;
    bool read;
    Sector data;
  };
  std::vector<Answer> answers;
  uint64_t cycle = 0, checks = 0, last_response = 0;
  unsigned disturb = 0; // 1: memory takes two of three requests, 2: one of eight
  Reference table;

  void clock() {
    top.clk_i = 0;
    top.eval();
    top.clk_i = 1;
    top.eval();
    cycle++;
  }
  void reset() {
    top.rst_ni = 0;
    clock();
    top.rst_ni = 1;
  }
  bool accepts() const { return disturb == 0 || (disturb == 1 ? rnd(3) != 0 : rnd(8) == 0); }
  // The rows of this cycle, compared and carried on.
  void follow(const Packet *p) {
    const int read = table.chosen(Reference::READ), write = table.chosen(Reference::WRITE);
    const int response = top.stall_response_i ? -1 : table.chosen(Reference::RESPONSE);
    check_eq("op_ready", top.op_ready_o, table.ready(top.stall_admit_i), cycle);
    check_eq("read request", top.ar_valid_o, read >= 0, cycle);
    check_eq("write request", top.aw_valid_o, write >= 0, cycle);
    check_eq("response", top.rsp_valid_o, response >= 0, cycle);
    if (read >= 0) {
      check_eq("row that reads", top.ar_id_o, static_cast<uint64_t>(read), cycle);
      check_eq("address read", top.ar_addr_o >> 5, table.packet(read).sector, cycle);
    }
    if (write >= 0) {
      check_eq("row that writes", top.aw_id_o, static_cast<uint64_t>(write), cycle);
      check_eq("address written", top.aw_addr_o >> 5, table.packet(write).sector, cycle);
    }
    if (response >= 0)
      check_eq("packet answered", get(top.rsp_o, WL_RESPONSE_LOW_TAG, 16),
               table.packet(response).tag, cycle);
    checks += 4;
    Reference::Inputs in{};
    in.packet = p;
    in.stall_admit = top.stall_admit_i;
    in.stall_response = top.stall_response_i;
    in.ar_ready = top.ar_ready_i;
    in.aw_ready = top.aw_ready_i;
    in.read_id = top.r_valid_i ? top.r_id_i : -1;
    in.write_id = top.b_valid_i ? top.b_id_i : -1;
    for (int r = 0; r < Reference::kRows; r++)
      in.elements[r] = elements(table.packet(r));
    table.end(in, cycle, LD, ST);
  }
  // One cycle; true if the packet (if any) was taken.
  bool step(const Packet *p) {
    top.op_valid_i = p != nullptr;
    if (p) {
      put(top.op_packet_i, 0, 256, 0);
      for (unsigned i = 0; i < 8; i++)
        put(top.op_packet_i, 32 * i, 32, p->data[i]);
      put(top.op_packet_i, WL_PACKET_LOW_TAG, 16, p->tag);
      put(top.op_packet_i, WL_PACKET_LOW_UNIT, 3, p->unit);
      put(top.op_packet_i, WL_PACKET_LOW_SM, 2, p->sm);
      put(top.op_packet_i, WL_PACKET_LOW_MASK, 32, p->mask);
      put(top.op_packet_i, WL_PACKET_LOW_SECTOR, 59, p->sector);
      put(top.op_packet_i, WL_PACKET_LOW_ATYPE, 4, static_cast<uint64_t>(p->atype));
      put(top.op_packet_i, WL_PACKET_LOW_ATOM, 4, static_cast<uint64_t>(p->atom));
      put(top.op_packet_i, WL_PACKET_LOW_OP, 3, static_cast<uint64_t>(p->op));
    }
    top.ar_ready_i = accepts();
    top.aw_ready_i = accepts();
    top.stall_admit_i = disturb && rnd(4) == 0;
    top.stall_response_i = disturb && rnd(4) < disturb;
    top.r_valid_i = 0;
    top.b_valid_i = 0;
    for (size_t i = 0; i < answers.size(); i++) {
      Answer &a = answers[i];
      if (a.at > cycle || (a.read ? top.r_valid_i : top.b_valid_i)) continue;
      if (a.read) {
        top.r_valid_i = 1;
        top.r_id_i = static_cast<uint8_t>(a.id);
        for (unsigned k = 0; k < 8; k++)
          top.r_data_i[k] = a.data.w[k];
      } else {
        top.b_valid_i = 1;
        top.b_id_i = static_cast<uint8_t>(a.id);
      }
      answers.erase(answers.begin() + static_cast<long>(i--));
    }
    top.clk_i = 0;
    top.eval();
    table.begin(cycle);
    follow(p);
    const bool taken = p && top.op_ready_o;
    if (taken) {
      const Sector r = perform(*p, at(reference, p->sector));
      expected[p->tag] = {*p, r};
    }
    const uint64_t late = disturb ? rnd(20) : 0;
    if (top.ar_valid_o && top.ar_ready_i) {
      check_eq("ar alignment", top.ar_addr_o & 31, 0, cycle);
      answers.push_back(
          {cycle + kLatency + late, top.ar_id_o, true, at(memory, top.ar_addr_o >> 5)});
    }
    if (top.aw_valid_o && top.aw_ready_i) {
      Sector &s = at(memory, top.aw_addr_o >> 5);
      for (unsigned i = 0; i < 32; i++)
        if (top.w_strb_o >> i & 1) {
          const uint32_t m = 0xffu << 8 * (i & 3);
          s.w[i / 4] = (s.w[i / 4] & ~m) | (top.w_data_o[i / 4] & m);
        }
      answers.push_back({cycle + kLatency + late, top.aw_id_o, false, Sector{}});
    }
    if (top.rsp_valid_o) {
      const unsigned tag = static_cast<unsigned>(get(top.rsp_o, WL_RESPONSE_LOW_TAG, 16));
      auto it = expected.find(tag);
      check(it != expected.end(), "response nobody waits for", tag, 0, cycle);
      if (it != expected.end()) {
        const Packet &q = it->second.first;
        check_eq("response op", get(top.rsp_o, WL_RESPONSE_LOW_OP, 3), static_cast<uint64_t>(q.op),
                 cycle);
        check_eq("response unit", get(top.rsp_o, WL_RESPONSE_LOW_UNIT, 3), q.unit, cycle);
        check_eq("response SM", get(top.rsp_o, WL_RESPONSE_LOW_SM, 2), q.sm, cycle);
        for (unsigned i = 0; i < 8; i++)
          check_eq("response data", get(top.rsp_o, 32 * i, 32), it->second.second.w[i], cycle);
        checks += 10;
        expected.erase(it);
      }
      last_response = cycle;
    }
    top.clk_i = 1;
    top.eval();
    cycle++;
    return taken;
  }
  void drain() {
    for (unsigned i = 0; i < 5000 && !expected.empty(); i++)
      step(nullptr);
    check_eq("packets without response", expected.size(), 0, cycle);
  }
};
} // namespace

int main() {
  auto b = std::make_unique<Bench>();
  b->reset();
  unsigned tag = 0;
  for (unsigned round = 0; round < 4; round++) {
    b->disturb = round == 3 ? 2 : round & 1;
    for (unsigned i = 0; i < 20000; i++) {
      Packet p = random_packet(b->reference, tag++, b->disturb == 2 ? 12 : 3);
      while (!b->step(&p)) {
      }
      if (rnd(8) == 0) b->step(nullptr);
    }
    b->drain();
    for (auto &s : b->reference)
      for (unsigned i = 0; i < 8; i++) {
        check_eq("memory", at(b->memory, s.first).w[i], s.second.w[i], s.first);
        b->checks++;
      }
  }
  static const char *const kNames[] = {"read", "write", "atomic unit", "response"};
  for (unsigned c = 0; c < Reference::kChoices; c++)
    check(b->table.turned[c] > 100, kNames[c], b->table.turned[c], 100, 0);
  if (kAtom128) {
    check(swapped > 1000, "cas of 128 bits that find their value", swapped, 1001, 0);
    check(kept > 1000, "cas of 128 bits that do not", kept, 1001, 0);
  }
  // Cycle counts: granted in c, in the input register in c + 1, in the table in c + 2 and sent to
  // memory then; answered L later, the response the cycle after. An atomic of e elements is taken
  // then instead, written e * AtomStep later and answered after another L.
  b->disturb = 0;
  for (unsigned i = 0; i < 200; i++) {
    Packet p = random_packet(b->reference, tag++);
    const uint64_t c = b->cycle;
    check(b->step(&p), "not ready when idle", 0, 1, c);
    b->drain();
    uint64_t want = c + 3 + kLatency;
    if (p.op >= AT) want += elements(p) * kStep + kLatency + 1;
    check_eq("response cycle", b->last_response - c, want - c, i);
    b->checks++;
  }
  return finish("orderpoint", b->checks);
}
