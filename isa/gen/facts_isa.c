/* Instruction forms: rows of insn.def, in the order of their ids wherever they stand. Every rule that
 * a row can break is checked here; docs/isa.md shows the result. */
#include "isa/gen/wlgen.h"

#include <stdlib.h>
#include <string.h>

const char *const kind_names[] = {"LD",     "ST",     "ATOM",    "LDMATRIX", "STMATRIX",
                                  "MBAR",   "MBTEST", "CPASYNC", "CPARRIVE", "BLOAD",
                                  "BSTORE", "BRED",   NULL};
const char *const space_names[] = {"GLOBAL", "GEN", "SHARED", "LOCAL", "CONST", NULL};
const char *const type_names[] = {"U8",   "S8",  "U16", "S16", "B8",  "B16", "B32", "B64",
                                  "B128", "U32", "S32", "U64", "S64", "F32", NULL};
const char *const atom_names[] = {"NONE", "ADD", "MIN", "MAX",  "INC", "DEC",
                                  "AND",  "OR",  "XOR", "EXCH", "CAS", NULL};
const char *const mbar_names[] = {"NONE",     "INIT",     "ARRIVE", "DROP", "EXPECT",
                                  "COMPLETE", "ARRIVETX", "DROPTX", "INC",  NULL};

int list_count(const char *const *list) {
  int n = 0;
  while (list[n] != NULL)
    n++;
  return n;
}

int choose(const row_t *row, int arg, const char *const *list, const char *what) {
  for (int i = 0; list[i] != NULL; i++)
    if (strcmp(list[i], row->arg[arg]) == 0) return i;
  fail(row, "undefined %s '%s'", what, row->arg[arg]);
}

void want_args(const row_t *row, const char *macro, int count) {
  if (strcmp(row->macro, macro) != 0) fail(row, "row '%s' does not belong here", row->macro);
  if (row->num_args != count) fail(row, "%s: %d columns, expected %d", macro, row->num_args, count);
}

/* Operations are numbered in the order of their first form's id. */
static int op_index(facts_t *f, const row_t *row, int unit) {
  ops_t *o = &f->op[unit];
  const char *name = row->arg[3];
  if (!is_identifier(name)) fail(row, "'%s' is not an operation name", name);
  for (int i = 0; i < o->num; i++)
    if (strcmp(o->ops[i], name) == 0) return i;
  if (o->num == MAX_OPS) fail(row, "more than %d operations in unit %s", MAX_OPS, unit_names[unit]);
  o->ops[o->num] = name;
  return o->num++;
}

static void read_form_unit(facts_t *f, const row_t *row, form_t *form, bool mem) {
  form->unit = choose(row, 2, unit_names, "unit");
  if (mem != f->unit[form->unit].mem) fail(row, "%s: unit %s", row->macro, unit_names[form->unit]);
  if (!mem) {
    form->op = op_index(f, row, form->unit);
    return;
  }
  form->kind = choose(row, 3, kind_names, "memory operation");
  form->op = form->kind;
  form->space = choose(row, 4, space_names, "space");
  form->type = choose(row, 5, type_names, "memory type");
  const bool matrix = form->kind == KIND_LDMATRIX || form->kind == KIND_STMATRIX;
  if (matrix)
    form->matrix = choose(row, 6, matrix_names, "kind of matrix");
  else if (form->kind == KIND_MBAR)
    form->mbar = choose(row, 6, mbar_names, "operation on an mbarrier");
  else
    form->atom = choose(row, 6, atom_names, "atomic operation");
  if (matrix != (form->matrix != 0))
    fail(row, "kind of matrix does not fit %s", kind_names[form->kind]);
  if ((form->kind == KIND_MBAR) != (form->mbar != 0))
    fail(row, "operation on an mbarrier does not fit %s", kind_names[form->kind]);
  if ((form->kind == KIND_ATOM || form->kind == KIND_BRED) != (form->atom != 0))
    fail(row, "atomic operation does not fit %s", kind_names[form->kind]);
}

int format_index(const facts_t *f, const row_t *row, int arg) {
  for (int i = 0; i < f->num_formats; i++)
    if (strcmp(f->format[i].name, row->arg[arg]) == 0) return i;
  fail(row, "undefined format '%s'", row->arg[arg]);
}

static void read_form(facts_t *f, const row_t *row) {
  const bool mem = strcmp(row->macro, "MEMINSN") == 0;
  /* Of expand_fp: a row of INSN and the format. */
  const bool fp = strcmp(row->macro, "FPINSN") == 0 || strcmp(row->macro, "CVTINSN") == 0;
  want_args(row, mem || fp ? row->macro : "INSN", mem ? 11 : fp ? 9 : 8);
  const int id = (int)number(row, 0, MAX_FORMS - 1);
  const int at = mem ? 7 : 4; /* column of the shape */
  form_t form = {.name = row->arg[1], .id = name_upper(row->arg[1])};
  if (!is_identifier(form.id.s)) fail(row, "'%s' is not a form name", form.name);
  for (int i = 0; i < f->num_forms; i++)
    if (is_form(f, i) && strcmp(f->form[i].id.s, form.id.s) == 0)
      fail(row, "duplicate form '%s'", form.name);
  if (id < f->num_forms && is_form(f, id))
    fail(row, "form id %d already names '%s'", id, f->form[id].name);
  if (id < f->num_forms) fail(row, "form id %d is declared a hole", id);
  if (id > f->num_forms) fail(row, "form id %d is neither a form nor a HOLE", f->num_forms);
  read_form_unit(f, row, &form, mem);
  for (form.shape = 0; strcmp(f->shape[form.shape].name, row->arg[at]) != 0;)
    if (++form.shape >= f->num_shapes) fail(row, "undefined shape '%s'", row->arg[at]);
  for (form.mods = 0; strcmp(f->mods[form.mods].name, row->arg[at + 1]) != 0;)
    if (++form.mods >= f->num_mods) fail(row, "undefined modifier set '%s'", row->arg[at + 1]);
  check_form_matrix(f, row, &form);
  form.format = fp ? format_index(f, row, 8) : f->num_formats;
  form.clause = row->arg[at + 2];
  form.meaning = row->arg[at + 3];
  form.mask_id = mask_id(f, row, &f->shape[form.shape], &f->mods[form.mods]);
  f->form[id] = form;
  f->num_forms = id + 1;
}

