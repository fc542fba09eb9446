/* One SM (docs/microarchitecture.md 0.1): reset, one cycle, its counters.
 * Cycles in which no unit can change state are only counted (IDLE and DONE with nothing in the
 * fetch stages). What the units do is in their own files; seeding and the driver's view are
 * model.c. */
#include <string.h>

#include "cmodel/gpu/obligations.h"
#include "cmodel/gpu/sm.h"

void wl_sm_reset(wl_sm_t *sm) {
  sm->cycle = 0;
  for (unsigned k = 0; k < sm->cfg.sub_cores; k++) {
    wl_fetch_reset(sm, k);
    wl_issue_reset(sm, k);
    wl_operands_reset(sm, k);
    wl_writeback_reset(sm, k);
    wl_paths_reset(sm, k);
    wl_exchange_reset(sm, k);
  }
  wl_dispatcher_reset(sm);
  wl_memissue_reset(sm);
  wl_barrier_reset(sm);
  wl_lsu_reset(sm);
  wl_smem_reset(sm);
  wl_ccache_reset(sm);
  wl_smport_reset(sm);
  wl_orderpoint_reset(sm);
  wl_memory_reset(sm);
  wl_trap_reset(sm);
  wl_monitor_reset(sm);
}

static void outputs(const wl_sm_t *sm, wl_wires_t *w) {
  wl_dispatcher_out(sm, w);
  wl_smem_out(sm, w);
  wl_lsu_out(sm, w);
  wl_ccache_out(sm, w);
  wl_memissue_out(sm, w);
  for (unsigned k = 0; k < sm->cfg.sub_cores; k++) {
    wl_operands_out(sm, w, k);
    wl_fetch_out(sm, w, k);
    wl_exchange_out(sm, w, k);
    wl_paths_out(sm, w, k);
  }
  wl_barrier_out(sm, w);
  wl_memory_out(sm, w);
  wl_orderpoint_out(sm, w);
  wl_smport_out(sm, w);
}

static void arbitrate(const wl_sm_t *sm, wl_wires_t *w) {
  wl_smport_arb(sm, w);
  for (unsigned k = 0; k < sm->cfg.sub_cores; k++) {
    wl_writeback_arb(sm, w, k);
    wl_fetch_arb(sm, w, k);
    wl_issue_arb(sm, w, k);
  }
  wl_dispatcher_arb(sm, w);
  wl_monitor_arb(sm, w);
}

static void update(wl_sm_t *sm, const wl_wires_t *w) {
  for (unsigned k = 0; k < sm->cfg.sub_cores; k++) {
    wl_issue_update(sm, w, k);
    wl_operands_update(sm, w, k);
    wl_writeback_update(sm, w, k);
    wl_paths_update(sm, w, k);
    wl_exchange_update(sm, w, k);
    wl_fetch_update(sm, w, k);
  }
  wl_memissue_update(sm, w);
  wl_barrier_update(sm, w);
  wl_lsu_update(sm, w);
  wl_smem_update(sm, w);
  wl_ccache_update(sm, w);
  wl_smport_update(sm, w);
  wl_orderpoint_update(sm, w);
  wl_memory_update(sm, w);
  wl_trap_update(sm, w);
  wl_monitor_update(sm, w);
  wl_dispatcher_update(sm, w);
}

/* The same backwards: the order must not matter. */
static void update_reversed(wl_sm_t *sm, const wl_wires_t *w) {
  wl_dispatcher_update(sm, w);
  wl_monitor_update(sm, w);
  wl_trap_update(sm, w);
  wl_memory_update(sm, w);
  wl_orderpoint_update(sm, w);
  wl_smport_update(sm, w);
  wl_ccache_update(sm, w);
  wl_smem_update(sm, w);
  wl_lsu_update(sm, w);
  wl_barrier_update(sm, w);
  wl_memissue_update(sm, w);
  for (unsigned k = sm->cfg.sub_cores; k-- > 0;) {
    wl_fetch_update(sm, w, k);
    wl_exchange_update(sm, w, k);
    wl_paths_update(sm, w, k);
    wl_writeback_update(sm, w, k);
    wl_operands_update(sm, w, k);
    wl_issue_update(sm, w, k);
  }
}

