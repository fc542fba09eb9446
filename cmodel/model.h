/* The golden model as a driver or a comparer sees it: a device of one SM, with its order point and memory,
 * stepped by cycles (docs/microarchitecture.md). The memory image belongs to the caller. */
#ifndef WL_CMODEL_MODEL_H
#define WL_CMODEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gen/wl_config.h"
#include "gen/wl_trap.h"

typedef struct wl_model wl_model_t;

/* One journal record: kind is an id of isa/def/journal.def, words as listed there. */
typedef void (*wl_journal_fn_t)(void *user, uint64_t cycle, int kind, const uint32_t *words,
                                unsigned n);

typedef struct wl_model_trap {
  wl_trap_t cause; /* WL_TRAP_NONE: none pending */
  uint32_t warp, lane, pc;
  uint64_t address;
} wl_model_trap_t;

/* What a warp slot did in a cycle: it issued, or the first thing that kept it from issuing, its own
 * reasons before those it shares with all warps of its sub-core. */
typedef enum wl_why {
  WL_WHY_NO_WARP, /* slot not in use */
  WL_WHY_ISSUED,
  WL_WHY_FETCH,     /* instruction buffer empty */
  WL_WHY_CONTROL,   /* path engine, resolve under way, no runnable path (barriers, sleep) */
  WL_WHY_REGISTER,  /* register hazard */
  WL_WHY_PREDICATE, /* predicate hazard */
  WL_WHY_LSU,       /* unit busy: the following ten */
  WL_WHY_LDC,
  WL_WHY_EXCHANGE,
  WL_WHY_TENSOR,    /* operand sets of the tensor unit */
  WL_WHY_FP64,      /* operand sets of the unit of 64-bit floating point */
  WL_WHY_COPY,      /* entries of the copy engine */
  WL_WHY_TMEM,      /* tensor memory: entries for loads, its allocator */
  WL_WHY_UMMA,      /* entries of products in tensor memory */
  WL_WHY_TARGETS,   /* target buffer */
  WL_WHY_FENCE,     /* own memory instructions in flight */
  WL_WHY_SLOTS,     /* read slots of the last instruction */
  WL_WHY_WRITEBACK, /* write-back aged */
  WL_WHY_TRAP,      /* a trap is pending, or this issue is one */
  WL_WHY_ARBITER,   /* another warp was chosen */
  WL_WHY_HELD,      /* disturbance, or the head is not judged yet (HazardScan) or being read
                     * (IssueAhead) */
  WL_WHY_WAIT,      /* no path that can run, one waits for a wake-up (WAIT) */
  WL_WHYS
} wl_why_t;

typedef struct wl_model_counters {
  uint64_t cycles;               /* outside IDLE and DONE */
  uint64_t issued;               /* warp-instructions, with an empty exec mask too */
  uint64_t thread_insns;         /* lanes of exec masks */
  uint64_t packets;              /* granted at the SM port */
  uint64_t ctas;                 /* placed */
  uint64_t smem_requests;        /* taken by shared memory: one per LSU beat of an instruction */
  uint64_t smem_passes;          /* accesses of the banks for them */
  uint64_t smem_conflicts;       /* passes that left lanes of theirs to another pass */
  uint64_t columns_left;         /* of tensor memory, by CTAs that ended */
  uint64_t ldc_hits, ldc_misses; /* passes of constant loads; a refilled line counts once */
  uint64_t icache_hits, icache_misses;  /* fetches; misses: lines that were asked for */
  uint64_t op_same_sector, op_full;     /* cycles in which a packet waited at the order point */
  uint64_t why[WL_MOST_WARPS][WL_WHYS]; /* cycles; counted only while watched */
} wl_model_counters_t;

typedef struct wl_model_issue { /* what a sub-core issued */
  unsigned warp;
  uint32_t pc, path, exec;
  const uint32_t *word; /* [4] */
} wl_model_issue_t;

