/* Kinds of matrices that the LSU loads and stores: rows MATRIX of unit.def, columns of the forms. */
#include "isa/gen/wlgen.h"

#include <string.h>

const char *matrix_names[MAX_MATRICES + 1] = {"NONE"};

/* Operations that the kind is one of, as bits of kind_names. */
static unsigned read_kinds(const row_t *row) {
  unsigned kinds = 0;
  char *text = xalloc(strlen(row->arg[1]) + 1);
  strcpy(text, row->arg[1]);
  for (char *op = strtok(text, " "); op != NULL; op = strtok(NULL, " ")) {
    int kind = 0;
    while (kind_names[kind] != NULL && strcmp(kind_names[kind], op) != 0)
      kind++;
    if (kind != KIND_LDMATRIX && kind != KIND_STMATRIX)
      fail(row, "'%s' is no operation of matrices", op);
    kinds |= 1u << kind;
  }
  return kinds;
}

void read_matrix(facts_t *f, const row_t *row) {
  want_args(row, "MATRIX", 6);
  const int n = f->num_matrices + 1; /* 0: NONE */
  if (n == MAX_MATRICES) fail(row, "more than %d kinds of matrices", MAX_MATRICES - 1);
  if (!is_identifier(row->arg[0])) fail(row, "'%s' is not a name", row->arg[0]);
  for (int i = 0; i < n; i++)
    if (strcmp(matrix_names[i], row->arg[0]) == 0) fail(row, "duplicate matrix '%s'", row->arg[0]);
  f->matrix[n] = (matrix_t){.name = row->arg[0],
                            .kinds = read_kinds(row),
                            .rows = (int)number(row, 2, 16),
                            .registers = (int)number(row, 3, 2),
                            .option = row->arg[4],
                            .meaning = row->arg[5],
                            .row = row};
  if (f->matrix[n].rows != 8 * f->matrix[n].registers)
    fail(row, "%d rows of 16 bytes are not %d registers of 32 lanes", f->matrix[n].rows,
         f->matrix[n].registers);
  matrix_names[n] = row->arg[0];
  f->num_matrices = n;
}

/* Registers of a form that holds matrices: of d, or of b. */
static int matrix_words(const facts_t *f, const form_t *form) {
  const shape_t *s = &f->shape[form->shape];
  return form->kind == KIND_LDMATRIX ? s->d : s->b;
}

int form_matrices(const facts_t *f, const form_t *form) {
  return form->matrix == 0 ? 0 : matrix_words(f, form) / f->matrix[form->matrix].registers;
}

void check_form_matrix(const facts_t *f, const row_t *row, const form_t *form) {
  if (form->matrix == 0) return;
  const matrix_t *m = &f->matrix[form->matrix];
  if ((m->kinds >> form->kind & 1) == 0)
    fail(row, "matrix '%s' does not fit %s", m->name, kind_names[form->kind]);
  if (strcmp(type_names[form->type], "B128") != 0) fail(row, "a row of a matrix is B128");
  const int n = form_matrices(f, form);
  if (n * m->registers != matrix_words(f, form) || n * m->rows > 32 || n == 0)
    fail(row, "%d registers are no matrices '%s' of 32 rows", matrix_words(f, form), m->name);
}
