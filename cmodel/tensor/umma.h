/* State of the unit of products in tensor memory (docs/microarchitecture.md 25, 26): commands (umma.c), what
 * their words say (umma_command.c) and their faults (umma_judge.c), places of elements (umma_place.c), operands
 * on their way from shared memory (umma_fetch.c) and from tensor memory (umma_read.c), the form of elements
 * (umma_element.c), scales (umma_scale.c), work on blocks and on D (umma_engine.c), copies and shifts
 * (umma_copy.c). */
#ifndef WL_CMODEL_TENSOR_UMMA_H
#define WL_CMODEL_TENSOR_UMMA_H

#include "cmodel/gpu/wires.h"
#include "cmodel/sem/dot.h"
#include "cmodel/sem/sem.h"

enum {
  WL_UMMA_WORDS = 10,   /* operands of a command: a, b, c */
  WL_UMMA_MOST_M = 128, /* rows of A */
  WL_UMMA_ROWS = 8,     /* of a unit; of a block */
  WL_UMMA_CHUNKS = 8,   /* of a half */
  WL_UMMA_QUARTERS = 4,
  WL_UMMA_TMEM_WORDS = 8, /* columns of A in tensor memory; of a shift */
  WL_UMMA_A_SCALES = 4,   /* columns of scales of A */
  WL_UMMA_LATELY = 7      /* all bits of reads */
};

static inline uint32_t wl_umma_bits(uint64_t word, unsigned high, unsigned low) {
  return (uint32_t)(word >> low & ((UINT64_C(2) << (high - low)) - 1));
}

/* ---- umma_place.c */
/* A or B: its descriptors. Bytes, but base_offset. A source of a copy likewise. */
typedef struct wl_umma_operand {
  uint32_t start, lbo, sbo;
  uint8_t swizzle, base_offset; /* fields of the descriptor */
  bool mn_major;
  uint8_t size, bits; /* bytes that an element takes; bits that it has */
  bool packed;        /* MXF4: a word of a buffer has eight elements, as those of both memories */
  uint32_t flip;      /* signs of a word of a buffer, if they are negated */
} wl_umma_operand_t;

/* Halves of a unit, and where chunk n of half g of a unit begins, in the CTA's shared memory (26.2, 26.3). */
unsigned wl_umma_halves(const wl_umma_operand_t *o);
uint32_t wl_umma_chunk(const wl_umma_operand_t *o, unsigned unit, unsigned g, unsigned n);
/* K-major: chunk j of a row. */
uint32_t wl_umma_row_chunk(const wl_umma_operand_t *o, unsigned row, unsigned j);
/* The end of an operand of so many rows; of so many rows of one or two chunks, K-major. */
uint32_t wl_umma_end(const wl_umma_operand_t *o, unsigned rows);
uint32_t wl_umma_rows_end(const wl_umma_operand_t *o, unsigned rows, unsigned chunks);

/* ---- commands */
/* Of a copy (26.7). */
typedef enum wl_umma_shape {
  WL_UMMA_128X256B,
  WL_UMMA_4X256B,
  WL_UMMA_128X128B,
  WL_UMMA_64X128B_02_13,
  WL_UMMA_64X128B_01_23,
  WL_UMMA_32X128B
} wl_umma_shape_t;

/* Of an operand (26.10): the first column; the first byte of a scale word. */
typedef struct wl_umma_scales {
  uint16_t column;
  uint8_t id;
} wl_umma_scales_t;

typedef struct wl_umma_entry {
  bool used, fetched, signalled;
  uint8_t op, warp, lane; /* wl_umma_op_t */
  uint32_t pc, base;      /* base: of the CTA's shared memory */
  uint32_t mbarrier;      /* COMMIT: offset */
  wl_umma_operand_t a, b; /* CP: a is the source */
  bool reads_a;           /* A is in tensor memory, from this column on; SHIFT */
  uint16_t a_column;
  uint16_t m, n, column; /* rows and columns of D, its first column; CP, SHIFT: the first column */
  uint8_t z;             /* M = 64: which half of a quarter's lanes; CP: the lane of 4x256b */
  uint8_t quarter;       /* SHIFT */
  uint8_t shape, unpacking; /* CP: wl_umma_shape_t */
  wl_products_t sums;
  bool adds;               /* p */
  wl_umma_scales_t sa, sb; /* scaled products */
  bool b16, e4m3;          /* of MXF4: a scale for 16 elements; scales are ue4m3 */
  uint32_t masked[WL_UMMA_QUARTERS];
} wl_umma_entry_t;

