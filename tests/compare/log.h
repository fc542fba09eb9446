/* Logs of the interpreter for tests: of a machine program, changed at places, compared with the program again
 * (docs/compare.md). */
#ifndef WL_TESTS_COMPARE_LOG_H
#define WL_TESTS_COMPARE_LOG_H
#include "driver/include/warplock_compare.h"

enum { LOG_MOST_LINES = 400, LOG_MOST_BYTES = 8000 };
typedef struct log_run {
  const char *text; /* of the program */
  wl_device_t *device;
  wl_module_t *module;
  wl_launch_t launch;
  char line[LOG_MOST_LINES][LOG_MOST_BYTES];
  int lines, at;
} log_run_t;

extern int log_failures;
void log_expect(const char *what, int got, int expected);
/* One CTA of `threads`, with `shared` bytes. */
bool log_make(log_run_t *l, const char *config, const char *text, uint32_t threads,
              uint32_t shared);
wl_status_t log_compare(const log_run_t *l, bool follow, char *why, size_t cap);
/* The own log is accepted, both ways of loads. */
void log_accepted(const log_run_t *l);
/* The n-th record of a warp at a label, -1: none. */
int log_find(const log_run_t *l, unsigned warp, const char *label, int n);
/* A changed log; in both ways of loads. */
void log_changed(const log_run_t *l, const char *what, int line, const char *from, const char *to,
                 wl_status_t expected, const char *says);

#endif
