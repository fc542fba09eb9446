/* Issue (docs/microarchitecture.md 5): which warp issues, what its instruction becomes, and the
 * pending registers, predicates and counts of instructions. Hazard sets are core/decode.c's, the
 * path's own reaction to an issue (cur.pc, ctl, released, walks) is core/paths.c's. */
#include <string.h>

#include "cmodel/gpu/sm.h"

void wl_issue_reset(wl_sm_t *sm, unsigned k) {
  wl_sub_t *s = &sm->sub[k];
  memset(&s->issue, 0, sizeof s->issue);
  s->issue.is_last = s->issue.scan_last = s->issue.served_last = s->last_warp;
}

/* 7.4: the running path's lanes are all released and the instruction is one they waited at. */
static bool is_released(const wl_sub_t *s, unsigned w, const wl_insn_t *insn) {
  if (insn->dec.info == NULL || !insn->dec.info->of.returns) return false;
  const uint32_t m = s->paths.cur_mask[w];
  return insn->trap == WL_TRAP_NONE && m != 0 && (m & ~s->paths.released[w]) == 0;
}

static uint32_t lanes_of(const wl_sm_t *sm, const wl_sub_t *s, unsigned w, unsigned pred,
                         unsigned neg) {
  const uint32_t value = pred == WL_PRED_TRUE ? ~UINT32_C(0) : s->regs.pred[wl_row_of(sm, w)][pred];
  return neg ? ~value : value;
}

static uint32_t exec_mask(const wl_sm_t *sm, const wl_sub_t *s, unsigned w, const wl_insn_t *insn) {
  const uint32_t m = s->paths.cur_mask[w];
  if (is_released(s, w, insn)) return m;
  return m & lanes_of(sm, s, w, insn->dec.guard, insn->dec.guard_neg);
}

static bool unit_free(const wl_sub_t *s, const wl_sub_wires_t *w, unsigned warp,
                      const wl_insn_t *insn) {
  const wl_form_info_t *info = insn->dec.info;
  if (info == NULL) return true;
  if ((info->unit == WL_UNIT_LSU && !w->lsu_ready) ||
      (info->unit == WL_UNIT_LDC && !w->ldc_ready) || (info->unit == WL_UNIT_SYNC && !w->xch_ready))
    return false;
  if (is_released(s, warp, insn)) return true;
  return (!info->of.target_buffer || w->tbuf_free) &&
         (!info->of.waits || s->issue.mem_inflight[warp] == 0);
}

static bool is_ready(const wl_sub_t *s, const wl_sub_wires_t *w, unsigned warp) {
  const wl_insn_t *insn = wl_head(s, warp);
  return unit_free(s, w, warp, insn) || insn->trap != WL_TRAP_NONE;
}

bool wl_issue_is_ready(const wl_sm_t *sm, const wl_wires_t *w, unsigned warp) {
  const unsigned k = wl_sub_of(sm, warp);
  return is_ready(&sm->sub[k], &w->sub[k], warp);
}

static unsigned greedy(const wl_sm_t *sm, const wl_issue_t *is, wl_wmask_t ready) {
  wl_wmask_t set = ready & ~is->wserved;
  if (set == 0) return wl_next_after(ready, is->served_last);
  if (wl_wbit(set, is->is_last)) return is->is_last;
  unsigned best = wl_lowest(set);
  for (set &= set - 1; set != 0; set &= set - 1) {
    const unsigned w = wl_lowest(set);
    if (sm->disp.cta[sm->disp.warp_cta[w]].seq > sm->disp.cta[sm->disp.warp_cta[best]].seq)
      best = w;
  }
  return best;
}

/* n of 6.1. */
static unsigned slot_count(const wl_config_t *cfg, const wl_insn_t *insn, uint32_t beats,
                           bool released) {
  const wl_unit_facts_t *of = &insn->dec.info->of;
  if (released ? of->released_one_slot : of->one_slot) return 1;
  unsigned n = insn->two_preds;
  for (unsigned s = 0; s < insn->steps; s++)
    n += insn->cost[s];
  return n * wl_parts(cfg, insn) * (unsigned)__builtin_popcount(beats);
}

static uint32_t active_beats(const wl_sm_t *sm, uint32_t exec) {
  uint32_t beats = 0;
  for (unsigned b = 0; b < sm->cfg.beats; b++)
    if ((exec & wl_beat_lanes(&sm->cfg, b)) != 0) beats |= 1u << b;
  return beats;
}

