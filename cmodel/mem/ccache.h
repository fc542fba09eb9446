/* State of mem/ccache.c (docs/microarchitecture.md 12). */
#ifndef WL_CMODEL_MEM_CCACHE_H
#define WL_CMODEL_MEM_CCACHE_H

#include "cmodel/gpu/wires.h"

enum { WL_CC_LINES = WL_MOST_CCACHE_BYTES / 64 };

typedef enum wl_cc_state {
  WL_CC_IDLE,
  WL_CC_FILL,
  WL_CC_PASS,
  WL_CC_CHECK,
  WL_CC_MISS,
  WL_CC_WB
} wl_cc_state_t;

typedef struct wl_ccache {
  wl_cc_state_t state;
  wl_insn_dec_t dec;
  uint32_t pc;
  uint8_t warp;
  uint32_t pending; /* lanes still to be served, those of `served` too */
  uint32_t a[WL_LANES];
  /* the pass */
  uint32_t leader_a;
  uint64_t address;  /* the leader's */
  uint8_t cause;     /* its fault; WL_TRAP_NONE: none */
  uint8_t sent, got; /* MISS: sectors of the line */
  bool refilled;     /* for the counters only: this pass has missed */
  uint8_t word;      /* CHECK: the next to be taken, WB: the next to be written */
  uint32_t result[4];
  uint8_t beat;
  uint32_t served; /* WB: lanes of `beat` with the leader's a */
  /* the cache */
  bool valid[WL_CC_LINES];
  uint64_t tag[WL_CC_LINES]; /* line address */
  uint32_t data[WL_CC_LINES][16];
} wl_ccache_t;

void wl_ccache_reset(wl_ccache_t *c, const wl_env_t *env);
void wl_ccache_out(const wl_ccache_t *c, const wl_env_t *env, wl_wires_t *w);
void wl_ccache_update(wl_ccache_t *c, const wl_env_t *env, const wl_wires_t *w);
uint32_t wl_ccache_busy(const wl_ccache_t *c, const wl_env_t *env); /* bit of REST */

#endif
