/* Hazards (docs/microarchitecture.md 5): pending registers and predicates of a warp against what an
 * instruction reads and writes: the verdict on every head, or on one per cycle, and so which warps are
 * issuable; and whether nothing is pending at all. Pending bits are written by core/issue.c, which
 * also knows of units and buffers. */
#include "cmodel/core/issue.h"

static bool hazard_free(const wl_issue_t *issue, unsigned warp, const wl_insn_t *insn) {
  const uint64_t *busy = issue->busy[warp];
  const uint64_t hit = (busy[0] & insn->need[0]) | (busy[1] & insn->need[1]) |
                       (busy[2] & insn->need[2]) | (busy[3] & insn->need[3]);
  return hit == 0 && (issue->pbusy[warp] & insn->need_p) == 0;
}

static bool is_lsu(const wl_insn_t *insn) {
  return insn->unit_only && insn->dec.unit == WL_UNIT_LSU;
}

/* HazardScan = 0: looks at the heads of `set` whose verdict is not known. */
static void judge_heads(const wl_issue_t *is, wl_sub_wires_t *w, wl_wmask_t set) {
  wl_wmask_t free = is->head_free & is->head_known, plain = is->head_plain & is->head_known;
  wl_wmask_t lsu = is->head_lsu & is->head_known;
  for (wl_wmask_t ask = set & ~is->head_known; ask != 0; ask &= ask - 1) {
    const unsigned warp = wl_lowest(ask);
    const wl_insn_t *insn = &w->ib[warp].entry[w->ib[warp].head];
    free |= (wl_wmask_t)hazard_free(is, warp, insn) << warp;
    plain |= (wl_wmask_t)insn->plain << warp;
    lsu |= (wl_wmask_t)is_lsu(insn) << warp;
  }
  w->head_known = is->head_known | set;
  w->head_free = free;
  w->head_plain = plain;
  w->head_lsu = lsu;
}

/* HazardScan = 1: takes a warp of `set` and judges the one taken in the cycle before; the others count
 * as they were judged before. */
static void scan_heads(const wl_issue_t *is, wl_sub_wires_t *w, wl_wmask_t set) {
  const wl_wmask_t judged = (wl_wmask_t)is->scan_valid << is->scan_last;
  const wl_wmask_t ask = set & ~is->nohaz & ~judged;
  w->head_known = 0;
  w->head_free = is->nohaz;
  w->head_plain = is->head_plain;
  w->head_lsu = is->head_lsu;
  w->scan_free = 0;
  w->taken = ask == 0 ? 0 : UINT64_C(1) << wl_next_after(ask, is->scan_last);
  if (judged == 0) return;
  const wl_ib_t *ib = &w->ib[is->scan_last];
  const wl_insn_t *insn = &ib->entry[ib->head];
  if (hazard_free(is, is->scan_last, insn)) w->scan_free = judged;
  w->head_plain = (w->head_plain & ~judged) | (wl_wmask_t)insn->plain << is->scan_last;
  w->head_lsu = (w->head_lsu & ~judged) | (wl_wmask_t)is_lsu(insn) << is->scan_last;
}

void wl_hazards_arb(const wl_issue_t *is, const wl_env_t *env, wl_sub_wires_t *w) {
  const wl_wmask_t set = env->slots->warp_valid & w->run & ~w->ctl & w->ib_valid;
  if (env->cfg.hazard_scan)
    scan_heads(is, w, set);
  else
    judge_heads(is, w, set);
  w->issuable = set & w->head_free;
}

/* Verdicts of this cycle, without the warps whose head goes. */
void wl_hazards_update(wl_issue_t *is, const wl_env_t *env, const wl_wires_t *wires,
                       const wl_sub_wires_t *w) {
  wl_wmask_t gone = wires->cta_start ? wires->start_warps : 0;
  for (int i = 0; i < WL_FLUSHES; i++)
    if (w->flush[i].valid) gone |= UINT64_C(1) << w->flush[i].warp;
  if (w->issue.valid) gone |= UINT64_C(1) << w->issue.warp;
  is->head_known = w->head_known & ~gone;
  is->head_free = w->head_free;
  is->head_plain = w->head_plain;
  is->head_lsu = w->head_lsu;
  if (!env->cfg.hazard_scan) return;
  is->nohaz = (is->nohaz | w->scan_free) & ~gone;
  is->scan_valid = w->taken != 0;
  if (w->taken != 0) is->scan_last = (uint8_t)wl_lowest(w->taken);
}

/* ---- range notes */
void wl_notes_take(wl_issue_t *is, const wl_issue_wire_t *now) {
  const wl_insn_dec_t *dec = &now->insn->dec;
  const unsigned last = dec->rd + dec->count - 1u;
  wl_note_t *note = is->note;
  while (note->valid)
    note++;
  *note =
      (wl_note_t){true, now->warp, dec->rd, (uint8_t)(last < WL_REG_ZERO ? last : WL_REG_ZERO - 1)};
  is->notes_left--;
}

void wl_notes_written(wl_issue_t *is, const wl_vwb_wire_t *v) {
  for (unsigned i = 0; i < WL_MOST_RANGE_NOTES; i++) {
    wl_note_t *note = &is->note[i];
    if (!note->valid || note->warp != v->warp || v->reg < note->lo || v->reg > note->hi) continue;
    note->lo = (uint8_t)(v->reg + 1);
    if (v->reg != note->hi) continue;
    note->valid = false;
    is->notes_left++;
  }
}

bool wl_notes_pending(const wl_issue_t *is, unsigned warp) {
  for (unsigned i = 0; i < WL_MOST_RANGE_NOTES; i++)
    if (is->note[i].valid && is->note[i].warp == warp) return true;
  return false;
}

/* REST of section 15, without ctl, which is core/paths.c's. */
uint32_t wl_issue_busy(const wl_issue_t *is, const wl_env_t *env) {
  bool busy = is->is_left != 0 || is->inflight_any != 0;
  for (unsigned w = 0; w < env->cfg.warps; w++) {
    busy = busy || is->inflight[w] != 0 || is->mem_inflight[w] != 0 || is->pbusy[w] != 0;
    for (int i = 0; i < WL_REG_WORDS; i++)
      busy = busy || is->busy[w][i] != 0;
  }
  return (uint32_t)busy << WL_REST_ISSUE;
}
