/* tensor/columns.c: the allocator of tensor memory (docs/microarchitecture.md 24.1): units of 32 columns for
 * CTAs, and the queue of warps that wait for some. Where such a warp goes is core/path_resolve.c's. */
#include "cmodel/tensor/columns.h"

#include <string.h>

static unsigned all_units(const wl_env_t *env) { return env->cfg.tmem_columns / WL_UNIT_COLUMNS; }

void wl_columns_reset(wl_columns_t *c, const wl_env_t *env) {
  uint16_t base[WL_MOST_WARPS]; /* stays: it is read after an ALLOC only */
  memcpy(base, c->base, sizeof base);
  memset(c, 0, sizeof *c);
  memcpy(c->base, base, sizeof base);
  memset(c->most, (int)all_units(env), sizeof c->most);
}

static unsigned cta_of(const wl_env_t *env, const wl_flight_t *f) {
  return env->slots->warp_cta[f->warp];
}

/* ---- what an instruction asks for */
static bool can_be(const wl_env_t *env, uint32_t columns) {
  return columns >= WL_UNIT_COLUMNS && columns <= 512 && columns <= env->cfg.tmem_columns &&
         (columns & (columns - 1)) == 0;
}

static bool is_part(const wl_columns_t *c, const wl_env_t *env, unsigned u, unsigned cta,
                    bool first) {
  const wl_column_unit_t *unit = &c->unit[u];
  return u < all_units(env) && unit->used && unit->cta == cta && unit->first == first;
}

/* One allocation of the CTA, all of it. */
static bool is_allocation(const wl_columns_t *c, const wl_env_t *env, uint32_t address, unsigned m,
                          unsigned cta) {
  const uint32_t u = address / WL_UNIT_COLUMNS;
  if (address % WL_UNIT_COLUMNS != 0 || address >> 16 != 0 || u + m > all_units(env)) return false;
  for (unsigned i = 0; i < m; i++)
    if (!is_part(c, env, u + i, cta, i == 0)) return false;
  return !is_part(c, env, u + m, cta, false);
}

/* The first trap that holds. */
static wl_trap_t fault_of(const wl_columns_t *c, const wl_env_t *env, const wl_flight_t *f,
                          uint32_t *address) {
  const unsigned cta = cta_of(env, f), op = f->insn.dec.op;
  const uint32_t n = c->word[op == WL_TMEM_DEALLOC];
  *address = n;
  if (op == WL_TMEM_RELINQUISH) return WL_TRAP_NONE;
  if (!can_be(env, n)) return WL_TRAP_TMEM_COLUMNS;
  if (op == WL_TMEM_ALLOC) {
    if ((c->given_up >> cta & 1) != 0) return WL_TRAP_TMEM_PERMIT;
    return n / WL_UNIT_COLUMNS > c->most[cta] ? WL_TRAP_TMEM_GROWS : WL_TRAP_NONE;
  }
  *address = c->word[0];
  return is_allocation(c, env, c->word[0], n / WL_UNIT_COLUMNS, cta) ? WL_TRAP_NONE
                                                                     : WL_TRAP_TMEM_DEALLOC;
}

/* The lowest place of m units that are not used, -1: none. */
static int find(const wl_columns_t *c, const wl_env_t *env, unsigned m) {
  unsigned free = 0;
  for (unsigned u = 0; u < all_units(env); u++) {
    free = c->unit[u].used ? 0 : free + 1;
    if (free == m) return (int)(u + 1 - m);
  }
  return -1;
}

static void judge(const wl_columns_t *c, const wl_env_t *env, wl_wires_t *w) {
  const wl_flight_t *f = wl_lane_resolves(env, w, WL_UNIT_TMEM);
  uint32_t address = 0;
  if (f == NULL) return;
  const wl_trap_t cause = fault_of(c, env, f, &address);
  w->columns_fault = cause != WL_TRAP_NONE;
  if (w->columns_fault) {
    w->trap[WL_SRC_COLUMNS] = wl_lane_fault(f, cause, address);
    return;
  }
  if (f->insn.dec.op == WL_TMEM_DEALLOC) w->column_first = (uint8_t)(c->word[0] / WL_UNIT_COLUMNS);
  if (f->insn.dec.op != WL_TMEM_ALLOC) return;
  const bool next = c->count == 0 || c->queue[0] == f->warp;
  const int first = find(c, env, c->word[0] / WL_UNIT_COLUMNS);
  w->columns_wait = !next || first < 0;
  if (!w->columns_wait) w->column_first = (uint8_t)first;
}

void wl_columns_out(const wl_columns_t *c, const wl_env_t *env, wl_wires_t *w) {
  w->columns_shown = c->awake;
  w->columns_fault = w->columns_wait = false;
  w->trap[WL_SRC_COLUMNS].valid = false;
  w->column_wake = c->look && c->count != 0 ? UINT64_C(1) << c->queue[0] : 0;
  if (c->way) judge(c, env, w);
}

