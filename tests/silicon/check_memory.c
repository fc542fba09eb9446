/* check_memory: compares rules of the host with what silicon gave (README.md): reductions in memory
 * (reduce.c), fma.oob, the exponential function of 16 bits (halves.c), copies by a tensor map
 * (bulk.c), operation by operation.
 * Usage: check_memory scalar.txt scalar2.txt halves.txt bulk.txt [scalar3.txt]. Exit code 1: a difference. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/common/read_file.h"
#include "tests/silicon/arith.h"
#include "tests/silicon/bulk.h"
#include "tests/silicon/halves.h"
#include "tests/silicon/op.h"
#include "tests/silicon/reduce.h"
#include "tests/silicon/words.h"

/* The word of a name between dots that is an operation of reduce.c. */
static const char *reduction(const char *name) {
  static const char *const ops[] = {"add", "min", "max", "inc", "dec", "and", "or", "xor"};
  for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
    const char *at = strstr(name, ops[i]);
    if (at != NULL && at != name && at[-1] == '.' && at[strlen(ops[i])] == '.') {
      return ops[i];
    }
  }
  return NULL;
}

/* The type at a name's end; global f32 flushes unless it is a bulk copy. true: a reduction that has
 * a rule here (bulk copies, red, atom of 16-bit floats and f64). */
static bool type_of(const char *name, char type[16]) {
  bool bulk = strstr(name, "cp.reduce") != NULL, global = strstr(name, ".global") != NULL;
  (void)snprintf(type, 16, "%s", strrchr(name, '.') + 1);
  type[strcspn(type, "x(")] = '\0';
  if (strcmp(type, "f32") == 0 && global && !bulk) {
    (void)snprintf(type, 16, "f32.ftz");
  }
  return bulk || strncmp(name, "red.", 4) == 0 ||
         (strncmp(name, "atom.", 5) == 0 && strchr("fb", type[0]) != NULL && type[1] != '3' &&
          type[1] != '6');
}

/* false: no rule for this operation. */
static bool expected(const op_t *op, uint64_t *result) {
  char type[16];
  const char *what = reduction(op->name);
  arith_t arith;
  bool memory = type_of(op->name, type) && what != NULL,
       computed = !memory && op->rule != OP_OWN && arith_named(op->name, &arith);
  for (uint32_t i = 0; i < OP_ITEMS && (memory || computed); i++) {
    uint64_t operand[OP_OPERANDS];
    op_item(op, i, operand);
    result[i] = computed ? arith_rule(&arith, operand) : reduce(what, type, operand[0], operand[1]);
  }
  return memory || computed;
}

static bool equal(const char *record, const op_t *op, const uint64_t *result) {
  char line[112];
  unsigned differ = 0;
  (void)snprintf(line, sizeof line, "\nop %s\n", op->name);
  const char *at = strstr(record, line);
  if (at == NULL) {
    printf("FAILED  %s: not in the record\n", op->name);
    return false;
  }
  at += strlen(line);
  for (uint32_t i = 0; i < OP_ITEMS; i += op->block) {
    uint64_t hash = 0;
    differ += !words_next(&at, 8, &hash) || hash != op_hash(result + i, op->block);
  }
  if (differ != 0) {
    printf("DIFFERS %s: %u blocks\n", op->name, differ);
  }
  return differ == 0;
}

/* Tables that have a rule; the number of those that differ. */
static unsigned check_halves(const char *record, uint64_t *result, unsigned *count) {
  static char text[HALVES_TEXT];
  unsigned failed = 0;
  const halves_t *h;
  for (unsigned n = 0; (h = halves_at(n)) != NULL; n++) {
    char line[64];
    for (uint32_t i = 0; i < HALVES; i++) {
      result[i] = halves_rule(h, i);
    }
    halves_text(h, result, text);
    (void)snprintf(line, sizeof line, "\ntable %s\n", h->name);
    const char *at = strstr(record, line);
    if (h->cut && (at == NULL || strncmp(at + strlen(line), text, strlen(text)) != 0)) {
      printf("DIFFERS %s\n", h->name);
      failed++;
    }
    *count += h->cut;
  }
  return failed;
}

/* Copies by a tensor map; the number of those that differ. */
static unsigned check_bulk(const char *record, unsigned *count) {
  static uint64_t memory[BULK_WORDS], other[BULK_WORDS], result[BULK_WORDS];
  static char text[BULK_TEXT];
  unsigned failed = 0;
  const bulk_t *b;
  for (unsigned n = 0; (b = bulk_at(n)) != NULL; n++) {
    bulk_operands(b, memory, other);
    bulk_rule(b, memory, other, result);
    bulk_text(b, result, text);
    if (strstr(record, text) == NULL) {
      printf("DIFFERS %s", text);
      failed++;
    }
    (*count)++;
  }
  return failed;
}

int main(int argc, char **argv) {
  char *record[5] = {NULL};
  size_t size = 0;
  unsigned failed = 0, count = 0;
  uint64_t *result = malloc(sizeof *result * OP_ITEMS);
  for (int i = 0; i + 1 < argc && i < 5; i++) {
    record[i] = wl_read_file(argv[i + 1], &size);
  }
  if (result == NULL || record[0] == NULL || record[1] == NULL || record[2] == NULL ||
      record[3] == NULL) {
    (void)fprintf(stderr,
                  "usage: check_memory scalar.txt scalar2.txt halves.txt bulk.txt [scalar3.txt]\n");
    return 2;
  }
  for (size_t n = 0; op_at(n) != NULL; n++) {
    op_t op = *op_at(n);
    const char *of = record[op.part == 3 ? 4 : op.part - 1];
    if (of != NULL && expected(&op, result)) {
      failed += !equal(of, &op, result);
      count++;
    }
  }
  failed += check_halves(record[2], result, &count) + check_bulk(record[3], &count);
  printf("%u operations by rules of the host, %u differ\n", count, failed);
  for (int i = 0; i < 5; i++) {
    free(record[i]);
  }
  free(result);
  return failed != 0 || count == 0;
}
