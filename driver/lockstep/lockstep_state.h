/* lockstep_state.h: the state behind lockstep.h, shared by its files: lockstep.c runs and compares,
 * lockstep_wave.c makes waves and snapshots of the run. docs/lockstep.md, docs/replay.md */
#ifndef WL_LOCKSTEP_LOCKSTEP_STATE_H
#define WL_LOCKSTEP_LOCKSTEP_STATE_H
#include "driver/lockstep/cosim.h"
#include "driver/lockstep/inside.h"
#include "driver/lockstep/lockstep.h"
#include "driver/lockstep/snapshot.h"
#include "driver/lockstep/wave.h"
#include "driver/trace/trace.h"

struct wl_lockstep {
  const wl_config_t *config;
  const wl_side_ops_t *ops; /* of the side alone, or of the core under test */
  wl_side_t *side;
  wl_cosim_t *cosim; /* NULL: one side alone */
  wl_log_t log;
  wl_trace_t *trace; /* pipeline view of the next run, NULL: none */
  bool (*stop)(void *context);
  void *stop_context;
  uint64_t cycle;                     /* of the device, never cleared */
  uint64_t last_issue[WL_MOST_WARPS]; /* of one side alone, where it is logged; cycle + 1 */
  uint32_t issue_pc[WL_MOST_WARPS];
  wl_journal_t journal;
  wl_view_t view[WL_NUM_VIEWS];
  wl_cosim_report_t report;
  wl_wave_run_t *wave; /* NULL: none */
  uint64_t wave_from;
  wl_snapshots_t *snapshots; /* NULL: none */
  bool again;                /* this process is a snapshot that goes on */
  wl_inside_t *inside;       /* NULL: internal state is not compared */
  const uint8_t *mem;
  uint64_t mem_bytes;
};

/* The pipeline view ends here. */
void wl_lockstep_end_watch(wl_lockstep_t *l);

/* lockstep_wave.c; without waves they do nothing. Open: false with a sentence in err. */
bool wl_lockstep_open_wave(wl_lockstep_t *l, const wl_backend_desc_t *desc, char *err, size_t cap);
/* The cycle that was made last. */
void wl_lockstep_wave_cycle(wl_lockstep_t *l, uint64_t now, bool differs);
/* Before a cycle, where there are snapshots. */
void wl_lockstep_snapshot(wl_lockstep_t *l);
/* Behind the first difference: both sides go on to the end of the window, compared no more. */
void wl_lockstep_wave_diverged(wl_lockstep_t *l);
/* Completes the waves of a run; they are of the device's first one that has cycles in the window.
 */
void wl_lockstep_wave_end(wl_lockstep_t *l, wl_run_result_t *result);

#endif
