/* find.c: from two signatures that differ to the first cycle that does, by running the launch again
 * on the board and looking half way (fpga.h). docs/fpga.md 7. The model runs again from the same
 * start as often as its state of some cycle is needed; nothing is kept of its former runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/fpga/fpga.h"

enum { MOST_TRIPS = 40, STOP_CYCLES = 1 << 14 };

bool wl_past_open(wl_past_t *p, const wl_rerun_t *r) {
  const wl_backend_desc_t *d = &r->fpga->desc;
  memset(p, 0, sizeof *p);
  p->mem = malloc(d->mem_bytes);
  if (p->mem == NULL) return wl_link_fail(&r->fpga->link, "out of memory");
  memcpy(p->mem, r->fpga->before, d->mem_bytes);
  return wl_twin_open(&p->twin, d, p->mem, false, r->launch_block, r->start, r->signature) ||
         wl_link_fail(&r->fpga->link, "%s", p->twin.error);
}

void wl_past_close(wl_past_t *p) {
  wl_twin_close(&p->twin);
  free(p->mem);
}

/* False: it was asked to stop. */
static bool past_step(wl_past_t *p, const wl_rerun_t *r) {
  const wl_backend_desc_t *d = &r->fpga->desc;
  wl_twin_step(&p->twin);
  return p->twin.cycle % STOP_CYCLES != 0 || d->stop == NULL || !d->stop(d->stop_context) ||
         wl_link_fail(&r->fpga->link, "stopped");
}

static bool past_to(wl_past_t *p, const wl_rerun_t *r, uint64_t cycle) {
  bool ok = true;
  while (ok && p->twin.cycle < cycle)
    ok = past_step(p, r);
  return ok;
}

/* Hashes of the model's signatures in the cycles from low to high. */
static uint64_t *model_hashes(const wl_rerun_t *r, uint64_t low, uint64_t high) {
  uint64_t *hash = malloc((high - low + 1) * sizeof *hash);
  wl_past_t p;
  if (hash == NULL) {
    wl_link_fail(&r->fpga->link, "out of memory");
    return NULL;
  }
  bool ok = wl_past_open(&p, r) && past_to(&p, r, low);
  for (uint64_t c = low; ok && c <= high; c++) {
    hash[c - low] = wl_digest_hash(p.twin.digest.signature);
    if (c < high) ok = past_step(&p, r);
  }
  wl_past_close(&p);
  if (ok) return hash;
  free(hash);
  return NULL;
}

typedef struct search {
  uint64_t low, high; /* equal; differs */
  bool again;         /* seen to differ in `high` a second time */
  uint32_t signature[WL_NUM_JOURNAL_KINDS]; /* the board's in `high` */
} search_t;

/* False: a link error. */
static bool halve(wl_rerun_t *r, search_t *s) {
  const uint64_t first = s->low;
  uint64_t *hash = model_hashes(r, s->low, s->high);
  bool ok = hash != NULL;
  while (ok && (s->high - s->low > 1 || !s->again)) {
    uint32_t seen[WL_NUM_JOURNAL_KINDS];
    const uint64_t at = s->high - s->low > 1 ? s->low + (s->high - s->low) / 2 : s->high;
    ok = wl_rerun_look(r, at, seen);
    if (!ok) break;
    if (wl_digest_hash(seen) == hash[at - first]) {
      if (at == s->high) break; /* it does not show again */
      s->low = at;
    } else {
      s->high = at;
      s->again = true;
      memcpy(s->signature, seen, sizeof seen);
    }
  }
  free(hash);
  return ok;
}

/* What there is of a cycle, on both sides. */
typedef struct scene {
  wl_past_t past;                           /* behind the cycle */
  wl_arrays_t board[2], model[2];           /* before and behind it */
  uint32_t signature[WL_NUM_JOURNAL_KINDS]; /* the model's when they are seen */
} scene_t;

static bool scene_read(scene_t *s, wl_rerun_t *r, uint64_t cycle) {
  for (unsigned i = 0; i < 2; i++) {
    r->trips++;
    if (!past_to(&s->past, r, cycle + i) || !wl_rerun_to(r, cycle + i)) return false;
    r->lost = true;
    if (!wl_arrays_peek(&s->board[i], &r->fpga->link)) return false;
    wl_arrays_copy(&s->model[i], s->past.twin.cosim);
  }
  /* The records of the cycle enter the signatures with the next tick. */
  for (unsigned k = 0; k < WL_NUM_JOURNAL_KINDS; k++)
    s->signature[k] = wl_digest_step(s->past.twin.digest.signature[k]) ^ s->past.twin.digest.in[k];
  return true;
}

static bool scene_open(scene_t *s, const wl_rerun_t *r) {
  const wl_config_t *c = r->fpga->desc.config;
  memset(s, 0, sizeof *s);
  bool ok = wl_past_open(&s->past, r);
  for (unsigned i = 0; i < 2; i++) {
    ok = wl_arrays_open(&s->board[i], c) && ok;
    ok = wl_arrays_open(&s->model[i], c) && ok;
  }
  return ok || wl_link_fail(&r->fpga->link, "out of memory");
}

static void scene_close(scene_t *s) {
  wl_past_close(&s->past);
  for (unsigned i = 0; i < 2; i++) {
    wl_arrays_close(&s->board[i]);
    wl_arrays_close(&s->model[i]);
  }
}

/* ---- a word that differs although no record does */

