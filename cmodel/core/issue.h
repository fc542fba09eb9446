/* State of core/issue.c and core/hazards.c (docs/microarchitecture.md 5). */
#ifndef WL_CMODEL_CORE_ISSUE_H
#define WL_CMODEL_CORE_ISSUE_H

#include "cmodel/gpu/wires.h"

typedef struct wl_issue {
  uint64_t busy[WL_MOST_WARPS][WL_REG_WORDS];
  uint8_t pbusy[WL_MOST_WARPS];
  uint16_t inflight[WL_MOST_WARPS];
  uint16_t mem_inflight[WL_MOST_WARPS];
  wl_wmask_t inflight_any, mem_any; /* warps with a count above 0 */
  uint32_t is_left;
  uint8_t is_last;
  wl_wmask_t wserved;
} wl_issue_t;

#endif
