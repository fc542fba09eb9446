/* State of exec/fp64.c (docs/microarchitecture.md 20.1). */
#ifndef WL_CMODEL_EXEC_FP64_H
#define WL_CMODEL_EXEC_FP64_H

#include "cmodel/gpu/wires.h"

enum {
  WL_FP64_OPERANDS = 6, /* most words of a, b, c */
  /* Instructions whose results are on their way: one in each stage, in cur, in done. */
  WL_FP64_UNDER_WAY = WL_FP64_LATENCY + 2
};

typedef struct wl_fp64_set {
  wl_insn_dec_t dec;
  uint8_t warp;
  uint32_t exec;
  uint32_t word[WL_FP64_OPERANDS][WL_LANES];
} wl_fp64_set_t;

/* An instruction in cur, in the pipe or in done, and all of its results. */
typedef struct wl_fp64_job {
  uint8_t warp, rd;
  uint32_t exec;
  uint32_t d[2][WL_LANES];
} wl_fp64_job_t;

typedef struct wl_fp64_stage {
  bool last; /* the last group of a job; other groups move nothing that anyone sees */
  uint8_t job;
} wl_fp64_stage_t;

typedef struct wl_fp64 {
  /* A ring: `used` sets from `oldest` on are not free, the first `full` of these are full. */
  wl_fp64_set_t set[WL_FP64_SETS];
  uint8_t oldest, used, full;
  bool cur;                               /* the oldest set is at work */
  uint32_t left;                          /* of it: lanes that have not entered the pipe */
  uint8_t job;                            /* of cur; the last one that began */
  wl_fp64_stage_t stage[WL_FP64_LATENCY]; /* [0] is the first */
  uint32_t groups;                        /* bit: a group is in the stage */
  bool done;                              /* results of done_job are presented */
  uint8_t done_job, k;                    /* k: the word presented */
  wl_fp64_job_t jobs[WL_FP64_UNDER_WAY];
} wl_fp64_t;

void wl_fp64_reset(wl_fp64_t *u, const wl_env_t *env, unsigned k);
void wl_fp64_out(const wl_fp64_t *u, const wl_env_t *env, wl_wires_t *w, unsigned k);
void wl_fp64_update(wl_fp64_t *u, const wl_env_t *env, const wl_wires_t *w, unsigned k);
bool wl_fp64_at_work(const wl_fp64_t *u); /* else its wires stay as they are */
uint32_t wl_fp64_busy(const wl_fp64_t *u, const wl_env_t *env); /* bit of REST */

#endif
