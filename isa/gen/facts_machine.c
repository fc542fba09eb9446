/* Machine facts beside the ISA: traps, special registers, the launch block, configurations, packets
 * (facts_layout.c: journal and compared state). packet.def may be absent. */
#include "isa/gen/wlgen.h"

#include <string.h>

const char *const config_names[] = {"tiny", "tiny4", "base", "full", "probe", "probe32", NULL};

static void fnv(uint64_t *hash, const char *s) {
  for (; *s != '\0'; s++)
    *hash = (*hash ^ (unsigned char)*s) * UINT64_C(0x100000001b3);
}

/* Canonical row: no comments, no blanks between columns, texts in quotes, one line. */
uint64_t rows_hash(uint64_t hash, const rows_t *rows) {
  if (hash == 0) hash = UINT64_C(0xcbf29ce484222325);
  for (int i = 0; i < rows->num; i++) {
    const row_t *row = &rows->row[i];
    fnv(&hash, row->macro);
    for (int a = 0; a < row->num_args; a++) {
      fnv(&hash, a == 0 ? "(" : ",");
      if (row->is_text[a]) fnv(&hash, "\"");
      fnv(&hash, row->arg[a]);
      if (row->is_text[a]) fnv(&hash, "\"");
    }
    fnv(&hash, ")\n");
  }
  return hash;
}

void facts_hash(facts_t *f, const rows_t *rows) { f->hash = rows_hash(f->hash, rows); }

static void check_name(const row_t *row, const small_t *old, int num) {
  const char *name = row->arg[0];
  if (!is_identifier(name)) fail(row, "'%s' is not a name", name);
  for (int i = 0; i < num; i++)
    if (strcmp(old[i].name, name) == 0) fail(row, "duplicate name '%s'", name);
  if (num == MAX_SMALL) fail(row, "more than %d rows", MAX_SMALL);
}

static void read_trap(facts_t *f, const row_t *row) {
  want_args(row, "TRAP", 4);
  check_name(row, f->trap, f->num_traps);
  const small_t t = {.name = row->arg[0],
                     .code = (int)number(row, 1, (1 << TRAP_BITS) - 1),
                     .text = row->arg[2],
                     .meaning = row->arg[3]};
  for (int i = 0; i < f->num_traps; i++)
    if (f->trap[i].code == t.code)
      fail(row, "trap code %d already names '%s'", t.code, f->trap[i].name);
  f->trap[f->num_traps++] = t;
}

static void read_sreg(facts_t *f, const row_t *row) {
  want_args(row, "SREG", 4);
  check_name(row, f->sreg, f->num_sregs);
  const small_t s = {.name = row->arg[0],
                     .code = (int)number(row, 1, 255),
                     .text = row->arg[2],
                     .meaning = row->arg[3]};
  for (int i = 0; i < f->num_sregs; i++)
    if (f->sreg[i].code == s.code)
      fail(row, "special register id %d already names '%s'", s.code, f->sreg[i].name);
  f->sreg[f->num_sregs++] = s;
}

static void read_launch(facts_t *f, const row_t *row) {
  want_args(row, "LAUNCH", 4);
  if (f->num_launch == LAUNCH_WORDS) fail(row, "more than %d rows", LAUNCH_WORDS);
  check_name(row, f->launch, f->num_launch);
  small_t n = {.name = row->arg[0],
               .code = (int)number(row, 1, LAUNCH_WORDS - 1),
               .count = (int)number(row, 2, LAUNCH_WORDS),
               .meaning = row->arg[3]};
  if (n.count == 0 || n.code + n.count > LAUNCH_WORDS)
    fail(row, "'%s' is beyond the launch block", n.name);
  int at = f->num_launch;
  for (int i = 0; i < f->num_launch; i++) {
    const small_t *old = &f->launch[i];
    if (n.code < old->code + old->count && old->code < n.code + n.count)
      fail(row, "'%s' overlaps '%s'", n.name, old->name);
    if (old->code > n.code && at > i) at = i;
  }
  memmove(&f->launch[at + 1], &f->launch[at], (size_t)(f->num_launch - at) * sizeof n);
  f->launch[at] = n; /* kept in word order */
  f->num_launch++;
}

/* An option that a configuration's lanes rule out. */
static void check_option(const facts_t *f, const row_t *row, const config_t *c) {
  const int beats = find_config(f, "Beats");
  if (strcmp(c->name, "Fp64") != 0 || beats < 0) return;
  for (int i = 0; i < NUM_CONFIGS; i++)
    if (c->value[i] != 0 && f->config[beats].value[i] != 1)
      fail(row, "Fp64 needs Beats = 1; configuration %s has %d", config_names[i],
           (int)f->config[beats].value[i]);
}

static void read_config(facts_t *f, const row_t *row) {
  const bool constant = strcmp(row->macro, "CONST") == 0;
  const bool option = strcmp(row->macro, "OPTION") == 0;
  const int columns = constant ? 1 : NUM_CONFIGS;
  want_args(row, constant ? "CONST" : option ? "OPTION" : "CONFIG", columns + (option ? 3 : 2));
  const char *name = row->arg[0];
  if (!is_identifier(name)) fail(row, "'%s' is not a name", name);
  config_t c = {.name = name,
                .meaning = row->arg[columns + 1],
                .clause = option ? row->arg[columns + 2] : NULL};
  if (!row->is_text[columns + 1]) fail(row, "%s: no meaning", name);
  for (int i = 0; i < NUM_CONFIGS; i++)
    c.value[i] = number(row, constant ? 1 : 1 + i, UINT32_MAX);
  if (option) check_option(f, row, &c);
  const int known = f->num_configs + f->num_constants;
  for (int i = 0; i < known; i++) {
    const config_t *old = i < f->num_configs ? &f->config[i] : &f->constant[i - f->num_configs];
    if (strcmp(old->name, name) == 0) fail(row, "duplicate name '%s'", name);
  }
  if (known >= MAX_SMALL) fail(row, "more than %d rows", MAX_SMALL);
  if (constant) {
    f->constant[f->num_constants++] = c;
  } else {
    if (option && f->num_options == 32) fail(row, "more than 32 optional units");
    if (option) f->option[f->num_options++] = &f->config[f->num_configs];
    f->config[f->num_configs++] = c;
  }
}

