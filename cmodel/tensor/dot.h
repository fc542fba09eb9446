/* State of tensor/dot.c: the engine and its pipe (docs/microarchitecture.md 19.1). */
#ifndef WL_CMODEL_TENSOR_DOT_H
#define WL_CMODEL_TENSOR_DOT_H

#include "cmodel/tensor/store.h"
#include "gen/wl_numerics.h"

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

/* A cycle in which the pipe moves: slices enter, results of a group leave; the word that they complete.
 * next_full: a set after the oldest is full as visible; any_full: a set is. */
wl_dot_word_t wl_dot_move(wl_dot_t *d, const wl_env_t *env, wl_tensor_store_t *s, unsigned k);

#endif
