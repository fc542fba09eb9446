/* test_atom128.c: logs of atomics of 128 bits (docs/compare.md): our own log is accepted, with followed loads each
 * finds what the one before has left in memory, and a changed bit of an operand or a result is found. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/compare/log.h"

static const char text[] =
    "mov.i R8, 0x11\n mov.i R9, 0x22\n mov.i R10, 0x33\n mov.i R11, 0x44000000\n"
    "mov.i R12, 0x55\n mov.i R13, 0x66\n mov.i R14, 0x77\n"
    "mov.i R15, 0x88000000\n st.shared.b128 [RZ+0x10], RZ\n"
    "first:\n atom.shared.exch.b128 R16:R19, [RZ+0x10], R8:R11\n"
    "hit:\n atom.shared.cas.b128 R16:R19, [RZ+0x10], R8:R11, R12:R15\n"
    "miss:\n atom.shared.cas.b128 R16:R19, [RZ+0x10], R8:R11, RZ\n"
    "last:\n atom.shared.exch.b128 R20:R23, [RZ+0x10], RZ\n exit\n";

#define VALUE_B "0x44000000000000330000002200000011"
#define VALUE_C "0x88000000000000770000006600000055"

/* With followed loads: whether the report tells of values that memory did not have. */
static void others(const log_run_t *l, const char *what, bool expected) {
  char why[4000];
  log_expect(what, (int)log_compare(l, true, why, sizeof why), WL_OK);
  log_expect(what, strstr(why, "other values than memory had") != NULL, expected);
}

int main(void) {
  log_run_t *l = calloc(1, sizeof *l), *other = malloc(sizeof *other);
  if (l == NULL || other == NULL || !log_make(l, "base", text, 1, 64)) {
    printf("no log: %s\n", l == NULL ? "" : wl_error(l->device));
    return 1;
  }
  log_accepted(l);
  others(l, "our own log", false);
  const int first = log_find(l, 0, "first", 0), hit = log_find(l, 0, "hit", 0);
  const int miss = log_find(l, 0, "miss", 0), last = log_find(l, 0, "last", 0);
  log_changed(l, "the same operand of exch", first, VALUE_B, VALUE_B, WL_OK, "");
  log_changed(l, "operand of exch", first, VALUE_B, "0xc4000000000000330000002200000011",
              WL_ERR_DIVERGENCE, "operand");
  log_changed(l, "operand of cas", hit, "\"value\": \"" VALUE_C,
              "\"value\": \"0x80000000000000770000006600000055", WL_ERR_DIVERGENCE, "operand");
  log_changed(l, "compared operand of cas", hit, "\"compare\": \"" VALUE_B,
              "\"compare\": \"0x44000000000000330000002200000010", WL_ERR_DIVERGENCE,
              "compared operand");
  log_changed(l, "compared operand of the cas that fails", miss, "\"compare\": \"" VALUE_B,
              "\"compare\": \"0x44000000000000320000002200000011", WL_ERR_DIVERGENCE,
              "compared operand");
  log_changed(l, "bytes", last, "\"bytes\": 16", "\"bytes\": 8", WL_ERR_DIVERGENCE, "atomic");
  *other = *l; /* what the last one finds: other than the one that fails has left */
  char *high = strstr(other->line[last], "\"R23\": [2281701376");
  log_expect("the upper word of the last result", high != NULL, 1);
  if (high != NULL) high[sizeof "\"R23\": [228170137" - 1] = '7';
  others(other, "another result", true);
  wl_device_close(l->device);
  free(l);
  free(other);
  return log_failures != 0;
}
