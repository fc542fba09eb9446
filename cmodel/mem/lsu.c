/* mem/lsu.c: docs/microarchitecture.md 10: the queue of loads, stores and atomics: one processor
 * in ring order, results to the variable write-back, all of it by LSU beats of LsuLanes lanes. Addresses
 * and faults are mem/lsu_fill.c's, sectors mem/coalescer.c's, banks mem/smem.c's business. */
#include "cmodel/mem/lsu.h"

#include <string.h>

void wl_lsu_reset(wl_lsu_t *l, const wl_env_t *env) {
  (void)env;
  memset(l, 0, sizeof *l);
}

bool wl_lsu_is_red(const wl_lsu_slot_t *s) {
  const unsigned kind = s->dec.info->kind;
  return (kind == WL_MEM_KIND_ATOM || kind == WL_MEM_KIND_MBAR) && s->dec.rd == 255;
}

static bool returns_data(const wl_lsu_slot_t *s) {
  if (wl_is_deferred(s->dec.info)) return !s->stored;
  return s->dec.info->kind != WL_MEM_KIND_ST && !wl_matrix_is_store(s) && !wl_lsu_is_red(s);
}

/* A slot that is SENT and completed is freed, or goes to WB, at once or a cycle later. */
static bool leaves(const wl_env_t *env, const wl_lsu_slot_t *s) {
  return !env->cfg.lsu_delay || s->due;
}

/* Slots that are SENT, everything answered and granted. */
static uint32_t completed(const wl_lsu_t *l) {
  const uint32_t set = l->sent & ~l->asked;
  return l->out_valid ? set & ~(1U << wl_tag_lsu(l->out.tag).slot) : set;
}

static bool takes_fault(const wl_lsu_t *l) {
  const wl_lsu_slot_t *s = &l->slot[l->proc];
  return !l->busy && s->valid && s->state == WL_LSU_READY && s->fault;
}

/* The WB slot, not held, that was allocated first, -1: none. The oldest slot is the first from alloc on. */
static int writer(const wl_lsu_t *l, const wl_env_t *env) {
  uint32_t set = l->writing;
  for (uint32_t left = set; left != 0; left &= left - 1)
    if (wl_lsu_is_held(l, env, wl_lowest(left))) set &= ~(left & -left);
  const uint32_t older = set >> l->alloc << l->alloc;
  if (set == 0) return -1;
  return (int)wl_lowest(older != 0 ? older : set);
}

/* The slot that offers a request to shared memory, -1: none. */
static int offerer(const wl_lsu_t *l, const wl_env_t *env) {
  const int i = writer(l, env);
  return i >= 0 && wl_is_deferred(l->slot[i].dec.info) ? i : -1;
}

/* To the sub-core of the word's warp; nothing to the others. */
static void out_vwb(const wl_lsu_t *l, const wl_env_t *env, wl_wires_t *w) {
  const int i = writer(l, env);
  for (unsigned k = 0; k < env->cfg.sub_cores; k++)
    w->sub[k].vwb[WL_VWB_LSU].valid = false;
  if (i < 0 || wl_is_deferred(l->slot[i].dec.info)) return;
  const wl_lsu_slot_t *s = &l->slot[i];
  wl_vwb_wire_t *v = &w->sub[wl_sub_of(env, s->warp)].vwb[WL_VWB_LSU];
  const unsigned reg = s->dec.rd + s->word;
  const unsigned size = s->lanes_once, first = s->beat * size;
  const bool last_beat = wl_later_lanes(s->exec, s->beat, size) == 0;
  *v = (wl_vwb_wire_t){.valid = true,
                       .warp = s->warp,
                       .reg = (uint8_t)(s->dec.rd == 255 || reg > 255 ? 255 : reg),
                       .beat = (uint8_t)(first / env->cfg.lanes),
                       .lanes = s->exec & wl_lane_block(first, size),
                       .data = s->result[s->word],
                       .pd = 7,
                       .last_beat = last_beat,
                       .last = last_beat && s->word + 1U == s->dec.info->d};
}