/* ---- waits, copies and products (docs/microarchitecture.md 21 to 26), as visible in a cycle, and what
 * happens in it */
typedef enum wl_wait_on {
  WL_ON_MBARRIER,
  WL_ON_CLUSTER,
  WL_ON_CPASYNC,
  WL_ON_BULK,
  WL_ON_COLUMNS
} wl_wait_on_t;
typedef struct wl_model_wait { /* a WAIT, CWAIT, CPWAIT, BWAIT or ALLOC resolves */
  uint8_t warp, on;            /* wl_wait_on_t */
  uint32_t pc, lanes;
  uint32_t parked; /* of these: that begin to wait */
  uint32_t again;  /* WAIT: that test again, since a phase was over after their test */
} wl_model_wait_t;

typedef struct wl_model_woken { /* a path of a warp waits no longer */
  uint8_t warp, leader;         /* leader: its lowest lane */
  bool timed;                   /* its time is over, nothing woke it */
} wl_model_woken_t;

typedef struct wl_model_commit { /* COMMIT or BCOMMIT closes a group of the warp */
  uint8_t warp;
  bool bulk;
} wl_model_commit_t;

/* What a copy does. A load of the copy engine goes through WALK, DRAIN, TELL, TOLD; a store or reduction
 * through WALK, READ, DRAIN, ACK; a cp.async, or an arrival behind it, through READ, WRITE, END. */
typedef enum wl_copy_step {
  WL_STEP_NONE,  /* no copy */
  WL_STEP_WALK,  /* not asked for all of its sectors */
  WL_STEP_READ,  /* data not all there */
  WL_STEP_DRAIN, /* not written */
  WL_STEP_TELL,  /* mbarrier not told */
  WL_STEP_TOLD,  /* shared memory has the request */
  WL_STEP_ACK,   /* not acknowledged by memory */
  WL_STEP_WRITE, /* offers requests to shared memory */
  WL_STEP_END,   /* shared memory has all of them */
  WL_STEPS
} wl_copy_step_t;

typedef struct wl_model_copy { /* an entry of the copy engine, a slot of the LSU */
  uint8_t step, kind;          /* wl_copy_step_t, wl_mem_kind_t */
  bool grouped;
  uint8_t warp, lane; /* lane: of an entry */
  uint32_t pc, lanes, bytes;
} wl_model_copy_t;

/* What the unit of products in tensor memory does in a cycle (25, 26), by its oldest command. */
typedef enum wl_umma_does {
  WL_DOES_NOTHING, /* it has no command */
  WL_DOES_STEP,    /* a step of a block */
  WL_DOES_SHARED,  /* waits for rows of A or a block of B from shared memory */
  WL_DOES_TMEM,    /* waits for A, or scales, from tensor memory */
  WL_DOES_TURN,    /* all is there; the block starts in this cycle, or mma.sync has its turn */
  WL_DOES_PIPES,   /* a block is in work, and the pipes do not move */
  WL_DOES_END,     /* all steps are done, D is not written */
  WL_DOES_MOVE,    /* a copy or a shift */
  WL_DOES_COMMIT,
  WL_UMMA_DOES
} wl_umma_does_t;

typedef struct wl_model_umma {
  uint8_t does;        /* wl_umma_does_t */
  bool idle;           /* a step whose lanes are idle */
  bool asks, granted;  /* its request at the chunk port */
  bool product, move;  /* one ends */
  bool commit;         /* likewise */
  uint8_t loads, held; /* bit: sub-core whose oldest load goes on unless it is held; that is held */
} wl_model_umma_t;

