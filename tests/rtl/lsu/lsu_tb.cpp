// Bench of rtl/mem/lsu.sv with its coalescer (docs/microarchitecture.md 10): random load, store and
// atomic instructions of all forms, with random gaps, grants and response times. At issue the
// reference works out every packet, shared-memory beat, fault and result word in ring order; port
// and shared memory are models of the bench (operations on mbarriers and tests of them are there any
// function of word and operand: what they do is rtl/mbarrier's business). Deferred forms (22) have the
// upper half of a CTA's shared memory to themselves. With idle units the cycles of section 10
// are checked.
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "bench.h"
#include "verilated.h"
#include LSU_HEADER

using namespace bench;

namespace {
constexpr unsigned kLanes = LSU_LANES, kWarps = LSU_WARPS, kBeats = 32 / kLanes;
constexpr unsigned kPart = LSU_PART, kParts = kLanes / kPart; // LsuLanes: an LSU beat
constexpr unsigned kGroup = kPart < 8 ? kPart : 8;            // lanes of a coalescer group
constexpr unsigned kDelay = LSU_DELAY;                        // LsuDelay
constexpr uint32_t kPartMask = kPart == 32 ? ~0u : (1u << kPart) - 1;
constexpr unsigned kWords = LSU_WORDS; // LsuWords; shared memory is SmemWide = (kWords == 4)
constexpr unsigned kAtOnce = kWords == 4 ? 4 : 2; // operand words that come with a request
enum { LDK, STK, ATK, MBK = 5, MTK, CPK, CAK };
enum { ARRIVE = 2 };
enum { SP_GLOBAL, SP_GEN, SP_SHARED, SP_LOCAL };
enum { MISALIGNED = 10, OUT_OF_BOUNDS = 11, STACK = 12, MBARRIER = 16 };
constexpr uint64_t kBase = 0x7f0000000000ull, kLimit = kBase + 0x10000;
constexpr uint64_t kLocalBase = 0x7f0000100000ull;
constexpr uint32_t kSmemBytes = 4000, kSplit = 2048, kSmemUnits = 4, kLocalBytes = 256;

struct Form {
  unsigned id, kind, space, type, atom, dw, aw, bw, cw;
};
struct Sector {
  uint32_t w[8];
};
struct Packet {
  unsigned op, atom, type, tag;
  uint64_t sector;
  uint32_t mask, data[8];
};
struct Beat {
  unsigned slot, kind, type, atom, beat;
  uint32_t mask, addr[32], data[8][32];
};
struct Insn {
  Form f;
  unsigned warp, rd, slot, pc;
  uint32_t exec, imm, a[2][32], d[8][32];
  uint64_t ea[32];
  uint32_t g, s, l;
  unsigned cause, lane; // fault
  bool at_dest;         // the fault is the destination's
  std::deque<Beat> offers;
  unsigned undelivered, age;
  uint32_t result[4][32];
  unsigned wb_word, wb_left; // progress: lanes left
  unsigned packets;
  bool alone, wb_started, done;
  uint64_t a_cycle, first_req, last_grant;
};

using Memory = std::map<uint64_t, Sector>;
Sector &sector_of(Memory &m, uint64_t s) {
  auto it = m.find(s);
  if (it == m.end()) {
    Sector v;
    for (unsigned i = 0; i < 8; i++)
      v.w[i] = static_cast<uint32_t>(s * 0x9e3779b1u + i * 77777u);
    it = m.emplace(s, v).first;
  }
  return it->second;
}
uint8_t get_byte(Memory &m, uint64_t a) {
  return static_cast<uint8_t>(sector_of(m, a >> 5).w[a >> 2 & 7] >> 8 * (a & 3));
}
void set_byte(Memory &m, uint64_t a, uint8_t v) {
  uint32_t &w = sector_of(m, a >> 5).w[a >> 2 & 7];
  w = (w & ~(0xffu << 8 * (a & 3))) | static_cast<uint32_t>(v) << 8 * (a & 3);
}

// Performs a packet in memory: response data.
Sector perform(Memory &m, const Packet &p) {
  Sector old = sector_of(m, p.sector);
  if (p.op == 0) return old;
  if (p.op == 1) {
    for (unsigned i = 0; i < 32; i++)
      if (p.mask >> i & 1)
        set_byte(m, p.sector * 32 + i, static_cast<uint8_t>(p.data[i / 4] >> 8 * (i & 3)));
    return old;
  }
  const unsigned n = bytes_of(static_cast<int>(p.type)) / 4;
  if (n == 4) {
    uint32_t *w = sector_of(m, p.sector).w + (p.mask & 1 ? 0 : 4);
    if (p.atom == EXCH) std::memcpy(w, p.data + (p.mask & 1 ? 0 : 4), 16);
    if (p.atom == CAS && std::memcmp(w, p.data + 4, 16) == 0) std::memcpy(w, p.data, 16);
    return old;
  }
  for (unsigned i = 0; i < 8; i += n) {
    if (!(p.mask >> 4 * i & 1)) continue;
    const unsigned j = p.atom == CAS ? i % 4 : i, c = 4 + i % 4;
    auto two = [&](const uint32_t *w, unsigned at) {
      return n == 2 ? w[at] | static_cast<uint64_t>(w[at + 1]) << 32 : w[at];
    };
    const uint64_t r = atomic(static_cast<int>(p.atom), static_cast<int>(p.type), two(old.w, i),
                              two(p.data, j), p.atom == CAS ? two(p.data, c) : 0, true);
    Sector &s = sector_of(m, p.sector);
    s.w[i] = static_cast<uint32_t>(r);
    if (n == 2) s.w[i + 1] = static_cast<uint32_t>(r >> 32);
  }
  return old;
}

struct Bench {
  VerilatedContext ctx;
  LSU_MODEL top{&ctx};
  std::vector<Form> forms;
  Memory ref, dut, ref_sm, dut_sm; // shared memory keyed by byte address / 32
  std::deque<Packet> want_packets;
  std::deque<Beat> want_beats;
  std::vector<Beat> late;   // taken in the cycle before
  Beat more{}, more_next{}; // the last cas of 128 bits, in this cycle and in the next
  std::deque<Insn> insns;   // in ring order, until freed
  struct Step {
    unsigned index;
    unsigned beat, part, step;
    bool last;
  };
  std::deque<Step> steps;           // X1 tokens to come; index counts instructions
  unsigned issued = 0, retired = 0; // insns[i] is instruction retired + i
  struct PortAnswer {
    uint64_t at;
    unsigned op, tag;
    Sector data;
  };
  struct SmemAnswer {
    uint64_t at;
    Beat b;
    uint32_t word[4][32];
    unsigned words;
    bool last;
  };
  std::vector<PortAnswer> port;
  std::vector<SmemAnswer> smem;
  uint64_t cycle = 0, checks = 0, quads = 0, misuses = 0, copies = 0, arrivals = 0, lefts = 0;
  int asked = -1; // warp of the last cycle's question
  unsigned asked_most = 0;
  Beat answered{};   // of this cycle's misuse
  bool calm = false; // no disturbance: cycles are checked
  uint32_t cta[kWarps];