static bool sets_polled(const wl_insn_dec_t *dec) {
  switch ((wl_polls_t)dec->info->of.polls) {
  case WL_POLLS_NO:
    return false;
  case WL_POLLS_YES:
    return true;
  case WL_POLLS_STRONG:
    return dec->strong;
  case WL_POLLS_RESULT:
    return dec->rd != WL_REG_ZERO;
  }
  return false;
}

/* Members of a SYNC where they are known at issue, and whether it need not wait (9). */
static void meet(const wl_sub_t *s, wl_issue_wire_t *is) {
  const wl_insn_dec_t *dec = &is->insn->dec;
  if (dec->info->imm != WL_IMM_M) {
    is->member = is->released ? s->paths.xmask[is->warp] : 0;
    return;
  }
  is->member = dec->imm;
  is->fast = !is->released && is->exec == is->path && (is->path & ~is->member) == 0 &&
             (is->member & is->live & ~is->path) == 0;
}

/* Route and flags of an instruction that executes in some lane. */
static void classify(const wl_sm_t *sm, const wl_sub_t *s, wl_issue_wire_t *is) {
  const wl_form_info_t *info = is->insn->dec.info;
  if (info->unit == WL_UNIT_SYNC) meet(s, is);
  is->route = is->released || is->fast ? info->of.released_route : info->of.route;
  is->ctl = is->route == WL_ROUTE_CONTROL;
  is->polled = sets_polled(&is->insn->dec);
  is->takes_tbuf = is->ctl && info->of.target_buffer;
  is->beats = (uint8_t)active_beats(sm, is->exec);
  is->n = (uint8_t)slot_count(&sm->cfg, is->insn, is->beats, is->released);
}

/* Rule 1, and the member check of .i forms (9). */
static bool raise(const wl_sm_t *sm, wl_sub_wires_t *w, const wl_issue_wire_t *is) {
  const wl_insn_t *insn = is->insn;
  wl_trap_info_t *trap = &w->trap[WL_SRC_ISSUE];
  uint8_t cause = insn->trap;
  uint32_t lanes = is->path;
  if (cause == WL_TRAP_NONE && insn->max_reg >= (int)(8 * sm->disp.lb.block.reg_pages))
    cause = WL_TRAP_REGISTER_RANGE;
  if (cause == WL_TRAP_NONE && insn->dec.unit == WL_UNIT_SYNC && insn->dec.info->imm == WL_IMM_M &&
      !is->released) {
    lanes = is->exec & ~insn->dec.imm;
    if (lanes != 0) cause = WL_TRAP_SYNC_MASK;
  }
  if (cause == WL_TRAP_NONE) return false;
  trap->valid = true;
  trap->cause = cause;
  trap->warp = is->warp;
  trap->lane = (uint8_t)(lanes != 0 ? wl_lowest(lanes) : 0);
  trap->pc = insn->pc;
  trap->address = 0;
  return true;
}

static void issue_warp(const wl_sm_t *sm, const wl_sub_t *s, wl_sub_wires_t *w, unsigned warp) {
  wl_issue_wire_t *is = &w->issue;
  const wl_insn_t *insn = wl_head(s, warp);
  const wl_paths_t *paths = &s->paths;
  memset(is, 0, sizeof *is);
  is->insn = insn;
  is->warp = (uint8_t)warp;
  is->path = paths->cur_mask[warp];
  is->exec = exec_mask(sm, s, warp, insn);
  is->live = paths->live[warp];
  is->released = is_released(s, warp, insn);
  if (raise(sm, w, is)) return;
  is->valid = true;
  is->empty = is->exec == 0;
  is->n = 1;
  if (!is->empty) {
    classify(sm, s, is);
    is->s = lanes_of(sm, s, warp, insn->dec.ps, insn->dec.ps_neg);
    is->t = lanes_of(sm, s, warp, insn->dec.pt, insn->dec.pt_neg);
    is->bar_popc = sm->barrier.result[warp].popc;
    is->bar_and = sm->barrier.result[warp].and_all ? ~UINT32_C(0) : 0;
    is->bar_or = sm->barrier.result[warp].or_any ? ~UINT32_C(0) : 0;
  }
  if (is->ctl) return;
  const uint32_t next = (insn->pc + 1) & 0xfffffff;
  const bool remain = (paths->released[warp] & ~is->path) != 0;
  is->chk = is->released && !remain && paths->waiting[warp] != 0;
  const uint32_t exist = paths->exist[warp];
  is->walk = (wl_wbit(paths->stop_valid, warp) && next >= paths->stop_pc[warp]) ||
             (is->released && (exist & (exist - 1)) != 0);
  w->flush[WL_FLUSH_ISSUE] = (wl_flush_wire_t){is->walk, (uint8_t)warp, next};
}

