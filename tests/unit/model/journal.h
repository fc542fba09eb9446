/* The journal of a bench's run, kept for a test to look into. */
#ifndef WL_TESTS_UNIT_MODEL_JOURNAL_H
#define WL_TESTS_UNIT_MODEL_JOURNAL_H

#include "tests/unit/model/program.h"

enum { JOURNAL_EVENTS = 65536, JOURNAL_WORDS = 16 };

typedef struct wl_event {
  uint64_t cycle;
  int kind;
  uint32_t word[JOURNAL_WORDS]; /* the first ones; 0 where the record has fewer */
} wl_event_t;

typedef struct wl_journal {
  wl_event_t event[JOURNAL_EVENTS]; /* later ones are dropped */
  unsigned n;
} wl_run_journal_t;

/* Empties the journal; the bench's runs write into it from here on. */
void journal_start(wl_run_journal_t *j, wl_bench_t *b);
/* The n-th record of a kind from cycle `from` on; NULL: there are fewer. */
const wl_event_t *journal_nth(const wl_run_journal_t *j, int kind, uint64_t from, unsigned n);
/* The same of a warp, which is the record's first word; zeros where there is none. */
wl_event_t journal_of_warp(const wl_run_journal_t *j, int kind, uint64_t from, uint32_t warp,
                           unsigned n);
/* The first resolve of a warp that asks for a split and leaves its pc so: zeros where there is none. */
wl_event_t journal_split(const wl_run_journal_t *j, uint32_t warp, uint32_t pc);
/* Cycle in which a warp issues the instruction at pc for the first time; 0: it does not. */
uint64_t journal_issue(const wl_run_journal_t *j, uint32_t warp, uint32_t pc);

#endif
