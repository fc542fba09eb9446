/* State of tensor/tmem.c (docs/microarchitecture.md 24.2). */
#ifndef WL_CMODEL_TENSOR_TMEM_H
#define WL_CMODEL_TENSOR_TMEM_H

#include "cmodel/gpu/wires.h"

enum { WL_TMEM_OUT = 2, WL_TMEM_QUARTERS = 4 };

typedef struct wl_tmem_load { /* an entry */
  uint8_t warp, rd, count, quarter;
  uint16_t column;
  bool zero; /* it had a fault */
} wl_tmem_load_t;

typedef struct wl_tmem_word { /* a beat of a row that was read */
  uint8_t warp, reg, beat;
  bool last_beat, last;
  uint32_t data[WL_LANES];
} wl_tmem_word_t;

typedef struct wl_tmem_judged { /* the load or store whose address came in the cycle before */
  bool valid, load, half;
  uint8_t warp, words;
  uint32_t pc, a, imm;
} wl_tmem_judged_t;

typedef struct wl_tmem_part { /* a beat of a word of the store, on its way */
  bool valid, last;
  uint8_t word, beat;
  uint32_t data[WL_LANES];
} wl_tmem_part_t;

typedef struct wl_tmem {
  bool awake;      /* a load or a store is under way */
  uint32_t *words; /* of the SM: [quarter][column][lane] */
  /* Entries in the order of issue: a ring. `used` of them from `oldest` on are not free, the first `judged`
   * of these are judged. */
  wl_tmem_load_t load[WL_MOST_TMEM_LOADS];
  uint8_t oldest, used, judged;
  uint8_t word, beat; /* position in the oldest */
  bool stage_valid;
  wl_tmem_word_t stage;
  wl_tmem_word_t out[WL_TMEM_OUT]; /* a ring: the result queue still reads what leaves in a cycle */
  uint8_t out_first, out_count;
  wl_tmem_judged_t now;
  struct {
    bool ok;
    uint8_t quarter;
    uint16_t column;
    uint32_t lanes;
  } store;                /* the one under way */
  wl_tmem_part_t part[2]; /* [1] is written in this cycle */
  uint8_t stores;         /* past issue, last word not written */
} wl_tmem_t;

void wl_tmem_reset(wl_tmem_t *t, const wl_env_t *env, unsigned k);
void wl_tmem_out(const wl_tmem_t *t, const wl_env_t *env, wl_wires_t *w, unsigned k);
void wl_tmem_update(wl_tmem_t *t, const wl_env_t *env, const wl_wires_t *w, unsigned k);
/* A product reads the load's quarter in this cycle. */
bool wl_tmem_is_held(const wl_tmem_load_t *l, const wl_sub_wires_t *w);
uint32_t wl_tmem_busy(const wl_tmem_t *t, const wl_env_t *env); /* bit of REST */

#endif
