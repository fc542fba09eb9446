/* Facts of the instruction word: fields, operand shapes, modifier sets, must-be-zero masks. Every
 * rule that a row can break is checked here; docs/isa.md shows the result. */
#include "isa/gen/wlgen.h"

#include <string.h>

const char *const imm_names[] = {"NONE", "B", "C", "T", "O", "S", "M",
                                 "L",    "G", "V", "N", "X", NULL};
const char *const steps_names[] = {"ONE", "PAIR", "LIST", NULL};

static int field_index(const facts_t *f, const char *name, size_t length) {
  for (int i = 0; i < f->num_fields; i++)
    if (strlen(f->field[i].name) == length && strncmp(f->field[i].name, name, length) == 0)
      return i;
  return -1;
}

static void set_bits(word_t *w, int low, int width) {
  for (int i = low; i < low + width; i++)
    w->w[i / 32] |= UINT32_C(1) << (i % 32);
}

static int class_index(const facts_t *f, const char *name, size_t length) {
  for (int i = 0; i < f->num_classes; i++)
    if (strlen(f->classes[i].name) == length && strncmp(f->classes[i].name, name, length) == 0)
      return i;
  return -1;
}

/* CLASS(name, "meaning"); the first is common. */
static void read_class(facts_t *f, const row_t *row) {
  want_args(row, "CLASS", 2);
  if (f->num_classes == MAX_CLASSES) fail(row, "more than %d classes", MAX_CLASSES);
  const small_t c = {.name = row->arg[0], .meaning = row->arg[1]};
  if (!is_identifier(c.name)) fail(row, "'%s' is not a name", c.name);
  if (class_index(f, c.name, strlen(c.name)) >= 0) fail(row, "duplicate class '%s'", c.name);
  if (f->num_classes == CLASS_COMMON && strcmp(c.name, "common") != 0)
    fail(row, "class 'common' comes first");
  f->classes[f->num_classes++] = c;
}

static const char *next_word(const char **at, size_t *length) {
  *at += strspn(*at, " ");
  const char *word = *at;
  *length = strcspn(word, " ");
  *at += *length;
  return *length > 0 ? word : NULL;
}

/* common stands alone: its fields are in words of every class. */
static uint32_t field_classes(const facts_t *f, const row_t *row) {
  uint32_t classes = 0;
  size_t length;
  const char *at = row->arg[0];
  for (const char *word; (word = next_word(&at, &length)) != NULL;) {
    const int i = class_index(f, word, length);
    if (i < 0) fail(row, "undefined class '%.*s'", (int)length, word);
    if (classes & 1u << i) fail(row, "class '%.*s' twice", (int)length, word);
    classes |= 1u << i;
  }
  if (classes == 0) fail(row, "no class");
  if ((classes & 1u << CLASS_COMMON) != 0 && classes != 1u << CLASS_COMMON)
    fail(row, "a common field names no other class");
  return classes;
}

/* Whether a word can have both fields. */
static bool together(const field_t *a, const field_t *b) {
  return (a->classes & b->classes) != 0 || ((a->classes | b->classes) & 1u << CLASS_COMMON) != 0;
}

void read_word(facts_t *f, const row_t *row) {
  if (strcmp(row->macro, "CLASS") == 0) {
    read_class(f, row);
    return;
  }
  want_args(row, "FIELD", 5);
  if (f->num_fields == MAX_FIELDS) fail(row, "more than %d fields", MAX_FIELDS);
  const field_t new = {.name = row->arg[1],
                       .low = (int)number(row, 2, 127),
                       .width = (int)number(row, 3, 32),
                       .classes = field_classes(f, row),
                       .meaning = row->arg[4]};
  if (!is_identifier(new.name)) fail(row, "'%s' is not a name", new.name);
  if (new.width == 0 || new.low + new.width > 128) fail(row, "%s: beyond the word", new.name);
  if (new.classes == 1u << CLASS_COMMON ? new.low + new.width > MODS_LOW : new.low < MODS_LOW)
    fail(row, "%s: common fields are below bit %d, others above", new.name, MODS_LOW);
  for (int i = 0; i < f->num_fields; i++) {
    const field_t *old = &f->field[i];
    if (strcmp(old->name, new.name) == 0) fail(row, "duplicate field '%s'", new.name);
    if (together(old, &new) && new.low < old->low + old->width && old->low < new.low + new.width)
      fail(row, "field '%s' overlaps '%s'", new.name, old->name);
  }
  f->field[f->num_fields++] = new;
}

