/* The record layout and the list of compared state: journal.def, state.def, and the hash by which a
 * client's header and the library are known to agree. docs/microarchitecture.md 15, docs/cosim.md.
 */
#include "isa/gen/wlgen.h"

#include <stdlib.h>
#include <string.h>

int find_config(const facts_t *f, const char *name) {
  for (int i = 0; i < f->num_configs; i++)
    if (strcmp(f->config[i].name, name) == 0) return i;
  return -1;
}

static int find_journal(const facts_t *f, const char *name) {
  for (int i = 0; i < f->num_journal; i++)
    if (strcmp(f->journal[i].name, name) == 0) return i;
  return -1;
}

static char *copy_of(const char *s) {
  char *copy = xalloc(strlen(s) + 1);
  strcpy(copy, s);
  return copy;
}

/* x of "x", x0 of "x[2]", x0_lo of "x[2]_lo_hi"; number -1: none. */
static void add_word(journal_t *j, const row_t *row, const char *word, int number,
                     const char *suffix, size_t length) {
  const size_t room = strlen(word) + length + 8;
  char *name = xalloc(room);
  if (number < 0)
    snprintf(name, room, "%s", word);
  else
    snprintf(name, room, "%s%d%.*s", word, number, (int)length, suffix);
  if (j->names == MAX_WORDS) fail(row, "more than %d words", MAX_WORDS);
  j->word[j->names++] = name;
}

/* The words of one port; `array` is what follows the bracket, NULL: none. */
static void read_port(journal_t *j, const row_t *row, const char *word, const char *array) {
  if (!is_identifier(word)) fail(row, "'%s' is not a name", word);
  const int first = j->names;
  j->lanes = array != NULL && strcmp(array, "Lanes]") == 0;
  if (array == NULL || j->lanes) {
    add_word(j, row, word, -1, "", 0);
  } else {
    char *end = NULL;
    const long count = strtol(array, &end, 10);
    if (count < 1 || count > 32 || end[0] != ']' || (end[1] != '\0' && end[1] != '_'))
      fail(row, "array of '%s': 1 to 32 words or Lanes", word);
    for (int i = 0; i < count; i++) {
      const char *suffix = end + 1;
      do {
        const size_t length = suffix[0] == '\0' ? 0 : 1 + strcspn(suffix + 1, "_");
        add_word(j, row, word, i, suffix, length);
        suffix += length;
      } while (*suffix != '\0');
    }
  }
  j->port[j->num_ports++] = (port_t){.name = word, .words = j->lanes ? 0 : j->names - first};
}

/* "bank data[Lanes]": names in order; [Lanes] must come last. */
static void read_words(journal_t *j, const row_t *row) {
  for (char *word = strtok(copy_of(row->arg[3]), " "); word != NULL; word = strtok(NULL, " ")) {
    if (j->lanes) fail(row, "'%s' follows an array of Lanes words", word);
    char *bracket = strchr(word, '[');
    if (bracket != NULL) *bracket++ = '\0';
    read_port(j, row, word, bracket);
  }
}

static int find_port(const journal_t *j, const char *name) {
  for (int i = 0; i < j->num_ports; i++)
    if (strcmp(j->port[i].name, name) == 0) return i;
  return -1;
}

static void read_journal(facts_t *f, const row_t *row) {
  want_args(row, "JOURNAL", 5);
  if (!is_identifier(row->arg[0])) fail(row, "'%s' is not a name", row->arg[0]);
  if (find_journal(f, row->arg[0]) >= 0) fail(row, "duplicate name '%s'", row->arg[0]);
  if (number(row, 1, MAX_KINDS - 1) != (uint64_t)f->num_journal)
    fail(row, "journal ids must be 0, 1, 2 ... in order");
  journal_t *j = &f->journal[f->num_journal++];
  *j = (journal_t){.name = row->arg[0],
                   .keys = (int)number(row, 2, 8),
                   .text = row->arg[3],
                   .event = row->arg[4]};
  read_words(j, row);
  if (j->keys > j->names) fail(row, "%d key words of %d words", j->keys, j->names);
}

static void read_clear(facts_t *f, const row_t *row) {
  want_args(row, "CLEAR", 3);
  const int kind = find_journal(f, row->arg[0]);
  if (kind < 0) fail(row, "'%s' is no record", row->arg[0]);
  journal_t *j = &f->journal[kind];
  if (j->clear != NULL) fail(row, "%s is cleared twice", j->name);
  if (!is_identifier(row->arg[1])) fail(row, "'%s' is not a name", row->arg[1]);
  j->clear = row->arg[1];
  for (char *word = strtok(copy_of(row->arg[2]), " "); word != NULL; word = strtok(NULL, " ")) {
    const int port = find_port(j, word);
    if (port < 0) fail(row, "'%s' is no word of %s", word, j->name);
    if (j->num_clear_ports == (int)(sizeof j->clear_port / sizeof *j->clear_port))
      fail(row, "too many words");
    j->clear_port[j->num_clear_ports++] = port;
  }
  if (j->num_clear_ports == 0) fail(row, "no words");
}

static void read_varies(facts_t *f, const row_t *row) {
  want_args(row, "VARIES", 2);
  const int kind = find_journal(f, row->arg[0]);
  if (kind < 0) fail(row, "'%s' is no record", row->arg[0]);
  journal_t *j = &f->journal[kind];
  for (j->free = 0; j->free < j->names && strcmp(j->word[j->free], row->arg[1]) != 0;)
    j->free++;
  if (j->free == j->names || (j->lanes && j->free == j->names - 1))
    fail(row, "'%s' is no word of %s, or one for every lane", row->arg[1], j->name);
}