  void tick() {
    top.clk_i = 1;
    top.eval();
    cycle++;
  }
  void low() {
    top.clk_i = 0;
    top.eval();
  }

  void init() {
    top.rst_ni = 0;
    low();
    tick();
    top.rst_ni = 1;
    for (unsigned i = 0; i < 128; i++)
      top.lb_i[i] = static_cast<uint32_t>(rnd());
    auto put64 = [&](unsigned at, uint64_t v) {
      top.lb_i[at] = static_cast<uint32_t>(v);
      top.lb_i[at + 1] = static_cast<uint32_t>(v >> 32);
    };
    put64(30, kBase); // launch.def: mem_base, mem_limit, local_base, smem and local sizes
    put64(32, kLimit);
    put64(16, kLocalBase);
    top.lb_i[9] = kSmemUnits;
    top.lb_i[10] = kSmemBytes;
    top.lb_i[18] = kLocalBytes;
    for (unsigned w = 0; w < kWarps; w++) {
      cta[w] = rnd(4);
      top.warp_cta_i[w] = static_cast<uint8_t>(cta[w]);
    }
    for (unsigned id = 0; id < 8192; id++) {
      top.form_i = static_cast<uint16_t>(id);
      low();
      /* Matrix loads and stores: tests matrix_lockstep_*, silicon/moves_lockstep_*. */
      if (top.form_kind_o == ATK && top.form_type_o == B128 && kWords < 4) continue; // Atom128
      if (top.form_unit_o == 6 && (top.form_kind_o <= ATK || top.form_kind_o >= MBK))
        forms.push_back({id, top.form_kind_o, top.form_space_o, top.form_type_o, top.form_atom_o,
                         top.form_words_o[0], top.form_words_o[1], top.form_words_o[2],
                         top.form_words_o[3]});
    }
  }

  uint64_t address(unsigned cls, unsigned lane, unsigned bytes, unsigned pattern, uint64_t common,
                   bool upper) {
    const uint64_t size = cls == 0   ? 0x10000
                          : cls == 2 ? kLocalBytes
                          : upper    ? kSmemBytes - kSplit
                                     : kSplit;
    uint64_t o = 0;
    switch (pattern) {
    case 0:
      o = common + lane * bytes;
      break;
    case 1:
      o = common;
      break;
    case 2:
      o = common + rnd(64);
      break;
    case 3:
      o = common + lane * 32;
      break;
    default:
      o = rnd();
      break;
    }
    o = o % (size - 16) & ~static_cast<uint64_t>(bytes - 1);
    return cls == 0 ? kBase + o : cls == 1 && upper ? kSplit + o : o;
  }

