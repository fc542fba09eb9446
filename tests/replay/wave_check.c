/* wave_check.c: reads waves (VCD text; of an FST by fst2vcd) and checks them against other
 * witnesses. wave_check records FILE.vcd FILE.log SIDE FROM TO   every record of the log in [FROM,
 * TO] stands in its cycle in the signals of SIDE, and no other wave_check save FILE.vcd FILE.gtkw
 * CURSOR     every name of the save file is a signal, every record signal is in it, groups are
 * closed, translate files can be read, the cursor is right wave_check value FILE.vcd NAME CYCLE
 * VALUE     one signal at one time (hexadecimal value) Expected names are written down here, not
 * taken from the code that makes them. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct signal {
  char *name; /* with scopes, without width */
  char id[12];
  unsigned bits;
  uint32_t value;
  bool known, used;
} signal_t;
typedef struct vcd {
  FILE *file;
  signal_t *signal;
  unsigned count, cap;
  unsigned *by_id; /* hash, index + 1; several signals may share an id: the chain */
  unsigned *next;
  unsigned *by_name, *next_name; /* the same for names */
  uint64_t time, ahead;          /* values are those of `time`; the next change comes at `ahead` */
  bool end;
} vcd_t;

enum { BUCKETS = 1 << 16 };
static unsigned failures;

static void fail(const char *text, const char *detail, uint64_t at) {
  if (failures++ < 20) printf("%s: %s (cycle %llu)\n", text, detail, (unsigned long long)at);
}

static void die(const char *text, const char *detail) {
  printf("%s: %s\n", text, detail);
  exit(1);
}

static unsigned bucket(const char *text) {
  unsigned h = 5381;
  for (; *text != '\0'; text++)
    h = h * 33 ^ (unsigned char)*text;
  return h % BUCKETS;
}

static void add_signal(vcd_t *v, const char *scope, const char *line) {
  char kind[16], id[12], name[200];
  unsigned bits;
  if (sscanf(line, "$var %15s %u %11s %199s", kind, &bits, id, name) != 4) die("bad line", line);
  if (v->count == v->cap) {
    v->cap = v->cap == 0 ? 1024 : 2 * v->cap;
    v->signal = realloc(v->signal, v->cap * sizeof *v->signal);
    if (v->signal == NULL) die("out of memory", "signals");
  }
  char *bracket = strchr(name, '[');
  if (bracket != NULL && strchr(bracket, ':') != NULL) *bracket = '\0';
  signal_t *s = &v->signal[v->count++];
  *s = (signal_t){.bits = bits, .name = malloc(strlen(scope) + strlen(name) + 2)};
  if (s->name == NULL) die("out of memory", "names");
  sprintf(s->name, "%s%s", scope, name);
  strcpy(s->id, id);
}

static void index_signals(vcd_t *v) {
  v->by_id = calloc(BUCKETS, sizeof *v->by_id);
  v->next = calloc(v->count + 1, sizeof *v->next);
  v->by_name = calloc(BUCKETS, sizeof *v->by_name);
  v->next_name = calloc(v->count + 1, sizeof *v->next_name);
  if (v->by_id == NULL || v->next == NULL || v->by_name == NULL || v->next_name == NULL)
    die("out of memory", "index");
  for (unsigned i = 0; i < v->count; i++) {
    const unsigned b = bucket(v->signal[i].id);
    v->next[i] = v->by_id[b];
    v->by_id[b] = i + 1;
    const unsigned n = bucket(v->signal[i].name);
    v->next_name[i] = v->by_name[n];
    v->by_name[n] = i + 1;
  }
}

static void set_value(vcd_t *v, const char *id, const char *bits) {
  const size_t n = strlen(bits);
  bool known = true;
  uint32_t value = 0;
  for (size_t i = n > 32 ? n - 32 : 0; i < n; i++) {
    known = known && (bits[i] == '0' || bits[i] == '1');
    value = value << 1 | (bits[i] == '1');
  }
  bool any = false;
  for (unsigned i = v->by_id[bucket(id)]; i != 0; i = v->next[i - 1]) {
    signal_t *s = &v->signal[i - 1];
    if (strcmp(s->id, id) != 0) continue;
    s->value = value;
    s->known = known;
    any = true;
  }
  if (!any) die("value of no signal", id);
}

