/* Helper of the golden model's tests; see journal.h. */
#include "tests/unit/model/journal.h"

static void record(void *user, uint64_t cycle, int kind, const uint32_t *words, unsigned n) {
  wl_run_journal_t *j = user;
  if (j->n == JOURNAL_EVENTS) return;
  wl_event_t *e = &j->event[j->n++];
  *e = (wl_event_t){.cycle = cycle, .kind = kind};
  memcpy(e->word, words, (n < JOURNAL_WORDS ? n : JOURNAL_WORDS) * sizeof *words);
}

void journal_start(wl_run_journal_t *j, wl_bench_t *b) {
  j->n = 0;
  wl_model_set_journal(b->model, record, j);
}

const wl_event_t *journal_nth(const wl_run_journal_t *j, int kind, uint64_t from, unsigned n) {
  for (unsigned i = 0; i < j->n; i++)
    if (j->event[i].kind == kind && j->event[i].cycle >= from && n-- == 0) return &j->event[i];
  return NULL;
}

uint64_t journal_issue(const wl_run_journal_t *j, uint32_t warp, uint32_t pc) {
  for (unsigned i = 0; i < j->n; i++)
    if (j->event[i].kind == WL_J_ISSUE && j->event[i].word[0] == warp && j->event[i].word[1] == pc)
      return j->event[i].cycle;
  return 0;
}

wl_event_t journal_of_warp(const wl_run_journal_t *j, int kind, uint64_t from, uint32_t warp,
                           unsigned n) {
  for (unsigned i = 0;; i++) {
    const wl_event_t *e = journal_nth(j, kind, from, i);
    if (e == NULL) return (wl_event_t){0};
    if (e->word[0] == warp && n-- == 0) return *e;
  }
}

wl_event_t journal_split(const wl_run_journal_t *j, uint32_t warp, uint32_t pc) {
  for (unsigned i = 0;; i++) {
    const wl_event_t e = journal_of_warp(j, WL_J_RESOLVE, 0, warp, i);
    if (e.cycle == 0 || (e.word[1] == WL_REQ_SPLIT && e.word[2] == pc)) return e;
  }
}
