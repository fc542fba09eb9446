/* form_list.c: the arithmetic, logic, compare, select and convert forms of isa/def/ptx_op.def that
 * are marked as supported, each alternative of each slot once. The table is the only list: a row
 * that becomes supported is compared from then on. No approximations: they have no single right
 * value. */
#include "tests/oracle/form_list.h"

#include <stdio.h>
#include <string.h>

#include "isa/ptx/forms.h"
#include "isa/ptx/types.h"

enum { TEXT = 96, TYPES = 4 };

/* One choice of an alternative for each slot of a form. */
typedef struct choice {
  const wl_form_t *form;
  char text[TEXT]; /* opcode with modifiers */
  wl_ptx_type_t type[TYPES];
  unsigned types;
  wl_ptx_mod_t cmp;
  bool approximate, boolop, rounded, ftz;
  bool again; /* an alternative that stands in its slot before */
} choice_t;

static bool is_arithmetic(const wl_form_t *f) {
  static const char *const clauses[] = {"9.7.1.", "9.7.2.", "9.7.3.",  "9.7.4.",   "9.7.5",
                                        "9.7.6.", "9.7.7.", "9.7.8.", "9.7.9.7", "9.7.9.21",
                                        "9.7.9.22"};
  bool found = false;
  for (size_t i = 0; i < sizeof clauses / sizeof clauses[0]; i++) {
    size_t n = strlen(clauses[i]);
    bool whole = clauses[i][n - 1] != '.';
    found = found || (strncmp(f->clause, clauses[i], n) == 0 && (!whole || f->clause[n] == 0));
  }
  return found && f->supported && !f->custom;
}

static void add_item(choice_t *c, wl_item_t item, wl_field_t field) {
  char text[32];
  size_t n = strlen(c->text);
  (void)snprintf(c->text + n, sizeof c->text - n, "%s", wl_item_text(item, text, sizeof text));
  if (item.kind == WL_ITEM_TYPE && c->types < TYPES) {
    c->type[c->types++] = (wl_ptx_type_t)item.id;
  }
  c->approximate = c->approximate || (item.kind == WL_ITEM_MOD &&
                                      (item.id == WL_PTX_M_APPROX || item.id == WL_PTX_M_FULL));
  c->cmp = field == WL_FIELD_CMP ? (wl_ptx_mod_t)item.id : c->cmp;
  c->ftz = c->ftz || (item.kind == WL_ITEM_MOD && item.id == WL_PTX_M_FTZ);
  c->boolop = c->boolop || field == WL_FIELD_BOOLOP;
  c->rounded = c->rounded || field == WL_FIELD_ROUND;
}

/* ---- operands, in the letters of form_list.h */
static char letter_of(wl_ptx_type_t type) {
  unsigned bits = wl_ptx_type_bits(type);
  return type == WL_PTX_T_PRED  ? 'p'
         : type == WL_PTX_T_F32 ? 'f'
         : type == WL_PTX_T_F64 ? 'd'
         : bits == 64           ? 'x'
         : bits == 16           ? 'h'
         : type == WL_PTX_T_E2M1X2 ? 'b'
                                : 'w'; /* integers of 8 bits: wider registers */
}

static char operand_letter(const choice_t *c, const wl_opspec_t *o) {
  if (o->type_at == -2) { /* type 0 doubled */
    return wl_ptx_type_bits(c->type[0]) == 16 ? 'w' : 'x';
  }
  return letter_of(o->type_at >= 0 ? c->type[o->type_at] : o->type);
}

/* PTX leaves open which NaN these give. */
static bool open_nan(const choice_t *c) {
  bool f32 = c->type[0] == WL_PTX_T_F32;
  bool moved = c->form->op == WL_PTX_OP_ABS || c->form->op == WL_PTX_OP_NEG;
  bool converted = c->form->op == WL_PTX_OP_CVT && c->type[1] == WL_PTX_T_F32 && !c->rounded &&
                   strstr(c->text, ".sat") == NULL;
  return f32 && (moved || converted);
}

/* One token; "" where the operand is left out. */
static const char *token(const choice_t *c, const wl_opspec_t *o, const char *immediate) {
  static char one[2], fixed[3] = "=";
  one[0] = fixed[1] = operand_letter(c, o);
  switch (o->kind) {
  case 'p':
    return o->pair ? "q" : "p";
  case 'd':
    return o->pair_needed ? "W" : one[0] == 'f' && open_nan(c) ? "F" : one;
  case 'n':
    return o->optional && !c->boolop ? "" : strstr(c->text, ".and") != NULL ? "!p" : "p";
  case 'i':
    return immediate;
  case 'S':
    return "v";
  case 'r':
    return fixed;
  default:
    return one;
  }
}

