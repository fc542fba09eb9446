/* What core/paths.c decides in a cycle (docs/microarchitecture.md 7): the whole decision is made in
 * wl_paths_out from visible state, carried in the wires, and taken over by wl_paths_update and
 * wl_barrier_update. Types only. */
#ifndef WL_CMODEL_CORE_PATH_PLAN_H
#define WL_CMODEL_CORE_PATH_PLAN_H

#include <stdbool.h>
#include <stdint.h>

typedef enum wl_path_state {
  WL_PATH_READY,
  WL_PATH_SYNC,
  WL_PATH_BAR,
  WL_PATH_BARC,
  WL_PATH_SLEEP,
  WL_PATH_WAIT
} wl_path_state_t;

typedef struct wl_path_row {
  uint32_t mask, pc, key;
  uint16_t depth, op;
  uint8_t state; /* wl_path_state_t */
} wl_path_row_t;

typedef enum wl_path_request { WL_REQ_NONE, WL_REQ_SPLIT, WL_REQ_WALK } wl_path_request_t;

/* Where the lanes of a control instruction go, from T until the engine has split them. */
typedef struct wl_split {
  uint32_t path, exec; /* M; E, of WAIT those that are not done, of a command all but the first */
  uint32_t rest_pc;    /* the other lanes of M: READY there, depth as it is */
  uint16_t rest_depth;
  wl_path_row_t to;       /* lanes of E; mask unused */
  bool lane_pc, lane_key; /* to.pc, to.key come from the target buffer by lane */
  bool lane_done;         /* WAIT: which lanes are in exec came from there */
  bool tbuf;              /* this instruction holds the target buffer */
} wl_split_t;

/* The path state of one warp, section 7.1 without the table. */
typedef struct wl_path {
  uint32_t mask, pc;
  uint32_t live, exist, served, released, waiting, xmask, stop_pc, wake_at;
  uint16_t depth, turn;
  uint8_t leader, req;
  bool run, ctl, polled, stop_valid, below, chk, wake_valid, waits;
} wl_path_t;

typedef enum wl_engine_phase {
  WL_ENGINE_IDLE,
  WL_ENGINE_SPLIT,
  WL_ENGINE_CHECK,
  WL_ENGINE_REWRITE,
  WL_ENGINE_WALK1,
  WL_ENGINE_WALK2
} wl_engine_phase_t;

typedef struct wl_late_trap {
  bool valid;
  uint8_t cause, warp, lane;
  uint32_t pc;
} wl_late_trap_t;

typedef struct wl_engine {
  uint8_t phase, warp, last; /* last: warp served last */
  bool read;                 /* RowCycles = 2: a step is under way, its row was read */
  uint32_t todo;             /* SPLIT: unassigned lanes; scans: leaders still to be visited */
  uint8_t beat; /* SPLIT by lane: cycles of the step that are over, but for the one that reads */
  /* CHECK */
  uint8_t j;
  uint32_t gathered, kinds; /* union U; bit k: a BAR row of kind k is in U */
  bool misuse, other_pc;
  /* WALK */
  uint32_t now, ready;        /* now: the clock as sampled; ready: R */
  bool wake, wait_wake;       /* as sampled */
  bool timed, waits, counted; /* a row stays that has a time; one in WAIT; one in BARC */
  uint64_t best1, best2;
  wl_path_row_t chosen;
  bool chosen_rel, stop_rel;
  uint8_t stop_leader;
  uint32_t union_mask, stop_mask;
  wl_late_trap_t late_trap; /* EventDelay = 1: rises in the cycle in which it is visible */
} wl_engine_t;

/* What the lanes of a row in BAR, or a warp's contribution, do at their barrier. */
typedef enum wl_bar_kind {
  WL_KIND_SYNC,
  WL_KIND_ARRIVE,
  WL_KIND_POPC,
  WL_KIND_AND,
  WL_KIND_OR,
  WL_KIND_CLUSTER
} wl_bar_kind_t;
/* Field op of a row in SYNC whose lanes wait at a gathered form; no instruction of unit SYNC has it. */
enum { WL_SYNC_OP_ALIGNED = 1023 };
/* Field op of a row in BAR: its kind, and whether the instruction is aligned. */
enum { WL_BAR_OP_KIND = 7, WL_BAR_OP_ALIGNED = 8 };
/* Field op of a row in WAIT: it waits for an mbarrier until its key, for the barrier of the cluster. */
enum { WL_WAIT_OP_MBAR = 0, WL_WAIT_OP_CLUSTER = 1 };

typedef struct wl_bar_request {
  bool valid;
  uint8_t a, b, kind; /* b: warps, 0 = all; kind: wl_bar_kind_t, ARRIVE: of every lane */
  uint32_t mask;
} wl_bar_request_t;

typedef struct wl_path_plan {
  /* resolve */
  bool resolve, resolve_trap;
  uint8_t resolve_warp;
  wl_path_t after;  /* state of the warp after T */
  wl_split_t split; /* of a SPLIT request */
  bool tbuf_freed, warp_done;
  uint64_t wake_ups;             /* warps for which a wake-up requests a walk */
  uint32_t bar_lanes, bar_value; /* predicates of a BAR arrival to be latched */
  /* engine */
  bool serve; /* the engine acts in this cycle */
  wl_engine_t engine;
  wl_path_t served; /* state of engine.warp after this step */
  bool row_we;
  uint8_t row_leader;
  wl_path_row_t row;
  bool walked;                   /* the walk ended in this cycle */
  bool take_wake;                /* bar_wake and wait_wake of the warp were sampled */
  wl_bar_request_t contribution; /* of engine.warp */
} wl_path_plan_t;

#endif
