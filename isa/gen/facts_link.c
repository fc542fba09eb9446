/* The host link of the board (link.def): constants, commands, errors and arrays. docs/fpga.md 3
 * to 6. Sizes and layouts of payloads are in the document and not here. */
#include "isa/gen/wlgen.h"

#include <string.h>

static void add_row(const row_t *row, small_t *list, int *num, uint64_t max) {
  want_args(row, row->macro, 3);
  if (!is_identifier(row->arg[0])) fail(row, "'%s' is not a name", row->arg[0]);
  if (!row->is_text[2]) fail(row, "%s: no meaning", row->arg[0]);
  if (*num == MAX_LINK) fail(row, "more than %d rows", MAX_LINK);
  const small_t s = {.name = row->arg[0], .code = (int)number(row, 1, max), .meaning = row->arg[2]};
  for (int i = 0; i < *num; i++)
    if (strcmp(list[i].name, s.name) == 0) fail(row, "duplicate name '%s'", s.name);
  list[(*num)++] = s;
}

/* Numbers of commands, errors and arrays are what the wire carries: each once. */
static void check_number(const row_t *row, const small_t *list, int num) {
  for (int i = 0; i + 1 < num; i++)
    if (list[i].code == list[num - 1].code)
      fail(row, "number %d already names '%s'", list[i].code, list[i].name);
}

static void check_array(const facts_t *f, const row_t *row, const small_t *a) {
  for (int i = 0; i < f->num_states; i++)
    if (strcmp(f->state[i].name, a->name) == 0 && f->state[i].place == PLACE_SCRUB) return;
  fail(row, "'%s' is no scrubbed array of state.def", a->name);
}

void facts_link(facts_t *f, const char *dir) {
  link_t *l = &f->link;
  rows_t rows;
  rows_read(&rows, dir, "link.def", true);
  for (int i = 0; i < rows.num; i++) {
    const row_t *row = &rows.row[i];
    if (strcmp(row->macro, "LINKCONST") == 0) {
      add_row(row, l->constant, &l->num_constants, INT32_MAX);
    } else if (strcmp(row->macro, "LINKCMD") == 0) {
      /* The top bit marks a response. */
      add_row(row, l->command, &l->num_commands, 126);
      check_number(row, l->command, l->num_commands);
    } else if (strcmp(row->macro, "LINKERR") == 0) {
      add_row(row, l->error, &l->num_errors, 255);
      check_number(row, l->error, l->num_errors);
      if (l->error[l->num_errors - 1].code == 0) fail(row, "error 0 means none");
    } else {
      want_args(row, "LINKARRAY", 3);
      add_row(row, l->array, &l->num_arrays, 255);
      check_number(row, l->array, l->num_arrays);
      check_array(f, row, &l->array[l->num_arrays - 1]);
    }
  }
}
