/* check_convert: compares the rule of convert.c with what silicon gave (README.md): hashes of
 * scalar.txt ..., and sums of sweep.txt, each of 2^24 operands.
 * Usage: check_convert [--op TEXT] [--sums all] [--every N] FILE..: without --sums one of each operation.
 * Exit code 1: a difference. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/common/read_file.h"
#include "tests/common/splitmix.h"
#include "tests/silicon/convert.h"
#include "tests/silicon/op.h"
#include "tests/silicon/words.h"

typedef struct totals {
  unsigned operations, sums, failed;
  uint64_t results;
} totals_t;

static const char *behind(const char *record, const char *word, const char *name) {
  char line[128];
  (void)snprintf(line, sizeof line, "\n%s %s\n", word, name);
  const char *at = strstr(record, line);
  return at != NULL ? at + strlen(line) : NULL;
}

static void check_hashes(const op_t *op, const convert_t *c, const char *at, totals_t *totals) {
  static uint64_t result[OP_ITEMS];
  unsigned differ = 0;
  for (uint32_t i = 0; i < OP_ITEMS; i++) {
    uint64_t operand[OP_OPERANDS];
    op_item(op, i, operand);
    result[i] = convert_rule(c, operand);
  }
  for (uint32_t i = 0; i < OP_ITEMS; i += op->block) {
    uint64_t hash = 0;
    if (!words_next(&at, 8, &hash) || hash != op_hash(result + i, op->block)) {
      differ++;
    }
  }
  totals->operations++;
  totals->results += OP_ITEMS;
  totals->failed += differ != 0;
  if (differ != 0) {
    printf("DIFFERS %s: %u blocks\n", op->name, differ);
  }
}

/* As op_sweep_kernel() adds it. */
static uint32_t sum_of(const convert_t *c, uint32_t part) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < 1u << 24; i++) {
    const uint64_t operand[3] = {part << 24 | i, 0, 0};
    sum += op_mix((uint32_t)operand[0], convert_rule(c, operand));
  }
  return (uint32_t)sum;
}

static void check_sums(const op_t *op, const convert_t *c, const char *at, bool all,
                       totals_t *totals) {
  /* Where f16 overflows, where it is subnormal, and elsewhere, by turns. */
  static const uint32_t parts[] = {0x47, 0x38, 0xc7, 0x33, 0x7f, 0x00, 0xb8, 0x3f, 0xff, 0x7e};
  unsigned turn = totals->sums % (sizeof parts / sizeof parts[0]), differ = 0;
  for (uint32_t part = 0; part < 256; part++) {
    uint64_t sum = 0;
    bool known = words_next(&at, 8, &sum);
    if (!known || ((all || part == parts[turn]) && sum != sum_of(c, part))) {
      differ++;
    }
    totals->sums += all;
  }
  totals->sums += all ? 0 : 1;
  totals->failed += differ != 0;
  if (differ != 0) {
    printf("DIFFERS %s: %u sums\n", op->name, differ);
  }
}

int main(int argc, char **argv) {
  const char *text = NULL;
  bool all = false;
  unsigned every = 1, met = 0; /* operations of the files */
  totals_t totals = {0};
  const op_t *op;
  for (int i = 1; i < argc; i++) {
    if (argv[i][0] == '-' && i + 1 < argc) {
      text = strcmp(argv[i], "--op") == 0 ? argv[i + 1] : text;
      all = all || strcmp(argv[i], "--sums") == 0;
      every = strcmp(argv[i], "--every") == 0 ? (unsigned)strtoul(argv[i + 1], NULL, 10) : every;
      i++;
      continue;
    }
    size_t size = 0;
    char *record = wl_read_file(argv[i], &size);
    if (record == NULL) {
      (void)fprintf(stderr, "check_convert: cannot read %s\n", argv[i]);
      return 2;
    }
    for (size_t n = 0; (op = op_at(n)) != NULL; n++) {
      convert_t c;
      op_t copy = *op;
      const char *hashes = behind(record, "op", copy.name),
                 *sums = behind(record, "sweep", copy.name);
      if (!convert_named(copy.name, &c) || (text != NULL && strstr(copy.name, text) == NULL)) {
        continue;
      }
      if ((hashes == NULL && sums == NULL) || every == 0 || met++ % every != 0) {
        continue;
      }
      if (hashes != NULL) {
        check_hashes(&copy, &c, hashes, &totals);
      }
      if (sums != NULL) {
        check_sums(&copy, &c, sums, all, &totals);
      }
    }
    free(record);
  }
  printf("%u conversions of %" PRIu64 " results and %u sums of 16777216, %u differ\n",
         totals.operations, totals.results, totals.sums, totals.failed);
  return totals.failed != 0 || totals.operations + totals.sums == 0;
}
