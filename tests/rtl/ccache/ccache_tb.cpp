// Bench of rtl/mem/ccache.sv (docs/microarchitecture.md 12): random constant loads of every form on
// three banks with a reference cache. Every pass is known beforehand: its leader, whether it faults
// or hits, which sectors a miss asks for, the lanes of each beat that it serves and, with known
// response and grant times, in which cycle each word is presented.
#include <memory>
#include <utility>
#include <vector>

#include "bench.h"
#include "verilated.h"
#include CC_HEADER

using namespace bench;

namespace {
constexpr unsigned kLanes = CC_LANES, kBeats = 32 / kLanes, kLines = CC_LINES;
constexpr uint32_t kAll = kLanes == 32 ? ~0u : (1u << kLanes) - 1;
constexpr uint64_t kBank[3] = {0x400000000240ull & ~63ull, 0x400000013000ull, 0x400020000040ull};
constexpr uint32_t kSize[3] = {512 + 300, 20000, 777};
constexpr unsigned kUnitLdc = 7; // wl_pkg::UnitLdc

uint8_t memory(uint64_t a) { return static_cast<uint8_t>((a * 0x9e3779b97f4a7c15ull) >> 37); }
uint32_t word(uint64_t a, unsigned n) {
  uint32_t v = 0;
  for (unsigned i = 0; i < n; i++)
    v |= static_cast<uint32_t>(memory(a + i)) << 8 * i;
  return v;
}

struct Bench {
  VerilatedContext ctx;
  CC_MODEL top{&ctx};
  std::vector<std::pair<unsigned, unsigned>> forms; // id and memory type of every LDC form
  uint64_t cycle = 0, checks = 0;
  uint64_t empty = 0, faults[2] = {}; // empty beats; faults of the first pass and of later ones
  bool valid[kLines] = {};
  uint64_t tag[kLines] = {};

