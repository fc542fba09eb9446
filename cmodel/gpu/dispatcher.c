/* Dispatcher (docs/microarchitecture.md 3): reads the launch block, places CTAs and their register
 * pages, frees them, reports the end. It does not check the launch block: the driver does. */
#include <string.h>

#include "cmodel/gpu/sm.h"

static void return_page(wl_dispatcher_t *d, unsigned k, unsigned page) {
  d->pages[k].free[page / 64] |= UINT64_C(1) << page % 64;
  d->pages[k].count++;
}

static void free_slots(wl_sm_t *sm) {
  wl_dispatcher_t *d = &sm->disp;
  d->slots.cta_valid = 0;
  d->slots.warp_valid = 0;
  for (unsigned s = 0; s < WL_MOST_CTAS; s++)
    d->slots.cta[s].valid = false;
  memset(d->pages, 0, sizeof d->pages);
  for (unsigned k = 0; k < sm->env.cfg.sub_cores; k++)
    for (unsigned p = 0; p < sm->env.cfg.reg_pages / sm->env.cfg.sub_cores; p++)
      return_page(d, k, p);
}

void wl_dispatcher_reset(wl_sm_t *sm) {
  wl_dispatcher_t *d = &sm->disp;
  memset(d, 0, sizeof *d);
  free_slots(sm);
}

static unsigned lowest_page(const wl_dispatcher_t *d, unsigned k) {
  for (unsigned i = 0; i < WL_MOST_REG_PAGES / 64; i++)
    if (d->pages[k].free[i] != 0) return i * 64 + wl_lowest(d->pages[k].free[i]);
  return 0;
}

static unsigned warp_index(const wl_dispatcher_t *d, unsigned w) {
  return (unsigned)__builtin_popcountll(d->place.warps & ((UINT64_C(1) << w) - 1));
}

/* The page of this cycle; with the last one the CTA starts. */
static void page_out(const wl_sm_t *sm, wl_wires_t *w) {
  const wl_dispatcher_t *d = &sm->disp;
  w->page_we = d->place.alloc;
  w->cta_start = false;
  if (!d->place.alloc) return;
  w->page_warp = d->place.warp;
  w->page_entry = d->place.entry;
  w->page_value = (uint16_t)lowest_page(d, wl_sub_of(&sm->env, d->place.warp));
  const bool last_warp = d->place.warps >> d->place.warp == 1;
  if (!last_warp || d->place.entry + 1u < d->lb.block.reg_pages) return;
  w->cta_start = true;
  w->start_slot = d->place.slot;
  w->start_warps = d->place.warps;
  for (wl_wmask_t set = d->place.warps; set != 0; set &= set - 1) {
    const unsigned warp = wl_lowest(set);
    const uint32_t before = 32 * warp_index(d, warp), threads = d->lb.block.threads;
    const uint32_t lanes = threads - before;
    w->start_live[warp] = lanes >= 32 ? ~UINT32_C(0) : (UINT32_C(1) << lanes) - 1;
  }
}

void wl_dispatcher_out(const wl_sm_t *sm, wl_wires_t *w) {
  const wl_dispatcher_t *d = &sm->disp;
  w->invalidate = d->start && (d->state == WL_DISP_IDLE || d->state == WL_DISP_DONE);
  w->req_valid[WL_PORT_DISP] = d->state == WL_DISP_LOAD && d->sent < 16;
  if (w->req_valid[WL_PORT_DISP]) {
    wl_packet_t *req = &w->req[WL_PORT_DISP];
    memset(req, 0, sizeof *req);
    req->op = WL_PK_LD;
    req->unit = WL_FROM_DISP;
    req->mask = ~UINT32_C(0);
    req->sector = d->launch_addr / 32 + d->sent;
    req->tag = d->sent;
  }
  page_out(sm, w);
}

/* What depends on the other units' state of the cycle. */
void wl_dispatcher_arb(const wl_sm_t *sm, wl_wires_t *w) {
  const wl_dispatcher_t *d = &sm->disp;
  const bool pending = sm->trap.latched.valid;
  wl_wmask_t path_busy = 0, inflight = 0;
  bool missing = false; /* a miss unit is at work */
  for (unsigned k = 0; k < sm->env.cfg.sub_cores; k++) {
    path_busy |= w->sub[k].path_busy;
    inflight |= sm->sub[k].issue.inflight_any;
    missing = missing || sm->sub[k].fetch.miss.valid;
  }
  w->warp_idle = ~(path_busy | w->bar_busy | inflight);
  const bool finished = !d->remaining && !d->place.alloc && d->slots.cta_valid == 0;
  const bool quiet = !d->place.alloc && inflight == 0;
  w->end =
      d->state == WL_DISP_RUN && (finished || (pending && quiet)) && w->unacked_zero && !missing;
  w->clear = w->end && pending;
  w->fit_allowed = d->state == WL_DISP_RUN && !d->place.alloc && d->remaining && !pending;
}