static void out_smem(const wl_lsu_t *l, const wl_env_t *env, wl_smem_req_t *r) {
  const int i = offerer(l, env);
  r->offered = false;
  r->signal = WL_SIGNAL_NONE;
  r->valid = l->busy && l->phase == WL_LSU_SHARED;
  if (i >= 0 && (!r->valid || l->smem_turn)) {
    r->slot = (uint8_t)i;
    wl_lsu_offer(&l->slot[i], env, r);
    return;
  }
  if (!r->valid) return;
  const wl_lsu_slot_t *s = &l->slot[l->proc];
  r->slot = l->proc;
  r->kind = s->dec.info->kind;
  r->type = s->dec.info->type;
  if (r->kind == WL_MEM_KIND_MBTEST) r->type = WL_MEM_TYPE_B32; /* of the object's upper word */
  r->atom = s->dec.info->atom;
  r->mbar = s->dec.info->mbar;
  const unsigned size = env->cfg.lsu_lanes;
  r->beat = (uint8_t)(wl_lowest(l->pending[WL_LSU_SHARED]) / size);
  r->lanes = l->pending[WL_LSU_SHARED] & wl_lane_block(r->beat * size, size);
  r->address = l->smem_address;
  for (unsigned k = 0; k < 4; k++)
    r->data[k] = s->data[k];
  r->swap = s->swap;
  if (s->dec.info->matrix.count != 0) wl_matrix_out(l, r);
}

void wl_lsu_out(const wl_lsu_t *l, const wl_env_t *env, wl_wires_t *w) {
  w->lsu_available = !l->slot[l->alloc].valid;
  w->lsu_slot = l->alloc;
  w->lsu_free = 0;
  w->lsu_done = completed(l);
  for (uint32_t left = w->lsu_done; left != 0; left &= left - 1) {
    const unsigned i = wl_lowest(left);
    w->lsu_free_warp[i] = l->slot[i].warp;
    if (!returns_data(&l->slot[i]) && leaves(env, &l->slot[i])) w->lsu_free |= 1U << i;
  }
  w->trap[WL_SRC_LSU].valid = false;
  if (takes_fault(l)) {
    const wl_lsu_slot_t *s = &l->slot[l->proc];
    w->lsu_free |= 1U << l->proc;
    w->lsu_free_warp[l->proc] = s->warp;
    w->trap[WL_SRC_LSU] =
        (wl_trap_info_t){true, s->fault_cause, s->warp, s->fault_lane, s->pc, s->fault_address};
  }
  w->lsu_deferred = 0;
  w->lsu_copied = 0;
  for (uint32_t left = w->lsu_free; left != 0; left &= left - 1) {
    const unsigned i = wl_lowest(left);
    if (wl_is_deferred(l->slot[i].dec.info)) w->lsu_deferred |= left & -left;
    if (l->copy[i].used) w->lsu_copied |= UINT64_C(1) << l->copy[i].warp;
  }
  const wl_smem_rsp_t *rsp = &w->smem_rsp; /* or it is another unit's */
  const wl_lsu_slot_t *answered = &l->slot[rsp->slot];
  w->trap[WL_SRC_MBARRIER] = (wl_trap_info_t){rsp->valid && rsp->misuse && !rsp->signal,
                                              WL_TRAP_MBARRIER,
                                              answered->warp,
                                              rsp->misuse_lane,
                                              answered->pc,
                                              rsp->misuse_address};
  w->req_valid[WL_PORT_LSU] = l->out_valid;
  if (l->out_valid) w->req[WL_PORT_LSU] = l->out;
  out_vwb(l, env, w);
  out_smem(l, env, &w->smem_req);
}

/* ---- the processor */
static void skip_empty(wl_lsu_t *l) {
  while (l->phase < WL_LSU_PHASES && l->pending[l->phase] == 0)
    l->phase++;
}

static void next_slot(wl_lsu_t *l, const wl_env_t *env) {
  l->proc = (uint8_t)((l->proc + 1U) % env->cfg.lsu_depth);
  l->busy = false;
}

static void take(wl_lsu_t *l, const wl_env_t *env) {
  wl_lsu_slot_t *s = &l->slot[l->proc];
  if (s->fault) {
    s->valid = false;
    l->copy[l->proc].used = false;
    next_slot(l, env);
    return;
  }
  if (s->dec.info->kind == WL_MEM_KIND_CPARRIVE) { /* nothing to do here */
    s->state = WL_LSU_SENT;
    l->sent |= 1U << l->proc;
    next_slot(l, env);
    return;
  }
  s->state = WL_LSU_PROC;
  memcpy(l->pending, s->lanes, sizeof l->pending);
  l->phase = WL_LSU_GLOBAL;
  l->part = 0;
  l->part_pending = 0;
  l->busy = true;
  skip_empty(l);
  const uint32_t base = env->slots->warp_cta[s->warp] * env->launch->smem_units * 1024;
  if (s->lanes[WL_LSU_SHARED] == 0) return;
  const uint32_t ahead =
      s->dec.info->kind == WL_MEM_KIND_MBTEST ? 4 : 0; /* the object's upper word */
  for (unsigned lane = 0; lane < WL_LANES; lane++)     /* of the class or not */
    l->smem_address[lane] = base + (uint32_t)s->ea[lane] + ahead;
  if (wl_matrix_is_store(s)) wl_matrix_begin(l);
}

