/* Run-time checks of the model's progress obligations (docs/microarchitecture.md 7): a lane that is
 * READY throughout issues within 63 turns of its warp; with SchedGreedy a warp that stays
 * issuable issues within 2 * Warps + 3 turn ends that come in cycles in which its unit is free, and a
 * warp that is ready whenever the circular rule of section 5 chooses is passed by at most as many
 * choices as its sub-core has other warps, whoever issues between them. With IssueAhead also what section
 * 5 says of the warp chosen: it stays ready until it issues. */
#ifndef WL_CMODEL_GPU_OBLIGATIONS_H
#define WL_CMODEL_GPU_OBLIGATIONS_H

#include <stdint.h>

#include "cmodel/sem/sem.h"
#include "gen/wl_config.h"

struct wl_sm;

typedef struct wl_obligations {           /* bits of the masks: warp slots */
  uint8_t turns[WL_MOST_WARPS][WL_LANES]; /* turn ends since the lane issued or was not READY */
  uint64_t lane_waits;                    /* warps with a count above 0 */
  uint8_t ends[WL_MOST_WARPS];            /* such turn ends while issuable and not issuing */
  uint64_t warp_waits;                    /* warps with a count above 0 */
  uint8_t passed[WL_MOST_WARPS];          /* circular choices in a row that passed the ready warp */
  uint64_t passed_by;                     /* warps with a count above 0 */
} wl_obligations_t;

enum {
  WL_TURN_BOUND = 63,
  WL_ENDS_IN_FLIGHT = 4 /* control instructions between issue and resolve */
};

/* Before the updates of a cycle; a violation becomes the model's error. */
void wl_obligations_check(struct wl_sm *sm);

#endif