static int pick(const row_t *row, int arg, const char *what, const char *const *names) {
  for (int i = 0; names[i] != NULL; i++)
    if (strcmp(row->arg[arg], names[i]) == 0) return i;
  fail(row, "'%s' is no %s", row->arg[arg], what);
}

/* Every {word} of the name is one that wl_view_rtl_name (driver/lockstep/report.c) knows. */
static void check_braces(const row_t *row, int arg) {
  static const char *const known[] = {"{lane}", "{bank}",    "{slice}", "{sub}",
                                      "{item}", "{warpsub}", NULL};
  for (const char *at = strchr(row->arg[arg], '{'); at != NULL; at = strchr(at + 1, '{')) {
    bool found = false;
    for (int i = 0; known[i] != NULL; i++)
      found |= strncmp(at, known[i], strlen(known[i])) == 0;
    if (!found) fail(row, "'%s': {lane}, {bank}, {slice}, {sub}, {item}, {warpsub} are known", at);
  }
}

static void check_state(const facts_t *f, const row_t *row, const state_t *s) {
  if (!is_identifier(s->name)) fail(row, "'%s' is not a name", s->name);
  for (int i = 0; i < f->num_states; i++)
    if (strcmp(f->state[i].name, s->name) == 0) fail(row, "duplicate state '%s'", s->name);
  if (f->num_states == MAX_SMALL) fail(row, "more than %d rows", MAX_SMALL);
  if (s->record < 0 && s->place == PLACE_NONE) fail(row, "%s is compared nowhere", s->name);
  if (s->place == PLACE_SCRUB && s->bits != 32)
    fail(row, "%s: scrubbed words have 32 bits", s->name);
  if (s->seed != 0 && s->init != INIT_SEEDED) fail(row, "%s: a seed kind, but not seeded", s->name);
  for (int i = 0; s->seed != 0 && i < f->num_states; i++)
    if (f->state[i].seed == s->seed)
      fail(row, "seed kind %d already belongs to '%s'", s->seed, f->state[i].name);
  unsigned long long slices = 0;
  for (int c = 0; c < NUM_CONFIGS; c++) {
    if (s->place == PLACE_SCRUB && s->slices[c] > MAX_SLICES)
      fail(row, "%s: %llu slices, at most %d", s->name, (unsigned long long)s->slices[c],
           MAX_SLICES);
    slices += s->slices[c];
    if (s->rows[c] == 0) fail(row, "%s has no row", s->name);
  }
  if (slices == 0) fail(row, "%s has no row", s->name); /* one configuration may lack its unit */
  check_braces(row, 9);
  check_braces(row, 10);
}

static void read_state(facts_t *f, const row_t *row) {
  static const char *const places[] = {"none", "scrub", "end", NULL};
  static const char *const inits[] = {"zero", "seeded", "valid", NULL};
  want_args(row, "STATE", 12);
  state_t s = {.name = row->arg[0],
               .record = strcmp(row->arg[1], "none") == 0 ? -1 : find_journal(f, row->arg[1]),
               .place = pick(row, 2, "place of comparison (none, scrub, end)", places),
               .init = pick(row, 3, "initial value (zero, seeded, valid)", inits),
               .seed = (int)number(row, 4, 6), /* 7 is the disturbance */
               .bits = (int)number(row, 7, 4096),
               .index = row->arg[8],
               .rtl = row->arg[9],
               .trace = row->arg[10],
               .meaning = row->arg[11]};
  if (s.record < 0 && strcmp(row->arg[1], "none") != 0)
    fail(row, "'%s' is no record of journal.def", row->arg[1]);
  for (int c = 0; c < NUM_CONFIGS; c++) {
    s.slices[c] = expression(f, row, 5, c);
    s.rows[c] = expression(f, row, 6, c);
  }
  check_state(f, row, &s);
  f->state[f->num_states++] = s;
}

static uint64_t hash_number(uint64_t hash, uint64_t value) {
  for (int i = 0; i < 8; i++)
    hash = (hash ^ (value >> (8 * i) & 255)) * UINT64_C(0x100000001b3);
  return hash;
}

/* The rows say what the words mean; Lanes and the sizes of the arrays, how many there are. */
static void hash_layout(facts_t *f, uint64_t rows) {
  const int lanes = find_config(f, "Lanes");
  for (int c = 0; c < NUM_CONFIGS; c++) {
    uint64_t hash = rows;
    if (lanes >= 0) hash = hash_number(hash, f->config[lanes].value[c]);
    for (int i = 0; i < f->num_states; i++) {
      hash = hash_number(hash, f->state[i].slices[c]);
      hash = hash_number(hash, f->state[i].rows[c]);
    }
    f->layout_hash[c] = hash;
  }
}

void facts_layout(facts_t *f, const char *dir) {
  rows_t journal, state, packet;
  rows_read(&journal, dir, "journal.def", false);
  rows_read(&state, dir, "state.def", true);
  rows_read(&packet, dir, "packet.def", true);
  for (int i = 0; i < journal.num; i++)
    if (strcmp(journal.row[i].macro, "CLEAR") == 0)
      read_clear(f, &journal.row[i]);
    else if (strcmp(journal.row[i].macro, "VARIES") == 0)
      read_varies(f, &journal.row[i]);
    else
      read_journal(f, &journal.row[i]);
  for (int i = 0; i < state.num; i++)
    read_state(f, &state.row[i]);
  hash_layout(f, rows_hash(rows_hash(rows_hash(0, &journal), &packet), &state));
}
