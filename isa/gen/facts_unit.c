/* Units and what an instruction of each is (unit.def): rows of the units, then operations that
 * differ from their unit's row. Units, kinds of matrices and modifier fields that need an OPTION of
 * config.def. */
#include "isa/gen/wlgen.h"

#include <string.h>

const char *unit_names[MAX_UNITS + 1];
const char *const route_names[] = {"none", "fixed", "control", "variable", "never", NULL};
const char *const poll_names[] = {"no", "yes", "strong", "result", NULL};
const char *const lanes_names[] = {"all", "slow", "fp", "lsu", "one", "first", NULL};
const char *const aligned_names[] = {"no", "live", "all", NULL};
static const char *const slot_names[] = {"all", "one", "imm", NULL};
static const char *const tbuf_names[] = {"no", "yes", "reg", NULL};
static const char *const wait_names[] = {"no", "yes", "notes", NULL};
static const char *const bool_names[] = {"no", "yes", NULL};

/* The columns of UNIT that a row OPS may change, by their place in it. */
static const struct {
  const char *name;
  const char *const *values;
} columns[UNIT_COLUMNS] = {
    [UNIT_ROUTE] = {"route", route_names}, [UNIT_RELEASED] = {"released", route_names},
    [UNIT_SLOTS] = {"slots", slot_names},  [UNIT_RELEASED_SLOTS] = {"released_slots", slot_names},
    [UNIT_TBUF] = {"tbuf", tbuf_names},    [UNIT_WAITS] = {"waits", wait_names},
    [UNIT_POLLS] = {"polls", poll_names},  [UNIT_LANES] = {"lanes", lanes_names},
    [UNIT_LINK] = {"link", bool_names},    [UNIT_ALIGNED] = {"aligned", aligned_names},
    [UNIT_LIST] = {"list", bool_names},    [UNIT_QUEUE] = {"queue", bool_names}};

int find_option(const facts_t *f, const char *name) {
  for (int i = 0; i < f->num_options; i++)
    if (strcmp(f->option[i]->name, name) == 0) return i;
  return -1;
}

static void read_unit(facts_t *f, const row_t *row) {
  want_args(row, "UNIT", UNIT_COLUMNS + 5);
  const int n = f->num_units;
  if (n == MAX_UNITS) fail(row, "more than %d units", MAX_UNITS);
  if (!is_identifier(row->arg[0])) fail(row, "'%s' is not a name", row->arg[0]);
  for (int i = 0; i < n; i++)
    if (strcmp(unit_names[i], row->arg[0]) == 0) fail(row, "duplicate unit '%s'", row->arg[0]);
  unit_t *u = &f->unit[n];
  *u = (unit_t){.name = row->arg[0],
                .latency = row->arg[UNIT_COLUMNS + 2],
                .option = row->arg[UNIT_COLUMNS + 3],
                .meaning = row->arg[UNIT_COLUMNS + 4],
                .row = row};
  static const char *const ops[] = {"own", "mem", NULL};
  u->mem = choose(row, 1, ops, "kind of operations") == 1;
  for (int c = 0; c < UNIT_COLUMNS; c++)
    u->value[c] = choose(row, 2 + c, columns[c].values, columns[c].name);
  if (u->value[UNIT_ROUTE] == ROUTE_NEVER) fail(row, "%s has no route", u->name);
  if ((u->value[UNIT_ROUTE] == ROUTE_FIXED) != (strcmp(u->latency, "none") != 0))
    fail(row, "%s: a latency belongs to route fixed", u->name);
  unit_names[f->num_units++] = u->name;
}

/* Each operation once per column; whether it exists is known when insn.def is read. */
static void read_ops(facts_t *f, const row_t *row) {
  want_args(row, "OPS", 4);
  const int unit = choose(row, 0, unit_names, "unit");
  int column = 0;
  while (column < UNIT_COLUMNS && strcmp(columns[column].name, row->arg[2]) != 0)
    column++;
  if (column == UNIT_COLUMNS) fail(row, "undefined column '%s'", row->arg[2]);
  const int value = choose(row, 3, columns[column].values, columns[column].name);
  if (value == f->unit[unit].value[column]) fail(row, "%s is %s already", row->arg[0], row->arg[3]);
  char *text = xalloc(strlen(row->arg[1]) + 1);
  strcpy(text, row->arg[1]);
  for (char *op = strtok(text, " "); op != NULL; op = strtok(NULL, " ")) {
    for (int i = 0; i < f->num_unit_ops; i++) {
      const unit_op_t *old = &f->unit_op[i];
      if (old->unit == unit && old->column == column && strcmp(old->op, op) == 0)
        fail(row, "%s of '%s' is stated twice", columns[column].name, op);
    }
    if (f->num_unit_ops == MAX_UNIT_OPS) fail(row, "more than %d operations", MAX_UNIT_OPS);
    f->unit_op[f->num_unit_ops++] =
        (unit_op_t){.op = op, .unit = unit, .column = column, .value = value, .row = row};
  }
}

