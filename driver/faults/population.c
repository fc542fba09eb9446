/* population.c: see population.h. Unknown registers are errors, so that a new one must be
 * classified; nothing is judged here. */
#include "driver/faults/population.h"

#include <stdlib.h>
#include <string.h>

const char *const wl_fault_how_name[WL_NUM_HOWS] = {"place", "write", "effect", "none"};
static const char *const rule_name[] = {"-", "idle", "start", "valid"};

static bool fail(wl_population_t *p, const char *format, const char *a, const char *b) {
  snprintf(p->error, sizeof p->error, format, a, b);
  return false;
}

static bool glob(const char *p, const char *t) {
  for (; *p != '\0' && *p != '*'; p++, t++)
    if (*p == '?' ? *t == '\0' || *t == '.' : *p != *t) return false;
  if (*p == '\0') return *t == '\0';
  const bool dots = p[1] == '*'; /* "**": any text */
  while (p[1] == '*')
    p++;
  for (;; t++) {
    if (glob(p + 1, t)) return true;
    if (*t == '\0' || (*t == '.' && !dots)) return false;
  }
}

bool wl_fault_match(const char *pattern, const char *name) {
  for (const char *at = name; at != NULL; at = strchr(at, '.') != NULL ? strchr(at, '.') + 1 : NULL)
    if (glob(pattern, at)) return true;
  return false;
}

/* ---- rows.txt: "ROW HOW RULE PATTERN..." */
static int choice(const char *text, const char *const *names, int n) {
  for (int i = 0; text != NULL && i < n; i++)
    if (strcmp(text, names[i]) == 0) return i;
  return -1;
}

static int state_of(const char *row) {
  for (int i = 0; wl_state_info[i].name != NULL; i++)
    if (strcmp(wl_state_info[i].name, row) == 0) return i;
  return -1;
}

static bool add_entry(wl_population_t *p, const wl_fault_entry_t *entry, const char *pattern) {
  wl_fault_entry_t *grown = realloc(p->entry, (p->entries + 1) * sizeof *grown);
  if (grown == NULL) return fail(p, "out of memory%s%s", "", "");
  p->entry = grown;
  grown[p->entries] = *entry;
  if (strlen(pattern) >= sizeof entry->pattern)
    return fail(p, "pattern too long: %s%s", pattern, "");
  strcpy(grown[p->entries++].pattern, pattern);
  return true;
}

static bool read_entry(wl_population_t *p, char *line) {
  char *save = NULL, *row = strtok_r(line, " \t\n", &save);
  if (row == NULL) return true;
  const int how = choice(strtok_r(NULL, " \t\n", &save), wl_fault_how_name, WL_NUM_HOWS);
  const int rule = choice(strtok_r(NULL, " \t\n", &save), rule_name, WL_NUM_RULES);
  wl_fault_entry_t entry = {
      .state = state_of(row), .how = (wl_fault_how_t)how, .rule = (wl_fault_rule_t)rule};
  if (how < 0 || rule < 0) return fail(p, "rows: '%s': HOW or RULE is unknown%s", row, "");
  if ((entry.state < 0) != (how == WL_HOW_NONE))
    return fail(p, "rows: '%s' is no row of state.def%s", row, "");
  snprintf(entry.row, sizeof entry.row, "%s", row);
  for (char *pattern; (pattern = strtok_r(NULL, " \t\n", &save)) != NULL;)
    if (!add_entry(p, &entry, pattern)) return false;
  return true;
}

static bool read_rows(wl_population_t *p, const char *path) {
  FILE *f = fopen(path, "r");
  char line[4096];
  bool ok = f != NULL || fail(p, "cannot read %s%s", path, "");
  while (ok && fgets(line, sizeof line, f) != NULL) {
    line[strcspn(line, "#")] = '\0';
    ok = read_entry(p, line);
  }
  if (f != NULL) (void)fclose(f);
  return ok;
}