  void low() {
    top.clk_i = 0;
    top.eval();
  }
  void tick() {
    top.clk_i = 1;
    top.eval();
    cycle++;
  }
  // One instruction from issue to its end.
  void run() {
    const auto [form, type] = forms[rnd(static_cast<uint32_t>(forms.size()))];
    const unsigned bytes = bytes_of(static_cast<int>(type));
    const unsigned words = bytes > 4 ? bytes / 4 : 1;
    const unsigned bank = rnd(20) == 0 ? 3 + rnd(13) : rnd(3);
    const uint64_t base = bank < 3 ? kBank[bank] : 0;
    const uint32_t size = bank < 3 ? kSize[bank] : 0;
    uint32_t exec = rnd(2) ? ~0u : static_cast<uint32_t>(rnd());
    if (!exec) exec = 1;
    const int32_t off28 = static_cast<int32_t>(rnd(1000)) - 500;
    const unsigned rd = rnd(5) ? rnd(60) * 4 : 255, warp = rnd(8), pc = rnd(1u << 28);
    uint32_t offset[32];
    unsigned causes[32];
    const unsigned pattern = rnd(6), bad = rnd(6) ? 99 : rnd(32);
    const uint32_t common = rnd(60000);
    // Lanes that do not follow the pattern; bits of a, beyond those of a bank, in which one differs.
    const unsigned odd = rnd(32), high = rnd(3) ? 0 : 1u << (16 + rnd(16));
    for (unsigned i = 0; i < 32; i++) {
      uint32_t o = 0;
      switch (pattern) {
      case 0:
        o = common;
        break;
      case 1:
        o = common + i * bytes;
        break;
      case 2:
        o = common + rnd(3) * 64;
        break;
      case 3:
        o = common + (i / kLanes) % 2 * 256;
        break; // whole beats without a lane
      case 4:
        o = common + (i == odd ? bytes : 0);
        break; // one beat has another a besides
      default:
        o = static_cast<uint32_t>(rnd(100000));
      }
      o = size > 16 ? o % (size - 16) & ~(bytes - 1) : o;
      // Faults, and the last element of the bank, which is none.
      const uint32_t beyond[] = {0, bytes, 0xf0000000u, high};
      if (i >= bad) o = rnd(2) ? o + 1 : size - bytes + beyond[rnd(4)];
      if (i == odd && high && rnd(4) == 0) o ^= high;
      if (i == 31 && rnd(3) == 0 && size > 16) o = size - bytes;
      offset[i] = o;
      causes[i] = (base + o) % bytes                        ? 10 // MISALIGNED
                  : static_cast<uint64_t>(o) + bytes > size ? 13
                                                            : 0; // CONST_RANGE
    }
    top.form_i = static_cast<uint16_t>(form);
    top.imm_i = bank << 28 | (static_cast<uint32_t>(off28) & 0xfffffff);
    top.issue_warp_i = static_cast<uint8_t>(warp);
    top.issue_rd_i = static_cast<uint8_t>(rd);
    top.issue_pc_i = pc;
    top.issue_exec_i = exec;
    top.issue_valid_i = 1;
    low();
    check_eq("ready", top.ready_o, 1, cycle);
    tick();
    top.issue_valid_i = 0;
    uint64_t a_cycle = 0;
    for (unsigned b = 0; b < kBeats; b++) {
      const uint32_t mask = exec >> b * kLanes & kAll;
      if (!mask) continue;
      for (unsigned gap = rnd(3); gap > 0; gap--) {
        low();
        check_eq("not ready", top.ready_o, 0, cycle);
        tick();
      }
      const bool last = b + 1 == kBeats || !(static_cast<uint64_t>(exec) >> (b + 1) * kLanes);
      top.x1_valid_i = 1;
      top.x1_beat_i = static_cast<uint8_t>(b);
      top.x1_mask_i = mask;
      top.x1_last_i = last;
      for (unsigned i = 0; i < kLanes; i++)
        top.x1_a_i[i] = offset[b * kLanes + i] - static_cast<uint32_t>(off28);
      low();
      a_cycle = cycle;
      tick();
      top.x1_valid_i = 0;
    }
    // q: the cycle of the next PASS, until which nothing is presented.
    uint32_t pending = exec;
    uint64_t q = a_cycle + 1;
    while (pending) {
      unsigned lead = 0;
      while (!(pending >> lead & 1))
        lead++;
      while (cycle < q)
        idle();
      const uint64_t addr = base + offset[lead];
      if (const unsigned cause = causes[lead]) {
        idle(); // PASS
        low();  // CHECK
        check_eq("trap", top.trap_valid_o, 1, cycle);
        check_eq("finish", top.finish_o, 1, cycle);
        check_eq("cause", top.trap_cause_o, cause, cycle);
        check_eq("lane", top.trap_lane_o, lead, cycle);
        check_eq("warp", top.trap_warp_o, warp, cycle);
        check_eq("pc", top.trap_pc_o, pc, cycle);
        check_eq("address", top.trap_addr_o, addr, cycle);
        check_eq("no word", top.vwb_valid_o, 0, cycle);
        check_eq("not ready", top.ready_o, 0, cycle);
        checks += 9;
        faults[pending != exec]++;
        tick();
        return; // IDLE: the next run finds it ready
      }
      uint32_t served = 0;
      for (unsigned i = 0; i < 32; i++)
        if ((pending >> i & 1) && offset[i] == offset[lead]) served |= 1u << i;
      const unsigned idx = static_cast<unsigned>(addr >> 6) % kLines;
      if (!valid[idx] || tag[idx] != addr >> 6) {
        while (cycle < q + 2)
          idle();
        q = miss(addr);
        while (cycle < q)
          idle();
        valid[idx] = true;
        tag[idx] = addr >> 6;
      }
      // PASS in q, CHECK from q + 1, one result word per cycle with several beats.
      while (cycle < q + 1 + (kBeats > 1 ? words : 1))
        idle();
      for (unsigned b = lead / kLanes; b < kBeats; b++) {
        const uint32_t mask = served >> b * kLanes & kAll;
        const uint32_t before = pending;
        pending &= ~(mask << b * kLanes);
        if (!mask) {
          empty++;
          idle();
        }
        for (unsigned k = 0; mask && k < words; k++) {
          for (unsigned wait = rnd(3);; wait--) {
            top.vwb_grant_i = wait == 0;
            noise();
            low();
            check_eq("word valid", top.vwb_valid_o, 1, cycle);
            check_eq("word warp", top.vwb_warp_o, warp, cycle);
            check_eq("word beat", top.vwb_beat_o, b, cycle);
            check_eq("word mask", top.vwb_mask_o, mask, cycle);
            check_eq("word has register", top.vwb_has_reg_o, rd != 255, cycle);
            if (rd != 255) check_eq("word register", top.vwb_rd_o, rd + k, cycle);
            check_eq("word last beat", top.vwb_last_beat_o, !pending, cycle);
            check_eq("word last", top.vwb_last_o, !pending && k + 1 == words, cycle);
            check_eq("value", top.vwb_data_o,
                     extend(static_cast<int>(type), word(addr + 4 * k, bytes < 4 ? bytes : 4)),
                     cycle);
            check_eq("not ready", top.ready_o, 0, cycle);
            check_eq("no trap", top.trap_valid_o | top.finish_o, 0, cycle);
            checks += 11;
            tick();
            top.rsp_valid_i = 0;
            top.vwb_grant_i = 0;
            if (wait == 0) break;
          }
        }
        // The pass ends with its last beat behind which no lane was left.
        if (b + 1 == kBeats || !(static_cast<uint64_t>(before) >> (b + 1) * kLanes)) break;
      }
      q = cycle;
    }
  }
  // MISS from now on: requests, responses. Returns the cycle of the next PASS.
  uint64_t miss(uint64_t addr) {
    for (unsigned s = 0; s < 2; s++) {
      for (unsigned wait = rnd(4);; wait--) {
        top.req_grant_i = wait == 0;
        low();
        check_eq("request", top.req_valid_o, 1, cycle);
        check_eq("request op", top.req_op_o, 0, cycle);
        check_eq("request unit", top.req_unit_o, 2, cycle);
        check_eq("request mask", top.req_mask_o, 0xffffffffu, cycle);
        check_eq("request tag", top.req_tag_o, s, cycle);
        check_eq("request sector", top.req_sector_o, (addr >> 6) * 2 + s, cycle);
        check_eq("no word", top.vwb_valid_o, 0, cycle);
        checks += 7;
        tick();
        top.req_grant_i = 0;
        if (wait == 0) break;
      }
    }
    const unsigned first = rnd(2); // responses may come in either order
    for (unsigned s = 0; s < 2; s++) {
      for (unsigned wait = rnd(4); wait > 0; wait--)
        idle();
      const unsigned half = s ^ first;
      top.rsp_valid_i = 1;
      top.rsp_unit_i = 2;
      top.rsp_tag_i = static_cast<uint16_t>(half);
      for (unsigned k = 0; k < 8; k++)
        top.rsp_data_i[k] = word((addr & ~63ull) + 32 * half + 4 * k, 4);
      low();
      check_eq("no request", top.req_valid_o, 0, cycle);
      tick();
      top.rsp_valid_i = 0;
    }
    return cycle;
  }
  // Responses for others pass by.
  void noise() {
    top.rsp_valid_i = rnd(2) != 0;
    top.rsp_unit_i = static_cast<uint8_t>(rnd(3) == 2 ? 3 : rnd(2));
    top.rsp_tag_i = static_cast<uint16_t>(rnd(2));
  }
  void idle() {
    noise();
    low();
    check_eq("no word", top.vwb_valid_o, 0, cycle);
    check_eq("no trap", top.trap_valid_o | top.finish_o, 0, cycle);
    check_eq("not ready", top.ready_o, 0, cycle);
    check_eq("no request", top.req_valid_o, 0, cycle);
    checks += 4;
    tick();
    top.rsp_valid_i = 0;
  }
};
} // namespace

