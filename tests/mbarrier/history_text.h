/* history_text.h: what the files that write a history's kernel share. */
#ifndef WL_TESTS_MBARRIER_HISTORY_TEXT_H
#define WL_TESTS_MBARRIER_HISTORY_TEXT_H
#include "tests/mbarrier/history.h"

typedef struct hi_out {
  hi_history_t *h;
  char *to;
  size_t used, cap;
  unsigned label;
  bool has_state[HI_OBJECTS];
} hi_out_t;

__attribute__((format(printf, 2, 3))) void hi_put(hi_out_t *t, const char *fmt, ...);
const char *hi_one_of(hi_out_t *t, const char *const *list, unsigned n);
/* history_bulk.c */
void hi_bulk_frame(hi_out_t *t);
void hi_bulk_start(hi_out_t *t, unsigned one); /* by all threads; one: the number of one of them */
uint32_t hi_bulk_own(hi_out_t *t, unsigned o, uint32_t n, bool second);
void hi_bulk_all(hi_out_t *t, unsigned o, bool second);
void hi_bulk_seen(hi_out_t *t, unsigned o);
void hi_bulk_event(hi_out_t *t, unsigned o, unsigned class);
void hi_class_text(hi_out_t *t, unsigned e, unsigned class); /* all stages of an epoch */

#endif
