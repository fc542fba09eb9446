/* Says for views (docs/views.md) what the unit of products in tensor memory does in a cycle, and which loads it
 * holds (docs/microarchitecture.md 24.2, 25, 26). Called after the arbitrations, only where somebody watches; it
 * reads state and wires and changes nothing. */
#include "cmodel/gpu/sm.h"

/* Of a product with steps left: the first of its operands that is not there. */
static wl_umma_does_t waits_for(const wl_umma_t *u, const wl_umma_entry_t *e) {
  const wl_umma_engine_t *n = &u->engine;
  if (u->fetch.a_state[n->a_get] != WL_UMMA_FULL) return e->reads_a ? WL_DOES_TMEM : WL_DOES_SHARED;
  if (u->fetch.b_state[n->b_get] != WL_UMMA_FULL) return WL_DOES_SHARED;
  if (wl_umma_is_scaled(e) && u->scale.state[u->scale.get] != WL_UMMA_FULL) return WL_DOES_TMEM;
  return WL_DOES_TURN;
}

static wl_umma_does_t does(const wl_umma_t *u, const wl_wires_t *w) {
  const wl_umma_entry_t *e = &u->entry[u->fin];
  if (!e->used) return WL_DOES_NOTHING;
  if (e->op == WL_UMMA_COMMIT) return WL_DOES_COMMIT;
  if (!wl_umma_is_product(e)) return WL_DOES_MOVE;
  if (w->umma_steps) return WL_DOES_STEP;
  if (u->engine.on) return WL_DOES_PIPES;
  return u->engine.all_in ? WL_DOES_END : waits_for(u, e);
}

/* The group at work has no lane that is a row of D. */
static bool is_idle(const wl_umma_t *u, const wl_env_t *env) {
  const wl_umma_entry_t *e = &u->entry[u->fin];
  const unsigned lane = u->engine.group * env->cfg.dot_rows;
  return lane < wl_umma_first_lane(e) || lane >= wl_umma_end_lane(e);
}

static void see_load(const wl_sm_t *sm, unsigned k, wl_model_umma_t *out) {
  const wl_tmem_t *t = &sm->sub[k].tmem;
  const wl_tmem_load_t *l = &t->load[t->oldest];
  if (!t->awake || t->judged == 0 || t->out_count == WL_TMEM_OUT || l->zero) return;
  out->loads |= (uint8_t)(1u << k);
  if (wl_tmem_is_held(l, &sm->wires.sub[k])) out->held |= (uint8_t)(1u << k);
}

void wl_sm_watch_umma(const wl_sm_t *sm, wl_model_umma_t *out) {
  const wl_umma_t *u = &sm->umma;
  const wl_wires_t *w = &sm->wires;
  *out = (wl_model_umma_t){0};
  for (unsigned k = 0; k < sm->env.cfg.sub_cores && sm->env.cfg.tmem; k++)
    see_load(sm, k, out);
  if (!sm->env.cfg.umma || !u->awake) return;
  const wl_umma_entry_t *e = &u->entry[u->fin];
  out->does = (uint8_t)does(u, w);
  out->idle = out->does == WL_DOES_STEP && is_idle(u, &sm->env);
  out->asks = w->chunk_req[WL_CHUNK_UMMA].valid;
  out->granted = w->chunk_works && w->chunk_grant == WL_CHUNK_UMMA;
  if (!w->umma_free.valid) return;
  out->commit = e->op == WL_UMMA_COMMIT;
  out->product = wl_umma_is_product(e);
  out->move = !out->commit && !out->product;
}