int main() {
  auto b = std::make_unique<Bench>();
  b->top.rst_ni = 0;
  b->low();
  b->tick();
  b->top.rst_ni = 1;
  auto put64 = [&](unsigned at, uint64_t v) {
    b->top.lb_i[at] = static_cast<uint32_t>(v);
    b->top.lb_i[at + 1] = static_cast<uint32_t>(v >> 32);
  };
  put64(30, kBank[0] & ~0xffffffffull); // mem_base: its upper word is that of all banks
  put64(36, kBank[0]);                  // launch.def: c0_base, c1_base, c2_base and their sizes
  put64(20, kBank[1]);
  put64(24, kBank[2]);
  b->top.lb_i[19] = kSize[0] - 512;
  b->top.lb_i[22] = kSize[1];
  b->top.lb_i[26] = kSize[2];
  for (unsigned id = 0; id < 8192; id++) {
    b->top.form_i = static_cast<uint16_t>(id);
    b->low();
    if (b->top.form_unit_o == kUnitLdc) b->forms.emplace_back(id, b->top.form_type_o);
  }
  check(b->forms.size() >= 7, "LDC forms", b->forms.size(), 7, 0);
  for (unsigned i = 0; i < 20000 && failures < 50; i++) {
    if (rnd(500) == 0) {
      b->top.invalidate_i = 1;
      b->low();
      b->tick();
      b->top.invalidate_i = 0;
      // The valid bits are cleared row by row: no launch block is read in so few cycles.
      for (unsigned c = 0; c < 16; c++) {
        b->low();
        b->tick();
      }
      for (auto &v : b->valid)
        v = false;
    }
    b->run();
  }
  // With one beat no beat is empty.
  check(kBeats == 1 || b->empty > 100, "empty beats", b->empty, 100, 0);
  for (const uint64_t n : b->faults)
    check(n > 100, "faults in a first and a later pass", n, 100, 0);
  return finish("ccache", b->checks);
}
