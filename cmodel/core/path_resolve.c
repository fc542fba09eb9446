/* core/path_resolve.c: docs/microarchitecture.md 7.2: the resolve of a control instruction in T: where its
 * lanes go, whether its turn ends, and what it asks of the engine. Changes nothing: what it decides is the
 * plan, which core/paths.c takes over. */
#include <string.h>

#include "cmodel/core/path_internal.h"

typedef struct wl_resolving {
  const wl_env_t *env;
  const wl_wires_t *wires;
  const wl_flight_t *f;
  uint32_t tbuf[2][WL_LANES];
  wl_split_t split;
  bool counted, turn_end, taken_back;
  uint8_t cause; /* trap */
  unsigned lane;
  wl_path_plan_t *plan;
} wl_resolving_t;

static void rise(wl_resolving_t *r, wl_trap_t cause, uint32_t lanes) {
  r->cause = (uint8_t)cause;
  r->lane = wl_lowest(lanes);
}

static uint32_t after_ns(const wl_resolving_t *r, uint64_t ns) {
  uint64_t cycles = (ns * WL_NS_DEN + WL_NS_NUM - 1) / WL_NS_NUM;
  if (cycles == 0) cycles = 1;
  return (uint32_t)(r->env->cycle + cycles);
}

static uint32_t sleep_until(const wl_resolving_t *r) {
  const uint32_t v = r->tbuf[0][wl_lowest(r->f->exec)];
  return after_ns(r, v > 1000000 ? 1000000 : v);
}

static uint32_t wait_until(const wl_resolving_t *r) {
  const uint32_t v = r->tbuf[1][wl_lowest(r->split.exec)];
  return after_ns(r, v == 0 || v > WL_WAIT_LIMIT ? WL_WAIT_LIMIT : v);
}

/* 21.3. Lanes whose test says done are in exec no longer: they go on like those that the guard took out. */
static void aim_wait(wl_resolving_t *r) {
  wl_split_t *s = &r->split;
  bool stale = false;
  s->lane_done = true;
  for (uint32_t left = r->f->exec; left != 0; left &= left - 1) {
    const uint32_t test = r->tbuf[0][wl_lowest(left)];
    if (test >> 31 != 0)
      s->exec &= ~(left & -left);
    else if ((test & WL_GEN_MASK) != r->wires->smem_gen)
      stale = true;
  }
  if (s->exec == 0) return;
  r->turn_end = true;
  s->to.pc = (r->f->insn.pc - 1) & WL_PC_MASK;
  if (stale) return;
  s->to.state = WL_PATH_WAIT;
  s->to.op = WL_WAIT_OP_MBAR;
  s->to.key = wait_until(r);
}

/* 21.4. */
static void aim_cluster_wait(wl_resolving_t *r) {
  wl_split_t *s = &r->split;
  s->to.pc = s->rest_pc;
  if (!wl_wbit(r->wires->cluster_wait, r->f->warp)) return;
  r->turn_end = true;
  s->to.pc = r->f->insn.pc;
  s->to.state = WL_PATH_WAIT;
  s->to.op = WL_WAIT_OP_CLUSTER;
}

/* 22.2. */
static bool copies_pending(const wl_resolving_t *r) {
  const unsigned most = r->f->insn.dec.imm & 63;
  for (unsigned i = 0; i < r->env->cfg.lsu_depth; i++) {
    const wl_copy_t *c = &r->wires->copies[i];
    if (c->used && c->warp == r->f->warp && c->age > most) return true;
  }
  return false;
}

/* 23.4. */
static bool bulks_pending(const wl_resolving_t *r) {
  const uint32_t imm = r->f->insn.dec.imm, most = imm & 63;
  const bool only_reads = (imm & 64) != 0;
  for (unsigned i = 0; i < r->env->cfg.copy_queue; i++) {
    const wl_bulk_t *b = &r->wires->bulks[i];
    if (!b->used || !b->counts || b->warp != r->f->warp || (only_reads && b->read)) continue;
    if (b->age > most) return true;
  }
  return false;
}

