/* run.h: state of a running grid: threads, warps, CTAs. thread.c executes, exchange.c and barrier.c
 * let threads meet, grid.c gives turns. */
#ifndef WL_TESTS_ORACLE_RUN_H
#define WL_TESTS_ORACLE_RUN_H
#include "tests/oracle/module.h"

enum { OR_LANES = 32, OR_BARRIERS = 16, OR_MAX_DEPTH = 512, OR_MAX_ARGS = 64 };

typedef enum wl_or_state {
  OR_READY,
  OR_AT_BARRIER,
  OR_AT_EXCHANGE,
  OR_AT_ACTIVE, /* activemask: waits for lanes that may join */
  OR_AT_MBARRIER,
  OR_AT_CLUSTER,
  OR_DONE
} wl_or_state_t;

typedef struct wl_or_frame { /* of a caller */
  const wl_or_func_t *func;
  uint32_t pc, reg_base, local_base;
  const wl_or_call_t *call;
} wl_or_frame_t;

typedef struct wl_or_copy { /* of cp.async, or an arrival behind those before it */
  const wl_or_insn_t *insn;
  uint8_t *to;
  const uint8_t *from;
  uint32_t bytes, copied; /* .. of the source, then zeros */
  uint64_t group;         /* groups that were closed before */
  uint8_t *object;        /* not NULL: an arrival */
  uint32_t patience;      /* turns left before it is carried out */
  bool over;
} wl_or_copy_t;

typedef struct wl_or_bulk { /* a bulk copy, an asynchronous store or reduction */
  const wl_or_insn_t *insn;
  uint8_t *to;
  const uint8_t *from; /* NULL: it is `value` */
  uint32_t bytes;      /* .. but for the first `left` and the last `right` */
  uint32_t left, right;
  uint64_t value;
  uint8_t *data;              /* what it has read; NULL: it has not */
  uint16_t mask;              /* bytes of each 16 that are written */
  uint64_t group;             /* groups that were closed before */
  uint8_t *object;            /* the mbarrier, or NULL */
  uint32_t read_in, write_in; /* turns left; from the read to the write */
  bool over;
} wl_or_bulk_t;

typedef struct wl_or_thread {
  const wl_or_func_t *func;
  uint32_t pc, reg_base, local_base, local_start, depth;
  wl_or_state_t state;
  uint32_t tid[3];
  uint32_t number; /* in the CTA */
  bool carry;      /* CC.CF [PTX 9.7.2] */
  uint64_t *regs;
  size_t regs_cap;
  uint8_t *local;
  size_t local_cap;
  wl_or_frame_t *frames;
  size_t frames_cap;
  const wl_or_insn_t *wait;   /* instruction that it stands at; pc is behind it */
  uint64_t value[OR_SOURCES]; /* its operands */
  uint32_t
      patience; /* turns left before an activemask takes the lanes that came, a try_wait ends */
  uint32_t cluster_arrivals, cluster_waits;
  wl_or_copy_t *copies; /* under way, in the order of issue */
  size_t ncopies, copies_cap;
  uint64_t groups;     /* of copies, closed ones */
  wl_or_bulk_t *bulks; /* under way, in the order of issue */
  size_t nbulks, bulks_cap;
  uint64_t bulk_groups; /* closed ones */
} wl_or_thread_t;

typedef struct wl_or_barrier {
  uint32_t expected;          /* threads; 0: all of the CTA; valid while somebody arrived */
  uint32_t arrived[OR_LANES]; /* lanes by warp */
  uint32_t popc, all, any;    /* of the predicates */
  bool used;
} wl_or_barrier_t;

typedef struct wl_or_cta {
  uint32_t id[3];
  uint32_t nthreads, alive;
  wl_or_thread_t *threads;
  uint8_t *shared; /* from shared_start */
  uint32_t shared_bytes;
  wl_or_barrier_t barrier[OR_BARRIERS];
  uint32_t cluster_phase; /* phases of the cluster's barrier that are over */
} wl_or_cta_t;

typedef struct wl_or_grid {
  wl_or_program_t *program;
  const wl_or_launch_t *launch;
  uint8_t *params;
  uint32_t param_bytes;
  uint64_t instructions, limit, pattern, random;
  wl_or_cta_t *ctas; /* resident ones */
  size_t nctas;
  uint32_t time_outs; /* of waits, since an operation on an mbarrier */
} wl_or_grid_t;

/* Everything an instruction of one thread sees. */
typedef struct wl_or_ctx {
  wl_or_grid_t *grid;
  wl_or_cta_t *cta;
  wl_or_thread_t *thread;
  const wl_or_insn_t *insn;
} wl_or_ctx_t;

