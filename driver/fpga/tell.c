/* tell.c: the reports of a board's divergence (fpga.h), in the words of driver/lockstep/report.c.
 * docs/fpga.md 7. A board has no records to show: of its side is told what signatures and arrays
 * prove, and else that it is not known. */
#include <stdio.h>
#include <string.h>

#include "driver/fpga/fpga.h"

enum { MOST_WORDS = 16 /* of the arrays, in a report */ };

static void put_search(wl_text_t *t, const wl_rerun_t *r) {
  wl_text_put(t, "search %u round trips (a look at the board in a cycle), %u runs from the start\n",
              r->trips, r->runs - 1);
}

/* The array word that item `i` of a record is written to; false: none. */
static bool word_of(const wl_config_t *c, const wl_cosim_record_t *r, unsigned i,
                    wl_array_place_t *at) {
  const uint32_t *w = r->word;
  switch (r->kind) {
  case WL_J_RF:
    *at = (wl_array_place_t){WL_VIEW_RF, w[0] * c->lanes + (i - 3), w[1]};
    return i >= 3 && (w[2] >> (i - 3) & 1) != 0;
  case WL_J_PRED:
    *at = (wl_array_place_t){WL_VIEW_PRED, w[0] % c->sub_cores, w[0] / c->sub_cores * 8 + w[1]};
    return i == 3;
  case WL_J_SMEM:
    *at = (wl_array_place_t){WL_VIEW_SMEM, w[0], w[1]};
    return i == 3;
  case WL_J_XBUF:
    *at = (wl_array_place_t){WL_VIEW_XBUF, w[0] % c->sub_cores * 32 + w[1] * c->lanes + (i - 3),
                             w[0] / c->sub_cores};
    return i >= 3 && (w[2] >> (i - 3) & 1) != 0;
  case WL_J_TMEM:
    *at = (wl_array_place_t){WL_VIEW_TMEM, w[0] * c->lanes + (i - 3), w[1]};
    return i >= 3 && (w[2] >> (i - 3) & 1) != 0;
  default:
    return false;
  }
}

/* The bits of the array word that the record has. */
static uint32_t mask_of(const wl_cosim_record_t *r) {
  if (r->kind == WL_J_PRED) return r->word[2];
  uint32_t mask = 0;
  for (unsigned b = 0; r->kind == WL_J_SMEM && b < 4; b++)
    if ((r->word[2] >> b & 1) != 0) mask |= 0xffu << 8 * b;
  return r->kind == WL_J_SMEM ? mask : UINT32_MAX;
}

static bool inside(const wl_arrays_t *a, const wl_array_place_t *at) {
  return at->slice < a->size[at->view].slices && at->row < a->size[at->view].rows;
}

/* The board's record if it writes what its arrays hold now. */
static wl_cosim_record_t from_arrays(const wl_config_t *c, const wl_found_t *f,
                                     const wl_cosim_record_t *model) {
  wl_cosim_record_t r = *model;
  wl_array_place_t at;
  for (unsigned i = 0; i < r.words; i++)
    if (word_of(c, model, i, &at) && inside(f->board, &at))
      r.word[i] = *wl_arrays_word(f->board, at.view, at.slice, at.row) & mask_of(model);
  return r;
}

typedef enum knowledge { NOT_KNOWN, MISSING, KNOWN } knowledge_t;

/* What the board's records of a kind were, as far as their fold proves it; *which: the model's
 * record that it is about. */
static knowledge_t judge(const wl_cosim_t *c, const wl_found_t *f, unsigned kind, unsigned *which) {
  uint32_t fold = f->delta[kind];
  bool any = false;
  for (unsigned i = 0; f->arrays_known && i < c->journal.records; i++) {
    const wl_cosim_record_t *m = &c->journal.record[i];
    if (m->kind != kind) continue;
    const wl_cosim_record_t b = from_arrays(c->config, f, m);
    const uint32_t x = wl_digest_fold(m) ^ wl_digest_fold(&b);
    fold ^= x;
    if (x != 0 && !any) *which = i;
    any = any || x != 0;
  }
  if (fold == 0 && any) return KNOWN;
  for (unsigned i = 0; i < c->journal.records; i++)
    if (c->journal.record[i].kind == kind &&
        wl_digest_fold(&c->journal.record[i]) == f->delta[kind]) {
      *which = i;
      return MISSING;
    }
  return NOT_KNOWN;
}