/* Fields that shapes and the generator refer to by name. */
void check_fields(const facts_t *f, const row_t *row) {
  static const char *const needed[] = {"form",   "guard", "guard_neg", "rd",  "ra",
                                       "rb",     "rc",    "pd",        "pq",  "ps",
                                       "ps_neg", "pt",    "pt_neg",    "imm", NULL};
  for (int i = 0; needed[i] != NULL; i++)
    if (field_index(f, needed[i], strlen(needed[i])) < 0)
      fail(row, "field '%s' is missing", needed[i]);
  const int form = field_index(f, "form", 4);
  if (f->field[form].width != 13) fail(row, "field 'form' must have 13 bits");
}

static int words(const row_t *row, int arg) {
  const int n = (int)number(row, arg, 16);
  if ((n & (n - 1)) != 0) fail(row, "%s: %d words are no register group", row->arg[0], n);
  return n;
}

/* Operand x and its immediate, a counted destination and its immediate: none without the other. */
static void check_wide(const row_t *row, const shape_t *s) {
  if (s->x != 0 && s->x != 4) fail(row, "%s: operand x has 4 words", s->name);
  if ((s->x != 0) != (strcmp(imm_names[s->imm], "X") == 0))
    fail(row, "%s: operand x goes with immediate X", s->name);
  if (s->counted != (strcmp(imm_names[s->imm], "N") == 0))
    fail(row, "%s: a counted destination goes with immediate N", s->name);
}

void read_shape(facts_t *f, const row_t *row) {
  want_args(row, "SHAPE", 9);
  if (f->num_shapes == MAX_SHAPES) fail(row, "more than %d shapes", MAX_SHAPES);
  shape_t s = {.name = row->arg[0],
               .counted = strcmp(row->arg[1], "N") == 0,
               .a = words(row, 2),
               .b = words(row, 3),
               .c = words(row, 4),
               .x = words(row, 5)};
  if (!s.counted) s.d = words(row, 1);
  if (!is_identifier(s.name)) fail(row, "'%s' is not a name", s.name);
  for (int i = 0; i < f->num_shapes; i++)
    if (strcmp(f->shape[i].name, s.name) == 0) fail(row, "duplicate shape '%s'", s.name);
  s.imm = choose(row, 6, imm_names, "immediate kind");
  if (strcmp(imm_names[s.imm], "B") == 0 && s.b != 0) fail(row, "immediate replaces a register b");
  if (strcmp(imm_names[s.imm], "C") == 0 && s.c != 0) fail(row, "immediate replaces a register c");
  for (const char *p = row->arg[7]; *p != '\0'; p++) {
    const char *at = strchr("dqst", *p);
    if (at == NULL) fail(row, "undefined predicate letter '%c'", *p);
    s.preds |= 1 << (int)(at - "dqst");
  }
  s.steps = choose(row, 8, steps_names, "steps kind");
  check_wide(row, &s);
  if (s.steps != STEPS_LIST && (s.d > 2 || s.a > 2 || s.b > 2 || s.c > 2 || s.x > 0))
    fail(row, "%s: more than two words need steps LIST", s.name);
  f->shape[f->num_shapes++] = s;
}

static int mod_bit(facts_t *f, const row_t *row, int field) {
  for (int i = 0; i < f->num_mod_fields; i++)
    if (f->mod_field[i] == field) return i;
  if (f->num_mod_fields == 32) fail(row, "more than 32 modifier fields");
  f->mod_field[f->num_mod_fields] = field;
  return f->num_mod_fields++;
}

