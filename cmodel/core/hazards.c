/* Hazards (docs/microarchitecture.md 5): pending registers and predicates of a warp against what an
 * instruction reads and writes. Unit and buffer availability is core/issue.c. */
#include "cmodel/gpu/sm.h"

bool wl_hazard_free(const wl_issue_t *issue, unsigned warp, const wl_insn_t *insn) {
  const uint64_t *busy = issue->busy[warp];
  const uint64_t hit = (busy[0] & insn->need[0]) | (busy[1] & insn->need[1]) |
                       (busy[2] & insn->need[2]) | (busy[3] & insn->need[3]);
  return hit == 0 && (issue->pbusy[warp] & insn->need_p) == 0;
}
