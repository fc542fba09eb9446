/* State of mem/ccache.c (docs/microarchitecture.md 12). */
#ifndef WL_CMODEL_MEM_CCACHE_H
#define WL_CMODEL_MEM_CCACHE_H

#include "cmodel/gpu/wires.h"

enum { WL_CC_LINES = WL_MOST_CCACHE_BYTES / 64 };

typedef enum wl_cc_state {
  WL_CC_IDLE, WL_CC_FILL, WL_CC_PASS, WL_CC_CHECK, WL_CC_MISS, WL_CC_WB
} wl_cc_state_t;

typedef struct wl_ccache {
  wl_cc_state_t state;
  bool fresh; /* PASS is the first after the operands: faults are taken */
  bool uniform; /* all lanes have the same operand */
  wl_insn_dec_t dec;
  uint32_t pc;
  uint8_t warp;
  uint32_t exec, pending, served;
  bool fault;
  uint8_t fault_lane, fault_cause;
  uint64_t fault_address;
  uint64_t address[WL_LANES];
  uint64_t line; /* CHECK, MISS: address / 64 */
  uint8_t leader, sent, got;
  bool refilled; /* for the counters only: this pass has missed */
  uint8_t storing; /* CHECK: cycles in which more words of a hit are stored */
  uint8_t beat, word; /* WB position */
  uint32_t result[4][WL_LANES];
  /* the cache */
  bool valid[WL_CC_LINES];
  uint64_t tag[WL_CC_LINES]; /* line address */
  uint32_t data[WL_CC_LINES][16];
} wl_ccache_t;

#endif
