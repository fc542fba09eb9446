// Bench of rtl/mem/ccache.sv (docs/microarchitecture.md 12): random constant loads of every form on
// three banks with a reference cache. Every pass is known beforehand: whether it hits, which
// sectors a miss asks for and, with a known response time, in which cycle the first word is
// presented.
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
constexpr unsigned kUnitLdc = 7;  // wl_pkg::UnitLdc

uint8_t memory(uint64_t a) { return static_cast<uint8_t>((a * 0x9e3779b97f4a7c15ull) >> 37); }
uint32_t word(uint64_t a, unsigned n) {
  uint32_t v = 0;
  for (unsigned i = 0; i < n; i++) v |= static_cast<uint32_t>(memory(a + i)) << 8 * i;
  return v;
}

struct Bench {
  VerilatedContext ctx;
  CC_MODEL top{&ctx};
  std::vector<std::pair<unsigned, unsigned>> forms;  // id and memory type of every LDC form
  uint64_t cycle = 0, checks = 0;
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
    unsigned cause = 0, lane = 0;
    const unsigned pattern = rnd(4), bad = rnd(6) ? 99 : rnd(32);
    const uint32_t common = rnd(60000);
    for (unsigned i = 0; i < 32; i++) {
      uint32_t o = pattern == 0 ? common : pattern == 1 ? common + i * bytes : pattern == 2
                   ? common + rnd(3) * 64 : static_cast<uint32_t>(rnd(100000));
      o = size > 16 ? o % (size - 16) & ~(bytes - 1) : o;
      // Faults, and the last element of the bank, which is none.
      const uint32_t beyond[] = {0, bytes, 0xf0000000u};
      if (i >= bad) o = rnd(2) ? o + 1 : size - bytes + beyond[rnd(3)];
      if (i == 31 && rnd(3) == 0 && size > 16) o = size - bytes;
      offset[i] = o;
      if (!(exec >> i & 1) || cause) continue;
      if (o % bytes) cause = 10;                                     // MISALIGNED
      else if (static_cast<uint64_t>(o) + bytes > size) cause = 13;  // CONST_RANGE
      lane = i;
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
    if (cause) {
      low();  // A + 1
      check_eq("trap", top.trap_valid_o, 1, cycle);
      check_eq("finish", top.finish_o, 1, cycle);
      check_eq("cause", top.trap_cause_o, cause, cycle);
      check_eq("lane", top.trap_lane_o, lane, cycle);
      check_eq("warp", top.trap_warp_o, warp, cycle);
      check_eq("pc", top.trap_pc_o, pc, cycle);
      check_eq("address", top.trap_addr_o, base + offset[lane], cycle);
      checks += 7;
      tick();
      return;
    }
    // Passes: PASS in q, CHECK in q + 1; hit: the next PASS or WB in q + 2.
    bool uniform = true;
    for (unsigned i = 0, first = 32; i < 32; i++) {
      if (!(exec >> i & 1)) continue;
      if (first == 32) first = i;
      if (offset[i] != offset[first]) uniform = false;
    }
    uint32_t pending = exec;
    uint64_t q = a_cycle + 1;
    while (pending) {
      unsigned lead = 0;
      while (!(pending >> lead & 1)) lead++;
      const uint64_t addr = base + offset[lead];
      const unsigned idx = static_cast<unsigned>(addr >> 6) % kLines;
      if (!valid[idx] || tag[idx] != addr >> 6) {
        while (cycle < q + 2) idle();
        for (unsigned s = 0; s < 2; s++) {
          for (unsigned wait = rnd(4); wait > 0; wait--) {
            low();
            check_eq("request", top.req_valid_o, 1, cycle);
            check_eq("request tag", top.req_tag_o, s, cycle);
            tick();
          }
          top.req_grant_i = 1;
          low();
          check_eq("request", top.req_valid_o, 1, cycle);
          check_eq("request op", top.req_op_o, 0, cycle);
          check_eq("request unit", top.req_unit_o, 2, cycle);
          check_eq("request mask", top.req_mask_o, 0xffffffffu, cycle);
          check_eq("request tag", top.req_tag_o, s, cycle);
          check_eq("request sector", top.req_sector_o, (addr >> 6) * 2 + s, cycle);
          checks += 6;
          tick();
          top.req_grant_i = 0;
        }
        const unsigned first = rnd(2);  // responses may come in either order
        for (unsigned s = 0; s < 2; s++) {
          for (unsigned wait = rnd(4); wait > 0; wait--) idle();
          const unsigned half = s ^ first;
          top.rsp_valid_i = 1;
          top.rsp_unit_i = 2;
          top.rsp_tag_i = static_cast<uint16_t>(half);
          for (unsigned k = 0; k < 8; k++)
            top.rsp_data_i[k] = word((addr & ~63ull) + 32 * half + 4 * k, 4);
          q = cycle + 1;
          low();
          check_eq("no request", top.req_valid_o, 0, cycle);
          tick();
          top.rsp_valid_i = 0;
        }
        valid[idx] = true;
        tag[idx] = addr >> 6;
      }
      // A uniform instruction takes one pass, others serve lanes of the leader's beat.
      for (unsigned i = 0; i < 32; i++)
        if (uniform || (i / kLanes == lead / kLanes && offset[i] == offset[lead]))
          pending &= ~(1u << i);
      q += kBeats > 1 ? 1 + words : 2;   // several beats: a stored word per cycle
    }
    while (cycle < q) idle();
    for (unsigned b = 0; b < kBeats; b++) {
      const uint32_t mask = exec >> b * kLanes & kAll;
      if (!mask) continue;
      const bool last_beat = b + 1 == kBeats || !(static_cast<uint64_t>(exec) >> (b + 1) * kLanes);
      for (unsigned k = 0; k < words; k++) {
        for (unsigned wait = rnd(3);; wait--) {
          top.vwb_grant_i = wait == 0;
          low();
          check_eq("word valid", top.vwb_valid_o, 1, cycle);
          check_eq("word warp", top.vwb_warp_o, warp, cycle);
          check_eq("word beat", top.vwb_beat_o, b, cycle);
          check_eq("word mask", top.vwb_mask_o, mask, cycle);
          check_eq("word has register", top.vwb_has_reg_o, rd != 255, cycle);
          if (rd != 255) check_eq("word register", top.vwb_rd_o, rd + k, cycle);
          check_eq("word last beat", top.vwb_last_beat_o, last_beat, cycle);
          check_eq("word last", top.vwb_last_o, last_beat && k + 1 == words, cycle);
          for (unsigned i = 0; i < kLanes; i++) {
            if (!(mask >> i & 1)) continue;
            const uint64_t a = base + offset[b * kLanes + i] + 4 * k;
            check_eq("value", top.vwb_data_o[i],
                     extend(static_cast<int>(type), word(a, bytes < 4 ? bytes : 4)), cycle);
          }
          checks += 8 + kLanes;
          tick();
          if (wait == 0) break;
        }
      }
    }
    top.vwb_grant_i = 0;
  }
  void idle() {
    // Responses for others pass by.
    top.rsp_valid_i = rnd(2) != 0;
    top.rsp_unit_i = static_cast<uint8_t>(rnd(3) == 2 ? 3 : rnd(2));
    top.rsp_tag_i = static_cast<uint16_t>(rnd(2));
    low();
    check_eq("no word", top.vwb_valid_o, 0, cycle);
    check_eq("no trap", top.trap_valid_o, 0, cycle);
    tick();
    top.rsp_valid_i = 0;
  }
};
}  // namespace

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
  put64(30, kBank[0] & ~0xffffffffull);  // mem_base: its upper word is that of all banks
  put64(36, kBank[0]);  // launch.def: c0_base, c1_base, c2_base and their sizes
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
      for (auto &v : b->valid) v = false;
    }
    b->run();
  }
  return finish("ccache", b->checks);
}
