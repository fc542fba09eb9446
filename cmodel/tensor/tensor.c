/* tensor/tensor.c: the tensor unit of a sub-core (docs/microarchitecture.md 19): operand sets (store.c), engine
 * and pipe (dot.c), and the two entries in which results wait for the result queue. */
#include "cmodel/tensor/tensor.h"

#include <string.h>

void wl_tensor_reset(wl_tensor_t *t, const wl_env_t *env, unsigned k) {
  (void)env, (void)k;
  memset(t, 0, sizeof *t);
}

bool wl_tensor_at_work(const wl_tensor_t *t) {
  return t->store.used != 0 || t->dot.valid || t->dot.in_pipe != 0 || t->out_count != 0;
}

void wl_tensor_out(const wl_tensor_t *t, const wl_env_t *env, wl_wires_t *wires, unsigned k) {
  wl_sub_wires_t *w = &wires->sub[k];
  wl_vwb_wire_t *v = &w->result[WL_RESULT_TENSOR];
  w->ready[WL_UNIT_TENSOR] = t->store.used < env->cfg.tensor_sets;
  w->dot_current = t->dot.valid;
  w->dot_free = !t->dot.valid || wl_dot_ends(&t->dot, env, &t->store);
  w->dot_next = t->store.full > t->dot.valid;
  w->dot_moves = t->out_count < WL_TENSOR_OUT; /* with products in tensor memory: or not */
  w->dot_takes = true;
  v->valid = t->out_count != 0;
  if (!v->valid) return;
  const wl_dot_word_t *e = &t->out[0];
  const wl_dot_job_t *job = &t->dot.jobs[e->job];
  v->warp = job->warp;
  v->reg = (uint8_t)wl_reg_word(job->rd, e->word);
  v->beat = e->beat;
  v->lanes = wl_beat_lanes(&env->cfg, e->beat);
  v->data = job->d[e->word];
  v->last_beat = e->beat + 1u == env->cfg.beats;
  v->last = v->last_beat && e->word + 1u == job->words;
}

void wl_tensor_update(wl_tensor_t *t, const wl_env_t *env, const wl_wires_t *wires, unsigned k) {
  const wl_sub_wires_t *w = &wires->sub[k];
  if (wires->gpu->clear) {
    wl_tensor_reset(t, env, k);
    return;
  }
  if (wl_tensor_at_work(t)) {
    if (w->result_taken == WL_RESULT_TENSOR) t->out[0] = t->out[--t->out_count];
    if (w->dot_moves) {
      const wl_dot_word_t word = wl_dot_move(&t->dot, env, &t->store, k, w->dot_takes);
      if (word.valid) t->out[t->out_count++] = word;
    }
  }
  wl_tensor_store_take(&t->store, env, w);
}

uint32_t wl_tensor_busy(const wl_tensor_t *t, const wl_env_t *env) {
  (void)env;
  return (uint32_t)wl_tensor_at_work(t) << WL_REST_TENSOR;
}
