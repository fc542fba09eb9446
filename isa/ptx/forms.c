/* forms.c: compiles the form strings of isa/def/ptx_op.def (see forms.h). */
#include "isa/ptx/forms.h"

#include <stdio.h>
#include <string.h>

#include "isa/ptx/limits.h"
#include "isa/ptx/ptx.h"
#include "isa/ptx/spaces.h"
#include "isa/ptx/types.h"

typedef struct op_row {
  const char *name, *clause;
} op_row_t;
static const op_row_t k_ops[WL_PTX_OP_COUNT] = {
    {"", ""},
#define WL_PTX_OP(id, name, clause) {name, clause},
#define WL_PTX_FORM(id, status, clause, mods, operands, version, target)
#include "isa/def/ptx_op.def"
#undef WL_PTX_OP
#undef WL_PTX_FORM
};

typedef struct form_row {
  wl_ptx_op_t op;
  char status;
  const char *clause, *mods, *operands;
  uint16_t version, target;
} form_row_t;
static const form_row_t k_rows[] = {
#define WL_PTX_OP(id, name, clause)
#define WL_PTX_FORM(id, status, clause, mods, operands, version, target)                           \
  {WL_PTX_OP_##id, #status[0], clause, mods, operands, version, target},
#include "isa/def/ptx_op.def"
#undef WL_PTX_OP
#undef WL_PTX_FORM
};
enum { ROWS = sizeof k_rows / sizeof k_rows[0], MAX_SLOTS = 16, MAX_ITEMS = 32 };

static const char *const k_mods[WL_PTX_M_COUNT] = {
    "",
#define WL_PTX_MOD(id, text)  text,
#define WL_PTX_FLAG(id, text) text,
#include "isa/def/ptx_mod.def"
#undef WL_PTX_MOD
#undef WL_PTX_FLAG
};

/* Named sets of the form strings and the field they fill. */
static const struct {
  const char *name, *items;
  wl_field_t field;
} k_sets[] = {
    {"I", ".u16|.u32|.u64|.s16|.s32|.s64", WL_FIELD_TYPE},
    {"I8", ".u8|.u16|.u32|.u64|.s8|.s16|.s32|.s64", WL_FIELD_TYPE},
    {"LT", ".b8|.b16|.b32|.b64|.u8|.u16|.u32|.u64|.s8|.s16|.s32|.s64|.f32|.f64", WL_FIELD_TYPE},
    {"R", ".rn|.rz|.rm|.rp", WL_FIELD_ROUND},
    {"RI", ".rni|.rzi|.rmi|.rpi", WL_FIELD_ROUND},
    {"CMPS", ".eq|.ne|.lt|.le|.gt|.ge", WL_FIELD_CMP},
    {"CMPU", ".eq|.ne|.lt|.le|.gt|.ge|.lo|.ls|.hi|.hs", WL_FIELD_CMP},
    {"CMPB", ".eq|.ne", WL_FIELD_CMP},
    {"CMPF", ".eq|.ne|.lt|.le|.gt|.ge|.equ|.neu|.ltu|.leu|.gtu|.geu|.num|.nan", WL_FIELD_CMP},
    {"BOP", ".and|.or|.xor", WL_FIELD_BOOLOP},
    {"BOPL", ".and|.or", WL_FIELD_BOOLOP},
    {"LDS",
     ".const|.global|.local|.shared|.shared::cta|.shared::cluster|.param|.param::entry|.param::"
     "func",
     WL_FIELD_SPACE},
    {"STS", ".global|.local|.shared|.shared::cta|.shared::cluster|.param|.param::func",
     WL_FIELD_SPACE},
    {"GSP", ".global|.shared|.shared::cta|.shared::cluster", WL_FIELD_SPACE},
    {"WSP", ".global|.shared|.shared::cta", WL_FIELD_SPACE},
    {"SCTA", ".shared|.shared::cta", WL_FIELD_SPACE},
    {"SANY", ".shared|.shared::cta|.shared::cluster", WL_FIELD_SPACE},
    {"PXSP", ".global|.shared::cta|.shared::cluster", WL_FIELD_SPACE},
    {"PARAM", ".param|.param::entry", WL_FIELD_SPACE},
    {"LCOP", ".ca|.cg|.cs|.lu|.cv", WL_FIELD_CACHE},
    {"SCOP", ".wb|.cg|.cs|.wt", WL_FIELD_CACHE},
    {"EV1",
     ".L1::evict_normal|.L1::evict_unchanged|.L1::evict_first|.L1::evict_last|.L1::no_allocate",
     WL_FIELD_EVICT1},
    {"EV2", ".L2::evict_normal|.L2::evict_first|.L2::evict_last", WL_FIELD_EVICT2},
    {"EVP", ".L2::evict_last|.L2::evict_normal|.L2::evict_first|.L2::evict_unchanged",
     WL_FIELD_MODE},
    {"EVS", ".L2::evict_first|.L2::evict_unchanged", WL_FIELD_MODE},
    {"CH", ".L2::cache_hint", WL_FIELD_FLAG},
    {"PF", ".L2::64B|.L2::128B|.L2::256B", WL_FIELD_PREFETCH},
    {"VEC", ".v2|.v4", WL_FIELD_VEC},
    {"SCOPE", ".cta|.cluster|.gpu|.sys", WL_FIELD_SCOPE},
    {"CSC", ".cta|.cluster", WL_FIELD_SCOPE},
    {"SEMA", ".relaxed|.acquire|.release|.acq_rel", WL_FIELD_SEM},
    {"SEMR", ".relaxed|.release", WL_FIELD_SEM},
    {"CTAQ", ".cta", WL_FIELD_DROP},
    {"UNI", ".uni", WL_FIELD_MODE},
    {"COLA", ".collector::a::fill|.collector::a::use|.collector::a::lastuse|.collector::a::discard",
     WL_FIELD_MODE},
};

const char *wl_ptx_op_name(wl_ptx_op_t op) { return k_ops[op].name; }
const char *wl_ptx_op_clause(wl_ptx_op_t op) { return k_ops[op].clause; }
const char *wl_ptx_mod_name(wl_ptx_mod_t m) { return k_mods[m]; }

static uint32_t hash_text(const char *s, size_t n) {
  uint32_t h = 2166136261u;
  for (size_t i = 0; i < n; i++)
    h = (h ^ (unsigned char)s[i]) * 16777619u;
  return h ^ h >> 15;
}

static bool same(const char *a, const char *s, size_t n) {
  return strlen(a) == n && memcmp(a, s, n) == 0;
}

wl_ptx_op_t wl_forms_find_op(const wl_forms_t *f, const char *s, size_t n) {
  for (uint32_t h = hash_text(s, n) & 511;; h = (h + 1) & 511) {
    uint16_t op = f->op_hash[h];
    if (op == 0 || same(k_ops[op].name, s, n)) return (wl_ptx_op_t)op;
  }
}

bool wl_forms_find_item(const wl_forms_t *f, const char *s, size_t n, wl_item_t *out) {
  for (uint32_t h = hash_text(s, n) & 1023;; h = (h + 1) & 1023) {
    const struct wl_item_name *x = &f->item_hash[h];
    if (x->text == NULL) return false;
    if (!same(x->text, s, n)) continue;
    *out = x->item;
    return true;
  }
}

const char *wl_item_text(wl_item_t item, char *buf, size_t cap) {
  const char *s = item.kind == WL_ITEM_TYPE       ? wl_ptx_type_name((wl_ptx_type_t)item.id)
                  : item.kind == WL_ITEM_MOD      ? wl_ptx_mod_name((wl_ptx_mod_t)item.id)
                  : item.id == WL_PTX_SPACE_COUNT ? "param::entry"
                  : item.id == WL_PTX_SPACE_PARAM_ENTRY
                      ? "param"
                      : wl_ptx_space_name((wl_ptx_space_t)item.id);
  snprintf(buf, cap, ".%s", s);
  return buf;
}

/* Appends the alternatives of `text` to items; sets *field if a named set fixes it. */
static bool compile_alts(const wl_forms_t *f, const char *s, size_t n, wl_item_t *items,
                         uint8_t *count, wl_field_t *field) {
  while (n > 0) {
    const char *bar = memchr(s, '|', n);
    size_t len = bar != NULL ? (size_t)(bar - s) : n;
    if (len > 1 && s[0] == '.') {
      if (*count >= MAX_ITEMS || !wl_forms_find_item(f, s + 1, len - 1, &items[*count]))
        return false;
      (*count)++;
    } else {
      size_t i = 0, sets = sizeof k_sets / sizeof k_sets[0];
      while (i < sets && !same(k_sets[i].name, s, len))
        i++;
      if (i == sets) return false;
      *field = k_sets[i].field;
      wl_field_t ignored = WL_FIELD_AUTO;
      if (!compile_alts(f, k_sets[i].items, strlen(k_sets[i].items), items, count, &ignored))
        return false;
    }
    n -= len + (bar != NULL);
    s += len + (bar != NULL);
  }
  return *count > 0;
}

static bool compile_slots(wl_arena_t *a, const wl_forms_t *f, const char *s, wl_form_t *form) {
  form->slots = wl_arena_alloc(a, MAX_SLOTS * sizeof *form->slots);
  if (form->slots == NULL) return false;
  while (*s != 0) {
    size_t n = strcspn(s, " ");
    bool optional = s[0] == '{' && s[n - 1] == '}';
    wl_item_t items[MAX_ITEMS];
    uint8_t count = 0;
    wl_field_t field = WL_FIELD_AUTO;
    if (same("...", s, n)) {
      form->open = true;
      return s[n] == 0;
    }
    size_t brace = optional ? 1 : 0;
    if (form->nslots >= MAX_SLOTS) return false;
    if (!compile_alts(f, s + brace, n - 2 * brace, items, &count, &field)) return false;
    wl_item_t *copy = wl_arena_alloc(a, count * sizeof *copy);
    if (copy == NULL) return false;
    memcpy(copy, items, count * sizeof *copy);
    form->slots[form->nslots++] = (wl_slot_t){optional, count, field, copy};
    s += n;
    while (*s == ' ')
      s++;
  }
  return true;
}

static bool compile_opspec(const char *s, size_t n, wl_opspec_t *o) {
  *o = (wl_opspec_t){.kind = s[0], .type_at = -1, .type = WL_PTX_T_NONE};
  size_t i = 1, flags;
  for (flags = 1; flags < n && strchr("*_?|#", s[flags]) == NULL;)
    flags++;
  size_t tn = flags - i;
  if (tn == 1 && s[1] >= '0' && s[1] <= '3') {
    o->type_at = (int8_t)(s[1] - '0');
  } else if (same("w0", s + 1, tn)) {
    o->type_at = -2;
  } else if (same("x", s + 1, tn)) {
    o->type_at = -3;
  } else if (tn != 0 && o->kind != 'i') {
    o->type = wl_ptx_type_find(s + 1, tn);
    if (o->type == WL_PTX_T_NONE) return false;
  } else if (o->kind == 'p' || o->kind == 'n') {
    o->type = WL_PTX_T_PRED;
  }
  for (i = flags; i < n; i++) {
    if (s[i] == '*') o->wide = true;
    if (s[i] == '_') o->sink = true;
    if (s[i] == '?') o->optional = true;
    if (s[i] == '#') {
      unsigned count = 0;
      for (; i + 1 < n && s[i + 1] >= '0' && s[i + 1] <= '9'; i++)
        count = count * 10 + (unsigned)(s[i + 1] - '0');
      if (count == 0 || count > WL_LIM_VECTOR) return false;
      o->count = (uint8_t)count;
      continue;
    }
    if (s[i] != '|') continue;
    if (i + 1 >= n) return false;
    o->pair = true;
    o->pair_needed = s[i + 1] == 'P';
    i++;
  }
  return strchr("dDsSrpnimalct", o->kind) != NULL;
}

static bool compile_operands(wl_arena_t *a, const char *s, wl_form_t *form) {
  enum { MAX_OPS = 8 };
  if (strcmp(s, "custom") == 0) {
    form->custom = true;
    return true;
  }
  form->ops = wl_arena_alloc(a, MAX_OPS * sizeof *form->ops);
  if (form->ops == NULL) return false;
  while (*s != 0) {
    size_t n = strcspn(s, " ");
    if (form->nops >= MAX_OPS || !compile_opspec(s, n, &form->ops[form->nops++])) return false;
    s += n;
    while (*s == ' ')
      s++;
  }
  return true;
}

static void add_item(wl_forms_t *f, const char *text, uint8_t kind, uint16_t id) {
  uint32_t h = hash_text(text, strlen(text)) & 1023;
  while (f->item_hash[h].text != NULL)
    h = (h + 1) & 1023;
  f->item_hash[h] = (struct wl_item_name){text, {kind, id}};
}

static void fill_hashes(wl_forms_t *f) {
  for (uint16_t op = 1; op < WL_PTX_OP_COUNT; op++) {
    uint32_t h = hash_text(k_ops[op].name, strlen(k_ops[op].name)) & 511;
    while (f->op_hash[h] != 0)
      h = (h + 1) & 511;
    f->op_hash[h] = op;
  }
  for (uint16_t m = 1; m < WL_PTX_M_COUNT; m++)
    add_item(f, k_mods[m], WL_ITEM_MOD, m);
  for (uint8_t t = 1; t < WL_PTX_T_COUNT; t++) {
    add_item(f, wl_ptx_type_name((wl_ptx_type_t)t), WL_ITEM_TYPE, t);
  }
  for (uint8_t sp = 1; sp < WL_PTX_SPACE_COUNT; sp++) {
    if (sp == WL_PTX_SPACE_PARAM_ENTRY) continue;
    add_item(f, wl_ptx_space_name((wl_ptx_space_t)sp), WL_ITEM_SPACE, sp);
  }
  add_item(f, "shared::cta", WL_ITEM_SPACE, WL_PTX_SPACE_SHARED);
  add_item(f, "param", WL_ITEM_SPACE, WL_PTX_SPACE_PARAM_ENTRY);
  add_item(f, "param::entry", WL_ITEM_SPACE, WL_PTX_SPACE_COUNT); /* apart from plain .param */
}

wl_forms_t *wl_forms_compile(wl_arena_t *a, char *message, size_t cap) {
  snprintf(message, cap, "out of memory");
  wl_forms_t *f = wl_arena_alloc(a, sizeof *f);
  if (f == NULL) return NULL;
  f->forms = wl_arena_alloc(a, ROWS * sizeof *f->forms);
  if (f->forms == NULL) return NULL;
  fill_hashes(f);
  uint32_t op = 0;
  for (uint32_t i = 0; i < ROWS; i++) {
    const form_row_t *r = &k_rows[i];
    while (op <= (uint32_t)r->op)
      f->first[op++] = i; /* rows stand behind their opcode, in order */
    wl_form_t *form = &f->forms[f->count++];
    *form = (wl_form_t){.op = r->op,
                        .index = (uint16_t)i,
                        .supported = r->status == 'S',
                        .clause = r->clause[0] != 0 ? r->clause : k_ops[r->op].clause,
                        .mods_text = r->mods,
                        .operands_text = r->operands,
                        .version = r->version,
                        .target = r->target};
    if (!compile_slots(a, f, r->mods, form) || !compile_operands(a, r->operands, form)) {
      snprintf(message, cap, "ptx_op.def: bad row for %s: \"%s\" \"%s\"", k_ops[r->op].name,
               r->mods, r->operands);
      return NULL;
    }
  }
  while (op <= WL_PTX_OP_COUNT)
    f->first[op++] = ROWS;
  return f;
}
