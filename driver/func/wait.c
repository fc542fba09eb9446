/* wait.c: mbarriers, waiting for them, the barrier of the cluster (docs/microarchitecture.md 21).
 * A lane that waits leaves `ready`. A completed phase sends the waiting lanes of all warps back to
 * their test; the end of a lane's time sends it behind the wait (func.c). The time is the machine's
 * in `clock`, so that a program which only waits ends here as there. */
#include <string.h>

#include "driver/func/func.h"

void func_wake_waiting(func_warp_t *w) {
  w->ready |= w->wait;
  w->wait = 0;
}

static void completed(func_sm_t *sm) {
  sm->gen++;
  for (uint32_t s = 0; s < sm->desc.config->warps; s++)
    func_wake_waiting(&sm->warps[s]);
}

void func_mbar(func_sm_t *sm, func_warp_t *w, const wl_insn_dec_t *i, uint32_t e,
               const uintptr_t *at) {
  const bool copies = i->info->kind == WL_MEM_KIND_CPARRIVE; /* an arrival behind copies */
  const wl_mbar_op_t op = copies ? WL_MBAR_ARRIVE : (wl_mbar_op_t)i->info->mbar;
  const uint32_t *b = func_src(w, i->rb);
  uint32_t d[2][WL_LANES], misuse = 0;
  for (uint32_t m = e; m != 0; m &= m - 1) {
    const uint32_t lane = func_lowest(m);
    uint64_t old = 0;
    memcpy(&old, (const void *)at[lane], sizeof old);
    const wl_sem_mbar_t after = wl_sem_mbar(op, old, copies ? 1 : b[lane]);
    memcpy((void *)at[lane], &after.object, sizeof after.object);
    misuse |= after.misuse ? 1u << lane : 0;
    if (after.complete) completed(sm);
    d[0][lane] = (uint32_t)old;
    d[1][lane] = (uint32_t)(old >> 32);
  }
  for (uint32_t k = 0; k < i->info->d && i->rd != WL_REG_ZERO; k++)
    func_write(w, i->rd + k, d[k], e);
  if (misuse != 0)
    func_trap_address(sm, w, WL_TRAP_MBARRIER, func_lowest(misuse), e,
                      at[func_lowest(misuse)] - (uintptr_t)sm->smem);
}

void func_signal(func_sm_t *sm, func_warp_t *w, wl_mbar_op_t op, uint32_t lane, uint32_t lanes,
                 uintptr_t at, uint32_t operand) {
  uint64_t old = 0;
  memcpy(&old, (const void *)at, sizeof old);
  const wl_sem_mbar_t after = wl_sem_mbar(op, old, operand);
  memcpy((void *)at, &after.object, sizeof after.object);
  if (after.complete) completed(sm);
  if (after.misuse)
    func_trap_address(sm, w, WL_TRAP_MBARRIER, lane, lanes, at - (uintptr_t)sm->smem);
}

void func_mbtest(func_sm_t *sm, func_warp_t *w, const wl_insn_dec_t *i, uint32_t e,
                 const uintptr_t *at) {
  const uint32_t *b = func_src(w, i->rb);
  uint32_t d[WL_LANES];
  for (uint32_t m = e; m != 0; m &= m - 1) {
    const uint32_t lane = func_lowest(m);
    uint32_t high = 0;
    memcpy(&high, (const void *)(at[lane] + 4), sizeof high);
    d[lane] = wl_sem_mbtest(high, b[lane], 0);
    w->saw_gen[lane] = sm->gen;
  }
  func_write(w, i->rd, d, e);
}

/* The path's lanes leave it for their program counters; another path is chosen. */
static bool scatter(func_sm_t *sm, func_warp_t *w) {
  func_end_turn(w, w->mask);
  for (uint32_t m = w->mask; m != 0; m &= m - 1)
    w->lane_depth[func_lowest(m)] = w->depth;
  w->mask = 0;
  (void)func_choose(sm, w);
  return false;
}

static bool go_on(func_sm_t *sm, func_warp_t *w) {
  w->pc++;
  return w->pc < w->stop || func_choose(sm, w);
}

static uint64_t end_of_wait(const func_sm_t *sm, uint64_t ns) {
  ns = ns == 0 || ns > WL_WAIT_LIMIT ? WL_WAIT_LIMIT : ns;
  const uint64_t cycles = (ns * WL_NS_DEN + WL_NS_NUM - 1) / WL_NS_NUM;
  return sm->clock + (cycles == 0 ? 1 : cycles);
}

bool func_wait(func_sm_t *sm, func_warp_t *w, const wl_insn_dec_t *i, uint32_t e) {
  const uint32_t *a = func_src(w, i->ra), *b = func_src(w, i->rb);
  uint32_t stay = 0;
  bool stale = false; /* a completion since the test may have been theirs */
  for (uint32_t m = e; m != 0; m &= m - 1) {
    const uint32_t lane = func_lowest(m);
    if (a[lane] >> 31 != 0) continue;
    stay |= 1u << lane;
    stale = stale || w->saw_gen[lane] != sm->gen;
  }
  if (stay == 0) return go_on(sm, w);
  for (uint32_t m = w->mask; m != 0; m &= m - 1) {
    const uint32_t lane = func_lowest(m);
    w->lane_pc[lane] = (stay >> lane & 1u) != 0 ? w->pc - 1 : w->pc + 1;
    w->wake[lane] = end_of_wait(sm, b[func_lowest(stay)]);
  }
  if (!stale) {
    w->ready &= ~stay;
    w->wait |= stay;
  }
  return scatter(sm, w);
}

bool func_cwait(func_sm_t *sm, func_warp_t *w, uint32_t e) {
  if (!w->cluster_wait) {
    func_retire(sm, w, w->pc, w->mask, e);
    return go_on(sm, w);
  }
  func_retire(sm, w, w->pc, w->mask & ~e, 0);
  for (uint32_t m = w->mask; m != 0; m &= m - 1) {
    const uint32_t lane = func_lowest(m);
    w->lane_pc[lane] = w->pc + ((e >> lane & 1u) == 0);
    w->wake[lane] = FUNC_NO_TIME;
  }
  w->ready &= ~e;
  w->wait |= e;
  return scatter(sm, w);
}
