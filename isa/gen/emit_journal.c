/* The journal's record layout (journal.def) as C: kinds, names of the words, key words. Reads its
 * own table, since nothing else in wlgen needs it. docs/microarchitecture.md 15. */
#include "isa/gen/wlgen.h"

#include <stdlib.h>
#include <string.h>

static const char head[] = "/* Journal records: generated from isa/def/journal.def by wlgen; do not edit. */\n";

enum { MAX_KINDS = 32, MAX_WORDS = 64 };

/* "bank data[Lanes]": names in order; [4] repeats the name, [Lanes] must come last. */
static void emit_words(FILE *out, const row_t *row, int keys) {
  char text[256];
  if (strlen(row->arg[3]) >= sizeof text) fail(row, "word list too long");
  strcpy(text, row->arg[3]);
  int names = 0;
  bool open_end = false;
  fprintf(out, "{");
  for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " ")) {
    if (open_end) fail(row, "'%s' follows an array of Lanes words", word);
    int count = 1;
    char *bracket = strchr(word, '[');
    if (bracket != NULL) {
      *bracket = '\0';
      open_end = strcmp(bracket + 1, "Lanes]") == 0;
      count = open_end ? 1 : atoi(bracket + 1);
      if (count < 1 || count > 32) fail(row, "array of '%s': 1 to 32 words or Lanes", word);
    }
    if (!is_identifier(word)) fail(row, "'%s' is not a name", word);
    for (int i = 0; i < count && names < MAX_WORDS; i++, names++)
      fprintf(out, count > 1 ? "\"%s%d\", " : "\"%s\", ", word, i);
  }
  if (keys > names) fail(row, "%d key words of %d words", keys, names);
  fprintf(out, "NULL}, %d, %d},\n", names, keys);
}

void emit_journal(const char *def, const char *dir) {
  rows_t rows;
  rows_read(&rows, def, "journal.def", false);
  FILE *h = emit_open(dir, "wl_journal.h", head);
  FILE *c = emit_open(dir, "wl_journal.c", head);
  fprintf(h, "#ifndef WL_GEN_JOURNAL_H\n#define WL_GEN_JOURNAL_H\n\ntypedef enum wl_journal_kind {\n");
  fprintf(c, "#include <stddef.h>\n\n#include \"gen/wl_journal.h\"\n\n"
             "const wl_journal_info_t wl_journal_info[] = {\n");
  for (int i = 0; i < rows.num; i++) {
    const row_t *row = &rows.row[i];
    want_args(row, "JOURNAL", 5);
    for (int j = 0; j < i; j++)
      if (strcmp(rows.row[j].arg[0], row->arg[0]) == 0)
        fail(row, "duplicate name '%s'", row->arg[0]);
    if (number(row, 1, MAX_KINDS - 1) != (uint64_t)i)
      fail(row, "journal ids must be 0, 1, 2 ... in order");
    fprintf(h, "  WL_J_%s = %d, /* %s: %s */\n", row->arg[0], i, row->arg[3], row->arg[4]);
    fprintf(c, "    {\"%s\", \"%s\", ", row->arg[0], row->arg[4]);
    emit_words(c, row, (int)number(row, 2, 8));
  }
  fprintf(h, "  WL_NUM_JOURNAL_KINDS = %d\n} wl_journal_kind_t;\n\n"
             "typedef struct wl_journal_info {\n  const char *name, *event;\n"
             "  const char *word_names[%d];\n"
             "  unsigned names;     /* words with a name; further ones are lanes of the last */\n"
             "  unsigned key_words; /* leading words that tell which thing the record is about */\n"
             "} wl_journal_info_t;\nextern const wl_journal_info_t wl_journal_info[];\n\n#endif\n",
          rows.num, MAX_WORDS);
  fprintf(c, "};\n");
  emit_close(h);
  emit_close(c);
}
