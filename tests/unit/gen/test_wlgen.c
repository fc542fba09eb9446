/* wlgen as a program. For every neg/NAME.neg: rows appended to one table must be refused with
 * status 1 and one message "table:line: text" at the last appended line. Also: the committed
 * docs/isa.md and the tables of docs/lockstep.md are what wlgen writes; the ISA hash ignores comments
 * and blanks but no column; ids of forms, holes, units that a configuration lacks; the layout's
 * hash; optional tables. Usage: test_wlgen WLGEN DEF_DIR NEG_DIR ISA_MD LOCKSTEP_MD */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/gen/wlgen_test.h"

void failed(test_t *t, const char *name, const char *what) {
  printf("%s: %s\n", name, what);
  t->failures++;
}

char *read_text(const char *path) {
  FILE *in = fopen(path, "rb");
  char *text = calloc(1, TEXT);
  if (in == NULL || text == NULL) {
    printf("cannot read %s\n", path);
    exit(1);
  }
  const size_t n = fread(text, 1, TEXT - 1, in);
  fclose(in);
  text[n] = '\0';
  return text;
}

void write_text(const char *path, const char *mode, const char *text) {
  FILE *out = fopen(path, mode);
  if (out == NULL || fputs(text, out) < 0 || fclose(out) != 0) {
    printf("cannot write %s\n", path);
    exit(1);
  }
}

/* A fresh copy of the tables in the scratch folder. */
void copy_tables(const test_t *t) {
  char command[2 * LINE];
  snprintf(command, sizeof command,
           "rm -rf '%s/def' '%s/out' && mkdir -p '%s/def' '%s/out' && cp '%s'/*.def '%s/def/'",
           t->dir, t->dir, t->dir, t->dir, t->def, t->dir);
  if (system(command) != 0) {
    printf("cannot copy the tables\n");
    exit(1);
  }
}

