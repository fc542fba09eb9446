// rtl_dpi.cpp: the journal imports of rtl/dpi/journal_pkg.sv: each stores one record of the side that
// is being evaluated. Nothing is computed for the RTL; wl_j_seed hands over the run's seed.
#include "driver/lockstep/rtl_dpi.h"

#include <cstring>

#include "svdpi.h"

thread_local WlRtlContext *wl_rtl_context = nullptr;

// Counts also where nobody wants records.
static void add(unsigned kind, const uint32_t *words, unsigned n) {
  if (wl_rtl_context == nullptr) return;
  if (kind == WL_J_ISSUE) {
    wl_rtl_context->issues++;
    wl_rtl_context->thread_issues += static_cast<unsigned>(__builtin_popcount(words[3]));
  }
  if (kind == WL_J_PACKET) wl_rtl_context->packets++;
  if (wl_rtl_context->journal != nullptr) wl_journal_add(wl_rtl_context->journal, kind, words, n);
}

// Leading words, then a vector of `n` words.
static void add_vector(unsigned kind, const uint32_t *lead, unsigned leads, const svBitVecVal *data,
                       unsigned n) {
  uint32_t words[64];
  if (leads != 0) std::memcpy(words, lead, leads * sizeof *words);
  std::memcpy(words + leads, data, n * sizeof *words);
  add(kind, words, leads + n);
}

extern "C" {
// A record as its words, of any kind: tests/fpga/netlist/records.sv.
void wl_j_words(uint32_t kind, uint32_t n, const svBitVecVal *words) { add(kind, words, n); }

uint64_t wl_j_seed() { return wl_rtl_context->seed; }

void wl_j_rf(uint32_t bank, uint32_t row, uint32_t mask, const svBitVecVal *data) {
  const uint32_t words[] = {bank, row, mask};
  if (wl_rtl_context != nullptr)
    add_vector(WL_J_RF, words, 3, data, wl_rtl_context->lanes);
}

void wl_j_pred(uint32_t warp, uint32_t pred, uint32_t mask, uint32_t value) {
  const uint32_t words[] = {warp, pred, mask, value};
  add(WL_J_PRED, words, 4);
}

void wl_j_smem(uint32_t bank, uint32_t row, uint32_t bytes, uint32_t data) {
  const uint32_t words[] = {bank, row, bytes, data};
  add(WL_J_SMEM, words, 4);
}

void wl_j_xbuf(uint32_t warp, uint32_t beat, uint32_t mask, const svBitVecVal *data) {
  const uint32_t words[] = {warp, beat, mask};
  if (wl_rtl_context != nullptr)
    add_vector(WL_J_XBUF, words, 3, data, wl_rtl_context->lanes);
}

void wl_j_resolve(uint32_t warp, uint32_t request, uint32_t pc, uint32_t mask, uint32_t depth,
                  uint32_t served, uint32_t turn, uint32_t live) {
  const uint32_t words[] = {warp, request, pc, mask, depth, served, turn, live};
  add(WL_J_RESOLVE, words, 8);
}

void wl_j_row(uint32_t warp, uint32_t leader, uint32_t mask, uint32_t pc, uint32_t depth,
              uint32_t state, uint32_t op, uint32_t key) {
  const uint32_t words[] = {warp, leader, mask, pc, depth, state, op, key};
  add(WL_J_ROW, words, 8);
}

void wl_j_walked(uint32_t warp, uint32_t run, uint32_t mask, uint32_t pc, uint32_t depth,
                 uint32_t leader, uint32_t exist, uint32_t served, uint32_t released, uint32_t stop,
                 uint32_t below) {
  const uint32_t words[] = {warp, run, mask, pc, depth, leader, exist, served, released, stop, below};
  add(WL_J_WALKED, words, 11);
}

void wl_j_barrier(uint32_t slot, uint32_t number, uint32_t arrived_lo, uint32_t arrived_hi,
                  uint32_t b, uint32_t kind, uint32_t popc) {
  const uint32_t words[] = {slot, number, arrived_lo, arrived_hi, b, kind, popc};
  add(WL_J_BARRIER, words, 7);
}

void wl_j_cta(uint32_t ev, uint32_t slot, uint32_t x, uint32_t y, uint32_t z, uint32_t warps_lo,
              uint32_t warps_hi) {
  const uint32_t words[] = {ev, slot, x, y, z, warps_lo, warps_hi};
  add(WL_J_CTA, words, 7);
}

void wl_j_page(uint32_t warp, uint32_t entry, uint32_t page) {
  const uint32_t words[] = {warp, entry, page};
  add(WL_J_PAGE, words, 3);
}

void wl_j_trap(uint32_t cause, uint32_t warp, uint32_t lane, uint32_t pc, uint32_t addr_lo,
               uint32_t addr_hi) {
  const uint32_t words[] = {cause, warp, lane, pc, addr_lo, addr_hi};
  add(WL_J_TRAP, words, 6);
}

void wl_j_state(uint32_t state) {
  const uint32_t words[] = {state};
  add(WL_J_STATE, words, 1);
}

// 512 bits: low and high words of %pm0 to %pm7, word 0 lowest.
void wl_j_monitor(const svBitVecVal *pm) { add_vector(WL_J_MONITOR, nullptr, 0, pm, 16); }

void wl_j_rest(uint32_t cycle_lo, uint32_t cycle_hi, uint32_t rest) {
  const uint32_t words[] = {cycle_lo, cycle_hi, rest};
  add(WL_J_REST, words, 3);
}

void wl_j_fetch(uint32_t warp, uint32_t pc, const svBitVecVal *word, uint32_t trap) {
  const uint32_t words[] = {warp, pc, word[0], word[1], word[2], word[3], trap};
  add(WL_J_FETCH, words, 7);
}

void wl_j_issue(uint32_t warp, uint32_t pc, uint32_t path, uint32_t exec) {
  const uint32_t words[] = {warp, pc, path, exec};
  add(WL_J_ISSUE, words, 4);
}

void wl_j_packet(uint32_t op, uint32_t atom, uint32_t atype, uint32_t unit, uint32_t tag,
                 uint32_t sector_lo, uint32_t sector_hi, uint32_t mask, const svBitVecVal *data) {
  const uint32_t words[] = {op, atom, atype, unit, tag, sector_lo, sector_hi, mask};
  add_vector(WL_J_PACKET, words, 8, data, 8);
}

void wl_j_response(uint32_t op, uint32_t unit, uint32_t tag, const svBitVecVal *data) {
  const uint32_t words[] = {op, unit, tag};
  add_vector(WL_J_RESPONSE, words, 3, data, 8);
}
}