/* A target that has the form. */
static const char *head_of(const choice_t *c) {
  static char text[64];
  const wl_form_t *f = c->form;
  bool small = false; /* formats of 6 and 4 bits, in rows that have others, too */
  for (unsigned i = 0; i < c->types; i++) {
    small = small || c->type[i] == WL_PTX_T_E2M3X2 || c->type[i] == WL_PTX_T_E3M2X2 ||
            c->type[i] == WL_PTX_T_E2M1X2;
  }
  unsigned version = f->version > 90 ? f->version : 90;
  const char *target = f->target <= 90 && !small                 ? "sm_90"
                       : f->target == 120 || f->target == 1121   ? "sm_120a"
                       : f->target == 1090 || f->target == 1190  ? "sm_90a"
                                                                 : "sm_100a";
  (void)snprintf(text, sizeof text, ".version %u.%u\n.target %s\n", version / 10, version % 10,
                 target);
  return text;
}

static bool of_halves(wl_ptx_type_t type) {
  return type == WL_PTX_T_F16 || type == WL_PTX_T_BF16 || type == WL_PTX_T_F16X2 ||
         type == WL_PTX_T_BF16X2;
}

static bool is_one_of_many(const choice_t *c) {
  bool compares = c->form->op == WL_PTX_OP_SET || c->form->op == WL_PTX_OP_SETP;
  bool shown = c->cmp == WL_PTX_M_LT || (c->cmp == WL_PTX_M_NEU && !c->boolop);
  return compares && (of_halves(c->type[0]) || of_halves(c->type[c->types - 1])) && !shown;
}

/* Comparisons that the type has: one row holds types of all kinds [PTX 9.7.6.1, 9.7.7.1]. */
static bool has_comparison(const choice_t *c) {
  wl_ptx_type_t type = c->type[c->types - 1];
  if (c->form->op != WL_PTX_OP_SET || wl_ptx_type_bits(c->type[0]) != 16) {
    return true;
  }
  bool equality = c->cmp == WL_PTX_M_EQ || c->cmp == WL_PTX_M_NE;
  bool order = c->cmp == WL_PTX_M_LT || c->cmp == WL_PTX_M_LE || c->cmp == WL_PTX_M_GT ||
               c->cmp == WL_PTX_M_GE;
  bool plain = c->cmp == WL_PTX_M_LO || c->cmp == WL_PTX_M_LS || c->cmp == WL_PTX_M_HI ||
               c->cmp == WL_PTX_M_HS;
  if (!wl_ptx_type_is_int(type) && !wl_ptx_type_is_bits(type)) {
    return !plain && (!c->ftz || type == WL_PTX_T_F32 || type == WL_PTX_T_F16);
  }
  bool ordered = !wl_ptx_type_is_bits(type) && (order || (plain && !wl_ptx_type_is_signed(type)));
  return !c->ftz && (equality || ordered);
}

static void put_row(const choice_t *c, const char *immediate, wl_form_each_t row, void *context) {
  char operands[64] = "";
  size_t n = 0;
  for (uint8_t i = 0; i < c->form->nops; i++) {
    const char *text = token(c, &c->form->ops[i], immediate);
    if (*text != 0) {
      n += (size_t)snprintf(operands + n, sizeof operands - n, "%s%s", n != 0 ? " " : "", text);
    }
  }
  row(context, &(wl_form_row_t){c->text, operands, head_of(c), is_one_of_many(c)});
}

static void put(const choice_t *c, wl_form_each_t row, void *context) {
  static const char *const tables[] = {"0x96", "0xe8", "0x1d", "0x80"};
  bool immediate = false;
  for (uint8_t i = 0; i < c->form->nops; i++) {
    immediate = immediate || c->form->ops[i].kind == 'i';
  }
  for (unsigned i = 0; i < (immediate ? 4u : 1u); i++) {
    put_row(c, tables[i], row, context);
  }
}

/* ---- every choice: `number` in mixed radix, one digit for each slot */
static bool choose(const wl_form_t *f, uint32_t number, choice_t *c) {
  *c = (choice_t){.form = f};
  (void)snprintf(c->text, sizeof c->text, "%s", wl_ptx_op_name(f->op));
  for (uint8_t s = 0; s < f->nslots; s++) {
    const wl_slot_t *slot = &f->slots[s];
    uint32_t ways = slot->nitems + (slot->optional ? 1u : 0u), digit = number % ways;
    number /= ways;
    for (uint32_t k = 0; k < digit && digit < slot->nitems; k++) {
      c->again = c->again || (slot->items[k].kind == slot->items[digit].kind &&
                              slot->items[k].id == slot->items[digit].id);
    }
    if (digit < slot->nitems) {
      add_item(c, slot->items[digit], slot->field);
    }
  }
  return number == 0;
}

bool wl_form_list(wl_form_each_t row, void *context) {
  char message[200];
  wl_arena_t arena = {0};
  const wl_forms_t *forms = wl_forms_compile(&arena, message, sizeof message);
  for (uint32_t i = 0; forms != NULL && i < forms->count; i++) {
    choice_t c;
    for (uint32_t k = 0; is_arithmetic(&forms->forms[i]) && choose(&forms->forms[i], k, &c); k++) {
      if (!c.approximate && !c.again && has_comparison(&c)) {
        put(&c, row, context);
      }
    }
  }
  if (forms == NULL) {
    printf("%s\n", message);
  }
  wl_arena_free(&arena);
  return forms != NULL;
}
