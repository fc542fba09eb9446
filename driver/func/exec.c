/* exec.c: one warp: choice of the path, arithmetic, control flow (docs/microarchitecture.md 5, 7).
 * The paths of a warp are lanes with equal {pc, depth}; the rule of choice is the machine's, so
 * that a program that makes progress there makes progress here. */
#include <stdio.h>
#include <string.h>

#include "driver/func/func.h"
#include "isa/obj/dis.h"

const uint32_t func_zero[WL_LANES];

void func_write(func_warp_t *w, uint32_t r, const uint32_t *value, uint32_t mask) {
  if (r >= WL_REG_ZERO) {
    return;
  }
  uint32_t *to = w->regs[r];
  if (mask == UINT32_MAX) {
    memcpy(to, value, sizeof w->regs[r]);
    return;
  }
  for (uint32_t i = 0; i < WL_LANES; i++) {
    uint32_t keep = (mask >> i & 1u) - 1u;
    to[i] = (to[i] & keep) | (value[i] & ~keep);
  }
}

void func_trap_address(func_sm_t *sm, const func_warp_t *w, wl_trap_t cause, uint32_t lane,
                       uint32_t lanes, uint64_t address) {
  func_trap(sm, w, cause, lane, lanes);
  if (sm->trap.cause == (uint32_t)cause) {
    sm->trap.has_address = true;
    sm->trap.address = address;
  }
}

void func_trap(func_sm_t *sm, const func_warp_t *w, wl_trap_t cause, uint32_t lane,
               uint32_t lanes) {
  if (sm->trap.cause != WL_TRAP_NONE) {
    return;
  }
  sm->trap = (wl_run_trap_t){.cause = (uint32_t)cause,
                             .pc = w->mask != 0 ? w->pc : w->lane_pc[lane],
                             .warp = w->slot,
                             .lane = lane,
                             .lanes = lanes};
  memcpy(sm->trap.cta, sm->ctas[w->cta].id, sizeof sm->trap.cta);
}

/* ---- choice of the path */

/* The running path gives its place back to its lanes. */
static void park(func_warp_t *w) {
  for (uint32_t m = w->mask; m != 0; m &= m - 1) {
    uint32_t i = func_lowest(m);
    w->lane_pc[i] = w->pc;
    w->lane_depth[i] = w->depth;
  }
  w->mask = 0;
}

/* Least {served, -depth, pc, lane}. */
static uint32_t best_lane(const func_warp_t *w) {
  uint32_t best = func_lowest(w->ready);
  for (uint32_t m = w->ready; m != 0; m &= m - 1) {
    uint32_t i = func_lowest(m);
    uint32_t si = w->served >> i & 1u;
    uint32_t sb = w->served >> best & 1u;
    bool less = si != sb                                  ? si < sb
                : w->lane_depth[i] != w->lane_depth[best] ? w->lane_depth[i] > w->lane_depth[best]
                                                          : w->lane_pc[i] < w->lane_pc[best];
    best = less ? i : best;
  }
  return best;
}

bool func_choose(func_sm_t *sm, func_warp_t *w) {
  if (w->mask != 0) {
    park(w);
  }
  if (w->ready == 0) {
    if (w->live != 0 && (w->sleep | w->wait | w->barc) == 0) {
      func_trap(sm, w, WL_TRAP_SYNC_DEADLOCK, func_lowest(w->live), w->live);
    }
    return false;
  }
  if ((w->ready & ~w->served) == 0) {
    w->served = 0;
  }
  uint32_t best = best_lane(w);
  w->pc = w->lane_pc[best];
  w->depth = w->lane_depth[best];
  w->stop = FUNC_NO_STOP;
  w->below = false;
  for (uint32_t m = w->ready; m != 0; m &= m - 1) {
    uint32_t i = func_lowest(m);
    if (w->lane_depth[i] != w->depth) {
      continue;
    }
    if (w->lane_pc[i] == w->pc) {
      w->mask |= 1u << i;
    } else if (w->lane_pc[i] < w->pc) {
      w->below = true;
    } else if (w->lane_pc[i] < w->stop) {
      w->stop = w->lane_pc[i];
    }
  }
  return true;
}

void func_end_turn(func_warp_t *w, uint32_t lanes) {
  w->served |= lanes;
  w->turn = 0;
  w->polled = false;
}

