/* Result queue (docs/microarchitecture.md 6.5): words of units that keep no results themselves, on their
 * way to the variable write-back. It takes one word per cycle and shows the oldest as a source of 6.3. */
#include "cmodel/core/result.h"

#include <string.h>

void wl_result_reset(wl_result_t *r, const wl_env_t *env, unsigned k) {
  (void)env, (void)k;
  memset(r, 0, sizeof *r);
}

bool wl_result_rests(const wl_result_t *r) {
  return r->count == 0 && wl_age_at_rest(r->loss, WL_RESULT_PRODUCERS);
}

void wl_result_out(const wl_result_t *r, const wl_env_t *env, wl_wires_t *wires, unsigned k) {
  (void)env;
  const wl_result_entry_t *e = &r->entry[r->first];
  wl_vwb_wire_t *v = &wires->sub[k].vwb[WL_VWB_RESULT];
  v->valid = r->count != 0;
  if (!v->valid) return;
  v->warp = e->warp;
  v->reg = e->reg;
  v->beat = e->beat;
  v->lanes = e->lanes;
  v->data = e->data;
  v->has_pred = false;
  v->pd = WL_PRED_TRUE;
  v->last_beat = e->last_beat;
  v->last = e->last;
}

static uint32_t presenting(const wl_sub_wires_t *w) {
  uint32_t set = 0;
  for (unsigned i = 0; i < WL_RESULT_PRODUCERS; i++)
    set |= (uint32_t)w->result[i].valid << i;
  return set;
}

void wl_result_arb(const wl_result_t *r, const wl_env_t *env, wl_wires_t *wires, unsigned k) {
  wl_sub_wires_t *w = &wires->sub[k];
  const bool open = r->count < env->cfg.result_depth && !wl_stalls(env, WL_STALL_AT_RESULT);
  w->result_taken = open ? wl_age_pick(r->loss, presenting(w)) : -1;
}

static void pop(wl_result_t *r, const wl_env_t *env) {
  r->first = (uint8_t)((r->first + 1u) % env->cfg.result_depth);
  r->count--;
}

static void push(wl_result_t *r, const wl_env_t *env, const wl_vwb_wire_t *v) {
  wl_result_entry_t *e = &r->entry[(r->first + r->count++) % env->cfg.result_depth];
  *e = (wl_result_entry_t){.warp = v->warp,
                           .reg = v->reg,
                           .beat = v->beat,
                           .lanes = v->lanes,
                           .last_beat = v->last_beat,
                           .last = v->last};
  memcpy(e->data, v->data, sizeof e->data);
}

void wl_result_update(wl_result_t *r, const wl_env_t *env, const wl_wires_t *wires, unsigned k) {
  const wl_sub_wires_t *w = &wires->sub[k];
  if (!w->result_works) return;
  if (wires->gpu->clear) {
    wl_result_reset(r, env, k);
    return;
  }
  if (w->vwb_grant == WL_VWB_RESULT) pop(r, env);
  if (w->result_taken >= 0) push(r, env, &w->result[w->result_taken]);
  if (wl_stalls(env, WL_STALL_AT_RESULT)) return; /* counts are held */
  wl_age_count(r->loss, WL_RESULT_PRODUCERS, presenting(w), w->result_taken);
}

uint32_t wl_result_busy(const wl_result_t *r, const wl_env_t *env) {
  (void)env;
  return (uint32_t)!wl_result_rests(r) << WL_REST_RESULT;
}