static void count(wl_sm_t *sm, const wl_wires_t *w) {
  wl_watchdog(sm, w);
  if (sm->disp.state == WL_DISP_IDLE || sm->disp.state == WL_DISP_DONE) return;
  sm->count.cycles++;
  sm->count.packets += w->port_grant >= 0;
}

/* Record REST (15), bits by number, before any update. */
uint32_t wl_sm_rest(const wl_sm_t *sm) {
  bool issue = true, paths = true, exchange = true;
  for (unsigned k = 0; k < sm->cfg.sub_cores; k++) {
    issue = issue && wl_issue_at_rest(sm, k);
    paths = paths && wl_paths_at_rest(sm, k);
    exchange = exchange && wl_exchange_at_rest(sm, k);
  }
  const bool rest[WL_REST_UNITS] = {[WL_REST_SLOTS] = wl_dispatcher_slots_at_rest(sm),
                                    [WL_REST_PAGES] = wl_dispatcher_pages_at_rest(sm),
                                    [WL_REST_ISSUE] = issue,
                                    [WL_REST_PATHS] = paths,
                                    [WL_REST_BARRIER] = wl_barrier_at_rest(sm),
                                    [WL_REST_EXCHANGE] = exchange,
                                    [WL_REST_LSU] = wl_lsu_at_rest(sm) && wl_memissue_at_rest(sm),
                                    [WL_REST_LDC] = wl_ccache_at_rest(sm),
                                    [WL_REST_SMEM] = wl_smem_at_rest(sm),
                                    [WL_REST_PORT] =
                                        wl_smport_at_rest(sm) && wl_orderpoint_at_rest(sm)};
  uint32_t word = 0;
  for (unsigned i = 0; i < WL_REST_UNITS; i++)
    word |= (uint32_t)rest[i] << i;
  return word;
}

static void record_rest(wl_sm_t *sm) {
  const uint32_t words[4] = {(uint32_t)sm->cycle, (uint32_t)(sm->cycle >> 32), wl_sm_rest(sm),
                             wl_orderpoint_places(sm)};
  wl_journal(sm, WL_J_REST, words, 4);
  if (words[2] != (1U << WL_REST_UNITS) - 1)
    wl_sm_fail(sm, "a unit is not at rest at the start of a launch (section 15)");
}

static bool at_rest(const wl_sm_t *sm) {
  const wl_disp_state_t s = sm->disp.state;
  if ((s != WL_DISP_IDLE && s != WL_DISP_DONE) || sm->disp.start) return false;
  for (unsigned k = 0; k < sm->cfg.sub_cores; k++) {
    const wl_fetch_t *f = &sm->sub[k].fetch;
    if (f->f2.valid || f->d1.valid || f->d2.valid) return false;
  }
  return true;
}

uint64_t wl_sm_mix(uint64_t seed, uint64_t kind, uint64_t index) {
  uint64_t z = seed + UINT64_C(0x9E3779B97F4A7C15) * ((kind << 56) + index + 1);
  z ^= z >> 30;
  z *= UINT64_C(0xBF58476D1CE4E5B9);
  z ^= z >> 27;
  z *= UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

/* The stall points of this cycle, section 17. */
static void disturb(wl_sm_t *sm) {
  enum { STALLS = 7 }; /* kind of section 15 */
  sm->stall_word = wl_sm_mix(sm->seed, STALLS, sm->cycle);
  sm->stall = 0;
  for (unsigned i = 0; i < WL_NUM_STALLS; i++)
    if ((sm->stall_word >> 3 * i & 7) < sm->density) sm->stall |= UINT32_C(1) << i;
}

void wl_sm_cycle(wl_sm_t *sm, wl_wires_t *w) {
  if (sm->density != 0) disturb(sm);
  if (!at_rest(sm)) {
    outputs(sm, w);
    arbitrate(sm, w);
    count(sm, w);
    if (sm->watch != NULL) wl_sm_watch(sm, w);
    wl_obligations_check(sm, w);
    if (w->invalidate) record_rest(sm);
    if (sm->reverse_updates)
      update_reversed(sm, w);
    else
      update(sm, w);
  } else {
    wl_memissue_rest(sm);
    wl_monitor_rest(sm);
  }
  sm->cycle++;
}