static inline bool wl_umma_is_scaled(const wl_umma_entry_t *e) {
  return e->op == WL_UMMA_MXF8F6F4 || e->op == WL_UMMA_MXF4;
}
static inline bool wl_umma_is_product(const wl_umma_entry_t *e) {
  return e->op == WL_UMMA_F16 || e->op == WL_UMMA_TF32 || e->op == WL_UMMA_F8F6F4 ||
         e->op == WL_UMMA_I8 || wl_umma_is_scaled(e);
}
/* Columns that the scales of B take. */
static inline unsigned wl_umma_b_scales(const wl_umma_entry_t *e) {
  return (e->n + (unsigned)WL_LANES - 1) / WL_LANES;
}
/* Chunks of a row of a copy's source. */
static inline unsigned wl_umma_copy_chunks(const wl_umma_entry_t *e) {
  return e->shape <= WL_UMMA_4X256B ? 2 : 1;
}

/* umma_command.c: the command of the words. */
wl_umma_entry_t wl_umma_take(const uint32_t word[WL_UMMA_WORDS], const wl_flight_t *f,
                             const wl_env_t *env);
/* umma_judge.c: its first fault and the address of that. */
wl_trap_t wl_umma_judge(const uint32_t word[WL_UMMA_WORDS], const wl_flight_t *f,
                        const wl_env_t *env, const wl_wires_t *w, uint64_t *address);

/* ---- umma_element.c */
typedef uint32_t wl_umma_row_elements_t[WL_DOT_MOST_TERMS];
/* Element i of a chunk that is filled with elements of so many bits. */
uint32_t wl_umma_in_chunk(const uint32_t chunk[4], unsigned bits, unsigned i);
/* Chunk n of half g of a unit (26.1) goes to the rows of the unit in a buffer. part: which half of a chunk's rows,
 * MN-major with elements of a byte. */
void wl_umma_store_chunk(const wl_umma_operand_t *o, const uint32_t chunk[4], unsigned part,
                         unsigned g, unsigned n, wl_umma_row_elements_t *unit);
/* Word w of a row of A in tensor memory (26.6) goes to the row of a buffer. */
void wl_umma_store_word(const wl_umma_operand_t *o, uint32_t word, unsigned w,
                        wl_umma_row_elements_t row);

/* ---- umma_fetch.c */
typedef enum wl_umma_state { WL_UMMA_FREE, WL_UMMA_FILLS, WL_UMMA_FULL } wl_umma_state_t;

/* A request that was granted: what its answer stores. */
typedef struct wl_umma_asked {
  bool of_b, last;        /* last: of its buffer */
  uint8_t entry;          /* of the queue */
  uint8_t buffer, row, g; /* row: of the buffer, the unit's first */
  uint8_t part;           /* which half of a chunk's rows */
  uint8_t served;         /* bit: chunk */
  uint8_t quad[WL_UMMA_CHUNKS];
} wl_umma_asked_t;

typedef struct wl_umma_fetch {
  uint8_t a_state[2], b_state[2]; /* wl_umma_state_t */
  uint8_t a_put, b_put;
  uint8_t pass, unit, half; /* unit: of A, then the blocks */
  uint8_t left;             /* bit: chunk of the half that is still to be asked for */
  wl_umma_asked_t asked[4]; /* by the cycle of the answer modulo 4 */
  /* A in tensor memory (26.6): read_at; reads, bit 0 the last cycle; a buffer whose last row was read. */
  uint8_t read_word, read_beat, reads;
  bool read_over;
  uint8_t read_buffer;
  /* Elements; of a copy and a shift words of rows. */
  wl_umma_row_elements_t a[2][WL_UMMA_MOST_M], b[2][WL_UMMA_ROWS];
} wl_umma_fetch_t;

/* ---- umma_scale.c */
typedef struct wl_umma_scale {
  uint8_t state[2]; /* wl_umma_state_t, but FILLS */
  uint8_t put, get; /* s_put, s_get */
  uint8_t pass, block;
  bool of_b; /* pass, block, of_b: scale_at */
  bool in;   /* scales_in */
  bool over; /* a buffer whose last row was read */
  uint8_t over_buffer;
  /* Scale words of the rows of A in each quarter of a pass; of a block's columns, for each quarter. */
  uint32_t a[2][WL_UMMA_QUARTERS][WL_LANES], b[2][WL_UMMA_QUARTERS][WL_UMMA_ROWS];
} wl_umma_scale_t;

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
  uint8_t which; /* drain: a new row may come in the cycle in which the one before is written */
  wl_umma_beat_t drain[2];
} wl_umma_pipe_t;

