/* tensor/umma_read.c: docs/microarchitecture.md 26.6, 26.8: rows of A in tensor memory, and those that a shift
 * moves, to a buffer of A. */
#include <string.h>

#include "cmodel/tensor/umma.h"

/* Row `read_at` of the sub-core's quarter; a shift reads one quarter. */
static bool is_concerned(const wl_umma_t *u, const wl_env_t *env, unsigned k) {
  const wl_umma_entry_t *e = &u->entry[u->walk];
  return e->op != WL_UMMA_SHIFT || env->cfg.sub_cores == 1 || k == e->quarter;
}

static unsigned quarter_of(const wl_umma_t *u, const wl_env_t *env, unsigned k) {
  const wl_umma_entry_t *e = &u->entry[u->walk];
  if (e->op == WL_UMMA_SHIFT) return e->quarter;
  return env->cfg.sub_cores == 1 ? u->fetch.pass : k;
}

void wl_umma_read_out(const wl_umma_t *u, const wl_env_t *env, wl_wires_t *w) {
  const wl_umma_fetch_t *f = &u->fetch;
  w->umma_reads_d = w->umma_reads_a = false;
  for (unsigned k = 0; k < env->cfg.sub_cores; k++)
    w->umma_reads_d = w->umma_reads_d || w->sub[k].umma_reads;
  if (!wl_umma_at_read(u) || u->walk != u->fin || f->a_state[f->a_put] == WL_UMMA_FULL) return;
  if (w->umma_reads_d || f->reads == WL_UMMA_LATELY) return;
  w->umma_reads_a = true;
  for (unsigned k = 0; k < env->cfg.sub_cores; k++) {
    if (!is_concerned(u, env, k)) continue;
    wl_sub_wires_t *sub = &w->sub[k];
    const unsigned quarter = quarter_of(u, env, k);
    const size_t row =
        (size_t)quarter * env->cfg.tmem_columns + u->entry[u->walk].a_column + f->read_word;
    sub->umma_reads = true;
    sub->umma_read_quarter = (uint8_t)quarter;
    memcpy(sub->umma_read, w->tmem_words + row * WL_LANES + (size_t)f->read_beat * env->cfg.lanes,
           4 * (size_t)env->cfg.lanes);
  }
}

/* What was read goes to the buffer. */
static void store(wl_umma_t *u, const wl_env_t *env, unsigned k, const uint32_t *words) {
  wl_umma_fetch_t *f = &u->fetch;
  const wl_umma_entry_t *e = &u->entry[u->walk];
  const bool shift = e->op == WL_UMMA_SHIFT;
  const unsigned from = shift ? 0 : wl_umma_first_lane(e), end = shift ? 32 : wl_umma_end_lane(e);
  wl_umma_row_elements_t *rows = f->a[f->a_put];
  if (!shift) rows += wl_umma_first_row(env, e, quarter_of(u, env, k));
  for (unsigned i = 0; i < env->cfg.lanes; i++) {
    const unsigned lane = f->read_beat * env->cfg.lanes + i;
    if (lane < from || lane >= end) continue;
    if (shift)
      rows[lane][f->read_word] = words[i];
    else
      wl_umma_store_word(&e->a, words[i], f->read_word, rows[lane - from]);
  }
}

/* Beats ascending, then words. */
static void advance(wl_umma_t *u, const wl_env_t *env) {
  wl_umma_fetch_t *f = &u->fetch;
  if (++f->read_beat < env->cfg.beats) return;
  f->read_beat = 0;
  if (++f->read_word < WL_UMMA_TMEM_WORDS) return;
  f->read_word = 0;
  f->read_over = true;
  f->read_buffer = f->a_put;
  wl_umma_fetch_go_on(u, env);
}

void wl_umma_read_update(wl_umma_t *u, const wl_env_t *env, const wl_wires_t *w) {
  wl_umma_fetch_t *f = &u->fetch;
  f->reads = (uint8_t)(f->reads << 1 & WL_UMMA_LATELY) |
             (w->umma_reads_d || w->umma_reads_a || w->umma_reads_scales);
  if (f->read_over) f->a_state[f->read_buffer] = WL_UMMA_FULL;
  f->read_over = false;
  if (!w->umma_reads_a) return;
  f->a_state[f->a_put] = WL_UMMA_FILLS;
  for (unsigned k = 0; k < env->cfg.sub_cores; k++)
    if (is_concerned(u, env, k)) store(u, env, k, w->sub[k].umma_read);
  advance(u, env);
}
