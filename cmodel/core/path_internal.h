/* Between the files of the unit paths (docs/microarchitecture.md 7): core/paths.c, path_state.c,
 * path_resolve.c, path_engine.c and the engine's steps path_split.c, path_check.c, path_walk.c. */
#ifndef WL_CMODEL_CORE_PATH_INTERNAL_H
#define WL_CMODEL_CORE_PATH_INTERNAL_H

#include "cmodel/core/paths.h"

#define WL_PC_MASK UINT32_C(0xfffffff)

wl_path_t wl_path_gather(const wl_paths_t *p, unsigned w);
void wl_path_scatter(wl_paths_t *p, unsigned w, const wl_path_t *x);
/* Where a lane goes; the lanes of `among` that go where `lane` goes. */
wl_path_row_t wl_path_target(const wl_split_t *s, const uint32_t tbuf[2][WL_LANES], unsigned lane);
uint32_t wl_path_group(const wl_split_t *s, const uint32_t tbuf[2][WL_LANES], uint32_t among,
                       unsigned lane);
/* The plan of the instruction that resolves in this cycle (7.2). */
void wl_path_resolve(const wl_paths_t *p, const wl_env_t *env, const wl_wires_t *wires,
                     wl_sub_wires_t *w);
void wl_path_engine_out(const wl_paths_t *p, const wl_env_t *env, const wl_wires_t *wires,
                        wl_sub_wires_t *w);
/* EventDelay = 1, before anything else of the cycle is taken over: which requests are older than a
 * cycle; what rose is over. */
void wl_path_engine_delay(wl_paths_t *p, const wl_path_plan_t *plan);
void wl_path_engine_update(wl_paths_t *p, const wl_env_t *env, const wl_path_plan_t *plan);

/* ---- a step of the engine */
typedef struct wl_step {
  const wl_env_t *env;
  const wl_wires_t *wires;
  const wl_paths_t *p; /* of the sub-core */
  wl_sub_wires_t *w;
  wl_path_plan_t *plan;
  wl_engine_t *e; /* plan->engine */
  wl_path_t *x;   /* plan->served */
} wl_step_t;

/* A path that sleeps, or waits for an mbarrier: key is the end of its time. */
static inline bool wl_path_has_time(const wl_path_row_t *row) {
  return row->state == WL_PATH_SLEEP || (row->state == WL_PATH_WAIT && row->op == WL_WAIT_OP_MBAR);
}

/* Row i as the engine sees it: the running path is a READY row. */
wl_path_row_t wl_step_row(const wl_step_t *s, unsigned i);
void wl_step_write(wl_step_t *s, unsigned i, wl_path_row_t row);
void wl_step_rise(wl_step_t *s, wl_trap_t cause, unsigned lane, uint32_t pc);
/* core/path_split.c. False: the step goes on in the next cycle. */
bool wl_step_split(wl_step_t *s);
/* core/path_check.c. CHECK of the lowest row of `candidates`; WALK if there is none or none is asked for. */
void wl_step_begin_check(wl_step_t *s, uint32_t candidates);
bool wl_step_check(wl_step_t *s); /* false: the step goes on, its decision waits */
void wl_step_rewrite(wl_step_t *s);
/* core/path_walk.c. */
void wl_step_begin_walk(wl_step_t *s);
void wl_step_start_walk1(wl_step_t *s); /* what WALK samples, in its first cycle */
void wl_step_walk1(wl_step_t *s);
void wl_step_walk2(wl_step_t *s);

#endif
