/* Issue (docs/microarchitecture.md 5): which warp issues, what its instruction becomes, and the
 * pending registers, predicates and counts of instructions. Hazard sets are core/decode.c's, the
 * path's own reaction to an issue (cur.pc, ctl, released, walks) is core/paths.c's. */
#include "cmodel/core/issue.h"

#include <string.h>

void wl_issue_reset(wl_issue_t *is, const wl_env_t *env, unsigned k) {
  memset(is, 0, sizeof *is);
  is->notes_left = (uint8_t)env->cfg.range_notes;
  is->is_last = is->scan_last = is->served_last = env->last_warp[k];
}

/* The oldest instruction in a warp's buffer. */
static const wl_insn_t *head_of(const wl_sub_wires_t *w, unsigned warp) {
  const wl_ib_t *ib = &w->ib[warp];
  return &ib->entry[ib->head];
}

/* 7.4: the running path's lanes are all released and the instruction is one they waited at. */
static bool is_released(const wl_sub_wires_t *w, unsigned warp, const wl_insn_t *insn) {
  if (insn->dec.info == NULL || !insn->dec.info->of.returns) return false;
  const uint32_t m = w->cur_mask[warp];
  return insn->trap == WL_TRAP_NONE && m != 0 && (m & ~w->released[warp]) == 0;
}

static uint32_t lanes_of(const wl_env_t *env, const wl_sub_wires_t *w, unsigned warp, unsigned pred,
                         unsigned neg) {
  const uint32_t value = pred == WL_PRED_TRUE ? ~UINT32_C(0) : w->pred[wl_row_of(env, warp)][pred];
  return neg ? ~value : value;
}

static uint32_t exec_mask(const wl_env_t *env, const wl_sub_wires_t *w, unsigned warp,
                          const wl_insn_t *insn) {
  const uint32_t m = w->cur_mask[warp];
  if (is_released(w, warp, insn)) return m;
  return m & lanes_of(env, w, warp, insn->dec.guard, insn->dec.guard_neg);
}

/* Tensor memory: loads need an entry; the allocator's forms its turn; one that waits, no range note. */
static bool tmem_free(const wl_issue_t *is, const wl_sub_wires_t *w, unsigned warp,
                      const wl_form_info_t *info) {
  if (info->op == WL_TMEM_LD) return w->tmem_free;
  if (info->op == WL_TMEM_WAITLD) return !wl_notes_pending(is, warp);
  return info->op == WL_TMEM_ST || w->columns_open;
}

static bool unit_free(const wl_issue_t *is, const wl_sub_wires_t *w, unsigned warp,
                      const wl_insn_t *insn) {
  const wl_form_info_t *info = insn->dec.info;
  if (info == NULL) return true;
  if (!w->ready[info->unit] || (insn->noted && is->notes_left == 0)) return false;
  if (is_released(w, warp, insn)) return true;
  if (info->unit == WL_UNIT_TMEM && !tmem_free(is, w, warp, info)) return false;
  return (!info->of.target_buffer || w->tbuf_free) &&
         (info->of.waits != 1 || is->mem_inflight[warp] == 0);
}

bool wl_issue_is_ready(const wl_issue_t *is, const wl_sub_wires_t *w, unsigned warp) {
  const wl_insn_t *insn = head_of(w, warp);
  if (insn->unit_only) return w->ready[insn->dec.unit];
  return unit_free(is, w, warp, insn) || insn->trap != WL_TRAP_NONE;
}

static unsigned greedy(const wl_issue_t *is, const wl_env_t *env, wl_wmask_t ready) {
  const wl_slots_t *slots = env->slots;
  wl_wmask_t set = ready & ~is->wserved;
  if (set == 0) return wl_next_after(ready, is->served_last);
  if (wl_wbit(set, is->is_last)) return is->is_last;
  unsigned best = wl_lowest(set);
  for (set &= set - 1; set != 0; set &= set - 1) {
    const unsigned w = wl_lowest(set);
    if (slots->cta[slots->warp_cta[w]].seq > slots->cta[slots->warp_cta[best]].seq) best = w;
  }
  return best;
}

