/* func.h: the functional runner: executes warps without a clock, to the rules of
 * docs/microarchitecture.md sections 2, 3, 7-10, 12 that a program can see. Arithmetic is
 * cmodel/sem. Deliberately not here: cycles, caches, queues, packets; `cycles` counts issues. */
#ifndef WL_DRIVER_FUNC_FUNC_H
#define WL_DRIVER_FUNC_FUNC_H
#include "cmodel/sem/sem.h"
#include "driver/backend.h"
#include "gen/wl_launch.h"

#define FUNC_MAX_WARPS    WL_MOST_WARPS
#define FUNC_MAX_CTAS     WL_MOST_CTAS
#define FUNC_NO_STOP      UINT32_MAX
#define FUNC_QUANTUM      256u /* issues of a warp before the next warp's */
#define FUNC_MAX_SLEEP_NS 1000000u
#define FUNC_NO_TIME      UINT64_MAX
#define FUNC_OP_ALIGNED   1023u /* `op` of lanes that wait at a gathered form */

#define FUNC_SHARED_WINDOW 0x00010000u /* upper address words (space.def) */
#define FUNC_LOCAL_WINDOW  0x00020000u

typedef struct func_insn {
  wl_insn_dec_t dec;
  wl_trap_t trap; /* carried by the instruction, register range included */
  bool direct;    /* no destination register is a source: results may go straight there */
} func_insn_t;

typedef struct func_warp {
  bool valid;
  uint32_t slot, cta, index; /* index in the CTA */
  /* live is split into ready (the running path included), sync, bar, barc, sleep, wait. */
  uint32_t live, ready, sync, bar, barc, sleep, wait;
  uint32_t served, turn;
  bool polled;
  uint32_t mask, pc, depth; /* running path; mask 0: none. Its lanes' lane_pc is out of date */
  uint32_t stop;            /* least PC above the running path's of the other ready lanes */
  bool below;               /* another ready path of its depth has a lower PC */
  uint32_t lane_pc[WL_LANES], lane_depth[WL_LANES];
  uint32_t key[WL_LANES], op[WL_LANES]; /* of waiting lanes */
  uint32_t xval[WL_LANES], xpred;       /* operands of lanes in sync; xpred: s of votes */
  uint32_t bar_pred;
  bool bar_wait;
  uint32_t bar_wait_a;
  bool cluster_wait;          /* its barrier of the cluster is not complete */
  uint64_t wake[WL_LANES];    /* of lanes in sleep and wait; FUNC_NO_TIME: no limit */
  bool tmem_queued;           /* its allocation of tensor memory waits */
  uint32_t tmem_base;         /* the column that its last allocation got */
  uint64_t saw_gen[WL_LANES]; /* gen of the SM at the lane's last test of an mbarrier */
  uint32_t preds[8];
  uint32_t regs[256][WL_LANES]; /* 255 is never written */
} func_warp_t;

typedef struct func_barrier {
  uint32_t arrived; /* by index in the CTA */
  uint32_t b, kind, popc;
  bool all, any;
} func_barrier_t;

typedef struct func_cta {
  bool valid;
  uint32_t id[3], nwarps;
  uint32_t warps[32]; /* slots */
  uint32_t smem_base;
  func_barrier_t barrier[WL_BARRIERS];
} func_cta_t;

typedef struct func_unit { /* 32 columns of tensor memory */
  bool used, first;        /* first: of its allocation */
  uint32_t cta;
} func_unit_t;

typedef struct func_tmem {
  uint32_t *words; /* [quarter][column][lane] */
  func_unit_t unit[WL_MOST_TMEM_COLUMNS / 32];
  bool may[FUNC_MAX_CTAS]; /* the CTA may allocate, and at most so many units */
  uint32_t most[FUNC_MAX_CTAS];
  uint32_t queue[FUNC_MAX_WARPS], queued; /* warps whose allocation waits, in their order */
  uint64_t left;                          /* columns that CTAs left when they ended */
} func_tmem_t;

typedef struct func_sm func_sm_t;

/* Told of every instruction: before lanes of e execute it, where it is a memory access (also of tensor
 * memory; an allocation that waits tries again), and when
 * lanes of `path` have retired it, e of them with a true guard and their results written. With a
 * watch, registers, predicates, shared and local memory start as zeros for every CTA. */