typedef struct wl_model_async {
  uint32_t parked[WL_MOST_WARPS]; /* lanes of paths in WAIT */
  uint64_t wait_wake;             /* warps with a wake-up that no walk has seen */
  bool all_wait;                  /* every warp that has lanes has the reason WAIT */
  bool phase;                     /* a phase of an mbarrier completes */
  uint32_t phase_at, phases;      /* its byte address; their number, this one included */
  unsigned waits, wakes, commits; /* of this cycle, by ascending sub-core */
  wl_model_wait_t wait[WL_MOST_SUB_CORES];
  wl_model_woken_t woken[WL_MOST_SUB_CORES];
  wl_model_commit_t commit[WL_MOST_SUB_CORES];
  wl_model_copy_t bulk[WL_MOST_COPY_QUEUE], slot[WL_MOST_LSU_DEPTH];
  unsigned entries, rows, slots; /* in use: entries and rows of the engine, slots of cp.async */
  uint32_t to_shared, to_global; /* bytes that the engine moves in this cycle */
  wl_model_umma_t umma;
} wl_model_async_t;

typedef struct wl_model_watch {
  uint64_t cycle;
  unsigned warps;
  uint8_t why[WL_MOST_WARPS]; /* wl_why_t */
  unsigned issues;            /* of this cycle, by ascending sub-core */
  wl_model_issue_t issue[WL_MOST_SUB_CORES];
  const wl_model_async_t *async; /* as long as the call */
} wl_model_watch_t;
typedef void (*wl_watch_fn_t)(void *user, const wl_model_watch_t *watch);

/* Memory [base, base + size) is image; base and size multiples of 32. Reads outside give zero,
 * writes outside are dropped. NULL: no memory left. */
wl_model_t *wl_model_create(const wl_config_t *config, uint64_t seed, uint8_t *image, uint64_t base,
                            uint64_t size);
void wl_model_destroy(wl_model_t *model);

/* Density 0..7 of the disturbance (docs/microarchitecture.md 17), from the next cycle on. */
void wl_model_disturb(wl_model_t *model, unsigned density);
/* start_i with launch_addr in the next stepped cycle; only taken while done or never started. */
void wl_model_start(wl_model_t *model, uint64_t launch_addr);
void wl_model_step(wl_model_t *model); /* one cycle */
/* Steps until done or `limit` cycles; the number of cycles stepped. */
uint64_t wl_model_run(wl_model_t *model, uint64_t limit);
bool wl_model_done(const wl_model_t *model); /* done_o */
uint64_t wl_model_cycle(const wl_model_t *model);
wl_model_trap_t wl_model_trap(const wl_model_t *model); /* as latched; cleared by the next start */
/* A violated obligation of the model (section 7, internal checks), NULL: none. */
const char *wl_model_error(const wl_model_t *model);
/* hang_o: WatchdogCycles passed in a launch without issue or packet while no path slept. */
bool wl_model_hung(const wl_model_t *model);

void wl_model_set_journal(wl_model_t *model, wl_journal_fn_t fn, void *user);
/* Called in every cycle that is not at rest, before its updates; NULL: off. Changes no cycle. */
void wl_model_set_watch(wl_model_t *model, wl_watch_fn_t fn, void *user);
const wl_model_counters_t *wl_model_counters(const wl_model_t *model);

/* Architectural state, in place, valid until destroy. */
typedef struct wl_model_state {
  const uint32_t *regs; /* [bank][row][physical lane], 4 banks of each sub-core */
  uint32_t reg_rows;    /* rows of a bank */
  const uint32_t *preds[WL_MOST_SUB_CORES]; /* [warp / SubCores][8], bit = lane */
  const uint32_t *smem;                     /* by word address: [row][bank] */
  const uint32_t *xbuf[WL_MOST_SUB_CORES];  /* [warp / SubCores][32] */
  const uint32_t *tmem;                     /* tensor memory: [quarter][column][lane] */
  const struct wl_gpu *gpu;                 /* everything (cmodel/gpu/gpu.h) */
} wl_model_state_t;
wl_model_state_t wl_model_state(const wl_model_t *model);
/* gpu/debug.c: internal state, as gen/wl_debug.h lays it out for configuration `config` of wl_configs:
 * wl_debug_words[config] words. */
void wl_model_debug(const wl_model_t *model, unsigned config, uint64_t *words);

#endif
