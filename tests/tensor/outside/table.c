#include "tests/tensor/outside/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/silicon/op.h"
#include "tests/silicon/words.h"

static tensor_item_t operands;

bool table_selected(const selection_t *s, unsigned kind, unsigned item) {
  return item / OUTSIDE_BLOCK % s->stride == kind % s->stride;
}

static unsigned digits(const tensor_t *t) { return tensor_format(t->d)->bits / 4; }

/* ---- writing */

/* Elements of an item in which the model differs from silicon's rule: a line for each. */
static unsigned write_differences(const tensor_t *t, unsigned kind, unsigned item,
                                  const uint64_t *d) {
  unsigned unknown = 0;
  outside_fill(t, kind, item, &operands);
  for (unsigned i = 0; i < OUTSIDE_SIZE; i++) {
    uint64_t rule = outside_rule(t, &operands, i), floored = 0;
    if (rule == d[i]) {
      continue;
    }
    bool named = outside_floor(t, &operands, i, &floored) && floored == d[i];
    printf("differ %s %u %u %0*" PRIx64 "\n", named ? "floor" : "unknown", item, i, (int)digits(t),
           d[i]);
    unknown += !named;
  }
  return unknown;
}

unsigned table_write(const tensor_t *t, const uint64_t *d) {
  unsigned unknown = 0;
  printf("\nform %s operands %08x\n", t->label, outside_operands_hash(t));
  for (unsigned kind = 0; kind < OUTSIDE_KINDS; kind++, d += OUTSIDE_ITEMS * OUTSIDE_SIZE) {
    printf("kind %s\n", outside_kind(kind));
    for (unsigned block = 0; block < OUTSIDE_BLOCKS; block++) {
      const size_t size = OUTSIDE_BLOCK * OUTSIDE_SIZE;
      printf("%08x%c", op_hash(d + block * size, size), block == OUTSIDE_BLOCKS - 1 ? '\n' : ' ');
    }
    for (unsigned i = 0; i < OUTSIDE_SHOWN; i++) {
      printf("%0*" PRIx64 "%c", (int)digits(t), d[i * OUTSIDE_SIZE + outside_shown(i)],
             i == OUTSIDE_SHOWN - 1 ? '\n' : ' ');
    }
    for (unsigned item = 0; item < OUTSIDE_ITEMS; item++) {
      unknown += write_differences(t, kind, item, d + item * OUTSIDE_SIZE);
    }
  }
  return unknown;
}

/* ---- comparing */

typedef struct check {
  const tensor_t *t;
  const char *at;
  const selection_t *selection;
  unsigned kind, differ, named;
  bool damaged;
  uint64_t hash[OUTSIDE_BLOCKS], shown[OUTSIDE_SHOWN];
  uint64_t d[OUTSIDE_ITEMS * OUTSIDE_SIZE]; /* of the machine, then as the model would have it */
} check_t;

static void tell(check_t *c, const char *what, unsigned number) {
  if (c->differ++ < 8) {
    printf("DIFFERS %s %s: %s %u\n", c->t->label, outside_kind(c->kind), what, number);
  }
}

static bool starts(check_t *c, const char *word) {
  c->at += strspn(c->at, " \n");
  bool is = strncmp(c->at, word, strlen(word)) == 0;
  c->at += is ? strlen(word) : 0;
  return is;
}

static void read_head(check_t *c) {
  char head[32];
  (void)snprintf(head, sizeof head, "kind %s\n", outside_kind(c->kind));
  c->damaged = !starts(c, head);
  for (unsigned i = 0; i < OUTSIDE_BLOCKS; i++) {
    c->damaged = c->damaged || !words_next(&c->at, 8, &c->hash[i]);
  }
  for (unsigned i = 0; i < OUTSIDE_SHOWN; i++) {
    c->damaged = c->damaged || !words_next(&c->at, digits(c->t), &c->shown[i]);
  }
}

/* The lines of differences by name: the machine has silicon's value there; the model's, which the name must
 * explain, takes its place. */
static void read_differences(check_t *c) {
  while (!c->damaged && starts(c, "differ floor ")) {
    char *end = NULL;
    uint64_t word = 0, floored = 0;
    unsigned item = (unsigned)strtoul(c->at, &end, 10), element = (unsigned)strtoul(end, &end, 10);
    c->at = end;
    c->damaged = item >= OUTSIDE_ITEMS || element >= OUTSIDE_SIZE ||
                 !words_next(&c->at, digits(c->t), &word);
    if (c->damaged || !table_selected(c->selection, c->kind, item)) {
      continue;
    }
    uint64_t *mine = &c->d[item * OUTSIDE_SIZE + element];
    outside_fill(c->t, c->kind, item, &operands);
    if (*mine != outside_rule(c->t, &operands, element)) {
      tell(c, "not silicon's value where the model has another: item", item);
    }
    if (!outside_floor(c->t, &operands, element, &floored) || floored != word) {
      tell(c, "a difference that its name does not explain: item", item);
    }
    *mine = word;
    c->named++;
  }
}

/* Which elements of a block are not by silicon's rule, for a reader. */
static void explain(const check_t *c, unsigned block) {
  unsigned told = 0;
  for (unsigned i = 0; i < OUTSIDE_BLOCK * OUTSIDE_SIZE && told < 4; i++) {
    unsigned item = block * OUTSIDE_BLOCK + i / OUTSIDE_SIZE, element = i % OUTSIDE_SIZE;
    uint64_t mine = c->d[item * OUTSIDE_SIZE + element];
    outside_fill(c->t, c->kind, item, &operands);
    uint64_t rule = outside_rule(c->t, &operands, element);
    if (mine != rule) {
      printf("  item %u element %u: %" PRIx64 ", silicon's rule %" PRIx64 "\n", item, element, mine,
             rule);
      told++;
    }
  }
}

static void compare(check_t *c) {
  const size_t size = OUTSIDE_BLOCK * OUTSIDE_SIZE;
  for (unsigned block = 0; block < OUTSIDE_BLOCKS; block++) {
    if (table_selected(c->selection, c->kind, block * OUTSIDE_BLOCK) &&
        c->hash[block] != op_hash(c->d + block * size, size)) {
      tell(c, "block", block);
      explain(c, block);
    }
  }
  for (unsigned i = 0; i < OUTSIDE_SHOWN; i++) {
    if (table_selected(c->selection, c->kind, i) &&
        c->shown[i] != c->d[i * OUTSIDE_SIZE + outside_shown(i)]) {
      tell(c, "the element shown of item", i);
    }
  }
}

unsigned table_check(const tensor_t *t, const char *table, const selection_t *s, const uint64_t *d,
                     unsigned *named) {
  static check_t c;
  char head[192];
  (void)snprintf(head, sizeof head, "\nform %s operands %08x\n", t->label,
                 outside_operands_hash(t));
  const char *at = strstr(table, head);
  c = (check_t){.t = t, .at = at != NULL ? at + strlen(head) : "", .selection = s};
  for (c.kind = 0; c.kind < OUTSIDE_KINDS && !c.damaged; c.kind++) {
    read_head(&c);
    memcpy(c.d, d + (size_t)c.kind * OUTSIDE_ITEMS * OUTSIDE_SIZE, sizeof c.d);
    read_differences(&c);
    if (!c.damaged) {
      compare(&c);
    }
  }
  if (c.damaged) {
    printf("FAILED  %s: not in the table, damaged, or recorded with other operands\n", t->label);
  }
  *named += c.named;
  return c.differ + c.damaged;
}
