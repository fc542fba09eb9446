/* journal.c: collecting, comparing and printing journal records. docs/microarchitecture.md 15.
 * The common case, equal records in equal order, is one pass without sorting. */
#include "driver/lockstep/journal.h"

#include <stdio.h>
#include <string.h>

void wl_journal_add(wl_journal_t *journal, unsigned kind, const uint32_t *words, unsigned n) {
  if (journal->records == WL_JOURNAL_MAX_RECORDS || n > WL_RECORD_MAX_WORDS) {
    journal->overflow = true;
    return;
  }
  wl_cosim_record_t *r = &journal->record[journal->records++];
  r->kind = (uint16_t)kind;
  r->words = (uint16_t)n;
  memcpy(r->word, words, n * sizeof *words);
}

static int compare_records(const wl_cosim_record_t *x, const wl_cosim_record_t *y) {
  if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
  if (x->words != y->words) return x->words < y->words ? -1 : 1;
  for (unsigned i = 0; i < x->words; i++)
    if (x->word[i] != y->word[i]) return x->word[i] < y->word[i] ? -1 : 1;
  return 0;
}

/* Insertion sort of pointers: a cycle has few records, mostly in order. */
static void sort_records(const wl_cosim_record_t *records, unsigned n,
                         const wl_cosim_record_t **sorted) {
  for (unsigned i = 0; i < n; i++) {
    unsigned at = i;
    for (; at > 0 && compare_records(&records[i], sorted[at - 1]) < 0; at--)
      sorted[at] = sorted[at - 1];
    sorted[at] = &records[i];
  }
}

/* Equal leading words that tell which thing a record is about (so that a wrong value is reported as
 * "differs" and not as one record missing and one too many). */
static bool same_key(const wl_cosim_record_t *x, const wl_cosim_record_t *y) {
  return x->kind == y->kind &&
         memcmp(x->word, y->word, wl_journal_info[x->kind].key_words * sizeof *x->word) == 0;
}

static bool sorted_equal(const wl_cosim_record_t *const *a, unsigned a_records,
                         const wl_cosim_record_t *const *b, unsigned b_records,
                         wl_journal_difference_t *difference) {
  for (unsigned i = 0; i < a_records || i < b_records; i++) {
    const wl_cosim_record_t *x = i < a_records ? a[i] : NULL;
    const wl_cosim_record_t *y = i < b_records ? b[i] : NULL;
    const int order = x == NULL ? 1 : y == NULL ? -1 : compare_records(x, y);
    if (order == 0) continue;
    if (x != NULL && y != NULL && same_key(x, y))
      *difference = (wl_journal_difference_t){x->kind, {x, y}};
    else if (order < 0)
      *difference = (wl_journal_difference_t){x->kind, {x, NULL}};
    else
      *difference = (wl_journal_difference_t){y->kind, {NULL, y}};
    return false;
  }
  return true;
}

bool wl_journal_equal(const wl_cosim_record_t *a, unsigned a_records, const wl_cosim_record_t *b,
                      unsigned b_records, wl_journal_difference_t *difference) {
  unsigned same = 0;
  while (same < a_records && same < b_records && a[same].kind == b[same].kind &&
         a[same].words == b[same].words &&
         memcmp(a[same].word, b[same].word, a[same].words * sizeof *a->word) == 0)
    same++;
  if (same == a_records && same == b_records) return true;
  const wl_cosim_record_t *left[WL_JOURNAL_MAX_RECORDS], *right[WL_JOURNAL_MAX_RECORDS];
  sort_records(a + same, a_records - same, left);
  sort_records(b + same, b_records - same, right);
  return sorted_equal(left, a_records - same, right, b_records - same, difference);
}

void wl_journal_text(const wl_cosim_record_t *record, char *out, size_t cap) {
  if (record == NULL) {
    snprintf(out, cap, "(no such record)");
    return;
  }
  const wl_journal_info_t *info = &wl_journal_info[record->kind];
  size_t at = (size_t)snprintf(out, cap, "%s", info->name);
  for (unsigned i = 0; i < record->words && at < cap; i++) {
    if (i < info->names) at += (size_t)snprintf(out + at, cap - at, " %s", info->word_names[i]);
    if (at < cap) at += (size_t)snprintf(out + at, cap - at, " %x", (unsigned)record->word[i]);
  }
}
