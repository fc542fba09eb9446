/* mir.h: machine instructions over virtual registers, between instruction selection and encoding.
 * An operand is a word of a virtual register, so that halves of 64-bit values are read and written
 * without copies; liveness is per word ("unit"). Private to isa/lower and its tests. */
#ifndef WL_ISA_LOWER_MIR_H
#define WL_ISA_LOWER_MIR_H
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>

#include "gen/wl_insn.h"
#include "isa/ptx/arena.h"
#include "isa/ptx/ast.h"

enum wl_abi {
#define ABI(name, value, meaning) WL_ABI_##name = value,
#include "isa/def/abi.def"
#undef ABI
  WL_ABI_END
};

/* A word of a virtual register: register * 4 + word. 0 = RZ (or no operand). */
typedef uint32_t wl_mreg_t;
#define WL_RZ 0u
static inline wl_mreg_t wl_mreg(uint32_t vreg, uint32_t word) { return vreg * 4u + word; }
static inline uint32_t wl_mreg_vreg(wl_mreg_t r) { return r >> 2; }
static inline uint32_t wl_mreg_word(wl_mreg_t r) { return r & 3u; }
/* The word w further; RZ stays RZ. */
static inline wl_mreg_t wl_mreg_at(wl_mreg_t r, uint32_t w) { return r == WL_RZ ? r : r + w; }

#define WL_NOREG (-1)
typedef struct wl_vreg {
  uint8_t words;  /* 1, 2 (even), 4 (multiple of 4); 0 = predicate */
  bool temp;      /* used only under the guard that defines it: a guarded write ends its past */
  bool no_spill;  /* made by spilling */
  int16_t fixed;  /* register of the calling convention or WL_NOREG */
  int16_t phys;   /* result of allocation: first register or predicate, WL_NOREG = none */
  wl_mreg_t orig; /* its first word before spilling: itself, or what a piece stands for */
  uint32_t unit;  /* first liveness unit */
  uint32_t name;  /* PTX register id + 1, 0 = made here; for listings only */
  uint32_t
      part[4]; /* group.c: the virtual registers that became its words, 0 = none; for listings */
} wl_vreg_t;

/* Pseudo instructions; the encoder knows them, the machine does not. */
enum {
  WL_MP_LABEL = WL_NUM_FORMS, /* imm = label */
  WL_MP_MOV,                  /* copy imm words */
  WL_MP_PROLOGUE,             /* stack pointer, saved registers */
  WL_MP_TRY_WAIT, /* form `target`, the test of an mbarrier, then wait d, c: side by side */
  WL_MP_KILLED,   /* nothing: removed by optimisation */
  WL_MP_MARK, /* nothing: a mark of the object (object.h), imm = its kind; layout notes it in what follows */
  WL_MP_NAME /* a removed copy: PTX register d is in a; for ptxreg.c only */
};

/* What an immediate still lacks until the frame is laid out. */
typedef enum wl_mfix {
  WL_FIX_NONE,
  WL_FIX_LOCAL,  /* + start of .local variables in the frame */
  WL_FIX_SPILL,  /* + start of spill slots */
  WL_FIX_CALLER, /* + frame size: arguments that the caller left on the stack */
  WL_FIX_FRAMES  /* number of frame kinds */
} wl_mfix_t;

typedef struct wl_mcall {      /* what a call reads and writes beside its operands */
  const wl_ptx_func_t *callee; /* NULL: indirect */
  uint32_t nuses, ndefs;
  wl_mreg_t uses[16], defs[16];
} wl_mcall_t;

typedef struct wl_minsn {
  uint16_t form; /* wl_form_t or WL_MP_* */
  bool guard_neg, ps_neg, pt_neg;
  uint8_t fix; /* wl_mfix_t */
  uint8_t
      marks; /* kinds of marks before it, a bit each; layout makes them, so that no pass sees one */
  uint32_t guard, pd, pq, ps, pt; /* predicates: virtual registers, 0 = PT or discard */
  wl_mreg_t d, a, b, c;
  wl_mreg_t x; /* only its first word counts; its register is the immediate */
  uint32_t imm;
  uint32_t mods;   /* word 3 of the instruction, bits as they are */
  uint32_t target; /* bra: label, later block; brx: table; WL_MP_TRY_WAIT: form */
  uint32_t spill;  /* spill code: register whose home is read or written, else 0 */
  const wl_mcall_t *call;
  wl_ptx_pos_t pos;
  const wl_ptx_debug_loc_t *loc;
} wl_minsn_t;

typedef struct wl_mblock {
  uint32_t first, last; /* instructions [first, last) */
  uint32_t nsucc, npred;
  uint32_t *succ, *pred;
  uint32_t fall;        /* successor without branch or WL_NOBLOCK (before layout) */
  uint32_t idom, depth; /* immediate dominator; loops around it */
  uint32_t loop;        /* innermost loop or WL_NOBLOCK */
  bool reached;
} wl_mblock_t;
#define WL_NOBLOCK UINT32_MAX

typedef struct wl_mloop {
  uint32_t header, parent, depth;
  uint64_t *member; /* bit per block */
} wl_mloop_t;

