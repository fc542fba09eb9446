#include "tests/oracle/sync_list.h"

#include <stdio.h>
#include <string.h>

#include "isa/ptx/ptx.h"
#include "isa/ptx/types.h"

typedef enum which { NONE, EVERY, OF_CLUSTER, ACCESS } which_t;

/* Whether it is one of sync_bulk.c. */
bool wl_sync_is_bulk(const wl_form_t *form) {
  const bool stores = form->op == WL_PTX_OP_ST || form->op == WL_PTX_OP_RED;
  return ((form->op == WL_PTX_OP_CP || stores) && strstr(form->mods_text, ".bulk") != NULL) ||
         (stores && strstr(form->mods_text, ".async") != NULL);
}

static which_t of_form(const wl_form_t *form) {
  const bool bulk = wl_sync_is_bulk(form);
  switch (form->op) {
  case WL_PTX_OP_MBARRIER:
  case WL_PTX_OP_MAPA:
  case WL_PTX_OP_GETCTARANK:
  case WL_PTX_OP_FENCE:
  case WL_PTX_OP_MEMBAR:
  case WL_PTX_OP_GRIDDEPCONTROL:
    return EVERY;
  case WL_PTX_OP_CP:
    return bulk ? EVERY : NONE;
  case WL_PTX_OP_BARRIER:
  case WL_PTX_OP_ISSPACEP:
  case WL_PTX_OP_CVTA:
    return OF_CLUSTER;
  case WL_PTX_OP_LD:
  case WL_PTX_OP_ST:
  case WL_PTX_OP_ATOM:
  case WL_PTX_OP_RED:
    return bulk ? EVERY : ACCESS;
  default:
    return NONE;
  }
}

static bool is_hint(const wl_slot_t *slot) {
  switch (slot->field) {
  case WL_FIELD_CACHE:
  case WL_FIELD_EVICT1:
  case WL_FIELD_EVICT2:
  case WL_FIELD_PREFETCH:
  case WL_FIELD_DROP:
    return true;
  default:
    return slot->optional && slot->nitems == 1 && slot->items[0].kind == WL_ITEM_MOD &&
           slot->items[0].id == WL_PTX_M_CACHE_HINT;
  }
}

static unsigned elements(wl_item_t item) {
  char text[32];
  (void)wl_item_text(item, text, sizeof text);
  return strlen(text) == 3 && text[1] == 'v' ? (unsigned)(text[2] - '0') : 0;
}

static void add(wl_sync_form_t *f, wl_item_t item) {
  char text[48];
  const size_t n = strlen(f->text);
  const bool cta = item.kind == WL_ITEM_SPACE && item.id == WL_PTX_SPACE_SHARED &&
                   wl_sync_is_bulk(f->form); /* which know no other name of it */
  (void)snprintf(f->text + n, sizeof f->text - n, "%s",
                 cta ? ".shared::cta" : wl_item_text(item, text, sizeof text));
  if (item.kind == WL_ITEM_TYPE && f->type == WL_PTX_T_NONE) {
    f->type = (wl_ptx_type_t)item.id;
  }
  f->vec = elements(item) != 0 ? elements(item) : f->vec;
}

static wl_sync_form_t start(const wl_form_t *form) {
  wl_sync_form_t f = {.form = form, .type = WL_PTX_T_NONE, .vec = 1};
  (void)snprintf(f.text, sizeof f.text, "%s", wl_ptx_op_name(form->op));
  return f;
}

/* The choice of this number, one digit for each slot; false: there is none. */
static bool choice(const wl_form_t *form, uint32_t number, wl_sync_form_t *f) {
  *f = start(form);
  for (uint8_t s = 0; s < form->nslots; s++) {
    const wl_slot_t *slot = &form->slots[s];
    const uint32_t ways = slot->nitems + (slot->optional ? 1u : 0u), digit = number % ways;
    number /= ways;
    if (digit < slot->nitems) {
      add(f, slot->items[digit]);
    }
  }
  return number == 0;
}

static bool has_cluster(const wl_sync_form_t *f) { return strstr(f->text, "cluster") != NULL; }

/* Item `item` of slot `at`, of the others the first, and none where none need be. */
static bool access_choice(const wl_form_t *form, uint8_t at, uint8_t item, wl_sync_form_t *f) {
  bool cluster = false;
  *f = start(form);
  for (uint8_t s = 0; s < form->nslots; s++) {
    const wl_slot_t *slot = &form->slots[s];
    int pick = s == at ? item : slot->optional ? -1 : 0;
    for (uint8_t i = 0; i < slot->nitems; i++) {
      if (slot->items[i].kind == WL_ITEM_SPACE &&
          slot->items[i].id == WL_PTX_SPACE_SHARED_CLUSTER) {
        pick = i;
        cluster = true;
      }
    }
    if (pick >= 0) {
      add(f, slot->items[pick]);
    }
  }
  return cluster;
}

static void accesses(const wl_form_t *form, wl_sync_each_t each, void *context) {
  wl_sync_form_t f;
  for (uint8_t s = 0; s < form->nslots; s++) {
    const wl_slot_t *slot = &form->slots[s];
    const bool space = slot->items[0].kind == WL_ITEM_SPACE, last = s + 1 == form->nslots;
    for (uint8_t i = 0; i < slot->nitems && !is_hint(slot) && !space; i++) {
      if (i == 0 && !slot->optional && !last) {
        continue; /* the first of all, which is there once */
      }
      const unsigned bits = access_choice(form, s, i, &f) ? wl_ptx_type_bits(f.type) * f.vec : 0;
      if (bits != 0 && bits <= 128 && wl_ptx_type_bits(f.type) <= 64) {
        each(context, &f);
      }
    }
  }
}

bool wl_sync_list(wl_sync_each_t each, void *context) {
  char message[200];
  wl_arena_t arena = {0};
  const wl_forms_t *forms = wl_forms_compile(&arena, message, sizeof message);
  for (uint32_t i = 0; forms != NULL && i < forms->count; i++) {
    const wl_form_t *form = &forms->forms[i];
    const which_t which = form->supported ? of_form(form) : NONE;
    wl_sync_form_t f;
    if (which == ACCESS) {
      accesses(form, each, context);
    }
    for (uint32_t k = 0; (which == EVERY || which == OF_CLUSTER) && choice(form, k, &f); k++) {
      if (which == EVERY || has_cluster(&f)) {
        each(context, &f);
      }
    }
  }
  if (forms == NULL) {
    printf("%s\n", message);
  }
  wl_arena_free(&arena);
  return forms != NULL;
}