/* The issuable warps whose unit is free. */
static wl_wmask_t ready_warps(const wl_sub_t *s, const wl_sub_wires_t *w) {
  wl_wmask_t ready = w->issuable & (w->head_plain | (w->lsu_ready ? w->head_lsu : 0));
  for (wl_wmask_t ask = w->issuable & ~(w->head_plain | w->head_lsu); ask != 0; ask &= ask - 1) {
    const unsigned warp = wl_lowest(ask);
    if (is_ready(s, w, warp)) ready |= UINT64_C(1) << warp;
  }
  return ready;
}

static bool is_allowed(const wl_sm_t *sm, const wl_sub_t *s) {
  return s->issue.is_left <= 1 && !sm->trap.latched.valid && s->writeback.lost < WL_AGE_LIMIT &&
         !wl_stalls(sm, WL_STALL_AT_ISSUE);
}

/* IssueAhead = 1: a cycle without a pick chooses one, a later one issues it. */
static void issue_ahead(const wl_sm_t *sm, const wl_sub_t *s, wl_sub_wires_t *w) {
  const wl_issue_t *is = &s->issue;
  w->pick_ends = sm->trap.latched.valid;
  if (w->pick_ends) return;
  if (!is->pick_valid) {
    const wl_wmask_t ready = ready_warps(s, w);
    if (ready != 0) w->chosen = UINT64_C(1) << wl_next_after(ready, is->is_last);
    return;
  }
  if (!is->pick_held || !is_allowed(sm, s)) return;
  w->pick_ends = true;
  issue_warp(sm, s, w, is->is_last);
}

void wl_issue_arb(const wl_sm_t *sm, wl_wires_t *wires, unsigned k) {
  const wl_sub_t *s = &sm->sub[k];
  wl_sub_wires_t *w = &wires->sub[k];
  w->issue.valid = false;
  w->circular = 0;
  w->trap[WL_SRC_ISSUE].valid = false;
  w->flush[WL_FLUSH_ISSUE].valid = false;
  wl_hazards_arb(sm, w, k);
  if (sm->cfg.issue_ahead) {
    w->chosen = 0;
    issue_ahead(sm, s, w);
    return;
  }
  if (w->issuable == 0 || !is_allowed(sm, s)) return;
  const wl_wmask_t ready = ready_warps(s, w);
  if (sm->cfg.sched_greedy && (ready & ~s->issue.wserved) == 0) w->circular = ready;
  if (ready == 0) return;
  issue_warp(sm, s, w,
             sm->cfg.sched_greedy ? greedy(sm, &s->issue, ready)
                                  : wl_next_after(ready, s->issue.is_last));
}

/* Events of the warp may change its head's verdict; asking again is always safe. */
static void touch(wl_issue_t *is, unsigned warp) { is->head_known &= ~(UINT64_C(1) << warp); }

static void finish(wl_issue_t *is, unsigned warp, bool memory) {
  if (--is->inflight[warp] == 0) is->inflight_any &= ~(UINT64_C(1) << warp);
  if (memory) is->mem_inflight[warp]--;
}

static void clear_busy(wl_issue_t *is, unsigned warp, unsigned reg) {
  touch(is, warp);
  if (reg != WL_REG_ZERO) is->busy[warp][reg >> 6] &= ~(UINT64_C(1) << (reg & 63));
}

static void clear_pbusy(wl_issue_t *is, unsigned warp, unsigned preds) {
  touch(is, warp);
  is->pbusy[warp] = (uint8_t)(is->pbusy[warp] & ~preds);
}

/* The last part of the highest active beat is the last of its register. */
static bool last_of_register(const wl_x1_wire_t *x) {
  return x->last_part && x->f->beats >> x->beat == 1;
}

