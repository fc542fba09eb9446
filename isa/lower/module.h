/* module.h: state of one wl_lower_module run: placed variables, literals, functions.
 * Private to isa/lower. */
#ifndef WL_ISA_LOWER_MODULE_H
#define WL_ISA_LOWER_MODULE_H
#include "isa/lower/lower.h"
#include "isa/lower/mir.h"

/* Where a variable lives: offset in its space; symbol of the object for global and const. */
typedef struct wl_place {
  uint64_t offset;
  uint32_t sym;
} wl_place_t;

/* A .param variable of a function or call, or a .local variable. Scalars are registers. */
typedef struct wl_param {
  bool in_reg;
  uint32_t vreg;   /* in_reg */
  uint32_t offset; /* else: in the frame part named by fix */
  uint8_t fix;     /* wl_mfix_t */
} wl_param_t;

typedef struct wl_literal {
  int kind; /* 0 constant, else wl_obj_reloc_kind_t + 1 */
  uint32_t sym;
  int64_t addend;
  uint32_t offset;
} wl_literal_t;

typedef struct wl_lower {
  const wl_ptx_module_t *m;
  wl_diag_list_t *diags;
  wl_obj_t *obj;
  wl_arena_t arena;
  jmp_buf oom;
  uint32_t max_regs;
  wl_place_t *vars;       /* module->vars by id */
  wl_place_t **func_vars; /* per function: func->vars by id */
  uint32_t *func_sym;     /* symbol of each function, WL_OBJ_NONE without a body */
  wl_mfunc_t *funcs;      /* per function with a body */
  wl_literal_t *literals;
  size_t nliterals, cap_literals;
  uint32_t shared_common; /* static shared bytes of the module and of .func */
  uint32_t *shared_end;   /* per function: end of an entry's own static shared variables, or 0 */
  uint32_t shared_base;   /* offset of dynamic shared memory, in all entries */
  uint32_t shared_align;  /* its alignment */
  uint32_t ptxreg_none;   /* the empty name of the table of PTX registers */
} wl_lower_t;

/* Zeroed, of the module's arena; without memory it jumps to oom. */
void *wl_lower_zalloc(wl_lower_t *l, size_t bytes);

/* c1 offset of an 8-byte literal (deduplicated). */
uint32_t wl_lower_literal(wl_lower_t *l, int kind, uint32_t sym, int64_t addend);
const wl_place_t *wl_lower_place(const wl_lower_t *l, const wl_ptx_func_t *fn,
                                 const wl_ptx_var_t *var);
const wl_ptx_func_t *wl_lower_alias(const wl_ptx_func_t *fn); /* end of the .alias chain */

/* refuse.c: functions that cannot be lowered, and the kernels that can reach them. */
bool wl_lower_is_refused(const wl_lower_t *l, const wl_ptx_func_t *fn);
void wl_lower_trap(wl_lower_t *l, const wl_ptx_func_t *fn); /* lower.c: its body is a trap */
void wl_lower_missing_callees(wl_lower_t *l, const wl_ptx_func_t *fn);
void wl_lower_mark_entries(wl_lower_t *l); /* when all entries are in the object */

/* cluster.c: refuses a function that needs a larger cluster than one CTA. */
void wl_lower_cluster_size(wl_lower_t *l, const wl_ptx_func_t *fn);
/* cluster.c: numbers of the barriers that stand for the barrier of the cluster, when all functions
 * are lowered. */
void wl_lower_cluster(wl_lower_t *l);

/* ptxreg.c: the rows of a function whose code is in the module. */
void wl_lower_ptxregs(wl_lower_t *l, const wl_mfunc_t *f);

/* vars.c: lays out module and function variables, makes images and symbols. */
void wl_lower_vars(wl_lower_t *l);

#endif
