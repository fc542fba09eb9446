/* State of the unit of products in tensor memory (docs/microarchitecture.md 25): commands (umma.c), their
 * faults (umma_judge.c), places of elements (umma_place.c), operands on their way (umma_fetch.c), work on
 * blocks and on D (umma_engine.c). */
#ifndef WL_CMODEL_TENSOR_UMMA_H
#define WL_CMODEL_TENSOR_UMMA_H

#include "cmodel/gpu/wires.h"
#include "cmodel/sem/dot.h"

enum {
  WL_UMMA_WORDS = 10,   /* operands of a command: a, b, c */
  WL_UMMA_MOST_M = 128, /* rows of A */
  WL_UMMA_ROWS = 8,     /* of a unit; of a block */
  WL_UMMA_CHUNKS = 8,   /* of a half */
  WL_UMMA_QUARTERS = 4
};

/* ---- umma_place.c */
/* A or B: its descriptors. Bytes, but base_offset. */
typedef struct wl_umma_operand {
  uint32_t start, lbo, sbo;
  uint8_t swizzle, base_offset; /* fields of the descriptor */
  bool mn_major, negated;
} wl_umma_operand_t;

/* Where chunk n of half g of a unit begins, in the CTA's shared memory (25.3, 25.4). */
uint32_t wl_umma_chunk(const wl_umma_operand_t *o, unsigned unit, unsigned g, unsigned n);
/* The end of an operand of so many rows. */
uint32_t wl_umma_end(const wl_umma_operand_t *o, unsigned rows);

/* ---- commands */
typedef struct wl_umma_entry {
  bool used, fetched, signalled;
  uint8_t op, warp, lane; /* wl_umma_op_t */
  uint32_t pc, base;      /* base: of the CTA's shared memory */
  uint32_t mbarrier;      /* COMMIT: offset */
  wl_umma_operand_t a, b;
  uint16_t m, n, column; /* rows and columns of D, its first column */
  uint8_t z;             /* M = 64: which half of a quarter's lanes */
  uint8_t profile;       /* wl_profile_id_t */
  uint8_t lower;         /* e */
  bool adds;             /* p */
  uint32_t masked[WL_UMMA_QUARTERS];
} wl_umma_entry_t;

/* umma_judge.c: the command of the words; its first fault and the address of that. */
wl_umma_entry_t wl_umma_take(const uint32_t word[WL_UMMA_WORDS], const wl_flight_t *f,
                             const wl_env_t *env);
wl_trap_t wl_umma_judge(const uint32_t word[WL_UMMA_WORDS], const wl_flight_t *f,
                        const wl_env_t *env, const wl_wires_t *w, uint64_t *address);

/* ---- umma_fetch.c */
typedef enum wl_umma_state { WL_UMMA_FREE, WL_UMMA_FILLS, WL_UMMA_FULL } wl_umma_state_t;

/* A request that was granted: what its answer stores. */
typedef struct wl_umma_asked {
  bool of_b, last;        /* last: of its buffer */
  bool mn_major, negated; /* the operand is */
  uint8_t buffer, row, g; /* row: of the buffer, the unit's first */
  uint8_t served;         /* bit: chunk */
  uint8_t quad[WL_UMMA_CHUNKS];
} wl_umma_asked_t;

typedef struct wl_umma_fetch {
  uint8_t a_state[2], b_state[2]; /* wl_umma_state_t */
  uint8_t a_put, b_put;
  uint8_t pass, unit, half; /* unit: of A, then the blocks */
  uint8_t left;             /* bit: chunk of the half that is still to be asked for */
  wl_umma_asked_t asked[4]; /* by the cycle of the answer modulo 4 */
  uint32_t a[2][WL_UMMA_MOST_M][WL_DOT_TERMS], b[2][WL_UMMA_ROWS][WL_DOT_TERMS]; /* elements */
} wl_umma_fetch_t;

/* ---- umma_engine.c */
/* Groups whose beat is on its way: one in each stage, in `word`, at work. */
enum { WL_UMMA_BEATS = WL_DOT_LATENCY + 3 };

typedef struct wl_umma_beat { /* the results of a beat of a column */
  uint8_t quarter, beat;
  uint16_t column;
  uint32_t mask;
  uint32_t data[WL_LANES];
} wl_umma_beat_t;

typedef struct wl_umma_stage {
  bool valid, completes; /* the last slice of a group; the last group of its beat */
  uint8_t number;        /* of the beat */
} wl_umma_stage_t;

typedef struct wl_umma_pipe { /* of a sub-core */
  wl_umma_stage_t stage[WL_DOT_LATENCY];
  uint8_t in_pipe, number; /* number: of the beat at work */
  wl_umma_beat_t beat[WL_UMMA_BEATS];
  bool draining;
  wl_umma_beat_t drain;
} wl_umma_pipe_t;

typedef struct wl_umma_engine {
  bool on, all_in, dot_turn;
  uint8_t a_get, b_get;
  uint8_t pass, block, column, group, slice;
  wl_umma_pipe_t pipe[WL_MOST_SUB_CORES];
} wl_umma_engine_t;

/* ---- umma.c */
typedef struct wl_umma {
  bool awake;                   /* an entry is used, or a UMMA is past issue */
  bool way;                     /* umma_way */
  uint32_t word[WL_UMMA_WORDS]; /* operands of that UMMA, from its last X1 on */
  wl_umma_entry_t entry[WL_MOST_UMMA_QUEUE];
  uint8_t put, walk, fin;
  wl_umma_fetch_t fetch;
  wl_umma_engine_t engine;
} wl_umma_t;

static inline uint8_t wl_umma_after(const wl_env_t *env, uint8_t entry) {
  return (uint8_t)((entry + 1u) % env->cfg.umma_queue);
}
/* Passes of a command; with four sub-cores one, a quarter in each. */
static inline unsigned wl_umma_passes(const wl_env_t *env) {
  return env->cfg.sub_cores == 1 ? WL_UMMA_QUARTERS : 1;
}
/* Rows of A of a pass. */
static inline unsigned wl_umma_pass_rows(const wl_env_t *env, const wl_umma_entry_t *e) {
  return e->m / wl_umma_passes(env);
}

void wl_umma_reset(wl_umma_t *u, const wl_env_t *env);
bool wl_umma_available(const wl_umma_t *u);
void wl_umma_out(const wl_umma_t *u, const wl_env_t *env, wl_wires_t *w);
void wl_umma_update(wl_umma_t *u, const wl_env_t *env, const wl_wires_t *w);
uint32_t wl_umma_busy(const wl_umma_t *u, const wl_env_t *env); /* bit of REST */

/* What is asked of the chunk port; a cycle of the fetch. */
void wl_umma_fetch_out(const wl_umma_t *u, const wl_env_t *env, wl_wires_t *w);
void wl_umma_fetch_update(wl_umma_t *u, const wl_env_t *env, const wl_wires_t *w);
/* Whether pipes move, what is read and written of D; a cycle of the engine. */
void wl_umma_engine_out(const wl_umma_t *u, const wl_env_t *env, wl_wires_t *w);
void wl_umma_engine_update(wl_umma_t *u, const wl_env_t *env, const wl_wires_t *w);
/* Nothing of the command that is all in is on its way. */
bool wl_umma_engine_empty(const wl_umma_t *u, const wl_env_t *env);

#endif
