/* Dispatcher of an SM (docs/microarchitecture.md 3): takes the CTA that the device offers if it fits,
 * places its register pages, and frees it. Which CTA is the next one is gpu/grid.c's. */
#include "cmodel/gpu/dispatcher.h"

#include <string.h>

static void return_page(wl_dispatcher_t *d, unsigned k, unsigned page) {
  d->pages[k].free[page / 64] |= UINT64_C(1) << page % 64;
  d->pages[k].count++;
}

static void free_slots(wl_dispatcher_t *d, const wl_env_t *env) {
  d->slots.cta_valid = 0;
  d->slots.warp_valid = 0;
  for (unsigned s = 0; s < WL_MOST_CTAS; s++)
    d->slots.cta[s].valid = false;
  memset(d->pages, 0, sizeof d->pages);
  for (unsigned k = 0; k < env->cfg.sub_cores; k++)
    for (unsigned p = 0; p < env->cfg.reg_pages / env->cfg.sub_cores; p++)
      return_page(d, k, p);
}

void wl_dispatcher_reset(wl_dispatcher_t *d, const wl_env_t *env) {
  memset(d, 0, sizeof *d);
  free_slots(d, env);
}

static unsigned lowest_page(const wl_dispatcher_t *d, unsigned k) {
  for (unsigned i = 0; i < WL_MOST_REG_PAGES / 64; i++)
    if (d->pages[k].free[i] != 0) return i * 64 + wl_lowest(d->pages[k].free[i]);
  return 0;
}

/* The warps of the launch have slots of the sub-cores that their indices name (24). */
static bool by_index(const wl_env_t *env) {
  return env->cfg.sub_cores == 4 && env->cfg.tmem != 0 && (env->launch->by_index & 1) != 0;
}

static unsigned warp_index(const wl_dispatcher_t *d, const wl_env_t *env, unsigned w) {
  const wl_wmask_t below = d->place.warps & ((UINT64_C(1) << w) - 1);
  if (!by_index(env)) return (unsigned)__builtin_popcountll(below);
  const unsigned k = wl_sub_of(env, w);
  return 4 * (unsigned)__builtin_popcountll(below & env->sub_warps[k]) + k;
}

/* The page of this cycle; with the last one the CTA starts. */
static void page_out(const wl_dispatcher_t *d, const wl_env_t *env, wl_wires_t *w) {
  w->page_we = d->place.alloc;
  w->cta_start = false;
  if (!d->place.alloc) return;
  w->page_warp = d->place.warp;
  w->page_entry = d->place.entry;
  w->page_value = (uint16_t)lowest_page(d, wl_sub_of(env, d->place.warp));
  const bool last_warp = d->place.warps >> d->place.warp == 1;
  if (!last_warp || d->place.entry + 1u < env->launch->reg_pages) return;
  w->cta_start = true;
  w->start_slot = d->place.slot;
  w->start_warps = d->place.warps;
  for (wl_wmask_t set = d->place.warps; set != 0; set &= set - 1) {
    const unsigned warp = wl_lowest(set);
    const uint32_t before = 32 * warp_index(d, env, warp), threads = env->launch->threads;
    const uint32_t lanes = threads - before;
    w->start_live[warp] = lanes >= 32 ? ~UINT32_C(0) : (UINT32_C(1) << lanes) - 1;
  }
}

void wl_dispatcher_out(const wl_dispatcher_t *d, const wl_env_t *env, wl_wires_t *w) {
  wl_wmask_t inflight = 0;
  bool missing = false; /* a miss unit is at work */
  for (unsigned k = 0; k < env->cfg.sub_cores; k++) {
    inflight |= w->sub[k].inflight_any;
    missing = missing || w->sub[k].missing;
  }
  w->empty = !d->place.alloc && d->slots.cta_valid == 0;
  w->quiet = !d->place.alloc && inflight == 0;
  w->answered = w->unacked_zero && !missing;
  page_out(d, env, w);
}