/* ---- what it does */
static uint32_t units_mask(unsigned first, unsigned m) { return ((UINT32_C(1) << m) - 1) << first; }

static void record(const wl_env_t *env, uint32_t op, uint32_t number, uint32_t units) {
  const uint32_t words[3] = {op, number, units};
  wl_journal(env, WL_J_COLUMNS, words, 3);
}

static void leave_queue(wl_columns_t *c, unsigned warp) {
  if (!wl_wbit(c->queued, warp)) return;
  c->queued &= ~(UINT64_C(1) << warp);
  c->count--;
  memmove(c->queue, c->queue + 1, c->count);
  c->look = true;
}

static void allocate(wl_columns_t *c, const wl_env_t *env, const wl_wires_t *w,
                     const wl_flight_t *f) {
  const unsigned m = c->word[0] / WL_UNIT_COLUMNS, first = w->column_first, cta = cta_of(env, f);
  if (w->columns_wait) {
    if (wl_wbit(c->queued, f->warp)) return;
    c->queued |= UINT64_C(1) << f->warp;
    c->queue[c->count++] = f->warp;
    return;
  }
  for (unsigned i = 0; i < m; i++)
    c->unit[first + i] = (wl_column_unit_t){.used = true, .first = i == 0, .cta = (uint8_t)cta};
  c->most[cta] = (uint8_t)m;
  c->base[f->warp] = (uint16_t)(WL_UNIT_COLUMNS * first);
  leave_queue(c, f->warp);
  record(env, 0, f->warp, units_mask(first, m));
}

static void act(wl_columns_t *c, const wl_env_t *env, const wl_wires_t *w, const wl_flight_t *f) {
  c->way = false;
  if (w->columns_fault) return;
  if (f->insn.dec.op == WL_TMEM_ALLOC) {
    allocate(c, env, w, f);
  } else if (f->insn.dec.op == WL_TMEM_DEALLOC) {
    const unsigned m = c->word[1] / WL_UNIT_COLUMNS, first = w->column_first;
    memset(&c->unit[first], 0, m * sizeof c->unit[0]);
    c->look = true;
    record(env, 1, f->warp, units_mask(first, m));
  } else {
    c->given_up |= UINT32_C(1) << cta_of(env, f);
    record(env, 2, f->warp, 0);
  }
}

static void forget_cta(wl_columns_t *c, const wl_env_t *env, unsigned cta) {
  uint32_t units = 0;
  for (unsigned u = 0; u < all_units(env); u++) {
    if (!c->unit[u].used || c->unit[u].cta != cta) continue;
    units |= UINT32_C(1) << u;
    c->unit[u] = (wl_column_unit_t){0};
  }
  c->given_up &= ~(UINT32_C(1) << cta);
  c->most[cta] = (uint8_t)all_units(env);
  c->look = true;
  env->reports->count.columns_left += WL_UNIT_COLUMNS * (unsigned)__builtin_popcount(units);
  if (units != 0) record(env, 3, cta, units);
}

/* ---- a cycle */
static bool at_rest(const wl_columns_t *c, const wl_env_t *env) {
  bool rest = c->count == 0 && c->queued == 0 && c->given_up == 0;
  for (unsigned u = 0; u < all_units(env); u++)
    rest = rest && !c->unit[u].used;
  for (unsigned s = 0; s < env->cfg.ctas; s++)
    rest = rest && c->most[s] == all_units(env);
  return rest;
}

static void work(wl_columns_t *c, const wl_env_t *env, const wl_wires_t *w) {
  const wl_flight_t *f = c->way ? wl_lane_resolves(env, w, WL_UNIT_TMEM) : NULL;
  c->look = false;
  wl_lane_words(c->word, WL_COLUMN_WORDS, env, w, WL_UNIT_TMEM);
  if (f != NULL) act(c, env, w, f);
  if (w->cta_freed >= 0) forget_cta(c, env, (unsigned)w->cta_freed);
  c->awake = c->way || c->look || !at_rest(c, env);
}

static void take_issue(wl_columns_t *c, const wl_issue_wire_t *is) {
  if (!is->valid || !is->ctl || is->arrives || is->insn->dec.unit != WL_UNIT_TMEM) return;
  c->way = c->awake = true;
}

void wl_columns_update(wl_columns_t *c, const wl_env_t *env, const wl_wires_t *w) {
  if (c->awake) work(c, env, w);
  if (w->gpu->clear) {
    wl_columns_reset(c, env);
    return;
  }
  for (unsigned k = 0; k < env->cfg.sub_cores; k++)
    take_issue(c, &w->sub[k].issue);
}

uint32_t wl_columns_busy(const wl_columns_t *c, const wl_env_t *env) {
  return (uint32_t)!at_rest(c, env) << WL_REST_COLUMNS;
}