  Insn make() {
    Insn x{};
    x.f = forms[rnd(static_cast<uint32_t>(forms.size()))];
    const unsigned bytes = bytes_of(static_cast<int>(x.f.type));
    x.warp = rnd(kWarps);
    x.pc = rnd(1u << 28);
    x.rd = rnd(4) == 0 ? 255 : rnd(30) * 8;
    x.exec = static_cast<uint32_t>(rnd());
    if (rnd(2)) x.exec = ~0u;
    if (rnd(6) == 0) x.exec = 1u << rnd(32);
    if (!x.exec) x.exec = 1;
    x.imm = rnd(2) ? rnd(64) - 32 : static_cast<uint32_t>(rnd());
    const unsigned pattern = rnd(5);
    const uint64_t common = rnd();
    const unsigned bad = rnd(12) == 0 ? rnd(32) : 99;
    const unsigned worse = rnd(12) == 0 ? rnd(32) : 99; // destinations
    const unsigned mix = rnd(4);
    for (unsigned i = 0; i < 32; i++) {
      unsigned cls = x.f.space == SP_SHARED ? 1 : x.f.space == SP_LOCAL ? 2 : 0;
      if (x.f.space == SP_GEN) cls = mix < 3 ? mix : rnd(3);
      if (x.f.space == SP_GEN && x.f.kind == ATK && cls == 2 && rnd(16)) cls = 1;
      if (only_shared(x) && rnd(256)) cls = 1;
      uint64_t ea = address(cls, i, bytes, pattern, common, deferred(x));
      if (i >= bad) {
        switch (rnd(4)) {
        case 0:
          ea += 1;
          break;
        case 1:
          ea += 0x10000;
          break;
        case 2:
          ea += 0x100000000u;
          break;
        default:
          ea = cls == 0 ? (rnd(2) ? kLimit - bytes / 2 : kBase - bytes)
                        : (cls == 1 ? kSmemBytes : kLocalBytes) - bytes / 2;
        }
      }
      if (x.f.space == SP_GEN && cls) ea |= static_cast<uint64_t>(cls) << 48;
      if (x.f.space >= SP_SHARED) ea &= 0xffffffffu;
      const uint64_t a =
          ea - static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(x.imm)));
      x.a[0][i] = static_cast<uint32_t>(a);
      x.a[1][i] = static_cast<uint32_t>(a >> 32);
      x.ea[i] = ea;
      for (auto &d : x.d)
        d[i] = static_cast<uint32_t>(rnd() & (rnd(2) ? 1 : ~0u));
      uint32_t &dest = x.d[0][i];
      if (x.f.kind == CPK) {
        dest = static_cast<uint32_t>(address(1, i, bytes, rnd(5), common + 64, true));
        if (i >= worse)
          dest = rnd(3) ? dest + bytes / 2 : rnd(2) ? dest | 1u << (24 + rnd(8)) : kSmemBytes;
      }
      if (!(x.exec >> i & 1)) continue;
      if (x.f.space == SP_GEN) cls = ea >> 32 == 0x10000 ? 1 : ea >> 32 == 0x20000 ? 2 : 0;
      (cls == 0 ? x.g : cls == 1 ? x.s : x.l) |= 1u << i;
      unsigned cause = 0;
      const uint64_t lo = ea & 0xffffffffu;
      if (ea % bytes)
        cause = MISALIGNED;
      else if (cls == 0 && (ea < kBase || ea + bytes > kLimit))
        cause = OUT_OF_BOUNDS;
      else if (cls == 1 && (lo >> 24 || lo + bytes > kSmemBytes))
        cause = OUT_OF_BOUNDS;
      else if ((cls == 2 && x.f.kind == ATK) || (cls != 1 && only_shared(x)))
        cause = OUT_OF_BOUNDS;
      else if (cls == 2 && lo + bytes > kLocalBytes)
        cause = STACK;
      else if (x.f.kind == CPK && dest % bytes)
        cause = 100 + MISALIGNED;
      else if (x.f.kind == CPK && (dest >> 24 || dest + bytes > kSmemBytes))
        cause = 100 + OUT_OF_BOUNDS;
      if (cause && !x.cause) {
        x.at_dest = cause > 100;
        cause %= 100;
        x.cause = cause;
        x.lane = i;
      }
    }
    return x;
  }

  // One packet of the served lanes, performed in the reference; results of loads.
  void emit(Insn &x, unsigned group, unsigned part, uint32_t served, bool local) {
    const unsigned bytes = bytes_of(static_cast<int>(x.f.type));
    const unsigned most = local ? 4 : x.f.kind == ATK ? 16 : 4 * kWords; // bytes of a part
    const unsigned each = bytes > most ? most : bytes, word0 = local ? part : part * kWords;
    Packet p{};
    p.op = loads(x) ? 0 : x.f.kind == STK ? 1 : x.rd == 255 ? 3 : 2;
    if (x.f.kind == ATK) {
      p.atom = x.f.atom;
      p.type = x.f.type;
    }
    const unsigned eight = group * kGroup / 8;
    p.tag = x.slot << 12 | eight << 10 | part << 8 | (served >> 8 * eight & 0xff);
    uint64_t at[32] = {};
    for (unsigned i = 0; i < 32; i++) {
      if (!(served >> i & 1)) continue;
      at[i] = x.ea[i] + 4 * word0;
      if (local) {
        const uint64_t o = (x.ea[i] & 0xffffffffu) + 4 * part;
        at[i] = kLocalBase + ((o >> 2) * (kWarps * 32) + x.warp * 32 + i) * 4 + (o & 3);
      }
      p.sector = at[i] >> 5;
      for (unsigned b = 0; b < each; b++) {
        const unsigned q = at[i] % 32 + b;
        p.mask |= 1u << q;
        uint32_t v = x.d[word0 + b / 4][i] >> 8 * (b & 3) & 0xff;
        unsigned to = q;
        if (loads(x)) continue;
        if (x.f.atom == CAS) {
          const unsigned r = at[i] % 16 + b;
          v = x.d[bytes / 4 + b / 4][i] >> 8 * (b & 3) & 0xff;
          p.data[4 + r / 4] |= (x.d[b / 4][i] >> 8 * (b & 3) & 0xff) << 8 * (r & 3);
          to = r;
        }
        p.data[to / 4] = (p.data[to / 4] & ~(0xffu << 8 * (to & 3))) | v << 8 * (to & 3);
      }
    }
    want_packets.push_back(p);
    x.packets++;
    for (unsigned i = 0; i < 32; i++)
      for (unsigned k = 0; (served >> i & 1) && k < (each > 4 ? each / 4 : 1); k++) {
        uint32_t v = 0;
        for (unsigned b = 0; b < (each < 4 ? each : 4); b++)
          v |= static_cast<uint32_t>(get_byte(ref, at[i] + 4 * k + b)) << 8 * b;
        x.result[word0 + k][i] = extend(static_cast<int>(x.f.type), v);
      }
    perform(ref, p);
  }

  void shared_beat(Memory &m, const Beat &b, uint32_t word[4][32]) {
    const unsigned bytes = bytes_of(static_cast<int>(b.type)), n = bytes > 4 ? bytes / 4 : 1;
    for (unsigned i = 0; i < kPart; i++) {
      if (!(b.mask >> i & 1)) continue;
      for (unsigned k = 0; k < n; k++) {
        uint32_t v = 0;
        for (unsigned j = 0; j < (bytes < 4 ? bytes : 4); j++)
          v |= static_cast<uint32_t>(get_byte(m, b.addr[i] + 4 * k + j)) << 8 * j;
        word[k][i] = extend(static_cast<int>(b.type), v);
      }
      if (b.kind == LDK) continue;
      if (b.kind == MTK) {
        word[0][i] += b.data[0][i];
        continue;
      }
      uint32_t w[4] = {b.data[0][i], b.data[1][i], b.data[2][i], b.data[3][i]};
      bool writes = true;
      if (b.kind == ATK && n == 4 && b.atom == CAS) {
        for (unsigned k = 0; k < 4; k++) {
          writes = writes && word[k][i] == b.data[k][i];
          w[k] = b.data[4 + k][i];
        }
      }
      if (b.kind == MBK) {
        w[0] = word[0][i] + b.data[0][i];
        w[1] = word[1][i] ^ b.data[0][i];
      }
      if (b.kind == ATK && n < 4) {
        uint64_t old = word[0][i], v = w[0], c = w[0];
        if (n == 2) {
          old |= static_cast<uint64_t>(word[1][i]) << 32;
          v = c = w[0] | static_cast<uint64_t>(w[1]) << 32;
        }
        if (b.atom == CAS) v = n == 2 ? w[2] | static_cast<uint64_t>(w[3]) << 32 : w[1];
        const uint64_t r =
            atomic(static_cast<int>(b.atom), static_cast<int>(b.type), old, v, c, false);
        w[0] = static_cast<uint32_t>(r);
        w[1] = static_cast<uint32_t>(r >> 32);
      }
      for (unsigned j = 0; writes && j < bytes; j++)
        set_byte(m, b.addr[i] + j, static_cast<uint8_t>(w[j / 4] >> 8 * (j & 3)));
    }
  }

  void reference(Insn &x) {
    if (x.cause) return;
    const unsigned bytes = bytes_of(static_cast<int>(x.f.type));
    const unsigned parts = x.f.kind != ATK && bytes > 4 * kWords ? bytes / (4 * kWords) : 1;
    constexpr unsigned groups = 32 / kGroup;
    constexpr uint32_t group_mask = (1u << kGroup) - 1;
    for (unsigned n = 0; n < groups * parts; n++) {
      const unsigned g = n / parts;
      uint32_t pending = x.g & group_mask << kGroup * g;
      while (pending) {
        unsigned lead = 0;
        while (!(pending >> lead & 1))
          lead++;
        uint32_t served = 0;
        for (unsigned i = lead; i < kGroup * g + kGroup; i++) {
          if (!(pending >> i & 1) || x.ea[i] >> 5 != x.ea[lead] >> 5) continue;
          const bool alone = x.f.atom == CAS || (x.f.kind == ATK && bytes == 16);
          bool take = !alone || i == lead;
          for (unsigned j = lead; x.f.kind == ATK && j < i; j++)
            if ((pending >> j & 1) && x.ea[j] == x.ea[i]) take = false;
          if (take) served |= 1u << i;
        }
        emit(x, g, n % parts, served, false);
        pending &= ~served;
      }
    }
    for (unsigned g = 0; g < groups; g++)
      for (unsigned part = 0; part < (bytes > 4 ? bytes / 4 : 1); part++) {
        uint32_t pending = x.l & group_mask << kGroup * g;
        while (pending) {
          unsigned lead = 0;
          while (!(pending >> lead & 1))
            lead++;
          uint32_t served = 0;
          for (unsigned i = lead; i < kGroup * g + kGroup; i++)
            if ((pending >> i & 1) && (x.ea[i] & 0xfffffffc) == (x.ea[lead] & 0xfffffffc))
              served |= 1u << i;
          emit(x, g, part, served, true);
          pending &= ~served;
        }
      }
    offer(x);
    for (unsigned beat = 0; beat < 32 / kPart && !deferred(x); beat++) {
      Beat b{};
      b.mask = x.s >> beat * kPart & kPartMask;
      if (!b.mask) continue;
      b.slot = x.slot;
      b.kind = x.f.kind;
      b.type = x.f.kind == MTK ? unsigned{B32} : x.f.type; // a load of the high word
      b.atom = x.f.atom;
      b.beat = beat;
      for (unsigned i = 0; i < kPart; i++) {
        const unsigned lane = beat * kPart + i;
        b.addr[i] = cta[x.warp] * kSmemUnits * 1024 + static_cast<uint32_t>(x.ea[lane] & 0xffffff);
        if (x.f.kind == MTK) b.addr[i] += 4;
        for (unsigned k = 0; k < 8; k++)
          b.data[k][i] = x.d[k][lane];
      }
      want_beats.push_back(b);
      uint32_t word[4][32] = {};
      shared_beat(ref_sm, b, word);
      for (unsigned i = 0; i < kPart; i++)
        for (unsigned k = 0; (b.mask >> i & 1) && k < 4; k++)
          x.result[k][beat * kPart + i] = word[k][i];
    }
  }

  // What write-back has to offer to shared memory.
  void offer(Insn &x) {
    if (!deferred(x)) return;
    const unsigned words =
        x.f.kind == CPK ? static_cast<unsigned>(bytes_of(static_cast<int>(x.f.type))) / 4 : 1;
    for (unsigned n = 0; n < 32 / kPart * words; n++) {
      const unsigned beat = n / words, k = n % words;
      Beat b{};
      b.mask = x.exec >> beat * kPart & kPartMask;
      if (!b.mask) continue;
      b.slot = x.slot;
      b.kind = x.f.kind == CPK ? unsigned{STK} : unsigned{MBK};
      b.type = x.f.kind == CPK ? unsigned{B32} : x.f.type;
      b.atom = x.f.kind == CPK ? 0 : unsigned{ARRIVE};
      b.beat = beat;
      for (unsigned i = 0; i < kPart; i++) {
        const unsigned lane = beat * kPart + i;
        b.addr[i] =
            cta[x.warp] * kSmemUnits * 1024 +
            (x.f.kind == CPK ? x.d[0][lane] + 4 * k : static_cast<uint32_t>(x.ea[lane] & 0xffffff));
        b.data[0][i] = x.f.kind == CPK ? x.result[k][lane] : 1;
      }
      x.offers.push_back(b);
    }
    x.undelivered = static_cast<unsigned>(x.offers.size());
  }

  static bool deferred(const Insn &x) { return x.f.kind == CPK || x.f.kind == CAK; }
  static bool loads(const Insn &x) { return x.f.kind == LDK || x.f.kind == CPK; }
  static bool only_shared(const Insn &x) { return x.f.kind >= MBK && x.f.kind != CPK; }

  // Writes nothing back.
  static bool silent(const Insn &x) {
    return x.f.kind == STK || ((x.f.kind == ATK || x.f.kind == MBK) && x.rd == 255);
  }

  void check_misuse() {
    check_eq("misuse trap", top.mtrap_valid_o, top.misuse_valid_i, cycle);
    checks++;
    const Insn *x = by_slot(answered.slot);
    if (!top.misuse_valid_i || !x) return;
    misuses++;
    checks += 5;
    check_eq("misuse cause", top.mtrap_cause_o, MBARRIER, cycle);
    check_eq("misuse warp", top.mtrap_warp_o, x->warp, cycle);
    check_eq("misuse lane", top.mtrap_lane_o, answered.beat * kPart + top.misuse_lane_i, cycle);
    check_eq("misuse pc", top.mtrap_pc_o, x->pc, cycle);
    check_eq("misuse address", top.mtrap_addr_o, top.misuse_at_i, cycle);
  }

  Insn &insn(unsigned index) { return insns[index - retired]; }
  Insn *by_slot(unsigned slot) {
    for (auto &x : insns)
      if (!x.done && x.slot == slot) return &x;
    return nullptr;
  }

  void drive_issue(bool allowed, Insn &next) {
    top.issue_valid_i = 0;
    low();
    if (!allowed || !top.ready_o) return;
    next = make();
    next.slot = top.slot_o;
    next.alone = calm;
    top.issue_valid_i = 1;
    top.form_i = static_cast<uint16_t>(next.f.id);
    top.issue_warp_i = static_cast<uint8_t>(next.warp);
    top.issue_rd_i = static_cast<uint8_t>(next.rd);
    top.issue_pc_i = next.pc;
    top.issue_exec_i = next.exec;
    reference(next);
    const unsigned words = next.f.aw + next.f.bw + next.f.cw, n = (words + 2) / 3;
    for (unsigned beat = 0; beat < kBeats; beat++) {
      const uint32_t rest = beat * kLanes + kLanes >= 32 ? 0 : next.exec >> (beat + 1) * kLanes;
      if (!(next.exec >> beat * kLanes & (kLanes == 32 ? ~0u : (1u << kLanes) - 1))) continue;
      for (unsigned part = 0; part < kParts; part++) // also parts without lanes of E
        for (unsigned s = 0; s < n; s++)
          steps.push_back({issued, beat, part, s, s + 1 == n && part + 1 == kParts && !rest});
    }
  }

  void drive_x1() {
    top.x1_valid_i = 0;
    if (steps.empty() || steps.front().index == issued || (!calm && rnd(4) == 0)) return;
    const Step s = steps.front();
    steps.pop_front();
    Insn &x = insn(s.index);
    top.x1_valid_i = 1;
    top.x1_form_i = static_cast<uint16_t>(x.f.id);
    top.x1_imm_i = x.imm;
    top.x1_step_i = static_cast<uint8_t>(s.step);
    top.x1_beat_i = static_cast<uint8_t>(s.beat);
    top.x1_part_i = static_cast<uint8_t>(s.part);
    top.x1_mask_i = x.exec >> s.beat * kLanes & kPartMask << s.part * kPart;
    top.x1_slot_i = static_cast<uint8_t>(x.slot);
    top.x1_last_i = s.last;
    if (s.last) x.a_cycle = cycle;
    for (unsigned i = 0; i < kLanes; i++) {
      uint32_t list[12] = {};
      unsigned n = 0;
      const unsigned lane = s.beat * kLanes + i;
      for (unsigned k = 0; k < x.f.aw; k++)
        list[n++] = x.a[k][lane];
      for (unsigned k = 0; k < x.f.bw + x.f.cw; k++)
        list[n++] = x.d[k][lane];
      top.x1_a_i[i] = list[3 * s.step];
      top.x1_b_i[i] = list[3 * s.step + 1];
      top.x1_c_i[i] = list[3 * s.step + 2];
    }
  }

  void drive_answers() {
    top.rsp_valid_i = 0;
    top.sm_rsp_valid_i = 0;
    top.misuse_valid_i = 0;
    if (!smem.empty() && smem.front().at <= cycle && rnd(2)) {
      const SmemAnswer &s = smem.front();
      top.sm_rsp_valid_i = 1;
      top.sm_rsp_slot_i = static_cast<uint8_t>(s.b.slot);
      top.sm_rsp_beat_i = static_cast<uint8_t>(s.b.beat);
      top.sm_rsp_mask_i = s.b.mask;
      for (unsigned k = 0; k < 4; k++)
        for (unsigned i = 0; i < kPart; i++)
          top.sm_rdata_i[k][i] = s.word[k][i];
      top.sm_rsp_words_i = static_cast<uint8_t>(s.words);
      top.sm_rsp_last_i = s.last;
      Insn *of = by_slot(s.b.slot);
      if (s.last && of && deferred(*of)) of->undelivered--;
      if (s.b.kind == MBK && rnd(4) == 0) {
        answered = s.b;
        top.misuse_valid_i = 1;
        top.misuse_lane_i = static_cast<uint8_t>(rnd(kPart));
        top.misuse_at_i = 8 * rnd(2048);
      }
      smem.erase(smem.begin());
      return; // then no packet's response comes
    }
    if (rnd(8) == 0) { // a response for another unit must be ignored
      top.rsp_valid_i = 1;
      top.rsp_unit_i = static_cast<uint8_t>(rnd(3));
      top.rsp_op_i = 0;
      top.rsp_tag_i = static_cast<uint16_t>(rnd());
    } else if (!port.empty()) {
      const size_t i = rnd(static_cast<uint32_t>(port.size()));
      if (port[i].at <= cycle) {
        top.rsp_valid_i = 1;
        top.rsp_unit_i = 3;
        top.rsp_op_i = static_cast<uint8_t>(port[i].op);
        top.rsp_tag_i = static_cast<uint16_t>(port[i].tag);
        for (unsigned k = 0; k < 8; k++)
          top.rsp_data_i[k] = port[i].data.w[k];
        port.erase(port.begin() + static_cast<long>(i));
      }
    }
  }

  void take_packet() {
    Packet p{};
    p.op = top.req_op_o;
    p.atom = top.req_atom_o;
    p.type = top.req_type_o;
    p.sector = top.req_sector_o;
    p.mask = top.req_mask_o;
    p.tag = top.req_tag_o;
    for (unsigned i = 0; i < 8; i++)
      p.data[i] = top.req_data_o[i];
    if (want_packets.empty()) {
      check(false, "unexpected packet", p.tag, 0, cycle);
      return;
    }
    const Packet w = want_packets.front();
    want_packets.pop_front();
    check_eq("packet op", p.op, w.op, cycle);
    check_eq("packet atom", p.atom, w.atom, cycle);
    check_eq("packet type", p.type, w.type, cycle);
    check_eq("packet tag", p.tag, w.tag, cycle);
    check_eq("packet sector", p.sector, w.sector, cycle);
    check_eq("packet mask", p.mask, w.mask, cycle);
    check_eq("packet unit", top.req_unit_o, 3, cycle);
    for (unsigned i = 0; i < 8; i++) {
      // bytes that nobody looks at may be anything
      const uint32_t bytes =
          w.op == 0 ? 0 : w.mask | (w.atom == CAS && w.op > 1 ? w.mask << 16 | w.mask >> 16 : 0);
      uint32_t look = ~0u;
      for (unsigned j = 0; j < 4; j++)
        if (!(bytes >> (4 * i + j) & 1)) look &= ~(0xffu << 8 * j);
      check_eq("packet data", p.data[i] & look, w.data[i] & look, cycle);
    }
    checks += 15;
    const Sector r = perform(dut, w);
    port.push_back({cycle + 4 + (calm ? 0 : rnd(40)), w.op, w.tag, r});
    if (Insn *x = by_slot(w.tag >> 12)) {
      if (x->alone) { // granted at once, one step per cycle, from A + 3 (LsuDelay: 4) on
        check_eq("packet cycle", cycle - x->a_cycle, 3 + kDelay + x->first_req, cycle);
        x->first_req++;
      }
      x->last_grant = cycle;
    }
  }

  void take_beat() {
    Insn *of = by_slot(top.sm_slot_o);
    const bool offered = of && deferred(*of);
    std::deque<Beat> &wants = offered ? of->offers : want_beats;
    if (wants.empty()) {
      check(false, "unexpected shared beat", top.sm_slot_o, 0, cycle);
      return;
    }
    const Beat w = wants.front();
    wants.pop_front();
    if (offered && of->f.kind == CAK) {
      arrivals++;
      for (const Insn *x = &insns.front(); x != of; x = next_of(x))
        check(x->done || x->f.kind != CPK || x->warp != of->warp, "arrival before an older copy",
              w.slot, x->slot, cycle);
    }
    check_eq("beat slot", top.sm_slot_o, w.slot, cycle);
    check_eq("beat kind", top.sm_kind_o, w.kind, cycle);
    check_eq("beat type", top.sm_type_o, w.type, cycle);
    check_eq("beat atom", top.sm_atom_o, w.atom, cycle);
    check_eq("beat number", top.sm_beat_o, w.beat, cycle);
    check_eq("beat mask", top.sm_mask_o, w.mask, cycle);
    const unsigned words =
        bytes_of(static_cast<int>(w.type)) > 4 ? bytes_of(static_cast<int>(w.type)) / 4 : 1;
    for (unsigned i = 0; i < kPart; i++) {
      if (!(w.mask >> i & 1)) continue;
      check_eq("beat address", top.sm_addr_o[i], w.addr[i], cycle);
      const unsigned operands = w.kind >= MBK ? 1 : words * (w.atom == CAS ? 2 : 1);
      for (unsigned k = 0; w.kind != LDK && k < operands && k < kAtOnce; k++)
        check_eq("beat data", top.sm_wdata_o[k][i], w.data[k][i], cycle);
      checks += 2;
    }
    if (kAtOnce < 4 && w.kind != LDK) late.push_back(w);
    more_next = w.kind == ATK && w.type == B128 && w.atom == CAS ? w : more;
    SmemAnswer s{};
    s.at = cycle + 3 + (calm ? 0 : rnd(30));
    s.b = w;
    shared_beat(dut_sm, w, s.word);
    if (kWords == 2 && w.kind == LDK && bytes_of(static_cast<int>(w.type)) < 4)
      for (unsigned i = 0; i < kPart; i++) // words as they lie: the LSU extends
        for (unsigned j = 0; (w.mask >> i & 1) && j < 4; j++)
          reinterpret_cast<uint8_t *>(&s.word[0][i])[j] = get_byte(dut_sm, (w.addr[i] & ~3u) + j);
    if (kWords == 4 || w.kind != LDK || words == 1) {
      s.words = w.kind == STK ? 0 : (1u << words) - 1;
      s.last = true;
      smem.push_back(s);
    } else {
      // Word by word: word k also where word k & 1 lies.
      const SmemAnswer all = s;
      for (unsigned k = 0; k < words; k++) {
        for (unsigned i = 0; i < kPart; i++) {
          for (auto &v : s.word)
            v[i] = 0xdeadbeef;
          s.word[k][i] = s.word[k & 1][i] = all.word[k][i];
        }
        s.words = 1u << k;
        s.last = k + 1 == words;
        smem.push_back(s);
      }
    }
  }

  // SmemWide = 0: words 2 and 3 come in the cycle after the request.
  void take_late() {
    for (const Beat &w : late) {
      const unsigned words = static_cast<unsigned>(bytes_of(static_cast<int>(w.type))) / 4;
      for (unsigned i = 0; i < kPart; i++)
        for (unsigned k = kAtOnce;
             (w.mask >> i & 1) && k < 4 && k < words * (w.atom == CAS ? 2 : 1); k++)
          check_eq("late beat data", top.sm_wdata_o[k][i], w.data[k][i], cycle);
    }
    late.clear();
  }

  // Words 4 to 7 of a cas of 128 bits come in the cycle after the request and stay until the next one.
  void check_more() {
    more = more_next;
    for (unsigned i = 0; i < kPart; i++)
      for (unsigned k = 0; (more.mask >> i & 1) && k < 4; k++, quads++)
        check_eq("more beat data", top.sm_more_o[k][i], more.data[4 + k][i], cycle);
  }

  const Insn *next_of(const Insn *x) {
    for (size_t i = 0; i + 1 < insns.size(); i++)
      if (&insns[i] == x) return &insns[i + 1];
    return x;
  }

  // Groups of copies: the question of the cycle before, warps with deferred forms; new questions.
  void check_groups(const Insn *next) {
    uint32_t busy = 0;
    bool left = false;
    for (const Insn &x : insns) {
      if (x.done || !deferred(x)) continue;
      busy |= 1u << x.warp;
      if (x.f.kind == CPK && static_cast<int>(x.warp) == asked && x.age > asked_most) left = true;
    }
    check_eq("warps with deferred forms", top.deferred_o, busy, cycle);
    if (asked >= 0) check_eq("groups left", top.left_o, left, cycle);
    lefts += asked >= 0 && left;
    checks += 2;
    top.commit_i = static_cast<uint32_t>(rnd() & rnd() & rnd());
    const unsigned warp = rnd(kWarps);
    if (next) top.commit_i &= ~(1u << next->warp);
    asked = -1;
    if (rnd(2) && !(next && next->warp == warp)) {
      asked = static_cast<int>(warp);
      asked_most = rnd(8) ? rnd(4) : rnd(64);
      top.commit_i &= ~(1u << warp);
    }
    top.ask_valid_i = asked >= 0;
    top.ask_warp_i = static_cast<uint8_t>(warp);
    top.ask_most_i = static_cast<uint8_t>(asked_most);
    for (Insn &x : insns)
      if (!x.done && (top.commit_i >> x.warp & 1) && x.age < 63) x.age++;
  }

  void take_word() {
    // The oldest slot that can write back presents; every older instruction that writes words must
    // either be finished or not be complete yet, so the slot is found by warp, register and beat.
    for (auto &x : insns) {
      if (x.done || x.cause || silent(x) || deferred(x)) continue;
      if (!x.wb_started) {
        x.wb_left = x.exec;
        x.wb_word = 0;
      }
      unsigned lane = 0;
      while (!(x.wb_left >> lane & 1))
        lane++;
      const unsigned b = lane / kPart, first = b * kPart; // LSU beat
      const uint32_t mask = x.exec >> first & kPartMask;
      if (top.vwb_warp_o != x.warp || top.vwb_beat_o != first / kLanes ||
          top.vwb_mask_o != mask << first % kLanes)
        continue;
      const unsigned words = x.f.dw;
      const bool last_word = x.wb_word + 1 == words;
      const bool last_beat = !(first + kPart < 32 && x.exec >> (first + kPart));
      if (top.vwb_has_reg_o != (x.rd != 255) || (x.rd != 255 && top.vwb_rd_o != x.rd + x.wb_word))
        continue;
      bool same = true;
      for (unsigned i = 0; i < kPart; i++)
        if ((mask >> i & 1) && top.vwb_data_o[first % kLanes + i] != x.result[x.wb_word][first + i])
          same = false;
      if (!same && &x != &insns.back()) continue; // maybe a younger one with the same look
      for (unsigned i = 0; i < kPart; i++)
        if (mask >> i & 1)
          check_eq("result", top.vwb_data_o[first % kLanes + i], x.result[x.wb_word][first + i],
                   cycle);
      check_eq("last beat", top.vwb_last_beat_o, last_beat, cycle);
      check_eq("last", top.vwb_last_o, last_beat && last_word, cycle);
      checks += 2 + kLanes;
      x.wb_started = true;
      x.wb_word = last_word ? 0 : x.wb_word + 1;
      if (last_word) x.wb_left = last_beat ? 0 : x.exec & ~0u << (first + kPart);
      if (last_beat && last_word) x.done = true;
      return;
    }
    check(false, "word nobody waits for", top.vwb_warp_o, top.vwb_rd_o, cycle);
  }

  void step(bool may_issue) {
    drive_answers();
    drive_x1();
    Insn next{};
    const bool idle = insns.empty();
    drive_issue(may_issue && (!calm || idle) && rnd(calm ? 1 : 3) == 0, next);
    check_groups(top.issue_valid_i ? &next : nullptr);
    top.sm_ready_i = calm || rnd(3) != 0;
    top.vwb_grant_i = 0;
    top.req_grant_i = 0;
    low();
    if (top.req_valid_o && (calm || rnd(3) != 0)) {
      top.req_grant_i = 1;
      take_packet();
    }
    take_late();
    check_more();
    check_misuse();
    if (top.sm_valid_o && top.sm_ready_i) take_beat();
    if (top.vwb_valid_o && (calm || rnd(3) != 0)) {
      top.vwb_grant_i = 1;
      take_word();
    }
    low();
    uint32_t copied = 0, counted = 0;
    for (unsigned s = 0; s < 8; s++) {
      if (!(top.free_o >> s & 1)) continue;
      Insn *x = by_slot(s);
      check(x != nullptr, "freed without an instruction", s, 0, cycle);
      if (!x) continue;
      check(x->cause || silent(*x) || deferred(*x), "freed without write-back", x->f.id, 0, cycle);
      if (deferred(*x) && !x->cause) {
        check_eq("requests left", x->offers.size(), 0, cycle);
        check_eq("requests not delivered", x->undelivered, 0, cycle);
        copies += x->f.kind == CPK;
        checks += 2;
      }
      if (x->f.kind == CPK) copied |= 1u << x->warp;
      if (!deferred(*x)) counted |= 1u << s;
      // Nothing outstanding: the packets are granted in A + 3 .. A + 2 + n (LsuDelay: one later), the slot
      // is SENT in A + 2 + n and the output register is empty the cycle after the last grant, in which it
      // is freed (LsuDelay: one later again).
      if (x->alone && !x->cause && !x->s && !deferred(*x)) {
        check_eq("free cycle", cycle - x->a_cycle, x->packets + 3 + 2 * kDelay, cycle);
      }
      if (x->alone && x->cause) check_eq("trap cycle", cycle - x->a_cycle, 1 + kDelay, cycle);
      checks++;
      x->done = true;
      if (x->cause) {
        check_eq("trap valid", top.trap_valid_o, 1, cycle);
        check_eq("trap cause", top.trap_cause_o, x->cause, cycle);
        check_eq("trap lane", top.trap_lane_o, x->lane, cycle);
        check_eq("trap warp", top.trap_warp_o, x->warp, cycle);
        check_eq("trap pc", top.trap_pc_o, x->pc, cycle);
        check_eq("trap address", top.trap_addr_o,
                 x->at_dest ? uint64_t{x->d[0][x->lane]} : x->ea[x->lane], cycle);
        checks += 6;
      }
    }
    check_eq("copies over", top.copied_o, copied, cycle);
    check_eq("counted ends", top.counted_o, counted, cycle);
    if (top.issue_valid_i) {
      insns.push_back(next);
      issued++;
    }
    while (!insns.empty() && insns.front().done) {
      insns.pop_front();
      retired++;
    }
    tick();
  }
};
} // namespace

