/* ast.h: the checked syntax tree of one PTX module, as isa/lower consumes it.
 * Clauses: PTX 4-7, 9 (instructions), 10 (special registers), 11 (directives).
 * Every symbol is resolved: operands point to registers, variables, labels and functions. Nested
 * { } scopes are flattened: a function body is one array of instructions, a label is an index in
 * it. All memory belongs to the module's arena (wl_ptx_module_free).
 * What is not here: legality for the machine (isa/lower decides), control-flow graph. */
#ifndef WL_ISA_PTX_AST_H
#define WL_ISA_PTX_AST_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa/ptx/arena.h"
#include "isa/ptx/diag.h"

/* ---- enums made from isa/def --------------------------------------------------------------- */
typedef enum wl_ptx_type {
#define WL_PTX_TYPE(id, text, kind, bits, reg) WL_PTX_T_##id,
#include "isa/def/ptx_type.def"
#undef WL_PTX_TYPE
  WL_PTX_T_COUNT
} wl_ptx_type_t;

typedef enum wl_ptx_space {
#define WL_SPACE(id, ptx, code, llvm, qual, win, gen, init, decl) WL_PTX_SPACE_##id,
#include "isa/def/space.def"
#undef WL_SPACE
  WL_PTX_SPACE_COUNT
} wl_ptx_space_t;

typedef enum wl_ptx_op {
  WL_PTX_OP_NONE,
#define WL_PTX_OP(id, name, clause) WL_PTX_OP_##id,
#define WL_PTX_FORM(id, status, clause, mods, operands, version, target)
#include "isa/def/ptx_op.def"
#undef WL_PTX_OP
#undef WL_PTX_FORM
  WL_PTX_OP_COUNT
} wl_ptx_op_t;

typedef enum wl_ptx_mod {
  WL_PTX_M_NONE,
#define WL_PTX_MOD(id, text)  WL_PTX_M_##id,
#define WL_PTX_FLAG(id, text) WL_PTX_M_##id,
#include "isa/def/ptx_mod.def"
#undef WL_PTX_MOD
#undef WL_PTX_FLAG
  WL_PTX_M_COUNT
} wl_ptx_mod_t;

enum wl_ptx_flag_index { /* bit numbers of wl_ptx_insn_t.flags */
#define WL_PTX_MOD(id, text)
#define WL_PTX_FLAG(id, text) WL_PTX_FI_##id,
#include "isa/def/ptx_mod.def"
#undef WL_PTX_MOD
#undef WL_PTX_FLAG
                         WL_PTX_FI_COUNT
};
#define WL_PTX_F(id) (UINT64_C(1) << WL_PTX_FI_##id) /* insn->flags & WL_PTX_F(FTZ) */

typedef enum wl_ptx_sreg {
#define WL_PTX_SREG(id, name, type, vec, count, target, version, clause) WL_PTX_SR_##id,
#include "isa/def/ptx_sreg.def"
#undef WL_PTX_SREG
  WL_PTX_SR_COUNT
} wl_ptx_sreg_t;

/* ---- symbols ------------------------------------------------------------------------------- */
typedef struct wl_ptx_func wl_ptx_func_t;
typedef struct wl_ptx_var wl_ptx_var_t;

typedef struct wl_ptx_reg {
  const char *name;   /* "%r17" */
  wl_ptx_type_t type; /* element type */
  uint8_t vec;        /* 1, or 2/4 for .v2/.v4 registers */
  uint32_t id;        /* dense in its function: func->regs[id]; only referenced registers of a
                          %r<N> family exist */
  wl_ptx_pos_t pos;   /* declaration */
} wl_ptx_reg_t;

typedef enum wl_ptx_linkage {
  WL_PTX_LINK_LOCAL,
  WL_PTX_LINK_EXTERN,
  WL_PTX_LINK_VISIBLE,
  WL_PTX_LINK_WEAK,
  WL_PTX_LINK_COMMON
} wl_ptx_linkage_t;

