/* Rows of a .def file: MACRO(arg, "text", ...), with // and block comments. A row may span lines;
 * an argument is a string or any text up to the next comma outside parentheses. */
#include "isa/gen/wlgen.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *at;
  row_t here; /* file and line for messages */
} scan_t;

void fail(const row_t *row, const char *format, ...) {
  va_list list;
  va_start(list, format);
  fprintf(stderr, "%s:%d: ", row->file, row->line);
  vfprintf(stderr, format, list);
  fputc('\n', stderr);
  va_end(list);
  exit(1);
}

void *xalloc(size_t bytes) {
  void *p = calloc(1, bytes);
  if (p == NULL) {
    fputs("wlgen: out of memory\n", stderr);
    exit(1);
  }
  return p;
}

static char *copy_text(const char *from, size_t length) {
  char *s = xalloc(length + 1);
  memcpy(s, from, length);
  return s;
}

static void skip_comment(scan_t *s) {
  if (s->at[1] == '/') {
    while (*s->at != '\0' && *s->at != '\n')
      s->at++;
    return;
  }
  const row_t start = s->here;
  for (s->at += 2; !(s->at[0] == '*' && s->at[1] == '/'); s->at++) {
    if (*s->at == '\0') fail(&start, "comment without end");
    if (*s->at == '\n') s->here.line++;
  }
  s->at += 2;
}

static void skip_space(scan_t *s) {
  for (;;) {
    if (*s->at == '\n') s->here.line++;
    if (isspace((unsigned char)*s->at)) {
      s->at++;
    } else if (s->at[0] == '/' && (s->at[1] == '/' || s->at[1] == '*')) {
      skip_comment(s);
    } else {
      return;
    }
  }
}

static char *scan_string(scan_t *s) {
  const char *start = ++s->at;
  while (*s->at != '"') {
    if (*s->at == '\0' || *s->at == '\n') fail(&s->here, "string without end");
    if (*s->at == '\\') fail(&s->here, "backslash in a string");
    s->at++;
  }
  return copy_text(start, (size_t)(s->at++ - start));
}

static char *scan_bare(scan_t *s) {
  const char *start = s->at;
  int depth = 0;
  while (depth > 0 || (*s->at != ',' && *s->at != ')')) {
    if (*s->at == '\0' || *s->at == '\n') fail(&s->here, "row without ')'");
    depth += (*s->at == '(') - (*s->at == ')');
    s->at++;
  }
  const char *end = s->at;
  while (end > start && isspace((unsigned char)end[-1]))
    end--;
  if (end == start) fail(&s->here, "empty column");
  return copy_text(start, (size_t)(end - start));
}

static void scan_row(scan_t *s, row_t *row) {
  *row = s->here;
  const char *start = s->at;
  while (isalnum((unsigned char)*s->at) || *s->at == '_')
    s->at++;
  if (s->at == start) fail(&s->here, "expected a row, got '%c'", *s->at);
  row->macro = copy_text(start, (size_t)(s->at - start));
  skip_space(s);
  if (*s->at != '(') fail(row, "%s: expected '('", row->macro);
  do {
    s->at++;
    skip_space(s);
    if (row->num_args == MAX_ARGS) fail(row, "%s: more than %d columns", row->macro, MAX_ARGS);
    const int i = row->num_args++;
    row->is_text[i] = *s->at == '"';
    row->arg[i] = row->is_text[i] ? scan_string(s) : scan_bare(s);
    skip_space(s);
  } while (*s->at == ',');
  if (*s->at != ')') fail(row, "%s: expected ',' or ')'", row->macro);
  s->at++;
}

static char *read_file(const char *path, bool optional) {
  FILE *in = fopen(path, "rb");
  if (in == NULL) {
    if (optional) return NULL;
    const row_t row = {.file = path, .line = 1};
    fail(&row, "cannot open");
  }
  size_t size = 0;
  size_t room = 1u << 16;
  char *text = xalloc(room);
  for (size_t got; (got = fread(text + size, 1, room - size - 1, in)) > 0;) {
    size += got;
    if (size + 1 < room) continue;
    char *more = xalloc(room * 2);
    memcpy(more, text, size);
    free(text);
    text = more;
    room *= 2;
  }
  fclose(in);
  text[size] = '\0';
  return text;
}

void rows_read(rows_t *rows, const char *dir, const char *name, bool optional) {
  const size_t length = strlen(dir) + strlen(name) + 2;
  char *path = xalloc(length);
  snprintf(path, length, "%s/%s", dir, name);
  *rows = (rows_t){0};
  char *text = read_file(path, optional);
  if (text == NULL) return;
  scan_t s = {.at = text, .here = {.file = path, .line = 1}};
  int room = 0;
  for (skip_space(&s); *s.at != '\0'; skip_space(&s)) {
    if (rows->num == room) {
      room = room == 0 ? 64 : room * 2;
      row_t *more = xalloc((size_t)room * sizeof *more);
      if (rows->num > 0) memcpy(more, rows->row, (size_t)rows->num * sizeof *more);
      free(rows->row);
      rows->row = more;
    }
    scan_row(&s, &rows->row[rows->num++]);
  }
}