/* Runs wlgen on the copy; its messages go to text. */
int run(const test_t *t, char *text, size_t room) {
  char command[2 * LINE];
  snprintf(command, sizeof command, "'%s' --def '%s/def' --out '%s/out' --docs '%s/isa.md' 2>&1",
           t->wlgen, t->dir, t->dir, t->dir);
  FILE *pipe = popen(command, "r");
  if (pipe == NULL) return -1;
  const size_t n = fread(text, 1, room - 1, pipe);
  text[n] = '\0';
  const int status = pclose(pipe);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int count_lines(const char *text) {
  int n = 0;
  for (; *text != '\0'; text++)
    n += *text == '\n';
  return n;
}

void path_of(const test_t *t, char *path, const char *table) {
  snprintf(path, LINE, "%s/def/%s", t->dir, table);
}

int number_in(const test_t *t, const char *file, const char *before) {
  char path[LINE];
  snprintf(path, sizeof path, "%s/out/%s", t->dir, file);
  char *text = read_text(path);
  const char *at = strstr(text, before);
  const int value = at == NULL ? -1 : atoi(at + strlen(before));
  free(text);
  return value;
}

char *fill(const test_t *t, const char *text) {
  char *out = calloc(1, TEXT);
  size_t n = 0;
  while (out != NULL && *text != '\0' && n + 16 < TEXT) {
    const int more = strncmp(text, "{N+", 3) == 0 && text[4] == '}' ? text[3] - '0' : 0;
    if (strncmp(text, "{N}", 3) == 0 || more != 0) {
      n += (size_t)snprintf(out + n, 16, "%d", t->next + more);
      text += more != 0 ? 5 : 3;
    } else if (strncmp(text, "{J}", 3) == 0) {
      n += (size_t)snprintf(out + n, 16, "%d", t->record);
      text += 3;
    } else {
      out[n++] = *text++;
    }
  }
  return out;
}

/* Line 1: table, line 2: expected text, then the rows. {N}: fill(). "DROP" as the first row: start from an empty
 * table. "REPEAT n" before the last row: n rows with %d replaced by 0..n-1. */
static void run_case(test_t *t, const char *neg_dir, const char *name) {
  char path[LINE], table[64], text[128], got[LINE * 4], expected[LINE * 2];
  snprintf(path, sizeof path, "%s/%s", neg_dir, name);
  char *written = read_text(path), *file = fill(t, written), *rows = file;
  free(written);
  int used = 0;
  if (sscanf(file, "%63[^\n]\n%127[^\n]\n%n", table, text, &used) != 2) {
    failed(t, name, "needs two lines");
    free(file);
    return;
  }
  rows += used;
  copy_tables(t);
  path_of(t, path, table);
  if (strncmp(rows, "DROP\n", 5) == 0) {
    write_text(path, "wb", "");
    rows += 5;
  }
  int repeat = 0;
  if (sscanf(rows, "REPEAT %d\n%n", &repeat, &used) == 1) {
    FILE *out = fopen(path, "ab");
    for (int i = 0; out != NULL && i < repeat; i++) {
      const char *at = strstr(rows + used, "%d");
      fprintf(out, "%.*s%d%s", (int)(at - rows) - used, rows + used, i, at + 2);
    }
    if (out != NULL) fclose(out);
  } else {
    write_text(path, "ab", rows);
  }
  char *whole = read_text(path);
  snprintf(expected, sizeof expected, "%s:%d: %s\n", path, count_lines(whole), text);
  const int status = run(t, got, sizeof got);
  if (status != 1 || strcmp(got, expected) != 0) {
    printf("%s: status %d, expected 1\n got      %s expected %s", name, status, got, expected);
    t->failures++;
  }
  t->cases++;
  free(whole);
  free(file);
}

static void run_negative(test_t *t, const char *neg_dir) {
  DIR *dir = opendir(neg_dir);
  if (dir == NULL) {
    failed(t, neg_dir, "no such folder");
    return;
  }
  for (struct dirent *e; (e = readdir(dir)) != NULL;) {
    const size_t n = strlen(e->d_name);
    if (n > 4 && strcmp(e->d_name + n - 4, ".neg") == 0) run_case(t, neg_dir, e->d_name);
  }
  closedir(dir);
  if (t->cases < 20) failed(t, neg_dir, "cases are missing");
}

/* The line of the ISA hash in the header made from the copy. */
static void hash_of(test_t *t, char hash[64]) {
  char path[LINE], got[LINE * 4];
  if (run(t, got, sizeof got) != 0) failed(t, "hash", got);
  snprintf(path, sizeof path, "%s/out/wl_insn.h", t->dir);
  char *text = read_text(path);
  const char *at = strstr(text, "WL_ISA_HASH_LO UINT32_C(");
  if (at == NULL)
    failed(t, "hash", "not in the header");
  else
    snprintf(hash, 64, "%.34s", at);
  free(text);
}

static void check_hash(test_t *t) {
  char path[LINE], before[64] = "", comment[64] = "", row[64] = "", config[64] = "";
  copy_tables(t);
  hash_of(t, before);
  path_of(t, path, "trap.def");
  write_text(path, "ab", "// a comment\n\n/* and one\n over two lines */\n");
  hash_of(t, comment);
  if (strcmp(before, comment) != 0) failed(t, "hash", "depends on comments");
  path_of(t, path, "config.def");
  write_text(path, "ab", "CONST(Another, 1, \"x\")\n");
  hash_of(t, config);
  if (strcmp(before, config) != 0) failed(t, "hash", "depends on the configuration");
  path_of(t, path, "trap.def");
  write_text(path, "ab", "TRAP(ANOTHER, 30, \"-\", \"x\")\n");
  hash_of(t, row);
  if (strcmp(before, row) == 0) failed(t, "hash", "does not depend on the rows");
}

void want_line(test_t *t, const char *file, const char *text_of_line) {
  char path[LINE];
  snprintf(path, sizeof path, "%s/out/%s", t->dir, file);
  char *text = read_text(path), *line = fill(t, text_of_line);
  if (strstr(text, line) == NULL) {
    printf("%s: no line '%s'\n", file, line);
    t->failures++;
  }
  free(line);
  free(text);
}

/* Structs, expressions over the configuration, and tables that are absent. */
static void check_optional(test_t *t) {
  char path[LINE], got[LINE * 4];
  copy_tables(t);
  path_of(t, path, "link.def"); /* its arrays are rows of state.def */
  unlink(path);
  path_of(t, path, "packet.def");
  write_text(path, "wb",
             "STRUCT(inner)\nMEMBER(flag, 1, \"f\")\nMEMBER(age, LatFixed + 3, \"g\")\n"
             "STRUCT(outer)\nMEMBER(part, inner, \"p\")\nMEMBER(data, 96, \"d\")\n");
  path_of(t, path, "state.def");
  write_text(path, "wb",
             "STATE(words, RF, scrub, seeded, 1, 2 * Lanes, RegPages * 2 * Beats, 32, \"i\", "
             "\"u_{slice}\", \"t\", \"m\")\n");
  if (run(t, got, sizeof got) != 0) failed(t, "optional", got);
  want_line(t, "wl_pkg.sv", "    logic [8:0] age;");
  want_line(t, "wl_pkg.sv", "    inner_t part;");
  want_line(t, "wl_pkg.sv", "  localparam int unsigned OuterBits = 106;");
  want_line(t, "wl_packet.h", "  uint32_t data[3]; /* 96 bits: d */");
  want_line(t, "wl_packet.h", "  wl_inner_t part; /* 10 bits: p */");
  want_line(t, "warplock_layout.h", "  WL_VIEW_WORDS = 0, /* m: i */");
  want_line(t, "warplock_layout.h", "  WL_NUM_VIEWS = 1\n");
  want_line(t, "warplock_layout.h", "#define WL_SEED_WORDS 1\n");
  want_line(t, "warplock_layout.h", "  WL_J_SMEM = 2, /* bank row bytes data: ");
  want_line(t, "warplock_layout.c",
            "0, 0, 1, 32, {16, 8, 64, 64, 16, 64}, {512, 1024, 512, 512, 512, 512}},");
  want_line(t, "warplock_layout.c", "\"mask\", \"data\", NULL}, 4, 2, {11, 7, 35, 35, 11, 35}},");
  want_line(t, "wl_pkg.sv", "  localparam int unsigned SeedWords = 1;");
  unlink(path);
  path_of(t, path, "packet.def");
  unlink(path);
  if (run(t, got, sizeof got) != 0) failed(t, "absent tables", got);
  path_of(t, path, "word.def");
  unlink(path);
  if (run(t, got, sizeof got) != 1 || strstr(got, "word.def:1: cannot open") == NULL)
    failed(t, "missing word.def", got);
}

/* The hash of tiny's layout as the header has it. */
static void layout_of(test_t *t, char hash[32]) {
  char path[LINE], got[LINE * 4];
  if (run(t, got, sizeof got) != 0) failed(t, "layout", got);
  snprintf(path, sizeof path, "%s/out/warplock_layout.h", t->dir);
  char *text = read_text(path);
  const char *at = strstr(text, "{\"tiny\", UINT64_C(");
  if (at == NULL)
    failed(t, "layout", "no row of tiny");
  else
    snprintf(hash, 32, "%.18s", at + strlen("{\"tiny\", UINT64_C("));
  free(text);
}

/* The layout's hash follows the tables of the records, the state and their sizes, not comments. */
static void check_layout(test_t *t) {
  static const struct {
    const char *table, *row;
    bool changes;
  } cases[] = {
      {"journal.def", "// a comment\n", false},
      {"trap.def", "TRAP(ANOTHER, 30, \"-\", \"x\")\n", false},
      {"journal.def", "JOURNAL(NEW, {J}, 1, \"a\", \"x\")\n", true},
      {"packet.def", "STRUCT(another)\nMEMBER(a, 1, \"x\")\n", true},
      {"state.def", "STATE(extra, RF, none, zero, 0, 1, 1, 1, \"i\", \"r\", \"t\", \"m\")\n", true},
  };
  char before[32] = "", after[32] = "", path[LINE];
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    copy_tables(t);
    layout_of(t, before);
    path_of(t, path, cases[i].table);
    char *row = fill(t, cases[i].row);
    write_text(path, "ab", row);
    free(row);
    layout_of(t, after);
    if ((strcmp(before, after) != 0) != cases[i].changes)
      failed(t, cases[i].row, "layout hash changes wrongly, or not");
  }
  path_of(t, path, "link.def");
  unlink(path);
  /* Equal sizes, another numbering. */
  for (int i = 0; i < 2; i++) {
    path_of(t, path, "state.def");
    write_text(path, "wb",
               i == 0 ? "STATE(a, RF, none, zero, 0, 1, 1, 1, \"i\", \"r\", \"t\", \"m\")\n"
                      : "STATE(a, RF, none, zero, 0, 1, 1, 1, \"j\", \"r\", \"t\", \"m\")\n");
    layout_of(t, i == 0 ? before : after);
  }
  if (strcmp(before, after) == 0) failed(t, "index of a state", "layout hash does not follow it");
}