void read_mods(facts_t *f, const row_t *row) {
  want_args(row, "MODS", 3);
  if (f->num_mods == MAX_MODS) fail(row, "more than %d modifier sets", MAX_MODS);
  mods_t m = {.name = row->arg[1], .fields = row->arg[2]};
  m.class_id = class_index(f, row->arg[0], strlen(row->arg[0]));
  if (m.class_id < 0) fail(row, "undefined class '%s'", row->arg[0]);
  for (int i = 0; i < f->num_mods; i++)
    if (strcmp(f->mods[i].name, m.name) == 0) fail(row, "duplicate modifier set '%s'", m.name);
  size_t length;
  const char *at = m.fields;
  for (const char *word; (word = next_word(&at, &length)) != NULL;) {
    const int field = field_index(f, word, length);
    if (field < 0) fail(row, "undefined field '%.*s'", (int)length, word);
    if (f->field[field].low < MODS_LOW) fail(row, "field '%.*s' is no modifier", (int)length, word);
    if ((f->field[field].classes & 1u << m.class_id) == 0)
      fail(row, "field '%.*s' is not of class %s", (int)length, word, row->arg[0]);
    m.mask |= UINT32_C(1) << mod_bit(f, row, field);
  }
  f->mods[f->num_mods++] = m;
}

static void use(const facts_t *f, word_t *w, const char *name) {
  const field_t *field = &f->field[field_index(f, name, strlen(name))];
  set_bits(w, field->low, field->width);
}

static void use_imm(const facts_t *f, word_t *w, const char *kind) {
  const int low = f->field[field_index(f, "imm", 3)].low;
  if (strcmp(kind, "NONE") == 0) return;
  if (strcmp(kind, "T") == 0) {
    set_bits(w, low, 28);
  } else if (strcmp(kind, "N") == 0) {
    set_bits(w, low, 7);
  } else if (strcmp(kind, "S") == 0 || strcmp(kind, "X") == 0) {
    set_bits(w, low, 8);
  } else if (strcmp(kind, "L") == 0) {
    set_bits(w, low, 16);
  } else if (strcmp(kind, "G") == 0) {
    set_bits(w, low, 4);
    set_bits(w, low + 8, 6);
  } else {
    set_bits(w, low, 32);
  }
}

/* Bits outside {form, guard, the shape's fields, the modifier fields} must be zero. */
int mask_id(facts_t *f, const row_t *row, const shape_t *s, const mods_t *m) {
  word_t w = {{0}};
  use(f, &w, "form");
  use(f, &w, "guard");
  use(f, &w, "guard_neg");
  if (s->d > 0 || s->counted) use(f, &w, "rd");
  if (s->a > 0) use(f, &w, "ra");
  if (s->b > 0) use(f, &w, "rb");
  if (s->c > 0) use(f, &w, "rc");
  use_imm(f, &w, imm_names[s->imm]);
  static const char *const pred[] = {"pd", "pq", "ps", "pt"};
  for (int i = 0; i < 4; i++)
    if (s->preds & 1 << i) use(f, &w, pred[i]);
  if (s->preds & 4) use(f, &w, "ps_neg");
  if (s->preds & 8) use(f, &w, "pt_neg");
  for (int i = 0; i < f->num_mod_fields; i++)
    if (m->mask & UINT32_C(1) << i) use(f, &w, f->field[f->mod_field[i]].name);
  for (int i = 0; i < 4; i++)
    w.w[i] = ~w.w[i];
  for (int i = 0; i < f->num_masks; i++)
    if (memcmp(&f->mask[i], &w, sizeof w) == 0) return i;
  if (f->num_masks == MAX_MASKS) fail(row, "more than %d must-be-zero masks", MAX_MASKS);
  f->mask[f->num_masks] = w;
  return f->num_masks++;
}