static void aim_copy_wait(wl_resolving_t *r, bool pending) {
  wl_split_t *s = &r->split;
  s->to.pc = s->rest_pc;
  if (!pending) return;
  r->turn_end = true;
  s->to.pc = r->f->insn.pc;
  s->to.state = WL_PATH_WAIT;
  s->to.op = WL_WAIT_OP_CLUSTER; /* no time limit either */
}

static void aim_control(wl_resolving_t *r, uint16_t depth) {
  const wl_insn_t *insn = &r->f->insn;
  wl_split_t *s = &r->split;
  s->to.depth = depth;
  switch ((wl_ctl_op_t)insn->dec.op) {
  case WL_CTL_BRA:
    s->to.pc = insn->dec.imm & WL_PC_MASK;
    r->counted = r->taken_back = s->to.pc <= insn->pc;
    break;
  case WL_CTL_BRX:
    s->lane_pc = r->counted = true;
    break;
  case WL_CTL_CALL:
  case WL_CTL_CALLX:
    r->counted = true;
    if (insn->dec.op == WL_CTL_CALLX)
      s->lane_pc = true;
    else
      s->to.pc = insn->dec.imm & WL_PC_MASK;
    if (depth == WL_MAX_DEPTH) rise(r, WL_TRAP_CALL_DEPTH, r->f->exec);
    s->to.depth = (uint16_t)(depth + 1);
    break;
  case WL_CTL_RET:
    s->lane_pc = r->counted = true;
    if (depth == 0) rise(r, WL_TRAP_CALL_DEPTH, r->f->exec);
    s->to.depth = (uint16_t)(depth - 1);
    break;
  case WL_CTL_EXIT:
    r->turn_end = true;
    break;
  case WL_CTL_TRAP:
    rise(r, WL_TRAP_USER, r->f->exec);
    break;
  case WL_CTL_SLEEP:
    r->turn_end = true;
    s->to.pc = s->rest_pc;
    s->to.state = WL_PATH_SLEEP;
    s->to.key = sleep_until(r);
    break;
  case WL_CTL_WAIT:
    aim_wait(r);
    break;
  case WL_CTL_CWAIT:
    aim_cluster_wait(r);
    break;
  case WL_CTL_CPWAIT:
    aim_copy_wait(r, copies_pending(r));
    break;
  case WL_CTL_BWAIT:
    aim_copy_wait(r, bulks_pending(r));
    break;
  case WL_CTL_NOP: /* these do not resolve */
  case WL_CTL_FENCE:
  case WL_CTL_COMMIT:
  case WL_CTL_BCOMMIT:
  case WL_NUM_CTL_OP:
    break;
  }
}

static unsigned barrier_kind(const wl_insn_dec_t *d) {
  switch ((wl_bar_op_t)d->op) {
  case WL_BAR_SYNC:
    return WL_KIND_SYNC;
  case WL_BAR_ARRIVE:
    return WL_KIND_ARRIVE;
  case WL_BAR_POPC:
    return WL_KIND_POPC;
  case WL_BAR_AND:
    return WL_KIND_AND;
  case WL_BAR_OR:
    return WL_KIND_OR;
  case WL_BAR_CLUSTER:
    return WL_KIND_CLUSTER;
  case WL_NUM_BAR_OP:
    break;
  }
  return WL_KIND_SYNC;
}

static void aim_barrier(wl_resolving_t *r, uint16_t depth) {
  const wl_insn_dec_t *d = &r->f->insn.dec;
  r->turn_end = true;
  r->split.to =
      (wl_path_row_t){.pc = r->f->insn.pc,
                      .depth = depth,
                      .state = WL_PATH_BAR,
                      .op = (uint16_t)((d->aligned ? WL_BAR_OP_ALIGNED : 0) | barrier_kind(d))};
  r->plan->bar_lanes = r->f->exec;
  r->plan->bar_value = (d->info->preds & WL_PRED_S) != 0 ? r->f->s : 0;
  if (d->info->imm == WL_IMM_G) {
    r->split.to.key = (d->imm & 15) | (d->imm >> 8 & 63) << 4;
    return;
  }
  r->split.lane_key = true;
  for (uint32_t left = r->f->exec; left != 0; left &= left - 1) {
    const unsigned i = wl_lowest(left);
    if (r->tbuf[0][i] > 15 || r->tbuf[1][i] % 32 != 0 || r->tbuf[1][i] / 32 > 32) {
      rise(r, WL_TRAP_BARRIER_MISUSE, left);
      return;
    }
  }
}

