/* The grid of a launch (docs/microarchitecture.md 3): reads the launch block, says which CTA is the next
 * one, and reports the end. One grid serves all SMs of the device. Where a CTA finds its place is
 * gpu/dispatcher.c's. It does not check the launch block: the driver does. */
#include "cmodel/gpu/grid.h"

#include <string.h>

void wl_grid_reset(wl_grid_t *g, const wl_env_t *env) {
  (void)env;
  memset(g, 0, sizeof *g);
}

void wl_grid_out(const wl_grid_t *g, const wl_env_t *env, wl_gpu_wires_t *w) {
  (void)env;
  w->running = g->state == WL_GRID_RUN;
  w->invalidate = g->start && (g->state == WL_GRID_IDLE || g->state == WL_GRID_DONE);
  w->offer.valid = w->running && g->remaining;
  w->offer.x = g->next_x;
  w->offer.y = g->next_y;
  w->offer.z = g->next_z;
  const bool finished = !g->remaining && w->sms_empty;
  const bool stopped = w->trap_pending && w->sms_quiet;
  w->end = w->running && (finished || stopped) && w->sms_answered;
  w->clear = w->end && w->trap_pending;
  w->load_valid = g->state == WL_GRID_LOAD && g->sent < 16;
  if (!w->load_valid) return;
  memset(&w->load, 0, sizeof w->load);
  w->load.op = WL_PK_LD;
  w->load.unit = WL_FROM_DISP;
  w->load.mask = ~UINT32_C(0);
  w->load.sector = g->launch_addr / 32 + g->sent;
  w->load.tag = wl_tag_of_disp((wl_tag_disp_t){g->sent});
}

static void set_state(wl_grid_t *g, const wl_env_t *env, wl_grid_state_t state) {
  g->state = state;
  const uint32_t record = state;
  wl_journal(env, WL_J_STATE, &record, 1);
}

static void begin_launch(wl_grid_t *g, const wl_env_t *env) {
  g->launch_addr = g->launch_in;
  g->sent = g->got = 0;
  g->next_x = g->next_y = g->next_z = 0;
  set_state(g, env, WL_GRID_LOAD);
}

static void load(wl_grid_t *g, const wl_env_t *env, const wl_gpu_wires_t *w) {
  if (g->got == 16) {
    g->remaining = true;
    set_state(g, env, WL_GRID_RUN);
    return;
  }
  if (w->load_granted) g->sent++;
  if (!w->rsp_valid || w->rsp.unit != WL_FROM_DISP) return;
  memcpy(g->lb.word + 8 * wl_tag_disp(w->rsp.tag).sector, w->rsp.data, 32);
  g->got++;
}

static void advance_next(wl_grid_t *g) {
  const wl_launch_block_t *lb = &g->lb.block;
  if (++g->next_x < lb->nctaid_x) return;
  g->next_x = 0;
  if (++g->next_y < lb->nctaid_y) return;
  g->next_y = 0;
  if (++g->next_z < lb->nctaid_z) return;
  g->next_z = 0;
  g->remaining = false;
}

void wl_grid_update(wl_grid_t *g, const wl_env_t *env, const wl_gpu_wires_t *w) {
  if (w->invalidate)
    begin_launch(g, env);
  else if (g->state == WL_GRID_LOAD)
    load(g, env, w);
  g->start = false;
  if (w->offer_taken) advance_next(g);
  if (!w->end) return;
  if (w->clear) g->remaining = false;
  set_state(g, env, WL_GRID_DONE);
}
