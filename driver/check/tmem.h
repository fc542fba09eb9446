/* tmem.h: tensor memory of a checked launch (docs/checked.md): which bytes of it are written, and the order of
 * its asynchronous operations (PTX 9.7.16.6). Every load, store, product, copy and shift has a number. A word
 * knows the last one that wrote it, and the last load and the last command that read it. A thread knows of
 * another's operation that it is over, or that it comes before its own, as in async.h; more counts than
 * PTX promises, never less. */
#ifndef WL_DRIVER_CHECK_TMEM_H
#define WL_DRIVER_CHECK_TMEM_H
#include "driver/check/check.h"
#include "driver/func/umma.h"

enum { TMEM_OPS = 1 << 14 /* numbers that are kept; older ones count as over */, TMEM_ALL = 15 };

typedef enum tmem_kind {
  TMEM_NONE,
  TMEM_LD,
  TMEM_ST,
  TMEM_MMA,
  TMEM_CP,
  TMEM_CP4, /* .4x256b, which may follow a shift */
  TMEM_SHIFT
} tmem_kind_t;

typedef struct tmem_op {
  tmem_kind_t kind;
  uint32_t thread; /* of a load or a store: the first of its warp */
  uint32_t class;  /* of a product: its accumulator, shape and kind */
  uint64_t time;
} tmem_op_t;

typedef struct tmem_word {
  uint32_t writer, load, command; /* numbers, 0: none */
  uint32_t bytes;                 /* that are written: a bit each */
} tmem_word_t;

/* Numbers of the last commands: of a thread, or of all. */
typedef struct tmem_last {
  uint32_t mma, shift, mma_before_shift;
} tmem_last_t;

typedef struct tmem_touch { /* by an operation */
  wl_check_t *check;
  const func_sm_t *sm;
  const func_warp_t *warp;
  uint32_t pc, lane, number;
  uint32_t seen; /* the last number that was looked up, and found to be in order */
  uint32_t said; /* verdicts, a bit each: words of one instruction count once */
} tmem_touch_t;

typedef enum tmem_access { TMEM_LOADS, TMEM_STORES, TMEM_READS, TMEM_WRITES } tmem_access_t;

typedef struct check_tmem {
  uint32_t columns;  /* of the device, 0: no tensor memory */
  tmem_word_t *word; /* [lane][column] */
  bool ordered; /* the launch's code has tensor memory, and its object says where fences stand */
  uint32_t ops; /* the last number */
  tmem_op_t op[TMEM_OPS];
  tmem_last_t last;
  struct tmem_warp *warp;
  uint8_t *mark; /* by pc: bits of wl_obj_mark_kind_t */
  uint32_t marks;
} check_tmem_t;

/* tmem.c: what threads know. NULL: no memory. */
check_tmem_t *check_tmem_open(const wl_device_t *d);
void check_tmem_close(check_tmem_t *t); /* NULL: nothing */
void check_tmem_prepare(wl_check_t *c, const func_sm_t *sm);
void check_tmem_start(wl_check_t *c, const func_warp_t *w);
/* Lanes are about to execute the instruction: what stands before it in the PTX. */
void check_tmem_marks(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                      uint32_t lanes);
/* wait::ld of the warp. */
void check_tmem_loaded(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w);
/* A new operation of the lane. */
tmem_touch_t tmem_begin(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                        uint32_t lane, tmem_kind_t kind, uint32_t class);
typedef enum tmem_verdict { TMEM_IN_ORDER, TMEM_NO_FENCE, TMEM_NO_WAIT } tmem_verdict_t;
tmem_verdict_t tmem_before(const tmem_touch_t *u, uint32_t number);
tmem_verdict_t tmem_before_free(const tmem_touch_t *u, uint32_t number);

/* tmem_words.c: the operation touches a word; its bytes stay as they are. */
tmem_word_t *tmem_touch(tmem_touch_t *u, tmem_access_t how, uint32_t lane, uint32_t column);
/* Before an instruction of unit TMEM, and when it has retired. */
void check_before_tmem(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                       uint32_t e);
void check_after_tmem(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                      uint32_t e);

#endif
