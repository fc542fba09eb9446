/* Forms as wlgen makes them from insn.def: ids wherever a row stands, holes, formats, units that a
 * configuration lacks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/gen/wlgen_test.h"

static void want_no_line(test_t *t, const char *file, const char *text_of_line) {
  char path[LINE];
  snprintf(path, sizeof path, "%s/out/%s", t->dir, file);
  char *text = read_text(path), *line = fill(t, text_of_line);
  if (strstr(text, line) != NULL) {
    printf("%s: has a line '%s'\n", file, line);
    t->failures++;
  }
  free(line);
  free(text);
}

/* Lines of the reference that `after` has and `before` has not, and the other way round. */
static int lines_changed(const char *before, const char *after) {
  int changed = 0;
  for (int way = 0; way < 2; way++) {
    const char *text = way == 0 ? after : before, *in = way == 0 ? before : after;
    const char *from = strchr(text, '\n') + 1; /* after the title */
    for (const char *end; (end = strchr(from, '\n')) != NULL; from = end + 1) {
      char line[LINE * 8];
      snprintf(line, sizeof line, "\n%.*s\n", (int)(end - from), from);
      changed += from[0] != '\n' && strstr(in, line) == NULL;
    }
  }
  return changed;
}

/* A new row stands in the middle of the table, after a hole: the others keep their ids and numbers
 * of operations, the hole is no form, the reference changes by the new row only. */
void check_ids(test_t *t) {
  char path[LINE], got[LINE * 4];
  copy_tables(t);
  if (run(t, got, sizeof got) != 0) failed(t, "ids", got);
  snprintf(path, sizeof path, "%s/isa.md", t->dir);
  char *before = read_text(path);
  const int ops = number_in(t, "wl_insn.h", "WL_NUM_ALU_OP = ");
  char insn[LINE];
  path_of(t, insn, "insn.def");
  char *rows = read_text(insn);
  const char *at = strstr(rows, "INSN( 12,");
  if (at == NULL) {
    failed(t, "ids", "no row 12");
    return;
  }
  char *text = calloc(1, TEXT), *filled;
  snprintf(text, TEXT,
           "%.*sINSN({N+2}, new.op, ALU, NEW, R_R, NONE, \"-\", \"x\")\n"
           "HOLE({N}, {N+1}, \"y\")\n%s",
           (int)(at - rows), rows, at);
  filled = fill(t, text);
  write_text(insn, "wb", filled);
  free(filled);
  if (run(t, got, sizeof got) != 0) failed(t, "ids", got);
  char *after = read_text(path);
  if (lines_changed(before, after) != 1)
    failed(t, "ids", "a new row changes other lines of the reference");
  want_line(t, "wl_insn.h", "  WL_FORM_ADD64_RR = 11,");
  want_line(t, "wl_insn.h", "  WL_FORM_ADD64_RI = 12,");
  want_line(t, "wl_insn.h", ",\n  WL_FORM_NEW_OP = {N+2},\n");
  want_line(t, "wl_insn.h", "  WL_NUM_FORMS = {N+3}\n");
  snprintf(got, sizeof got, "  WL_ALU_NEW = %d,\n  WL_NUM_ALU_OP = %d\n", ops, ops + 1);
  want_line(t, "wl_insn.h", got);
  want_line(
      t, "wl_insn.c",
      "    {.name = \"\", .unit = WL_NUM_UNIT, .format = 12, .clause = \"\", .meaning = \"\"},");
  want_line(t, "wl_pkg.sv", "      13'd{N+2}: bits =");
  want_no_line(t, "wl_pkg.sv", "      13'd{N+1}: ");
  want_no_line(t, "wl_pkg.sv", "      13'd{N}: ");
  free(text);
  free(after);
  free(rows);
  free(before);
}

/* MUL becomes an optional unit that tiny lacks. */
static void make_optional(const test_t *t) {
  char path[LINE], command[2 * LINE];
  path_of(t, path, "config.def");
  write_text(path, "ab", "OPTION(Multiplier, 0, 1, 1, 1, 1, 1, \"multiplier\", \"\")\n");
  path_of(t, path, "unit.def");
  snprintf(command, sizeof command, "sed -i '/^UNIT(MUL/s/none, \"int/Multiplier, \"int/' '%s'",
           path);
  if (system(command) != 0) printf("cannot change %s\n", path);
}

/* A further format of an operation is one row. */
void check_fp(test_t *t) {
  char path[LINE], got[LINE * 4];
  copy_tables(t);
  path_of(t, path, "insn.def");
  char *row =
      fill(t, "FPINSN({N}, add, f16, FPU, FADD, \"R_RR R_RI\", FADD, \"9.7.4.1\", \"x\")\n");
  write_text(path, "ab", row);
  free(row);
  if (run(t, got, sizeof got) != 0) failed(t, "fp", got);
  want_line(t, "wl_insn.h", "  WL_FORM_ADD_F16_RR = {N},\n  WL_FORM_ADD_F16_RI = {N+1},\n");
  want_line(t, "wl_insn.c",
            "{\"add.f16.ri\", 2, 0, 0, 0, 0, 0, 0, 8, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 19, 0, 63,");
  want_line(t, "wl_insn.c",
            "{\"add.f32.ri\", 2, 0, 0, 0, 0, 0, 0, 8, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 19, 3, 63,");
  want_line(t, "wl_pkg.sv", "  // add.f16.ri\n");
  snprintf(path, sizeof path, "%s/isa.md", t->dir);
  char *text = read_text(path);
  row = fill(t, "| {N+1} | `add.f16.ri` | FADD | R_RI | FADD | 9.7.4.1 | b immediate |\n");
  if (strstr(text, row) == NULL) failed(t, "fp", "no row in the reference");
  free(row);
  free(text);
}

/* Forms of a unit that a configuration lacks: in its row only. Bits of wl_form_info_t.rows: 62. */
void check_lacks(test_t *t) {
  char got[LINE * 4];
  copy_tables(t);
  make_optional(t);
  if (run(t, got, sizeof got) != 0) failed(t, "lacks", got);
  want_line(t, "config_tiny_pkg.sv", "return '0;  // mad.lo.rrr\n");
  want_line(t, "config_tiny_pkg.sv", "return '0;  // mad.wide.s32.rir\n");
  want_no_line(t, "config_tiny_pkg.sv", "// add.rr\n");
  want_no_line(t, "config_base_pkg.sv", "return '0;  // mad");
  want_line(t, "wl_insn.c",
            "{\"mad.lo.rrr\", 1, 0, 0, 0, 0, 0, 0, 11, 0, 0, 0, 1, 1, 1, 1, 0, 0, 1, 8, 12, 62,");
  want_line(t, "wl_insn.c",
            "{\"add.rr\", 0, 3, 0, 0, 0, 0, 0, 7, 0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 4, 12, 63,");
  want_line(t, "wl_config.h", "  WL_OBJ_UNIT_MULTIPLIER = 1 << 12, /* multiplier */");
  want_line(t, "wl_config.c",
            "{\"multiplier\", (uint32_t)offsetof(wl_config_t, multiplier), \"\"},");
}
