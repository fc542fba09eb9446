/* replay.c: lanes of the reference execute one instruction when the log says that they did.
 * Arithmetic is the functional backend's (func_arithmetic, func_ldc); control flow is by lane, so
 * that the paths of the foreign core are free. */
#include <stdlib.h>
#include <string.h>

#include "driver/compare/compare.h"

/* ---- warps under way */

static void start_lanes(const wl_compare_t *c, func_warp_t *w) {
  const wl_launch_block_t *l = &c->sm->launch;
  const uint32_t left = l->threads - 32 * w->index;
  w->valid = true;
  w->live = left >= 32 ? UINT32_MAX : (1u << left) - 1;
  w->preds[WL_PRED_TRUE] = UINT32_MAX;
  for (uint32_t i = 0; i < WL_LANES; i++)
    w->lane_pc[i] = l->entry_pc;
}

cmp_warp_t *cmp_warp_get(wl_compare_t *c, uint64_t cta, uint32_t warp) {
  const uint64_t at = cta * c->sm->launch.warps + warp;
  const uint64_t local = (uint64_t)c->sm->launch.local_bytes * WL_LANES;
  if (c->warp[at] != NULL || c->ended[at]) return c->warp[at];
  cmp_warp_t *cw = calloc(1, sizeof *cw);
  if (cw != NULL) cw->local = calloc(1, local + 16);
  if (cw == NULL || cw->local == NULL) {
    free(cw);
    c->status = WL_ERR_INTERNAL;
    return NULL;
  }
  cw->cta = cta;
  cw->w.index = warp;
  start_lanes(c, &cw->w);
  memset(cw->last_pc, 0xff, sizeof cw->last_pc); /* WL_OBJ_NONE */
  c->warp[at] = cw;
  return cw;
}

void cmp_warp_ended(wl_compare_t *c, cmp_warp_t *cw) {
  const uint64_t at = cw->cta * c->sm->launch.warps + cw->w.index;
  if (cw->w.live != 0) return;
  c->ended[at] = true;
  cmp_meet_free(cw);
  c->warp[at] = NULL;
  free(cw->local);
  free(cw);
}

/* Special registers and messages name the CTA that is stepped. */
static void enter(wl_compare_t *c, const cmp_warp_t *cw) {
  const wl_launch_block_t *l = &c->sm->launch;
  uint32_t *id = c->sm->ctas[0].id;
  id[0] = (uint32_t)(cw->cta % l->nctaid_x);
  id[1] = (uint32_t)(cw->cta / l->nctaid_x % l->nctaid_y);
  id[2] = (uint32_t)(cw->cta / l->nctaid_x / l->nctaid_y);
}

uint32_t cmp_guarded_off(const wl_compare_t *c, const cmp_warp_t *cw, uint32_t lane) {
  const uint32_t pc = cw->w.lane_pc[lane];
  if (pc >= c->sm->code_words) return 0;
  const wl_insn_dec_t *i = &c->sm->code[pc].dec;
  return (func_pred(&cw->w, i->guard, i->guard_neg) >> lane & 1u) == 0;
}

/* ---- control */

static void move_lane(wl_compare_t *c, func_warp_t *w, uint32_t lane, bool executes) {
  cmp_step_t *s = &c->step;
  const wl_insn_dec_t *i = s->dec;
  const uint32_t target = func_src(w, i->ra)[lane] & 0xfffffffu;
  w->lane_pc[lane] = s->pc + 1;
  w->wait &= ~(1u << lane);
  if (!executes || i->unit != WL_UNIT_CTL) return;
  switch ((wl_ctl_op_t)i->op) {
  case WL_CTL_CALL:
  case WL_CTL_CALLX:
    if (w->lane_depth[lane]++ == WL_MAX_DEPTH) s->trap = WL_TRAP_CALL_DEPTH;
    w->lane_pc[lane] = i->op == WL_CTL_CALL ? i->imm : target;
    if (i->rd != WL_REG_ZERO) w->regs[i->rd][lane] = s->pc + 1;
    break;
  case WL_CTL_RET:
    if (w->lane_depth[lane]-- == 0) s->trap = WL_TRAP_CALL_DEPTH;
    w->lane_pc[lane] = target;
    break;
  case WL_CTL_BRA:
    w->lane_pc[lane] = i->imm;
    break;
  case WL_CTL_BRX:
    w->lane_pc[lane] = target;
    break;
  case WL_CTL_EXIT:
    w->live &= ~(1u << lane);
    break;
  case WL_CTL_TRAP:
    s->trap = WL_TRAP_USER;
    break;
  case WL_CTL_WAIT:
    w->wait |= (func_src(w, i->ra)[lane] >> 31 ^ 1u) << lane;
    break;
  case WL_CTL_CWAIT: /* what the log has has passed it */
  case WL_CTL_SLEEP:
  case WL_CTL_NOP:
  case WL_CTL_FENCE:
  case WL_CTL_COMMIT:
  case WL_CTL_CPWAIT:
  case WL_CTL_BCOMMIT:
  case WL_CTL_BWAIT:
  case WL_NUM_CTL_OP:
    break;
  }
}