typedef enum wl_ptx_var_role {
  WL_PTX_VAR_MODULE,      /* .global .const .shared at module scope */
  WL_PTX_VAR_FUNCTION,    /* .shared .local .global .const declared inside a function */
  WL_PTX_VAR_ENTRY_PARAM, /* space PARAM_ENTRY; offset = byte offset in the parameter block */
  WL_PTX_VAR_FUNC_PARAM,  /* space PARAM_FUNC: input parameter of a .func */
  WL_PTX_VAR_FUNC_RET,    /* space PARAM_FUNC: return parameter of a .func */
  WL_PTX_VAR_LOCAL_PARAM  /* space PARAM_FUNC: .param declared in a body, for calls */
} wl_ptx_var_role_t;

/* A field of an initialiser that holds an address: the `size` bytes at `offset` become
 * ((generic ? generic address : address in its space) of target + addend) >> shift. */
typedef struct wl_ptx_reloc {
  uint64_t offset;
  uint8_t size;
  uint8_t shift;
  bool generic;
  const wl_ptx_var_t *var; /* exactly one of var, func */
  const wl_ptx_func_t *func;
  int64_t addend;
  wl_ptx_pos_t pos;
} wl_ptx_reloc_t;

struct wl_ptx_var {
  const char *name;
  wl_ptx_pos_t pos;
  wl_ptx_space_t space;
  wl_ptx_var_role_t role;
  wl_ptx_linkage_t linkage;
  wl_ptx_type_t type;     /* element type */
  uint8_t vec;            /* 1, 2, 4 */
  bool is_array, unsized; /* unsized: extern or parameter `name[]`, size 0 */
  uint32_t ndims;
  uint64_t *dims;
  uint32_t align;        /* bytes, power of two, never 0 */
  uint64_t size;         /* bytes */
  uint64_t offset;       /* ENTRY_PARAM: offset in the parameter block; else 0 */
  uint32_t id;           /* dense in module->vars or func->vars (parameters: index in list) */
  bool managed, unified; /* .attribute */
  uint64_t uuid[2];
  bool is_ptr; /* .ptr attribute of a kernel parameter [PTX 5.1.6.3] */
  wl_ptx_space_t ptr_space;
  uint32_t ptr_align;
  const uint8_t *init; /* size bytes or NULL (zero) */
  uint32_t nrelocs;
  const wl_ptx_reloc_t *relocs;
  uint32_t scope_first, scope_last; /* instructions [first, last) in which the name is visible;
                                       FUNCTION and LOCAL_PARAM only */
  uint32_t owner;                   /* MODULE: of its refusals (diag.h) */
};

typedef struct wl_ptx_label {
  const char *name;
  wl_ptx_pos_t pos;
  uint32_t index; /* of the instruction it precedes; == func->ninsns at the end */
  uint32_t id;    /* dense in its function */
} wl_ptx_label_t;

/* A formal parameter or return value: exactly one of reg, var. */
typedef struct wl_ptx_formal {
  wl_ptx_reg_t *reg;
  wl_ptx_var_t *var;
} wl_ptx_formal_t;

typedef struct wl_ptx_proto { /* .callprototype, and the interface of a function */
  const char *name;
  wl_ptx_pos_t pos;
  uint32_t nrets, nparams;
  const wl_ptx_formal_t *rets, *params;
  bool noreturn;
} wl_ptx_proto_t;

typedef struct wl_ptx_table { /* .branchtargets (labels) or .calltargets (funcs) */
  const char *name;
  wl_ptx_pos_t pos;
  uint32_t count;
  wl_ptx_label_t *const *labels;
  wl_ptx_func_t *const *funcs;
} wl_ptx_table_t;

/* ---- operands ------------------------------------------------------------------------------ */
typedef enum wl_ptx_opd_kind {
  WL_PTX_OPD_REG,   /* reg, comp; neg for !p */
  WL_PTX_OPD_SINK,  /* _ */
  WL_PTX_OPD_INT,   /* imm: value as written, 64 bits; imm_unsigned tells .u64 */
  WL_PTX_OPD_FLOAT, /* imm: bit pattern of a double, or of an f32 if imm_f32 (0f notation) */
  WL_PTX_OPD_SREG,  /* sreg, index, comp */
  WL_PTX_OPD_VAR,   /* address of var + imm (var+4, or a[1]); reg non-NULL for a[reg+4] */
  WL_PTX_OPD_FUNC,  /* func */
  WL_PTX_OPD_LABEL, /* label */
  WL_PTX_OPD_ADDR,  /* [reg+imm], [var+imm], [imm]: base in reg or var or neither;
                       both for a[reg+4] */
  WL_PTX_OPD_VEC,   /* elems[nelems]: {a,b,...}, each REG, INT, FLOAT, SINK */
  WL_PTX_OPD_TABLE, /* table (brx.idx, indirect call) */
  WL_PTX_OPD_PROTO  /* proto (indirect call) */
} wl_ptx_opd_kind_t;

