/* tmem.c: tensor memory (docs/microarchitecture.md 24): allocation of columns, loads and stores. Loads
 * and stores are done at once. A warp whose allocation finds no room leaves `ready`, in a queue of the
 * SM; what frees columns sends the oldest one back to its instruction. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/func/func.h"
#include "driver/splitmix.h"
#include "gen/warplock_layout.h"

enum { UNIT = 32, QUARTERS = 4 }; /* columns allocated together; the lanes of a warp */

static uint32_t units_of(const func_sm_t *sm) { return sm->desc.config->tmem_columns / UNIT; }

static uint32_t *row_of(const func_sm_t *sm, uint32_t quarter, uint32_t column) {
  return sm->tmem.words + (size_t)(quarter * sm->desc.config->tmem_columns + column) * WL_LANES;
}

uint32_t *func_tmem_word(const func_sm_t *sm, uint32_t lane, uint32_t column) {
  return row_of(sm, lane / WL_LANES, column) + lane % WL_LANES;
}

bool func_tmem_open(func_sm_t *sm) {
  const size_t words = (size_t)QUARTERS * sm->desc.config->tmem_columns * WL_LANES;
  sm->tmem.words = malloc(words * sizeof *sm->tmem.words);
  for (size_t k = 0; sm->tmem.words != NULL && k < words; k++)
    sm->tmem.words[k] = (uint32_t)wl_mix(sm->desc.seed, WL_SEED_TMEM, k);
  return sm->tmem.words != NULL;
}

static void renew(func_sm_t *sm, uint32_t cta) {
  sm->tmem.may[cta] = true;
  sm->tmem.most[cta] = units_of(sm);
}

void func_tmem_clear(func_sm_t *sm) {
  memset(sm->tmem.unit, 0, sizeof sm->tmem.unit);
  sm->tmem.queued = 0;
  sm->tmem.left = 0;
  for (uint32_t c = 0; c < FUNC_MAX_CTAS; c++)
    renew(sm, c);
}

/* The oldest warp that waits looks again. */
static void look(func_sm_t *sm) {
  if (sm->tmem.queued != 0) func_wake_waiting(&sm->warps[sm->tmem.queue[0]]);
}

void func_tmem_end(func_sm_t *sm, uint32_t cta) {
  for (uint32_t u = 0; u < units_of(sm); u++) {
    func_unit_t *unit = &sm->tmem.unit[u];
    if (!unit->used || unit->cta != cta) continue;
    *unit = (func_unit_t){0};
    sm->tmem.left += UNIT;
  }
  renew(sm, cta);
  look(sm);
}

/* ---- allocator */
static bool is_count(const func_sm_t *sm, uint32_t n) {
  return n >= 32 && n <= 512 && (n & (n - 1)) == 0 && n <= sm->desc.config->tmem_columns;
}

static bool fault(func_sm_t *sm, const func_warp_t *w, wl_trap_t cause, uint32_t e,
                  uint32_t address) {
  func_trap_address(sm, w, cause, func_lowest(e), e, address);
  return true;
}

/* The lowest unit at which m are free; the number of units if there is none. */
static uint32_t find_room(const func_sm_t *sm, uint32_t m) {
  uint32_t run = 0;
  for (uint32_t u = 0; u < units_of(sm); u++) {
    run = sm->tmem.unit[u].used ? 0 : run + 1;
    if (run == m) return u + 1 - m;
  }
  return units_of(sm);
}

static void take(func_sm_t *sm, func_warp_t *w, uint32_t u, uint32_t m) {
  for (uint32_t k = 0; k < m; k++) {
    sm->tmem.unit[u + k] = (func_unit_t){.used = true, .first = k == 0, .cta = w->cta};
    for (uint32_t q = 0; q < QUARTERS && sm->watch != NULL; q++)
      memset(row_of(sm, q, UNIT * (u + k)), 0, sizeof(uint32_t) * UNIT * WL_LANES);
  }
  sm->tmem.most[w->cta] = m;
  w->tmem_base = UNIT * u;
}

static void leave_queue(func_sm_t *sm) {
  sm->tmem.queued--;
  memmove(sm->tmem.queue, sm->tmem.queue + 1, sm->tmem.queued * sizeof sm->tmem.queue[0]);
}

/* False: it waits. */
static bool allocate(func_sm_t *sm, func_warp_t *w, uint32_t e, uint32_t n) {
  const uint32_t m = n / UNIT;
  if (!is_count(sm, n)) return fault(sm, w, WL_TRAP_TMEM_COLUMNS, e, n);
  if (!sm->tmem.may[w->cta]) return fault(sm, w, WL_TRAP_TMEM_PERMIT, e, n);
  if (m > sm->tmem.most[w->cta]) return fault(sm, w, WL_TRAP_TMEM_GROWS, e, n);
  const bool next = sm->tmem.queued == 0 || sm->tmem.queue[0] == w->slot;
  const uint32_t u = next ? find_room(sm, m) : units_of(sm);
  if (u < units_of(sm)) {
    take(sm, w, u, m);
    if (w->tmem_queued) leave_queue(sm);
    const bool others = w->tmem_queued;
    w->tmem_queued = false;
    if (others) look(sm);
    return true;
  }
  if (!w->tmem_queued) sm->tmem.queue[sm->tmem.queued++] = w->slot;
  w->tmem_queued = true;
  for (uint32_t k = e; k != 0; k &= k - 1)
    w->wake[func_lowest(k)] = FUNC_NO_TIME;
  w->ready &= ~e;
  w->wait |= e;
  return false;
}

