/* tensor/dot.c: the engine of the tensor unit and its pipe (docs/microarchitecture.md 19.1): in which cycle
 * which elements of D are done. How an element is summed does not depend on that: an instruction's
 * results are computed in its first slice, by cmodel/sem. */
#include "cmodel/tensor/tensor.h"

#include <string.h>

#include "gen/wl_numerics.h"

static unsigned halves(const wl_insn_dec_t *dec) {
  const wl_profile_t *p = wl_tensor_profile(dec->op);
  return p != NULL && p->result == WL_FORMAT_F16 ? 2 : 1;
}

/* Of an element of D: 2 * DotTerms bytes of K each with elements of 16 and 32 bits, else DotTerms. */
static unsigned slices(const wl_insn_dec_t *dec, const wl_config_t *cfg) {
  const unsigned bytes = (wl_tensor_profile(dec->op) != NULL ? 2 : 1) * cfg->dot_terms;
  const unsigned k = dec->info->a == 4 ? 32 : 16; /* bytes of a row of A */
  return k > bytes ? k / bytes : 1;
}

static unsigned groups(const wl_insn_dec_t *dec, const wl_config_t *cfg) {
  return dec->info->d * WL_LANES * halves(dec) / cfg->dot_rows;
}

static void begin(wl_dot_t *d, const wl_env_t *env, const wl_tensor_set_t *set, unsigned k) {
  const uint32_t record[3] = {k, set->warp, set->pc};
  wl_journal(env, WL_J_MMA, record, 3);
  d->job = (uint8_t)((d->job + 1) % WL_TENSOR_UNDER_WAY);
  wl_dot_job_t *job = &d->jobs[d->job];
  job->warp = set->warp;
  job->rd = set->dec.rd;
  job->words = set->dec.info->d;
  job->halves = (uint8_t)halves(&set->dec);
  wl_sem_tensor(&set->dec, set->word, job->d);
}

static void next_set(wl_dot_t *d, unsigned full) {
  d->valid = full != 0;
  d->group = d->slice = 0;
}

/* One slice, or the next set; what enters the pipe. */
static wl_dot_stage_t work(wl_dot_t *d, const wl_env_t *env, wl_tensor_store_t *s, unsigned k,
                           bool takes) {
  if (!d->valid) {
    next_set(d, takes ? s->full : 0);
    return (wl_dot_stage_t){0};
  }
  const wl_tensor_set_t *set = &s->set[s->oldest];
  if (d->group == 0 && d->slice == 0) begin(d, env, set, k);
  if (++d->slice < slices(&set->dec, &env->cfg)) return (wl_dot_stage_t){0};
  const wl_dot_stage_t entry = {.valid = true, .job = d->job};
  d->slice = 0;
  if (++d->group < groups(&set->dec, &env->cfg)) return entry;
  wl_tensor_store_free(s, env);
  next_set(d, takes ? s->full : 0);
  return entry;
}

/* Results of a group go to the word; whether they complete it. */
static wl_dot_word_t leave(wl_dot_t *d, const wl_env_t *env, wl_dot_stage_t stage) {
  const wl_dot_job_t *job = &d->jobs[stage.job];
  d->gathered = (uint8_t)(d->gathered + env->cfg.dot_rows);
  if (d->gathered < env->cfg.lanes * job->halves) return (wl_dot_word_t){0};
  const wl_dot_word_t out = {.valid = true, .job = stage.job, .word = d->word, .beat = d->beat};
  d->gathered = 0;
  if (++d->beat < env->cfg.beats) return out;
  d->beat = 0;
  if (++d->word == job->words) d->word = 0;
  return out;
}

bool wl_dot_ends(const wl_dot_t *d, const wl_env_t *env, const wl_tensor_store_t *s) {
  const wl_insn_dec_t *dec = &s->set[s->oldest].dec;
  return d->slice + 1u == slices(dec, &env->cfg) && d->group + 1u == groups(dec, &env->cfg);
}

wl_dot_word_t wl_dot_move(wl_dot_t *d, const wl_env_t *env, wl_tensor_store_t *s, unsigned k,
                          bool takes) {
  const wl_dot_stage_t last = d->stage[WL_DOT_LATENCY - 1];
  memmove(&d->stage[1], &d->stage[0], sizeof d->stage - sizeof d->stage[0]);
  d->stage[0] = work(d, env, s, k, takes);
  d->in_pipe = (uint8_t)(d->in_pipe + d->stage[0].valid - last.valid);
  return last.valid ? leave(d, env, last) : (wl_dot_word_t){0};
}
