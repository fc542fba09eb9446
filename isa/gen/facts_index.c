/* Indices that both twins count by (index.def): trap sources, requesters of the SM port, sources of
 * the variable write-back, bits of word `rest` of record REST. */
#include "isa/gen/wlgen.h"

#include <string.h>

static const struct {
  const char *macro;
  bool subs_first; /* rows by sub-core come first */
} kinds[NUM_INDICES] = {[INDEX_TRAP_SOURCE] = {"TRAP_SOURCE", true},
                        [INDEX_PORT] = {"PORT", false},
                        [INDEX_VWB] = {"VWB", false},
                        [INDEX_RESULT] = {"RESULT", false},
                        [INDEX_CHUNK] = {"CHUNK", false},
                        [INDEX_REST] = {"REST", false}};

int index_before(const index_t *x, int row, bool sub) {
  int n = 0;
  for (int i = 0; i < row; i++)
    n += x->row[i].per_sub == sub;
  return n;
}

bool index_exists(const facts_t *f, const index_row_t *row, int config) {
  if (row->options == 0) return true;
  for (int i = 0; i < f->num_options; i++)
    if ((row->options >> i & 1) != 0 && f->option[i]->value[config] != 0) return true;
  return false;
}

int index_count(const facts_t *f, const index_t *x, int config) {
  for (int n = x->num; n > 0; n--)
    if (index_exists(f, &x->row[n - 1], config)) return n;
  return 0;
}

int index_count_of(const facts_t *f, const index_t *x, int config, bool sub) {
  for (int n = x->num; n > 0; n--)
    if (x->row[n - 1].per_sub == sub && index_exists(f, &x->row[n - 1], config))
      return index_before(x, n, sub);
  return 0;
}

static int find_kind(const row_t *row) {
  for (int k = 0; k < NUM_INDICES; k++)
    if (strcmp(row->macro, kinds[k].macro) == 0) return k;
  fail(row, "'%s' is no index", row->macro);
}

/* The options of a row's further columns. A row that every configuration has stands before those
 * that some lack. */
static uint32_t row_options(const facts_t *f, const row_t *row, const index_t *x, bool per_sub,
                            bool apart) {
  uint32_t options = 0;
  for (int arg = 3; arg < row->num_args; arg++) {
    const int option = find_option(f, row->arg[arg]);
    if (option < 0) fail(row, "undefined option '%s'", row->arg[arg]);
    if ((options >> option & 1) != 0) fail(row, "option '%s' twice", row->arg[arg]);
    options |= 1u << option;
  }
  for (int i = 0; options == 0 && i < x->num; i++) {
    const index_row_t *old = &x->row[i];
    if (old->options != 0 && (!apart || old->per_sub == per_sub))
      fail(row, "%s: rows without an option come before '%s'", row->arg[0], old->name);
  }
  return options;
}

static void read_row(facts_t *f, const row_t *row) {
  const int kind = find_kind(row);
  index_t *x = &f->index[kind];
  want_args(row, kinds[kind].macro, row->num_args > 3 ? row->num_args : 3);
  index_row_t r = {
      .name = row->arg[0], .meaning = row->arg[2], .per_sub = strcmp(row->arg[1], "sub") == 0};
  if (!is_identifier(r.name)) fail(row, "'%s' is not a name", r.name);
  if (!r.per_sub && strcmp(row->arg[1], "sm") != 0) fail(row, "'%s': sm or sub", row->arg[1]);
  if (!row->is_text[2]) fail(row, "%s: no meaning", r.name);
  if (x->num == MAX_INDEX) fail(row, "more than %d rows", MAX_INDEX);
  for (int i = 0; i < x->num; i++)
    if (strcmp(x->row[i].name, r.name) == 0) fail(row, "duplicate name '%s'", r.name);
  if (kinds[kind].subs_first && r.per_sub && index_before(x, x->num, false) > 0)
    fail(row, "%s: rows of a sub-core come first", r.name);
  r.options = row_options(f, row, x, r.per_sub, kinds[kind].subs_first);
  x->row[x->num++] = r;
  const int unit_bits = member_bits(f, "packet", "unit");
  if (kind == INDEX_PORT && unit_bits > 0 && x->num > 1 << unit_bits)
    fail(row, "%s: member 'unit' of packet.def has %d bits", r.name, unit_bits);
}

void facts_index(facts_t *f, const char *dir) {
  rows_t rows;
  rows_read(&rows, dir, "index.def", true);
  for (int i = 0; i < rows.num; i++)
    read_row(f, &rows.row[i]);
}
