/* meet.c: where lanes wait for each other: .sync rendezvous and CTA barriers
 * (docs/microarchitecture.md 7.2, 7.3 CHECK, 8, 9). */
#include <string.h>

#include "driver/func/func.h"

/* ---- .sync */

/* Results of a met group at one PC: lanes `group` of all `members`. */
static void exchange(func_sm_t *sm, func_warp_t *w, uint32_t pc, uint32_t group, uint32_t members) {
  const wl_insn_dec_t *i = &sm->code[pc].dec;
  uint32_t buf[2][WL_LANES];
  uint32_t d[WL_LANES];
  wl_sem_in_t in = {.a = w->xval,
                    .b = func_src(w, i->rb),
                    .c = func_src(w, i->rc),
                    .s = w->xpred,
                    .mask = members};
  wl_sem_out_t out = {.d = d};
  wl_sem_use_imm(i, &in, buf);
  (void)wl_sem_warp(i, &in, &out);
  if (i->info->d != 0) {
    func_write(w, i->rd, d, group);
  }
  if ((i->info->preds & WL_PRED_D) != 0) {
    func_write_pred(w, i->pd, out.p, group);
  }
  func_retire(sm, w, pc, group, group);
}

/* Latches the operands of arriving lanes. */
static void latch(func_warp_t *w, const wl_insn_dec_t *i, uint32_t e) {
  const uint32_t *a = func_src(w, i->ra);
  for (uint32_t m = e; m != 0; m &= m - 1) {
    w->xval[func_lowest(m)] = a[func_lowest(m)];
  }
  w->xpred = (w->xpred & ~e) | (func_pred(w, i->ps, i->ps_neg) & e);
}

/* movmatrix: all lanes are there. */
static bool exchange_gathered(func_sm_t *sm, func_warp_t *w, const wl_insn_dec_t *i, uint32_t e) {
  latch(w, i, e);
  exchange(sm, w, w->pc, e, e);
  return true;
}

bool func_sync(func_sm_t *sm, func_warp_t *w, const wl_insn_dec_t *i, uint32_t e) {
  if (i->info->of.aligned != WL_ALIGNED_NO) return exchange_gathered(sm, w, i, e);
  const uint32_t *c = func_src(w, i->rc);
  uint32_t first = i->info->imm == WL_IMM_M ? i->imm : c[func_lowest(e)];
  bool same = true;
  for (uint32_t m = e; m != 0; m &= m - 1) {
    uint32_t lane = func_lowest(m);
    uint32_t members = i->info->imm == WL_IMM_M ? i->imm : c[lane];
    if ((members >> lane & 1u) == 0) {
      func_trap(sm, w, WL_TRAP_SYNC_MASK, lane, e);
      return true;
    }
    w->key[lane] = members;
    w->op[lane] = i->op | (uint32_t)i->xmode << 8;
    same = same && members == first;
  }
  latch(w, i, e);
  if (same && e == w->mask && (first & w->live & ~e) == 0) {
    exchange(sm, w, w->pc, e, first & w->live);
    return true;
  }
  w->ready &= ~e;
  w->sync |= e;
  return false;
}

static void release_sync(func_sm_t *sm, func_warp_t *w, uint32_t members) {
  uint32_t left = members;
  while (left != 0) {
    uint32_t pc = w->lane_pc[func_lowest(left)];
    uint32_t group = 0;
    for (uint32_t m = left; m != 0; m &= m - 1) {
      group |= w->lane_pc[func_lowest(m)] == pc ? m & (0u - m) : 0;
    }
    exchange(sm, w, pc, group, members);
    left &= ~group;
  }
  for (uint32_t m = members; m != 0; m &= m - 1) {
    w->lane_pc[func_lowest(m)]++;
  }
  w->sync &= ~members;
  w->ready |= members;
}

static void check_sync(func_sm_t *sm, func_warp_t *w) {
  for (uint32_t m = w->sync; m != 0; m &= m - 1) {
    uint32_t lane = func_lowest(m);
    if ((w->sync >> lane & 1u) == 0) {
      continue; /* released with a lower lane */
    }
    if (w->op[lane] == FUNC_OP_ALIGNED) {
      func_release_aligned(w, lane);
      continue;
    }
    uint32_t here = 0;
    for (uint32_t n = w->sync; n != 0; n &= n - 1) {
      uint32_t k = func_lowest(n);
      here |= w->op[k] == w->op[lane] && w->key[k] == w->key[lane] ? 1u << k : 0;
    }
    if ((w->key[lane] & w->live & ~here) == 0) {
      release_sync(sm, w, here);
    }
  }
}

/* ---- barriers. key = a | b << 8, op = kind | aligned << 8. */

void func_bar(func_sm_t *sm, func_warp_t *w, const wl_insn_dec_t *i, uint32_t e) {
  bool immediate = i->info->imm == WL_IMM_G;
  for (uint32_t m = e; m != 0; m &= m - 1) {
    uint32_t lane = func_lowest(m);
    uint32_t a = immediate ? i->imm & 15u : func_src(w, i->ra)[lane];
    uint32_t b = immediate ? (i->imm >> 8 & 63u) * 32 : func_src(w, i->rb)[lane];
    if (a > 15 || b % 32 != 0 || b > 32 * 32) {
      func_trap(sm, w, WL_TRAP_BARRIER_MISUSE, lane, e);
      return;
    }
    w->key[lane] = a | b / 32 << 8;
    w->op[lane] = i->op | (uint32_t)i->aligned << 8;
  }
  w->bar_pred = (w->bar_pred & ~e) | (func_pred(w, i->ps, i->ps_neg) & e);
  w->ready &= ~e;
  w->bar |= e;
}

