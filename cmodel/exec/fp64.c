/* exec/fp64.c: the unit of 64-bit floating point of a sub-core (docs/microarchitecture.md 20.1): operand
 * sets, the engine that sends groups of lanes into the pipe, and the two words that wait for the result
 * queue. Results are computed as an instruction comes to cur; what is computed is cmodel/sem's matter. */
#include "cmodel/exec/fp64.h"

#include <string.h>

void wl_fp64_reset(wl_fp64_t *u, const wl_env_t *env, unsigned k) {
  (void)env, (void)k;
  memset(u, 0, sizeof *u);
}

bool wl_fp64_at_work(const wl_fp64_t *u) { return u->used != 0 || u->groups != 0 || u->done; }

void wl_fp64_out(const wl_fp64_t *u, const wl_env_t *env, wl_wires_t *wires, unsigned k) {
  (void)env;
  wl_sub_wires_t *w = &wires->sub[k];
  wl_vwb_wire_t *v = &w->result[WL_RESULT_FP64];
  w->ready[WL_UNIT_FP64] = u->used < WL_FP64_SETS;
  v->valid = u->done;
  if (!v->valid) return;
  const wl_fp64_job_t *job = &u->jobs[u->done_job];
  v->warp = job->warp;
  v->reg = (uint8_t)wl_reg_word(job->rd, u->k);
  v->beat = 0;
  v->lanes = job->exec;
  v->data = job->d[u->k];
  v->last_beat = true;
  v->last = u->k == 1;
}

/* ---- operand sets */
static unsigned place(const wl_fp64_t *u, unsigned n) { return (u->oldest + n) % WL_FP64_SETS; }

static void take_words(wl_fp64_t *u, const wl_x1_wire_t *x) {
  if (!x->valid || !x->last || x->f->ctl || x->f->insn.dec.unit != WL_UNIT_FP64) return;
  wl_fp64_set_t *set = &u->set[place(u, u->full)];
  const wl_form_info_t *info = set->dec.info;
  memcpy(set->word, x->f->list, (size_t)(info->a + info->b + info->c) * sizeof set->word[0]);
  u->full++;
}

static void take_issue(wl_fp64_t *u, const wl_issue_wire_t *is) {
  if (!is->valid || is->empty || is->ctl || is->insn->dec.unit != WL_UNIT_FP64) return;
  wl_fp64_set_t *set = &u->set[place(u, u->used)];
  set->dec = is->insn->dec;
  set->warp = is->warp;
  set->exec = is->exec;
  u->used++;
}

/* ---- engine and pipe */
/* The oldest set comes to cur. */
static void begin(wl_fp64_t *u) {
  const wl_fp64_set_t *set = &u->set[u->oldest];
  u->cur = true;
  u->left = set->exec;
  u->job = (uint8_t)((u->job + 1) % WL_FP64_UNDER_WAY);
  wl_fp64_job_t *job = &u->jobs[u->job];
  job->warp = set->warp;
  job->rd = set->dec.rd;
  job->exec = set->exec;
  wl_sem_fp64(&set->dec, (const uint32_t (*)[WL_LANES])set->word, set->exec, job->d);
}

static uint32_t without_lowest_group(const wl_env_t *env, uint32_t left) {
  const unsigned lanes = env->cfg.fp64_lanes;
  return wl_later_lanes(left, wl_lowest(left) / lanes, lanes);
}

/* A group enters the first stage, which is empty. Whether a set came to cur is decided by what is full as
 * the cycle begins. */
static void engine(wl_fp64_t *u, const wl_env_t *env) {
  if (!u->cur) {
    if (u->full != 0) begin(u);
    return;
  }
  u->left = without_lowest_group(env, u->left);
  u->groups |= 1u;
  u->stage[0] = (wl_fp64_stage_t){u->left == 0, u->job};
  if (u->left != 0) return;
  const bool next = u->full > 1;
  u->oldest = (uint8_t)place(u, 1);
  u->used--;
  u->full--;
  u->cur = false;
  if (next) begin(u);
}

static bool last_leaves(const wl_fp64_t *u) {
  return (u->groups >> (WL_FP64_LATENCY - 1) & 1) != 0 && u->stage[WL_FP64_LATENCY - 1].last;
}

static void move(wl_fp64_t *u, const wl_env_t *env) {
  if (last_leaves(u)) {
    u->done = true;
    u->done_job = u->stage[WL_FP64_LATENCY - 1].job;
    u->k = 0;
  }
  memmove(&u->stage[1], &u->stage[0], (WL_FP64_LATENCY - 1) * sizeof u->stage[0]);
  u->groups = u->groups << 1 & ((1u << WL_FP64_LATENCY) - 1);
  engine(u, env);
}

void wl_fp64_update(wl_fp64_t *u, const wl_env_t *env, const wl_wires_t *wires, unsigned k) {
  const wl_sub_wires_t *w = &wires->sub[k];
  if (wires->gpu->clear) {
    wl_fp64_reset(u, env, k);
    return;
  }
  if (wl_fp64_at_work(u)) {
    const bool moves = !u->done || !last_leaves(u);
    if (w->result_taken == WL_RESULT_FP64) {
      u->done = u->k == 0;
      u->k = 1;
    }
    if (moves) move(u, env);
    take_words(u, w->x1);
  }
  take_issue(u, &w->issue);
}

uint32_t wl_fp64_busy(const wl_fp64_t *u, const wl_env_t *env) {
  (void)env;
  return (uint32_t)wl_fp64_at_work(u) << WL_REST_FP64;
}
