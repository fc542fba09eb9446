/* Floating-point formats: rows of format.def. A row states its patterns; here they are checked
 * against its widths. */
#include "isa/gen/wlgen.h"

#include <string.h>

const char *const subnormal_names[] = {"KEEP", "CHOICE", "NONE", NULL};

static void check_patterns(const row_t *row, const format_t *t) {
  const uint64_t below_sign = (UINT64_C(1) << (t->exponent + t->fraction)) - 1;
  const uint64_t infinity = below_sign >> t->fraction << t->fraction;
  if (t->largest > below_sign) fail(row, "%s: the largest number has a sign", t->name);
  if (t->infinity && t->largest != infinity - 1)
    fail(row, "%s: the largest number is the one before infinity", t->name);
  if (t->has_nan && t->nan > below_sign) fail(row, "%s: the NaN has a sign", t->name);
  if (t->has_nan && t->nan <= (t->infinity ? infinity : t->largest))
    fail(row, "%s: the NaN is a number", t->name);
  if (t->infinity && !t->has_nan) fail(row, "%s: infinity without a NaN", t->name);
}

static void read_format(facts_t *f, const row_t *row) {
  want_args(row, "FORMAT", 12);
  if (f->num_formats == MAX_FORMATS) fail(row, "more than %d formats", MAX_FORMATS);
  format_t t = {.name = row->arg[0],
                .sign = (int)number(row, 1, 1),
                .exponent = (int)number(row, 2, 11),
                .fraction = (int)number(row, 3, 53) - 1,
                .low = (int)number(row, 4, 31),
                .bias = (int)number(row, 5, 1023),
                .infinity = choose(row, 6, (const char *const[]){"NO", "YES", NULL}, "YES or NO"),
                .has_nan = strcmp(row->arg[8], "NONE") != 0,
                .subnormals = choose(row, 9, subnormal_names, "treatment of subnormals"),
                .ptx = row->arg[10],
                .meaning = row->arg[11]};
  if (!is_identifier(t.name)) fail(row, "'%s' is not a name", t.name);
  for (int i = 0; i < f->num_formats; i++)
    if (strcmp(f->format[i].name, t.name) == 0) fail(row, "duplicate format '%s'", t.name);
  if (t.exponent == 0 || t.fraction < 0) fail(row, "%s: a width is zero", t.name);
  t.bits = t.sign + t.exponent + t.fraction;
  if (t.bits <= 32 ? t.low + t.bits > 32 : t.low != 0 || t.bits > 64)
    fail(row, "%s: beyond the register", t.name);
  if (t.bias >> t.exponent != 0) fail(row, "%s: the bias is no exponent", t.name);
  if ((strcmp(subnormal_names[t.subnormals], "NONE") == 0) != (t.fraction == 0))
    fail(row, "%s: subnormals need a fraction", t.name);
  t.largest = number(row, 7, UINT64_MAX);
  t.nan = t.has_nan ? number(row, 8, UINT64_MAX) : 0;
  check_patterns(row, &t);
  f->format[f->num_formats++] = t;
}

void facts_format(facts_t *f, const char *dir) {
  rows_t rows;
  rows_read(&rows, dir, "format.def", false);
  for (int i = 0; i < rows.num; i++)
    read_format(f, &rows.row[i]);
  facts_hash(f, &rows);
}