typedef struct wl_ptx_operand wl_ptx_operand_t;
struct wl_ptx_operand {
  wl_ptx_opd_kind_t kind;
  wl_ptx_pos_t pos;
  bool neg;     /* !p (predicate) */
  bool indexed; /* VAR: written with an index, a[1] */
  int8_t comp;  /* .x .y .z .w = 0..3 of a vector register or %tid; -1: whole */
  bool imm_unsigned, imm_f32;
  uint64_t imm;   /* value, or signed byte offset of ADDR/VAR */
  uint32_t index; /* %envreg<i>, %pm<i> */
  wl_ptx_sreg_t sreg;
  wl_ptx_reg_t *reg;
  wl_ptx_var_t *var;
  wl_ptx_func_t *func;
  wl_ptx_label_t *label;
  wl_ptx_table_t *table;
  wl_ptx_proto_t *proto;
  uint32_t nelems;
  wl_ptx_operand_t *elems;
  wl_ptx_operand_t *pair; /* d|p: the second destination, else NULL */
};

/* ---- instructions -------------------------------------------------------------------------- */
typedef struct wl_ptx_debug_loc { /* .loc [PTX 11.5.3] in force at an instruction */
  uint32_t file, line, col;       /* file: index of a .file directive */
} wl_ptx_debug_loc_t;

enum { WL_PTX_MAX_TYPES = 4, WL_PTX_MAX_MODES = 4, WL_PTX_MAX_MODS = 16 };

typedef struct wl_ptx_call {   /* op CALL */
  const wl_ptx_proto_t *proto; /* interface called; never NULL after checking, except an indirect
                                  call through .calltargets with an empty list */
  wl_ptx_func_t *func;         /* direct call, else NULL */
  wl_ptx_reg_t *target;        /* indirect: register with the address, else NULL */
  wl_ptx_table_t *table;       /* indirect: possible targets or NULL */
  uint32_t nrets, nargs;
  wl_ptx_operand_t *rets, *args; /* REG or VAR (.param variable), args also INT/FLOAT; SINK rets */
} wl_ptx_call_t;

typedef struct wl_ptx_insn {
  wl_ptx_pos_t pos; /* of the opcode */
  wl_ptx_op_t op;
  wl_ptx_reg_t *guard; /* NULL: unguarded */
  int8_t guard_comp;   /* component of a vector predicate: always -1 */
  bool guard_neg;      /* @!p */
  uint8_t ntypes;
  wl_ptx_type_t type[WL_PTX_MAX_TYPES]; /* in the order written: cvt.f32.s32 = {F32, S32} */
  uint8_t vec;                          /* 1, or 2/4/8 for .v2 .v4 .v8 */
  uint8_t nmodes;
  wl_ptx_mod_t mode[WL_PTX_MAX_MODES]; /* modifiers that select the operation, in the order of the
                             form in ptx_op.def, e.g. mul {WIDE}; shf {L, WRAP}; atom {ADD};
                             bar.red.popc {RED, POPC}; bar.warp.sync {WARP}; cvta.to {TO} */
  wl_ptx_space_t space; /* GENERIC when none is written; .param is already ::entry/::func */
  wl_ptx_mod_t sem;     /* WEAK VOLATILE RELAXED ACQUIRE RELEASE ACQ_REL SC MMIO or NONE */
  wl_ptx_mod_t scope;   /* CTA CLUSTER GPU SYS (GL is turned into GPU) or NONE */
  wl_ptx_mod_t cache;   /* CA CG CS LU CV WB WT or NONE */
  wl_ptx_mod_t evict_l1, evict_l2, prefetch_size; /* hints */
  wl_ptx_mod_t round;                             /* RN RZ RM RP RNA RNI RZI RMI RPI or NONE */
  wl_ptx_mod_t cmp;                               /* EQ .. NANCMP or NONE */
  wl_ptx_mod_t boolop;                            /* AND OR XOR of set/setp/lop3, or NONE */
  uint64_t flags;                                 /* WL_PTX_F(...) bits */
  uint8_t nmods;
  wl_ptx_mod_t mods[WL_PTX_MAX_MODS]; /* all modifiers but types and space, in the form's order */
  uint8_t space_at, types_at;    /* how many of mods stand before the space, before the types */
  uint16_t form;                 /* row of ptx_op.def forms that matched */
  uint32_t noperands, ndests;    /* ndests: how many of the first operands are destinations */
  wl_ptx_operand_t *operands;    /* in the order written; optional ones absent at the end */
  const wl_ptx_call_t *call;     /* op CALL only (noperands is 0 then) */
  const wl_ptx_debug_loc_t *loc; /* NULL without .loc */
} wl_ptx_insn_t;

