/* junit.c: junit.h. A suite's element has the counts in front of the cases, so these wait in a
 * temporary file. */
#include "tests/kernels/runner/junit.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct wl_junit {
  char *path, *suite;
  FILE *out;   /* PATH.new */
  FILE *cases; /* temporary */
  unsigned count, failed, skipped;
  double seconds;
};

static char *join(const char *a, const char *b) {
  const size_t cap = strlen(a) + strlen(b) + 1;
  char *text = malloc(cap);
  if (text != NULL) {
    (void)snprintf(text, cap, "%s%s", a, b);
  }
  return text;
}

static void release(wl_junit_t *j) {
  if (j->out != NULL) {
    (void)fclose(j->out);
  }
  if (j->cases != NULL) {
    (void)fclose(j->cases);
  }
  free(j->path);
  free(j->suite);
  free(j);
}

wl_junit_t *wl_junit_open(const char *path, const char *suite) {
  wl_junit_t *j = calloc(1, sizeof *j);
  char *new_path = join(path, ".new");
  if (j != NULL && new_path != NULL) {
    j->path = join(path, "");
    j->suite = join(suite, "");
    j->out = fopen(new_path, "w");
    j->cases = tmpfile();
    if (j->path == NULL || j->suite == NULL || j->out == NULL || j->cases == NULL) {
      if (j->out != NULL) {
        (void)remove(new_path);
      }
      release(j);
      j = NULL;
    }
  }
  free(new_path);
  return j;
}

/* Bytes of the character that begins here if it is well-formed UTF-8 and allowed in XML 1.0, else 0. */
static unsigned character(const unsigned char *at) {
  if (at[0] < 0x80) {
    return at[0] >= 0x20 || at[0] == '\t' || at[0] == '\n' || at[0] == '\r' ? 1 : 0;
  }
  const unsigned more = at[0] >= 0xf0 ? 3 : at[0] >= 0xe0 ? 2 : 1;
  uint32_t code = at[0] & (0x3fu >> more);
  if (at[0] < 0xc2 || at[0] > 0xf4) {
    return 0;
  }
  for (unsigned i = 1; i <= more; i++) {
    if ((at[i] & 0xc0) != 0x80) {
      return 0;
    }
    code = code << 6 | (at[i] & 0x3fu);
  }
  const bool too_long = (more == 2 && code < 0x800) || (more == 3 && code < 0x10000);
  const bool no_character =
      (code >= 0xd800 && code < 0xe000) || code > 0x10ffff || code == 0xfffe || code == 0xffff;
  return too_long || no_character ? 0 : more + 1;
}

/* A whole text, or its first line. White space of attributes is kept by numbers. */
static void put(FILE *file, const char *text, bool attribute, bool first_line) {
  const unsigned char *at = (const unsigned char *)text;
  while (*at != 0 && !(first_line && *at == '\n')) {
    const unsigned bytes = character(at);
    if (bytes == 0) {
      (void)fputc('?', file);
    } else if (strchr("&<>\"", *at) != NULL || *at == '\r' || (attribute && *at < ' ')) {
      (void)fprintf(file, "&#%u;", (unsigned)*at);
    } else {
      (void)fwrite(at, 1, bytes, file);
    }
    at += bytes == 0 ? 1 : bytes;
  }
}

static void put_attribute(FILE *file, const char *name, const char *value, bool first_line) {
  (void)fprintf(file, " %s=\"", name);
  put(file, value, true, first_line);
  (void)fputc('"', file);
}

void wl_junit_case(wl_junit_t *j, const char *classname, const char *name, double seconds,
                   wl_junit_outcome_t outcome, const char *text) {
  FILE *file = j->cases;
  j->count++;
  j->seconds += seconds;
  (void)fputs("  <testcase", file);
  put_attribute(file, "classname", classname, false);
  put_attribute(file, "name", name, false);
  (void)fprintf(file, " time=\"%.3f\"", seconds);
  if (outcome == WL_JUNIT_PASSED) {
    (void)fputs("/>\n", file);
    return;
  }
  const char *element = outcome == WL_JUNIT_FAILED ? "failure" : "skipped";
  j->failed += outcome == WL_JUNIT_FAILED;
  j->skipped += outcome == WL_JUNIT_SKIPPED;
  (void)fprintf(file, ">\n    <%s", element);
  put_attribute(file, "message", text, true);
  if (outcome == WL_JUNIT_FAILED) {
    (void)fputc('>', file);
    put(file, text, false, false);
    (void)fprintf(file, "</%s>\n  </testcase>\n", element);
  } else {
    (void)fputs("/>\n  </testcase>\n", file);
  }
}

static void put_suite(wl_junit_t *j) {
  char buffer[4096];
  size_t got;
  (void)fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite", j->out);
  put_attribute(j->out, "name", j->suite, false);
  (void)fprintf(j->out,
                " tests=\"%u\" failures=\"%u\" errors=\"0\" skipped=\"%u\" time=\"%.3f\">\n",
                j->count, j->failed, j->skipped, j->seconds);
  rewind(j->cases);
  while ((got = fread(buffer, 1, sizeof buffer, j->cases)) != 0) {
    (void)fwrite(buffer, 1, got, j->out);
  }
  (void)fputs("</testsuite>\n</testsuites>\n", j->out);
}

bool wl_junit_close(wl_junit_t *j) {
  char *new_path = join(j->path, ".new");
  bool ok = new_path != NULL && fflush(j->cases) == 0;
  if (ok) {
    put_suite(j);
  }
  ok = ok && ferror(j->cases) == 0 && ferror(j->out) == 0;
  ok = fclose(j->out) == 0 && ok;
  j->out = NULL;
  ok = ok && rename(new_path, j->path) == 0;
  if (!ok && new_path != NULL) {
    (void)remove(new_path);
  }
  free(new_path);
  release(j);
  return ok;
}
