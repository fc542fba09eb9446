/* shrink.c: see shrink.h. Passes are repeated until none takes anything. */
#include "tests/random/shrink.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct work {
  const rs_options_t *o;
  rp_launch_t l;
  char **line; /* without launch lines and comments; without the final newline */
  size_t count;
  bool *lost; /* of a candidate */
  char *text; /* of a candidate */
  size_t cap, size;
  uint64_t tries, taken;
  time_t end;
} work_t;

static bool over(const work_t *w) {
  return (w->o->tries != 0 && w->tries >= w->o->tries) ||
         (w->o->seconds != 0 && time(NULL) > w->end);
}

/* ---- text ---- */
static bool split(work_t *w, const char *text) {
  size_t total = strlen(text), lines = 1;
  for (const char *at = text; *at != 0; at++) {
    lines += *at == '\n';
  }
  w->cap = 2 * total + 4096;
  w->line = calloc(lines + 1, sizeof *w->line);
  w->lost = calloc(lines + 1, sizeof *w->lost);
  w->text = malloc(w->cap);
  if (w->line == NULL || w->lost == NULL || w->text == NULL) {
    return false;
  }
  while (*text != 0) {
    size_t n = strcspn(text, "\n"), blank = strspn(text, " \t");
    if (blank < n && strncmp(text + blank, "//", 2) != 0) {
      char *line = calloc(n + 1, 1);
      if (line == NULL) {
        return false;
      }
      memcpy(line, text, n);
      w->line[w->count++] = line;
    }
    text += n;
    text += *text == '\n';
  }
  return true;
}

static void join(work_t *w, const rp_launch_t *l) {
  size_t n = (size_t)rp_format(l, w->text, w->cap);
  for (size_t i = 0; i < w->count; i++) {
    size_t length = strlen(w->line[i]);
    if (!w->lost[i] && n + length + 2 < w->cap) {
      memcpy(w->text + n, w->line[i], length);
      n += length;
      w->text[n++] = '\n';
    }
  }
  w->text[n] = 0;
  w->size = n;
}

static bool fails(work_t *w, const rp_launch_t *l) {
  join(w, l);
  w->tries++;
  bool yes = w->o->fails(w->o->context, l, w->text, w->size);
  w->taken += yes;
  return yes;
}

/* ---- lines ---- */
static int braces(const char *line) {
  int depth = 0;
  for (; *line != 0; line++) {
    depth += *line == '{';
    depth -= *line == '}';
  }
  return depth;
}

/* Without lines [from, to): taken for good if it still fails. */
static bool try_without(work_t *w, size_t from, size_t to) {
  int depth = 0;
  for (size_t i = from; i < to; i++) {
    depth += braces(w->line[i]);
    if (depth < 0) {
      return false;
    }
  }
  if (depth != 0 || from >= to) {
    return false;
  }
  for (size_t i = from; i < to; i++) {
    w->lost[i] = true;
  }
  if (!fails(w, &w->l)) {
    memset(w->lost, 0, w->count * sizeof *w->lost);
    return false;
  }
  for (size_t i = from; i < to; i++) {
    free(w->line[i]);
  }
  memmove(&w->line[from], &w->line[to], (w->count - to) * sizeof *w->line);
  w->count -= to - from;
  memset(w->lost, 0, w->count * sizeof *w->lost);
  return true;
}

static bool chunks(work_t *w) {
  bool any = false;
  for (size_t size = w->count / 2; size != 0; size /= 2) {
    for (size_t at = w->count; at != 0 && !over(w);) { /* from the end: results die first */
      size_t from = at > size ? at - size : 0;
      any = try_without(w, from, at < w->count ? at : w->count) || any;
      at = from;
    }
  }
  return any;
}

/* From a line with an opening brace at depth 0 to the one that closes it. */
static bool braced(work_t *w) {
  bool any = false;
  for (size_t i = w->count; i-- != 0 && !over(w);) {
    size_t start = i, end = i;
    int depth = 0;
    if (strchr(w->line[i], '{') == NULL || i >= w->count) {
      continue;
    }
    do {
      depth += braces(w->line[end++]);
    } while (depth > 0 && end < w->count);
    if (strcmp(w->line[i], "{") == 0 && start != 0) {
      start--;
    }
    any = try_without(w, start, end) || any;
    i = i < w->count ? i : w->count;
  }
  return any;
}

static size_t label_length(const char *line) { /* "L12:" at the beginning; 0: none */
  size_t n = 0;
  while (isalnum((unsigned char)line[n]) || line[n] == '_' || line[n] == '$') {
    n++;
  }
  return n != 0 && line[n] == ':' ? n : 0;
}

