/* Reads debug.def: internal state that replay compares. The rows are part of no hash: a core from
 * outside is not asked for them. docs/replay.md */
#include "isa/gen/wlgen.h"

#include <string.h>

static int find_debug(const facts_t *f, const char *name) {
  for (int i = 0; i < f->num_debugs; i++)
    if (strcmp(f->debug[i].name, name) == 0) return i;
  return -1;
}

/* Sizes of one configuration; its elements follow those of the rows before. */
static void size_debug(facts_t *f, const row_t *row, debug_t *d, int c) {
  d->slices[c] = expression(f, row, 2, c);
  d->elements[c] = expression(f, row, 3, c);
  d->bits[c] = expression(f, row, 4, c);
  d->first[c] = f->debug_words[c];
  if (d->elements[c] == 0) fail(row, "%s has no element", d->name);
  if (d->bits[c] == 0 || d->bits[c] > 64)
    fail(row, "%s: %llu bits, 1 to 64", d->name, (unsigned long long)d->bits[c]);
  if (d->slices[c] > 64 || d->elements[c] > 4096) fail(row, "%s is too large", d->name);
  f->debug_words[c] += d->slices[c] * d->elements[c];
  if (d->when < 0 || d->slices[c] == 0) return;
  const debug_t *when = &f->debug[d->when];
  if (when->slices[c] != d->slices[c] || when->elements[c] != 1 || when->bits[c] < d->elements[c])
    fail(row, "%s: row '%s' has no bit for each of its elements", d->name, when->name);
}

static void read_debug(facts_t *f, const row_t *row) {
  want_args(row, "DEBUG", 10);
  if (f->num_debugs == MAX_SMALL) fail(row, "more than %d rows", MAX_SMALL);
  debug_t d = {.name = row->arg[0],
               .section = row->arg[1],
               .when = find_debug(f, row->arg[5]),
               .rtl = row->arg[6],
               .module = row->arg[7],
               .index = row->arg[8],
               .meaning = row->arg[9]};
  if (!is_identifier(d.name)) fail(row, "'%s' is not a name", d.name);
  if (!is_identifier(d.module)) fail(row, "'%s' is not a module", d.module);
  if (find_debug(f, d.name) >= 0) fail(row, "duplicate name '%s'", d.name);
  if (strcmp(row->arg[5], "gate") == 0)
    d.when = -2;
  else if (d.when < 0 && strcmp(row->arg[5], "-") != 0)
    fail(row, "'%s' is no row before this one", row->arg[5]);
  for (const char *at = strchr(d.rtl, '{'); at != NULL; at = strchr(at + 1, '{'))
    if (strncmp(at, "{sub}", 5) != 0) fail(row, "'%s': {sub} is known", at);
  for (int c = 0; c < NUM_CONFIGS; c++)
    size_debug(f, row, &d, c);
  f->debug[f->num_debugs++] = d;
}

void facts_debug(facts_t *f, const char *dir) {
  rows_t rows;
  rows_read(&rows, dir, "debug.def", true);
  for (int i = 0; i < rows.num; i++)
    read_debug(f, &rows.row[i]);
}
