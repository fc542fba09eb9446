/* rtl_dpi.h: which RTL side the journal's DPI imports talk about while a Verilated model evaluates. */
#ifndef WL_LOCKSTEP_RTL_DPI_H
#define WL_LOCKSTEP_RTL_DPI_H
#include <cstdint>

#include "driver/lockstep/journal.h"

struct WlRtlContext {
  wl_journal_t *journal = nullptr; // NULL: records are dropped
  uint64_t seed = 0;
  unsigned lanes = 0;
  uint64_t issues = 0, thread_issues = 0, packets = 0, columns_left = 0;
};
extern thread_local WlRtlContext *wl_rtl_context;

#endif
