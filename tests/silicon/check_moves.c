/* check_moves: compares the rules of moves.c and copies.c with what silicon gave (README.md).
 * Usage: check_moves moves.txt copies.txt. Exit code 1: a difference. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/common/read_file.h"
#include "tests/silicon/copies.h"
#include "tests/silicon/moves.h"

/* The text of a rule stands in the record. */
static unsigned differs(const char *record, const char *text) {
  bool equal = strstr(record, text) != NULL;
  if (!equal) {
    printf("DIFFERS %s", text);
  }
  return !equal;
}

static unsigned check_moves(const char *record, unsigned *count) {
  unsigned failed = 0;
  const moves_t *m;
  for (unsigned n = 0; (m = moves_at(n)) != NULL; n++) {
    uint32_t result[MOVES_WORDS];
    char text[MOVES_TEXT];
    moves_rule(m, result);
    moves_text(m, result, text);
    failed += differs(record, text);
    (*count)++;
  }
  return failed;
}

/* Of a program that fails the device's own word is not compared. */
static unsigned check_copies(const char *record, unsigned *count) {
  unsigned failed = 0;
  const copies_t *c;
  for (unsigned n = 0; (c = copies_at(n)) != NULL; n++) {
    uint8_t result[COPIES_THREADS * COPIES_BYTES];
    char text[COPIES_TEXT];
    copies_rule(c, result);
    if (c->written < 0) {
      (void)snprintf(text, sizeof text, "%s: error ", c->name);
    } else {
      copies_text(c, result, "", text);
    }
    failed += differs(record, text);
    (*count)++;
  }
  return failed;
}

int main(int argc, char **argv) {
  size_t size = 0;
  unsigned count = 0, failed = 0;
  char *moves = argc == 3 ? wl_read_file(argv[1], &size) : NULL,
       *copies = argc == 3 ? wl_read_file(argv[2], &size) : NULL;
  if (moves == NULL || copies == NULL) {
    (void)fprintf(stderr, "usage: check_moves moves.txt copies.txt\n");
    return 2;
  }
  failed = check_moves(moves, &count) + check_copies(copies, &count);
  printf("%u moves and copies, %u differ\n", count, failed);
  free(moves);
  free(copies);
  return failed != 0;
}
