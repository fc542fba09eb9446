/* check.h: launches of the functional backend that are checked (--checked, docs/checked.md): shadow
 * state tells which registers, predicates and bytes of memory hold a value that the program or the
 * host has written, and which words of shared memory are mbarriers. PTX leaves open what such a
 * value is (5.1, 9.7.9.8), and what an access to a live mbarrier does (9.7.13.15). */
#ifndef WL_DRIVER_CHECK_CHECK_H
#define WL_DRIVER_CHECK_CHECK_H
#include "driver/compare/compare.h"
#include "driver/func/func.h"
#include "driver/internal.h"

enum { CHECK_MOST_FINDINGS = 256 };

typedef enum check_rule {
  CHECK_ADDRESS,     /* an address, a branch target */
  CHECK_PREDICATE,   /* a guard of control or memory, an operand of a vote or barrier */
  CHECK_OUTPUT,      /* a value stored to global memory */
  CHECK_OPERAND,     /* an operand of a barrier or wait */
  CHECK_MBAR_INIT,   /* init of a live mbarrier */
  CHECK_MBAR_NONE,   /* operation on memory that is no mbarrier */
  CHECK_MBAR_ACCESS, /* access of another kind to a live mbarrier */
  CHECK_PROXY,       /* a bulk copy touches what a thread wrote, no proxy fence between */
  CHECK_WAIT,        /* memory that a copy under way writes */
  CHECK_SOURCE,      /* memory that a bulk copy under way reads is written */
  CHECK_ORDER,       /* a bulk copy writes what another thread has read, in no order */
  CHECK_TMEM_WAIT,   /* tensor memory that an operation under way writes or reads */
  CHECK_TMEM_FENCE,  /* the same, but for a fence of tcgen05 in order */
  CHECK_RULES
} check_rule_t;

typedef struct check_async check_async_t; /* async.h */
typedef struct check_tmem check_tmem_t;   /* tmem.h */

typedef struct check_warp { /* masks: bit = lane whose value is written */
  uint32_t regs[256][4];    /* by byte: values of 16 bits are copied as words */
  uint32_t preds[8];
  uint32_t origin[256]; /* instruction that made the value undefined, plus 1; 0: never written */
} check_warp_t;

struct wl_check {
  func_watch_t watch;
  const wl_device_t *device;
  uint8_t *global; /* bit per byte of device memory */
  uint8_t *shared; /* bit per byte of shared memory */
  uint8_t *live;   /* byte per 8 bytes of shared memory: an mbarrier */
  check_warp_t *warp;
  check_async_t *async;
  check_tmem_t *tmem;
  /* Of the memory access that is about to be performed: what its lanes will have of words and bytes. */
  uint32_t loaded[4][4];
  uint32_t tmem_loaded[128][4]; /* the same of a load from tensor memory */
  uint32_t findings;
  wl_finding_t finding[CHECK_MOST_FINDINGS];
};

/* Lanes of `lanes`, not none, break the rule at pc. origin: as in check_warp_t; UINT32_MAX: no value
 * is meant. address NULL: none. */
void check_report(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w, check_rule_t rule,
                  uint32_t pc, uint32_t lanes, uint32_t origin, const uint64_t *address);
/* Lanes of e whose operands are all written; results become written in those of `good`. */
uint32_t check_operands(const check_warp_t *s, const wl_insn_dec_t *i, uint32_t e,
                        uint32_t *origin);
void check_results(check_warp_t *s, const wl_insn_dec_t *i, uint32_t e, uint32_t good,
                   uint32_t origin);
/* moves.c: which bytes of a lane's register are written, a bit each; of RZ all four. */
uint32_t check_register_bytes(const check_warp_t *s, uint32_t r, uint32_t lane);
/* mov, selp, prmt; false: another instruction. Lanes of e in which the operands are written on which a
 * lop3 depends: not so a xor a, a and 0. */
bool check_moves(check_warp_t *s, const func_warp_t *w, const wl_insn_dec_t *i, uint32_t e);
uint32_t check_logic(const check_warp_t *s, const wl_insn_dec_t *i, uint32_t e, uint32_t *origin);
/* together.c: lanes of e have executed an instruction of unit BAR, SYNC or TENSOR. */
void check_together(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                    uint32_t e);
/* access.c: before and after the lanes of e access memory. */
void check_before_access(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                         uint32_t e);
void check_after_access(wl_check_t *c, const func_warp_t *w, const wl_insn_dec_t *i, uint32_t pc,
                        uint32_t e);
/* Whether the access will be performed: else it traps, and says so by itself. */
bool check_is_sound(const func_sm_t *sm, const cmp_access_t *a);
/* Bytes of the access that are written: bit = byte; how they are from now on. */
uint32_t check_written_bytes(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w,
                             const cmp_access_t *a, uint32_t lane);
void check_put_bytes(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w,
                     const cmp_access_t *a, uint32_t lane, uint32_t mask);
/* bulk.c: before the lanes of e copy. */
void check_before_bulk(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                       uint32_t e);
/* bulk.c: of the commands of both. The words of the lanes of e; what signals their end at an mbarrier. */
void check_command_words(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                         uint32_t e);
void check_signal(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                  uint32_t lane, uint32_t offset, uint32_t operand);
/* umma.c: before the lanes of e give products in tensor memory, or commits. */
void check_before_product(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                          uint32_t e);
/* Lanes of e in which all words of a group are written; *origin of the first other one. */
uint32_t check_group(const check_warp_t *s, uint32_t r, uint32_t words, uint32_t e,
                     uint32_t *origin);
/* A word becomes written by byte. */
void check_set_bytes(check_warp_t *s, uint32_t r, uint32_t e, const uint32_t good[4],
                     uint32_t origin);
/* Words of a group become written in the lanes `good`, unwritten in the others of e. */
void check_set_group(check_warp_t *s, uint32_t r, uint32_t words, uint32_t e, uint32_t good,
                     uint32_t origin);

#endif
