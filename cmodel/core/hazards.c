/* Hazards (docs/microarchitecture.md 5): pending registers and predicates of a warp against what an
 * instruction reads and writes, and whether nothing is pending at all. Unit and buffer availability is
 * core/issue.c. */
#include "cmodel/gpu/sm.h"

bool wl_hazard_free(const wl_issue_t *issue, unsigned warp, const wl_insn_t *insn) {
  const uint64_t *busy = issue->busy[warp];
  const uint64_t hit = (busy[0] & insn->need[0]) | (busy[1] & insn->need[1]) |
                       (busy[2] & insn->need[2]) | (busy[3] & insn->need[3]);
  return hit == 0 && (issue->pbusy[warp] & insn->need_p) == 0;
}

/* REST of section 15; ctl is written by core/paths.c. */
bool wl_issue_at_rest(const wl_sm_t *sm, unsigned k) {
  const wl_sub_t *s = &sm->sub[k];
  const wl_issue_t *is = &s->issue;
  if (is->is_left != 0 || is->inflight_any != 0 || s->paths.ctl != 0) return false;
  for (unsigned w = 0; w < sm->cfg.warps; w++) {
    if (is->inflight[w] != 0 || is->mem_inflight[w] != 0 || is->pbusy[w] != 0) return false;
    for (int i = 0; i < WL_REG_WORDS; i++)
      if (is->busy[w][i] != 0) return false;
  }
  return true;
}
