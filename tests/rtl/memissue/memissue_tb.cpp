// Bench of rtl/core/memissue.sv (section 5, "Open units"): sub-cores that issue at random when they
// may, to the LSU, the copy engine and the products in tensor memory only when these are open to them.
// The bench counts lsu_turn, ldc_turn, copy_turn, umma_turn, lsu_left, copy_way and umma_way as the
// section defines them, and the is_left of each sub-core.
#include <memory>

#include "bench.h"
#include "verilated.h"
#include MI_HEADER

using namespace bench;

namespace {
constexpr unsigned kSubs = MI_SUBS;
constexpr unsigned kCycles = 200000;

struct Reference {
  unsigned lsu_turn = 0, ldc_turn = 0, copy_turn = 0, umma_turn = 0, lsu_left = 0;
  bool copy_way = false, umma_way = false;
  unsigned is_left[kSubs] = {};
};
} // namespace

int main() {
  auto context = std::make_unique<VerilatedContext>();
  auto top = std::make_unique<MI_MODEL>(context.get());
  Reference r;
  unsigned opened[kSubs] = {}, copied[kSubs] = {}, products[kSubs] = {}, blocked = 0;
  top->rst_ni = 0;
  for (unsigned i = 0; i < 4; i++) {
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
  }
  top->rst_ni = 1;
  unsigned busy = 0; // how often the LSU's slot is not free: changes now and then
  for (uint64_t cycle = 0; cycle < kCycles; cycle++) {
    if (rnd(500) == 0) busy = rnd(8);
    const bool lsu_ready = rnd(8) >= busy, ldc_ready = rnd(3) != 0, clear = rnd(2000) == 0;
    const bool copy_ready = rnd(4) != 0, copy_end = r.copy_way && rnd(6) == 0;
    const bool copy_available = copy_ready && !r.copy_way;
    const bool umma_ready = rnd(4) != 0, umma_end = r.umma_way && rnd(6) == 0;
    const bool umma_available = umma_ready && !r.umma_way;
    unsigned slots_free = 0;
    for (unsigned k = 0; k < kSubs; k++)
      slots_free |= (r.is_left[k] <= 1 ? 1u : 0u) << k;
    // With one sub-core lsu_left <= 1 follows from is_left <= 1, which issue asks for by itself.
    const bool available = lsu_ready && (kSubs == 1 || r.lsu_left <= 1);
    top->clk_i = 0;
    top->clear_i = clear;
    top->lsu_ready_i = lsu_ready;
    top->ldc_ready_i = ldc_ready;
    top->copy_ready_i = copy_ready;
    top->copy_end_i = copy_end;
    top->copy_issue_i = 0;
    top->umma_ready_i = umma_ready;
    top->umma_end_i = umma_end;
    top->umma_issue_i = 0;
    const unsigned vwb_stall = rnd(4) ? 0 : rnd(1u << kSubs);
    top->slots_free_i = static_cast<uint8_t>(slots_free);
    top->vwb_stall_i = static_cast<uint8_t>(vwb_stall);
    top->lsu_issue_i = 0;
    top->eval();
    check_eq("lsu_open", top->lsu_open_o, available ? 1u << r.lsu_turn : 0u, cycle);
    check_eq("ldc_open", top->ldc_open_o, ldc_ready ? 1u << r.ldc_turn : 0u, cycle);
    check_eq("copy_open", top->copy_open_o, copy_available ? 1u << r.copy_turn : 0u, cycle);
    check_eq("umma_open", top->umma_open_o, umma_available ? 1u << r.umma_turn : 0u, cycle);
    check_eq("lsu_turn", top->lsu_turn_o, r.lsu_turn, cycle);
    check_eq("ldc_turn", top->ldc_turn_o, r.ldc_turn, cycle);

    // Issues of the cycle: of the LSU, the copy engine and the products where they are open, of anything
    // else where the slots are free.
    bool copy_issue = false, umma_issue = false;
    unsigned lsu_issue = 0, lsu_slots = 0, next_left[kSubs];
    for (unsigned k = 0; k < kSubs; k++) {
      const unsigned n = rnd(4) ? 1 + rnd(3) : 1 + rnd(16);
      next_left[k] = r.is_left[k] ? r.is_left[k] - 1 : 0;
      if (r.is_left[k] > 1 || (vwb_stall >> k & 1)) continue;
      if (available && r.lsu_turn == k && rnd(2)) {
        lsu_issue |= 1u << k;
        lsu_slots = n;
        next_left[k] = n;
        opened[k]++;
      } else if (copy_available && r.copy_turn == k && rnd(2)) {
        copy_issue = true;
        next_left[k] = n;
        copied[k]++;
      } else if (umma_available && r.umma_turn == k && rnd(2)) {
        umma_issue = true;
        next_left[k] = n;
        products[k]++;
      } else if (rnd(3) == 0) {
        next_left[k] = n;
      }
    }
    blocked += lsu_ready && !available;
    top->lsu_issue_i = static_cast<uint8_t>(lsu_issue);
    top->copy_issue_i = copy_issue;
    top->umma_issue_i = umma_issue;
    top->eval();
    top->clk_i = 1;
    top->eval();

    const unsigned could_issue = slots_free & ~vwb_stall;
    if (available && (could_issue >> r.lsu_turn & 1)) r.lsu_turn = (r.lsu_turn + 1) % kSubs;
    if (ldc_ready && (could_issue >> r.ldc_turn & 1)) r.ldc_turn = (r.ldc_turn + 1) % kSubs;
    if (copy_available && (could_issue >> r.copy_turn & 1)) r.copy_turn = (r.copy_turn + 1) % kSubs;
    if (umma_available && (could_issue >> r.umma_turn & 1)) r.umma_turn = (r.umma_turn + 1) % kSubs;
    r.umma_way = umma_issue || (r.umma_way && !umma_end);
    r.copy_way = copy_issue || (r.copy_way && !copy_end);
    r.lsu_left = lsu_issue ? lsu_slots : r.lsu_left ? r.lsu_left - 1 : 0;
    for (unsigned k = 0; k < kSubs; k++)
      r.is_left[k] = next_left[k];
    if (clear) r = Reference{};
  }
  // Every sub-core came to issue, and waited for another's read slots.
  for (unsigned k = 0; k < kSubs; k++) {
    check(opened[k] > 1000, "issues of a sub-core", opened[k], 1000, k);
    check(copied[k] > 1000, "bulk copies of a sub-core", copied[k], 1000, k);
    check(products[k] > 1000, "products of a sub-core", products[k], 1000, k);
  }
  check(kSubs == 1 || blocked > 1000, "waits for read slots", blocked, 1000, 0);
  top->final();
  if (failures) return 1;
  std::printf("memissue: %u sub-cores, %u cycles, %u waits for read slots\n", kSubs, kCycles,
              blocked);
  return 0;
}
