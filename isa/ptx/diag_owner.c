/* diag_owner.c: refusals that concern a function or a variable, not the module (diag.h). Each
 * owner has every refusal once, with the number of its other places. */
#include <stdlib.h>
#include <string.h>

#include "isa/ptx/diag.h"

enum { ITEMS_EACH = 16, ITEMS_ALL = 2000 };

uint32_t wl_diag_new_owner(wl_diag_list_t *d) { return d->owners == UINT32_MAX ? 0 : ++d->owners; }

bool wl_diag_is_refused(const wl_diag_list_t *d, uint32_t owner) {
  return owner < d->cap_owners && d->refusals_of[owner] != 0;
}

static bool make_room(wl_diag_list_t *d) {
  if (d->owner < d->cap_owners) return true;
  size_t cap = (size_t)d->owner * 2 + 64;
  uint32_t *p = realloc(d->refusals_of, cap * sizeof *p);
  if (p == NULL) return false;
  memset(p + d->cap_owners, 0, (cap - d->cap_owners) * sizeof *p);
  d->refusals_of = p;
  d->cap_owners = cap;
  return true;
}

static bool same(const char *a, const char *b) {
  return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

bool wl_diag_refuse(wl_diag_list_t *d, const char *clause, const char *message, bool *listed) {
  if (!make_room(d)) return false;
  d->refusals_of[d->owner]++;
  d->refused++;
  unsigned items = 0;
  for (size_t i = d->count; i-- > 0 && items <= ITEMS_EACH;) {
    wl_diag_t *g = &d->items[i];
    if (g->owner != d->owner) continue;
    if (same(g->clause, clause) && same(g->message, message)) {
      g->repeats++;
      *listed = true;
      return true;
    }
    items++;
  }
  if (items >= ITEMS_EACH || d->nowned >= ITEMS_ALL) {
    d->dropped++;
    *listed = true;
  }
  return true;
}
