/* diag.c: see diag.h. Collects and formats diagnostics; prints nothing. */
#include "isa/ptx/diag.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "isa/ptx/limits.h"

enum { EXCERPT_MAX = 200, MESSAGE_MAX = 1024 };

void wl_diag_init(wl_diag_list_t *d) { memset(d, 0, sizeof *d); }

static char *copy_text(const char *s, size_t n) {
  char *p = malloc(n + 1);
  if (p == NULL) return NULL;
  if (n != 0) memcpy(p, s, n);
  p[n] = 0;
  return p;
}

void wl_diag_set_source(wl_diag_list_t *d, const char *file, const char *text, size_t len) {
  free(d->file);
  d->file = copy_text(file, strlen(file));
  d->text = text;
  d->len = len;
}

/* The line's text, tabs and control bytes as blanks so that the caret stays below its column. */
static char *excerpt(const wl_diag_list_t *d, uint32_t line) {
  if (d->text == NULL || line == 0) return NULL;
  size_t start = 0;
  for (uint32_t n = 1; n < line; n++) {
    const char *nl = start < d->len ? memchr(d->text + start, '\n', d->len - start) : NULL;
    if (nl == NULL) return NULL;
    start = (size_t)(nl - d->text) + 1;
  }
  if (start > d->len) return NULL;
  const char *nl = memchr(d->text + start, '\n', d->len - start);
  size_t n = nl != NULL ? (size_t)(nl - d->text) - start : d->len - start;
  if (n > EXCERPT_MAX) n = EXCERPT_MAX;
  char *s = copy_text(d->text + start, n);
  for (size_t i = 0; s != NULL && i < n; i++) {
    unsigned char c = (unsigned char)s[i];
    if (c < 0x20 || c >= 0x7f) s[i] = c >= 0x7f ? '?' : ' ';
  }
  while (s != NULL && n > 0 && s[n - 1] == ' ')
    s[--n] = 0;
  return s;
}

static bool grow(wl_diag_list_t *d) {
  if (d->count < d->cap) return true;
  size_t cap = d->cap == 0 ? 16 : d->cap * 2;
  wl_diag_t *items = realloc(d->items, cap * sizeof *items);
  if (items == NULL) return false;
  d->items = items;
  d->cap = cap;
  return true;
}

void wl_diag_add(wl_diag_list_t *d, wl_diag_class_t cls, wl_ptx_pos_t pos, const char *clause,
                 const char *fmt, ...) {
  char buf[MESSAGE_MAX];
  va_list ap;
  va_start(ap, fmt);
  int n = vsnprintf(buf, sizeof buf, fmt, ap);
  va_end(ap);
  if (n < 0) buf[0] = 0;
  bool listed = false;
  bool owned = cls == WL_DIAG_UNSUPPORTED && d->by_owner && d->owner != 0 &&
               wl_diag_refuse(d, clause, buf, &listed);
  bool error = cls != WL_DIAG_NOTE && cls != WL_DIAG_WARNING && !owned;
  size_t max = d->max_errors != 0 ? d->max_errors : (size_t)WL_LIM_ERRORS;
  if (listed) return;
  if (error) d->errors++;
  if (cls == WL_DIAG_WARNING) d->warnings++;
  if (cls == WL_DIAG_INTERNAL) d->internal = true;
  if (cls == WL_DIAG_MALFORMED) d->malformed = true;
  if (!owned && d->count - d->nowned >= max) {
    d->dropped++;
    return;
  }
  if (!grow(d)) {
    d->dropped++;
    return;
  }
  if (owned) d->nowned++;
  d->items[d->count++] = (wl_diag_t){.cls = cls,
                                     .pos = pos,
                                     .clause = clause,
                                     .message = copy_text(buf, strlen(buf)),
                                     .source_line = excerpt(d, pos.line),
                                     .owner = owned ? d->owner : 0};
}

int wl_diag_exit_code(const wl_diag_list_t *d) {
  if (d->errors == 0) return 0;
  if (d->internal) return WL_DIAG_INTERNAL;
  return d->malformed ? WL_DIAG_MALFORMED : WL_DIAG_UNSUPPORTED;
}

static const char *class_word(wl_diag_class_t cls) {
  switch (cls) {
  case WL_DIAG_NOTE:
    return "note";
  case WL_DIAG_WARNING:
    return "warning";
  case WL_DIAG_INTERNAL:
    return "internal error";
  default:
    return "error";
  }
}