static void finish_phase(wl_lsu_t *l, const wl_env_t *env) {
  skip_empty(l);
  if (l->phase < WL_LSU_PHASES) return;
  l->slot[l->proc].state = WL_LSU_SENT;
  l->sent |= 1U << l->proc;
  next_slot(l, env);
}

static void asks(wl_lsu_t *l, unsigned slot) {
  l->slot[slot].outstanding++;
  l->asked |= 1U << slot;
}

static void process(wl_lsu_t *l, const wl_env_t *env, const wl_wires_t *w, bool register_free) {
  if (l->phase == WL_LSU_SHARED) {
    if (!w->smem_ready || w->smem_req.offered || w->smem_req.signal) return;
    l->smem_turn = true;
    asks(l, l->proc);
    if (wl_matrix_is_store(&l->slot[l->proc]))
      wl_matrix_next(l);
    else
      l->pending[WL_LSU_SHARED] &= ~w->smem_req.lanes;
  } else {
    if (!register_free) return;
    wl_coalesced_t step;
    wl_coalesce(l, env, &step);
    l->out = step.packet;
    l->out_valid = true;
    l->pending[l->phase] = step.pending;
    l->part = step.part;
    l->part_pending = step.part_pending;
    if (step.packet.op == WL_PK_LD || step.packet.op == WL_PK_ATOM) asks(l, l->proc);
  }
  finish_phase(l, env);
}

/* ---- answers */
static void is_answered(wl_lsu_t *l, unsigned i) {
  if (--l->slot[i].outstanding == 0) l->asked &= ~(1U << i);
}

static uint32_t word_at(const uint32_t *sector, unsigned at) {
  return sector[at / 4] >> at % 4 * 8;
}

static void answer(wl_lsu_t *l, const wl_env_t *env, const wl_response_t *r) {
  const wl_tag_lsu_t tag = wl_tag_lsu(r->tag);
  const unsigned part = tag.part;
  wl_lsu_slot_t *s = &l->slot[tag.slot];
  const wl_mem_type_t type = (wl_mem_type_t)s->dec.info->type;
  const unsigned bytes = wl_sem_type_bytes(type), piece = wl_lsu_part_bytes(env, s);
  is_answered(l, tag.slot);
  for (uint32_t left = (uint32_t)tag.lanes << tag.group * 8; left != 0; left &= left - 1) {
    const unsigned lane = wl_lowest(left);
    if ((s->lanes[WL_LSU_LOCAL] >> lane & 1) != 0) {
      /* Word (o / 4) of thread n lies at 4 n beyond a row of threads: only its sector offset counts. */
      const unsigned thread = s->warp * WL_LANES + lane;
      const uint64_t base = wl_pair(env->launch->local_base);
      const unsigned at = (unsigned)(base + thread * 4U) % 32 + (unsigned)(s->ea[lane] & 3);
      const uint32_t raw = word_at(r->data, at);
      s->result[part][lane] = bytes > 4 ? raw : wl_sem_load_word(type, raw);
    } else {
      const unsigned at = (unsigned)((s->ea[lane] + piece * part) % 32), first = piece * part / 4;
      for (unsigned k = 0; k * 4 < piece; k++)
        s->result[first + k][lane] =
            bytes > 4 ? word_at(r->data, at + 4 * k) : wl_sem_load_word(type, word_at(r->data, at));
    }
  }
}

static void answer_smem(wl_lsu_t *l, const wl_smem_rsp_t *r) {
  wl_lsu_slot_t *s = &l->slot[r->slot];
  if (r->last) is_answered(l, r->slot);
  for (uint32_t words = r->words; words != 0; words &= words - 1) {
    const unsigned k = wl_lowest(words);
    if (r->lanes == ~UINT32_C(0)) {
      memcpy(s->result[k], r->data[k], sizeof s->result[k]);
      continue;
    }
    for (uint32_t left = r->lanes; left != 0; left &= left - 1)
      s->result[k][wl_lowest(left)] = r->data[k][wl_lowest(left)];
  }
}

/* True: that was the last word, the slot is free. */
static bool granted(wl_lsu_slot_t *s) {
  if (++s->word < s->dec.info->d) return false;
  const uint32_t left = wl_later_lanes(s->exec, s->beat, s->lanes_once);
  s->word = 0;
  if (left == 0)
    s->valid = false;
  else
    s->beat = (uint8_t)(wl_lowest(left) / s->lanes_once);
  return left == 0;
}

