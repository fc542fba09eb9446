#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/common/digest.h"

enum { HASHES = 3 + BITS_ITEMS }; /* of the operands, 8 columns, 72 columns, tiles */
enum { FLOOR = -21 };             /* the exponent of zeros in MMA-Sim, where D is f16 */

unsigned table_part(unsigned form, unsigned kind) { return (form + kind) % BITS_ITEMS; }

static uint32_t hash_of(bits_tile_t tile, unsigned columns) {
  uint64_t digest = WL_DIGEST_START;
  for (unsigned c = 0; c < columns; c++)
    for (unsigned r = 0; r < BITS_M; r++)
      digest = wl_digest(digest, tile[c][r]);
  return (uint32_t)(digest ^ digest >> 32);
}

void table_write(unsigned form, bits_tile_t *model) {
  const bits_form_t *const f = bits_form(form);
  printf("\nform %s\n", f->label);
  for (unsigned kind = 0; kind < BITS_KINDS; kind++, model += BITS_ITEMS) {
    const unsigned part = table_part(form, kind);
    printf("%s %08x %08x %08x", bits_kind(kind), bits_operands_hash(f, kind, part),
           hash_of(model[part], BITS_HEAD), hash_of(model[part], BITS_PART));
    for (unsigned k = 0; k < BITS_ITEMS; k++)
      printf(" %08x", hash_of(model[k], BITS_N));
    printf("\n");
  }
}

/* ---- comparing */

/* The line of a form and kind. */
static bool find(const char *table, const bits_form_t *f, unsigned kind, uint32_t hash[HASHES]) {
  char head[96];
  (void)snprintf(head, sizeof head, "\nform %s\n", f->label);
  const char *at = strstr(table, head);
  (void)snprintf(head, sizeof head, "\n%s ", bits_kind(kind));
  at = at == NULL ? NULL : strstr(at + 1, head);
  if (at == NULL) return false;
  char *end = (char *)(uintptr_t)(at + strlen(head));
  for (unsigned k = 0; k < HASHES; k++) {
    const char *const from = end;
    hash[k] = (uint32_t)strtoul(from, &end, 16);
    if (end != from + 8 + (k != 0)) return false;
  }
  return true;
}

/* Only where A, B and D are f16 a lowest exponent of -21 can make a difference: e5m2 has no products below 2^-32. */
static bool has_floor(const bits_form_t *f) { return f->size == 2 && f->d->bits == 16; }

/* Puts the model's value where the floor explains it; machines must have the value without it there. */
static bool name(const bits_form_t *f, const bits_item_t *item, unsigned columns, bits_tile_t tile,
                 unsigned *named) {
  bool same = true;
  for (unsigned r = 0; r < BITS_M; r++)
    for (unsigned c = 0; c < columns; c++) {
      const uint32_t rule = bits_rule(f, item, r, c, BITS_NO_ZEROS);
      const uint32_t theirs = bits_rule(f, item, r, c, FLOOR);
      if (rule == theirs) continue;
      same = same && tile[c][r] == rule;
      tile[c][r] = theirs;
      ++*named;
    }
  return same;
}

/* Which elements are not by the rule of umma_rule.c, for a reader. */
static void explain(const bits_form_t *f, const bits_item_t *item, unsigned columns,
                    bits_tile_t tile) {
  unsigned told = 0;
  for (unsigned c = 0; c < columns; c++)
    for (unsigned r = 0; r < BITS_M; r++) {
      const uint32_t rule = bits_rule(f, item, r, c, has_floor(f) ? FLOOR : BITS_NO_ZEROS);
      if (tile[c][r] != rule && told++ < 4)
        printf("  row %u column %u: %08x, the rule %08x\n", r, c, tile[c][r], rule);
    }
  printf("  %u elements are not by the rule\n", told);
}

bool table_check(const char *table, unsigned form, unsigned kind, unsigned first, unsigned count,
                 unsigned columns, bits_tile_t *tiles, unsigned *named) {
  static bits_item_t item;
  const bits_form_t *const f = bits_form(form);
  uint32_t hash[HASHES] = {0};
  if (!find(table, f, kind, hash) ||
      hash[0] != bits_operands_hash(f, kind, table_part(form, kind))) {
    printf("FAILED  %s %s: not in the table, or recorded with other operands\n", f->label,
           bits_kind(kind));
    return false;
  }
  bool same = true;
  for (unsigned k = 0; k < count; k++) {
    bool as_named = true;
    if (has_floor(f)) {
      bits_fill(f, kind, first + k, &item);
      as_named = name(f, &item, columns, tiles[k], named);
    }
    const uint32_t want = hash[columns == BITS_HEAD ? 1 : columns == BITS_PART ? 2 : 3 + first + k];
    if (as_named && hash_of(tiles[k], columns) == want) continue;
    printf("DIFFERS %s %s tile %u%s\n", f->label, bits_kind(kind), first + k,
           as_named ? "" : ": not the value without a floor");
    bits_fill(f, kind, first + k, &item);
    explain(f, &item, columns, tiles[k]);
    same = false;
  }
  return same;
}