/* A branch that may repeat; true when it ends the turn. */
static bool counted(func_warp_t *w) {
  w->turn++;
  if (w->turn < WL_TURN_BRANCHES && !w->polled) {
    return false;
  }
  func_end_turn(w, w->mask);
  return true;
}

/* ---- control. Each returns false when the warp is to give way. */

static void set_lanes(func_warp_t *w, uint32_t lanes, uint32_t pc, uint32_t depth) {
  for (uint32_t m = lanes; m != 0; m &= m - 1) {
    uint32_t i = func_lowest(m);
    w->lane_pc[i] = pc;
    w->lane_depth[i] = depth;
  }
}

static bool branch(func_sm_t *sm, func_warp_t *w, const wl_insn_dec_t *i, uint32_t e) {
  bool back = i->imm <= w->pc;
  bool alone = w->mask == w->ready;
  uint32_t rest = w->mask & ~e;
  bool ended = back && counted(w);
  if (rest == 0) {
    bool lower = back && w->below;
    w->pc = i->imm;
    if (ended ? !alone : (lower || w->pc >= w->stop)) {
      (void)func_choose(sm, w);
    } else if (ended) {
      w->served = 0;
    }
    return !ended;
  }
  set_lanes(w, e, i->imm, w->depth);
  set_lanes(w, rest, w->pc + 1, w->depth);
  w->turn = alone ? 0 : w->turn;
  w->mask = 0;
  (void)func_choose(sm, w);
  return !ended;
}

/* brx, call, callx, ret: new depth, target by lane. */
static bool transfer(func_sm_t *sm, func_warp_t *w, const wl_insn_dec_t *i, uint32_t e) {
  bool call = i->op == WL_CTL_CALL || i->op == WL_CTL_CALLX;
  uint32_t depth = w->depth;
  if ((call && depth == WL_MAX_DEPTH) || (i->op == WL_CTL_RET && depth == 0)) {
    func_trap(sm, w, WL_TRAP_CALL_DEPTH, func_lowest(e), e);
    return false;
  }
  depth = call ? depth + 1 : i->op == WL_CTL_RET ? depth - 1 : depth;
  bool alone = w->mask == w->ready;
  bool ended = counted(w);
  const uint32_t *a = func_src(w, i->ra);
  for (uint32_t m = e; m != 0; m &= m - 1) {
    uint32_t lane = func_lowest(m);
    w->lane_pc[lane] = i->op == WL_CTL_CALL ? i->imm : a[lane] & 0xfffffffu;
    w->lane_depth[lane] = depth;
  }
  if (call) {
    uint32_t link[WL_LANES];
    for (uint32_t k = 0; k < WL_LANES; k++) {
      link[k] = w->pc + 1;
    }
    func_write(w, i->rd, link, e);
  }
  set_lanes(w, w->mask & ~e, w->pc + 1, w->depth);
  w->mask = 0;
  (void)func_choose(sm, w);
  w->turn = alone && w->mask != w->ready ? 0 : w->turn;
  return !ended;
}

static void leave(func_sm_t *sm, func_warp_t *w, uint32_t e) {
  func_end_turn(w, w->mask);
  set_lanes(w, w->mask & ~e, w->pc + 1, w->depth);
  w->mask = 0;
  w->live &= ~e;
  w->ready &= ~e;
  if (w->live == 0) {
    func_exit_bar(sm, w);
    return;
  }
  func_check_waiting(sm, w);
  (void)func_choose(sm, w);
}

static void sleep_lanes(func_sm_t *sm, func_warp_t *w, const wl_insn_dec_t *i, uint32_t e) {
  uint64_t ns = func_src(w, i->ra)[func_lowest(e)];
  ns = ns > FUNC_MAX_SLEEP_NS ? FUNC_MAX_SLEEP_NS : ns;
  uint64_t cycles = (ns * WL_NS_DEN + WL_NS_NUM - 1) / WL_NS_NUM;
  func_end_turn(w, w->mask);
  set_lanes(w, w->mask, w->pc + 1, w->depth);
  for (uint32_t m = e; m != 0; m &= m - 1) {
    w->wake[func_lowest(m)] = sm->clock + (cycles == 0 ? 1 : cycles);
  }
  w->mask = 0;
  w->ready &= ~e;
  w->sleep |= e;
  (void)func_choose(sm, w);
}

