/* reject_test.c [--strict-tmem] DIR: every .ptx in DIR is parsed and its diagnostics compared, text for
 * text.
 *   // exit: N                   once per file: the exit code
 *   code  // expect: COL: error: message [PTX 5.1.6]     a diagnostic at this line
 *   // expect@LINE:COL: error: message [PTX 5.1.6]       a diagnostic at another line
 * Several `// expect` may follow each other on a line. A diagnostic without a marker fails, and so
 * does a marker without its diagnostic. */
#define _XOPEN_SOURCE 700
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/ptx/ptx.h"

enum { MAX_EXPECT = 500, TEXT = 600 };
typedef struct expect {
  uint32_t line, col;
  char text[TEXT];
  bool seen;
} expect_t;
typedef struct file_case {
  char path[700];
  char *text;
  size_t len;
  expect_t *list;
  size_t n;
  int exit_code;
} file_case_t;

static unsigned failures, files, matched;

static bool load(file_case_t *c) {
  FILE *f = fopen(c->path, "rb");
  if (f == NULL) return false;
  c->text = calloc(1, 1 << 20);
  if (c->text != NULL) c->len = fread(c->text, 1, (1 << 20) - 1, f);
  fclose(f);
  return c->text != NULL;
}

static void add(file_case_t *c, uint32_t line, const char *s, size_t n) {
  unsigned a = 0, b = 0;
  int used = 0;
  char buf[TEXT] = "";
  memcpy(buf, s, n < TEXT - 1 ? n : TEXT - 1);
  while (n > 0 && n < TEXT && (buf[n - 1] == ' ' || buf[n - 1] == '\r'))
    buf[--n] = 0;
  expect_t *e = &c->list[c->n];
  if (buf[0] == '@' && sscanf(buf, "@%u:%u: %n", &a, &b, &used) == 2 && used > 0) {
    *e = (expect_t){.line = a, .col = b};
  } else if (sscanf(buf, ": %u: %n", &b, &used) == 1 && used > 0) {
    *e = (expect_t){.line = line, .col = b};
  } else {
    printf("%s:%u: malformed expect\n", c->path, line);
    failures++;
    return;
  }
  snprintf(e->text, sizeof e->text, "%s", buf + used);
  if (c->n + 1 < MAX_EXPECT) c->n++;
}

static void read_markers(file_case_t *c) {
  uint32_t line = 1;
  c->exit_code = -1;
  for (char *s = c->text; *s != 0; line++) {
    char *nl = strchr(s, '\n');
    char *end = nl != NULL ? nl : s + strlen(s);
    for (char *m = s; (m = strstr(m, "// e")) != NULL && m < end;) {
      char *next = strstr(m + 4, "// expect");
      char *stop = next != NULL && next < end ? next : end;
      if (strncmp(m, "// exit:", 8) == 0) c->exit_code = atoi(m + 8);
      if (strncmp(m, "// expect", 9) == 0) add(c, line, m + 9, (size_t)(stop - m - 9));
      m = stop;
      if (m >= end) break;
    }
    if (nl == NULL) break;
    s = nl + 1;
  }
}

static void compare(file_case_t *c, const wl_diag_list_t *d, int rc) {
  for (size_t i = 0; i < d->count; i++) {
    const wl_diag_t *g = &d->items[i];
    char *all = wl_diag_format(d, i);
    if (all == NULL) abort();
    *strchr(all, '\n') = 0;
    char prefix[800];
    int n = snprintf(prefix, sizeof prefix, "%s:%u:%u: ", d->file, g->pos.line, g->pos.col);
    const char *message = strncmp(all, prefix, (size_t)n) == 0 ? all + n : all;
    bool found = false;
    for (size_t k = 0; k < c->n && !found; k++) {
      expect_t *e = &c->list[k];
      found = !e->seen && e->line == g->pos.line && e->col == g->pos.col &&
              strcmp(e->text, message) == 0;
      e->seen = e->seen || found;
    }
    matched += found;
    if (!found)
      printf("%s:%u: unexpected: // expect: %u: %s\n", c->path, g->pos.line, g->pos.col, message);
    failures += !found;
    free(all);
  }
  for (size_t k = 0; k < c->n; k++) {
    if (c->list[k].seen) continue;
    failures++;
    printf("%s:%u: missing:    // expect: %u: %s\n", c->path, c->list[k].line, c->list[k].col,
           c->list[k].text);
  }
  if (rc != c->exit_code) {
    failures++;
    printf("%s: exit code %d, expected %d\n", c->path, rc, c->exit_code);
  }
}

static void run(const char *dir, const char *name, bool strict) {
  file_case_t c = {.list = calloc(MAX_EXPECT, sizeof *c.list)};
  snprintf(c.path, sizeof c.path, "%s/%s", dir, name);
  if (c.list == NULL || !load(&c)) abort();
  read_markers(&c);
  wl_diag_list_t d;
  wl_ptx_module_t *m;
  wl_diag_init(&d);
  int rc = wl_ptx_parse(name, c.text, c.len, &d, &m);
  if (rc == 0 && strict) rc = wl_ptx_strict_tmem(m, &d);
  compare(&c, &d, rc);
  files++;
  wl_ptx_module_free(m);
  wl_diag_free(&d);
  free(c.list);
  free(c.text);
}

int main(int argc, char **argv) {
  const bool strict = argc == 3 && strcmp(argv[1], "--strict-tmem") == 0;
  const char *name = argc == 2 || strict ? argv[argc - 1] : NULL;
  DIR *dir = name != NULL ? opendir(name) : NULL;
  if (dir == NULL) {
    fprintf(stderr, "usage: reject_test [--strict-tmem] DIR\n");
    return 2;
  }
  for (struct dirent *e; (e = readdir(dir)) != NULL;) {
    size_t n = strlen(e->d_name);
    if (n > 4 && strcmp(e->d_name + n - 4, ".ptx") == 0) run(name, e->d_name, strict);
  }
  closedir(dir);
  printf("%u files, %u diagnostics as expected, %u failures\n", files, matched, failures);
  return failures != 0 || files == 0;
}
