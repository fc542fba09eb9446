/* Writes warplock_layout.h and .c: the journal's records and the compared arrays as a client of
 * warplock_cosim.h sees them (installed beside it), with sizes and hash of the layout; wl_journal.h
 * is the same under the name that the twins include. docs/cosim.md, docs/microarchitecture.md 15.
 */
#include "isa/gen/wlgen.h"

#include <string.h>

static const char head[] =
    "/* %s: generated from isa/def (journal.def, state.def) by wlgen; do not "
    "edit. docs/cosim.md */\n";

static unsigned long long words_of(const facts_t *f, const journal_t *j, int config) {
  const int lanes = find_config(f, "Lanes");
  const uint64_t last = j->lanes && lanes >= 0 ? f->config[lanes].value[config] : 1;
  return (unsigned long long)((uint64_t)j->names - 1 + last);
}

static void emit_kinds(const facts_t *f, FILE *h) {
  unsigned long long most = 1;
  fprintf(h, "/* Kinds of records: the words in order, and the event. [Lanes]: one word per "
             "physical lane. */\n"
             "typedef enum wl_journal_kind {\n");
  for (int i = 0; i < f->num_journal; i++) {
    const journal_t *j = &f->journal[i];
    fprintf(h, "  WL_J_%s = %d, /* %s: %s */\n", j->name, i, j->text, j->event);
    for (int c = 0; c < NUM_CONFIGS; c++)
      if (words_of(f, j, c) > most) most = words_of(f, j, c);
  }
  fprintf(
      h,
      "  WL_NUM_JOURNAL_KINDS = %d\n} wl_journal_kind_t;\n\n"
      "enum { WL_RECORD_MAX_WORDS = %llu };\n\n"
      "/* One record: what the DUT says of one event. Words behind `words` are not looked at. */\n"
      "typedef struct wl_cosim_record {\n"
      "  uint16_t kind;  /* wl_journal_kind_t */\n"
      "  uint16_t words; /* wl_journal_info[kind].words[config] */\n"
      "  uint32_t word[WL_RECORD_MAX_WORDS];\n} wl_cosim_record_t;\n\n",
      f->num_journal, most);
  fprintf(h,
          "typedef struct wl_journal_info {\n  const char *name, *event;\n"
          "  const char *word_names[%d];\n"
          "  unsigned names;     /* words with a name; further ones are lanes of the last */\n"
          "  unsigned key_words; /* leading words that tell which thing the record is about */\n"
          "  unsigned words[%d];  /* of a record, by configuration (wl_layouts) */\n"
          "} wl_journal_info_t;\nextern const wl_journal_info_t wl_journal_info[];\n\n",
          MAX_WORDS, NUM_CONFIGS);
}

static void emit_arrays(const facts_t *f, FILE *h) {
  int views = 0;
  fprintf(h,
          "/* Arrays that are compared in place (state.def, place scrub), words [slice][row]. */\n"
          "typedef enum wl_view_id {\n");
  for (int i = 0; i < f->num_states; i++)
    if (f->state[i].place == PLACE_SCRUB)
      fprintf(h, "  WL_VIEW_%s = %d, /* %s: %s */\n", name_upper(f->state[i].name).s, views++,
              f->state[i].meaning, f->state[i].index);
  fprintf(h, "  WL_NUM_VIEWS = %d\n} wl_view_id_t;\n\nenum { WL_VIEW_MAX_SLICES = %d };\n\n", views,
          MAX_SLICES);
  fprintf(h,
          "typedef struct wl_state_info {\n"
          "  const char *name, *index, *rtl, *trace, *meaning;\n"
          "  int record;      /* journal kind of every change, -1: none */\n"
          "  int view;        /* wl_view_id_t, -1: not compared in place */\n"
          "  unsigned seed;   /* kind of microarchitecture.md 15, 0: not seeded */\n"
          "  unsigned bits;   /* of a row */\n"
          "  unsigned slices[%d], rows[%d]; /* by configuration */\n} wl_state_info_t;\n"
          "extern const wl_state_info_t wl_state_info[]; /* rows of state.def, then a null row */\n"
          "extern const wl_state_info_t *const wl_view_info[]; /* by wl_view_id_t */\n\n",
          NUM_CONFIGS, NUM_CONFIGS);
  for (int i = 0; i < f->num_states; i++)
    if (f->state[i].seed != 0)
      fprintf(h, "#define WL_SEED_%s %d\n", name_upper(f->state[i].name).s, f->state[i].seed);
}

