/* journal.c: collecting, comparing and printing journal records. docs/microarchitecture.md 15.
 * The common case, equal records in equal order, is one memcmp per side and cycle. */
#include "driver/lockstep/journal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void wl_journal_add(wl_journal_t *journal, unsigned kind, const uint32_t *words, unsigned n) {
  if (journal->records == WL_JOURNAL_MAX_RECORDS || n > WL_RECORD_MAX_WORDS ||
      journal->used + n > WL_JOURNAL_MAX_WORDS) {
    journal->overflow = true;
    return;
  }
  journal->record[journal->records++] =
      (wl_record_t){(uint8_t)kind, (uint8_t)n, (uint16_t)journal->used};
  memcpy(journal->words + journal->used, words, n * sizeof *words);
  journal->used += n;
}

static int compare_records(const wl_journal_t *a, wl_record_t x, const wl_journal_t *b,
                           wl_record_t y) {
  if (x.kind != y.kind) return x.kind < y.kind ? -1 : 1;
  if (x.n != y.n) return x.n < y.n ? -1 : 1;
  for (unsigned i = 0; i < x.n; i++) {
    const uint32_t p = a->words[x.offset + i], q = b->words[y.offset + i];
    if (p != q) return p < q ? -1 : 1;
  }
  return 0;
}

/* Insertion sort: a cycle has few records, mostly in order. */
static void sort_records(wl_journal_t *journal) {
  for (unsigned i = 1; i < journal->records; i++) {
    const wl_record_t moved = journal->record[i];
    unsigned at = i;
    for (; at > 0 && compare_records(journal, moved, journal, journal->record[at - 1]) < 0; at--)
      journal->record[at] = journal->record[at - 1];
    journal->record[at] = moved;
  }
}

/* How many leading words tell which thing a record is about (so that a wrong value is reported as
 * "differs" and not as one record missing and one too many). */
static unsigned key_words(unsigned kind) { return wl_journal_info[kind].key_words; }

static bool same_key(const wl_journal_t *a, wl_record_t x, const wl_journal_t *b, wl_record_t y) {
  return x.kind == y.kind && memcmp(a->words + x.offset, b->words + y.offset,
                                    key_words(x.kind) * sizeof *a->words) == 0;
}

bool wl_journal_equal(wl_journal_t *a, wl_journal_t *b, wl_journal_difference_t *difference) {
  if (a->records == b->records && a->used == b->used &&
      memcmp(a->record, b->record, a->records * sizeof *a->record) == 0 &&
      memcmp(a->words, b->words, a->used * sizeof *a->words) == 0)
    return !a->overflow && !b->overflow;
  sort_records(a);
  sort_records(b);
  for (unsigned i = 0; i < a->records || i < b->records; i++) {
    const bool in_a = i < a->records, in_b = i < b->records;
    if (in_a && in_b && compare_records(a, a->record[i], b, b->record[i]) == 0) continue;
    if (in_a && in_b && same_key(a, a->record[i], b, b->record[i])) {
      *difference = (wl_journal_difference_t){a->record[i].kind, {(int)i, (int)i}};
    } else if (!in_b || (in_a && compare_records(a, a->record[i], b, b->record[i]) < 0)) {
      *difference = (wl_journal_difference_t){a->record[i].kind, {(int)i, -1}};
    } else {
      *difference = (wl_journal_difference_t){b->record[i].kind, {-1, (int)i}};
    }
    return false;
  }
  return !a->overflow && !b->overflow;
}

void wl_journal_text(const wl_journal_t *journal, int record, char *out, size_t cap) {
  if (record < 0) {
    snprintf(out, cap, "(no such record)");
    return;
  }
  const wl_record_t r = journal->record[record];
  wl_journal_words_text(r.kind, journal->words + r.offset, r.n, out, cap);
}

void wl_journal_words_text(unsigned kind, const uint32_t *words, unsigned n, char *out,
                           size_t cap) {
  const wl_journal_info_t *info = &wl_journal_info[kind];
  size_t at = (size_t)snprintf(out, cap, "%s", info->name);
  for (unsigned i = 0; i < n && at < cap; i++) {
    if (i < info->names)
      at += (size_t)snprintf(out + at, cap - at, " %s", info->word_names[i]);
    if (at < cap) at += (size_t)snprintf(out + at, cap - at, " %x", (unsigned)words[i]);
  }
}
