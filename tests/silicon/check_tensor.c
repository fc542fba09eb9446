/* check_tensor: compares the rule of dot.c with what silicon gave (README.md). Usage: check_tensor
 * FILE..; a file has the name of its part (tensor.h). Exit code 1: a difference. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/common/read_file.h"
#include "tests/silicon/dot.h"
#include "tests/silicon/op.h"
#include "tests/silicon/words.h"

static void results(const tensor_t *t, unsigned mode, tensor_item_t *item, uint64_t *d) {
  for (unsigned i = 0; i < TENSOR_ITEMS; i++) {
    tensor_fill(t, mode, i, item);
    for (unsigned row = 0; row < t->m; row++) {
      for (unsigned column = 0; column < t->n; column++) {
        unsigned at = row * t->n + column;
        d[(size_t)i * t->m * t->n + at] = dot_element(t, item, row, column);
      }
    }
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

static unsigned one(const tensor_t *t, unsigned shown, const char *record, tensor_item_t *item,
                    uint64_t *d) {
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
  for (unsigned mode = 0; mode < TENSOR_MODES; mode++) {
    results(t, mode, item, d);
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

/* All operations of a record; the number of those that differ. */
static unsigned record_of(const char *path, tensor_item_t *item, uint64_t *d) {
  size_t size = 0, count = 0;
  uint64_t elements = 0;
  unsigned failed = 0;
  char part[64];
  const char *base = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
  char *record = wl_read_file(path, &size);
  const tensor_t *t;
  (void)snprintf(part, sizeof part, "%.*s", (int)strcspn(base, "."), base);
  for (; record != NULL && (t = tensor_at(part, count)) != NULL; count++) {
    failed += one(t, tensor_shown(part), record, item, d);
    elements += (uint64_t)TENSOR_MODES * TENSOR_ITEMS * t->m * t->n;
  }
  if (count == 0) {
    printf("FAILED  %s: cannot be read, or has no such name\n", path);
    return 1;
  }
  printf("%s %.*s\n%zu instructions, %" PRIu64 " results, %u differences\n", part,
         (int)strcspn(record, "\n"), record, count, elements, failed);
  free(record);
  return failed;
}

int main(int argc, char **argv) {
  unsigned failed = 0;
  tensor_item_t *item = calloc(1, sizeof *item);
  uint64_t *d = calloc((size_t)TENSOR_ITEMS * TENSOR_MAX_M * TENSOR_MAX_N, sizeof *d);
  if (argc < 2 || item == NULL || d == NULL) {
    (void)fprintf(stderr, "usage: check_tensor tensor.txt|sparse.txt|narrow.txt..\n");
    return 2;
  }
  for (int i = 1; i < argc; i++) {
    failed += record_of(argv[i], item, d);
  }
  free(item);
  free(d);
  return failed != 0;
}
