/* Profiles of the tensor unit: rows of numerics.def. What a row can break is checked here; docs/isa.md
 * shows the result. */
#include "isa/gen/wlgen.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_BLOCK = 256, MAX_KEPT = 63, MAX_EXPONENT = 2047 };

int signed_number(const row_t *row, int arg, int max) {
  char *end;
  const long value = strtol(row->arg[arg], &end, 10);
  if (end == row->arg[arg] || *end != '\0' || labs(value) > max)
    fail(row, "'%s' is no number of at most %d", row->arg[arg], max);
  return (int)value;
}

static int find_profile(const facts_t *f, const char *name) {
  for (int i = 0; i < f->num_profiles; i++)
    if (strcmp(f->profile[i].name, name) == 0) return i;
  return -1;
}

static void read_profile(facts_t *f, const row_t *row) {
  want_args(row, "PROFILE", 8);
  if (f->num_profiles == MAX_PROFILES) fail(row, "more than %d profiles", MAX_PROFILES);
  const profile_t p = {
      .name = row->arg[0],
      .format = format_index(f, row, 1),
      .block = (int)number(row, 2, MAX_BLOCK),
      .kept = (int)number(row, 3, MAX_KEPT),
      .lowest = signed_number(row, 4, MAX_EXPONENT),
      .result = format_index(f, row, 5),
      .nearest = choose(row, 6, (const char *const[]){"CUT", "NEAREST", NULL}, "rounding") == 1,
      .from = row->arg[7]};
  if (!is_identifier(p.name)) fail(row, "'%s' is not a name", p.name);
  if (find_profile(f, p.name) >= 0) fail(row, "duplicate profile '%s'", p.name);
  if (p.block == 0) fail(row, "%s: a block has a product", p.name);
  if (!f->format[p.result].infinity) fail(row, "%s: the result has no infinity", p.name);
  f->profile[f->num_profiles++] = p;
}

static dot_t tensor_op(const facts_t *f, const row_t *row) {
  for (int u = 0; u < f->num_units; u++) {
    if (strcmp(unit_names[u], "TENSOR") != 0) continue;
    for (int op = 0; op < f->op[u].num; op++)
      if (strcmp(f->op[u].ops[op], row->arg[0]) == 0) return (dot_t){.unit = u, .op = op};
  }
  fail(row, "unit TENSOR has no operation '%s'", row->arg[0]);
}

static void read_dot(facts_t *f, const row_t *row) {
  want_args(row, "DOT", 2);
  if (f->num_dots == MAX_PROFILES) fail(row, "more than %d operations", MAX_PROFILES);
  dot_t d = tensor_op(f, row);
  d.profile = find_profile(f, row->arg[1]);
  if (d.profile < 0) fail(row, "undefined profile '%s'", row->arg[1]);
  for (int i = 0; i < f->num_dots; i++)
    if (f->dot[i].op == d.op) fail(row, "operation '%s' twice", row->arg[0]);
  f->dot[f->num_dots++] = d;
}

void facts_numerics(facts_t *f, const char *dir) {
  rows_t rows;
  rows_read(&rows, dir, "numerics.def", true);
  for (int i = 0; i < rows.num; i++)
    if (strcmp(rows.row[i].macro, "DOT") == 0)
      read_dot(f, &rows.row[i]);
    else
      read_profile(f, &rows.row[i]);
  facts_hash(f, &rows);
}