static void aim_sync(wl_resolving_t *r, uint16_t depth) {
  const wl_insn_dec_t *d = &r->f->insn.dec;
  const bool imm = d->info->imm == WL_IMM_M;
  r->turn_end = true;
  r->split.to = (wl_path_row_t){.pc = r->f->insn.pc,
                                .depth = depth,
                                .state = WL_PATH_SYNC,
                                .op = (uint16_t)(d->xmode << 8 | d->op),
                                .key = imm ? d->imm : 0};
  r->split.lane_key = !imm;
  for (uint32_t left = r->f->exec; left != 0; left &= left - 1) {
    const unsigned i = wl_lowest(left);
    if (((imm ? d->imm : r->tbuf[0][i]) >> i & 1) == 0) {
      rise(r, WL_TRAP_SYNC_MASK, left);
      return;
    }
  }
}

/* 24.1. */
static void aim_columns(wl_resolving_t *r, uint16_t depth) {
  r->split.to.depth = depth;
  aim_copy_wait(r, r->wires->columns_wait);
}

/* The arrival of a gathered form. */
static void aim_aligned(wl_resolving_t *r, uint16_t depth) {
  r->turn_end = true;
  r->split.to = (wl_path_row_t){.pc = r->f->insn.pc,
                                .depth = depth,
                                .state = WL_PATH_SYNC,
                                .op = WL_SYNC_OP_ALIGNED,
                                .key = r->f->insn.pc};
}

/* A command of the copy engine, of products in tensor memory is the lowest lane's. The others issue again
 * (23.1, 25.1). */
static void aim_command(wl_resolving_t *r, uint16_t depth) {
  wl_split_t *s = &r->split;
  s->exec &= s->exec - 1;
  s->to.pc = r->f->insn.pc;
  s->to.depth = depth;
}

/* Where the lanes go, and the checks at T. */
static void aim(wl_resolving_t *r, const wl_path_t *x) {
  const wl_flight_t *f = r->f;
  const wl_insn_dec_t *d = &f->insn.dec;
  /* The target buffer: operand a (c of SYNC), operand b of BAR .r and WAIT. */
  memcpy(r->tbuf[0], d->unit == WL_UNIT_SYNC ? f->c[0] : f->a[0], sizeof r->tbuf[0]);
  memcpy(r->tbuf[1], f->b[0], sizeof r->tbuf[1]);
  r->split = (wl_split_t){.path = f->path,
                          .exec = f->exec,
                          .rest_pc = (f->insn.pc + 1) & WL_PC_MASK,
                          .rest_depth = x->depth,
                          .tbuf = f->insn.dec.info->of.target_buffer};
  if (f->arrives)
    aim_aligned(r, x->depth);
  else if (d->unit == WL_UNIT_BAR)
    aim_barrier(r, x->depth);
  else if (d->unit == WL_UNIT_SYNC)
    aim_sync(r, x->depth);
  else if (d->unit == WL_UNIT_COPY || d->unit == WL_UNIT_UMMA)
    aim_command(r, x->depth);
  else if (d->unit == WL_UNIT_TMEM)
    aim_columns(r, x->depth);
  else
    aim_control(r, x->depth);
}

static void request(wl_path_t *x, wl_path_request_t req, bool chk) {
  x->req = (uint8_t)req;
  x->run = x->ctl = false;
  x->chk = x->chk || chk;
}