static int find_struct(const facts_t *f, const char *name) {
  for (int i = 0; i < f->num_structs; i++)
    if (strcmp(f->structure[i].name, name) == 0) return i;
  return -1;
}

int member_bits(const facts_t *f, const char *structure, const char *name) {
  const int s = find_struct(f, structure);
  for (int i = 0; s >= 0 && i < f->structure[s].num_members; i++)
    if (strcmp(f->structure[s].member[i].name, name) == 0) return f->structure[s].member[i].bits;
  return 0;
}

/* A stall point is a constant StallAt<Name>; all of them together NumStalls. */
static void read_stall(facts_t *f, const row_t *row) {
  want_args(row, "STALL", 4);
  if (number(row, 1, 20) != (uint64_t)f->num_stalls)
    fail(row, "stall points must be 0, 1, 2 ... in order");
  const size_t length = strlen("StallAt") + NAME_LEN;
  char *name = xalloc(length);
  snprintf(name, length, "StallAt%s", name_camel(row->arg[0]).s);
  for (int i = 0; i < f->num_constants; i++)
    if (strcmp(f->constant[i].name, name) == 0) fail(row, "duplicate name '%s'", row->arg[0]);
  if (f->num_configs + f->num_constants + 1 >= MAX_SMALL) fail(row, "more than %d rows", MAX_SMALL);
  config_t c = {.name = name, .meaning = row->arg[3]};
  config_t count = {.name = "NumStalls", .meaning = "stall points"};
  f->num_stalls++;
  for (int i = 0; i < NUM_CONFIGS; i++) {
    c.value[i] = (uint64_t)(f->num_stalls - 1);
    count.value[i] = (uint64_t)f->num_stalls;
  }
  if (f->num_stalls == 1) f->constant[f->num_constants++] = count;
  f->constant[f->num_constants - f->num_stalls] = count; /* before the points */
  f->constant[f->num_constants++] = c;
}

/* MEMBER(name, bits, "meaning"); bits may be a CONST expression or an earlier STRUCT. */
static void read_member(facts_t *f, const row_t *row) {
  want_args(row, "MEMBER", 3);
  if (f->num_structs == 0) fail(row, "MEMBER before the first STRUCT");
  struct_t *s = &f->structure[f->num_structs - 1];
  if (!is_identifier(row->arg[0])) fail(row, "'%s' is not a name", row->arg[0]);
  for (int i = 0; i < s->num_members; i++)
    if (strcmp(s->member[i].name, row->arg[0]) == 0)
      fail(row, "duplicate member '%s'", row->arg[0]);
  if (s->num_members == 64) fail(row, "more than 64 members");
  member_t m = {.name = row->arg[0], .meaning = row->arg[2], .nested = find_struct(f, row->arg[1])};
  if (m.nested == f->num_structs - 1) fail(row, "'%s' contains itself", s->name);
  const uint64_t bits =
      m.nested >= 0 ? (uint64_t)f->structure[m.nested].bits : expression(f, row, 1, -1);
  if (bits == 0 || bits > 4096) fail(row, "%s: %llu bits", m.name, (unsigned long long)bits);
  m.bits = (int)bits;
  s->member[s->num_members++] = m;
  s->bits += m.bits;
}

static void read_packet(facts_t *f, const row_t *row) {
  if (strcmp(row->macro, "MEMBER") == 0) {
    read_member(f, row);
    return;
  }
  if (strcmp(row->macro, "TAG") == 0) {
    read_tag(f, row);
    return;
  }
  want_args(row, "STRUCT", 1);
  if (!is_identifier(row->arg[0])) fail(row, "'%s' is not a name", row->arg[0]);
  if (find_struct(f, row->arg[0]) >= 0) fail(row, "duplicate struct '%s'", row->arg[0]);
  if (f->num_structs == 64) fail(row, "more than 64 structs");
  f->structure[f->num_structs++] = (struct_t){.name = row->arg[0]};
}

void facts_machine(facts_t *f, const char *dir) {
  static const struct {
    const char *name;
    void (*read)(facts_t *, const row_t *);
    bool optional, hashed;
  } table[] = {{"launch.def", read_launch, false, true}, {"sreg.def", read_sreg, false, true},
               {"trap.def", read_trap, false, true},     {"config.def", read_config, false, false},
               {"stall.def", read_stall, true, false},   {"packet.def", read_packet, true, false}};
  for (size_t t = 0; t < sizeof table / sizeof *table; t++) {
    rows_t rows;
    rows_read(&rows, dir, table[t].name, table[t].optional);
    for (int i = 0; i < rows.num; i++)
      table[t].read(f, &rows.row[i]);
    if (table[t].hashed) facts_hash(f, &rows);
  }
}

void facts_read(facts_t *f, const char *dir) {
  facts_format(f, dir);
  facts_isa(f, dir);
  facts_numerics(f, dir);
  facts_special(f, dir);
  facts_machine(f, dir);
  facts_unit_check(f);
  facts_layout(f, dir);
  facts_debug(f, dir);
  facts_link(f, dir);
  facts_index(f, dir);
  facts_needs(f);
  facts_tags_check(f);
}