/* ---- the registers */
static bool read_mask(wl_fault_register_t *r, const char *hex) {
  const size_t n = strlen(hex);
  r->mask = calloc((r->width + 7) / 8 + n, 1);
  if (r->mask == NULL) return false;
  r->bits = 0;
  for (size_t i = 0; i < n; i++) {
    const char c = hex[n - 1 - i];
    const unsigned digit = c <= '9' ? (unsigned)(c - '0') : (unsigned)(c - 'a' + 10);
    r->mask[i / 2] |= (uint8_t)(digit << (i % 2 * 4));
    r->bits += (unsigned)__builtin_popcount(digit);
  }
  return true;
}

static bool classify(wl_population_t *p, wl_fault_register_t *r) {
  wl_fault_entry_t *found = NULL;
  for (unsigned i = 0; i < p->entries; i++) {
    if (!wl_fault_match(p->entry[i].pattern, r->name)) continue;
    if (found != NULL)
      return fail(p, "%s: more than one entry of rows.txt matches (last: %s)", r->name,
                  p->entry[i].pattern);
    found = &p->entry[i];
  }
  if (found == NULL)
    return fail(p, "%s: no entry of rows.txt; a new register is to be classified%s", r->name, "");
  r->entry = found;
  found->registers++;
  found->bits += r->bits;
  return true;
}

static bool read_register(wl_population_t *p, char *line) {
  char *save = NULL, *kind = strtok_r(line, " \n", &save), *name = strtok_r(NULL, " \n", &save);
  const char *width = strtok_r(NULL, " \n", &save), *last = strtok_r(NULL, " \n", &save);
  if (kind == NULL || kind[0] == '#') return true;
  if (last == NULL) return fail(p, "registers: not a register: %s%s", kind, "");
  wl_fault_register_t *grown = realloc(p->reg, (p->regs + 1) * sizeof *grown);
  if (grown == NULL) return fail(p, "out of memory%s%s", "", "");
  p->reg = grown;
  wl_fault_register_t *r = &grown[p->regs++];
  *r = (wl_fault_register_t){.memory = strcmp(kind, "mem") == 0,
                             .width = (unsigned)strtoul(width, NULL, 10),
                             .rows = 1,
                             .first = p->bits};
  if (strlen(name) >= sizeof r->name) return fail(p, "registers: name too long: %s%s", name, "");
  strcpy(r->name, name);
  if (r->memory) r->rows = (unsigned)strtoul(last, NULL, 10);
  r->bits = (uint64_t)r->width * r->rows;
  if (!r->memory && !read_mask(r, last)) return fail(p, "out of memory%s%s", "", "");
  p->bits += r->bits;
  return classify(p, r);
}

bool wl_population_read(wl_population_t *p, const char *registers, const char *rows) {
  *p = (wl_population_t){0};
  if (!read_rows(p, rows)) return false;
  FILE *f = fopen(registers, "r");
  char *line = NULL;
  size_t cap = 0;
  bool ok =
      f != NULL || fail(p, "cannot read %s (made by tools/fault_registers.sh)%s", registers, "");
  while (ok && getline(&line, &cap, f) >= 0)
    ok = read_register(p, line);
  free(line);
  if (f != NULL) (void)fclose(f);
  return ok;
}

void wl_population_free(wl_population_t *p) {
  for (unsigned i = 0; i < p->regs; i++)
    free(p->reg[i].mask);
  free(p->reg);
  free(p->entry);
}

bool wl_population_bind(wl_population_t *p, wl_side_t *side) {
  for (unsigned i = 0; i < p->regs; i++) {
    wl_fault_register_t *r = &p->reg[i];
    const wl_probe_t *v = &r->probe;
    if (!wl_probe_find(side, r->name, &r->probe))
      return fail(p, "%s: not public in the model of the RTL (driver/faults/public.vlt)%s", r->name,
                  "");
    if ((uint64_t)v->bits * v->elements != (uint64_t)r->width * r->rows || r->width % v->bits != 0)
      return fail(p, "%s: has another size in the model of the RTL: the list is of other RTL%s",
                  r->name, "");
  }
  return true;
}