static void put_kind(wl_text_t *t, const wl_cosim_t *c, const wl_found_t *f, unsigned kind,
                     wl_cosim_report_t *report) {
  unsigned which = WL_JOURNAL_MAX_RECORDS;
  char line[700];
  const knowledge_t k = judge(c, f, kind, &which);
  const wl_cosim_record_t *m = k == NOT_KNOWN ? NULL : &c->journal.record[which];
  for (unsigned i = 0; m == NULL && i < c->journal.records; i++)
    if (c->journal.record[i].kind == kind) m = &c->journal.record[i];
  unsigned warp = WL_MOST_WARPS;
  if (report->kind < 0) {
    report->kind = (int)kind;
    if (m != NULL)
      warp = wl_report_thing(t, c, kind, m->word, report);
    else
      wl_text_put(t, "sm0 %s", wl_journal_info[kind].name);
    wl_text_put(t, "\n");
  }
  wl_text_put(t, "event  %s\n", wl_journal_info[kind].event);
  if (m != NULL)
    wl_report_about(t, c, kind, m->word, warp, report);
  else
    wl_report_warp(t, c, warp, report);
  if (m == NULL) wl_text_put(t, "%-6s (no such record)\n", c->name[0]);
  for (unsigned i = 0; i < c->journal.records; i++) {
    const wl_cosim_record_t *r = &c->journal.record[i];
    if (r->kind != kind || (k != NOT_KNOWN && r != m)) continue;
    wl_journal_text(r, line, sizeof line);
    wl_text_put(t, "%-6s %s\n", c->name[0], line);
  }
  if (k == NOT_KNOWN) {
    wl_text_put(t, "%-6s (a board keeps no records: not known; the folds differ by %08x)\n",
                c->name[1], f->delta[kind]);
  } else if (k == MISSING) {
    wl_text_put(t, "%-6s (no such record)\n", c->name[1]);
  } else {
    const wl_cosim_record_t b = from_arrays(c->config, f, m);
    const wl_journal_difference_t d = {kind, {m, &b}};
    wl_journal_text(&b, line, sizeof line);
    wl_text_put(t, "%-6s %s\n", c->name[1], line);
    wl_report_words(t, c, &d);
  }
}

static void put_arrays(wl_text_t *t, const wl_cosim_t *c, const wl_found_t *f) {
  wl_array_place_t at = {0, 0, 0};
  unsigned n = 0;
  for (; wl_arrays_differ(f->board, f->model, &at); wl_arrays_next(f->model, &at)) {
    wl_cosim_report_t unused;
    const uint32_t x = *wl_arrays_word(f->model, at.view, at.slice, at.row);
    const uint32_t y = *wl_arrays_word(f->board, at.view, at.slice, at.row);
    if (n++ >= MOST_WORDS) continue;
    wl_text_put(t, "array  ");
    (void)wl_report_place(t, c, at.view, at.slice, at.row, &unused);
    wl_text_put(t, ": %s %08x  %s %08x  xor %08x\n", c->name[0], x, c->name[1], y, x ^ y);
  }
  if (n > MOST_WORDS) wl_text_put(t, "array  and %u words more\n", n - MOST_WORDS);
  if (n == 0) wl_text_put(t, "array  no word differs behind this cycle\n");
}

void wl_tell_records(const wl_rerun_t *r, const wl_cosim_t *c, const wl_found_t *f,
                     wl_run_result_t *result) {
  wl_cosim_report_t report;
  wl_report_clear(c, &report);
  report.cycle = f->cycle;
  wl_text_t text = {report.text, sizeof report.text, 0}, *t = &text;
  wl_text_put(t, "DIVERGENCE at cycle %llu  ", (unsigned long long)f->cycle);
  for (unsigned k = 0; k < WL_NUM_JOURNAL_KINDS; k++)
    if (f->delta[k] != 0) put_kind(t, c, f, k, &report);
  put_arrays(t, c, f);
  wl_text_put(t,
              "All signatures before were equal, and so were the arrays when this cycle began.\n");
  put_search(t, r);
  wl_report_history(t, c);
  wl_report_result(&report, result);
}

void wl_tell_word(const wl_rerun_t *r, const wl_cosim_t *c, const wl_array_place_t *at,
                  const uint32_t value[2], uint64_t from, uint64_t cycle, const char *shown,
                  wl_run_result_t *result) {
  wl_cosim_report_t report;
  wl_report_clear(c, &report);
  wl_text_t text = {report.text, sizeof report.text, 0}, *t = &text;
  report.cycle = cycle - 1;
  report.view = (int)at->view;
  wl_text_put(t, "DIVERGENCE at cycle %llu (found by reading the array in runs from the start)  ",
              (unsigned long long)(cycle - 1));
  const unsigned warp = wl_report_place(t, c, at->view, at->slice, at->row, &report);
  wl_text_put(t, "\n");
  wl_report_warp(t, c, warp, &report);
  wl_text_put(t, "%-6s %08x\n%-6s %08x\nxor    %08x\n", c->name[0], value[0], c->name[1], value[1],
              value[0] ^ value[1]);
  if (cycle - from > 1)
    wl_text_put(t, "It changed between cycles %llu and %llu: the search ended there.\n",
                (unsigned long long)from, (unsigned long long)(cycle - 1));
  wl_text_put(t,
              "The records of the cycles to there were equal: something changed outside the "
              "journalled ports.\n%s",
              shown);
  put_search(t, r);
  wl_report_history(t, c);
  wl_report_result(&report, result);
}
