/* cover.h: coverage bins of random programs: form and memory space (a row) x operand class x path
 * situation. A bin is hit once per place in a program that at least one thread executed. */
#ifndef WL_TESTS_RANDOM_COVER_H
#define WL_TESTS_RANDOM_COVER_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum rc_class { RC_REG, RC_IMM, RC_SPECIAL, RC_VECTOR, RC_CLASSES } rc_class_t;
typedef enum rc_path {
  RC_CONVERGED,
  RC_IF,
  RC_LOOP,
  RC_BARRIER,
  RC_CALL,
  RC_PREDICATED,
  RC_PATHS
} rc_path_t;
typedef enum rc_space {
  RC_NONE,
  RC_GLOBAL,
  RC_SHARED,
  RC_LOCAL,
  RC_CONST,
  RC_PARAM,
  RC_GENERIC_GLOBAL,
  RC_GENERIC_SHARED,
  RC_GENERIC_LOCAL,
  RC_GENERIC_CONST,
  RC_SPACES
} rc_space_t;

enum { RC_FORM = 64, RC_ALL_PATHS = (1 << RC_PATHS) - 1 };

typedef struct rc_row {
  char form[RC_FORM];
  uint8_t space, classes, paths; /* masks: the bins that can be reached */
  uint64_t hits[RC_CLASSES][RC_PATHS];
} rc_row_t;

typedef struct rc_table {
  rc_row_t *row;
  uint32_t count, cap;
  uint32_t *hash; /* index + 1 */
  uint32_t hash_size;
  uint64_t programs, unknown; /* unknown: executed places without a row */
  bool failed;                /* out of memory */
} rc_table_t;

void rc_free(rc_table_t *t);
void rc_add(rc_table_t *t, const char *form, rc_space_t space, unsigned classes, unsigned paths);
/* UINT32_MAX: no such row. */
uint32_t rc_find(const rc_table_t *t, const char *form, rc_space_t space);

typedef struct rc_sum {
  uint64_t bins, hit, hits;
} rc_sum_t;
rc_sum_t rc_sum(const rc_table_t *t);

/* By opcode and path situation; then at most `empty` empty bins by name. */
void rc_print(const rc_table_t *t, FILE *to, unsigned empty);
void rc_json(const rc_table_t *t, FILE *to);
/* Hits of former runs, for campaigns that go on: lines "row space class path hits". */
bool rc_save(const rc_table_t *t, FILE *to);
void rc_load(rc_table_t *t, FILE *from);

#endif