static void retire(wl_lsu_t *l, const wl_env_t *env, uint32_t done) {
  for (uint32_t left = done; left != 0; left &= left - 1) {
    wl_lsu_slot_t *s = &l->slot[wl_lowest(left)];
    if (!leaves(env, s)) {
      s->due = true;
      continue;
    }
    l->sent &= ~(left & -left);
    if (returns_data(s)) {
      s->state = WL_LSU_WB;
      if (wl_matrix_is_load(s)) wl_matrix_registers(s);
      if (wl_is_deferred(s->dec.info)) wl_lsu_begin_offers(s, env);
      l->writing |= left & -left;
    } else {
      s->valid = false;
      l->copy[wl_lowest(left)].used = false;
    }
  }
}

/* Shared memory takes what a slot in WB offers. */
static void offer_taken(wl_lsu_t *l, unsigned slot) {
  wl_lsu_slot_t *s = &l->slot[slot];
  l->smem_turn = false;
  asks(l, slot);
  if (!wl_lsu_offer_taken(s)) return;
  s->stored = true;
  s->due = false;
  s->state = WL_LSU_SENT;
  l->sent |= 1U << slot;
  l->writing &= ~(1U << slot);
}

/* The slot whose word was granted, -1: none. */
static int granted_slot(const wl_lsu_t *l, const wl_env_t *env, const wl_wires_t *w) {
  const int i = writer(l, env);
  if (i < 0 || wl_is_deferred(l->slot[i].dec.info)) return -1;
  return w->sub[wl_sub_of(env, l->slot[i].warp)].vwb_grant == WL_VWB_LSU ? i : -1;
}

/* Operands, then an issue: at most one of each among the sub-cores (core/memissue.c). */
static void take_sub_cores(wl_lsu_t *l, const wl_env_t *env, const wl_wires_t *w) {
  unsigned x1s = 0, issues = 0;
  for (unsigned k = 0; k < env->cfg.sub_cores; k++) {
    const wl_x1_wire_t *x1 = w->sub[k].x1;
    const wl_issue_wire_t *is = &w->sub[k].issue;
    /* An arrival (7.2) brings nothing and takes no slot. */
    if (x1->valid && !x1->f->ctl && x1->f->insn.dec.unit == WL_UNIT_LSU) {
      wl_lsu_fill(l, env, x1);
      x1s++;
    }
    if (is->valid && !is->empty && !is->ctl && is->insn->dec.unit == WL_UNIT_LSU) {
      wl_lsu_allocate(l, env, is);
      issues++;
    }
    if (is->valid && !is->empty && is->insn->dec.unit == WL_UNIT_CTL &&
        is->insn->dec.op == WL_CTL_COMMIT)
      wl_lsu_commit(l, env, is->warp);
  }
  if (x1s > 1 || issues > 1) wl_fail(env, "two sub-cores gave the LSU something (section 5)");
}

void wl_lsu_update(wl_lsu_t *l, const wl_env_t *env, const wl_wires_t *w) {
  const int writing = granted_slot(l, env, w);
  const wl_lsu_slot_t *head = &l->slot[l->proc];
  const bool takes = !l->busy && head->valid && head->state == WL_LSU_READY;
  const bool register_free = !l->out_valid || w->port_grant == WL_PORT_LSU;
  if (w->port_grant == WL_PORT_LSU) l->out_valid = false;
  if (l->busy)
    process(l, env, w, register_free);
  else if (takes)
    take(l, env);
  retire(l, env, w->lsu_done);
  if (w->smem_req.valid && w->smem_req.offered && w->smem_ready) offer_taken(l, w->smem_req.slot);
  if (writing >= 0 && granted(&l->slot[writing])) l->writing &= ~(1U << writing);
  if (w->rsp_valid && w->gpu->rsp.unit == WL_FROM_LSU &&
      (w->gpu->rsp.op == WL_PK_LD || w->gpu->rsp.op == WL_PK_ATOM))
    answer(l, env, &w->gpu->rsp);
  if (w->smem_rsp.valid && !w->smem_rsp.signal) answer_smem(l, &w->smem_rsp);
  if (l->filled) l->slot[l->last_filled].state = WL_LSU_READY;
  l->filled = false;
  take_sub_cores(l, env, w);
}

uint32_t wl_lsu_busy(const wl_lsu_t *l, const wl_env_t *env) {
  bool busy = l->busy || l->sent != 0 || l->writing != 0;
  for (unsigned i = 0; i < env->cfg.lsu_depth; i++)
    busy = busy || l->slot[i].valid;
  return (uint32_t)busy << WL_REST_LSU;
}