/* ---- functions and module ------------------------------------------------------------------ */
enum wl_ptx_perf_bit { /* which performance directives were present [PTX 11.4] */
                       WL_PTX_PERF_MAXNREG = 1 << 0,
                       WL_PTX_PERF_MAXNTID = 1 << 1,
                       WL_PTX_PERF_REQNTID = 1 << 2,
                       WL_PTX_PERF_MINNCTAPERSM = 1 << 3,
                       WL_PTX_PERF_MAXNCTAPERSM = 1 << 4,
                       WL_PTX_PERF_REQNCTAPERCLUSTER = 1 << 5,
                       WL_PTX_PERF_EXPLICITCLUSTER = 1 << 6,
                       WL_PTX_PERF_MAXCLUSTERRANK = 1 << 7,
                       WL_PTX_PERF_BLOCKSARECLUSTERS = 1 << 8,
                       WL_PTX_PERF_ABI_PRESERVE = 1 << 9,
                       WL_PTX_PERF_ABI_PRESERVE_CONTROL = 1 << 10
};

typedef struct wl_ptx_pragma {
  const char *text; /* without quotes */
  wl_ptx_pos_t pos;
  uint32_t index; /* instruction it precedes (functions); 0 for module and header pragmas */
} wl_ptx_pragma_t;

struct wl_ptx_func {
  const char *name;
  wl_ptx_pos_t pos;
  bool is_entry;
  bool defined; /* false: prototype only */
  wl_ptx_linkage_t linkage;
  wl_ptx_proto_t proto;          /* returns and parameters; noreturn */
  uint32_t param_bytes;          /* entry: size of the parameter block */
  const wl_ptx_func_t *alias_of; /* .alias target, else NULL */
  uint32_t perf;                 /* wl_ptx_perf_bit */
  uint32_t maxnreg, minnctapersm, maxnctapersm, maxclusterrank, abi_preserve, abi_preserve_control;
  uint32_t maxntid[3], reqntid[3], reqnctapercluster[3];
  bool unified;
  uint64_t uuid[2];
  uint32_t id;     /* dense in module->funcs */
  uint32_t owner;  /* of its refusals (diag.h) */
  uint32_t nneeds; /* owners of what its text names and is refused */
  uint32_t *needs;
  uint32_t nregs, nvars, nlabels, ninsns, npragmas, ntables;
  wl_ptx_reg_t **regs; /* referenced registers (including .reg parameters), id order */
  wl_ptx_var_t **vars; /* variables declared in the body */
  wl_ptx_label_t **labels;
  wl_ptx_insn_t *insns;
  wl_ptx_pragma_t *pragmas;
  wl_ptx_table_t **tables;
};

typedef struct wl_ptx_file {
  uint32_t index;
  const char *name;
} wl_ptx_file_t;

typedef struct wl_ptx_module {
  wl_arena_t arena;
  const char *name; /* of the source */
  uint32_t version_major, version_minor;
  uint32_t sm;    /* 80 for sm_80 */
  char sm_suffix; /* 'a', 'f' or 0 */
  bool debug;
  uint32_t address_size; /* 32 or 64 */
  uint32_t nfuncs, nvars, nfiles, npragmas;
  wl_ptx_func_t **funcs; /* entries and functions in order of first appearance */
  wl_ptx_var_t **vars;   /* module-scope variables, in order */
  wl_ptx_file_t *files;
  wl_ptx_pragma_t *pragmas;
} wl_ptx_module_t;

#endif
