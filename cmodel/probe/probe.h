/* State of probe/probe.c (docs/microarchitecture.md 18). */
#ifndef WL_CMODEL_PROBE_PROBE_H
#define WL_CMODEL_PROBE_PROBE_H

#include "cmodel/gpu/wires.h"

typedef struct wl_probe {
  enum {
    WL_PROBE_IDLE,
    WL_PROBE_FILL, /* until the last words come in X1 */
    WL_PROBE_SEND, /* presents results from cycle `start` on */
    WL_PROBE_LOAD, /* CHUNK: lane `lane` starts in `start`, and presents its load until the grant */
    WL_PROBE_WAIT, /* until the answer */
    WL_PROBE_STORE /* presents its store */
  } state;
  uint64_t start;
  wl_insn_dec_t dec;
  uint8_t warp;
  uint32_t pc, exec;
  uint32_t word[WL_MOST_READS][WL_LANES]; /* operands, in the order of the step list */
  uint8_t k, beat;                        /* SEND: word and beat presented */
  uint32_t data[WL_LANES];                /* word k */
  uint8_t lane;                           /* CHUNK */
  uint32_t chunk[4];                      /* CHUNK: what is stored */
} wl_probe_t;

void wl_probe_reset(wl_probe_t *p, const wl_env_t *env, unsigned k);
void wl_probe_out(const wl_probe_t *p, const wl_env_t *env, wl_wires_t *w, unsigned k);
void wl_probe_arb(const wl_probe_t *p, const wl_env_t *env, wl_wires_t *w, unsigned k);
void wl_probe_update(wl_probe_t *p, const wl_env_t *env, const wl_wires_t *w, unsigned k);
uint32_t wl_probe_busy(const wl_probe_t *p, const wl_env_t *env); /* bit of REST */

#endif