/* The `n` lowest warps of `idle`; false: there are fewer. */
static bool lowest_warps(wl_wmask_t idle, uint32_t n, wl_wmask_t *warps) {
  *warps = 0;
  for (uint32_t i = 0; i < n; i++, idle &= idle - 1) {
    if (idle == 0) return false;
    *warps |= idle & -idle;
  }
  return true;
}

/* The warps with the indices 0 to n - 1: index i has the lowest that is left of sub-core i mod 4. */
static bool indexed_warps(const wl_env_t *env, wl_wmask_t idle, uint32_t n, wl_wmask_t *warps) {
  *warps = 0;
  for (uint32_t i = 0; i < n; i++) {
    const wl_wmask_t own = idle & env->sub_warps[i % 4];
    if (own == 0) return false;
    *warps |= own & -own;
    idle &= ~(own & -own);
  }
  return true;
}

/* Each sub-core has the pages of its part of the warps. */
static bool pages_fit(const wl_dispatcher_t *d, const wl_env_t *env, wl_wmask_t warps) {
  for (unsigned k = 0; k < env->cfg.sub_cores; k++) {
    const uint64_t n = (uint64_t)__builtin_popcountll(warps & env->sub_warps[k]);
    if (d->pages[k].count < n * env->launch->reg_pages) return false;
  }
  return true;
}

/* Whether the next CTA fits, and in which slots. */
static bool fits(const wl_dispatcher_t *d, const wl_env_t *env, wl_wires_t *w) {
  const wl_launch_block_t *lb = env->launch;
  const uint32_t all = env->cfg.ctas >= 32 ? ~UINT32_C(0) : (UINT32_C(1) << env->cfg.ctas) - 1;
  const uint32_t slots = ~d->slots.cta_valid & all;
  if (slots == 0) return false;
  const unsigned s = wl_lowest(slots);
  wl_wmask_t warps;
  if ((uint64_t)(s + 1) * lb->smem_units * 1024 > env->cfg.smem_bytes) return false;
  const wl_wmask_t idle = ~d->slots.warp_valid & env->all_warps;
  const bool enough = by_index(env) ? indexed_warps(env, idle, lb->warps, &warps)
                                    : lowest_warps(idle, lb->warps, &warps);
  if (!enough) return false;
  if (!pages_fit(d, env, warps)) return false;
  w->take_slot = (uint8_t)s;
  w->take_warps = warps;
  return true;
}

/* The lowest of the CTAs whose warps are all idle, -1: none. */
static int idle_cta(const wl_dispatcher_t *d, const wl_wires_t *w) {
  if (!w->gpu->running || (d->slots.warp_valid & w->warp_idle) == 0) return -1;
  for (uint32_t valid = d->slots.cta_valid; valid != 0; valid &= valid - 1) {
    const unsigned s = wl_lowest(valid);
    if ((d->slots.cta[s].warps & ~w->warp_idle) == 0) return (int)s;
  }
  return -1;
}

void wl_dispatcher_arb(const wl_dispatcher_t *d, const wl_env_t *env, wl_wires_t *w) {
  wl_wmask_t busy = w->bar_busy;
  for (unsigned k = 0; k < env->cfg.sub_cores; k++)
    busy |= w->sub[k].path_busy | w->sub[k].inflight_any;
  w->warp_idle = ~busy;
  w->cta_freed = idle_cta(d, w);
  w->takes = w->offered && !d->place.alloc && !w->trap_pending && fits(d, env, w);
}

/* The sequence that places the CTA's pages begins. */
static void take(wl_dispatcher_t *d, const wl_wires_t *w) {
  d->place.alloc = true;
  d->place.slot = w->take_slot;
  d->place.warps = w->take_warps;
  d->place.warp = w->take_warps != 0 ? (uint8_t)wl_lowest(w->take_warps) : 0;
  d->place.entry = 0;
  d->place.x = w->gpu->offer.x;
  d->place.y = w->gpu->offer.y;
  d->place.z = w->gpu->offer.z;
}