/* "  needed by a, b; 3 more places\n" behind a refusal. */
static void who(const wl_diag_t *g, char *s, size_t cap) {
  if (g->needed_by == NULL && g->repeats == 0) return;
  int n = snprintf(s, cap, "  %s%s", g->needed_by != NULL ? "needed by " : "",
                   g->needed_by != NULL ? g->needed_by : "");
  size_t len = n > 0 ? (size_t)n : 0;
  if (g->repeats != 0) {
    n = snprintf(s + len, cap - len, "%s%u more place%s", g->needed_by != NULL ? "; " : "",
                 g->repeats, g->repeats == 1 ? "" : "s");
    len += n > 0 ? (size_t)n : 0;
  }
  snprintf(s + len, cap - len, "\n");
}

char *wl_diag_format(const wl_diag_list_t *d, size_t i) {
  const wl_diag_t *g = &d->items[i];
  const char *file = d->file != NULL ? d->file : "<ptx>";
  const char *msg = g->message != NULL ? g->message : "(out of memory)";
  size_t cap = strlen(file) + strlen(msg) + 2 * EXCERPT_MAX + 256;
  if (g->needed_by != NULL) cap += strlen(g->needed_by);
  char *s = malloc(cap);
  if (s == NULL) return NULL;
  int n;
  if (g->pos.line != 0) {
    n = snprintf(s, cap, "%s:%u:%u: %s: %s", file, g->pos.line, g->pos.col, class_word(g->cls),
                 msg);
  } else {
    n = snprintf(s, cap, "%s: %s: %s", file, class_word(g->cls), msg);
  }
  size_t len = n > 0 ? (size_t)n : 0;
  if (g->clause != NULL && g->clause[0] != 0) {
    n = snprintf(s + len, cap - len, " [PTX %s]", g->clause);
    len += n > 0 ? (size_t)n : 0;
  }
  s[len++] = '\n';
  s[len] = 0;
  if (g->source_line != NULL && g->source_line[0] != 0 && g->pos.col <= EXCERPT_MAX) {
    n = snprintf(s + len, cap - len, "  %s\n  %*s^\n", g->source_line, (int)(g->pos.col - 1), "");
    len += n > 0 ? (size_t)n : 0;
  }
  who(g, s + len, cap - len);
  return s;
}

static int by_position(const void *a, const void *b) {
  const wl_diag_t *x = *(const wl_diag_t *const *)a, *y = *(const wl_diag_t *const *)b;
  if (x->pos.line != y->pos.line) return x->pos.line < y->pos.line ? -1 : 1;
  if (x->pos.col != y->pos.col) return x->pos.col < y->pos.col ? -1 : 1;
  return x < y ? -1 : x > y; /* both in one array: keeps the order in which they were found */
}

static bool append(char **out, size_t *len, size_t *cap, const char *s) {
  size_t n = strlen(s);
  if (*len + n + 1 > *cap) {
    size_t c = (*len + n + 1) * 2;
    char *p = realloc(*out, c);
    if (p == NULL) return false;
    *out = p;
    *cap = c;
  }
  memcpy(*out + *len, s, n + 1);
  *len += n;
  return true;
}

char *wl_diag_format_all(const wl_diag_list_t *d) {
  char *out = copy_text("", 0);
  size_t len = 0, cap = 1;
  const wl_diag_t **order = malloc((d->count + 1) * sizeof *order);
  bool ok = out != NULL && order != NULL;
  for (size_t i = 0; ok && i < d->count; i++)
    order[i] = &d->items[i];
  if (ok && d->count > 1) qsort(order, d->count, sizeof *order, by_position);
  for (size_t i = 0; ok && i < d->count; i++) {
    if (order[i]->hidden) continue;
    char *s = wl_diag_format(d, (size_t)(order[i] - d->items));
    ok = s != NULL && append(&out, &len, &cap, s);
    free(s);
  }
  if (ok && d->dropped != 0) {
    char tail[80];
    snprintf(tail, sizeof tail, "... and %zu more diagnostics\n", d->dropped);
    ok = append(&out, &len, &cap, tail);
  }
  free(order);
  if (!ok) {
    free(out);
    return NULL;
  }
  return out;
}

void wl_diag_free(wl_diag_list_t *d) {
  for (size_t i = 0; i < d->count; i++) {
    free(d->items[i].message);
    free(d->items[i].source_line);
    free(d->items[i].needed_by);
  }
  free(d->refusals_of);
  free(d->items);
  free(d->file);
  memset(d, 0, sizeof *d);
}