static void set_state(wl_sm_t *sm, wl_disp_state_t state) {
  sm->disp.state = state;
  const uint32_t record = state;
  wl_journal(&sm->env, WL_J_STATE, &record, 1);
}

static void begin_launch(wl_sm_t *sm) {
  wl_dispatcher_t *d = &sm->disp;
  d->launch_addr = d->launch_in;
  d->sent = d->got = 0;
  d->next_x = d->next_y = d->next_z = 0;
  d->seq = 0;
  set_state(sm, WL_DISP_LOAD);
}

static void load(wl_sm_t *sm, const wl_wires_t *w) {
  wl_dispatcher_t *d = &sm->disp;
  if (d->got == 16) {
    d->remaining = true;
    set_state(sm, WL_DISP_RUN);
    return;
  }
  if (w->port_grant == WL_PORT_DISP) d->sent++;
  if (!w->rsp_valid || w->rsp.unit != WL_FROM_DISP) return;
  memcpy(d->lb.word + 8 * (w->rsp.tag & 15), w->rsp.data, 32);
  d->got++;
}

static void advance_next(wl_dispatcher_t *d) {
  const wl_launch_block_t *lb = &d->lb.block;
  if (++d->next_x < lb->nctaid_x) return;
  d->next_x = 0;
  if (++d->next_y < lb->nctaid_y) return;
  d->next_y = 0;
  if (++d->next_z < lb->nctaid_z) return;
  d->next_z = 0;
  d->remaining = false;
}

/* The `n` lowest warps of `idle`, as many as there are. */
static wl_wmask_t lowest_warps(wl_wmask_t idle, uint32_t n) {
  wl_wmask_t warps = 0;
  for (uint32_t i = 0; i < n && idle != 0; i++, idle &= idle - 1)
    warps |= idle & -idle;
  return warps;
}

/* Each sub-core has the pages of its part of the warps. */
static bool pages_fit(const wl_sm_t *sm, wl_wmask_t warps, const uint32_t *free_pages) {
  for (unsigned k = 0; k < sm->env.cfg.sub_cores; k++) {
    const uint64_t n = (uint64_t)__builtin_popcountll(warps & sm->env.sub_warps[k]);
    if (free_pages[k] < n * sm->env.launch->reg_pages) return false;
  }
  return true;
}

/* The slots in use and the free pages of each sub-core before this cycle. */
typedef struct wl_before {
  uint32_t cta_valid;
  wl_wmask_t warp_valid;
  uint32_t free_pages[WL_MOST_SUB_CORES];
} wl_before_t;

/* Takes slots for the next CTA if it fits in the state before this cycle. */
static void fit(wl_sm_t *sm, const wl_before_t *before) {
  wl_dispatcher_t *d = &sm->disp;
  const wl_launch_block_t *lb = &d->lb.block;
  const uint32_t all = sm->env.cfg.ctas >= 32 ? ~UINT32_C(0) : (UINT32_C(1) << sm->env.cfg.ctas) - 1;
  const uint32_t slots = ~before->cta_valid & all;
  if (slots == 0) return;
  const unsigned s = wl_lowest(slots);
  const wl_wmask_t warps = lowest_warps(~before->warp_valid & sm->env.all_warps, lb->warps);
  if ((uint64_t)(s + 1) * lb->smem_units * 1024 > sm->env.cfg.smem_bytes) return;
  if ((unsigned)__builtin_popcountll(warps) < lb->warps) return;
  if (!pages_fit(sm, warps, before->free_pages)) return;
  d->place.alloc = true;
  d->place.slot = (uint8_t)s;
  d->place.warps = warps;
  d->place.warp = warps != 0 ? (uint8_t)wl_lowest(warps) : 0;
  d->place.entry = 0;
  d->place.x = d->next_x;
  d->place.y = d->next_y;
  d->place.z = d->next_z;
  advance_next(d);
}

