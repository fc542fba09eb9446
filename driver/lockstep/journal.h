/* journal.h: the records of one cycle of one side, and their comparison. docs/microarchitecture.md 15,
 * isa/def/journal.def. Records of one cycle and kind are an unordered set; kinds are ordered. */
#ifndef WL_LOCKSTEP_JOURNAL_H
#define WL_LOCKSTEP_JOURNAL_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gen/wl_journal.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WL_JOURNAL_MAX_RECORDS = 256, WL_JOURNAL_MAX_WORDS = 8192, WL_RECORD_MAX_WORDS = 64 };

typedef struct wl_record {
  uint8_t kind;    /* wl_journal_kind_t */
  uint8_t n;       /* words */
  uint16_t offset; /* of the first word in `words` */
} wl_record_t;

typedef struct wl_journal {
  unsigned records, used;
  bool overflow; /* a side wrote more than fits: an error of the side */
  wl_record_t record[WL_JOURNAL_MAX_RECORDS];
  uint32_t words[WL_JOURNAL_MAX_WORDS];
} wl_journal_t;

static inline void wl_journal_clear(wl_journal_t *journal) {
  journal->records = 0;
  journal->used = 0;
}
void wl_journal_add(wl_journal_t *journal, unsigned kind, const uint32_t *words, unsigned n);

/* What differs first, in order of kinds: index of the record on each side, -1 where a side has none. */
typedef struct wl_journal_difference {
  unsigned kind;
  int record[2];
} wl_journal_difference_t;
/* True if equal. Sorts the records of both sides. */
bool wl_journal_equal(wl_journal_t *a, wl_journal_t *b, wl_journal_difference_t *difference);

/* One line of text: "RF bank 1 row 12 mask 000000ff data ...". */
void wl_journal_text(const wl_journal_t *journal, int record, char *out, size_t cap);
void wl_journal_words_text(unsigned kind, const uint32_t *words, unsigned n, char *out,
                           size_t cap);

#ifdef __cplusplus
}
#endif
#endif
