/* Rewrites the marked part of docs/lockstep.md: the tables of records, of compared state and of
 * internal state. Text
 * outside the markers is kept. */
#include "isa/gen/wlgen.h"

#include <string.h>

static const char begin[] = "<!-- from isa/def by wlgen: begin -->\n";
static const char end[] = "<!-- from isa/def by wlgen: end -->\n";

static void doc_records(const facts_t *f, FILE *out) {
  fprintf(out, "| kind | record | words | event |\n|---|---|---|---|\n");
  for (int i = 0; i < f->num_journal; i++) {
    const journal_t *j = &f->journal[i];
    fprintf(out, "| %d | %s | %s | ", i, j->name, j->text);
    emit_cell(out, j->event);
    fprintf(out, " |\n");
  }
}

static void doc_sizes(const state_t *s, FILE *out) {
  for (int c = 0; c < NUM_CONFIGS - NUM_TEST_CONFIGS; c++)
    fprintf(out, "%s%llu x %llu", c > 0 ? ", " : "", (unsigned long long)s->slices[c],
            (unsigned long long)s->rows[c]);
}

static void doc_states(const facts_t *f, FILE *out) {
  static const char *const places[] = {"", "in place", "at the end"};
  static const char *const inits[] = {"zero", "seeded", "valid bit"};
  fprintf(out, "\n| state | meaning | record | array | at time 0 | index | slices x rows (");
  for (int c = 0; c < NUM_CONFIGS - NUM_TEST_CONFIGS; c++)
    fprintf(out, "%s%s", c > 0 ? ", " : "", config_names[c]);
  fprintf(out, ") | RTL, below gpu_top |\n|---|---|---|---|---|---|---|---|\n");
  for (int i = 0; i < f->num_states; i++) {
    const state_t *s = &f->state[i];
    fprintf(out, "| %s | ", s->name);
    emit_cell(out, s->meaning);
    fprintf(out, " | %s | %s | %s", s->record < 0 ? "" : f->journal[s->record].name,
            places[s->place], inits[s->init]);
    if (s->seed != 0) fprintf(out, " (kind %d)", s->seed);
    fprintf(out, " | ");
    emit_cell(out, s->index);
    fprintf(out, " | ");
    doc_sizes(s, out);
    fprintf(out, " | %s |\n", s->rtl);
  }
}

static void doc_debugs(const facts_t *f, FILE *out) {
  fprintf(out, "\n| inside | meaning | section | index | slices x elements (");
  for (int c = 0; c < NUM_CONFIGS - NUM_TEST_CONFIGS; c++)
    fprintf(out, "%s%s", c > 0 ? ", " : "", config_names[c]);
  fprintf(out, ") | RTL, below gpu_top |\n|---|---|---|---|---|---|\n");
  for (int i = 0; i < f->num_debugs; i++) {
    const debug_t *d = &f->debug[i];
    fprintf(out, "| %s | %s%s%s | %s | %s | ", d->name, d->meaning,
            d->when >= 0    ? ", where "
            : d->when == -2 ? ", not compared itself"
                            : "",
            d->when >= 0 ? f->debug[d->when].name : "", d->section, d->index);
    for (int c = 0; c < NUM_CONFIGS - NUM_TEST_CONFIGS; c++)
      fprintf(out, "%s%llu x %llu", c > 0 ? ", " : "", (unsigned long long)d->slices[c],
              (unsigned long long)d->elements[c]);
    fprintf(out, " | %s |\n", d->rtl);
  }
}

void emit_lockstep_docs(const facts_t *f, const char *path) {
  enum { ROOM = 1 << 18 };
  const row_t row = {.file = path, .line = 1};
  char *text = xalloc(ROOM);
  FILE *file = fopen(path, "rb");
  if (file == NULL) fail(&row, "cannot open");
  const size_t n = fread(text, 1, ROOM - 1, file);
  fclose(file);
  text[n] = '\0';
  char *first = strstr(text, begin);
  const char *last = strstr(text, end);
  if (first == NULL || last == NULL || last < first)
    fail(&row, "no lines '%.*s' and end", (int)strlen(begin) - 1, begin);
  file = fopen(path, "wb");
  if (file == NULL) fail(&row, "cannot write");
  fprintf(file, "%.*s%s", (int)(first - text), text, begin);
  doc_records(f, file);
  doc_states(f, file);
  doc_debugs(f, file);
  fputs(last, file);
  emit_close(file);
}
