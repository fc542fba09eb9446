/* tensor/store.c: operand sets of the tensor unit (docs/microarchitecture.md 19.1): an instruction takes the
 * next one at issue; its words come in X1. */
#include "cmodel/tensor/tensor.h"

#include <string.h>

static unsigned place(const wl_tensor_store_t *s, const wl_env_t *env, unsigned n) {
  return (s->oldest + n) % env->cfg.tensor_sets;
}

static void fill(wl_tensor_store_t *s, const wl_env_t *env, const wl_sub_wires_t *w) {
  const wl_x1_wire_t *x = w->x1;
  if (!x->valid || !x->last || x->f->ctl || x->f->insn.dec.unit != WL_UNIT_TENSOR) return;
  wl_tensor_set_t *set = &s->set[place(s, env, s->full)];
  const wl_form_info_t *info = set->dec.info;
  const size_t words = (size_t)info->a + info->b + info->c + info->x;
  memcpy(set->word, x->f->list, words * sizeof set->word[0]);
  s->full++;
}

void wl_tensor_store_take(wl_tensor_store_t *s, const wl_env_t *env, const wl_sub_wires_t *w) {
  const wl_issue_wire_t *is = &w->issue;
  fill(s, env, w);
  if (!is->valid || is->empty || is->ctl || is->insn->dec.unit != WL_UNIT_TENSOR) return;
  wl_tensor_set_t *set = &s->set[place(s, env, s->used)];
  set->dec = is->insn->dec;
  set->warp = is->warp;
  set->pc = is->insn->pc;
  s->used++;
}

void wl_tensor_store_free(wl_tensor_store_t *s, const wl_env_t *env) {
  s->oldest = (uint8_t)place(s, env, 1);
  s->used--;
  s->full--;
}