typedef struct wl_mtable { /* brx.idx targets */
  uint32_t count, c1_offset;
  uint32_t *targets; /* labels, later blocks */
} wl_mtable_t;

typedef struct wl_mfunc {
  wl_arena_t *arena;
  jmp_buf *oom;
  const wl_ptx_func_t *ptx;
  bool is_entry, has_calls;
  wl_vreg_t *vregs;
  size_t nvregs, cap_vregs; /* [0] unused */
  wl_minsn_t *insns;
  size_t ninsns, cap_insns;
  uint32_t nlabels;
  wl_mblock_t *blocks;
  uint32_t nblocks;
  wl_mloop_t *loops;
  uint32_t nloops;
  wl_mtable_t *tables;
  size_t ntables, cap_tables;
  uint32_t fixed[32];                                       /* virtual register of R0..R31 or 0 */
  uint32_t out_bytes, local_bytes, spill_bytes, save_bytes; /* parts of the frame, in this order */
  uint32_t max_regs, regs, preds; /* limit; registers and predicates used */
  uint32_t saved;                 /* callee-saved registers used: bit r - SAVED_FIRST */
  uint32_t spilled;               /* registers sent to memory, for reports */
  uint32_t code_base;             /* index of its first instruction in the module */
  uint32_t *insn_pc;              /* instruction -> index in the function, after layout */
} wl_mfunc_t;

/* ---- mir.c */
void *wl_mf_alloc(wl_mfunc_t *f, size_t bytes); /* zeroed; leaves by longjmp when out of memory */
void *wl_mf_grow(wl_mfunc_t *f, void *array, size_t count, size_t *cap, size_t elem);
void wl_mf_init(wl_mfunc_t *f, wl_arena_t *arena, jmp_buf *oom);
uint32_t wl_mf_vreg(wl_mfunc_t *f, uint8_t words, bool temp);
uint32_t wl_mf_fixed(wl_mfunc_t *f, int reg);
wl_minsn_t *wl_mf_append(wl_mfunc_t *f, const wl_minsn_t *insn);
uint32_t wl_mf_units(wl_mfunc_t *f); /* numbers the liveness units, returns their count */
static inline uint32_t wl_vreg_units(const wl_vreg_t *v) { return v->words == 0 ? 1 : v->words; }

typedef struct wl_mopref {
  uint32_t *ref;
  uint8_t words;
  bool def, pred;
  uint8_t group; /* words of the register group that it begins, if these are more; else 0 */
} wl_mopref_t;
enum { WL_MAX_OPERANDS = 10 };
/* Operands in use (not RZ, PT); predicates have words 0. Calls have more in insn->call. */
unsigned wl_mi_operands(wl_minsn_t *insn, wl_mopref_t out[WL_MAX_OPERANDS]);
/* True if the write leaves no trace of the old value: unguarded, or a temporary. */
bool wl_mi_kills(const wl_mfunc_t *f, const wl_minsn_t *insn, uint32_t vreg);
/* True if it reads its operands again after it has written its result: they may not share
 * registers. */
static inline bool wl_mi_repeats(const wl_minsn_t *insn) { return insn->form == WL_MP_TRY_WAIT; }
bool wl_mi_ends_block(const wl_minsn_t *insn); /* bra, brx, unguarded exit and ret */
bool wl_mi_has_effect(
    const wl_minsn_t *insn); /* may not be removed though its results are unused */
/* Final value of an immediate that depends on the frame. */
uint32_t wl_mf_frame(const wl_mfunc_t *f);
uint32_t wl_mf_imm(const wl_mfunc_t *f, const wl_minsn_t *insn);

/* ---- passes, in their order */
void wl_cfg_build(wl_mfunc_t *f);   /* cfg.c: blocks and edges from labels */
void wl_cfg_analyse(wl_mfunc_t *f); /* cfg.c: predecessors, dominators, loops */
void wl_layout(wl_mfunc_t *f);      /* layout.c: order of blocks, branches made explicit */
void wl_opt_copies(wl_mfunc_t *f);  /* opt.c: copy propagation, dead code */
void wl_opt_groups(wl_mfunc_t *f);  /* group.c: registers of matrix fragments */
typedef struct wl_live {
  uint32_t nunits, words; /* 64-bit words of one block's set */
  uint64_t *in, *out;
} wl_live_t;
void wl_live_compute(wl_mfunc_t *f, wl_live_t *l); /* live.c */
bool wl_regalloc(wl_mfunc_t *f);                   /* regalloc.c: false: the limit is too small */
bool wl_regalloc_groups(wl_mfunc_t *f);            /* group.c: the same, with groups if they pay */
uint32_t wl_depth_weight(uint32_t depth);          /* regalloc.c: what a loop counts in costs */
void wl_spill(wl_mfunc_t *f, const uint32_t *vregs, uint32_t count); /* spill.c */
/* Number of machine words of an instruction, and its words (encode.c). */
uint32_t wl_encode_size(const wl_mfunc_t *f, const wl_minsn_t *insn);
typedef void (*wl_emit_fn_t)(void *ctx, const uint32_t w[4]);
void wl_encode(const wl_mfunc_t *f, const wl_minsn_t *insn, wl_emit_fn_t emit, void *ctx);

#endif
