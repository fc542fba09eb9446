/* What the parts of the test of wlgen share (test_wlgen.c, test_forms.c). */
#ifndef WL_TESTS_UNIT_GEN_WLGEN_TEST_H
#define WL_TESTS_UNIT_GEN_WLGEN_TEST_H

#include <stddef.h>

enum { LINE = 512, TEXT = 1 << 20 };

typedef struct {
  const char *wlgen, *def;
  char dir[64];     /* scratch folder: def/ and out/ */
  int next, record; /* first form id, first number of a record that the tables leave free */
  int failures, cases;
} test_t;

void failed(test_t *t, const char *name, const char *what);
char *read_text(const char *path);
void write_text(const char *path, const char *mode, const char *text);
/* A fresh copy of the tables in the scratch folder. */
void copy_tables(const test_t *t);
/* Runs wlgen on the copy; its messages go to text. */
int run(const test_t *t, char *text, size_t room);
void path_of(const test_t *t, char *path, const char *table);
/* A number in a file that run() made: that after `before`. */
int number_in(const test_t *t, const char *file, const char *before);
/* {N} and {N+1} to {N+9} in a text become form ids from the first free one on, {J} the
 * first free number of a record; a new text. */
char *fill(const test_t *t, const char *text);
void want_line(test_t *t, const char *file, const char *line);

/* test_forms.c */
void check_ids(test_t *t);
void check_fp(test_t *t);
void check_lacks(test_t *t);

#endif
