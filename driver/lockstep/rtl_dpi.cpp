// rtl_dpi.cpp: the journal's DPI imports (isa/def/journal.def, rtl/dpi): each stores one record of the
// side that is being evaluated. Nothing is computed for the RTL; wl_j_seed hands over the run's seed.
#include "driver/lockstep/rtl_dpi.h"

#include "gen/wl_journal_imports.h"
#include "svdpi.h"

thread_local WlRtlContext *wl_rtl_context = nullptr;

// Counts also where nobody wants records. `lanes` 1: a word for every lane follows the first n.
static inline void add(unsigned kind, const uint32_t *words, unsigned n, unsigned lanes) {
  WlRtlContext *const context = wl_rtl_context;
  if (context == nullptr) return;
  if (kind == WL_J_ISSUE) {
    context->issues++;
    context->thread_issues += static_cast<unsigned>(__builtin_popcount(words[3]));
  }
  if (kind == WL_J_PACKET) context->packets++;
  if (kind == WL_J_COLUMNS && words[0] == 3) /* left behind: a bit for 32 columns */
    context->columns_left += 32U * static_cast<unsigned>(__builtin_popcount(words[2]));
  if (context->journal != nullptr)
    wl_journal_add(context->journal, kind, words, n + lanes * context->lanes);
}

extern "C" {
#define WL_J_IMPORT(name, kind, words, lanes)                                                      \
  void wl_j_##name(const svBitVecVal *word) { add(WL_J_##kind, word, words, lanes); }
WL_J_IMPORTS(WL_J_IMPORT)

// A record as its words, of any kind: tests/fpga/netlist/records.sv.
void wl_j_words(uint32_t kind, uint32_t n, const svBitVecVal *words) { add(kind, words, n, 0); }

uint64_t wl_j_seed() { return wl_rtl_context->seed; }
}