static void open_vcd(vcd_t *v, const char *path) {
  char text[4096], scope[2000] = "", word[200];
  *v = (vcd_t){.file = fopen(path, "r")};
  if (v->file == NULL) die("cannot read", path);
  while (fgets(text, sizeof text, v->file) != NULL) {
    const char *line = text + strspn(text, " \t");
    if (strncmp(line, "$enddefinitions", 15) == 0) break;
    if (sscanf(line, "$scope %*s %199s", word) == 1) {
      strcat(scope, word);
      strcat(scope, ".");
    } else if (strncmp(line, "$upscope", 8) == 0) {
      scope[strlen(scope) - 1] = '\0';
      char *dot = strrchr(scope, '.');
      *(dot != NULL ? dot + 1 : scope) = '\0';
    } else if (strncmp(line, "$var", 4) == 0) {
      add_signal(v, scope, line);
    }
  }
  index_signals(v);
  while (fgets(text, sizeof text, v->file) != NULL && text[0] != '#') {
  }
  v->ahead = text[0] == '#' ? strtoull(text + 1, NULL, 10) : UINT64_MAX;
  v->time = v->ahead;
}

/* Values become those of the cycle. */
static void go_to(vcd_t *v, uint64_t cycle) {
  char line[70000], id[12];
  while (v->ahead <= cycle) {
    for (;;) {
      if (fgets(line, sizeof line, v->file) == NULL) {
        v->ahead = UINT64_MAX;
        break;
      }
      line[strcspn(line, "\n")] = '\0';
      if (line[0] == '#') {
        v->ahead = strtoull(line + 1, NULL, 10);
        break;
      }
      if (line[0] == 'b' && sscanf(strchr(line, ' '), " %11s", id) == 1) {
        *strchr(line, ' ') = '\0';
        set_value(v, id, line + 1);
      } else if (line[0] == '0' || line[0] == '1') {
        const char bit[2] = {line[0], '\0'};
        set_value(v, line + 1, bit);
      }
    }
  }
  v->time = cycle;
}

static signal_t *find(const vcd_t *v, const char *name) {
  for (unsigned i = v->by_name[bucket(name)]; i != 0; i = v->next_name[i - 1])
    if (strcmp(v->signal[i - 1].name, name) == 0) return &v->signal[i - 1];
  return NULL;
}

/* ---- records. Scope and key word of each kind, as docs/replay.md lists them. */
static const struct {
  const char *kind, *scope, *key;
} kinds[] = {{"RF", "rf.bank", "bank"},
             {"PRED", "pred.warp", "warp"},
             {"SMEM", "smem.bank", "bank"},
             {"XBUF", "xbuf.warp", "warp"},
             {"FETCH", "fetch.warp", "warp"},
             {"ISSUE", "issue.warp", "warp"},
             {"RESOLVE", "path.warp", "warp"},
             {"ROW", "rows.warp", "warp"},
             {"WALKED", "walk.warp", "warp"},
             {"BARRIER", "barrier.cta", "slot"},
             {"CTA", "cta.cta", "slot"},
             {"PAGE", "pages.warp", "warp"},
             {"PACKET", "port.", "unit"},
             {"RESPONSE", "response.", "unit"},
             {"TRAP", "trap", ""},
             {"STATE", "dispatcher", ""},
             {"MONITOR", "monitor", ""},
             {"REST", "core", ""},
             {"WAKE", "smem.wake", ""},
             {"TMEM", "tmem.quarter", "quarter"},
             {"COLUMNS", "columns", ""}};

typedef struct record {
  char scope[64];
  char name[40][16];
  uint32_t value[40];
  unsigned words;
} record_t;

