/* async.h: order of asynchronous copies in a checked launch (docs/checked.md, "Asynchronous copies"). Time
 * is the runner's clock. A copy's data are there at once in a functional run; the shadow state keeps
 * what PTX promises: its end is known to a thread that has waited for it, and to threads that may have
 * learnt it from such a one. Any operation by which a thread can learn of others counts (`learnt`), so
 * a missing order may go unseen; an order that is there is never missed. */
#ifndef WL_DRIVER_CHECK_ASYNC_H
#define WL_DRIVER_CHECK_ASYNC_H
#include "driver/check/check.h"
#include "driver/check/tmem.h"

enum { ASYNC_KEPT = 16, ASYNC_GROUPS = 64, ASYNC_PAGE = 1024 /* words */ };
#define ASYNC_NEVER UINT64_MAX

/* When numbers were passed, ascending: of an event, all numbers below `upto`. Of events that are no
 * longer kept only `floor` is known. */
typedef struct async_history {
  uint32_t floor, count;
  struct {
    uint32_t upto;
    uint64_t time;
  } at[ASYNC_KEPT];
} async_history_t;

typedef enum async_kind {
  END_NONE,
  END_MBAR,
  END_BULK,
  END_READ,
  END_COPY,
  END_COMMAND
} async_kind_t;

/* Where the end of an operation is told: to phase `number` of mbarrier `who`; in group `number` of
 * bulk copies of thread `who` (its end, or the end of its reads); as copy `number` of the thread; as its
 * operation `number` on tensor memory (tmem.h), by a commit. */
typedef struct async_end {
  uint32_t kind, who, number;
} async_end_t;

typedef struct async_word { /* 4 bytes of memory */
  async_end_t writes, reads;
  bool adds;               /* what writes is a reduction */
  bool atomic;             /* the last write of a thread was an atomic */
  uint32_t writer, fences; /* thread + 1, its proxy fences by then; 0: none since the last copy */
  uint32_t reader;         /* the last one, + 1 */
  uint64_t written, read, read_other; /* read_other: by a thread before the reader */
} async_word_t;

typedef enum async_space { ASYNC_SHARED, ASYNC_GLOBAL, ASYNC_SPACES } async_space_t;

typedef struct async_thread {
  uint64_t learnt;                /* last time that it may have learnt of others' operations */
  uint64_t covered[ASYNC_SPACES]; /* writes before it are behind a proxy fence, for this thread */
  uint32_t fences[ASYNC_SPACES], groups, copies, copy_groups, arrivals;
  async_history_t fence[ASYNC_SPACES], bulk, read, copy;
  uint32_t mark[ASYNC_GROUPS]; /* copies in groups up to this one */
  struct {
    uint32_t copies; /* that the arrival comes behind */
    async_end_t end;
  } arrival[ASYNC_KEPT];
  /* Of tensor memory. acquired: the last time that it learnt, and that counts without a fence; after: what
   * it had learnt at its last fence after a synchronisation; before: numbers that are behind its fence
   * before one. */
  uint64_t acquired, after;
  async_history_t before;
  tmem_last_t last;
  uint32_t commits;
  struct {
    uint32_t upto; /* numbers below it */
    async_end_t end;
  } commit[ASYNC_KEPT];
} async_thread_t;

typedef struct async_mbar {
  uint64_t object;
  uint32_t phases; /* completed */
  async_history_t seen;
} async_mbar_t;

struct check_async {
  const struct wl_obj *obj;
  bool fresh, used; /* fresh: the launch's first warp has not started; used: it has such copies */
  check_tmem_t *tmem;
  uint8_t *fence;        /* by pc: bit of each space that a proxy fence here is for */
  uint32_t code, pages;  /* sizes */
  uint32_t shared_words; /* of the SM */
  async_word_t *shared, **global;
  async_thread_t *thread;
  async_mbar_t *mbar;
  uint64_t covered[ASYNC_SPACES]; /* most of all threads */
  uint64_t said[CHECK_RULES];     /* time and lane of the last report, so that each counts once */
};

/* async.c */
check_async_t *check_async_open(const wl_device_t *d);
void check_async_close(check_async_t *a); /* NULL: nothing */
void check_async_begin(check_async_t *a, const struct wl_obj *obj);
void check_async_start(check_async_t *a, const func_sm_t *sm, const func_warp_t *w);
/* Lanes of e have executed the instruction: fences, groups, waits, barriers. */
void check_async_retire(check_async_t *a, const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                        uint32_t e);
/* A lane may learn of others' operations. */
void check_async_learn(check_async_t *a, const func_sm_t *sm, const func_warp_t *w, uint32_t lane);
/* An operation on the mbarrier at an offset, of a form of kind MBAR, MBTEST, CPARRIVE or BLOAD, or
 * of a commit of products. */
void check_async_mbarrier(check_async_t *a, const func_sm_t *sm, const func_warp_t *w,
                          const wl_insn_dec_t *i, uint32_t lane, uint32_t offset, uint32_t operand);
/* What is below `upto` has passed at that time; all below `floor` counts as known from the beginning. */
void async_passed(async_history_t *h, uint32_t upto, uint64_t time);
void async_all_passed(async_history_t *h, uint32_t floor);
/* When the end of an operation was first known to a thread: ASYNC_NEVER, not yet. */
uint64_t async_first(const async_history_t *h, uint32_t number);
/* async_ends.c */
bool async_known(const check_async_t *a, const async_end_t *end, uint32_t thread);

/* async_text.c: spaces that a proxy fence at pc is for, by bit; ASYNC_RELAXED: it is a test of an mbarrier
 * with .relaxed. */
enum { ASYNC_RELAXED = 8 };
uint32_t async_fence_at(check_async_t *a, uint32_t pc);
bool check_tmem_known(const check_async_t *a, const async_end_t *end, uint32_t thread); /* tmem.c */

/* async_rules.c: a lane accesses memory, as the instruction does; a bulk copy moves 16 bytes, those of
 * `mask`. */
void check_async_access(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                        const cmp_access_t *access, uint32_t lane, bool reads, bool writes);
void check_async_copy(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                      const cmp_access_t *from, const cmp_access_t *to, uint32_t lane);
void check_async_bulk(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                      uint32_t lane, uint64_t global, uint32_t shared, uint32_t mbar,
                      uint32_t mask);
/* A command of tensor memory reads the 16 bytes at an offset in the CTA's shared memory. */
void check_async_command(const tmem_touch_t *u, uint32_t offset);

#endif