static void journal_cta(const wl_env_t *env, unsigned event, unsigned s, const wl_cta_t *cta) {
  const uint32_t record[7] = {event,
                              s,
                              event == 0 ? cta->x : 0,
                              event == 0 ? cta->y : 0,
                              event == 0 ? cta->z : 0,
                              (uint32_t)cta->warps,
                              (uint32_t)(cta->warps >> 32)};
  wl_journal(env, WL_J_CTA, record, 7);
}

static void start_cta(wl_dispatcher_t *d, const wl_env_t *env) {
  wl_cta_t *cta = &d->slots.cta[d->place.slot];
  *cta = (wl_cta_t){.valid = true,
                    .nwarps = (uint8_t)__builtin_popcountll(d->place.warps),
                    .x = d->place.x,
                    .y = d->place.y,
                    .z = d->place.z,
                    .seq = d->seq++,
                    .warps = d->place.warps};
  d->slots.cta_valid |= UINT32_C(1) << d->place.slot;
  d->slots.warp_valid |= d->place.warps;
  for (wl_wmask_t set = d->place.warps; set != 0; set &= set - 1) {
    const unsigned w = wl_lowest(set);
    d->slots.warp_cta[w] = d->place.slot;
    d->slots.warp_index[w] = (uint8_t)warp_index(d, env, w);
  }
  d->place.alloc = false;
  env->reports->count.ctas++;
  journal_cta(env, 0, d->place.slot, cta);
}

static void place_page(wl_dispatcher_t *d, const wl_env_t *env, const wl_wires_t *w) {
  const unsigned page = w->page_value, k = wl_sub_of(env, w->page_warp);
  d->page_map[w->page_warp][w->page_entry] = w->page_value;
  d->pages[k].free[page / 64] &= ~(UINT64_C(1) << page % 64);
  d->pages[k].count--;
  const uint32_t record[3] = {w->page_warp, w->page_entry, page};
  wl_journal(env, WL_J_PAGE, record, 3);
  if (w->cta_start) {
    start_cta(d, env);
  } else if (++d->place.entry >= env->launch->reg_pages) {
    d->place.entry = 0;
    d->place.warp = (uint8_t)wl_lowest(d->place.warps & ~((UINT64_C(2) << d->place.warp) - 1));
  }
}

static void free_cta(wl_dispatcher_t *d, const wl_env_t *env, unsigned s) {
  wl_cta_t *cta = &d->slots.cta[s];
  for (wl_wmask_t set = cta->warps; set != 0; set &= set - 1)
    for (unsigned e = 0; e < env->launch->reg_pages && e < 32; e++)
      return_page(d, wl_sub_of(env, wl_lowest(set)), d->page_map[wl_lowest(set)][e]);
  d->slots.cta_valid &= ~(UINT32_C(1) << s);
  d->slots.warp_valid &= ~cta->warps;
  cta->valid = false;
  journal_cta(env, 1, s, cta);
}

void wl_dispatcher_update(wl_dispatcher_t *d, const wl_env_t *env, const wl_wires_t *w) {
  if (w->gpu->invalidate) d->seq = 0;
  if (!w->gpu->running) return;
  if (w->page_we) place_page(d, env, w);
  if (w->cta_freed >= 0) free_cta(d, env, (unsigned)w->cta_freed);
  if (w->takes) take(d, w);
  if (w->gpu->clear) free_slots(d, env);
}

uint32_t wl_dispatcher_busy(const wl_dispatcher_t *d, const wl_env_t *env) {
  const unsigned pages = env->cfg.reg_pages / env->cfg.sub_cores;
  bool slots = d->slots.cta_valid != 0 || d->slots.warp_valid != 0 || d->place.alloc;
  for (unsigned s = 0; s < env->cfg.ctas; s++)
    slots = slots || d->slots.cta[s].valid;
  bool taken = false;
  for (unsigned k = 0; k < env->cfg.sub_cores; k++) {
    taken = taken || d->pages[k].count != pages;
    for (unsigned p = 0; p < pages; p++)
      taken = taken || (d->pages[k].free[p / 64] >> p % 64 & 1) == 0;
  }
  return (uint32_t)slots << WL_REST_SLOTS | (uint32_t)taken << WL_REST_PAGES;
}
