/* journal.h: the records of one cycle of one side, and their comparison. docs/microarchitecture.md
 * 15, isa/def/journal.def. Records of one cycle and kind are an unordered set; kinds are ordered.
 */
#ifndef WL_LOCKSTEP_JOURNAL_H
#define WL_LOCKSTEP_JOURNAL_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gen/wl_journal.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WL_JOURNAL_MAX_RECORDS = 256 };

typedef struct wl_journal {
  unsigned records;
  bool overflow; /* a side wrote more than fits: an error of the side */
  wl_cosim_record_t record[WL_JOURNAL_MAX_RECORDS];
} wl_journal_t;

static inline void wl_journal_clear(wl_journal_t *journal) { journal->records = 0; }
void wl_journal_add(wl_journal_t *journal, unsigned kind, const uint32_t *words, unsigned n);

/* What differs first, in order of kinds: the record of each side, NULL where a side has none. */
typedef struct wl_journal_difference {
  unsigned kind;
  const wl_cosim_record_t *record[2];
} wl_journal_difference_t;
/* True if equal. At most WL_JOURNAL_MAX_RECORDS each. */
bool wl_journal_equal(const wl_cosim_record_t *a, unsigned a_records, const wl_cosim_record_t *b,
                      unsigned b_records, wl_journal_difference_t *difference);

/* One line of text: "RF bank 1 row 12 mask 000000ff data ..."; NULL: "(no such record)". */
void wl_journal_text(const wl_cosim_record_t *record, char *out, size_t cap);

#ifdef __cplusplus
}
#endif
#endif