/* HOLE(first id, last id, "why"): ids that no form has. */
static void read_hole(facts_t *f, const row_t *row) {
  want_args(row, "HOLE", 3);
  const int first = (int)number(row, 0, MAX_FORMS - 1);
  const int last = (int)number(row, 1, MAX_FORMS - 1);
  if (last < first) fail(row, "hole ends at %d before it starts", last);
  if (first < f->num_forms && is_form(f, first))
    fail(row, "form id %d already names '%s'", first, f->form[first].name);
  if (first < f->num_forms) fail(row, "form id %d is declared a hole", first);
  if (first > f->num_forms) fail(row, "form id %d is neither a form nor a HOLE", f->num_forms);
  f->num_forms = last + 1;
}

static bool has_id(const row_t *row) {
  static const char *const macro[] = {"INSN", "FPINSN", "CVTINSN", "MEMINSN", "HOLE", NULL};
  for (int i = 0; macro[i] != NULL; i++)
    if (strcmp(row->macro, macro[i]) == 0) return true;
  return false;
}

/* By id where the row has one, else after all that have; rows of one id stay in their order. */
static int by_id(const void *left, const void *right) {
  const row_t *const row[2] = {left, right};
  int key[2];
  for (int i = 0; i < 2; i++) {
    key[i] = has_id(row[i]) ? (int)number(row[i], 0, MAX_FORMS - 1) : MAX_FORMS;
  }
  return key[0] != key[1] ? key[0] - key[1] : row[0]->line - row[1]->line;
}

static void read_insn(facts_t *f, const row_t *row) {
  if (strcmp(row->macro, "HOLE") == 0)
    read_hole(f, row);
  else
    read_form(f, row);
}

bool is_form(const facts_t *f, int id) { return f->form[id].name != NULL; }

uint32_t form_options(const facts_t *f, const form_t *form) {
  const int needs[] = {f->unit_needs[form->unit],
                       form->matrix != 0 ? f->matrix[form->matrix].needs : -1};
  uint32_t options = 0;
  for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
    if (needs[i] >= 0) options |= UINT32_C(1) << needs[i];
  for (int i = 0; i < f->num_field_needs; i++) {
    const field_need_t *x = &f->field_need[i];
    if (x->shape >= 0 ? form->shape == x->shape : (f->mods[form->mods].mask >> x->bit & 1) != 0)
      options |= UINT32_C(1) << x->option;
  }
  return options;
}

unsigned form_configs(const facts_t *f, int id) {
  unsigned configs = 0;
  if (!is_form(f, id)) return 0;
  const uint32_t options = form_options(f, &f->form[id]);
  for (int c = 0; c < NUM_CONFIGS; c++) {
    bool has = true;
    for (int i = 0; i < f->num_options; i++)
      has &= (options >> i & 1) == 0 || f->option[i]->value[c] != 0;
    configs |= (unsigned)has << c;
  }
  return configs;
}

static void need_rows(const rows_t *rows, const char *dir, const char *name) {
  const row_t row = {.file = name, .line = 1};
  if (rows->num == 0) fail(&row, "no rows (in %s)", dir);
}

void facts_isa(facts_t *f, const char *dir) {
  static const struct {
    const char *name;
    void (*read)(facts_t *, const row_t *);
  } table[] = {{"word.def", read_word},
               {"shape.def", read_shape},
               {"mods.def", read_mods},
               {"unit.def", NULL}, /* its rows are no part of the instruction set's hash */
               {"insn.def", read_insn}};
  for (size_t t = 0; t < sizeof table / sizeof *table; t++) {
    rows_t rows;
    rows_read(&rows, dir, table[t].name, false);
    need_rows(&rows, dir, table[t].name);
    if (table[t].read == NULL) {
      facts_unit(f, &rows);
      continue;
    }
    if (table[t].read == read_insn) expand_fp(f, &rows);
    if (table[t].read == read_insn) qsort(rows.row, (size_t)rows.num, sizeof *rows.row, by_id);
    for (int i = 0; i < rows.num; i++)
      table[t].read(f, &rows.row[i]);
    if (t == 0) check_fields(f, &rows.row[rows.num - 1]);
    facts_hash(f, &rows);
  }
  while (f->num_forms > 0 && !is_form(f, f->num_forms - 1))
    f->num_forms--; /* a hole at the end */
}
