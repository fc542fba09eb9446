/* test_oracle.h: programs with their results, worked out by hand. */
#ifndef WL_TESTS_ORACLE_TEST_ORACLE_H
#define WL_TESTS_ORACLE_TEST_ORACLE_H
#include <stddef.h>
#include <stdint.h>

#include "tests/oracle/oracle.h"

typedef struct wl_or_row {
  const char *name, *before, *body;
  uint32_t threads;
  uint32_t want[8];  /* first words of out; the rest is not looked at */
  const char *error; /* part of the message; NULL: must succeed */
} wl_or_row_t;

extern const wl_or_row_t wl_or_wait_rows[]; /* oracle_waits.c */
extern const size_t wl_or_wait_count;
extern const wl_or_row_t wl_or_bulk_rows[]; /* oracle_bulk.c */
extern const size_t wl_or_bulk_count;
extern const wl_or_row_t wl_or_bulk_early; /* with results that differ */

#endif
