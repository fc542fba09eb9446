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
  bool approximate, boolop, rounded;
} choice_t;

static bool is_arithmetic(const wl_form_t *f) {
  static const char *const clauses[] = {"9.7.1.", "9.7.3.",  "9.7.6.",
                                        "9.7.8.", "9.7.9.7", "9.7.9.21"};
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
                                : 'w'; /* registers of 8 bits: wider ones */
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
  static char one[2];
  one[0] = operand_letter(c, o);
  switch (o->kind) {
  case 'p':
    return o->pair ? "q" : "p";
  case 'd':
    return o->pair_needed ? "W" : one[0] == 'f' && open_nan(c) ? "F" : one;
  case 'n':
    return o->optional && !c->boolop ? "" : strstr(c->text, ".and") != NULL ? "!p" : "p";
  case 'i':
    return immediate;
  default:
    return one;
  }
}

static void put_row(const choice_t *c, const char *immediate, wl_form_row_t row, void *context) {
  char operands[64] = "";
  size_t n = 0;
  for (uint8_t i = 0; i < c->form->nops; i++) {
    const char *text = token(c, &c->form->ops[i], immediate);
    if (*text != 0) {
      n += (size_t)snprintf(operands + n, sizeof operands - n, "%s%s", n != 0 ? " " : "", text);
    }
  }
  row(context, c->text, operands);
}

static void put(const choice_t *c, wl_form_row_t row, void *context) {
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
    if (digit < slot->nitems) {
      add_item(c, slot->items[digit], slot->field);
    }
  }
  return number == 0;
}

bool wl_form_list(wl_form_row_t row, void *context) {
  char message[200];
  wl_arena_t arena = {0};
  const wl_forms_t *forms = wl_forms_compile(&arena, message, sizeof message);
  for (uint32_t i = 0; forms != NULL && i < forms->count; i++) {
    choice_t c;
    for (uint32_t k = 0; is_arithmetic(&forms->forms[i]) && choose(&forms->forms[i], k, &c); k++) {
      if (!c.approximate) {
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
