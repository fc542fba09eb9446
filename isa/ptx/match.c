/* match.c: which form of ptx_op.def a written opcode is (forms.h). Modifiers are a set: only the
 * order of the types counts [design of the front end; compilers and ptxas vary the order]. */
#include "isa/ptx/forms.h"

static bool accepts(const wl_slot_t *s, wl_item_t it) {
  for (uint8_t i = 0; i < s->nitems; i++) {
    if (s->items[i].kind == it.kind && s->items[i].id == it.id) return true;
  }
  return false;
}

static bool is_type_slot(const wl_slot_t *s) { return s->items[0].kind == WL_ITEM_TYPE; }

typedef struct fit {
  int score;
  int unused;
  const wl_slot_t *missing;
} fit_t;

/* Type slots take the written types in order; other slots the first unused modifier they know. */
static fit_t try_form(const wl_form_t *f, const wl_item_t *items, uint8_t n, uint8_t *slot_of) {
  fit_t r = {0, -1, NULL};
  uint8_t next_type = 0;
  for (uint8_t i = 0; i < n; i++)
    slot_of[i] = UINT8_MAX;
  for (uint8_t s = 0; s < f->nslots; s++) {
    const wl_slot_t *slot = &f->slots[s];
    uint8_t i = is_type_slot(slot) ? next_type : 0;
    for (; i < n; i++) {
      if (slot_of[i] != UINT8_MAX) continue;
      if (is_type_slot(slot) && items[i].kind != WL_ITEM_TYPE) continue;
      if (accepts(slot, items[i])) break;
      if (is_type_slot(slot)) i = n - 1; /* the next type must fit here */
    }
    if (i < n) {
      slot_of[i] = s;
      r.score += slot->optional ? 2 : 3;
      if (is_type_slot(slot)) next_type = (uint8_t)(i + 1);
    } else if (!slot->optional) {
      if (r.missing == NULL) r.missing = slot;
      r.score -= 2;
    }
  }
  for (uint8_t i = 0; i < n; i++) {
    if (slot_of[i] != UINT8_MAX) continue;
    if (f->open) continue;
    if (r.unused < 0) r.unused = i;
    r.score -= 2;
  }
  return r;
}

void wl_forms_match(const wl_forms_t *f, wl_ptx_op_t op, const wl_item_t *items, uint8_t n,
                    wl_match_t *out, uint8_t *used_slot) {
  *out = (wl_match_t){.unused = -1};
  int best = -1000;
  for (uint32_t i = f->first[op]; i < f->first[op + 1]; i++) {
    fit_t r = try_form(&f->forms[i], items, n, used_slot);
    bool ok = r.unused < 0 && r.missing == NULL;
    if (!ok && r.score <= best) continue;
    best = r.score;
    *out = (wl_match_t){&f->forms[i], ok, r.unused, r.missing};
    if (ok) return;
  }
}

const wl_form_t *wl_forms_next(const wl_forms_t *f, const wl_form_t *form, const wl_item_t *items,
                               uint8_t n, uint8_t *used_slot) {
  for (uint32_t i = form->index + 1u; i < f->first[form->op + 1]; i++) {
    fit_t r = try_form(&f->forms[i], items, n, used_slot);
    if (r.unused < 0 && r.missing == NULL) return &f->forms[i];
  }
  return NULL;
}

static wl_field_t field_of_mod(wl_ptx_mod_t m) {
  switch (m) {
  case WL_PTX_M_RN:
  case WL_PTX_M_RZ:
  case WL_PTX_M_RM:
  case WL_PTX_M_RP:
  case WL_PTX_M_RNA:
  case WL_PTX_M_RS:
  case WL_PTX_M_RNI:
  case WL_PTX_M_RZI:
  case WL_PTX_M_RMI:
  case WL_PTX_M_RPI:
    return WL_FIELD_ROUND;
  case WL_PTX_M_WEAK:
  case WL_PTX_M_RELAXED:
  case WL_PTX_M_ACQUIRE:
  case WL_PTX_M_RELEASE:
  case WL_PTX_M_ACQ_REL:
  case WL_PTX_M_SC:
  case WL_PTX_M_VOLATILE:
  case WL_PTX_M_MMIO:
    return WL_FIELD_SEM;
  case WL_PTX_M_CTA:
  case WL_PTX_M_CLUSTER:
  case WL_PTX_M_GPU:
  case WL_PTX_M_SYS:
  case WL_PTX_M_GL:
    return WL_FIELD_SCOPE;
  case WL_PTX_M_CA:
  case WL_PTX_M_CG:
  case WL_PTX_M_CS:
  case WL_PTX_M_LU:
  case WL_PTX_M_CV:
  case WL_PTX_M_WB:
  case WL_PTX_M_WT:
    return WL_FIELD_CACHE;
  case WL_PTX_M_V2:
  case WL_PTX_M_V4:
  case WL_PTX_M_V8:
    return WL_FIELD_VEC;
  default:
    break;
  }
  switch (m) {
#define WL_PTX_MOD(id, text)
#define WL_PTX_FLAG(id, text) case WL_PTX_M_##id:
#include "isa/def/ptx_mod.def"
#undef WL_PTX_MOD
#undef WL_PTX_FLAG
    return WL_FIELD_FLAG;
  default:
    return WL_FIELD_MODE;
  }
}

wl_field_t wl_forms_field(const wl_slot_t *slot, wl_item_t item) {
  if (slot->field == WL_FIELD_DROP) return WL_FIELD_DROP;
  if (item.kind == WL_ITEM_TYPE) return WL_FIELD_TYPE;
  if (item.kind == WL_ITEM_SPACE) return WL_FIELD_SPACE;
  return slot->field != WL_FIELD_AUTO ? slot->field : field_of_mod((wl_ptx_mod_t)item.id);
}