/* ---- results that come from elsewhere */

static void set_pred(func_warp_t *w, uint32_t p, uint32_t lane, bool value) {
  func_write_pred(w, p, value ? UINT32_MAX : 0, 1u << lane);
}

static bool from_run(wl_compare_t *c, cmp_warp_t *cw, uint32_t lane) {
  const wl_insn_dec_t *i = c->step.dec;
  const uint32_t words = i->rd == WL_REG_ZERO ? 0 : cmp_words(i);
  const bool pred = (i->info->preds & WL_PRED_D) != 0;
  cmp_stream_t *s = &c->inputs.thread[cw->cta * c->sm->launch.threads + cw->w.index * 32 + lane];
  if (s->count - s->at < words + (pred ? 1u : 0u))
    return cmp_differ(c, (cmp_place_t){cw, lane, c->step.pc}, "", "",
                      "the run of the reference has no such instruction: does the result of the "
                      "kernel depend on timing?");
  for (uint32_t k = 0; k < words; k++)
    cw->w.regs[i->rd + k][lane] = s->word[s->at++];
  if (pred) set_pred(&cw->w, i->pd, lane, s->word[s->at++] != 0);
  return true;
}

/* Where an access lies in the memory of followed loads; NULL: it traps. */
static uint8_t *memory_at(wl_compare_t *c, cmp_warp_t *cw, const cmp_access_t *a) {
  const func_sm_t *sm = c->sm;
  uint8_t **shared = &c->shared[cw->cta];
  if (a->address % a->bytes != 0) return NULL;
  switch (a->space) {
  case WL_MEM_SPACE_SHARED:
    if (a->address > sm->launch.smem_bytes || a->bytes > sm->launch.smem_bytes - a->address)
      return NULL;
    if (*shared == NULL) *shared = calloc(1, sm->launch.smem_bytes);
    return *shared == NULL ? NULL : *shared + a->address;
  case WL_MEM_SPACE_LOCAL:
    if (a->address > sm->launch.local_bytes || a->bytes > sm->launch.local_bytes - a->address)
      return NULL;
    return cw->local + a->address; /* of the lane: see the caller */
  default:
    if (a->address < sm->mem_base || a->address > sm->mem_limit ||
        a->bytes > sm->mem_limit - a->address)
      return NULL;
    return sm->desc.mem + (a->address - WL_MEM_BASE);
  }
}

static uint8_t *bytes_of(wl_compare_t *c, cmp_warp_t *cw, uint32_t lane, const cmp_access_t *a) {
  uint8_t *at = memory_at(c, cw, a);
  if (at == NULL) {
    c->step.trap = a->address % a->bytes != 0 ? WL_TRAP_MISALIGNED : WL_TRAP_OUT_OF_BOUNDS;
    return NULL;
  }
  return a->space == WL_MEM_SPACE_LOCAL ? at + (size_t)lane * c->sm->launch.local_bytes : at;
}

/* Takes the log's words for the result; true if there is one for each. */
static bool take_words(wl_compare_t *c, cmp_warp_t *cw, uint32_t lane, bool *other) {
  const wl_insn_dec_t *i = c->step.dec;
  bool all = true;
  for (uint32_t k = 0; k < cmp_words(i) && i->rd != WL_REG_ZERO; k++) {
    uint32_t value = 0;
    uint32_t *reg = &cw->w.regs[i->rd + k][lane];
    if (!cmp_logged_reg(c, c->step.pc, i->rd + k, lane, &value)) {
      all = false;
      continue;
    }
    *other = *other || value != *reg;
    *reg = value;
  }
  if (all) c->step.taken |= 1u << lane;
  return all;
}

static void load_words(cmp_warp_t *cw, const wl_insn_dec_t *i, uint32_t lane, const uint8_t *from,
                       uint32_t bytes) {
  for (uint32_t k = 0; k < i->info->d && i->rd != WL_REG_ZERO; k++) {
    uint32_t raw = 0;
    memcpy(&raw, from + 4 * (size_t)k, bytes < 4 ? bytes : 4);
    cw->w.regs[i->rd + k][lane] =
        bytes < 4 ? wl_sem_load_word((wl_mem_type_t)i->info->type, raw) : raw;
  }
}