/* n of 6.1. */
static unsigned slot_count(const wl_config_t *cfg, const wl_issue_wire_t *is) {
  const wl_insn_t *insn = is->insn;
  const wl_unit_facts_t *of = &insn->dec.info->of;
  if (is->released ? of->released_one_slot : of->one_slot) return 1;
  unsigned n = insn->two_preds;
  for (unsigned s = 0; s < insn->steps; s++)
    n += insn->cost[s];
  if (of->lanes == WL_LANES_AT_ONCE_ONE) return n * (unsigned)__builtin_popcount(is->exec);
  if (of->lanes == WL_LANES_AT_ONCE_FIRST) return n;
  n *= wl_parts(cfg, insn);
  return is->beats == 1 ? n : n * (unsigned)__builtin_popcount(is->beats);
}

static uint32_t active_beats(const wl_env_t *env, uint32_t exec) {
  if (env->cfg.beats == 1) return exec != 0;
  uint32_t beats = 0;
  for (unsigned b = 0; b < env->cfg.beats; b++)
    if ((exec & wl_beat_lanes(&env->cfg, b)) != 0) beats |= 1u << b;
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
static void meet(const wl_sub_wires_t *w, wl_issue_wire_t *is) {
  const wl_insn_dec_t *dec = &is->insn->dec;
  if (dec->info->imm != WL_IMM_M) {
    is->member = is->released ? w->xmask[is->warp] : 0;
    return;
  }
  is->member = dec->imm;
  is->fast = !is->released && is->exec == is->path && (is->path & ~is->member) == 0 &&
             (is->member & is->live & ~is->path) == 0;
}

/* Route and flags of an instruction that executes in some lane. */
static void classify(const wl_env_t *env, const wl_sub_wires_t *w, wl_issue_wire_t *is) {
  const wl_form_info_t *info = is->insn->dec.info;
  if (info->unit == WL_UNIT_SYNC) meet(w, is);
  is->route = is->released || is->fast ? info->of.released_route : info->of.route;
  is->ctl = is->route == WL_ROUTE_CONTROL;
  is->polled = sets_polled(&is->insn->dec);
  is->takes_tbuf = is->ctl && info->of.target_buffer;
  const bool first = info->of.lanes == WL_LANES_AT_ONCE_FIRST; /* no other lane is read */
  is->beats = (uint8_t)active_beats(env, first ? is->exec & -is->exec : is->exec);
  is->n = (uint16_t)slot_count(&env->cfg, is);
}

/* A gathered form of a path that is not all of the warp: it waits for the others (7.2). */
static void arrive(const wl_env_t *env, wl_issue_wire_t *is) {
  is->route = WL_ROUTE_CONTROL;
  is->ctl = is->arrives = true;
  is->exec = is->path;
  is->beats = (uint8_t)active_beats(env, is->exec);
}

/* Most instructions cannot. */
static bool may_raise(const wl_env_t *env, const wl_insn_t *insn) {
  return insn->trap != WL_TRAP_NONE || insn->max_reg >= (int)(8 * env->launch->reg_pages) ||
         insn->gathered || insn->dec.unit == WL_UNIT_SYNC;
}

static void issue_warp(const wl_env_t *env, const wl_wires_t *wires, wl_sub_wires_t *w,
                       unsigned warp) {
  wl_issue_wire_t *is = &w->issue;
  const wl_insn_t *insn = head_of(w, warp);
  memset(is, 0, sizeof *is);
  is->insn = insn;
  is->warp = (uint8_t)warp;
  is->path = w->cur_mask[warp];
  is->exec = exec_mask(env, w, warp, insn);
  is->live = w->live[warp];
  is->released = is_released(w, warp, insn);
  if (may_raise(env, insn) && wl_issue_raise(env, w, is)) return;
  is->valid = true;
  is->n = 1;
  if (insn->gathered && wl_issue_arrives(is)) {
    arrive(env, is);
    return;
  }
  is->empty = is->exec == 0;
  if (!is->empty) {
    classify(env, w, is);
    is->s = lanes_of(env, w, warp, insn->dec.ps, insn->dec.ps_neg);
    is->t = lanes_of(env, w, warp, insn->dec.pt, insn->dec.pt_neg);
    const wl_bar_result_t *result = &wires->bar_result[warp];
    is->bar_popc = result->popc;
    is->bar_and = result->and_all ? ~UINT32_C(0) : 0;
    is->bar_or = result->or_any ? ~UINT32_C(0) : 0;
  }
  if (is->ctl) return;
  const uint32_t next = (insn->pc + 1) & 0xfffffff;
  const bool remain = (w->released[warp] & ~is->path) != 0;
  is->chk = is->released && !remain && w->waiting[warp] != 0;
  const uint32_t exist = w->exist[warp];
  is->walk = (wl_wbit(w->stop_valid, warp) && next >= w->stop_pc[warp]) ||
             (is->released && (exist & (exist - 1)) != 0);
  w->flush[WL_FLUSH_ISSUE] = (wl_flush_wire_t){is->walk, (uint8_t)warp, next};
}

/* The issuable warps whose unit is free. */
static wl_wmask_t ready_warps(const wl_issue_t *is, const wl_sub_wires_t *w) {
  const wl_wmask_t lsu = w->ready[WL_UNIT_LSU] ? w->head_lsu : 0;
  wl_wmask_t ready = w->issuable & (w->head_plain | lsu);
  for (wl_wmask_t ask = w->issuable & ~(w->head_plain | w->head_lsu); ask != 0; ask &= ask - 1) {
    const unsigned warp = wl_lowest(ask);
    const wl_insn_t *insn = head_of(w, warp);
    const bool free = insn->unit_only ? w->ready[insn->dec.unit] : wl_issue_is_ready(is, w, warp);
    ready |= (wl_wmask_t)free << warp;
  }
  return ready;
}

static bool is_allowed(const wl_issue_t *is, const wl_env_t *env, const wl_wires_t *wires,
                       const wl_sub_wires_t *w) {
  return is->is_left <= 1 && !wires->trap_pending && w->vwb_lost < WL_AGE_LIMIT &&
         !wl_stalls(env, WL_STALL_AT_ISSUE);
}

/* IssueAhead = 1: a cycle without a pick chooses one, a later one issues it. */
static void issue_ahead(const wl_issue_t *is, const wl_env_t *env, const wl_wires_t *wires,
                        wl_sub_wires_t *w) {
  w->pick_ends = wires->trap_pending;
  if (w->pick_ends) return;
  if (!is->pick_valid) {
    const wl_wmask_t ready = ready_warps(is, w);
    if (ready != 0) w->chosen = UINT64_C(1) << wl_next_after(ready, is->is_last);
    return;
  }
  if (!is->pick_held || !is_allowed(is, env, wires, w)) return;
  w->pick_ends = true;
  issue_warp(env, wires, w, is->is_last);
}

void wl_issue_arb(const wl_issue_t *is, const wl_env_t *env, wl_wires_t *wires, unsigned k) {
  wl_sub_wires_t *w = &wires->sub[k];
  w->issue.valid = false;
  w->circular = 0;
  w->trap[WL_SRC_ISSUE].valid = false;
  w->flush[WL_FLUSH_ISSUE].valid = false;
  wl_hazards_arb(is, env, w);
  if (env->cfg.issue_ahead) {
    w->chosen = 0;
    issue_ahead(is, env, wires, w);
    return;
  }
  if (w->issuable == 0 || !is_allowed(is, env, wires, w)) return;
  const wl_wmask_t ready = ready_warps(is, w);
  if (env->cfg.sched_greedy && (ready & ~is->wserved) == 0) w->circular = ready;
  if (ready == 0) return;
  issue_warp(env, wires, w,
             env->cfg.sched_greedy ? greedy(is, env, ready) : wl_next_after(ready, is->is_last));
}

/* Events of the warp may change its head's verdict; asking again is always safe. */
static void touch(wl_issue_t *is, unsigned warp) { is->head_known &= ~(UINT64_C(1) << warp); }

static void finish(wl_issue_t *is, unsigned warp, bool memory) {
  if (--is->inflight[warp] == 0) is->inflight_any &= ~(UINT64_C(1) << warp);
  if (memory) is->mem_inflight[warp]--; /* not of deferred forms (22) */
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
  const wl_x1_wire_t *next = w->fixed_next, *now = w->fixed, *late = w->fixed_late;
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
    if (w->vwb_grant == WL_VWB_RESULT) wl_notes_written(is, v);
  }
  if (v->last) finish(is, v->warp, w->vwb_grant == WL_VWB_LSU);
}

