/* module.h: device memory and program of the oracle: what translate*.c and the executor share. */
#ifndef WL_TESTS_ORACLE_MODULE_H
#define WL_TESTS_ORACLE_MODULE_H
#include "tests/oracle/code.h"
#include "tests/oracle/oracle.h"

/* Where the oracle puts things: not where the machine does. An address of .shared, .local or
 * .param plus its window is the generic address; .global and .const addresses are generic. */
#define OR_GLOBAL_BASE   UINT64_C(0x0000710000000000)
#define OR_SHARED_WINDOW UINT64_C(0x0000550000000000)
#define OR_LOCAL_WINDOW  UINT64_C(0x0000660000000000)
#define OR_PARAM_WINDOW  UINT64_C(0x0000440000000000)
#define OR_CODE_BASE     UINT64_C(0x0000330000000000)
enum { OR_CODE_STEP = 64, OR_SHARED_START = 1024, OR_LOCAL_START = 64 };
#define OR_WINDOW_SIZE UINT64_C(0x100000000)

typedef struct wl_or_block { /* one allocation of device memory */
  uint64_t address;
  size_t size;
  uint8_t *data;
  bool is_const;
} wl_or_block_t;

typedef struct wl_or_placed { /* where a variable stands: address, or offset in .shared */
  const wl_ptx_var_t *var;
  uint64_t at;
} wl_or_placed_t;

struct wl_or_module {
  char *name, *text;
  wl_ptx_module_t *ptx;
  wl_or_block_t *blocks;
  size_t nblocks, cap, last; /* last: found last time */
  uint64_t next;
  wl_or_placed_t *vars; /* .global and .const */
  size_t nvars;
};

/* The block that holds [address, address + size), or NULL. */
wl_or_block_t *wl_or_find(wl_or_module_t *m, uint64_t address, size_t size);

/* The program of one kernel: translated for one launch. */
typedef struct wl_or_program {
  wl_or_module_t *module;
  wl_arena_t arena;
  wl_or_func_t *funcs; /* by wl_ptx_func_t.id; `wanted` ones are translated */
  const wl_or_func_t *entry;
  wl_or_placed_t *shared;
  size_t nshared;
  uint32_t shared_start; /* address of the first byte */
  uint32_t shared_end;   /* end of static shared memory */
  uint32_t dynamic_at;
  char *error;
  size_t cap;
} wl_or_program_t;

/* p->module, error and cap set, all else zero. False: error says why. Freed in either case. */
bool wl_or_translate(wl_or_program_t *p, const char *entry);
void wl_or_program_free(wl_or_program_t *p);

/* Parts of the translator. */
typedef struct wl_or_tr {
  wl_or_program_t *p;
  wl_or_func_t *f;
  const wl_ptx_insn_t *ast;
  wl_or_insn_t *out;
} wl_or_tr_t;

__attribute__((format(printf, 2, 3))) bool wl_or_tr_fail(wl_or_tr_t *t, const char *fmt, ...);
bool wl_or_tr_insn(wl_or_tr_t *t);    /* translate_insn.c: arithmetic and control */
bool wl_or_tr_memory(wl_or_tr_t *t);  /* translate_mem.c: memory and exchange */
bool wl_or_tr_wmma(wl_or_tr_t *t);    /* fragment.c */
bool wl_or_tr_cluster(wl_or_tr_t *t); /* translate_mbarrier.c */
bool wl_or_tr_copy(wl_or_tr_t *t);    /* translate_copy.c */
bool wl_or_tr_is_bulk(const wl_or_tr_t *t);
bool wl_or_tr_bulk(wl_or_tr_t *t); /* translate_bulk.c */
/* translate_narrow.c: halves, pairs of f32, carries, packed integers if *taken; cvt; what set and setp compare. */
bool wl_or_tr_narrow(wl_or_tr_t *t, bool *taken);
bool wl_or_tr_cvt(wl_or_tr_t *t);
bool wl_or_tr_comparison_type(wl_or_tr_t *t, wl_ptx_type_t type, bool set);
bool wl_or_tr_call(wl_or_tr_t *t);
bool wl_or_tr_has(const wl_or_tr_t *t, wl_ptx_mod_t mod); /* the instruction has this modifier */

/* operands.c: the bits of the operand's type; F32 constants are rounded from double. */
bool wl_or_tr_src(wl_or_tr_t *t, const wl_ptx_operand_t *o, wl_ptx_type_t type, wl_or_src_t *s);
bool wl_or_tr_dst(wl_or_tr_t *t, const wl_ptx_operand_t *o, wl_or_dst_t *d);
/* Elements of a brace list or a vector register. */
bool wl_or_tr_src_vec(wl_or_tr_t *t, const wl_ptx_operand_t *o, wl_ptx_type_t type, unsigned n,
                      wl_or_src_t *s);
bool wl_or_tr_dst_vec(wl_or_tr_t *t, const wl_ptx_operand_t *o, unsigned n, wl_or_dst_t *d);
/* A register of .b128: two slots of 64 bits. */
bool wl_or_tr_src128(wl_or_tr_t *t, const wl_ptx_operand_t *o, wl_or_src_t *s);
bool wl_or_tr_dst128(wl_or_tr_t *t, const wl_ptx_operand_t *o, wl_or_dst_t *d);
bool wl_or_tr_address(wl_or_tr_t *t, const wl_ptx_operand_t *o); /* s[0] and offset */
bool wl_or_tr_space(wl_or_tr_t *t, wl_ptx_space_t space, uint8_t *out);

static inline uint64_t wl_or_mask(unsigned bits) {
  return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}
#endif