/* What an atomic leaves in memory in place of what it found there. */
static void after_atomic(wl_compare_t *c, const cmp_access_t *a, const uint8_t *old, uint8_t *at) {
  const wl_form_info_t *f = c->step.dec->info;
  uint32_t was[WL_SEM_ATOM_WORDS] = {0}, value[WL_SEM_ATOM_WORDS];
  uint32_t b[WL_SEM_ATOM_WORDS] = {0}, x[WL_SEM_ATOM_WORDS] = {0};
  memcpy(was, old, a->bytes);
  memcpy(b, a->value, a->bytes);
  memcpy(x, a->other, a->bytes);
  if (f->kind == WL_MEM_KIND_MBAR) {
    const uint64_t object = was[0] | (uint64_t)was[1] << 32;
    const wl_sem_mbar_t after = wl_sem_mbar((wl_mbar_op_t)f->mbar, object, b[0]);
    if (after.misuse) c->step.trap = WL_TRAP_MBARRIER;
    memcpy(value, &after.object, sizeof after.object);
  } else {
    wl_sem_atom_words((wl_atom_op_t)f->atom, (wl_mem_type_t)f->type,
                      a->space == WL_MEM_SPACE_GLOBAL, was, b, x, value);
  }
  memcpy(at, value, a->bytes);
}

/* Load, store or atomic of a lane on memory in the order of the log; then the log's value. */
static bool follow_access(wl_compare_t *c, cmp_warp_t *cw, uint32_t lane) {
  const wl_insn_dec_t *i = c->step.dec;
  const cmp_access_t *a = &c->step.access[lane];
  uint8_t *at = bytes_of(c, cw, lane, a);
  bool other = false;
  if (at == NULL) return false;
  if (a->kind == WL_MEM_KIND_ST) {
    memcpy(at, a->value, a->bytes);
    return true;
  }
  uint8_t old[16];
  memcpy(old, at, a->bytes);
  load_words(cw, i, lane, old, a->bytes);
  if (a->kind == WL_MEM_KIND_LD) {
    if (a->space == WL_MEM_SPACE_LOCAL) return true; /* the thread's own */
    if (take_words(c, cw, lane, &other)) cmp_count(c, CMP_N_F_LOADS, i->info->d);
  } else {
    if (take_words(c, cw, lane, &other) && i->rd != WL_REG_ZERO) cmp_count(c, CMP_N_F_ATOMICS, 1);
    for (uint32_t k = 0; k < a->bytes && i->rd != WL_REG_ZERO; k++)
      old[k] = (uint8_t)(cw->w.regs[i->rd + k / 4][lane] >> 8 * (k % 4));
    after_atomic(c, a, old, at);
  }
  cmp_count(c, CMP_N_F_OTHER, other ? 1 : 0);
  return c->step.trap == WL_TRAP_NONE;
}

/* Whether the phase was over when the lane tested it only the log can tell. */
static bool follow_test(wl_compare_t *c, cmp_warp_t *cw, uint32_t lane) {
  const wl_insn_dec_t *i = c->step.dec;
  bool other = false, over = false;
  if (c->level == 2 && cmp_ptx_logged_test(c, c->step.pc, lane, &over)) {
    if (i->rd != WL_REG_ZERO) cw->w.regs[i->rd][lane] = (uint32_t)over << 31;
    c->step.taken |= 1u << lane;
  } else if (!take_words(c, cw, lane, &other)) {
    return cmp_bad(c,
                   "the result of the test of an mbarrier at instruction %u is needed, which this "
                   "record has not",
                   c->step.pc);
  }
  cmp_count(c, CMP_N_F_TIME, 1);
  return true;
}

static bool follow_exchange(wl_compare_t *c, cmp_warp_t *cw, uint32_t lane) {
  const wl_insn_dec_t *i = c->step.dec;
  bool other = false, pred = false;
  const bool wants_pred = (i->info->preds & WL_PRED_D) != 0 && i->pd != WL_PRED_TRUE;
  const bool wants_reg = cmp_words(i) != 0 && i->rd != WL_REG_ZERO;
  const bool meets = i->unit == WL_UNIT_SYNC && i->info->of.aligned == WL_ALIGNED_NO;
  if (meets) cmp_meet_latch(c, cw, lane);
  if (c->status != WL_OK) return false;
  if ((wants_reg && !take_words(c, cw, lane, &other)) ||
      (wants_pred && !cmp_logged_pred(c, c->step.pc, i->pd, lane, &pred)))
    return cmp_bad(c,
                   "--follow-loads needs the result of the exchange at instruction %u, which "
                   "this record has not",
                   c->step.pc);
  if (wants_pred) set_pred(&cw->w, i->pd, lane, pred);
  if (meets) cmp_meet_result(c, cw, lane);
  if (wants_reg || wants_pred) {
    c->step.taken |= 1u << lane;
    cmp_count(c, CMP_N_F_EXCHANGE, 1);
  }
  return true;
}

