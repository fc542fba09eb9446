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
void hi_class_text(hi_out_t *t, unsigned e, unsigned class); /* all stages of an epoch */

#endif