static void journal_cta(const wl_sm_t *sm, unsigned event, unsigned s, const wl_cta_t *cta) {
  const uint32_t record[7] = {event,
                              s,
                              event == 0 ? cta->x : 0,
                              event == 0 ? cta->y : 0,
                              event == 0 ? cta->z : 0,
                              (uint32_t)cta->warps,
                              (uint32_t)(cta->warps >> 32)};
  wl_journal(&sm->env, WL_J_CTA, record, 7);
}

static void start_cta(wl_sm_t *sm) {
  wl_dispatcher_t *d = &sm->disp;
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
    d->slots.warp_index[w] = (uint8_t)warp_index(d, w);
  }
  d->place.alloc = false;
  sm->reports.count.ctas++;
  journal_cta(sm, 0, d->place.slot, cta);
}

static void place_page(wl_sm_t *sm, const wl_wires_t *w) {
  wl_dispatcher_t *d = &sm->disp;
  const unsigned page = w->page_value, k = wl_sub_of(&sm->env, w->page_warp);
  d->page_map[w->page_warp][w->page_entry] = w->page_value;
  d->pages[k].free[page / 64] &= ~(UINT64_C(1) << page % 64);
  d->pages[k].count--;
  const uint32_t record[3] = {w->page_warp, w->page_entry, page};
  wl_journal(&sm->env, WL_J_PAGE, record, 3);
  if (w->cta_start) {
    start_cta(sm);
  } else if (++d->place.entry >= d->lb.block.reg_pages) {
    d->place.entry = 0;
    d->place.warp = (uint8_t)wl_lowest(d->place.warps & ~((UINT64_C(2) << d->place.warp) - 1));
  }
}

/* The lowest CTA of `valid` whose warps are all idle. */
static void free_cta(wl_sm_t *sm, const wl_wires_t *w, uint32_t valid) {
  wl_dispatcher_t *d = &sm->disp;
  for (; valid != 0; valid &= valid - 1) {
    const unsigned s = wl_lowest(valid);
    wl_cta_t *cta = &d->slots.cta[s];
    if ((cta->warps & ~w->warp_idle) != 0) continue;
    for (wl_wmask_t set = cta->warps; set != 0; set &= set - 1)
      for (unsigned e = 0; e < d->lb.block.reg_pages && e < 32; e++)
        return_page(d, wl_sub_of(&sm->env, wl_lowest(set)), d->page_map[wl_lowest(set)][e]);
    d->slots.cta_valid &= ~(UINT32_C(1) << s);
    d->slots.warp_valid &= ~cta->warps;
    cta->valid = false;
    journal_cta(sm, 1, s, cta);
    return;
  }
}

void wl_dispatcher_update(wl_sm_t *sm, const wl_wires_t *w) {
  wl_dispatcher_t *d = &sm->disp;
  wl_before_t before = {.cta_valid = d->slots.cta_valid, .warp_valid = d->slots.warp_valid};
  for (unsigned k = 0; k < sm->env.cfg.sub_cores; k++)
    before.free_pages[k] = d->pages[k].count;
  if (w->invalidate)
    begin_launch(sm);
  else if (d->state == WL_DISP_LOAD)
    load(sm, w);
  d->start = false;
  if (d->state != WL_DISP_RUN) return;
  if (w->page_we) place_page(sm, w);
  free_cta(sm, w, before.cta_valid);
  if (w->fit_allowed) fit(sm, &before);
  if (!w->end) return;
  if (w->clear) {
    free_slots(sm);
    d->remaining = false;
  }
  set_state(sm, WL_DISP_DONE);
}

bool wl_dispatcher_slots_at_rest(const wl_sm_t *sm) {
  const wl_dispatcher_t *d = &sm->disp;
  for (unsigned s = 0; s < sm->env.cfg.ctas; s++)
    if (d->slots.cta[s].valid) return false;
  return d->slots.cta_valid == 0 && d->slots.warp_valid == 0 && !d->place.alloc;
}

bool wl_dispatcher_pages_at_rest(const wl_sm_t *sm) {
  const unsigned pages = sm->env.cfg.reg_pages / sm->env.cfg.sub_cores;
  for (unsigned k = 0; k < sm->env.cfg.sub_cores; k++) {
    if (sm->disp.pages[k].count != pages) return false;
    for (unsigned p = 0; p < pages; p++)
      if ((sm->disp.pages[k].free[p / 64] >> p % 64 & 1) == 0) return false;
  }
  return true;
}