/* "12 ISSUE warp 0 pc 3 ...", after the cycle; lanes behind the last name have no name. */
static void parse_record(char *text, const char *side, record_t *r) {
  static const char *const units[] = {"dispatcher", "icache", "ldc", "lsu", "copy"};
  char *save = NULL, *kind = strtok_r(text, " \n", &save), *word;
  size_t k = 0;
  while (k < sizeof kinds / sizeof kinds[0] && strcmp(kinds[k].kind, kind) != 0)
    k++;
  if (k == sizeof kinds / sizeof kinds[0]) die("unknown record", kind);
  snprintf(r->scope, sizeof r->scope, "%s.%s", side, kinds[k].scope);
  r->words = 0;
  char last[16] = "";
  unsigned lane = 0;
  while ((word = strtok_r(NULL, " \n", &save)) != NULL) {
    char *end, *value = word;
    bool named = strspn(word, "0123456789abcdef") != strlen(word);
    /* "b" and "a" are names too where a number follows another word; the barrier's b is one. */
    if (strcmp(kind, "BARRIER") == 0 && strcmp(word, "b") == 0 && r->words < 4) named = true;
    if (named) {
      value = strtok_r(NULL, " \n", &save);
      snprintf(last, sizeof last, "%.15s", word);
      lane = 0;
    }
    const uint32_t number = (uint32_t)strtoul(value, &end, 16);
    if (*end != '\0') die("no number", value);
    if (strcmp(last, kinds[k].key) == 0) {
      const size_t n = strlen(r->scope);
      if (strcmp(last, "unit") == 0)
        snprintf(r->scope + n, sizeof r->scope - n, "%s", units[number % 5]);
      else
        snprintf(r->scope + n, sizeof r->scope - n, "%u", (unsigned)number);
      continue;
    }
    char *name = r->name[r->words];
    const bool lanes =
        strcmp(kind, "RF") == 0 || strcmp(kind, "XBUF") == 0 || strcmp(kind, "TMEM") == 0;
    if (strcmp(last, "data") == 0 && lanes)
      snprintf(name, 16, "data%u", lane++);
    else
      snprintf(name, 16, "%s", last);
    r->value[r->words++] = number;
  }
}

static void check_record(vcd_t *v, const record_t *r, uint64_t cycle, bool last) {
  char name[120];
  snprintf(name, sizeof name, "%.63s.count", r->scope);
  signal_t *count = find(v, name);
  if (count == NULL) die("no signal", name);
  if (count->value == 0) fail("a record without its count", name, cycle);
  for (unsigned i = 0; last && i < r->words; i++) {
    snprintf(name, sizeof name, "%.63s.%.15s", r->scope, r->name[i]);
    const signal_t *s = find(v, name);
    if (s == NULL) die("no signal", name);
    if (!s->known || s->value != r->value[i]) {
      char text[200];
      snprintf(text, sizeof text, "%s: expected %x, got %x", name, (unsigned)r->value[i],
               (unsigned)s->value);
      fail("wrong value", text, cycle);
    }
  }
}

/* Records of all counts of the side in this cycle. */
static unsigned counted(const vcd_t *v, const char *side) {
  unsigned sum = 0;
  const size_t n = strlen(side);
  for (unsigned i = 0; i < v->count; i++) {
    const char *name = v->signal[i].name, *end = strrchr(name, '.');
    if (strncmp(name, side, n) == 0 && name[n] == '.' && strcmp(end, ".count") == 0)
      sum += v->signal[i].value;
  }
  return sum;
}

static int check_records(char **a) {
  static record_t record[300];
  const char *side = a[4];
  const uint64_t from = strtoull(a[5], NULL, 10), to = strtoull(a[6], NULL, 10);
  char line[2000];
  vcd_t v;
  unsigned n = 0, total = 0;
  uint64_t cycle = from;
  open_vcd(&v, a[2]);
  FILE *log = fopen(a[3], "r");
  if (log == NULL) die("cannot read", a[3]);
  for (bool more = true; more;) {
    char *text = line;
    more = fgets(line, sizeof line, log) != NULL;
    const uint64_t at = more ? strtoull(line, &text, 10) : UINT64_MAX;
    if (more && at < from) continue;
    for (; cycle < at && cycle <= to; cycle++) { /* the cycle is complete */
      go_to(&v, cycle);
      for (unsigned i = 0; i < n; i++) {
        bool last = true;
        for (unsigned k = i + 1; k < n; k++)
          last = last && strcmp(record[i].scope, record[k].scope) != 0;
        check_record(&v, &record[i], cycle, last);
      }
      if (counted(&v, side) != n) fail("records that the log does not have", side, cycle);
      total += n;
      n = 0;
    }
    if (!more || at > to) break;
    if (n == 300) die("too many records", line);
    parse_record(text, side, &record[n++]);
  }
  fclose(log);
  printf("%s: %u records of %s, %u failures\n", a[2], total, side, failures);
  return failures != 0 || total < 100;
}

