/* forms.h: the instruction forms of isa/def/ptx_op.def, compiled once per parse into slots, and
 * their matching against a written opcode. Grammar of the strings: head of ptx_op.def. */
#ifndef WL_ISA_PTX_FORMS_H
#define WL_ISA_PTX_FORMS_H
#include "isa/ptx/arena.h"
#include "isa/ptx/ast.h"

typedef enum wl_item_kind {
  WL_ITEM_MOD,
  WL_ITEM_TYPE,
  WL_ITEM_SPACE,
  WL_ITEM_UNKNOWN
} wl_item_kind_t;
typedef struct wl_item { /* one modifier as written, or one alternative of a slot */
  uint8_t kind;
  uint16_t id; /* wl_ptx_mod_t, wl_ptx_type_t or wl_ptx_space_t */
} wl_item_t;

typedef enum wl_field { /* where a matched modifier goes in wl_ptx_insn_t */
                        WL_FIELD_AUTO,
                        WL_FIELD_MODE,
                        WL_FIELD_FLAG,
                        WL_FIELD_TYPE,
                        WL_FIELD_SPACE,
                        WL_FIELD_SEM,
                        WL_FIELD_SCOPE,
                        WL_FIELD_CACHE,
                        WL_FIELD_EVICT1,
                        WL_FIELD_EVICT2,
                        WL_FIELD_PREFETCH,
                        WL_FIELD_ROUND,
                        WL_FIELD_CMP,
                        WL_FIELD_BOOLOP,
                        WL_FIELD_VEC,
                        WL_FIELD_DROP
} wl_field_t;

typedef struct wl_slot {
  bool optional;
  uint8_t nitems;
  wl_field_t field;
  const wl_item_t *items;
} wl_slot_t;

typedef struct wl_opspec { /* one operand of a form */
  char kind;               /* letter of ptx_op.def */
  int8_t type_at; /* index in the instruction's types, -1: `type`, -2: doubled type 0, -3: x */
  wl_ptx_type_t type;
  uint8_t count; /* elements of a vector; 0: as .vN says */
  bool wide, sink, optional, pair, pair_needed;
} wl_opspec_t;

typedef struct wl_form {
  wl_ptx_op_t op;
  uint16_t index; /* row in ptx_op.def */
  bool supported, custom;
  bool open; /* `...`: other modifiers may follow (forms that are rejected anyway) */
  const char *clause, *mods_text, *operands_text;
  uint16_t version, target;
  uint8_t nslots, nops;
  wl_slot_t *slots;
  wl_opspec_t *ops;
} wl_form_t;

typedef struct wl_forms {
  wl_form_t *forms;
  uint32_t count;
  uint32_t first[WL_PTX_OP_COUNT + 1]; /* forms of op: [first[op], first[op + 1]) */
  uint16_t op_hash[512];               /* open addressing over opcode names, 0 = empty */
  struct wl_item_name {
    const char *text;
    wl_item_t item;
  } item_hash[1024]; /* NULL = empty */
} wl_forms_t;

/* NULL and a message if a string of ptx_op.def is malformed (a bug) or memory is out. */
wl_forms_t *wl_forms_compile(wl_arena_t *a, char *message, size_t cap);
wl_ptx_op_t wl_forms_find_op(const wl_forms_t *f, const char *s, size_t n);
bool wl_forms_find_item(const wl_forms_t *f, const char *s, size_t n, wl_item_t *out);

typedef struct wl_match {
  const wl_form_t *form; /* best candidate */
  bool ok;
  int unused;               /* index of an item the best candidate has no slot for, or -1 */
  const wl_slot_t *missing; /* mandatory slot that found nothing, or NULL */
} wl_match_t;
/* Finds the form of op for the written items; used_slot[i] gets the slot of item i. */
void wl_forms_match(const wl_forms_t *f, wl_ptx_op_t op, const wl_item_t *items, uint8_t n,
                    wl_match_t *out, uint8_t *used_slot);
/* The next form behind `form` that fits the items wholly, or NULL. */
const wl_form_t *wl_forms_next(const wl_forms_t *f, const wl_form_t *form, const wl_item_t *items,
                               uint8_t n, uint8_t *used_slot);
wl_field_t wl_forms_field(const wl_slot_t *slot, wl_item_t item);
const char *wl_item_text(wl_item_t item, char *buf, size_t cap); /* ".x" */

#endif