static bool control(func_sm_t *sm, func_warp_t *w, const wl_insn_dec_t *i, uint32_t e) {
  switch ((wl_ctl_op_t)i->op) {
  case WL_CTL_BRA:
    return branch(sm, w, i, e);
  case WL_CTL_BRX:
  case WL_CTL_CALL:
  case WL_CTL_CALLX:
  case WL_CTL_RET:
    return transfer(sm, w, i, e);
  case WL_CTL_EXIT:
    leave(sm, w, e);
    return false;
  case WL_CTL_TRAP:
    func_trap(sm, w, WL_TRAP_USER, func_lowest(e), e);
    return false;
  case WL_CTL_SLEEP:
    sleep_lanes(sm, w, i, e);
    return false;
  case WL_CTL_WAIT:
    return func_wait(sm, w, i, e);
  case WL_CTL_CWAIT: /* retires itself: lanes that stay execute it again */
    return func_cwait(sm, w, e);
  case WL_CTL_NOP:
  case WL_CTL_FENCE:  /* memory here has one order */
  case WL_CTL_COMMIT: /* copies are over at once */
  case WL_CTL_CPWAIT:
  case WL_CTL_BCOMMIT:
  case WL_CTL_BWAIT:
  case WL_NUM_CTL_OP:
    break;
  }
  w->pc++;
  return true;
}

/* ---- arithmetic */

void func_arithmetic(const func_sm_t *sm, func_warp_t *w, const func_insn_t *insn, uint32_t e) {
  const wl_insn_dec_t *i = &insn->dec;
  const wl_form_info_t *f = i->info;
  uint32_t buf[2][WL_LANES];
  uint32_t d[2][WL_LANES];
  uint32_t sreg[WL_LANES];
  wl_sem_in_t in = {
      .s = func_pred(w, i->ps, i->ps_neg), .t = func_pred(w, i->pt, i->pt_neg), .mask = e};
  wl_sem_out_t out = {0};
  uint32_t steps = f->steps == WL_STEPS_PAIR ? 2 : 1;
  for (uint32_t s = 0; s < steps; s++) {
    in.step = s;
    in.a = func_src(w, f->a == 2 ? i->ra + s : i->ra);
    in.b = func_src(w, f->b == 2 ? i->rb + s : i->rb);
    in.c = func_src(w, f->c == 2 ? i->rc + s : i->rc);
    if (f->steps == WL_STEPS_LIST) { /* shape R_D */
      in.b = func_src(w, i->ra + 1u);
    } else if (f->imm == WL_IMM_S) {
      func_sreg(sm, w, i->imm & 255u, sreg);
      in.a = sreg;
    } else if (f->imm != WL_IMM_NONE) {
      wl_sem_use_imm(i, &in, buf);
    }
    out.d = insn->direct && e == UINT32_MAX ? w->regs[i->rd + s] : d[s];
    (void)wl_sem_warp(i, &in, &out);
  }
  /* Both steps have read before the first writes: a destination may be a source of step 1. */
  for (uint32_t s = 0; s < f->d && !(insn->direct && e == UINT32_MAX); s++) {
    func_write(w, i->rd + s, d[s], e);
  }
  if ((f->preds & WL_PRED_D) != 0) {
    func_write_pred(w, i->pd, out.p, e);
  }
  if ((f->preds & WL_PRED_Q) != 0) {
    func_write_pred(w, i->pq, out.q, e);
  }
}

static void log_issue(const func_sm_t *sm, const func_warp_t *w, uint32_t e) {
  char text[WL_DIS_MAX];
  char line[WL_DIS_MAX + 96];
  uint32_t word[4];
  uint64_t at = wl_pair(sm->launch.code_base);
  memcpy(word, sm->desc.mem + (at - WL_MEM_BASE) + (uint64_t)w->pc * 16, sizeof word);
  wl_dis_word(word, text, sizeof text);
  const uint32_t *id = sm->ctas[w->cta].id;
  (void)snprintf(line, sizeof line, "%llu cta %u,%u,%u warp %u pc %u lanes %08x of %08x  %s",
                 (unsigned long long)sm->clock, id[0], id[1], id[2], w->slot, w->pc, e, w->mask,
                 text);
  sm->desc.log(sm->desc.log_context, line);
}

/* The path's turn ends: lanes of e stay at this instruction, the others go to the next. */
static void stand(func_warp_t *w, uint32_t e) {
  func_end_turn(w, w->mask);
  set_lanes(w, e, w->pc, w->depth);
  set_lanes(w, w->mask & ~e, w->pc + 1, w->depth);
}

