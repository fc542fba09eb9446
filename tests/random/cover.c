/* cover.c: see cover.h. */
#include "tests/random/cover.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const k_class[RC_CLASSES] = {"register", "immediate", "zero/special", "vector"};
static const char *const k_path[RC_PATHS] = {"converged",     "divergent if", "loop",
                                             "after barrier", "in call",      "predicated"};
static const char *const k_space[RC_SPACES] = {
    "-",     "global",         "shared",         "local",         "const",
    "param", "generic:global", "generic:shared", "generic:local", "generic:const"};

void rc_free(rc_table_t *t) {
  free(t->row);
  free(t->hash);
  memset(t, 0, sizeof *t);
}

static uint32_t hash_of(const char *form, rc_space_t space) {
  uint32_t h = 2166136261u ^ (uint32_t)space;
  for (; *form != 0; form++) {
    h = (h ^ (uint8_t)*form) * 16777619u;
  }
  return h;
}

static uint32_t *slot_of(const rc_table_t *t, const char *form, rc_space_t space) {
  uint32_t at = hash_of(form, space) % t->hash_size;
  while (t->hash[at] != 0) {
    const rc_row_t *r = &t->row[t->hash[at] - 1];
    if (r->space == (uint8_t)space && strcmp(r->form, form) == 0) {
      break;
    }
    at = (at + 1) % t->hash_size;
  }
  return &t->hash[at];
}

uint32_t rc_find(const rc_table_t *t, const char *form, rc_space_t space) {
  return t->count != 0 ? *slot_of(t, form, space) - 1 : UINT32_MAX;
}

static bool grow(rc_table_t *t) {
  uint32_t cap = t->cap != 0 ? 2 * t->cap : 1024;
  rc_row_t *row = realloc(t->row, cap * sizeof *row);
  t->row = row != NULL ? row : t->row;
  uint32_t *hash = calloc(4 * (size_t)cap, sizeof *hash);
  if (row == NULL || hash == NULL) {
    free(hash);
    t->failed = true;
    return false;
  }
  free(t->hash);
  t->hash = hash;
  t->hash_size = 4 * cap;
  t->cap = cap;
  for (uint32_t i = 0; i < t->count; i++) {
    *slot_of(t, t->row[i].form, (rc_space_t)t->row[i].space) = i + 1;
  }
  return true;
}

void rc_add(rc_table_t *t, const char *form, rc_space_t space, unsigned classes, unsigned paths) {
  if (strlen(form) >= RC_FORM || (t->count == t->cap && !grow(t))) {
    t->failed = true;
    return;
  }
  uint32_t *slot = slot_of(t, form, space);
  if (*slot == 0) {
    rc_row_t *r = &t->row[t->count++];
    memset(r, 0, sizeof *r);
    (void)snprintf(r->form, sizeof r->form, "%s", form);
    r->space = (uint8_t)space;
    *slot = t->count;
  }
  t->row[*slot - 1].classes |= (uint8_t)classes;
  t->row[*slot - 1].paths |= (uint8_t)paths;
}

static bool exists(const rc_row_t *r, unsigned c, unsigned p) {
  return (r->classes >> c & 1) != 0 && (r->paths >> p & 1) != 0;
}

static void add_sum(const rc_row_t *r, unsigned c, unsigned p, rc_sum_t *s) {
  s->bins += exists(r, c, p);
  s->hit += exists(r, c, p) && r->hits[c][p] != 0;
  s->hits += r->hits[c][p];
}

rc_sum_t rc_sum(const rc_table_t *t) {
  rc_sum_t s = {0, 0, 0};
  for (uint32_t i = 0; i < t->count; i++) {
    for (unsigned at = 0; at < RC_CLASSES * RC_PATHS; at++) {
      add_sum(&t->row[i], at / RC_PATHS, at % RC_PATHS, &s);
    }
  }
  return s;
}

/* ---- the table: opcode (with the space) by path ---- */
static size_t opcode_length(const rc_row_t *r) { return strcspn(r->form, "."); }

static bool same_line(const rc_row_t *a, const rc_row_t *b) {
  size_t n = opcode_length(a);
  return a->space == b->space && n == opcode_length(b) && memcmp(a->form, b->form, n) == 0;
}

static void print_line(const rc_table_t *t, FILE *to, uint32_t first) {
  const rc_row_t *f = &t->row[first];
  (void)fprintf(to, "%-12.*s %-15s", (int)opcode_length(f), f->form, k_space[f->space]);
  for (unsigned p = 0; p < RC_PATHS; p++) {
    rc_sum_t s = {0, 0, 0};
    for (uint32_t i = first; i < t->count; i++) {
      for (unsigned c = 0; c < RC_CLASSES && same_line(f, &t->row[i]); c++) {
        add_sum(&t->row[i], c, p, &s);
      }
    }
    char cell[64];
    (void)snprintf(cell, sizeof cell, "%" PRIu64 "/%" PRIu64 " %" PRIu64, s.hit, s.bins, s.hits);
    (void)fprintf(to, " %17s", s.bins != 0 ? cell : "-");
  }
  (void)fprintf(to, "\n");
}