typedef struct func_watch {
  void *context;
  void (*access)(void *context, const func_sm_t *sm, const func_warp_t *w, uint32_t pc, uint32_t e);
  void (*retire)(void *context, const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                 uint32_t path, uint32_t e);
  void (*start)(void *context, const func_sm_t *sm, const func_warp_t *w); /* may be NULL */
} func_watch_t;

struct func_sm {
  wl_backend_desc_t desc;
  const func_watch_t *watch; /* may be NULL */
  wl_launch_block_t launch;
  uint64_t mem_base, mem_limit, local_base; /* of the launch block */
  uint64_t cbase[3];
  uint32_t csize[3];
  func_insn_t *code;
  uint32_t code_words, code_cap;
  uint8_t *smem;
  func_warp_t *warps;
  func_tmem_t tmem;
  func_cta_t ctas[FUNC_MAX_CTAS];
  uint32_t next[3];
  bool remaining;
  uint32_t free_pages[WL_MOST_SUB_CORES]; /* of each sub-core */
  uint64_t clock, thread_insns, limit;
  uint64_t gen;          /* phases of mbarriers completed; programs see 0, as it tells of timing */
  bool stopped, limited; /* why a run ended early */
  wl_run_trap_t trap;    /* cause WL_TRAP_NONE: none */
};

/* Registers as 32 lane values; 255 and above read zero. */
extern const uint32_t func_zero[WL_LANES];
static inline const uint32_t *func_src(const func_warp_t *w, uint32_t r) {
  return r < WL_REG_ZERO ? w->regs[r] : func_zero;
}
/* Word k of the lane's operand at register r. */
static inline uint32_t func_word(const func_warp_t *w, uint32_t r, uint32_t k, uint32_t lane) {
  return r == WL_REG_ZERO ? 0 : func_src(w, r + k)[lane];
}
void func_write(func_warp_t *w, uint32_t r, const uint32_t *value, uint32_t mask);
static inline void func_write_pred(func_warp_t *w, uint32_t p, uint32_t value, uint32_t mask) {
  if (p != WL_PRED_TRUE) w->preds[p] = (w->preds[p] & ~mask) | (value & mask);
}
static inline uint32_t func_pred(const func_warp_t *w, uint32_t p, uint32_t negated) {
  return negated != 0 ? ~w->preds[p] : w->preds[p];
}
static inline uint32_t func_lowest(uint32_t mask) {
  return mask != 0 ? (uint32_t)__builtin_ctz(mask) : 0;
}

static inline void func_retire(const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                               uint32_t path, uint32_t e) {
  if (sm->watch != NULL && path != 0) sm->watch->retire(sm->watch->context, sm, w, pc, path, e);
}

/* func.c: reads the launch block and decodes the code; false when the block does not make sense. */
bool func_load(func_sm_t *sm, uint64_t launch_block);
/* exec.c */
/* Units ALU, MUL and FPU for the lanes of e; the program counter stays. */
void func_arithmetic(const func_sm_t *sm, func_warp_t *w, const func_insn_t *insn, uint32_t e);
void func_run_warp(func_sm_t *sm, func_warp_t *w, uint32_t budget);
/* Chooses the running path among the ready lanes; false if there is none. */
bool func_choose(func_sm_t *sm, func_warp_t *w);
/* End of a turn: the lanes that had it wait until every other ready lane had one. */
void func_end_turn(func_warp_t *w, uint32_t lanes);
/* Records a trap unless there is one; the run ends after the instruction. */
void func_trap(func_sm_t *sm, const func_warp_t *w, wl_trap_t cause, uint32_t lane, uint32_t lanes);
void func_trap_address(func_sm_t *sm, const func_warp_t *w, wl_trap_t cause, uint32_t lane,
                       uint32_t lanes, uint64_t address);
/* access.c: loads, stores, atomics, constant loads for the lanes of e. */
void func_access(func_sm_t *sm, func_warp_t *w, const wl_insn_dec_t *i, uint32_t e);
void func_ldc(func_sm_t *sm, func_warp_t *w, const wl_insn_dec_t *i, uint32_t e);
/* bulk.c: the words of a bulk copy of a lane; bulk copies of the lanes of e. */
typedef struct func_command {
  wl_mem_kind_t kind; /* BLOAD, BSTORE, BRED */
  uint64_t global;
  uint32_t shared, bytes, b; /* b: the mbarrier of a load, the byte mask of a store */
} func_command_t;
func_command_t func_command(const func_warp_t *w, const wl_insn_dec_t *i, uint32_t lane);
void func_bulk(func_sm_t *sm, func_warp_t *w, const wl_insn_dec_t *i, uint32_t e);
/* gather.c: gathered forms. Whether the running path has to wait at one; it waits, out of `ready`; a
 * trap of one that does not wait, true: there is one; lanes that wait like `lane` go on if all do. */
