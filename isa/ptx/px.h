/* px.h: the parser's private state: token window, names and scopes, the function being read.
 * Everything lives in the module's arena; running out of memory longjmps to wl_ptx_parse, which is
 * the only place that cleans up. */
#ifndef WL_ISA_PTX_PX_H
#define WL_ISA_PTX_PX_H
#include <setjmp.h>

#include "isa/ptx/forms.h"
#include "isa/ptx/lexer.h"
#include "isa/ptx/limits.h"
#include "isa/ptx/ptx.h"
#include "isa/ptx/spaces.h"
#include "isa/ptx/types.h"

typedef enum wl_sym_kind {
  WL_SYM_NONE,
  WL_SYM_REG,
  WL_SYM_VAR,
  WL_SYM_FUNC,
  WL_SYM_LABEL,
  WL_SYM_TABLE,
  WL_SYM_PROTO,
  WL_SYM_REFUSED /* declared by a refused statement; obj: its owner (uint32_t) */
} wl_sym_kind_t;

typedef struct wl_scope wl_scope_t;
typedef struct wl_name wl_name_t;

typedef struct wl_sym {
  wl_sym_kind_t kind;
  void *obj;
  wl_ptx_pos_t pos;
  wl_name_t *name;
  wl_scope_t *scope;
  struct wl_sym *shadowed, *next_in_scope;
} wl_sym_t;

typedef struct wl_family { /* %r<N> registers, materialised when used */
  wl_ptx_type_t type;
  uint8_t vec;
  uint64_t count;
  wl_ptx_pos_t pos;
  wl_name_t *name;
  wl_scope_t *scope;
  struct wl_family *shadowed, *next_in_scope;
} wl_family_t;

struct wl_name {
  const char *text;
  uint32_t len, hash;
  wl_name_t *next;
  wl_sym_t *sym;
  wl_family_t *family;
  wl_scope_t *indexed_scope; /* scope that last declared <text><number>, and its least number */
  uint64_t indexed_min;
  uint32_t reported_in; /* function serial in which it was reported as undefined */
};

typedef struct wl_pending { /* label reference, resolved when its scope ends */
  wl_name_t *name;
  wl_ptx_pos_t pos;
  wl_ptx_label_t **slot;
  struct wl_pending *next;
} wl_pending_t;

struct wl_scope {
  wl_scope_t *parent;
  uint32_t depth;
  wl_sym_t *syms;
  wl_family_t *families;
  wl_pending_t *pending;
};

typedef struct wl_fn { /* function being read */
  wl_ptx_func_t *func;
  size_t cap_regs, cap_vars, cap_labels, cap_insns, cap_pragmas, cap_tables, cap_needs;
  uint32_t serial;
  bool too_many;
} wl_fn_t;

typedef struct wl_px {
  wl_ptx_module_t *m;
  wl_arena_t *a;
  wl_diag_list_t *d;
  wl_lexer_t lx;
  wl_tok_t tok, ahead;
  bool have_ahead;
  uint32_t last_line; /* line of the token consumed last */
  wl_name_t **buckets;
  uint32_t nbuckets, nnames;
  wl_scope_t *scope;
  wl_fn_t fn; /* fn.func NULL outside a body */
  wl_forms_t *forms;
  const wl_ptx_debug_loc_t *loc;
  uint32_t version10; /* 92 for 9.2 */
  size_t cap_funcs, cap_vars, cap_files, cap_pragmas;
  uint32_t serial;
  bool independent_samplers, unified_samplers; /* .target texmode_independent, _unified */
  uint32_t checked_pragmas;                    /* of the module */
  uint32_t open_braces;                        /* of the initialiser being read */
  uint32_t touched; /* owner of a refused name in this statement: further errors follow of it */
  jmp_buf out_of_memory;
} wl_px_t;

/* px.c: memory, tokens, errors */
void *wl_px_alloc(wl_px_t *p, size_t size);
void *wl_px_grow(wl_px_t *p, void *array, size_t count, size_t *cap, size_t elem);
const char *wl_px_text(wl_px_t *p, const wl_tok_t *t); /* copy of a token's text */
void wl_px_next(wl_px_t *p);
const wl_tok_t *wl_px_peek(wl_px_t *p);
bool wl_px_is(const wl_px_t *p, int punct);
bool wl_px_is_dot(const wl_px_t *p, const char *text);
bool wl_px_is_ident(const wl_px_t *p, const char *text);
bool wl_px_accept(wl_px_t *p, int punct);
bool wl_px_accept_dot(wl_px_t *p, const char *text);
bool wl_px_expect(wl_px_t *p, int punct, const char *clause, const char *where);
bool wl_px_semicolon(wl_px_t *p, const char *clause); /* false: reported, tokens skipped */
void wl_px_skip_statement(wl_px_t *p);
void wl_px_split_percent(wl_px_t *p); /* IDENT "%3" becomes the operator % and what follows */
bool wl_px_error(wl_px_t *p, wl_ptx_pos_t pos, const char *clause, const char *fmt, ...)
    __attribute__((format(printf, 4, 5))); /* always false */
