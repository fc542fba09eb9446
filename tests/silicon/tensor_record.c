/* tensor_record: compares elements of matrix operations with a record of silicon (README.md). */
#include "tests/silicon/tensor_record.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/common/read_file.h"
#include "tests/silicon/op.h"
#include "tests/silicon/words.h"

static void results(const tensor_t *t, unsigned mode, const tensor_subject_t *subject,
                    tensor_item_t *item, uint64_t *d) {
  if (subject->solve == NULL) {
    subject->solve_mode(t, mode, d);
    return;
  }
  for (unsigned i = 0; i < TENSOR_ITEMS; i++) {
    tensor_fill(t, mode, i, item);
    subject->solve(t, item, d + (size_t)i * t->m * t->n);
  }
}

/* Differences of a mode: blocks of items, and elements that are recorded themselves; -1: the record
 * is damaged. */
static int compare(const tensor_t *t, unsigned shown, unsigned mode, const char **at,
                   const uint64_t *d) {
  char head[64];
  size_t size = (size_t)t->m * t->n;
  int differ = 0;
  uint64_t value = 0;
  (void)snprintf(head, sizeof head, "mode %s", tensor_mode_name(mode));
  *at += strspn(*at, " \n");
  if (strncmp(*at, head, strlen(head)) != 0) {
    return -1;
  }
  *at += strlen(head);
  for (unsigned i = 0; i < TENSOR_ITEMS; i += TENSOR_BLOCK) {
    if (!words_next(at, 8, &value)) {
      return -1;
    }
    differ += value != op_hash(d + i * size, TENSOR_BLOCK * size);
  }
  for (unsigned i = 0; i < shown; i++) {
    for (unsigned k = 0; k < TENSOR_SHOWN_COLUMNS; k++) {
      if (!words_next(at, tensor_format(t->d)->bits / 4, &value)) {
        return -1;
      }
      if (value != d[i * size + k]) {
        printf("DIFFERS %s %s item %u element %u: %" PRIx64 ", silicon %" PRIx64 "\n", t->label,
               tensor_mode_name(mode), i, k, d[i * size + k], value);
        differ++;
      }
    }
  }
  return differ;
}

static unsigned one(const tensor_t *t, unsigned shown, const char *record,
                    const tensor_subject_t *subject, tensor_item_t *item, uint64_t *d) {
  char line[160];
  unsigned failed = 0;
  (void)snprintf(line, sizeof line, "\ntensor %s\n", t->label);
  const char *at = strstr(record, line);
  if (at == NULL) {
    printf("FAILED  %s: not in the record\n", t->label);
    return 1;
  }
  at += strlen(line);
  uint64_t operands = 0;
  at += strncmp(at, "operands", strlen("operands")) == 0 ? strlen("operands") : 0;
  if (!words_next(&at, 8, &operands) || operands != tensor_operands_hash(t)) {
    printf("FAILED  %s: recorded with other operands\n", t->label);
    return 1;
  }
  const unsigned modes = subject->modes != 0 ? subject->modes : TENSOR_MODES;
  for (unsigned mode = 0; mode < modes; mode++) {
    results(t, mode, subject, item, d);
    int differ = compare(t, shown, mode, &at, d);
    if (differ < 0) {
      printf("FAILED  %s %s: the record is damaged\n", t->label, tensor_mode_name(mode));
      return failed + 1;
    }
    if (differ != 0) {
      printf("DIFFERS %s %s: %d blocks of items and shown elements\n", t->label,
             tensor_mode_name(mode), differ);
      failed++;
    }
  }
  return failed;
}

unsigned tensor_record(const char *path, const tensor_subject_t *subject) {
  size_t size = 0, count = 0;
  uint64_t elements = 0;
  unsigned failed = 0, known = 0;
  char part[64];
  const char *base = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
  char *record = wl_read_file(path, &size);
  tensor_item_t *item = calloc(1, sizeof *item);
  uint64_t *d = calloc((size_t)TENSOR_ITEMS * TENSOR_MAX_M * TENSOR_MAX_N, sizeof *d);
  const tensor_t *t;
  (void)snprintf(part, sizeof part, "%.*s", (int)strcspn(base, "."), base);
  for (; record != NULL && item != NULL && d != NULL && (t = tensor_at(part, count)) != NULL;
       count++) {
    if (subject->knows != NULL && !subject->knows(t)) {
      continue;
    }
    const tensor_t copy = *t;
    failed += one(&copy, tensor_shown(part), record, subject, item, d);
    elements += (uint64_t)(subject->modes != 0 ? subject->modes : TENSOR_MODES) * TENSOR_ITEMS *
                copy.m * copy.n;
    known++;
  }
  if (known == 0) {
    printf("FAILED  %s: cannot be read, or has no such name\n", path);
    failed++;
  } else {
    printf("%s %.*s\n%u instructions, %" PRIu64 " results, %u differences\n", part,
           (int)strcspn(record, "\n"), record, known, elements, failed);
  }
  free(record);
  free(item);
  free(d);
  return failed;
}
