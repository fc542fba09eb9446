/* side_model.c: the golden model as a side of lockstep (cmodel/model.h). */
#include <stdio.h>
#include <stdlib.h>

#include "cmodel/model.h"
#include "driver/backend.h"
#include "driver/lockstep/side.h"
#include "driver/trace/trace.h"
#include "driver/trace/waves.h"

struct wl_side {
  wl_model_t *model;
  const wl_config_t *config;
  wl_trace_t *trace;     /* NULL: nobody watches */
  wl_waves_t *waves;     /* NULL: nobody wants the reasons as signals */
  wl_journal_t *journal; /* of the cycle under way, NULL: not wanted */
};

static void sink(void *user, uint64_t cycle, int kind, const uint32_t *words, unsigned n) {
  wl_side_t *side = user;
  (void)cycle;
  if (side->journal != NULL) wl_journal_add(side->journal, (unsigned)kind, words, n);
}

static wl_side_t *open_model(const wl_side_desc_t *desc, char *err, size_t cap) {
  wl_side_t *side = calloc(1, sizeof *side);
  if (side != NULL)
    side->model =
        wl_model_create(desc->config, desc->seed, desc->mem, WL_MEM_BASE, desc->mem_bytes);
  if (side == NULL || side->model == NULL) {
    snprintf(err, cap, "out of memory for the model of %s", desc->config->name);
    free(side);
    return NULL;
  }
  side->config = desc->config;
  wl_model_disturb(side->model, desc->density);
  if (desc->journal) wl_model_set_journal(side->model, sink, side);
  return side;
}

static void close_model(wl_side_t *side) {
  wl_model_destroy(side->model);
  free(side);
}

static void step_model(wl_side_t *side, wl_journal_t *journal) {
  side->journal = journal;
  wl_model_step(side->model);
}

static void start_model(wl_side_t *side, uint64_t launch_block, wl_journal_t *journal) {
  wl_model_start(side->model, launch_block);
  step_model(side, journal);
}

static bool done_model(const wl_side_t *side) { return wl_model_done(side->model); }

static void trap_model(const wl_side_t *side, wl_side_trap_t *trap) {
  const wl_model_trap_t t = wl_model_trap(side->model);
  *trap =
      (wl_side_trap_t){t.cause != WL_TRAP_NONE, (uint32_t)t.cause, t.warp, t.lane, t.pc, t.address};
}

/* Slices, rows as in state.def; a sub-core has its predicates and its exchange buffer by rows of
 * its own. */
static void view_model(wl_side_t *side, unsigned view, wl_view_t *out) {
  const wl_model_state_t s = wl_model_state(side->model);
  const uint32_t lanes = side->config->lanes;
  out->stride = view == WL_VIEW_RF     ? lanes
                : view == WL_VIEW_PRED ? 1
                : view == WL_VIEW_XBUF ? 32
                : view == WL_VIEW_TMEM ? lanes
                                       : out->slices;
  for (unsigned i = 0; i < out->slices; i++) {
    switch (view) {
    case WL_VIEW_RF:
      out->base[i] = s.regs + (size_t)(i / lanes) * s.reg_rows * lanes + i % lanes;
      break;
    case WL_VIEW_PRED:
      out->base[i] = s.preds[i];
      break;
    case WL_VIEW_XBUF:
      out->base[i] = s.xbuf[i / 32] + i % 32;
      break;
    case WL_VIEW_TMEM:
      out->base[i] = s.tmem + (size_t)(i / lanes) * side->config->tmem_columns * 32 + i % lanes;
      break;
    default:
      out->base[i] = s.smem + i;
    }
  }
}

static bool hung_model(const wl_side_t *side) { return wl_model_hung(side->model); }

static void counters_model(const wl_side_t *side, wl_side_counters_t *out) {
  const wl_model_counters_t *c = wl_model_counters(side->model);
  *out = (wl_side_counters_t){c->issued, c->thread_insns, c->packets, c->columns_left};
}

static void show(void *user, const wl_model_watch_t *watch) {
  const wl_side_t *side = user;
  if (side->trace != NULL) wl_trace_cycle(side->trace, watch);
  if (side->waves != NULL) wl_waves_watch(side->waves, watch);
}

static void set_watch(wl_side_t *side) {
  const bool any = side->trace != NULL || side->waves != NULL;
  wl_model_set_watch(side->model, any ? show : NULL, side);
}

static void watch_waves_model(wl_side_t *side, wl_waves_t *waves) {
  side->waves = waves;
  set_watch(side);
}

static void watch_model(wl_side_t *side, wl_trace_t *trace) {
  const wl_model_counters_t *counters = wl_model_counters(side->model);
  if (trace != NULL)
    wl_trace_begin(trace, counters);
  else if (side->trace != NULL)
    wl_trace_end(side->trace, counters);
  side->trace = trace;
  set_watch(side);
}

static void debug_model(wl_side_t *side, uint64_t *words, bool *has) {
  for (unsigned i = 0; i < WL_NUM_DEBUGS; i++)
    has[i] = true;
  wl_model_debug(side->model, (unsigned)(side->config - wl_configs), words);
}

static const char *fault_model(const wl_side_t *side) { return wl_model_error(side->model); }

const wl_side_ops_t wl_side_model = {.name = "model",
                                     .open = open_model,
                                     .close = close_model,
                                     .start = start_model,
                                     .step = step_model,
                                     .done = done_model,
                                     .hung = hung_model,
                                     .trap = trap_model,
                                     .view = view_model,
                                     .counters = counters_model,
                                     .watch = watch_model,
                                     .watch_waves = watch_waves_model,
                                     .debug = debug_model,
                                     .fault = fault_model};
