/* junit.h: a report of test cases as JUnit XML, the form that CI systems read. The cases are kept, and
 * the file is written when it is closed, whole or not at all: FILE.new becomes FILE. */
#ifndef WL_TESTS_JUNIT_H
#define WL_TESTS_JUNIT_H
#include <stdbool.h>

typedef struct wl_junit wl_junit_t;
typedef enum wl_junit_outcome {
  WL_JUNIT_PASSED,
  WL_JUNIT_FAILED,
  WL_JUNIT_SKIPPED
} wl_junit_outcome_t;

/* The suite's name stands in the report. NULL: no memory, or the file cannot be written. */
wl_junit_t *wl_junit_open(const char *path, const char *suite);
/* text: why it failed, with its first line as the message, or the reason why it was skipped. Texts are
 * escaped; what is no UTF-8 or not allowed in XML becomes "?". */
void wl_junit_case(wl_junit_t *junit, const char *classname, const char *name, double seconds,
                   wl_junit_outcome_t outcome, const char *text);
/* Writes the file and frees the report; false: it could not be written. */
bool wl_junit_close(wl_junit_t *junit);

#endif
