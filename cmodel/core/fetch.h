/* State of core/fetch.c (docs/microarchitecture.md 4). */
#ifndef WL_CMODEL_CORE_FETCH_H
#define WL_CMODEL_CORE_FETCH_H

#include "cmodel/gpu/wires.h"

typedef struct wl_fetch_token {
  bool valid, oob;
  uint8_t warp;
  uint32_t pc;
  const wl_insn_t *insn; /* D1, D2: points into decoded or at oob */
} wl_fetch_token_t;

typedef struct wl_fetch {
  wl_ib_t ib[WL_MOST_WARPS];
  wl_wmask_t ib_valid; /* warps whose ib is not empty */
  uint32_t fpc[WL_MOST_WARPS];
  uint8_t in_pipe[WL_MOST_WARPS]; /* tokens of the warp in F2, D1, D2 */
  wl_wmask_t room;                /* warps with fewer entries and tokens than IbDepth */
  wl_wmask_t miss_wait;
  wl_fetch_token_t f2, d1, d2;
  uint8_t last;
  struct {
    bool valid;
    bool flushed;  /* its warp was flushed since the miss began: no pin */
    uint32_t line; /* pc >> 2 */
    uint8_t warp, sent, got;
  } miss;
  struct {
    bool valid;
    uint8_t warp;
  } pin;
  uint32_t lines;
  uint32_t *tag;      /* [lines]: the line that a row holds */
  uint8_t *valid;     /* [lines] */
  uint32_t *data;     /* [lines * 16] words */
  wl_insn_t *decoded; /* [lines * 4]: of the data rows, made when a row is first used */
  bool *is_decoded;
  wl_insn_t oob; /* word 0 with trap PC_RANGE */
} wl_fetch_t;

void wl_fetch_reset(wl_fetch_t *f, const wl_env_t *env, unsigned k);
void wl_fetch_out(const wl_fetch_t *f, const wl_env_t *env, wl_wires_t *w, unsigned k);
void wl_fetch_arb(const wl_fetch_t *f, const wl_env_t *env, wl_wires_t *w, unsigned k);
void wl_fetch_update(wl_fetch_t *f, const wl_env_t *env, const wl_wires_t *w, unsigned k);

#endif