int main() {
  auto b = std::make_unique<Bench>();
  b->init();
  check(b->forms.size() > 100, "LSU forms", b->forms.size(), 100, 0);
  for (unsigned round = 0; round < 2; round++) {
    b->calm = round == 1;
    const unsigned target = b->issued + LSU_COUNT / (b->calm ? 4 : 1);
    uint64_t moved = b->cycle; // cycle of the last issue: a unit that stands still ends the run
    while (b->issued < target && failures < 50 && b->cycle - moved < 20000) {
      const unsigned before = b->issued;
      b->step(true);
      if (b->issued != before) moved = b->cycle;
    }
    check_eq("instructions issued", b->issued >= target, 1, b->cycle);
    for (unsigned i = 0; i < 5000 && !b->insns.empty(); i++)
      b->step(false);
    check_eq("instructions left", b->insns.size(), 0, b->cycle);
    check_eq("packets left", b->want_packets.size(), 0, b->cycle);
    check_eq("beats left", b->want_beats.size(), 0, b->cycle);
  }
  check(b->misuses > 50, "requests with misuse", b->misuses, 51, b->cycle);
  check(kWords < 4 || b->quads > 1000, "words 4 to 7 of shared atomics", b->quads, 1001, b->cycle);
  check(b->copies > 100, "copies", b->copies, 101, b->cycle);
  check(b->arrivals > 50, "arrivals", b->arrivals, 51, b->cycle);
  check(b->lefts > 50, "groups left", b->lefts, 51, b->cycle);
  return finish("lsu", b->checks);
}