/* A branch, and what lies between it and its label. */
static bool blocks(work_t *w) {
  bool any = false;
  for (size_t i = 0; i < w->count && !over(w); i++) {
    const char *at = strstr(w->line[i], "bra");
    for (size_t k = i + 1; at != NULL && k < w->count; k++) {
      size_t n = label_length(w->line[k]);
      const char *target = at + strcspn(at, " \t");
      target += strspn(target, " \t");
      if (n != 0 && strncmp(target, w->line[k], n) == 0 && target[n] == ';') {
        any = try_without(w, i, k + 1) || try_without(w, i, k) || any;
        break;
      }
    }
  }
  return any;
}

/* Two lines anywhere that only go together: a label and its branch, a definition and its use. */
static bool pairs(work_t *w) {
  bool any = false;
  for (size_t i = 0; i < w->count && !over(w); i++) {
    size_t n = label_length(w->line[i]);
    for (size_t k = 0; n != 0 && k < w->count; k++) {
      const char *at = strstr(w->line[k], w->line[i][0] == 0 ? "?" : "bra");
      at = at != NULL ? at + strcspn(at, " \t") : NULL;
      at = at != NULL ? at + strspn(at, " \t") : NULL;
      if (at == NULL || strncmp(at, w->line[i], n) != 0 || at[n] != ';') {
        continue;
      }
      w->lost[i] = w->lost[k] = true;
      if (!fails(w, &w->l)) {
        w->lost[i] = w->lost[k] = false;
        break;
      }
      any = true;
      size_t to = 0;
      for (size_t j = 0; j < w->count; j++) {
        if (w->lost[j]) {
          free(w->line[j]);
        } else {
          w->line[to++] = w->line[j];
        }
      }
      w->count = to;
      memset(w->lost, 0, w->count * sizeof *w->lost);
      i -= i != 0;
      break;
    }
  }
  return any;
}

static bool guards(work_t *w) {
  bool any = false;
  for (size_t i = 0; i < w->count && !over(w); i++) {
    char *line = w->line[i], *at = line + strspn(line, " \t");
    if (*at != '@') {
      continue;
    }
    char *before = calloc(strlen(line) + 1, 1);
    if (before == NULL) {
      return any;
    }
    (void)strcpy(before, line);
    size_t skip = strcspn(at, " \t");
    memmove(at, at + skip, strlen(at + skip) + 1);
    if (fails(w, &w->l)) {
      any = true;
    } else {
      (void)strcpy(line, before);
    }
    free(before);
  }
  return any;
}

/* One operand (the text between two of ",;{}()" behind the first blank) left out, or made 0. The
 * offset of an address goes first. */
static bool operand(work_t *w, size_t i, size_t from, size_t to, const char *instead) {
  char *line = w->line[i];
  size_t tail = strlen(line + to), n = strlen(instead);
  char *before = calloc(strlen(line) + 1, 1);
  if (before == NULL || n > to - from) {
    free(before);
    return false;
  }
  (void)strcpy(before, line);
  memmove(line + from + n, line + to, tail + 1);
  memcpy(line + from, instead, n);
  bool yes = strcmp(line, before) != 0 && fails(w, &w->l);
  if (!yes) {
    (void)strcpy(line, before);
  }
  free(before);
  return yes;
}

static bool operands(work_t *w) {
  bool any = false;
  for (size_t i = 0; i < w->count && w->count < 150 && !over(w); i++) {
    size_t at = strspn(w->line[i], " \t");
    if (w->line[i][at] == '.' || strchr(w->line[i], ';') == NULL) {
      continue;
    }
    at += strcspn(w->line[i] + at, " \t");
    at += strcspn(w->line[i] + at, ",;"); /* the first operand stays */
    while (w->line[i][at] == ',' && !over(w)) {
      size_t from = at + 1 + strspn(w->line[i] + at + 1, " "), to;
      to = from + strcspn(w->line[i] + from, ",;{}()");
      size_t plus = from + strcspn(w->line[i] + from, "+,;");
      if (w->line[i][plus] == '+' && w->line[i][to - 1] == ']') {
        any = operand(w, i, plus, to - 1, "") || any;
        to = from + strcspn(w->line[i] + from, ",;{}()");
      }
      if (operand(w, i, at, to, "")) {
        any = true;
        continue;
      }
      bool zero = to - from == 1 && w->line[i][from] == '0';
      any = (!zero && operand(w, i, from, to, "0")) || any;
      at += 1 + strcspn(w->line[i] + at + 1, ",;");
    }
  }
  return any;
}

