/* inputs.c: runs the launch on the functional backend and keeps, by thread, what its instructions
 * got from other threads: loaded words, old values of atomics, results of exchanges. A predicate is
 * kept as a word behind the registers'. */
#include <stdlib.h>
#include <string.h>

#include "driver/compare/compare.h"

typedef struct recorder {
  cmp_inputs_t *in;
} recorder_t;

static void put(cmp_inputs_t *in, uint64_t thread, uint32_t word) {
  cmp_stream_t *s = &in->thread[thread];
  if (s->count == s->cap) {
    const uint32_t cap = s->cap == 0 ? 8 : 2 * s->cap;
    uint32_t *more = cap > s->cap ? realloc(s->word, cap * sizeof *more) : NULL;
    if (more == NULL) {
      in->failed = true;
      return;
    }
    s->word = more;
    s->cap = cap;
  }
  s->word[s->count++] = word;
}

static void note(void *context, const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                 uint32_t path, uint32_t e) {
  recorder_t *r = context;
  const wl_insn_dec_t *i = &sm->code[pc].dec;
  const cmp_source_t source = e == 0 ? CMP_OWN : cmp_source(i);
  (void)path;
  if (source == CMP_OWN || source == CMP_TIME || r->in->failed) return;
  const uint32_t *id = sm->ctas[w->cta].id;
  const uint64_t cta =
      id[0] + (uint64_t)sm->launch.nctaid_x * (id[1] + (uint64_t)sm->launch.nctaid_y * id[2]);
  for (uint32_t m = e; m != 0; m &= m - 1) {
    const uint32_t lane = func_lowest(m);
    const uint64_t thread = cta * sm->launch.threads + w->index * 32 + lane;
    for (uint32_t k = 0; k < cmp_words(i) && i->rd != WL_REG_ZERO; k++)
      put(r->in, thread, func_src(w, i->rd + k)[lane]);
    if ((i->info->preds & WL_PRED_D) != 0) put(r->in, thread, w->preds[i->pd] >> lane & 1u);
  }
}

static void no_access(void *context, const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                      uint32_t e) {
  (void)context, (void)sm, (void)w, (void)pc, (void)e;
}

bool cmp_inputs_run(wl_compare_t *c) {
  wl_device_t *d = c->function->module->device;
  func_sm_t *sm = d->backend;
  recorder_t r = {&c->inputs};
  const func_watch_t watch = {&r, no_access, note, NULL};
  c->inputs.threads = c->ctas * c->sm->launch.threads;
  c->inputs.thread = calloc(c->inputs.threads + 1, sizeof *c->inputs.thread);
  if (c->inputs.thread == NULL) {
    c->status = wl_fail(d, WL_ERR_INTERNAL, "out of memory");
    return false;
  }
  const func_watch_t *before = sm->watch;
  sm->watch = &watch;
  c->status = wl_launch_run(c->function, d->c0, d->options.max_cycles, NULL);
  sm->watch = before;
  if (c->status == WL_OK && c->inputs.failed)
    c->status = wl_fail(d, WL_ERR_INTERNAL, "out of memory");
  return c->status == WL_OK;
}

void cmp_inputs_free(cmp_inputs_t *in) {
  for (uint64_t i = 0; in->thread != NULL && i < in->threads; i++)
    free(in->thread[i].word);
  free(in->thread);
  *in = (cmp_inputs_t){0};
}