static void read_needs(facts_t *f, const row_t *row) {
  want_args(row, "NEEDS", 2);
  if (f->num_field_needs == MAX_FIELD_NEEDS) fail(row, "more than %d fields", MAX_FIELD_NEEDS);
  int bit = f->num_mod_fields - 1, shape = f->num_shapes - 1;
  while (bit >= 0 && strcmp(f->field[f->mod_field[bit]].name, row->arg[0]) != 0)
    bit--;
  while (shape >= 0 && strcmp(f->shape[shape].name, row->arg[0]) != 0)
    shape--;
  if (bit < 0 && shape < 0)
    fail(row, "neither a field of a modifier set nor a shape is '%s'", row->arg[0]);
  for (int i = 0; i < f->num_field_needs; i++)
    if (f->field_need[i].bit == bit && f->field_need[i].shape == shape)
      fail(row, "'%s' twice", row->arg[0]);
  f->field_need[f->num_field_needs++] = (field_need_t){.bit = bit, .shape = shape, .row = row};
}

void facts_unit(facts_t *f, const rows_t *rows) {
  for (int i = 0; i < rows->num; i++)
    if (strcmp(rows->row[i].macro, "OPS") == 0)
      read_ops(f, &rows->row[i]);
    else if (strcmp(rows->row[i].macro, "MATRIX") == 0)
      read_matrix(f, &rows->row[i]);
    else if (strcmp(rows->row[i].macro, "NEEDS") == 0)
      read_needs(f, &rows->row[i]);
    else
      read_unit(f, &rows->row[i]);
}

const char *op_name(const facts_t *f, int unit, int op) {
  return f->unit[unit].mem ? kind_names[op] : f->op[unit].ops[op];
}

int num_ops(const facts_t *f, int unit) {
  return f->unit[unit].mem ? list_count(kind_names) : f->op[unit].num;
}

int unit_fact(const facts_t *f, int unit, int op, int column) {
  for (int i = 0; i < f->num_unit_ops; i++) {
    const unit_op_t *x = &f->unit_op[i];
    if (x->unit == unit && x->column == column && strcmp(x->op, op_name(f, unit, op)) == 0)
      return x->value;
  }
  return f->unit[unit].value[column];
}

static int option_of(const facts_t *f, const row_t *row, const char *name) {
  const int option = strcmp(name, "none") == 0 ? -1 : find_option(f, name);
  if (option < 0 && strcmp(name, "none") != 0) fail(row, "undefined option '%s'", name);
  return option;
}

/* After insn.def and config.def: every operation, latency and option that is named exists. */
void facts_unit_check(facts_t *f) {
  const char *latency = NULL;
  for (int i = 0; i < f->num_unit_ops; i++) {
    const unit_op_t *x = &f->unit_op[i];
    bool found = false;
    for (int op = 0; op < num_ops(f, x->unit); op++)
      found |= strcmp(op_name(f, x->unit, op), x->op) == 0;
    if (!found) fail(x->row, "unit %s has no operation '%s'", unit_names[x->unit], x->op);
  }
  for (int u = 0; u < f->num_units; u++) {
    const unit_t *x = &f->unit[u];
    if (x->value[UNIT_ROUTE] == ROUTE_FIXED) {
      (void)expression(f, x->row, UNIT_COLUMNS + 2, -1);
      if (latency != NULL && strcmp(latency, x->latency) != 0)
        fail(x->row, "the fixed pipe has one length: %s", latency);
      latency = x->latency;
    }
    f->unit_needs[u] = option_of(f, x->row, x->option);
  }
  for (int i = 1; i <= f->num_matrices; i++)
    f->matrix[i].needs = option_of(f, f->matrix[i].row, f->matrix[i].option);
  for (int i = 0; i < f->num_field_needs; i++) {
    field_need_t *x = &f->field_need[i];
    x->option = find_option(f, x->row->arg[1]);
    if (x->option < 0) fail(x->row, "undefined option '%s'", x->row->arg[1]);
  }
}