/* ---- launch and data ---- */
static bool try_launch(work_t *w, const rp_launch_t *l) {
  if (memcmp(l, &w->l, sizeof *l) == 0 || over(w) || !fails(w, l)) {
    return false;
  }
  w->l = *l;
  return true;
}

static bool shape(work_t *w) {
  bool any = false;
  for (unsigned d = 0; d < 6; d++) {
    for (uint32_t step = 0; step < 8; step++) {
      rp_launch_t l = w->l;
      uint32_t *n = d < 3 ? &l.grid[d] : &l.block[d - 3];
      uint32_t now = *n;
      *n = step == 0               ? 1
           : step == 1             ? (now + 1) / 2
           : step == 2 && now > 32 ? (now - 1) / 32 * 32
           : step == 3 && now > 1  ? now - 1
                                   : now;
      any = try_launch(w, &l) || any;
    }
  }
  rp_launch_t l = w->l; /* all in x is simpler */
  l.block[0] *= l.block[1] * l.block[2];
  l.block[1] = l.block[2] = 1;
  any = try_launch(w, &l) || any;
  l = w->l;
  l.regs = 0;
  return try_launch(w, &l) || any;
}

static bool data(work_t *w) {
  bool any = false;
  for (unsigned size = 64; size != 0; size /= 2) {
    for (unsigned at = 0; at < 64; at += size) {
      rp_launch_t l = w->l;
      l.keep &= ~((size == 64 ? UINT64_MAX : (UINT64_C(1) << size) - 1) << at);
      any = try_launch(w, &l) || any;
    }
  }
  for (uint32_t i = 0; i < w->l.nargs; i++) {
    rp_launch_t l = w->l;
    l.arg[i].random = false;
    any = (l.arg[i].buffer && try_launch(w, &l)) || any;
    for (l = w->l; l.arg[i].buffer && l.arg[i].bytes > 64; l = w->l) {
      l.arg[i].bytes = (l.arg[i].bytes / 2 + 15) / 16 * 16;
      if (!try_launch(w, &l)) {
        break;
      }
      any = true;
    }
  }
  return any;
}

/* ---- all ---- */
rs_size_t rs_measure(const rp_launch_t *l, const char *text) {
  rs_size_t s = {0, 0, (uint64_t)l->grid[0] * l->grid[1] * l->grid[2],
                 (uint64_t)l->block[0] * l->block[1] * l->block[2], 0};
  for (uint32_t i = 0; i < l->nargs; i++) {
    s.data_bytes += l->arg[i].bytes;
  }
  for (; *text != 0; text += strcspn(text, "\n"), text += *text != 0) {
    const char *at = text + strspn(text, " \t");
    size_t n = strcspn(text, "\n"), label = label_length(at);
    at += label != 0 ? label + 1 : 0;
    at += strspn(at, " \t");
    if (*at == '\n' || *at == 0 || strncmp(at, "//", 2) == 0) {
      s.lines += label != 0;
      continue;
    }
    s.lines++;
    s.instructions += memchr(text, ';', n) != NULL && *at != '.' && *at != '}' && *at != '{' &&
                      !isdigit((unsigned char)*at);
  }
  return s;
}

void rs_print(const char *what, rs_size_t s) {
  printf("%s: %" PRIu64 " instructions, %" PRIu64 " lines, %" PRIu64 " CTAs of %" PRIu64
         " threads, %" PRIu64 " bytes of data\n",
         what, s.instructions, s.lines, s.ctas, s.threads, s.data_bytes);
}

bool rs_shrink(const rs_options_t *o, const rp_launch_t *l, const char *text, rs_result_t *out) {
  work_t w = {.o = o, .l = *l, .end = time(NULL) + (time_t)o->seconds};
  memset(out, 0, sizeof *out);
  bool ok = split(&w, text) && fails(&w, &w.l), any = ok;
  while (any && !over(&w)) {
    any = shape(&w);
    any = braced(&w) || any;
    any = blocks(&w) || any;
    any = chunks(&w) || any;
    any = pairs(&w) || any;
    any = guards(&w) || any;
    any = operands(&w) || any;
    any = data(&w) || any;
  }
  if (ok) {
    join(&w, &w.l);
    *out = (rs_result_t){w.text, w.size, w.l, w.tries, w.taken, !over(&w)};
  } else {
    free(w.text);
  }
  for (size_t i = 0; i < w.count; i++) {
    free(w.line[i]);
  }
  free(w.line);
  free(w.lost);
  return ok;
}
