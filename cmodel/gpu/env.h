/* The environment of a unit (docs/microarchitecture.md 0.1): what every unit may read in a cycle and
 * no unit writes. It holds the configuration, the cycle, the disturbance, the shares of the sub-cores,
 * the launch block, and the CTA and warp slots. A unit gets it as const. What the slots and the launch
 * block say of a valid warp does not change while the warp is valid, so a unit may read it at any time
 * of a cycle.
 * Not here: state of units; what a unit shows to the others is a wire (gpu/wires.h). */
#ifndef WL_CMODEL_GPU_ENV_H
#define WL_CMODEL_GPU_ENV_H

#include <string.h>

#include "cmodel/model.h"
#include "gen/wl_journal.h"
#include "gen/wl_launch.h"

enum { WL_MAX_SMS = 1 };     /* SMs of a device */
typedef uint64_t wl_wmask_t; /* bit = warp slot */

typedef struct wl_cta { /* a CTA slot */
  bool valid;
  uint8_t nwarps;
  uint32_t x, y, z, seq;
  wl_wmask_t warps;
} wl_cta_t;

typedef struct wl_slots { /* written by gpu/dispatcher.c */
  wl_cta_t cta[WL_MOST_CTAS];
  uint32_t cta_valid; /* bit = CTA slot */
  wl_wmask_t warp_valid;
  uint8_t warp_cta[WL_MOST_WARPS], warp_index[WL_MOST_WARPS];
} wl_slots_t;

/* Where units report what they do. No unit reads it. */
typedef struct wl_reports {
  wl_journal_fn_t journal; /* NULL: off */
  void *journal_user;
  wl_model_counters_t count;
  const char *error; /* first violated obligation of the model itself, NULL: none */
} wl_reports_t;

typedef struct wl_env {
  wl_config_t cfg;
  unsigned sm;    /* number of the SM */
  uint64_t cycle; /* c */
  /* Disturbance, section 17. */
  uint8_t density; /* 0: none */
  uint32_t stall;  /* points that stall in this cycle */
  uint64_t stall_word;
  bool optional;    /* the configuration has optional units (gpu/sm.h) */
  uint8_t sub_bits; /* SubCores is 1 << sub_bits */
  wl_wmask_t all_warps;
  wl_wmask_t sub_warps[WL_MOST_SUB_CORES]; /* a sub-core's warps */
  uint8_t last_warp[WL_MOST_SUB_CORES];    /* the highest of them */
  const wl_launch_block_t *launch;
  const wl_slots_t *slots;
  wl_reports_t *reports;
} wl_env_t;

/* Kinds are wl_journal_kind_t, words as in journal.def; call only from updates. Guard longer
 * preparations with wl_journals. REST alone is of the state before them (gpu.c). */
static inline bool wl_journals(const wl_env_t *env) { return env->reports->journal != NULL; }
static inline void wl_journal(const wl_env_t *env, int kind, const uint32_t *words, unsigned n) {
  if (wl_journals(env))
    env->reports->journal(env->reports->journal_user, env->cycle, kind, words, n);
}

/* Keeps the first reason; the driver sees it (wl_model_error). */
static inline void wl_fail(const wl_env_t *env, const char *reason) {
  if (env->reports->error == NULL) env->reports->error = reason;
}

/* Disturbance, section 17. */
static inline bool wl_stalls(const wl_env_t *env, unsigned point) {
  return (env->stall >> point & 1) != 0;
}

/* The sub-core of a warp, and the warp's number in it. */
static inline unsigned wl_sub_of(const wl_env_t *env, unsigned warp) {
  return warp & (env->cfg.sub_cores - 1);
}
static inline unsigned wl_row_of(const wl_env_t *env, unsigned warp) {
  return warp >> env->sub_bits;
}

/* ---- sets of warps, rows, lanes */
static inline unsigned wl_lowest(uint64_t mask) { return (unsigned)__builtin_ctzll(mask); }
static inline bool wl_wbit(wl_wmask_t mask, unsigned w) { return (mask >> w & 1) != 0; }
/* First member (warp, row) of the nonempty set after `last` in circular ascending order. */
static inline unsigned wl_next_after(wl_wmask_t set, unsigned last) {
  const wl_wmask_t after = last >= 63 ? 0 : set & ~((UINT64_C(2) << last) - 1);
  return wl_lowest(after != 0 ? after : set);
}
/* `size` lanes from lane `first` on. */
static inline uint32_t wl_lane_block(unsigned first, unsigned size) {
  return (size == 32 ? ~UINT32_C(0) : (UINT32_C(1) << size) - 1) << first;
}
/* Lanes of one beat. */
static inline uint32_t wl_beat_lanes(const wl_config_t *cfg, unsigned beat) {
  return wl_lane_block(beat * cfg->lanes, cfg->lanes);
}
/* Lanes of `exec` after the beat of `lanes` lanes with this number. */
static inline uint32_t wl_later_lanes(uint32_t exec, unsigned beat, unsigned lanes) {
  const unsigned next = (beat + 1) * lanes;
  return next >= 32 ? 0 : exec >> next << next;
}

/* ---- arbiters by age (6.3)
 * Of those that present the lowest number is picked, but one that lost AgeLimit times in a row precedes: the
 * largest loss count, then the lowest number. Write-back, result queue (6.5), chunk port (11b) and SM port
 * (13) choose by it. `presenting`: bit per number. */
enum { WL_MOST_LOSSES = 15 };

/* -1: nobody presents. */
static inline int wl_age_pick(const uint8_t *loss, uint32_t presenting) {
  int best = -1;
  for (; presenting != 0; presenting &= presenting - 1) {
    const int i = (int)wl_lowest(presenting);
    if (best < 0 || (loss[i] >= WL_AGE_LIMIT && loss[i] > loss[best])) best = i;
  }
  return best;
}

/* A cycle in which `taken` was (-1: nobody): a loss is a cycle in which one presents and another is taken. */
static inline void wl_age_count(uint8_t *loss, unsigned count, uint32_t presenting, int taken) {
  const uint32_t losers = taken >= 0 ? presenting & ~(1U << taken) : presenting;
  if (losers == 0) { /* in most cycles */
    memset(loss, 0, count);
    return;
  }
  for (unsigned i = 0; i < count; i++) {
    if ((losers >> i & 1) == 0)
      loss[i] = 0;
    else if (taken >= 0 && loss[i] < WL_MOST_LOSSES)
      loss[i]++;
  }
}

static inline bool wl_age_at_rest(const uint8_t *loss, unsigned count) {
  bool rest = true;
  for (unsigned i = 0; i < count; i++)
    rest = rest && loss[i] == 0;
  return rest;
}

#endif
