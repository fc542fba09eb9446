/* Rows FPINSN of insn.def: one for an operation in a format, which stands for the INSN rows of its
 * shapes. They have ids one after the other, names operation.format.shape and, but for the first,
 * the meaning "b immediate" or "c immediate". A row CVTINSN is one form of a format: a row INSN that
 * names its format. */
#include "isa/gen/wlgen.h"

#include <ctype.h>
#include <string.h>

enum { SHAPES = 5 }; /* column of the shapes */

static char *text_of(const char *text, size_t length) {
  char *copy = xalloc(length + 1);
  memcpy(copy, text, length);
  return copy;
}

static const shape_t *shape_of(const facts_t *f, const row_t *row, const char *name) {
  for (int i = 0; i < f->num_shapes; i++)
    if (strcmp(f->shape[i].name, name) == 0) return &f->shape[i];
  fail(row, "undefined shape '%s'", name);
}

/* add, f32, R_RI -> add.f32.ri */
static char *form_name(const row_t *row, const char *shape) {
  const char *suffix = strchr(shape, '_');
  if (suffix == NULL) fail(row, "shape '%s' has no letters for a name", shape);
  char *name = xalloc(NAME_LEN);
  const int n = snprintf(name, NAME_LEN, "%s.%s.%s", row->arg[1], row->arg[2], suffix + 1);
  if (n >= NAME_LEN) fail(row, "name of more than %d letters", NAME_LEN - 1);
  for (char *p = name; *p != '\0'; p++)
    *p = (char)tolower((unsigned char)*p);
  return name;
}

static row_t form_row(const facts_t *f, const row_t *row, int number_of, const char *shape) {
  const shape_t *s = shape_of(f, row, shape);
  const bool c = strcmp(imm_names[s->imm], "C") == 0, b = strcmp(imm_names[s->imm], "B") == 0;
  if (number_of > 0 && !b && !c) fail(row, "shape '%s' has no immediate b or c", shape);
  char *id = xalloc(16);
  snprintf(id, 16, "%d", (int)number(row, 0, MAX_FORMS - 1) + number_of);
  row_t out = {.file = row->file, .line = row->line, .macro = row->macro, .num_args = 9};
  const char *const args[] = {
      id,          form_name(row, shape),
      row->arg[3], row->arg[4],
      shape,       row->arg[6],
      row->arg[7], number_of == 0 ? row->arg[8] : b ? "b immediate" : "c immediate",
      row->arg[2]};
  for (int i = 0; i < out.num_args; i++)
    out.arg[i] = text_of(args[i], strlen(args[i]));
  out.is_text[6] = out.is_text[7] = true;
  return out;
}

static int shape_count(const row_t *row) {
  int n = 0;
  for (const char *at = row->arg[SHAPES] + strspn(row->arg[SHAPES], " "); *at != '\0'; n++) {
    at += strcspn(at, " ");
    at += strspn(at, " ");
  }
  if (n == 0) fail(row, "no shape");
  return n;
}

static bool is_fp(const row_t *row) { return strcmp(row->macro, "FPINSN") == 0; }

/* The column of the format goes to the end. */
static row_t cvt_row(const row_t *row) {
  want_args(row, "CVTINSN", 9);
  row_t out = *row;
  for (int i = 2; i + 1 < out.num_args; i++) {
    out.arg[i] = row->arg[i + 1];
    out.is_text[i] = row->is_text[i + 1];
  }
  out.arg[8] = row->arg[2];
  out.is_text[8] = row->is_text[2];
  return out;
}

void expand_fp(const facts_t *f, rows_t *rows) {
  int num = 0;
  for (int i = 0; i < rows->num; i++) {
    if (is_fp(&rows->row[i])) want_args(&rows->row[i], "FPINSN", 9);
    num += is_fp(&rows->row[i]) ? shape_count(&rows->row[i]) : 1;
  }
  rows_t out = {.row = xalloc((size_t)num * sizeof *out.row)};
  for (int i = 0; i < rows->num; i++) {
    const row_t *row = &rows->row[i];
    if (!is_fp(row)) {
      out.row[out.num++] = strcmp(row->macro, "CVTINSN") == 0 ? cvt_row(row) : *row;
      continue;
    }
    const char *at = row->arg[SHAPES] + strspn(row->arg[SHAPES], " ");
    for (int n = 0; *at != '\0'; n++) {
      const size_t length = strcspn(at, " ");
      out.row[out.num++] = form_row(f, row, n, text_of(at, length));
      at += length;
      at += strspn(at, " ");
    }
  }
  *rows = out;
}
