/* refused.c: entries of a module that cannot be launched, and why (object.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/obj/object.h"

enum { CLAUSE_MAX = 31, TEXT_MAX = 1023 };

static size_t bounded(const char *text, size_t most) {
  size_t n = text != NULL ? strlen(text) : 0;
  return n < most ? n : most;
}

void wl_obj_add_refusal(wl_obj_t *o, uint32_t entry, uint32_t line, const char *clause,
                        const char *text) {
  /* Bounded, so that a damaged file cannot ask for the whole string table once per row. */
  char *c = wl_obj_copy_text(o, clause != NULL ? clause : "", bounded(clause, CLAUSE_MAX));
  char *t = wl_obj_copy_text(o, text != NULL ? text : "", bounded(text, TEXT_MAX));
  wl_obj_refusal_t *rows = wl_obj_grow(o, o->refusals, o->refusal_count, &o->refusal_cap,
                                       sizeof *rows, WL_OBJ_MAX_COUNT);
  if (rows == NULL) {
    free(c);
    free(t);
    return;
  }
  o->refusals = rows;
  rows[o->refusal_count++] = (wl_obj_refusal_t){entry, line, c, t};
}

const wl_obj_refusal_t *wl_obj_refusal(const wl_obj_t *o, uint32_t entry, uint32_t index) {
  uint32_t low = 0;
  uint32_t high = o->refusal_count; /* the first row of the entry lies in [low, high] */
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (o->refusals[middle].entry < entry) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (index >= o->refusal_count - low || o->refusals[low + index].entry != entry) {
    return NULL;
  }
  return &o->refusals[low + index];
}

const char *wl_obj_verify_refusals(const wl_obj_t *o, char *buf, size_t cap) {
  for (uint32_t i = 0; i < o->refusal_count; i++) {
    const wl_obj_refusal_t *r = &o->refusals[i];
    if (r->entry >= o->entry_count || (i != 0 && r->entry < o->refusals[i - 1].entry)) {
      (void)snprintf(buf, cap, "refusal %u: entry %u of %u", i, r->entry, o->entry_count);
      return buf;
    }
    if (r->clause == NULL || r->text == NULL || r->text[0] == 0) {
      (void)snprintf(buf, cap, "refusal %u has no text", i);
      return buf;
    }
  }
  return NULL;
}
