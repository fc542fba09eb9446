/* State of the tensor unit (docs/microarchitecture.md 19.1): operand sets (store.c), engine and pipe (dot.c),
 * and what waits for the result queue (tensor.c). */
#ifndef WL_CMODEL_TENSOR_TENSOR_H
#define WL_CMODEL_TENSOR_TENSOR_H

#include "cmodel/gpu/wires.h"

/* ---- store.c */
enum { WL_TENSOR_OPERANDS = 16, WL_TENSOR_RESULTS = 4 }; /* most words of a, b, c, x; of d */

typedef struct wl_tensor_set {
  wl_insn_dec_t dec;
  uint8_t warp;
  uint32_t pc;
  uint32_t word[WL_TENSOR_OPERANDS][WL_LANES];
} wl_tensor_set_t;

/* Sets in the order of issue: a ring. `used` of them from `oldest` on are not free, the first `full` of
 * these are full. */
typedef struct wl_tensor_store {
  wl_tensor_set_t set[WL_MOST_TENSOR_SETS];
  uint8_t oldest, used, full;
} wl_tensor_store_t;

/* What the instruction that issues, and words in X1, do to the sets. */
void wl_tensor_store_take(wl_tensor_store_t *s, const wl_env_t *env, const wl_sub_wires_t *w);
/* The oldest set becomes free. */
void wl_tensor_store_free(wl_tensor_store_t *s, const wl_env_t *env);

/* ---- dot.c */
/* Instructions whose results are on their way: one in each stage, in the word that is gathered, in each
 * entry of `out`, and the one at work. */
enum { WL_TENSOR_UNDER_WAY = WL_DOT_LATENCY + 4 };

/* An instruction at work or in the pipe, and all of its results. */
typedef struct wl_dot_job {
  uint8_t warp, rd, words, halves; /* words of d; elements of a lane's word: 1 or 2 */
  uint32_t d[WL_TENSOR_RESULTS][WL_LANES];
} wl_dot_job_t;

typedef struct wl_dot_stage {
  bool valid; /* the last slice of a group of a job */
  uint8_t job;
} wl_dot_stage_t;

/* A word of a beat that is complete. */
typedef struct wl_dot_word {
  bool valid;
  uint8_t job, word, beat;
} wl_dot_word_t;

typedef struct wl_dot {
  bool valid;         /* cur: the oldest set is at work */
  uint16_t group;     /* of it, and the slice in the group */
  uint8_t slice, job; /* job: of cur; the last one that began */
  wl_dot_stage_t
      stage[WL_DOT_LATENCY]; /* [0] is the first; groups between last slices: not valid */
  uint8_t in_pipe;
  uint8_t word, beat; /* the word that is gathered */
  uint8_t gathered;   /* its elements that are there */
  wl_dot_job_t jobs[WL_TENSOR_UNDER_WAY];
} wl_dot_t;

/* A cycle in which the pipe moves: slices enter, results of a group leave; the word that they complete. */
/* takes: cur may become the next set. */
wl_dot_word_t wl_dot_move(wl_dot_t *d, const wl_env_t *env, wl_tensor_store_t *s, unsigned k,
                          bool takes);
/* cur is valid and in its last slice. */
bool wl_dot_ends(const wl_dot_t *d, const wl_env_t *env, const wl_tensor_store_t *s);

/* ---- tensor.c */
enum { WL_TENSOR_OUT = 2 };

typedef struct wl_tensor {
  wl_tensor_store_t store;
  wl_dot_t dot;
  wl_dot_word_t out[WL_TENSOR_OUT]; /* [0] is the oldest */
  uint8_t out_count;
} wl_tensor_t;

void wl_tensor_reset(wl_tensor_t *t, const wl_env_t *env, unsigned k);
void wl_tensor_out(const wl_tensor_t *t, const wl_env_t *env, wl_wires_t *w, unsigned k);
void wl_tensor_update(wl_tensor_t *t, const wl_env_t *env, const wl_wires_t *w, unsigned k);
bool wl_tensor_at_work(const wl_tensor_t *t); /* else its wires stay as they are */
uint32_t wl_tensor_busy(const wl_tensor_t *t, const wl_env_t *env); /* bit of REST */

#endif