static void fixed_events(wl_issue_t *is, const wl_sub_wires_t *w) {
  const wl_x1_wire_t *next = &w->fixed_next, *now = &w->fixed, *late = &w->fixed_late;
  if (next->valid && last_of_register(next) && next->f->insn.dec.info->d > next->step)
    clear_busy(is, next->f->warp, wl_reg_word(next->f->insn.dec.rd, next->step));
  if (late->valid && late->last) {
    clear_pbusy(is, late->f->warp, 1u << late->f->insn.dec.pq);
    finish(is, late->f->warp, false);
  }
  if (!now->valid || !now->last) return;
  if (now->f->insn.two_preds) {
    const wl_insn_dec_t *dec = &now->f->insn.dec;
    if (dec->pd != dec->pq) clear_pbusy(is, now->f->warp, 1u << dec->pd);
    return;
  }
  clear_pbusy(is, now->f->warp, now->f->insn.dest_p);
  finish(is, now->f->warp, false);
}

static void vwb_events(wl_issue_t *is, const wl_sub_wires_t *w) {
  if (w->vwb_grant < 0) return;
  const wl_vwb_wire_t *v = &w->vwb[w->vwb_grant];
  if (v->last_beat) {
    clear_busy(is, v->warp, v->reg);
    if (v->has_pred && v->pd != WL_PRED_TRUE) clear_pbusy(is, v->warp, 1u << v->pd);
  }
  if (v->last) finish(is, v->warp, w->vwb_grant == WL_VWB_LSU);
}

static void finishes(const wl_sub_t *s, wl_issue_t *is, const wl_wires_t *wires,
                     const wl_sub_wires_t *w) {
  fixed_events(is, w);
  vwb_events(is, w);
  /* One with a link finishes with its write. */
  if (w->resolve && !w->resolve_f->insn.dec.info->of.link) finish(is, w->resolve_f->warp, false);
  if (w->finish_xch.valid) finish(is, w->finish_xch.warp, false);
  if (wires->finish_ldc.valid && wl_wbit(s->warps, wires->finish_ldc.warp))
    finish(is, wires->finish_ldc.warp, false);
  for (uint32_t set = wires->lsu_free; set != 0; set &= set - 1) {
    const unsigned warp = wires->lsu_free_warp[wl_lowest(set)];
    if (wl_wbit(s->warps, warp)) finish(is, warp, true);
  }
}

static void begin(wl_issue_t *is, const wl_issue_wire_t *now) {
  const wl_insn_t *insn = now->insn;
  const unsigned warp = now->warp;
  is->is_left = now->n;
  is->is_last = now->warp; /* IssueAhead = 1: it is, since the choice */
  if (now->empty || now->route == WL_ROUTE_NONE) return;
  is->inflight[warp]++;
  is->inflight_any |= UINT64_C(1) << warp;
  if (insn->dec.unit == WL_UNIT_LSU) is->mem_inflight[warp]++;
  if (now->ctl && insn->dec.info->of.returns) return; /* it writes when it is released */
  for (int i = 0; i < WL_REG_WORDS; i++)
    is->busy[warp][i] |= insn->dest[i];
  is->pbusy[warp] |= insn->dest_p;
}

/* IssueAhead = 1: chosen, then read, then issued. */
static void keep_pick(wl_issue_t *is, const wl_sub_wires_t *w) {
  is->pick_held = is->pick_valid;
  if (w->pick_ends) is->pick_valid = false;
  if (w->chosen == 0) return;
  is->pick_valid = true;
  is->is_last = (uint8_t)wl_lowest(w->chosen);
}

void wl_issue_update(wl_sm_t *sm, const wl_wires_t *wires, unsigned k) {
  wl_sub_t *s = &sm->sub[k];
  const wl_sub_wires_t *w = &wires->sub[k];
  wl_issue_t *is = &s->issue;
  if (wires->clear) {
    wl_issue_reset(sm, k);
    return;
  }
  if (is->is_left > 0) is->is_left--;
  wl_hazards_update(sm, wires, k);
  if (sm->cfg.issue_ahead) keep_pick(is, w);
  finishes(s, is, wires, w);
  if (w->issue.valid) {
    begin(is, &w->issue);
    if (w->circular != 0) is->served_last = w->issue.warp;
    const uint32_t record[4] = {w->issue.warp, w->issue.insn->pc, w->issue.path, w->issue.exec};
    wl_journal(sm, WL_J_ISSUE, record, 4);
    sm->count.issued++;
    sm->count.thread_insns += (unsigned)__builtin_popcount(w->issue.exec);
  }
  if ((w->issuable & ~is->wserved) == 0) is->wserved = 0;
  if (w->turn_end.valid) is->wserved |= UINT64_C(1) << w->turn_end.warp;
}