/* ---- bits. Element 0 of an array that is no memory has the highest bits of Yosys' register. */
bool wl_fault_bit_exists(const wl_fault_register_t *r, uint64_t bit) {
  if (bit >= (uint64_t)r->width * r->rows) return false;
  return r->mask == NULL || (r->mask[bit / 8] >> (bit % 8) & 1) != 0;
}

uint8_t *wl_fault_bit_at(const wl_fault_register_t *r, uint64_t bit, unsigned *in_byte) {
  const unsigned per_row = r->width / r->probe.bits, in_row = (unsigned)(bit % r->width);
  const uint64_t element = bit / r->width * per_row + (per_row - 1 - in_row / r->probe.bits);
  const unsigned b = in_row % r->probe.bits;
  *in_byte = b % 8;
  return r->probe.base + element * r->probe.bytes + b / 8;
}

const wl_fault_register_t *wl_population_at(const wl_population_t *p, uint64_t index,
                                            uint64_t *bit) {
  unsigned low = 0, high = p->regs;
  while (high - low > 1) {
    const unsigned middle = (low + high) / 2;
    if (p->reg[middle].first <= index)
      low = middle;
    else
      high = middle;
  }
  const wl_fault_register_t *r = &p->reg[low];
  uint64_t left = index - r->first;
  *bit = left;
  for (uint64_t b = 0; r->mask != NULL && b < r->width; b++)
    if (wl_fault_bit_exists(r, b) && left-- == 0) {
      *bit = b;
      break;
    }
  return r;
}

const wl_fault_register_t *wl_population_find(const wl_population_t *p, const char *name) {
  const wl_fault_register_t *found = NULL;
  for (unsigned i = 0; i < p->regs; i++) {
    if (strcmp(p->reg[i].name, name) == 0) return &p->reg[i];
    if (!wl_fault_match(name, p->reg[i].name)) continue;
    if (found != NULL) return NULL;
    found = &p->reg[i];
  }
  return found;
}

bool wl_population_print(const wl_population_t *p, bool all, FILE *out) {
  uint64_t by_how[WL_NUM_HOWS] = {0};
  for (unsigned i = 0; i < p->entries; i++)
    by_how[p->entry[i].how] += p->entry[i].bits;
  fprintf(out, "%-64s %9s %-8s %-7s %s\n", all ? "register" : "registers", "bits", "row", "how",
          "undefined when");
  for (unsigned i = 0; all && i < p->regs; i++) {
    const wl_fault_register_t *r = &p->reg[i];
    fprintf(out, "%-64s %9llu %-8s %-7s %s\n", r->name, (unsigned long long)r->bits, r->entry->row,
            wl_fault_how_name[r->entry->how], rule_name[r->entry->rule]);
  }
  for (unsigned i = 0; !all && i < p->entries; i++) {
    const wl_fault_entry_t *e = &p->entry[i];
    if (e->registers != 0)
      fprintf(out, "%-64s %9llu %-8s %-7s %s\n", e->pattern, (unsigned long long)e->bits, e->row,
              wl_fault_how_name[e->how], rule_name[e->rule]);
  }
  fprintf(out, "%llu bits of %u registers and memories:", (unsigned long long)p->bits, p->regs);
  for (unsigned i = 0; i < WL_NUM_HOWS; i++)
    fprintf(out, " %s %llu (%.2f %%)", wl_fault_how_name[i], (unsigned long long)by_how[i],
            100.0 * (double)by_how[i] / (double)(p->bits != 0 ? p->bits : 1));
  fprintf(out, "\n");
  return by_how[WL_HOW_NONE] * 20 <= p->bits;
}