typedef struct wl_umma_engine {
  bool on, all_in, dot_turn;
  uint8_t a_get, b_get;
  uint8_t pass, block, column, group, slice;
  uint8_t place_word, place_beat; /* of a copy or a shift */
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
  wl_umma_scale_t scale;
  wl_umma_engine_t engine;
} wl_umma_t;

static inline uint8_t wl_umma_after(const wl_env_t *env, uint8_t entry) {
  return (uint8_t)((entry + 1u) % env->cfg.umma_queue);
}
/* Passes of a command; with four sub-cores one, a quarter in each. */
static inline unsigned wl_umma_passes(const wl_env_t *env) {
  return env->cfg.sub_cores == 1 ? WL_UMMA_QUARTERS : 1;
}
/* Rows of A of a pass; the buffer's row of the first lane of a quarter that is not idle. */
static inline unsigned wl_umma_pass_rows(const wl_env_t *env, const wl_umma_entry_t *e) {
  return e->m / wl_umma_passes(env);
}
static inline unsigned wl_umma_first_row(const wl_env_t *env, const wl_umma_entry_t *e,
                                         unsigned quarter) {
  return env->cfg.sub_cores == 1 ? 0 : quarter * (e->m / WL_UMMA_QUARTERS);
}
/* Lanes of a quarter that are rows of D: from the first up to the end. */
static inline unsigned wl_umma_first_lane(const wl_umma_entry_t *e) {
  return e->m == 64 ? 16u * e->z : 0;
}
static inline unsigned wl_umma_end_lane(const wl_umma_entry_t *e) {
  return e->m == 64 ? 16u * e->z + 16 : 32;
}

void wl_umma_reset(wl_umma_t *u, const wl_env_t *env);
bool wl_umma_available(const wl_umma_t *u);
void wl_umma_out(const wl_umma_t *u, const wl_env_t *env, wl_wires_t *w);
void wl_umma_update(wl_umma_t *u, const wl_env_t *env, const wl_wires_t *w);
uint32_t wl_umma_busy(const wl_umma_t *u, const wl_env_t *env); /* bit of REST */

/* What is asked of the chunk port; a cycle of the fetch. */
void wl_umma_fetch_out(const wl_umma_t *u, const wl_env_t *env, wl_wires_t *w);
void wl_umma_fetch_update(wl_umma_t *u, const wl_env_t *env, const wl_wires_t *w);
/* The fetch is at rows that tensor memory has; it goes on behind them, those of a pass. */
bool wl_umma_at_read(const wl_umma_t *u);
void wl_umma_fetch_go_on(wl_umma_t *u, const wl_env_t *env);
/* What is read of A in tensor memory, when it is known what is read of D. */
void wl_umma_read_out(const wl_umma_t *u, const wl_env_t *env, wl_wires_t *w);
void wl_umma_read_update(wl_umma_t *u, const wl_env_t *env, const wl_wires_t *w);
/* What is read of scales, when it is known what is read of D and A; a cycle of that. */
void wl_umma_scale_out(const wl_umma_t *u, const wl_env_t *env, wl_wires_t *w);
void wl_umma_scale_update(wl_umma_t *u, const wl_env_t *env, const wl_wires_t *w);
/* Scales of the block at work, as wl_sem_scaled_products wants them: of `count` rows of A from a lane on, in
 * the pass's part k; of a column of the block, there. */
void wl_umma_scales_of_a(const wl_umma_t *u, unsigned k, unsigned lane, unsigned count,
                         uint32_t *sa);
uint32_t wl_umma_scales_of_b(const wl_umma_t *u, unsigned k, unsigned column);
/* Whether pipes move, what is read and written of D; a cycle of the engine. */
void wl_umma_engine_out(const wl_umma_t *u, const wl_env_t *env, wl_wires_t *w);
void wl_umma_engine_update(wl_umma_t *u, const wl_env_t *env, const wl_wires_t *w);
/* A row goes to the drain of sub-core k (visible in the next cycle). */
void wl_umma_drain(wl_umma_pipe_t *p, const wl_umma_beat_t *row);
/* The buffer a_get was used up, and behind the last pass the command is all in. */
void wl_umma_end_pass(wl_umma_t *u, const wl_env_t *env);
/* Nothing of the command that is all in is on its way. */
bool wl_umma_engine_empty(const wl_umma_t *u, const wl_env_t *env);
/* The beginning of a command, its end. */
void wl_umma_record(const wl_env_t *env, const wl_umma_entry_t *e, uint32_t event);
/* A copy or a shift: a row goes to the drains in this cycle; behind the engine's. */
void wl_umma_copy_update(wl_umma_t *u, const wl_env_t *env);

#endif