/* Another path runs; false. */
static bool give_way(func_sm_t *sm, func_warp_t *w) {
  w->mask = 0;
  func_check_waiting(sm, w);
  (void)func_choose(sm, w);
  return false;
}

/* Executes the instruction at the running path's PC; false when the warp is to give way. */
static bool step(func_sm_t *sm, func_warp_t *w) {
  if (w->pc >= sm->code_words) {
    func_trap(sm, w, WL_TRAP_PC_RANGE, func_lowest(w->mask), w->mask);
    return false;
  }
  const func_insn_t *insn = &sm->code[w->pc];
  const wl_insn_dec_t *i = &insn->dec;
  uint32_t e = w->mask & func_pred(w, i->guard, i->guard_neg);
  if (insn->trap != WL_TRAP_NONE) {
    func_trap(sm, w, insn->trap, func_lowest(w->mask), w->mask);
    return false;
  }
  const bool arrives = func_arrives(w, i);
  if (func_misgathered(sm, w, i, e)) {
    return false;
  }
  e = arrives ? w->mask : e;
  sm->clock++;
  sm->thread_insns += e == UINT32_MAX ? WL_LANES : (uint32_t)__builtin_popcount(e);
  if (sm->desc.log != NULL) {
    log_issue(sm, w, e);
  }
  bool goes_on = true;
  const uint32_t pc = w->pc;
  const uint32_t path = w->mask;
  if (arrives) {
    stand(w, w->mask);
    func_arrive(w);
    return give_way(sm, w);
  }
  if (e == 0) {
    func_retire(sm, w, pc, path, 0);
    w->pc++;
  } else {
    switch ((wl_unit_t)i->unit) {
    case WL_UNIT_CTL:
      goes_on = control(sm, w, i, e);
      if (sm->trap.cause == WL_TRAP_NONE && i->op != WL_CTL_CWAIT) {
        func_retire(sm, w, pc, path, e);
      }
      return goes_on;
    case WL_UNIT_SYNC:
      func_retire(sm, w, pc, path & ~e, 0);
      if (!func_sync(sm, w, i, e)) {
        stand(w, e);
        return give_way(sm, w);
      }
      break;
    case WL_UNIT_BAR:
      func_retire(sm, w, pc, path & ~e, 0);
      stand(w, e);
      func_bar(sm, w, i, e);
      return sm->trap.cause == WL_TRAP_NONE && give_way(sm, w);
    case WL_UNIT_LSU:
      if (sm->watch != NULL) {
        sm->watch->access(sm->watch->context, sm, w, pc, e);
      }
      func_access(sm, w, i, e);
      break;
    case WL_UNIT_LDC:
      func_ldc(sm, w, i, e);
      break;
    case WL_UNIT_COPY:
      if (sm->watch != NULL) {
        sm->watch->access(sm->watch->context, sm, w, pc, e);
      }
      func_bulk(sm, w, i, e);
      break;
    case WL_UNIT_TENSOR:
      func_tensor(w, i);
      break;
    case WL_UNIT_TMEM:
      if (sm->watch != NULL) {
        sm->watch->access(sm->watch->context, sm, w, pc, e);
      }
      if (!func_tmem(sm, w, i, e)) {
        stand(w, e);
        return give_way(sm, w);
      }
      break;
    case WL_UNIT_UMMA:
      if (sm->watch != NULL) {
        sm->watch->access(sm->watch->context, sm, w, pc, e);
      }
      func_umma(sm, w, i, e);
      break;
    case WL_UNIT_FP64:
      func_fp64(w, i, e);
      break;
    default:
      w->polled = w->polled || i->info->of.polls == WL_POLLS_YES;
      func_arithmetic(sm, w, insn, e);
      break;
    }
    if (i->unit != WL_UNIT_SYNC && sm->trap.cause == WL_TRAP_NONE) {
      func_retire(sm, w, pc, path, e);
    }
    w->pc++;
  }
  if (w->pc >= w->stop) {
    goes_on = func_choose(sm, w);
  }
  return goes_on;
}

void func_run_warp(func_sm_t *sm, func_warp_t *w, uint32_t budget) {
  if (w->mask == 0 && !func_choose(sm, w)) {
    return;
  }
  while (budget-- != 0 && w->mask != 0 && sm->trap.cause == WL_TRAP_NONE) {
    if (!step(sm, w)) {
      return;
    }
  }
}