/* A committed text is what wlgen writes into a copy of it. */
static void same_text(test_t *t, const char *made_path, const char *committed_path) {
  char *made = read_text(made_path);
  char *committed = read_text(committed_path);
  if (strcmp(made, committed) != 0)
    failed(t, committed_path, "is not what wlgen writes: build target wl_docs");
  free(made);
  free(committed);
}

static void check_docs(test_t *t, const char *isa_md, const char *lockstep_md) {
  char path[LINE], got[LINE * 4], command[3 * LINE];
  copy_tables(t);
  if (run(t, got, sizeof got) != 0) failed(t, "docs", got);
  snprintf(path, sizeof path, "%s/isa.md", t->dir);
  same_text(t, path, isa_md);
  snprintf(command, sizeof command, "cp '%s' '%s/l.md' && '%s' --def '%s/def' --lockstep '%s/l.md'",
           lockstep_md, t->dir, t->wlgen, t->dir, t->dir);
  if (system(command) != 0) failed(t, lockstep_md, "cannot be rewritten");
  snprintf(path, sizeof path, "%s/l.md", t->dir);
  same_text(t, path, lockstep_md);
}

int main(int argc, char **argv) {
  if (argc != 6) {
    printf("usage: test_wlgen WLGEN DEF_DIR NEG_DIR ISA_MD LOCKSTEP_MD\n");
    return 1;
  }
  test_t t = {.wlgen = argv[1], .def = argv[2], .dir = "/tmp/wlgen_test_XXXXXX"};
  if (mkdtemp(t.dir) == NULL) return 1;
  char got[LINE * 4];
  copy_tables(&t);
  if (run(&t, got, sizeof got) != 0) failed(&t, "the tables", got);
  t.next = number_in(&t, "wl_insn.h", "WL_NUM_FORMS = ");
  t.record = number_in(&t, "warplock_layout.h", "WL_NUM_JOURNAL_KINDS = ");
  run_negative(&t, argv[3]);
  check_hash(&t);
  check_ids(&t);
  check_fp(&t);
  check_lacks(&t);
  check_optional(&t);
  check_layout(&t);
  check_docs(&t, argv[4], argv[5]);
  char command[LINE];
  snprintf(command, sizeof command, "rm -rf '%s'", t.dir);
  if (system(command) != 0) failed(&t, t.dir, "cannot remove");
  printf("wlgen: %d negative cases, %d failures\n", t.cases, t.failures);
  return t.failures != 0;
}
