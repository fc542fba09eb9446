/* ptx.h: the PTX front end. Text in, checked AST (ast.h) or diagnostics (diag.h) out.
 * Thread-safe: no global state. `text` need not be zero-terminated and must stay valid while the
 * diagnostics list refers to it. */
#ifndef WL_ISA_PTX_PTX_H
#define WL_ISA_PTX_PTX_H
#include "isa/ptx/ast.h"
#include "isa/ptx/diag.h"

/* Parses and checks a module. Returns 0 and *out on success (warnings possible); else the exit
 * code of the diagnostics (2 malformed, 6 unsupported, 70 internal) and *out = NULL.
 * Everything wrong with the file is reported in one run. With diags->by_owner what is legal and not
 * implemented is no failure: its function or variable is refused (ast.h: owner, needs), and what
 * was refused is missing in the tree. */
int wl_ptx_parse(const char *name, const char *text, size_t len, wl_diag_list_t *diags,
                 wl_ptx_module_t **out);
void wl_ptx_module_free(wl_ptx_module_t *m);
/* Rules for tensor memory that legal PTX may break (docs/checked.md): 0, or the exit code. Functions
 * with something that is refused are left out. */
int wl_ptx_strict_tmem(const wl_ptx_module_t *m, wl_diag_list_t *diags);

/* Names and properties of the enums; never NULL. Modifier and type names come without the dot. */
const char *wl_ptx_op_name(wl_ptx_op_t op);
const char *wl_ptx_op_clause(wl_ptx_op_t op);
const char *wl_ptx_mod_name(wl_ptx_mod_t mod);
const char *wl_ptx_type_name(wl_ptx_type_t type);
const char *wl_ptx_space_name(wl_ptx_space_t space); /* "" for generic */
const char *wl_ptx_sreg_name(wl_ptx_sreg_t sreg);
unsigned wl_ptx_type_bits(wl_ptx_type_t type);
bool wl_ptx_type_is_float(wl_ptx_type_t type);
bool wl_ptx_type_is_signed(wl_ptx_type_t type);
bool wl_ptx_type_is_int(wl_ptx_type_t type);  /* U or S */
bool wl_ptx_type_is_bits(wl_ptx_type_t type); /* B */

/* Interfaces with the same sizes of results and parameters. */
bool wl_ptx_same_proto(const wl_ptx_proto_t *a, const wl_ptx_proto_t *b);

/* Canonical spelling of an instruction's opcode with modifiers, e.g. "ld.global.v4.f32". Writes
 * at most cap bytes with a final 0 and returns the length needed. */
size_t wl_ptx_form_text(const wl_ptx_insn_t *insn, char *buf, size_t cap);

/* Opcode-form histogram, by count downwards, then by text. Free with wl_ptx_histogram_free. */
typedef struct wl_ptx_hist_row {
  char *form;
  size_t count;
} wl_ptx_hist_row_t;
typedef struct wl_ptx_hist {
  wl_ptx_hist_row_t *rows;
  size_t count, total;
} wl_ptx_hist_t;
int wl_ptx_histogram(const wl_ptx_module_t *m, wl_ptx_hist_t *out); /* 0, or -1 out of memory */
void wl_ptx_histogram_free(wl_ptx_hist_t *h);

#endif