static void wake(func_sm_t *sm, func_warp_t *w, const func_barrier_t *bar) {
  for (uint32_t m = w->barc; m != 0; m &= m - 1) {
    uint32_t lane = func_lowest(m);
    const wl_insn_dec_t *i = &sm->code[w->lane_pc[lane]].dec;
    if (i->op == WL_BAR_POPC && i->rd != WL_REG_ZERO) {
      w->regs[i->rd][lane] = bar->popc;
    } else if (i->op == WL_BAR_AND || i->op == WL_BAR_OR) {
      func_write_pred(w, i->pd, (i->op == WL_BAR_AND ? bar->all : bar->any) ? UINT32_MAX : 0,
                      1u << lane);
    }
    func_retire(sm, w, w->lane_pc[lane], 1u << lane, 1u << lane);
    w->lane_pc[lane]++;
  }
  w->ready |= w->barc;
  w->barc = 0;
  w->bar_wait = false;
}

/* Wakes the waiting warps if the barrier is complete. */
static void complete(func_sm_t *sm, func_cta_t *cta, uint32_t a) {
  func_barrier_t *bar = &cta->barrier[a];
  uint32_t there = bar->arrived;
  uint32_t count = (uint32_t)__builtin_popcount(there);
  if (bar->b == 0) {
    for (uint32_t k = 0; k < cta->nwarps; k++) {
      there |= sm->warps[cta->warps[k]].live == 0 ? 1u << k : 0;
    }
    count = (uint32_t)__builtin_popcount(there);
  }
  if (count != (bar->b == 0 ? cta->nwarps : bar->b)) {
    return;
  }
  func_barrier_t done = *bar;
  bar->arrived = 0;
  for (uint32_t k = 0; k < cta->nwarps; k++) {
    func_warp_t *w = &sm->warps[cta->warps[k]];
    if (done.kind == WL_BAR_CLUSTER) {
      w->cluster_wait = w->cluster_wait && (done.arrived >> k & 1u) == 0;
      func_wake_waiting(w);
    } else if ((done.arrived >> k & 1u) != 0 && w->bar_wait && w->bar_wait_a == a) {
      wake(sm, w, &done);
    }
  }
}

static uint32_t kind_class(uint32_t kind) { return kind == WL_BAR_ARRIVE ? WL_BAR_SYNC : kind; }

static void contribute(func_sm_t *sm, func_warp_t *w, uint32_t lanes, uint32_t kind) {
  func_cta_t *cta = &sm->ctas[w->cta];
  uint32_t key = w->key[func_lowest(lanes)];
  uint32_t a = key & 255u;
  uint32_t b = key >> 8 == cta->nwarps ? 0 : key >> 8;
  func_barrier_t *bar = &cta->barrier[a];
  uint32_t me = 1u << w->index;
  if ((bar->arrived & me) != 0 ||
      (bar->arrived != 0 && (bar->b != b || kind_class(bar->kind) != kind_class(kind)))) {
    func_trap(sm, w, WL_TRAP_BARRIER_MISUSE, func_lowest(lanes), lanes);
    return;
  }
  if (bar->arrived == 0) {
    *bar = (func_barrier_t){.b = b, .kind = kind, .all = true};
  }
  bar->arrived |= me;
  bar->popc += (uint32_t)__builtin_popcount(w->bar_pred & lanes);
  bar->all = bar->all && (lanes & ~w->bar_pred) == 0;
  bar->any = bar->any || (lanes & w->bar_pred) != 0;
  for (uint32_t m = lanes; m != 0; m &= m - 1) {
    uint32_t lane = func_lowest(m);
    if ((w->op[lane] & 255u) == WL_BAR_ARRIVE || kind == WL_BAR_CLUSTER) {
      func_retire(sm, w, w->lane_pc[lane], 1u << lane, 1u << lane);
      w->lane_pc[lane]++;
      w->ready |= 1u << lane;
    } else {
      w->barc |= 1u << lane;
    }
  }
  w->bar &= ~lanes;
  w->cluster_wait = w->cluster_wait || kind == WL_BAR_CLUSTER;
  if (w->barc != 0) {
    w->bar_wait = true;
    w->bar_wait_a = a;
  }
  complete(sm, cta, a);
}

static void check_bar(func_sm_t *sm, func_warp_t *w) {
  if (w->bar == 0) {
    return;
  }
  uint32_t first = func_lowest(w->bar);
  uint32_t kind = w->op[first] & 255u;
  bool gathered = true;
  for (uint32_t m = w->bar; m != 0; m &= m - 1) {
    uint32_t lane = func_lowest(m);
    if (w->key[lane] != w->key[first]) {
      func_trap(sm, w, WL_TRAP_BARRIER_MISUSE, lane, w->bar);
      return;
    }
    gathered = gathered && (w->op[first] >> 8 == 0 || w->lane_pc[lane] == w->lane_pc[first]);
    uint32_t other = w->op[lane] & 255u;
    if (w->bar == w->live && other != kind) {
      if (kind_class(kind) != WL_BAR_SYNC || kind_class(other) != WL_BAR_SYNC) {
        func_trap(sm, w, WL_TRAP_BARRIER_MISUSE, lane, w->bar);
        return;
      }
      kind = WL_BAR_SYNC;
    }
  }
  if (gathered && w->bar == w->live) {
    contribute(sm, w, w->bar, kind);
  }
}

void func_check_waiting(func_sm_t *sm, func_warp_t *w) {
  check_sync(sm, w);
  check_bar(sm, w);
}

void func_exit_bar(func_sm_t *sm, func_warp_t *w) {
  func_cta_t *cta = &sm->ctas[w->cta];
  for (uint32_t a = 0; a < WL_BARRIERS; a++) {
    if (cta->barrier[a].arrived != 0 && cta->barrier[a].b == 0) {
      complete(sm, cta, a);
    }
  }
}
