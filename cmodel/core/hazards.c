/* Hazards (docs/microarchitecture.md 5): pending registers and predicates of a warp against what an
 * instruction reads and writes: the verdict on every head, or on one per cycle, and so which warps are
 * issuable; and whether nothing is pending at all. Pending bits are written by core/issue.c, which
 * also knows of units and buffers. */
#include "cmodel/gpu/sm.h"

static bool hazard_free(const wl_issue_t *issue, unsigned warp, const wl_insn_t *insn) {
  const uint64_t *busy = issue->busy[warp];
  const uint64_t hit = (busy[0] & insn->need[0]) | (busy[1] & insn->need[1]) |
                       (busy[2] & insn->need[2]) | (busy[3] & insn->need[3]);
  return hit == 0 && (issue->pbusy[warp] & insn->need_p) == 0;
}

/* HazardScan = 0: looks at the heads of `set` whose verdict is not known. */
static void judge_heads(const wl_sub_t *s, wl_sub_wires_t *w, wl_wmask_t set) {
  const wl_issue_t *is = &s->issue;
  wl_wmask_t free = is->head_free & is->head_known, plain = is->head_plain & is->head_known;
  wl_wmask_t lsu = is->head_lsu & is->head_known;
  for (wl_wmask_t ask = set & ~is->head_known; ask != 0; ask &= ask - 1) {
    const unsigned warp = wl_lowest(ask);
    const wl_insn_t *insn = wl_head(s, warp);
    free |= (wl_wmask_t)hazard_free(is, warp, insn) << warp;
    plain |= (wl_wmask_t)insn->plain << warp;
    lsu |= (wl_wmask_t)insn->plain_lsu << warp;
  }
  w->head_known = is->head_known | set;
  w->head_free = free;
  w->head_plain = plain;
  w->head_lsu = lsu;
}

/* HazardScan = 1: takes a warp of `set` and judges the one taken in the cycle before; the others count
 * as they were judged before. */
static void scan_heads(const wl_sub_t *s, wl_sub_wires_t *w, wl_wmask_t set) {
  const wl_issue_t *is = &s->issue;
  const wl_wmask_t judged = (wl_wmask_t)is->scan_valid << is->scan_last;
  const wl_wmask_t ask = set & ~is->nohaz & ~judged;
  w->head_known = 0;
  w->head_free = is->nohaz;
  w->head_plain = is->head_plain;
  w->head_lsu = is->head_lsu;
  w->scan_free = 0;
  w->taken = ask == 0 ? 0 : UINT64_C(1) << wl_next_after(ask, is->scan_last);
  if (judged == 0) return;
  const wl_insn_t *insn = wl_head(s, is->scan_last);
  if (hazard_free(is, is->scan_last, insn)) w->scan_free = judged;
  w->head_plain = (w->head_plain & ~judged) | (wl_wmask_t)insn->plain << is->scan_last;
  w->head_lsu = (w->head_lsu & ~judged) | (wl_wmask_t)insn->plain_lsu << is->scan_last;
}

void wl_hazards_arb(const wl_sm_t *sm, wl_sub_wires_t *w, unsigned k) {
  const wl_sub_t *s = &sm->sub[k];
  const wl_wmask_t set = sm->env.slots->warp_valid & s->paths.run & ~s->paths.ctl & s->fetch.ib_valid;
  if (sm->env.cfg.hazard_scan)
    scan_heads(s, w, set);
  else
    judge_heads(s, w, set);
  w->issuable = set & w->head_free;
}

/* Verdicts of this cycle, without the warps whose head goes. */
void wl_hazards_update(wl_sm_t *sm, const wl_wires_t *wires, unsigned k) {
  wl_issue_t *is = &sm->sub[k].issue;
  const wl_sub_wires_t *w = &wires->sub[k];
  wl_wmask_t gone = wires->cta_start ? wires->start_warps : 0;
  for (int i = 0; i < WL_FLUSHES; i++)
    if (w->flush[i].valid) gone |= UINT64_C(1) << w->flush[i].warp;
  if (w->issue.valid) gone |= UINT64_C(1) << w->issue.warp;
  is->head_known = w->head_known & ~gone;
  is->head_free = w->head_free;
  is->head_plain = w->head_plain;
  is->head_lsu = w->head_lsu;
  if (!sm->env.cfg.hazard_scan) return;
  is->nohaz = (is->nohaz | w->scan_free) & ~gone;
  is->scan_valid = w->taken != 0;
  if (w->taken != 0) is->scan_last = (uint8_t)wl_lowest(w->taken);
}

/* REST of section 15; ctl is written by core/paths.c. */
bool wl_issue_at_rest(const wl_sm_t *sm, unsigned k) {
  const wl_sub_t *s = &sm->sub[k];
  const wl_issue_t *is = &s->issue;
  if (is->is_left != 0 || is->inflight_any != 0 || s->paths.ctl != 0) return false;
  for (unsigned w = 0; w < sm->env.cfg.warps; w++) {
    if (is->inflight[w] != 0 || is->mem_inflight[w] != 0 || is->pbusy[w] != 0) return false;
    for (int i = 0; i < WL_REG_WORDS; i++)
      if (is->busy[w][i] != 0) return false;
  }
  return true;
}