void rc_print(const rc_table_t *t, FILE *to, unsigned empty) {
  rc_sum_t all = rc_sum(t);
  (void)fprintf(to, "bins hit/bins hits\n%-28s", "opcode       space");
  for (unsigned p = 0; p < RC_PATHS; p++) {
    (void)fprintf(to, " %17s", k_path[p]);
  }
  (void)fprintf(to, "\n");
  for (uint32_t i = 0; i < t->count; i++) {
    uint32_t before = 0;
    while (before < i && !same_line(&t->row[before], &t->row[i])) {
      before++;
    }
    if (before == i) {
      print_line(t, to, i);
    }
  }
  for (unsigned at = 0; at < RC_CLASSES * RC_PATHS; at++) {
    unsigned c = at / RC_PATHS, p = at % RC_PATHS;
    rc_sum_t s = {0, 0, 0};
    for (uint32_t i = 0; i < t->count; i++) {
      add_sum(&t->row[i], c, p, &s);
    }
    (void)fprintf(to, "%-12s %-14s %" PRIu64 " of %" PRIu64 " bins, %" PRIu64 " hits\n", k_class[c],
                  k_path[p], s.hit, s.bins, s.hits);
  }
  for (uint32_t i = 0; i < t->count && empty != 0; i++) {
    for (unsigned at = 0; at < RC_CLASSES * RC_PATHS && empty != 0; at++) {
      const rc_row_t *r = &t->row[i];
      if (exists(r, at / RC_PATHS, at % RC_PATHS) && r->hits[at / RC_PATHS][at % RC_PATHS] == 0) {
        (void)fprintf(to, "empty: %s %s, %s, %s\n", r->form, k_space[r->space],
                      k_class[at / RC_PATHS], k_path[at % RC_PATHS]);
        empty--;
      }
    }
  }
  (void)fprintf(to,
                "%" PRIu64 " programs; %" PRIu64 " of %" PRIu64 " bins hit, %" PRIu64
                " empty; %" PRIu64 " hits; %" PRIu64 " executed places without a bin\n",
                t->programs, all.hit, all.bins, all.bins - all.hit, all.hits, t->unknown);
}

void rc_json(const rc_table_t *t, FILE *to) {
  rc_sum_t all = rc_sum(t);
  (void)fprintf(to,
                "{\"programs\": %" PRIu64 ", \"bins\": %" PRIu64 ", \"hit\": %" PRIu64
                ", \"hits\": %" PRIu64 ", \"paths\": [",
                t->programs, all.bins, all.hit, all.hits);
  for (unsigned p = 0; p < RC_PATHS; p++) {
    (void)fprintf(to, "%s\"%s\"", p != 0 ? ", " : "", k_path[p]);
  }
  (void)fprintf(to, "], \"rows\": [");
  const char *comma = "\n";
  for (uint32_t i = 0; i < t->count; i++) {
    const rc_row_t *r = &t->row[i];
    for (unsigned c = 0; c < RC_CLASSES; c++) {
      if ((r->classes >> c & 1) == 0) {
        continue;
      }
      (void)fprintf(to, "%s{\"form\": \"%s\", \"space\": \"%s\", \"class\": \"%s\", \"hits\": [",
                    comma, r->form, k_space[r->space], k_class[c]);
      for (unsigned p = 0; p < RC_PATHS; p++) {
        (void)fprintf(to, p != 0 ? ", " : "%s", "");
        exists(r, c, p) ? fprintf(to, "%" PRIu64, r->hits[c][p]) : fprintf(to, "null");
      }
      (void)fprintf(to, "]}");
      comma = ",\n";
    }
  }
  (void)fprintf(to, "\n]}\n");
}

bool rc_save(const rc_table_t *t, FILE *to) {
  (void)fprintf(to, "programs %" PRIu64 "\n", t->programs);
  for (uint32_t i = 0; i < t->count; i++) {
    for (unsigned at = 0; at < RC_CLASSES * RC_PATHS; at++) {
      const rc_row_t *r = &t->row[i];
      uint64_t hits = r->hits[at / RC_PATHS][at % RC_PATHS];
      if (hits != 0) {
        (void)fprintf(to, "%s %u %u %u %" PRIu64 "\n", r->form, r->space, at / RC_PATHS,
                      at % RC_PATHS, hits);
      }
    }
  }
  return ferror(to) == 0;
}

void rc_load(rc_table_t *t, FILE *from) {
  char form[RC_FORM];
  unsigned space, c, p;
  uint64_t hits;
  if (fscanf(from, " programs %" SCNu64, &t->programs) != 1) {
    return;
  }
  while (fscanf(from, " %63s %u %u %u %" SCNu64, form, &space, &c, &p, &hits) == 5) {
    uint32_t row = rc_find(t, form, (rc_space_t)space);
    if (row != UINT32_MAX && c < RC_CLASSES && p < RC_PATHS) {
      t->row[row].hits[c][p] += hits;
    }
  }
}
