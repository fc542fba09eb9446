/* State of core/issue.c and core/hazards.c (docs/microarchitecture.md 5). */
#ifndef WL_CMODEL_CORE_ISSUE_H
#define WL_CMODEL_CORE_ISSUE_H

#include "cmodel/gpu/wires.h"

/* Range note (5): registers lo .. hi of the warp are still to be written. They are busy bits too. */
typedef struct wl_note {
  bool valid;
  uint8_t warp, lo, hi;
} wl_note_t;

typedef struct wl_issue {
  uint64_t busy[WL_MOST_WARPS][WL_REG_WORDS];
  uint8_t pbusy[WL_MOST_WARPS];
  uint16_t inflight[WL_MOST_WARPS];
  uint16_t mem_inflight[WL_MOST_WARPS];
  wl_wmask_t inflight_any; /* warps with inflight above 0 */
  uint32_t is_left;
  /* Warp last issued, with IssueAhead = 1 last chosen; last chosen by the circular rule of
   * SchedGreedy = 1. */
  uint8_t is_last, served_last;
  wl_wmask_t wserved;
  /* Verdicts on the head of a warp's buffer, kept until the head or a pending bit of the warp
   * changes: known; free = no hazard; plain = its unit cannot be busy; lsu = an LSU form that is
   * ready only if the LSU is. */
  wl_wmask_t head_known, head_free, head_plain, head_lsu;
  /* HazardScan = 1: head_known and head_free are not used; the others are taken when a head is
   * judged. */
  wl_wmask_t nohaz;
  uint8_t scan_last;
  bool scan_valid; /* the head of scan_last is judged in this cycle */
  /* IssueAhead = 1: is_last is chosen and has not issued; held: its head is read. */
  bool pick_valid, pick_held;
  uint8_t notes_left; /* range notes that are free */
  wl_note_t note[WL_MOST_RANGE_NOTES];
} wl_issue_t;

void wl_issue_reset(wl_issue_t *is, const wl_env_t *env, unsigned k);
void wl_issue_arb(const wl_issue_t *is, const wl_env_t *env, wl_wires_t *w, unsigned k);
void wl_issue_update(wl_issue_t *is, const wl_env_t *env, const wl_wires_t *w, unsigned k);
uint32_t wl_issue_busy(const wl_issue_t *is, const wl_env_t *env); /* bits of REST */
/* The unit of the warp's head is free, or the head carries a trap. */
bool wl_issue_is_ready(const wl_issue_t *is, const wl_sub_wires_t *w, unsigned warp);

/* core/issue_trap.c: rule 1 of section 5. Whether a gathered form arrives; whether the instruction
 * raises, which it does. */
bool wl_issue_arrives(const wl_issue_wire_t *is);
bool wl_issue_raise(const wl_env_t *env, wl_sub_wires_t *w, const wl_issue_wire_t *is);

/* core/hazards.c: range notes; the grant of a word takes its register out of its note. */
void wl_notes_take(wl_issue_t *is, const wl_issue_wire_t *now);
void wl_notes_written(wl_issue_t *is, const wl_vwb_wire_t *v);
bool wl_notes_pending(const wl_issue_t *is, unsigned warp); /* the warp has one */
/* core/hazards.c: verdicts on the heads and the issuable warps; both called by core/issue.c. */
void wl_hazards_arb(const wl_issue_t *is, const wl_env_t *env, wl_sub_wires_t *w);
void wl_hazards_update(wl_issue_t *is, const wl_env_t *env, const wl_wires_t *wires,
                       const wl_sub_wires_t *w);

#endif