static void resolve_exit(wl_resolving_t *r, wl_path_t *x, uint32_t others) {
  const uint32_t rest = r->f->path & ~r->f->exec;
  x->live &= ~r->f->exec;
  x->exist &= ~(UINT32_C(1) << x->leader);
  x->mask = rest;
  if (rest == 0) {
    if (x->live == 0) {
      x->run = x->ctl = false;
      r->plan->warp_done = true;
    } else {
      request(x, WL_REQ_WALK, true);
    }
    return;
  }
  x->leader = (uint8_t)wl_lowest(rest);
  x->exist |= UINT32_C(1) << x->leader;
  x->pc = r->split.rest_pc;
  if (others != 0) {
    request(x, WL_REQ_WALK, true);
    return;
  }
  x->served = 0;
  x->ctl = false;
}

static void resolve_ready(wl_resolving_t *r, wl_path_t *x, uint32_t others, const wl_path_row_t *to,
                          wl_sub_wires_t *w) {
  const bool depth_changed = to->depth != x->depth;
  x->pc = to->pc;
  x->depth = to->depth;
  if (others == 0 && r->turn_end) x->served = 0;
  if (others != 0 && (r->turn_end || (x->stop_valid && to->pc >= x->stop_pc) || depth_changed ||
                      (r->taken_back && to->pc <= r->f->insn.pc && x->below))) {
    request(x, WL_REQ_WALK, false);
    return;
  }
  x->ctl = false;
  if (to->pc != r->split.rest_pc)
    w->flush[WL_FLUSH_RESOLVE] = (wl_flush_wire_t){true, r->f->warp, to->pc};
}

static void end_turn(wl_resolving_t *r, wl_path_t *x, wl_sub_wires_t *w) {
  if (r->counted && (x->turn + 1U == WL_TURN_BRANCHES || x->polled)) r->turn_end = true;
  if (r->turn_end) {
    x->served |= r->f->path;
    x->turn = 0;
    x->polled = false;
    w->turn_end = (wl_warp_wire_t){true, r->f->warp};
  } else if (r->counted) {
    x->turn++;
  }
}

void wl_path_resolve(const wl_paths_t *p, const wl_env_t *env, const wl_wires_t *wires,
                     wl_sub_wires_t *w) {
  const wl_flight_t *f = w->resolve_f;
  wl_path_plan_t *plan = &w->path_plan;
  wl_resolving_t r = {.env = env, .wires = wires, .f = f, .plan = plan};
  wl_path_t x = wl_path_gather(p, f->warp);
  const wl_insn_dec_t *d = &f->insn.dec;
  plan->resolve = true;
  plan->resolve_warp = f->warp;
  aim(&r, &x);
  if (r.cause != WL_TRAP_NONE) {
    plan->resolve_trap = true;
    w->trap[WL_SRC_RESOLVE] =
        (wl_trap_info_t){true, r.cause, f->warp, (uint8_t)r.lane, f->insn.pc, 0};
    return;
  }
  const uint32_t others = x.exist & ~(UINT32_C(1) << x.leader);
  end_turn(&r, &x, w);
  if (d->unit == WL_UNIT_CTL && d->op == WL_CTL_EXIT) {
    resolve_exit(&r, &x, others);
  } else {
    const unsigned first = wl_lowest(f->path);
    const bool one = wl_path_group(&r.split, r.tbuf, f->path, first) == f->path;
    const wl_path_row_t to = wl_path_target(&r.split, r.tbuf, first);
    if (one && to.state == WL_PATH_READY) {
      resolve_ready(&r, &x, others, &to, w);
    } else {
      /* Branches and commands only have READY targets. */
      if (!one && others == 0 && r.split.to.state == WL_PATH_READY) x.turn = 0;
      request(&x, WL_REQ_SPLIT, f->arrives || d->unit == WL_UNIT_BAR || d->unit == WL_UNIT_SYNC);
    }
  }
  if (x.req != WL_REQ_NONE)
    w->flush[WL_FLUSH_RESOLVE] = (wl_flush_wire_t){true, f->warp, r.split.rest_pc};
  plan->tbuf_freed = r.split.tbuf && x.req != WL_REQ_SPLIT;
  plan->split = r.split;
  plan->after = x;
}