bool func_arrives(const func_warp_t *w, const wl_insn_dec_t *i);
void func_arrive(func_warp_t *w);
bool func_misgathered(func_sm_t *sm, const func_warp_t *w, const wl_insn_dec_t *i, uint32_t e);
void func_release_aligned(func_warp_t *w, uint32_t lane);
/* Matrix loads and stores: of all lanes. */
void func_matrix(func_sm_t *sm, func_warp_t *w, const wl_insn_dec_t *i);
/* tensor.c: products of matrices. */
void func_tensor(func_warp_t *w, const wl_insn_dec_t *i);
/* tmem.c: tensor memory. open: false when memory is out; clear: before a run; end: the CTA is over. An
 * instruction for the lanes of e: false, they wait, out of `ready`. */
bool func_tmem_open(func_sm_t *sm);
void func_tmem_clear(func_sm_t *sm);
void func_tmem_end(func_sm_t *sm, uint32_t cta);
bool func_tmem(func_sm_t *sm, func_warp_t *w, const wl_insn_dec_t *i, uint32_t e);
/* What a load or a store touches: columns of lanes of the warp's quarter; cause: why it traps. Of the
 * shapes of 16 lanes PTX means half of a quarter, though a load of the machine brings all of it. */
typedef struct func_columns {
  uint32_t first, n, lane, lanes;
  wl_trap_t cause;
} func_columns_t;
func_columns_t func_tmem_columns(const func_sm_t *sm, const func_warp_t *w, const wl_insn_dec_t *i);
uint32_t *func_tmem_word(const func_sm_t *sm, uint32_t lane, uint32_t column); /* lane: 0 to 127 */
/* umma.c: products in tensor memory and commits of the lanes of e. commit: the address in the lane's
 * words; false: a generic one that is not of shared memory. */
void func_umma(func_sm_t *sm, func_warp_t *w, const wl_insn_dec_t *i, uint32_t e);
bool func_umma_commit(const func_warp_t *w, const wl_insn_dec_t *i, uint32_t lane,
                      uint64_t *address);
/* fp64.c: 64-bit floating point. */
void func_fp64(func_warp_t *w, const wl_insn_dec_t *i, uint32_t e);
/* meet.c: .sync rendezvous and barriers. Both move the lanes that wait out of `ready`. */
bool func_sync(func_sm_t *sm, func_warp_t *w, const wl_insn_dec_t *i, uint32_t e);
void func_bar(func_sm_t *sm, func_warp_t *w, const wl_insn_dec_t *i, uint32_t e);
void func_check_waiting(func_sm_t *sm, func_warp_t *w);
void func_exit_bar(func_sm_t *sm, func_warp_t *w);
/* wait.c: mbarriers (at: places of the objects; address: of the lanes, for a trap), waiting for them
 * and for the barrier of the cluster. The waits return false when the warp is to give way. */
void func_mbar(func_sm_t *sm, func_warp_t *w, const wl_insn_dec_t *i, uint32_t e,
               const uintptr_t *at);
void func_mbtest(func_sm_t *sm, func_warp_t *w, const wl_insn_dec_t *i, uint32_t e,
                 const uintptr_t *at);
/* The end of what the lane has started, told to the object at `at`. */
void func_signal(func_sm_t *sm, func_warp_t *w, wl_mbar_op_t op, uint32_t lane, uint32_t lanes,
                 uintptr_t at, uint32_t operand);
bool func_wait(func_sm_t *sm, func_warp_t *w, const wl_insn_dec_t *i, uint32_t e);
bool func_cwait(func_sm_t *sm, func_warp_t *w, uint32_t e);
void func_wake_waiting(func_warp_t *w); /* lanes of wait go back to their test */
/* sreg.c */
void func_sreg(const func_sm_t *sm, const func_warp_t *w, uint32_t id, uint32_t out[WL_LANES]);
/* state.c */
void func_dump(void *state, void (*line)(void *context, const char *text), void *context);
void func_hang_report(const func_sm_t *sm, char *buf, size_t cap);

#endif