/* Sets the launch's error with place and thread; returns false. */
__attribute__((format(printf, 2, 3))) bool wl_or_fail(const wl_or_ctx_t *x, const char *fmt, ...);

/* thread.c: at most `budget` instructions; true unless an error was set. */
bool wl_or_run_thread(wl_or_grid_t *g, wl_or_cta_t *cta, wl_or_thread_t *t, uint32_t budget);
bool wl_or_start_thread(const wl_or_grid_t *g, wl_or_thread_t *t);
void wl_or_free_thread(wl_or_thread_t *t);
uint64_t wl_or_source(const wl_or_ctx_t *x, const wl_or_src_t *s);
static inline void wl_or_put(wl_or_thread_t *t, wl_or_dst_t d, uint64_t value) {
  t->regs[t->reg_base + d.slot] = value & d.mask;
}

/* integer.c, compare.c: s = the sources; the result goes to the destinations. */
uint64_t wl_or_integer(const wl_or_insn_t *n, const uint64_t *s);
uint64_t wl_or_lop3(const uint64_t *s);
bool wl_or_is_integer(uint8_t op);
bool wl_or_arith(const wl_or_ctx_t *x, const uint64_t *s); /* all but integers: f32, cvt, set.. */
bool wl_or_combine(const wl_or_insn_t *n, bool t, bool c); /* with the predicate of setp, set */
/* narrow.c: half precision, pairs of f32, carries, packed integers. */
void wl_or_narrow(const wl_or_ctx_t *x, const uint64_t *s);

/* memory.c */
bool wl_or_memory(const wl_or_ctx_t *x);
uint8_t *wl_or_pointer(const wl_or_ctx_t *x, wl_or_space_t space, uint64_t address, uint32_t bytes,
                       bool write, bool *global);

/* What an atomic operation leaves in memory: sub, bits, sgn of the instruction say which. */
uint64_t wl_or_combined(const wl_or_insn_t *n, uint64_t old, uint64_t b, uint64_t c, bool global);

/* call.c */
bool wl_or_call(const wl_or_ctx_t *x);
bool wl_or_return(const wl_or_ctx_t *x);

/* exchange.c and barrier.c: a thread came to the instruction (its operands are in value[]), or
 * left for ever. They may release threads. */
bool wl_or_meet(const wl_or_ctx_t *x);
bool wl_or_arrive(const wl_or_ctx_t *x);
bool wl_or_left(wl_or_grid_t *g, wl_or_cta_t *cta, wl_or_thread_t *t);
bool wl_or_check_warp(wl_or_grid_t *g, wl_or_cta_t *cta, uint32_t warp);
bool wl_or_check_barriers(wl_or_grid_t *g, wl_or_cta_t *cta);
/* mbarrier.c */
bool wl_or_mbarrier(const wl_or_ctx_t *x);
bool wl_or_mbarrier_pending(const wl_or_ctx_t *x);
bool wl_or_mbarrier_wait(const wl_or_ctx_t *x);
bool wl_or_settle_waits(wl_or_grid_t *g, wl_or_cta_t *cta, bool *progress);
uint8_t *wl_or_mbarrier_object(const wl_or_ctx_t *x); /* its bytes; NULL: an error was set */
bool wl_or_mbarrier_expect_one(const wl_or_ctx_t *x, uint8_t *object); /* one arrival more */
bool wl_or_mbarrier_arrive(const wl_or_ctx_t *x, uint8_t *object);
bool wl_or_mbarrier_complete(const wl_or_ctx_t *x, uint8_t *object, uint32_t bytes);
/* copy.c */
bool wl_or_copy(const wl_or_ctx_t *x);
bool wl_or_settle_copies(wl_or_grid_t *g, wl_or_cta_t *cta);
/* bulk.c */
bool wl_or_bulk(const wl_or_ctx_t *x);
bool wl_or_settle_bulks(wl_or_grid_t *g, wl_or_cta_t *cta, bool all); /* all: whatever is left */
bool wl_or_cluster(const wl_or_ctx_t *x);
void wl_or_check_cluster(wl_or_cta_t *cta); /* after an arrival, or when a thread has left */
/* activemask: lets waiting lanes go when no lane of their warp can still join. */
void wl_or_settle_active(wl_or_cta_t *cta, bool *released);
/* product.c: the products of all lanes, the first of which is this one. */
void wl_or_product(wl_or_thread_t *lane);
/* matrix.c: all lanes of the warp stand at a matrix instruction; false: an error was set. */
bool wl_or_matrix(wl_or_grid_t *g, wl_or_cta_t *cta, uint32_t warp);
uint32_t wl_or_lanes(const wl_or_cta_t *cta, uint32_t warp, bool alive_only);

#endif