/* One with a link finishes with its write, a command of the copy engine or a product with its entry. */
static bool ends_in_t(const wl_flight_t *f, const wl_wires_t *wires) {
  if (f->insn.dec.unit == WL_UNIT_COPY) return wires->copy_fault;
  if (f->insn.dec.unit == WL_UNIT_UMMA) return wires->umma_fault;
  return !f->insn.dec.info->of.link;
}

static void finishes(wl_wmask_t own, wl_issue_t *is, const wl_wires_t *wires,
                     const wl_sub_wires_t *w) {
  fixed_events(is, w);
  vwb_events(is, w);
  if (w->resolve && ends_in_t(w->resolve_f, wires)) finish(is, w->resolve_f->warp, false);
  for (unsigned i = 0; i < WL_FINISHES; i++)
    if (w->finish[i].valid) finish(is, w->finish[i].warp, false);
  if (wires->finish_ldc.valid && wl_wbit(own, wires->finish_ldc.warp))
    finish(is, wires->finish_ldc.warp, false);
  if (wires->copy_free.valid && wl_wbit(own, wires->copy_free.warp))
    finish(is, wires->copy_free.warp, false);
  if (wires->umma_free.valid && wl_wbit(own, wires->umma_free.warp))
    finish(is, wires->umma_free.warp, false);
  for (uint32_t set = wires->lsu_free; set != 0; set &= set - 1) {
    const unsigned warp = wires->lsu_free_warp[wl_lowest(set)];
    const bool deferred = (wires->lsu_deferred >> wl_lowest(set) & 1) != 0;
    if (wl_wbit(own, warp)) finish(is, warp, !deferred);
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
  if (insn->dec.unit == WL_UNIT_LSU && !now->ctl && !wl_is_deferred(insn->dec.info))
    is->mem_inflight[warp]++;
  /* It writes when it is released, or when all lanes are there. */
  if (now->arrives || (now->ctl && insn->dec.info->of.returns)) return;
  if (insn->noted) wl_notes_take(is, now);
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

void wl_issue_update(wl_issue_t *is, const wl_env_t *env, const wl_wires_t *wires, unsigned k) {
  const wl_sub_wires_t *w = &wires->sub[k];
  if (wires->gpu->clear) {
    wl_issue_reset(is, env, k);
    return;
  }
  if (is->is_left > 0) is->is_left--;
  wl_hazards_update(is, env, wires, w);
  if (env->cfg.issue_ahead) keep_pick(is, w);
  finishes(env->sub_warps[k], is, wires, w);
  if (w->issue.valid) {
    begin(is, &w->issue);
    if (w->circular != 0) is->served_last = w->issue.warp;
    const uint32_t record[4] = {w->issue.warp, w->issue.insn->pc, w->issue.path, w->issue.exec};
    wl_journal(env, WL_J_ISSUE, record, 4);
    env->reports->count.issued++;
    env->reports->count.thread_insns += (unsigned)__builtin_popcount(w->issue.exec);
  }
  if ((w->issuable & ~is->wserved) == 0) is->wserved = 0;
  if (w->turn_end.valid) is->wserved |= UINT64_C(1) << w->turn_end.warp;
}