/* ---- save file */

static void check_names_file(const char *path) {
  char line[400];
  unsigned lines = 0;
  FILE *file = fopen(path, "r");
  if (file == NULL) {
    fail("translate file cannot be read", path, 0);
    return;
  }
  while (fgets(line, sizeof line, file) != NULL) {
    char *end;
    (void)strtoul(line, &end, 10);
    if (end == line || *end != ' ' || end[1] == '\n') fail("bad line of a translate file", line, 0);
    lines++;
  }
  if (lines == 0) fail("empty translate file", path, 0);
  fclose(file);
}

static void check_name(vcd_t *v, const char *line) {
  char name[400], want[16] = "";
  snprintf(name, sizeof name, "%.399s", line);
  char *bracket = strchr(name, '[');
  if (bracket != NULL) {
    snprintf(want, sizeof want, "%.15s", bracket);
    *bracket = '\0';
  }
  signal_t *s = find(v, name);
  if (s == NULL) {
    fail("the save file names no signal", line, 0);
    return;
  }
  char width[16] = "";
  if (s->bits > 1) snprintf(width, sizeof width, "[%u:0]", s->bits - 1);
  if (strcmp(width, want) != 0) fail("width", line, 0);
  s->used = true;
}

static int check_save(char **a) {
  char line[4096], cursor[40] = "";
  vcd_t v;
  int depth = 0;
  unsigned names = 0, opened = 0;
  open_vcd(&v, a[2]);
  FILE *save = fopen(a[3], "r");
  if (save == NULL) die("cannot read", a[3]);
  unsigned long flags = 0;
  while (fgets(line, sizeof line, save) != NULL) {
    line[strcspn(line, "\n")] = '\0';
    if (line[0] == '@') {
      flags = strtoul(line + 1, NULL, 16);
    } else if (line[0] == '*') {
      (void)sscanf(line, "*%*s %39s", cursor);
    } else if (line[0] == '-') {
      depth += (flags & 0x800000) != 0 ? 1 : (flags & 0x1000000) != 0 ? -1 : 0;
      if ((flags & 0x1800000) == 0) fail("a comment outside groups", line, 0);
      if (depth < 0) fail("a group ends twice", line, 0);
      opened++;
    } else if (line[0] == '^') {
      if ((flags & 0x2000) == 0) fail("translate file without its flag", line, 0);
      check_names_file(strchr(line, ' ') + 1);
    } else if (line[0] != '[') {
      const char *alias = line[0] == '+' ? strstr(line, "} ") : NULL;
      if (line[0] == '+' && alias == NULL) fail("an alias without its end", line, 0);
      check_name(&v, alias != NULL ? alias + 2 : line);
      names++;
    }
  }
  fclose(save);
  if (depth != 0) fail("groups are not closed", a[3], 0);
  if (strcmp(cursor, a[4]) != 0) fail("cursor", cursor, strtoull(a[4], NULL, 10));
  for (unsigned i = 0; i < v.count; i++) {
    const char *name = v.signal[i].name;
    const bool record = strncmp(name, "model.", 6) == 0 || strncmp(name, "rtl.", 4) == 0;
    if (record && !v.signal[i].used) fail("signal missing in the save file", name, 0);
  }
  printf("%s: %u signals, %u group lines, %u failures\n", a[3], names, opened, failures);
  return failures != 0 || names < 100;
}

static int check_value(char **a) {
  vcd_t v;
  open_vcd(&v, a[2]);
  const signal_t *s = find(&v, a[3]);
  if (s == NULL) die("no signal", a[3]);
  go_to(&v, strtoull(a[4], NULL, 10));
  const uint32_t want = (uint32_t)strtoul(a[5], NULL, 16);
  if (s->known && s->value == want) return 0;
  printf("%s at %s: expected %x, got %x\n", a[3], a[4], (unsigned)want, (unsigned)s->value);
  return 1;
}

int main(int argc, char **argv) {
  if (argc == 7 && strcmp(argv[1], "records") == 0) return check_records(argv);
  if (argc == 5 && strcmp(argv[1], "save") == 0) return check_save(argv);
  if (argc == 6 && strcmp(argv[1], "value") == 0) return check_value(argv);
  printf("usage: wave_check records|save|value ...\n");
  return 2;
}