static void emit_layouts(const facts_t *f, FILE *h) {
  fprintf(h,
          "\n/* What this header was made from; the library compares it with its own. */\n"
          "typedef struct wl_layout {\n  const char *config;\n"
          "  uint64_t hash;         /* rows of journal.def, packet.def, state.def; Lanes; array "
          "sizes */\n"
          "  uint32_t record_bytes; /* sizeof(wl_cosim_record_t) */\n} wl_layout_t;\n"
          "enum { WL_NUM_LAYOUTS = %d };\n"
          "static const wl_layout_t wl_layouts[WL_NUM_LAYOUTS] = {\n",
          NUM_CONFIGS);
  for (int c = 0; c < NUM_CONFIGS; c++)
    fprintf(h, "    {\"%s\", UINT64_C(0x%016llx), sizeof(wl_cosim_record_t)},\n", config_names[c],
            (unsigned long long)f->layout_hash[c]);
  fprintf(h, "};\n");
}

static void emit_header(const facts_t *f, const char *dir) {
  FILE *h = emit_open(dir, "warplock_layout.h", head);
  fprintf(h, "#ifndef WARPLOCK_LAYOUT_H\n#define WARPLOCK_LAYOUT_H\n#include <stddef.h>\n"
             "#include <stdint.h>\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n"
             "#pragma GCC visibility push(default)\n\n");
  emit_kinds(f, h);
  emit_arrays(f, h);
  emit_layouts(f, h);
  fprintf(h, "\n#pragma GCC visibility pop\n#ifdef __cplusplus\n}\n#endif\n#endif\n");
  emit_close(h);
  h = emit_open(dir, "wl_journal.h", head);
  fprintf(h, "#ifndef WL_GEN_JOURNAL_H\n#define WL_GEN_JOURNAL_H\n"
             "#include \"gen/warplock_layout.h\"\n\n/* Places of the words in the records. */\n");
  for (int i = 0; i < f->num_journal; i++) {
    fprintf(h, "enum {\n");
    for (int w = 0; w < f->journal[i].names; w++)
      fprintf(h, "  WL_W_%s_%s = %d,\n", f->journal[i].name, name_upper(f->journal[i].word[w]).s,
              w);
    fprintf(h, "};\n");
  }
  fprintf(h, "#endif\n");
  emit_close(h);
}

static void emit_numbers(FILE *c, const uint64_t *value) {
  for (int i = 0; i < NUM_CONFIGS; i++)
    fprintf(c, "%s%llu", i == 0 ? "{" : ", ", (unsigned long long)value[i]);
  fprintf(c, "}");
}

static void emit_states(const facts_t *f, FILE *c) {
  int view = 0;
  fprintf(c, "\nconst wl_state_info_t wl_state_info[] = {\n");
  for (int i = 0; i < f->num_states; i++) {
    const state_t *s = &f->state[i];
    fprintf(c, "    {\"%s\", \"%s\", \"%s\", \"%s\", \"%s\", %d, %d, %d, %d, ", s->name, s->index,
            s->rtl, s->trace, s->meaning, s->record, s->place == PLACE_SCRUB ? view++ : -1, s->seed,
            s->bits);
    emit_numbers(c, s->slices);
    fprintf(c, ", ");
    emit_numbers(c, s->rows);
    fprintf(c, "},\n");
  }
  fprintf(c, "    {0}};\n\nconst wl_state_info_t *const wl_view_info[] = {\n");
  for (int i = 0; i < f->num_states; i++)
    if (f->state[i].place == PLACE_SCRUB) fprintf(c, "    &wl_state_info[%d],\n", i);
  fprintf(c, "    NULL};\n");
}

void emit_layout(const facts_t *f, const char *dir) {
  emit_header(f, dir);
  FILE *c = emit_open(dir, "warplock_layout.c", head);
  fprintf(c,
          "#include \"gen/warplock_layout.h\"\n\nconst wl_journal_info_t wl_journal_info[] = {\n");
  for (int i = 0; i < f->num_journal; i++) {
    const journal_t *j = &f->journal[i];
    fprintf(c, "    {\"%s\", \"%s\", {", j->name, j->event);
    for (int w = 0; w < j->names; w++)
      fprintf(c, "\"%s\", ", j->word[w]);
    fprintf(c, "NULL}, %d, %d, {", j->names, j->keys);
    for (int k = 0; k < NUM_CONFIGS; k++)
      fprintf(c, "%s%llu", k ? ", " : "", words_of(f, j, k));
    fprintf(c, "}},\n");
  }
  fprintf(c, "};\n");
  emit_states(f, c);
  emit_close(c);
}