/* Unit u belongs to the CTA and is, or is not, the first of an allocation. */
static bool is_unit(const func_sm_t *sm, uint32_t u, uint32_t cta, bool first) {
  const func_unit_t *unit = &sm->tmem.unit[u];
  return u < units_of(sm) && unit->used && unit->cta == cta && unit->first == first;
}

static void deallocate(func_sm_t *sm, const func_warp_t *w, uint32_t e, uint32_t address,
                       uint32_t n) {
  const uint32_t u = (address & 0xffff) / UNIT, m = n / UNIT;
  if (!is_count(sm, n)) {
    (void)fault(sm, w, WL_TRAP_TMEM_COLUMNS, e, n);
    return;
  }
  bool whole = (address & 0xffff001f) == 0 && u + m <= units_of(sm) &&
               is_unit(sm, u, w->cta, true) && !is_unit(sm, u + m, w->cta, false);
  for (uint32_t k = 1; k < m && whole; k++)
    whole = is_unit(sm, u + k, w->cta, false);
  if (!whole) {
    (void)fault(sm, w, WL_TRAP_TMEM_DEALLOC, e, address);
    return;
  }
  memset(&sm->tmem.unit[u], 0, m * sizeof sm->tmem.unit[0]);
  look(sm);
}

/* ---- loads and stores */
func_columns_t func_tmem_columns(const func_sm_t *sm, const func_warp_t *w,
                                 const wl_insn_dec_t *i) {
  const uint32_t a = func_src(w, i->ra)[0], lanes = a >> 16, own = w->index % QUARTERS * WL_LANES;
  const bool half = i->half != 0, stores = i->op == WL_TMEM_ST;
  const uint64_t first = (uint64_t)(a & 0xffff) + (stores ? i->imm : 0); /* not cut */
  func_columns_t c = {.first = (uint32_t)first,
                      .n = stores ? i->info->b : (i->imm & 127) + 1,
                      .lane = half ? WL_LANES / 2 * (a >> 20 & 1u) : 0,
                      .lanes = half ? WL_LANES / 2 : WL_LANES,
                      .cause = WL_TRAP_NONE};
  if (lanes != own && !(half && lanes == own + WL_LANES / 2)) c.cause = WL_TRAP_TMEM_LANES;
  for (uint32_t k = 0; k < c.n && c.cause == WL_TRAP_NONE; k++) {
    const uint64_t u = (first + k) / UNIT;
    const bool own_unit =
        u < units_of(sm) && sm->tmem.unit[u].used && sm->tmem.unit[u].cta == w->cta;
    c.cause = own_unit ? WL_TRAP_NONE : WL_TRAP_TMEM_RANGE;
  }
  return c;
}

/* False, and a trap, if the warp may not reach all columns. */
static bool reach(func_sm_t *sm, const func_warp_t *w, const wl_insn_dec_t *i, func_columns_t *c) {
  *c = func_tmem_columns(sm, w, i);
  if (c->cause != WL_TRAP_NONE) {
    const uint32_t imm = i->op == WL_TMEM_ST ? i->imm : 0;
    func_trap_address(sm, w, c->cause, 0, UINT32_MAX, func_src(w, i->ra)[0] + imm);
  }
  return c->cause == WL_TRAP_NONE;
}

static void load(func_sm_t *sm, func_warp_t *w, const wl_insn_dec_t *i) {
  func_columns_t c;
  if (!reach(sm, w, i, &c)) return;
  for (uint32_t k = 0; k < c.n && i->rd != WL_REG_ZERO; k++)
    func_write(w, i->rd + k, row_of(sm, w->index % QUARTERS, c.first + k), UINT32_MAX);
}

static void store(func_sm_t *sm, const func_warp_t *w, const wl_insn_dec_t *i) {
  func_columns_t c;
  if (!reach(sm, w, i, &c)) return;
  for (uint32_t k = 0; k < c.n; k++) {
    const uint32_t *b = func_src(w, i->rb == WL_REG_ZERO ? WL_REG_ZERO : i->rb + k);
    memcpy(row_of(sm, w->index % QUARTERS, c.first + k) + c.lane, b + c.lane, c.lanes * sizeof *b);
  }
}

bool func_tmem(func_sm_t *sm, func_warp_t *w, const wl_insn_dec_t *i, uint32_t e) {
  const uint32_t lane = func_lowest(e);
  const uint32_t a = func_src(w, i->ra)[lane], b = func_src(w, i->rb)[lane];
  switch ((wl_tmem_op_t)i->op) {
  case WL_TMEM_ALLOC:
    return allocate(sm, w, e, a);
  case WL_TMEM_DEALLOC:
    deallocate(sm, w, e, a, b);
    break;
  case WL_TMEM_RELINQUISH:
    sm->tmem.may[w->cta] = false;
    break;
  case WL_TMEM_LD:
    load(sm, w, i);
    break;
  case WL_TMEM_ST:
    store(sm, w, i);
    break;
  case WL_TMEM_WAITLD: /* loads are over at once */
  case WL_NUM_TMEM_OP:
    break;
  }
  return true;
}