static bool from_elsewhere(wl_compare_t *c, cmp_warp_t *cw, uint32_t e) {
  const cmp_source_t source = cmp_source(c->step.dec);
  for (uint32_t m = e; m != 0; m &= m - 1) {
    const uint32_t lane = func_lowest(m);
    bool other = false, ok = true;
    if (source == CMP_TIME && c->step.dec->unit == WL_UNIT_LSU) {
      ok = follow_test(c, cw, lane);
    } else if (source == CMP_TIME) {
      if (take_words(c, cw, lane, &other)) cmp_count(c, CMP_N_F_TIME, 1);
    } else if (!c->options.follow_loads) {
      ok = source == CMP_OWN || from_run(c, cw, lane);
    } else if (source == CMP_EXCHANGE) {
      ok = follow_exchange(c, cw, lane);
    } else {
      ok = follow_access(c, cw, lane);
    }
    if (!ok) return false;
  }
  return true;
}

/* ---- a step */

static bool trapped(wl_compare_t *c, const cmp_warp_t *cw, uint32_t lane, wl_trap_t trap) {
  char text[80];
  (void)snprintf(text, sizeof text, "trap: %s",
                 wl_trap_message[trap] != NULL ? wl_trap_message[trap] : "?");
  return cmp_differ(c, (cmp_place_t){cw, lane, c->step.pc}, text, "", "the instruction");
}

static bool execute(wl_compare_t *c, cmp_warp_t *cw, uint32_t e) {
  cmp_step_t *s = &c->step;
  const bool no_access = s->dec->info->matrix.count != 0 || cmp_source(s->dec) == CMP_TIME;
  switch ((wl_unit_t)s->dec->unit) {
  case WL_UNIT_CTL:
  case WL_UNIT_UMMA:
  case WL_UNIT_COPY: /* no access of the lane's own */
    return true;
  case WL_UNIT_LSU:
    /* A lane of a matrix form accesses rows whose addresses others have. A test of an mbarrier is
     * no access that a log names. */
    for (uint32_t m = no_access ? 0 : e; m != 0; m &= m - 1)
      cmp_access(&cw->w, s->dec, func_lowest(m), &s->access[func_lowest(m)]);
    return from_elsewhere(c, cw, e);
  case WL_UNIT_SYNC:
  case WL_UNIT_BAR:
  case WL_UNIT_TENSOR:
    return from_elsewhere(c, cw, e);
  case WL_UNIT_TMEM: /* of its forms loads have a result */
    return cmp_source(s->dec) == CMP_OWN || from_elsewhere(c, cw, e);
  case WL_UNIT_LDC:
    c->sm->trap.cause = WL_TRAP_NONE;
    func_ldc(c->sm, &cw->w, s->dec, e);
    s->trap = (wl_trap_t)c->sm->trap.cause;
    return true;
  case WL_UNIT_FP64:
    func_fp64(&cw->w, s->dec, e);
    return true;
  default:
    func_arithmetic(c->sm, &cw->w, &c->sm->code[s->pc], e);
    return cmp_source(s->dec) == CMP_OWN || from_elsewhere(c, cw, e);
  }
}

bool cmp_step(wl_compare_t *c, cmp_warp_t *cw, uint32_t pc, uint32_t lanes) {
  cmp_step_t *s = &c->step;
  func_warp_t *w = &cw->w;
  s->pc = pc;
  s->lanes = lanes;
  s->taken = 0;
  s->trap = pc >= c->sm->code_words ? WL_TRAP_PC_RANGE : c->sm->code[pc].trap;
  if (s->trap != WL_TRAP_NONE) return trapped(c, cw, func_lowest(lanes), s->trap);
  s->dec = &c->sm->code[pc].dec;
  s->exec = lanes & func_pred(w, s->dec->guard, s->dec->guard_neg);
  for (uint32_t k = 0; k < WL_LANES; k++)
    s->access[k].there = false;
  enter(c, cw);
  const bool ok = s->exec == 0 || execute(c, cw, s->exec);
  if (!ok && s->trap == WL_TRAP_NONE) return false;
  for (uint32_t m = lanes; m != 0 && s->trap == WL_TRAP_NONE; m &= m - 1)
    move_lane(c, w, func_lowest(m), (s->exec >> func_lowest(m) & 1u) != 0);
  if (cw->meetings != NULL && s->trap == WL_TRAP_NONE && !cmp_meet_check(c, cw)) return false;
  if (s->trap != WL_TRAP_NONE) return trapped(c, cw, func_lowest(s->exec), s->trap);
  return true;
}
