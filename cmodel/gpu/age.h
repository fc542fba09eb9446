/* Arbiter by age (docs/microarchitecture.md 6.3): of those that present the lowest number is picked, but one
 * that lost AgeLimit times in a row precedes: the largest loss count, then the lowest number. Write-back,
 * result queue (6.5), chunk port (11b) and SM port (13) choose by it. `presenting`: bit per number. */
#ifndef WL_CMODEL_GPU_AGE_H
#define WL_CMODEL_GPU_AGE_H

#include <string.h>

#include "cmodel/gpu/env.h"

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