bool wl_px_unsupported(wl_px_t *p, wl_ptx_pos_t pos, const char *clause, const char *fmt, ...)
    __attribute__((format(printf, 4, 5))); /* always false */
void wl_px_note(wl_px_t *p, wl_ptx_pos_t pos, const char *clause, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
void wl_px_warn(wl_px_t *p, wl_ptx_pos_t pos, const char *clause, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
const char *wl_px_tok_text(const wl_tok_t *t, char *buf, size_t cap); /* for messages */

/* symbols.c */
wl_name_t *wl_px_name(wl_px_t *p, const char *s, size_t n);
void wl_px_push_scope(wl_px_t *p);
void wl_px_pop_scope(wl_px_t *p);
bool wl_px_declare(wl_px_t *p, wl_tok_t at, wl_sym_kind_t kind, void *obj);
bool wl_px_declare_family(wl_px_t *p, wl_tok_t at, wl_ptx_type_t type, uint8_t vec, uint64_t count);
wl_sym_t *wl_px_lookup(wl_px_t *p, const char *s, size_t n);           /* NULL if undeclared */
bool wl_px_undefined(wl_px_t *p, const wl_tok_t *t, const char *what); /* reports once; false */
void wl_px_label_ref(wl_px_t *p, const wl_tok_t *t, wl_ptx_label_t **slot);
wl_ptx_reg_t *wl_px_new_reg(wl_px_t *p, const char *name, wl_ptx_type_t type, uint8_t vec,
                            wl_ptx_pos_t pos);

/* refuse.c: statements that are legal and not implemented, read as far as their names */
typedef struct wl_mark { /* a place to read from again, and the counts there */
  wl_lexer_t lx;
  wl_tok_t tok, ahead;
  bool have_ahead;
  uint32_t last_line;
  size_t errors, refused;
} wl_mark_t;
wl_mark_t wl_px_mark(const wl_px_t *p);
/* Owner of what has been refused since, if nothing was malformed; 0: none. */
uint32_t wl_px_refused_since(const wl_px_t *p, const wl_mark_t *m);
void wl_px_needs(wl_px_t *p, uint32_t owner); /* the function being read names its thing */
void wl_px_incomplete(wl_px_t *p); /* ... and is refused: its tree is not to be lowered */
bool wl_px_refuse_name(wl_px_t *p, wl_tok_t at, uint32_t owner);
bool wl_px_refused_variables(wl_px_t *p, const wl_mark_t *m, uint32_t owner);
wl_ptx_func_t *wl_px_refused_interface(wl_px_t *p, const wl_mark_t *m, bool is_entry,
                                       wl_ptx_linkage_t link); /* NULL: malformed */
bool wl_px_skip_body(wl_px_t *p, const wl_ptx_func_t *f);      /* at { */
wl_ptx_func_t *wl_px_find_function(wl_px_t *p, const char *name);

/* const_expr.c */
typedef enum wl_const_kind {
  WL_CONST_INT,
  WL_CONST_UINT,
  WL_CONST_FLOAT,
  WL_CONST_F32
} wl_const_kind_t;
typedef struct wl_const {
  wl_const_kind_t kind;
  uint64_t bits;
  wl_ptx_pos_t pos;
} wl_const_t;
bool wl_px_starts_const(wl_px_t *p);
bool wl_px_const(wl_px_t *p, wl_const_t *out);
bool wl_px_const_int(wl_px_t *p, const char *clause, const char *what, wl_const_t *out);
/* integer in [min, max], for counts and sizes; stops before > so that <N> works */
bool wl_px_const_range(wl_px_t *p, const char *clause, const char *what, uint64_t min, uint64_t max,
                       uint64_t *out);

/* decl.c, init.c: variables */
typedef struct wl_decl { /* what precedes the name */
  wl_ptx_space_t space;
  wl_ptx_linkage_t linkage;
  wl_ptx_type_t type;
  uint8_t vec;
  uint32_t align;
  bool managed, unified, is_ptr;
  uint64_t uuid[2];
  wl_ptx_space_t ptr_space;
  uint32_t ptr_align;
  wl_ptx_pos_t pos;
} wl_decl_t;
bool wl_px_is_space_directive(const wl_px_t *p);
bool wl_px_variable_statement(wl_px_t *p, wl_ptx_linkage_t linkage); /* up to and with `;` */
bool wl_px_decl_prefix(wl_px_t *p, wl_decl_t *d); /* from the space directive to the type */
bool wl_px_array_suffix(wl_px_t *p, wl_ptx_var_t *v);
bool wl_px_attributes(wl_px_t *p, bool *managed, bool *unified, uint64_t uuid[2]);
wl_ptx_var_t *wl_px_new_var(wl_px_t *p, const wl_decl_t *d, const wl_tok_t *name);
void wl_px_size_var(wl_px_t *p, wl_ptx_var_t *v);
bool wl_px_initialiser(wl_px_t *p, wl_ptx_var_t *v);

/* join.c */
wl_ptx_var_t *wl_px_declared_before(wl_px_t *p, const wl_tok_t *name); /* or NULL */
bool wl_px_join(wl_px_t *p, wl_ptx_var_t *old, const wl_ptx_var_t *v);

/* module.c, function.c, perf.c, proto.c, body.c */
void wl_px_module(wl_px_t *p);
bool wl_px_function(wl_px_t *p, wl_ptx_linkage_t linkage);
void wl_px_check_functions(wl_px_t *p); /* at the end of the module */
wl_ptx_func_t *wl_px_new_function(wl_px_t *p, const wl_ptx_proto_t *proto, bool is_entry,
                                  wl_ptx_linkage_t link);
bool wl_px_interface(wl_px_t *p, wl_ptx_proto_t *proto, bool is_entry, bool declare);
bool wl_px_formals(wl_px_t *p, bool is_entry, bool is_ret, bool declare,
                   const wl_ptx_formal_t **out, uint32_t *n);
bool wl_px_perf(wl_px_t *p, wl_ptx_func_t *f, bool *matched);
void wl_px_body(wl_px_t *p);
bool wl_px_pragma(wl_px_t *p, uint32_t index, wl_ptx_pragma_t **list, uint32_t *n, size_t *cap);
bool wl_px_debug_directive(wl_px_t *p, bool *matched); /* .loc .file .section */

/* feature.c */
bool wl_px_check_form_feature(wl_px_t *p, const wl_ptx_insn_t *insn, const wl_form_t *f);
/* a directive, a type of a declaration or a pragma, by its first word */
bool wl_px_check_word(wl_px_t *p, const wl_tok_t *t, const char *clause);
bool wl_px_check_modifier(wl_px_t *p, wl_ptx_op_t op, const wl_tok_t *t);

/* insn.c, operand.c, check.c, call.c */
bool wl_px_instruction(wl_px_t *p, wl_ptx_insn_t *insn);
bool wl_px_is_sreg(const char *s, size_t n);
bool wl_px_operand(wl_px_t *p, wl_ptx_operand_t *o);
bool wl_px_operand_list(wl_px_t *p, wl_ptx_operand_t *list, uint32_t max, uint32_t *n);
bool wl_px_count_fits(const wl_ptx_insn_t *insn, const wl_form_t *form); /* number of operands */
bool wl_px_check_operands(wl_px_t *p, wl_ptx_insn_t *insn, const wl_form_t *form);
void wl_px_open_single(wl_ptx_operand_t *o);                                  /* {x} becomes x */
bool wl_px_sreg_fits(wl_px_t *p, wl_ptx_type_t t, const wl_ptx_operand_t *o); /* as mov reads it */
bool wl_px_check_mov(wl_px_t *p, wl_ptx_insn_t *insn);
bool wl_px_check_cvt_sreg(wl_px_t *p, const wl_ptx_insn_t *insn, const wl_ptx_operand_t *o);
enum { WL_PX_MAX_WRITTEN = 24 };

typedef struct wl_px_written { /* modifiers as they stand in the text */
  wl_item_t items[WL_PX_MAX_WRITTEN];
  wl_tok_t toks[WL_PX_MAX_WRITTEN];
  uint8_t n;
} wl_px_written_t;

/* order.c: slot_of[i] is the slot of the form that modifier i fills. */
bool wl_px_check_order(wl_px_t *p, const wl_ptx_insn_t *insn, const wl_form_t *form,
                       const wl_px_written_t *w, const uint8_t *slot_of);
bool wl_px_check_special(wl_px_t *p, wl_ptx_insn_t *insn);
bool wl_px_check_memory(wl_px_t *p, wl_ptx_insn_t *insn);      /* access.c: its addresses */
bool wl_px_check_access(wl_px_t *p, wl_ptx_insn_t *insn);      /* access.c: all of it */
bool wl_px_check_mbarrier(wl_px_t *p, wl_ptx_insn_t *insn);    /* access.c */
bool wl_px_check_fence(wl_px_t *p, const wl_ptx_insn_t *insn); /* access.c */
bool wl_px_check_copy(wl_px_t *p, wl_ptx_insn_t *insn);        /* access.c */
bool wl_px_check_tmem(wl_px_t *p, wl_ptx_insn_t *insn);        /* tmem.c */
bool wl_px_check_address(wl_px_t *p, wl_ptx_insn_t *insn, wl_ptx_operand_t *a); /* access.c */
bool wl_px_check_bulk(wl_px_t *p, wl_ptx_insn_t *insn);                         /* bulk.c */
bool wl_px_check_async_access(wl_px_t *p, const wl_ptx_insn_t *insn);           /* bulk.c */
bool wl_px_check_words(wl_px_t *p, const wl_ptx_insn_t *insn); /* modifiers, before operands */
bool wl_px_call(wl_px_t *p, wl_ptx_insn_t *insn);
bool wl_px_value_fits(wl_px_t *p, const wl_ptx_operand_t *o, wl_ptx_type_t type, bool relaxed,
                      const char *clause);
/* type of a register or special register operand with its component; NONE for others */
wl_ptx_type_t wl_px_operand_type(const wl_ptx_operand_t *o);
/* number of elements of a REG/SREG operand: 1 when a component is selected */
unsigned wl_px_operand_width(const wl_ptx_operand_t *o);

#endif
