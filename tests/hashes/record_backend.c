/* record_backend.c: a backend `model` in place of the driver's (the linker takes this one). It runs
 * the model alone and folds the records of each kind into hashes, which it leaves as the note of
 * the launch. With it the kernel runner makes the table of tests/hashes (README.md there). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/backend.h"
#include "driver/lockstep/side.h"
#include "driver/splitmix.h"
#include "tests/common/digest.h"

enum { LIMIT = 20000000 };

/* The records of one kind. Those of one cycle are a set (docs/lockstep.md), so they are added. */
typedef struct fold {
  uint64_t count;
  uint64_t when;                   /* cycles, and how many records each has */
  uint64_t words;                  /* cycles, and every word of the records */
  uint64_t cycle_count, cycle_sum; /* of the cycle under way */
} fold_t;

typedef struct state {
  wl_side_t *side;
  wl_journal_t journal;
  uint64_t cycle;
  fold_t fold[WL_NUM_JOURNAL_KINDS];
} state_t;

static uint64_t record_hash(const wl_cosim_record_t *r) {
  uint64_t h = wl_digest(WL_DIGEST_START, r->words);
  for (unsigned i = 0; i < r->words; i++)
    h = wl_digest(h, r->word[i]);
  return wl_splitmix(h);
}

static uint64_t chain(uint64_t h, uint64_t cycle, uint64_t value) {
  return wl_splitmix(wl_digest(wl_splitmix(wl_digest(h, cycle)), value));
}

static void fold_cycle(state_t *s) {
  for (unsigned i = 0; i < s->journal.records; i++) {
    const wl_cosim_record_t *r = &s->journal.record[i];
    s->fold[r->kind].cycle_count++;
    s->fold[r->kind].cycle_sum += record_hash(r);
  }
  for (unsigned k = 0; k < WL_NUM_JOURNAL_KINDS; k++) {
    fold_t *f = &s->fold[k];
    if (f->cycle_count == 0) continue;
    f->count += f->cycle_count;
    f->when = chain(f->when, s->cycle, f->cycle_count);
    f->words = chain(f->words, s->cycle, f->cycle_sum);
    f->cycle_count = f->cycle_sum = 0;
  }
}

/* "RF:records:when:words PRED:..." for the kinds that have records. */
static void fold_text(const state_t *s, char *out, size_t cap) {
  size_t at = 0;
  for (unsigned k = 0; k < WL_NUM_JOURNAL_KINDS && at < cap; k++) {
    const fold_t *f = &s->fold[k];
    if (f->count == 0) continue;
    at += (size_t)snprintf(out + at, cap - at, "%s%s:%" PRIu64 ":%08" PRIx32 ":%016" PRIx64,
                           at != 0 ? " " : "", wl_journal_info[k].name, f->count,
                           (uint32_t)(f->when >> 32), f->words);
  }
}

static void step(state_t *s, const uint64_t *start) {
  wl_journal_clear(&s->journal);
  if (start != NULL)
    wl_side_model.start(s->side, *start, &s->journal);
  else
    wl_side_model.step(s->side, &s->journal);
  fold_cycle(s);
  s->cycle++;
}

static void close_state(void *state) {
  state_t *s = state;
  wl_side_model.close(s->side);
  free(s);
}

static int open_state(const wl_backend_desc_t *desc, void **state, char *err, size_t cap) {
  const wl_side_desc_t side = {.config = desc->config,
                               .seed = desc->seed,
                               .mem = desc->mem,
                               .mem_bytes = desc->mem_bytes,
                               .journal = true,
                               .density = wl_disturbs[desc->disturb].density};
  state_t *s = calloc(1, sizeof *s);
  if (s == NULL) {
    snprintf(err, cap, "out of memory");
    return WL_RUN_INTERNAL;
  }
  s->side = wl_side_model.open(&side, err, cap);
  if (s->side == NULL) {
    free(s);
    return WL_RUN_INTERNAL;
  }
  *state = s;
  return WL_RUN_OK;
}

static void judge(const state_t *s, wl_run_result_t *result) {
  const char *fault = wl_side_model.fault(s->side);
  wl_side_trap_t trap;
  wl_side_model.trap(s->side, &trap);
  if (fault != NULL || s->journal.overflow) {
    result->status = WL_RUN_INTERNAL;
    snprintf(result->report, sizeof result->report, "%s",
             fault != NULL ? fault : "more records than a cycle can have");
  } else if (!wl_side_model.done(s->side)) {
    result->status = WL_RUN_HANG;
    snprintf(result->report, sizeof result->report, "hang at cycle %" PRIu64, s->cycle);
  } else if (trap.valid) {
    result->status = WL_RUN_TRAP;
    result->trap = (wl_run_trap_t){.cause = trap.cause,
                                   .pc = trap.pc,
                                   .warp = trap.warp,
                                   .lane = trap.lane,
                                   .lanes = UINT32_C(1) << (trap.lane & 31),
                                   .has_address = trap.address != 0,
                                   .address = trap.address};
  }
}

static void run(void *state, uint64_t block, uint64_t max_cycles, wl_run_result_t *result) {
  state_t *s = state;
  const uint64_t limit = max_cycles != 0 ? max_cycles : LIMIT;
  wl_side_counters_t before, after;
  wl_side_model.counters(s->side, &before);
  const uint64_t first = s->cycle;
  step(s, &block);
  while (!wl_side_model.done(s->side) && !wl_side_model.hung(s->side) && s->cycle - first < limit)
    step(s, NULL);
  wl_side_model.counters(s->side, &after);
  result->status = WL_RUN_OK;
  result->cycles = s->cycle - first;
  result->instructions = after.issues - before.issues;
  result->thread_instructions = after.thread_issues - before.thread_issues;
  judge(s, result);
  fold_text(s, result->note, sizeof result->note);
}

static const wl_backend_ops_t ops = {"model", open_state, run, NULL, close_state, NULL};

const wl_backend_ops_t *wl_lockstep_backend(const char *name) {
  return strcmp(name, ops.name) == 0 ? &ops : NULL;
}
const wl_side_ops_t *wl_side_rtl(const wl_config_t *config, bool waves) {
  (void)waves;
  (void)config;
  return NULL;
}