/* Cycle behind the model's last change of the word before `cycle`, and the value since. */
static bool last_change(const wl_rerun_t *r, const wl_array_place_t *at, uint64_t cycle,
                        uint64_t *from, uint32_t *value) {
  wl_past_t p;
  *from = r->start;
  bool ok = wl_past_open(&p, r);
  if (ok) {
    const wl_cosim_view_t *v =
        wl_cosim_reference_view(p.twin.cosim, (wl_view_id_t)at->view);
    const uint32_t *word = &v->base[at->slice][at->row * v->stride];
    *value = *word;
    while (ok && p.twin.cycle < cycle) {
      ok = past_step(&p, r);
      if (*word != *value) *from = p.twin.cycle;
      *value = *word;
    }
  }
  wl_past_close(&p);
  return ok;
}

static bool look_word(wl_rerun_t *r, const wl_array_place_t *at, uint64_t cycle, uint32_t *value) {
  r->trips++;
  if (!wl_rerun_to(r, cycle)) return false;
  r->lost = true;
  return wl_board_peek(&r->fpga->link, (wl_link_array_t)at->view, at->slice, at->row, value, 1);
}

/* The word differs in cycle `high`; `shown`: a line on how that came to light. */
static bool find_change(wl_rerun_t *r, const wl_array_place_t *at, uint64_t high, const char *shown,
                        wl_run_result_t *result) {
  uint64_t from, low;
  uint32_t value[2];
  wl_past_t p;
  if (!last_change(r, at, high, &from, &value[0])) return false;
  low = from > r->start ? from - 1 : r->start; /* behind it the board had the model's, or never */
  if (!look_word(r, at, high, &value[1])) return false;
  while (high - low > 1 && r->trips < MOST_TRIPS && value[1] != value[0]) {
    uint32_t seen;
    const uint64_t mid = low + (high - low) / 2;
    if (!look_word(r, at, mid, &seen)) return false;
    if (seen == value[0]) {
      low = mid;
    } else {
      high = mid;
      value[1] = seen;
    }
  }
  const bool ok = wl_past_open(&p, r) && past_to(&p, r, high);
  if (ok) wl_tell_word(r, p.twin.cosim, at, value, low, high, shown, result);
  wl_past_close(&p);
  return ok;
}

void wl_fpga_find_word(wl_rerun_t *r, uint64_t cycle, const wl_array_place_t *place,
                       wl_run_result_t *result) {
  if (!find_change(r, place, cycle,
                   "shown  by the arrays at the end; the signatures of all cycles were equal\n",
                   result))
    wl_fpga_link_failed(r->fpga, result);
}

/* ---- the first cycle whose records differ */

static void tell_transient(const wl_rerun_t *r, uint64_t low, uint64_t high,
                           wl_run_result_t *result) {
  result->status = WL_RUN_DIVERGED;
  result->cycle = high;
  result->kind = result->view = result->warp = result->reg = -1;
  result->has_pc = false;
  snprintf(result->report, sizeof result->report,
           "DIVERGENCE between cycles %llu and %llu of the board's first run, which did not show "
           "again: %u runs from the start were equal to there. A clock too fast, a cold joint, or a "
           "flipped bit: run `warplock fpga --selftest`, and the launch again\n",
           (unsigned long long)low, (unsigned long long)high, r->runs - 1);
}

static bool tell_cycle(wl_rerun_t *r, scene_t *scene, const search_t *s, wl_run_result_t *result) {
  const uint64_t cycle = s->high - 2;
  wl_array_place_t at = {0, 0, 0};
  char shown[200];
  if (!scene_open(scene, r) || !scene_read(scene, r, cycle)) return false;
  wl_found_t found = {.cycle = cycle,
                      .board = &scene->board[1],
                      .model = &scene->model[1],
                      .arrays_known = true};
  for (unsigned k = 0; k < WL_NUM_JOURNAL_KINDS; k++)
    found.delta[k] = scene->signature[k] ^ s->signature[k];
  if (!wl_arrays_differ(&scene->board[0], &scene->model[0], &at)) {
    wl_tell_records(r, scene->past.twin.cosim, &found, result);
    return true;
  }
  size_t n = (size_t)snprintf(shown, sizeof shown, "shown  by records of cycle %llu:",
                              (unsigned long long)cycle);
  for (unsigned k = 0; k < WL_NUM_JOURNAL_KINDS && n < sizeof shown - 16; k++)
    if (found.delta[k] != 0)
      n += (size_t)snprintf(shown + n, sizeof shown - n, " %s", wl_journal_info[k].name);
  (void)snprintf(shown + n, sizeof shown - n, "\n");
  return find_change(r, &at, cycle, shown, result);
}

void wl_fpga_find(wl_rerun_t *r, uint64_t low, uint64_t high, wl_run_result_t *result) {
  search_t s = {.low = low, .high = high};
  r->lost = true; /* from the start: what was there once is to show again */
  r->trips = 0;
  if (!halve(r, &s)) {
    wl_fpga_link_failed(r->fpga, result);
    return;
  }
  if (!s.again || s.high - s.low > 1) {
    tell_transient(r, s.low, s.high, result);
    return;
  }
  if (s.high < r->start + 2) {
    result->status = WL_RUN_DIVERGED;
    snprintf(result->report, sizeof result->report,
             "DIVERGENCE at the start of the launch: the board's signatures changed in cycle %llu, "
             "before any record could: its journal, not its core, is at fault\n",
             (unsigned long long)r->start);
    return;
  }
  scene_t *scene = calloc(1, sizeof *scene);
  if (scene == NULL || !tell_cycle(r, scene, &s, result)) wl_fpga_link_failed(r->fpga, result);
  if (scene != NULL) scene_close(scene);
  free(scene);
}
